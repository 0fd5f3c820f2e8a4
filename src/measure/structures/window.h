/* How many instructions that wait for a load the core holds, while it begins later ones, and how
 * long a value takes that is stored and loaded again. */
#pragma once

#include "measure/structures/structure_runs.h"

/* Of blocks of both, one of each a visit: instructions, whatever the members are called. */
struct fathom_cost window_of(const struct structure_job *one_by_one,
			     const struct structure_job *overlapped);
/* Of blocks of one walk, and of several; ns. NAN: none, as where the core does without the load. */
struct fathom_cost forward_of(const struct structure_job *one, const struct structure_job *several);
/* Lookups whose values go through many instructions are run one after the other, and independent of
 * each other. By how many times these are faster, so many are under way at a time, 1 + W / I of I
 * instructions each, as model/predict has it: W is found. Then lists in the first cache are walked,
 * one whose place stays in a register, and some by turns, whose places are stored after a turn and
 * loaded again: what a turn's round takes longer is *forward. `runs` as for structure_runs_measure,
 * of whose time this takes a little. *found, *forward: a median over visits with its 95 % interval,
 * or of fewer than six from the least to the greatest; NAN: it was stopped, or nothing overlapped.
 * Errors: as structure_runs_measure. */
int window_measure(struct structure_runs *runs, struct fathom_warnings *warnings,
		   struct fathom_cost *found, struct fathom_cost *forward,
		   struct fathom_error *error);
