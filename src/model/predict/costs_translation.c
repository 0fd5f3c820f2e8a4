/* What translation adds, by how many pages there are between two accesses to one. */
#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/point.h"
#include "model/predict/costs_read.h"

#define STEP  1e-3 /* over which a step of translation rises */
#define MEANS 256  /* of a mean over all distances; 14 an octave of 64 Ki pages */

/* Of the kind; of the default, of pages as large as those of the curve. */
static const struct fathom_translation *find_translation(const struct fathom_result *result,
							 const struct costs *costs,
							 enum fathom_page page)
{
	for (size_t i = 0; i < result->translation_count; i++) {
		const struct fathom_translation *one = &result->translations[i];
		bool same = page == FATHOM_PAGE_DEFAULT
				    ? (double)one->page_bytes == costs->page_bytes
				    : one->page == page;
		if (same && one->spread != FATHOM_NO_CURVE && one->packed != FATHOM_NO_CURVE)
			return one;
	}
	return NULL;
}

/* Without such chains, the steps of translation that the curve along the sizes shows. A miss of the
 * first TLB alone is resolved by the next one, whose entries are then not known. */
static int read_steps(const struct fathom_result *result, struct costs *costs,
		      struct fathom_error *error)
{
	struct costs_curve *translation = &costs->translation;
	struct fathom_cost sum = {0, 0, 0};
	size_t tlbs = 0;
	if (costs_curve_make(2 * result->level_count, translation, error))
		return -1;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->kind != FATHOM_LEVEL_TLB || level->curve != result->levels[0].curve ||
		    !(level->penalty_ns > 0) || !(level->size_bytes > 0))
			continue;
		double pages = level->size_bytes / costs->page_bytes;
		costs_curve_add(translation, pages, sum);
		sum.ns += level->penalty_ns;
		sum.low_ns = sum.high_ns = sum.ns;
		costs_curve_add(translation, (1 + STEP) * pages, sum);
		if (!(level->entries > 0))
			costs->tlb_pages = fmin(costs->tlb_pages, pages);
		else if (++tlbs > 1)
			costs->tlb_pages = level->entries;
	}
	return 0;
}

/* Of more pages: past all caches what packed lines take longer is translation alone, whose tables
 * leave the caches. (One line a page of so many leaves them, too, which is no translation.) It is a
 * mean over all distances; twice that of all pages less that of half of them is the mean over the
 * upper half. */
static void add_tables(struct costs *costs)
{
	struct costs_curve *translation = &costs->translation, *packed = &costs->packed;
	struct fathom_cost before = translation->values[translation->count - 1];
	double page_lines = costs->page_bytes / costs->line_bytes;
	double mean_ns = costs_at(packed, costs->kept_pages, 0);
	double memory_ns = costs_packed_ns(costs, costs->kept_pages * page_lines) - mean_ns;
	for (size_t i = 0; i < costs->latency.count; i++) {
		double lines = exp(costs->latency.ln_x[i]), pages = lines / page_lines;
		if (pages <= costs->kept_pages)
			continue;
		mean_ns = fmax(mean_ns, costs_packed_ns(costs, lines) - memory_ns);
		double more_ns = 2 * mean_ns - costs_at(packed, pages / 2, 0) - before.ns;
		before.ns += fmax(0, more_ns);
		before.high_ns += fmax(0, more_ns);
		costs_curve_add(translation, pages, before);
		costs_curve_add(packed, pages, (struct fathom_cost){mean_ns, mean_ns, mean_ns});
	}
}

/* Packed lines: between two accesses to one of the many lines of a page may be any number of the
 * pages, each as likely. */
static int average(struct costs *costs, struct fathom_error *error)
{
	const struct costs_curve *translation = &costs->translation;
	struct costs_curve *packed = &costs->packed;
	struct fathom_cost sum = {0, 0, 0};
	if (costs_curve_make(MEANS + costs->latency.count, packed, error))
		return -1;
	if (!translation->count)
		return 0;
	double last = translation->ln_x[translation->count - 1], before = 0;
	for (size_t i = 0; i < MEANS; i++) {
		double pages = exp(last * (double)(i + 1) / MEANS);
		double middle = (before + pages) / 2, width = pages - before;
		sum.ns += width * costs_at(translation, middle, 0);
		sum.low_ns += width * costs_at(translation, middle, -1);
		sum.high_ns += width * costs_at(translation, middle, 1);
		costs_curve_add(packed, pages,
				(struct fathom_cost){sum.ns / pages, sum.low_ns / pages,
						     sum.high_ns / pages});
		before = pages;
	}
	return 0;
}

/* One line a page less as many lines packed. It never falls as pages are added: a point below an
 * earlier one is noise, or a set of a cache that the packed lines fill. */
static int read_pages(const struct fathom_result *result, const struct fathom_translation *one,
		      struct costs *costs, struct fathom_error *error)
{
	const struct fathom_curve *spread = &result->curves[one->spread];
	const struct fathom_curve *packed = &result->curves[one->packed];
	struct costs_curve *translation = &costs->translation, lines = {0};
	struct fathom_cost before = {0, 0, 0};
	int status =
		costs_curve_make(spread->point_count + costs->latency.count, translation, error);
	if (!status)
		status = costs_curve_make(packed->point_count, &lines, error);
	for (size_t i = 0; !status && i < packed->point_count; i++)
		costs_curve_add(&lines, (double)packed->points[i].nodes,
				costs_latency_of(&packed->points[i]));
	for (size_t i = 0; lines.count && i < spread->point_count; i++) {
		const struct fathom_point *point = &spread->points[i];
		double pages = (double)point->nodes;
		struct fathom_cost value = costs_latency_of(point);
		value.ns -= costs_at(&lines, pages, 0);
		value.low_ns -= costs_at(&lines, pages, 1);
		value.high_ns -= costs_at(&lines, pages, -1);
		before.ns = fmax(before.ns, value.ns);
		before.low_ns = fmax(before.low_ns, fmin(before.ns, value.low_ns));
		before.high_ns = fmax(before.ns, value.high_ns);
		costs_curve_add(translation, pages, before);
	}
	free(lines.ln_x);
	free(lines.values);
	if (one->entry_bytes)
		costs->page_bytes = (double)one->entry_bytes;
	if (one->tlb_count)
		costs->tlb_pages = one->tlbs[one->tlb_count - 1].entries;
	return status;
}

int costs_read_translation(const struct fathom_result *result, enum fathom_page page,
			   struct costs *costs, struct fathom_error *error)
{
	if (!(costs->page_bytes > 0))
		costs->page_bytes = PAGE_USUAL_BYTES;
	costs->tlb_pages = costs->kept_pages = INFINITY;
	const struct fathom_translation *one = find_translation(result, costs, page);
	if (one ? read_pages(result, one, costs, error) : read_steps(result, costs, error))
		return -1;
	if (one && costs->translation.count) {
		costs->translation.count = costs_kept_translation(costs);
		costs->kept_pages = exp(costs->translation.ln_x[costs->translation.count - 1]);
	}
	if (average(costs, error))
		return -1;
	if (isfinite(costs->kept_pages))
		add_tables(costs);
	return 0;
}
