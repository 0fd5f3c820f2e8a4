#include "model/compare/compare_match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/units.h"
#include "document/core_groups.h"

size_t compare_set_count(const struct compare_set *set)
{
	return set->baseline_count + 1;
}

const struct fathom_run *compare_set_run(const struct compare_set *set, size_t which)
{
	return which < set->baseline_count ? &set->runs[0][which] : set->runs[1];
}

/* ---- what must be alike ---- */

struct trait {
	const char *name; /* in the document */
	uint64_t value;
	bool known;
	const char *(*name_of)(int value); /* NULL: it is a number */
	bool bytes;
};
#define TRAITS 18

static const char *truth_name(int value)
{
	return value ? "true" : "false";
}

/* A tool that tells nothing of a chain leaves 0 where fathom has at least 1. Along the pages a node
 * is a page: the same for both. */
static void read_traits(const struct fathom_curve *curve, struct trait traits[static TRAITS])
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	bool own = spec->pattern != FATHOM_PATTERN_UNKNOWN;
	bool lanes = curve->axis == FATHOM_AXIS_LANES;
	int node = curve->memory_node;
	uint64_t lane_count = lanes ? 1 : spec->lanes;
	uint64_t size_bytes = lanes || curve->axis == FATHOM_AXIS_LAP ? spec->size_bytes : 0;
	const struct trait read[] = {
		{"experiment", curve->experiment, true, experiment_name, false},
		{"axis", curve->axis, true, axis_name, false},
		{"pattern", spec->pattern, own, fathom_pattern_name, false},
		{"node_bytes", spec->node_bytes, spec->node_bytes, NULL, true},
		{"link", spec->link, spec->link != FATHOM_LINK_UNKNOWN, link_name, false},
		{"warmth", spec->warmth, spec->warmth != FATHOM_WARMTH_UNKNOWN, warmth_name, false},
		{"page_kind", spec->page, spec->page != FATHOM_PAGE_UNKNOWN, page_name, false},
		{"lanes", lane_count, lane_count, NULL, false},
		{"threads", spec->threads, spec->threads, NULL, false},
		{"window_bytes", spec->window_bytes, own || spec->window_bytes, NULL, true},
		{"stride_bytes", spec->stride_bytes, own || spec->stride_bytes, NULL, true},
		{"laps", spec->laps, own || spec->laps, NULL, false},
		{"size_bytes", size_bytes, size_bytes, NULL, true},
		{"vector_bytes", spec->vector_bytes, spec->vector_bytes, NULL, false},
		{"lane_store_asked", spec->lane_store, lanes, lane_store_name, false},
		{"memory_node", node >= 0 ? (uint64_t)node : 0, node >= 0, NULL, false},
		{"sibling", curve->sibling, curve->sibling != FATHOM_SIBLING_ANY, sibling_name,
		 false},
		{"relative_to_l1", curve->relative_to_l1, true, truth_name, false},
	};
	_Static_assert(sizeof(read) == TRAITS * sizeof(*read), "callers have room for all");
	memcpy(traits, read, sizeof(read));
}

/* The first in which they differ; TRAITS: none. */
static size_t find_difference(const struct fathom_curve *a, const struct fathom_curve *b)
{
	struct trait x[TRAITS], y[TRAITS];
	size_t i = 0;
	read_traits(a, x);
	read_traits(b, y);
	while (i < TRAITS && !(x[i].known && y[i].known && x[i].value != y[i].value))
		i++;
	return i;
}

static const char *trait_text(const struct trait *trait, char text[static UNITS_TEXT_BYTES])
{
	const char *name = trait->name_of ? trait->name_of((int)trait->value) : NULL;
	if (name)
		return name;
	if (trait->bytes)
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
		    find_difference(like, &result->curves[i]) == TRAITS && before-- == 0)
			return &result->curves[i];
	return NULL;
}

static size_t count_before(const struct fathom_result *result, size_t which)
{
	size_t before = 0;
	for (size_t i = 0; i < which; i++)
		before += result->curves[i].point_count &&
			  find_difference(&result->curves[which], &result->curves[i]) == TRAITS;
	return before;
}

static const struct fathom_curve *first_curve(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count)
			return &result->curves[i];
	return NULL;
}

static int refuse_trait(const struct fathom_run *a, const struct fathom_run *b, size_t which,
			struct fathom_error *error)
{
	char x_text[UNITS_TEXT_BYTES], y_text[UNITS_TEXT_BYTES];
	struct trait x[TRAITS], y[TRAITS];
	read_traits(first_curve(a->result), x);
	read_traits(first_curve(b->result), y);
	return error_set(error, FATHOM_BAD_INPUT, "measure both in the same way",
			 "'%s' and '%s' cannot be compared: '%s' is %s against %s", a->name,
			 b->name, x[which].name, trait_text(&x[which], x_text),
			 trait_text(&y[which], y_text));
}

/* Of the first run that lacks the first curve. */
static int refuse(const struct compare_set *set, struct fathom_error *error)
{
	const struct fathom_run *first = compare_set_run(set, 0);
	const struct fathom_curve *curve = first_curve(first->result);
	for (size_t i = 0; i < compare_set_count(set); i++) {
		const struct fathom_run *run = compare_set_run(set, i);
		if (core_groups_any(run->result))
			return error_set(error, FATHOM_BAD_INPUT,
					 "compare two results of 'fathom cores', or two matrices",
					 "'%s' holds pairs of CPUs, and another file holds none",
					 run->name);
		if (result_is_of_loads(run->result))
			return error_set(error, FATHOM_BAD_INPUT,
					 "compare two results of 'fathom loaded', or two curves of "
					 "latency under load",
					 "'%s' holds latencies under load, and another file holds "
					 "none",
					 run->name);
		if (result_has_accesses(run->result))
			return error_set(error, FATHOM_BAD_INPUT,
					 "compare two results of 'fathom distribution', or two "
					 "series",
					 "'%s' holds single accesses, and another file holds none",
					 run->name);
		if (!first_curve(run->result))
			return error_set(error, FATHOM_BAD_INPUT,
					 "measure again with a longer --budget",
					 "'%s' has no points to compare", run->name);
		if (!find_curve(run->result, curve, 0))
			return refuse_trait(first, run,
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

/* Of curves that one tool does not tell apart the first one has it. */
static bool is_taken(const struct fathom_result *first, size_t which,
		     const struct fathom_result *other, const struct fathom_curve *curve)
{
	for (size_t i = 0; i < which; i++)
		if (first->curves[i].point_count &&
		    find_curve(other, &first->curves[i], count_before(first, i)) == curve)
			return true;
	return false;
}

static void match_curve(const struct compare_set *set, size_t which,
			const struct fathom_curve **curves, struct compare_match *match)
{
	const struct fathom_result *first = compare_set_run(set, 0)->result;
	curves[0] = &first->curves[which];
	if (curves[0]->point_count == 0)
		return;
	size_t before = count_before(first, which);
	for (size_t run = 1; run < match->runs; run++) {
		const struct fathom_result *other = compare_set_run(set, run)->result;
		curves[run] = find_curve(other, curves[0], before);
		if (!curves[run] || is_taken(first, which, other, curves[run]))
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
	size_t points = point_count_of(first);
	*match = (struct compare_match){.runs = compare_set_count(set)};
	const struct fathom_curve **curves = calloc(match->runs, sizeof(*curves));
	match->points = calloc(points * match->runs + 1, sizeof(*match->points));
	match->curves = calloc(points + 1, sizeof(*match->curves));
	bool enough = curves && match->points && match->curves;
	for (size_t i = 0; enough && i < first->curve_count; i++)
		match_curve(set, i, curves, match);
	free(curves);
	if (enough && (match->curve_count || compare_cores_are_common(set) ||
		       compare_loads_are_common(set) || compare_accesses_are_common(set)))
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

size_t compare_most_blocks(const struct compare_match *match)
{
	size_t most = 0;
	for (size_t i = 0; i < match->count * match->runs; i++)
		if (match->points[i]->block_count > most)
			most = match->points[i]->block_count;
	return most;
}
