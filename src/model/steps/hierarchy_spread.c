#include <math.h>
#include <string.h>

#include "base/stats.h"
#include "model/steps/hierarchy.h"
#include "model/steps/prior.h"
#include "model/steps/search.h"

#define WIDEST 0.9 /* ln, to either side of the best */
/* Places looked at over all of that, and over what is left of it. Of eleven documents twice as many
 * moved no end of an interval by more than 3 %. */
#define COARSE    18
#define FINE      24
#define BELIEVED  24.0 /* cost over the best that is not worth a second look */
#define NO_WEIGHT 80.0 /* cost over the best of which nothing is left in a sum */
#define TAIL      0.025
#define HALVINGS  30 /* of about one ln: to less than any curve tells */

/* Where hypotheses have a step, and how likely each is; a normal distribution round each. */
struct mixture {
	double ln_reach[HYPOTHESES_MOST], weight[HYPOTHESES_MOST], deviation;
	size_t count;
};

/* One step moved and made another kind, the rest as it was. */
struct scan {
	const struct steps_problem *problem;
	const struct steps *steps;
	size_t which;
	struct search_kind kinds[SEARCH_KINDS_MOST];
	size_t kind_count;
	double low, high; /* ln reach */
	size_t places;
	double temper; /* of the reach: costs tell so many times less than they say */
};

/* One of the kinds at a place, solved; of a cost above `limit` it is not to the end. */
static struct steps solve_at(const struct scan *scan, size_t kind, double ln_reach, double limit)
{
	struct steps solved = *scan->steps;
	solved.items[scan->which].ln_reach = ln_reach;
	solved.items[scan->which].shape = scan->kinds[kind].shape;
	solved.items[scan->which].colors = scan->kinds[kind].colors;
	steps_solve_below(scan->problem, limit, &solved);
	return solved;
}

static double place_of(const struct scan *scan, size_t place)
{
	return scan->low + (scan->high - scan->low) * ((double)place + 0.5) / (double)scan->places;
}

static bool is_as_found(const struct scan *scan, const struct search_kind *kind)
{
	const struct step *step = &scan->steps->items[scan->which];
	return kind->shape == step->shape && kind->colors == step->colors;
}

/* Narrows the scan to what is still believed after a coarse look. */
static void look(struct scan *scan)
{
	double(*costs)[COARSE] = (double(*)[COARSE])steps_search_room(scan->problem);
	double best = scan->steps->cost;
	double low = INFINITY, high = -INFINITY;
	size_t kept = 0;
	for (size_t k = 0; k < scan->kind_count; k++)
		for (size_t i = 0; i < scan->places; i++) {
			costs[k][i] = solve_at(scan, k, place_of(scan, i), best + BELIEVED).cost;
			best = fmin(best, costs[k][i]);
		}
	double wide = (scan->high - scan->low) / (double)scan->places;
	for (size_t k = 0; k < scan->kind_count; k++) {
		bool believed = is_as_found(scan, &scan->kinds[k]);
		for (size_t i = 0; i < scan->places; i++) {
			if (costs[k][i] > best + BELIEVED)
				continue;
			believed = true;
			low = fmin(low, place_of(scan, i) - wide);
			high = fmax(high, place_of(scan, i) + wide);
		}
		if (believed)
			scan->kinds[kept++] = scan->kinds[k];
	}
	double ln_reach = scan->steps->items[scan->which].ln_reach;
	scan->kind_count = kept;
	scan->low = fmin(low, ln_reach - wide);
	scan->high = fmax(high, ln_reach + wide);
}

/* The place below which `share` of the weight lies, a weight being spread over its place's width.
 */
static double quantile(const struct scan *scan, const double *weights, double total, double share)
{
	double wide = (scan->high - scan->low) / (double)scan->places, below = 0;
	for (size_t i = 0; i < scan->places; i++) {
		if (weights[i] > 0 && below + weights[i] >= share * total)
			return place_of(scan, i) +
			       wide * ((share * total - below) / weights[i] - 0.5);
		below += weights[i];
	}
	return scan->high;
}

/* What the data say of the class: not how rare it is. */
static void add_class(const struct scan *scan, size_t shape, double cost,
		      struct hierarchy_spread *spread)
{
	double price = shapes_price(shape, prior_is_first_cache(scan->steps, scan->which));
	spread->class_share[shapes_class(shape)] +=
		exp((scan->steps->cost + price - cost) / (2 * HIERARCHY_TEMPER));
}

size_t hierarchy_hits(const struct steps *steps, double hits[STEPS_MOST + 1])
{
	size_t count = 0;
	hits[count++] = steps->base[0];
	for (size_t i = 0; i < steps->count; i++)
		if (step_adds_to_hits(&steps->items[i])) {
			hits[count] = hits[count - 1] + steps->items[i].rise[0];
			count++;
		}
	return count;
}

static void add_hits(const struct steps *solved, double weight, struct hierarchy_sum *sums)
{
	double hits[STEPS_MOST + 1];
	size_t count = hierarchy_hits(solved, hits);
	for (size_t i = 0; i < count; i++) {
		sums[i].value += weight * hits[i];
		sums[i].deviation += weight * hits[i] * hits[i];
	}
}

static void weigh(const struct scan *scan, struct hierarchy_spread *spread)
{
	double weights[FINE] = {0}, total = 0, moment = 0;
	double best = scan->steps->cost;
	for (size_t k = 0; k < scan->kind_count; k++)
		for (size_t i = 0; i < scan->places; i++) {
			struct steps solved =
				solve_at(scan, k, place_of(scan, i), best + NO_WEIGHT);
			double weight = exp((best - solved.cost) / (2 * scan->temper));
			weights[i] += weight;
			total += weight;
			moment += weight * place_of(scan, i);
			add_class(scan, scan->kinds[k].shape, solved.cost, spread);
			add_hits(&solved, weight, spread->hits);
		}
	spread->ln_reach = moment / total;
	spread->ln_low = quantile(scan, weights, total, TAIL);
	spread->ln_high = quantile(scan, weights, total, 1 - TAIL);
	for (size_t i = 0; i <= STEPS_MOST; i++) {
		double mean = spread->hits[i].value / total;
		double variance = spread->hits[i].deviation / total - mean * mean;
		spread->hits[i] = (struct hierarchy_sum){mean, sqrt(fmax(0, variance))};
	}
	double classes = 0;
	for (int class = 0; class < SHAPE_CLASS_COUNT; class ++)
		classes += spread->class_share[class];
	for (int class = 0; class < SHAPE_CLASS_COUNT; class ++)
		spread->class_share[class] /= classes;
}

static double temper_of(const struct steps_problem *problem, const struct step *step)
{
	switch (shapes_class(step->shape)) {
	case SHAPE_LRU:
		return problem->temper_lru;
	case SHAPE_RANDOM:
	case SHAPE_RESISTANT:
		return problem->temper_inexact;
	default:
		return HIERARCHY_TEMPER;
	}
}

/* Where the search spent its budget, only shapes that stand for others are looked at. */
static bool looks_at(const struct steps_problem *problem, const struct hierarchy_options *options,
		     size_t shape)
{
	return (options->classes & SHAPE_CLASS_BIT(shapes_class(shape))) &&
	       (!budget_is_over(problem->budget) || shapes_is_seed(shape));
}

/* Of translation, those that the search lays out, and what it has made of one of them since. */
static void list_kinds(struct scan *scan, const struct hierarchy_options *options)
{
	const struct step *step = &scan->steps->items[scan->which];
	if (step->translation) {
		bool listed = false;
		scan->kind_count = search_tlb_kinds(scan->problem, scan->kinds);
		for (size_t k = 0; k < scan->kind_count; k++)
			listed |= is_as_found(scan, &scan->kinds[k]);
		if (!listed && scan->kind_count < SEARCH_KINDS_MOST)
			scan->kinds[scan->kind_count++] =
				(struct search_kind){step->shape, step->colors};
		return;
	}
	for (size_t shape = 0; shape < shapes_count(); shape++)
		if (shape == step->shape || looks_at(scan->problem, options, shape))
			scan->kinds[scan->kind_count++] = (struct search_kind){shape, step->colors};
}

void hierarchy_spread(const struct steps_problem *problem, const struct hierarchy_options *options,
		      const struct steps *steps, size_t which, struct hierarchy_spread *spread)
{
	const struct step *step = &steps->items[which];
	struct scan scan = {
		.problem = problem,
		.steps = steps,
		.which = which,
		.low = step->ln_reach - WIDEST,
		.high = step->ln_reach + WIDEST,
		.places = COARSE,
		.temper = temper_of(problem, step),
	};
	memset(spread, 0, sizeof(*spread));
	list_kinds(&scan, options);
	look(&scan);
	scan.places = FINE;
	weigh(&scan, spread);
}

/* Of its kind the nearest that no step but that one is nearer to; NULL: none. */
static const struct step *nearest_like(const struct steps *others, const struct steps *steps,
				       size_t which)
{
	const struct step *step = &steps->items[which], *nearest = NULL;
	double least = HIERARCHY_ALIKE_LN;
	for (size_t i = 0; i < others->count; i++) {
		double ln_reach = others->items[i].ln_reach;
		double apart = fabs(ln_reach - step->ln_reach);
		bool own = others->items[i].translation == step->translation && apart < least;
		for (size_t k = 0; k < steps->count && own; k++)
			own = k == which || steps->items[k].translation != step->translation ||
			      fabs(ln_reach - steps->items[k].ln_reach) >= apart;
		if (!own)
			continue;
		nearest = &others->items[i];
		least = apart;
	}
	return nearest;
}

static double share_below(const struct mixture *mixture, double ln_reach)
{
	double below = 0, total = 0;
	for (size_t i = 0; i < mixture->count; i++) {
		double sds = (ln_reach - mixture->ln_reach[i]) / mixture->deviation;
		below += mixture->weight[i] * erfc(-sds * M_SQRT1_2) / 2;
		total += mixture->weight[i];
	}
	return below / total;
}

static double mixture_quantile(const struct mixture *mixture, double low, double high, double share)
{
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		*(share_below(mixture, middle) < share ? &low : &high) = middle;
	}
	return (low + high) / 2;
}

void hierarchy_mix(const struct hypotheses *tried, const struct steps *steps, size_t which,
		   struct hierarchy_spread *spread)
{
	double ln_reach = steps->items[which].ln_reach;
	struct mixture mixture = {.deviation = (spread->ln_high - spread->ln_low) /
					       (2 * STATS_NORMAL_95)};
	double total = 0, moment = 0;
	for (size_t h = 0; h < tried->count; h++) {
		const struct step *like = nearest_like(&tried->items[h].steps, steps, which);
		double weight = hypotheses_weight(tried, h);
		if (!like)
			continue;
		mixture.ln_reach[mixture.count] = spread->ln_reach + like->ln_reach - ln_reach;
		mixture.weight[mixture.count++] = weight;
		total += weight;
		moment += weight * (like->ln_reach - ln_reach);
	}
	if (!(total > 0 && mixture.deviation > 0))
		return;
	double low = spread->ln_low - HIERARCHY_ALIKE_LN;
	double high = spread->ln_high + HIERARCHY_ALIKE_LN;
	spread->ln_reach += moment / total;
	spread->ln_low = mixture_quantile(&mixture, low, high, TAIL);
	spread->ln_high = mixture_quantile(&mixture, low, high, 1 - TAIL);
}
