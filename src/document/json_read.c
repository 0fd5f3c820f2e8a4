/* JSON to structs, by the table. */
#include "document/json_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"

#define WHOLE_HINT "check whether the file is whole and of fathom: --json prints a document"

/* ---- where it is ------------------------------------------------------------------------- */

static const struct json_path *outermost(const struct json_path *path)
{
	while (path->up)
		path = path->up;
	return path;
}

static void add_path(struct text *text, const struct json_path *path)
{
	if (!path->up)
		return;
	add_path(text, path->up);
	text_add(text, "%s", path->name);
	if (path->index != JSON_PATH_NO_LIST)
		text_add(text, "[%zu]", path->index);
	text_add(text, ".");
}

int json_refuse(const struct json_path *path, const char *name, const char *format, ...)
{
	const struct json_reader *reader = outermost(path)->reader;
	struct text text = {0};
	text_add(&text, "%s'", reader->prefix);
	add_path(&text, path);
	text_add(&text, "%s' ", name);
	TEXT_ADD_ALL(&text, format);
	char *made = text_take(&text);
	if (made)
		error_set(reader->error, FATHOM_BAD_INPUT, reader->hint, "%s", made);
	else
		error_no_memory(reader->error);
	free(made);
	return -1;
}

static int no_memory(const struct json_path *path)
{
	return error_no_memory(outermost(path)->reader->error);
}

static bool is_strict(const struct json_path *path)
{
	return outermost(path)->reader->root->strict;
}

/* ---- lists ------------------------------------------------------------------------------- */

static int read_object(const struct json_path *path, const struct table *table, void *target);

static int read_inner(const struct json_path *path, const char *name, size_t index, json_t *json,
		      const struct table *table, void *target)
{
	const struct json_path inner = {.up = path, .name = name, .index = index, .object = json};
	if (json_is_object(json))
		return read_object(&inner, table, target);
	if (index == JSON_PATH_NO_LIST)
		return json_refuse(path, name, "is not an object");
	char *item = text_format("%s[%zu]", name, index);
	int failed = item ? json_refuse(path, item, "is not an object") : no_memory(path);
	free(item);
	return failed;
}

static int read_list(const struct json_path *path, const struct field *field, json_t *json,
		     void *target)
{
	size_t count = json_array_size(json);
	size_t *read = (size_t *)(void *)((char *)target + field->count);
	char *items = count ? calloc(count, field->of->size) : NULL;
	*(char **)((char *)target + field->offset) = items;
	if (count && !items)
		return no_memory(path);
	for (size_t i = 0; i < count; i++) {
		++*read; /* a part of it is to be freed, too */
		table_unknown(field->of, items + i * field->of->size);
		if (read_inner(path, field->name, i, json_array_get(json, i), field->of,
			       items + i * field->of->size))
			return -1;
	}
	return 0;
}

static int read_numbers(const struct json_path *path, const struct field *field, json_t *json,
			void *target)
{
	size_t count = json_array_size(json);
	size_t *known = (size_t *)(void *)((char *)target + field->count);
	char wrong[WRONG_BYTES];
	if (count == 0)
		return 0;
	if (field->flags & FIELD_COUNTED && *known != count)
		return json_refuse(path, field->name, "does not have as many elements as '%s' says",
				   field->text);
	double *numbers = calloc(count, sizeof(*numbers));
	*(double **)((char *)target + field->offset) = numbers;
	if (!numbers)
		return no_memory(path);
	*known = count;
	for (size_t i = 0; i < count; i++) {
		const json_t *item = json_array_get(json, i);
		if (json_is_null(item))
			numbers[i] = NAN;
		else if (!number_of_json(item, &numbers[i], wrong))
			return json_refuse(path, field->name, "has an element that %s", wrong);
	}
	return 0;
}

/* One more than there are is NULL. */
static int read_texts(const struct json_path *path, const struct field *field, json_t *json,
		      void *target)
{
	size_t count = json_array_size(json);
	if (count == 0)
		return 0;
	char **texts = calloc(count + 1, sizeof(*texts));
	*(char ***)((char *)target + field->offset) = texts;
	if (!texts)
		return no_memory(path);
	for (size_t i = 0; i < count; i++) {
		const char *text = json_string_value(json_array_get(json, i));
		if (!text)
			return json_refuse(path, field->name, "has an element that is not a text");
		texts[i] = strdup(text);
		if (!texts[i])
			return no_memory(path);
		if (field->count)
			++*(size_t *)(void *)((char *)target + field->count);
	}
	return 0;
}

/* ---- objects ----------------------------------------------------------------------------- */

static int read_by_name(const struct json_path *path, const struct field *field, json_t *json,
			void *target)
{
	const struct json_path inner = {
		.up = path, .name = field->name, .index = JSON_PATH_NO_LIST, .object = json};
	const struct field counted = {.type = FIELD_BYTES, .flags = FIELD_ZERO};
	char *member = (char *)target + field->offset;
	char wrong[WRONG_BYTES];
	if (!json_is_object(json))
		return json_refuse(path, field->name, "is not an object");
	for (size_t i = 0; i < field->length; i++) {
		const char *name = field->name_of((int)i);
		const char *old = name_before(field->name_of, (int)i);
		json_t *item = json_object_get(json, name);
		struct value value;
		if (!item && old)
			item = json_object_get(json, old);
		if (!item || json_is_null(item))
			continue;
		if (field->of) {
			if (read_inner(&inner, name, JSON_PATH_NO_LIST, item, field->of,
				       member + i * field->of->size))
				return -1;
			continue;
		}
		if (!value_of_json(&counted, item, false, &value, wrong))
			return json_refuse(&inner, name, "%s", wrong);
		((uint64_t *)(void *)member)[i] = value.whole;
	}
	return 0;
}

static int read_pointer(const struct json_path *path, const struct field *field, json_t *json,
			void *target)
{
	void *made = calloc(1, field->of->size);
	*(void **)((char *)target + field->offset) = made;
	if (!made)
		return no_memory(path);
	table_unknown(field->of, made);
	return read_inner(path, field->name, JSON_PATH_NO_LIST, json, field->of, made);
}

static bool is_index_there(const struct json_path *path, const struct field *field, uint64_t index)
{
	const struct fathom_result *result = outermost(path)->reader->result;
	if (field->type != FIELD_INDEX || !result)
		return true;
	return index < result->curve_count &&
	       (field->range != RANGE_MEASURED || result->curves[index].point_count);
}

static int read_scalar(const struct json_path *path, const struct field *field, json_t *json,
		       void *target)
{
	char wrong[WRONG_BYTES];
	struct value value;
	if (!value_of_json(field, json, is_strict(path), &value, wrong))
		return json_refuse(path, field->name, "%s", wrong);
	if (!is_index_there(path, field, value.whole))
		return json_refuse(path, field->name,
				   "is the index of a curve that does not exist");
	if (field->type == FIELD_TEXT || field->type == FIELD_DATE) {
		value.text = strdup(value.text);
		if (!value.text)
			return no_memory(path);
	}
	field_set(field, target, &value);
	return 0;
}

static int read_nested(const struct json_path *path, const struct field *field, json_t *json,
		       void *target)
{
	static int (*const lists[])(const struct json_path *, const struct field *, json_t *,
				    void *) = {[FIELD_LIST] = read_list,
					       [FIELD_NUMBERS] = read_numbers,
					       [FIELD_TEXTS] = read_texts};
	switch (field->type) {
	case FIELD_LIST:
	case FIELD_NUMBERS:
	case FIELD_TEXTS:
		return json_is_array(json) ? lists[field->type](path, field, json, target)
					   : json_refuse(path, field->name, "is not an array");
	case FIELD_BY_NAME:
		return read_by_name(path, field, json, target);
	case FIELD_POINTER:
		return read_pointer(path, field, json, target);
	case FIELD_OBJECT:
		return read_inner(path, field->name, JSON_PATH_NO_LIST, json, field->of,
				  (char *)target + field->offset);
	default:
		return read_scalar(path, field, json, target);
	}
}

/* Of a strict document a text alone may be null. */
static bool may_be_null(const struct field *field, bool strict)
{
	if (strict)
		return field->type == FIELD_TEXT && !(field->flags & FIELD_LEFT_OUT);
	return !(field->flags & FIELD_REQUIRED);
}

/* `taken`: how many of the object's fields were known. */
static int read_fields(const struct json_path *path, const struct table *table, void *target,
		       size_t *taken)
{
	bool strict = is_strict(path);
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		if (field->flags & FIELD_CSV_ONLY || (field->type == FIELD_CONSTANT && !strict))
			continue;
		if (field->type == FIELD_MEMBERS) {
			if (read_fields(path, field->of, (char *)target + field->offset, taken))
				return -1;
			continue;
		}
		json_t *json = json_object_get(path->object, field->name);
		if (!json && field->old)
			json = json_object_get(path->object, field->old);
		bool wanted = field->flags & FIELD_REQUIRED ||
			      (strict && !(field->flags & FIELD_LEFT_OUT));
		if (wanted && (!json || (json_is_null(json) && !strict)))
			return json_refuse(path, field->name, "is missing");
		*taken += json != NULL;
		if (!json || (json_is_null(json) && may_be_null(field, strict)))
			continue;
		if (read_nested(path, field, json, target))
			return -1;
	}
	return 0;
}

static int refuse_stranger(const struct json_path *path, const struct table *table)
{
	const char *key;
	json_t *value;
	json_object_foreach(path->object, key, value)
	{
		const void *object = NULL, *parent = NULL;
		if (table_find(table, key, strlen(key), &object, &parent))
			continue;
		char *quoted = span_quote(span_of(key));
		int failed = quoted ? json_refuse(path, quoted, "is not a field of a %s",
						  outermost(path)->reader->root->name)
				    : no_memory(path);
		free(quoted);
		return failed;
	}
	return 0;
}

static int read_object(const struct json_path *path, const struct table *table, void *target)
{
	size_t taken = 0;
	if (read_fields(path, table, target, &taken))
		return -1;
	if (is_strict(path) && taken != json_object_size(path->object) &&
	    refuse_stranger(path, table))
		return -1;
	return table->check ? table->check(path, target) : 0;
}

int json_read(const struct json_reader *reader, json_t *document, void *target)
{
	const struct json_path path = {.reader = reader, .object = document};
	table_unknown(reader->root, target);
	return read_object(&path, reader->root, target);
}

json_t *json_load(const char *bytes, size_t length, const char *prefix, struct fathom_error *error)
{
	json_error_t where;
	json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &where);
	if (document && json_is_object(document))
		return document;
	if (document) {
		error_set(error, FATHOM_BAD_INPUT, WHOLE_HINT, "%sit is not a JSON object", prefix);
		json_decref(document);
		return NULL;
	}
	/* jansson says why, or has no memory to say it */
	char *reason = where.text[0] ? span_quote(span_of(where.text)) : NULL;
	if (reason && json_error_code(&where) != json_error_out_of_memory)
		error_set(error, FATHOM_BAD_INPUT, WHOLE_HINT, "%sline %d: not valid JSON: %s",
			  prefix, where.line, reason);
	else
		error_no_memory(error);
	free(reason);
	return NULL;
}
