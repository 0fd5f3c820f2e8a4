#include "model/steps/search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/steps/behind.h"
#include "model/steps/prior.h"

#define LARGEST_LN     20.1 /* ln 512 MiB: no core has a larger cache */
#define FEW_ENTRIES_LN 2.4  /* ln 11 */
#define WALK_APART     0.30
#define WORTH_SETTLING 20.0 /* cost over the best */
/* Shapes of a step, the cheapest. Of eleven surveys no model became less likely by more than 1, in
 * ln of the evidence, than where all shapes were settled. */
#define SETTLED 3

bool search_is_over(const struct search *search)
{
	return budget_is_over(search->problem->budget);
}

bool search_is_crowded(const struct search *search, const struct steps *steps,
		       const struct step *step)
{
	if (step->translation && step->ln_reach < search->problem->ln_page + FEW_ENTRIES_LN)
		return true;
	if (!step->translation && step->ln_reach > LARGEST_LN && !search->problem->flat_prior)
		return true;
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *other = &steps->items[i];
		double apart =
			other->translation && step->translation ? WALK_APART : HIERARCHY_ALIKE_LN;
		if (other != step && other->translation == step->translation &&
		    fabs(other->ln_reach - step->ln_reach) < apart)
			return true;
	}
	return false;
}

bool search_allows(const struct search *search, size_t shape, double ln_reach)
{
	if (search->coarse && !shapes_is_seed(shape))
		return false;
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

double search_ln_half(const struct search *search, const struct step *step)
{
	const struct steps_problem *problem = search->problem;
	size_t shape = step->translation ? step->shape : behind_shape(problem, STEPS_MAIN, step);
	double way_pages = step->translation ? 0 : steps_way_pages(problem, shape, step->ln_reach);
	return shapes_ln_half(problem->shapes, shapes_table(shape, way_pages));
}

struct step search_reshaped(const struct search *search, const struct step *step, size_t shape,
			    bool translation)
{
	struct step other = *step;
	other.shape = shape;
	other.translation = translation;
	other.ln_reach += search_ln_half(search, step) - search_ln_half(search, &other);
	return other;
}

/* The cheapest first, of one shape each. */
struct trials {
	struct steps items[SETTLED];
	size_t count;
};

static void add_trial(const struct steps *steps, struct trials *trials)
{
	size_t at = trials->count;
	while (at > 0 && trials->items[at - 1].cost > steps->cost)
		at--;
	if (at == SETTLED)
		return;
	trials->count += trials->count < SETTLED;
	memmove(&trials->items[at + 1], &trials->items[at],
		(trials->count - 1 - at) * sizeof(*steps));
	trials->items[at] = *steps;
}

/* The step in that shape, near where it is. */
static void try_shape(const struct search *search, const struct steps *steps, size_t which,
		      size_t shape, bool translation, double limit, struct trials *trials)
{
	struct step like = search_reshaped(search, &steps->items[which], shape, translation);
	struct steps near = {.cost = limit + WORTH_SETTLING};
	for (size_t i = 0; i < sizeof(shape_offsets) / sizeof(*shape_offsets); i++) {
		struct steps trial = *steps;
		trial.items[which] = like;
		trial.items[which].ln_reach += shape_offsets[i];
		if (!search_is_crowded(search, &trial, &trial.items[which]))
			search_keep_better(search, &trial, &near);
	}
	if (near.count > 0)
		add_trial(&near, trials);
}

static void settle_trials(const struct search *search, const struct trials *trials,
			  struct steps *best)
{
	for (size_t i = 0; i < trials->count; i++)
		settle_better(search, &trials->items[i], best);
}

void search_try_cache_shapes(const struct search *search, const struct steps *steps, size_t which,
			     struct steps *best)
{
	bool first = prior_is_first_cache(steps, which);
	struct trials trials = {.count = 0};
	for (size_t shape = 0; shape < shapes_count(); shape++)
		if (search_allows(search, shape, steps->items[which].ln_reach) &&
		    !(first && shapes_is_victim(shape)))
			try_shape(search, steps, which, shape, false, best->cost, &trials);
	settle_trials(search, &trials, best);
}

size_t search_tlb_kinds(const struct steps_problem *problem,
			struct search_kind kinds[SEARCH_KINDS_MOST])
{
	static const double colors[] = {0, 4.0 / 3, 2, INFINITY};
	bool chained = steps_widest(problem, true)->role == STEPS_PAGED;
	size_t count = 0;
	for (size_t c = 0; c < (chained ? sizeof(colors) / sizeof(*colors) : 1); c++)
		for (size_t shape = 0; shape < shapes_count(); shape++)
			if (steps_translates(problem, shape) && (c > 0 || !shapes_is_fine(shape)))
				kinds[count++] = (struct search_kind){shape, colors[c]};
	return count;
}

void search_try_translation(const struct search *search, const struct steps *steps, size_t which,
			    struct steps *best)
{
	struct steps like = *steps;
	struct trials trials = {.count = 0};
	struct search_kind kinds[SEARCH_KINDS_MOST];
	size_t count = search_tlb_kinds(search->problem, kinds);
	for (size_t i = 0; i < count; i++) {
		like.items[which].colors = kinds[i].colors;
		if (!search->coarse || shapes_is_seed(kinds[i].shape))
			try_shape(search, &like, which, kinds[i].shape, true, best->cost, &trials);
	}
	settle_trials(search, &trials, best);
}

static void reshape_step(const struct search *search, size_t which, struct steps *steps)
{
	struct steps best = *steps;
	if (!steps->items[which].translation)
		search_try_cache_shapes(search, steps, which, &best);
	else if (steps_widest(search->problem, true)->role == STEPS_PAGED)
		search_try_translation(search, steps, which, &best);
	*steps = best;
}

void search_refine_step(const struct search *search, size_t which, struct steps *steps)
{
	reshape_step(search, which, steps);
	move_step(search, which, steps);
}

void search_refine(const struct search *search, struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		search_refine_step(search, i, steps);
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
