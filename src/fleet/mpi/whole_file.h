/* A file that is there whole, or not at all. */
#pragma once

#include <stddef.h>

#include "fathom.h"

/* Can one be written there? Errors: FAILED. */
int whole_file_try(const char *path, struct fathom_error *error);
/* Errors: FAILED. */
int whole_file_write(const char *path, const char *bytes, size_t length,
		     struct fathom_error *error);
