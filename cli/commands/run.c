#include "commands.h"

#include "base/error.h"
#include "base/text.h"
#include "input.h"
#include "perform.h"

#define PLAN_HINT "make one with '--dry-run --json -o plan.json' of any measurement"

static int read_plan(const char *path, const struct environment *environment,
		     struct fathom_plan **plan, struct fathom_error *error)
{
	struct text text = {0};
	int status = input_read(path, PLAN_HINT, environment, &text, error);
	if (!status)
		status = input_name_file(
			path, fathom_plan_read(text.data, text.length, plan, error), error);
	text_free(&text);
	return status;
}

static int run(const struct options *options, struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	if (!options->arguments[0])
		return error_set(error, FATHOM_USAGE, PLAN_HINT, "'run' needs a plan");
	int status = read_plan(options->arguments[0], options->environment, &plan, error);
	if (!status)
		status = perform_find_machine(options, plan->machine, &machine, error);
	const struct perform_work work = {.plan = plan};
	if (!status)
		status = perform(&work, &machine, options, error);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}

const struct command run_command = {
	.name = "run",
	.summary = "measure a plan that --dry-run --json printed",
	.arguments = "PLAN",
	.about = "Measures a plan that '--dry-run --json' printed, without changes. PLAN is a "
		 "file, or - for the standard input.",
	.options = COMMAND_OPTIONS(options_node, options_dry_run, options_strict, options_y,
				   options_all, options_explain, options_result_format,
				   options_answer, options_machine),
	.answer = "result",
	.keeps = true,
	.several = true,
	.run = run,
};
