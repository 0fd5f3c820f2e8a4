/* Matrices of latencies between CPUs: core-to-core-latency's CSV and c2clat's table. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "reading.h"
#include "unit.h"

static void check_pair(const struct fathom_result *result, size_t index, int cpu_a, int cpu_b,
		       double ns)
{
	const struct fathom_pair *pair = &result->curves->pairs[index];
	assert_int_equal(pair->cpu_a, cpu_a);
	assert_int_equal(pair->cpu_b, cpu_b);
	assert_true(pair->latency_ns == ns);
	assert_int_equal(pair->home, FATHOM_HOME_UNKNOWN);
}

static struct fathom_result *read_matrix(const char *text, const char *tool, size_t pairs)
{
	struct fathom_result *result = read_text(text, NULL);
	assert_int_equal(result->curve_count, 1);
	assert_int_equal(result->curves->experiment, FATHOM_CORE_TO_CORE);
	assert_string_equal(result->curves->tool, tool);
	assert_int_equal(result->curves->point_count, 0);
	assert_int_equal(result->curves->pair_count, pairs);
	return result;
}

static void the_lower_triangle(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_matrix(",,\n10.5,,\n20.25,30,\n", "core-to-core-latency", 3);
	check_pair(result, 0, 0, 1, 10.5);
	check_pair(result, 1, 0, 2, 20.25);
	check_pair(result, 2, 1, 2, 30);
	assert_int_equal(result->curves->pairs->block_count, 0);
	fathom_result_free(result);
}

/* More fields than CPUs, all blank, as some versions write; CRLF; two CPUs. */
static void blank_fields_beyond_the_cpus(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_matrix(",,,,,\r\n12,,,,,\r\n", "core-to-core-latency", 1);
	check_pair(result, 0, 0, 1, 12);
	fathom_result_free(result);
}

/* One value twice is one value, two are two blocks. */
static void both_triangles(void **state)
{
	(void)state;
	struct fathom_result *result =
		read_matrix("0,10,20\n12,0,30\n20,30,0\n", "core-to-core-latency", 3);
	check_pair(result, 0, 0, 1, 11);
	assert_int_equal(result->curves->pairs[0].block_count, 2);
	assert_int_equal(result->curves->pairs[1].block_count, 0);
	fathom_result_free(result);
}

static void the_table_of_c2clat(void **state)
{
	static const char text[] = " CPU   10   11   40\n"
				   "  10    0   52   66\n"
				   "  11   52    0   14\n"
				   "  40   66   14    0\n";
	(void)state;
	struct fathom_result *result = read_matrix(text, "c2clat", 3);
	check_pair(result, 0, 10, 11, 52);
	check_pair(result, 2, 11, 40, 14);
	fathom_result_free(result);
}

static void what_is_no_matrix(void **state)
{
	static const struct {
		const char *text, *reason, *hint;
	} refused[] = {
		{",,\n10,,\n20,,\n", "no latency in the row of CPU 2 for CPU 1", "each pair"},
		{",5,\n10,,\n20,30,\n", "no latency in the row of CPU 0 for CPU 2", "each pair"},
		{",,\n10,,\n20,fast,\n", "line 3: 'fast' is not a number", "ns"},
		{",,\n10,,\n20,-3,\n", "line 3: '-3' is negative", "ns"},
		{",,\n10,,\n20,0,\n", "line 3: '0' is the latency of two CPUs", "each pair"},
		{",,\n10,,\n20,1e12,\n", "line 3: '1e12' is no latency between CPUs", "ns"},
		{",,\n10,,\n20,30,,7\n", "line 3: there are more columns than the 3 CPUs", "row"},
		{",\n", "one CPU makes no pair", NULL},
		{" CPU 0 1\n 0 0 5\n", "1 rows for 2 CPUs: the matrix is not square", "row"},
		{" CPU 0 1\n 0 0 5\n 1 5 0\n 2 5 5\n", "line 4: there are more rows", "row"},
		{" CPU 0 1\n 1 5 0\n 0 0 5\n", "the row of CPU 1 stands where that of CPU 0",
		 "row"},
		{" CPU 1 0\n 1 5 0\n 0 0 5\n", "'0' does not ascend", "row"},
		{" CPU 0 1\n 0 0 5 7\n 1 5 0\n", "line 2: there are more columns", "row"},
		{" CPU 0 x\n 0 0 5\n x 5 0\n", "'x' is not the number of a CPU", "row"},
		{" CPU 0 99999\n 0 0 5\n 99999 5 0\n", "'99999' is not the number", "row"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		refuse_text(refused[i].text, NULL, FATHOM_BAD_INPUT, refused[i].reason,
			    refused[i].hint);
}

static void two_thousand_cpus(void **state)
{
	struct text text = {0}, table = {0};
	(void)state;
	text_add(&table, "CPU");
	for (int row = 0; row < 2000; row++) {
		for (int column = 0; column < 2000; column++)
			text_add(&text, column < row ? "9," : ",");
		text_add(&text, "\n");
		text_add(&table, " %d", row);
	}
	text_add(&table, "\n");
	refuse_text(text.data, NULL, FATHOM_BAD_INPUT, "of 2000 CPUs", "socket");
	refuse_text(table.data, NULL, FATHOM_BAD_INPUT, "of 2000 CPUs", "socket");
	text_free(&text);
	text_free(&table);
}

static void options_of_curves(void **state)
{
	static const uint64_t bytes = 32768;
	static const struct fathom_input columns = {.columns = "1,2"}, order = {.order = "cycle"},
					 caches = {.caches_bytes = &bytes, .cache_count = 1};
	(void)state;
	refuse_text(",\n5,\n", &columns, FATHOM_USAGE, "a core-to-core matrix", "--columns");
	refuse_text(",\n5,\n", &order, FATHOM_USAGE, "a core-to-core matrix", "--order");
	refuse_text(",\n5,\n", &caches, FATHOM_USAGE, "a core-to-core matrix", "--caches");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_lower_triangle), cmocka_unit_test(blank_fields_beyond_the_cpus),
	cmocka_unit_test(both_triangles),     cmocka_unit_test(the_table_of_c2clat),
	cmocka_unit_test(what_is_no_matrix),  cmocka_unit_test(two_thousand_cpus),
	cmocka_unit_test(options_of_curves),
};
UNIT_GROUP();
