/* The levels of a result, made of a group's steps once these are judged. */
#pragma once

#include "model/levels/group.h"
#include "model/levels/judge.h"

struct emitter {
	struct fathom_result *result;
	const struct fathom_observer *observer;
	struct group *chains; /* as of levels_find() */
	struct group group;
	struct judgement judged[STEPS_MOST];
	double sums_error[STEPS_MOST + 1]; /* of the sums of steps_errors */
};

/* Appends what the steps of a judged and spread group are. Errors: FAILED (no memory). */
int emit_all(struct emitter *emitter, struct fathom_error *error);
/* Does the step end below the smallest size, so that nothing shows it? */
bool emit_is_unseen(const struct group *group, double ln_reach);
/* Where the value past it is not known, how high points lie does not tell between which two sizes a
 * level ends any more exactly: its interval holds both. */
void emit_widen(const struct group *group, struct fathom_level *level);

/* Appends the level, taking over its strings also when it fails. Errors: FAILED (no memory). */
int emit_level(struct emitter *emitter, struct fathom_level *level, struct fathom_error *error);
/* What the curve ends in, `caches` being found: memory, a cache, or what is not known. Errors:
 * FAILED (no memory). */
int emit_end(struct emitter *emitter, size_t caches, struct judge_plateau plateau,
	     struct fathom_error *error);

/* Cycles of a value in ns by the clock at the sizes where it was measured: the mean of the points'
 * own between the two reaches. NAN: no clock. */
double emit_clock(const struct group *group, double ln_low, double ln_high);
/* Sets the level's latency. `less`, `more`: by how much it would be that, were what is unknown
 * something else. */
void emit_latency(const struct group *group, double value, double error, double less, double more,
		  double per_ns, struct fathom_level *level);
/* The same, of hits behind the first `count` steps, without translation. */
void emit_hit(const struct emitter *emitter, size_t count, double per_ns,
	      struct fathom_level *level);
