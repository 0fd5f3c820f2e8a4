#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "clock_runs.h"
#include "curves.h"

const struct known_level clock_machine[CLOCK_LEVELS] = {
	{"L1", 32 * KIB, 4, 0},
	{"L2", 512 * KIB, 14, 0},
	{"L3", 12 * MIB, 38, 6},
	{"memory", 0, 61, 78},
};

static double level_ns(const struct known_level *level, double ghz)
{
	return level->cycles / ghz + level->ns;
}

struct fathom_result *clock_run_of(const struct known_level *machine, double ghz, double noise,
				   uint64_t seed, bool probe)
{
	struct known_step steps[CLOCK_LEVELS - 1];
	for (size_t i = 0; i + 1 < CLOCK_LEVELS; i++)
		steps[i] = (struct known_step){machine[i].reach_bytes,
					       level_ns(&machine[i + 1], ghz) -
						       level_ns(&machine[i], ghz),
					       {HIT_CYCLE_LRU, false, 8, 1, 0},
					       false};
	const struct known_curve known = {.first_bytes = 4 * KIB,
					  .last_bytes = 256 * MIB,
					  .per_octave = 8,
					  .base = level_ns(&machine[0], ghz),
					  .steps = steps,
					  .step_count = CLOCK_LEVELS - 1,
					  .noise = noise,
					  .clock_ghz = probe ? ghz : 0,
					  .seed = seed};
	struct fathom_result *run = calloc(1, sizeof(*run));
	run->curves = calloc(1, sizeof(*run->curves));
	run->curve_count = 1;
	run->curves[0] = make_curve(&known);
	for (size_t i = 0; i < run->curves[0].point_count; i++) {
		struct fathom_point *point = &run->curves[0].points[i];
		point->latency_low_ns = point->latency_ns * (1 - 1.96 * noise);
		point->latency_high_ns = point->latency_ns * (1 + 1.96 * noise);
		point->clock_hz = probe ? ghz * 1e9 : NAN;
	}
	return run;
}

struct fathom_result *clock_run(double ghz, double noise, uint64_t seed, bool probe)
{
	return clock_run_of(clock_machine, ghz, noise, seed, probe);
}

int clock_runs_find(struct fathom_result **runs, size_t count, const double *clocks_hz,
		    struct fathom_result **result, struct fathom_error *error)
{
	int status = fathom_frequency(runs, count, clocks_hz, result, error);
	for (size_t i = 0; i < count; i++)
		fathom_result_free(runs[i]);
	return status;
}

const struct fathom_clock_law *clock_law_of(const struct fathom_result *result, const char *level)
{
	for (size_t i = 0; i < result->clock_law_count; i++)
		if (result->clock_laws[i].level && strcmp(result->clock_laws[i].level, level) == 0)
			return &result->clock_laws[i];
	fail_msg("there is no law of %s", level);
	return NULL;
}

const struct fathom_clock_law *clock_law_at(const struct fathom_result *result, uint64_t size_bytes)
{
	for (size_t i = 0; i < result->clock_law_count; i++)
		if (!result->clock_laws[i].level && result->clock_laws[i].from_bytes == size_bytes)
			return &result->clock_laws[i];
	return NULL;
}
