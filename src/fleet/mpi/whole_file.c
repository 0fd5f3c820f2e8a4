#include "fleet/mpi/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"

static int write_all(int file, const char *bytes, size_t length)
{
	while (length) {
		ssize_t written = write(file, bytes, length);
		if (written < 0 && errno != EINTR)
			return -1;
		bytes += written > 0 ? written : 0;
		length -= written > 0 ? (size_t)written : 0;
	}
	return 0;
}

static int refuse(const char *path, struct fathom_error *error)
{
	return error_set_errno(error, FATHOM_FAILED, "choose another place with -o or --keep",
			       "cannot write '%s'", path);
}

/* Beside it, under a name that nobody else has: free() it. */
static int open_part(const char *path, char **part)
{
	*part = text_format("%s.%016llx.part", path, (unsigned long long)rng_entropy());
	return *part ? open(*part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666) : -1;
}

int whole_file_try(const char *path, struct fathom_error *error)
{
	char *part;
	int file = open_part(path, &part);
	int status = file < 0 ? refuse(path, error) : close(file);
	if (file >= 0)
		unlink(part);
	free(part);
	return status;
}

int whole_file_write(const char *path, const char *bytes, size_t length, struct fathom_error *error)
{
	char *part;
	int file = open_part(path, &part);
	int status = file < 0 ? -1 : write_all(file, bytes, length);
	if (file >= 0 && close(file))
		status = -1;
	if (!status && rename(part, path))
		status = -1;
	if (status)
		refuse(path, error);
	if (status && file >= 0)
		unlink(part);
	free(part);
	return status;
}
