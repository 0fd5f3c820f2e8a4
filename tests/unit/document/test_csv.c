/* Results as CSV: one header, a row a point, RFC 4180. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "render/formats.h"
#include "samples.h"
#include "unit.h"

/* Takes the result. */
static char *write_csv(struct fathom_result *result)
{
	struct text text = {0};
	assert_int_equal(format_find("csv")->result(result, NULL, &text, NULL), 0);
	fathom_result_free(result);
	return text_take(&text);
}

/* The n-th line, without its end. Not one of the samples' fields needs quotes. */
static char *line_of(const char *csv, int n)
{
	const char *end = strstr(csv, "\r\n");
	for (; n && end; n--) {
		csv = end + 2;
		end = strstr(csv, "\r\n");
	}
	assert_non_null(end);
	return strndup(csv, (size_t)(end - csv));
}

static int count(const char *text, char wanted)
{
	int found = 0;
	for (; *text; text++)
		found += *text == wanted;
	return found;
}

static char *field_of(const char *csv, int row, const char *column)
{
	char *header = line_of(csv, 0), *line = line_of(csv, row);
	char *names = header, *values = line, *found = NULL, *name;
	while ((name = strsep(&names, ","))) {
		char *value = strsep(&values, ",");
		assert_non_null(value);
		if (strcmp(name, column) == 0)
			found = strdup(value);
	}
	assert_null(values);
	assert_non_null(found);
	free(header);
	free(line);
	return found;
}

static void check_field(const char *csv, int row, const char *column, const char *wanted)
{
	char *field = field_of(csv, row, column);
	assert_string_equal(field, wanted);
	free(field);
}

static void a_row_a_point(void **state)
{
	(void)state;
	char *csv = write_csv(sample_result(2));
	char *header = line_of(csv, 0);
	assert_int_equal(count(csv, '\n'), 1 + 17);
	assert_int_equal(count(csv, '\r'), 1 + 17);
	assert_int_equal(count(csv, ','), 18 * count(header, ','));
	assert_memory_equal(header, "experiment,cpu,pattern,", 23);
	free(header);
	free(csv);
}

static void fields_come_back(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(1);
	struct fathom_point *point = &result->curves[0].points[2];
	double low = point->latency_low_ns;
	char *csv = write_csv(result);
	check_field(csv, 3, "experiment", "latency");
	check_field(csv, 3, "cpu", "1");
	check_field(csv, 3, "pattern", "random_cycle");
	check_field(csv, 3, "link", "pointer");
	check_field(csv, 3, "page_kind", "default");
	check_field(csv, 3, "page_bytes", "4096");
	check_field(csv, 3, "page_share", "1");
	check_field(csv, 3, "size_bytes", "1216");
	check_field(csv, 3, "nodes", "19");
	check_field(csv, 3, "window_bytes", "");
	check_field(csv, 3, "seed", "0xfedcba9876543212");
	check_field(csv, 3, "clock_hz", "3.65e+09");
	check_field(csv, 3, "blocks", "6");
	check_field(csv, 3, "samples", "12");
	check_field(csv, 3, "accesses", "98304");
	check_field(csv, 2, "rejected_steal", "1");
	check_field(csv, 3, "rejected_outlier", "0");
	check_field(csv, 3, "within_target", "true");
	char *field = field_of(csv, 3, "latency_low_ns");
	assert_float_equal(atof(field), low, low * 1e-8);
	free(field);
	free(csv);
}

static void unmeasured_is_empty(void **state)
{
	(void)state;
	char *csv = write_csv(sample_poor_result());
	check_field(csv, 9, "latency_ns", "");
	check_field(csv, 1, "latency_low_ns", "");
	check_field(csv, 1, "latency_cycles", "");
	check_field(csv, 1, "page_bytes", "");
	check_field(csv, 1, "page_share", "");
	check_field(csv, 1, "within_target", "false");
	assert_null(strstr(csv, "nan"));
	assert_null(strstr(csv, "inf"));
	free(csv);
}

static void what_the_place_makes_stands_apart_from_noise(void **state)
{
	(void)state;
	struct fathom_result *result = sample_result(1);
	struct fathom_point *points = result->curves[0].points;
	points[0].placement_spread_ns = 1.25;
	points[0].noise_spread_ns = 0.5;
	points[1].placement_spread_ns = points[1].noise_spread_ns = NAN;
	char *csv = write_csv(result);
	check_field(csv, 1, "placement_spread_ns", "1.25");
	check_field(csv, 1, "noise_spread_ns", "0.5");
	check_field(csv, 2, "placement_spread_ns", "");
	check_field(csv, 2, "noise_spread_ns", "");
	free(csv);
}

static void no_points_are_a_header(void **state)
{
	(void)state;
	char *csv = write_csv(sample_empty_result());
	assert_int_equal(count(csv, '\n'), 1);
	free(csv);
}

static void curves_follow_each_other(void **state)
{
	(void)state;
	char *csv = write_csv(sample_foreign_result());
	check_field(csv, 1, "curve", "0");
	check_field(csv, 12, "curve", "0");
	check_field(csv, 13, "curve", "1");
	check_field(csv, 13, "node_bytes", "64");
	check_field(csv, 13, "tool", "\"lat_mem_rd\"");
	check_field(csv, 13, "relative_to_l1", "false");
	free(csv);
	csv = write_csv(sample_levels_result());
	check_field(csv, 162, "pattern", "window");
	check_field(csv, 162, "window_bytes", "131072");
	check_field(csv, 162, "tool", "");
	free(csv);
}

static void what_another_tool_does_not_tell_is_empty(void **state)
{
	(void)state;
	static const char *const absent[] = {"cpu",    "warmth",        "link",       "page_kind",
					     "lanes",  "threads",       "seed",       "nodes",
					     "laps",   "lines_touched", "latency_ns", "node_bytes",
					     "target", "within_target"};
	char *csv = write_csv(sample_cycles_result());
	for (size_t i = 0; i < sizeof(absent) / sizeof(*absent); i++)
		check_field(csv, 1, absent[i], "");
	check_field(csv, 1, "pattern", "unknown");
	check_field(csv, 1, "latency_cycles", "4.96410233");
	free(csv);
}

static void the_name_of_a_tool_is_quoted(void **state)
{
	(void)state;
	struct fathom_result *result = sample_foreign_result();
	free(result->curves[0].tool);
	result->curves[0].tool = strdup("my \"tool\", 1\xFF");
	char *csv = write_csv(result);
	assert_non_null(strstr(csv, ",\"my \"\"tool\"\", 1\\xff\""));
	free(csv);
}

static void it_holds_results_alone(void **state)
{
	(void)state;
	assert_null(format_find("csv")->plan);
	assert_null(format_find("csv")->machine);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_row_a_point),
	cmocka_unit_test(fields_come_back),
	cmocka_unit_test(unmeasured_is_empty),
	cmocka_unit_test(what_the_place_makes_stands_apart_from_noise),
	cmocka_unit_test(no_points_are_a_header),
	cmocka_unit_test(curves_follow_each_other),
	cmocka_unit_test(what_another_tool_does_not_tell_is_empty),
	cmocka_unit_test(the_name_of_a_tool_is_quoted),
	cmocka_unit_test(it_holds_results_alone),
};
UNIT_GROUP();
