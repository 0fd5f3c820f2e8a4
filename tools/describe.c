/* Prints what the document's table says of the documents, for those who read them:
 *
 *     describe schema        docs/fathom-1.schema.json
 *     describe fleet-schema  docs/fathom-fleet-1.schema.json
 *     describe reference     docs/document.md */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "describe.h"

/* ---- which tables there are -------------------------------------------------------------- */

static void find_tables(struct tables *found, const struct table *table, bool strict);

static void find_inside(struct tables *found, const struct table *table, bool strict)
{
	for (size_t i = 0; i < table->count; i++)
		if (table->fields[i].type == FIELD_MEMBERS)
			find_inside(found, table->fields[i].of, strict);
		else if (table->fields[i].of)
			find_tables(found, table->fields[i].of, strict);
}

static void find_tables(struct tables *found, const struct table *table, bool strict)
{
	for (size_t i = 0; i < found->count; i++)
		if (found->items[i].table == table)
			return;
	if (found->count == MOST_TABLES)
		abort();
	strict |= table->strict;
	found->items[found->count].table = table;
	found->items[found->count++].strict = strict;
	find_inside(found, table, strict);
}

void describe_tables(struct tables *found, const struct table *const *documents)
{
	for (size_t i = 0; documents[i]; i++)
		find_tables(found, documents[i], false);
}

/* ---- what a field may be ----------------------------------------------------------------- */

bool describe_nullable(const struct field *field, bool strict)
{
	bool by_condition = field->when && !(field->flags & FIELD_LEFT_OUT);
	bool left_out = field->flags & FIELD_LEFT_OUT && !field->when;
	if (field->flags & FIELD_REQUIRED || left_out || (strict && field->type != FIELD_TEXT))
		return false;
	switch (field->type) {
	case FIELD_BYTES:
	case FIELD_COUNT:
	case FIELD_SIZE:
	case FIELD_INTEGER:
		return !(field->flags & FIELD_ZERO) || by_condition;
	case FIELD_BOOLEAN:
	case FIELD_SEED:
		return by_condition;
	case FIELD_NAME:
		return by_condition || !field->name_of((int)field->unknown);
	case FIELD_CONSTANT:
	case FIELD_NUMBERS:
	case FIELD_TEXTS:
	case FIELD_OBJECT:
	case FIELD_POINTERS:
	case FIELD_LIST:
	case FIELD_BY_NAME:
		return false;
	default:
		return true;
	}
}

const char *describe_type(const struct field *field)
{
	static const char *const names[] = {
		[FIELD_NUMBER] = "number",   [FIELD_FITTED] = "integer",
		[FIELD_BYTES] = "integer",   [FIELD_COUNT] = "integer",
		[FIELD_SIZE] = "integer",    [FIELD_INDEX] = "integer",
		[FIELD_INTEGER] = "integer", [FIELD_BOOLEAN] = "boolean",
		[FIELD_SWITCH] = "boolean",  [FIELD_SEED] = "string",
		[FIELD_NAME] = "string",     [FIELD_TEXT] = "string",
		[FIELD_DATE] = "string",     [FIELD_CONSTANT] = "string",
		[FIELD_NUMBERS] = "array",   [FIELD_TEXTS] = "array",
		[FIELD_OBJECT] = "object",   [FIELD_MEMBERS] = "object",
		[FIELD_POINTER] = "object",  [FIELD_POINTERS] = "array",
		[FIELD_LIST] = "array",      [FIELD_BY_NAME] = "object",
	};
	return names[field->type];
}

/* ---- the reference ----------------------------------------------------------------------- */

static void print_type(const struct field *field)
{
	switch (field->type) {
	case FIELD_NAME:
		for (int i = 0; field->name_of(i); i++)
			printf("%s`%s`", i ? ", " : "", field->name_of(i));
		break;
	case FIELD_CONSTANT:
		printf("`%s`", field->text);
		break;
	case FIELD_LIST:
	case FIELD_POINTERS:
		printf("list of [%s](#%s)", field->of->name, field->of->name);
		break;
	case FIELD_OBJECT:
	case FIELD_POINTER:
		printf("[%s](#%s)", field->of->name, field->of->name);
		break;
	case FIELD_BY_NAME:
		for (size_t i = 0; i < field->length; i++)
			printf("%s`%s`", i ? ", " : "{", field->name_of((int)i));
		if (field->of)
			printf("} of [%s](#%s)", field->of->name, field->of->name);
		else
			printf("} of integer");
		break;
	case FIELD_NUMBERS:
		printf("list of number");
		break;
	case FIELD_TEXTS:
		printf("list of string");
		break;
	default:
		printf("%s", describe_type(field));
	}
}

static const char *absence(const struct field *field, bool strict)
{
	if (field->flags & FIELD_CSV_ONLY)
		return "not in JSON";
	if (field->flags & FIELD_LEFT_OUT)
		return describe_nullable(field, strict) ? "missing or null" : "missing";
	return describe_nullable(field, strict) || field->type == FIELD_POINTER ? "null" : "";
}

static void print_rows(const struct table *table, bool strict, bool columns)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		if (field->type == FIELD_MEMBERS) {
			print_rows(field->of, strict, columns && field->column);
			continue;
		}
		printf("| `%s` | ", field->name);
		print_type(field);
		printf(" | %s | %s | ", field->unit ? field->unit : "", absence(field, strict));
		if (columns && field->column)
			printf("%u", field->column);
		printf(" | %s", field->doc);
		if (field->old)
			printf(" (earlier: `%s`, which is still read)", field->old);
		printf(" |\n");
	}
}

static void print_reference(void)
{
	struct tables tables = {.count = 0};
	describe_tables(&tables, document_tables);
	describe_tables(&tables, fleet_tables);
	printf("# The documents\n\n"
	       "Every field of fathom's JSON and CSV, made from the table in `src/document/` by "
	       "`make documents`, as are\n[fathom-1.schema.json](fathom-1.schema.json) and "
	       "[fathom-fleet-1.schema.json](fathom-fleet-1.schema.json).\n"
	       "`fathom_result_get` takes the same names, as in\n`levels[2].latency_ns`. "
	       "Fields are only ever added.\n\n"
	       "*absent*: how JSON says that a value is not known, or that there is no such thing. "
	       "*column*: its\nplace in CSV, where an empty cell says that.\n");
	for (size_t i = 0; i < tables.count; i++) {
		printf("\n## %s\n\n%s\n\n| field | type | unit | absent | column | what it says |\n"
		       "|---|---|---|---|---|---|\n",
		       tables.items[i].table->name, tables.items[i].table->doc);
		print_rows(tables.items[i].table, tables.items[i].strict, true);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	if (strcmp(argv[1], "schema") == 0)
		describe_schema();
	else if (strcmp(argv[1], "fleet-schema") == 0)
		describe_fleet_schema();
	else if (strcmp(argv[1], "reference") == 0)
		print_reference();
	else
		return 2;
	return fflush(stdout) ? 1 : 0;
}
