#include "base/warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void free_one(struct fathom_warning *warning)
{
	free(warning->id);
	free(warning->text);
	free(warning->hint);
	free(warning->where);
}

int warnings_add(struct fathom_warnings *warnings, const char *id, const char *where,
		 const char *hint, const char *format, ...)
{
	for (size_t i = 0; i < warnings->count; i++)
		if (same(warnings->items[i].id, id) && same(warnings->items[i].where, where))
			return 0;
	struct fathom_warning *items =
		realloc(warnings->items, (warnings->count + 1) * sizeof(*items));
	if (!items)
		return -1;
	warnings->items = items;
	va_list arguments;
	va_start(arguments, format);
	struct fathom_warning warning = {
		.id = strdup(id),
		.text = text_vformat(format, arguments),
		.hint = hint ? strdup(hint) : NULL,
		.where = where ? strdup(where) : NULL,
	};
	va_end(arguments);
	if (!warning.id || !warning.text || (hint && !warning.hint) || (where && !warning.where)) {
		free_one(&warning);
		return -1;
	}
	items[warnings->count++] = warning;
	return 0;
}

void warnings_remove(struct fathom_warnings *warnings, const char *id)
{
	size_t kept = 0;
	for (size_t i = 0; i < warnings->count; i++) {
		if (strcmp(warnings->items[i].id, id) == 0)
			free_one(&warnings->items[i]);
		else
			warnings->items[kept++] = warnings->items[i];
	}
	warnings->count = kept;
}

void warnings_free(struct fathom_warnings *warnings)
{
	for (size_t i = 0; i < warnings->count; i++)
		free_one(&warnings->items[i]);
	free(warnings->items);
	*warnings = (struct fathom_warnings){0};
}
