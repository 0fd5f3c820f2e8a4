#include "messages.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>

/* One line whatever is quoted in it: the control characters of a file or an argument would move the
 * cursor of a terminal. */
static void put(const char *text)
{
	for (const char *c = text; *c; c++)
		fputc(iscntrl((unsigned char)*c) ? '?' : *c, stderr);
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
	va_list arguments;
	va_start(arguments, format);
	fputs("fathom: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

void messages_error(const struct fathom_error *error)
{
	fputs("fathom: ", stderr);
	put(error->text ? error->text : "out of memory");
	fputc('\n', stderr);
	put_hint(error->hint);
}

void messages_warnings(const struct fathom_warnings *warnings)
{
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
}
