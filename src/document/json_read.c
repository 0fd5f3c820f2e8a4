/* JSON to structs, by the table. */
#include "document/json_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"

/* ---- where it is ------------------------------------------------------------------------- */

static const struct place *outermost(const struct place *place)
{
	while (place->up)
		place = place->up;
	return place;
}

static void add_path(struct text *path, const struct place *place)
{
	if (!place->up)
		return;
	add_path(path, place->up);
	text_add(path, "%s", place->name);
	if (place->index != PLACE_ONE)
		text_add(path, "[%zu]", place->index);
	text_add(path, ".");
}

int place_refuse(const struct place *place, const char *name, const char *format, ...)
{
	const struct reading *reading = outermost(place)->reading;
	struct text text = {0};
	va_list arguments;
	text_add(&text, "%s'", reading->prefix);
	add_path(&text, place);
	text_add(&text, "%s' ", name);
	va_start(arguments, format);
	text_vadd(&text, format, arguments);
	va_end(arguments);
	char *made = text_take(&text);
	if (made)
		error_set(reading->error, FATHOM_BAD_INPUT, NULL, "%s", made);
	else
		error_no_memory(reading->error);
	free(made);
	return -1;
}

static int no_memory(const struct place *place)
{
	return error_no_memory(outermost(place)->reading->error);
}

static bool is_strict(const struct place *place)
{
	return outermost(place)->reading->root->strict;
}

/* ---- lists ------------------------------------------------------------------------------- */

static int read_object(const struct place *place, const struct table *table, void *target);

static int read_inner(const struct place *place, const char *name, size_t index, json_t *json,
		      const struct table *table, void *target)
{
	const struct place inner = {.up = place, .name = name, .index = index, .object = json};
	if (json_is_object(json))
		return read_object(&inner, table, target);
	if (index == PLACE_ONE)
		return place_refuse(place, name, "is not an object");
	char *item = text_format("%s[%zu]", name, index);
	int failed = item ? place_refuse(place, item, "is not an object") : no_memory(place);
	free(item);
	return failed;
}

static int read_list(const struct place *place, const struct field *field, json_t *json,
		     void *target)
{
	size_t count = json_array_size(json);
	size_t *read = (size_t *)(void *)((char *)target + field->count);
	char *items = count ? calloc(count, field->of->size) : NULL;
	*(char **)((char *)target + field->offset) = items;
	if (count && !items)
		return no_memory(place);
	for (size_t i = 0; i < count; i++) {
		++*read; /* a part of it is to be freed, too */
		table_unknown(field->of, items + i * field->of->size);
		if (read_inner(place, field->name, i, json_array_get(json, i), field->of,
			       items + i * field->of->size))
			return -1;
	}
	return 0;
}

static int read_numbers(const struct place *place, const struct field *field, json_t *json,
			void *target)
{
	size_t count = json_array_size(json);
	size_t *known = (size_t *)(void *)((char *)target + field->count);
	char wrong[WRONG_BYTES];
	if (count == 0)
		return 0;
	if (field->flags & FIELD_COUNTED && *known != count)
		return place_refuse(place, field->name, "holds more or less than '%s' says",
				    field->text);
	double *numbers = calloc(count, sizeof(*numbers));
	*(double **)((char *)target + field->offset) = numbers;
	if (!numbers)
		return no_memory(place);
	*known = count;
	for (size_t i = 0; i < count; i++) {
		const json_t *item = json_array_get(json, i);
		if (json_is_null(item))
			numbers[i] = NAN;
		else if (!number_of_json(item, &numbers[i], wrong))
			return place_refuse(place, field->name, "holds what %s", wrong);
	}
	return 0;
}

/* One more than there are is NULL. */
static int read_texts(const struct place *place, const struct field *field, json_t *json,
		      void *target)
{
	size_t count = json_array_size(json);
	if (count == 0)
		return 0;
	char **texts = calloc(count + 1, sizeof(*texts));
	*(char ***)((char *)target + field->offset) = texts;
	if (!texts)
		return no_memory(place);
	for (size_t i = 0; i < count; i++) {
		const char *text = json_string_value(json_array_get(json, i));
		if (!text)
			return place_refuse(place, field->name, "holds what is not a text");
		texts[i] = strdup(text);
		if (!texts[i])
			return no_memory(place);
		if (field->count)
			++*(size_t *)(void *)((char *)target + field->count);
	}
	return 0;
}

/* ---- objects ----------------------------------------------------------------------------- */

static int read_by_name(const struct place *place, const struct field *field, json_t *json,
			void *target)
{
	const struct place inner = {
		.up = place, .name = field->name, .index = PLACE_ONE, .object = json};
	const struct field counted = {.type = FIELD_BYTES, .flags = FIELD_ZERO};
	char *member = (char *)target + field->offset;
	char wrong[WRONG_BYTES];
	if (!json_is_object(json))
		return place_refuse(place, field->name, "is not an object");
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
			if (read_inner(&inner, name, PLACE_ONE, item, field->of,
				       member + i * field->of->size))
				return -1;
			continue;
		}
		if (!value_of_json(&counted, item, false, &value, wrong))
			return place_refuse(&inner, name, "%s", wrong);
		((uint64_t *)(void *)member)[i] = value.whole;
	}
	return 0;
}

static int read_pointer(const struct place *place, const struct field *field, json_t *json,
			void *target)
{
	void *made = calloc(1, field->of->size);
	*(void **)((char *)target + field->offset) = made;
	if (!made)
		return no_memory(place);
	table_unknown(field->of, made);
	return read_inner(place, field->name, PLACE_ONE, json, field->of, made);
}

static bool is_index_there(const struct place *place, const struct field *field, uint64_t index)
{
	const struct fathom_result *result = outermost(place)->reading->result;
	if (field->type != FIELD_INDEX || !result)
		return true;
	return index < result->curve_count &&
	       (field->range != RANGE_MEASURED || result->curves[index].point_count);
}

static int read_scalar(const struct place *place, const struct field *field, json_t *json,
		       void *target)
{
	char wrong[WRONG_BYTES];
	struct value value;
	if (!value_of_json(field, json, is_strict(place), &value, wrong))
		return place_refuse(place, field->name, "%s", wrong);
	if (!is_index_there(place, field, value.whole))
		return place_refuse(place, field->name, "names a curve that is not there");
	if (field->type == FIELD_TEXT || field->type == FIELD_DATE) {
		value.text = strdup(value.text);
		if (!value.text)
			return no_memory(place);
	}
	field_set(field, target, &value);
	return 0;
}

static int read_nested(const struct place *place, const struct field *field, json_t *json,
		       void *target)
{
	static int (*const lists[])(const struct place *, const struct field *, json_t *,
				    void *) = {[FIELD_LIST] = read_list,
					       [FIELD_NUMBERS] = read_numbers,
					       [FIELD_TEXTS] = read_texts};
	switch (field->type) {
	case FIELD_LIST:
	case FIELD_NUMBERS:
	case FIELD_TEXTS:
		return json_is_array(json) ? lists[field->type](place, field, json, target)
					   : place_refuse(place, field->name, "is not an array");
	case FIELD_BY_NAME:
		return read_by_name(place, field, json, target);
	case FIELD_POINTER:
		return read_pointer(place, field, json, target);
	case FIELD_OBJECT:
		return read_inner(place, field->name, PLACE_ONE, json, field->of,
				  (char *)target + field->offset);
	default:
		return read_scalar(place, field, json, target);
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
static int read_fields(const struct place *place, const struct table *table, void *target,
		       size_t *taken)
{
	bool strict = is_strict(place);
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		if (field->flags & FIELD_CSV_ONLY || (field->type == FIELD_CONSTANT && !strict))
			continue;
		if (field->type == FIELD_MEMBERS) {
			if (read_fields(place, field->of, (char *)target + field->offset, taken))
				return -1;
			continue;
		}
		json_t *json = json_object_get(place->object, field->name);
		if (!json && field->old)
			json = json_object_get(place->object, field->old);
		bool wanted = field->flags & FIELD_REQUIRED ||
			      (strict && !(field->flags & FIELD_LEFT_OUT));
		if (wanted && (!json || (json_is_null(json) && !strict)))
			return place_refuse(place, field->name, "is missing");
		*taken += json != NULL;
		if (!json || (json_is_null(json) && may_be_null(field, strict)))
			continue;
		if (read_nested(place, field, json, target))
			return -1;
	}
	return 0;
}

static int refuse_stranger(const struct place *place, const struct table *table)
{
	const char *key;
	json_t *value;
	json_object_foreach(place->object, key, value)
	{
		const void *object = NULL, *parent = NULL;
		if (table_find(table, key, strlen(key), &object, &parent))
			continue;
		char *quoted = span_quote(span_of(key));
		int failed = quoted ? place_refuse(place, quoted, "is not a field of a %s",
						   outermost(place)->reading->root->name)
				    : no_memory(place);
		free(quoted);
		return failed;
	}
	return 0;
}

static int read_object(const struct place *place, const struct table *table, void *target)
{
	size_t taken = 0;
	if (read_fields(place, table, target, &taken))
		return -1;
	if (is_strict(place) && taken != json_object_size(place->object) &&
	    refuse_stranger(place, table))
		return -1;
	return table->check ? table->check(place, target) : 0;
}

int json_read(const struct reading *reading, json_t *document, void *target)
{
	const struct place place = {.reading = reading, .object = document};
	table_unknown(reading->root, target);
	return read_object(&place, reading->root, target);
}

json_t *json_load(const char *bytes, size_t length, const char *prefix, struct fathom_error *error)
{
	json_error_t where;
	json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &where);
	if (document && json_is_object(document))
		return document;
	if (document) {
		error_set(error, FATHOM_BAD_INPUT, NULL, "%sit is not a JSON object", prefix);
		json_decref(document);
		return NULL;
	}
	/* jansson says why, or has no memory to say it */
	char *reason = where.text[0] ? span_quote(span_of(where.text)) : NULL;
	if (reason && json_error_code(&where) != json_error_out_of_memory)
		error_set(error, FATHOM_BAD_INPUT, NULL, "%sline %d: no JSON: %s", prefix,
			  where.line, reason);
	else
		error_no_memory(error);
	free(reason);
	return NULL;
}
