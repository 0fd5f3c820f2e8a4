#include "model/predict/interval.h"

#include <math.h>

/* By what factor the model is off, besides its inputs, so that intervals hold 95 % of the points of
 * that kind which 'make predict-check' measured: two runs on a guest on a Zen 4, 2026-11-28, 1,190
 * points of 12 structures; of a structure that had no part in them, such rows hold 94 % of the
 * points. 'bench/predict_check.py --scatter' makes them of what runs leave behind. Dependent
 * operations in the caches of a core, of which the model had not changed, were farther off on an
 * Emerald Rapids (1.08 on the Zen 4); past them 1.98 is of the second run alone, worked out anew
 * once the model told what others take from what does not fit. */
static const double scatter[FATHOM_PREDICT_INTERLEAVED + 1][2] = {
	/* In the caches of a core, past them. */
	[FATHOM_PREDICT_DEPENDENT] = {1.19, 1.98},
	[FATHOM_PREDICT_INDEPENDENT] = {1.53, 1.54},
	[FATHOM_PREDICT_INTERLEAVED] = {1.53, 1.65},
};

/* The same of pairs of structures, as many keys, run in the same way: what is wrong of both alike,
 * as of a latency, is none of it. One run on the same machine, 2026-11-28, 3,113 pairs, made in the
 * same way. */
static const double apart[FATHOM_PREDICT_INTERLEAVED + 1][2] = {
	[FATHOM_PREDICT_DEPENDENT] = {1.23, 1.84},
	[FATHOM_PREDICT_INDEPENDENT] = {1.60, 1.76},
	[FATHOM_PREDICT_INTERLEAVED] = {1.34, 1.52},
};

bool interval_is_past(const struct operation *operation)
{
	const struct costs *costs = operation->costs;
	return operation->layout->size_bytes > costs_own_lines(costs) * costs->line_bytes;
}

double interval_apart(enum fathom_predict_mode mode, bool is_past)
{
	return apart[mode][is_past];
}

static double scatter_of(const struct operation *operation)
{
	return scatter[operation->mode][interval_is_past(operation)];
}

void interval_find(const struct operation *operation, struct fathom_prediction *prediction)
{
	double below = 0, above = 0, ns = prediction->predicted_ns;
	for (int input = 0; input < COSTS_INPUT_COUNT; input++)
		for (int bound = -1; bound <= 1; bound += 2) {
			struct costs_state state = {0};
			struct sum sum;
			state.at[input] = bound;
			sum_make(operation, &state, &sum);
			double moved = log(sum.ns / ns);
			if (moved < 0)
				below += moved * moved;
			else if (moved > 0)
				above += moved * moved;
		}
	/* Of one input both bounds may be on one side: no more than twice is counted then. */
	prediction->model_scatter = scatter_of(operation);
	double own = log(prediction->model_scatter);
	prediction->predicted_low_ns = ns * exp(-hypot(sqrt(below), own));
	prediction->predicted_high_ns = ns * exp(hypot(sqrt(above), own));
}
