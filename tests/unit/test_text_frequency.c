/* What a person sees of runs at several clocks. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fathom.h"
#include "samples.h"

static char *shown(bool every_point, bool hz_known)
{
	struct fathom_result *result = sample_clocks_result();
	const struct fathom_style style = {.columns = 80, .every_point = every_point};
	char *text = NULL;
	size_t length;
	if (!hz_known)
		result->clocks[0].hz = result->clocks[1].hz = NAN;
	assert_int_equal(fathom_result_write(result, "text", &style, &text, &length, NULL), 0);
	sample_result_free(result);
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
	assert_line(text, "a memory access here spends 61 cycles in the core's caches before it");
	free(text);
}

/* No interval is shown where there is none, and no line is longer than asked. */
static void test_what_is_not_known(void **state)
{
	char *text = shown(true, false);
	(void)state;
	assert_line(text, "run 1         2x, 2 times the slowest");
	assert_line(text, "core ns");
	assert_line(text, "of a memory access here 30 ns at the slowest clock follow the core's");
	assert_null(strstr(text, "nan"));
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		assert_in_range(strcspn(line, "\n"), 0, 80);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_and_sentence),
		cmocka_unit_test(test_what_is_not_known),
	};
	return cmocka_run_group_tests_name("text_frequency", tests, NULL, NULL);
}
