/* The way of an answer to the standard output or to a file, whole or not at all. */
#ifndef CLI_DELIVER_H
#define CLI_DELIVER_H

#include <stddef.h>

#include "fathom.h"

/* Start from {0}. */
struct deliver {
	int file;        /* 0: not open */
	char *path;      /* where the answer goes; NULL: standard output */
	char *temporary; /* written first, then renamed; NULL: `path` is no regular file */
};

/* Before anything is measured. A file is made under a temporary name in the same directory; what
 * was at `path` stays until deliver_finish. NULL: standard output. Errors: FAILED. */
int deliver_open(struct deliver *deliver, const char *path, struct fathom_error *error);
/* Writes, closes and renames. Errors: FAILED (full, closed, ...); nothing is left behind then. */
int deliver_finish(struct deliver *deliver, const char *bytes, size_t length,
		   struct fathom_error *error);
/* Removes the temporary file, where there is one still. Also after deliver_finish. */
void deliver_cancel(struct deliver *deliver);

#endif
