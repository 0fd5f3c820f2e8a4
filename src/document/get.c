/* fathom_result_get: a value by the path that it has in JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "document/read_span.h"
#include "document/table.h"

#define INDEX_DIGITS_MOST 9

/* How far the path was followed. */
struct cursor {
	const char *path, *rest;
	const struct table *table; /* of the object */
	const void *object, *parent;
	struct fathom_error *error;
};

static int refuse(const struct cursor *at, const char *what)
{
	char *quoted = span_quote(span_of(at->path));
	int failed =
		quoted ? error_set(at->error, FATHOM_USAGE, "docs/document.md lists the fields",
				   "'%s' %s", quoted, what)
		       : error_no_memory(at->error);
	free(quoted);
	return failed;
}

static int give(const struct cursor *at, const struct field *field, const struct value *found,
		struct fathom_value *value)
{
	static const enum fathom_value_kind kinds[] = {
		[VALUE_LEFT_OUT] = FATHOM_VALUE_UNKNOWN, [VALUE_NULL] = FATHOM_VALUE_UNKNOWN,
		[VALUE_NUMBER] = FATHOM_VALUE_NUMBER,    [VALUE_WHOLE] = FATHOM_VALUE_WHOLE,
		[VALUE_SEED] = FATHOM_VALUE_WHOLE,       [VALUE_BOOLEAN] = FATHOM_VALUE_BOOLEAN,
		[VALUE_TEXT] = FATHOM_VALUE_TEXT,
	};
	if (*at->rest)
		return refuse(at, "continues after a value");
	*value = (struct fathom_value){.kind = kinds[found->kind],
				       .number = NAN,
				       .whole = found->whole,
				       .text = found->text,
				       .unit = field->unit};
	if (found->kind == VALUE_NUMBER)
		value->number = found->number;
	else if (found->kind == VALUE_WHOLE)
		value->number = (double)(int64_t)found->whole;
	else if (found->kind == VALUE_SEED)
		value->number = (double)found->whole;
	return 0;
}

static int give_count(const struct cursor *at, size_t count, struct fathom_value *value)
{
	static const struct field field = {.name = NULL};
	const struct value found = {.kind = VALUE_WHOLE, .whole = count};
	return give(at, &field, &found, value);
}

/* "[2]", of a list that has `count`. */
static int take_index(struct cursor *at, size_t count, size_t *index)
{
	const char *digits = at->rest + 1;
	size_t length = *at->rest == '[' ? strspn(digits, "0123456789") : 0;
	if (length == 0 || length > INDEX_DIGITS_MOST || digits[length] != ']')
		return refuse(at, "is a list: choose an element with [0], [1] and so on");
	*index = strtoul(digits, NULL, 10);
	at->rest = digits + length + 1;
	return *index < count ? 0 : refuse(at, "does not exist: the list is shorter");
}

/* An element of numbers or texts. */
static int give_element(struct cursor *at, const struct field *field, struct fathom_value *value)
{
	const void *member = (const char *)at->object + field->offset;
	struct value found = {.kind = VALUE_TEXT};
	size_t index;
	if (take_index(at, field_count(field, at->object), &index))
		return -1;
	if (field->type == FIELD_TEXTS) {
		found.text = (*(char **const *)member)[index];
	} else {
		found.number = (*(double *const *)member)[index];
		found.kind = isfinite(found.number) ? VALUE_NUMBER : VALUE_NULL;
	}
	return give(at, field, &found, value);
}

/* ".walk": which of the names it is. */
static int take_name(struct cursor *at, const struct field *field, size_t *which)
{
	const char *name = at->rest + (*at->rest == '.');
	size_t length = strcspn(name, ".[");
	for (size_t i = 0; *at->rest == '.' && i < field->length; i++) {
		const char *known = field->name_of((int)i);
		if (strlen(known) != length || strncmp(name, known, length) != 0)
			continue;
		at->rest = name + length;
		*which = i;
		return 0;
	}
	return refuse(at, "is not a field of a result");
}

static int enter(struct cursor *at, const struct field *field, const void *object)
{
	if (*at->rest != '.')
		return refuse(at, "is an object: name a field of it");
	at->rest++;
	at->parent = at->object;
	at->object = object;
	at->table = field->of;
	return 0;
}

static int get(struct cursor *at, struct fathom_value *value);

static int get_inside(struct cursor *at, const struct field *field, struct fathom_value *value)
{
	const char *member = (const char *)at->object + field->offset;
	const void *pointed = *(void *const *)(const void *)member;
	bool counted = field->type != FIELD_BY_NAME && field->type != FIELD_OBJECT &&
		       field->type != FIELD_POINTER;
	static const struct value unknown = {.kind = VALUE_NULL};
	size_t index = 0;
	if (counted && !*at->rest)
		return give_count(at, field_count(field, at->object), value);
	switch (field->type) {
	case FIELD_LIST:
		if (take_index(at, field_count(field, at->object), &index))
			return -1;
		member = (const char *)pointed + index * field->of->size;
		break;
	case FIELD_BY_NAME:
		if (take_name(at, field, &index))
			return -1;
		if (!field->of)
			return give_count(at, ((const uint64_t *)(const void *)member)[index],
					  value);
		member += index * field->of->size;
		break;
	case FIELD_POINTER:
		if (!pointed) {
			at->rest = "";
			return give(at, field, &unknown, value);
		}
		member = pointed;
		break;
	case FIELD_OBJECT:
		break;
	default:
		return give_element(at, field, value);
	}
	return enter(at, field, member) ? -1 : get(at, value);
}

/* As deep as the tables are. */
static int get(struct cursor *at, struct fathom_value *value)
{
	size_t length = strcspn(at->rest, ".[");
	const struct field *field =
		table_find(at->table, at->rest, length, &at->object, &at->parent);
	if (!field || field->flags & FIELD_CSV_ONLY)
		return refuse(at, "is not a field of a result");
	at->rest += length;
	if (field->type >= FIELD_NUMBERS)
		return get_inside(at, field, value);
	struct value found = field_value(field, at->object, at->parent);
	return give(at, field, &found, value);
}

int fathom_result_get(const struct fathom_result *result, const char *path,
		      struct fathom_value *value, struct fathom_error *error)
{
	struct cursor at = {.path = path,
			    .rest = path,
			    .table = &result_table,
			    .object = result,
			    .error = error};
	return get(&at, value);
}
