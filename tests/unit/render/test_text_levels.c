/* The table of levels for people, and that of the other ways to read a curve. (That no line is too
 * long is for test_text_output.c.) */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "samples.h"
#include "told.h"
#include "unit.h"
#include "views/rounding.h"

static const struct fathom_style utf8 = {.utf8 = true};

static void a_row_a_level(void **state)
{
	(void)state;
	check_lines(write_text(sample_levels_result(), &utf8),
		    LINES("\n  level     size           OS says               latency              "
			  " cycles\n",
			  "\n  L1        48 KiB         48 KiB                1.36 ns  \u00b10.01  "
			  "        4.96\n",
			  "\n  L3 ?      9.8 MiB        480 MiB  !            36.4 ns  \u00b10.1   "
			  "         133\n",
			  "\n  memory    at 1 GiB                              256 ns  \u00b13     "
			  "         934\n"),
		    NULL);
}

static void a_wide_reach_is_shown_as_its_interval(void **state)
{
	(void)state;
	check_lines(write_text(sample_levels_result(), &utf8),
		    LINES("\n  L2        1.8\u20132.2 MiB    2 MiB  "), NULL);
	check_lines(write_text(sample_levels_result(), NULL),
		    LINES("\n  L2        1.8-2.2 MiB    2 MiB  "), NULL);
}

static void translation_has_entries_and_a_penalty(void **state)
{
	(void)state;
	check_lines(write_text(sample_levels_result(), &utf8),
		    LINES("\n  TLB 1     384 KiB        (96 \u00d7 4 KiB)         +0.52 ns         "
			  "       +1.90\n",
			  "\n  TLB 1: the control curve lacks"),
		    NULL);
	check_lines(write_text(sample_levels_result(), NULL), LINES("  (96 x 4 KiB)  "), NULL);
}

static void what_is_not_sure_is_marked(void **state)
{
	(void)state;
	check_lines(write_text(sample_levels_result(), &utf8),
		    LINES("\n? L3 (72 % sure): the control curve has 98 % of"),
		    LINES("L1 ?", "L2 ?", "memory ?"));
}

static void of_levels_of_one_name_the_one_that_differs_is_marked(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	struct fathom_level *other = &result->levels[result->level_count - 1];
	strcpy(other->name, "L3");
	other->kind = FATHOM_LEVEL_CACHE;
	other->curve = 2;
	other->size_bytes = 481 << 20;
	other->size_low_bytes = 470 << 20;
	other->size_high_bytes = 490 << 20;
	other->reported_bytes = 480 << 20;
	check_lines(write_text(result, &utf8),
		    LINES("\n  L3 ?      9.8 MiB        480 MiB  ! ",
			  "\n  L3        481 MiB        480 MiB    "),
		    NULL);
}

static void only_a_warning_marks_a_difference(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	warnings_remove(&result->warnings, "reach-differs");
	check_lines(write_text(result, &utf8), LINES("480 MiB"), LINES("480 MiB  !"));
}

static void a_victim_is_told(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	struct fathom_level *third = &result->levels[2];
	warnings_remove(&result->warnings, "reach-differs");
	third->reported_bytes = 8 << 20;
	third->increment_bytes = 8 << 20;
	third->size_bytes = 10 << 20;
	third->size_low_bytes = 9.7 * (1 << 20);
	third->size_high_bytes = 10.3 * (1 << 20);
	check_lines(
		write_text(result, &utf8),
		LINES("  10 MiB         8 MiB       ", "\n  L3: a victim cache that adds 8 MiB"),
		NULL);
	check_lines(write_text(sample_levels_result(), &utf8), NULL, LINES("adds 7.8 MiB"));
}

static void replacement_needs_both_orders(void **state)
{
	(void)state;
	check_lines(write_text(sample_levels_result(), &utf8),
		    LINES("\n  L1 replacement: undecided\n",
			  "\n  L2 replacement: like LRU (the cycle loses"),
		    NULL);
	struct fathom_result *result = sample_levels_result();
	result->curves[2].points[0].spec.pattern = FATHOM_WINDOW; /* no longer independent */
	check_lines(write_text(result, &utf8), NULL, LINES("replacement"));
}

static void what_cannot_be_told_is_asked(void **state)
{
	(void)state;
	check_lines(write_text(sample_foreign_result(), &utf8),
		    LINES("\n  L2        > 2 MiB        (cache or memory?)    38.0 ns  \u00b11.0",
			  "\n  step 1    200\u2013500 KiB    (cache or TLB?)      +0.40 ns  ",
			  "\n  step 1: the step is inconclusive", "\n! memory was not reached"),
		    LINES("OS says", "step 1 ?", "CPU", "seed", "clock", "wanted", "pages (",
			  "links", "marks"));
}

static void each_curve_has_its_table(void **state)
{
	(void)state;
	check_lines(write_text(sample_foreign_result(), &utf8),
		    LINES("measured by lat_mem_rd\naccess order unknown, nodes of 128 B\n",
			  "\n\nnodes of 128 B:\n  level ", "\n\nnodes of 64 B:\n  level ",
			  "\n* nodes of 128 B, + nodes of 64 B\n" + 2,
			  "\n      size      128 B                     64 B\n",
			  "\n     2 KiB    1.36 ns                  1.09 ns\n"),
		    NULL);
	check_lines(write_text(sample_levels_result(), &utf8), NULL, LINES("\nrandom_cycle:\n"));
}

static void set_spec(struct fathom_curve *curve, uint64_t node_bytes, enum fathom_page page)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		curve->points[i].spec.node_bytes = node_bytes;
		curve->points[i].spec.page = page;
	}
}

static void a_format_is_no_tool(void **state)
{
	(void)state;
	struct fathom_result *result = sample_foreign_result();
	strcpy(result->curves[0].tool, "csv");
	set_spec(&result->curves[0], 128, FATHOM_PAGE_THP);
	check_lines(write_text(result, &utf8),
		    LINES("measured by a CSV file\naccess order unknown, nodes of 128 B, thp "
			  "pages\n"),
		    NULL);
}

static void what_differs_tells_the_curves(void **state)
{
	(void)state;
	struct fathom_result *result = sample_foreign_result();
	set_spec(&result->curves[1], 128, FATHOM_PAGE_UNKNOWN);
	strcpy(result->curves[1].tool, "chase");
	check_lines(write_text(result, &utf8),
		    LINES("\n\nnodes of 128 B, lat_mem_rd:\n  level ",
			  "\n\nnodes of 128 B, chase:\n  level ",
			  " nodes of 128 B, lat_mem_rd, + nodes of 128 B, chase\n",
			  "\n      size lat_mem_rd                    chase\n"),
		    LINES("(curve"));
	result = sample_foreign_result();
	set_spec(&result->curves[0], 128, FATHOM_PAGE_4K);
	set_spec(&result->curves[1], 128, FATHOM_PAGE_THP);
	check_lines(write_text(result, &utf8),
		    LINES("\n\nnodes of 128 B, 4k pages:\n  level ",
			  "\n\nnodes of 128 B, thp pages:\n  level ",
			  "\n      size         4k                      thp\n"),
		    LINES("(curve"));
}

static void curves_that_do_not_differ_have_numbers(void **state)
{
	(void)state;
	struct fathom_result *result = sample_foreign_result();
	set_spec(&result->curves[1], 128, FATHOM_PAGE_UNKNOWN);
	check_lines(write_text(result, &utf8),
		    LINES("\n\nnodes of 128 B (curve 1):\n  level ",
			  "\n\nnodes of 128 B (curve 2):\n  level ",
			  "\n      size    curve 1                  curve 2\n"),
		    NULL);
	result = sample_foreign_result();
	set_spec(&result->curves[0], 0, FATHOM_PAGE_UNKNOWN);
	set_spec(&result->curves[1], 0, FATHOM_PAGE_UNKNOWN);
	check_lines(write_text(result, &utf8),
		    LINES("\n\ncurve 1:\n  level ", "\n\ncurve 2:\n  level "), NULL);
}

static void cycles_alone_have_no_ns(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_cycles_result(), &utf8),
		LINES("cycles per hop\n", "\n     1 KiB       4.96\n",
		      "\n  L1        46 KiB                                  4.96  \u00b10.02\n",
		      " +1.46\n"),
		LINES(" ns", "not measured", "nothing was measured"));
}

static void what_is_over_the_first_level_has_a_sign(void **state)
{
	(void)state;
	struct fathom_result *result = sample_foreign_result();
	result->curves[0].relative_to_l1 = true;
	struct fathom_style throughput = {.y = FATHOM_Y_THROUGHPUT}; /* it has none */
	check_lines(write_text(result, &throughput),
		    LINES("; latencies relative to L1\n",
			  "\n     2 KiB   +1.36 ns                  1.09 ns\n",
			  "\n  L1        46 KiB                              +1.36 ns "),
		    LINES("hops"));
}

static void cycles_come_first_when_asked_for(void **state)
{
	(void)state;
	struct fathom_style cycles = {.y = FATHOM_Y_CYCLES};
	check_lines(write_text(sample_levels_result(), &cycles),
		    LINES("\n  L1        48 KiB         48 KiB                   4.96  +-0.02      "
			  "1.36 ns\n"),
		    NULL);
}

static void a_narrow_table_keeps_the_latency(void **state)
{
	(void)state;
	struct fathom_style narrow = {.columns = 40};
	check_lines(write_text(sample_levels_result(), &narrow),
		    LINES("\n  L1        48 KiB             1.36 ns\n"), LINES("OS says"));
}

static void readings_are_a_table(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_levels_result(), &utf8),
		LINES("\n  reading, in ns               L1       L2       L3   memory   residual\n",
		      "\n  fitted levels              1.36     4.46     36.4      256      1.2 %\n",
		      "\n  textbook share model       1.36     4.90     61.2      401       14 %\n"
		      "      holds for independent accesses;",
		      "\n  value before the cliff     1.36     5.80     40.1        -          "
		      "-\n"),
		NULL);
}

static void readings_without_room_are_lines(void **state)
{
	(void)state;
	struct fathom_style narrow = {.columns = 60};
	check_lines(write_text(sample_levels_result(), &narrow),
		    LINES("\n  reading, in ns: L1, L2, L3, memory, residual\n"
			  "  fitted levels: 1.36, 4.46, 36.4, 256, 1.2 %\n"),
		    NULL);
}

static void levels_end_the_text(void **state)
{
	(void)state;
	char *text = write_text(sample_levels_result(), &utf8);
	const char *levels = strstr(text, "\n  level "), *warnings = strstr(text, "\n! ");
	assert_non_null(levels);
	assert_true(levels < warnings);
	assert_true(strstr(text, "seed 0x") < levels);
	assert_true(strstr(text, "reading, in ns") < levels);
	free(text);
}

static void what_is_out_of_place_is_left_out(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	for (size_t i = 0; i < result->level_count; i++)
		result->levels[i].curve = 3; /* there are three: 0, 1, 2 */
	for (size_t i = 0; i < result->reading_count; i++)
		result->readings[i].curve = SIZE_MAX;
	check_lines(write_text(result, &utf8), NULL, LINES("OS says", "reading"));
	result = sample_levels_result();
	result->levels[0].size_low_bytes = -1e300;
	result->levels[0].size_high_bytes = 1e300;
	result->levels[1].size_bytes = 1e300;
	result->levels[1].size_high_bytes = result->levels[1].size_low_bytes;
	check_lines(write_text(result, &utf8), LINES("\n  L1        0.00\u201316 EiB "), NULL);
}

static void outside_text_is_harmless(void **state)
{
	(void)state;
	static const char hostile[] = "a\033[2J\n\xFF\xE2\x80\xAE";
	struct fathom_result *result = sample_levels_result();
	for (size_t i = 0; i < result->level_count; i++) {
		struct fathom_level *level = &result->levels[i];
		free(level->name);
		free(level->evidence);
		free(level->replacement_evidence);
		level->name = strdup(hostile);
		level->evidence = strdup(hostile);
		level->replacement_evidence = i ? strdup(hostile) : NULL;
		level->confidence = 0.5;
		level->entries = NAN;
	}
	for (size_t i = 0; i < result->reading_count; i++) {
		free(result->readings[i].name);
		free(result->readings[i].text);
		result->readings[i].name = strdup(hostile);
		result->readings[i].text = i ? strdup(hostile) : NULL;
	}
	check_lines(write_text(result, &utf8), LINES("a\\x1b[2J\\x0a\\xff\\u202e (50 % sure)"),
		    LINES("\033", "\xFF", "\xE2\x80\xAE", "nan"));
	result = sample_foreign_result();
	free(result->curves[0].tool);
	result->curves[0].tool = strdup(hostile);
	check_lines(write_text(result, &utf8), LINES("measured by a\\x1b[2J"), LINES("\033"));
}

static void curves_are_told_apart(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_levels_result(), &utf8),
		LINES("\n\u2812 random_cycle, + windows of 128 KiB, o independent\n",
		      "cycles      windows  independent\n",
		      "\n     1 KiB    1.36 ns  \u00b10.01            4.96            -      1.22 "
		      "ns\n",
		      "\nwindows of 128 KiB: 44 of 65 points meet the target of \u00b11 %; 21 are "
		      "wider\n",
		      "\u2191L1  ", " \u2191L3\n"),
		NULL);
	struct fathom_style narrow = {.columns = 60};
	check_lines(write_text(sample_levels_result(), &narrow),
		    LINES("\n  1 more curve has no room here"), LINES("independent\n  "));
}

static void a_range_has_two_digits(void **state)
{
	(void)state;
	static const struct {
		double low, high;
		const char *range;
	} ranges[] = {{1.84e6, 2.2e6, "1.8\u20132.1 MiB"},
		      {46 << 10, 63 << 10, "46\u201363 KiB"},
		      {900 << 10, 1200 << 10, "0.88\u20131.2 MiB"},
		      {1, 900, "1.0\u2013900 B"},
		      {-INFINITY, INFINITY, "0.00\u201316 EiB"}};
	char range[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		assert_string_equal(rounding_sizes(ranges[i].low, ranges[i].high, range),
				    ranges[i].range);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_row_a_level),
	cmocka_unit_test(a_wide_reach_is_shown_as_its_interval),
	cmocka_unit_test(translation_has_entries_and_a_penalty),
	cmocka_unit_test(what_is_not_sure_is_marked),
	cmocka_unit_test(of_levels_of_one_name_the_one_that_differs_is_marked),
	cmocka_unit_test(only_a_warning_marks_a_difference),
	cmocka_unit_test(a_victim_is_told),
	cmocka_unit_test(replacement_needs_both_orders),
	cmocka_unit_test(what_cannot_be_told_is_asked),
	cmocka_unit_test(each_curve_has_its_table),
	cmocka_unit_test(a_format_is_no_tool),
	cmocka_unit_test(what_differs_tells_the_curves),
	cmocka_unit_test(curves_that_do_not_differ_have_numbers),
	cmocka_unit_test(cycles_alone_have_no_ns),
	cmocka_unit_test(what_is_over_the_first_level_has_a_sign),
	cmocka_unit_test(cycles_come_first_when_asked_for),
	cmocka_unit_test(a_narrow_table_keeps_the_latency),
	cmocka_unit_test(readings_are_a_table),
	cmocka_unit_test(readings_without_room_are_lines),
	cmocka_unit_test(levels_end_the_text),
	cmocka_unit_test(what_is_out_of_place_is_left_out),
	cmocka_unit_test(outside_text_is_harmless),
	cmocka_unit_test(curves_are_told_apart),
	cmocka_unit_test(a_range_has_two_digits),
};
UNIT_GROUP();
