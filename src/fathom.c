/* Where everything meets: machine -> plan -> sweep -> result. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/error.h"
#include "base/plan.h"
#include "base/units.h"
#include "base/warnings.h"
#include "fathom.h"
#include "kernels/flush.h"
#include "machine/machine.h"
#include "measure/calibrate.h"
#include "measure/experiments.h"
#include "measure/line.h"
#include "measure/meter.h"
#include "measure/plan.h"
#include "measure/rounds.h"
#include "measure/sweep.h"
#include "model/effects.h"
#include "model/levels.h"
#include "model/reported.h"
#include "model/textbook.h"
#include "output/formats.h"
#include "output/readers.h"

const char *fathom_version(void)
{
	return FATHOM_VERSION;
}

int fathom_machine_find(const char *description, struct fathom_machine **machine,
			struct fathom_error *error)
{
	const struct machine_source here = {.root = ""};
	if (!description)
		return machine_find(&here, machine, error);
	if (strncmp(description, "sim:", 4) == 0)
		return meter_simulated_machine(description, machine, error);
	return error_set(error, FATHOM_BAD_INPUT, "a simulated machine is described by sim:SPEC",
			 "'%s' is not a machine", description);
}

int fathom_plan_read(const char *text, size_t length, struct fathom_plan **plan,
		     struct fathom_error *error)
{
	struct fathom_plan *read;
	if (json_read_plan(text, length, &read, error))
		return -1;
	if (plan_check_itself(read, error)) {
		if (error)
			error->status = FATHOM_BAD_INPUT;
		fathom_plan_free(read);
		return -1;
	}
	*plan = read;
	return 0;
}

/* ---- measuring ---- */

static int open_meter(const struct fathom_plan *plan, const struct fathom_machine *machine,
		      struct fathom_warnings *warnings, struct meter **meter,
		      struct fathom_error *error)
{
	uint64_t largest = plan_largest_bytes(plan);
	if (largest < LINE_SPAN_BYTES)
		largest = LINE_SPAN_BYTES;
	if (machine->description)
		return meter_simulated_open(machine, largest, meter, error);
	return meter_hardware_open(machine, plan->cpu, largest, warnings, meter, error);
}

/* Sizes become whole numbers of the new nodes; those that then repeat, or hold none, are left out.
 */
static void space_nodes(struct fathom_plan *plan, uint64_t node_bytes)
{
	size_t count = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		struct fathom_spec spec = plan->specs[i];
		const struct fathom_spec *before = count ? &plan->specs[count - 1] : NULL;
		spec.node_bytes = node_bytes;
		spec.size_bytes -= spec.size_bytes % node_bytes;
		spec.window_bytes -= spec.window_bytes % node_bytes;
		if (spec.size_bytes == 0 || (before && plan_same_curve(&spec, before) &&
					     spec.size_bytes == before->size_bytes))
			continue;
		plan->specs[count++] = spec;
	}
	plan->spec_count = count;
}

/* Measures the line, holds it against the reported one, and lets nodes that were meant to be a line
 * apart be just that. */
static int settle_line(struct fathom_plan *plan, struct meter *meter,
		       const struct fathom_machine *machine, struct fathom_result *result,
		       struct fathom_error *error)
{
	uint64_t measured, reported = machine_line_bytes(machine);
	if (line_measure(meter, plan->specs[0].page, plan->seed, reported, &measured, error))
		return -1;
	result->measured_line_bytes = measured;
	if (measured == 0) {
		warnings_add(&result->warnings, "line-unknown", NULL, NULL,
			     "the line size could not be measured; %d bytes are assumed",
			     (int)(reported ? reported : meter->line_bytes));
		measured = reported ? reported : meter->line_bytes;
	} else if (reported && measured != reported) {
		warnings_add(&result->warnings, "line-differs", NULL, NULL,
			     "the OS reports lines of %d bytes, measured are %d", (int)reported,
			     (int)measured);
	}
	meter->line_bytes = measured;
	if (plan->node_is_line)
		space_nodes(plan, measured);
	return 0;
}

/* A copy whose specs may be changed; the name of the machine is left out. */
static int copy_plan(const struct fathom_plan *plan, struct fathom_plan *copy,
		     struct fathom_error *error)
{
	struct fathom_spec *specs = malloc(plan->spec_count * sizeof(*specs));
	if (!specs)
		return error_no_memory(error);
	memcpy(specs, plan->specs, plan->spec_count * sizeof(*specs));
	*copy = *plan;
	copy->specs = specs;
	copy->machine = NULL;
	return 0;
}

/* Where the reaches of the levels that the main curve shows so far are least certain. Its control
 * would tell caches from TLBs, which matters less here than the time that it takes. */
static int wanted_sizes(void *context, const struct fathom_result *so_far, uint64_t *sizes_bytes,
			size_t most, size_t *count, struct fathom_error *error)
{
	(void)context;
	struct fathom_result view = {.curves = so_far->curves, .curve_count = 1};
	int status = levels_find(&view, error);
	if (status == 0)
		*count = levels_wanted(&view, sizes_bytes, most);
	levels_free(view.levels, view.level_count);
	warnings_free(&view.warnings);
	return status;
}

/* A fit takes about as many times longer as there are curves. */
static double reading_times(const struct fathom_plan *plan)
{
	double curves = 0;
	for (size_t first = 0; first < plan->spec_count; first = plan_curve_end(plan, first))
		curves++;
	return curves;
}

static void warn_of_flush(const struct fathom_plan *plan, const struct fathom_machine *machine,
			  struct fathom_result *result)
{
	bool flushed = false;
	for (size_t i = 0; i < plan->spec_count; i++)
		flushed |= plan->specs[i].warmth == FATHOM_COLD_FLUSHED;
	if (flushed && !machine->description && !flush_instruction())
		warnings_add(&result->warnings, "cold-by-eviction", NULL, NULL,
			     "this CPU lets no program flush lines: 'cold_flushed' is cold by "
			     "reading 1 GiB of other memory first");
}

static int measure_into(struct fathom_plan *plan, struct fathom_machine *machine,
			const struct fathom_observer *observer, struct fathom_result *result,
			struct fathom_error *error)
{
	const struct sweep_guide guide = {
		.wanted = wanted_sizes,
		.reading_times = reading_times(plan),
	};
	const struct experiment *experiment = experiment_find(plan->experiment);
	struct meter *meter;
	if (open_meter(plan, machine, &result->warnings, &meter, error))
		return -1;
	warn_of_flush(plan, machine, result);
	if (experiment->warn)
		experiment->warn(plan, machine, &result->warnings);
	int status = calibrate_fixed_cost(meter, plan->specs[0].page, plan->seed, error);
	if (status == 0)
		status = settle_line(plan, meter, machine, result, error);
	if (status == 0 && experiment->finds_sizes)
		status = sweep_run(plan, meter, observer, &guide, result, error);
	else if (status == 0)
		status = rounds_run(plan, meter, observer, result, error);
	meter->ops->close(meter);
	if (status)
		return status;
	return fathom_fit(result, error) || effects_find(result, error) ? -1 : 0;
}

int fathom_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		   const struct fathom_observer *observer, struct fathom_result **result,
		   struct fathom_error *error)
{
	struct fathom_plan settled;
	if (plan_check(plan, machine, error) || copy_plan(plan, &settled, error))
		return -1;
	struct fathom_result *made = calloc(1, sizeof(*made));
	int status = made ? 0 : error_no_memory(error);
	if (status == 0) {
		made->seed = plan->seed;
		made->machine = machine;
		status = measure_into(&settled, machine, observer, made, error);
	}
	free(settled.specs);
	if (status) {
		if (made)
			made->machine = NULL; /* stays the caller's */
		fathom_result_free(made);
		return -1;
	}
	*result = made;
	return 0;
}

void fathom_result_free(struct fathom_result *result)
{
	if (!result)
		return;
	for (size_t i = 0; result->argv && result->argv[i]; i++)
		free(result->argv[i]);
	free(result->argv);
	for (size_t i = 0; i < result->curve_count; i++) {
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			free(result->curves[i].points[k].blocks_ns);
			free(result->curves[i].points[k].samples_ns);
			counts_free(result->curves[i].points[k].counts,
				    result->curves[i].points[k].event_count);
		}
		free(result->curves[i].points);
		free(result->curves[i].tool);
	}
	free(result->curves);
	levels_free(result->levels, result->level_count);
	effects_free(result->effects, result->effect_count);
	textbook_free(result->readings, result->reading_count);
	free(result->clock_missing);
	warnings_free(&result->warnings);
	fathom_machine_free(result->machine);
	free(result);
}

/* ---- what it says ---- */

int fathom_fit(struct fathom_result *result, struct fathom_error *error)
{
	return levels_find(result, error) || reported_compare(result, error) ? -1 : 0;
}

int fathom_explain(struct fathom_result *result, struct fathom_error *error)
{
	return textbook_explain(result, error);
}

/* ---- bytes ---- */

int fathom_result_read(const char *bytes, size_t length, const struct fathom_input *input,
		       struct fathom_result **result, struct fathom_error *error)
{
	static const struct fathom_input as_found = {0};
	return readers_read(bytes, length, input ? input : &as_found, result, error);
}

static const struct fathom_style plain_style = {.columns = 80};

static int refuse_format(const char *format, const char *noun, struct fathom_error *error)
{
	return error_set(error, FATHOM_USAGE, "choose text or json", "format '%s' cannot hold a %s",
			 format, noun);
}

/* What a writer left in `written`, if it succeeded, becomes the caller's. */
static int hand_over(int status, struct text *written, char **text, size_t *length,
		     struct fathom_error *error)
{
	size_t written_length = written->length;
	char *taken = status ? NULL : text_take(written);
	text_free(written);
	if (status)
		return -1;
	if (!taken)
		return error_no_memory(error);
	*text = taken;
	*length = written_length;
	return 0;
}

int fathom_result_write(const struct fathom_result *result, const char *format,
			const struct fathom_style *style, char **text, size_t *length,
			struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->result)
		return refuse_format(format, "result", error);
	int status = found->result(result, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}

int fathom_plan_write(const struct fathom_plan *plan, const char *format,
		      const struct fathom_style *style, char **text, size_t *length,
		      struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->plan)
		return refuse_format(format, "plan", error);
	int status = found->plan(plan, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}

int fathom_machine_write(const struct fathom_machine *machine, const char *format,
			 const struct fathom_style *style, char **text, size_t *length,
			 struct fathom_error *error)
{
	struct text written = {0};
	const struct format *found = format_find(format);
	if (!found || !found->machine)
		return refuse_format(format, "machine", error);
	int status = found->machine(machine, style ? style : &plain_style, &written, error);
	return hand_over(status, &written, text, length, error);
}
