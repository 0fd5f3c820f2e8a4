/* The window of instructions, from what lookups take one after the other and overlapped. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "measure/structures/window.h"
#include "unit.h"

#define INSTRUCTIONS (STRUCTURES_WINDOW_WAITING + 16) /* of a lookup */

static struct fathom_cost window(double *alone_ns, double *overlapped_ns, size_t count)
{
	const struct structure_job one_by_one = {.blocks_ns = alone_ns, .block_count = count},
				   overlapped = {.blocks_ns = overlapped_ns, .block_count = count};
	return window_of(&one_by_one, &overlapped);
}

static void twice_as_fast_is_one_lookup_more(void **state)
{
	double alone_ns[] = {100, 100, 100, 100, 100, 100},
	       overlapped_ns[] = {50, 50, 50, 50, 50, 50};
	struct fathom_cost found = window(alone_ns, overlapped_ns, 6);
	(void)state;
	assert_true(found.ns == INSTRUCTIONS);
	assert_true(found.low_ns == found.ns && found.high_ns == found.ns);
}

static void few_visits_tell_from_the_least_to_the_greatest(void **state)
{
	double alone_ns[] = {100, 120, 150}, overlapped_ns[] = {50, 80, 50};
	struct fathom_cost found = window(alone_ns, overlapped_ns, 3);
	(void)state;
	assert_true(fabs(found.low_ns - 0.5 * INSTRUCTIONS) < 1e-9);
	assert_true(fabs(found.ns - INSTRUCTIONS) < 1e-9);
	assert_true(fabs(found.high_ns - 2 * INSTRUCTIONS) < 1e-9);
}

static void what_does_not_overlap_has_none(void **state)
{
	double alone_ns[] = {100, 100}, overlapped_ns[] = {100, 110};
	(void)state;
	assert_true(isnan(window(alone_ns, overlapped_ns, 2).ns));
	assert_true(isnan(window(alone_ns, overlapped_ns, 0).ns));
}

static void a_round_of_three_walks_is_a_load_and_a_forwarding(void **state)
{
	double one_ns[] = {1, 1, 1, 1, 1, 1}, three_ns[] = {1, 1, 1, 1, 1, 1},
	       renamed_ns[] = {0.33, 0.33, 0.33, 0.33, 0.33, 0.33};
	const struct structure_job one = {.blocks_ns = one_ns, .block_count = 6},
				   three = {.blocks_ns = three_ns, .block_count = 6},
				   renamed = {.blocks_ns = renamed_ns, .block_count = 6};
	(void)state;
	assert_true(fabs(forward_of(&one, &three).ns - 2) < 1e-9);
	assert_true(isnan(forward_of(&one, &renamed).ns));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(twice_as_fast_is_one_lookup_more),
	cmocka_unit_test(few_visits_tell_from_the_least_to_the_greatest),
	cmocka_unit_test(what_does_not_overlap_has_none),
	cmocka_unit_test(a_round_of_three_walks_is_a_load_and_a_forwarding),
};
UNIT_GROUP();
