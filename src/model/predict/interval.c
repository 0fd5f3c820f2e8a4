#include "model/predict/interval.h"

#include <math.h>

void interval_find(const struct operation *operation, struct fathom_prediction *prediction)
{
	double below = 0, above = 0;
	for (int input = 0; input < COSTS_INPUT_COUNT; input++)
		for (int bound = -1; bound <= 1; bound += 2) {
			struct costs_state state = {0};
			struct sum sum;
			state.at[input] = bound;
			sum_make(operation, &state, &sum);
			double moved = sum.ns - prediction->predicted_ns;
			if (moved < 0)
				below += moved * moved;
			else if (moved > 0)
				above += moved * moved;
		}
	/* Of one input both bounds may be on one side: no more than twice is counted then. */
	prediction->predicted_low_ns =
		prediction->predicted_ns * exp(-sqrt(below) / prediction->predicted_ns);
	prediction->predicted_high_ns = prediction->predicted_ns + sqrt(above);
}
