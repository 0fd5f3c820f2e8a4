/* How much work the search for steps may take, and whether it is to stop. */
#pragma once

#include "fathom.h"

/* Of one search. Work is counted in cells, rows times columns of each system that is solved, so
 * that a search ends at the same place on any machine. */
struct budget {
	const struct fathom_observer
		*observer; /* whose `stop` and `hurry` are asked; may be NULL */
	double left;       /* cells */
	bool stopped;      /* `stop` said so */
};

struct budget budget_make(const struct fathom_observer *observer);
/* One system was solved; asks `stop` and, after a while, `hurry`. All take NULL for no budget. */
void budget_take(struct budget *budget, double cells);
/* Nothing more is to be tried: spent or stopped. */
bool budget_is_over(const struct budget *budget);
/* What follows the search may take what it needs; whether it was spent is asked before. */
void budget_end_search(struct budget *budget);
/* INTERRUPTED where `stop` says so; else 0. */
int budget_check_stop(const struct fathom_observer *observer, struct fathom_error *error);
