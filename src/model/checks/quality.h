/* May the numbers of a result be quoted? */
#pragma once

#include "fathom.h"

/* Of all CPUs, that other programs keep busy: from here on they disturb. docs/method.md has where
 * this and the other thresholds are from. */
#define QUALITY_BUSY_SHARE      0.125
#define QUALITY_DISTURBED_SHARE 0.15 /* of the samples: the same */
#define QUALITY_REJECTED_SHARE  0.45
#define QUALITY_SLOW_SHARE      0.1 /* of the blocks of a point */
#define QUALITY_BARE_SHARE      0.25
#define QUALITY_LATE_SHARE      0.1 /* of the sizes well inside L1 */

/* What a measurement was made under. */
enum quality_condition {
	QUALITY_BUSY,      /* share of the CPUs, by other programs */
	QUALITY_DISTURBED, /* share of the samples that can be told one by one */
	QUALITY_REJECTED,  /* share of all samples, those of the next one left out */
	QUALITY_SHARED,    /* share of those watched: a program ran on the core's other thread */
	QUALITY_SLOW,      /* share of the blocks of the median point: half again the fastest */
	QUALITY_BARE,      /* share of the points that have blocks, but too few for an interval */
	QUALITY_LATE,      /* share of the sizes well inside L1: slower than L1 is found to be */
	QUALITY_CLOCK,     /* spread of the core clock: from point to point, or from start to end */
	QUALITY_PAGE,      /* bytes, obtained for the largest size of the first curve */
	QUALITY_CONDITIONS
};

/* NAN: not known. */
void quality_find_conditions(const struct fathom_result *result, double found[QUALITY_CONDITIONS]);
/* quality_l1.c: where sizes inside L1 took longer than L1 does, that is why L1 looks smaller than
 * the OS says, and its warning says so. Errors: FAILED (memory). */
int quality_explain_l1(struct fathom_result *result, struct fathom_error *error);
/* Fills the quality and its reason, in place of what they are. Curves of other tools alone have
 * none. Errors: FAILED (memory). */
int quality_find(struct fathom_result *result, struct fathom_error *error);
