/* What a fit leaves open, as warnings of its result. All: -1: out of memory. */
#ifndef MODEL_LEVELS_DOUBTS_H
#define MODEL_LEVELS_DOUBTS_H

#include "model/levels/judge.h"

/* Forgets those of an earlier fit. */
void doubts_clear(struct fathom_result *result);
/* Less than three sizes have no levels. */
int doubts_about_count(struct fathom_result *result, const struct group *group);
/* Points that the levels do not follow: those from `first` on, which the group gave, are then not
 * to be believed much. */
int doubts_about_fit(struct fathom_result *result, const struct group *group, size_t first);
/* The search for levels ended before it had tried all, and came to the hypothesis `likeliest`. Not
 * told where the likeliest order was searched to its end, or where that is far ahead of all others:
 * with ten times the work none of 33 documents of guests, of none of which it is told, gets another
 * cache, or one that ends more than 5 % away. */
int doubts_about_search(struct fathom_result *result, const struct group *group, size_t likeliest);
/* Memory is not in the curve. */
int doubts_about_end(struct fathom_result *result, enum judge_end end);

#endif
