/* Is one more run different from the baselines? */
#pragma once

#include "fathom.h"

/* What a part of each run is, and how far it spreads. The logarithm of a time: of bytes a second
 * its negative, so that less is faster. */
struct compare_sample {
	double *ln;     /* one a run, the baselines first; the last is that one more */
	double *spread; /* standard deviations of ln by placement; NAN: not known */
	size_t runs;
};

/* Fills the part's speed-up, its interval, error and freedom, and its probability, not adjusted
 * yet. All but the speed-up NAN where nothing tells how far runs spread.
 *
 * One run does not show how far runs spread, but each of its blocks was on a place of its own, at a
 * time of its own: the spread of blocks stands for that of runs, and counts as much as nine runs (8
 * degrees of freedom). Several baselines show the spread between runs with one degree less than
 * there are; the two are pooled by their degrees of freedom (Smyth, Linear models and empirical
 * Bayes methods for assessing differential expression, Statistical Applications in Genetics and
 * Molecular Biology 3 (2004), the moderated t), and never taken for less than the baselines show.
 * The interval is that for one more run: t * s * sqrt(1 + 1 / baselines) (Hahn and Meeker,
 * Statistical Intervals (1991), chapter 4). */
void compare_estimate(const struct compare_sample *sample, struct fathom_compared_part *part);

/* The same of a logarithm whose standard error is known with so many degrees of freedom. */
void compare_set_log_speedup(double log_speedup, double error, double freedom,
			     struct fathom_compared_part *part);

/* Adjusts the probabilities of all parts of a run but the clock for their number, and says which
 * differ: whose probability is under 5 % and whose speed-up is over the threshold. The clock has
 * its verdict already. Errors: FAILED (memory). */
int compare_judge(struct fathom_compared_run *run, double threshold, struct fathom_error *error);
