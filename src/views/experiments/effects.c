/* What prefetchers are worth. */
#include <math.h>

#include "views/experiments/experiments.h"
#include "views/points.h"

#define HIDDEN 0.5 /* of a random access: a hop takes less, in the same page alone it does not */

static void add_rows(struct view *view, const struct fathom_result *result)
{
	VIEW_TABLE(view, COLUMN("order"), COLUMN("nodes of"), COLUMN("size"), COLUMN("ns"),
		   COLUMN("cycles"));
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			view_row(view);
			points_order(view, &point->spec);
			view_size(view, point->spec.node_bytes);
			view_size(view, (double)point->spec.size_bytes);
			patterns_time(view, point, FATHOM_Y_NS);
			patterns_time(view, point, FATHOM_Y_CYCLES);
		}
}

/* Of random accesses of the pair's size; NAN: there are none. */
static double random_ns(const struct fathom_result *result, uint64_t size_bytes)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		const struct fathom_point *point = points_exactly(curve, size_bytes);
		if (point && point->spec.pattern == FATHOM_RANDOM_CYCLE)
			return points_time(point, FATHOM_Y_NS).value;
	}
	return NAN;
}

/* Of a pair whose lines no adjacent-line prefetcher fetches together, what the second hop takes:
 * the first is random. NAN: the effect is none of pairs. */
static double second_hop_ns(const struct fathom_result *result, const struct fathom_effect *effect)
{
	const struct fathom_curve *pairs = &result->curves[effect->without_curve];
	const struct fathom_point *point = points_exactly(pairs, effect->size_bytes);
	if (!point || point->spec.pattern != FATHOM_LINE_PAIR)
		return NAN;
	return fmax(0, 2 * points_time(point, FATHOM_Y_NS).value -
			       random_ns(result, effect->size_bytes));
}

/* Where something else fetches the second line, too, no pair tells what the prefetcher does. */
static bool is_hidden(const struct fathom_result *result, const struct fathom_effect *effect)
{
	return !effect->acts &&
	       second_hop_ns(result, effect) < HIDDEN * random_ns(result, effect->size_bytes);
}

static const char *verdict(const struct fathom_result *result, const struct fathom_effect *effect)
{
	if (effect->acts)
		return "acts";
	if (is_hidden(result, effect))
		return "undecided";
	if (effect->high_ns < 0)
		return "not seen: takes longer";
	return isfinite(effect->low_ns) ? "not seen" : "undecided";
}

static void add_interval(struct view *view, const struct fathom_effect *effect)
{
	if (isfinite(effect->low_ns) && isfinite(effect->high_ns))
		view_quantity(view, "%s",
			      rounding_difference_interval(ESTIMATE_PLAIN(effect, ns)).text);
	else
		view_quantity(view, "unknown");
}

static void add_counts(struct view *view, const struct fathom_result *result)
{
	uint64_t largest_bytes = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			if (result->curves[i].points[k].spec.size_bytes > largest_bytes)
				largest_bytes = result->curves[i].points[k].spec.size_bytes;
	counts_view(view, result, largest_bytes);
}

static bool is_paired(const struct fathom_result *result, size_t curve)
{
	for (size_t i = 0; i < result->effect_count; i++)
		if (result->effects[i].without_curve == curve ||
		    result->effects[i].with_curve == curve)
			return true;
	return false;
}

static void add_unpaired(struct view *view, const struct fathom_result *result)
{
	struct text line = {0};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!curve->point_count || is_paired(result, i))
			continue;
		text_add(&line, line.length ? "; " : "in no pair, to compare with: ");
		points_add_order(&line, &curve->points[0].spec);
		text_add(&line, ", nodes of %s",
			 rounding_size(curve->points[0].spec.node_bytes).text);
	}
	if (line.length)
		view_take(view, VIEW_NOTE, &line);
}

static void add_hidden(struct view *view, const struct fathom_result *result,
		       const struct fathom_effect *effect)
{
	view_say(
		view, VIEW_NOTE,
		"%s, %s: undecided: the second hop of a pair takes about %s ns also where the line "
		"is 128 B away (twice the pair's time less the random cycle's %s ns), so that it "
		"is "
		"fetched besides, and near lines are no test of this prefetcher",
		view_known(effect->name), rounding_size(effect->size_bytes).text,
		rounding_about(second_hop_ns(result, effect)).text,
		rounding_number(random_ns(result, effect->size_bytes)).text);
}

static void add_effects(struct view *view, const struct fathom_result *result)
{
	view_part(view, "effects", "What prefetchers save");
	VIEW_TABLE(view, COLUMN("prefetcher"), COLUMN("size"), COLUMN("saves ns"), COLUMN("95 %"),
		   COLUMN(NULL));
	for (size_t i = 0; i < result->effect_count; i++) {
		const struct fathom_effect *effect = &result->effects[i];
		view_row(view);
		view_name(view, "%s", view_known(effect->name));
		view_size(view, (double)effect->size_bytes);
		view_number(view, effect->ns);
		add_interval(view, effect);
		view_name(view, "%s", verdict(result, effect));
	}
	view_gap(view);
	for (size_t i = 0; i < result->effect_count; i++)
		if (is_hidden(result, &result->effects[i]))
			add_hidden(view, result, &result->effects[i]);
	add_unpaired(view, result);
	view_say(
		view, VIEW_NOTE,
		"an access of the first row less one of the second, in the median of blocks "
		"measured one after the other, not of the columns: stride: page-local "
		"less sequential; adjacent line: pair 128 B apart less pair 64 B apart, twice, as "
		"every second hop can gain; temporal: 'random, 4 orders' (four cycles by turns, so "
		"that no lap is as the one before) less random cycle");
}

void effects_view(struct view *view, const struct fathom_result *result)
{
	view_part(view, "orders", "Patterns that tell prefetchers apart");
	add_rows(view, result);
	view_gap(view);
	points_exactness(view, result);
	points_ranges(view, result);
	add_counts(view, result);
	if (result->effect_count)
		add_effects(view, result);
}
