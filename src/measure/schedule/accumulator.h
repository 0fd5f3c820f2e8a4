/* Accumulates the blocks of one spec into its point. */
#pragma once

#include "measure/sampling/sampler.h"

/* Blocks of FATHOM_INDEX_ARRAY, of whose means the least is told. */
#define ACCUMULATOR_MEANS 10

struct accumulator_block { /* what is kept of one; overheads are taken off */
	struct sampler_value mode, mean;
	double all_ns; /* mean over all batches */
	double mode_width, clock_hz;
	bool disturbed;   /* not one of its batches was clean */
	size_t placement; /* of the accumulator's, counted from 1 */
};

struct accumulator {
	struct fathom_spec spec;
	size_t curve;    /* in the plan; 0: the main one */
	bool unpaired;   /* its blocks are not held one by one against another point's */
	bool is_control; /* tells another curve's caches from TLBs */
	double target;   /* wanted half-width, as a share */
	struct meter_placement placement; /* the worst share of huge pages that a block had */
	size_t placements;                /* that the blocks had */
	size_t placement_blocks;          /* on each of them; 0: not as many on each */
	size_t stride; /* sizes from this one to its like: see schedule.h; 0: an octave's first */
	double slowest_thread, fastest_thread; /* summed over the placements; see meter.h */
	double overhead_ns;                    /* subtracted from every value; 0: none */
	double error_ns;                       /* half-width of the overhead */
	double floor_ns;                       /* of several lanes, else NAN: see floors.h */
	double resolution;                     /* of the meter */
	struct fathom_count *counts; /* an access, over all that was counted; NULL: nothing was */
	size_t event_count;
	double counted_blocks;
	uint32_t instructions; /* of the timed loop an access; 0: not known */
	uint64_t block_hops;   /* accesses that a block should time; 0: as few as will do */
	uint64_t hops;         /* timed and accepted so far */
	uint64_t all_hops;     /* timed, accepted or not */
	double all_ns;         /* that they took */
	/* See sampler.h, of batches with no program on the core's other thread; beside what moved
	 * pages all are off, and rejected. */
	uint64_t batches, off_mode, off_mean;
	struct accumulator_block *blocks; /* in the order measured */
	double *ns, *scratch;             /* as long: the values last found; working space */
	size_t *placement_of;             /* as long, the same */
	size_t block_count, block_capacity;
	double *samples_ns; /* all accepted batches, if kept */
	size_t sample_count;
	uint64_t rejected[FATHOM_REJECTION_COUNT], watched;
	unsigned disturbed_blocks;
	bool due;         /* scratch of a round: it, or what it is held against, is to be visited */
	double planned_s; /* what a visit should take; 0: it is not known */
	unsigned planned_blocks; /* of it */
	bool wanted;             /* the sweep means to bring it to an interval */
	double cost_s;           /* of the last visit, for planning; NAN: none yet */
	double warm_s;           /* what warming took of it; of a cold one, making it cold once */
	double visit_overhead_s; /* the least overhead of a visit beyond its timed hops, for
				    planning rounds */
	double price; /* scratch of the schedule: the least is given up, or made exact, first */
};

/* Errors: FAILED (memory). The block remains the caller's. */
int accumulator_add(struct accumulator *accumulator, const struct sampler_block *block,
		    bool keep_samples, struct fathom_error *error);
/* Takes the counts of a visit of so many blocks over, also where it fails. */
void accumulator_count(struct accumulator *accumulator, struct fathom_count *counts, size_t count,
		       double blocks);
void accumulator_free(struct accumulator *accumulator);

/* Has it blocks, and did they take longer than what is subtracted: the median one, and each where
 * no two times are subtracted? What did not is not told from nothing by this timer. */
bool accumulator_is_measured(const struct accumulator *accumulator);
/* Blocks without a clean batch that count all the same: they do where there are no others, and
 * where all are held one by one against another point's. */
size_t accumulator_disturbed(const struct accumulator *accumulator);
/* The blocks that count: an interval takes 6 of them. */
size_t accumulator_counted(const struct accumulator *accumulator);
double accumulator_median_ns(const struct accumulator *accumulator);
/* The least mode of a block, overheads in it: for how many hops last how long, whatever disturbs.
 * NAN: there is no block. */
double accumulator_least_ns(const struct accumulator *accumulator);
/* Half the 95 % interval as a share of the median, the resolution in it, but not the overhead's
 * error, which more blocks make no smaller; NAN: fewer than 6 blocks. Blocks on one placement that
 * are alike count for less: the interval of the median is widened by the root of 1 + (m - 1) r, m
 * blocks on a placement of which r is the share of the variance that the place makes (the design
 * effect: Kish, Survey Sampling, 1965). */
double accumulator_half_width(const struct accumulator *accumulator);
/* The block counts at which an interval is looked at: 6, 9, 14, 21, ... (each about 1.5 x the one
 * before): the smallest that is over `count`. Looking after every block would stop on luck. */
size_t accumulator_next_look(size_t count);

/* The point so far. Its block values and samples remain the accumulator's. What follows the core
 * clock is given in ns at `clock_hz`, the clock that the core had most of the time; NAN: at that of
 * the blocks. */
void accumulator_read(struct accumulator *accumulator, uint64_t line_bytes, double clock_hz,
		      struct fathom_point *point);
/* The same, but the values go over to the point and the accumulator is left empty. */
void accumulator_finish(struct accumulator *accumulator, uint64_t line_bytes, double clock_hz,
			struct fathom_point *point);
