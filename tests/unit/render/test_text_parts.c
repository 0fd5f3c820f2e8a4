/* What is shown of the parts of a latency, and of what the place in memory makes. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "samples.h"
#include "told.h"
#include "unit.h"

static const struct fathom_style utf8 = {.utf8 = true};
static const struct fathom_style narrow = {.columns = 40};
static const struct fathom_style cycles = {.y = FATHOM_Y_CYCLES};
static const struct fathom_style explain = {.explain = true};

/* The curve of the sample along the sizes on base pages, and what follows it. */
enum { SMALL, LARGE };
static struct fathom_curve *curve_of(struct fathom_result *result, int which)
{
	return &result->curves[result->translations[0].by_size + (size_t)which];
}

static void a_row_has_all_parts_and_the_residual(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_pages_result(), &utf8),
		LINES("\nparts of a random access on 4k pages, ns:\n"
		      "    size  total         memory        TLB 2          walk        residual\n"
		      "  16 KiB   1.36 \u00b10.01     1.36 \u00b10.01   0.00 \u00b10.00    0.00 "
		      "\u00b10.00      0.00 \u00b10.01\n",
		      "\n  64 MiB    168 \u00b10.8       151 \u00b10.8    1.91 \u00b10.04    12.6 "
		      "\u00b10.4       2.49 \u00b11.68\n",
		      "\n   4 GiB    473 \u00b12        \u2264310 \u00b12      1.92 \u00b10.04     "
		      "161 "
		      "\u00b15         0.08 \u00b14.73\n",
		      "\n  \u2264: upper bound: it",
		      "\n  4 GiB: memory itself is from pages of 2 MiB, at most: what"),
		LINES("-: not measured", "16 KiB: memory", "16 KiB to"));
	check_lines(write_text(sample_pages_result(), &narrow),
		    LINES("\n    size  memory TLB 2   walk residual\n"
			  "  16 KiB    1.36  0.00   0.00     0.00\n",
			  "\n   4 GiB   <=310  1.92    161     0.08\n"),
		    NULL);
	check_lines(write_text(sample_pages_result(), &explain),
		    LINES("\n  16 KiB to 64 MiB: memory itself is from pages of 2 MiB\n",
			  "\n  1 GiB to 4 GiB: memory itself is from pages of 2 MiB, at most:"),
		    NULL);
}

static void parts_are_shown_in_cycles_too(void **state)
{
	(void)state;
	check_lines(write_text(sample_pages_result(), &cycles),
		    LINES("\nparts of a random access on 4k pages, cycles:\n",
			  "\n 256 KiB   16.2 +-0.1     16.2 +-0.1   0.00 ", "w| 1726 cycles\n",
			  "\n  a random access into 4 GiB costs 595 cycles less on thp"),
		    LINES(" ns:\n"));
}

static void what_was_not_measured_is_a_dash_in_the_residual(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	for (size_t i = 0; i < result->decomposition_count; i++)
		result->decompositions[i].parts[FATHOM_PART_MEMORY] =
			(struct fathom_cost){NAN, NAN, NAN};
	check_lines(write_text(result, NULL),
		    LINES("\n  16 KiB   1.36 +-0.01       -         0.00 ",
			  "\n  -: not measured, so it is part of the residual\n"),
		    NULL);
	result = sample_pages_result();
	for (size_t i = 0; i < result->decomposition_count; i++)
		for (int part = 0; part < FATHOM_PART_RESIDUAL; part++)
			result->decompositions[i].parts[part] = (struct fathom_cost){NAN, NAN, NAN};
	check_lines(write_text(result, NULL),
		    LINES("\n  the parts of a latency are not known\n  4 GiB: memory itself"),
		    LINES("\nparts of", "shares of the total"));
}

static void bars_have_the_parts_as_shares(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_pages_result(), NULL),
		LINES("\nshares of the total:\n  16 KiB "
		      "|########################################################|     1.36 ns\n",
		      "\n   1 MiB |###########################################TTTTTTTTTTT..|     "
		      "5.90 ns\n",
		      "\n   4 GiB |#####################################wwwwwwwwwwwwwwwwwww|      "
		      "473 ns\n"
		      "  # the cache or memory itself, T second TLB, w walk, . residual\n"),
		NULL);
	check_lines(write_text(sample_pages_result(), &narrow),
		    LINES("\n   4 GiB |##########Twwwww|      473 ns\n"), NULL);
	check_lines(
		write_text(sample_pages_result(), &utf8),
		LINES("\u2588\u2588\u2588\u259e\u2592\u2592\u2592\u2592\u00b7\u2502      168 ns\n",
		      "\n  \u2588 the cache or memory itself, \u259e second TLB, \u2592 walk, "
		      "\u00b7 residual\n"),
		NULL);
}

static void parts_that_are_too_much_stand_over_the_line(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	result->decompositions[6].parts[FATHOM_PART_WALK].ns = 300;
	result->decompositions[6].parts[FATHOM_PART_RESIDUAL].ns = -139;
	check_lines(
		write_text(result, NULL),
		LINES("\n  16 KiB |###########################################|                  "
		      "1.36 ns\n",
		      "\n   4 GiB |############################wwwwwwwwwwwwwww|wwwwwwwwwwwww      "
		      "473 ns\n",
		      "past the line:\n  the parts exceed the total\n"),
		NULL);
	result = sample_pages_result();
	result->decompositions[6].parts[FATHOM_PART_WALK].ns = 3000;
	check_lines(write_text(result, NULL), LINES("w|wwwwwwwwwwwwwwwwww>      473 ns\n"), NULL);
}

static void colours_tell_parts_where_they_are_wanted(void **state)
{
	(void)state;
	static const struct fathom_style colored = {.color = true};
	check_lines(write_text(sample_pages_result(), &colored),
		    LINES("#\033[36mT\033[0m", "\033[33mw\033[0m"), NULL);
	check_lines(write_text(sample_pages_result(), NULL), NULL, LINES("\033"));
}

/* ---- places ---- */

static void what_the_place_makes_stands_beside_noise(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	for (size_t i = 0; i < 4; i++) {
		struct fathom_point *point = &curve_of(result, SMALL)->points[i];
		point->placement_spread_ns = i == 2 ? 1.18 : 0;
		point->noise_spread_ns = 0.02;
		curve_of(result, LARGE)->points[i].placement_spread_ns = 0;
		curve_of(result, LARGE)->points[i].noise_spread_ns = 0.03;
	}
	check_lines(
		write_text(result, NULL),
		LINES("\neffect of the placement in memory, separated from noise; standard "
		      "deviations,\nns:\n    size        4k                 thp\n             "
		      "place "
		      "    noise     place     noise\n  16 KiB      0.00      0.02      0.00      "
		      "0.03\n",
		      "\n   1 MiB      1.18      0.02 ",
		      "\n  4k: placement matters most at 1 MiB: 20 % of the latency, with noise of "
		      "0.34 %\n  thp: the effect of placement is below the noise at all sizes\n"),
		LINES("\n  64 MiB      0", "\n  64 MiB         -"));
	check_lines(write_text(sample_pages_result(), NULL), NULL, LINES("what the place"));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_row_has_all_parts_and_the_residual),
	cmocka_unit_test(parts_are_shown_in_cycles_too),
	cmocka_unit_test(what_was_not_measured_is_a_dash_in_the_residual),
	cmocka_unit_test(bars_have_the_parts_as_shares),
	cmocka_unit_test(parts_that_are_too_much_stand_over_the_line),
	cmocka_unit_test(colours_tell_parts_where_they_are_wanted),
	cmocka_unit_test(what_the_place_makes_stands_beside_noise),
};
UNIT_GROUP();
