#include "measure/sampling/clock_record.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stats.h"
#include "base/warnings.h"

/* A probe may stray, a clock that wanders does so more than once: the middle 90 % are looked at.
 * Six blocks, as many as the first interval has, cover 5/7 of an even spread, and half of that is
 * the interval's half-width: at 2.8 times the target, of which the middle has 90 %, the clock alone
 * makes it too wide. */
#define LEFT_OUT_SHARE   0.05
#define WANDERED_TARGETS (0.9 * 2 * 7 / 5)
/* Two points at either end of the run with intervals as wanted would not overlap. */
#define DRIFTED_TARGETS 2
#define END_SHARE       0.25 /* of the run, that is taken for its start, and for its end */
#define FEWEST_AT_ENDS  2

void clock_record_free(struct clock_record *record)
{
	free(record->hz);
	*record = (struct clock_record){0};
}

int clock_record_add(struct clock_record *record, double hz, struct fathom_error *error)
{
	record->blocks++;
	if (isnan(hz))
		return 0;
	return LIST_APPEND(&record->hz, &record->count, &hz) ? error_no_memory(error) : 0;
}

/* Sorts the two ends. */
static double find_drift(struct clock_record *record)
{
	size_t count = (size_t)(END_SHARE * (double)record->count);
	if (count < FEWEST_AT_ENDS)
		return NAN;
	return stats_median(record->hz + record->count - count, count) /
		       stats_median(record->hz, count) -
	       1;
}

void clock_record_report(struct clock_record *record, double target, struct fathom_result *result)
{
	size_t count = record->count;
	result->clock_drift = find_drift(record);
	stats_sort(record->hz, count);
	result->clock_median_hz = stats_median_sorted(record->hz, count);
	result->clock_min_hz = count ? record->hz[0] : NAN;
	result->clock_max_hz = count ? record->hz[count - 1] : NAN;
	if (count == 0 && record->blocks)
		warnings_add(&result->warnings, "no-cycles", NULL,
			     "use the times in ns; fix the frequency for reliable ones",
			     "the core clock could not be measured, so there are no cycles: %s",
			     result->clock_missing ? result->clock_missing
						   : "every probe of the clock was disturbed");
	if (count == 0)
		return;
	size_t out = (size_t)(LEFT_OUT_SHARE * (double)count);
	double spread_hz = record->hz[count - 1 - out] - record->hz[out];
	bool wandered = spread_hz > WANDERED_TARGETS * target * result->clock_median_hz;
	if (fabs(result->clock_drift) > DRIFTED_TARGETS * target)
		warnings_add(&result->warnings, "clock-wandered", NULL,
			     "fix the frequency, or compare cycles, which are unaffected",
			     "the core clock was %.1f %% %s at the end of the run than at its "
			     "start (%.2f to %.2f GHz)",
			     100 * fabs(result->clock_drift),
			     result->clock_drift < 0 ? "lower" : "higher",
			     result->clock_min_hz * 1e-9, result->clock_max_hz * 1e-9);
	else if (wandered)
		warnings_add(&result->warnings, "clock-wandered", NULL,
			     "fix the frequency, or compare cycles, which are unaffected",
			     "the core clock varied between %.2f and %.2f GHz during the run",
			     result->clock_min_hz * 1e-9, result->clock_max_hz * 1e-9);
}
