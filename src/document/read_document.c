/* fathom's own JSON: all that json.c writes comes back. Fields that are missing are not known;
 * those that a later version has added are passed over. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "document/document.h"
#include "document/read_curve.h"
#include "document/read_parts.h"

#define RESULT_HINT "'fathom latency --json' prints a result"

bool document_detect(const char *bytes, size_t length)
{
	size_t blanks = 0;
	while (blanks < length && strchr(" \t\r\n", bytes[blanks]))
		blanks++;
	return blanks < length && bytes[blanks] == '{';
}

/* ---- curves ---- */

static int read_rejected(const struct place *place, void *target)
{
	struct fathom_point *point = target;
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++) {
		const struct field field = {
			fathom_rejection_name(i), FIELD_BYTES, 0, 0, NULL, RANGE_ANY};
		const struct fields fields = {&field, 1};
		if (fields_read(place, &fields, &point->rejected[i]))
			return -1;
	}
	return 0;
}

static int read_samples(const struct place *place, struct fathom_point *point)
{
	size_t count = 0;
	if (fields_read_numbers(place, "samples_ns", &point->samples_ns, &count))
		return -1;
	if (point->samples_ns && count != point->sample_count) {
		free(point->samples_ns);
		point->samples_ns = NULL;
		return fields_refuse(place, "samples_ns", "holds more or less than 'samples' says");
	}
	return 0;
}

/* A number, or why there is none. */
static int read_count(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_count, event, FIELD_TEXT),
		{"state", FIELD_NAME, offsetof(struct fathom_count, state), -1, count_state_parse,
		 RANGE_ANY},
		FIELD_OF(fathom_count, per_access, FIELD_NUMBER),
		FIELD_IN(fathom_count, running_share, FIELD_NUMBER, RANGE_SHARE),
		FIELD_OF(fathom_count, reason, FIELD_TEXT),
		FIELD_OF(fathom_count, hint, FIELD_TEXT),
	};
	static const struct fields fields = FIELDS_OF(table);
	const struct fathom_count *count = item;
	if (fields_read(place, &fields, item))
		return -1;
	if (!count->event)
		return fields_refuse(place, "event", "is missing");
	if ((int)count->state < 0)
		return fields_refuse(place, "state", "is missing");
	if (isnan(count->per_access) == (count->state <= FATHOM_SCALED))
		return fields_refuse(place, "per_access", "does not go with 'state'");
	return 0;
}

static int read_point(const struct place *place, void *item)
{
	struct fathom_point *point = item;
	if (fields_read(place, &fields_of_point, point) ||
	    fields_read_numbers(place, "blocks_ns", &point->blocks_ns, &point->block_count) ||
	    read_samples(place, point) ||
	    fields_read_object(place, "rejected", read_rejected, point) ||
	    fields_read_array(place, "counts", sizeof(*point->counts), read_count,
			      (void **)&point->counts, &point->event_count))
		return -1;
	if (point->spec.size_bytes == 0)
		return fields_refuse(place, "size_bytes", "is missing");
	return 0;
}

static int refuse_point(const struct place *place, size_t point, const char *name, const char *what)
{
	char *path = text_format("points[%zu].%s", point, name);
	int failed = path ? fields_refuse(place, path, what) : error_no_memory(place->error);
	free(path);
	return failed;
}

static int read_curve(const struct place *place, void *item)
{
	struct fathom_curve *curve = item;
	const char *name, *what;
	if (fields_read(place, &fields_of_curve, curve) ||
	    fields_read_array(place, "points", sizeof(*curve->points), read_point,
			      (void **)&curve->points, &curve->point_count))
		return -1;
	for (size_t i = 0; i < curve->point_count; i++) {
		curve->points[i].spec.axis = curve->axis;
		if (!curve_lanes_ascend(curve, i))
			return fields_refuse(place, "points", "do not ascend by 'lanes'");
		if (i && curve->points[i].spec.size_bytes < curve->points[i - 1].spec.size_bytes)
			return fields_refuse(place, "points", "do not ascend by 'size_bytes'");
		if (curve_find_wrong(curve, i, &name, &what))
			return refuse_point(place, i, name, what);
	}
	return 0;
}

/* ---- the rest of a result ---- */

static int read_argv(const struct place *place, struct fathom_result *result)
{
	const json_t *list = json_object_get(place->object, "argv");
	size_t count = json_array_size(list);
	if (count == 0)
		return 0;
	result->argv = calloc(count + 1, sizeof(*result->argv));
	if (!result->argv)
		return error_no_memory(place->error);
	for (size_t i = 0; i < count; i++) {
		const char *argument = json_string_value(json_array_get(list, i));
		if (!argument)
			return fields_refuse(place, "argv", "holds what is not a text");
		result->argv[i] = strdup(argument);
		if (!result->argv[i])
			return error_no_memory(place->error);
	}
	return 0;
}

static int read_fathom(const struct place *place, void *target)
{
	static const struct field seed = {"seed", FIELD_SEED, offsetof(struct fathom_result, seed),
					  0,      NULL,       RANGE_ANY};
	static const struct fields fields = {&seed, 1};
	return fields_read(place, &fields, target) || read_argv(place, target) ? -1 : 0;
}

static int read_clock(const struct place *place, void *target)
{
	static const struct field table[] = {
		{"min_hz", FIELD_NUMBER, offsetof(struct fathom_result, clock_min_hz), 0, NULL,
		 RANGE_POSITIVE},
		{"median_hz", FIELD_NUMBER, offsetof(struct fathom_result, clock_median_hz), 0,
		 NULL, RANGE_POSITIVE},
		{"max_hz", FIELD_NUMBER, offsetof(struct fathom_result, clock_max_hz), 0, NULL,
		 RANGE_POSITIVE},
		{"drift", FIELD_NUMBER, offsetof(struct fathom_result, clock_drift), 0, NULL,
		 RANGE_ANY},
		{"missing", FIELD_TEXT, offsetof(struct fathom_result, clock_missing), 0, NULL,
		 RANGE_ANY},
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, target);
}

/* "2026-11-21T22:05:13Z": what stopwatch_date writes. */
static bool is_date(const char *text)
{
	static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
	size_t i = 0;
	for (; form[i] && text[i]; i++)
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9' : text[i] != form[i])
			return false;
	return !form[i] && !text[i] && atoi(text + 5) - 1u < 12 && atoi(text + 8) - 1u < 31 &&
	       atoi(text + 11) < 24 && atoi(text + 14) < 60 && atoi(text + 17) <= 60;
}

static int read_result(const struct place *place, struct fathom_result *result)
{
	static const struct field table[] = {
		{"interrupted", FIELD_BOOLEAN, offsetof(struct fathom_result, interrupted), 0, NULL,
		 RANGE_ANY},
		{"survey", FIELD_BOOLEAN, offsetof(struct fathom_result, survey), 0, NULL,
		 RANGE_ANY},
		{"measured_at", FIELD_TEXT, offsetof(struct fathom_result, measured_at), 0, NULL,
		 RANGE_ANY},
		{"elapsed_s", FIELD_NUMBER, offsetof(struct fathom_result, elapsed_s), 0, NULL,
		 RANGE_NOT_NEGATIVE},
		{"measured_line_bytes", FIELD_BYTES,
		 offsetof(struct fathom_result, measured_line_bytes), 0, NULL, RANGE_POSITIVE},
	};
	static const struct fields fields = FIELDS_OF(table);
	if (!json_object_get(place->object, "curves"))
		return fields_refuse(place, "curves", "is missing");
	if (fields_read(place, &fields, result))
		return -1;
	if (result->measured_at && !is_date(result->measured_at))
		return fields_refuse(place, "measured_at",
				     "is not a time like \"2026-11-21T22:05:13Z\"");
	if (fields_read_object(place, "fathom", read_fathom, result) ||
	    fields_read_object(place, "clock", read_clock, result) ||
	    parts_read_machine(place, &result->machine) ||
	    parts_read_warnings(place, "warnings", &result->warnings) ||
	    fields_read_array(place, "curves", sizeof(*result->curves), read_curve,
			      (void **)&result->curves, &result->curve_count))
		return -1;
	return parts_read_levels(place, result) || parts_read_effects(place, result) ||
			       parts_read_parallelism(place, result) ||
			       parts_read_numbers(place, result) ||
			       parts_read_translation(place, result) ||
			       parts_read_clocks(place, result) ||
			       parts_read_readings(place, result)
		       ? -1
		       : 0;
}

/* ---- what kind of document it is ---- */

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
		error_set(error, FATHOM_BAD_INPUT, "read it with the fathom that wrote it",
			  "its 'schema' is '%s', and this is fathom %s, which reads '%s'", quoted,
			  FATHOM_VERSION, FATHOM_SCHEMA);
	else
		error_no_memory(error);
	free(quoted);
	return -1;
}

static int check_kind(const json_t *document, struct fathom_error *error)
{
	const char *schema = json_string_value(json_object_get(document, "schema"));
	const char *kind = json_string_value(json_object_get(document, "kind"));
	if (schema && is_later(schema))
		return refuse_later(schema, error);
	if (!schema || strcmp(schema, FATHOM_SCHEMA) != 0)
		return error_set(error, FATHOM_BAD_INPUT, RESULT_HINT,
				 "it is JSON, but 'schema' is not '%s'", FATHOM_SCHEMA);
	if (kind && strcmp(kind, "result") == 0)
		return 0;
	if (kind && strcmp(kind, "plan") == 0)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom run' measures it",
				 "it is a plan, not a result");
	if (kind && strcmp(kind, "machine") == 0)
		return error_set(error, FATHOM_BAD_INPUT, RESULT_HINT,
				 "it is a description of a machine, not a result");
	if (kind && strcmp(kind, "comparison") == 0)
		return error_set(error, FATHOM_BAD_INPUT, RESULT_HINT,
				 "it is a comparison, not a result");
	return error_set(error, FATHOM_BAD_INPUT, RESULT_HINT, "'kind' is not 'result'");
}

static int refuse_json(const json_error_t *where, struct fathom_error *error)
{
	char *reason = where->text[0] ? span_quote(span_of(where->text)) : NULL;
	if (reason && json_error_code(where) != json_error_out_of_memory)
		error_set(error, FATHOM_BAD_INPUT, NULL, "line %d: no JSON: %s", where->line,
			  reason);
	else
		error_no_memory(error);
	free(reason);
	return -1;
}

int document_read(const char *bytes, size_t length, const struct fathom_input *input,
		  struct fathom_result *result, struct fathom_error *error)
{
	json_error_t where;
	json_t *document = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &where);
	const struct place place = {document, "", error};
	(void)input;
	if (!document)
		return refuse_json(&where, error);
	int failed = check_kind(document, error);
	if (!failed)
		failed = read_result(&place, result);
	json_decref(document);
	return failed;
}
