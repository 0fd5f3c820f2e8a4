/* What is shown of kinds of pages: the table of latencies, TLBs and walks, and the parts. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/translation/translation.h"
#include "samples.h"
#include "told.h"
#include "unit.h"

static const struct fathom_style utf8 = {.utf8 = true};
static const struct fathom_style narrow = {.columns = 40};
static const struct fathom_style cycles = {.y = FATHOM_Y_CYCLES};
static const struct fathom_style all = {.every_point = true};
static const struct fathom_style explain = {.explain = true};

/* The curve of the sample along the sizes on base pages, and what follows it. */
enum { SMALL, LARGE, SPREAD, PACKED };
static struct fathom_curve *curve_of(struct fathom_result *result, int which)
{
	return &result->curves[result->translations[0].by_size + (size_t)which];
}

static void set_text(char **text, const char *to)
{
	free(*text);
	*text = to ? strdup(to) : NULL;
}

static void add_warning(struct fathom_result *result, const char *id, const char *where,
			const char *text)
{
	struct fathom_warnings *warnings = &result->warnings;
	warnings->items =
		realloc(warnings->items, (warnings->count + 1) * sizeof(*warnings->items));
	assert_non_null(warnings->items);
	warnings->items[warnings->count++] = (struct fathom_warning){
		strdup(id), strdup(text), strdup("echo 9 > pool"), strdup(where), true};
}

/* As what comes out of CSV. */
static struct fathom_result *without_conclusions(void)
{
	struct fathom_result *result = sample_pages_result();
	translation_free(result);
	return result;
}

/* ---- the table of latencies ---- */

static void kinds_stand_side_by_side_with_their_difference(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_pages_result(), &utf8),
		LINES("\nlatency of the same chain on each page kind, ns:\n    size     4k         "
		      "   thp         4k - thp\n          4 KiB          2 MiB\n  16 KiB   1.36 "
		      "\u00b10.01     1.36 \u00b10.01       0.00 \u00b10.01\n",
		      "\n   1 GiB    265 \u00b11         213 \u00b11          52.0 \u00b11.3\n",
		      "\n  a random access into 4 GiB costs 163 ns less on thp than on 4k pages, "
		      "34 %;\n  95 %: 161 to 165 (6 pairs of blocks measured side by side)\n"),
		LINES("random_cycle, nodes"));
}

static void the_pages_that_memory_was_measured_on_are_compared(void **state)
{
	(void)state;
	for (int splintered = 0; splintered < 2; splintered++) {
		struct fathom_result *result = sample_pages_result();
		struct fathom_curve *larger = curve_of(result, PACKED);
		larger->axis = FATHOM_AXIS_SIZE;
		for (size_t i = 0; i < larger->point_count; i++) {
			larger->points[i].spec = curve_of(result, SMALL)->points[i].spec;
			larger->points[i].spec.page = FATHOM_PAGE_1G;
			larger->points[i].page_bytes = 1u << 30;
		}
		/* One more kind, whose differences take the place of every second one. */
		struct fathom_translation *kinds =
			realloc(result->translations, 3 * sizeof(*kinds));
		assert_non_null(kinds);
		result->translations = kinds;
		kinds[2] = (struct fathom_translation){.page = FATHOM_PAGE_1G,
						       .page_bytes = 1u << 30,
						       .by_size = kinds[0].packed,
						       .spread = FATHOM_NO_CURVE,
						       .packed = FATHOM_NO_CURVE,
						       .splintered = splintered};
		result->translation_count = 3;
		for (size_t i = 0; i < result->page_difference_count; i += 2)
			result->page_differences[i].large = kinds[2].by_size;
		for (size_t i = 0; !splintered && i < result->decomposition_count; i++)
			result->decompositions[i].memory_curve = kinds[2].by_size;
		check_lines(write_text(result, &narrow),
			    splintered
				    ? LINES("\n    size     4k     thp  4k - thp\n",
					    "\n  1 more page kind has no room here: use\n  --json "
					    "or --format csv\n")
				    : LINES("\n    size     4k      1g   4k - 1g\n",
					    "\n  16 KiB   1.36    1.36      0.00 +-0.01\n"),
			    NULL);
	}
}

static void one_row_an_octave_or_every_point(void **state)
{
	(void)state;
	for (int every = 0; every < 2; every++) {
		struct fathom_result *result = sample_pages_result();
		curve_of(result, SMALL)->points[1].spec.size_bytes = 200 << 10;
		curve_of(result, LARGE)->points[1].spec.size_bytes = 200 << 10;
		curve_of(result, SMALL)->points[2].spec.size_bytes = 240 << 10;
		curve_of(result, LARGE)->points[2].spec.size_bytes = 240 << 10;
		check_lines(write_text(result, every ? &all : NULL), LINES("\n 240 KiB   5.90 "),
			    every ? NULL : LINES("\n 200 KiB "));
		if (every)
			continue;
		result = sample_pages_result();
		curve_of(result, SMALL)->points[1].spec.size_bytes = 200 << 10;
		curve_of(result, LARGE)->points[1].spec.size_bytes = 200 << 10;
		check_lines(write_text(result, &all), LINES("\n 200 KiB   4.45 "), NULL);
	}
}

static void one_kind_alone_has_no_difference(void **state)
{
	(void)state;
	struct fathom_result *result = without_conclusions();
	for (size_t i = 0; i < result->curve_count; i++) {
		struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment == FATHOM_PAGES &&
		    curve->points[0].spec.page != FATHOM_PAGE_4K)
			curve->experiment = FATHOM_LATENCY;
	}
	check_lines(write_text(result, NULL),
		    LINES("\nlatency of the same chain against its size, ns:\n"
			  "    size     4k\n"
			  "          4 KiB\n"
			  "  16 KiB   1.36 +-0.01\n"),
		    LINES("4k - ", "TLBs,", "page-walk cost", "parts of", "a random access into"));
}

static void what_was_obtained_in_part_is_said(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	curve_of(result, LARGE)->points[5].page_share = 0.61;
	curve_of(result, LARGE)->points[4].page_share = 0.9;
	check_lines(write_text(result, NULL),
		    LINES("\n          4 KiB          mixed\n",
			  "\n! thp: not all of the memory is in pages of 2 MiB at 2 of 7 sizes; at "
			  "1 GiB 61 %\n  in 2 MiB\n"),
		    NULL);
	result = sample_pages_result();
	for (size_t i = 0; i < curve_of(result, LARGE)->point_count; i++)
		curve_of(result, LARGE)->points[i].page_bytes = 4096;
	check_lines(write_text(result, NULL),
		    LINES("\n          4 KiB          4 KiB\n",
			  "at 7 of 7 sizes; at 16 KiB\n  100 % in 4 KiB\n"),
		    NULL);
}

static void kinds_that_could_not_be_had_are_said_once_and_where_they_belong(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	add_warning(result, "page-kind-missing", "2m", "page kind 2m is left out: none free");
	add_warning(result, "page-kind-partial", "thp", "pages of kind thp go no further");
	char *text = write_text(result, NULL);
	const char *missing =
		strstr(text, "\n! page kind 2m is left out: none free\n  -> echo 9 > pool\n");
	assert_non_null(missing);
	assert_null(strstr(missing + strlen("\n! pages of kind 2m are left out"), "left out"));
	assert_non_null(strstr(missing, "\n! pages of kind thp go no further\n"));
	assert_true(missing < strstr(text, "\nTLBs,"));
	check_lines(text, LINES("\n! L3: the effective size is"), NULL);
}

/* ---- translation ---- */

static void each_tlb_has_its_row(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_pages_result(), &utf8),
		LINES("\nTLBs, and the penalty of a miss that the next TLB, or a walk, resolves:\n "
		      " pages level   entries                  reach  penalty\n                    "
		      "                                 ns           cycles\n  4k    TLB 1        "
		      "96 (93\u2013100)       384 KiB     1.92 \u00b10.04       7.01\n  4k    TLB "
		      "2      2048 (1987\u20132130)      8 MiB     11.7 \u00b10.2        42.7\n  "
		      "thp: no TLB was found: no chain through one line a page was measured\n"),
		LINES("sure): one line a page"));
	check_lines(write_text(sample_pages_result(), &cycles),
		    LINES("\n  4k    TLB 1        96 (93-100)       384 KiB     7.01 +-0.14      "
			  "1.92\n"),
		    NULL);
}

static void a_doubtful_tlb_is_marked(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	result->translations[0].tlbs[1].confidence = 0.82;
	result->translations[0].tlbs[1].entries_low = NAN;
	check_lines(write_text(result, NULL),
		    LINES("\n  4k    TLB 2 ?    2048                  8 MiB     11.7 ",
			  "\n? 4k, TLB 2 (82 % sure): one line a page costs more"),
		    LINES("4k, TLB 1 ("));
}

static void why_there_is_no_chain_is_said_once(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	add_warning(result, "spread-left-out", "thp", "there is no chain of one line a page");
	check_lines(write_text(result, NULL),
		    LINES("\n! thp: there is no chain of one line a page\n  -> echo 9 > pool\n"),
		    LINES("no TLB was found"));
}

static void walks_are_told_by_where_the_tables_are(void **state)
{
	(void)state;
	check_lines(
		write_text(sample_pages_result(), &utf8),
		LINES("\n  pages tables in           pages     leaf tables     cost\n"
		      "                          visited            take       ns           "
		      "cycles\n"
		      "  4k    L2             2050\u201390000      16\u2013703 KiB     13.6 "
		      "\u00b10.4        49.6\n",
		      "\n  4k    memory           > 600000      > 4.58 MiB      199 \u00b16        "
		      "   "
		      "726\n",
		      "\n  a walk reads two sets of page tables, the guest's and the host's: this "
		      "is a\n  guest of kvm\n"),
		LINES("4k, tables in"));
	struct fathom_result *result = sample_pages_result();
	set_text(&result->translations[0].walks[0].level, NULL);
	result->translations[0].nested = result->translations[1].nested = false;
	check_lines(write_text(result, &explain),
		    LINES("\n  4k    not known ",
			  "\n  4k, tables in L3: the leaf tables take so much of its reach\n",
			  "\n  4k, TLB 1 (99 % sure): one line a page costs more",
			  "\n  a walk reads one set of page tables: no hypervisor"),
		    LINES("guest of kvm\n  thp"));
}

static void whether_large_pages_are_splintered_is_a_sentence(void **state)
{
	(void)state;
	static const char *const verdicts[] = {
		"\n  thp: not known whether these pages are splintered: from 512",
		"\n  thp: not splintered: from 512 KiB to", "\n  thp: splintered: from 512 KiB to"};
	for (int splintered = -1; splintered <= 1; splintered++) {
		struct fathom_result *result = sample_pages_result();
		result->translations[1].splintered = splintered;
		check_lines(write_text(result, NULL), LINES(verdicts[splintered + 1]), NULL);
	}
}

static void without_a_tlb_or_walk_there_is_no_table_of_them(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	struct fathom_translation *small = &result->translations[0];
	for (size_t i = 0; i < small->walk_count; i++) {
		set_text(&small->walks[i].level, NULL);
		set_text(&small->walks[i].evidence, NULL);
	}
	small->walk_count = 0;
	set_text(&small->walks_missing, "the chains end too soon");
	check_lines(write_text(result, NULL),
		    LINES("\nTLBs,",
			  "\n  4k: the cost of a walk is not known: the chains end too soon\n"),
		    LINES("\npage-walk cost", "thp: the cost of a walk is not known"));
	result = sample_pages_result();
	small = &result->translations[0];
	for (size_t i = 0; i < small->tlb_count; i++)
		set_text(&small->tlbs[i].evidence, NULL);
	small->tlb_count = 0;
	set_text(&small->tlbs_missing, "up to 64 pages it costs no more");
	check_lines(write_text(result, NULL),
		    LINES("\n  4k: no TLB was found: up to 64 pages it costs no more\n"),
		    LINES("\nTLBs,"));
}

/* ---- what is missing ---- */

static void forget_intervals(struct fathom_cost *cost)
{
	cost->low_ns = cost->high_ns = NAN;
}

/* Interrupted before there were six blocks of anything. */
static void results_without_intervals_have_none(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	for (int which = SMALL; which <= PACKED; which++)
		for (size_t i = 0; i < curve_of(result, which)->point_count; i++) {
			struct fathom_point *point = &curve_of(result, which)->points[i];
			point->latency_low_ns = point->latency_high_ns = NAN;
			point->latency_low_cycles = point->latency_high_cycles = NAN;
			point->within_target = false;
		}
	for (size_t i = 0; i < result->decomposition_count; i++) {
		forget_intervals(&result->decompositions[i].total);
		for (int part = 0; part < FATHOM_PART_COUNT; part++)
			forget_intervals(&result->decompositions[i].parts[part]);
		result->page_differences[i].low_ns = result->page_differences[i].high_ns = NAN;
		result->page_differences[i].pairs = i == 6 ? 1 : 0;
	}
	struct fathom_tlb *tlb = &result->translations[0].tlbs[0];
	tlb->penalty_low_ns = tlb->penalty_cycles = tlb->penalty_low_cycles = NAN;
	result->translations[0].walks[0].low_ns = NAN;
	result->interrupted = true;
	check_lines(
		write_text(result, NULL),
		LINES("\n  16 KiB   1.36?          1.36?            0.00\n",
		      "\n  4k    TLB 1        96 (93-100)       384 KiB     1.92               "
		      " -\n",
		      "\n   4 GiB    473          <=310         1.92           161            "
		      "0.08\n",
		      "34 % (1\n  pair of blocks measured side by side, too few for an interval)\n",
		      "\n! interrupted: "),
		LINES("+-nan"));
}

static void points_alone_have_their_table(void **state)
{
	(void)state;
	check_lines(
		write_text(without_conclusions(), NULL),
		LINES("\n    size     4k            thp\n", "\n  16 KiB   1.36 +-0.01    1.36 "),
		LINES("4k - thp", "TLBs,", "page-walk cost", "a walk reads", "parts of",
		      "shares of"));
}

static void sizes_of_which_nothing_is_known_have_no_row(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	for (int which = SMALL; which <= LARGE; which++) {
		struct fathom_point *point = &curve_of(result, which)->points[1];
		point->latency_ns = point->latency_cycles = NAN;
	}
	check_lines(write_text(result, NULL), LINES("\n  16 KiB   1.36 ", "\n   1 MiB   5.90 "),
		    LINES("\n 256 KiB "));
	result = without_conclusions();
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			struct fathom_point *point = &result->curves[i].points[k];
			point->latency_ns = point->latency_cycles = NAN;
		}
	check_lines(write_text(result, NULL), LINES("\n! nothing was measured\n"),
		    LINES("latency of the same chain", "\n    size"));
}

static void chains_of_pages_alone_have_no_table_of_sizes(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	for (int which = SMALL; which <= LARGE; which++)
		for (size_t i = 0; i < curve_of(result, which)->point_count; i++) {
			struct fathom_point *point = &curve_of(result, which)->points[i];
			point->latency_ns = point->latency_cycles = NAN;
		}
	check_lines(write_text(result, NULL), LINES("\nTLBs,", "\npage-walk cost"),
		    LINES("latency of the same chain", "parts of", "shares of"));
}

static void without_a_clock_at_a_size_there_are_no_cycles_of_it(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	for (int which = SMALL; which <= LARGE; which++)
		curve_of(result, which)->points[6].latency_cycles = NAN;
	check_lines(write_text(result, &cycles),
		    LINES("\n  a random access into 1 GiB costs 190 cycles less on thp than on"),
		    LINES("\n   4 GiB "));
}

static void what_lies_within_the_interval_is_no_difference(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	result->page_differences[6].low_ns = -2;
	check_lines(write_text(result, NULL),
		    LINES("\n  a random access into 4 GiB costs the same on thp as on 4k pages, "
			  "within the\n  interval (6 pairs"),
		    LINES("34 %"));
}

static void throughput_is_shown_as_ns(void **state)
{
	(void)state;
	static const struct fathom_style throughput = {.y = FATHOM_Y_THROUGHPUT};
	check_lines(write_text(sample_pages_result(), &throughput),
		    LINES("on each page kind, ns:\n"), NULL);
}

/* What was measured on base pages is also that of one more kind. */
static void add_kind(struct fathom_result *result, enum fathom_page page)
{
	const struct fathom_curve *small = curve_of(result, SMALL);
	struct fathom_curve made = *small, *grown;
	made.points = calloc(made.point_count, sizeof(*made.points));
	for (size_t i = 0; made.points && i < made.point_count; i++) {
		made.points[i] = small->points[i];
		made.points[i].blocks_ns = made.points[i].samples_ns = NULL;
		made.points[i].block_count = made.points[i].sample_count = 0;
		made.points[i].counts = NULL;
		made.points[i].event_count = 0;
		made.points[i].spec.page = page;
	}
	grown = realloc(result->curves, (result->curve_count + 1) * sizeof(*grown));
	assert_true(grown && made.points);
	result->curves = grown;
	grown[result->curve_count++] = made;
}

/* All that there are: what does not go beside the others goes, and that is said. */
static void many_kinds_go_as_far_as_there_is_room(void **state)
{
	(void)state;
	static const char *const headings[] = {
		"    size     4k     thp      2m      1g     16k     32k     64k  4k - thp\n",
		"    size     4k     thp      2m      1g     16k     32k     64k    128k    256k   "
		" 512k"
		"      1m  4k - thp\n"};
	for (int wide = 0; wide < 2; wide++) {
		struct fathom_style style = {.columns = wide ? 120 : 80};
		struct fathom_result *result = sample_pages_result();
		for (int page = FATHOM_PAGE_2M; page < FATHOM_PAGE_UNKNOWN; page++)
			add_kind(result, (enum fathom_page)page);
		check_lines(
			write_text(result, &style),
			LINES(headings[wide], wide ? "" : "  4 more page kinds have no room here"),
			wide ? LINES("no room here") : NULL);
	}
}

static void no_line_is_too_long(void **state)
{
	(void)state;
	for (unsigned columns = 40; columns <= 130; columns += 10)
		for (int way = 0; way < 4; way++) {
			struct fathom_style style = {.columns = columns,
						     .utf8 = way & 1,
						     .explain = true,
						     .y = way & 2 ? FATHOM_Y_CYCLES : FATHOM_Y_NS};
			char *text = write_text(sample_pages_result(), &style), *rest;
			char *levels = strstr(text, "\n  level  "); /* not what is tested here */
			if (columns < 60 && levels)
				*levels = 0;
			for (char *line = strtok_r(text, "\n", &rest); line;
			     line = strtok_r(NULL, "\n", &rest))
				if (utf8_columns(line) > columns)
					fail_msg("over %u columns: '%s'", columns, line);
			free(text);
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(kinds_stand_side_by_side_with_their_difference),
	cmocka_unit_test(the_pages_that_memory_was_measured_on_are_compared),
	cmocka_unit_test(one_row_an_octave_or_every_point),
	cmocka_unit_test(many_kinds_go_as_far_as_there_is_room),
	cmocka_unit_test(one_kind_alone_has_no_difference),
	cmocka_unit_test(what_was_obtained_in_part_is_said),
	cmocka_unit_test(kinds_that_could_not_be_had_are_said_once_and_where_they_belong),
	cmocka_unit_test(each_tlb_has_its_row),
	cmocka_unit_test(a_doubtful_tlb_is_marked),
	cmocka_unit_test(why_there_is_no_chain_is_said_once),
	cmocka_unit_test(walks_are_told_by_where_the_tables_are),
	cmocka_unit_test(whether_large_pages_are_splintered_is_a_sentence),
	cmocka_unit_test(without_a_tlb_or_walk_there_is_no_table_of_them),
	cmocka_unit_test(results_without_intervals_have_none),
	cmocka_unit_test(points_alone_have_their_table),
	cmocka_unit_test(sizes_of_which_nothing_is_known_have_no_row),
	cmocka_unit_test(chains_of_pages_alone_have_no_table_of_sizes),
	cmocka_unit_test(without_a_clock_at_a_size_there_are_no_cycles_of_it),
	cmocka_unit_test(what_lies_within_the_interval_is_no_difference),
	cmocka_unit_test(throughput_is_shown_as_ns),
	cmocka_unit_test(no_line_is_too_long),
};
UNIT_GROUP();
