/* A file that takes its name only once it is whole. Until then it has none, so that nothing is left
 * of it whatever ends the process; or, where the file system knows no such files, a temporary one.
 */
#pragma once

#include <sys/types.h>

/* Start from {0}. */
struct new_file {
	int file;        /* 0: not open */
	char *folder;    /* where it is made */
	char *temporary; /* its name there, with the folder; NULL: it has none */
};

/* In the folder of `path`, which is not looked at. 0, or -1 with errno set. */
int new_file_open(struct new_file *made, const char *path, mode_t mode);
/* Closes what was written to the file, and puts it in the place of `path` in one step. 0, or -1
 * with errno set: then nothing is left of it, and what was at `path` still is. */
int new_file_publish(struct new_file *made, const char *path);
/* Nothing is left of a file that was not published. */
void new_file_drop(struct new_file *made);

/* For a handler of signals that ends the process next: removes all temporary names. */
void new_file_abandon(void);
