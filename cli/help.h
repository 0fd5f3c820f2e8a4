/* What --help and --usage print. */
#pragma once

#include "commands.h"

/* About `command` or, where that is NULL, about all of fathom. free() it; NULL: out of memory. */
char *help_make(const struct command *command, enum options_show show);

/* For the help of all of fathom. The last is followed by a row of zeros. */
struct help_entry {
	const char *name, *what;
};
extern const struct help_entry help_most_used[]; /* command lines */
extern const struct help_entry help_exit_codes[];
