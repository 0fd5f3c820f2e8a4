/* The doors: each kind of document, out and in. */
#include "document/document.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "document/json_read.h"
#include "document/json_write.h"
#include "document/read_curve.h"

#define PLAN_DIGITS  17 /* numbers come back as they were */
#define FLEET_DIGITS 6  /* more than any node is known to, ten thousand times */
#define NUMBER_BYTES 32 /* of a double in so many digits */
#define RESULT_HINT  "'fathom latency --json' prints a result"
#define FLEET_HINT   "'fathom fleet --json' prints a fleet"
#define HEAD_BYTES   200 /* in which a document says what it is */
#define PLAN_HINT    "print the plan again with --dry-run --json"

/* ---- out --------------------------------------------------------------------------------- */

int json_write(const struct content *content, const struct fathom_style *style, struct text *text,
	       struct fathom_error *error)
{
	static const struct {
		const struct table *table;
		unsigned digits;
	} kinds[CONTENT_KIND_COUNT] = {
		[CONTENT_RESULT] = {&result_table, JSON_RESULT_DIGITS},
		[CONTENT_PLAN] = {&plan_table, PLAN_DIGITS},
		[CONTENT_SURVEY] = {&survey_table, PLAN_DIGITS},
		[CONTENT_MACHINE] = {&machine_document_table, JSON_RESULT_DIGITS},
		[CONTENT_COMPARISON] = {&comparison_table, JSON_RESULT_DIGITS},
		[CONTENT_FLEET] = {&fleet_table, FLEET_DIGITS},
	};
	(void)style;
	return json_finish(json_of(kinds[content->kind].table, content->any, NULL),
			   kinds[content->kind].digits, text, error);
}

/* ---- results in -------------------------------------------------------------------------- */

bool document_detect(const char *bytes, size_t length)
{
	size_t blanks = 0;
	while (blanks < length && strchr(" \t\r\n", bytes[blanks]))
		blanks++;
	return blanks < length && bytes[blanks] == '{';
}

/* "fathom/2": of the same family, by whoever comes after. */
static bool is_later(const char *schema)
{
	size_t family = strlen(FATHOM_SCHEMA) - 1;
	return strncmp(schema, FATHOM_SCHEMA, family) == 0 && strcmp(schema, FATHOM_SCHEMA) != 0 &&
	       strspn(schema + family, "0123456789") == strlen(schema + family) && schema[family];
}

static int refuse_later(const char *schema, struct fathom_error *error)
{
	char *quoted = span_quote(span_of(schema));
	if (quoted)
		error_set(error, FATHOM_BAD_INPUT,
			  "read it with the version of fathom that wrote it",
			  "its 'schema' is '%s', but fathom %s reads '%s'", quoted, FATHOM_VERSION,
			  FATHOM_SCHEMA);
	else
		error_no_memory(error);
	free(quoted);
	return -1;
}

static int check_kind(const json_t *document, struct fathom_error *error)
{
	static const char *const others[][3] = {
		{"plan", "it is a plan, not a result", "'fathom run' measures it"},
		{"machine", "it is a description of a machine, not a result", RESULT_HINT},
		{"comparison", "it is a comparison, not a result", RESULT_HINT},
	};
	const char *schema = json_string_value(json_object_get(document, "schema"));
	const char *kind = json_string_value(json_object_get(document, "kind"));
	if (schema && strcmp(schema, FATHOM_FLEET_SCHEMA) == 0)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom fleet' reads it",
				 "it is a fleet, not a result");
	if (schema && is_later(schema))
		return refuse_later(schema, error);
	if (!schema || strcmp(schema, FATHOM_SCHEMA) != 0)
		return error_set(error, FATHOM_BAD_INPUT, RESULT_HINT,
				 "it is JSON, but 'schema' is not '%s'", FATHOM_SCHEMA);
	if (kind && strcmp(kind, "result") == 0)
		return 0;
	for (size_t i = 0; kind && i < sizeof(others) / sizeof(*others); i++)
		if (strcmp(kind, others[i][0]) == 0)
			return error_set(error, FATHOM_BAD_INPUT, others[i][2], "%s", others[i][1]);
	return error_set(error, FATHOM_BAD_INPUT, RESULT_HINT, "'kind' is not 'result'");
}

int document_read(const char *bytes, size_t length, const struct fathom_input *input,
		  struct fathom_result *result, struct fathom_error *error)
{
	(void)input;
	const struct json_reader reader = {
		.root = &result_table,
		.prefix = "",
		.hint = CURVE_WRONG_HINT,
		.result = result,
		.error = error,
	};
	json_t *document = json_load(bytes, length, reader.prefix, error);
	if (!document)
		return -1;
	int failed = check_kind(document, error) || json_read(&reader, document, result) ? -1 : 0;
	json_decref(document);
	return failed;
}

/* ---- fleets ------------------------------------------------------------------------------ */

static int copy_version(const json_t *document, char **version, struct fathom_error *error)
{
	const json_t *origin = json_object_get(document, "fathom");
	const char *text = json_string_value(json_object_get(origin, "version"));
	char *copy = text ? strdup(text) : NULL;
	if (text && !copy)
		return error_no_memory(error);
	*version = copy;
	return 0;
}

int document_read_conclusions(const char *bytes, size_t length, struct fathom_result *result,
			      char **version, struct fathom_error *error)
{
	/* Indexes are of curves that are not here. */
	const struct json_reader reader = {
		.root = &result_table, .prefix = "", .hint = CURVE_WRONG_HINT, .error = error};
	json_t *document = json_load(bytes, length, reader.prefix, error);
	if (!document)
		return -1;
	int failed = check_kind(document, error) || json_read(&reader, document, result) ||
				     copy_version(document, version, error)
			     ? -1
			     : 0;
	json_decref(document);
	return failed;
}

bool document_detect_fleet(const char *bytes, size_t length)
{
	static const char schema[] = "\"" FATHOM_FLEET_SCHEMA "\"";
	size_t most = length < HEAD_BYTES ? length : HEAD_BYTES;
	return document_detect(bytes, length) && memmem(bytes, most, schema, strlen(schema));
}

int document_read_fleet(const char *bytes, size_t length, struct fathom_fleet *fleet,
			struct fathom_error *error)
{
	const struct json_reader reader = {
		.root = &fleet_table, .prefix = "", .hint = FLEET_HINT, .error = error};
	json_t *document = json_load(bytes, length, reader.prefix, error);
	if (!document)
		return -1;
	int failed = json_read(&reader, document, fleet);
	json_decref(document);
	return failed;
}

struct fathom_result *document_new_result(void)
{
	struct fathom_result *result = calloc(1, sizeof(*result));
	if (result)
		table_unknown(&result_table, result);
	return result;
}

/* ---- plans in ---------------------------------------------------------------------------- */

/* Is it a plan at all, and one that this version can read? */
static int check_plan(const struct json_path *path, struct fathom_error *error)
{
	const json_t *schema = json_object_get(path->object, "schema");
	const json_t *kind = json_object_get(path->object, "kind");
	if (!schema || !json_is_string(schema))
		return json_refuse(path, "schema", schema ? "is not a text" : "is missing");
	if (strcmp(json_string_value(schema), FATHOM_SCHEMA) != 0)
		return error_set(error, FATHOM_BAD_INPUT, PLAN_HINT, "plan: 'schema' is not '%s'",
				 FATHOM_SCHEMA);
	if (!kind || !json_is_string(kind))
		return json_refuse(path, "kind", kind ? "is not a text" : "is missing");
	if (strcmp(json_string_value(kind), "survey") == 0)
		return error_set(error, FATHOM_USAGE,
				 "run one of its 'plans', or 'fathom survey' again with its --seed",
				 "plan: the document has the plans of a survey, not a single plan");
	if (strcmp(json_string_value(kind), "plan") != 0)
		return error_set(error, FATHOM_BAD_INPUT, "--dry-run --json prints a plan",
				 "plan: 'kind' is not 'plan'");
	return 0;
}

int json_read_plan(const char *text, size_t length, struct fathom_plan **plan,
		   struct fathom_error *error)
{
	const struct json_reader reader = {
		.root = &plan_table, .prefix = "plan: ", .hint = PLAN_HINT, .error = error};
	json_t *document = json_load(text, length, reader.prefix, error);
	const struct json_path path = {.reader = &reader, .object = document};
	if (!document)
		return -1;
	struct fathom_plan *made = calloc(1, sizeof(*made));
	int failed = made ? 0 : error_no_memory(error);
	if (!failed)
		failed = check_plan(&path, error) || json_read(&reader, document, made) ? -1 : 0;
	json_decref(document);
	if (failed) {
		fathom_plan_free(made);
		return -1;
	}
	*plan = made;
	return 0;
}

/* ---- digits ------------------------------------------------------------------------------ */

static void round_number(double *number)
{
	char text[NUMBER_BYTES];
	if (!isfinite(*number))
		return;
	snprintf(text, sizeof(text), "%.*g", JSON_RESULT_DIGITS, *number);
	*number = strtod(text, NULL); /* by the same locale */
}

static void round_object(const struct table *table, void *object)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct field *field = &table->fields[i];
		void *member = (char *)object + field->offset;
		char *items = field->type == FIELD_LIST ? *(char **)member : member;
		size_t count = field->type == FIELD_LIST      ? field_count(field, object)
			       : field->type == FIELD_OBJECT  ? 1
			       : field->type == FIELD_MEMBERS ? 1
							      : 0;
		if (field->type == FIELD_NUMBER)
			round_number(member);
		for (size_t k = 0; k < count; k++)
			round_object(field->of, items + k * field->of->size);
		double *numbers = field->type == FIELD_NUMBERS ? *(double **)member : NULL;
		for (size_t k = 0; numbers && k < field_count(field, object); k++)
			round_number(&numbers[k]);
	}
}

void document_round(struct fathom_result *result)
{
	round_object(&result_table, result);
}
