#include "commands.h"

#include "deliver.h"
#include "perform.h"

static int run(const struct options *options, struct fathom_error *error)
{
	struct fathom_machine *machine = NULL;
	struct deliver deliver = {0};
	struct fathom_style style = perform_style(options);
	char *answer = NULL;
	size_t length = 0;
	int status = deliver_open(&deliver, options->output, error);
	if (!status)
		status = perform_find_machine(options, NULL, &machine, error);
	if (!status)
		status = fathom_machine_write(machine, options->format, &style, &answer, &length,
					      error);
	status = deliver_written(&deliver, status, answer, length, error);
	deliver_cancel(&deliver);
	fathom_machine_free(machine);
	return status;
}

const struct command info_command = {
	.name = "info",
	.summary = "this machine, and what limits measurements on it",
	.about = "Describes this machine, and lists what limits or disturbs measurements on it, "
		 "each with the command that lifts it.",
	.options = COMMAND_OPTIONS(options_machine_format, options_answer, options_machine),
	.answer = "machine",
	.run = run,
};
