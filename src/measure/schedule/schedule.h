/* What a sweep does next: which sizes, how many blocks, how much warming. Arithmetic on
 * accumulators; what is decided is done in sweep.c. */
#pragma once

#include "measure/schedule/accumulator.h"

/* Blocks that a size needs for an interval. */
#define SCHEDULE_FEWEST_BLOCKS 6
/* A control is measured up to so many times the last cache: farther on prefetchers flatter it. */
#define SCHEDULE_CONTROL_CACHES 4
/* Less of it tells nothing. */
#define SCHEDULE_FEWEST_OF_CONTROL 3

struct schedule {
	struct accumulator
		*accumulators; /* curve after curve, the main one first, each ascending in size */
	size_t count, capacity;
	struct accumulator *
		*order; /* scratch, `capacity` long: some of the accumulators in some order */
	uint64_t always_bytes; /* sizes up to here are measured whatever the first pass shows */
	uint64_t last_bytes;   /* and of the others those up to here may be */
	uint64_t line_bytes;
	uint64_t cache_bytes; /* the largest that the OS reports; 0: none */
	uint64_t reach_bytes; /* where the last cache seems to end; 0: not known yet */
	uint64_t block_count, bimodal_count; /* blocks of cycles, and the bimodal ones among them */
	double budget_s;
	bool has_cliffs; /* the plan is of a curve, where caches end: chases near a reach walk
			  * alone for longer */
};

/* A accumulator for each spec of the plan, and room for `more`. Each accumulator's stride is 0 for
 * the sizes an octave apart, for those between them the power of two that says how much is lost
 * with it (1: every other size remains). Errors: FAILED (memory). */
int schedule_open(struct schedule *schedule, const struct fathom_plan *plan,
		  const struct meter *meter, size_t more, struct fathom_error *error);
/* The accumulators too. */
void schedule_close(struct schedule *schedule);

/* How many accumulators the main curve has. */
size_t schedule_main_count(const struct schedule *schedule);
/* A curve in windows after another curve: it tells that one's caches from TLBs. */
bool schedule_is_control(const struct accumulator *accumulator);
/* The control that is to be measured, as its curve; 0: there is none, or it was given up. */
size_t schedule_control(const struct schedule *schedule);
/* May it be measured, by what is known of the caches? */
bool schedule_allows(const struct schedule *schedule, const struct accumulator *accumulator);

/* The first pass is over, one size an octave of the main curve has a block: from here on the reach
 * is known. */
void schedule_set_last_cliff(struct schedule *schedule);

/* Are blocks bimodal, as where a cache keeps a part of a cycle, so that batches either hit or miss?
 */
bool schedule_is_bimodal(const struct schedule *schedule, const struct accumulator *accumulator);
/* A block should have at least so many: where hits and misses come in runs, a whole
 * lap. */
uint64_t schedule_fewest_hops(const struct schedule *schedule,
			      const struct accumulator *accumulator);

/* Fills what follows from the size: laps, warming, the time allowed for it. `again`: the chain is
 * as the block before left it: memory that no cache keeps is not warmed anew. */
void schedule_warming(const struct schedule *schedule, const struct accumulator *accumulator,
		      bool again, struct sampler_options *options);
/* What warming takes of a visit, for planning. */
double schedule_usual_warm_s(const struct schedule *schedule,
			     const struct accumulator *accumulator);
/* Past a quarter of the reach placement matters little, and a chain serves several blocks. */
unsigned schedule_blocks_a_visit(const struct schedule *schedule,
				 const struct accumulator *accumulator);
/* What a visit will take: as the last one did, or as at the next larger size that was visited, of
 * the main curve where its own has none. */
double schedule_cost_s(const struct schedule *schedule, size_t index);

/* Is it to be visited in that round, of 1 to SCHEDULE_FEWEST_BLOCKS? Sizes whose blocks share
 * a chain are visited in every second round. */
bool schedule_is_due(const struct schedule *schedule, const struct accumulator *accumulator,
		     unsigned round);
/* What a size still needs for its first interval. */
double schedule_missing_s(const struct schedule *schedule, size_t index);

/* Wants all sizes that are always measured, and an octave apart those that may be; then gives up
 * the dearest of those between others until what the rest still need for six blocks fits in
 * `allowed_s`, of a control in a fifth of that: a few points with intervals are worth more than
 * many without. One size an octave is never given up, but of a control: that goes altogether where
 * little would remain. */
void schedule_choose(struct schedule *schedule, double allowed_s);
/* The sizes that a round of one visit each shall make more exact, in schedule->order: those without
 * an interval, or with one that is too wide, for whose next looks `left_s` is enough, the cheapest
 * first; a control's only where there is no other. How many; 0: there is nothing to do, or no time.
 */
size_t schedule_refine(struct schedule *schedule, double left_s);

/* Half-way from the size to what the main curve has below it, and above; 0: it has nothing there.
 */
void schedule_halves(const struct schedule *schedule, uint64_t size_bytes, uint64_t halves[2]);
/* Another size of the curve, whole nodes of it, between those that it has; wanted and not lightly
 * given up. False: the curve does not span the size, has it already or may not be measured there,
 * its six blocks do not fit in *room_s (which shrinks by them), or there is no capacity. */
bool schedule_add(struct schedule *schedule, size_t curve, uint64_t size_bytes, double *room_s);
