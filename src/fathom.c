/* The public functions, all but fathom_measure: what they take to bits and make of bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/document.h"
#include "document/table.h"
#include "fathom.h"
#include "fathom_join.h"
#include "fathom_search.h"
#include "machine/machine.h"
#include "measure/plan/plan.h"
#include "model/checks/invariants.h"
#include "model/checks/quality.h"
#include "model/checks/withhold.h"
#include "model/cores/core_classes.h"
#include "model/cores/core_reported.h"
#include "model/distribution/distributions.h"
#include "model/frequency/frequency.h"
#include "model/latency_numbers.h"
#include "model/levels/levels.h"
#include "model/levels/levels_changed.h"
#include "model/levels/reported.h"
#include "model/loaded/load_counts.h"
#include "model/loaded/load_laws.h"
#include "model/node_access.h"
#include "model/parallelism/parallelism.h"
#include "model/predict/predict.h"
#include "model/textbook/textbook.h"
#include "model/translation/translation.h"
#include "readers/readers.h"
#include "simulate/simulated_machine.h"
#include "simulate/simulated_spec.h"

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

double fathom_machine_clock_hz(const struct fathom_machine *machine)
{
	struct simulated_spec spec;
	if (!machine->description || simulated_spec_parse(machine->description, &spec, NULL))
		return NAN;
	return spec.clock_hz;
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

void fathom_machine_free(struct fathom_machine *machine)
{
	if (!machine)
		return;
	machine_close(machine);
	table_clear(&machine_table, machine);
	free(machine);
}

void fathom_result_free(struct fathom_result *result)
{
	if (!result)
		return;
	table_clear(&result_table, result);
	fathom_machine_free(result->machine);
	free(result);
}

int fathom_result_join(struct fathom_result *whole, struct fathom_result *part,
		       struct fathom_error *error)
{
	return join_curves(whole, part, error);
}

/* ---- what it says ---- */

/* In place of the levels, none of which are there any more. */
static int fit(struct fathom_result *result, const struct fathom_observer *observer,
	       struct fathom_error *error)
{
	struct group *chains = malloc(sizeof(*chains)); /* stacks may be small */
	if (!chains)
		return error_no_memory(error);
	warnings_remove(&result->warnings, "interval-doubtful"); /* all that it is told of */
	int status = levels_find(result, observer, chains, error) ||
		     translation_find(result, chains, observer, error) ||
		     order_check(result, error) || reported_compare(result, error) ||
		     parallelism_find(result, error) || core_classes_find(result, error) ||
		     core_reported_compare(result, error) || load_laws_find(result, error) ||
		     load_counts_judge(result, error) || distributions_find(result, error) ||
		     node_access_find(result, error) || withhold_doubtful(result, error) ||
		     latency_numbers_find(result, error) || withhold_outside(result, error) ||
		     quality_find(result, error) ||
		     (result->survey && predict_usual(result, error));
	group_free(chains);
	free(chains);
	return status ? -1 : 0;
}

int fathom_fit(struct fathom_result *result, const struct fathom_observer *observer,
	       struct fathom_error *error)
{
	struct fathom_level *before = result->levels;
	size_t count = result->level_count;
	result->levels = NULL;
	result->level_count = 0;
	int status = fit(result, observer, error);
	if (status == 0)
		status = levels_changed_tell(before, count, result, error);
	table_free_items(&level_table, before, count);
	return status;
}

int fathom_explain(struct fathom_result *result, struct fathom_error *error)
{
	return textbook_explain(result, error);
}

/* ---- several runs ---- */

/* A random cycle, or whatever another tool has walked; NULL: there is none. */
static struct fathom_curve *main_curve(struct fathom_result *run)
{
	for (size_t i = 0; i < run->curve_count; i++) {
		struct fathom_curve *curve = &run->curves[i];
		if (curve->experiment == FATHOM_LATENCY && curve->axis == FATHOM_AXIS_SIZE &&
		    curve->point_count > 0 && curve->points[0].spec.pattern != FATHOM_WINDOW)
			return curve;
	}
	return NULL;
}

static int check_run(struct fathom_result *run, size_t number, struct fathom_error *error)
{
	const struct fathom_curve *curve = main_curve(run);
	if (!curve)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom latency --json' prints one",
				 "run %zu has no latency curve", number);
	if (curve->relative_to_l1)
		return error_set(error, FATHOM_BAD_INPUT, "measure with fathom, or lat_mem_rd",
				 "the latencies of run %zu are relative to L1", number);
	return 0;
}

/* What must be alike for the clock to be the only difference; what is not known is. */
static void warn_of_differences(const struct fathom_curve *first, const struct fathom_curve *other,
				size_t number, struct fathom_warnings *warnings)
{
	const struct fathom_spec *a = &first->points[0].spec, *b = &other->points[0].spec;
	const struct {
		const char *what;
		bool differs;
	} fields[] = {
		{"order", a->pattern != b->pattern && a->pattern != FATHOM_PATTERN_UNKNOWN &&
				  b->pattern != FATHOM_PATTERN_UNKNOWN},
		{"node spacing", a->node_bytes != b->node_bytes && a->node_bytes && b->node_bytes},
		{"kind of pages", a->page != b->page && a->page != FATHOM_PAGE_UNKNOWN &&
					  b->page != FATHOM_PAGE_UNKNOWN},
		{"CPU", first->cpu != other->cpu && first->cpu >= 0 && other->cpu >= 0},
	};
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
		if (fields[i].differs)
			warnings_add(warnings, "runs-differ", fields[i].what,
				     "measure both in the same way: every other difference would "
				     "be attributed to the clock",
				     "runs 1 and %zu differ in their %s", number, fields[i].what);
}

/* That a clock wandered is to be known of each of them. */
static int keep_warnings(const struct fathom_result *run, size_t number,
			 struct fathom_warnings *warnings, struct fathom_error *error)
{
	char *where = text_format("run %zu", number);
	int status = where ? 0 : error_no_memory(error);
	for (size_t i = 0; i < run->warnings.count && !status; i++) {
		const struct fathom_warning *warning = &run->warnings.items[i];
		if (strcmp(warning->id, "clock-wandered") == 0 &&
		    warnings_add(warnings, warning->id, where, warning->hint, "%s", warning->text))
			status = error_no_memory(error);
	}
	free(where);
	return status;
}

/* The levels that were read from that curve are of the first of the new result. */
static void take_levels(struct fathom_result *run, size_t curve, struct fathom_result *made)
{
	made->levels = run->levels;
	for (size_t i = 0; i < run->level_count; i++) {
		struct fathom_level level = run->levels[i];
		if (level.curve == curve) {
			level.curve = 0;
			made->levels[made->level_count++] = level;
		} else {
			free(level.name);
			free(level.evidence);
			free(level.replacement_evidence);
		}
	}
	run->levels = NULL;
	run->level_count = 0;
}

/* What the run has of the curve from here on is an empty one. */
static void take_curve(struct fathom_result *run, struct fathom_result *made)
{
	struct fathom_curve *curve = main_curve(run);
	made->curves[made->curve_count] = *curve;
	made->curves[made->curve_count++].experiment = FATHOM_FREQUENCY;
	*curve = (struct fathom_curve){.cpu = -1, .memory_node = -1};
}

static int join_runs(struct fathom_result *const *runs, size_t count, struct fathom_result *made,
		     struct fathom_error *error)
{
	made->curves = calloc(count, sizeof(*made->curves));
	if (!made->curves)
		return error_no_memory(error);
	if (runs[0]->level_count == 0 && levels_find(runs[0], NULL, NULL, error))
		return -1;
	take_levels(runs[0], (size_t)(main_curve(runs[0]) - runs[0]->curves), made);
	made->machine = runs[0]->machine;
	runs[0]->machine = NULL;
	made->seed = runs[0]->seed;
	made->measured_at = runs[0]->measured_at;
	runs[0]->measured_at = NULL;
	made->measured_line_bytes = runs[0]->measured_line_bytes;
	made->clock_min_hz = made->clock_median_hz = made->clock_max_hz = made->clock_drift = NAN;
	made->elapsed_s = made->busy_cpus = 0;
	for (size_t i = 0; i < count; i++) {
		made->elapsed_s += runs[i]->elapsed_s;
		made->busy_cpus += runs[i]->busy_cpus / (double)count;
		made->interrupted |= runs[i]->interrupted;
		take_curve(runs[i], made);
		warn_of_differences(&made->curves[0], &made->curves[i], i + 1, &made->warnings);
		if (keep_warnings(runs[i], i + 1, &made->warnings, error))
			return -1;
	}
	return 0;
}

int fathom_frequency(struct fathom_result *const *runs, size_t count, const double *clocks_hz,
		     struct fathom_result **result, struct fathom_error *error)
{
	if (count < 2)
		return error_set(error, FATHOM_BAD_INPUT, "measure at a second clock",
				 "two runs are needed, at two clocks");
	for (size_t i = 0; i < count; i++)
		if (check_run(runs[i], i + 1, error))
			return -1;
	struct fathom_result *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	if (join_runs(runs, count, made, error) || frequency_find(made, clocks_hz, error) ||
	    quality_find(made, error)) {
		fathom_result_free(made);
		return -1;
	}
	*result = made;
	return 0;
}

/* ---- bytes ---- */

/* What a disturbed run led an earlier version to say is withheld; what contradicts itself besides
 * is refused. */
static int check_read(struct fathom_result *read, struct fathom_error *error)
{
	size_t before = read->warnings.count;
	if (withhold_doubtful(read, error) ||
	    (read->warnings.count > before && read->number_count &&
	     latency_numbers_find(read, error)) ||
	    quality_find(read, error))
		return -1;
	return invariants_verify(read, error);
}

int fathom_result_read(const char *bytes, size_t length, const struct fathom_input *input,
		       struct fathom_result **result, struct fathom_error *error)
{
	static const struct fathom_input as_found = {0};
	struct fathom_result *read;
	if (readers_read(bytes, length, input ? input : &as_found, &read, error))
		return -1;
	if (check_read(read, error)) {
		fathom_result_free(read);
		return -1;
	}
	*result = read;
	return 0;
}
