/* What the steps of an operation come to, one after the other. */
#pragma once

#include "model/predict/sum.h"

struct total {
	double chain_ns;  /* one after the other */
	double branch_ns; /* of it */
	double core_ns;   /* of it, what is left where all lines are in the first cache */
	double instructions;
	double waiting; /* of them, for a load */
	double turns;
	double mispredicted;
	double compared;      /* of these, where it is not whether the operation ends */
	double astray;        /* of these, where what follows is of no use */
	double overlapped_ns; /* of the lines, were as many as can be in flight */
	/* Of what loads take more than in the first cache: in all, the squares and cubes of each,
	 * and central moments of the sum. */
	double loads, loads_ns, squares, cubes, variance, third;
	double step_ns[STRUCTURE_STEPS]; /* what a step takes where it is made */
	double held;     /* of the instructions that wait, those behind the slow steps */
	double asked_ns; /* the same of those that are asked for before their turn */
};

/* Fills the parts of `sum` that are of steps, and its lines. */
struct total total_make(const struct operation *operation, const struct costs_state *state,
			struct sum *sum);
/* What is waited for of the loads of a step. */
double total_waited_ns(const struct operation *operation, size_t which,
		       const struct costs_state *state);
