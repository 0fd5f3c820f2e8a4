/* The page that shows a result: what of the document is in it, and how it stands there. (What it
 * looks like is for web_report.py.) */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "render/formats.h"
#include "render/page.h"
#include "samples.h"
#include "unit.h"

#define PAGE_BYTES_MOST   150000
#define REPORT_BYTES_MOST 500000
#define DATA_START        "<script type=\"application/json\" id=\"data\">"

static char *write_as(const struct fathom_result *result, const char *format)
{
	struct text text = {0};
	assert_int_equal(
		format_find(format)->write(&(struct content){CONTENT_RESULT, {.result = result}},
					   NULL, &text, NULL),
		0);
	assert_int_equal(strlen(text.data), text.length);
	return text_take(&text);
}

/* What stands between the tags, which the text itself cannot end. */
static char *data_of(const char *page)
{
	const char *start = strstr(page, DATA_START);
	assert_non_null(start);
	start += strlen(DATA_START);
	const char *end = strchr(start, '<');
	assert_memory_equal(end, "</script>", 9);
	return strndup(start, (size_t)(end - start));
}

static json_t *parse(char *text)
{
	json_error_t error;
	json_t *value = json_loads(text, JSON_REJECT_DUPLICATES, &error);
	if (!value)
		fail_msg("line %d: %s", error.line, error.text);
	free(text);
	return value;
}

static bool is_absent(const json_t *column, size_t index)
{
	const json_t *value;
	size_t i;
	json_array_foreach(json_object_get(column, "absent"), i,
			   value) if ((size_t)json_integer_value(value) == index) return true;
	return false;
}

/* As the page does it. */
static json_t *point_of(const json_t *fields, size_t index)
{
	json_t *point = json_object(), *column;
	const char *key;
	json_object_foreach((json_t *)fields, key, column)
	{
		json_t *each = json_object_get(column, "each");
		if (!is_absent(column, index))
			json_object_set(point, key,
					each ? json_array_get(each, index)
					     : json_object_get(column, "all"));
	}
	return point;
}

static void expand(json_t *document)
{
	json_t *curve;
	size_t which;
	json_array_foreach(json_object_get(document, "curves"), which, curve)
	{
		json_t *columns = json_object_get(curve, "points"), *points = json_array();
		size_t count = (size_t)json_integer_value(json_object_get(columns, "count"));
		for (size_t i = 0; i < count; i++)
			json_array_append_new(points,
					      point_of(json_object_get(columns, "fields"), i));
		json_object_set_new(curve, "points", points);
	}
}

/* Takes the result. */
static void check_whole(struct fathom_result *result)
{
	json_t *wanted = parse(write_as(result, "json"));
	char *page = write_as(result, "html");
	json_t *data = parse(data_of(page));
	json_t *document = json_object_get(data, "document");
	expand(document);
	assert_int_equal(json_array_size(json_object_get(data, "left_out")), 0);
	assert_true(json_equal(document, wanted));
	json_decref(data);
	json_decref(wanted);
	free(page);
	fathom_result_free(result);
}

static void holds_the_document(void **state)
{
	(void)state;
	check_whole(sample_levels_result());
	check_whole(sample_pages_result());
	check_whole(sample_poor_result());
	check_whole(sample_foreign_result());
	check_whole(sample_empty_result());
}

static void a_field_that_some_points_lack(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(2);
	assert_true(result->curves[0].point_count > 2);
	for (size_t i = 0; i < result->curves[0].point_count; i++)
		result->curves[0].points[i].accesses = i % 3 ? 1000 + i : 0;
	check_whole(result);
}

static void nothing_of_it_is_markup(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	static const char hostile[] = "</script><script>alert(1)</script><!--&amp;\xe2\x80\xa8"
				      "\xe2\x80\xa9\xe2\x80\xaa\xe2";
	free(result->machine->hostname);
	result->machine->hostname = strdup(hostile);
	char *page = write_as(result, "html"), *text = data_of(page);
	assert_null(strpbrk(text, "<>&"));
	assert_null(strstr(text, "\u2028"));
	assert_null(strstr(text, "\u2029"));
	assert_non_null(strstr(text, "\u202a"));
	json_t *data = parse(text);
	const char *hostname = json_string_value(json_object_get(
		json_object_get(json_object_get(data, "document"), "machine"), "hostname"));
	assert_memory_equal(hostname, hostile, sizeof(hostile) - 2);
	assert_string_equal(hostname + sizeof(hostile) - 2, "\ufffd");
	json_decref(data);
	free(page);
	check_whole(result);
	check_whole(sample_hostile_result());
}

/* Other values at each point. */
static void grow(double **values, size_t *count, size_t wanted, size_t point)
{
	free(*values);
	*values = malloc(wanted * sizeof(**values));
	*count = wanted;
	for (size_t i = 0; i < wanted; i++)
		(*values)[i] = 1.23456789 + (double)(i + point);
}

static void what_is_large_goes_without(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(20);
	struct fathom_curve *curve = &result->curves[0];
	for (size_t i = 0; i < curve->point_count; i++)
		grow(&curve->points[i].samples_ns, &curve->points[i].sample_count, 500, i);
	char *page = write_as(result, "html");
	json_t *data = parse(data_of(page)), *left_out = json_object_get(data, "left_out");
	assert_int_equal(json_array_size(left_out), 1);
	assert_string_equal(json_string_value(json_array_get(left_out, 0)), "samples_ns");
	assert_true(strlen(page) < REPORT_BYTES_MOST);
	assert_non_null(strstr(page, "\"blocks_ns\":"));
	json_decref(data);
	free(page);

	for (size_t i = 0; i < curve->point_count; i++)
		grow(&curve->points[i].blocks_ns, &curve->points[i].block_count, 500, i);
	page = write_as(result, "html");
	data = parse(data_of(page));
	assert_int_equal(json_array_size(json_object_get(data, "left_out")), 2);
	assert_true(strlen(page) < REPORT_BYTES_MOST);
	assert_null(strstr(page, "\"blocks_ns\":"));
	json_decref(data);
	free(page);
	fathom_result_free(result);
}

static void the_page_is_small(void **state)
{
	(void)state;
	assert_int_equal(strlen(page_before_data), page_before_data_length);
	assert_int_equal(strlen(page_after_data), page_after_data_length);
	assert_true(page_before_data_length + page_after_data_length < PAGE_BYTES_MOST);
}

/* uPlot's own notice names where it is from. */
static void nothing_is_fetched(void **state)
{
	(void)state;
	assert_non_null(strstr(page_before_data, "default-src 'none'"));
	assert_non_null(strstr(page_before_data, "script-src 'sha256-"));
	assert_null(strstr(page_before_data, "unsafe"));
	assert_null(strstr(page_before_data, "<link"));
	assert_null(strstr(page_after_data, "innerHTML"));
	assert_null(strstr(page_after_data, "src="));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(holds_the_document),      cmocka_unit_test(a_field_that_some_points_lack),
	cmocka_unit_test(nothing_of_it_is_markup), cmocka_unit_test(what_is_large_goes_without),
	cmocka_unit_test(the_page_is_small),       cmocka_unit_test(nothing_is_fetched),
};
UNIT_GROUP();
