#include "fleet/fleet_paths.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/error.h"
#include "base/text.h"

#define EXTENSION ".json"

/* The list doubles: a folder may have a million files. Takes the path over. */
static int append(struct fleet_paths *paths, char *path, struct fathom_error *error)
{
	if (!path)
		return error_no_memory(error);
	if ((paths->count & (paths->count - 1)) == 0) {
		size_t room = paths->count ? 2 * paths->count : 1;
		char **items = realloc(paths->items, room * sizeof(*items));
		if (!items) {
			free(path);
			return error_no_memory(error);
		}
		paths->items = items;
	}
	paths->items[paths->count++] = path;
	return 0;
}

static bool is_document(const char *name)
{
	size_t length = strlen(name), extension = strlen(EXTENSION);
	return name[0] != '.' && length > extension &&
	       strcmp(name + length - extension, EXTENSION) == 0;
}

static int compare_paths(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_folder(struct fleet_paths *paths, const char *path, struct fathom_error *error)
{
	const char *hint = "name a folder that may be read";
	size_t first = paths->count;
	int failed = 0;
	DIR *folder = opendir(path);
	if (!folder)
		return error_set_errno(error, FATHOM_BAD_INPUT, hint, "cannot open '%s'", path);
	size_t length = strlen(path);
	for (struct dirent *entry; !failed && (errno = 0, entry = readdir(folder));)
		if (entry->d_type != DT_DIR && is_document(entry->d_name))
			failed = append(paths,
					text_format("%s%s%s", path,
						    length && path[length - 1] == '/' ? "" : "/",
						    entry->d_name),
					error);
	if (!failed && errno)
		failed = error_set_errno(error, FATHOM_BAD_INPUT, hint, "cannot read '%s'", path);
	closedir(folder);
	if (!failed && paths->count > first)
		qsort(paths->items + first, paths->count - first, sizeof(*paths->items),
		      compare_paths);
	return failed;
}

int fleet_paths_add(struct fleet_paths *paths, const char *path, struct fathom_error *error)
{
	struct stat status;
	if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
		return add_folder(paths, path, error);
	return append(paths, strdup(path), error);
}

void fleet_paths_free(struct fleet_paths *paths)
{
	for (size_t i = 0; i < paths->count; i++)
		free(paths->items[i]);
	free(paths->items);
	*paths = (struct fleet_paths){0};
}
