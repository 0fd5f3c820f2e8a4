/* What a verdict is about: levels, points of curves without levels, and the core clock. */
#pragma once

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
/* compare_cores.c: the classes of pairs of CPUs that all runs have, by their kinds. */
int compare_cores(const struct compare_set *set, struct fathom_compared_run *run,
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

/* compare_levels.c. Takes the part's strings over, also when it fails. */
int compare_add_part(struct fathom_compared_run *run, struct fathom_compared_part *part,
		     struct fathom_error *error);
