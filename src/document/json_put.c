#include "document/json_put.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/utf8.h"

static void check(json_t **container, int failed)
{
	if (!failed)
		return;
	json_decref(*container);
	*container = NULL;
}

void json_put(json_t **object, const char *key, json_t *value)
{
	check(object, json_object_set_new(*object, key, value));
}

void json_put_next(json_t **array, json_t *value)
{
	check(array, json_array_append_new(*array, value));
}

json_t *json_text(const char *outside)
{
	if (!outside)
		return json_null();
	struct text valid = {0};
	utf8_add_valid(&valid, outside);
	char *text = text_take(&valid);
	json_t *value = text ? json_string(text) : NULL;
	free(text);
	return value;
}

void json_put_text(json_t **object, const char *key, const char *text)
{
	json_put(object, key, json_text(text));
}

void json_put_integer(json_t **object, const char *key, int64_t value)
{
	json_put(object, key, json_integer(value));
}

void json_put_bytes(json_t **object, const char *key, uint64_t value)
{
	json_put(object, key, value <= INT64_MAX ? json_integer((json_int_t)value) : json_null());
}

void json_put_number(json_t **object, const char *key, double value)
{
	json_put(object, key, isfinite(value) ? json_real(value) : json_null());
}

json_t *json_numbers(const double *values, size_t count)
{
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_put_next(&list, isfinite(values[i]) ? json_real(values[i]) : json_null());
	return list;
}

void json_put_boolean(json_t **object, const char *key, bool value)
{
	json_put(object, key, json_boolean(value));
}

/* Is there an array of objects in it? Then it takes several lines. */
static bool is_spread(const json_t *value)
{
	const char *key;
	json_t *member;
	if (json_is_array(value))
		return json_is_object(json_array_get(value, 0));
	json_object_foreach((json_t *)value, key, member) if (is_spread(member)) return true;
	return false;
}

static int add_chunk(const char *chunk, size_t length, void *text)
{
	text_add_bytes(text, chunk, length);
	return ((struct text *)text)->failed ? -1 : 0;
}

void json_add(struct text *text, const json_t *value, unsigned digits, size_t flags)
{
	flags |= JSON_ENCODE_ANY | JSON_REAL_PRECISION(digits);
	if (json_dump_callback(value, add_chunk, text, flags))
		text->failed = true;
}

static void add_spread(struct text *text, const json_t *value, int indent, unsigned digits);

static void add_value(struct text *text, const json_t *value, int indent, unsigned digits)
{
	if (is_spread(value))
		add_spread(text, value, indent, digits);
	else
		json_add(text, value, digits, 0);
}

/* As deep as our own documents are: no outside text decides it. */
static void add_spread(struct text *text, const json_t *value, int indent, unsigned digits)
{
	const char *key, *separator = "";
	json_t *member;
	size_t index;
	text_add(text, json_is_array(value) ? "[" : "{");
	json_array_foreach(value, index, member)
	{
		text_add(text, "%s\n%*s", separator, indent + 2, "");
		add_value(text, member, indent + 2, digits);
		separator = ",";
	}
	json_object_foreach((json_t *)value, key, member)
	{
		text_add(text, "%s\n%*s\"%s\": ", separator, indent + 2, "", key);
		add_value(text, member, indent + 2, digits);
		separator = ",";
	}
	text_add(text, "\n%*s%s", indent, "", json_is_array(value) ? "]" : "}");
}

int json_finish(json_t *document, unsigned digits, struct text *text, struct fathom_error *error)
{
	if (!document)
		return error_no_memory(error);
	add_spread(text, document, 0, digits);
	text_add(text, "\n");
	json_decref(document);
	return text->failed ? error_no_memory(error) : 0;
}
