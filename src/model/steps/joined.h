/* Steps as one linear problem of all curves: a row a value, a column a base or a rise. */
#pragma once

#include "model/steps/behind.h"
#include "model/steps/linear.h"

struct joined {
	struct linear linear;
	size_t first_row[STEPS_CURVES];
	size_t base_of[STEPS_CURVES]; /* columns */
	size_t column_of[STEPS_CURVES][STEPS_MOST];
	size_t leak_of; /* LINEAR_COLUMNS: none */
};

/* Rows of all curves together. */
size_t joined_rows(const struct steps_curve *curves, size_t curve_count);
/* Fills the columns, in the problem's scratch. */
void joined_build(const struct steps_problem *problem, const struct steps *steps,
		  struct joined *joined);
/* The solution that the steps have, to begin with. */
void joined_restore(const struct steps_problem *problem, const struct steps *steps,
		    struct joined *joined);
/* Of a step's rise, what the curve shows of it: windows begin beyond the first cache, and the last
 * one's rise in them is one of its own. */
double joined_share(const struct steps_problem *problem, const struct steps *steps, size_t which,
		    size_t curve);
/* What others take of the accesses that the last cache would hit, as behind_leaked() has it;
 * `values`: what all caches miss at that size. Independent accesses come back at any time: not of
 * them. */
double joined_leaked(const struct steps_problem *problem, const struct steps *steps,
		     const struct behind *behind, const struct shape_value *values, double ln_size);
