/* What is said on the error output: one line, and a hint where there is one. */
#pragma once

#include "fathom.h"

/* Of no trouble yet. */
void messages_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
void messages_error(const struct fathom_error *error);
void messages_warnings(const struct fathom_warnings *warnings);
