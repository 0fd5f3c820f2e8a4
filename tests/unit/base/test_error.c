/* Errors are values: filled, replaced, given back. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "unit.h"

static void holds_status_text_and_hint(void **state)
{
	(void)state;
	struct fathom_error error = {0};
	assert_int_equal(error_set(&error, FATHOM_USAGE, "do that", "bad '%s'", "x"), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_string_equal(error.text, "bad 'x'");
	assert_string_equal(error.hint, "do that");
	fathom_error_clear(&error);
	assert_int_equal(error.status, FATHOM_OK);
	assert_null(error.text);
	assert_null(error.hint);
}

static void nobody_may_want_it(void **state)
{
	(void)state;
	assert_int_equal(error_set(NULL, FATHOM_FAILED, "hint", "text"), -1);
	assert_int_equal(error_no_memory(NULL), -1);
	fathom_error_clear(NULL);
}

static void adds_the_text_of_errno(void **state)
{
	(void)state;
	struct fathom_error error = {0};
	errno = ENOSPC;
	assert_int_equal(error_set_errno(&error, FATHOM_FAILED, NULL, "cannot write '%s'", "f"),
			 -1);
	assert_non_null(strstr(error.text, "cannot write 'f': "));
	assert_non_null(strstr(error.text, strerror(ENOSPC)));
	assert_null(error.hint);
	fathom_error_clear(&error);
}

static void may_be_made_of_the_one_before(void **state)
{
	(void)state;
	struct fathom_error error = {0};
	error_set(&error, FATHOM_BAD_INPUT, "the hint", "the reason");
	error_set(&error, error.status, error.hint, "more: %s", error.text);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	assert_string_equal(error.text, "more: the reason");
	assert_string_equal(error.hint, "the hint");
	fathom_error_clear(&error);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(holds_status_text_and_hint),
	cmocka_unit_test(nobody_may_want_it),
	cmocka_unit_test(adds_the_text_of_errno),
	cmocka_unit_test(may_be_made_of_the_one_before),
};
UNIT_GROUP();
