/* Who goes on next: by time, and in the order of coming. */
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"
#include "simulate/event_queue.h"
#include "unit.h"

static void what_comes_out_is_in_order(void **state)
{
	(void)state;
	struct event_queue queue = {0};
	struct rng rng = rng_make(1);
	double times[EVENT_QUEUE_MOST];
	unsigned number;
	for (int round = 0; round < 100; round++) {
		for (unsigned i = 0; i < EVENT_QUEUE_MOST; i++) {
			times[i] = (double)rng_below(&rng, 50);
			event_queue_put(&queue, times[i], i);
		}
		bool taken[EVENT_QUEUE_MOST] = {false};
		for (unsigned i = 0, last = 0; i < EVENT_QUEUE_MOST; i++, last = number) {
			assert_true(event_queue_take(&queue, &number));
			assert_false(taken[number]);
			taken[number] = true;
			if (i > 0)
				assert_true(times[number] > times[last] ||
					    (times[number] == times[last] && number > last));
		}
		assert_false(event_queue_take(&queue, &number));
	}
}

static void the_earliest_goes_on_again_and_again(void **state)
{
	(void)state;
	struct event_queue queue = {0};
	double times[10];
	unsigned number;
	for (unsigned i = 0; i < 10; i++)
		event_queue_put(&queue, times[i] = 10 - i, i);
	for (int i = 0; i < 10000; i++) {
		assert_true(event_queue_take(&queue, &number));
		for (unsigned k = 0; k < 10; k++)
			assert_true(times[number] <= times[k]);
		times[number] += 1 + number % 3;
		event_queue_put(&queue, times[number], number);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_comes_out_is_in_order),
	cmocka_unit_test(the_earliest_goes_on_again_and_again),
};
UNIT_GROUP();
