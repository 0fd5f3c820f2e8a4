#include "measure/meters/siblings.h"

#include <stdlib.h>

#include "base/error.h"
#include "kernels/kernels.h"
#include "machine/cores.h"
#include "measure/memory/slice.h"
#include "measure/sampling/team.h"

#define MOST_SIBLINGS  7 /* of cores with eight threads */
#define COMPUTED_BYTES 4096
#define LEAST_BYTES    (64ull << 20)
#define TIMES_CACHE    4
#define HOPS           4096 /* at a time: they end within some 100 us */

struct siblings {
	struct slice slices[MOST_SIBLINGS];
	void *own[MOST_SIBLINGS];
	size_t count;
	bool streams;
	struct companions *companions;
};

/* On its own CPU, so that its memory is near. */
static void prepare(void *own)
{
	struct slice *slice = own;
	slice_touch(slice);
	if (slice->status)
		return;
	slice_draw(slice, slice->touch_bytes, true);
	slice_begin(slice, slice->kernel, slice->touch_bytes / KERNEL_LINE_BYTES, 0, 1);
	slice->hops = HOPS;
}

static void work(void *own)
{
	struct slice *slice = own;
	if (slice->status == 0)
		slice_walk(slice);
}

static int open_slices(struct siblings *siblings, const struct fathom_machine *machine,
		       struct pinning_place place, const int *cpus, uint64_t bytes,
		       struct fathom_error *error)
{
	const struct kernel *kernel = siblings->streams ? kernel_find_stream(KERNEL_READ, 0)
							: kernel_find(KERNEL_LINEAR_SUM, 1);
	for (size_t i = 0; i < siblings->count; i++) {
		struct slice *slice = &siblings->slices[i];
		*slice = (struct slice){.machine = machine,
					.place = {.cpu = cpus[i], .node = place.node},
					.kernel = kernel,
					.rng = rng_make(i)};
		siblings->own[i] = slice;
		if (slice_open(slice, FATHOM_PAGE_DEFAULT, bytes, error))
			return -1;
	}
	return 0;
}

/* The first error of them all. */
static int gather_errors(const struct siblings *siblings, struct fathom_error *error)
{
	for (size_t i = 0; i < siblings->count; i++) {
		const struct slice *slice = &siblings->slices[i];
		if (slice->status)
			return error_set(error, slice->error.status, slice->error.hint, "%s",
					 slice->error.text);
	}
	return 0;
}

/* Of each. */
static uint64_t stream_bytes(uint64_t cache_bytes)
{
	return TIMES_CACHE * cache_bytes > LEAST_BYTES ? TIMES_CACHE * cache_bytes : LEAST_BYTES;
}

uint64_t siblings_streamed_bytes(const struct fathom_machine *machine, int cpu,
				 uint64_t cache_bytes)
{
	int cpus[MOST_SIBLINGS];
	size_t count = cores_siblings(machine, cpu, cpus, MOST_SIBLINGS);
	return count * slice_capacity(machine, FATHOM_PAGE_DEFAULT, stream_bytes(cache_bytes));
}

int siblings_open(const struct fathom_machine *machine, struct pinning_place place,
		  uint64_t cache_bytes, struct siblings **siblings, struct fathom_error *error)
{
	int cpus[MOST_SIBLINGS];
	*siblings = NULL;
	if (place.sibling != FATHOM_SIBLING_COMPUTES && place.sibling != FATHOM_SIBLING_STREAMS)
		return 0;
	struct siblings *opened = calloc(1, sizeof(*opened));
	if (!opened)
		return error_no_memory(error);
	opened->streams = place.sibling == FATHOM_SIBLING_STREAMS;
	opened->count = cores_siblings(machine, place.cpu, cpus, MOST_SIBLINGS);
	uint64_t bytes = opened->streams ? stream_bytes(cache_bytes) : COMPUTED_BYTES;
	if (open_slices(opened, machine, place, cpus, bytes, error) ||
	    companions_open(machine, cpus, (uint32_t)opened->count, prepare, work, opened->own,
			    &opened->companions, error) ||
	    gather_errors(opened, error)) {
		siblings_close(opened);
		return -1;
	}
	*siblings = opened;
	return 0;
}

void siblings_rest(struct siblings *siblings, bool rest)
{
	if (siblings)
		companions_rest(siblings->companions, rest);
}

void siblings_close(struct siblings *siblings)
{
	if (!siblings)
		return;
	companions_close(siblings->companions);
	for (size_t i = 0; i < siblings->count; i++)
		slice_close(&siblings->slices[i]);
	free(siblings);
}
