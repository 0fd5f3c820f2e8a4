/* Structs to JSON, by the table. */
#include "document/json_write.h"

static void put_fields(json_t **object, const struct table *table, const void *from,
		       const void *parent);

json_t *json_of(const struct table *table, const void *from, const void *parent)
{
	json_t *object = json_object();
	put_fields(&object, table, from, parent);
	return object;
}

static json_t *json_of_list(const struct field *field, const void *from)
{
	const char *items = *(char *const *)((const char *)from + field->offset);
	size_t count = field_count(field, from);
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_put_next(&list, json_of(field->of, items + i * field->of->size, from));
	return list;
}

static json_t *json_of_texts(const struct field *field, const void *from)
{
	char *const *texts = *(char **const *)((const char *)from + field->offset);
	size_t count = field_count(field, from);
	json_t *list = json_array();
	for (size_t i = 0; i < count; i++)
		json_put_next(&list, json_text(texts[i]));
	return list;
}

static json_t *json_of_pointers(const struct field *field, const void *from)
{
	void *const *pointers = (void *const *)((const char *)from + field->offset);
	json_t *list = json_array();
	for (size_t i = 0; i < field->length; i++)
		if (pointers[i])
			json_put_next(&list, json_of(field->of, pointers[i], from));
	return list;
}

static json_t *json_by_name(const struct field *field, const void *from)
{
	const char *member = (const char *)from + field->offset;
	json_t *object = json_object();
	for (size_t i = 0; i < field->length; i++) {
		const char *name = field->name_of((int)i);
		if (field->of)
			json_put(&object, name,
				 json_of(field->of, member + i * field->of->size, from));
		else if (((const uint64_t *)member)[i])
			json_put_bytes(&object, name, ((const uint64_t *)member)[i]);
	}
	return object;
}

static json_t *json_nested(const struct field *field, const void *from)
{
	const void *member = (const char *)from + field->offset;
	switch (field->type) {
	case FIELD_NUMBERS:
		return json_numbers(*(double *const *)member, field_count(field, from));
	case FIELD_TEXTS:
		return json_of_texts(field, from);
	case FIELD_LIST:
		return json_of_list(field, from);
	case FIELD_POINTERS:
		return json_of_pointers(field, from);
	case FIELD_BY_NAME:
		return json_by_name(field, from);
	case FIELD_POINTER:
		return json_of(field->of, *(void *const *)member, from);
	default:
		return json_of(field->of, member, from);
	}
}

static json_t *json_value(const struct value *value)
{
	switch (value->kind) {
	case VALUE_NUMBER:
		return json_real(value->number);
	case VALUE_WHOLE:
		return json_integer((json_int_t)value->whole);
	case VALUE_BOOLEAN:
		return json_boolean(value->whole);
	case VALUE_TEXT:
		return json_text(value->text);
	case VALUE_SEED: /* JSON integers end at 2^63 for many readers */
		return json_sprintf("0x%llx", (unsigned long long)value->whole);
	default:
		return json_null();
	}
}

static void put_fields(json_t **object, const struct table *table, const void *from,
		       const void *parent)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		if (field->flags & FIELD_CSV_ONLY)
			continue;
		if (field->type == FIELD_MEMBERS) {
			put_fields(object, field->of, (const char *)from + field->offset, from);
			continue;
		}
		struct value value = field_value(field, from, parent);
		if (value.kind == VALUE_NESTED)
			json_put(object, field->name, json_nested(field, from));
		else if (value.kind != VALUE_LEFT_OUT)
			json_put(object, field->name, json_value(&value));
	}
}
