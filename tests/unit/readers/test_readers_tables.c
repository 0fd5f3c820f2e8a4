/* Tables of sizes and latencies: CSV, columns, markdown, however their columns and units are told.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "readers/read_units.h"
#include "reading.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const double three[][2] = {{1024, 1.35}, {2048, 1.5}, {65536, 40}};

/* All of these are the same three points, and nothing is to be said about them. */
static void test_one_curve_in_many_spellings(void **state)
{
	static const char *const texts[][2] = {
		{"csv", "size_bytes,latency_ns\n1024,1.35\n2048,1.5\n65536,40\n"},
		{"csv", "size_bytes,latency_ns\r\n1024,1.35\r\n2048,1.5\r\n65536,40"},
		{"csv", "size_bytes,latency_ns\r1024,1.35\r2048,1.5\r65536,40\r"},
		{"csv", "\xEF\xBB\xBFsize_bytes,latency_ns\n1024,1.35\n2048,1.5\n65536,40\n"},
		{"csv", "\"size (KiB)\";\"latency [ns]\"\n\"1\";1.35\n2;\"1.5\"\n64;4e1\n"},
		{"csv", "Size (KB)\tLatency (ns)\n1\t1.35\n2\t1.50\n64\t40.0\n"},
		{"csv", "size_kb,lat[us]\n1,0.00135\n2,.0015\n64,0.04\n"},
		{"csv", "size_kb;lat (\xC2\xB5s)\n1;0.00135\n2;0.0015\n64;0.04\n"},
		{"csv", "size_kb;lat (\xCE\xBCs)\n1;0.00135\n2;0.0015\n64;0.04\n"},
		{"table", "bytes ns@64\n1024 1.35 # fast; or so\n2048 1.5 # a, b\n65536 40\n"},
		{"csv", "cycle time (ns), block (KiB)\n1.35, 1\n1.5, 2\n40, 64\n"},
		{"table", "sizeKB latencyNs\n1 1.35\n2 1.5\n64 40\n"},
		{"table", "bytes ns\n1024 1.35\n2048 1.5\n65536 40\n"},
		{"table", "size_kb ns\n1 1.35\n2 1.5\n64 40\n"},
		{"table", "# size_kb ns\n1 1.35\n2 1.5\n64 40\n"},
		{"table", "# footprint ns\n1024B 1.35\n2048B 1.5\n64K 40\n"},
		{"table", "size(KB) ns\n1 1.35\n2 1.5\n64 40\n"},
		{"table", "ns  bytes\n1.35 1024\n1.5 2048\n40 65536\n"},
		{"csv", "latency / ns, size / KiB\n1.35, 1\n1.5, 2\n40, 64\n"},
		{"csv",
		 "working set (MiB),ns/access\n0.0009765625,1.35\n0.001953125,1.5\n0.0625,40\n"},
		{"table",
		 "array size    access time (ns)\n1K            1.35\n2K   1.5\n64K   40\n"},
		{"table", "  1 KiB    1.35 ns\n  2 KiB    1.50 ns\n 64 KiB    40.0 ns\n"},
		{"csv", "1KiB,1.35ns\n2KiB,1500ps\n64KiB,0.04us\n"},
		{"table",
		 "# measured with care\n# size (KiB)  latency (ns)\n\n1 1.35 # L1\n2 1.5\n64 40\n"},
		{"csv", "#size_kb,latency_ns\n1,1.35\n2,1.5\n64,40\n"},
		{"csv", "id,size_bytes,stride_bytes,latency_ns,latency_low_ns\n"
			"a,1024,64,1.35,1\nb,2048,64,1.5,1\nc,65536,64,40,1\n"},
		{"csv",
		 "cycles,size_in_KB,ns per access,MB/s\n4,1,1.35,9\n5,2,1.5,9\n99,64,40,9\n"},
		{"csv", "size,min ns,median ns,max ns,latency cycles\n"
			"1K,1,1.35,2,4\n2K,1,1.5,2,5\n64K,1,40,50,99\n"},
		{"csv", "size_bytes,latency_ns,\n1024,1.35,\n2048,1.5,\n65536,40,\n"},
		{"csv", "size_bytes,latency_ns\n+1024,+1.35\n2.048e3,15e-1\n65536.0,40.\n"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct fathom_result *result = read_text(texts[i][1], NULL);
		check_curve(result, 0, texts[i][0], 3, three);
		assert_int_equal(result->curve_count, 1);
		assert_int_equal(result->curves[0].points[0].spec.pattern, FATHOM_PATTERN_UNKNOWN);
		if (result->warnings.count)
			fail_msg("text %zu: %s", i, result->warnings.items[0].text);
		fathom_result_free(result);
	}
}

static void test_markdown(void **state)
{
	static const char text[] = "# Report\n\nNot | a table.\n\n"
				   "| level | what |\n|---|---|\n| L1 | 32K |\n\n"
				   "| CPU | Size | Latency (ns) |\n|:--|--:|:-:|\n"
				   "| a | 1 KiB | **1.35** |\n| a | 2 KiB | `1.5` |\n"
				   "| a | 64 KiB | 40 |\n\nThat | is all.\n";
	(void)state;
	struct fathom_result *result = read_text(text, NULL);
	check_curve(result, 0, "markdown", 3, three);
	assert_int_equal(result->warnings.count, 0);
	fathom_result_free(result);
	struct fathom_input input = {.columns = "level,what"};
	refuse_text(text, &input, FATHOM_BAD_INPUT, "line 7: 'L1' is not a size", NULL);
	refuse_text("| a | b | c |\n|---|---|---|\n| 1 | 2 | 3 |\n", NULL, FATHOM_BAD_INPUT,
		    "'a', 'b', 'c'", "--columns");
}

static void test_units_that_nobody_says(void **state)
{
	(void)state;
	struct fathom_result *result = read_text("1024 1.35\n2048 1.5\n65536 40\n", NULL);
	check_curve(result, 0, "table", 3, three);
	assert_non_null(warnings_find(&result->warnings, "units-assumed"));
	fathom_result_free(result);
	struct fathom_input input = {.size_unit = "KiB", .value_unit = "us"};
	result = read_text("1 0.00135\n2 0.0015\n64 0.04\n", &input);
	check_curve(result, 0, "table", 3, three);
	assert_null(warnings_find(&result->warnings, "units-assumed"));
	fathom_result_free(result);
}

/* The options are asked before the heading, and what stands beside a number before them. */
static void test_units_in_their_order(void **state)
{
	(void)state;
	struct fathom_input input = {.size_unit = "K", .value_unit = "ns"};
	struct fathom_result *result =
		read_text("size (MB),latency (ms)\n1,1.35\n2K,0.0015us\n0.0625M,40\n", &input);
	check_curve(result, 0, "csv", 3, three);
	fathom_result_free(result);
}

static void test_cycles(void **state)
{
	(void)state;
	struct fathom_result *result = read_text("size,cycles\n1K,5\n1M,40.5\n", NULL);
	const struct fathom_point *points = result->curves[0].points;
	assert_true(points[0].latency_cycles == 5 && points[1].latency_cycles == 40.5);
	assert_true(isnan(points[0].latency_ns) && isnan(points[1].latency_ns));
	fathom_result_free(result);
	result = read_text("# size cycles\n1K 5\n1M 40.5\n", NULL);
	assert_true(result->curves[0].points[1].latency_cycles == 40.5);
	fathom_result_free(result);
	refuse_text("size,cycles\n1K,5\n1M,40.5 ns\n", NULL, FATHOM_BAD_INPUT,
		    "line 3: '40.5 ns' is a time, but the curve is in cycles", NULL);
}

static void test_columns_that_are_asked_for(void **state)
{
	static const char text[] = "name,kb,first,second (ns)\na,1,7,1.35\nb,2,7,1.5\nc,64,7,40\n";
	static const char *const columns[] = {"kb,second", "2,4", "KB, second (ns)", "2, second"};
	(void)state;
	for (size_t i = 0; i < COUNT(columns); i++) {
		struct fathom_input input = {.columns = columns[i]};
		struct fathom_result *result = read_text(text, &input);
		check_curve(result, 0, "csv", 3, three);
		fathom_result_free(result);
	}
}

static void test_columns_that_are_not_there(void **state)
{
	static const char text[] = "name,kb,ns\na,1,1.35\nb,2,1.5\n";
	static const char *const columns[] = {"kb,latency", "kb,4", "0,ns", "kb,1.5", ",ns", "kb,"};
	(void)state;
	for (size_t i = 0; i < COUNT(columns); i++) {
		struct fathom_input input = {.columns = columns[i]};
		refuse_text(text, &input, FATHOM_USAGE, "there is no column", "'name', 'kb', 'ns'");
	}
	struct fathom_input one = {.columns = "kb"}, three_columns = {.columns = "1,2,3"},
			    twice = {.columns = "2,kb"}, name = {.columns = "kb,ns"};
	refuse_text(text, &one, FATHOM_USAGE, "'kb' does not name two columns", "size,latency");
	refuse_text(text, &three_columns, FATHOM_USAGE, "does not name two", NULL);
	refuse_text(text, &twice, FATHOM_USAGE, "one column twice", NULL);
	refuse_text("1 2\n3 4\n", &name, FATHOM_USAGE, "there is no column 'kb'", "give numbers");
}

/* Is it in "B, K or M"? Case does not matter. */
static bool is_listed(const char *list, const char *unit)
{
	size_t length = strlen(unit);
	for (; *list; list += strcspn(list, " ") + (strchr(list, ' ') != NULL))
		if (strcspn(list, ", ") == length && strncasecmp(list, unit, length) == 0)
			return strcmp(unit, "or") != 0;
	return false;
}

/* What help and hints list is what is taken, of all names of one or two letters. */
static void test_the_units_that_are_listed(void **state)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	size_t sizes = 0, latencies = 0;
	(void)state;
	for (size_t first = 0; first < 26; first++)
		for (size_t second = 0; second <= 26; second++) {
			const char unit[] = {letters[first], letters[second], 0};
			/* "kb" and "ki" are spellings of "k". */
			bool spelling = unit[1] == 'b' || unit[1] == 'i';
			bool size = !spelling && units_size(span_of(unit)) > 0;
			bool latency = units_value(span_of(unit)).scale > 0;
			assert_int_equal(latency, is_listed(UNITS_OF_LATENCIES, unit));
			if (!spelling)
				assert_int_equal(size, is_listed(UNITS_OF_SIZES, unit));
			sizes += size;
			latencies += latency;
		}
	assert_true(is_listed(UNITS_OF_LATENCIES, "cycles"));
	assert_int_equal(sizes, 7);
	assert_int_equal(latencies, 5);
}

static void test_units_that_are_none(void **state)
{
	(void)state;
	struct fathom_input size = {.size_unit = "parsec"}, value = {.value_unit = "MB/s"};
	refuse_text("1 2\n3 4\n", &size, FATHOM_USAGE, "'parsec'", "B, K, M, G");
	refuse_text("1 2\n3 4\n", &value, FATHOM_USAGE, "'MB/s'", "ns, us");
	refuse_text("{}", &value, FATHOM_USAGE, "'MB/s'", "ns, us");
}

/* Headings that do not say which is which. */
static void test_no_guess_among_many_columns(void **state)
{
	(void)state;
	refuse_text("a,b,c\n1,2,3\n4,5,6\n", NULL, FATHOM_BAD_INPUT,
		    "line 1: no column is recognised as the size; the columns are 'a', 'b', 'c'",
		    "--columns");
	refuse_text("size,b,c\n1,2,3\n", NULL, FATHOM_BAD_INPUT, "as the latency", "--columns");
	refuse_text("size,MB/s\n1024,2000\n", NULL, FATHOM_BAD_INPUT, "as the latency", NULL);
	refuse_text("size,bandwidth\n1024,2000\n", NULL, FATHOM_BAD_INPUT, "as the latency", NULL);
	refuse_text("size,bytes\n1024,2000\n", NULL, FATHOM_BAD_INPUT, "as the latency", NULL);
	refuse_text("stride,ns\n1024,2\n", NULL, FATHOM_BAD_INPUT, "as the size", NULL);
	refuse_text("ns,cycles\n1024,2\n", NULL, FATHOM_BAD_INPUT, "as the size", NULL);
	struct fathom_result *result = read_text("1024 1.35 7\n2048 1.5 7\n65536 40 7\n", NULL);
	check_curve(result, 0, "table", 3, three);
	assert_non_null(warnings_find(&result->warnings, "columns-assumed"));
	fathom_result_free(result);
	result = read_text("KiB,chase ns,stream ns\n1,1.35,7\n2,1.5,7\n64,40,7\n", NULL);
	check_curve(result, 0, "csv", 3, three);
	assert_non_null(warnings_find(&result->warnings, "columns-left-out"));
	fathom_result_free(result);
}

/* A comment of two words is no heading that turns the columns round. */
static void test_a_comment_is_a_comment(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_text("# latency results\n1024 1.35\n2048 1.5\n65536 40\n", NULL);
	check_curve(result, 0, "table", 3, three);
	fathom_result_free(result);
}

static void test_a_label_is_no_heading(void **state)
{
	(void)state;
	struct fathom_input input = {.columns = "2,3"};
	struct fathom_result *result = read_text("L1,1K,1.35\nL1,2K,1.5\nL2,64K,40\n", &input);
	check_curve(result, 0, "csv", 3, three);
	fathom_result_free(result);
}

static void test_over_the_first_level(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_text("size_bytes,latency_over_l1_ns\n1024,0\n65536,0.0\n1048576,5.5\n", NULL);
	assert_true(result->curves[0].relative_to_l1);
	assert_int_equal(result->curves[0].point_count, 3);
	assert_true(result->curves[0].points[0].latency_ns == 0);
	assert_int_equal(result->warnings.count, 0);
	fathom_result_free(result);
}

static void test_several_lanes_are_no_latency(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_text("size_bytes,lanes,ns_per_access\n1024,1,1.35\n1024,2,0.7\n2048,1,1.5\n"
			  "2048,4,0.4\n65536,1,40\n65536,4,10\n",
			  NULL);
	check_curve(result, 0, "csv", 3, three);
	assert_non_null(warnings_find(&result->warnings, "rows-left-out"));
	assert_non_null(strstr(result->warnings.items[0].text, "3 with more than one lane"));
	fathom_result_free(result);
}

static void test_rows_without_a_value_are_left_out(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_text("size_bytes,latency_ns\n512,nan\n1024,1.35\n1100,\n1200,-\n1300,-2.5\n"
			  "2048,1.5\n3000,0\n4000,inf\n4001,-inf\n0,1\n65536,40\n",
			  NULL);
	check_curve(result, 0, "csv", 3, three);
	assert_int_equal(result->warnings.count, 1);
	assert_string_equal(result->warnings.items[0].id, "rows-left-out");
	assert_string_equal(result->warnings.items[0].text,
			    "rows are left out: 5 without a value, 1 negative, 1 with value 0, "
			    "1 with size 0");
	fathom_result_free(result);
	refuse_text("1024 nan\n2048 0\n", NULL, FATHOM_BAD_INPUT,
		    "no points: all rows are left out (1 without a value, 1 with value 0)", NULL);
}

static void test_sizes_are_sorted(void **state)
{
	(void)state;
	struct fathom_result *result = read_text("bytes,ns\n65536,40\n1024,1.35\n2048,1.5\n", NULL);
	check_curve(result, 0, "csv", 3, three);
	assert_non_null(warnings_find(&result->warnings, "sizes-sorted"));
	fathom_result_free(result);
}

/* The rows of one size become its blocks, in their order. */
static void test_repeated_sizes(void **state)
{
	static const double blocks[] = {3, 1, 2, 4, 6, 5};
	(void)state;
	struct fathom_result *result = read_text("bytes,ns\n1024,3\n1024,1\n1024,2\n2048,9\n"
						 "1024,4\n1024,6\n1024,5\n",
						 NULL);
	assert_non_null(warnings_find(&result->warnings, "sizes-repeated"));
	assert_int_equal(result->curves[0].point_count, 2);
	const struct fathom_point *point = &result->curves[0].points[0];
	assert_true(point->latency_ns == 3.5);
	assert_true(point->latency_low_ns == 1 && point->latency_high_ns == 6);
	assert_int_equal(point->block_count, 6);
	assert_memory_equal(point->blocks_ns, blocks, sizeof(blocks));
	assert_int_equal(result->curves[0].points[1].block_count, 0);
	fathom_result_free(result);
}

static void test_a_million_lines(void **state)
{
	struct text text = {0};
	(void)state;
	text_add(&text, "bytes,ns\n");
	for (unsigned i = 0; i < 1000000; i++)
		text_add(&text, "%u,%u.5\n", 1024 * (1 + i % 1000), 1 + i / 1000);
	assert_false(text.failed);
	struct fathom_result *result = read_bytes(text.data, text.length, NULL);
	assert_int_equal(result->curves[0].point_count, 1000);
	assert_int_equal(result->curves[0].points[7].block_count, 1000);
	assert_true(result->curves[0].points[7].latency_ns == 501);
	fathom_result_free(result);
	text_free(&text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_one_curve_in_many_spellings),
	cmocka_unit_test(test_markdown),
	cmocka_unit_test(test_units_that_nobody_says),
	cmocka_unit_test(test_units_in_their_order),
	cmocka_unit_test(test_cycles),
	cmocka_unit_test(test_columns_that_are_asked_for),
	cmocka_unit_test(test_columns_that_are_not_there),
	cmocka_unit_test(test_the_units_that_are_listed),
	cmocka_unit_test(test_units_that_are_none),
	cmocka_unit_test(test_no_guess_among_many_columns),
	cmocka_unit_test(test_a_comment_is_a_comment),
	cmocka_unit_test(test_a_label_is_no_heading),
	cmocka_unit_test(test_over_the_first_level),
	cmocka_unit_test(test_several_lanes_are_no_latency),
	cmocka_unit_test(test_rows_without_a_value_are_left_out),
	cmocka_unit_test(test_sizes_are_sorted),
	cmocka_unit_test(test_repeated_sizes),
	cmocka_unit_test(test_a_million_lines),
};
UNIT_GROUP();
