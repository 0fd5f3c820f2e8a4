#include "commands.h"

#include "base/error.h"
#include "base/text.h"
#include "input.h"
#include "perform.h"

/* The options are its children's, which share this heading with others. */
static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The measurement:", 6},
	{0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	(void)value;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	options_pass_on(state, &run_argp);
	return 0;
}

static const struct argp_child children[] = {
	{&options_dry_run, 0, NULL, 0},
	{&options_result, 0, NULL, 0},
	{&options_output, 0, NULL, 0},
	{0},
};

const struct argp run_argp = {
	.options = table,
	.parser = parse,
	.args_doc = "PLAN",
	.children = children,
	.doc = "Measures a plan that '--dry-run --json' printed, without changes. PLAN is a file, "
	       "or - for the standard input.",
};

#define PLAN_HINT "make one with '--dry-run --json -o plan.json' of any measurement"

static int read_plan(const char *path, const struct environment *environment,
		     struct fathom_plan **plan, struct fathom_error *error)
{
	struct text text = {0};
	int status = input_read(path, PLAN_HINT, environment, &text, error);
	if (!status)
		status = fathom_plan_read(text.data, text.length, plan, error);
	text_free(&text);
	return status;
}

int run_run(const struct options *options, const struct environment *environment,
	    struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	if (!options->arguments[0])
		return error_set(error, FATHOM_USAGE, PLAN_HINT, "'run' needs a plan");
	int status = read_plan(options->arguments[0], environment, &plan, error);
	if (!status)
		status = perform_find_machine(options, plan->machine, &machine, error);
	const struct perform_work work = {.plan = plan};
	if (!status)
		status = perform(&work, &machine, options, environment, error);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}
