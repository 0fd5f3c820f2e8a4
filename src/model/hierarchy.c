#include "model/hierarchy.h"

#include <math.h>
#include <nlopt.h>
#include <stdlib.h>
#include <string.h>

#define GRID_STEP         0.1155 /* of ln size between candidates: six an octave */
#define CACHE_APART       0.40   /* ln: nearer caches are one, whose shape is not in the table */
#define WALK_APART        0.30
#define PLACES            4   /* for one more step, of which the first that is worth it is taken */
#define PLACES_APART      0.5 /* ln */
#define OUTLYING_AT_FIRST 1e-7
#define MERGE_LN          1.6 /* farther apart no shape is both */
#define POLISH_MOST       200 /* evaluations */
#define POLISH_LN         0.12

struct search {
	const struct steps_problem *problem;
	const struct hierarchy_options *options;
};

/* ---- candidates ---- */

static bool crowded(const struct steps *steps, const struct step *step)
{
	for (size_t i = 0; i < steps->count; i++) {
		const struct step *other = &steps->items[i];
		double apart = other->translation && step->translation ? WALK_APART : CACHE_APART;
		if (other != step && other->translation == step->translation &&
		    fabs(other->ln_reach - step->ln_reach) < apart)
			return true;
	}
	return false;
}

static bool class_allowed(const struct search *search, size_t shape)
{
	return search->options->classes & SHAPE_CLASS_BIT(shapes_class(shape));
}

/* Keeps the trial where it is better. */
static void keep_better(const struct search *search, const struct steps *trial, struct steps *best)
{
	struct steps solved = *trial;
	steps_solve(search->problem, &solved);
	if (solved.cost < best->cost)
		*best = solved;
}

static void try_candidate(const struct search *search, const struct steps *steps,
			  const struct step *step, struct steps *best)
{
	struct steps trial = *steps;
	if (crowded(steps, step))
		return;
	trial.items[trial.count++] = *step;
	keep_better(search, &trial, best);
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
		best.cost = INFINITY;
		for (size_t shape = 0; shape < shapes_count(); shape++) {
			struct step step = {.ln_reach = ln, .shape = shape};
			if (shapes_is_seed(shape) && class_allowed(search, shape))
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

/* ---- refinement ---- */

static const double offsets[] = {-0.35, -0.2, -0.1, -0.05, -0.02, 0.02, 0.05, 0.1, 0.2, 0.35};
static const double shape_offsets[] = {-0.3, -0.15, 0, 0.15, 0.3};

static void move_step(const struct search *search, size_t which, struct steps *steps)
{
	struct steps best = *steps;
	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		struct steps trial = *steps;
		trial.items[which].ln_reach += offsets[i];
		if (!crowded(&trial, &trial.items[which]))
			keep_better(search, &trial, &best);
	}
	*steps = best;
}

/* Of one shape, near where the step is. */
static void try_shape(const struct search *search, const struct steps *steps, size_t which,
		      const struct step *like, struct steps *best)
{
	for (size_t i = 0; i < sizeof(shape_offsets) / sizeof(*shape_offsets); i++) {
		struct steps trial = *steps;
		trial.items[which].ln_reach += shape_offsets[i];
		trial.items[which].shape = like->shape;
		trial.items[which].translation = like->translation;
		if (!crowded(&trial, &trial.items[which]))
			keep_better(search, &trial, best);
	}
}

static void try_cache_shapes(const struct search *search, const struct steps *steps, size_t which,
			     struct steps *best)
{
	for (size_t shape = 0; shape < shapes_count(); shape++)
		if (class_allowed(search, shape))
			try_shape(search, steps, which, &(struct step){.shape = shape}, best);
}

static void try_translation(const struct search *search, const struct steps *steps, size_t which,
			    struct steps *best)
{
	struct step like = {.shape = shapes_translation(), .translation = true};
	try_shape(search, steps, which, &like, best);
}

static void reshape_step(const struct search *search, size_t which, struct steps *steps)
{
	struct steps best = *steps;
	try_cache_shapes(search, steps, which, &best);
	if (search->options->translation)
		try_translation(search, steps, which, &best);
	*steps = best;
}

static void refine_step(const struct search *search, size_t which, struct steps *steps)
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

/* All reaches at once, inside narrow bounds: they pull at each other. */
static void polish_all(const struct search *search, struct steps *steps)
{
	double ln_reach[STEPS_MOST], low[STEPS_MOST], high[STEPS_MOST], cost;
	struct polish polish = {search->problem, steps};
	unsigned count = (unsigned)steps->count;
	nlopt_opt optimizer = count ? nlopt_create(NLOPT_LN_SBPLX, count) : NULL;
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

static void refine_all(const struct search *search, struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		refine_step(search, i, steps);
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

/* Sizes that a step carries most of its rise to. */
static size_t carriers(const struct search *search, const struct step *step)
{
	const struct steps_curve *curve = &search->problem->curves[0];
	size_t count = 0;
	for (size_t i = 0; i < curve->count; i++)
		count += shapes_at(search->problem->shapes, step->shape,
				   curve->ln_size[i] - step->ln_reach)
				 .missed > 0.3;
	return count;
}

static bool drop_weakest(const struct search *search, struct steps *steps)
{
	struct steps best;
	best.cost = INFINITY;
	for (size_t i = 0; i < steps->count; i++) {
		struct steps rest = without(search, steps, i);
		for (size_t k = 0; k < rest.count; k++)
			if (k + 1 >= i && k <= i)
				refine_step(search, k, &rest);
		if (carriers(search, &steps->items[i]) < 2)
			rest.cost -= 1e6;
		if (rest.cost < best.cost)
			best = rest;
	}
	if (steps->count == 0 || best.cost > steps->cost + HIERARCHY_GAIN)
		return false;
	steps_solve(search->problem, &best);
	*steps = best;
	return true;
}

/* Two caches that one of another shape explains as well are one. */
static bool merge_two(const struct search *search, struct steps *steps)
{
	struct steps best;
	best.cost = INFINITY;
	for (size_t i = 0; i + 1 < steps->count; i++) {
		size_t next = i + 1;
		while (next < steps->count && steps->items[next].translation)
			next++;
		if (steps->items[i].translation || next == steps->count ||
		    steps->items[next].ln_reach - steps->items[i].ln_reach > MERGE_LN)
			continue;
		struct steps rest = without(search, steps, next);
		rest.cost = INFINITY;
		for (double ln = steps->items[i].ln_reach - 0.1;
		     ln < steps->items[next].ln_reach + 0.45; ln += 0.05)
			for (size_t shape = 0; shape < shapes_count(); shape++) {
				struct steps trial = rest;
				trial.items[i].ln_reach = ln;
				trial.items[i].shape = shape;
				if (class_allowed(search, shape))
					keep_better(search, &trial, &best);
			}
	}
	if (!(best.cost < steps->cost + HIERARCHY_GAIN))
		return false;
	*steps = best;
	return true;
}

static int by_reach(const void *left, const void *right)
{
	const struct step *a = left, *b = right;
	return (a->ln_reach > b->ln_reach) - (a->ln_reach < b->ln_reach);
}

static void sort_steps(const struct search *search, struct steps *steps)
{
	qsort(steps->items, steps->count, sizeof(*steps->items), by_reach);
	steps_solve(search->problem, steps);
}

/* One more step, where it is worth its place: the first such of the best places. */
static bool add_step(const struct search *search, struct steps *steps)
{
	struct steps places[PLACES];
	size_t count = steps->count < STEPS_MOST ? find_places(search, steps, places) : 0;
	for (size_t i = 0; i < count; i++) {
		sort_steps(search, &places[i]);
		refine_all(search, &places[i]);
		if (steps->cost - places[i].cost < HIERARCHY_GAIN)
			continue;
		*steps = places[i];
		return true;
	}
	return false;
}

/* Where points far from the model count for nothing, the first steps would be content to explain
 * some plateaus. So all points pull at first. */
void hierarchy_search(const struct steps_problem *problem, const struct hierarchy_options *options,
		      struct steps *steps)
{
	struct steps_problem pulling = *problem;
	struct search first = {&pulling, options}, search = {problem, options};
	pulling.outlying = OUTLYING_AT_FIRST;
	*steps = (struct steps){0};
	steps_solve(&pulling, steps);
	while (add_step(&first, steps))
		sort_steps(&first, steps);
	sort_steps(&search, steps);
	refine_all(&search, steps);
	while (add_step(&search, steps))
		sort_steps(&search, steps);
	while (merge_two(&search, steps) || drop_weakest(&search, steps))
		sort_steps(&search, steps);
	refine_all(&search, steps);
	sort_steps(&search, steps);
	polish_all(&search, steps);
}

void hierarchy_assign(const struct steps_problem *problem, const struct hierarchy_options *options,
		      bool translation, size_t which, struct steps *steps)
{
	struct search search = {problem, options};
	struct steps best = *steps;
	best.cost = INFINITY;
	if (translation)
		try_translation(&search, steps, which, &best);
	else
		try_cache_shapes(&search, steps, which, &best);
	if (isfinite(best.cost))
		*steps = best;
	sort_steps(&search, steps);
}

double hierarchy_gain(const struct steps_problem *problem, const struct steps *steps, size_t which)
{
	struct search search = {problem, NULL};
	return without(&search, steps, which).cost - steps->cost;
}
