/* Settings of the machine that are changed for a while: a child process puts them back when it is
 * told to, and also when the process that changed them is gone, however it went. */
#pragma once

#include <stddef.h>

#include "fathom.h"

struct restorer;

/* Locks the folder until the settings are back, so that no other restorer of it takes settings that
 * this one changed for those to be put back; records what the files hold and starts the child, in a
 * session of its own: no signal of the terminal reaches it. Nothing is written. The caller has one
 * thread. Errors: UNABLE (a file cannot be read, another restorer has the folder), FAILED (memory,
 * no process to be had). */
int restorer_open(const char *folder, const char *const *paths, size_t count,
		  struct restorer **restorer, struct fathom_error *error);
/* Writes one of the files and reads it back: a number that is within 1 % will do, for drivers
 * round. Errors: UNABLE (refused, or not taken), FAILED (the child is gone, and nothing was
 * written). */
int restorer_write(struct restorer *restorer, size_t which, const char *value,
		   struct fathom_error *error);
/* Has the settings put back, waits until they are, and frees; accepts NULL. What holds neither what
 * was recorded nor what it held after the last change is somebody else's: it is left, with a
 * warning. Errors: FAILED, with what to write where in the hint. */
int restorer_close(struct restorer *restorer, struct fathom_warnings *warnings,
		   struct fathom_error *error);
