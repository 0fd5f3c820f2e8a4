#include "commands.h"

#include <stdlib.h>

#include "base/error.h"
#include "deliver.h"
#include "perform.h"

enum { KEY_FORMAT = 0x200, KEY_CSV };

static const struct argp_option table[] = {
	{"format", KEY_FORMAT, "NAME", 0, OPTIONS_MACHINE_FORMATS, 10},
	{"csv", KEY_CSV, NULL, OPTION_HIDDEN, NULL, 10}, /* refused with a reason */
	{0},
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		options_pass_on(state, &info_argp);
		return 0;
	case KEY_FORMAT:
		options_set_format(options, value, "--format");
		return 0;
	case KEY_CSV:
		options_set_format(options, "csv", "--csv");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&options_output, 0, NULL, 0}, {0}};

const struct argp info_argp = {
	.options = table,
	.parser = parse,
	.children = children,
	.doc = "Describes this machine, and lists what limits or disturbs measurements on it, each "
	       "with the command that lifts it.",
};

int info_run(const struct options *options, const struct environment *environment,
	     struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct deliver deliver = {0};
	struct fathom_style style = perform_style(options, environment);
	char *answer = NULL;
	size_t length;
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = perform_find_machine(options, NULL, &machine, error);
	if (!status)
		status = fathom_machine_write(machine, options->format, &style, &answer, &length,
					      error);
	if (!status)
		status = deliver_finish(&deliver, answer, length, error);
	deliver_cancel(&deliver);
	free(answer);
	fathom_machine_free(machine);
	return status;
}
