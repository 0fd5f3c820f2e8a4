#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"

#define DESCRIPTOR       "/proc/self/fd/%d"
#define DESCRIPTOR_BYTES 32

/* ---- names that a signal must not leave behind ---- */

#define MOST_NAMES 8

static char *volatile names[MOST_NAMES];

/* Before the file is made: the name is one that nobody else takes. */
static void list_name(char *name)
{
	for (size_t i = 0; i < MOST_NAMES; i++)
		if (!names[i]) {
			names[i] = name;
			return;
		}
}

static void strike_name(const char *name)
{
	for (size_t i = 0; i < MOST_NAMES; i++)
		if (names[i] == name)
			names[i] = NULL;
}

void new_file_abandon(void)
{
	for (size_t i = 0; i < MOST_NAMES; i++)
		if (names[i])
			unlink(names[i]);
}

/* ---- making it ---- */

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
	return slash ? strndup(path, length) : strdup(".");
}

static int name_temporary(struct new_file *made)
{
	made->temporary = text_format("%s/fathom-%016llx.tmp", made->folder,
				      (unsigned long long)rng_entropy());
	if (!made->temporary) {
		errno = ENOMEM;
		return -1;
	}
	list_name(made->temporary);
	return 0;
}

static void forget_temporary(struct new_file *made)
{
	strike_name(made->temporary);
	free(made->temporary);
	made->temporary = NULL;
}

static int open_named(struct new_file *made, mode_t mode)
{
	if (name_temporary(made))
		return -1;
	int file = open(made->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (file < 0) {
		int failed = errno;
		forget_temporary(made);
		errno = failed;
	}
	return file;
}

static const char *descriptor_of(int file, char text[static DESCRIPTOR_BYTES])
{
	snprintf(text, DESCRIPTOR_BYTES, DESCRIPTOR, file);
	return text;
}

/* -1: no such file can be had here, or could be given a name later. */
static int open_nameless(const struct new_file *made, mode_t mode)
{
	char descriptor[DESCRIPTOR_BYTES];
	int file = open(made->folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, mode);
	if (file >= 0 && access(descriptor_of(file, descriptor), F_OK) == 0)
		return file;
	if (file >= 0)
		close(file);
	return -1;
}

int new_file_open(struct new_file *made, const char *path, mode_t mode)
{
	*made = (struct new_file){.folder = folder_of(path)};
	int file = -1;
	if (made->folder) {
		file = open_nameless(made, mode);
		if (file < 0)
			file = open_named(made, mode);
	}
	if (file >= 0) {
		made->file = file;
		return 0;
	}
	int failed = made->folder ? errno : ENOMEM;
	new_file_drop(made);
	errno = failed;
	return -1;
}

/* ---- giving it its name ---- */

static int link_as(const struct new_file *made, const char *path)
{
	char descriptor[DESCRIPTOR_BYTES];
	return linkat(AT_FDCWD, descriptor_of(made->file, descriptor), AT_FDCWD, path,
		      AT_SYMLINK_FOLLOW);
}

/* A link replaces nothing. For what is there already the file takes a temporary name, for the
 * moment between two system calls. */
static int take_place(struct new_file *made, const char *path)
{
	if (!made->temporary) {
		if (link_as(made, path) == 0)
			return 0;
		if (errno != EEXIST || name_temporary(made) || link_as(made, made->temporary))
			return -1;
	}
	if (rename(made->temporary, path))
		return -1;
	forget_temporary(made);
	return 0;
}

int new_file_publish(struct new_file *made, const char *path)
{
	/* Else a crash could leave an empty file where the old one was. */
	int status = fsync(made->file) != 0 && errno != EINVAL ? -1 : take_place(made, path);
	int failed = errno;
	new_file_drop(made);
	errno = failed;
	return status;
}

void new_file_drop(struct new_file *made)
{
	if (made->file)
		close(made->file);
	if (made->temporary) {
		unlink(made->temporary);
		forget_temporary(made);
	}
	free(made->folder);
	*made = (struct new_file){0};
}
