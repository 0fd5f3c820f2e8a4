/* The bytes of a file, or of the standard input; and the result that they hold. */
#pragma once

#include "base/text.h"
#include "environment.h"
#include "fathom.h"

/* "-" is the standard input. `text` starts from {0}; its data is never NULL afterwards. `hint` (may
 * be NULL) is for a file that cannot be opened. Errors: BAD_INPUT, FAILED, INTERRUPTED. */
int input_read(const char *path, const char *hint, const struct environment *environment,
	       struct text *text, struct fathom_error *error);

/* "line 3: 'abc' is not a size" becomes "'x.csv': line 3: ...". What is wrong with the options is
 * not the file's fault. Returns `status`. */
int input_name_file(const char *path, int status, struct fathom_error *error);
/* As fathom_result_read, of that file. Errors: also those of input_read; what is wrong in the file
 * names it. */
int input_read_result(const char *path, const char *hint, const struct fathom_input *input,
		      const struct environment *environment, struct fathom_result **result,
		      struct fathom_error *error);
