#include "model/translation/tlb_lines.h"

#include <math.h>

#include "model/steps/linear.h"

#define MOVING       0.02  /* of a latency: the packed chain is in a cliff */
#define LEVEL_ERROR  0.004 /* of what one chain alone has */
#define FIRST_SHARE  0.08  /* of the first cache's cliff */
#define FIRST_LN     0.15
#define UNLIKE_SHARE 0.2 /* where the sets of that cache are not known */
#define UNLIKE_LN    0.3
#define MOST_TABLES  1.25 /* lines a page, with the tables' of guest and host */
#define HALF         0.5
#define LAW_ERROR    0.2  /* of what the second cache misses, or hits */
#define WALK_ERROR   0.02 /* of what translation costs there */
#define SHIFTS       17
#define LEAST_SHIFT  (-0.2)
#define SHIFT_STEP   0.06
/* Page tables take an eighth more, in a guest two. Places that are not random can do much more. */
#define USUAL_SHIFT  0.18
#define SHIFT_ERROR  0.2
#define NO_WEIGHT    1e-4
#define FAR          2.5  /* reaches of a cache: no farther is looked */
#define OUTLYING     1e-5 /* all points pull */
#define APART_LN     0.3
#define MOST_ENTRIES 4608.0 /* no TLB has more */
#define USUAL_SHIFTS 3      /* of each so many, from the first one so far */
#define USUAL_STEP   3
#define SAME_LN      0.06
#define REACHES      3 /* of the last TLB, so far apart: */
#define REACH_STEP   0.08

/* With a price for what is rare: few ways, random replacement. */
static const struct {
	double ways, random, price;
} laws[] = {
	{2, 0, 8},     {3, 0, 8},     {4, 0, 3},  {6, 0, 0},    {8, 0, 0},
	{12, 0, 0},    {16, 0, 0},    {24, 0, 0}, {6, HALF, 0}, {8, HALF, 0},
	{12, HALF, 0}, {16, HALF, 0}, {6, 1, 5},  {12, 1, 5},
};
#define LAWS (sizeof(laws) / sizeof(*laws))

/* ---- the values ---- */

static double first_error(const struct chain_lines *lines, double ln_pages)
{
	const struct chain_cliff *first = &lines->cliffs[CLIFF_FIRST];
	double share = lines->first_ways ? FIRST_SHARE : UNLIKE_SHARE;
	double width = lines->first_ways ? FIRST_LN : UNLIKE_LN;
	return share * first->rise_ns * exp(-fabs(ln_pages - first->ln_reach) / width);
}

/* Walks may bring tables to the first cache as well. */
static double tables_error(const struct tlb_fit *fit, double pages)
{
	const struct chain_lines *lines = &fit->lines;
	size_t last = fit->tlb_count;
	if (last == 0 || pages < 0.9 * exp(fit->steps.items[last - 1].ln_reach))
		return 0;
	return HALF * (chain_lines_first_ns(lines, MOST_TABLES * pages) -
		       chain_lines_first_ns(lines, pages));
}

static double packed_translation(const struct tlb_fit *fit, size_t i)
{
	struct tlb_cost cost = tlb_fit_cost(fit, &fit->steps, fit->packed_pages[i]);
	return cost.tlb_ns + cost.walk_ns;
}

/* The difference of pairs while the packed chain is on a plateau of the second cache, whose level
 * is known well. In that cliff the places of few pages make it what it is: there the spread chain
 * says more alone. */
static void set_value(struct tlb_fit *fit, size_t i)
{
	const struct chain_lines *lines = &fit->lines;
	double pages = fit->pages[i], translation_ns = packed_translation(fit, i);
	double lines_ns = chain_lines_first_ns(lines, pages) + fit->second_ns[i];
	double error_ns = hypot(fit->second_error[i], chain_lines_far_error(lines, pages));
	double moving_ns = chain_lines_moving_ns(lines, CLIFF_SECOND, pages);
	fit->uneven[i] = first_error(lines, fit->ln_pages[i]);
	error_ns = hypot(error_ns, hypot(fit->uneven[i], tables_error(fit, pages)));
	if (moving_ns < MOVING * (fit->packed_ns[i] - translation_ns)) {
		fit->value[i] = lines->base_ns + fit->pair_ns[i] + translation_ns - lines_ns;
		for (size_t c = CLIFF_FIRST; c <= CLIFF_SECOND; c++)
			fit->value[i] += chain_lines_packed_ns(lines, c, pages);
		error_ns = hypot(error_ns, fit->pair_error[i]);
	} else {
		lines_ns += chain_lines_packed_ns(lines, CLIFF_FAR, pages);
		fit->value[i] = fit->spread_ns[i] - lines_ns;
		error_ns = hypot(error_ns, fit->spread_error[i]);
		error_ns = hypot(error_ns, LEVEL_ERROR * (lines->base_ns + lines_ns));
	}
	fit->error[i] = fit->start_error[i] = error_ns;
}

void tlb_lines_set_values(struct tlb_fit *fit)
{
	for (size_t i = 0; i < fit->count; i++)
		set_value(fit, i);
}

/* ---- how the second cache takes the spread chain ---- */

static struct chain_shape shape_of(size_t law, size_t shift)
{
	return (struct chain_shape){laws[law].ways, laws[law].random,
				    LEAST_SHIFT + SHIFT_STEP * (double)shift};
}

static double law_error(double missed)
{
	return LAW_ERROR * fmin(missed, 1 - missed);
}

static void set_second(struct tlb_fit *fit, const struct chain_shape *shape)
{
	double rise_ns = fit->lines.cliffs[CLIFF_SECOND].rise_ns;
	chain_lines_missed(&fit->lines, shape, fit->pages, fit->count, fit->second_ns);
	for (size_t i = 0; i < fit->count; i++) {
		fit->second_error[i] = rise_ns * law_error(fit->second_ns[i]);
		fit->second_ns[i] *= rise_ns;
	}
}

static double missed_at(const struct tlb_fit *fit, size_t shape, double ln_ratio)
{
	double way_pages = fit->problem.frame_bytes > 0 ? INFINITY : 0;
	return shapes_at(fit->shapes, shapes_table(shape, way_pages), ln_ratio).missed;
}

static double slack(const struct tlb_fit *fit, size_t i)
{
	return hypot(fit->error[i], WALK_ERROR * fit->value[i]);
}

/* Of the first TLB, the last one, and tables that leave the cache behind the cliff. */
static double solve(const struct tlb_fit *fit, const struct step *last, size_t from, size_t count,
		    double limit)
{
	const double tables_behind[] = {0.1, 0.8}; /* ln, of the cache's reach */
	size_t tables = shapes_first(SHAPE_SHARED) + 2;
	bool two = fabs(last->ln_reach - fit->first.ln_reach) >= APART_LN;
	struct linear linear = {.rows = count, .columns = 5};
	linear_place(&linear, fit->scratch);
	for (size_t i = 0; i < count; i++) {
		double ln_pages = fit->ln_pages[from + i];
		double ln_behind = ln_pages - fit->lines.cliffs[CLIFF_SECOND].ln_reach;
		double missed = missed_at(fit, last->shape, ln_pages - last->ln_reach);
		double *row = linear.column + i;
		linear.value[i] = fit->value[from + i];
		linear.error[i] = linear.start[i] = slack(fit, from + i);
		linear.outlying[i] = OUTLYING;
		row[0] = 1;
		row[count] = missed;
		for (size_t t = 0; t < 2; t++)
			row[(2 + t) * count] =
				missed * missed_at(fit, tables, ln_behind - tables_behind[t]);
		row[4 * count] =
			two ? missed_at(fit, fit->first.shape, ln_pages - fit->first.ln_reach) : 0;
	}
	return linear_solve(&linear, limit);
}

/* Points that tell of the last TLB and of the second cache. */
struct stretch {
	size_t from, count;
};

static struct stretch look_at(const struct tlb_fit *fit)
{
	size_t from = 0, end = fit->count;
	double ln_far = fit->lines.cliffs[CLIFF_SECOND].ln_reach + log(FAR);
	while (end > 0 && fit->ln_pages[end - 1] > ln_far)
		end--;
	while (from < end && fit->ln_pages[from] < fit->first.ln_reach)
		from++;
	return (struct stretch){from, end - from};
}

/* -2 ln likelihood of the values as they are with a last TLB there, of the best shape. */
static double cost_with(const struct tlb_fit *fit, double ln_reach, double least)
{
	struct stretch points = look_at(fit);
	for (size_t shape = 0; shape < shapes_count(); shape++) {
		const struct step last = {.ln_reach = ln_reach, .shape = shape};
		enum shape_class class = shapes_class(shape);
		if (shapes_is_seed(shape) && (class == SHAPE_LRU || class == SHAPE_RANDOM))
			least = fmin(least, solve(fit, &last, points.from, points.count, least));
	}
	return least;
}

static double error_cost(const struct tlb_fit *fit)
{
	struct stretch points = look_at(fit);
	double sum = 0;
	for (size_t i = 0; i < points.count; i++)
		sum += 2 * log(slack(fit, points.from + i));
	return sum;
}

/* With the last TLB at its best. */
static double cost_of(struct tlb_fit *fit)
{
	double least = INFINITY;
	bool same = fabs(fit->ln_last[0] - fit->ln_last[1]) < SAME_LN;
	tlb_lines_set_values(fit);
	for (size_t r = 0; r < (same ? 1 : 2) * REACHES; r++) {
		double off = REACH_STEP * ((double)(r % REACHES) - REACHES / 2);
		least = cost_with(fit, fit->ln_last[r / REACHES] + off, least);
	}
	return least + error_cost(fit);
}

/* The last TLB may have drowned in the second cache's cliff when that was not known: its reach, by
 * some usual shapes of the cliff. */
static double find_last(struct tlb_fit *fit)
{
	double least = INFINITY, best = fit->ln_last[0];
	double ln_most = fmin(log(MOST_ENTRIES), fit->lines.cliffs[CLIFF_SECOND].ln_reach);
	for (size_t k = 0; k < LAWS * USUAL_SHIFTS; k++) {
		struct chain_shape shape =
			shape_of(k / USUAL_SHIFTS, USUAL_STEP * (1 + k % USUAL_SHIFTS));
		if (laws[k / USUAL_SHIFTS].price > 0)
			continue;
		set_second(fit, &shape);
		tlb_lines_set_values(fit);
		double sum = error_cost(fit);
		for (double ln = fit->first.ln_reach + APART_LN; ln < ln_most; ln += REACH_STEP) {
			double cost = cost_with(fit, ln, least - sum) + sum;
			if (cost >= least)
				continue;
			least = cost;
			best = ln;
		}
	}
	return best;
}

static double price_of(size_t law, double shift)
{
	double off = (shift - USUAL_SHIFT) / SHIFT_ERROR;
	return laws[law].price + off * off;
}

/* Mean and deviation over all shapes, each by its likelihood. */
static void weigh_shapes(struct tlb_fit *fit)
{
	double costs[LAWS * SHIFTS], least = INFINITY, weights = 0;
	double *mean = fit->means, *square = fit->squares;
	double rise_ns = fit->lines.cliffs[CLIFF_SECOND].rise_ns;
	for (size_t k = 0; k < LAWS * SHIFTS; k++) {
		struct chain_shape shape = shape_of(k / SHIFTS, k % SHIFTS);
		set_second(fit, &shape);
		costs[k] = cost_of(fit) + price_of(k / SHIFTS, shape.ln_shift);
		least = fmin(least, costs[k]);
	}
	for (size_t i = 0; i < fit->count; i++)
		mean[i] = square[i] = 0;
	for (size_t k = 0; k < LAWS * SHIFTS; k++) {
		struct chain_shape shape = shape_of(k / SHIFTS, k % SHIFTS);
		double weight = exp((least - costs[k]) / 2);
		weights += weight;
		if (weight < NO_WEIGHT)
			continue;
		set_second(fit, &shape);
		for (size_t i = 0; i < fit->count; i++) {
			double ns = fit->second_ns[i];
			mean[i] += weight * ns;
			square[i] += weight * ns * ns;
		}
	}
	for (size_t i = 0; i < fit->count; i++) {
		double ns = mean[i] / weights;
		double deviation_ns = sqrt(fmax(0, square[i] / weights - ns * ns));
		fit->second_ns[i] = ns;
		fit->second_error[i] =
			hypot(deviation_ns, rise_ns * law_error(fmin(1, ns / rise_ns)));
	}
}

/* ---- all ---- */

void tlb_lines_find(struct tlb_fit *fit)
{
	struct steps_curve packed = fit->curve;
	for (size_t i = 0; i < fit->count; i++)
		fit->drawn[i] = fit->packed_ns[i] - packed_translation(fit, i);
	packed.value = fit->drawn;
	packed.error = packed.start_error = fit->packed_error;
	chain_lines_find(fit->shapes, &packed, fit->page_lines, fit->scratch, &fit->lines);
	fit->first = fit->steps.items[0];
	fit->ln_last[0] = fit->tlb_count ? fit->steps.items[fit->tlb_count - 1].ln_reach : 0;
	if (fit->lines.cliffs[CLIFF_SECOND].rise_ns > 0) {
		fit->ln_last[1] = find_last(fit);
		weigh_shapes(fit);
	}
	tlb_lines_set_values(fit);
}
