/* The document of samples.h that has several clocks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

static void *must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

/* At 2 GHz: cycles, and ns outside; the interval is 2 % of the latency to either side. */
static struct fathom_clock_law law(const char *level, uint64_t from_bytes, uint64_t to_bytes,
				   double cycles, double outside_ns)
{
	double core_ns = cycles / 2, slow_ns = core_ns + outside_ns;
	double fast_ns = core_ns / 2 + outside_ns, off_ns = 0.02 * slow_ns;
	return (struct fathom_clock_law){
		.level = level ? must(strdup(level)) : NULL,
		.from_bytes = from_bytes,
		.to_bytes = to_bytes,
		.size_count = level ? 9 : 1,
		.core_cycles = cycles,
		.core_low_cycles = cycles - 2 * off_ns,
		.core_high_cycles = cycles + 2 * off_ns,
		.core_ns = core_ns,
		.core_low_ns = core_ns - off_ns,
		.core_high_ns = core_ns + off_ns,
		.outside_ns = outside_ns,
		.outside_low_ns = outside_ns - off_ns,
		.outside_high_ns = outside_ns + off_ns,
		.slow_ns = slow_ns,
		.fast_ns = fast_ns,
		.speedup = slow_ns / fast_ns,
		.speedup_low = 0.98 * slow_ns / fast_ns,
		.speedup_high = 1.02 * slow_ns / fast_ns,
	};
}

struct fathom_result *sample_clocks_result(void)
{
	struct fathom_result *result = sample_levels_result();
	for (size_t i = 0; i < result->curve_count; i++)
		result->curves[i].experiment = FATHOM_FREQUENCY;
	result->clocks = must(calloc(2, sizeof(*result->clocks)));
	result->clock_count = 2;
	result->clocks[0] = (struct fathom_clock){1, FATHOM_CLOCK_MEASURED, 2e9, 1, 1, 1, NULL};
	result->clocks[1] = (struct fathom_clock){
		0,
		FATHOM_CLOCK_RECOVERED,
		4e9,
		2,
		1.97,
		2.04,
		must(strdup("what is hit in L2 takes 2 times as long in run 2"))};
	result->clock_laws = must(calloc(6, sizeof(*result->clock_laws)));
	result->clock_laws[result->clock_law_count++] = law("L1", 1024, 40960, 5, 0);
	result->clock_laws[result->clock_law_count++] = law("L2", 98304, 1048576, 16, 0);
	result->clock_laws[result->clock_law_count++] = law("memory", 1 << 27, 1 << 29, 61, 78);
	result->clock_laws[result->clock_law_count++] = law(NULL, 1024, 1024, 5, 0);
	result->clock_laws[result->clock_law_count++] = law(NULL, 1 << 20, 1 << 20, 16, 0);
	result->clock_laws[result->clock_law_count++] = law(NULL, 1 << 28, 1 << 28, 61, 78);
	/* A size that has no interval. */
	result->clock_laws[3].core_low_ns = result->clock_laws[3].core_high_ns = NAN;
	result->clock_laws[3].core_low_cycles = result->clock_laws[3].core_high_cycles = NAN;
	return result;
}
