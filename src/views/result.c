/* A result: what was measured on what, a picture, tables, and what to think of it. */
#include "views/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/patterns.h"
#include "base/warnings.h"
#include "views/accesses/accesses.h"
#include "views/curves.h"
#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/levels/levels.h"
#include "views/levels/models.h"
#include "views/points.h"
#include "views/rounding.h"
#include "views/survey/survey.h"
#include "views/trouble.h"
#include "views/views.h"

#define GHZ              1e9
#define PLOT_ROWS        18
#define SURVEY_PLOT_ROWS 8 /* the rest of its first screen is words */

enum fathom_experiment result_experiment(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (!result->curves[i].tool && result->curves[i].point_count &&
		    result->curves[i].experiment != FATHOM_LATENCY)
			return result->curves[i].experiment;
	return FATHOM_LATENCY;
}

bool result_overlaps(const struct fathom_result *result)
{
	return warnings_find(&result->warnings, "overlapping");
}

const char *result_quantity(const struct fathom_result *result, enum fathom_y y)
{
	return y == FATHOM_Y_NS && result_overlaps(result) ? "time" : points_quantity(y)->name;
}

/* ---- what it is ---- */

/* Readers of formats that many tools write name the format. */
static void add_tool(struct text *line, const char *tool)
{
	static const char *const formats[][2] = {
		{"csv", "a CSV file"}, {"table", "a table"}, {"markdown", "a markdown table"}};
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (strcmp(tool, formats[i][0]) == 0) {
			text_add(line, "read from %s", formats[i][1]);
			return;
		}
	text_add(line, "measured by %s", tool);
}

/* Of all curves, in their order; of a survey not those of NUMA nodes. */
static void add_cpus(struct text *line, const struct fathom_result *result)
{
	struct text cpus = {0};
	size_t count = 0;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		size_t before = 0;
		while (result->curves[before].cpu != curve->cpu)
			before++;
		bool beside = trouble_is_survey(result) && curve->experiment == FATHOM_NODES;
		if (before == i && curve->cpu >= 0 && !beside)
			text_add(&cpus, count++ ? ", %d" : "%d", curve->cpu);
	}
	text_add(line, ", CPU%s %s", count == 1 ? "" : "s", view_known(cpus.data));
	line->failed |= cpus.failed;
	text_free(&cpus);
}

static bool has_one_node(const struct fathom_result *result)
{
	for (size_t i = 1; i < result->curve_count; i++)
		if (result->curves[i].memory_node != result->curves[0].memory_node)
			return false;
	return true;
}

static void add_title(struct view *view, const struct fathom_result *result,
		      const struct fathom_curve *curve)
{
	const struct fathom_machine *machine = result->machine;
	struct text line = {0};
	if (machine && machine->description)
		text_add(&line, "simulated machine %s", machine->description);
	else if (curve && curve->tool)
		add_tool(&line, curve->tool);
	else
		text_add(&line, "%s", view_known(machine ? machine->cpu_model : NULL));
	if (machine && machine->hypervisor)
		text_add(&line, ", guest of %s", machine->hypervisor);
	if (curve && curve->cpu >= 0)
		add_cpus(&line, result);
	if (curve && curve->memory_node >= 0 && has_one_node(result))
		text_add(&line, ", memory of node %d", curve->memory_node);
	view_take(view, VIEW_PLAIN, &line);
}

static void add_pages(const struct fathom_curve *curve, struct text *line)
{
	const char *asked = page_name(curve->points[0].spec.page);
	if (asked || !curve->tool)
		text_add(line, ", %s pages", view_known(asked));
	if (curve->tool && !curve->points[0].page_bytes)
		return; /* what was obtained other tools do not tell */
	text_add(line, " (obtained: %s)", points_obtained(curve).text);
}

static void add_subject(struct view *view, const struct fathom_result *result,
			const struct fathom_curve *curve)
{
	struct text line = {0};
	points_add_spec(&line, &curve->points[0].spec, result_overlaps(result));
	add_pages(curve, &line);
	if (curve->relative_to_l1)
		text_add(&line, "; latencies relative to L1");
	view_take(view, VIEW_PLAIN, &line);
	view_gap(view);
}

/* What all the curves share, or nearly all. */
static void add_common(struct view *view, const struct fathom_curve *curve, bool pages)
{
	struct text line = {0};
	const char *link = link_words(curve->points[0].spec.link);
	if (pattern_streams(curve->points[0].spec.pattern))
		text_add(&line, "in address order");
	else
		text_add(&line, "nodes of %s, %s",
			 rounding_size(curve->points[0].spec.node_bytes).text,
			 link ? link : "unknown links");
	if (pages)
		add_pages(curve, &line);
	view_take(view, VIEW_PLAIN, &line);
	view_gap(view);
}

/* ---- how it was measured ---- */

static void add_rejected(struct view *view, const struct fathom_result *result)
{
	unsigned long long reasons[FATHOM_REJECTION_COUNT] = {0}, rejected = 0, taken = 0;
	struct text line = {0};
	const char *separator = " (";
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t j = 0; j < result->curves[i].point_count; j++) {
			const struct fathom_point *point = &result->curves[i].points[j];
			taken += point->sample_count;
			for (int k = 0; k < FATHOM_REJECTION_COUNT; k++) {
				reasons[k] += point->rejected[k];
				rejected += point->rejected[k];
			}
		}
	if (rejected == 0)
		return;
	text_add(&line, "%llu of %llu batches rejected", rejected, taken + rejected);
	for (int reason = 0; reason < FATHOM_REJECTION_COUNT; reason++)
		if (reasons[reason]) {
			text_add(&line, "%s%s: %llu", separator, rejection_name(reason),
				 reasons[reason]);
			separator = ", ";
		}
	text_add(&line, ")");
	view_take(view, VIEW_PLAIN, &line);
}

static void add_clock(struct view *view, const struct fathom_result *result, bool cycles)
{
	struct text line = {0};
	if (isfinite(result->clock_median_hz)) {
		text_add(&line, "core clock %s GHz",
			 rounding_number(result->clock_median_hz / GHZ).text);
		if (isfinite(result->clock_min_hz) && isfinite(result->clock_max_hz))
			text_add(&line, " (%s to %s)",
				 rounding_number(result->clock_min_hz / GHZ).text,
				 rounding_number(result->clock_max_hz / GHZ).text);
		if (isfinite(result->clock_drift))
			text_add(&line, ", %s%s from start to end",
				 result->clock_drift < 0 ? "" : "+",
				 rounding_percent(result->clock_drift).text);
		view_take(view, VIEW_PLAIN, &line);
	}
	if (!cycles)
		view_say(view, VIEW_PLAIN, "no cycles: %s",
			 result->clock_missing ? result->clock_missing
					       : "the core clock was not measured");
}

static void add_footer(struct view *view, const struct fathom_result *result)
{
	struct text line = {0};
	if (result->measured_line_bytes)
		text_add(&line, "lines of %s (measured), ",
			 rounding_size(result->measured_line_bytes).text);
	if (isfinite(result->elapsed_s))
		text_add(&line, "%s, ", rounding_time(1e9 * result->elapsed_s, false).text);
	text_add(&line, "seed 0x%llx", (unsigned long long)result->seed);
	if (result->measured_at)
		text_add(&line, ", %s", result->measured_at);
	view_take(view, VIEW_PLAIN, &line);
}

static void add_measurement(struct view *view, const struct fathom_result *result)
{
	bool brief = trouble_is_survey(result) && !view->full;
	view_part(view, "measurement", "Measurement");
	if (!brief) {
		view_gap(view);
		add_rejected(view, result);
	}
	add_clock(view, result, isfinite(result->clock_median_hz));
	add_footer(view, result);
}

/* ---- the experiments ---- */

static void add_figure(struct view *view, const struct curves *curves, unsigned rows)
{
	figure_add(view, curves->result,
		   (struct figure_wish){.kind = curves->y == FATHOM_Y_THROUGHPUT ? FIGURE_THROUGHPUT
										 : FIGURE_LATENCY,
					.y = curves->y,
					.rows = rows});
	view_gap(view);
}

static void add_heading(struct view *view, const struct fathom_result *result)
{
	view_part(view, "latency", result_overlaps(result) ? "Time per access" : "Latency");
}

static void add_latency(struct view *view, const struct curves *curves)
{
	const struct fathom_curve *main = curves->items[0];
	add_heading(view, curves->result);
	add_subject(view, curves->result, main);
	add_figure(view, curves, PLOT_ROWS);
	curves_table(view, curves);
	if (main->tool)
		return; /* the rest is not known of other tools */
	view_gap(view);
	curves_exactness(view, curves);
	add_rejected(view, curves->result);
	add_clock(view, curves->result, points_count(main, FATHOM_Y_CYCLES));
	add_footer(view, curves->result);
}

/* Of an experiment that is no curve of latency. */
static bool add_experiment(struct view *view, const struct fathom_result *result)
{
	static void (*const shows[])(struct view *, const struct fathom_result *) = {
		[FATHOM_PATTERNS] = patterns_view,   [FATHOM_ABLATION] = effects_view,
		[FATHOM_DECAY] = laps_view,          [FATHOM_PARALLELISM] = parallelism_view,
		[FATHOM_BANDWIDTH] = bandwidth_view, [FATHOM_PAGES] = pages_view,
		[FATHOM_FREQUENCY] = NULL,           [FATHOM_CORE_TO_CORE] = NULL,
		[FATHOM_NODES] = nodes_view,         [FATHOM_SETTLING] = settling_view,
	};
	enum fathom_experiment experiment = result_experiment(result);
	struct curves curves;
	if (!shows[experiment] || !curves_find(result, false, FATHOM_Y_NS, &curves))
		return false;
	add_common(view, curves.items[0],
		   experiment != FATHOM_PARALLELISM && experiment != FATHOM_PAGES);
	shows[experiment](view, result);
	add_measurement(view, result);
	return true;
}

static void add_sweep(struct view *view, const struct fathom_result *result)
{
	struct fathom_result sweep = *result;
	struct curves curves;
	sweep.curve_count = survey_sweep(result);
	if (!curves_find(&sweep, false, view->y, &curves))
		return;
	add_subject(view, result, curves.items[0]);
	add_figure(view, &curves, SURVEY_PLOT_ROWS);
}

static void add_findings(struct view *view, const struct fathom_result *result)
{
	survey_view(view, result);
	settling_say(view, result);
	cores_say(view, result);
	nodes_say(view, result);
	survey_numbers(view, result);
}

/* A picture of the sweep alone, then what all experiments together say. */
static bool add_survey(struct view *view, const struct fathom_result *result)
{
	if (!trouble_is_survey(result))
		return false;
	add_sweep(view, result);
	add_findings(view, result);
	add_measurement(view, result);
	return true;
}

/* Runs at several clocks, of whatever tool. */
static bool add_clocks(struct view *view, const struct fathom_result *result)
{
	if (result->clock_count == 0)
		return false;
	const struct fathom_curve *curve = &result->curves[result->clocks[0].curve];
	if (curve->point_count)
		add_subject(view, result, curve);
	view_gap(view);
	frequency_view(view, result);
	view_gap(view);
	if (curve->tool)
		return true;
	add_rejected(view, result);
	add_footer(view, result);
	return true;
}

/* Pairs of CPUs, which may have NUMA nodes beside them, loads or single accesses alone: they have
 * no levels. */
static bool add_cores(struct view *view, const struct fathom_result *result)
{
	bool any = false;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		bool own = curve->pair_count || curve->load_count ||
			   curve->experiment == FATHOM_DISTRIBUTION;
		if (!own && curve->experiment != FATHOM_NODES)
			return false;
		any |= own;
	}
	if (!any)
		return false;
	cores_view(view, result);
	nodes_view(view, result);
	loaded_view(view, result);
	distribution_view(view, result);
	trouble_view(view, result, 1);
	return true;
}

/* ---- everything ---- */

/* The curves of one experiment alone, of latency with those of other tools. `curves` has room for
 * all. */
static struct fathom_result only(const struct fathom_result *result,
				 enum fathom_experiment experiment, struct fathom_curve *curves)
{
	struct fathom_result some = *result;
	some.curves = curves;
	some.curve_count = 0;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment == experiment && curve->point_count &&
		    !pattern_streams(curve->points[0].spec.pattern))
			curves[some.curve_count++] = *curve;
	}
	return some;
}

/* `some`: what tables are of. */
static void add_sweeps(struct view *view, const struct fathom_result *result,
		       const struct fathom_result *some)
{
	struct curves curves;
	for (int foreign = 0, count = 0; foreign < 2; foreign++) {
		if (!curves_find(some, foreign, view->y, &curves))
			continue;
		add_heading(view, result);
		add_subject(view, result, curves.items[0]);
		if (!count++)
			figure_add_units(view, result);
		curves_table(view, &curves);
		curves_exactness(view, &curves);
	}
}

/* Of a part of its own for each experiment, and the sweeps last: long tables. */
static void add_experiments(struct view *view, const struct fathom_result *result,
			    struct fathom_curve *curves)
{
	static const struct {
		enum fathom_experiment experiment;
		void (*add)(struct view *view, const struct fathom_result *result);
	} parts[] = {{FATHOM_PATTERNS, patterns_view},
		     {FATHOM_ABLATION, effects_view},
		     {FATHOM_DECAY, laps_view}};
	parallelism_view(view, result);
	bandwidth_view(view, result);
	cores_view(view, result);
	nodes_view(view, result);
	loaded_view(view, result);
	distribution_view(view, result);
	settling_view(view, result);
	pages_view(view, result);
	predictions_view(view, result);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		struct fathom_result some = only(result, parts[i].experiment, curves);
		if (some.curve_count)
			parts[i].add(view, &some);
	}
	struct fathom_result sweeps = only(result, FATHOM_LATENCY, curves);
	if (!sweeps.curve_count)
		sweeps = only(result, FATHOM_FREQUENCY, curves);
	add_sweeps(view, result, &sweeps);
}

static void add_everything(struct view *view, const struct fathom_result *result)
{
	struct fathom_curve *curves = calloc(result->curve_count + 1, sizeof(*curves));
	view->failed |= !curves;
	if (trouble_is_survey(result))
		add_findings(view, result);
	else
		levels_view(view, result, view->y);
	readings_view(view, result);
	if (view->trace)
		models_view(view, result);
	if (result->clock_count)
		frequency_view(view, result);
	if (curves)
		add_experiments(view, result, curves);
	if (result->machine)
		view_machine(view, result->machine);
	add_measurement(view, result);
	view_say(view, VIEW_PLAIN, "curves:");
	curves_list(view, result);
	trouble_view(view, result, 1);
	free(curves);
}

/* ---- all ---- */

static size_t count_measured(const struct fathom_result *result)
{
	size_t measured = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		measured += points_count(&result->curves[i], FATHOM_Y_NS) +
			    points_count(&result->curves[i], FATHOM_Y_CYCLES);
	return measured;
}

void view_result(struct view *view, const struct fathom_result *result)
{
	struct curves curves;
	bool any = false;
	trouble_quality(view, result);
	add_title(view, result, result->curve_count ? result->curves : NULL);
	if (add_cores(view, result))
		return;
	if (view->full) {
		add_everything(view, result);
		return;
	}
	if (add_survey(view, result) || add_clocks(view, result) || add_experiment(view, result)) {
		bool latencies = result_experiment(result) == FATHOM_PAGES;
		if (view->trace)
			models_view(view, result);
		trouble_view(view, result, latencies ? count_measured(result) : 1);
		return;
	}
	for (int foreign = 0; foreign < 2; foreign++)
		if (curves_find(result, foreign, view->y, &curves)) {
			add_latency(view, &curves);
			any = true;
		}
	if (!any)
		add_footer(view, result);
	readings_view(view, result);
	levels_view(view, result, view->y);
	if (view->trace)
		models_view(view, result);
	trouble_view(view, result, count_measured(result));
}
