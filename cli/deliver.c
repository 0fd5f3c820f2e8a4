#include "deliver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"

#define FILE_HINT   "choose another place with -o"
#define OUTPUT_HINT "send the answer somewhere else, or use -o FILE"

static int open_standard_output(struct deliver *deliver, struct fathom_error *error)
{
	/* main() fills a closed descriptor with one that cannot be written to. */
	int flags = fcntl(STDOUT_FILENO, F_GETFL);
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY)
		return error_set(error, FATHOM_FAILED, OUTPUT_HINT, "standard output is closed");
	deliver->file = STDOUT_FILENO;
	return 0;
}

/* The file itself may be writable, and yet none be made beside it. */
static void refuse_folder(const char *path, struct fathom_error *error)
{
	const char *slash = strrchr(path, '/');
	int length = !slash ? 1 : slash == path ? 1 : (int)(slash - path);
	error_set_errno(error, FATHOM_FAILED, FILE_HINT, "cannot create a file in '%.*s'", length,
			slash ? path : ".");
}

static int open_temporary(struct deliver *deliver, mode_t mode, bool keep_mode,
			  struct fathom_error *error)
{
	deliver->temporary =
		text_format("%s.%016llx.tmp", deliver->path, (unsigned long long)rng_entropy());
	if (!deliver->temporary)
		return error_no_memory(error);
	int file = open(deliver->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (file < 0) {
		if (keep_mode)
			refuse_folder(deliver->path, error);
		else
			error_set_errno(error, FATHOM_FAILED, FILE_HINT, "cannot write '%s'",
					deliver->path);
		free(deliver->temporary);
		deliver->temporary = NULL;
		return -1;
	}
	if (keep_mode)
		fchmod(file, mode);
	deliver->file = file;
	return 0;
}

/* Through symbolic links: the file is replaced, the link stays. */
static char *resolve(const char *path)
{
	char *real = realpath(path, NULL);
	return real ? real : strdup(path);
}

static int open_file(struct deliver *deliver, struct fathom_error *error)
{
	struct stat status;
	if (!*deliver->path)
		return error_set(error, FATHOM_FAILED, FILE_HINT,
				 "cannot write a file without a name");
	if (stat(deliver->path, &status) != 0)
		return open_temporary(deliver, 0666, false, error);
	if (S_ISREG(status.st_mode)) {
		if (access(deliver->path, W_OK) != 0)
			return error_set_errno(error, FATHOM_FAILED, FILE_HINT, "cannot write '%s'",
					       deliver->path);
		return open_temporary(deliver, status.st_mode & 0777, true, error);
	}
	/* A device or pipe is written to; renaming something over it would destroy it. */
	int file = open(deliver->path, O_WRONLY | O_CLOEXEC);
	if (file < 0)
		return error_set_errno(error, FATHOM_FAILED, FILE_HINT, "cannot write '%s'",
				       deliver->path);
	deliver->file = file;
	return 0;
}

int deliver_open(struct deliver *deliver, const char *path, struct fathom_error *error)
{
	*deliver = (struct deliver){0};
	if (!path)
		return open_standard_output(deliver, error);
	deliver->path = resolve(path);
	if (!deliver->path)
		return error_no_memory(error);
	int status = open_file(deliver, error);
	if (status)
		deliver_cancel(deliver);
	return status;
}

static int write_all(int file, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(file, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		bytes += written;
		length -= (size_t)written;
	}
	return 0;
}

int deliver_finish(struct deliver *deliver, const char *bytes, size_t length,
		   struct fathom_error *error)
{
	int status = write_all(deliver->file, bytes, length);
	/* Else a crash could leave an empty file where the old one was. */
	if (!status && deliver->temporary && fsync(deliver->file) != 0 && errno != EINVAL)
		status = -1;
	int write_errno = errno;
	int closed = close(deliver->file);
	deliver->file = 0;
	if (status)
		errno = write_errno;
	else
		status = closed;
	if (!status && deliver->temporary) {
		status = rename(deliver->temporary, deliver->path);
		if (!status) {
			free(deliver->temporary);
			deliver->temporary = NULL;
		}
	}
	if (!status)
		return 0;
	if (deliver->path)
		error_set_errno(error, FATHOM_FAILED, FILE_HINT, "cannot write '%s'",
				deliver->path);
	else
		error_set_errno(error, FATHOM_FAILED, OUTPUT_HINT,
				"cannot write to the standard output");
	deliver_cancel(deliver);
	return -1;
}

void deliver_cancel(struct deliver *deliver)
{
	if (deliver->file && deliver->path)
		close(deliver->file);
	if (deliver->temporary)
		unlink(deliver->temporary);
	free(deliver->temporary);
	free(deliver->path);
	*deliver = (struct deliver){0};
}
