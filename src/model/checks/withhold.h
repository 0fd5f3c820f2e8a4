/* What a disturbed run contradicts is withheld: the doubtful number becomes one that was not
 * measured, and a warning says so. */
#pragma once

#include "fathom.h"

/* Where "parts-at-cliff" is told of, before the size. */
#define WITHHOLD_PARTS_AT "parts of an access at "

#define WITHHOLD_HINT "measure again when the machine is less busy, or with a longer --budget"

/* Along the lanes: one lane of which several are faster by more than there are of them was
 * disturbed
 * ("one-lane-disturbed"), and so was any lone number of lanes that is ("lanes-disturbed"). Errors:
 * FAILED (memory). */
int withhold_one_lane(struct fathom_result *result, struct fathom_error *error);
/* Where these warnings say that it was: size and pages of the curve's first point. free() it. NULL:
 * out of memory. */
char *withhold_lanes_where(const struct fathom_curve *curve);

/* What rests on a lane that was withheld since; what noise alone takes above the lanes. */
void withhold_overlaps(struct fathom_result *result);
/* What the loop alone takes is no more than the loop took. */
void withhold_floors(struct fathom_result *result);

/* Of levels and MLP: a number whose interval is wider than itself, or reaches 0, is no number
 * ("interval-doubtful"). Errors: FAILED (memory). */
int withhold_wide(struct fathom_result *result, struct fathom_error *error);
/* Large pages that are slower than small ones, well inside a level, by more than the interval and a
 * twentieth of an access: the difference ("large-pages-slower"). Errors: FAILED (memory). */
int withhold_slower_pages(struct fathom_result *result, struct fathom_error *error);

/* The same, and all else that is doubtful in what was made of the curves:
 *  - cycles that are not ns at the clock are computed ("cycles-computed");
 *  - cycles, where L1 does not answer in a whole number of them ("cycles-doubtful"): it does, on
 *    every CPU whose core nothing else uses, so that the clock may be wrong;
 *  - the parts of an access that leave more than a fifth of it open ("parts-doubtful"; a note,
 *    "parts-at-cliff", where a cache ends: there they cannot add up);
 *  - overlap above the number of lanes.
 * Where the core clock of two experiments differs, there is a warning ("clock-differs"), and
 * quality_explain_l1 says why L1 looks small. What was
 * withheld before stays so. Errors: FAILED (memory). */
int withhold_doubtful(struct fathom_result *result, struct fathom_error *error);
/* Of what was just made: an interval that its value lies outside of is left out ("contradiction":
 * a fault of the model). Errors: FAILED (memory). */
int withhold_outside(struct fathom_result *result, struct fathom_error *error);
