/* Which points of several results are measurements of the same. */
#pragma once

#include "fathom.h"

/* The baselines, then the run that is held against them. */
struct compare_set {
	const struct fathom_run *runs[2]; /* the baselines; that run */
	size_t baseline_count;
	enum fathom_unit unit;
	const struct fathom_observer *observer; /* may be NULL */
};
size_t compare_set_count(const struct compare_set *set);
const struct fathom_run *compare_set_run(const struct compare_set *set, size_t which);

/* Points that all of a set have: `count` rows of one point a run. */
struct compare_match {
	const struct fathom_point **points; /* [row * runs + run] */
	size_t *curves;                     /* of each row, in the first baseline */
	size_t count, runs;
	size_t curve_count; /* of the first baseline that all the others have too */
};

/* Curves match whose specs are alike but for their axis and seed, points at the same place on it. A
 * field that one of the tools does not tell is passed over. No row: there is no size in common.
 * Errors: BAD_INPUT (no curve in common: the text names the first field that differs), FAILED. */
int compare_match(const struct compare_set *set, struct compare_match *match,
		  struct fathom_error *error);
/* compare_cores.c: have all of them classes of pairs of CPUs? Then no curve need be in common. */
bool compare_cores_are_common(const struct compare_set *set);
/* compare_accesses.c: the same of single accesses. */
bool compare_accesses_are_common(const struct compare_set *set);
/* compare_loads.c: the same of laws of latency under load. */
bool compare_loads_are_common(const struct compare_set *set);
void compare_match_free(struct compare_match *match);
/* Of a point. */
size_t compare_most_blocks(const struct compare_match *match);

/* What differs besides, and does not keep them from being compared: machine, pages obtained, curves
 * that one lacks. Of the run; `where` is its name. Errors: FAILED. */
int compare_differences(const struct compare_set *set, const struct compare_match *match,
			struct fathom_warnings *warnings, struct fathom_error *error);
