#include "model/compare/compare_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/units.h"

size_t compare_set_count(const struct compare_set *set)
{
	return set->baseline_count + 1;
}

const struct fathom_run *compare_set_run(const struct compare_set *set, size_t which)
{
	return which < set->baseline_count ? &set->runs[0][which] : set->runs[1];
}

/* ---- the fields that must be alike ---- */

enum field {
	FIELD_EXPERIMENT,
	FIELD_AXIS,
	FIELD_PATTERN,
	FIELD_NODE,
	FIELD_LINK,
	FIELD_WARMTH,
	FIELD_PAGE,
	FIELD_LANES,
	FIELD_THREADS,
	FIELD_WINDOW,
	FIELD_STRIDE,
	FIELD_LAPS,
	FIELD_SIZE,
	FIELD_VECTOR,
	FIELD_LANE_STORE,
	FIELD_OVER_FIRST,
	FIELD_COUNT
};
static const char *const field_names[FIELD_COUNT] = {
	"experiment", "axis",         "pattern",          "node_bytes",    "link",         "warmth",
	"page_kind",  "lanes",        "threads",          "window_bytes",  "stride_bytes", "laps",
	"size_bytes", "vector_bytes", "lane_store_asked", "relative_to_l1"};

struct trait {
	uint64_t value;
	bool known;
	const char *name; /* of the value; NULL: it is a number */
};

static struct trait named(int value, const char *name, bool known)
{
	return (struct trait){(uint64_t)value, known, name};
}

/* A tool that tells nothing of a chain leaves 0 where fathom has at least 1. */
static struct trait number(uint64_t value, bool always)
{
	return (struct trait){value, always || value > 0, NULL};
}

static struct trait trait_of(const struct fathom_curve *curve, enum field field)
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	bool own = spec->pattern != FATHOM_PATTERN_UNKNOWN;
	switch (field) {
	case FIELD_EXPERIMENT:
		return named(curve->experiment, experiment_name(curve->experiment), true);
	case FIELD_AXIS:
		return named(curve->axis, axis_name(curve->axis), true);
	case FIELD_PATTERN:
		return named(spec->pattern, fathom_pattern_name(spec->pattern), own);
	case FIELD_NODE: /* along the pages a node is a page: the same for both */
		return number(spec->node_bytes, false);
	case FIELD_LINK:
		return named(spec->link, link_name(spec->link), spec->link != FATHOM_LINK_UNKNOWN);
	case FIELD_WARMTH:
		return named(spec->warmth, warmth_name(spec->warmth),
			     spec->warmth != FATHOM_WARMTH_UNKNOWN);
	case FIELD_PAGE:
		return named(spec->page, page_name(spec->page), spec->page != FATHOM_PAGE_UNKNOWN);
	case FIELD_LANES:
		return number(curve->axis == FATHOM_AXIS_LANES ? 1 : spec->lanes, false);
	case FIELD_THREADS:
		return number(spec->threads, false);
	case FIELD_WINDOW:
		return number(spec->window_bytes, own);
	case FIELD_STRIDE:
		return number(spec->stride_bytes, own);
	case FIELD_LAPS:
		return number(spec->laps, own);
	case FIELD_SIZE:
		return number(curve->axis == FATHOM_AXIS_LANES || curve->axis == FATHOM_AXIS_LAP
				      ? spec->size_bytes
				      : 0,
			      false);
	case FIELD_VECTOR:
		return number(spec->vector_bytes, false);
	case FIELD_LANE_STORE:
		return named((int)spec->lane_store, lane_store_name((int)spec->lane_store),
			     curve->axis == FATHOM_AXIS_LANES);
	case FIELD_OVER_FIRST:
		return named(curve->relative_to_l1, curve->relative_to_l1 ? "true" : "false", true);
	default:
		return (struct trait){0};
	}
}

/* The first field in which they differ; FIELD_COUNT: none. */
static enum field find_difference(const struct fathom_curve *a, const struct fathom_curve *b)
{
	for (enum field field = 0; field < FIELD_COUNT; field++) {
		struct trait x = trait_of(a, field), y = trait_of(b, field);
		if (x.known && y.known && x.value != y.value)
			return field;
	}
	return FIELD_COUNT;
}

static const char *trait_text(const struct trait *trait, bool bytes,
			      char text[static UNITS_TEXT_BYTES])
{
	if (trait->name)
		return trait->name;
	if (bytes)
		return units_format_size(trait->value, text);
	snprintf(text, UNITS_TEXT_BYTES, "%llu", (unsigned long long)trait->value);
	return text;
}

/* ---- curves ---- */

/* Of several that are alike (one a clock) the one with so many before it. */
static const struct fathom_curve *find_curve(const struct fathom_result *result,
					     const struct fathom_curve *like, size_t before)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count &&
		    find_difference(like, &result->curves[i]) == FIELD_COUNT && before-- == 0)
			return &result->curves[i];
	return NULL;
}

static size_t count_before(const struct fathom_result *result, size_t which)
{
	size_t before = 0;
	for (size_t i = 0; i < which; i++)
		before +=
			result->curves[i].point_count &&
			find_difference(&result->curves[which], &result->curves[i]) == FIELD_COUNT;
	return before;
}

static const struct fathom_curve *first_curve(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count)
			return &result->curves[i];
	return NULL;
}

static int refuse_field(const struct fathom_run *a, const struct fathom_run *b, enum field field,
			struct fathom_error *error)
{
	char x_text[UNITS_TEXT_BYTES], y_text[UNITS_TEXT_BYTES];
	struct trait x = trait_of(first_curve(a->result), field);
	struct trait y = trait_of(first_curve(b->result), field);
	bool bytes = field == FIELD_NODE || field == FIELD_WINDOW || field == FIELD_STRIDE ||
		     field == FIELD_SIZE;
	return error_set(error, FATHOM_BAD_INPUT, "measure both in the same way",
			 "'%s' and '%s' cannot be compared: '%s' is %s against %s", a->name,
			 b->name, field_names[field], trait_text(&x, bytes, x_text),
			 trait_text(&y, bytes, y_text));
}

/* Of the first run that lacks the first curve. */
static int refuse(const struct compare_set *set, struct fathom_error *error)
{
	const struct fathom_run *first = compare_set_run(set, 0);
	const struct fathom_curve *curve = first_curve(first->result);
	for (size_t i = 0; i < compare_set_count(set); i++) {
		const struct fathom_run *run = compare_set_run(set, i);
		if (!first_curve(run->result))
			return error_set(error, FATHOM_BAD_INPUT,
					 "measure again with a longer --budget",
					 "'%s' has no points to compare", run->name);
		if (!find_curve(run->result, curve, 0))
			return refuse_field(first, run,
					    find_difference(curve, first_curve(run->result)),
					    error);
	}
	return error_set(error, FATHOM_BAD_INPUT, "compare two runs at a time",
			 "no curve is in all files");
}

/* ---- points ---- */

static uint64_t place_on(enum fathom_axis axis, const struct fathom_point *point)
{
	if (axis == FATHOM_AXIS_LANES)
		return point->spec.lanes;
	return axis == FATHOM_AXIS_LAP ? point->spec.lap : point->spec.size_bytes;
}

static const struct fathom_point *find_point(const struct fathom_curve *curve, uint64_t place)
{
	size_t low = 0, high = curve->point_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (place_on(curve->axis, &curve->points[middle]) < place)
			low = middle + 1;
		else
			high = middle;
	}
	bool found =
		low < curve->point_count && place_on(curve->axis, &curve->points[low]) == place;
	return found ? &curve->points[low] : NULL;
}

/* The row of a point of the first baseline's, where all the others have it too. */
static void add_row(struct compare_match *match, const struct fathom_curve **curves, size_t which,
		    size_t index)
{
	const struct fathom_point **row = match->points + match->count * match->runs;
	uint64_t place = place_on(curves[0]->axis, &curves[0]->points[index]);
	row[0] = &curves[0]->points[index];
	for (size_t run = 1; run < match->runs; run++) {
		row[run] = find_point(curves[run], place);
		if (!row[run])
			return;
	}
	match->curves[match->count++] = which;
}

static void match_curve(const struct compare_set *set, size_t which,
			const struct fathom_curve **curves, struct compare_match *match)
{
	curves[0] = &compare_set_run(set, 0)->result->curves[which];
	if (curves[0]->point_count == 0)
		return;
	size_t before = count_before(compare_set_run(set, 0)->result, which);
	for (size_t run = 1; run < match->runs; run++) {
		curves[run] = find_curve(compare_set_run(set, run)->result, curves[0], before);
		if (!curves[run])
			return;
	}
	match->curve_count++;
	for (size_t i = 0; i < curves[0]->point_count; i++)
		add_row(match, curves, which, i);
}

int compare_match(const struct compare_set *set, struct compare_match *match,
		  struct fathom_error *error)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	size_t points = 0;
	for (size_t i = 0; i < first->curve_count; i++)
		points += first->curves[i].point_count;
	*match = (struct compare_match){.runs = compare_set_count(set)};
	const struct fathom_curve **curves = calloc(match->runs, sizeof(*curves));
	match->points = calloc(points * match->runs + 1, sizeof(*match->points));
	match->curves = calloc(points + 1, sizeof(*match->curves));
	bool enough = curves && match->points && match->curves;
	for (size_t i = 0; enough && i < first->curve_count; i++)
		match_curve(set, i, curves, match);
	free(curves);
	if (enough && match->curve_count)
		return 0;
	compare_match_free(match);
	return enough ? refuse(set, error) : error_no_memory(error);
}

void compare_match_free(struct compare_match *match)
{
	free(match->points);
	free(match->curves);
	*match = (struct compare_match){0};
}
