/* The way of an answer to the standard output or to a file, whole or not at all. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "environment.h"
#include "fathom.h"
#include "new_file.h"

/* Start from {0}. */
struct deliver {
	const char *asked;    /* the caller's path; NULL: standard output */
	char *path;           /* where that leads to */
	int file;             /* what is written over, or on; 0: nothing is */
	struct new_file made; /* what takes the place of `path`; not open: nothing does */
	const char *refuge;   /* a folder for an answer that its own place does not take, because it
			       * was long in the making; NULL (after deliver_open): it is lost */
};

/* The name of a file in which %h is the host, %t the time at which the command began, %p the rank
 * in a parallel job, and %% a percent sign. free() it. Errors: USAGE (another letter, or there is
 * no rank), FAILED. */
char *deliver_name(const char *asked, const struct environment *environment,
		   struct fathom_error *error);

/* Before anything is measured: can the answer be written there? What is at `path` stays until
 * deliver_finish, which puts a new file in its place, with its mode and owner. Written over is what
 * that would lose: a file of several names, of an owner that cannot be kept, in a folder that takes
 * no new files, a device, a pipe. Symbolic links are followed. NULL: standard output. Errors:
 * FAILED. */
int deliver_open(struct deliver *deliver, const char *path, struct fathom_error *error);
/* Writes, and closes. Errors: FAILED (full, closed, ...); what was at the path before is still
 * there then, and the hint says where in the refuge the answer is. */
int deliver_finish(struct deliver *deliver, const char *bytes, size_t length,
		   struct fathom_error *error);
/* Does the answer go to a regular file? One without a number is no reason to replace what is there.
 */
bool deliver_is_to_file(const struct deliver *deliver);
/* The same as deliver_finish of what a function of fathom.h wrote, where its `status` says that it
 * did. Frees it. */
int deliver_written(struct deliver *deliver, int status, char *answer, size_t length,
		    struct fathom_error *error);
/* What was not finished leaves nothing behind. Also after deliver_finish. */
void deliver_cancel(struct deliver *deliver);
