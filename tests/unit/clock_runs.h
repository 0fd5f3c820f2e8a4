/* Runs of a known machine at several clocks. */
#ifndef CLOCK_RUNS_H
#define CLOCK_RUNS_H

#include <stdbool.h>

#include "fathom.h"

#define KIB             1024.0
#define MIB             1048576.0
#define CLOCK_TOLERANCE 0.03
#define CLOCK_LEVELS    4

/* From load to use: cycles and ns. */
struct known_level {
	const char *name;
	double reach_bytes, cycles, ns;
};
extern const struct known_level clock_machine[CLOCK_LEVELS];

/* The points have intervals, as those of fathom's own runs do. `probe`: the clock is in them. */
struct fathom_result *clock_run(double ghz, double noise, uint64_t seed, bool probe);
/* The same of another machine, of as many levels. */
struct fathom_result *clock_run_of(const struct known_level *machine, double ghz, double noise,
				   uint64_t seed, bool probe);
/* fathom_frequency; frees the runs. */
int clock_runs_find(struct fathom_result **runs, size_t count, const double *clocks_hz,
		    struct fathom_result **result, struct fathom_error *error);
/* Fails the test where there is none. */
const struct fathom_clock_law *clock_law_of(const struct fathom_result *result, const char *level);
/* NULL: that size has none. */
const struct fathom_clock_law *clock_law_at(const struct fathom_result *result,
					    uint64_t size_bytes);

#endif
