/* Simulated prefetchers fetch what they should, and dropped lines are gone. */
#include <stddef.h>
#include <stdint.h>

#include "simulate/simulated_memory.h"
#include "unit.h"

#define EXACT "sim:noise=0,outliers=0,drift=0,placement=even,l2=256K/8/lru/16c,l3=off"

static struct simulated_memory open_memory(const char *description, uint64_t bytes)
{
	struct simulated_memory memory;
	struct simulated_spec spec;
	assert_int_equal(simulated_spec_parse(description, &spec, NULL), 0);
	assert_int_equal(simulated_memory_open(&memory, &spec, NULL), 0);
	assert_int_equal(simulated_memory_map(&memory, bytes, 4096, 1, NULL), 0);
	return memory;
}

static void there_is_none_unless_asked_for(void **state)
{
	(void)state;
	struct simulated_memory memory = open_memory(EXACT, 1 << 16);
	for (uint64_t line = 0; line < 1024; line++)
		assert_int_equal(simulated_memory_load(&memory, line * 64), 2);
	simulated_memory_close(&memory);
}

static void equal_steps_inside_a_page_are_followed_to_its_end(void **state)
{
	(void)state;
	static const int64_t steps[] = {1, 2, 5, -1, -3};
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		struct simulated_memory memory = open_memory(EXACT ",stride=4", 1 << 16);
		int64_t line = steps[i] > 0 ? 64 : 127; /* the second page */
		for (int access = 0; line >= 64 && line < 128; access++, line += steps[i]) {
			unsigned level = simulated_memory_load(&memory, (uint64_t)line * 64);
			assert_int_equal(level, access < 3 ? 2 : 1);
		}
		/* nothing beyond the page */
		assert_int_equal(simulated_memory_load(&memory, (uint64_t)line * 64), 2);
		simulated_memory_close(&memory);
	}
}

static void unequal_steps_are_not_followed(void **state)
{
	(void)state;
	static const uint64_t lines[] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
	struct simulated_memory memory = open_memory(EXACT ",stride=4", 1 << 16);
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		assert_int_equal(simulated_memory_load(&memory, lines[i] * 64), 2);
	simulated_memory_close(&memory);
}

static void the_other_line_of_a_pair_comes_along(void **state)
{
	(void)state;
	struct simulated_memory memory = open_memory(EXACT ",adjacent=on", 1 << 16);
	assert_int_equal(simulated_memory_load(&memory, 10 * 64), 2);
	assert_int_equal(simulated_memory_load(&memory, 11 * 64), 1);
	assert_int_equal(simulated_memory_load(&memory, 13 * 64), 2);
	assert_int_equal(simulated_memory_load(&memory, 12 * 64), 1);
	assert_int_equal(simulated_memory_load(&memory, 12 * 64), 0);
	simulated_memory_close(&memory);
}

static void what_is_dropped_comes_from_memory_again(void **state)
{
	(void)state;
	struct simulated_memory memory = open_memory(EXACT, 1 << 16);
	for (uint64_t line = 0; line < 1024; line++)
		simulated_memory_load(&memory, line * 64);
	simulated_memory_drop(&memory, 1 << 15);
	assert_int_equal(simulated_memory_load(&memory, 0), 2);
	assert_int_equal(simulated_memory_load(&memory, (1 << 15) - 64), 2);
	assert_true(simulated_memory_load(&memory, 1 << 15) < 2);
	simulated_memory_close(&memory);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(there_is_none_unless_asked_for),
	cmocka_unit_test(equal_steps_inside_a_page_are_followed_to_its_end),
	cmocka_unit_test(unequal_steps_are_not_followed),
	cmocka_unit_test(the_other_line_of_a_pair_comes_along),
	cmocka_unit_test(what_is_dropped_comes_from_memory_again),
};
UNIT_GROUP();
