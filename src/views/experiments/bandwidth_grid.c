#include "views/experiments/bandwidth_grid.h"

#include "base/patterns.h"
#include "views/points.h"

/* Those of NUMA nodes have tables of their own. */
static bool is_shown(const struct fathom_curve *curve)
{
	return curve->point_count && curve->experiment != FATHOM_NODES &&
	       pattern_streams(curve->points[0].spec.pattern);
}

static const struct fathom_spec *spec_of(const struct fathom_curve *curve)
{
	return &curve->points[0].spec;
}

/* What would overwrite each other in a table. */
static bool clash(const struct fathom_spec *a, const struct fathom_spec *b)
{
	return a->pattern == b->pattern && a->threads == b->threads && a->page == b->page;
}

/* What tells the grids of the result apart beside the threads. */
static void find_kinds(const struct fathom_result *result, struct bandwidth_grid *grid)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < i; k++) {
			if (!is_shown(&result->curves[i]) || !is_shown(&result->curves[k]))
				continue;
			const struct fathom_spec *a = spec_of(&result->curves[i]);
			const struct fathom_spec *b = spec_of(&result->curves[k]);
			grid->by_page |= a->page != b->page;
			grid->by_cpu |= result->curves[i].cpu != result->curves[k].cpu;
			grid->by_width |= clash(a, b) &&
					  result->curves[i].cpu == result->curves[k].cpu &&
					  result->curves[i].sibling == result->curves[k].sibling;
		}
}

static struct bandwidth_grid grid_of(const struct bandwidth_grid *kinds,
				     const struct fathom_curve *curve)
{
	const struct fathom_spec *spec = spec_of(curve);
	return (struct bandwidth_grid){
		.sibling = curve->sibling,
		.cpu = kinds->by_cpu ? curve->cpu : -1,
		.by_cpu = kinds->by_cpu,
		.threads = spec->threads,
		.page = spec->page,
		.vector_bytes = kinds->by_width ? spec->vector_bytes : 0,
		.by_page = kinds->by_page,
		.by_width = kinds->by_width,
	};
}

static int compare(const struct bandwidth_grid *a, const struct bandwidth_grid *b)
{
	if (a->threads != b->threads)
		return a->threads < b->threads ? -1 : 1;
	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	if (a->cpu != b->cpu)
		return a->cpu < b->cpu ? -1 : 1;
	if (a->sibling != b->sibling)
		return a->sibling < b->sibling ? -1 : 1;
	return (a->vector_bytes > b->vector_bytes) - (a->vector_bytes < b->vector_bytes);
}

bool bandwidth_grid_next(const struct fathom_result *result, const struct bandwidth_grid *grid,
			 struct bandwidth_grid *next)
{
	struct bandwidth_grid before = *grid, found = {0};
	if (before.threads == 0) {
		before.cpu = -1;
		find_kinds(result, &before);
	}
	for (size_t i = 0; i < result->curve_count; i++) {
		if (!is_shown(&result->curves[i]))
			continue;
		struct bandwidth_grid one = grid_of(&before, &result->curves[i]);
		if (compare(&one, &before) > 0 && (!found.threads || compare(&one, &found) < 0))
			found = one;
	}
	for (size_t i = 0; i < result->curve_count && found.threads; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!is_shown(curve))
			continue;
		struct bandwidth_grid one = grid_of(&before, curve);
		if (compare(&one, &found) == 0)
			found.curves[spec_of(curve)->pattern - FATHOM_READ] = curve;
	}
	*next = found;
	return found.threads > 0;
}

bool bandwidth_grid_same_kind(const struct bandwidth_grid *a, const struct bandwidth_grid *b)
{
	return a->page == b->page && a->vector_bytes == b->vector_bytes &&
	       a->sibling == b->sibling && a->cpu == b->cpu;
}

uint64_t bandwidth_grid_next_size(const struct bandwidth_grid *grid, uint64_t after)
{
	uint64_t next = UINT64_MAX;
	for (int i = 0; i < BANDWIDTH_STREAMS; i++)
		for (size_t k = 0; grid->curves[i] && k < grid->curves[i]->point_count; k++) {
			uint64_t bytes = grid->curves[i]->points[k].spec.size_bytes;
			if (bytes > after && bytes < next)
				next = bytes;
		}
	return next < UINT64_MAX ? next : 0;
}

uint64_t bandwidth_grid_largest_size(const struct bandwidth_grid *grid)
{
	uint64_t largest = 0;
	for (uint64_t bytes = 0; (bytes = bandwidth_grid_next_size(grid, bytes));)
		largest = bytes;
	return largest;
}

const struct fathom_point *bandwidth_grid_point(const struct bandwidth_grid *grid, int stream,
						uint64_t size_bytes)
{
	const struct fathom_curve *curve = grid->curves[stream];
	return curve ? points_exactly(curve, size_bytes) : NULL;
}
