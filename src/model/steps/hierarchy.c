#include "model/steps/hierarchy.h"

#include <math.h>
#include <string.h>

#include "model/steps/search.h"

#define GRID_STEP      0.1155 /* of ln size between candidates: six an octave */
#define PLACES         5      /* for one more step */
#define PLACES_APART   0.5    /* ln */
#define CANDIDATES     800    /* places times kinds */
#define REFINED_MOST   4      /* a bound of work */
#define NEAR           8.0    /* cost over the best: dearer ones are not opened, ... */
#define WORTH_REFINING 24.0   /* ... nor refined where they are dearer still */
#define WORTH_OF_CHAINS                                                                            \
	100.0 /* of chains alone: their errors are of 0.3 %, so a cache whose TLB is not found yet \
		 costs as much as that over the best */
#define PULLING        1e-4 /* of the density of outliers */
#define FEWEST_ON_RISE 2    /* sizes: one alone is an outlier */
#define SAME_LN        0.12 /* two steps nearer than that are the same */

/* Hypotheses that are opened. With chains, whose beginning is near the end, no more than again: a
 * third helped in none of eight surveys. */
static const int opened_most[] = {
	[HIERARCHY_WHOLE] = 6, [HIERARCHY_AGAIN] = 2, [HIERARCHY_LOOK] = 1};

/* What a search needs, in the scratch of its problem: too much for a small stack. */
struct room {
	struct hypotheses grown, own, rough;
	struct step candidates[CANDIDATES];
	double gains[CANDIDATES];
};
_Static_assert(sizeof(struct room) <= STEPS_SEARCH_DOUBLES * sizeof(double), "it fits");

static struct room *room_of(const struct search *search)
{
	return (struct room *)(void *)steps_search_room(search->problem);
}

/* ---- the list ---- */

bool hypotheses_are_alike(const struct steps *one, const struct steps *other, double ln_apart)
{
	if (one->count != other->count)
		return false;
	for (size_t i = 0; i < one->count; i++)
		if (one->items[i].translation != other->items[i].translation ||
		    fabs(one->items[i].ln_reach - other->items[i].ln_reach) > ln_apart)
			return false;
	return true;
}

double hypotheses_weight(const struct hypotheses *tried, size_t which)
{
	double more = tried->items[which].steps.unlikely - tried->items[0].steps.unlikely;
	return exp(-more / (2 * HIERARCHY_TEMPER));
}

static void remove_item(struct hypotheses *tried, size_t at)
{
	tried->count--;
	memmove(&tried->items[at], &tried->items[at + 1],
		(tried->count - at) * sizeof(tried->items[0]));
}

static void insert(struct hypotheses *tried, const struct steps *steps, bool opened)
{
	if (tried->count == HYPOTHESES_MOST) {
		if (tried->items[tried->count - 1].steps.unlikely <= steps->unlikely)
			return;
		tried->count--;
	}
	size_t at = tried->count++;
	for (; at > 0 && tried->items[at - 1].steps.unlikely > steps->unlikely; at--)
		tried->items[at] = tried->items[at - 1];
	tried->items[at].steps = *steps;
	tried->items[at].opened = opened;
}

/* Of those alike the cheapest stays; where the list is full, the dearest falls out. */
static void list(const struct search *search, struct steps *steps, struct hypotheses *tried)
{
	bool opened = false;
	steps_weigh(search->problem, steps);
	for (size_t i = 0; i < tried->count; i++) {
		if (!hypotheses_are_alike(&tried->items[i].steps, steps, SAME_LN))
			continue;
		if (tried->items[i].steps.unlikely <= steps->unlikely + 1e-6)
			return;
		opened = tried->items[i].opened &&
			 tried->items[i].steps.unlikely <
				 steps->unlikely + 1; /* hardly anything new */
		remove_item(tried, i);
		break;
	}
	insert(tried, steps, opened);
}

static double best_cost(const struct hypotheses *tried)
{
	return tried->count ? tried->items[0].steps.cost : INFINITY;
}

/* ---- places for one more step ---- */

static size_t first_translation(const struct steps_problem *problem)
{
	size_t shape = 0;
	while (!steps_translates(problem, shape))
		shape++;
	return shape;
}

/* The candidates of a place are side by side. */
static size_t list_candidates(const struct search *search, const struct steps *steps,
			      struct step candidates[CANDIDATES])
{
	const struct steps_problem *problem = search->problem;
	const struct steps_curve *wide[] = {steps_widest(problem, false),
					    steps_widest(problem, true)};
	double low = problem->curves[0].ln_size[0] - 0.2, high = low;
	size_t count = 0;
	for (size_t i = 0; i < 2; i++)
		high = fmax(high, wide[i]->ln_size[wide[i]->count - 1]);
	for (double ln = low; ln < high; ln += GRID_STEP)
		for (size_t shape = 0; shape <= shapes_count() && count < CANDIDATES; shape++) {
			bool translation = shape == shapes_count();
			struct step step = {.ln_reach = ln,
					    .shape = translation ? first_translation(problem)
								 : shape,
					    .translation = translation};
			if (translation ? !search->options->translation
					: !search_allows(search, shape, ln))
				continue;
			if (!search_is_crowded(search, steps, &step))
				candidates[count++] = step;
		}
	return count;
}

/* The candidates that promise most, apart from each other, by steps_gains(). How many. */
static size_t choose_places(const struct search *search, const struct steps *steps, size_t most,
			    struct step places[PLACES])
{
	struct step *candidates = room_of(search)->candidates;
	double *gains = room_of(search)->gains;
	size_t count = list_candidates(search, steps, candidates), chosen = 0;
	steps_gains(search->problem, steps, candidates, count, gains);
	while (chosen < most) {
		size_t best = count;
		for (size_t i = 0; i < count; i++)
			if (gains[i] > 0 && (best == count || gains[i] > gains[best]))
				best = i;
		if (best == count)
			break;
		places[chosen++] = candidates[best];
		for (size_t i = 0; i < count; i++)
			if (fabs(candidates[i].ln_reach - candidates[best].ln_reach) < PLACES_APART)
				gains[i] = 0;
	}
	return chosen;
}

/* Sizes that a step carries most of its rise to. */
static size_t points_on_rise(const struct search *search, const struct steps *steps, size_t which)
{
	const struct steps_problem *problem = search->problem;
	const struct steps_curve *curve = steps_showing(problem, &steps->items[which]);
	size_t at = (size_t)(curve - problem->curves), count = 0;
	for (size_t i = 0; i < curve->count; i++)
		count += steps_missed(problem, steps, which, at, curve->ln_size[i]) > 0.3;
	return count;
}

/* Does each rise, at some sizes at least? */
static bool all_are_carried(const struct search *search, const struct steps *steps)
{
	for (size_t i = 0; i < steps->count; i++)
		if (!(steps->items[i].rise[0] > 0) ||
		    points_on_rise(search, steps, i) < FEWEST_ON_RISE)
			return false;
	return true;
}

static bool has_chains(const struct steps_problem *problem)
{
	return steps_widest(problem, true)->role == STEPS_PAGED;
}

static double worth_refining(const struct search *search)
{
	bool alone = has_chains(search->problem) && !search->options->polish;
	return alone ? WORTH_OF_CHAINS : WORTH_REFINING;
}

/* Steps that were changed at a size: settled, and where that is worth it the shapes next to it are
 * chosen anew. Into the list. */
static void finish(const struct search *search, double ln_changed, struct steps *steps,
		   struct hypotheses *tried)
{
	search_sort(search, steps);
	search_settle(search, steps);
	if (steps->cost > best_cost(tried) + worth_refining(search) || search_is_over(search))
		return;
	size_t at = 0;
	while (at < steps->count && steps->items[at].ln_reach < ln_changed - SAME_LN)
		at++;
	for (size_t k = at ? at - 1 : 0; k < steps->count && k <= at + 1; k++)
		search_refine_step(search, k, steps);
	search_sort(search, steps);
	if (all_are_carried(search, steps))
		list(search, steps, tried);
}

/* One more there, of translation or of a cache of the best shape. */
static void place(const struct search *search, const struct steps *steps, const struct step *step,
		  bool translation, struct hypotheses *tried)
{
	const struct search fine = {search->problem, search->options, false};
	struct steps placed = {.cost = INFINITY};
	for (size_t shape = 0; shape < shapes_count(); shape++) {
		struct steps trial = *steps;
		if (translation ? !steps_translates(search->problem, shape)
				: !search_allows(&fine, shape, step->ln_reach))
			continue;
		trial.items[trial.count] = search_reshaped(search, step, shape, translation);
		if (!search_is_crowded(search, steps, &trial.items[trial.count++]))
			search_keep_better(search, &trial, &placed);
	}
	if (placed.count > steps->count)
		finish(search, step->ln_reach, &placed, tried);
}

static void add_steps(const struct search *search, const struct steps *steps, size_t most,
		      struct hypotheses *tried)
{
	struct step places[PLACES];
	size_t count = steps->count < STEPS_MOST ? choose_places(search, steps, most, places) : 0;
	for (size_t i = 0; i < count && !search_is_over(search); i++) {
		place(search, steps, &places[i], false, tried);
		if (search->options->translation)
			place(search, steps, &places[i], true, tried);
	}
}

/* ---- one step less, or of another kind ---- */

static struct steps without(const struct search *search, const struct steps *steps, size_t which)
{
	struct steps rest = *steps;
	rest.count--;
	memmove(rest.items + which, rest.items + which + 1,
		(rest.count - which) * sizeof(*rest.items));
	steps_solve(search->problem, &rest);
	return rest;
}

/* Left out, and in its stead another elsewhere. */
static void change_step(const struct search *search, const struct steps *steps, size_t which,
			struct hypotheses *tried)
{
	const struct step *step = &steps->items[which];
	struct steps rest = without(search, steps, which), other = *steps;
	search_settle(search, &rest);
	add_steps(search, &rest, 2, tried);
	finish(search, step->ln_reach, &rest, tried);
	if (!search->options->translation)
		return;
	hierarchy_assign(search->problem, search->options, !step->translation, which, &other);
	finish(search, step->ln_reach, &other, tried);
}

/* As two: one gradual step may stand for two steep ones, or for a small and a large one. */
static void split_step(const struct search *search, const struct steps *steps, size_t which,
		       struct hypotheses *tried)
{
	static const double apart[][2] = {{-0.7, 0.25}, {-0.35, 0.35}, {-0.25, 0.7}};
	struct steps best = {.cost = INFINITY};
	const struct step *step = &steps->items[which];
	if (step->translation || steps->count == STEPS_MOST)
		return;
	for (size_t left = 0; left < SHAPE_CLASS_COUNT; left++)
		for (size_t right = 0; right < SHAPE_CLASS_COUNT; right++)
			for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
				struct steps trial = *steps;
				struct step *one = &trial.items[which];
				struct step *other = &trial.items[trial.count++];
				*one = search_reshaped(search, step,
						       shapes_first((enum shape_class)left), false);
				*other = search_reshaped(
					search, step, shapes_first((enum shape_class)right), false);
				one->ln_reach += apart[i][0];
				other->ln_reach += apart[i][1];
				if (search_allows(search, one->shape, one->ln_reach) &&
				    search_allows(search, other->shape, other->ln_reach) &&
				    !search_is_crowded(search, &trial, one) &&
				    !search_is_crowded(search, &trial, other))
					search_keep_better(search, &trial, &best);
			}
	if (isfinite(best.cost))
		finish(search, step->ln_reach, &best, tried);
}

static void open(const struct search *search, const struct steps *steps, struct hypotheses *tried)
{
	add_steps(search, steps, PLACES, tried);
	for (size_t i = 0; i < steps->count && !search_is_over(search); i++) {
		change_step(search, steps, i, tried);
		split_step(search, steps, i, tried);
	}
}

/* Where points far from the model count for nothing, the first steps would be content to explain
 * some plateaus. So all points pull at first, and steps are only added. */
static void grow(const struct steps_problem *problem, const struct hierarchy_options *options,
		 struct hypotheses *grown)
{
	struct steps_problem pulling = *problem;
	struct search search = {&pulling, options, true};
	struct steps none = {0};
	pulling.outlying = PULLING * problem->outlying;
	steps_solve(&pulling, &none);
	list(&search, &none, grown);
	while (!grown->items[0].opened && !search_is_over(&search)) {
		struct steps best = grown->items[0].steps;
		grown->items[0].opened = true;
		add_steps(&search, &best, PLACES, grown);
	}
}

/* Those near the best in all shapes. */
static void refine_likely(const struct search *coarse, struct hypotheses *tried)
{
	struct search search = {coarse->problem, coarse->options, false};
	struct hypotheses *rough = &room_of(coarse)->rough;
	*rough = *tried;
	for (size_t i = 0; i < rough->count && i < REFINED_MOST; i++) {
		struct steps steps = rough->items[i].steps;
		if (steps.unlikely > rough->items[0].steps.unlikely + NEAR)
			break;
		search_refine(&search, &steps);
		search_sort(&search, &steps);
		search_settle(&search, &steps);
		list(&search, &steps, tried);
	}
}

void hierarchy_find(const struct steps_problem *problem, const struct hierarchy_options *options,
		    struct steps *steps, struct hypotheses *tried)
{
	struct search search = {problem, options, true};
	struct room *room = room_of(&search);
	struct hypotheses *all = tried ? tried : &room->own, *grown = &room->grown;
	all->count = grown->count = 0;
	if (steps->count == 0)
		grow(problem, options, grown);
	else
		insert(grown, steps, false);
	for (size_t i = 0; i < grown->count; i++) {
		steps_solve_again(problem, &grown->items[i].steps);
		list(&search, &grown->items[i].steps, all);
	}
	int most = opened_most[options->effort];
	if (has_chains(problem))
		most = most < opened_most[HIERARCHY_AGAIN] ? most : opened_most[HIERARCHY_AGAIN];
	for (int opened = 0; opened < most && !search_is_over(&search); opened++) {
		size_t next = 0;
		while (next < all->count && all->items[next].opened)
			next++;
		if (next == all->count ||
		    all->items[next].steps.unlikely > all->items[0].steps.unlikely + NEAR)
			break;
		struct steps from = all->items[next].steps;
		all->items[next].opened = true;
		open(&search, &from, all);
	}
	if (options->effort != HIERARCHY_LOOK)
		refine_likely(&search, all);
	*steps = all->items[0].steps;
}

void hierarchy_assign(const struct steps_problem *problem, const struct hierarchy_options *options,
		      bool translation, size_t which, struct steps *steps)
{
	struct search search = {problem, options, false};
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

/* ---- how sure is a kind? ---- */

/* ln of the size at which half is missed. */
static double half_of(const struct search *search, const struct step *step)
{
	return step->ln_reach + search_ln_half(search, step);
}

/* Does one of another hypothesis stand for that step? */
static bool stands_for(const struct search *search, const struct steps *steps, size_t which,
		       const struct step *other)
{
	double ln_half = half_of(search, other);
	double apart = fabs(half_of(search, &steps->items[which]) - ln_half);
	for (size_t i = 0; i < steps->count; i++)
		if (i != which && steps->items[i].translation == other->translation &&
		    fabs(half_of(search, &steps->items[i]) - ln_half) < apart)
			return false;
	return apart < HIERARCHY_ALIKE_LN;
}

size_t hierarchy_caches_before(const struct steps_problem *problem, const struct hypotheses *tried,
			       const struct steps *steps, size_t which, double sure)
{
	const struct search search = {problem, NULL, false};
	double ln_before = half_of(&search, &steps->items[which]) - HIERARCHY_ALIKE_LN;
	double with[STEPS_MOST + 1] = {0}; /* so many or more */
	for (size_t h = 0; h < tried->count; h++) {
		const struct steps *other = &tried->items[h].steps;
		size_t count = 0;
		with[0] += hypotheses_weight(tried, h);
		for (size_t s = 0; s < other->count; s++)
			if (!other->items[s].translation &&
			    half_of(&search, &other->items[s]) < ln_before)
				with[++count] += hypotheses_weight(tried, h);
	}
	size_t before = 0;
	while (before < STEPS_MOST && with[before + 1] >= sure * with[0] && with[0] > 0)
		before++;
	return before;
}

struct hierarchy_odds hierarchy_odds(const struct steps_problem *problem,
				     const struct hypotheses *tried, const struct steps *steps,
				     size_t which)
{
	const struct search search = {problem, NULL, false};
	const struct step *step = &steps->items[which];
	struct hierarchy_odds odds = {0};
	double *like = step->translation ? &odds.translation : &odds.cache;
	double *unlike = step->translation ? &odds.cache : &odds.translation;
	for (size_t h = 0; h < tried->count; h++) {
		const struct steps *other = &tried->items[h].steps;
		bool near[2] = {false, false}; /* a cache, translation */
		for (size_t s = 0; s < other->count; s++)
			near[other->items[s].translation] |=
				stands_for(&search, steps, which, &other->items[s]);
		*(near[step->translation]    ? like
		  : near[!step->translation] ? unlike
					     : &odds.absent) += hypotheses_weight(tried, h);
	}
	double sum = odds.cache + odds.translation + odds.absent;
	return (struct hierarchy_odds){odds.cache / sum, odds.translation / sum, odds.absent / sum};
}

void hierarchy_merge(const struct hypotheses *others, double rarity, struct hypotheses *tried)
{
	for (size_t i = 0; i < others->count; i++) {
		struct steps steps = others->items[i].steps;
		steps.unlikely += rarity;
		insert(tried, &steps, true);
	}
}
