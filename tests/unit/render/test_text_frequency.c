/* What a person sees of runs at several clocks. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fathom.h"
#include "samples.h"
#include "unit.h"

static char *shown(bool every_point, bool hz_known)
{
	struct fathom_result *result = sample_clocks_result();
	const struct fathom_style style = {.columns = 80, .every_point = every_point};
	char *text = NULL;
	size_t length;
	if (!hz_known)
		result->clocks[0].hz = result->clocks[1].hz = NAN;
	assert_int_equal(fathom_result_write(result, "text", &style, &text, &length, NULL), 0);
	fathom_result_free(result);
	return text;
}

static void assert_line(const char *text, const char *line)
{
	if (!strstr(text, line))
		fail_msg("'%s' is not in\n%s", line, text);
}

static void test_table_and_sentence(void **state)
{
	char *text = shown(false, true);
	(void)state;
	assert_line(text, "run 2         2 GHz; measured\n");
	assert_line(text, "run 1         4 GHz, 2 times the slowest (1.97 to 2.04); recovered\n");
	assert_line(text, "  memory 128M-512M");
	assert_line(text, "61.0 +-4.3   78.0 +-2.2       108     93.2    1.16 +-0.02\n");
	assert_line(text,
		    "a memory access here spends 61 cycles (57 to 65) in the core's caches before");
	assert_line(text, "and 78 ns (76 to 80) outside");
	assert_null(strstr(text, "~ "));
	free(text);
}

/* No interval is shown where there is none, and no line is longer than asked. */
static void test_what_is_not_known(void **state)
{
	char *text = shown(true, false);
	(void)state;
	assert_line(text, "run 1         2x, 2 times the slowest");
	assert_line(text, "core ns");
	assert_line(text,
		    "of a memory access here, 31 ns (28 to 33) at the slowest clock follow the");
	assert_null(strstr(text, "nan"));
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_in_range(strcspn(line, "\n"), 0, 80);
	free(text);
}

/* Of the sample with another law of memory. */
static char *shown_memory(double outside_ns, double half_ns)
{
	struct fathom_result *result = sample_clocks_result();
	const struct fathom_style style = {.columns = 80};
	struct fathom_clock_law *law = &result->clock_laws[2];
	char *text = NULL;
	size_t length;
	assert_string_equal(law->level, "memory");
	law->outside_ns = outside_ns;
	law->outside_low_ns = outside_ns - half_ns;
	law->outside_high_ns = outside_ns + half_ns;
	assert_int_equal(fathom_result_write(result, "text", &style, &text, &length, NULL), 0);
	fathom_result_free(result);
	return text;
}

static void test_no_sentence_of_less_than_nothing(void **state)
{
	char *below = shown_memory(-20, 5), *may_be_none = shown_memory(-0.2, 5);
	(void)state;
	assert_null(strstr(below, "a memory access here"));
	assert_line(may_be_none, "and 0 ns (-5 to 5) outside");
	free(below);
	free(may_be_none);
}

static void test_rows_that_are_hardly_told(void **state)
{
	char *wide = shown_memory(20, 15), *narrow = shown_memory(0, 4);
	(void)state;
	assert_line(wide, "\n~ memory 128M-512M");
	assert_line(wide, "\n~ poorly determined");
	assert_line(narrow, "\n  memory 128M-512M");
	assert_null(strstr(narrow, "~ "));
	free(wide);
	free(narrow);
}

static void test_nothing_below_zero_reads_zero(void **state)
{
	char *text = shown_memory(-0.004, 0.001);
	(void)state;
	assert_null(strstr(text, " -0.00"));
	free(text);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_table_and_sentence),
	cmocka_unit_test(test_what_is_not_known),
	cmocka_unit_test(test_no_sentence_of_less_than_nothing),
	cmocka_unit_test(test_rows_that_are_hardly_told),
	cmocka_unit_test(test_nothing_below_zero_reads_zero),
};
UNIT_GROUP();
