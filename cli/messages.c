#include "messages.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/utf8.h"
#include "base/warnings.h"

/* One line whatever is quoted in it: the control characters of a file or an argument would move the
 * cursor of a terminal. */
static void put(const char *text)
{
	char *safe = utf8_escaped(text, true);
	fputs(safe ? safe : "out of memory", stderr);
	free(safe);
}

static void put_hint(const char *hint)
{
	if (hint) {
		fputs("  hint: ", stderr);
		put(hint);
		fputc('\n', stderr);
	}
}

void messages_note(const char *format, ...)
{
	struct text line = {0};
	TEXT_ADD_ALL(&line, format);
	fputs("fathom: ", stderr);
	put(line.data);
	fputc('\n', stderr);
	text_free(&line);
}

void messages_error(const struct fathom_error *error)
{
	fputs("fathom: ", stderr);
	put(error->text ? error->text : "out of memory");
	fputc('\n', stderr);
	put_hint(error->hint);
}

void messages_warnings(const struct fathom_warnings *all)
{
	struct fathom_warnings joined = {0};
	const struct fathom_warnings *warnings = warnings_join(all, &joined) ? all : &joined;
	for (size_t i = 0; i < warnings->count; i++) {
		const struct fathom_warning *warning = &warnings->items[i];
		if (warning->note)
			continue;
		fputs("fathom: warning: ", stderr);
		if (warning->where) {
			put(warning->where);
			fputs(": ", stderr);
		}
		put(warning->text);
		fputc('\n', stderr);
		put_hint(warning->hint);
	}
	warnings_free(&joined);
}
