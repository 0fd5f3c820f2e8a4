#include "model/frequency/clock_grid.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/point.h"
#include "base/stats.h"
#include "model/curve_data.h"

/* A cache's accesses nearly all hit from twice the reach of the one before to half its own, also
 * where cliffs are soft; the first has nothing before it. */
#define WELL_INSIDE  1.9 /* twice, less what a reach is known to */
#define INSIDE_FIRST 1.1
#define FAR_BEYOND   4.0
#define FEW_SIZES    3 /* with fewer, and no intervals, the margins are made smaller */
#define MEMORY_SIZES 6 /* that have an interval of their own */
#define INSIDE_TLB   1.25

static int compare_sizes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

/* All sizes of all curves, in order, and only those that come twice or more. Returns how many. */
static size_t common_sizes(const struct fathom_curve *const *curves, size_t count, uint64_t *sizes)
{
	size_t all = 0, kept = 0, times = 1;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < curves[i]->point_count; k++)
			sizes[all++] = curves[i]->points[k].spec.size_bytes;
	if (all)
		qsort(sizes, all, sizeof(*sizes), compare_sizes);
	for (size_t i = 1; i <= all; i++, times++)
		if (i == all || sizes[i] != sizes[i - 1]) {
			if (times > 1)
				sizes[kept++] = sizes[i - 1];
			times = 0;
		}
	return kept;
}

static struct clock_cell cell_of(const struct fathom_point *point, bool cycles)
{
	if (!point)
		return (struct clock_cell){NAN, NAN, NAN};
	double latency = cycles ? point->latency_cycles : point->latency_ns;
	double low = cycles ? point->latency_low_cycles : point->latency_low_ns;
	double high = cycles ? point->latency_high_cycles : point->latency_high_ns;
	bool known = latency > 0 && isfinite(latency);
	return (struct clock_cell){
		.latency = known ? latency : NAN,
		.error = high > low ? (high - low) / 2 / STATS_NORMAL_95 : NAN,
		.hz = point->clock_hz > 0 ? point->clock_hz : NAN,
	};
}

int clock_grid_make(const struct fathom_curve *const *curves, size_t count, struct clock_grid *grid,
		    struct fathom_error *error)
{
	size_t points = 1;
	for (size_t i = 0; i < count; i++)
		points += curves[i]->point_count;
	struct clock_grid made = {
		.run_count = count,
		.sizes_bytes = malloc(points * sizeof(*made.sizes_bytes)),
		.in_cycles = calloc(count, sizeof(*made.in_cycles)),
	};
	if (made.sizes_bytes)
		made.size_count = common_sizes(curves, count, made.sizes_bytes);
	made.cells = calloc(made.size_count * count + 1, sizeof(*made.cells));
	if (!made.sizes_bytes || !made.in_cycles || !made.cells) {
		clock_grid_free(&made);
		return error_no_memory(error);
	}
	for (size_t run = 0; run < count; run++) {
		made.in_cycles[run] = !curve_data_has_ns(curves[run]);
		for (size_t i = 0; i < made.size_count; i++)
			*clock_grid_cell(&made, i, run) =
				cell_of(point_at_size(curves[run], made.sizes_bytes[i]),
					made.in_cycles[run]);
	}
	if (made.size_count == 0) {
		clock_grid_free(&made);
		return error_set(error, FATHOM_BAD_INPUT,
				 "measure with the same --min-size and --per-octave",
				 "the runs have no size in common");
	}
	*grid = made;
	return 0;
}

void clock_grid_free(struct clock_grid *grid)
{
	free(grid->sizes_bytes);
	free(grid->cells);
	free(grid->in_cycles);
	*grid = (struct clock_grid){0};
}

struct clock_cell *clock_grid_cell(const struct clock_grid *grid, size_t size, size_t run)
{
	return &grid->cells[size * grid->run_count + run];
}

/* ---- which sizes are of which level ---- */

/* How many sizes lie between the two; *range has them. */
static size_t sizes_between(const struct clock_grid *grid, double low_bytes, double high_bytes,
			    struct clock_range *range)
{
	size_t count = 0;
	for (size_t i = 0; i < grid->size_count; i++) {
		double bytes = (double)grid->sizes_bytes[i];
		if (bytes < low_bytes || bytes > high_bytes)
			continue;
		if (count++ == 0)
			range->first = i;
		range->last = i;
	}
	return count;
}

/* Where a TLB ends inside the range, the sizes before it, if they are enough. */
static double end_of_tlb(const struct fathom_result *result, size_t curve, double low_bytes,
			 double high_bytes)
{
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		double end_bytes = level->size_low_bytes / INSIDE_TLB;
		if (level->curve == curve && level->kind == FATHOM_LEVEL_TLB &&
		    end_bytes > low_bytes && end_bytes < high_bytes)
			high_bytes = end_bytes;
	}
	return high_bytes;
}

/* One size with an interval of its own is enough. */
static bool has_errors(const struct clock_grid *grid, const struct clock_range *range)
{
	bool known = true;
	for (size_t run = 0; run < grid->run_count; run++)
		known &= isfinite(clock_grid_cell(grid, range->first, run)->error);
	return known;
}

static bool find_cache(const struct fathom_result *result, size_t curve,
		       const struct clock_grid *grid, double before_bytes, double reach_bytes,
		       struct clock_range *range)
{
	double low = WELL_INSIDE * before_bytes;
	double high = reach_bytes / (before_bytes > 0 ? WELL_INSIDE : INSIDE_FIRST);
	double tlb = end_of_tlb(result, curve, low, high);
	if (sizes_between(grid, low, tlb, range) >= FEW_SIZES)
		return true;
	size_t count = sizes_between(grid, low, high, range);
	if (count >= FEW_SIZES || (count && has_errors(grid, range)) || before_bytes <= 0)
		return count > 0;
	if (isinf(reach_bytes))
		return sizes_between(grid, INSIDE_FIRST * before_bytes, high, range) > 0;
	double quarter = pow(reach_bytes / before_bytes, 0.25);
	return sizes_between(grid, before_bytes * quarter, reach_bytes / quarter, range) > 0;
}

static bool find_memory(const struct clock_grid *grid, double before_bytes,
			struct clock_range *range)
{
	range->memory = true;
	return sizes_between(grid, FAR_BEYOND * before_bytes, INFINITY, range) >= MEMORY_SIZES ||
	       sizes_between(grid, WELL_INSIDE * before_bytes, INFINITY, range) > 0;
}

size_t clock_ranges_find(const struct fathom_result *result, size_t curve,
			 const struct clock_grid *grid, struct clock_range *ranges, size_t most)
{
	double before_bytes = 0;
	size_t count = 0, caches = 0;
	for (size_t i = 0; i < result->level_count && count < most; i++) {
		const struct fathom_level *level = &result->levels[i];
		struct clock_range range = {.level = level->name, .cache = caches};
		bool cache = level->kind == FATHOM_LEVEL_CACHE;
		/* Where its end was not reached, all that comes after is its own. */
		double reach_bytes = isfinite(level->size_bytes) ? level->size_bytes : INFINITY;
		if (level->curve != curve || (!cache && level->kind != FATHOM_LEVEL_MEMORY))
			continue;
		if (cache ? find_cache(result, curve, grid, before_bytes, reach_bytes, &range)
			  : find_memory(grid, before_bytes, &range))
			ranges[count++] = range;
		if (cache) {
			before_bytes = reach_bytes;
			caches++;
		}
	}
	return count;
}
