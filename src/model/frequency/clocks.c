#include "model/frequency/clocks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"

#define SAME_CLOCK 0.0005 /* "1 times" as %.4g */

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

static void set_known(const struct clock_grid *grid, const double *given_hz,
		      struct fathom_clock *clocks, double *scratch)
{
	for (size_t run = 0; run < grid->run_count; run++) {
		bool given = given_hz && given_hz[run] > 0;
		double hz = given ? given_hz[run] : measured_hz(grid, run, scratch);
		clocks[run] = (struct fathom_clock){
			.source = given          ? FATHOM_CLOCK_USER
				  : isfinite(hz) ? FATHOM_CLOCK_MEASURED
						 : FATHOM_CLOCK_UNKNOWN,
			.hz = hz,
			.relative = NAN,
			.relative_low = NAN,
			.relative_high = NAN,
		};
		for (size_t i = 0; given && i < grid->size_count; i++)
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
			return error_set(
				error, FATHOM_BAD_INPUT, "give the clocks with --clock 2G,4.1G",
				"run %zu is in cycles, but its clock is not known", run + 1);
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

/* How much longer what is hit in a cache inside the core takes in run `slow` than in run `fast`. */
struct evidence {
	const struct clock_range *range; /* NULL: there is none */
	struct clocks_median ratio;
};

static struct evidence find_evidence(const struct clock_grid *grid, size_t slow, size_t fast,
				     const struct clock_range *ranges, size_t count, size_t cache,
				     double *scratch)
{
	struct evidence found = {NULL, {NAN, NAN, NAN}};
	for (size_t i = 0; i < count; i++) {
		if (ranges[i].memory || ranges[i].cache != cache)
			continue;
		found.range = &ranges[i];
		found.ratio =
			ratio_of(grid, slow, fast, ranges[i].first, ranges[i].last, false, scratch);
	}
	if (!(found.ratio.low > 0))
		found.range = NULL;
	return found;
}

static const char *name_of(const struct evidence *evidence)
{
	return evidence->range->level ? evidence->range->level : "a cache inside the core";
}

/* The second cache, for longer latencies are known more exactly, unless the first, which is the
 * more surely inside the core, says something else. */
static struct evidence choose_evidence(const struct evidence *first, const struct evidence *second)
{
	bool agree = first->range && second->range && second->ratio.low <= first->ratio.high &&
		     first->ratio.low <= second->ratio.high;
	return second->range && (agree || !first->range) ? *second : *first;
}

static char *put_in_words(const struct evidence *used, const struct evidence *second, size_t run)
{
	struct text words = {0};
	text_add(&words,
		 "hits in %s, which follow the core clock, take %.3g times as long in run %zu "
		 "(%.3g to %.3g, %zu sizes)",
		 name_of(used), used->ratio.value, run + 1, used->ratio.low, used->ratio.high,
		 used->range->last - used->range->first + 1);
	if (second->range && second->range != used->range)
		text_add(&words,
			 "; %s, which does not follow it, takes %.3g times as long (%.3g to %.3g)",
			 name_of(second), second->ratio.value, second->ratio.low,
			 second->ratio.high);
	return text_take(&words);
}

/* `known`: a run to hold it against, whose clock is known if any is. */
static int recover(const struct clock_grid *grid, size_t known, size_t run,
		   const struct clock_range *ranges, size_t range_count,
		   struct fathom_clock *clocks, double *scratch, struct fathom_error *error)
{
	struct evidence first = find_evidence(grid, known, run, ranges, range_count, 0, scratch);
	struct evidence second = find_evidence(grid, known, run, ranges, range_count, 1, scratch);
	struct evidence used = choose_evidence(&first, &second);
	if (!used.range)
		return error_set(error, FATHOM_BAD_INPUT, "give the clocks with --clock 2G,4.1G",
				 "the clock of run %zu is not known and cannot be recovered from a "
				 "cache inside the core",
				 run + 1);
	struct fathom_clock *clock = &clocks[run];
	clock->source = FATHOM_CLOCK_RECOVERED;
	clock->hz = clocks[known].hz * used.ratio.value;
	clock->relative = used.ratio.value;
	clock->relative_low = used.ratio.low;
	clock->relative_high = used.ratio.high;
	clock->evidence = put_in_words(&used, &second, known);
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
			/* Not all sizes are in both runs, and the ratio of the medians is not the
			 * median of the ratios. fmin and fmax leave out what is NAN. */
			clock->relative_low =
				measured ? fmin(ratio.low, clock->relative) : clock->relative;
			clock->relative_high =
				measured ? fmax(ratio.high, clock->relative) : clock->relative;
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
static const struct fathom_clock *relate_to_slowest(struct fathom_clock *clocks, size_t count,
						    size_t known)
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

/* What the user said is a mistake of the call, not of the files. */
static int refuse(const struct fathom_clock *clocks, size_t count,
		  const struct fathom_clock *fastest, struct fathom_error *error)
{
	bool given = true;
	for (size_t i = 0; i < count; i++)
		given &= clocks[i].source == FATHOM_CLOCK_USER;
	enum fathom_status status = given ? FATHOM_USAGE : FATHOM_BAD_INPUT;
	const char *hint = "use clocks that are farther apart";
	if (fastest->relative - 1 >= SAME_CLOCK)
		return error_set(error, status, hint,
				 "the clocks are too close: the fastest is %.4g times the slowest "
				 "(%.4g to %.4g)",
				 fastest->relative, fastest->relative_low, fastest->relative_high);
	const char *where = count == 2 ? "both" : "all";
	if (isnan(fastest->hz))
		return error_set(error, status, hint,
				 "the clocks are too close: it is the same clock in %s", where);
	return error_set(error, status, hint,
			 "the clocks are too close: it is the same clock (%.3g GHz in %s)",
			 fastest->hz * 1e-9, where);
}

int clocks_find(struct clock_grid *grid, const double *given_hz, const struct clock_range *ranges,
		size_t range_count, struct fathom_clock *clocks, struct fathom_error *error)
{
	double *scratch = malloc((grid->size_count + 1) * sizeof(*scratch));
	size_t known = 0;
	if (!scratch)
		return error_no_memory(error);
	set_known(grid, given_hz, clocks, scratch);
	while (known < grid->run_count && isnan(clocks[known].hz))
		known++;
	known = known < grid->run_count ? known : 0;
	int status = convert_cycles(grid, clocks, error);
	if (!status)
		status = relate(grid, known, ranges, range_count, clocks, scratch, error);
	free(scratch);
	if (status)
		return -1;
	const struct fathom_clock *fastest = relate_to_slowest(clocks, grid->run_count, known);
	if (fastest->relative_low >= CLOCKS_LEAST_RATIO && fastest->relative >= CLOCKS_LEAST_RATIO)
		return 0;
	return refuse(clocks, grid->run_count, fastest, error);
}
