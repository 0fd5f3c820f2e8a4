#include "model/steps/search.h"

#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#include "model/steps/step_price.h"

#define FEW_ENTRIES_LN 2.4  /* ln 11 */
#define CACHE_APART    0.40 /* ln: nearer caches are one, whose shape is not in the table */
#define WALK_APART     0.30
#define POLISH_MOST    200 /* evaluations */
#define POLISH_LN      0.12
#define WORTH_SETTLING 20.0 /* cost over the best */
#define WORTH_REFINING 6.0
#define KINDS_MOST     40 /* of a step: three places for each shape that stands for others */

bool search_is_over(const struct search *search)
{
	return budget_is_over(search->problem->budget);
}

bool search_is_crowded(const struct search *search, const struct steps *steps,
		       const struct step *step)
{
	if (step->translation && step->ln_reach < search->problem->ln_page + FEW_ENTRIES_LN)
		return true;
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *other = &steps->items[i];
		double apart = other->translation && step->translation ? WALK_APART : CACHE_APART;
		if (other != step && other->translation == step->translation &&
		    fabs(other->ln_reach - step->ln_reach) < apart)
			return true;
	}
	return false;
}

bool search_allows(const struct search *search, size_t shape, double ln_reach)
{
	if (shapes_is_fine(shape) && steps_way_pages(search->problem, shape, ln_reach) <= 1)
		return false;
	return search->options->classes & SHAPE_CLASS_BIT(shapes_class(shape));
}

void search_keep_better(const struct search *search, const struct steps *trial, struct steps *best)
{
	struct steps solved = *trial;
	if (search_is_over(search))
		return;
	steps_solve_below(search->problem, best->cost, &solved);
	if (solved.cost < best->cost)
		*best = solved;
}

static const double offsets[] = {-0.35, -0.2, -0.1, 0.1, 0.2, 0.35};
static const double shape_offsets[] = {-0.15, 0, 0.15};

static bool any_crowded(const struct search *search, const struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		if (search_is_crowded(search, steps, &steps->items[i]))
			return true;
	return false;
}

static void settle_below(const struct search *search, double limit, struct steps *steps)
{
	struct steps settled = *steps;
	if (search_is_over(search))
		return;
	steps_settle_below(search->problem, limit, &settled);
	if (!any_crowded(search, &settled))
		*steps = settled;
}

void search_settle(const struct search *search, struct steps *steps)
{
	settle_below(search, INFINITY, steps);
}

/* What is not far from the best may be better once all reaches are where they cost least. Of a cost
 * that is not finite it is no solution at all. */
static void settle_better(const struct search *search, const struct steps *trial,
			  struct steps *best)
{
	struct steps settled = *trial;
	if (!isfinite(trial->cost) || trial->cost > best->cost + WORTH_SETTLING)
		return;
	settle_below(search, best->cost, &settled);
	if (settled.cost < best->cost)
		*best = settled;
}

static void move_step(const struct search *search, size_t which, struct steps *steps)
{
	struct steps best = *steps;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets) && !search_is_over(search); i++) {
		struct steps trial = *steps;
		trial.items[which].ln_reach += offsets[i];
		if (search_is_crowded(search, &trial, &trial.items[which]))
			continue;
		steps_solve_below(search->problem, best.cost + WORTH_SETTLING, &trial);
		settle_better(search, &trial, &best);
	}
	*steps = best;
}

static double ln_half(const struct search *search, const struct step *step)
{
	double way_pages = step->translation
				   ? 0
				   : steps_way_pages(search->problem, step->shape, step->ln_reach);
	return shapes_ln_half(search->problem->shapes, shapes_table(step->shape, way_pages));
}

/* The step in another shape that misses half at the same size. */
static struct step reshaped(const struct search *search, const struct step *step, size_t shape,
			    bool translation)
{
	struct step other = *step;
	other.shape = shape;
	other.translation = translation;
	other.ln_reach += ln_half(search, step) - ln_half(search, &other);
	return other;
}

void search_try_shape(const struct search *search, const struct steps *steps, size_t which,
		      size_t shape, bool translation, struct steps *best)
{
	struct step like = reshaped(search, &steps->items[which], shape, translation);
	double worth = best->cost + WORTH_SETTLING;
	struct steps near = {.cost = worth};
	for (size_t i = 0; i < sizeof(shape_offsets) / sizeof(*shape_offsets); i++) {
		struct steps trial = *steps;
		trial.items[which] = like;
		trial.items[which].ln_reach += shape_offsets[i];
		if (!search_is_crowded(search, &trial, &trial.items[which]))
			search_keep_better(search, &trial, &near);
	}
	if (near.cost < worth)
		settle_better(search, &near, best);
}

void search_try_cache_shapes(const struct search *search, const struct steps *steps, size_t which,
			     struct steps *best)
{
	bool first = step_is_first_cache(steps, which);
	for (size_t shape = 0; shape < shapes_count(); shape++)
		if (search_allows(search, shape, steps->items[which].ln_reach) &&
		    !(first && shapes_is_victim(shape)))
			search_try_shape(search, steps, which, shape, false, best);
}

void search_try_translation(const struct search *search, const struct steps *steps, size_t which,
			    struct steps *best)
{
	search_try_shape(search, steps, which, shapes_translation(), true, best);
}

static void reshape_step(const struct search *search, size_t which, struct steps *steps)
{
	struct steps best = *steps;
	search_try_cache_shapes(search, steps, which, &best);
	if (search->options->translation)
		search_try_translation(search, steps, which, &best);
	*steps = best;
}

void search_refine_step(const struct search *search, size_t which, struct steps *steps)
{
	reshape_step(search, which, steps);
	move_step(search, which, steps);
}

struct polish {
	const struct steps_problem *problem;
	const struct steps *steps;
};

static double polish_cost(unsigned count, const double *ln_reach, double *gradient, void *context)
{
	const struct polish *polish = context;
	struct steps trial = *polish->steps;
	(void)gradient; /* none is asked for */
	for (unsigned i = 0; i < count; i++)
		trial.items[i].ln_reach = ln_reach[i];
	steps_solve(polish->problem, &trial);
	return trial.cost;
}

void search_polish(const struct search *search, struct steps *steps)
{
	double ln_reach[STEPS_MOST], low[STEPS_MOST], high[STEPS_MOST], cost;
	struct polish polish = {search->problem, steps};
	unsigned count = (unsigned)steps->count;
	bool worth = count && !search_is_over(search);
	nlopt_opt optimizer = worth ? nlopt_create(NLOPT_LN_SBPLX, count) : NULL;
	if (!optimizer)
		return;
	for (unsigned i = 0; i < count; i++) {
		ln_reach[i] = steps->items[i].ln_reach;
		low[i] = ln_reach[i] - POLISH_LN;
		high[i] = ln_reach[i] + POLISH_LN;
	}
	nlopt_set_min_objective(optimizer, polish_cost, &polish);
	nlopt_set_lower_bounds(optimizer, low);
	nlopt_set_upper_bounds(optimizer, high);
	nlopt_set_initial_step1(optimizer, POLISH_LN / 4);
	nlopt_set_xtol_abs1(optimizer, 1e-3);
	nlopt_set_maxeval(optimizer, POLISH_MOST);
	int status = nlopt_optimize(optimizer, ln_reach, &cost);
	nlopt_destroy(optimizer);
	if (status < 0 || !(cost < steps->cost))
		return;
	for (unsigned i = 0; i < count; i++)
		steps->items[i].ln_reach = ln_reach[i];
	steps_solve(search->problem, steps);
}

void search_refine(const struct search *search, struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		search_refine_step(search, i, steps);
}

/* ---- two at once ---- */

/* The step as it is, and in the shapes that stand for others, or of translation, about where that
 * one would miss half at the same size. How many. */
static size_t list_kinds(const struct search *search, const struct step *step,
			 struct step kinds[KINDS_MOST])
{
	static const double apart[] = {-0.15, 0.15};
	size_t count = 0;
	kinds[count++] = *step;
	for (size_t shape = 0; shape <= shapes_count() && count + 3 <= KINDS_MOST; shape++) {
		bool translation = shape == shapes_count();
		if (translation ? !search->options->translation
				: !shapes_is_seed(shape) ||
					  !search_allows(search, shape, step->ln_reach))
			continue;
		for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
			kinds[count] =
				reshaped(search, step, translation ? shapes_translation() : shape,
					 translation);
			kinds[count++].ln_reach += apart[i];
		}
	}
	return count;
}

static bool is_of_kind(const struct step *step, const struct step *other)
{
	return step->shape == other->shape && step->translation == other->translation;
}

void search_keep_none(struct steps kept[SEARCH_KEPT])
{
	for (size_t i = 0; i < SEARCH_KEPT; i++)
		kept[i].cost = INFINITY;
}

void search_keep_among(const struct steps *trial, size_t left, size_t right,
		       struct steps kept[SEARCH_KEPT])
{
	size_t end = SEARCH_KEPT - 1;
	for (size_t i = 0; i < SEARCH_KEPT && isfinite(kept[i].cost); i++)
		if (is_of_kind(&kept[i].items[left], &trial->items[left]) &&
		    is_of_kind(&kept[i].items[right], &trial->items[right]))
			end = i;
	if (kept[end].cost <= trial->cost)
		return;
	size_t at = end;
	while (at > 0 && kept[at - 1].cost > trial->cost)
		at--;
	memmove(kept + at + 1, kept + at, (end - at) * sizeof(*kept));
	kept[at] = *trial;
}

static void refine_pair(const struct search *search, size_t left, size_t right, struct steps *steps)
{
	struct step lefts[KINDS_MOST], rights[KINDS_MOST];
	struct steps best[SEARCH_KEPT];
	size_t left_count = list_kinds(search, &steps->items[left], lefts);
	size_t right_count = list_kinds(search, &steps->items[right], rights);
	search_keep_none(best);
	for (size_t a = 0; a < left_count; a++)
		for (size_t b = 0; b < right_count && !search_is_over(search); b++) {
			struct steps trial = *steps;
			trial.items[left] = lefts[a];
			trial.items[right] = rights[b];
			if (any_crowded(search, &trial))
				continue;
			steps_solve_below(search->problem, best[SEARCH_KEPT - 1].cost, &trial);
			search_keep_among(&trial, left, right, best);
		}
	for (size_t i = 0; i < SEARCH_KEPT && isfinite(best[i].cost); i++) {
		settle_below(search, steps->cost + WORTH_REFINING, &best[i]);
		if (best[i].cost > steps->cost + WORTH_REFINING)
			continue;
		search_refine_step(search, left, &best[i]);
		search_refine_step(search, right, &best[i]);
		if (best[i].cost < steps->cost)
			*steps = best[i];
	}
}

void search_refine_pairs(const struct search *search, struct steps *steps)
{
	for (size_t left = 0; left < steps->count; left++)
		for (size_t right = left + 1; right < steps->count && right <= left + 2; right++)
			refine_pair(search, left, right, steps);
}

static int by_reach(const void *left, const void *right)
{
	const struct step *a = left, *b = right;
	return (a->ln_reach > b->ln_reach) - (a->ln_reach < b->ln_reach);
}

void search_sort(const struct search *search, struct steps *steps)
{
	qsort(steps->items, steps->count, sizeof(*steps->items), by_reach);
	steps_solve_again(search->problem, steps);
}
