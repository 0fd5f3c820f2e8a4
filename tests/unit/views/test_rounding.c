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

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(half_an_interval_has_the_digits_of_its_value),
	cmocka_unit_test(sizes_have_three_digits),
	cmocka_unit_test(a_range_has_two_digits),
};
UNIT_GROUP();
