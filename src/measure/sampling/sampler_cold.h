/* One block of runs over memory that was made cold before each. */
#pragma once

#include "measure/sampling/sampler.h"

struct sampler_cold_options {
	uint32_t laps;     /* that are timed one by one since the memory became cold, >= 1 */
	uint64_t lap_hops; /* of each; fewer than a lap has where there is but one, and all is alike
			    */
	uint64_t part_hops; /* a lap is timed in parts of so many at most: a long run hardly ever
			       goes undisturbed */
	uint64_t hops; /* that a block should time of each lap, if that takes not too many runs */
	bool (*stop)(void *context); /* NULL: never */
	void *stop_context;
};

/* Makes the memory cold, times the laps, and that again and again; what it takes to make it cold is
 * not timed. A part is rejected, and all repeated, up to three times as often as wanted, for the
 * same reasons as a batch of sampler_run but for gaps: there is no second time to compare with.
 * blocks[i] is lap i + 1, the mean over its parts: these need not be alike. Returns as sampler_run;
 * the blocks are untouched unless it is 0. */
int sampler_run_cold(struct meter *meter, const struct sampler_cold_options *options,
		     struct sampler_block *blocks, struct fathom_error *error);
