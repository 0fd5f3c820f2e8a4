#include "base/warnings.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"
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

static int add(struct fathom_warnings *warnings, const struct fathom_warning *made)
{
	struct fathom_warning warning = {
		.id = strdup(made->id),
		.text = made->text ? strdup(made->text) : NULL,
		.hint = made->hint ? strdup(made->hint) : NULL,
		.where = made->where ? strdup(made->where) : NULL,
		.note = made->note,
	};
	if (warning.id && warning.text && !warning.hint == !made->hint &&
	    !warning.where == !made->where &&
	    LIST_APPEND(&warnings->items, &warnings->count, &warning) == 0)
		return 0;
	free_one(&warning);
	return -1;
}

const struct fathom_warning *warnings_find(const struct fathom_warnings *warnings, const char *id)
{
	for (size_t i = 0; i < warnings->count; i++)
		if (same(warnings->items[i].id, id))
			return &warnings->items[i];
	return NULL;
}

const struct fathom_warning *warnings_find_at(const struct fathom_warnings *warnings,
					      const char *id, const char *where)
{
	for (size_t i = 0; i < warnings->count; i++)
		if (same(warnings->items[i].id, id) && same(warnings->items[i].where, where))
			return &warnings->items[i];
	return NULL;
}

/* Takes what `text` holds. */
static int add_text(struct fathom_warnings *warnings, struct fathom_warning made, struct text *text)
{
	made.text = text_take(text);
	int status = warnings_find_at(warnings, made.id, made.where) ? 0 : add(warnings, &made);
	free(made.text);
	return status;
}

int warnings_add(struct fathom_warnings *warnings, const char *id, const char *where,
		 const char *hint, const char *format, ...)
{
	const struct fathom_warning made = {
		.id = (char *)id, .hint = (char *)hint, .where = (char *)where};
	struct text text = {0};
	TEXT_ADD_ALL(&text, format);
	return add_text(warnings, made, &text);
}

int warnings_note(struct fathom_warnings *warnings, const char *id, const char *where,
		  const char *hint, const char *format, ...)
{
	const struct fathom_warning made = {
		.id = (char *)id, .hint = (char *)hint, .where = (char *)where, .note = true};
	struct text text = {0};
	TEXT_ADD_ALL(&text, format);
	return add_text(warnings, made, &text);
}

int warnings_copy(struct fathom_warnings *warnings, const struct fathom_warning *warning,
		  const char *where)
{
	struct fathom_warning made = *warning;
	if (!made.where)
		made.where = (char *)where;
	return warnings_find_at(warnings, made.id, made.where) ? 0 : add(warnings, &made);
}

void warnings_remove(struct fathom_warnings *warnings, const char *id)
{
	for (size_t i = warnings->count; i-- > 0;)
		if (strcmp(warnings->items[i].id, id) == 0)
			warnings_remove_one(warnings, i);
}

void warnings_remove_one(struct fathom_warnings *warnings, size_t which)
{
	struct fathom_warning *one = &warnings->items[which];
	free_one(one);
	memmove(one, one + 1, (warnings->count - which - 1) * sizeof(*one));
	warnings->count--;
}

void warnings_free(struct fathom_warnings *warnings)
{
	for (size_t i = 0; i < warnings->count; i++)
		free_one(&warnings->items[i]);
	free(warnings->items);
	*warnings = (struct fathom_warnings){0};
}
