/* Pieces of work that are each done by a thread of their own, one at a time: what takes turns is
 * measured at the same times, whatever drifts meanwhile. */
#pragma once

#include "measure/meter.h"

struct turn; /* of one of them */

/* Each work(own[i], turn) to its end, the first one first; returns when all have ended. Errors:
 * FAILED (a thread could not be started; some were not done then). */
int turns_run(size_t count, void (*work)(void *own, struct turn *turn), void *const *own,
	      struct fathom_error *error);
/* The meter takes turns from here on, right after it was opened: what the others took until then
 * has passed for it. */
void turns_begin(struct turn *turn, struct meter *meter);
/* Lets the others go on, each until it does the same or ends, while the meter rests. */
void turns_pass(struct turn *turn, struct meter *meter);
