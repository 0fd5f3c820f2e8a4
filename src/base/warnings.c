#include "base/warnings.h"

#include <ctype.h>
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

/* ---- those that say the same of several places ---- */

/* Of the count that a text begins with: of "4" in "4 points", "4 of 21" in "4 of 21 points"; 0: it
 * begins with none. */
static size_t count_length(const char *text)
{
	static const char digits[] = "0123456789", of[] = " of ";
	size_t length = strspn(text, digits), all = 0;
	if (length && strncmp(text + length, of, strlen(of)) == 0)
		all = strspn(text + length + strlen(of), digits);
	if (all)
		length += strlen(of) + all;
	return length && text[length] == ' ' && isalpha((unsigned char)text[length + 1]) ? length
											 : 0;
}

static bool says_the_same(const struct fathom_warning *a, const struct fathom_warning *b)
{
	return same(a->id, b->id) && a->note == b->note && a->where && b->where && a->text &&
	       b->text && !count_length(a->text) == !count_length(b->text) &&
	       same(a->text + count_length(a->text), b->text + count_length(b->text)) &&
	       same(a->hint, b->hint);
}

/* That one and all after it that say the same. */
static int join_from(const struct fathom_warnings *warnings, size_t first,
		     struct fathom_warnings *joined)
{
	struct fathom_warning made = warnings->items[first];
	struct text places = {0}, text = {0};
	size_t length = count_length(made.text);
	for (size_t i = first; i < warnings->count; i++) {
		const struct fathom_warning *one = &warnings->items[i];
		if (!says_the_same(&warnings->items[first], one))
			continue;
		text_add(&places, "%s%s", places.length ? ", " : "", one->where);
		if (length)
			text_add(&places, ": %.*s", (int)count_length(one->text), one->text);
	}
	if (length)
		text_add(&text, "%s (%s)", made.text + length + 1, places.data);
	made.text = length ? text.data : made.text;
	made.where = length ? NULL : places.data;
	int status = places.failed || text.failed ? -1 : add(joined, &made);
	text_free(&places);
	text_free(&text);
	return status;
}

/* Is there one that says the same, from `from` to before `end`? */
static bool any_same(const struct fathom_warnings *warnings, size_t which, size_t from, size_t end)
{
	for (size_t i = from; i < end; i++)
		if (says_the_same(&warnings->items[i], &warnings->items[which]))
			return true;
	return false;
}

int warnings_join(const struct fathom_warnings *warnings, struct fathom_warnings *joined)
{
	int status = 0;
	for (size_t i = 0; i < warnings->count && !status; i++) {
		if (any_same(warnings, i, 0, i))
			continue;
		status = any_same(warnings, i, i + 1, warnings->count)
				 ? join_from(warnings, i, joined)
				 : add(joined, &warnings->items[i]);
	}
	if (status)
		warnings_free(joined);
	return status;
}

void warnings_free(struct fathom_warnings *warnings)
{
	for (size_t i = 0; i < warnings->count; i++)
		free_one(&warnings->items[i]);
	free(warnings->items);
	*warnings = (struct fathom_warnings){0};
}
