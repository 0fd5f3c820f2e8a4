#include "measure/memory/stream_variant.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/patterns.h"
#include "base/stats.h"
#include "kernels/kernels.h"

/* Candidates take turns, so that what slows the machine down for a while slows all of them, and the
 * third least time of each counts: of 11 runs of which each is slowed down with a chance of a third
 * nine are so once in 700 times, and two may have been too fast (found in a cache). */
#define ROUNDS 11
#define RANK   2
#define WORTH  0.98 /* of the time: else the simplest variant is taken */
#define MOST   8    /* candidates of one question */

_Static_assert(STREAM_WAY_PAGE_BYTES / STREAM_WAY_STEP_BYTES <= MOST, "room for all distances");

struct stream_variant_found {
	struct fathom_spec spec;
	struct stream_variant variant;
};

static bool same(const struct fathom_spec *a, const struct fathom_spec *b)
{
	return a->pattern == b->pattern && a->size_bytes == b->size_bytes && a->page == b->page &&
	       a->threads == b->threads && a->vector_bytes == b->vector_bytes;
}

static const struct stream_variant *recall(const struct stream_variants *variants,
					   const struct fathom_spec *spec)
{
	for (size_t i = 0; i < variants->count; i++)
		if (same(&variants->found[i].spec, spec))
			return &variants->found[i].variant;
	return NULL;
}

static int keep(struct stream_variants *variants, const struct fathom_spec *spec,
		const struct stream_variant *variant, struct fathom_error *error)
{
	const struct stream_variant_found found = {*spec, *variant};
	return LIST_APPEND(&variants->found, &variants->count, &found) ? error_no_memory(error) : 0;
}

/* The first, unless another is worth it. */
static struct stream_variant fastest(const struct stream_variant *variants, size_t count,
				     stream_variant_run *run, void *context)
{
	double ns[MOST][ROUNDS];
	for (int round = 0; count > 1 && round < ROUNDS; round++)
		for (size_t i = 0; i < count; i++)
			ns[i][round] = run(context, &variants[i]);
	size_t best = 0;
	double least_ns = 0;
	for (size_t i = 0; count > 1 && i < count; i++) {
		stats_sort(ns[i], ROUNDS);
		if (i == 0 || ns[i][RANK] < least_ns) {
			least_ns = i == 0 ? WORTH * ns[i][RANK] : ns[i][RANK];
			best = i;
		}
	}
	return variants[best];
}

static size_t list_shifts(const struct fathom_spec *spec, uint32_t vector_bytes,
			  uint64_t room_bytes, struct stream_variant list[MOST])
{
	bool copies = pattern_traits(spec->pattern)->copies;
	size_t count = 0;
	for (uint64_t shift = 0; shift < STREAM_WAY_PAGE_BYTES; shift += STREAM_WAY_STEP_BYTES)
		if (shift == 0 || (copies && shift <= room_bytes))
			list[count++] = (struct stream_variant){vector_bytes, shift};
	return count;
}

static size_t list_widths(const struct fathom_spec *spec, struct stream_variant widest,
			  struct stream_variant list[MOST])
{
	size_t count = 0;
	list[count++] = widest;
	/* one word at a time is plain C: no rival of vectors */
	for (uint32_t bytes = widest.vector_bytes / 2; spec->vector_bytes == 0 && bytes >= 16;
	     bytes /= 2)
		if (count < MOST && stream_kernel(spec->pattern, bytes))
			list[count++] = (struct stream_variant){bytes, widest.shift_bytes};
	return count;
}

const struct kernel *stream_kernel(enum fathom_pattern pattern, uint32_t vector_bytes)
{
	return kernel_find_stream(pattern_traits(pattern)->kernel, vector_bytes);
}

int stream_variants_find(struct stream_variants *variants, const struct fathom_spec *spec,
			 uint64_t room_bytes, stream_variant_run *run, void *context,
			 struct stream_variant *variant, struct fathom_error *error)
{
	const struct kernel *widest = stream_kernel(spec->pattern, spec->vector_bytes);
	const struct stream_variant *known = recall(variants, spec);
	if (known) {
		*variant = *known;
		return 0;
	}
	struct stream_variant list[MOST];
	size_t count = list_shifts(spec, widest->vector_bytes, room_bytes, list);
	struct stream_variant found = fastest(list, count, run, context);
	count = list_widths(spec, found, list);
	found = fastest(list, count, run, context);
	if (keep(variants, spec, &found, error))
		return -1;
	*variant = found;
	return 0;
}

void stream_variants_free(struct stream_variants *variants)
{
	free(variants->found);
	*variants = (struct stream_variants){0};
}
