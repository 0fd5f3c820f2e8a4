/* Each pattern has a row that says what is asked of it. */
#include <stddef.h>
#include <string.h>

#include "base/patterns.h"
#include "unit.h"

static void every_pattern_says_what_it_is(void **state)
{
	(void)state;
	for (int i = 0; i < FATHOM_PATTERN_UNKNOWN; i++) {
		const struct pattern_traits *traits = pattern_traits(i);
		assert_non_null(traits->name);
		assert_int_equal(pattern_parse(traits->name), i);
		assert_in_range(traits->cover, PATTERN_COVERS_BY_CHANCE, PATTERN_COVERS_IN_TURN);
		assert_true(pattern_streams(i) == (traits->loads || traits->stores));
		assert_true(!pattern_overlaps(i) || traits->node_multiple);
		assert_true(!traits->label || !strstr(traits->label, "{}") || traits->has_laps ||
			    traits->has_window || traits->stride);
	}
}

static void what_is_out_of_range_is_unknown(void **state)
{
	(void)state;
	assert_ptr_equal(pattern_traits(-1), pattern_traits(FATHOM_PATTERN_UNKNOWN));
	assert_ptr_equal(pattern_traits(FATHOM_PATTERN_UNKNOWN + 1), pattern_traits(-1));
	assert_null(fathom_pattern_name(-1));
	assert_null(fathom_pattern_name(FATHOM_PATTERN_UNKNOWN + 1));
	assert_int_equal(pattern_parse("zigzag"), -1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_pattern_says_what_it_is),
	cmocka_unit_test(what_is_out_of_range_is_unknown),
};
UNIT_GROUP();
