#include "model/clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"

static double deviation(const double *values, size_t count)
{
	double mean = 0, squares = 0;
	for (size_t i = 0; i < count; i++)
		mean += values[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	return sqrt(squares / (double)(count - 1));
}

struct clocks_median clocks_median(double *values, size_t count)
{
	/* Two-sided 95 % of Student's t, by how many values there are. */
	static const double student[] = {NAN, NAN, 12.706, 4.303, 3.182, 2.776};
	struct clocks_median found = {NAN, NAN, NAN};
	if (count == 0)
		return found;
	stats_sort(values, count);
	found.value = stats_median_sorted(values, count);
	if (stats_interval_rank(count)) {
		struct stats_interval interval = stats_median_interval(values, count);
		found.low = interval.low;
		found.high = interval.high;
	} else if (count > 1) {
		double half = student[count] * deviation(values, count) / sqrt((double)count);
		found.low = found.value - half;
		found.high = found.value + half;
	}
	return found;
}

/* How much more, from run `slow` to run `fast`, over some of the sizes: of the clock, or of the
 * latency (the other way round). */
static struct clocks_median ratio_of(const struct clock_grid *grid, size_t slow, size_t fast,
				     size_t first, size_t last, bool of_clock, double *scratch)
{
	size_t count = 0;
	for (size_t i = first; i <= last; i++) {
		const struct clock_cell *a = clock_grid_cell(grid, i, slow);
		const struct clock_cell *b = clock_grid_cell(grid, i, fast);
		double ratio = of_clock ? b->hz / a->hz : a->latency / b->latency;
		if (isfinite(ratio))
			scratch[count++] = ratio;
	}
	return clocks_median(scratch, count);
}

/* What the run's own probe said at most of the sizes that it has; NAN: it did not. */
static double measured_hz(const struct clock_grid *grid, size_t run, double *scratch)
{
	size_t count = 0, there = 0;
	for (size_t i = 0; i < grid->size_count; i++) {
		const struct clock_cell *cell = clock_grid_cell(grid, i, run);
		there += isfinite(cell->latency);
		if (isfinite(cell->hz) && isfinite(cell->latency))
			scratch[count++] = cell->hz;
	}
	return 2 * count > there ? stats_median(scratch, count) : NAN;
}

static void set_known(const struct clock_grid *grid, const double *told_hz,
		      struct fathom_clock *clocks, double *scratch)
{
	for (size_t run = 0; run < grid->run_count; run++) {
		bool told = told_hz && told_hz[run] > 0;
		double hz = told ? told_hz[run] : measured_hz(grid, run, scratch);
		clocks[run] = (struct fathom_clock){
			.source = told           ? FATHOM_CLOCK_TOLD
				  : isfinite(hz) ? FATHOM_CLOCK_MEASURED
						 : FATHOM_CLOCK_UNKNOWN,
			.hz = hz,
			.relative = NAN,
			.relative_low = NAN,
			.relative_high = NAN,
		};
		for (size_t i = 0; told && i < grid->size_count; i++)
			clock_grid_cell(grid, i, run)->hz = hz;
	}
}

/* Cycles become ns at the clock that they were counted at. */
static int convert_cycles(struct clock_grid *grid, const struct fathom_clock *clocks,
			  struct fathom_error *error)
{
	for (size_t run = 0; run < grid->run_count; run++) {
		if (!grid->in_cycles[run])
			continue;
		if (isnan(clocks[run].hz))
			return error_set(error, FATHOM_BAD_INPUT,
					 "say what the clocks were with --clock 2G,4.1G",
					 "run %zu is in cycles, and its clock is not known",
					 run + 1);
		for (size_t i = 0; i < grid->size_count; i++) {
			struct clock_cell *cell = clock_grid_cell(grid, i, run);
			double hz = isfinite(cell->hz) ? cell->hz : clocks[run].hz;
			cell->latency *= 1e9 / hz;
			cell->error *= 1e9 / hz;
		}
		grid->in_cycles[run] = false;
	}
	return 0;
}

/* The farther of the first two caches: longer latencies are known more exactly. */
static const struct clock_range *core_cache(const struct clock_range *ranges, size_t count)
{
	const struct clock_range *found = NULL;
	for (size_t i = 0; i < count && i < 2; i++)
		if (!ranges[i].memory)
			found = &ranges[i];
	return found;
}

/* `known`: a run to hold it against, whose clock is known if any is. */
static int recover(const struct clock_grid *grid, size_t known, size_t run,
		   const struct clock_range *ranges, size_t range_count,
		   struct fathom_clock *clocks, double *scratch, struct fathom_error *error)
{
	const struct clock_range *cache = core_cache(ranges, range_count);
	struct clocks_median ratio = {NAN, NAN, NAN};
	if (cache)
		ratio = ratio_of(grid, known, run, cache->first, cache->last, false, scratch);
	if (!(ratio.low > 0))
		return error_set(error, FATHOM_BAD_INPUT,
				 "say what the clocks were with --clock 2G,4.1G",
				 "the clock of run %zu is not known, and no cache inside the core "
				 "tells it",
				 run + 1);
	struct fathom_clock *clock = &clocks[run];
	clock->source = FATHOM_CLOCK_RECOVERED;
	clock->hz = clocks[known].hz * ratio.value;
	clock->relative = ratio.value;
	clock->relative_low = ratio.low;
	clock->relative_high = ratio.high;
	clock->evidence =
		text_format("what is hit in %s, which follows the core's clock, takes "
			    "%.3g times as long in run %zu (%.3g to %.3g, %zu sizes)",
			    cache->level ? cache->level : "a cache inside the core", ratio.value,
			    known + 1, ratio.low, ratio.high, cache->last - cache->first + 1);
	return clock->evidence ? 0 : error_no_memory(error);
}

/* All against the run `known`. */
static int relate(const struct clock_grid *grid, size_t known, const struct clock_range *ranges,
		  size_t range_count, struct fathom_clock *clocks, double *scratch,
		  struct fathom_error *error)
{
	for (size_t run = 0; run < grid->run_count; run++) {
		struct fathom_clock *clock = &clocks[run];
		if (run == known) {
			clock->relative = clock->relative_low = clock->relative_high = 1;
		} else if (isnan(clock->hz)) {
			if (recover(grid, known, run, ranges, range_count, clocks, scratch, error))
				return -1;
		} else {
			struct clocks_median ratio =
				ratio_of(grid, known, run, 0, grid->size_count - 1, true, scratch);
			bool measured = clock->source == FATHOM_CLOCK_MEASURED ||
					clocks[known].source == FATHOM_CLOCK_MEASURED;
			clock->relative = clock->hz / clocks[known].hz;
			clock->relative_low = measured ? ratio.low : clock->relative;
			clock->relative_high = measured ? ratio.high : clock->relative;
		}
	}
	return 0;
}

/* What the others were held against hands its place over to the slowest. */
static void hand_over(struct fathom_clock *before, struct fathom_clock *slowest)
{
	struct fathom_clock kept = *slowest;
	before->relative_low = slowest->relative / slowest->relative_high;
	before->relative_high = slowest->relative / slowest->relative_low;
	if (before->source != FATHOM_CLOCK_UNKNOWN)
		return;
	slowest->source = before->source;
	slowest->evidence = before->evidence;
	before->source = kept.source;
	before->evidence = kept.evidence;
}

/* The slowest becomes 1. Returns the fastest. */
static const struct fathom_clock *settle(struct fathom_clock *clocks, size_t count, size_t known)
{
	struct fathom_clock *slowest = clocks, *fastest = clocks;
	for (size_t i = 1; i < count; i++)
		if (clocks[i].relative < slowest->relative)
			slowest = &clocks[i];
	if (slowest != &clocks[known])
		hand_over(&clocks[known], slowest);
	double least = slowest->relative;
	for (size_t i = 0; i < count; i++) {
		struct fathom_clock *clock = &clocks[i];
		clock->relative /= least;
		clock->relative_low /= least;
		clock->relative_high /= least;
		if (clock->relative > fastest->relative)
			fastest = clock;
	}
	slowest->relative_low = slowest->relative_high = slowest->relative = 1;
	return fastest;
}

int clocks_find(struct clock_grid *grid, const double *told_hz, const struct clock_range *ranges,
		size_t range_count, struct fathom_clock *clocks, struct fathom_error *error)
{
	double *scratch = malloc((grid->size_count + 1) * sizeof(*scratch));
	size_t known = 0;
	if (!scratch)
		return error_no_memory(error);
	set_known(grid, told_hz, clocks, scratch);
	while (known < grid->run_count && isnan(clocks[known].hz))
		known++;
	known = known < grid->run_count ? known : 0;
	int status = convert_cycles(grid, clocks, error);
	if (!status)
		status = relate(grid, known, ranges, range_count, clocks, scratch, error);
	free(scratch);
	if (status)
		return -1;
	const struct fathom_clock *fastest = settle(clocks, grid->run_count, known);
	if (fastest->relative_low >= CLOCKS_LEAST_RATIO && fastest->relative >= CLOCKS_LEAST_RATIO)
		return 0;
	return error_set(error, FATHOM_BAD_INPUT, "measure at clocks that are farther apart",
			 "the clocks cannot be told apart: the fastest is %.4g times the slowest "
			 "(%.4g to %.4g)",
			 fastest->relative, fastest->relative_low, fastest->relative_high);
}

void clocks_free(struct fathom_clock *clocks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		free(clocks[i].evidence);
	free(clocks);
}
