#include "measure/structures/window.h"

#include <math.h>
#include <stdlib.h>

#include "base/stats.h"

/* Past most caches; a hit in a larger one takes long enough, too. */
#define MOST_BYTES (64ull << 20)
#define ROOM       4 /* of the memory that can be had, a fourth at most */
#define PAIR_BYTES 16
/* Besides those that wait: the next index (6), its check and the load (5), the sum (1), the loop
 * (4). */
#define INSTRUCTIONS (STRUCTURES_WINDOW_WAITING + 16)

/* Lists in the first cache. Few walks: each waits for its own store, and not for its turn; not one,
 * whose load some cores take for the store just before it (memory renaming: Zen 2 and later). */
#define NODES 128
#define WALKS 3

/* Sorts the values. */
static struct fathom_cost median_of(double *values, size_t count, double least)
{
	struct fathom_cost found = {NAN, NAN, NAN};
	if (!count)
		return found;
	stats_sort(values, count);
	struct stats_interval interval = stats_median_interval(values, count);
	double median = stats_median_sorted(values, count);
	if (median >= least)
		found = (struct fathom_cost){
			median, fmax(least, isfinite(interval.low) ? interval.low : values[0]),
			isfinite(interval.high) ? interval.high : values[count - 1]};
	return found;
}

struct fathom_cost window_of(const struct structure_job *one_by_one,
			     const struct structure_job *overlapped)
{
	double windows[STRUCTURE_ROUNDS];
	size_t count = overlapped->block_count; /* each comes after one of the other */
	for (size_t i = 0; i < count; i++)
		windows[i] =
			INSTRUCTIONS * (one_by_one->blocks_ns[i] / overlapped->blocks_ns[i] - 1);
	return median_of(windows, count, 1);
}

struct fathom_cost forward_of(const struct structure_job *one, const struct structure_job *several)
{
	const double least_ns = 0.01; /* less than a cycle */
	double forwards_ns[STRUCTURE_ROUNDS];
	size_t count = several->block_count;
	for (size_t i = 0; i < count; i++)
		forwards_ns[i] = WALKS * several->blocks_ns[i] - one->blocks_ns[i];
	return median_of(forwards_ns, count, least_ns);
}

int window_measure(struct structure_runs *runs, struct fathom_warnings *warnings,
		   struct fathom_cost *found, struct fathom_cost *forward,
		   struct fathom_error *error)
{
	double most = fmin(MOST_BYTES, (double)runs->machine->limit_bytes / ROOM);
	const struct structure_job job = {
		.kind = &structures_window,
		.shape = {.keys = (uint64_t)(most / PAIR_BYTES)},
		.mode = FATHOM_PREDICT_DEPENDENT,
		.together = 1,
	};
	struct structure_job walk = job;
	walk.kind = structures_kind_find("list");
	walk.shape.keys = NODES;
	struct structure_job jobs[] = {job, job, walk, walk};
	jobs[1].mode = FATHOM_PREDICT_INDEPENDENT;
	jobs[3].mode = FATHOM_PREDICT_INTERLEAVED;
	jobs[3].together = WALKS;
	int status = structure_runs_measure(runs, jobs, 4, warnings, error);
	if (status == 0) {
		*found = window_of(&jobs[0], &jobs[1]);
		*forward = forward_of(&jobs[2], &jobs[3]);
	}
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++)
		free(jobs[i].blocks_ns);
	return status;
}
