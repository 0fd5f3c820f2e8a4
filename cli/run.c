#include "commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/text.h"
#include "perform.h"

enum { KEY_DRY_RUN = 0x200 };

static const struct argp_option table[] = {
	{NULL, 0, NULL, 0, "The measurement:", 2},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "Print the plan, its memory and time; measure nothing",
	 2},
	{0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	(void)value;
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state);
		return 0;
	case KEY_DRY_RUN:
		options->dry_run = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&options_result, 0, NULL, 0},
	{&options_output, 0, NULL, 0},
	{0},
};

const struct argp run_argp = {
	.options = table,
	.parser = parse,
	.args_doc = "PLAN",
	.children = children,
	.doc = "Measures a plan that 'fathom latency --dry-run --json' printed, as it stands "
	       "there. "
	       "PLAN is a file, or - for the standard input.",
};

static int read_all(int file, const char *path, struct text *text, struct fathom_error *error)
{
	char part[4096];
	for (;;) {
		ssize_t length = read(file, part, sizeof(part));
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0)
			return error_set_errno(error, FATHOM_BAD_INPUT, NULL,
					       "cannot read the plan '%s'", path);
		if (length == 0)
			return text->failed ? error_no_memory(error) : 0;
		text_add_bytes(text, part, (size_t)length);
	}
}

static int read_plan(const char *path, struct fathom_plan **plan, struct fathom_error *error)
{
	struct text text = {0};
	int file = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return error_set_errno(error, FATHOM_BAD_INPUT,
				       "'fathom latency --dry-run --json -o plan.json' makes one",
				       "cannot open the plan '%s'", path);
	int status = read_all(file, path, &text, error);
	if (!status)
		status = fathom_plan_read(text.data ? text.data : "", text.length, plan, error);
	text_free(&text);
	if (file != STDIN_FILENO)
		close(file);
	return status;
}

int run_run(const struct options *options, const struct environment *environment,
	    struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct fathom_plan *plan = NULL;
	if (!options->argument)
		return error_set(error, FATHOM_USAGE,
				 "'fathom latency --dry-run --json -o plan.json' makes one",
				 "'run' needs a plan");
	int status = read_plan(options->argument, &plan, error);
	if (!status)
		status = fathom_machine_find(options->machine ? options->machine : plan->machine,
					     &machine, error);
	if (!status)
		status = perform(plan, &machine, options, environment, error);
	fathom_plan_free(plan);
	fathom_machine_free(machine);
	return status;
}
