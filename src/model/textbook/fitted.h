/* A curve beside the levels that were found in it, as a stack whose latencies can be computed. */
#pragma once

#include "model/curve_data.h"
#include "model/laws/stack.h"

struct fitted {
	const struct fathom_curve *curve;
	struct curve_data data;
	uint64_t line_bytes;        /* as measured; else the usual one */
	size_t level_count;         /* of all that the curve's levels are; 0: there are none */
	struct stack_level *levels; /* the caches whose end is in the curve, by reach */
	const struct fathom_level **sources; /* of each, and [count] of what lies beyond or NULL */
	size_t count;
	double last;               /* latency beyond them, translation not in it; NAN: none */
	size_t read_count;         /* those of the levels that are a cache or memory */
	struct stack_level *steps; /* TLBs and unknown steps; latency: what missing one adds */
	size_t step_count, translation_count; /* of the steps, those of a TLB or of walks ... */
	size_t walk_count;                    /* ... and those of walks alone */
};

/* The levels are those read from the curve; those of fathom's own first curve that has any where it
 * is in independent order and has none: the caches are the same. The shapes are those which, with
 * the replacement that was found, come nearest to the curve. Errors: FAILED (memory). */
int fitted_make(const struct fathom_result *result, size_t curve, struct fitted *fitted,
		struct fathom_error *error);
void fitted_free(struct fitted *fitted);
/* Is one hit law left to a level by the order and the replacement? Else its shape is a guess. */
bool fitted_knows_law(const struct fitted *fitted, size_t which);

/* A latency by its size; NAN: the model says nothing of that size. */
typedef double latency_model(const void *context, double size_bytes);

/* Of a struct fitted: the latency that the levels imply, translation in it. */
latency_model fitted_value;

struct deviation {
	double residual; /* root mean square of (model - point) / point; NAN: there is no point */
	double worst;    /* of these shares the one farthest from 0 */
	double worst_bytes;
};

/* Of a model from the points in (from, up_to] (of very many a part). */
struct deviation fitted_deviation(const struct fitted *fitted, double from_bytes,
				  double up_to_bytes, latency_model *model, const void *context);
