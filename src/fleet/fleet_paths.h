/* Files, and those of folders. */
#pragma once

#include <stddef.h>

#include "fathom.h"

struct fleet_paths {
	char **items;
	size_t count;
};

/* Adds the path, or of a folder all files in it that end in .json, in the order of their names.
 * Hidden ones, and folders in it, are passed over. Errors: BAD_INPUT (a folder that cannot be
 * read), FAILED. */
int fleet_paths_add(struct fleet_paths *paths, const char *path, struct fathom_error *error);
void fleet_paths_free(struct fleet_paths *paths);
