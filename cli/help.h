/* What --help and --usage print. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "commands.h"

/* About `command` or, where that is NULL, about all of fathom. free() it; NULL: out of memory. */
char *help_make(const struct command *command, enum options_show show);

/* What is done most, for the help of all of fathom. The last is followed by a row of zeros. */
extern const struct help_example {
	const char *command, *what;
} help_most_used[];

#endif
