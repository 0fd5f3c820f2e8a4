/* A plan for people: what `--dry-run` prints. */
#include <math.h>

#include "base/error.h"
#include "base/names.h"
#include "base/plan.h"
#include "render/text/layout.h"
#include "render/writers.h"

static void add_what(const struct layout *layout, const struct fathom_plan *plan)
{
	struct text line = {0};
	const char *experiment = experiment_name(plan->experiment), *axis = axis_name(plan->axis);
	text_add(&line, "%s against %s on ", experiment ? experiment : "unknown",
		 axis ? axis : "unknown");
	layout_outside(layout, &line, plan->machine ? plan->machine : "this machine");
	if (plan->cpu >= 0)
		text_add(&line, ", CPU %d", plan->cpu);
	layout_item(layout, "", false, &line);
	if (plan->spec_count == 0)
		return;
	const struct fathom_spec *first = plan->specs;
	const char *page = page_name(first->page);
	layout_spec(&line, first);
	layout_fact(layout, "pattern", &line);
	text_add(&line, "%s", page ? page : "unknown");
	layout_fact(layout, "pages", &line);
}

static void add_points(const struct layout *layout, const struct fathom_plan *plan)
{
	struct text line = {0};
	text_add(&line, "%zu%s, with six blocks each: ", plan->spec_count,
		 plan->asked ? "" : " at most");
	text_add(&line, plan->asked ? "what does not fit in the budget is left out, and told"
				    : "as many as turn out to fit in the budget");
	layout_fact(layout, "points", &line);
}

static void add_cost(const struct layout *layout, const struct fathom_plan *plan)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	text_add(&line, "0x%llx", (unsigned long long)plan->seed);
	layout_fact(layout, "seed", &line);
	text_add(&line, "%s will be mapped", layout_size(plan->memory_bytes, false, size));
	layout_fact(layout, "memory", &line);
	if (isfinite(plan->estimated_s))
		text_add(&line, "about %.3g s, ", plan->estimated_s);
	text_add(&line, "budget %.3g s, for %s%.3g %% at each point%s", plan->budget_s,
		 layout_plus_minus(layout), 100 * plan->target,
		 plan->keep_samples ? ", every sample kept" : "");
	if (plan->steps)
		text_add(&line, ", at most %llu accesses of each", (unsigned long long)plan->steps);
	layout_fact(layout, "time", &line);
	add_points(layout, plan);
}

static void add_page_count(const struct fathom_plan *plan, size_t first, size_t end,
			   struct text *line)
{
	const struct fathom_spec *low = &plan->specs[first], *high = &plan->specs[end - 1];
	const char *noun = low->pattern == FATHOM_ONE_PER_PAGE ? "pages" : "nodes";
	text_add(line, "%zu, from %llu to %llu %s", end - first,
		 (unsigned long long)(low->size_bytes / low->node_bytes),
		 (unsigned long long)(high->size_bytes / high->node_bytes), noun);
}

/* How many sizes a curve has, and which. */
static void add_sizes(const struct fathom_plan *plan, size_t first, size_t end, struct text *line)
{
	char low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES];
	const struct fathom_spec *spec = &plan->specs[first];
	const char *page = page_name(spec->page);
	if (spec->axis == FATHOM_AXIS_LANES)
		text_add(line, "%u to %u lanes, %s pages, ", spec->lanes,
			 plan->specs[end - 1].lanes, page ? page : "unknown");
	if (spec->size_bytes == 0) {
		text_add(line, "inside each level that the sweep shows");
		return;
	}
	if (spec->axis == FATHOM_AXIS_LANES) {
		text_add(line, "%s", layout_size(spec->size_bytes, false, low));
		return;
	}
	if (spec->axis == FATHOM_AXIS_PAGES) {
		add_page_count(plan, first, end, line);
		return;
	}
	if (spec->lap) {
		text_add(line, "laps 1 to %u of %s", plan->specs[end - 1].lap,
			 layout_size(plan->specs[first].size_bytes, false, low));
		return;
	}
	text_add(line, "%zu, from %s to %s", end - first,
		 layout_size(plan->specs[first].size_bytes, false, low),
		 layout_size(plan->specs[end - 1].size_bytes, false, high));
}

static void add_list(const struct layout *layout, const struct fathom_plan *plan, size_t first,
		     size_t end)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	for (size_t i = first; i < end; i++)
		text_add(&line, "%s ", layout_size(plan->specs[i].size_bytes, true, size));
	layout_fact(layout, "", &line);
}

static bool has_list(const struct fathom_spec *spec)
{
	return spec->axis == FATHOM_AXIS_SIZE && spec->size_bytes;
}

static void add_main_curve(const struct layout *layout, const struct fathom_plan *plan, size_t end)
{
	char always[UNITS_TEXT_BYTES];
	struct text line = {0};
	add_sizes(plan, 0, end, &line);
	if (plan->always_bytes < plan->specs[end - 1].size_bytes)
		text_add(&line,
			 "; over %s only as far as 16 x the last cache that the first pass shows",
			 layout_size(plan->always_bytes, false, always));
	layout_fact(layout, "sizes", &line);
	if (has_list(&plan->specs[0]))
		add_list(layout, plan, 0, end);
}

/* Does the curve go along what the main one goes along, which need not be told again? */
static bool same_axis(const struct fathom_plan *plan, size_t first)
{
	enum fathom_axis axis = plan->specs[first].axis;
	return axis == plan->specs[0].axis && axis != FATHOM_AXIS_LANES;
}

/* Has the curve the sizes of the main one? */
static bool same_sizes(const struct fathom_plan *plan, size_t first, size_t end)
{
	if (end - first != plan_curve_end(plan, 0))
		return false;
	for (size_t i = first; i < end; i++)
		if (plan->specs[i].size_bytes != plan->specs[i - first].size_bytes)
			return false;
	return true;
}

static void add_other_curve(const struct layout *layout, const struct fathom_plan *plan,
			    size_t first, size_t end)
{
	bool control = plan->specs[first].pattern == FATHOM_WINDOW;
	struct text line = {0};
	bool same = same_axis(plan, first) && same_sizes(plan, first, end);
	const char *page = page_name(plan->specs[first].page);
	layout_spec(&line, &plan->specs[first]);
	if (plan->specs[first].page != plan->specs[0].page &&
	    plan->specs[first].axis != FATHOM_AXIS_LANES)
		text_add(&line, ", %s pages", page ? page : "unknown");
	text_add(&line, ": ");
	if (same)
		text_add(&line, plan->specs[first].lap ? "the same laps" : "the same sizes");
	else
		add_sizes(plan, first, end, &line);
	if (control)
		text_add(&line, "; only as far as 4 x the last cache");
	layout_fact(layout, control ? "control" : "beside it", &line);
	if (!same && has_list(&plan->specs[first]))
		add_list(layout, plan, first, end);
}

static void add_curves(const struct layout *layout, const struct fathom_plan *plan)
{
	struct text line = {0};
	size_t end = plan_curve_end(plan, 0);
	if (plan->spec_count == 0) {
		text_add(&line, "none");
		layout_fact(layout, "sizes", &line);
		return;
	}
	add_main_curve(layout, plan, end);
	for (size_t first = end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		add_other_curve(layout, plan, first, end);
	}
}

int text_write_plan(const struct fathom_plan *plan, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	add_what(&layout, plan);
	add_cost(&layout, plan);
	add_curves(&layout, plan);
	return text->failed ? error_no_memory(error) : 0;
}

#define STAGE_COLUMNS 14
#define COST_COLUMNS  10

static void add_stage(const struct layout *layout, const struct fathom_plan *plan)
{
	char size[UNITS_TEXT_BYTES];
	const char *name = experiment_name(plan->experiment);
	size_t curves = 0;
	for (size_t first = 0; first < plan->spec_count; first = plan_curve_end(plan, first))
		curves++;
	text_add(layout->text, "  ");
	layout_cell(layout, STAGE_COLUMNS, false, name ? name : "unknown");
	layout_take_cell(layout, COST_COLUMNS, true, text_format("%.3g s", plan->budget_s));
	layout_cell(layout, COST_COLUMNS, true, layout_size(plan->memory_bytes, false, size));
	layout_take_cell(layout, COST_COLUMNS, true, text_format("%zu", curves));
	layout_take_cell(layout, COST_COLUMNS, true, text_format("%zu", plan->spec_count));
	layout_end_line(layout);
}

int text_write_survey(const struct fathom_survey *survey, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	struct layout layout = layout_make(text, style);
	struct text line = {0};
	text_add(&line, "survey in %.3g s; %s will be mapped at most", survey->budget_s,
		 layout_size(survey->memory_bytes, false, size));
	layout_item(&layout, "", false, &line);
	text_add(text, "\n  ");
	layout_cell(&layout, STAGE_COLUMNS, false, "stage");
	layout_cell(&layout, COST_COLUMNS, true, "time");
	layout_cell(&layout, COST_COLUMNS, true, "memory");
	layout_cell(&layout, COST_COLUMNS, true, "curves");
	layout_cell(&layout, COST_COLUMNS, true, "points");
	layout_end_line(&layout);
	for (size_t i = 0; i < FATHOM_SURVEY_STAGES; i++)
		if (survey->plans[i])
			add_stage(&layout, survey->plans[i]);
	text_add(&line, "parallelism is measured inside the levels that latency finds; a stage's "
			"time that is left goes to those after it");
	layout_item(&layout, "  ", false, &line);
	layout_end_part(&layout);
	layout_warnings(&layout, &survey->warnings);
	return text->failed ? error_no_memory(error) : 0;
}
