/* Numbers with units: parse is the inverse of format, and nothing else is let through. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/rng.h"
#include "base/units.h"
#include "unit.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void sizes_read_as_people_write_them(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t bytes;
	} known[] = {
		{"1", 1},
		{"64", 64},
		{"64B", 64},
		{"48K", 48 << 10},
		{"48k", 48 << 10},
		{"4kB", 4096},
		{"48KiB", 48 << 10},
		{"1.5M", 3 << 19},
		{"2GiB", 2ull << 30},
		{"1 MiB", 1 << 20},
		{"0.5K", 512},
		{"3T", 3ull << 40},
		{"1P", 1ull << 50},
		{".5K", 512},
	};
	for (size_t i = 0; i < COUNT(known); i++) {
		uint64_t bytes = 0;
		assert_int_equal(units_parse_size(known[i].text, &bytes, NULL), 0);
		assert_true(bytes == known[i].bytes);
	}
}

static void what_is_no_size_is_refused(void **state)
{
	(void)state;
	static const char *const bad[] = {
		"",     "12Q",   "0",     "0K",  "-1",          "K",      ".",
		"1..5", "1.5.2", "0x10",  "nan", "inf",         "1e3",    " 1",
		"1KK",  "1K ",   "1KiBs", "16E", "9999999999P", "0.0001", "1,5M"};
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct fathom_error error = {0};
		uint64_t bytes = 77;
		assert_int_equal(units_parse_size(bad[i], &bytes, &error), -1);
		assert_true(bytes == 77);
		assert_int_equal(error.status, FATHOM_USAGE);
		assert_non_null(strstr(error.text, bad[i]));
		assert_non_null(error.hint);
		fathom_error_clear(&error);
	}
}

static void exact_size(uint64_t bytes)
{
	char text[UNITS_TEXT_BYTES];
	uint64_t again = 0;
	units_format_size_exact(bytes, text);
	if (units_parse_size(text, &again, NULL) || again != bytes)
		fail_msg("%llu was written as %s and read as %llu", (unsigned long long)bytes, text,
			 (unsigned long long)again);
}

static void exact_sizes_come_back(void **state)
{
	(void)state;
	struct rng rng = rng_make(1);
	for (uint64_t bytes = 1; bytes < 5000; bytes++)
		exact_size(bytes);
	for (unsigned shift = 0; shift < 62; shift++) {
		exact_size(1ull << shift);
		exact_size((1ull << shift) + 1);
		exact_size((1ull << shift) * 2 - 1);
		exact_size((rng_next(&rng) >> 2) >> shift | 1);
		exact_size(((rng_next(&rng) >> 2) >> shift | 1) << (shift / 2) & (INT64_MAX >> 1));
	}
}

static void sizes_for_people(void **state)
{
	(void)state;
	static const struct {
		uint64_t bytes;
		const char *text;
	} known[] = {{10, "10 B"},         {999, "999 B"},
		     {1000, "0.977 KiB"},  {48 << 10, "48 KiB"},
		     {1992294, "1.9 MiB"}, {1116 << 10, "1.09 MiB"},
		     {2 << 20, "2 MiB"},   {480ull << 20, "480 MiB"},
		     {1ull << 30, "1 GiB"}};
	char text[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < COUNT(known); i++)
		assert_string_equal(units_format_size(known[i].bytes, text), known[i].text);
	assert_true(strlen(units_format_size(UINT64_MAX, text)) <= 8);
}

static void durations(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		double seconds;
	} known[] = {{"20s", 20},  {"500ms", 0.5}, {"2m", 120},
		     {"1.5m", 90}, {"2h", 7200},   {"3", 3}};
	static const char *const bad[] = {"", "0", "0s", "-1s", "s", "5x", "1e9h", "5 s", "99999h"};
	double seconds;
	for (size_t i = 0; i < COUNT(known); i++) {
		assert_int_equal(units_parse_duration(known[i].text, &seconds, NULL), 0);
		assert_true(fabs(seconds - known[i].seconds) < 1e-9);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(units_parse_duration(bad[i], &seconds, NULL), -1);
}

static void shares(void **state)
{
	(void)state;
	static const char *const bad[] = {"",   "0",   "1", "100%", "-1%",
					  "0%", "1%%", "x", "2",    "1 %"};
	double share;
	assert_int_equal(units_parse_share("1%", &share, NULL), 0);
	assert_true(fabs(share - 0.01) < 1e-12);
	assert_int_equal(units_parse_share("0.25", &share, NULL), 0);
	assert_true(share == 0.25);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(units_parse_share(bad[i], &share, NULL), -1);
}

static void integers(void **state)
{
	(void)state;
	static const char *const bad[] = {"",    "x",  "1x", "-6",  "100",
					  "1.5", " 1", "+1", "0x1", "99999999999999999999"};
	int64_t value;
	assert_int_equal(units_parse_integer("99", -5, 99, &value, NULL), 0);
	assert_true(value == 99);
	assert_int_equal(units_parse_integer("-5", -5, 99, &value, NULL), 0);
	assert_true(value == -5);
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_int_equal(units_parse_integer(bad[i], -5, 99, &value, NULL), -1);
}

static void numbers_have_three_digits(void **state)
{
	(void)state;
	static const struct {
		double value;
		const char *text;
	} known[] = {{1.349, "1.35"}, {36.12, "36.1"},   {265.4, "265"},
		     {0, "0"},        {0.1624, "0.162"}, {-0.0004, "0"},
		     {9.996, "10.0"}, {99.96, "100"},    {980, "980"}};
	char text[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < COUNT(known); i++)
		assert_string_equal(units_format_number(known[i].value, text), known[i].text);
	assert_string_equal(units_format_number(NAN, text), "-");
	assert_true(strlen(units_format_number(1e300, text)) < UNITS_TEXT_BYTES);
}

static void percents_have_two_digits(void **state)
{
	(void)state;
	static const struct {
		double share;
		const char *text;
	} known[] = {{0.3412, "34 %"},   {0.0149, "1.5 %"},  {0.01, "1 %"},
		     {0.0025, "0.25 %"}, {-0.996, "-100 %"}, {0, "0 %"}};
	char text[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < COUNT(known); i++)
		assert_string_equal(units_format_percent(known[i].share, text), known[i].text);
	assert_string_equal(units_format_percent(NAN, text), "-");
}

static void overlap_is_never_more_than_was_seen(void **state)
{
	(void)state;
	char text[UNITS_TEXT_BYTES];
	assert_string_equal(units_format_overlap(15.99, true, text), "15.9");
	assert_string_equal(units_format_overlap(15.99, false, text), "16.0");
	assert_string_equal(units_format_overlap(4.46, false, text), "4.46");
	assert_string_equal(units_format_overlap(9.97, false, text), "9.97");
	assert_string_equal(units_format_overlap(NAN, true, text), "-");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sizes_read_as_people_write_them),
	cmocka_unit_test(what_is_no_size_is_refused),
	cmocka_unit_test(exact_sizes_come_back),
	cmocka_unit_test(sizes_for_people),
	cmocka_unit_test(durations),
	cmocka_unit_test(shares),
	cmocka_unit_test(integers),
	cmocka_unit_test(numbers_have_three_digits),
	cmocka_unit_test(percents_have_two_digits),
	cmocka_unit_test(overlap_is_never_more_than_was_seen),
};
UNIT_GROUP();
