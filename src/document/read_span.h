/* Somebody's text, looked at in place: nothing is copied, nothing needs a zero at its end. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "fathom.h"

struct span {
	const char *start;
	size_t length;
};

struct lines {
	const char *at, *end;
	size_t number; /* of the line that was given last, from 1 */
};

/* The next line, without its end (LF, CRLF or CR). false: there is none. */
bool lines_next(struct lines *lines, struct span *line);

struct span span_of(const char *text);
/* Without the blanks (space, tab, vertical tab, form feed) at both ends. */
struct span span_trim(struct span span);
/* Without its first `count` bytes. */
struct span span_after(struct span span, size_t count);
/* Upper and lower case of ASCII letters are the same. */
bool span_is(struct span span, const char *word);
bool span_starts(struct span span, const char *word);
/* Is it one of the words, the last of which is followed by NULL? */
bool span_is_any(struct span span, const char *const *words);

/* The decimal number that it starts with ("16", "-1.5", ".5", "2e-3"), to 15 digits, INFINITY where
 * it is too large, and how many bytes it takes; 0: there is none. strtod would follow the locale
 * and take hexadecimal, "nan" and blanks. */
size_t span_number(struct span span, double *value);

/* For a message: the beginning, control characters escaped. free() it; NULL: out of memory. */
char *span_quote(struct span span);
/* BAD_INPUT, "line 3: 'abc' is not a number"; `what` is what follows the quoted `cell`. */
int span_refuse(struct span cell, size_t line, const char *what, const char *hint,
		struct fathom_error *error);
