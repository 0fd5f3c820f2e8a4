/* What a sweep does next: which sizes, how many blocks, how much warming. Arithmetic on tallies;
 * what is decided is done in sweep.c. */
#ifndef MEASURE_SCHEDULE_H
#define MEASURE_SCHEDULE_H

#include "measure/tally.h"

/* Blocks that a size needs for an interval. */
#define SCHEDULE_FEWEST_BLOCKS 6

struct schedule {
	struct tally *tallies; /* ascending in size */
	size_t count;
	size_t always_count; /* the first so many are measured whatever the first pass shows */
	size_t last_count;   /* and of the others those before here may be */
	uint64_t line_bytes;
	uint64_t reach_bytes; /* where the last cache seems to end; 0: not known yet */
	double budget_s;
};

/* Sets each tally's stride: 0 for the sizes an octave apart, for those between them the power of
 * two that says how much is lost with it (1: every other size remains). */
struct schedule schedule_make(struct tally *tallies, size_t count, uint64_t always_bytes,
			      uint64_t line_bytes, double budget_s);

/* The first pass is over, one size an octave has a block: from here on the reach is known. */
void schedule_set_reach(struct schedule *schedule);

/* Fills what follows from the size: laps, warming, the time allowed for it. `again`: the chain is
 * warm from the block before. */
void schedule_warming(const struct schedule *schedule, const struct tally *tally, bool again,
		      struct sampler_options *options);
/* Past twice the reach placement no longer matters, and a chain serves several blocks. */
unsigned schedule_blocks_a_visit(const struct schedule *schedule, const struct tally *tally);
/* What a visit will take: as the last one did, or as at the next larger size that was visited. */
double schedule_cost_s(const struct schedule *schedule, size_t index);

/* Wants all sizes that are always measured and those that have a block, then trims them to what
 * fits in `allowed_s`: a few points with intervals are worth more than many without. */
void schedule_choose(struct schedule *schedule, double allowed_s);
/* Gives up wanted sizes, the dearest of those between others first, until what the rest still need
 * for six blocks fits in `left_s`. One size an octave is never given up. */
void schedule_trim(struct schedule *schedule, double left_s);
/* The size that can soonest be brought to its first interval, or to its target if intervals narrow
 * with the root of the number of blocks; `count`: there is no time left for any. */
size_t schedule_soonest(const struct schedule *schedule, double target, double left_s);

#endif
