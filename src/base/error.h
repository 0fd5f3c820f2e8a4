/* Errors are values: a status, one line of text, perhaps a hint. */
#pragma once

#include "fathom.h"

/* Fills *error (which may be NULL) and returns -1, so that a caller can write
 * `return error_set(...)`. `hint` may be NULL; it is copied. What *error held before is freed. */
int error_set(struct fathom_error *error, enum fathom_status status, const char *hint,
	      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* The same, for a call that failed with errno: ": " and the errno's text are added. */
int error_set_errno(struct fathom_error *error, enum fathom_status status, const char *hint,
		    const char *format, ...) __attribute__((format(printf, 4, 5)));

/* "out of memory", FAILED. */
int error_no_memory(struct fathom_error *error);
