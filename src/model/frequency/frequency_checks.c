#include "model/frequency/frequency_checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "base/warnings.h"

#define FAR_APART 1.1  /* an error of latency becomes ten times as large a share of a part */
#define FOLLOWS   0.03 /* a cache inside the core is off by no more than that share */

static int warn_recovered(struct fathom_result *result, const struct fathom_clock *clocks)
{
	for (size_t run = 0; run < result->curve_count; run++)
		if (clocks[run].evidence && warnings_add(&result->warnings, "clock-recovered", NULL,
							 "give the clocks with --clock 2G,4.1G",
							 "%s", clocks[run].evidence))
			return -1;
	return 0;
}

static int warn_near(struct fathom_result *result, const struct fathom_clock *fastest)
{
	char *interval = fastest->relative_high > fastest->relative_low
				 ? text_format(" (%.4g to %.4g)", fastest->relative_low,
					       fastest->relative_high)
				 : strdup("");
	int status =
		!interval || warnings_add(&result->warnings, "clocks-near", NULL,
					  "use clocks that are farther apart",
					  "the fastest clock is only %.4g times the slowest%s: the "
					  "part that follows the clock is poorly determined",
					  fastest->relative, interval);
	free(interval);
	return status;
}

int frequency_check_clocks(struct fathom_result *result, const struct fathom_clock *clocks,
			   struct fathom_error *error)
{
	const struct fathom_clock *fastest = clocks;
	for (size_t run = 1; run < result->curve_count; run++)
		if (clocks[run].relative > fastest->relative)
			fastest = &clocks[run];
	bool near = fastest->relative < FAR_APART;
	if (warn_recovered(result, clocks) || (near && warn_near(result, fastest)))
		return error_no_memory(error);
	return 0;
}

/* No core is slower at a higher clock. Without an interval it is by more than caches are off. */
static bool is_slower(const struct fathom_clock_law *law)
{
	return isfinite(law->speedup_high) ? law->speedup_high < 1 : law->speedup < 1 - FOLLOWS;
}

int frequency_check_level(struct fathom_result *result, const struct fathom_clock_law *law,
			  const struct clock_range *range, double expected, bool given,
			  struct fathom_error *error)
{
	bool off = fabs(law->speedup / expected - 1) > FOLLOWS &&
		   (law->speedup_low > expected || law->speedup_high < expected);
	if (!range->memory && range->cache == 0 && is_slower(law))
		return error_set(error, given ? FATHOM_USAGE : FATHOM_BAD_INPUT,
				 "check that the clocks are in the order of the files",
				 "%s is slower at the higher clock: %.3g ns instead of %.3g ns",
				 law->level, law->fast_ns, law->slow_ns);
	if (range->memory || range->cache >= CLOCK_CORE_CACHES || !off)
		return 0;
	return warnings_add(&result->warnings, "clock-not-followed", law->level,
			    "check the clocks, and that they did not change during a run",
			    "%.3g times as fast at %.3g times the clock", law->speedup, expected)
		       ? error_no_memory(error)
		       : 0;
}
