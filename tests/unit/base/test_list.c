/* Lists of CPUs, to text and back. */
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "unit.h"

static void cpus_make_ranges(void **state)
{
	static const int cpus[] = {0, 1, 2, 5, 8, 9, 4095};
	struct text text = {0};
	(void)state;
	cpu_list_add(&text, cpus, sizeof(cpus) / sizeof(*cpus));
	assert_string_equal(text.data, "0-2,5,8-9,4095");
	text_free(&text);
}

static void ranges_come_back(void **state)
{
	static const int ranges[][2] = {{0, 2}, {5, 5}, {8, 9}, {4095, 4095}};
	const char *at = "0-2,5,8-9,4095";
	int low, high;
	(void)state;
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		assert_true(cpu_list_next(&at, &low, &high));
		assert_int_equal(low, ranges[i][0]);
		assert_int_equal(high, ranges[i][1]);
	}
	assert_int_equal(*at, 0);
	assert_false(cpu_list_next(&at, &low, &high));
}

static void what_is_no_list_ends_it(void **state)
{
	static const char *const texts[] = {
		"x",    "-1",   "1-",     "3-1",  "1,",
		"1,,2", "8192", "0-9999", "1 ,2", "99999999999999999999"};
	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		const char *at = texts[i];
		int low, high;
		while (*at && cpu_list_next(&at, &low, &high))
			continue;
		assert_int_not_equal(*at, 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(cpus_make_ranges),
	cmocka_unit_test(ranges_come_back),
	cmocka_unit_test(what_is_no_list_ends_it),
};
UNIT_GROUP();
