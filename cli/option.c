#include "option.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "commands.h"

/* ---- the rows of a command ---- */

const struct option_row *option_at(const struct command *command, size_t number)
{
	for (const struct option_row *const *table = command->options; *table; table++)
		for (const struct option_row *row = *table; row->name; row++)
			if (number-- == 0)
				return row;
	return NULL;
}

const struct option_row *option_find(const struct command *command, const char *name)
{
	const struct option_row *row;
	for (size_t i = 0; (row = option_at(command, i)); i++)
		if (strcmp(row->name, name) == 0)
			return row;
	return NULL;
}

/* Where the row stands among those of its group, which follow each other, or after all. */
static size_t place_of(const struct option_row *row, const struct option_row **rows, size_t count)
{
	size_t place = count;
	for (size_t i = count; i-- > 0;) {
		if (strcmp(rows[i]->group, row->group) != 0)
			continue;
		if (strcmp(rows[i]->name, row->name) < 0)
			return place < count ? place : i + 1;
		place = i;
	}
	return place;
}

size_t option_list(const struct command *command, const struct option_row *rows[OPTION_MOST])
{
	const struct option_row *row;
	size_t count = 0;
	for (size_t i = 0; (row = option_at(command, i)); i++) {
		if (!row->doc)
			continue;
		size_t place = place_of(row, rows, count);
		memmove(rows + place + 1, rows + place, (count++ - place) * sizeof(*rows));
		rows[place] = row;
	}
	return count;
}

/* ---- in words ---- */

/* The name at the beginning of the list, of `length` bytes; NULL: it is empty. */
static const char *first_name(const char *list, size_t *length)
{
	list += strspn(list, " ");
	*length = strcspn(list, " ");
	return *length ? list : NULL;
}

static void add_exclusions(const char *excludes, struct text *text)
{
	size_t length;
	const char *joint = "; not with";
	for (const char *name = excludes; (name = first_name(name, &length)); name += length) {
		text_add(text, "%s --%.*s", joint, (int)length, name);
		joint = " or";
	}
}

char *option_doc(const struct option_row *row)
{
	struct text text = {0};
	const char *mark = strstr(row->doc, "{}");
	char *choices = NULL;
	if (mark && row->choice)
		choices = names_join(row->choice, row->offered);
	else if (mark)
		choices = text_format("%lld to %lld", (long long)row->low, (long long)row->high);
	if (choices)
		text_add(&text, "%.*s%s%s", (int)(mark - row->doc), row->doc, choices, mark + 2);
	else
		text_add(&text, "%s", row->doc);
	text.failed |= mark && !choices;
	free(choices);
	if (row->excludes)
		add_exclusions(row->excludes, &text);
	return text_take(&text);
}

/* ---- what was given ---- */

static bool is_named(const struct option_row *row, const char *names)
{
	size_t length;
	for (const char *name = names; (name = first_name(name, &length)); name += length)
		if (strncmp(name, row->name, length) == 0 && !row->name[length])
			return true;
	return false;
}

const char *option_given(const struct options *options, const char *names)
{
	for (size_t i = 0; i < options->given_count; i++)
		if (is_named(options->given[i], names))
			return options->given[i]->name;
	return NULL;
}

int option_set(struct options *options, const struct option_row *row, const char *value,
	       struct fathom_error *error)
{
	if (row->set(row, value, (char *)options + row->offset, error))
		return -1;
	if (!option_given(options, row->name))
		options->given[options->given_count++] = row;
	return 0;
}

int option_check_exclusions(const struct options *options, struct fathom_error *error)
{
	for (size_t i = 0; i < options->given_count; i++) {
		const struct option_row *row = options->given[i];
		const char *other = row->excludes ? option_given(options, row->excludes) : NULL;
		if (other)
			return error_set(error, FATHOM_USAGE,
					 row->hint ? row->hint : "leave out one of them",
					 "'--%s' and '--%s' cannot be used together", row->name,
					 other);
	}
	return 0;
}
