#include "fathom_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/warnings.h"
#include "document/document.h"
#include "document/table.h"
#include "model/levels/levels.h"
#include "model/textbook/textbook.h"

/* Residuals, as shares: of a fit that leaves something open, and of one that is far better. On
 * simulated machines (LRU and random replacement) a right order leaves 1 to 4 %, a wrong one 7 to
 * 29 %. */
#define OPEN              0.05
#define BETTER            0.5
#define FEWEST_SIZES      3
#define COARSE_PER_OCTAVE 1.5

/* ---- accesses that overlap ---- */

static int set_evidence(struct fathom_level *level, const char *words, struct fathom_error *error)
{
	char *evidence = strdup(words);
	if (!evidence)
		return error_no_memory(error);
	free(level->evidence);
	level->evidence = evidence;
	level->confidence = NAN;
	return 0;
}

/* The laws are of latencies: of the times of what overlaps a step tells no more than that a cache
 * ends before it, and after the step before. */
static int withhold_overlapping(struct fathom_result *result, struct fathom_error *error)
{
	double before = (double)result->curves->points[0].spec.size_bytes;
	for (size_t i = 0; i < result->level_count; i++) {
		struct fathom_level *level = &result->levels[i];
		bool ends = isfinite(level->size_bytes);
		if (level->kind != FATHOM_LEVEL_CACHE)
			continue;
		if (set_evidence(
			    level,
			    ends ? "overlap hides the first misses of a cache, so that it ends "
				   "before its step; no law says by how much, or how sure it is"
				 : "times of accesses that overlap are no latencies, which "
				   "would tell memory from a cache",
			    error))
			return -1;
		if (!ends) {
			level->kind = FATHOM_LEVEL_UNKNOWN;
			continue;
		}
		double low = level->size_low_bytes;
		level->size_low_bytes = before;
		before = low;
	}
	return 0;
}

/* ---- the order ---- */

/* How far the levels of the first curve are off it. */
static int find_residual(const struct fathom_result *result, double *residual,
			 struct fathom_error *error)
{
	struct fathom_result own = *result;
	own.readings = NULL;
	own.reading_count = 0;
	int status = textbook_explain(&own, error);
	*residual = own.reading_count ? own.readings[0].residual : NAN;
	table_free_items(&reading_table, own.readings, own.reading_count);
	return status;
}

/* The same curve, had it been walked in that order; its points are to be freed. */
static int make_other(const struct fathom_curve *curve, enum fathom_pattern pattern,
		      struct fathom_curve *other, struct fathom_error *error)
{
	*other = *curve;
	other->points = calloc(curve->point_count, sizeof(*other->points));
	if (!other->points)
		return error_no_memory(error);
	memcpy(other->points, curve->points, curve->point_count * sizeof(*other->points));
	for (size_t i = 0; i < other->point_count; i++)
		other->points[i].spec.pattern = pattern;
	return 0;
}

static int find_other_residual(const struct fathom_curve *curve, enum fathom_pattern pattern,
			       double *residual, struct fathom_error *error)
{
	struct fathom_curve other;
	struct fathom_result *twin = document_new_result();
	if (!twin || make_other(curve, pattern, &other, error)) {
		fathom_result_free(twin);
		return error_no_memory(error);
	}
	twin->curves = &other;
	twin->curve_count = 1;
	int status = levels_find(twin, NULL, NULL, error) || find_residual(twin, residual, error)
			     ? -1
			     : 0;
	twin->curves = NULL;
	twin->curve_count = 0;
	fathom_result_free(twin);
	free(other.points);
	return status;
}

/* One size an octave hardly tells where a cache ends. */
static int warn_of_coarse(const struct fathom_curve *curve, struct fathom_warnings *warnings)
{
	if (curve->point_count < FEWEST_SIZES)
		return 0;
	double octaves = log2((double)curve->points[curve->point_count - 1].spec.size_bytes /
			      (double)curve->points[0].spec.size_bytes);
	double per_octave = (double)(curve->point_count - 1) / octaves;
	if (per_octave > COARSE_PER_OCTAVE)
		return 0;
	return warnings_add(warnings, "coarse", NULL, "measure more sizes per octave",
			    "about %.0f size%s per octave: a cache is known to a factor of 2 at "
			    "best, and two steps that are near each other look like one",
			    round(per_octave), round(per_octave) > 1 ? "s" : "");
}

int order_check(struct fathom_result *result, struct fathom_error *error)
{
	static const char *const names[] = {
		[FATHOM_RANDOM_CYCLE] = "cycle", [FATHOM_INDEPENDENT] = "independent"};
	const struct fathom_curve *curve = result->curves;
	double residual = NAN, other_residual = NAN;
	warnings_remove(&result->warnings, "order-unlikely");
	warnings_remove(&result->warnings, "coarse");
	if (!result->curve_count || !curve->tool || !curve->point_count)
		return 0;
	if (warn_of_coarse(curve, &result->warnings))
		return error_no_memory(error);
	if (warnings_find(&result->warnings, "overlapping"))
		return withhold_overlapping(result, error);
	enum fathom_pattern pattern = curve->points[0].spec.pattern;
	if (pattern != FATHOM_RANDOM_CYCLE && pattern != FATHOM_INDEPENDENT)
		return 0;
	enum fathom_pattern other =
		pattern == FATHOM_INDEPENDENT ? FATHOM_RANDOM_CYCLE : FATHOM_INDEPENDENT;
	if (find_residual(result, &residual, error))
		return -1;
	if (!(residual > OPEN))
		return 0;
	if (find_other_residual(curve, other, &other_residual, error))
		return -1;
	if (!(other_residual < BETTER * residual))
		return 0;
	return warnings_add(&result->warnings, "order-unlikely", NULL,
			    "leave out --order, or declare the order that the tool walks in",
			    "the curve does not look like the order '%s': its levels are %.2g %% "
			    "off the points, and %.2g %% with the order '%s'",
			    names[pattern], 100 * residual, 100 * other_residual, names[other])
		       ? error_no_memory(error)
		       : 0;
}
