/* How many digits of a size are shown. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "unit.h"
#include "views/rounding.h"

static void sizes_have_three_digits(void **state)
{
	(void)state;
	static const struct {
		uint64_t bytes;
		const char *full, *brief;
	} sizes[] = {{1, "1 B", "1"},
		     {999, "999 B", "999"},
		     {1000, "0.977 KiB", "0.977K"},
		     {1024, "1 KiB", "1K"},
		     {1116, "1.09 KiB", "1.09K"},
		     {10 * 1024, "10 KiB", "10K"},
		     {100 * 1024, "100 KiB", "100K"},
		     {1536 << 10, "1.5 MiB", "1.5M"},
		     {UINT64_MAX, "16 EiB", "16E"}};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		assert_string_equal(rounding_size(sizes[i].bytes).text, sizes[i].full);
		assert_string_equal(rounding_brief_size(sizes[i].bytes).text, sizes[i].brief);
	}
}

static void a_range_has_two_digits(void **state)
{
	(void)state;
	static const struct {
		double low, high;
		const char *range;
	} ranges[] = {{1.84e6, 2.2e6, "1.7\u20132.1 MiB"},
		      {46 << 10, 63 << 10, "46\u201363 KiB"},
		      {900 << 10, 1200 << 10, "0.87\u20131.2 MiB"},
		      {1, 900, "1.0\u2013900 B"},
		      {-INFINITY, INFINITY, "0.00\u201316 EiB"}};
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++)
		assert_string_equal(rounding_sizes(ranges[i].low, ranges[i].high).text,
				    ranges[i].range);
}

static void half_an_interval_has_the_digits_of_its_value(void **state)
{
	(void)state;
	static const struct {
		struct estimate estimate;
		const char *spread, *difference;
	} shown[] = {{{1.35, 1.34, 1.36}, "\u00b10.01", "\u00b10.01"},
		     {{265, 264.4, 265.4}, "\u00b10.5", "\u00b10.5"},
		     {{3.77, 3.764, 3.788}, "\u00b10.01", "\u00b10.01"},
		     {{4.01, 3.97, 5.97}, "3.9\u20136.0", "3.9\u20136.0"},
		     {{139, 134, 155}, "134\u2013155", "134\u2013155"},
		     {{390, 61, 442}, "61\u2013450", "61\u2013442"},
		     {{0.326, 0.3255, 0.467}, "0.32\u20130.47", "0.32\u20130.47"},
		     {{444, 61, 444.4}, "61\u2013450", "61\u2013445"},
		     {{0.004, -0.1, 0.3}, "0\u20130.30", "(-0.1 to 0.3)"},
		     {{1.35, NAN, NAN}, "", ""}};
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		assert_string_equal(rounding_spread(shown[i].estimate).text, shown[i].spread);
		assert_string_equal(rounding_difference(shown[i].estimate).text,
				    shown[i].difference);
	}
}

static void a_sentence_has_the_ends_of_a_table(void **state)
{
	(void)state;
	static const struct {
		struct estimate estimate;
		const char *interval, *known, *or_range;
	} shown[] = {{{9.86, 9.757, 9.913}, "9.75 to 9.92", "9.86", "9.86"},
		     {{99.4, 27.9, 100.3}, "27 to 110", "99", "27\u2013110"},
		     {{83.7, 76.1, 88.4}, "76 to 89", "84", "83.7"},
		     {{1339, 1217, 1415}, "1210 to 1420", "1300", "1339"},
		     {{1339, 1331, 1346}, "1330 to 1350", "1340", "1339"},
		     {{1.35, NAN, NAN}, "", "1.35", "1.35"},
		     {ESTIMATE_UNKNOWN, "", "-", "-"}};
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		assert_string_equal(rounding_interval(shown[i].estimate).text, shown[i].interval);
		assert_string_equal(rounding_known(shown[i].estimate).text, shown[i].known);
		assert_string_equal(rounding_or_range(shown[i].estimate).text, shown[i].or_range);
	}
}

static void a_ratio_has_what_both_intervals_leave(void **state)
{
	(void)state;
	struct estimate ratio =
		estimate_over((struct estimate){8, 6, 9}, (struct estimate){2, 1, 3});
	assert_true(ratio.value == 4 && ratio.low == 2 && ratio.high == 9);
}

static void a_count_has_the_place_of_its_interval(void **state)
{
	(void)state;
	static const struct {
		struct estimate count;
		const char *value, *range;
	} shown[] = {{{73, 70.1, 80.7}, "73", "70\u201381"},
		     {{3620, 2610, 4830}, "3600", "2600\u20134900"},
		     {{766, 470, 1565}, "770", "470\u20131600"},
		     {{64.9, NAN, NAN}, "65", ""}};
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		assert_string_equal(rounding_count(shown[i].count).text, shown[i].value);
		assert_string_equal(rounding_count_range(shown[i].count).text, shown[i].range);
	}
}

static void a_wide_time_is_shown_as_its_range(void **state)
{
	(void)state;
	assert_string_equal(rounding_time_or_range((struct estimate){202, 160, 330}).text,
			    "160\u2013330 ns");
	assert_string_equal(rounding_time_or_range((struct estimate){2020, 1600, 3300}).text,
			    "1.6\u20133.3 \u00b5s");
	assert_string_equal(rounding_time_or_range((struct estimate){202, 195, 210}).text,
			    "202 ns");
	assert_string_equal(rounding_time_or_range(ESTIMATE_ALONE(202)).text, "202 ns");
	assert_string_equal(rounding_time_or_range(ESTIMATE_UNKNOWN).text, "-");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_wide_time_is_shown_as_its_range),
	cmocka_unit_test(a_sentence_has_the_ends_of_a_table),
	cmocka_unit_test(a_ratio_has_what_both_intervals_leave),
	cmocka_unit_test(a_count_has_the_place_of_its_interval),
	cmocka_unit_test(half_an_interval_has_the_digits_of_its_value),
	cmocka_unit_test(sizes_have_three_digits),
	cmocka_unit_test(a_range_has_two_digits),
};
UNIT_GROUP();
