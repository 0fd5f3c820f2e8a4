/* What operations on data structures cost: a row a structure and size, with where the time goes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/warnings.h"
#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/rounding.h"
#include "views/trouble.h"
#include "views/views.h"

#define MOST_OFF     8      /* predictions that were far off, the same */
#define NEAR         0.20   /* of what was measured */
#define TRIFLE       0.0005 /* of the time: no more is seen in three digits, and is no column */
#define NAMED_CACHES 3      /* the last column of a cache has all further ones */

void predictions_add_keys(struct text *text, uint64_t keys)
{
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)keys);
	for (int i = 0; i < length; i++)
		text_add(text, "%s%c", i && (length - i) % 3 == 0 ? "," : "", digits[i]);
}

/* From the steps of one curve alone walks cannot be told from misses of a TLB. */
static bool is_translation_told(const struct fathom_result *result)
{
	return result->translation_count > 0;
}

static double part_ns(const struct fathom_result *result, const struct fathom_prediction *one,
		      int part)
{
	bool told = is_translation_told(result);
	if (part == FATHOM_PREDICT_WALK && !told)
		return 0;
	return one->parts_ns[part] +
	       (part == FATHOM_PREDICT_TLB && !told ? one->parts_ns[FATHOM_PREDICT_WALK] : 0);
}

/* The largest share of a time that it has in any row. */
static double greatest_share(const struct fathom_result *result, int part)
{
	double greatest = 0;
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		greatest = fmax(greatest, fabs(part_ns(result, one, part)) / one->predicted_ns);
	}
	return greatest;
}

static bool is_column(const struct fathom_result *result, int part)
{
	return greatest_share(result, part) > TRIFLE;
}

static bool has_more_caches(const struct fathom_result *result)
{
	size_t count = 0;
	for (size_t i = 0; i < result->level_count; i++)
		count += result->levels[i].kind == FATHOM_LEVEL_CACHE &&
			 result->levels[i].curve == result->levels[0].curve;
	return count > NAMED_CACHES;
}

static const char *part_words(const struct fathom_result *result, int part)
{
	if (part == FATHOM_PREDICT_TLB && !is_translation_told(result))
		return "translation";
	if (part == FATHOM_PREDICT_L3 && has_more_caches(result))
		return "L3+";
	return predict_part_words(part);
}

void predictions_add_mode(struct text *text, const struct fathom_prediction *one)
{
	if (one->mode == FATHOM_PREDICT_INTERLEAVED)
		text_add(text, "%u interleaved", one->interleave);
	else
		text_add(text, "%s", view_known(predict_mode_name((int)one->mode)));
}

static bool is_checked(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->prediction_count; i++)
		if (isfinite(result->predictions[i].measured_ns))
			return true;
	return false;
}

bool predictions_are_mixed(const struct fathom_result *result)
{
	for (size_t i = 1; i < result->prediction_count; i++)
		if (result->predictions[i].mode != result->predictions[0].mode)
			return true;
	return false;
}

static void add_row(struct view *view, const struct fathom_result *result,
		    const struct fathom_prediction *one, bool mixed)
{
	struct text keys = {0}, mode = {0};
	view_row(view);
	view_name(view, "%s", one->structure);
	if (mixed) {
		predictions_add_mode(&mode, one);
		view_name_take(view, &mode);
	}
	predictions_add_keys(&keys, one->keys);
	view->failed |= keys.failed;
	view_quantity(view, "%s", view_known(keys.data));
	text_free(&keys);
	view_size(view, (double)one->size_bytes);
	view_estimate(view, ESTIMATE(one, predicted, _ns));
	if (is_checked(result)) {
		view_estimate(view, ESTIMATE(one, measured, _ns));
		view_number(view, one->measured_ns / one->predicted_ns);
	}
	for (int part = 0; part < FATHOM_PREDICT_PART_COUNT; part++)
		if (is_column(result, part))
			view_number(view, part_ns(result, one, part));
	view_number(view, 1e3 / one->predicted_ns);
	view_number(view, one->lines);
}

/* Where there is no room, the part of the smallest share goes first. */
static unsigned rank_of_part(const struct fathom_result *result, int part)
{
	double share = greatest_share(result, part);
	unsigned rank = 2;
	for (int other = 0; other < FATHOM_PREDICT_PART_COUNT; other++)
		rank += greatest_share(result, other) > share;
	return rank;
}
#define RANK(after) (FATHOM_PREDICT_PART_COUNT + 2 + (after))

static void add_table(struct view *view, const struct fathom_result *result)
{
	bool mixed = predictions_are_mixed(result), checked = is_checked(result);
	VIEW_TABLE(view, COLUMN("structure"));
	view_table_left_out(view, 0, "part has", "parts have");
	if (mixed)
		view_column(view, COLUMN("operations"));
	VIEW_COLUMNS(view, COLUMN("keys"), COLUMN("size", .rank = RANK(0)),
		     COLUMN(checked ? "predicted" : "time", .unit = "ns", .spread_rank = 1));
	if (checked)
		VIEW_COLUMNS(view, COLUMN("measured", .unit = "ns", .spread_rank = 1),
			     COLUMN("ratio"));
	for (int part = 0; part < FATHOM_PREDICT_PART_COUNT; part++)
		if (is_column(result, part))
			view_column(view,
				    COLUMN(part_words(result, part), .unit = "ns",
					   .rank = rank_of_part(result, part), .counted = true));
	VIEW_COLUMNS(view, COLUMN("rate", .unit = "M/s", .rank = RANK(1)),
		     COLUMN("lines", .rank = RANK(2)));
	for (size_t i = 0; i < result->prediction_count; i++)
		add_row(view, result, &result->predictions[i], mixed);
}

/* What is alike for all. */
static void add_subject(struct view *view, const struct fathom_result *result)
{
	const struct fathom_prediction *first = &result->predictions[0];
	struct text line = {0};
	text_add(&line,
		 "%s: ", is_checked(result) ? "predicted, and run" : "predicted, not measured");
	if (!predictions_are_mixed(result)) {
		predictions_add_mode(&line, first);
		text_add(&line, " operations, ");
	}
	text_add(&line, "keys of %u bytes", first->key_bytes);
	if (first->payload_bytes)
		text_add(&line, " with %u of payload", first->payload_bytes);
	if (first->theta > 0)
		text_add(&line, ", asked for by Zipf's law (theta %s)",
			 rounding_number(first->theta).text);
	text_add(&line, ", %s pages", view_known(page_name(first->page)));
	view_take(view, VIEW_PLAIN, &line);
	view_gap(view);
}

/* Whoever reads an interval should know what is in it. */
static void add_scatter(struct view *view, const struct fathom_result *result)
{
	double least = INFINITY, most = 0;
	for (size_t i = 0; i < result->prediction_count; i++) {
		double scatter = result->predictions[i].model_scatter;
		least = fmin(least, scatter);
		most = fmax(most, scatter);
	}
	if (!(most > 0)) /* of an older fathom, whose intervals lack it */
		return;
	struct text line = {0};
	text_add(&line, "the intervals include the model's own scatter, a factor of %s",
		 rounding_number(least).text);
	if (most > least)
		text_add(&line, " to %s", rounding_number(most).text);
	view_take(view, VIEW_NOTE, &line);
}

/* ---- what was run ---- */

/* Do the two intervals not meet? */
static bool is_off(const struct fathom_prediction *one)
{
	double low = isfinite(one->measured_low_ns) ? one->measured_low_ns : one->measured_ns;
	double high = isfinite(one->measured_high_ns) ? one->measured_high_ns : one->measured_ns;
	return low > one->predicted_high_ns || high < one->predicted_low_ns;
}

static void say_off(struct view *view, const struct fathom_prediction *one, bool mixed)
{
	struct text line = {0};
	double ratio = one->measured_ns / one->predicted_ns;
	text_add(&line, "%s of ", one->structure);
	predictions_add_keys(&line, one->keys);
	text_add(&line, " keys");
	if (mixed) {
		text_add(&line, ", ");
		predictions_add_mode(&line, one);
		text_add(&line, ",");
	}
	text_add(&line, " takes %s times what is predicted", rounding_number(ratio).text);
	text_add(&line, " (%s ns", rounding_number(one->measured_ns).text);
	text_add(&line, " for %s)", rounding_number(one->predicted_ns).text);
	view_take(view, VIEW_ITEM, &line);
}

static void add_check(struct view *view, const struct fathom_result *result)
{
	size_t run = 0, near = 0, off = 0, shown = 0;
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		if (!isfinite(one->measured_ns))
			continue;
		run++;
		near += fabs(one->predicted_ns / one->measured_ns - 1) <= NEAR;
		off += is_off(one);
	}
	if (!run)
		return;
	view_say(view, VIEW_PLAIN,
		 "%zu of %zu predictions are within %.0f %% of what was measured; the "
		 "intervals of %zu do not meet",
		 near, run, 100 * NEAR, off);
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		if (!isfinite(one->measured_ns) || !is_off(one) ||
		    (shown == MOST_OFF && !view->every_point))
			continue;
		say_off(view, one, predictions_are_mixed(result));
		shown++;
	}
	if (off > shown)
		view_say(view, VIEW_NOTE, "%zu more: --all shows them", off - shown);
	view_gap(view);
}

static void add_formulas(struct view *view, const struct fathom_result *result)
{
	view_gap(view);
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		struct text name = {0}, line = {0};
		text_add(&name, "%s, ", one->structure);
		predictions_add_keys(&name, one->keys);
		text_add(&line, "%s", view_known(one->formula));
		view->failed |= name.failed;
		if (name.data)
			view_take_fact(view, name.data, &line);
		text_free(&name);
		text_free(&line);
	}
}

/* ---- over the keys ---- */

/* The same structure, operated in the same way: one line of the figure. */
static bool is_alike(const struct fathom_prediction *one, const struct fathom_prediction *other)
{
	return strcmp(one->structure, other->structure) == 0 && one->mode == other->mode;
}

static size_t count_alike(const struct fathom_result *result, const struct fathom_prediction *like)
{
	size_t count = 0;
	for (size_t i = 0; i < result->prediction_count; i++)
		count += is_alike(&result->predictions[i], like);
	return count;
}

bool figure_has_predictions(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->prediction_count; i++)
		if (count_alike(result, &result->predictions[i]) > 1)
			return true;
	return false;
}

static int by_keys(const void *left, const void *right)
{
	const struct figure_row *a = left, *b = right;
	return (a->x > b->x) - (a->x < b->x);
}

static int add_series(struct figure *figure, const struct fathom_result *result,
		      const struct fathom_prediction *like, bool measured)
{
	struct figure_series *series;
	struct text name = {0};
	text_add(&name, "%s%s", like->structure, measured ? ", run" : "");
	if (predictions_are_mixed(result)) {
		text_add(&name, ", ");
		predictions_add_mode(&name, like);
	}
	if (figure_add_series(figure, &name, result->prediction_count, &series))
		return -1;
	series->is_law = !measured;
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		if (is_alike(one, like))
			figure_add_row(series, (double)one->keys,
				       measured ? ESTIMATE(one, measured, _ns)
						: ESTIMATE(one, predicted, _ns));
	}
	qsort(series->rows, series->count, sizeof(*series->rows), by_keys);
	return 0;
}

int figure_add_predictions(struct figure *figure, const struct fathom_result *result)
{
	bool checked = is_checked(result);
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		bool first = true;
		for (size_t k = 0; k < i && first; k++)
			first = !is_alike(one, &result->predictions[k]);
		if (!first)
			continue;
		if (figure->series_count + checked >= FIGURE_MOST_SERIES)
			figure->left_out += 1 + checked;
		else if (add_series(figure, result, one, false) ||
			 (checked && add_series(figure, result, one, true)))
			return -1;
	}
	return 0;
}

void predictions_view(struct view *view, const struct fathom_result *result)
{
	if (!result->prediction_count)
		return;
	view_part(view, "predictions", "What data structures cost");
	if (view->full && figure_has_predictions(result))
		figure_add(view, result, (struct figure_wish){.kind = FIGURE_PREDICTIONS});
	add_subject(view, result);
	add_table(view, result);
	add_scatter(view, result);
	view_gap(view);
	add_check(view, result);
	cheapest_view(view, result);
	if (view->explain)
		add_formulas(view, result);
	view_gap(view);
}

void view_predictions(struct view *view, const struct fathom_result *result)
{
	trouble_quality(view, result);
	predictions_view(view, result);
	static const char *const ids[] = {
		"predict-beyond",    "predict-settled", "predict-translation",
		"predict-clock",     "predict-machine", "predict-now",
		"predict-disturbed", "predict-pages",   "predict-not-run"};
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		view_warnings_of(view, &result->warnings, ids[i], true);
}
