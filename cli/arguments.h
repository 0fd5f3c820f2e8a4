/* The argument vector: which command, which options, and in whose words it is refused. */
#pragma once

#include "commands.h"

/* Options may stand before or after the command's name. *command is NULL when none was named; the
 * options are then those of the first command. free(options->arguments) in any case. Errors: USAGE.
 */
int arguments_parse(int argc, char **argv, struct options *options, const struct command **command,
		    struct fathom_error *error);
