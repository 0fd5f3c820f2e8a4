/* Text that grows. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "unit.h"

static void grows_and_counts(void **state)
{
	(void)state;
	struct text text = {0};
	for (int i = 0; i < 10000; i++)
		text_add(&text, "%d,", i % 10);
	assert_int_equal(text.length, 20000);
	assert_int_equal(strlen(text.data), 20000);
	assert_false(text.failed);
	char *data = text_take(&text);
	assert_memory_equal(data, "0,1,2,3,4,5,6,7,8,9,0,", 22);
	assert_null(text.data);
	assert_int_equal(text.length, 0);
	free(data);
}

static void keeps_bytes_as_they_are(void **state)
{
	(void)state;
	struct text text = {0};
	text_add_bytes(&text, "a\0b", 3);
	text_add(&text, "%s", "");
	assert_int_equal(text.length, 3);
	assert_memory_equal(text.data, "a\0b\0", 4);
	text_free(&text);
	assert_null(text.data);
}

static void nothing_added_is_an_empty_string(void **state)
{
	(void)state;
	struct text text = {0};
	char *data = text_take(&text);
	assert_string_equal(data, "");
	free(data);
}

static void after_a_failure_nothing_is_added(void **state)
{
	(void)state;
	struct text text = {0};
	text_add(&text, "kept");
	text.failed = true;
	text_add(&text, "lost");
	text_add_bytes(&text, "lost", 4);
	assert_string_equal(text.data, "kept");
	assert_null(text_take(&text));
	assert_null(text.data);
	assert_false(text.failed);
}

static void formats_a_string(void **state)
{
	(void)state;
	char *data = text_format("%s-%03d", "x", 7);
	assert_string_equal(data, "x-007");
	free(data);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(grows_and_counts),
	cmocka_unit_test(keeps_bytes_as_they_are),
	cmocka_unit_test(nothing_added_is_an_empty_string),
	cmocka_unit_test(after_a_failure_nothing_is_added),
	cmocka_unit_test(formats_a_string),
};
UNIT_GROUP();
