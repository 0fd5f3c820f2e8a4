/* One line on the terminal while something is measured; it is gone when the answer comes. */
#pragma once

#include <stddef.h>

#include "environment.h"
#include "fathom.h"

struct progress {
	const struct environment *environment;
	bool shown;          /* the error output is a terminal, and it is wanted */
	size_t line_columns; /* on the terminal now */
};

void progress_start(struct progress *progress, const struct environment *environment, bool quiet);
/* For fathom_observer: `context` is the struct progress. */
void progress_show(void *context, const struct fathom_progress *now);
void progress_end(struct progress *progress);
