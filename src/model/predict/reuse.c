#include "model/predict/reuse.h"

#include <math.h>
#include <string.h>

#define TIMES      24   /* of which as many are as likely */
#define RANKS_MOST 64   /* groups of places that are as popular */
#define RANK_STEP  1.6  /* from one group to the next */
#define GRID_STEP  0.25 /* of ln time */
#define GRID_FIRST (-4.0)
#define GRID_COUNT 160
#define BEYOND     1.1 /* a cell, and more than half of one */

/* Places that are each gone to with that share of a step's accesses. */
struct rank {
	double places, share;
};

double reuse_distance(size_t cell)
{
	return exp2((double)cell / REUSE_A_OCTAVE);
}

/* Of r^-theta from r = first on, below `end`. */
static double zipf_sum(double first, double end, double theta)
{
	double low = first - 0.5, high = end - 0.5;
	if (end - first < 1.5)
		return pow(first, -theta);
	if (fabs(theta - 1) < 1e-9)
		return log(high / low);
	return (pow(high, 1 - theta) - pow(low, 1 - theta)) / (1 - theta);
}

static size_t make_ranks(double places, double keys, double theta, struct rank *ranks)
{
	if (!(theta > 0) || places < 2) {
		ranks[0] = (struct rank){places, 1 / places};
		return 1;
	}
	size_t count = 0;
	double all = 0, head = 0, weights[RANKS_MOST];
	double least = fmin(places, keys);
	for (double first = 1, end; first <= least && count < RANKS_MOST; first = end) {
		end = count + 1 < RANKS_MOST ? fmin(ceil(first * RANK_STEP), floor(least) + 1)
					     : floor(least) + 1;
		weights[count] = zipf_sum(first, end, theta);
		head += weights[count];
		ranks[count++].places = end - first;
	}
	all = head + (keys > floor(least) ? zipf_sum(floor(least) + 1, keys + 1, theta) : 0);
	for (size_t i = 0; i < count; i++)
		ranks[i].share = weights[i] / all / ranks[i].places + (1 - head / all) / places;
	return count;
}

/* Different places by the logarithm of the time, in operations. */
struct grid {
	double different[GRID_COUNT];
};

static double places_of(const struct step *step, enum reuse_of of)
{
	return of == REUSE_OF_LINES ? step->lines : step->pages;
}

/* Of each place of the group, in an operation. */
static double rate_of(const struct step *step, enum reuse_of of, const struct rank *rank)
{
	double fetched = of == REUSE_OF_LINES && step->fetched > 1 ? step->fetched : 1;
	return fmin(1, step->count * fetched * rank->share);
}

/* Of a step's places, how many are gone to in each time. */
static void add_step(const struct step *step, const struct shape *shape, double theta,
		     enum reuse_of of, struct grid *grid)
{
	struct rank ranks[RANKS_MOST];
	double places = places_of(step, of);
	size_t count = places > 0 ? make_ranks(places, shape->keys, theta, ranks) : 0;
	memset(grid, 0, sizeof(*grid));
	for (size_t k = 0; k < count; k++) {
		double rate = rate_of(step, of, &ranks[k]);
		for (size_t at = 0; at < GRID_COUNT; at++) {
			double time = exp(GRID_FIRST + GRID_STEP * (double)at);
			grid->different[at] -= ranks[k].places * expm1(-rate * time);
		}
	}
}

static uint64_t offsets_of(const struct step *step)
{
	return step->offsets ? step->offsets : UINT64_MAX;
}

/* As many lines that lie anywhere would put as many of them where a line of the first offsets is,
 * of each line at one of the others. */
static double crowding(uint64_t offsets, uint64_t others)
{
	double both = __builtin_popcountll(offsets & others);
	return 64 * both / __builtin_popcountll(offsets) / __builtin_popcountll(others);
}

/* Of all steps, as a line at one of these offsets meets them; `all` places there are. */
static void make_grid(const struct layout *layout, const struct shape *shape, double theta,
		      enum reuse_of of, double all, uint64_t offsets, struct grid *grid)
{
	double untouched[GRID_COUNT]; /* of mixed places, the share */
	struct grid step;
	memset(grid, 0, sizeof(*grid));
	for (size_t at = 0; at < GRID_COUNT; at++)
		untouched[at] = 1;
	for (size_t i = 0; i < layout->count; i++) {
		double met = crowding(offsets, offsets_of(&layout->steps[i]));
		add_step(&layout->steps[i], shape, theta, of, &step);
		for (size_t at = 0; at < GRID_COUNT; at++) {
			step.different[at] *= met;
			grid->different[at] += step.different[at];
			untouched[at] *= 1 - fmin(1, step.different[at] / all);
		}
	}
	for (size_t at = 0; at < GRID_COUNT; at++)
		grid->different[at] =
			layout->mixed ? all * (1 - untouched[at]) : fmin(all, grid->different[at]);
}

/* That no other step has gone to a place of this one, by the time. */
static void find_left(const struct layout *layout, const struct grid *grid, const struct grid *step,
		      double all, double left[GRID_COUNT])
{
	for (size_t at = 0; at < GRID_COUNT; at++) {
		double untouched = 1 - grid->different[at] / all;
		double by_step = 1 - fmin(1, step->different[at] / all);
		left[at] = !layout->mixed ? 1 : by_step > 0 ? fmin(1, untouched / by_step) : 0;
	}
}

static void add_distance(struct reuse *reuse, double distance, double time, double weight)
{
	double at = REUSE_A_OCTAVE * log2(fmax(1, distance));
	if (!(weight > 0))
		return;
	size_t cell = at < REUSE_CELLS - 1 ? (size_t)lround(at) : REUSE_CELLS - 1;
	reuse->weights[cell] += weight;
	reuse->times[cell] += (time - reuse->times[cell]) * weight / reuse->weights[cell];
	reuse->first = cell < reuse->first ? cell : reuse->first;
	reuse->end = cell + 1 > reuse->end ? cell + 1 : reuse->end;
}

/* Of a random cycle through K nodes a line, one of which comes next in the share g of a lap, with
 * P(more than g) = (1 - g)^(K - 1); of the others 1 - (1 - g)^K are gone to meanwhile. */
static void add_cycle(const struct step *step, enum reuse_of of, struct reuse *reuse)
{
	double nodes =
		of == REUSE_OF_LINES ? step->a_line : step->a_line * step->lines / step->pages;
	double places = places_of(step, of);
	for (int time = 0; time < TIMES; time++) {
		double longer = 1 - (time + 0.5) / TIMES; /* are gone to after more of a lap */
		double gap = nodes > 1 ? 1 - pow(longer, 1 / (nodes - 1)) : 1;
		add_distance(reuse, places * (1 - pow(1 - gap, nodes)), gap * nodes * places,
			     1.0 / TIMES);
	}
}

/* In the middle of a time; of lines at the same offset where they are in the caches of a core. */
static double distance_at(const struct grid *grid, const struct grid *crowded, double own_lines,
			  size_t at)
{
	size_t before = at ? at - 1 : 0;
	double distance = (grid->different[before] + grid->different[at]) / 2;
	double near = (crowded->different[before] + crowded->different[at]) / 2;
	return near <= own_lines || near == distance ? near : fmax(distance, own_lines * BEYOND);
}

/* Of a group of places, by when each was last gone to. */
static void add_rank(const struct rank *rank, double rate, const struct grid *grid,
		     const struct grid *crowded, double own_lines, const double left[GRID_COUNT],
		     struct reuse *reuse)
{
	double share = rank->places * rank->share, before = 1;
	for (size_t at = 0; at < GRID_COUNT; at++) {
		double time = exp(GRID_FIRST + GRID_STEP * (double)at);
		double middle = exp(GRID_FIRST + GRID_STEP * ((double)at - 0.5));
		double now = at + 1 < GRID_COUNT ? exp(-rate * time) * left[at] : 0;
		add_distance(reuse, distance_at(grid, crowded, own_lines, at), middle,
			     share * (before - now));
		before = now;
	}
}

void reuse_find(const struct layout *layout, const struct shape *shape, double theta,
		enum reuse_of of, double own_lines, struct reuse *distances)
{
	double unit_bytes = of == REUSE_OF_LINES ? shape->line_bytes : shape->page_bytes;
	double all = fmax(1, layout->size_bytes / unit_bytes);
	double left[GRID_COUNT];
	struct rank ranks[RANKS_MOST];
	uint64_t offsets = UINT64_MAX;
	struct grid grid, own, crowded;
	make_grid(layout, shape, theta, of, all, offsets, &grid);
	crowded = grid;
	for (size_t i = 0; i < layout->count; i++) {
		const struct step *step = &layout->steps[i];
		double places = places_of(step, of);
		distances[i] = (struct reuse){.first = REUSE_CELLS};
		if (!(places > 0)) {
			add_distance(&distances[i], 1, 0, 1);
			continue;
		}
		if (step->a_line > 0) {
			add_cycle(step, of, &distances[i]);
			continue;
		}
		add_step(step, shape, theta, of, &own);
		find_left(layout, &grid, &own, all, left);
		if (own_lines > 0 && offsets_of(step) != offsets) {
			offsets = offsets_of(step);
			make_grid(layout, shape, theta, of, all, offsets, &crowded);
		}
		size_t count = make_ranks(places, shape->keys, theta, ranks);
		for (size_t k = 0; k < count; k++)
			add_rank(&ranks[k], rate_of(step, of, &ranks[k]), &grid, &crowded,
				 own_lines, left, &distances[i]);
	}
}
