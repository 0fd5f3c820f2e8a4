/* What is written of a comparison. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fathom.h"
#include "unit.h"

static char l2[] = "L2", long_name[] = "random_cycle, 4k pages, nodes of 64 B, 1 lane, 8 KiB",
	    clock_name[] = "core clock", memory[] = "memory", run_name[] = "b.json",
	    base_name[] = "a.json", why[] = "from 12 sizes in this level",
	    hostile[] = "x\033[31m\n\"y";

static struct fathom_compared_part parts[] = {
	{.name = l2,
	 .quantity = FATHOM_QUANTITY_CYCLES,
	 .baseline = 14,
	 .value = 15.4,
	 .speedup = 1 / 1.1,
	 .speedup_low = 1 / 1.12,
	 .speedup_high = 1 / 1.08,
	 .probability = 1e-4,
	 .visible = 0.03,
	 .points = 12,
	 .verdict = FATHOM_SLOWER,
	 .evidence = why},
	{.name = memory,
	 .baseline = 90,
	 .value = 91,
	 .speedup = 0.989,
	 .speedup_low = 0.9,
	 .speedup_high = 1.1,
	 .probability = 0.8,
	 .visible = 0.12,
	 .points = 3,
	 .verdict = FATHOM_VERDICT_UNKNOWN,
	 .evidence = why},
	{.name = clock_name,
	 .quantity = FATHOM_QUANTITY_HZ,
	 .baseline = 3.6e9,
	 .value = 3.6e9,
	 .speedup = 1,
	 .speedup_low = 0.99,
	 .speedup_high = 1.01,
	 .probability = NAN,
	 .visible = NAN,
	 .verdict = FATHOM_SAME,
	 .evidence = why},
};
static struct fathom_compared_point points[] = {
	{.spec = {.size_bytes = 1024, .node_bytes = 64},
	 .baseline = 1,
	 .value = 1.1,
	 .speedup = 1 / 1.1,
	 .speedup_low = NAN,
	 .speedup_high = NAN},
	{.spec = {.size_bytes = 4096, .node_bytes = 64},
	 .baseline = 2,
	 .value = 1.8,
	 .speedup = 1.11,
	 .speedup_low = 1.1,
	 .speedup_high = 1.12},
	{.spec = {.size_bytes = 65536, .node_bytes = 64},
	 .baseline = 2,
	 .value = 2,
	 .speedup = 1,
	 .speedup_low = 0.9,
	 .speedup_high = 1.1},
};
static char *baselines[] = {base_name};
static struct fathom_compared_run run = {run_name, parts, 3, points, 3, false, true};
static const struct fathom_comparison comparison = {.baselines = baselines,
						    .baseline_count = 1,
						    .threshold = 0.02,
						    .runs = &run,
						    .run_count = 1};

static char *write_as(const char *format, const struct fathom_style *style)
{
	char *text;
	size_t length;
	assert_int_equal(fathom_comparison_write(&comparison, format, style, &text, &length, NULL),
			 0);
	assert_int_equal(strlen(text), length);
	return text;
}

static void holds(const char *text, const char *words)
{
	if (!strstr(text, words))
		fail_msg("'%s' is not in\n%s", words, text);
}

static void a_difference_is_a_sentence_with_its_interval(void **state)
{
	const struct fathom_style style = {.columns = 200};
	char *text = write_as("text", &style);
	(void)state;
	holds(text, "b.json against a.json\n");
	holds(text, "! L2 is 10 % slower (95 %: 8 to 12 %); from 12 sizes in this level\n");
	holds(text, "memory: no difference found, but one below 12 % would not be detected");
	holds(text, "core clock is the same");
	parts[1].name = long_name;
	char *longer = write_as("text", &style);
	parts[1].name = memory;
	holds(longer, "\nrandom_cycle, 4k pages, nodes of 64 B, 1 lane, 8 KiB\n    ");
	free(longer);
	holds(text, "14.0 cycles");
	holds(text, "3.60 GHz");
	holds(text, "speed-up");
	free(text);
}

static void lines_keep_to_the_width_in_plain_ascii(void **state)
{
	(void)state;
	for (unsigned columns = 60; columns <= 120; columns += 20) {
		const struct fathom_style style = {.columns = columns};
		char *text = write_as("text", &style);
		for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
			assert_in_range(strcspn(line, "\n"), 0, columns < 80 ? 80 : columns);
		for (const char *c = text; *c; c++)
			assert_in_range(*c, '\n', '~');
		free(text);
	}
}

static void the_table_has_a_row_for_each_part_and_point(void **state)
{
	char *text = write_as("csv", NULL);
	size_t lines = 0, commas = 0;
	(void)state;
	for (const char *c = text; *c; c++)
		lines += *c == '\n';
	for (const char *c = text; *c != '\n'; c++)
		commas += *c == ',';
	assert_int_equal(lines, 1 + 3 + 3);
	assert_int_equal(commas, 20);
	holds(text, "\"b.json\",part,\"L2\",");
	holds(text, ",slower,12,\"from 12 sizes in this level\"\r\n");
	holds(text, "\"b.json\",point,,random_cycle,default,1024,64,");
	free(text);
}

static void names_from_outside_stay_text(void **state)
{
	(void)state;
	run.name = hostile;
	char *text = write_as("text", NULL), *csv = write_as("csv", NULL),
	     *json = write_as("json", NULL);
	run.name = run_name;
	assert_null(strchr(text, '\033'));
	assert_null(strchr(csv, '\033'));
	holds(csv, "\"x\\x1b[31m\\x0a\"\"y\"");
	holds(json, "\\\"y\"");
	free(text);
	free(csv);
	free(json);
}

/* A spreadsheet runs them, quoted or not. */
static void names_are_no_formulas(void **state)
{
	static const char *const names[] = {"=cmd|calc.json", "+1", "-1", "@sum", "\t=1", "a=b"},
				 *const cells[] = {"\r\n\"'=cmd|calc.json\",part",
						   "\r\n\"'+1\",",
						   "\r\n\"'-1\",",
						   "\r\n\"'@sum\",",
						   "\r\n\"\\x09=1\",",
						   "\r\n\"a=b\","};
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		char *name = strdup(names[i]);
		run.name = name;
		char *csv = write_as("csv", NULL);
		run.name = run_name;
		holds(csv, cells[i]);
		free(csv);
		free(name);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_difference_is_a_sentence_with_its_interval),
	cmocka_unit_test(lines_keep_to_the_width_in_plain_ascii),
	cmocka_unit_test(the_table_has_a_row_for_each_part_and_point),
	cmocka_unit_test(names_from_outside_stay_text),
	cmocka_unit_test(names_are_no_formulas),
};
UNIT_GROUP();
