/* The costs of the steps of an operation, added up. */
#pragma once

#include "base/text.h"
#include "model/predict/costs.h"
#include "model/predict/reuse.h"

/* A structure of certain parameters on a machine. */
struct operation {
	const struct layout *layout;
	const struct reuse *lines, *pages; /* of each step */
	const struct costs *costs;
	enum fathom_predict_mode mode;
	double interleave; /* operations at a time; 1: none */
	double ns;         /* where sum_make begins to look for its time; 0: at nothing */
};

struct sum {
	double ns;
	double parts_ns[FATHOM_PREDICT_PART_COUNT]; /* sum to ns */
	double lines;                               /* that are asked for */
};

/* Others take lines of a cache as time goes by, so that the time of an operation follows from
 * itself: the least that does, wherever the search begins. */
void sum_make(const struct operation *operation, const struct costs_state *state, struct sum *sum);
/* In numbers, on one line. */
void sum_formula(const struct operation *operation, struct text *text);
