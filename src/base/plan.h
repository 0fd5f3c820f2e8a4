/* How a plan's list of specs is to be read: one curve after the other. */
#pragma once

#include "fathom.h"

/* Are its points pairs of CPUs? It has no specs then. */
bool plan_is_of_pairs(const struct fathom_plan *plan);
/* Do they differ along their axis alone: in size, lap or lanes? What is learnt of the one before it
 * is measured holds for both. */
bool plan_same_curve(const struct fathom_spec *a, const struct fathom_spec *b);
/* The place after the last spec of the curve that begins at `first`. */
size_t plan_curve_end(const struct fathom_plan *plan, size_t first);

/* In so many blocks each point is measured, or it is left out: six, which an interval takes; or of
 * settled chains, whose blocks take a tenth of a second, three, since sizes come before intervals.
 */
size_t plan_fewest_blocks(const struct fathom_plan *plan);

/* Of plan->traffic the one of that number; FATHOM_TRAFFIC_UNKNOWN: there are fewer, or it is none.
 */
enum fathom_traffic plan_traffic_at(const struct fathom_plan *plan, size_t number);
/* How many there are before that. */
size_t plan_traffic_count(const struct fathom_plan *plan);

/* The state of siblings that the list at *at begins with; *at moves behind it. FATHOM_SIBLING_ANY:
 * it begins with none, or has ended. */
enum fathom_sibling plan_next_sibling(const char **at);
/* Of plan->siblings the state of that number; FATHOM_SIBLING_ANY: there are fewer. */
enum fathom_sibling plan_sibling_at(const struct fathom_plan *plan, size_t number);
/* Of the states; 1 where there are none. */
size_t plan_sibling_count(const struct fathom_plan *plan);
