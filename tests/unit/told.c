#include "told.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "render/formats.h"
#include "samples.h"

char *write_text(struct fathom_result *result, const struct fathom_style *style)
{
	struct text text = {0};
	assert_int_equal(format_find("text")->result(result, style, &text, NULL), 0);
	fathom_result_free(result);
	char *taken = text_take(&text);
	assert_non_null(taken);
	assert_null(strstr(taken, "nan"));
	assert_null(strstr(taken, "inf"));
	assert_null(strstr(taken, "\n\n\n"));
	return taken;
}

void check_lines(char *text, const char *const *wanted, const char *const *unwanted)
{
	for (; wanted && *wanted; wanted++)
		if (!strstr(text, *wanted))
			fail_msg("'%s' is not in\n%s", *wanted, text);
	for (; unwanted && *unwanted; unwanted++)
		if (strstr(text, *unwanted))
			fail_msg("'%s' is in\n%s", *unwanted, text);
	free(text);
}
