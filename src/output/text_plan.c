/* A plan for people: what `--dry-run` prints. */
#include <math.h>

#include "base/error.h"
#include "base/names.h"
#include "output/layout.h"
#include "output/writers.h"

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
	layout_fact(layout, "time", &line);
}

static void add_sizes(const struct layout *layout, const struct fathom_plan *plan)
{
	char low[UNITS_TEXT_BYTES], high[UNITS_TEXT_BYTES], always[UNITS_TEXT_BYTES];
	struct text line = {0};
	if (plan->spec_count == 0) {
		text_add(&line, "none");
		layout_fact(layout, "sizes", &line);
		return;
	}
	uint64_t most = plan->specs[plan->spec_count - 1].size_bytes;
	text_add(&line, "%zu, from %s to %s", plan->spec_count,
		 layout_size(plan->specs[0].size_bytes, false, low),
		 layout_size(most, false, high));
	if (plan->always_bytes < most)
		text_add(&line,
			 "; over %s only as far as 16 x the last cache that the first pass shows",
			 layout_size(plan->always_bytes, false, always));
	layout_fact(layout, "sizes", &line);
	for (size_t i = 0; i < plan->spec_count; i++)
		text_add(&line, "%s ", layout_size(plan->specs[i].size_bytes, true, low));
	layout_fact(layout, "", &line);
}

int text_write_plan(const struct fathom_plan *plan, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	add_what(&layout, plan);
	add_cost(&layout, plan);
	add_sizes(&layout, plan);
	return text->failed ? error_no_memory(error) : 0;
}
