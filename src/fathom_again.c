#include "fathom_again.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plan.h"
#include "base/point.h"
#include "base/units.h"
#include "base/warnings.h"
#include "document/document.h"
#include "document/table.h"
#include "fathom_search.h"
#include "measure/schedule/rounds.h"
#include "model/checks/withhold.h"
#include "model/parallelism/parallelism.h"
#include "model/plateau.h"

#define AGAIN_SHARE  0.05 /* of the budget, beyond it */
#define SEARCH_SHARE 0.2  /* and as much more for levels, where something was measured again */

/* ---- which points ---- */

/* It has blocks and no value. */
static bool is_withheld(const struct fathom_point *point)
{
	return point->block_count > 0 && !isfinite(point_ns(point));
}

/* A number of that size was withheld. */
static bool is_doubtful_size(const struct fathom_result *result, uint64_t size_bytes)
{
	char size[UNITS_TEXT_BYTES];
	units_format_size(size_bytes, size);
	return warnings_find_at(&result->warnings, "parts-doubtful", size) ||
	       warnings_find_at(&result->warnings, "large-pages-slower", size);
}

/* The latency of a level that was withheld is of that point: of memory as it is quoted there. */
static bool is_doubtful_level(const struct fathom_result *result, size_t curve, uint64_t size_bytes)
{
	double low, high, bytes = (double)size_bytes;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->curve != curve || isfinite(level->latency_ns))
			continue;
		if (level->kind == FATHOM_LEVEL_MEMORY
			    ? level->at_bytes == bytes
			    : plateau_range(result, level, &low, &high) && bytes >= low &&
				      bytes <= high)
			return true;
	}
	return false;
}

static bool is_of_plan(const struct fathom_plan *plan, const struct fathom_curve *curve)
{
	return !curve->tool && curve->point_count && curve->experiment == plan->experiment;
}

/* All lanes of a curve, since they are held against each other. */
static bool wants_all(const struct fathom_result *result, size_t curve)
{
	const struct fathom_curve *lanes = &result->curves[curve];
	bool any = false;
	for (size_t i = 0; i < lanes->point_count; i++)
		any |= is_withheld(&lanes->points[i]);
	for (size_t i = 0; i < result->parallelism_count; i++)
		any |= result->parallelism[i].curve == curve &&
		       warnings_find_at(&result->warnings, "interval-doubtful",
					result->parallelism[i].level);
	return any && lanes->axis == FATHOM_AXIS_LANES;
}

/* Fills `specs`, which has room for all points, in the order of the curves. */
static size_t collect(const struct fathom_plan *plan, const struct fathom_result *result,
		      struct fathom_spec *specs)
{
	size_t count = 0;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		bool all = wants_all(result, i);
		for (size_t k = 0; is_of_plan(plan, curve) && k < curve->point_count; k++) {
			const struct fathom_point *point = &curve->points[k];
			if (all || is_withheld(point) ||
			    (curve->axis == FATHOM_AXIS_SIZE &&
			     (is_doubtful_size(result, point->spec.size_bytes) ||
			      is_doubtful_level(result, i, point->spec.size_bytes))))
				specs[count++] = point->spec;
		}
	}
	return count;
}

/* ---- what comes of it ---- */

static bool is_same(const struct fathom_spec *a, const struct fathom_spec *b)
{
	return plan_same_curve(a, b) && a->size_bytes == b->size_bytes && a->lap == b->lap &&
	       a->lanes == b->lanes;
}

/* The new point goes where the old one was, and the old one where the new one is freed. */
static void take_over(struct fathom_result *result, const struct fathom_plan *plan,
		      struct fathom_point *made)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0;
		     is_of_plan(plan, &result->curves[i]) && k < result->curves[i].point_count;
		     k++) {
			struct fathom_point *at = &result->curves[i].points[k], old = *at;
			if (!is_same(&at->spec, &made->spec) || is_withheld(made))
				continue;
			*at = *made;
			*made = old;
			return;
		}
}

/* Is a point of the curve of lanes there still withheld? */
static bool lacks_lanes(const struct fathom_result *result, const char *where)
{
	bool lacks = false;
	for (size_t i = 0; i < result->curve_count && !lacks; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->axis != FATHOM_AXIS_LANES)
			continue;
		char *own = withhold_lanes_where(curve);
		for (size_t k = 0; k < curve->point_count; k++)
			lacks |= is_withheld(&curve->points[k]) && (!own || !strcmp(own, where));
		free(own);
	}
	return lacks;
}

static bool lacks_level(const struct fathom_result *result, const char *name)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].name && !strcmp(result->levels[i].name, name) &&
		    !isfinite(result->levels[i].latency_ns))
			return true;
	return false;
}

/* What was withheld and stays so is not found again: its warning is all that tells of it. */
static bool is_found_anew(const struct fathom_plan *plan, const struct fathom_result *result,
			  const struct fathom_warning *warning)
{
	const char *id = warning->id;
	if (strcmp(id, "one-lane-disturbed") == 0 || strcmp(id, "lanes-disturbed") == 0)
		return !lacks_lanes(result, warning->where);
	if (strcmp(id, "interval-doubtful") == 0) /* levels are kept beside lanes */
		return plan->experiment != FATHOM_PARALLELISM || !warning->where ||
		       !lacks_level(result, warning->where);
	return strcmp(id, "parts-doubtful") == 0 || strcmp(id, "parts-at-cliff") == 0 ||
	       strcmp(id, "large-pages-slower") == 0;
}

/* What is still doubtful is told anew. */
static int find_anew(const struct fathom_plan *plan, struct meter *meter,
		     const struct fathom_observer *observer, struct fathom_result *result,
		     struct fathom_error *error)
{
	/* The budget is spent, and levels without a search would be worse than none. */
	double until_s = meter->ops->elapsed_s(meter) + SEARCH_SHARE * plan->budget_s;
	const struct search_clock clock = search_clock_of(meter, until_s);
	for (size_t i = result->warnings.count; i-- > 0;)
		if (is_found_anew(plan, result, &result->warnings.items[i]))
			warnings_remove_one(&result->warnings, i);
	document_round(result);
	if (plan->experiment == FATHOM_PARALLELISM)
		return parallelism_find(result, error);
	/* Others may come of it, which is no news. */
	table_free_items(&level_table, result->levels, result->level_count);
	result->levels = NULL;
	result->level_count = 0;
	return search_levels(result, observer, &clock, error);
}

static int measure_specs(const struct fathom_plan *plan, struct meter *meter,
			 const struct fathom_observer *observer, struct fathom_result *result,
			 struct fathom_error *error)
{
	struct fathom_result made = {.machine = result->machine};
	int status = rounds_run(plan, meter, observer, &made, error);
	for (size_t i = 0; !status && i < made.curve_count; i++)
		for (size_t k = 0; k < made.curves[i].point_count; k++)
			take_over(result, plan, &made.curves[i].points[k]);
	result->interrupted |= made.interrupted;
	if (!status)
		result->elapsed_s = made.elapsed_s;
	made.machine = NULL;
	table_clear(&result_table, &made);
	return status ? status : find_anew(plan, meter, observer, result, error);
}

int again_measure(const struct fathom_plan *plan, struct meter *meter,
		  const struct fathom_observer *observer, struct fathom_result *result,
		  struct fathom_error *error)
{
	struct fathom_plan again = *plan;
	if (result->interrupted || withhold_doubtful(result, error))
		return result->interrupted ? 0 : -1;
	again.specs = calloc(point_count_of(result) + 1, sizeof(*again.specs));
	if (!again.specs)
		return error_no_memory(error);
	again.spec_count = collect(plan, result, again.specs);
	again.budget_s = meter->ops->elapsed_s(meter) + AGAIN_SHARE * plan->budget_s;
	int status = again.spec_count ? measure_specs(&again, meter, observer, result, error) : 0;
	free(again.specs);
	return status;
}
