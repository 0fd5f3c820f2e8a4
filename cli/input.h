/* The bytes of a file, or of the standard input. */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "base/text.h"
#include "environment.h"
#include "fathom.h"

/* "-" is the standard input. `text` starts from {0}; its data is never NULL afterwards. `hint` (may
 * be NULL) is for a file that cannot be opened. Errors: BAD_INPUT, FAILED, INTERRUPTED. */
int input_read(const char *path, const char *hint, const struct environment *environment,
	       struct text *text, struct fathom_error *error);

#endif
