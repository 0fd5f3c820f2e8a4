/* What a field of a struct is worth, by the table alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/table.h"

/* Of no object there is none: who asks for a field by its name alone. */
static void *member_of(const struct field *field, const void *object)
{
	return object ? (char *)object + field->offset : NULL;
}

static uint64_t load_whole(const struct field *field, const void *member)
{
	switch (field->type) {
	case FIELD_COUNT:
		return *(const uint32_t *)member;
	case FIELD_SIZE:
	case FIELD_INDEX:
		return *(const size_t *)member;
	default:
		return *(const uint64_t *)member;
	}
}

size_t field_count(const struct field *field, const void *object)
{
	char **texts = *(char ***)member_of(field, object);
	size_t count = 0;
	if (field->count)
		return *(const size_t *)((const char *)object + field->count);
	while (texts && texts[count])
		count++;
	return count;
}

static struct value number_value(const struct field *field, const void *member)
{
	double number = *(const double *)member;
	struct value value = {.kind = VALUE_NULL};
	if (field->type == FIELD_NUMBER && isfinite(number))
		value = (struct value){.kind = VALUE_NUMBER, .number = number};
	if (field->type == FIELD_FITTED && number >= 0.5 && number < 0x1p63)
		value = (struct value){.kind = VALUE_WHOLE, .whole = (uint64_t)llround(number)};
	return value;
}

static struct value whole_value(const struct field *field, const void *member)
{
	uint64_t whole = load_whole(field, member);
	bool known = whole || field->flags & FIELD_ZERO || field->type == FIELD_INDEX;
	if (!known || whole > INT64_MAX)
		return (struct value){.kind = VALUE_NULL};
	return (struct value){.kind = VALUE_WHOLE, .whole = whole};
}

static struct value text_value(const char *text)
{
	return (struct value){.kind = text ? VALUE_TEXT : VALUE_NULL, .text = text};
}

/* Of the types whose member is an int. */
static struct value int_value(const struct field *field, const void *member)
{
	int number = *(const int *)member;
	if (field->type == FIELD_NAME)
		return text_value(field->name_of(number));
	if (number < 0 && !(field->flags & FIELD_ZERO))
		return (struct value){.kind = VALUE_NULL};
	if (field->type == FIELD_SWITCH)
		return (struct value){.kind = VALUE_BOOLEAN, .whole = number != 0};
	return (struct value){.kind = VALUE_WHOLE, .whole = (uint64_t)(int64_t)number};
}

/* Of a list or an object. */
static struct value nested_value(const struct field *field, const void *object)
{
	bool pointed = field->type == FIELD_POINTER || field->type == FIELD_NUMBERS;
	bool listed = field->type == FIELD_LIST || field->type == FIELD_TEXTS;
	bool null = pointed && !*(void *const *)member_of(field, object);
	bool none = null || (listed && field_count(field, object) == 0);
	bool dropped = none && !field->when && field->flags & FIELD_LEFT_OUT;
	return (struct value){.kind = dropped || (null && field->type == FIELD_POINTER)
					      ? VALUE_NULL
					      : VALUE_NESTED};
}

/* Whether there is such a thing is not asked. */
static struct value any_value(const struct field *field, const void *object)
{
	const void *member = member_of(field, object);
	switch (field->type) {
	case FIELD_NUMBER:
	case FIELD_FITTED:
		return number_value(field, member);
	case FIELD_BYTES:
	case FIELD_COUNT:
	case FIELD_SIZE:
	case FIELD_INDEX:
		return whole_value(field, member);
	case FIELD_INTEGER:
	case FIELD_SWITCH:
	case FIELD_NAME:
		return int_value(field, member);
	case FIELD_BOOLEAN:
		if (field->flags & FIELD_LEFT_OUT && !field->when && !*(const bool *)member)
			return (struct value){.kind = VALUE_NULL};
		return (struct value){.kind = VALUE_BOOLEAN, .whole = *(const bool *)member};
	case FIELD_SEED:
		return (struct value){.kind = VALUE_SEED, .whole = load_whole(field, member)};
	case FIELD_TEXT:
	case FIELD_DATE:
		return text_value(*(char *const *)member);
	case FIELD_CONSTANT:
		return text_value(field->text);
	default:
		return nested_value(field, object);
	}
}

struct value field_value(const struct field *field, const void *object, const void *parent)
{
	struct value value = {.kind = VALUE_NULL};
	bool left_out = field->flags & FIELD_LEFT_OUT;
	if (field->when && !field->when(object, parent))
		value.kind = left_out ? VALUE_LEFT_OUT : VALUE_NULL;
	else
		value = any_value(field, object);
	if (value.kind == VALUE_NULL && left_out && !field->when)
		value.kind = VALUE_LEFT_OUT;
	return value;
}

void field_set(const struct field *field, void *object, const struct value *value)
{
	void *member = member_of(field, object);
	switch (field->type) {
	case FIELD_NUMBER:
	case FIELD_FITTED:
		*(double *)member = value->number;
		break;
	case FIELD_BYTES:
	case FIELD_SEED:
		*(uint64_t *)member = value->whole;
		break;
	case FIELD_COUNT:
		*(uint32_t *)member = (uint32_t)value->whole;
		break;
	case FIELD_SIZE:
	case FIELD_INDEX:
		*(size_t *)member = (size_t)value->whole;
		break;
	case FIELD_INTEGER:
	case FIELD_SWITCH:
	case FIELD_NAME:
		*(int *)member = (int)value->whole;
		break;
	case FIELD_BOOLEAN:
		*(bool *)member = value->whole;
		break;
	case FIELD_TEXT:
	case FIELD_DATE:
		*(const char **)member = value->text;
		break;
	default:
		break;
	}
}

const struct field *table_find(const struct table *table, const char *name, size_t length,
			       const void **object, const void **parent)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		if (field->type != FIELD_MEMBERS) {
			if (strncmp(field->name, name, length) == 0 && !field->name[length])
				return field;
			continue;
		}
		const void *inner = member_of(field, *object), *outer = *object;
		const struct field *found = table_find(field->of, name, length, &inner, &outer);
		if (!found)
			continue;
		*object = inner;
		*parent = outer;
		return found;
	}
	return NULL;
}

/* Calls `act` for each struct that stands inside the object. */
static void each_inside(const struct field *field, void *object,
			void (*act)(const struct table *table, void *object))
{
	char *member = member_of(field, object);
	bool one = field->type == FIELD_OBJECT || field->type == FIELD_MEMBERS;
	size_t count = one ? 1 : field->type == FIELD_BY_NAME && field->of ? field->length : 0;
	for (size_t i = 0; i < count; i++)
		act(field->of, member + i * field->of->size);
}

static void set_unknown(const struct table *table, void *object)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		const struct value unknown = {.number = NAN,
					      .whole = field->type == FIELD_SWITCH
							       ? (uint64_t)-1
							       : (uint64_t)field->unknown};
		field_set(field, object, &unknown);
		each_inside(field, object, set_unknown);
	}
}

void table_unknown(const struct table *table, void *object)
{
	memset(object, 0, table->size);
	set_unknown(table, object);
}

static void free_texts(char **texts, size_t count)
{
	for (size_t i = 0; texts && i < count; i++)
		free(texts[i]);
	free(texts);
}

void table_clear(const struct table *table, void *object)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		void *member = member_of(field, object);
		if (field->flags & FIELD_CSV_ONLY) /* a second name of a member */
			continue;
		if (field->type == FIELD_TEXT || field->type == FIELD_DATE ||
		    field->type == FIELD_NUMBERS)
			free(*(void **)member);
		else if (field->type == FIELD_TEXTS)
			free_texts(*(char ***)member, field_count(field, object));
		else if (field->type == FIELD_LIST)
			table_free_items(field->of, *(void **)member, field_count(field, object));
		else
			each_inside(field, object, table_clear);
	}
}

void table_free_items(const struct table *table, void *items, size_t count)
{
	for (size_t i = 0; items && i < count; i++)
		table_clear(table, (char *)items + i * table->size);
	free(items);
}
