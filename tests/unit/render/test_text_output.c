/* Text for people, whatever it says: it fits, and nothing in it steers a terminal. */
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
	assert_int_equal(
		format_find("text")->write(&(struct content){CONTENT_RESULT, {.result = result}},
					   style, &text, NULL),
		0);
	fathom_result_free(result);
	return take(&text);
}

static char *write_machine(struct fathom_machine *machine, const struct fathom_style *style)
{
	struct text text = {0};
	assert_int_equal(
		format_find("text")->write(&(struct content){CONTENT_MACHINE, {.machine = machine}},
					   style, &text, NULL),
		0);
	fathom_machine_free(machine);
	return take(&text);
}

static char *write_plan(struct fathom_plan *plan, const struct fathom_style *style)
{
	struct text text = {0};
	assert_int_equal(format_find("text")->write(&(struct content){CONTENT_PLAN, {.plan = plan}},
						    style, &text, NULL),
			 0);
	fathom_plan_free(plan);
	return take(&text);
}

static void check_has(const char *text, const char *wanted)
{
	if (!strstr(text, wanted))
		fail_msg("'%s' is not in\n%s", wanted, text ? text : "");
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
				check_width(write_result(sample_parallelism_result(), &style),
					    columns);
				check_width(write_result(sample_pages_result(), &style), columns);
				check_width(write_machine(sample_machine(), &style), columns);
				check_width(write_machine(sample_unknown_machine(), &style),
					    columns);
				check_width(write_plan(sample_plan(), &style), columns);
			}
	check_width(write_result(sample_result(20), NULL), 80);
}

/* The longest word of the conditions takes 48 columns with its indent. */
static void columns_without_room_go_below(void **state)
{
	(void)state;
	for (unsigned columns = 40; columns <= 80; columns++) {
		struct fathom_style style = {.columns = columns};
		check_width(write_machine(sample_unknown_machine(), &style), columns);
		if (columns >= 48)
			check_width(write_machine(sample_machine(), &style), columns);
	}
	struct fathom_style style = {.columns = 52};
	char *text = write_machine(sample_machine(), &style);
	check_has(text, "\n  caches  kind            size  line  ways\n");
	check_has(text, "\n  caches  shared by\n  L1      2 CPUs\n");
	free(text);
	style.columns = 53;
	text = write_machine(sample_machine(), &style);
	check_has(text, "\n  caches  kind            size  line  ways  shared by\n");
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
	struct fathom_style style = {.columns = 40};
	char *text = write_result(sample_result(20), &style);
	check_has(text, "\n    1 KiB  1.36 ns  +-0.01    4.96\n");
	free(text);
	style.columns = 41;
	text = write_result(sample_result(20), &style);
	check_has(text, "\n    1 KiB  1.36 ns  +-0.01    4.96 +-0.02\n");
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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(no_line_is_too_long),
	cmocka_unit_test(columns_without_room_go_below),
	cmocka_unit_test(a_number_keeps_its_unit),
	cmocka_unit_test(a_narrow_table_keeps_what_fits),
	cmocka_unit_test(outside_text_is_harmless),
};
UNIT_GROUP();
