/* A value of a result by its path: what JSON has there, and a message where there is nothing. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "base/utf8.h"
#include "fathom.h"
#include "samples.h"
#include "unit.h"

static struct fathom_value get(const struct fathom_result *result, const char *path)
{
	struct fathom_value value = {0};
	struct fathom_error error = {0};
	if (fathom_result_get(result, path, &value, &error))
		fail_msg("%s: %s", path, error.text);
	return value;
}

/* JSON rounds to 9 digits, and replaces what is no UTF-8. */
static void check_leaf(const struct fathom_result *result, const char *path, const json_t *json)
{
	struct fathom_value value = get(result, path);
	const char *text = json_string_value(json);
	if (json_is_null(json)) {
		assert_int_equal(value.kind, FATHOM_VALUE_UNKNOWN);
	} else if (json_is_boolean(json)) {
		assert_int_equal(value.kind, FATHOM_VALUE_BOOLEAN);
		assert_int_equal(value.whole, json_is_true(json));
	} else if (json_is_integer(json)) {
		assert_int_equal(value.kind, FATHOM_VALUE_WHOLE);
		assert_true((json_int_t)value.whole == json_integer_value(json));
	} else if (json_is_real(json)) {
		assert_int_equal(value.kind, FATHOM_VALUE_NUMBER);
		assert_float_equal(value.number, json_real_value(json), fabs(value.number) * 1e-8);
	} else if (value.kind == FATHOM_VALUE_WHOLE) {
		char *seed = text_format("0x%llx", (unsigned long long)value.whole);
		assert_string_equal(seed, text);
		free(seed);
	} else {
		struct text valid = {0};
		assert_int_equal(value.kind, FATHOM_VALUE_TEXT);
		utf8_add_valid(&valid, value.text);
		assert_string_equal(valid.data ? valid.data : "", text);
		text_free(&valid);
	}
}

static size_t check_all(const struct fathom_result *result, const char *path, json_t *json)
{
	const char *key;
	json_t *member;
	size_t index, checked = 0;
	json_object_foreach(json, key, member)
	{
		char *inner = text_format("%s%s%s", path, *path ? "." : "", key);
		checked += check_all(result, inner, member);
		free(inner);
	}
	json_array_foreach(json, index, member)
	{
		char *inner = text_format("%s[%zu]", path, index);
		checked += check_all(result, inner, member);
		free(inner);
	}
	if (json_is_array(json))
		assert_true(get(result, path).whole == json_array_size(json));
	else if (!json_is_object(json))
		check_leaf(result, path, json);
	return checked + !json_is_object(json);
}

static void each_value_is_what_json_has(void **state)
{
	(void)state;
	struct fathom_result *(*const samples[])(void) = {
		sample_poor_result, sample_levels_result, sample_parallelism_result,
		sample_pages_result, sample_clocks_result};
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct fathom_result *result = samples[i]();
		char *text = NULL;
		size_t length;
		assert_int_equal(fathom_result_write(result, "json", NULL, &text, &length, NULL),
				 0);
		json_t *document = json_loads(text, 0, NULL);
		assert_true(check_all(result, "", document) > 100);
		json_decref(document);
		free(text);
		fathom_result_free(result);
	}
}

static void numbers_have_units(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	assert_string_equal(get(result, "levels[0].latency_ns").unit, "ns");
	assert_string_equal(get(result, "levels[0].size_bytes").unit, "bytes");
	assert_null(get(result, "levels[0].name").unit);
	assert_true(get(result, "levels").kind == FATHOM_VALUE_WHOLE);
	/* Left out of the document, and known to be 0. */
	assert_int_equal(get(result, "curves[0].points[0].rejected.fault").whole, 0);
	/* Of no such thing. */
	assert_int_equal(get(result, "curves[0].points[0].vector_bytes").kind,
			 FATHOM_VALUE_UNKNOWN);
	fathom_result_free(result);
	result = sample_poor_result();
	assert_int_equal(get(result, "machine.cpu_model").kind, FATHOM_VALUE_UNKNOWN);
	fathom_result_free(result);
}

static void what_is_not_there_is_named(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{"", "'' is not a field of a result"},
		{"colour", "'colour' is not a field of a result"},
		{"levels[0].colour", "'levels[0].colour' is not a field of a result"},
		{"levels[99].name", "the list is shorter"},
		{"levels[0]", "is an object"},
		{"levels.name", "is a list: choose an element"},
		{"levels[x].name", "is a list: choose an element"},
		{"levels[-1].name", "is a list: choose an element"},
		{"levels[18446744073709551616].name", "is a list: choose an element"},
		{"levels[0].name.first", "continues after a value"},
		{"clock", "is an object"},
		{"clock[0].drift", "is an object"},
		{"machine", "is an object"},
		{"curves[0].points[0].blocks_ns[99]", "the list is shorter"},
		{"curves[0].points[0].blocks_ns[0].ns", "continues after a value"},
		{"curves[0].points[0].blocks", "is not a field of a result"},
		{"curves[0].points[0].rejected", "is not a field of a result"},
		{"curves[0].points[0].rejected.luck", "is not a field of a result"},
	};
	struct fathom_result *result = sample_levels_result();
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fathom_value value = {.number = 7};
		struct fathom_error error = {0};
		assert_int_equal(fathom_result_get(result, cases[i][0], &value, &error), -1);
		assert_int_equal(error.status, FATHOM_USAGE);
		if (!strstr(error.text, cases[i][1]))
			fail_msg("%s: %s", cases[i][0], error.text);
		assert_true(value.number == 7);
		fathom_error_clear(&error);
	}
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_value_is_what_json_has),
	cmocka_unit_test(numbers_have_units),
	cmocka_unit_test(what_is_not_there_is_named),
};
UNIT_GROUP();
