/* Results and machines as JSON documents. (That they fit the schema is for schema_samples.py.) */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "render/formats.h"
#include "samples.h"
#include "unit.h"

static json_t *parse(struct text *text)
{
	json_error_t error;
	json_t *document = json_loadb(text->data, text->length, JSON_REJECT_DUPLICATES, &error);
	if (!document)
		fail_msg("line %d: %s", error.line, error.text);
	text_free(text);
	return document;
}

/* Takes the result. */
static json_t *result_document(struct fathom_result *result)
{
	struct text text = {0};
	assert_int_equal(
		format_find("json")->write(&(struct content){CONTENT_RESULT, {.result = result}},
					   NULL, &text, NULL),
		0);
	assert_int_equal(text.data[text.length - 1], '\n');
	fathom_result_free(result);
	return parse(&text);
}

/* By a path like "curves/0/points/1/seed". */
static const json_t *at(const json_t *value, const char *path)
{
	char *copy = strdup(path), *rest;
	for (char *key = strtok_r(copy, "/", &rest); key; key = strtok_r(NULL, "/", &rest))
		value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key))
					     : json_object_get(value, key);
	free(copy);
	if (!value)
		fail_msg("there is no %s", path);
	return value;
}

static const char *text_at(const json_t *value, const char *path)
{
	return json_string_value(at(value, path));
}

static void numbers_come_back(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(2);
	struct fathom_point point = result->curves[0].points[3];
	double block = point.blocks_ns[5], low = point.latency_low_ns;
	json_t *document = result_document(result);
	const json_t *written = at(document, "curves/0/points/3");
	assert_int_equal(json_array_size(at(document, "curves/0/points")), 17);
	assert_float_equal(json_real_value(at(written, "blocks_ns/5")), block, block * 1e-8);
	assert_float_equal(json_real_value(at(written, "latency_low_ns")), low, low * 1e-8);
	assert_int_equal(json_integer_value(at(written, "size_bytes")), point.spec.size_bytes);
	assert_int_equal(json_integer_value(at(written, "samples")), 12);
	assert_int_equal(json_integer_value(at(written, "accesses")), 98304);
	assert_int_equal(json_integer_value(at(written, "rejected/steal")), 1);
	assert_null(json_object_get(at(written, "rejected"), "outlier"));
	assert_string_equal(text_at(document, "schema"), "fathom/1");
	assert_string_equal(text_at(document, "kind"), "result");
	assert_string_equal(text_at(document, "measured_at"), "2026-11-20T08:30:00Z");
	json_decref(document);
}

static void seeds_keep_64_bits(void **state)
{
	(void)state;
	json_t *document = result_document(sample_result(1));
	assert_string_equal(text_at(document, "fathom/seed"), "0xffffffffffffffff");
	assert_string_equal(text_at(document, "curves/0/points/1/seed"), "0xfedcba9876543211");
	json_decref(document);
}

static void samples_only_when_kept(void **state)
{
	(void)state;
	json_t *document = result_document(sample_result(1));
	assert_int_equal(json_array_size(at(document, "curves/0/points/0/samples_ns")), 12);
	assert_null(json_object_get(at(document, "curves/0/points/1"), "samples_ns"));
	json_decref(document);
}

static void a_point_is_a_line(void **state)
{
	(void)state;
	struct text text = {0};
	struct fathom_result *result = sample_result(2);
	assert_int_equal(
		format_find("json")->write(&(struct content){CONTENT_RESULT, {.result = result}},
					   NULL, &text, NULL),
		0);
	size_t lines = 0;
	for (char *line = strtok(text.data, "\n"); line; line = strtok(NULL, "\n"))
		lines += strstr(line, "{\"pattern\": ") && strstr(line, "\"rejected\": ");
	assert_int_equal(lines, 17);
	text_free(&text);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_come_back),
	cmocka_unit_test(seeds_keep_64_bits),
	cmocka_unit_test(samples_only_when_kept),
	cmocka_unit_test(a_point_is_a_line),
};
UNIT_GROUP();
