#include "base/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int fill(struct fathom_error *error, enum fathom_status status, const char *hint, char *text)
{
	if (!error) {
		free(text);
		return -1;
	}
	char *hint_copy = hint ? strdup(hint) : NULL; /* `hint` may be the old error's own */
	fathom_error_clear(error);
	error->status = status;
	error->text = text;
	error->hint = hint_copy;
	return -1;
}

int error_set(struct fathom_error *error, enum fathom_status status, const char *hint,
	      const char *format, ...)
{
	struct text line = {0};
	TEXT_ADD_ALL(&line, format);
	return fill(error, status, hint, text_take(&line));
}

int error_set_errno(struct fathom_error *error, enum fathom_status status, const char *hint,
		    const char *format, ...)
{
	int number = errno;
	struct text line = {0};
	TEXT_ADD_ALL(&line, format);
	text_add(&line, ": %s", strerror(number));
	return fill(error, status, hint, text_take(&line));
}

int error_no_memory(struct fathom_error *error)
{
	return error_set(error, FATHOM_FAILED, NULL, "out of memory");
}

void fathom_error_clear(struct fathom_error *error)
{
	if (!error)
		return;
	free(error->text);
	free(error->hint);
	*error = (struct fathom_error){0};
}
