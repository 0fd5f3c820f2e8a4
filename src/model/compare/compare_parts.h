/* What a verdict is about: levels, points of curves without levels, and the core clock. */
#pragma once

#include "base/text.h"
#include "model/compare/compare_match.h"

/* Each appends to run->parts, whose verdicts are not known yet. Errors: FAILED (memory). */

/* compare_levels.c: the caches and the memory of the reference (compare_same_level.h), at the sizes
 * that lie inside the level in all runs that show it; where no such size is in all runs, by the
 * latencies that were fitted. */
int compare_levels(const struct compare_set *set, const struct compare_match *match,
		   struct fathom_compared_run *run, struct fathom_error *error);
/* compare_single.c: the points of curves that have no levels, unless they stand beside a sweep that
 * has. */
int compare_single_points(const struct compare_set *set, const struct compare_match *match,
			  struct fathom_compared_run *run, struct fathom_error *error);
/* compare_cores.c: the classes of pairs of CPUs, by their kinds; those that one run lacks have no
 * value. */
int compare_cores(const struct compare_set *set, struct fathom_compared_run *run,
		  struct fathom_error *error);
/* A warning that names them. Errors: FAILED (memory). */
int compare_cores_warn(const struct compare_set *set, struct fathom_warnings *warnings,
		       struct fathom_error *error);
/* compare_contention.c: what an operation of threads that go for the same words takes, and a hop
 * beside those of another CPU, where all runs have such. */
int compare_contention(const struct compare_set *set, struct fathom_compared_run *run,
		       struct fathom_error *error);
/* A warning where other CPUs share a cache than did in the first baseline. Errors: FAILED. */
int compare_sharing_warn(const struct compare_set *set, struct fathom_warnings *warnings,
			 struct fathom_error *error);
/* compare_accesses.c: the median, the 99th and the 99.9th percentile of the single accesses along
 * chains that all runs have. */
int compare_accesses(const struct compare_set *set, struct fathom_compared_run *run,
		     struct fathom_error *error);
/* compare_loads.c: idle latency, knee and peak of the laws of latency under load that all runs
 * have. */
int compare_loads(const struct compare_set *set, struct fathom_compared_run *run,
		  struct fathom_error *error);
/* compare_clock.c: that one has its verdict: it differs where what the probes saw in all the
 * baselines and what they saw in the run do not even overlap. None where a clock is not known. */
int compare_clock(const struct compare_set *set, double threshold, struct fathom_compared_run *run,
		  struct fathom_error *error);

/* compare_conditions.c: before the verdicts: what the runs were measured under. Errors: FAILED. */
int compare_conditions(const struct compare_set *set, struct fathom_compared_run *run,
		       struct fathom_error *error);
/* After them: where a run was disturbed, what is not the same cannot be told; a warning says why.
 * Errors: FAILED. */
int compare_hold_back(const struct compare_set *set, struct fathom_compared_run *run,
		      struct fathom_warnings *warnings, struct fathom_error *error);

/* compare_warnings.c: after the verdicts: warnings of sizes between the levels that differ, of
 * parts without a verdict, and of what the runs themselves warn of. Errors: FAILED (memory). */
int compare_warnings(const struct compare_set *set, const struct fathom_compared_run *run,
		     struct fathom_warnings *warnings, struct fathom_error *error);

/* compare_reading.c. What one run has of something that the first run has as number `which`. */
struct compare_reading {
	double value;
	double spread; /* standard deviation of its logarithm; NAN: not known */
	uint64_t points;
};
/* false: that run has it not. */
typedef bool compare_read(const struct compare_set *set, size_t run, size_t which,
			  struct compare_reading *reading);
/* Fills the part's values and estimate; of the part its quantity counts. Returns 0; the number,
 * from 1 on, of the first run that has it not, and nothing is known then; or -1: FAILED. */
int compare_estimate_readings(const struct compare_set *set, compare_read *read, size_t which,
			      struct fathom_compared_part *part, struct fathom_error *error);

/* compare_cores.c. Is the class of that number in one result what it is in the other: the same
 * kind, and of these the same? (-1: of one CPU alone.) */
bool compare_class_is_like(const struct fathom_result *a, int class_a,
			   const struct fathom_result *b, int class_b);
/* ", same cache" */
void compare_class_add_name(struct text *name, const struct fathom_result *result, int class);
/* Without value and verdict, but with the reason. Takes part->name over, also when it fails. */
int compare_add_lacking(struct fathom_compared_run *run, struct fathom_compared_part *part,
			const char *reason, struct fathom_error *error);

/* compare_levels.c. Takes the part's strings over, also when it fails. */
int compare_add_part(struct fathom_compared_run *run, struct fathom_compared_part *part,
		     struct fathom_error *error);
