#include "model/laws/stack.h"

#include <math.h>

/* Of the accesses, those that a level or one before it answers; `before` is of the one before. */
static double answered(const struct stack_level *level, double size_bytes, double before)
{
	return fmax(before, hit_share(&level->shape, size_bytes / level->reach_bytes));
}

void stack_shares(const struct stack_level *levels, size_t count, double size_bytes, double *shares)
{
	double before = 0;
	for (size_t i = 0; i < count; i++) {
		double here = answered(&levels[i], size_bytes, before);
		shares[i] = here - before;
		before = here;
	}
	shares[count] = 1 - before;
}

double stack_latency(const struct stack_level *levels, size_t count, double memory_latency,
		     double size_bytes)
{
	double mean = 0, before = 0;
	for (size_t i = 0; i < count; i++) {
		double here = answered(&levels[i], size_bytes, before);
		mean += (here - before) * levels[i].latency;
		before = here;
	}
	return mean + (1 - before) * memory_latency;
}
