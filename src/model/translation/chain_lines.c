#include "model/translation/chain_lines.h"

#include <math.h>

#include "base/slots.h"

#define FIRST_SETS     64 /* of lines: what virtual and physical addresses have in common */
#define FEWEST_WAYS    2
#define MOST_WAYS      16
#define WAYS_OFF       2
#define NEAR_LN        0.4        /* of a cliff */
#define NONE_MISSED    (1.0 / 16) /* of the reach; two ways would miss 1 % */
#define ALL_MISSED     8
#define MERGE_LN       0.7
#define FAR_WAYS       8    /* few ways spread a cliff the most */
#define FAR_LN         0.15 /* of its place: between two sizes, and page tables take an eighth more */
#define SCATTERED_WAYS 10   /* 8 and 12 differ little */
#define REACH_ERROR    0.02
#define SHAPE_ERROR    0.006
#define FAR            4 /* times the first cache: all is missed */

/* ---- the first cache ---- */

/* Lines side by side fill all sets alike. */
static double even_missed(unsigned ways, double count)
{
	double each = floor(count / FIRST_SETS), rest = count - FIRST_SETS * each;
	double missed = 0;
	if (each + 1 > ways)
		missed += rest * (each + 1);
	if (each > ways)
		missed += (FIRST_SETS - rest) * each;
	return missed / count;
}

/* One line a page lies where the rule of the chains says: nearly evenly. */
static double slots_missed(const struct chain_lines *lines, double count)
{
	unsigned held[FIRST_SETS] = {0}, ways = lines->first_ways;
	double missed = 0;
	if (count > FAR * FIRST_SETS * ways)
		return 1;
	for (uint64_t i = 0; i < (uint64_t)count; i++)
		held[slot_of_node(i, lines->page_lines) % FIRST_SETS]++;
	for (size_t i = 0; i < FIRST_SETS; i++)
		missed += held[i] > ways ? held[i] : 0;
	return missed / count;
}

static double misfit(const struct steps_curve *packed, const struct chain_lines *lines,
		     unsigned ways)
{
	double sum = 0;
	for (size_t i = 0; i < packed->count; i++) {
		if (fabs(packed->ln_size[i] - lines->cliffs[CLIFF_FIRST].ln_reach) > NEAR_LN)
			continue;
		double missed = even_missed(ways, exp(packed->ln_size[i]));
		double off = packed->value[i] - lines->base_ns -
			     lines->cliffs[CLIFF_FIRST].rise_ns * missed;
		sum += off * off;
	}
	return sum;
}

static unsigned find_ways(const struct steps_curve *packed, const struct chain_lines *lines)
{
	double near = exp(lines->cliffs[CLIFF_FIRST].ln_reach) / FIRST_SETS, least = INFINITY;
	unsigned best = 0;
	if (near > MOST_WAYS + 1 || lines->page_lines < FIRST_SETS)
		return 0;
	for (unsigned ways = FEWEST_WAYS; ways <= MOST_WAYS; ways++) {
		double sum = fabs(ways - near) < WAYS_OFF ? misfit(packed, lines, ways) : INFINITY;
		if (sum >= least)
			continue;
		least = sum;
		best = ways;
	}
	return best;
}

/* ---- all ---- */

static size_t cliff_after(const struct chain_lines *lines, size_t cliff, double ln_reach)
{
	const struct chain_cliff *before = &lines->cliffs[cliff];
	if (before->rise_ns == 0 || cliff == CLIFF_FAR)
		return cliff;
	return ln_reach - before->ln_reach < MERGE_LN ? cliff : cliff + 1;
}

/* Steps near each other are of one cache. */
static void take_cliffs(struct chain_lines *lines)
{
	size_t cliff = CLIFF_FIRST;
	lines->base_ns = lines->steps.base[0];
	for (size_t i = 0; i < lines->steps.count; i++) {
		const struct step *step = &lines->steps.items[i];
		cliff = cliff_after(lines, cliff, step->ln_reach);
		struct chain_cliff *taken = &lines->cliffs[cliff];
		double share = step->rise[0] / (taken->rise_ns + step->rise[0]);
		if (taken->rise_ns == 0)
			taken->ln_reach = step->ln_reach;
		else if (cliff != CLIFF_FAR && share > 0)
			taken->ln_reach += share * (step->ln_reach - taken->ln_reach);
		taken->rise_ns += step->rise[0];
		lines->cliff_of[i] = cliff;
	}
}

/* Any replacement is taken for LRU, where needed in several steps: other shapes go on rising
 * behind the last point. */
void chain_lines_find(const struct shapes *shapes, const struct steps_curve *packed,
		      uint64_t page_lines, double *scratch, struct chain_lines *lines)
{
	const struct hierarchy_options options = {SHAPE_CLASS_BIT(SHAPE_LRU), false};
	struct steps_problem even = {
		.shapes = shapes,
		.curves = packed,
		.curve_count = 1,
		.reach_error = REACH_ERROR,
		.shape_error = SHAPE_ERROR,
		.flat_prior = true,
		.outlying = 1,
		.scratch = scratch,
	};
	struct steps_problem scattered = even;
	struct steps other;
	*lines = (struct chain_lines){.page_lines = page_lines, .problem = even};
	scattered.frame_bytes = (double)page_lines;
	lines->steps.count = other.count = 0;
	hierarchy_find(&even, &options, &lines->steps, NULL);
	hierarchy_find(&scattered, &options, &other, NULL);
	if (other.cost < lines->steps.cost) {
		lines->steps = other;
		lines->problem = scattered;
	}
	lines->problem.curves = NULL;
	take_cliffs(lines);
	lines->first_ways = lines->cliffs[CLIFF_FIRST].rise_ns > 0 ? find_ways(packed, lines) : 0;
}

static double step_missed(const struct chain_lines *lines, size_t which, double count)
{
	const struct steps_curve curve = {.role = STEPS_MAIN};
	struct steps_problem problem = lines->problem;
	problem.curves = &curve;
	return steps_missed(&problem, &lines->steps, which, 0, log(count));
}

double chain_lines_packed_ns(const struct chain_lines *lines, size_t cliff, double count)
{
	double ns = 0;
	if (cliff == CLIFF_FIRST && lines->first_ways)
		return lines->cliffs[cliff].rise_ns * even_missed(lines->first_ways, count);
	for (size_t i = 0; i < lines->steps.count; i++)
		if (lines->cliff_of[i] == cliff)
			ns += lines->steps.items[i].rise[0] * step_missed(lines, i, count);
	return ns;
}

double chain_lines_moving_ns(const struct chain_lines *lines, size_t cliff, double count)
{
	double rise_ns = lines->cliffs[cliff].rise_ns;
	double missed = rise_ns > 0 ? chain_lines_packed_ns(lines, cliff, count) / rise_ns : 0;
	return rise_ns * 4 * missed * (1 - missed);
}

double chain_lines_first_ns(const struct chain_lines *lines, double count)
{
	const struct hit_shape scattered = {HIT_CYCLE_LRU, true, SCATTERED_WAYS, 1, 0};
	const struct chain_cliff *first = &lines->cliffs[CLIFF_FIRST];
	if (first->rise_ns == 0)
		return 0;
	double missed = lines->first_ways ? slots_missed(lines, count)
					  : 1 - hit_share(&scattered, count / exp(first->ln_reach));
	return first->rise_ns * missed;
}

void chain_lines_missed(const struct chain_lines *lines, const struct chain_shape *shape,
			const double *counts, size_t count, double *missed)
{
	const struct hit_shape lru = {HIT_CYCLE_LRU, true, shape->ways, 1, 0};
	const struct hit_shape random = {HIT_CYCLE_RANDOM, true, shape->ways, 1, 0};
	double factor = exp(shape->ln_shift - lines->cliffs[CLIFF_SECOND].ln_reach);
	for (size_t i = 0; i < count; i++) {
		double ratio = counts[i] * factor;
		missed[i] = ratio < NONE_MISSED ? 0 : ratio > ALL_MISSED ? 1 : 1 - shape->random;
		if (ratio < NONE_MISSED || ratio > ALL_MISSED)
			continue;
		if (shape->random < 1)
			missed[i] *= 1 - hit_share(&lru, ratio);
		if (shape->random > 0)
			missed[i] += shape->random * (1 - hit_share(&random, ratio));
	}
}

/* Beyond the reach it is less: lines side by side then miss all. */
static double uneven_missed(double ratio)
{
	const struct hit_shape scattered = {HIT_CYCLE_LRU, true, FAR_WAYS, 1, 0};
	return fabs(1 - hit_share(&scattered, ratio) - (ratio > 1));
}

double chain_lines_far_error(const struct chain_lines *lines, double count)
{
	double ns = 0;
	for (size_t i = 0; i < lines->steps.count; i++) {
		const struct step *step = &lines->steps.items[i];
		double ln_ratio = log(count) - step->ln_reach;
		double ln_nearer = copysign(fmax(0, fabs(ln_ratio) - FAR_LN), ln_ratio);
		if (lines->cliff_of[i] == CLIFF_FAR)
			ns += step->rise[0] * uneven_missed(exp(ln_nearer));
	}
	return ns;
}
