#include "model/frequency/frequency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stats.h"
#include "base/warnings.h"
#include "document/table.h"
#include "model/frequency/clock_law.h"
#include "model/frequency/clocks.h"
#include "model/frequency/frequency_checks.h"

#define MOST_LEVELS 16

enum { CORE, OUTSIDE, SLOW, FAST, SPEEDUP, VALUE_COUNT };

/* What is known while laws are found. */
struct study {
	struct fathom_result *result;
	struct clock_grid grid;
	struct fathom_clock *clocks;    /* of the runs, in their order */
	size_t slowest, fastest;        /* of the runs */
	double slow_hz;                 /* NAN: not known */
	struct clock_law_point *points; /* scratch, one a run */
	double *values[VALUE_COUNT];    /* scratch, one a size */
};

/* The clock at which a point was measured, over that of the slowest run. */
static double relative_of(const struct study *study, const struct clock_cell *cell, size_t run)
{
	bool own = isfinite(cell->hz) && isfinite(study->slow_hz) &&
		   study->clocks[run].source != FATHOM_CLOCK_RECOVERED;
	return own ? cell->hz / study->slow_hz : study->clocks[run].relative;
}

/* The law of one size, with the clocks taken so much farther apart than they seem: 1, but for what
 * their own error does. False: the size was measured at one clock, or as good as one. */
static bool find_law(const struct study *study, size_t size, double stretch, struct clock_law *law)
{
	size_t count = 0;
	double least = INFINITY, most = 0;
	for (size_t run = 0; run < study->grid.run_count; run++) {
		const struct clock_cell *cell = clock_grid_cell(&study->grid, size, run);
		if (!isfinite(cell->latency))
			continue;
		double relative = relative_of(study, cell, run);
		least = fmin(least, relative);
		most = fmax(most, relative);
		study->points[count++] = (struct clock_law_point){1 + stretch * (relative - 1),
								  cell->latency, cell->error};
	}
	return most >= CLOCKS_LEAST_RATIO * least && clock_law_fit(study->points, count, law);
}

/* What was measured at the slowest or the fastest clock; where that run lacks the size, what the
 * law says that it would have been. */
static double latency_ns(const struct study *study, size_t size, size_t run,
			 const struct clock_law *law)
{
	double measured = clock_grid_cell(&study->grid, size, run)->latency;
	return isfinite(measured) ? measured
				  : law->core_ns / study->clocks[run].relative + law->outside_ns;
}

static double stretch_to(const struct study *study, double fastest)
{
	double relative = study->clocks[study->fastest].relative;
	return (fastest - 1) / (relative - 1);
}

static double root_of_squares(double a, double b)
{
	return sqrt(a * a + b * b);
}

/* How far the clocks' own error moves the law, to either side. */
struct shift {
	double core_ns, outside_ns;
};

static void begin_law(const struct study *study, size_t first, size_t last,
		      struct fathom_clock_law *found)
{
	*found = (struct fathom_clock_law){
		.from_bytes = study->grid.sizes_bytes[first],
		.to_bytes = study->grid.sizes_bytes[last],
	};
}

static struct clocks_median around(double value, double half)
{
	return (struct clocks_median){value, value - half, value + half};
}

static void set_parts(const struct study *study, struct clocks_median core,
		      struct clocks_median outside, struct fathom_clock_law *found)
{
	double per_ns = study->slow_hz * 1e-9;
	found->core_ns = core.value;
	found->core_low_ns = core.low;
	found->core_high_ns = core.high;
	found->core_cycles = core.value * per_ns;
	found->core_low_cycles = core.low * per_ns;
	found->core_high_cycles = core.high * per_ns;
	found->outside_ns = outside.value;
	found->outside_low_ns = outside.low;
	found->outside_high_ns = outside.high;
}

static size_t collect(const struct study *study, const struct clock_range *range, double stretch)
{
	size_t count = 0;
	struct clock_law law;
	for (size_t i = range->first; i <= range->last; i++) {
		if (!find_law(study, i, stretch, &law))
			continue;
		study->values[CORE][count] = law.core_ns;
		study->values[OUTSIDE][count] = law.outside_ns;
		study->values[SLOW][count] = latency_ns(study, i, study->slowest, &law);
		study->values[FAST][count] = latency_ns(study, i, study->fastest, &law);
		study->values[SPEEDUP][count] =
			study->values[SLOW][count] / study->values[FAST][count];
		count++;
	}
	return count;
}

/* What the medians are with the clocks as far apart as their interval allows, less these. */
static struct shift shift_of(const struct study *study, const struct clock_range *range,
			     double core_ns, double outside_ns)
{
	const struct fathom_clock *fastest = &study->clocks[study->fastest];
	const double ends[] = {fastest->relative_low, fastest->relative_high};
	struct shift shift = {0, 0};
	for (int i = 0; i < 2; i++) {
		if (!isfinite(ends[i]))
			continue;
		size_t count = collect(study, range, stretch_to(study, ends[i]));
		if (count == 0)
			continue;
		double core = clocks_median(study->values[CORE], count).value;
		double outside = clocks_median(study->values[OUTSIDE], count).value;
		shift.core_ns = fmax(shift.core_ns, fabs(core - core_ns));
		shift.outside_ns = fmax(shift.outside_ns, fabs(outside - outside_ns));
	}
	return shift;
}

/* No interval where one of the two runs lacks the size. */
static void set_speedup(const struct study *study, size_t size, struct fathom_clock_law *found)
{
	const struct clock_cell *slow = clock_grid_cell(&study->grid, size, study->slowest);
	const struct clock_cell *fast = clock_grid_cell(&study->grid, size, study->fastest);
	found->speedup = found->slow_ns / found->fast_ns;
	double error = root_of_squares(slow->error / slow->latency, fast->error / fast->latency);
	found->speedup_low = found->speedup * (1 - STATS_NORMAL_95 * error);
	found->speedup_high = found->speedup * (1 + STATS_NORMAL_95 * error);
}

static bool size_law(const struct study *study, size_t size, struct fathom_clock_law *found)
{
	struct clock_law law;
	if (!find_law(study, size, 1, &law))
		return false;
	const struct clock_range range = {.first = size, .last = size};
	struct shift shift = shift_of(study, &range, law.core_ns, law.outside_ns);
	double core = root_of_squares(STATS_NORMAL_95 * law.core_error_ns, shift.core_ns);
	double outside = root_of_squares(STATS_NORMAL_95 * law.outside_error_ns, shift.outside_ns);
	begin_law(study, size, size, found);
	found->size_count = 1;
	set_parts(study, around(law.core_ns, core), around(law.outside_ns, outside), found);
	found->slow_ns = latency_ns(study, size, study->slowest, &law);
	found->fast_ns = latency_ns(study, size, study->fastest, &law);
	set_speedup(study, size, found);
	return true;
}

/* ---- of a level: the medians over its sizes ---- */

/* The interval is that of the sizes, no narrower than what the errors of so many leave, and what
 * the clocks' error adds. */
static struct clocks_median widen(struct clocks_median median, double own, double shift)
{
	double below = root_of_squares(fmax(median.value - median.low, own), shift);
	double above = root_of_squares(fmax(median.high - median.value, own), shift);
	return (struct clocks_median){median.value, median.value - below, median.value + above};
}

/* Half-widths of the mean of all sizes, by the errors of a usual one; NAN: not known. */
static struct shift own_widths(const struct study *study, const struct clock_range *range)
{
	size_t count = 0;
	struct clock_law law;
	for (size_t i = range->first; i <= range->last; i++)
		if (find_law(study, i, 1, &law) && isfinite(law.core_error_ns)) {
			study->values[CORE][count] = law.core_error_ns;
			study->values[OUTSIDE][count++] = law.outside_error_ns;
		}
	double times = STATS_NORMAL_95 / sqrt((double)count);
	return (struct shift){times * clocks_median(study->values[CORE], count).value,
			      times * clocks_median(study->values[OUTSIDE], count).value};
}

/* A law of no size, and nothing to be freed: none of the level's sizes has one. */
static int level_law(const struct study *study, const struct clock_range *range,
		     struct fathom_clock_law *found, struct fathom_error *error)
{
	struct shift own = own_widths(study, range);
	size_t count = collect(study, range, 1);
	begin_law(study, range->first, range->last, found);
	if (count == 0)
		return 0;
	struct clocks_median core = clocks_median(study->values[CORE], count);
	struct clocks_median outside = clocks_median(study->values[OUTSIDE], count);
	struct clocks_median speedup = clocks_median(study->values[SPEEDUP], count);
	found->size_count = count;
	found->slow_ns = clocks_median(study->values[SLOW], count).value;
	found->fast_ns = clocks_median(study->values[FAST], count).value;
	struct shift shift = shift_of(study, range, core.value, outside.value);
	core = widen(core, own.core_ns, shift.core_ns);
	outside = widen(outside, own.outside_ns, shift.outside_ns);
	set_parts(study, core, outside, found);
	found->speedup = speedup.value;
	found->speedup_low = speedup.low;
	found->speedup_high = speedup.high;
	if (range->first == range->last)
		set_speedup(study, range->first, found);
	found->level = strdup(range->level ? range->level : "");
	return found->level ? 0 : error_no_memory(error);
}

/* ---- all of them ---- */

static int add_levels(struct study *study, const struct clock_range *ranges, size_t count,
		      struct fathom_error *error)
{
	for (size_t i = 0; i < count; i++) {
		struct fathom_clock_law law;
		if (level_law(study, &ranges[i], &law, error))
			return -1;
		if (law.size_count == 0)
			continue;
		if (LIST_APPEND(&study->result->clock_laws, &study->result->clock_law_count,
				&law)) {
			free(law.level);
			return error_no_memory(error);
		}
		const struct fathom_clock *fastest = &study->clocks[study->fastest];
		bool given = fastest->source == FATHOM_CLOCK_USER;
		if (frequency_check_level(study->result, &law, &ranges[i], fastest->relative, given,
					  error))
			return -1;
	}
	return 0;
}

static int add_sizes(struct study *study, struct fathom_error *error)
{
	size_t left_out = 0;
	for (size_t i = 0; i < study->grid.size_count; i++) {
		struct fathom_clock_law law;
		if (!size_law(study, i, &law))
			left_out++;
		else if (LIST_APPEND(&study->result->clock_laws, &study->result->clock_law_count,
				     &law))
			return error_no_memory(error);
	}
	if (left_out && warnings_add(&study->result->warnings, "sizes-at-one-clock", NULL,
				     "measure again: the clock did not stay as set",
				     "%zu of %zu sizes are left out: no two runs measured them at "
				     "clocks at least 1 %% apart",
				     left_out, study->grid.size_count))
		return error_no_memory(error);
	return 0;
}

static void find_ends(struct study *study)
{
	for (size_t run = 0; run < study->grid.run_count; run++) {
		if (study->clocks[run].relative < study->clocks[study->slowest].relative)
			study->slowest = run;
		if (study->clocks[run].relative > study->clocks[study->fastest].relative)
			study->fastest = run;
	}
	study->slow_hz = study->clocks[study->slowest].hz;
}

static int compare_clocks(const void *a, const void *b)
{
	double x = ((const struct fathom_clock *)a)->relative;
	double y = ((const struct fathom_clock *)b)->relative;
	return (x > y) - (x < y);
}

static int open_study(struct study *study, struct fathom_result *result, struct fathom_error *error)
{
	const struct fathom_curve **curves = calloc(result->curve_count + 1, sizeof(*curves));
	*study = (struct study){.result = result};
	if (!curves)
		return error_no_memory(error);
	for (size_t i = 0; i < result->curve_count; i++)
		curves[i] = &result->curves[i];
	int status = clock_grid_make(curves, result->curve_count, &study->grid, error);
	free(curves);
	if (status)
		return -1;
	study->clocks = calloc(result->curve_count, sizeof(*study->clocks));
	study->points = calloc(result->curve_count, sizeof(*study->points));
	bool failed = !study->clocks || !study->points;
	for (int i = 0; i < VALUE_COUNT; i++) {
		study->values[i] = calloc(study->grid.size_count, sizeof(double));
		failed |= !study->values[i];
	}
	return failed ? error_no_memory(error) : 0;
}

static void close_study(struct study *study)
{
	for (int i = 0; i < VALUE_COUNT; i++)
		free(study->values[i]);
	free(study->points);
	if (study->clocks)
		table_free_items(&clock_table, study->clocks, study->grid.run_count);
	clock_grid_free(&study->grid);
}

int frequency_find(struct fathom_result *result, const double *given_hz, struct fathom_error *error)
{
	struct study study;
	struct clock_range ranges[MOST_LEVELS];
	int status = open_study(&study, result, error);
	size_t count = status ? 0 : clock_ranges_find(result, 0, &study.grid, ranges, MOST_LEVELS);
	if (!status)
		status = clocks_find(&study.grid, given_hz, ranges, count, study.clocks, error);
	if (!status) {
		find_ends(&study);
		status = frequency_check_clocks(result, study.clocks, error) ||
			 add_levels(&study, ranges, count, error) || add_sizes(&study, error);
	}
	if (!status) {
		for (size_t run = 0; run < result->curve_count; run++)
			study.clocks[run].curve = run;
		qsort(study.clocks, result->curve_count, sizeof(*study.clocks), compare_clocks);
		result->clocks = study.clocks;
		result->clock_count = result->curve_count;
		study.clocks = NULL;
	}
	close_study(&study);
	return status ? -1 : 0;
}
