#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

#define PART_BYTES 8192

static int read_all(int file, const char *path, const struct environment *environment,
		    struct text *text, struct fathom_error *error)
{
	char part[PART_BYTES];
	text_add(text, "%s", ""); /* that there is a zero at its end */
	for (;;) {
		ssize_t length = read(file, part, sizeof(part));
		if (*environment->interrupted)
			return error_set(error, FATHOM_INTERRUPTED, NULL,
					 "interrupted: nothing was read");
		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0)
			return error_set_errno(error, FATHOM_BAD_INPUT,
					       "name a file, or - for the standard input",
					       "cannot read '%s'", path);
		if (length > 0)
			text_add_bytes(text, part, (size_t)length);
		if (text->failed)
			return error_no_memory(error);
		if (length == 0)
			return 0;
	}
}

int input_read(const char *path, const char *hint, const struct environment *environment,
	       struct text *text, struct fathom_error *error)
{
	int file = strcmp(path, "-") == 0 ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return error_set_errno(error, FATHOM_BAD_INPUT, hint, "cannot open '%s'", path);
	int status = read_all(file, path, environment, text, error);
	if (file != STDIN_FILENO)
		close(file);
	return status;
}

int input_name_file(const char *path, int status, struct fathom_error *error)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	if (status && error->status == FATHOM_BAD_INPUT)
		error_set(error, error->status, error->hint, "'%s': %s", name,
			  error->text ? error->text : "");
	return status;
}

int input_read_result(const char *path, const char *hint, const struct fathom_input *input,
		      const struct environment *environment, struct fathom_result **result,
		      struct fathom_error *error)
{
	struct text text = {0};
	int status = input_read(path, hint, environment, &text, error);
	if (!status)
		status = input_name_file(
			path, fathom_result_read(text.data, text.length, input, result, error),
			error);
	text_free(&text);
	return status;
}
