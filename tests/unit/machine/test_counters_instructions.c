/* A real PMU counts the instructions of the timed loops, whose number is known. Skipped where there
 * is none, or where it may not be used. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/point.h"
#include "kernels/kernels.h"
#include "machine/counters/counters.h"
#include "unit.h"

#define HOPS (KERNEL_UNROLL * 20000)
/* Of a loop besides its hops: a decrement or an addition, perhaps a comparison, the branch. */
#define MOST_OF_A_LOOP 3
/* Calls, and what a PMU counts twice when an interrupt ends in the middle of it. */
#define TOLERANCE 0.002

static struct counters *open_instructions(void)
{
	struct counter_events events;
	struct counters *counters = NULL;
	assert_int_equal(counter_events_parse("cycles,instructions", &events, NULL), 0);
	assert_int_equal(counters_open(&events, -1, NULL, &counters, NULL), 0);
	counter_events_free(&events);
	return counters;
}

/* Of the loop, on one node that points to itself. */
static struct fathom_count *count_hops(struct counters *counters, const struct kernel *kernel)
{
	void *node = &node;
	struct kernel_work work = {.base = (const unsigned char *)&node};
	if (kernel->kind == KERNEL_POINTER)
		work.cursor = (uint64_t)(uintptr_t)&node;
	else
		node = NULL; /* index 0 */
	kernel->run(&work, HOPS);
	counters_reset(counters);
	counters_start(counters);
	kernel->run(&work, HOPS);
	counters_stop(counters, HOPS);
	return counters_read(counters);
}

static void test_instructions_of_a_hop(void **state)
{
	(void)state;
	size_t kernel_count;
	const struct kernel *kernels = kernel_list(&kernel_count);
	struct counters *counters = open_instructions();
	for (size_t i = 0; i < kernel_count; i++) {
		const struct kernel *kernel = &kernels[i];
		if (!kernel->instructions_per_hop || kernel->lanes != 1 ||
		    (kernel->kind != KERNEL_POINTER && kernel->kind != KERNEL_INDEX32))
			continue;
		struct fathom_count *counts = count_hops(counters, kernel);
		double least = kernel->instructions_per_hop;
		double most = least + (double)MOST_OF_A_LOOP / KERNEL_UNROLL;
		print_message("%s: %.4f instructions, %.3f cycles a hop\n", kernel->name,
			      counts[1].per_access, counts[0].per_access);
		assert_true(counts[1].state <= FATHOM_SCALED);
		assert_true(counts[1].per_access >= least * (1 - TOLERANCE));
		assert_true(counts[1].per_access <= most * (1 + TOLERANCE));
		assert_true(counts[0].per_access >= 1); /* a load takes longer */
		counts_free(counts, 2);
	}
	counters_close(counters);
}

/* Whatever is not counted even once. */
static const char *missing(void)
{
	static char reason[160];
	struct counters *counters = open_instructions();
	counters_start(counters);
	counters_stop(counters, 1);
	struct fathom_count *counts = counters_read(counters);
	bool absent = counts[1].state > FATHOM_SCALED;
	snprintf(reason, sizeof(reason), "%s", absent ? counts[1].reason : "");
	counts_free(counts, 2);
	counters_close(counters);
	return absent ? reason : NULL;
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_instructions_of_a_hop)};
UNIT_GROUP(.missing = missing);
