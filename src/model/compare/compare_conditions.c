/* What runs were measured under, and what may come from that alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/point.h"
#include "base/text.h"
#include "base/warnings.h"
#include "model/checks/quality.h"
#include "model/compare/compare_parts.h"
#include "model/plateau.h"

static const struct {
	const char *name, *unit;
	double disturbs; /* from there on */
} kinds[QUALITY_CONDITIONS] = {
	[QUALITY_BUSY] = {"busy CPUs", "share", QUALITY_BUSY_SHARE},
	[QUALITY_DISTURBED] = {"disturbed samples", "share", QUALITY_DISTURBED_SHARE},
	[QUALITY_REJECTED] = {"rejected samples", "share", QUALITY_REJECTED_SHARE},
	[QUALITY_SHARED] = {"busy sibling", "share", POINT_SHARED_SHARE},
	[QUALITY_SLOW] = {"slow blocks", "share", QUALITY_SLOW_SHARE},
	[QUALITY_BARE] = {"no interval", "share", QUALITY_BARE_SHARE},
	[QUALITY_LATE] = {"slow L1", "share", QUALITY_LATE_SHARE},
	[QUALITY_CLOCK] = {"clock movement", "share", INFINITY}, /* it has a verdict of its own */
	[QUALITY_PAGE] = {"page size", "bytes", INFINITY}, /* a difference from it is a true one */
};

/* The share without an interval: of the points inside levels, on which verdicts rest, or of `all`,
 * whichever is less. In a short budget the dear sizes have none, be they between levels or past
 * them, and that disturbs nothing; a storm leaves few sizes with one anywhere. */
static double find_bare(const struct fathom_result *result, double all)
{
	double count = 0, bare = 0, low, high;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		const struct fathom_curve *curve = &result->curves[level->curve];
		bool inside = plateau_range(result, level, &low, &high);
		for (size_t k = 0; inside && k < curve->point_count; k++) {
			const struct fathom_point *point = &curve->points[k];
			double bytes = (double)point->spec.size_bytes;
			if (bytes < low || bytes > high || !point->block_count)
				continue;
			count++;
			bare += isnan(point->latency_low_ns);
		}
	}
	return count > 0 ? fmin(all, bare / count) : all;
}

static void read_conditions(const struct fathom_run *run, double values[QUALITY_CONDITIONS])
{
	quality_find_conditions(run->result, values);
	values[QUALITY_BARE] = find_bare(run->result, values[QUALITY_BARE]);
}

static int add_condition(struct fathom_compared_run *run, int kind, double baseline, double value,
			 struct fathom_error *error)
{
	struct fathom_compared_condition *made = &run->conditions[run->condition_count++];
	*made = (struct fathom_compared_condition){
		.name = strdup(kinds[kind].name),
		.unit = strdup(kinds[kind].unit),
		.baseline = baseline,
		.value = value,
		.disturbs = fmax(baseline, value) >= kinds[kind].disturbs,
	};
	return made->name && made->unit ? 0 : error_no_memory(error);
}

int compare_conditions(const struct compare_set *set, struct fathom_compared_run *run,
		       struct fathom_error *error)
{
	double worst[QUALITY_CONDITIONS], own[QUALITY_CONDITIONS];
	run->conditions = calloc(QUALITY_CONDITIONS, sizeof(*run->conditions));
	if (!run->conditions)
		return error_no_memory(error);
	read_conditions(&set->runs[0][0], worst);
	read_conditions(set->runs[1], own);
	for (size_t i = 1; i < set->baseline_count; i++) {
		double other[QUALITY_CONDITIONS];
		read_conditions(&set->runs[0][i], other);
		for (int kind = 0; kind < QUALITY_PAGE; kind++)
			worst[kind] = fmax(worst[kind], other[kind]);
	}
	for (int kind = 0; kind < QUALITY_CONDITIONS; kind++)
		if ((isfinite(worst[kind]) || isfinite(own[kind])) &&
		    add_condition(run, kind, worst[kind], own[kind], error))
			return -1;
	return 0;
}

/* "busy CPUs: 50 %, rejected samples: 12 %" */
static void list_disturbing(const struct fathom_compared_run *run, struct text *text)
{
	for (size_t i = 0; i < run->condition_count; i++) {
		const struct fathom_compared_condition *one = &run->conditions[i];
		if (one->disturbs)
			text_add(text, "%s%s: %.0f %%%s", text->length ? ", " : "", one->name,
				 100 * fmax(one->baseline, one->value),
				 one->value >= one->baseline ? "" : " in the baseline");
	}
}

/* Levels of the baseline of which the disturbed run has none to compare. */
static bool lacks_levels(const struct compare_set *set, const struct fathom_compared_run *run)
{
	const struct fathom_result *baseline = set->runs[0][0].result;
	size_t levels = 0, parts = 0;
	for (size_t i = 0; i < baseline->level_count; i++)
		levels += baseline->levels[i].kind == FATHOM_LEVEL_CACHE ||
			  baseline->levels[i].kind == FATHOM_LEVEL_MEMORY;
	for (size_t i = 0; i < run->part_count; i++)
		parts += run->parts[i].quantity != FATHOM_QUANTITY_HZ;
	return parts < levels;
}

int compare_hold_back(const struct compare_set *set, struct fathom_compared_run *run,
		      struct fathom_warnings *warnings, struct fathom_error *error)
{
	struct text why = {0};
	list_disturbing(run, &why);
	if (!why.length && !why.failed)
		return 0;
	for (size_t i = 0; i < run->part_count; i++) {
		struct fathom_compared_part *part = &run->parts[i];
		if (part->verdict == FATHOM_SAME)
			continue;
		part->verdict = FATHOM_DISTURBED;
		run->disturbed = true;
	}
	run->disturbed |= lacks_levels(set, run);
	run->faster = run->slower = false;
	int failed = why.failed;
	if (!failed && run->disturbed)
		failed = warnings_add(
			warnings, "held-back", set->runs[1]->name,
			"measure again when the machine is idle, the baseline too if it was busy",
			"a run was disturbed (%s): differences may come from that alone", why.data);
	text_free(&why);
	return failed ? error_no_memory(error) : 0;
}
