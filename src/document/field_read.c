/* One value from JSON or from a cell of CSV: of the field's type, and in its range. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "document/json_read.h"

#define MOST_NUMBER 1e100 /* no quantity is so large, and products of a few are finite */

static bool refuse(char wrong[WRONG_BYTES], const char *what)
{
	snprintf(wrong, WRONG_BYTES, "%s", what);
	return false;
}

/* ---- ranges ------------------------------------------------------------------------------ */

static const struct {
	double low, high;
	bool above; /* `low` itself is not in it */
	const char *wrong;
} ranges[] = {
	[RANGE_ANY] = {-MOST_NUMBER, MOST_NUMBER, false, "is out of range"},
	[RANGE_MEASURED] = {0, MOST_NUMBER, false, "is out of range"},
	[RANGE_POSITIVE] = {0, MOST_NUMBER, true, "is not above 0"},
	[RANGE_NOT_NEGATIVE] = {0, MOST_NUMBER, false, "is below 0"},
	[RANGE_SHARE] = {0, 1, false, "is not between 0 and 1"},
	[RANGE_TARGET] = {0, 1, true, "is not above 0 and at most 1"},
	[RANGE_BUDGET] = {0, 1e9, true, "is not above 0 and at most 1e9"},
	[RANGE_DURATION] = {0, 1e12, false, "is not between 0 and 1e12"},
};

struct bounds field_bounds(const struct field *field)
{
	struct bounds bounds = {ranges[field->range].low, ranges[field->range].high,
				ranges[field->range].above};
	double low = field->range == RANGE_ANY ? 0 : bounds.low + bounds.above;
	if (field->type == FIELD_INTEGER)
		bounds = (struct bounds){field->range == RANGE_ANY ? INT_MIN : low, INT_MAX, false};
	else if (field->type == FIELD_COUNT)
		bounds = (struct bounds){low, UINT32_MAX, false};
	else if (field->type == FIELD_BYTES || field->type == FIELD_SIZE ||
		 field->type == FIELD_INDEX)
		bounds = (struct bounds){low, 0x1p63, false};
	return bounds;
}

static bool check_number(const struct field *field, double number, char wrong[WRONG_BYTES])
{
	if (!(fabs(number) <= MOST_NUMBER))
		return refuse(wrong, ranges[RANGE_ANY].wrong);
	double low = ranges[field->range].low;
	if (number > low || (number == low && !ranges[field->range].above))
		if (number <= ranges[field->range].high)
			return true;
	return refuse(wrong, ranges[field->range].wrong);
}

/* Of a whole number that JSON or CSV gave; beyond what int64_t holds is no number of ours. */
static bool check_whole(const struct field *field, double number, int64_t whole,
			char wrong[WRONG_BYTES])
{
	struct bounds bounds = field_bounds(field);
	int64_t low = (int64_t)bounds.low;
	int64_t high = bounds.high < 0x1p63 ? (int64_t)bounds.high : INT64_MAX;
	if (fabs(number) < 0x1p63 && whole >= low && whole <= high)
		return true;
	snprintf(wrong, WRONG_BYTES, "is out of range: it is not between %lld and %lld",
		 (long long)low, (long long)high);
	return false;
}

/* ---- what both write alike --------------------------------------------------------------- */

static bool take_seed(struct span text, struct value *value, char wrong[WRONG_BYTES])
{
	char digits[17] = {0};
	if (!span_starts(text, "0x") || text.length < 3 || text.length > 18)
		return refuse(wrong, "is not a seed like \"0x1f\"");
	memcpy(digits, text.start + 2, text.length - 2);
	if (strspn(digits, "0123456789abcdef") != text.length - 2)
		return refuse(wrong, "is not a seed like \"0x1f\"");
	value->whole = strtoull(digits, NULL, 16);
	return true;
}

static bool take_name(const struct field *field, struct span text, bool strict, struct value *value,
		      char wrong[WRONG_BYTES])
{
	const char *name;
	for (int i = 0; (name = field->name_of(i)); i++) {
		const char *old = name_before(field->name_of, i);
		bool is_old = old && span_is(text, old);
		if (!is_old && (!span_is(text, name) ||
				(strict && strncmp(text.start, name, text.length) != 0)))
			continue;
		value->whole = (uint64_t)i;
		return true;
	}
	return refuse(wrong, "is not a name that this version knows");
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

/* ---- JSON -------------------------------------------------------------------------------- */

bool number_of_json(const json_t *json, double *number, char wrong[WRONG_BYTES])
{
	static const struct field any = {.range = RANGE_ANY};
	*number = json_number_value(json);
	return json_is_number(json) ? check_number(&any, *number, wrong)
				    : refuse(wrong, "is not a number");
}

/* The name that is not known follows. */
static bool quote_name(const char *text, char wrong[WRONG_BYTES])
{
	char *quoted = span_quote(span_of(text));
	size_t length = strlen(wrong);
	if (quoted)
		snprintf(wrong + length, WRONG_BYTES - length, ": '%s'", quoted);
	free(quoted);
	return false;
}

static bool text_of_json(const struct field *field, const json_t *json, bool strict,
			 struct value *value, char wrong[WRONG_BYTES])
{
	const char *text = json_string_value(json);
	if (!text)
		return refuse(wrong, "is not a text");
	value->text = text;
	if (field->type == FIELD_SEED)
		return take_seed(span_of(text), value, wrong);
	if (field->type == FIELD_NAME)
		return take_name(field, span_of(text), strict, value, wrong) ||
		       quote_name(text, wrong);
	if (field->type == FIELD_DATE && !is_date(text))
		return refuse(wrong, "is not a time like \"2026-11-21T22:05:13Z\"");
	return true;
}

bool value_of_json(const struct field *field, const json_t *json, bool strict, struct value *value,
		   char wrong[WRONG_BYTES])
{
	*value = (struct value){0};
	switch (field->type) {
	case FIELD_NUMBER:
	case FIELD_FITTED:
		return number_of_json(json, &value->number, wrong) &&
		       check_number(field, value->number, wrong);
	case FIELD_BYTES:
	case FIELD_COUNT:
	case FIELD_SIZE:
	case FIELD_INDEX:
	case FIELD_INTEGER:
		value->whole = (uint64_t)json_integer_value(json);
		return json_is_integer(json) ? check_whole(field, 0, (int64_t)value->whole, wrong)
					     : refuse(wrong, "is not a whole number");
	case FIELD_BOOLEAN:
	case FIELD_SWITCH:
		value->whole = json_is_true(json);
		return json_is_boolean(json) || refuse(wrong, "is not true or false");
	default:
		return text_of_json(field, json, strict, value, wrong);
	}
}

/* ---- CSV --------------------------------------------------------------------------------- */

static bool number_of_cell(const struct field *field, struct span cell, struct value *value,
			   char wrong[WRONG_BYTES])
{
	double number = 0;
	if (cell.length == 0 || span_number(cell, &number) != cell.length)
		return refuse(wrong, "is not a number");
	value->number = number;
	if (field->type == FIELD_NUMBER || field->type == FIELD_FITTED)
		return check_number(field, number, wrong);
	if (number != floor(number))
		return refuse(wrong, "is not a whole number");
	int64_t whole = fabs(number) < 0x1p63 ? (int64_t)number : 0;
	value->whole = (uint64_t)whole;
	return check_whole(field, number, whole, wrong);
}

bool value_of_cell(const struct field *field, struct span cell, struct value *value,
		   char wrong[WRONG_BYTES])
{
	*value = (struct value){0};
	switch (field->type) {
	case FIELD_BOOLEAN:
	case FIELD_SWITCH:
		value->whole = span_is(cell, "true");
		return value->whole || span_is(cell, "false") ||
		       refuse(wrong, "is not true or false");
	case FIELD_SEED:
		return take_seed(cell, value, wrong);
	case FIELD_NAME:
		return take_name(field, cell, false, value, wrong);
	default:
		return number_of_cell(field, cell, value, wrong);
	}
}
