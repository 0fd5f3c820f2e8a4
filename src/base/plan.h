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

/* Of FATHOM_DISTRIBUTION: is the chain of that number there to tell what modes of others are of? It
 * is on other pages than the first, or shares its lines with one that is in windows. */
bool plan_is_control(const struct fathom_plan *plan, size_t which);
bool plan_has_controls(const struct fathom_plan *plan);
/* What is timed where there are controls is so in turns, as many times. */
#define PLAN_CONTROL_TURNS 4
/* How many accesses along it are timed: of controls as many as tell shares. */
#define PLAN_CONTROL_ACCESSES 200000
uint64_t plan_accesses(const struct fathom_plan *plan, size_t which);

/* In so many blocks each point is measured, or it is left out: six, which an interval takes. Of
 * settled chains, whose blocks take a tenth of a second, three are planned, since sizes come before
 * intervals, and where they take longer than planned, those that there was time for count. */
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
