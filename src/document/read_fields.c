#include "document/read_fields.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"

#define MOST_NUMBER 1e100 /* no quantity is so large, and products of a few are finite */

#define POINT(name, type)           FIELD_OF(fathom_point, name, type)
#define POINT_IN(name, type, range) FIELD_IN(fathom_point, name, type, range)
#define SPEC(name, type)            SPEC_IN(name, type, RANGE_ANY)
#define SPEC_IN(name, type, range)                                                                 \
	{                                                                                          \
#name, type, offsetof(struct fathom_point, spec.name), 0, NULL, range              \
	}

static const struct field point_fields[] = {
	{"pattern", FIELD_NAME, offsetof(struct fathom_point, spec.pattern), FATHOM_PATTERN_UNKNOWN,
	 fathom_pattern_parse, RANGE_ANY},
	{"warmth", FIELD_NAME, offsetof(struct fathom_point, spec.warmth), FATHOM_WARMTH_UNKNOWN,
	 warmth_parse, RANGE_ANY},
	{"link", FIELD_NAME, offsetof(struct fathom_point, spec.link), FATHOM_LINK_UNKNOWN,
	 link_parse, RANGE_ANY},
	{"page_kind", FIELD_NAME, offsetof(struct fathom_point, spec.page), FATHOM_PAGE_UNKNOWN,
	 page_parse, RANGE_ANY},
	SPEC_IN(size_bytes, FIELD_BYTES, RANGE_POSITIVE),
	SPEC_IN(node_bytes, FIELD_BYTES, RANGE_POSITIVE),
	SPEC(window_bytes, FIELD_BYTES),
	SPEC(stride_bytes, FIELD_BYTES),
	SPEC(laps, FIELD_COUNT),
	SPEC_IN(lap, FIELD_COUNT, RANGE_POSITIVE),
	SPEC_IN(lanes, FIELD_COUNT, RANGE_POSITIVE),
	SPEC_IN(threads, FIELD_COUNT, RANGE_POSITIVE),
	SPEC(vector_bytes, FIELD_COUNT),
	SPEC(seed, FIELD_SEED),
	POINT_IN(nodes, FIELD_BYTES, RANGE_POSITIVE),
	POINT_IN(lines_touched, FIELD_BYTES, RANGE_POSITIVE),
	POINT_IN(page_bytes, FIELD_BYTES, RANGE_POSITIVE),
	POINT_IN(page_share, FIELD_NUMBER, RANGE_SHARE),
	POINT(latency_ns, FIELD_NUMBER),
	POINT(latency_low_ns, FIELD_NUMBER),
	POINT(latency_high_ns, FIELD_NUMBER),
	POINT(latency_cycles, FIELD_NUMBER),
	POINT(latency_low_cycles, FIELD_NUMBER),
	POINT(latency_high_cycles, FIELD_NUMBER),
	POINT(ns_per_access, FIELD_NUMBER),
	POINT(ns_per_access_low, FIELD_NUMBER),
	POINT(ns_per_access_high, FIELD_NUMBER),
	POINT(cycles_per_access, FIELD_NUMBER),
	POINT(cycles_per_access_low, FIELD_NUMBER),
	POINT(cycles_per_access_high, FIELD_NUMBER),
	POINT_IN(instructions_per_access, FIELD_COUNT, RANGE_POSITIVE),
	POINT_IN(floor_ns, FIELD_NUMBER, RANGE_POSITIVE),
	{"lane_store", FIELD_NAME, offsetof(struct fathom_point, lane_store), FATHOM_STORE_UNKNOWN,
	 lane_store_parse, RANGE_ANY},
	POINT_IN(bandwidth_bytes_per_second, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(bandwidth_low, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(bandwidth_high, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(bandwidth_best, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(bandwidth_slowest_thread, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(bandwidth_fastest_thread, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(traffic_bytes_per_second, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(clock_hz, FIELD_NUMBER, RANGE_POSITIVE),
	POINT(overhead_ns, FIELD_NUMBER),
	POINT_IN(target, FIELD_NUMBER, RANGE_POSITIVE),
	POINT(within_target, FIELD_BOOLEAN),
	{"estimator", FIELD_NAME, offsetof(struct fathom_point, estimator),
	 FATHOM_ESTIMATOR_UNKNOWN, estimator_parse, RANGE_ANY},
	POINT_IN(latency_mean_ns, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(ns_per_access_mean, FIELD_NUMBER, RANGE_POSITIVE),
	POINT_IN(disturbed_share, FIELD_NUMBER, RANGE_SHARE),
	POINT(placements, FIELD_TALLY),
	POINT_IN(placement_spread_ns, FIELD_NUMBER, RANGE_NOT_NEGATIVE),
	POINT_IN(noise_spread_ns, FIELD_NUMBER, RANGE_NOT_NEGATIVE),
	{"samples", FIELD_TALLY, offsetof(struct fathom_point, sample_count), 0, NULL, RANGE_ANY},
	POINT(accesses, FIELD_BYTES),
};
const struct fields fields_of_point = FIELDS_OF(point_fields);

static const struct field curve_fields[] = {
	{"experiment", FIELD_NAME, offsetof(struct fathom_curve, experiment), FATHOM_LATENCY,
	 experiment_parse, RANGE_ANY},
	{"axis", FIELD_NAME, offsetof(struct fathom_curve, axis), FATHOM_AXIS_SIZE, axis_parse,
	 RANGE_ANY},
	{"cpu", FIELD_INTEGER, offsetof(struct fathom_curve, cpu), -1, NULL, RANGE_ANY},
	{"tool", FIELD_TEXT, offsetof(struct fathom_curve, tool), 0, NULL, RANGE_ANY},
	{"over_first", FIELD_BOOLEAN, offsetof(struct fathom_curve, over_first), 0, NULL,
	 RANGE_ANY},
};
const struct fields fields_of_curve = FIELDS_OF(curve_fields);

/* ---- what a field is worth -------------------------------------------------------------- */

/* One field's value, whatever it came from. */
struct value {
	double number;
	uint64_t whole;
	int integer;
	bool boolean;
	char *text;
};

static void store(const struct field *field, const struct value *value, void *target)
{
	char *member = (char *)target + field->offset;
	uint32_t count = (uint32_t)value->whole;
	size_t tally = (size_t)value->whole;
	switch (field->type) {
	case FIELD_NUMBER:
		memcpy(member, &value->number, sizeof(double));
		break;
	case FIELD_BYTES:
	case FIELD_SEED:
		memcpy(member, &value->whole, sizeof(uint64_t));
		break;
	case FIELD_COUNT:
		memcpy(member, &count, sizeof(count));
		break;
	case FIELD_TALLY:
		memcpy(member, &tally, sizeof(tally));
		break;
	case FIELD_INTEGER:
	case FIELD_SWITCH:
	case FIELD_NAME:
		memcpy(member, &value->integer, sizeof(int));
		break;
	case FIELD_BOOLEAN:
		memcpy(member, &value->boolean, sizeof(bool));
		break;
	case FIELD_TEXT:
		memcpy(member, &value->text, sizeof(value->text));
		break;
	}
}

static void store_unknown(const struct field *field, void *target)
{
	struct value value = {.number = NAN, .integer = field->otherwise};
	if (field->type == FIELD_SWITCH)
		value.integer = -1;
	store(field, &value, target);
}

static uint64_t most_of(enum field_type type)
{
	return type == FIELD_COUNT ? UINT32_MAX : type == FIELD_TALLY ? SIZE_MAX / 2 : INT64_MAX;
}

/* What a value should have been; NULL: it was. */
static const char *take_seed(struct span text, struct value *value)
{
	static const char wanted[] = "is not a seed like \"0x1f\"";
	char digits[17] = {0};
	if (!span_starts(text, "0x") || text.length < 3 || text.length > 18)
		return wanted;
	memcpy(digits, text.start + 2, text.length - 2);
	if (strspn(digits, "0123456789abcdef") != text.length - 2)
		return wanted;
	value->whole = strtoull(digits, NULL, 16);
	return NULL;
}

static bool is_counted(enum field_type type)
{
	return type == FIELD_BYTES || type == FIELD_COUNT || type == FIELD_TALLY;
}

/* What is wrong with a value that was taken; NULL: it is in the field's range. */
static const char *check_range(const struct field *field, const struct value *value)
{
	double number = is_counted(field->type) ? (double)value->whole : value->number;
	switch (field->range) {
	case RANGE_SHARE:
		return number >= 0 && number <= 1 ? NULL : "is not between 0 and 1";
	case RANGE_POSITIVE:
		return number > 0 ? NULL : "is not above 0";
	case RANGE_NOT_NEGATIVE:
		return number >= 0 ? NULL : "is below 0";
	default:
		return NULL;
	}
}

static const char *take_name(const struct field *field, const char *name, struct value *value)
{
	value->integer = field->parse(name);
	return value->integer < 0 ? "is not a name that this version knows" : NULL;
}

/* ---- from JSON -------------------------------------------------------------------------- */

int fields_refuse(const struct place *place, const char *name, const char *what)
{
	return error_set(place->error, FATHOM_BAD_INPUT, NULL, "'%s%s' %s", place->path, name,
			 what);
}

static const char *take_whole(const json_t *json, const struct field *field, struct value *value)
{
	json_int_t whole = json_integer_value(json);
	if (!json_is_integer(json))
		return "is not a whole number";
	if (field->type == FIELD_INTEGER) {
		value->integer = (int)whole;
		return whole < INT_MIN || whole > INT_MAX ? "is out of range" : NULL;
	}
	value->whole = (uint64_t)whole;
	return whole < 0 || (uint64_t)whole > most_of(field->type) ? "is out of range" : NULL;
}

const char *fields_take_number(const json_t *json, double *number)
{
	*number = json_number_value(json);
	if (!json_is_number(json))
		return "is not a number";
	return fabs(*number) <= MOST_NUMBER ? NULL : "is out of range";
}

static const char *take_json(const json_t *json, const struct field *field, struct value *value)
{
	static const char no_text[] = "is not a text";
	const char *text = json_string_value(json);
	switch (field->type) {
	case FIELD_NUMBER:
		return fields_take_number(json, &value->number);
	case FIELD_BYTES:
	case FIELD_COUNT:
	case FIELD_TALLY:
	case FIELD_INTEGER:
		return take_whole(json, field, value);
	case FIELD_BOOLEAN:
	case FIELD_SWITCH:
		value->boolean = json_is_true(json);
		value->integer = value->boolean;
		return json_is_boolean(json) ? NULL : "is not true or false";
	case FIELD_SEED:
		return text ? take_seed(span_of(text), value) : no_text;
	case FIELD_NAME:
		return text ? take_name(field, text, value) : no_text;
	case FIELD_TEXT:
		value->text = text ? strdup(text) : NULL;
		return text ? NULL : no_text;
	}
	return NULL;
}

static int read_field(const struct place *place, const struct field *field, void *target)
{
	const json_t *json = json_object_get(place->object, field->name);
	struct value value = {0};
	store_unknown(field, target);
	if (!json || json_is_null(json))
		return 0;
	const char *wrong = take_json(json, field, &value);
	if (!wrong)
		wrong = check_range(field, &value);
	if (wrong)
		return fields_refuse(place, field->name, wrong);
	if (field->type == FIELD_TEXT && !value.text)
		return error_no_memory(place->error);
	store(field, &value, target);
	return 0;
}

int fields_read(const struct place *place, const struct fields *fields, void *target)
{
	for (size_t i = 0; i < fields->count; i++)
		if (read_field(place, &fields->items[i], target))
			return -1;
	return 0;
}

/* ---- from CSV --------------------------------------------------------------------------- */

const struct field *fields_find(const struct fields *fields, struct span name)
{
	for (size_t i = 0; i < fields->count; i++)
		if (span_is(name, fields->items[i].name))
			return &fields->items[i];
	return NULL;
}

static const char *take_cell_number(struct span cell, const struct field *field,
				    struct value *value)
{
	if (cell.length == 0 || span_number(cell, &value->number) != cell.length)
		return "is not a number";
	double number = value->number;
	if (field->type == FIELD_NUMBER)
		return fabs(number) <= MOST_NUMBER ? NULL : "is out of range";
	double least = field->type == FIELD_INTEGER ? INT_MIN : 0;
	double most = field->type == FIELD_INTEGER ? INT_MAX : (double)most_of(field->type);
	if (number != floor(number))
		return "is not a whole number";
	if (!(number >= least && number <= most) || number >= 0x1p63)
		return "is out of range";
	if (field->type == FIELD_INTEGER)
		value->integer = (int)number;
	else
		value->whole = (uint64_t)number;
	return NULL;
}

static const char *take_cell(struct span cell, const struct field *field, struct value *value)
{
	char *name = NULL;
	const char *wrong;
	switch (field->type) {
	case FIELD_BOOLEAN:
	case FIELD_SWITCH:
		value->boolean = span_is(cell, "true");
		value->integer = value->boolean;
		return value->boolean || span_is(cell, "false") ? NULL : "is not true or false";
	case FIELD_SEED:
		return take_seed(cell, value);
	case FIELD_NAME:
		name = strndup(cell.start, cell.length);
		wrong = name ? take_name(field, name, value) : "takes more memory than there is";
		free(name);
		return wrong;
	case FIELD_TEXT:
		return "is a text";
	default:
		return take_cell_number(cell, field, value);
	}
}

int fields_read_cell(struct span cell, size_t line, const struct field *field, void *target,
		     struct fathom_error *error)
{
	struct value value = {0};
	store_unknown(field, target);
	if (cell.length == 0)
		return 0;
	const char *wrong = take_cell(cell, field, &value);
	if (!wrong)
		wrong = check_range(field, &value);
	if (wrong)
		return span_refuse(cell, line, wrong, NULL, error);
	store(field, &value, target);
	return 0;
}
