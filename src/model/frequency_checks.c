#include "model/frequency_checks.h"

#include <math.h>

#include "base/error.h"
#include "base/warnings.h"

#define FOLLOWS 0.03 /* a cache inside the core is off by no more than that share */

int frequency_check_clocks(struct fathom_result *result, const struct fathom_clock *clocks,
			   struct fathom_error *error)
{
	for (size_t run = 0; run < result->curve_count; run++)
		if (clocks[run].evidence &&
		    warnings_add(&result->warnings, "clock-recovered", NULL,
				 "say what the clocks were with --clock 2G,4.1G", "%s",
				 clocks[run].evidence))
			return error_no_memory(error);
	return 0;
}

int frequency_check_level(struct fathom_result *result, const struct fathom_clock_law *law,
			  const struct clock_range *range, double expected,
			  struct fathom_error *error)
{
	bool off = fabs(law->speedup / expected - 1) > FOLLOWS &&
		   (law->speedup_low > expected || law->speedup_high < expected);
	if (range->memory || range->cache >= CLOCK_CORE_CACHES || !off)
		return 0;
	return warnings_add(&result->warnings, "clock-not-followed", law->level,
			    "were the clocks what they are said to be, and the same all the time?",
			    "%s is %.3g times as fast at %.3g times the clock", law->level,
			    law->speedup, expected)
		       ? error_no_memory(error)
		       : 0;
}
