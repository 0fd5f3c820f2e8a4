/* Accesses that are timed one by one are those of the cycle, and their times follow each other. How
 * long they take a test must not say. */
#include <stddef.h>
#include <stdint.h>

#include "kernels/flush.h"
#include "kernels/ticks.h"
#include "unit.h"

#define NODES 1000
#define RUNS  700

static uint64_t *cycle[NODES];

/* A step of 7 is prime to 1000. */
static void link_nodes(void)
{
	for (size_t i = 0; i < NODES; i++)
		cycle[i] = (uint64_t *)(void *)&cycle[(i + 7) % NODES];
}

static uint64_t address(size_t hops)
{
	return (uint64_t)(uintptr_t)&cycle[7 * hops % NODES];
}

static void check_times(const struct ticks_run *runs)
{
	for (size_t i = 1; i < RUNS; i++)
		assert_true(runs[i].start >= runs[i - 1].start + runs[i - 1].ticks);
	assert_true(ticks_now() >= runs[RUNS - 1].start + runs[RUNS - 1].ticks);
}

static void walks_follow_the_cycle(void **state)
{
	struct ticks_run runs[RUNS];
	(void)state;
	if (!ticks_counter())
		skip();
	link_nodes();
	for (uint64_t hops = 1; hops < 4; hops++) {
		assert_int_equal(ticks_walk(address(3), hops, runs, RUNS),
				 address(3 + hops * RUNS));
		check_times(runs);
	}
	assert_int_equal(ticks_walk(address(5), 1, runs, 0), address(5));
}

static void flushed_walks_follow_it_too(void **state)
{
	struct ticks_run runs[RUNS];
	(void)state;
	if (!ticks_counter() || !flush_instruction())
		skip();
	link_nodes();
	assert_int_equal(ticks_walk_flushed(address(3), runs, RUNS), address(3 + RUNS));
	check_times(runs);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(walks_follow_the_cycle),
	cmocka_unit_test(flushed_walks_follow_it_too),
};
UNIT_GROUP();
