/* The textbook's share model of a latency curve: of N bytes, each as likely to be the next, a cache
 * that reaches s bytes answers s / N, so that beyond the last of k caches
 *   E[L] = [s_1 l_1 + (s_2 - s_1) l_2 + ... + (N - s_k) l_(k+1)] / N
 * and between two the same, cut off there: a stack of levels (stack.h) that follow the law of
 * independent accesses. Beyond s_k that is l_(k+1) - C / N with C = sum of s_j (l_(j+1) - l_j).
 * Source: S. Slotin, Algorithms for Modern Hardware, "Memory latency". */
#pragma once

#include "model/curve_data.h"
#include "model/laws/stack.h"

/* A level as the model has it, its latency not known yet. */
struct stack_level share_model_level(double reach_bytes);

/* The iterative deduction: l_1 from the sizes up to s_1, and once l_1 ... l_j are known, l_(j+1)
 * from those in (s_j, s_(j+1)], by least squares of the relative deviations where there are
 * several. Sets the latencies of the levels, which ascend in reach, and *last, that of what lies
 * beyond them. NAN from the first one on that no size speaks of. */
void share_model_deduce(const struct curve_data *data, struct stack_level *levels, size_t count,
			double *last);

/* The same of the last two levels alone, as if all that fits in `reach_bytes` took `latency`:
 * E[L] = l_(k+1) - s_k (l_(k+1) - l_k) / N. NAN: no size is larger. */
double share_model_last_two(const struct curve_data *data, double reach_bytes, double latency);

/* C of those latencies: latency x bytes. */
double share_model_constant(const struct stack_level *levels, size_t count, double last);

/* One step of the deduction, taken at the largest of its sizes alone. */
struct share_step {
	size_t size_count; /* of the curve, that are in (s_j, up_to]; 0: the rest is NAN */
	double at_bytes;   /* the largest of these, N */
	double expected;   /* E[L] there */
	double before;     /* what the `count` levels take of it */
	double share;      /* of the accesses, that is left */
	double latency;    /* (expected - before) / share */
};
struct share_step share_model_step(const struct curve_data *data, const struct stack_level *levels,
				   size_t count, double up_to_bytes);

struct share_hyperbola {
	double last;     /* latency */
	double constant; /* latency x bytes; below 0: the curve falls */
	size_t size_count;
};

/* The one-term form, fitted to the sizes in (from, up_to] by least squares of the relative
 * deviations. False: there are fewer than three, nothing is set but size_count. */
bool share_model_hyperbola(const struct curve_data *data, double from_bytes, double up_to_bytes,
			   struct share_hyperbola *hyperbola);
/* Of a struct share_hyperbola. */
double share_hyperbola_value(const void *context, double size_bytes);
