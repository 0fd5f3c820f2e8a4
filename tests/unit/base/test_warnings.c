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

/* Of the same trouble in several parts of a survey one line, with the count of each. */
static void the_same_of_several_places_is_joined(void **state)
{
	(void)state;
	static const char lost[] = "%d of %d points are left out: no time";
	struct fathom_warnings warnings = {0}, joined = {0};
	warnings_add(&warnings, "lost", "pages", "wait", lost, 26, 359);
	warnings_add(&warnings, "clock", "pages", NULL, "it varied by 3 %%");
	warnings_add(&warnings, "lost", "patterns", "wait", lost, 1, 21);
	warnings_add(&warnings, "lost", NULL, "wait", lost, 2, 9);
	warnings_add(&warnings, "lost", "cores", "hurry", lost, 2, 9);
	warnings_add(&warnings, "clock", "cores", NULL, "it varied by 4 %%");
	warnings_note(&warnings, "cliff", "4 MiB", NULL, "a cache ends there");
	warnings_note(&warnings, "cliff", "8 MiB", NULL, "a cache ends there");
	assert_int_equal(warnings_join(&warnings, &joined), 0);
	assert_int_equal(joined.count, 6);
	assert_string_equal(joined.items[0].text,
			    "points are left out: no time (pages: 26 of 359, patterns: 1 of 21)");
	assert_string_equal(joined.items[0].hint, "wait");
	assert_null(joined.items[0].where);
	assert_string_equal(joined.items[1].text, "it varied by 3 %");
	assert_string_equal(joined.items[2].text, "2 of 9 points are left out: no time");
	assert_string_equal(joined.items[3].where, "cores");
	assert_string_equal(joined.items[5].where, "4 MiB, 8 MiB");
	assert_string_equal(joined.items[5].text, "a cache ends there");
	assert_true(joined.items[5].note);
	warnings_free(&warnings);
	warnings_free(&joined);
}

/* Else a number may be a part of what is said. */
static void a_count_stands_before_a_noun(void **state)
{
	(void)state;
	struct fathom_warnings warnings = {0}, joined = {0};
	warnings_add(&warnings, "a", "pages", NULL, "3 %% too much");
	warnings_add(&warnings, "a", "cores", NULL, "4 %% too much");
	warnings_add(&warnings, "b", "pages", NULL, "2.5 s over");
	warnings_add(&warnings, "b", "cores", NULL, "2.6 s over");
	warnings_add(&warnings, "c", "pages", NULL, "4 blocks had none");
	warnings_add(&warnings, "c", "cores", NULL, "5 blocks had none");
	assert_int_equal(warnings_join(&warnings, &joined), 0);
	assert_int_equal(joined.count, 5);
	assert_string_equal(joined.items[4].text, "blocks had none (pages: 4, cores: 5)");
	warnings_free(&warnings);
	warnings_free(&joined);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(copies_what_it_is_given),
	cmocka_unit_test(the_same_one_is_added_once),
	cmocka_unit_test(a_note_says_that_it_is_one),
	cmocka_unit_test(what_is_found_again_replaces),
	cmocka_unit_test(the_same_of_several_places_is_joined),
	cmocka_unit_test(a_count_stands_before_a_noun),
};
UNIT_GROUP();
