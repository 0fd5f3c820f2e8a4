#include "commands.h"

#include "base/error.h"
#include "comparison.h"
#include "perform.h"

#define SHORT_BUDGET_S 10

/* On the machine that the baseline was simulated on, or here. */
static int plan_again(const struct comparison *comparison, const struct options *options,
		      struct fathom_machine **machine, struct fathom_plan **plan,
		      struct fathom_error *error)
{
	const struct fathom_result *baseline = comparison->runs[0].result;
	const struct fathom_request *request = &options->request;
	const char *described = baseline->machine ? baseline->machine->description : NULL;
	int status = perform_find_machine(options, described, machine, error);
	if (!status)
		status = fathom_plan_again(baseline, *machine, request->budget_s, request->cpu,
					   request->spec.seed, plan, error);
	if (!status)
		(*plan)->keep_samples = request->keep_samples;
	return status;
}

static int measure(struct comparison *comparison, const struct perform_work *work,
		   struct fathom_machine **machine, const struct options *options,
		   struct fathom_error *error)
{
	struct fathom_result *result;
	int status = perform_measure(work, machine, options, &result, error);
	if (!status && result->interrupted) {
		fathom_result_free(result);
		status = error_set(error, FATHOM_INTERRUPTED, NULL,
				   "interrupted: nothing was compared");
	} else if (!status) {
		status = comparison_add(comparison, "this run", result, error);
	}
	return status;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct comparison comparison = {0};
	struct deliver deliver = {0};
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	if (!options->argument_count)
		return error_set(error, FATHOM_USAGE, "'fathom latency -o baseline.json' makes one",
				 "'check' needs a baseline");
	int status = deliver_open(&deliver, options->output, error);
	for (size_t i = 0; !status && i < options->argument_count; i++)
		status = comparison_read(&comparison, options->arguments[i], options, error);
	comparison.baseline_count = comparison.count;
	if (!status)
		status = plan_again(&comparison, options, &machine, &plan, error);
	const struct perform_work work = {.plan = plan};
	if (!status && options->dry_run) {
		status = perform_dry_run(&work, &deliver, options, error);
	} else if (!status) {
		status = measure(&comparison, &work, &machine, options, error);
		if (!status)
			status = comparison_answer(&comparison, false, &deliver, options, error);
	}
	deliver_cancel(&deliver);
	comparison_free(&comparison);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}

const struct command check_command = {
	.name = "check",
	.summary = "measure a result again and report what got slower",
	.arguments = "BASELINE...",
	.about = "Measures the points of a result again, on the same page kinds, in a short budget "
		 "(default: 10s), and compares. Several results of an unchanged machine show how "
		 "much runs differ by chance. Exit code 6: something got slower; 4: it cannot be "
		 "told, "
		 "because a run was disturbed or too short.",
	.examples = "fathom latency -o baseline.json\n"
		    "fathom check baseline.json\n"
		    "fathom check mon.json tue.json wed.json --budget 20s --json\n",
	.options = COMMAND_OPTIONS(options_measurement, options_node, options_cpu, options_dry_run,
				   comparison_options, options_comparison_format, options_answer,
				   options_machine),
	.answer = "comparison",
	.budget_s = SHORT_BUDGET_S,
	.run = run,
};
