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

struct fathom_cost window_of(const struct structure_job *one_by_one,
			     const struct structure_job *overlapped)
{
	struct fathom_cost found = {NAN, NAN, NAN};
	double windows[STRUCTURE_ROUNDS];
	size_t count = overlapped->block_count; /* each comes after one of the other */
	for (size_t i = 0; i < count; i++)
		windows[i] =
			INSTRUCTIONS * (one_by_one->blocks_ns[i] / overlapped->blocks_ns[i] - 1);
	if (!count)
		return found;
	stats_sort(windows, count);
	struct stats_interval interval = stats_median_interval(windows, count);
	double median = stats_median_sorted(windows, count);
	if (median >= 1)
		found = (struct fathom_cost){
			median, fmax(1, isfinite(interval.low) ? interval.low : windows[0]),
			isfinite(interval.high) ? interval.high : windows[count - 1]};
	return found;
}

int window_measure(struct structure_runs *runs, struct fathom_warnings *warnings,
		   struct fathom_cost *found, struct fathom_error *error)
{
	double most = fmin(MOST_BYTES, (double)runs->machine->limit_bytes / ROOM);
	const struct structure_job job = {
		.kind = &structures_window,
		.shape = {.keys = (uint64_t)(most / PAIR_BYTES)},
		.together = 1,
	};
	struct structure_job jobs[] = {job, job};
	jobs[0].mode = FATHOM_PREDICT_DEPENDENT;
	jobs[1].mode = FATHOM_PREDICT_INDEPENDENT;
	int status = structure_runs_measure(runs, jobs, 2, warnings, error);
	if (status == 0)
		*found = window_of(&jobs[0], &jobs[1]);
	free(jobs[0].blocks_ns);
	free(jobs[1].blocks_ns);
	return status;
}
