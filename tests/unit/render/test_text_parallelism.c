/* What is shown of lanes: tables a size, the plot, latency against throughput, and the words. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "document/table.h"
#include "model/parallelism/parallelism.h"
#include "samples.h"
#include "told.h"
#include "unit.h"

static const struct fathom_style utf8 = {.utf8 = true};
static const struct fathom_style narrow = {.columns = 60};
static const struct fathom_style all = {.every_point = true};

static void the_levels_of_the_sweep_come_first(void **state)
{
	(void)state;
	char *text = write_text(sample_parallelism_result(), &utf8);
	const char *levels =
		strstr(text, "\n  L1        48 KiB         48 KiB                1.36 ns");
	const char *lanes = strstr(text, "\nL1, 16 KiB:\n");
	assert_non_null(levels);
	assert_true(levels < lanes);
	assert_null(strstr(text, "\n\n\n"));
	free(text);
}

static void a_table_a_size_with_its_pages_side_by_side(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_parallelism_result(), NULL),
		LINES("\nL2, 512 KiB:\n"
		      "                    thp pages (2 MiB)              4k pages (4 KiB)\n"
		      "  lanes ns/access  speed-up      GB/s ns/access  speed-up      GB/s\n"
		      "      1      4.46      1.00      14.3      5.20      1.00      12.3\n",
		      "\n     16     0.326      13.7       197     0.473      11.0       135\n",
		      "\n     32      17.4      15.2      3.67      10.8      30.7      5.94\n"),
		LINES("\n      3 ", "\n     31 "));
}

static void with_every_point_no_lanes_are_left_out(void **state)
{
	(void)state;
	check_lines(write_text(sample_parallelism_result(), &all),
		    LINES("\n      3 ", "\n     31 "), NULL);
}

static void where_there_is_no_room_pages_follow_each_other(void **state)
{
	(void)state;
	check_lines(write_text(sample_parallelism_result(), &narrow),
		    LINES("\n                    thp pages (2 MiB)\n"
			  "  lanes ns/access  speed-up      GB/s\n"
			  "      1      4.46      1.00      14.3\n",
			  "\n                     4k pages (4 KiB)\n"
			  "  lanes ns/access  speed-up      GB/s\n"
			  "      1      5.20      1.00      12.3\n"),
		    NULL);
}

static void what_the_loop_limits_is_marked(void **state)
{
	(void)state;
	check_lines(write_text(sample_parallelism_result(), NULL),
		    LINES("\n      4     0.340      4.00       188 ",
			  "\n     12     0.162      8.40=      395 ",
			  "\n  = marks times that the loop alone would take"),
		    NULL);
	struct fathom_result *result = sample_parallelism_result();
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			result->curves[i].points[k].floor_ns = NAN;
	check_lines(write_text(result, NULL), LINES("\n     12     0.162      8.40       395 "),
		    LINES("  = marks"));
}

static void points_without_an_interval_or_a_wide_one_are_marked(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct fathom_point *points = result->curves[3].points;
	points[3].low_ns_per_access = points[3].high_ns_per_access = NAN;
	points[3].within_target = points[7].within_target = false;
	check_lines(write_text(result, NULL), LINES("\n      4     0.340?", "\n      8     0.170~"),
		    NULL);
}

static void the_plot_has_a_series_a_size(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_parallelism_result(), NULL),
		LINES("\n    speed-up over one lane, by lanes\n20 +\n",
		      "\n* L1, 16 KiB, thp pages; + L2, 512 KiB, thp pages; o memory, 1 GiB, thp "
		      "pages\n"),
		NULL);
}

static void latency_stands_beside_throughput(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_parallelism_result(), &utf8),
		LINES("\nmemory-level parallelism (MLP):\n  level  size    pages latency access    "
		      " "
		      "MLP         knee Little 1 core   all 2\n                            ns  "
		      "   ns                lanes  lines   GB/s    GB/s\n",
		      "\n  L2     512 KiB thp      4.46  0.326    13.7 \u00b10.1   13\u201314   "
		      "6.72   "
		      "96.4     190\n",
		      "\n  L2     512 KiB 4k       5.20  0.473    11.0 \u00b10.1    9\u201310      "
		      "-  "
		      "    -       -\n",
		      "\n  memory 1 GiB   4k        331   10.8  > 30.7 \u00b10.3    > 28      -"),
		NULL);
	check_lines(write_text(sample_parallelism_result(), NULL),
		    LINES("\n  L2     512 KiB thp      4.46  0.326    13.7 +-0.1  13-14   6.72   "
			  "96.4     190\n"),
		    NULL);
}

static void the_pages_of_a_size_stand_together(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct fathom_parallelism last = result->parallelism[5];
	memmove(result->parallelism + 1, result->parallelism, 5 * sizeof(last));
	result->parallelism[0] = last;
	char *text = write_text(result, NULL);
	const char *small = strstr(text, "\n  memory 1 GiB   4k ");
	const char *large = strstr(text, "\n  memory 1 GiB   thp ");
	const char *first = strstr(text, "\n  L1     16 KiB  thp ");
	assert_true(small && large && first);
	assert_true(small < large && large < first);
	free(text);
}

static void wide_lines_have_the_limit_too(void **state)
{
	(void)state;
	static const struct fathom_style wide = {.columns = 100};
	check_lines(write_text(sample_parallelism_result(), &wide),
		    LINES(" GB/s\n", "  all 2  limit\n", "   419  loop\n", "    190  buffers\n",
			  "  walkers\n", "  lanes\n"),
		    NULL);
}

static void without_reading_there_are_no_columns_for_it(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	for (size_t i = 0; i < result->parallelism_count; i++) {
		struct fathom_parallelism *row = &result->parallelism[i];
		row->read_bytes_per_second = row->all_bytes_per_second = row->little_lines = NAN;
		row->little_low_lines = row->little_high_lines = NAN;
		row->all_threads = 0;
	}
	check_lines(
		write_text(result, NULL),
		LINES("\n  L2     512 KiB thp      4.46  0.326    13.7 +-0.1  13-14  buffers\n"),
		LINES("Little", "1 core"));
}

static void without_levels_sizes_alone_are_named(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	for (size_t i = 0; i < result->parallelism_count; i++) {
		free(result->parallelism[i].level);
		result->parallelism[i].level = NULL;
	}
	check_lines(write_text(result, NULL),
		    LINES("\n512 KiB:\n", "\n  size    pages latency",
			  "\n  512 KiB, thp pages: MLP 13.7 "),
		    LINES("level  size"));
}

static void each_level_has_its_words(void **state)
{
	(void)state;
	check_lines(write_text(sample_parallelism_result(), NULL),
		    LINES("\n  L2, 512 KiB, 4k pages: MLP 11.0 (10.9 to 11.1), probably limited by "
			  "page\n  walks: on 2 MiB pages an access takes 0.326 ns instead of 0.473 "
			  "ns, and a core\n  does few page walks at once\n",
			  "\n  memory, 1 GiB, 4k pages: MLP at least 30.7 (30.4 to 31), probably "
			  "limited by\n  the number of lanes tried: at 32 more still gain\n"),
		    NULL);
}

static void the_two_ways_to_the_lines_under_way_are_compared(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	struct fathom_parallelism *same = &result->parallelism[2];
	same->little_lines = same->speedup * 1.05;
	same->little_low_lines = same->little_high_lines = same->little_lines;
	check_lines(write_text(result, NULL),
		    LINES("law\n  4.5 lines are in flight", "as many\n", "more, because"), NULL);
}

/* Interrupted in the sweep before. */
static void a_sweep_alone_is_shown_as_one(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	result->interrupted = true;
	check_lines(write_text(result, NULL), LINES("interrupted", "  L2        1.8-2.2 MiB"),
		    LINES("lanes", "memory-level parallelism (MLP):"));
}

/* As it comes out of CSV. */
static void points_alone_have_their_tables(void **state)
{
	(void)state;
	struct fathom_result *result = sample_parallelism_result();
	table_free_items(&parallelism_table, result->parallelism, result->parallelism_count);
	result->parallelism = NULL;
	result->parallelism_count = 0;
	check_lines(write_text(result, NULL),
		    LINES("\n512 KiB:\n", "\n     16     0.326      13.7       197 "),
		    LINES("memory-level parallelism (MLP):"));
}

static void no_line_is_too_long(void **state)
{
	(void)state;
	for (unsigned columns = 60; columns <= 130; columns += 10)
		for (int wide = 0; wide < 2; wide++) {
			struct fathom_style style = {.columns = columns, .utf8 = wide};
			char *text = write_text(sample_parallelism_result(), &style), *rest;
			for (char *line = strtok_r(text, "\n", &rest); line;
			     line = strtok_r(NULL, "\n", &rest))
				if (utf8_columns(line) > columns)
					fail_msg("over %u columns: '%s'", columns, line);
			free(text);
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_levels_of_the_sweep_come_first),
	cmocka_unit_test(a_table_a_size_with_its_pages_side_by_side),
	cmocka_unit_test(with_every_point_no_lanes_are_left_out),
	cmocka_unit_test(where_there_is_no_room_pages_follow_each_other),
	cmocka_unit_test(what_the_loop_limits_is_marked),
	cmocka_unit_test(points_without_an_interval_or_a_wide_one_are_marked),
	cmocka_unit_test(the_plot_has_a_series_a_size),
	cmocka_unit_test(latency_stands_beside_throughput),
	cmocka_unit_test(the_pages_of_a_size_stand_together),
	cmocka_unit_test(wide_lines_have_the_limit_too),
	cmocka_unit_test(without_reading_there_are_no_columns_for_it),
	cmocka_unit_test(without_levels_sizes_alone_are_named),
	cmocka_unit_test(each_level_has_its_words),
	cmocka_unit_test(the_two_ways_to_the_lines_under_way_are_compared),
	cmocka_unit_test(a_sweep_alone_is_shown_as_one),
	cmocka_unit_test(points_alone_have_their_tables),
	cmocka_unit_test(no_line_is_too_long),
};
UNIT_GROUP();
