/* Which structure is cheaper: of so many keys, and where two change places. */
#include <math.h>
#include <string.h>

#include "model/predict/structure.h"
#include "views/experiments/experiments.h"

#define MOST_CROSSOVERS 12 /* shown, unless all are asked for */

static bool is_lookup(const struct fathom_prediction *one)
{
	const struct structure *structure = structure_find(one->structure);
	return structure && strcmp(structure->operation, "lookup") == 0;
}

/* Of as many keys, in the same way. */
static bool is_alike(const struct fathom_prediction *one, const struct fathom_prediction *other)
{
	return one->keys == other->keys && one->mode == other->mode;
}

static const struct fathom_prediction *find_cheapest(const struct fathom_result *result,
						     const struct fathom_prediction *like)
{
	const struct fathom_prediction *best = NULL;
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		if (is_lookup(one) && is_alike(one, like) &&
		    (!best || one->predicted_ns < best->predicted_ns))
			best = one;
	}
	return best;
}

static void add_meets(struct text *line, size_t meets, size_t rivals)
{
	if (meets == 0)
		text_add(line, "beyond the intervals");
	else if (rivals == 1)
		text_add(line, "but the two intervals meet, so that this is not sure");
	else
		text_add(line, "but its interval meets those of %zu of the %zu others", meets,
			 rivals);
}

/* Of those that are like `like`, where there are several. */
static void add_cheapest(struct view *view, const struct fathom_result *result,
			 const struct fathom_prediction *like)
{
	const struct fathom_prediction *best = find_cheapest(result, like);
	size_t rivals = 0, meets = 0;
	struct text line = {0};
	for (size_t i = 0; best && i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		if (one == best || !is_lookup(one) || !is_alike(one, best))
			continue;
		rivals++;
		meets += one->predicted_low_ns <= best->predicted_high_ns;
	}
	if (!rivals)
		return;
	predictions_add_keys(&line, best->keys);
	text_add(&line, " keys");
	if (predictions_are_mixed(result)) {
		text_add(&line, ", ");
		predictions_add_mode(&line, best);
	}
	text_add(&line, ": a lookup is cheapest in %s, ", best->structure);
	add_meets(&line, meets, rivals);
	view_take(view, VIEW_ITEM, &line);
}

static void add_all_cheapest(struct view *view, const struct fathom_result *result)
{
	for (size_t i = 0; i < result->prediction_count; i++) {
		bool first = true;
		for (size_t k = 0; k < i && first; k++)
			first = !is_alike(&result->predictions[k], &result->predictions[i]);
		if (first)
			add_cheapest(view, result, &result->predictions[i]);
	}
}

static bool is_same_pair(const struct fathom_crossover *a, const struct fathom_crossover *b)
{
	bool alike = !strcmp(a->below, b->below) && !strcmp(a->above, b->above);
	bool turned = !strcmp(a->below, b->above) && !strcmp(a->above, b->below);
	return a->mode == b->mode && (alike || turned);
}

/* How often it came before. */
static size_t count_before(const struct fathom_result *result, size_t which)
{
	size_t count = 0;
	for (size_t i = 0; i < which; i++)
		count += is_same_pair(&result->crossovers[i], &result->crossovers[which]);
	return count;
}

static void add_about_keys(struct text *line, uint64_t keys)
{
	double step = pow(10, floor(log10((double)keys)) - 1);
	predictions_add_keys(line, (uint64_t)(step * round((double)keys / step)));
}

/* Over its value, the least that the intervals of a structure reach to either side; NAN: it has
 * none.
 */
static double least_factor(const struct fathom_result *result, const char *structure,
			   enum fathom_predict_mode mode)
{
	double least = NAN;
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		if (one->mode == mode && strcmp(one->structure, structure) == 0)
			least = fmin(least, sqrt(one->predicted_high_ns / one->predicted_low_ns));
	}
	return least;
}

/* Do the two intervals part on either side of each place where the pair changes? */
static bool is_sure(const struct fathom_result *result, size_t which)
{
	const struct fathom_crossover *one = &result->crossovers[which];
	double meets = least_factor(result, one->below, one->mode) *
		       least_factor(result, one->above, one->mode);
	for (size_t i = which; i < result->crossover_count; i++)
		if (is_same_pair(&result->crossovers[i], one) &&
		    !(result->crossovers[i].apart > meets))
			return false;
	return true;
}

static bool is_between(const struct fathom_result *result, size_t which)
{
	for (size_t i = which + 1; i < result->crossover_count; i++)
		if (is_same_pair(&result->crossovers[i], &result->crossovers[which]))
			return false;
	return result->crossovers[which].low_keys > 0;
}

/* A pair that changes places several times is told at once. */
static void add_crossover(struct view *view, const struct fathom_result *result, size_t which)
{
	const struct fathom_crossover *one = &result->crossovers[which];
	struct text line = {0};
	size_t told = 0;
	bool sure = is_sure(result, which);
	text_add(&line, "%s%s is cheaper than %s up to about ",
		 sure ? "" : "not sure: ", one->below, one->above);
	add_about_keys(&line, one->keys);
	text_add(&line, " keys");
	for (size_t i = which + 1; i < result->crossover_count; i++)
		if (is_same_pair(&result->crossovers[i], one)) {
			text_add(&line, ", %s up to ", told++ % 2 ? "cheaper" : "dearer");
			add_about_keys(&line, result->crossovers[i].keys);
		}
	text_add(&line, ", %s above", told % 2 ? "cheaper" : "dearer");
	if (is_between(result, which)) {
		text_add(&line, " (between ");
		add_about_keys(&line, one->low_keys);
		text_add(&line, " and ");
		add_about_keys(&line, one->high_keys);
		text_add(&line, ")");
	}
	view_take(view, VIEW_ITEM, &line);
}

static void add_crossovers(struct view *view, const struct fathom_result *result)
{
	size_t shown = view->every_point || result->crossover_count <= MOST_CROSSOVERS
			       ? result->crossover_count
			       : MOST_CROSSOVERS;
	bool unsure = false, between = false;
	for (size_t i = 0; i < shown; i++)
		if (count_before(result, i) == 0) {
			add_crossover(view, result, i);
			unsure |= !is_sure(result, i);
			between |= is_between(result, i);
		}
	if (unsure)
		view_say(view, VIEW_NOTE,
			 "not sure: told from the values alone; on one side of the change, or on "
			 "both, the two intervals meet at all numbers of keys that were predicted");
	if (between)
		view_say(view, VIEW_NOTE,
			 "between: within these numbers of keys the two differ by less than two "
			 "predictions are off against each other, in 95 %% of what was measured");
	if (result->crossover_count > shown)
		view_say(view, VIEW_NOTE, "%zu more changes of places: --all shows them",
			 result->crossover_count - shown);
}

void cheapest_view(struct view *view, const struct fathom_result *result)
{
	add_all_cheapest(view, result);
	add_crossovers(view, result);
}
