/* Lists of warnings: copied, each one once. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/warnings.h"
#include "unit.h"

static void copies_what_it_is_given(void **state)
{
	(void)state;
	struct fathom_warnings warnings = {0};
	char id[] = "no-pmu", hint[] = "do that";
	assert_int_equal(warnings_add(&warnings, id, NULL, hint, "only %d", 3), 0);
	memset(id, 'x', 2);
	memset(hint, 'x', 2);
	assert_int_equal(warnings.count, 1);
	assert_string_equal(warnings.items[0].id, "no-pmu");
	assert_string_equal(warnings.items[0].hint, "do that");
	assert_string_equal(warnings.items[0].text, "only 3");
	assert_null(warnings.items[0].where);
	warnings_free(&warnings);
	assert_int_equal(warnings.count, 0);
	assert_null(warnings.items);
}

static void the_same_one_is_added_once(void **state)
{
	(void)state;
	struct fathom_warnings warnings = {0};
	warnings_add(&warnings, "a", NULL, NULL, "first");
	warnings_add(&warnings, "a", NULL, NULL, "second");
	warnings_add(&warnings, "a", "64 MiB", NULL, "elsewhere");
	warnings_add(&warnings, "a", "64 MiB", NULL, "again");
	warnings_add(&warnings, "b", NULL, NULL, "another");
	assert_int_equal(warnings.count, 3);
	assert_string_equal(warnings.items[0].text, "first");
	assert_string_equal(warnings.items[1].where, "64 MiB");
	assert_string_equal(warnings.items[2].id, "b");
	warnings_free(&warnings);
}

static void what_is_found_again_replaces(void **state)
{
	(void)state;
	struct fathom_warnings warnings = {0};
	warnings_remove(&warnings, "a");
	warnings_add(&warnings, "a", NULL, "hint", "first");
	warnings_add(&warnings, "b", NULL, NULL, "another");
	warnings_add(&warnings, "a", "64 MiB", NULL, "elsewhere");
	warnings_remove(&warnings, "a");
	assert_int_equal(warnings.count, 1);
	assert_string_equal(warnings.items[0].id, "b");
	warnings_add(&warnings, "a", NULL, NULL, "anew");
	assert_int_equal(warnings.count, 2);
	assert_string_equal(warnings.items[1].text, "anew");
	warnings_free(&warnings);
}

static void a_note_says_that_it_is_one(void **state)
{
	(void)state;
	struct fathom_warnings warnings = {0}, others = {0};
	warnings_note(&warnings, "a", "2m", "grant some", "%d are missing", 2);
	warnings_add(&warnings, "b", NULL, NULL, "wrong");
	warnings_add(&warnings, "a", "2m", NULL, "again");
	assert_int_equal(warnings.count, 2);
	assert_true(warnings.items[0].note && !warnings.items[1].note);
	for (size_t i = 0; i < 2; i++)
		for (int twice = 0; twice < 2; twice++)
			assert_int_equal(warnings_copy(&others, &warnings.items[i], "pages"), 0);
	assert_int_equal(others.count, 2);
	assert_true(others.items[0].note && !others.items[1].note);
	assert_string_equal(others.items[0].text, "2 are missing");
	assert_string_equal(others.items[0].hint, "grant some");
	assert_string_equal(others.items[0].where, "2m");
	assert_string_equal(others.items[1].where, "pages");
	warnings_free(&warnings);
	warnings_free(&others);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(copies_what_it_is_given),
	cmocka_unit_test(the_same_one_is_added_once),
	cmocka_unit_test(a_note_says_that_it_is_one),
	cmocka_unit_test(what_is_found_again_replaces),
};
UNIT_GROUP();
