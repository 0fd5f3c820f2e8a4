/* The output of lat_mem_rd and of tinymembench, alone and among what else they print. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reading.h"
#include "unit.h"

static const struct fathom_spec *first_spec(const struct fathom_result *result, size_t curve)
{
	return &result->curves[curve].points[0].spec;
}

/* Five decimals of a MiB, and the size is exact again. */
static void test_lat_mem_rd(void **state)
{
	static const char text[] = "\"stride=64\n0.00049 1.387\n0.00098 1.387\n0.00195 1.387\n"
				   "0.00293 1.388\n0.04688 1.39\n0.05469 4.101\n1.00000 5.5\n"
				   "96.00000 101.250\n\n";
	static const double points[][2] = {{512, 1.387},   {1024, 1.387},     {2048, 1.387},
					   {3072, 1.388},  {48 << 10, 1.39},  {56 << 10, 4.101},
					   {1 << 20, 5.5}, {96 << 20, 101.25}};
	(void)state;
	struct fathom_result *result = read_text(text, NULL);
	check_curve(result, 0, "lat_mem_rd", 8, points);
	assert_int_equal(first_spec(result, 0)->node_bytes, 64);
	assert_int_equal(first_spec(result, 0)->pattern, FATHOM_PATTERN_UNKNOWN);
	assert_false(result->curves[0].relative_to_l1);
	assert_int_equal(result->warnings.count, 0);
	fathom_result_free(result);
}

/* A start that is no multiple of 512 bytes stays what it is, as far as it was printed. */
static void test_lat_mem_rd_from_an_odd_size(void **state)
{
	static const double points[][2] = {{199, 1.5}, {1024, 2}};
	(void)state;
	struct fathom_result *result = read_text("\"stride=8\n0.00019 1.5\n0.00098 2\n", NULL);
	check_curve(result, 0, "lat_mem_rd", 2, points);
	fathom_result_free(result);
}

static void test_lat_mem_rd_with_strides_in_a_report(void **state)
{
	static const char text[] = "[lmbench3.0 results for Linux]\n[ALARM: 0]\n1024 2048\n"
				   "Memory load latency\n\"stride=128\n0.00049 1.5\n0.00098 1.6\n\n"
				   "\"stride=1024\r\n0.00098 2.5\r\n0.00195 nan\r\n"
				   "Random load latency\n\"stride=16\n0.00049 3\n[Tue]\n7 8\n";
	static const double first[][2] = {{512, 1.5}, {1024, 1.6}}, second[][2] = {{1024, 2.5}},
			    third[][2] = {{512, 3}};
	(void)state;
	struct fathom_result *result = read_text(text, NULL);
	assert_int_equal(result->curve_count, 3);
	check_curve(result, 0, "lat_mem_rd", 2, first);
	check_curve(result, 1, "lat_mem_rd", 1, second);
	check_curve(result, 2, "lat_mem_rd", 1, third);
	assert_int_equal(first_spec(result, 0)->node_bytes, 128);
	assert_int_equal(first_spec(result, 1)->node_bytes, 1024);
	assert_int_equal(first_spec(result, 2)->node_bytes, 16);
	assert_int_equal(result->warnings.count, 1);
	assert_string_equal(result->warnings.items[0].where, "stride 1 KiB");
	fathom_result_free(result);
}

static void test_lat_mem_rd_that_is_wrong(void **state)
{
	(void)state;
	struct fathom_input input = {.size_unit = "K"};
	refuse_text("\"stride=64\n", NULL, FATHOM_BAD_INPUT, "stride 64 B has no point", NULL);
	refuse_text("\"stride=x\n1 2\n", NULL, FATHOM_BAD_INPUT, "line 1:", NULL);
	refuse_text("\"stride=0\n1 2\n", NULL, FATHOM_BAD_INPUT, "does not give a stride", NULL);
	refuse_text("\"stride=1e30\n1 2\n", NULL, FATHOM_BAD_INPUT, "does not give a stride", NULL);
	refuse_text("\"stride=64\n1 2\n-1 2\n", NULL, FATHOM_BAD_INPUT, "line 3: '-1'", NULL);
	refuse_text("\"stride=64\n1 2\n2 3 4\n", NULL, FATHOM_BAD_INPUT, "line 3: '3 4'", NULL);
	char many[300 * 20] = "";
	for (size_t i = 0, length = 0; i < 300; i++)
		length += (size_t)sprintf(many + length, "\"stride=64\n1 2\n\n");
	refuse_text(many, NULL, FATHOM_BAD_INPUT, "more than 256 curves", NULL);
	refuse_text("\"stride=64\n1 2\n", &input, FATHOM_USAGE, "lat_mem_rd defines its own", NULL);
}

static void test_tinymembench(void **state)
{
	static const char text[] =
		"tinymembench (simple benchmark for memory throughput and latency)\n\n"
		" C copy backwards       :   2000.5 MB/s (0.3%)\n"
		"== Note: latency is over L1 ==\n\n"
		"block size : single random read / dual random read, [MADV_NOHUGEPAGE]\n"
		"      1024 :    0.0 ns          /     0.0 ns \n"
		"      2048 :    0.0 ns          /     0.0 ns \n"
		"     65536 :    5.2 ns          /     8.0 ns \n"
		"   1048576 :   20.5 ns          /    29.0 ns \n\n"
		"block size : single random read / dual random read, [MADV_HUGEPAGE]\n"
		"      1024 :    0.0 ns          /     0.0 ns \n"
		"   1048576 :   15.5 ns          /    21.0 ns \n";
	static const double small[][2] = {{1024, 0}, {2048, 0}, {65536, 5.2}, {1 << 20, 20.5}};
	static const double huge[][2] = {{1024, 0}, {1 << 20, 15.5}};
	(void)state;
	struct fathom_result *result = read_text(text, NULL);
	assert_int_equal(result->curve_count, 2);
	check_curve(result, 0, "tinymembench", 4, small);
	check_curve(result, 1, "tinymembench", 2, huge);
	for (size_t i = 0; i < 2; i++) {
		assert_true(result->curves[i].relative_to_l1);
		assert_int_equal(first_spec(result, i)->pattern, FATHOM_INDEPENDENT);
		assert_int_equal(first_spec(result, i)->node_bytes, 1);
		assert_int_equal(first_spec(result, i)->lanes, 1);
		assert_int_equal(first_spec(result, i)->link, FATHOM_LINK_UNKNOWN);
		assert_int_equal(first_spec(result, i)->warmth, FATHOM_WARMTH_UNKNOWN);
	}
	assert_int_equal(first_spec(result, 0)->page, FATHOM_PAGE_4K);
	assert_int_equal(first_spec(result, 1)->page, FATHOM_PAGE_THP);
	assert_true(isnan(result->curves[0].points[0].overhead_ns));
	assert_int_equal(result->warnings.count, 0);
	fathom_result_free(result);
}

static void test_tinymembench_of_old(void **state)
{
	static const double points[][2] = {{2, 0}, {4, 0.1}};
	(void)state;
	struct fathom_result *result =
		read_text("block size : read access time (single random read / dual random read)\n"
			  "         2 :    0.0 ns  /     0.0 ns \n"
			  "         4 :    0.1 ns  /     0.0 ns \n",
			  NULL);
	check_curve(result, 0, "tinymembench", 2, points);
	assert_int_equal(first_spec(result, 0)->page, FATHOM_PAGE_DEFAULT);
	fathom_result_free(result);
}

static void test_tinymembench_that_is_wrong(void **state)
{
	static const char heading[] = "block size : single random read / dual random read\n";
	(void)state;
	refuse_text(heading, NULL, FATHOM_BAD_INPUT, "has no point", NULL);
	refuse_text("block size : single random read / dual random read\nx : 1 ns / 2 ns\n", NULL,
		    FATHOM_BAD_INPUT, "line 2: 'x' is not a size", NULL);
	refuse_text("block size : single random read / dual random read\n8 : 1 MB / 2 ns\n", NULL,
		    FATHOM_BAD_INPUT, "line 2: '1 MB' is not a latency", NULL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_lat_mem_rd),
	cmocka_unit_test(test_lat_mem_rd_from_an_odd_size),
	cmocka_unit_test(test_lat_mem_rd_with_strides_in_a_report),
	cmocka_unit_test(test_lat_mem_rd_that_is_wrong),
	cmocka_unit_test(test_tinymembench),
	cmocka_unit_test(test_tinymembench_of_old),
	cmocka_unit_test(test_tinymembench_that_is_wrong),
};
UNIT_GROUP();
