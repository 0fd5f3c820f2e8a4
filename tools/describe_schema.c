/* The JSON Schema of the documents. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

static const char *kind_of(const struct table *table)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->fields[i].name && strcmp(table->fields[i].name, "kind") == 0)
			return table->fields[i].text;
	return "";
}

static bool is_whole(const struct field *field)
{
	return field->type == FIELD_FITTED || field->type == FIELD_BYTES ||
	       field->type == FIELD_COUNT || field->type == FIELD_SIZE ||
	       field->type == FIELD_INDEX || field->type == FIELD_INTEGER;
}

static bool is_always_there(const struct field *field)
{
	return !(field->flags & (FIELD_LEFT_OUT | FIELD_LATER));
}

static json_t *reference_to(const struct table *table)
{
	return json_pack("{s:s+}", "$ref", "#/$defs/", table->name);
}

static void put_type(json_t *schema, const char *type, bool nullable)
{
	json_object_set_new(schema, "type",
			    nullable ? json_pack("[s,s]", type, "null") : json_string(type));
}

static void put_bounds(json_t *schema, const struct field *field)
{
	struct bounds bounds = field_bounds(field);
	if (is_whole(field)) {
		int64_t low = (int64_t)bounds.low;
		bool unknown = low == 0 && field->type != FIELD_INDEX &&
			       field->type != FIELD_INTEGER && !(field->flags & FIELD_ZERO);
		json_object_set_new(schema, "minimum", json_integer(unknown ? 1 : low));
		json_object_set_new(
			schema, "maximum",
			json_integer(bounds.high < 0x1p63 ? (int64_t)bounds.high : INT64_MAX));
		return;
	}
	if (field->range == RANGE_ANY)
		return;
	json_object_set_new(schema, bounds.above ? "exclusiveMinimum" : "minimum",
			    json_integer((int64_t)bounds.low));
	if (field->range != RANGE_POSITIVE && field->range != RANGE_NOT_NEGATIVE)
		json_object_set_new(schema, "maximum", json_integer((int64_t)bounds.high));
}

static json_t *schema_of_names(const struct field *field, bool nullable)
{
	json_t *names = json_array();
	for (int i = 0; field->name_of(i); i++)
		json_array_append_new(names, json_string(field->name_of(i)));
	if (nullable)
		json_array_append_new(names, json_null());
	return json_pack("{s:o}", "enum", names);
}

static json_t *schema_by_name(const struct field *field)
{
	json_t *properties = json_object(), *required = json_array();
	for (size_t i = 0; i < field->length; i++) {
		const char *name = field->name_of((int)i);
		json_object_set_new(
			properties, name,
			field->of ? reference_to(field->of)
				  : json_pack("{s:s,s:i}", "type", "integer", "minimum", 1));
		if (field->of)
			json_array_append_new(required, json_string(name));
	}
	return json_pack("{s:s,s:o,s:o}", "type", "object", "required", required, "properties",
			 properties);
}

static json_t *schema_of_constant(const struct field *field)
{
	if (strcmp(field->text, FATHOM_VERSION) == 0)
		return json_pack("{s:s}", "type", "string");
	return json_pack("{s:s}", "const", field->text);
}

static json_t *schema_of_list(const struct field *field)
{
	json_t *items = field->of ? reference_to(field->of)
			: field->type == FIELD_TEXTS
				? json_pack("{s:s}", "type", "string")
				: json_pack("{s:[s,s]}", "type", "number", "null");
	return json_pack("{s:s,s:o}", "type", "array", "items", items);
}

static json_t *schema_of_value(const struct field *field, bool nullable)
{
	json_t *schema = json_object();
	put_type(schema, describe_type(field), nullable);
	if (field->type == FIELD_NUMBER || is_whole(field))
		put_bounds(schema, field);
	if (field->type == FIELD_SEED)
		json_object_set_new(schema, "pattern", json_string("^0x[0-9a-f]{1,16}$"));
	if (field->type == FIELD_DATE)
		json_object_set_new(
			schema, "pattern",
			json_string("^[0-9]{4}(-[0-9]{2}){2}T[0-9]{2}(:[0-9]{2}){2}Z$"));
	return schema;
}

static json_t *schema_of(const struct field *field, bool strict)
{
	bool nullable = describe_nullable(field, strict);
	switch (field->type) {
	case FIELD_NAME:
		return schema_of_names(field, nullable);
	case FIELD_CONSTANT:
		return schema_of_constant(field);
	case FIELD_NUMBERS:
	case FIELD_TEXTS:
	case FIELD_LIST:
	case FIELD_POINTERS:
		return schema_of_list(field);
	case FIELD_BY_NAME:
		return schema_by_name(field);
	case FIELD_OBJECT:
		return reference_to(field->of);
	case FIELD_POINTER:
		return json_pack("{s:[o,{s:s}]}", "oneOf", reference_to(field->of), "type", "null");
	default:
		return schema_of_value(field, nullable);
	}
}

static void put_properties(json_t *properties, json_t *required, const struct table *table,
			   bool strict)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		if (field->flags & FIELD_CSV_ONLY)
			continue;
		if (field->type == FIELD_MEMBERS) {
			put_properties(properties, required, field->of, strict);
			continue;
		}
		json_t *schema = schema_of(field, strict);
		if (field->unit)
			json_object_set_new(schema, "description",
					    json_sprintf("[%s] %s", field->unit, field->doc));
		else
			json_object_set_new(schema, "description", json_string(field->doc));
		json_object_set_new(properties, field->name, schema);
		if (is_always_there(field))
			json_array_append_new(required, json_string(field->name));
	}
}

static void print_line(const char *before, const json_t *json, const char *after)
{
	char *text = json_dumps(json, JSON_ENCODE_ANY);
	printf("%s%s%s\n", before, text ? text : "", after);
	free(text);
}

static void print_table(const struct table *table, bool strict, bool last)
{
	json_t *properties = json_object(), *required = json_array(), *schema;
	json_t *description = json_string(table->doc);
	const char *name;
	size_t left;
	put_properties(properties, required, table, strict);
	printf("    \"%s\": {\n", table->name);
	print_line("      \"description\": ", description, ",");
	printf("      \"type\": \"object\",\n");
	print_line("      \"required\": ", required, ",");
	printf("      \"properties\": {\n");
	left = json_object_size(properties);
	json_object_foreach(properties, name, schema)
	{
		char *line = json_dumps(schema, 0);
		printf("        \"%s\": %s%s\n", name, line ? line : "", --left ? "," : "");
		free(line);
	}
	printf("      }\n    }%s\n", last ? "" : ",");
	json_decref(description);
	json_decref(properties);
	json_decref(required);
}

static void print_kinds(const struct table *const *documents, const char *schema)
{
	json_t *kinds = json_array();
	for (size_t i = 0; documents[i]; i++)
		json_array_append_new(kinds, json_string(kind_of(documents[i])));
	printf("  \"properties\": {\n    \"schema\": {\"const\": \"%s\"},\n", schema);
	print_line("    \"kind\": {\"enum\": ", kinds, "}");
	printf("  },\n  \"allOf\": [\n");
	for (size_t i = 0; documents[i]; i++)
		printf("    {\"if\": {\"properties\": {\"kind\": {\"const\": \"%s\"}}}, "
		       "\"then\": {\"$ref\": \"#/$defs/%s\"}}%s\n",
		       kind_of(documents[i]), documents[i]->name, documents[i + 1] ? "," : "");
	printf("  ],\n");
	json_decref(kinds);
}

static void print_schema(const struct table *const *documents, const char *schema, const char *what)
{
	struct tables tables = {.count = 0};
	describe_tables(&tables, documents);
	printf("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
	       "  \"title\": \"%s\",\n"
	       "  \"description\": \"What fathom prints with --json: %s. "
	       "Made from the table in src/document/. Units are in the names and in brackets. "
	       "null: not known, not measured, or not there. Fields are only ever added.\",\n"
	       "  \"type\": \"object\",\n  \"required\": [\"schema\", \"kind\"],\n",
	       schema, what);
	print_kinds(documents, schema);
	printf("  \"$defs\": {\n");
	for (size_t i = 0; i < tables.count; i++)
		print_table(tables.items[i].table, tables.items[i].strict, i + 1 == tables.count);
	printf("  }\n}\n");
}

void describe_schema(void)
{
	print_schema(document_tables, FATHOM_SCHEMA,
		     "a result, a plan or several of a survey (--dry-run), a machine (info) or a "
		     "comparison (compare, check)");
}

void describe_fleet_schema(void)
{
	print_schema(fleet_tables, FATHOM_FLEET_SCHEMA, "a fleet (fleet)");
}
