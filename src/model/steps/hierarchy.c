#include "model/steps/hierarchy.h"

#include <math.h>
#include <string.h>

#include "model/steps/search.h"
#include "model/steps/step_price.h"

#define GRID_STEP         0.1155 /* of ln size between candidates: six an octave */
#define PLACES            3      /* for one more step */
#define ROUNDS_MOST       12
#define LEAST_FALL        0.2 /* of the price, that is worth another round */
#define WORTH_AGAIN       1.0 /* a fall of the cost, that the same is tried again after it */
#define PLACES_APART      0.5 /* ln */
#define OUTLYING_AT_FIRST 1e-4
#define FEWEST_CARRIERS   2
#define WORTH_REFINING    20.0 /* cost over what there is */
#define MERGE_STEP        0.08
#define MERGE_LN          1.6 /* farther apart no shape is both */
/* Of the published curves (bench/published-curves.csv) one takes 10 steps for a while, all others
 * at most 7, as do sweeps of fathom's own. */
#define MOST_USUAL 10

/* ---- one more ---- */

static void try_candidate(const struct search *search, const struct steps *steps,
			  const struct step *step, struct steps *best)
{
	struct steps trial = *steps;
	if (search_is_crowded(search, steps, step))
		return;
	trial.items[trial.count++] = *step;
	search_keep_better(search, &trial, best);
}

/* Into the list of places, best first. How many there are then. */
static size_t insert_place(const struct steps *place, struct steps places[PLACES], size_t count)
{
	size_t at = count;
	while (at > 0 && places[at - 1].cost > place->cost)
		at--;
	if (at == PLACES)
		return count;
	count += count < PLACES;
	memmove(places + at + 1, places + at, (count - 1 - at) * sizeof(*places));
	places[at] = *place;
	return count;
}

/* Into the list of places, best first. Of those near each other the best one stays. */
static size_t keep_place(const struct steps *place, struct steps places[PLACES], size_t count)
{
	const struct step *added = &place->items[place->count - 1];
	for (size_t i = 0; i < count; i++) {
		const struct step *other = &places[i].items[places[i].count - 1];
		if (fabs(other->ln_reach - added->ln_reach) > PLACES_APART)
			continue;
		if (places[i].cost <= place->cost)
			return count;
		memmove(places + i, places + i + 1, (--count - i) * sizeof(*places));
		break;
	}
	return insert_place(place, places, count);
}

/* The best places for one more step, of the shapes that stand for others, apart from each other.
 * How many. */
static size_t find_places(const struct search *search, const struct steps *steps,
			  struct steps places[PLACES])
{
	const struct steps_curve *curve = &search->problem->curves[0];
	double low = curve->ln_size[0] - 0.2, high = curve->ln_size[curve->count - 1];
	size_t count = 0;
	for (double ln = low; ln < high; ln += GRID_STEP) {
		struct steps best = *steps;
		best.cost = count == PLACES ? places[PLACES - 1].cost : INFINITY;
		for (size_t shape = 0; shape < shapes_count(); shape++) {
			struct step step = {.ln_reach = ln, .shape = shape};
			if (shapes_is_seed(shape) && search_allows(search, shape, ln))
				try_candidate(search, steps, &step, &best);
		}
		struct step step = {
			.ln_reach = ln, .shape = shapes_translation(), .translation = true};
		if (search->options->translation)
			try_candidate(search, steps, &step, &best);
		if (best.count > steps->count)
			count = keep_place(&best, places, count);
	}
	return count;
}

/* ---- is each worth its place? ---- */

static struct steps without(const struct search *search, const struct steps *steps, size_t which)
{
	struct steps rest = *steps;
	rest.count--;
	memmove(rest.items + which, rest.items + which + 1,
		(rest.count - which) * sizeof(*rest.items));
	steps_solve(search->problem, &rest);
	return rest;
}

/* The steps from the one before `first` on, up to `last`. */
static void refine_from(const struct search *search, size_t first, size_t last, struct steps *steps)
{
	for (size_t k = first ? first - 1 : 0; k < steps->count && k <= last; k++)
		search_refine_step(search, k, steps);
}

/* Sizes that a step carries most of its rise to. */
static size_t carriers(const struct search *search, const struct steps *steps, size_t which)
{
	const struct steps_curve *curve = &search->problem->curves[0];
	size_t count = 0;
	for (size_t i = 0; i < curve->count; i++)
		count += steps_missed(search->problem, steps, which, 0, curve->ln_size[i]) > 0.3;
	return count;
}

static bool all_are_carried(const struct search *search, const struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		if (carriers(search, steps, i) < FEWEST_CARRIERS)
			return false;
	return true;
}

static bool take_cheaper(const struct steps *trial, struct steps *steps)
{
	if (!(trial->cost < steps->cost - LEAST_FALL))
		return false;
	*steps = *trial;
	return true;
}

static bool drop_weakest(const struct search *search, struct steps *steps)
{
	struct steps best;
	best.cost = INFINITY;
	for (size_t i = 0; i < steps->count; i++) {
		struct steps rest = without(search, steps, i);
		search_settle(search, &rest);
		refine_from(search, i, i, &rest);
		if (carriers(search, steps, i) < FEWEST_CARRIERS)
			rest.cost -= 1e6;
		if (i == 0 || rest.cost < best.cost)
			best = rest;
	}
	if (steps->count == 0 || best.cost > steps->cost)
		return false;
	steps_solve(search->problem, &best);
	*steps = best;
	return true;
}

/* Steps `first` and `second` as one cache. */
static void try_merged(const struct search *search, const struct steps *steps, size_t first,
		       size_t second, struct steps *best)
{
	double low = steps->items[first].ln_reach - 0.1;
	double high = steps->items[second].ln_reach + 0.45;
	struct steps rest = without(search, steps, second), merged = rest;
	merged.cost = INFINITY;
	rest.items[first].translation = false;
	for (double ln = low; ln < high; ln += MERGE_STEP)
		for (size_t shape = 0; shape < shapes_count(); shape++) {
			struct steps trial = rest;
			trial.items[first].ln_reach = ln;
			trial.items[first].shape = shape;
			if (shapes_is_seed(shape) && search_allows(search, shape, ln) &&
			    !search_is_crowded(search, &trial, &trial.items[first]))
				search_keep_better(search, &trial, &merged);
		}
	if (!isfinite(merged.cost))
		return;
	search_settle(search, &merged);
	if (merged.cost < best->cost)
		*best = merged;
}

/* Two steps that one cache explains as well are that. */
static bool merge_two(const struct search *search, struct steps *steps)
{
	struct steps best;
	best.cost = INFINITY;
	for (size_t i = 0; i < steps->count; i++)
		for (size_t next = i + 1; next < steps->count && next <= i + 2; next++)
			if (steps->items[next].ln_reach - steps->items[i].ln_reach < MERGE_LN)
				try_merged(search, steps, i, next, &best);
	if (!(best.cost < steps->cost + WORTH_REFINING))
		return false;
	search_sort(search, &best);
	search_refine(search, &best);
	return take_cheaper(&best, steps);
}

/* The one that was added last, with those next to it. */
static void refine_added(const struct search *search, struct steps *steps)
{
	double ln_reach = steps->items[steps->count - 1].ln_reach;
	size_t at = 0;
	search_sort(search, steps);
	while (steps->items[at].ln_reach < ln_reach)
		at++;
	search_settle(search, steps);
	refine_from(search, at, at + 1, steps);
}

/* The best of places that are solved, if it is worth it. */
static bool take_place(const struct search *search, struct steps places[PLACES], size_t count,
		       struct steps *steps)
{
	struct steps best = *steps;
	for (size_t i = 0; i < count; i++) {
		refine_added(search, &places[i]);
		if (all_are_carried(search, &places[i]))
			take_cheaper(&places[i], &best);
	}
	return take_cheaper(&best, steps);
}

static bool add_step(const struct search *search, struct steps *steps)
{
	struct steps places[PLACES];
	size_t count = steps->count < STEPS_MOST ? find_places(search, steps, places) : 0;
	return take_place(search, places, count, steps);
}

/* A step may stand where a better one should be, or hide two others. The best place for it is most
 * often where it was: not that one. */
static bool replace_step(const struct search *search, struct steps *steps)
{
	struct steps places[PLACES], found[PLACES];
	size_t count = 0;
	for (size_t i = 0; i < steps->count; i++) {
		struct steps rest = without(search, steps, i);
		search_settle(search, &rest);
		size_t more = find_places(search, &rest, found);
		for (size_t k = 0; k < more; k++) {
			double ln_reach = found[k].items[rest.count].ln_reach;
			if (fabs(ln_reach - steps->items[i].ln_reach) > PLACES_APART)
				count = insert_place(&found[k], places, count);
		}
	}
	return take_place(search, places, count, steps);
}

/* Both halves of a step at `ln_left` and `ln_right`, of all pairs of shapes that stand for others.
 */
static void try_halves(const struct search *search, const struct steps *steps, size_t which,
		       double ln_left, double ln_right, struct steps kept[SEARCH_KEPT])
{
	for (size_t left = 0; left < shapes_count(); left++)
		for (size_t right = 0; right < shapes_count(); right++) {
			if (search_is_over(search) || !shapes_is_seed(left) ||
			    !search_allows(search, left, ln_left) || !shapes_is_seed(right) ||
			    !search_allows(search, right, ln_right))
				continue;
			struct steps trial = *steps;
			trial.items[which] = (struct step){.ln_reach = ln_left, .shape = left};
			trial.items[trial.count++] =
				(struct step){.ln_reach = ln_right, .shape = right};
			if (search_is_crowded(search, &trial, &trial.items[which]) ||
			    search_is_crowded(search, &trial, &trial.items[trial.count - 1]))
				continue;
			steps_solve_below(search->problem, kept[SEARCH_KEPT - 1].cost, &trial);
			search_keep_among(&trial, which, trial.count - 1, kept);
		}
}

/* Into the list of places; how many there are then. */
static size_t split_one(const struct search *search, const struct steps *steps, size_t which,
			struct steps places[PLACES], size_t found)
{
	static const double apart[] = {0.1, 0.3, 0.5, 0.7, 0.9, 1.1};
	const size_t count = sizeof(apart) / sizeof(*apart);
	double ln_reach = steps->items[which].ln_reach;
	struct steps kept[SEARCH_KEPT];
	search_keep_none(kept);
	for (size_t a = 0; a < count; a++)
		for (size_t b = 0; b < count; b++)
			try_halves(search, steps, which, ln_reach - apart[a], ln_reach + apart[b],
				   kept);
	for (size_t i = 0; i < SEARCH_KEPT && isfinite(kept[i].cost); i++) {
		search_settle(search, &kept[i]);
		found = insert_place(&kept[i], places, found);
	}
	return found;
}

/* One gradual step that took the place of two steep ones: no third that is added tells. */
static bool split_step(const struct search *search, struct steps *steps)
{
	struct steps places[PLACES], best = *steps;
	size_t count = 0;
	for (size_t which = 0; which < steps->count && steps->count < STEPS_MOST; which++) {
		const struct step *step = &steps->items[which];
		if (!step->translation && shapes_class(step->shape) != SHAPE_LRU)
			count = split_one(search, steps, which, places, count);
	}
	for (size_t i = 0; i < count && places[i].cost < steps->cost + WORTH_REFINING; i++) {
		search_sort(search, &places[i]);
		search_refine(search, &places[i]);
		if (all_are_carried(search, &places[i]))
			take_cheaper(&places[i], &best);
	}
	return take_cheaper(&best, steps);
}

static void settle_all(const struct search *search, struct steps *steps)
{
	search_sort(search, steps);
	search_settle(search, steps);
	search_refine(search, steps);
}

/* So many steps are of no memory hierarchy: which of them are which is not worth the time. */
static void cut_crowded(const struct search *search, const struct steps *steps)
{
	if (steps->count > MOST_USUAL)
		budget_cut(search->problem->budget);
}

/* One step more, less, or in other pieces, until nothing of that is worth it. */
static void change_count(const struct search *search, struct steps *steps)
{
	for (int round = 0; round < ROUNDS_MOST; round++) {
		bool changed = add_step(search, steps) || split_step(search, steps) ||
			       merge_two(search, steps) || drop_weakest(search, steps);
		search_sort(search, steps);
		if (!changed)
			return;
		cut_crowded(search, steps);
		search_refine(search, steps);
	}
}

/* Where points far from the model count for nothing, the first steps would be content to explain
 * some plateaus. So all points pull at first. */
void hierarchy_search(const struct steps_problem *problem, const struct hierarchy_options *options,
		      double hopeless, struct steps *steps)
{
	struct steps_problem pulling = *problem;
	struct search first = {&pulling, options};
	pulling.outlying = OUTLYING_AT_FIRST;
	*steps = (struct steps){0};
	steps_solve(&pulling, steps);
	while (add_step(&first, steps)) {
		search_sort(&first, steps);
		cut_crowded(&first, steps);
	}
	hierarchy_adapt(problem, options, hopeless, steps);
}

void hierarchy_adapt(const struct steps_problem *problem, const struct hierarchy_options *options,
		     double hopeless, struct steps *steps)
{
	struct search search = {problem, options};
	settle_all(&search, steps);
	if (steps->cost < hopeless)
		change_count(&search, steps);
}

void hierarchy_assign(const struct steps_problem *problem, const struct hierarchy_options *options,
		      bool translation, size_t which, struct steps *steps)
{
	struct search search = {problem, options};
	struct steps best = *steps;
	best.cost = INFINITY;
	if (translation)
		search_try_translation(&search, steps, which, &best);
	else
		search_try_cache_shapes(&search, steps, which, &best);
	if (isfinite(best.cost))
		*steps = best;
	search_sort(&search, steps);
}

/* Translation that takes longer than it can may stand for a cache whose curve was never near, and a
 * cache that adds little for translation: while others are wrong as well, no one change that is
 * worth it leads there. So it is taken for the other, all others settle, and only then the count
 * may change. */
static void replace_unusual(const struct search *search, struct steps *steps)
{
	const struct steps start = *steps;
	for (size_t i = 0; search->options->translation && i < start.count; i++) {
		struct hierarchy_options settling = *search->options;
		struct steps trial = start;
		settling.translation = step_is_low(&start, i);
		if (!settling.translation && !step_is_steep(search->problem, &start, i))
			continue;
		hierarchy_assign(search->problem, &settling, settling.translation, i, &trial);
		settle_all(&(struct search){search->problem, &settling}, &trial);
		change_count(search, &trial);
		take_cheaper(&trial, steps);
	}
}

void hierarchy_improve(const struct steps_problem *problem, const struct hierarchy_options *options,
		       struct steps *steps)
{
	struct search search = {problem, options};
	double counted = INFINITY, paired = INFINITY; /* at these costs that was tried */
	settle_all(&search, steps);
	if (problem->curve_count > 1) /* a lone curve does not tell */
		replace_unusual(&search, steps);
	for (int round = 0; round < ROUNDS_MOST; round++) {
		double before = steps->cost;
		if (steps->cost < counted - WORTH_AGAIN) {
			change_count(&search, steps);
			if (steps->cost > counted) /* what is added is dropped again */
				break;
			counted = steps->cost;
		}
		if (steps->cost < paired - WORTH_AGAIN) {
			paired = steps->cost;
			search_refine_pairs(&search, steps);
			search_sort(&search, steps);
		}
		if (steps->cost > before - LEAST_FALL && !replace_step(&search, steps))
			break;
	}
	search_polish(&search, steps);
}

double hierarchy_gain(const struct steps_problem *problem, const struct steps *steps, size_t which)
{
	struct search search = {problem, NULL};
	struct steps rest = without(&search, steps, which);
	return (rest.cost - step_worths(&rest)) - (steps->cost - step_worths(steps));
}
