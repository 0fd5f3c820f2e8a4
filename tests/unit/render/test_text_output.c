/* Text for people: widths, marks, reasons, and nothing in it that steers a terminal. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "base/warnings.h"
#include "render/formats.h"
#include "samples.h"
#include "unit.h"
#include "views/rounding.h"

static char *take(struct text *text)
{
	char *taken = text_take(text);
	if (!taken)
		abort();
	return taken;
}

/* Takes the result, as the next ones take what they write. */
static char *write_result(struct fathom_result *result, const struct fathom_style *style)
{
	struct text text = {0};
	assert_int_equal(format_find("text")->result(result, style, &text, NULL), 0);
	fathom_result_free(result);
	return take(&text);
}

static char *write_machine(struct fathom_machine *machine, const struct fathom_style *style)
{
	struct text text = {0};
	assert_int_equal(format_find("text")->machine(machine, style, &text, NULL), 0);
	fathom_machine_free(machine);
	return take(&text);
}

static char *write_plan(struct fathom_plan *plan, const struct fathom_style *style)
{
	struct text text = {0};
	assert_int_equal(format_find("text")->plan(plan, style, &text, NULL), 0);
	fathom_plan_free(plan);
	return take(&text);
}

static void check_has(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("'%s' is not in\n%s", wanted, text ? text : "");
}

static void check_has_not(const char *text, const char *unwanted)
{
	if (strstr(text, unwanted))
		fail_msg("'%s' is in\n%s", unwanted, text ? text : "");
}

/* Frees it. */
static void check_width(char *text, size_t columns)
{
	char *rest;
	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t length = strlen(line);
		if (utf8_columns(line) > columns)
			fail_msg("over %zu columns: '%s'", columns, line);
		if (length && line[length - 1] == ' ')
			fail_msg("blanks at the end of '%s'", line);
	}
	free(text);
}

/* Only line breaks, and what people read. Frees it. */
static void check_harmless(char *text, bool utf8)
{
	uint32_t code;
	for (const char *at = text; *at; at += utf8_next(at, &code)) {
		utf8_next(at, &code);
		if (code != '\n' &&
		    (code < 0x20 || code == 0x7F || code == UTF8_INVALID ||
		     (code >= 0x80 && code < 0xA0) || code == 0x202E || (!utf8 && code >= 0x80)))
			fail_msg("U+%04x in\n%s", code, text);
	}
	free(text);
}

static int count_lines(const char *text, const char *with)
{
	int count = 0;
	for (const char *at = text; (at = strstr(at, with)); at += strlen(with))
		count++;
	return count;
}

static void no_line_is_too_long(void **state)
{
	(void)state;
	for (unsigned columns = 70; columns <= 130; columns += 10)
		for (int utf8 = 0; utf8 < 2; utf8++)
			for (int y = FATHOM_Y_NS; y <= FATHOM_Y_THROUGHPUT; y++) {
				struct fathom_style style = {
					.columns = columns, .utf8 = utf8, .y = (enum fathom_y)y};
				check_width(write_result(sample_result(20), &style), columns);
				check_width(write_result(sample_poor_result(), &style), columns);
				check_width(write_result(sample_levels_result(), &style), columns);
				check_width(write_result(sample_foreign_result(), &style), columns);
				check_width(write_result(sample_cycles_result(), &style), columns);
				check_width(write_machine(sample_machine(), &style), columns);
				check_width(write_machine(sample_unknown_machine(), &style),
					    columns);
				check_width(write_plan(sample_plan(), &style), columns);
			}
	check_width(write_result(sample_result(20), NULL), 80);
}

/* The longest word of the conditions takes 48 columns with its indent. */
static void a_narrow_machine_has_its_caches_in_words(void **state)
{
	(void)state;
	for (unsigned columns = 40; columns <= 80; columns++) {
		struct fathom_style style = {.columns = columns};
		check_width(write_machine(sample_unknown_machine(), &style), columns);
		if (columns >= 48)
			check_width(write_machine(sample_machine(), &style), columns);
	}
	struct fathom_style style = {.columns = 67};
	char *text = write_machine(sample_machine(), &style);
	check_has(text, "\n  caches: level, kind, size, line, ways, shared by\n"
			"  L1: data, 48 KiB, 64 B, 12, 2 CPUs\n  L1: instruction, 32 KiB");
	free(text);
	style.columns = 68;
	text = write_machine(sample_machine(), &style);
	check_has(text, "\ncaches        level  kind ");
	free(text);
}

static void a_number_keeps_its_unit(void **state)
{
	(void)state;
	struct fathom_style style = {.columns = 40};
	struct fathom_result *result = sample_empty_result();
	warnings_add(&result->warnings, "test", NULL, NULL,
		     "what is said of it ends at the size 16 MiB, and is off there by -45 %%. It "
		     "has words after 3 of them");
	char *text = write_result(result, &style);
	check_has(text, "ends at the size\n  16 MiB, and is off there by -45 %. It\n");
	free(text);
}

static void a_narrow_table_keeps_what_fits(void **state)
{
	(void)state;
	for (unsigned columns = 20; columns <= 70; columns++)
		for (int y = FATHOM_Y_NS; y <= FATHOM_Y_THROUGHPUT; y++) {
			struct fathom_style style = {.columns = columns, .y = (enum fathom_y)y};
			unsigned width = columns < 40 ? 40 : columns;
			struct fathom_result *mixed = sample_result(2);
			mixed->curves[0].points[8].page_share = 0.5;
			check_width(write_result(mixed, &style), width);
			check_width(write_result(sample_result(20), &style), width);
			check_width(write_result(sample_poor_result(), &style), width);
			check_width(write_result(sample_levels_result(), &style), width);
			check_width(write_result(sample_foreign_result(), &style), width);
			check_width(write_plan(sample_plan(), &style), width);
		}
	struct fathom_style style = {.columns = 43};
	char *text = write_result(sample_result(20), &style);
	check_has(text, "\n     1 KiB    1.36 ns  +-0.01\n");
	free(text);
	style.columns = 44;
	text = write_result(sample_result(20), &style);
	check_has(text, "\n     1 KiB    1.36 ns  +-0.01           4.96\n");
	free(text);
}

static void an_unknown_limit_is_told(void **state)
{
	(void)state;
	struct fathom_machine *machine = sample_unknown_machine();
	machine->limit_bytes = UINT64_MAX;
	char *text = write_machine(machine, NULL);
	check_has(text, "\nmost at once  unknown\n");
	free(text);
}

static void outside_text_is_harmless(void **state)
{
	(void)state;
	for (int utf8 = 0; utf8 < 2; utf8++) {
		struct fathom_style style = {.utf8 = utf8};
		check_harmless(write_result(sample_hostile_result(), &style), utf8);
		check_harmless(write_machine(sample_hostile_machine(), &style), utf8);
		check_harmless(write_result(sample_result(20), &style), utf8);
		check_harmless(write_result(sample_levels_result(), &style), utf8);
		check_harmless(write_result(sample_foreign_result(), &style), utf8);
		check_harmless(write_machine(sample_machine(), &style), utf8);
		struct fathom_plan *plan = sample_plan();
		free(plan->machine);
		plan->machine = strdup("sim:\033[2J\n\xFF\xC2\x9B");
		check_harmless(write_plan(plan, &style), utf8);
	}
}

static void a_row_an_octave(void **state)
{
	(void)state;
	struct fathom_style style = {.utf8 = true};
	char *text = write_result(sample_result(20), &style);
	assert_int_equal(count_lines(text, " ns  "), 21);
	check_has(text, "\n     1 KiB    1.36 ns  \u00b10.01            4.96\n");
	check_has(text, "\n     1 GiB     256 ns  \u00b18      ~         936\n");
	free(text);
	style.every_point = true;
	text = write_result(sample_result(20), &style);
	assert_int_equal(count_lines(text, " ns  "), 161);
	check_has(text, "\n  1.06 KiB ");
	free(text);
}

static void how_far_memory_moved_is_told_beside_it(void **state)
{
	(void)state;
	static const char words[] = "\n  memory: between 250 and 383 ns from block to block";
	struct fathom_style style = {.utf8 = true};
	for (int moved = 0; moved < 2; moved++) {
		struct fathom_result *result = sample_levels_result();
		struct fathom_curve *curve = &result->curves[0];
		struct fathom_point *point = &curve->points[curve->point_count - 1];
		for (size_t k = 0; k < point->block_count; k++)
			point->blocks_ns[k] = 250;
		point->blocks_ns[point->block_count - 1] = moved ? 383 : 260;
		char *text = write_result(result, &style);
		if (moved)
			check_has(text, words);
		else
			check_has_not(text, "\n  memory: between");
		free(text);
	}
}

static void quality_is_told(void **state)
{
	(void)state;
	struct fathom_style style = {.utf8 = true};
	char *text = write_result(sample_result(20), &style);
	check_has(text, "\n113 of 161 points meet the target of \u00b11 %; ~ marks wider");
	check_has(text, "\n113 of 2045 samples rejected (steal: 80, clock: 33)\n");
	check_has_not(text, "? marks");
	check_has_not(text, "nterrupted");
	check_has(text, "\n! 64 MiB: the core clock varied");
	check_has(text, "\n  -> fix the frequency");
	free(text);
	text = write_result(sample_result(2), &style);
	check_has(text, "\n17 of 17 points meet the target");
	check_has_not(text, "~");
	free(text);
}

static void what_is_missing_is_told(void **state)
{
	(void)state;
	struct fathom_style style = {.utf8 = true, .y = FATHOM_Y_CYCLES};
	char *text = write_result(sample_poor_result(), &style);
	check_has(text, "ns per hop"); /* for want of cycles */
	check_has(text, "\nno cycles: no probe: the additions \u2265 2 cycles\n");
	check_has_not(text, "cycles\n     1 KiB");
	check_has(text, "\n     2 KiB          -              not measured\n");
	check_has(text, "(obtained: unknown)");
	check_has(text, "\n0 of 24 points");
	check_has(text, "; ? marks those with too few blocks");
	check_has_not(text, "~");
	check_has(text, "\n! interrupted: ");
	check_has_not(text, "nan");
	free(text);
}

static void nothing_measured_is_told(void **state)
{
	(void)state;
	struct fathom_style style = {.utf8 = true};
	char *text = write_result(sample_empty_result(), &style);
	check_has(text, "\n! nothing was measured\n");
	free(text);
	text = write_result(sample_hostile_result(), &style); /* one point, not measured */
	check_has(text, "\n! nothing was measured\n");
	check_has(text, "-              not measured\n");
	free(text);
}

static void one_point(void **state)
{
	(void)state;
	char *text = write_result(sample_result(0), &(struct fathom_style){.utf8 = true});
	check_has(text, "\n1 of 1 points meet the target");
	check_has(text, "\n     1 KiB    1.36 ns");
	free(text);
}

static void every_y_has_its_column(void **state)
{
	(void)state;
	struct fathom_style style = {.y = FATHOM_Y_CYCLES};
	char *text = write_result(sample_result(3), &style);
	check_has(text, "cycles per hop\n");
	check_has(text, "\n     1 KiB       4.96  +-0.02        1.36 ns\n");
	free(text);
	style.y = FATHOM_Y_THROUGHPUT;
	text = write_result(sample_result(3), &style);
	check_has(text, "hops per second\n");
	check_has(text, "\n     1 KiB      735 M  +-3           1.36 ns       4.96\n");
	free(text);
}

static void pages_that_differ_are_noted(void **state)
{
	(void)state;
	struct fathom_style style = {0};
	struct fathom_result *result = sample_result(2);
	result->curves[0].points[8].page_bytes = 2 << 20;
	result->curves[0].points[16].page_bytes = 2 << 20;
	result->curves[0].points[16].page_share = 0.8;
	char *text = write_result(result, &style);
	check_has(text, "(obtained: mixed)");
	check_has(text, "4.96  4 KiB pages\n");
	check_has(text, "4.96  2 MiB pages\n");
	check_has(text, "4.97  80 % 2 MiB pages\n");
	free(text);
	result = sample_result(2);
	result->curves[0].points[8].page_share = 0.5;
	text = write_result(result, &style);
	check_has(text, "(obtained: mixed)");
	check_has(text, "4.96  50 % 4 KiB pages\n");
	free(text);
	text = write_result(sample_result(2), &style);
	check_has(text, "(obtained: 4 KiB)");
	check_has_not(text, "KiB pages\n");
	free(text);
}

static void color_only_when_asked(void **state)
{
	(void)state;
	struct fathom_style style = {.color = true};
	char *text = write_result(sample_result(20), &style);
	check_has(text, "\033[33m! \033[0m64 MiB");
	check_has(text, "\033[33m~\033[0m");
	free(text);
	style.color = false;
	text = write_result(sample_result(20), &style);
	check_has_not(text, "\033");
	free(text);
}

static void machine_facts(void **state)
{
	(void)state;
	struct fathom_style style = {.utf8 = true};
	char *text = write_machine(sample_machine(), &style);
	check_has(text, "CPU           Example(R) Processor 9000 @ 2.70GHz (x86_64)\n");
	check_has(text, "hypervisor    kvm\n");
	check_has(text, "container     none detected\n");
	check_has(text, "\n              L1     data         48 KiB    64 B     12    2 CPUs\n");
	check_has(text, "\n              L3     unified      480 MiB   64 B     -     1 CPU\n");
	check_has(text, "page pools    2 MiB: 1 of 4 free\n");
	check_has(text, "\nWhat limits or disturbs measurements here:\n! no hardware");
	check_has(text, "\n  -> echo always > /sys/kernel/mm/transparent_hugepage/enabled\n");
	free(text);
	text = write_machine(sample_unknown_machine(), &style);
	check_has(text, "CPU           unknown (unknown)\n");
	check_has(text, "caches        unknown\n");
	check_has(text, "memory        unknown, available now: unknown\n");
	check_has(text, "boost unknown\n");
	check_has(text, "\nNothing was found");
	free(text);
}

static void plan_facts(void **state)
{
	(void)state;
	struct fathom_style style = {.utf8 = true};
	char *text = write_plan(sample_plan(), &style);
	check_has(text, "latency against size on sim:l1=48K,l2=2M, CPU 1\n");
	check_has(text, "pattern       random_cycle, nodes of 64 B, pointer links\n");
	check_has(text, "seed          0xffffffffffffffff\n");
	check_has(text, "memory        1 TiB will be mapped\n");
	check_has(text, "sizes         161, from 1 KiB to 1 GiB; beyond 64 MiB only");
	check_has(text, " 1K 1.06K 1.19K ");
	check_has(text, " 939M 1G\n");
	check_has(text, "with it       random_laps, 4 different laps, nodes of 64 B");
	check_has(text, "control       window of 64 KiB, nodes of 64 B");
	free(text);
	struct fathom_plan *plan = sample_plan();
	plan->spec_count = 0;
	text = write_plan(plan, &style);
	check_has(text, "sizes         none\n");
	free(text);
}

static void sizes_have_three_digits(void **state)
{
	(void)state;
	static const struct {
		uint64_t bytes;
		const char *full, *brief;
	} sizes[] = {{1, "1 B", "1"},
		     {999, "999 B", "999"},
		     {1000, "0.98 KiB", "0.98K"},
		     {1024, "1 KiB", "1K"},
		     {1116, "1.09 KiB", "1.09K"},
		     {10 * 1024, "10 KiB", "10K"},
		     {100 * 1024, "100 KiB", "100K"},
		     {1536 << 10, "1.5 MiB", "1.5M"},
		     {UINT64_MAX, "16 EiB", "16E"}};
	char text[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_string_equal(rounding_size(sizes[i].bytes, false, text), sizes[i].full);
		assert_string_equal(rounding_size(sizes[i].bytes, true, text), sizes[i].brief);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(no_line_is_too_long),
	cmocka_unit_test(a_narrow_machine_has_its_caches_in_words),
	cmocka_unit_test(a_number_keeps_its_unit),
	cmocka_unit_test(a_narrow_table_keeps_what_fits),
	cmocka_unit_test(an_unknown_limit_is_told),
	cmocka_unit_test(outside_text_is_harmless),
	cmocka_unit_test(a_row_an_octave),
	cmocka_unit_test(how_far_memory_moved_is_told_beside_it),
	cmocka_unit_test(quality_is_told),
	cmocka_unit_test(what_is_missing_is_told),
	cmocka_unit_test(nothing_measured_is_told),
	cmocka_unit_test(one_point),
	cmocka_unit_test(every_y_has_its_column),
	cmocka_unit_test(pages_that_differ_are_noted),
	cmocka_unit_test(color_only_when_asked),
	cmocka_unit_test(machine_facts),
	cmocka_unit_test(plan_facts),
	cmocka_unit_test(sizes_have_three_digits),
};
UNIT_GROUP();
