/* Who goes on next: by time, and in the order of coming. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "simulate/simulated_agenda.h"

static void what_comes_out_is_in_order(void **state)
{
	(void)state;
	struct simulated_agenda agenda = {0};
	struct rng rng = rng_make(1);
	double times[AGENDA_MOST];
	unsigned number;
	for (int round = 0; round < 100; round++) {
		for (unsigned i = 0; i < AGENDA_MOST; i++) {
			times[i] = (double)rng_below(&rng, 50);
			simulated_agenda_put(&agenda, times[i], i);
		}
		bool taken[AGENDA_MOST] = {false};
		for (unsigned i = 0, last = 0; i < AGENDA_MOST; i++, last = number) {
			assert_true(simulated_agenda_take(&agenda, &number));
			assert_false(taken[number]);
			taken[number] = true;
			if (i > 0)
				assert_true(times[number] > times[last] ||
					    (times[number] == times[last] && number > last));
		}
		assert_false(simulated_agenda_take(&agenda, &number));
	}
}

static void the_earliest_goes_on_again_and_again(void **state)
{
	(void)state;
	struct simulated_agenda agenda = {0};
	double times[10];
	unsigned number;
	for (unsigned i = 0; i < 10; i++)
		simulated_agenda_put(&agenda, times[i] = 10 - i, i);
	for (int i = 0; i < 10000; i++) {
		assert_true(simulated_agenda_take(&agenda, &number));
		for (unsigned k = 0; k < 10; k++)
			assert_true(times[number] <= times[k]);
		times[number] += 1 + number % 3;
		simulated_agenda_put(&agenda, times[number], number);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_comes_out_is_in_order),
		cmocka_unit_test(the_earliest_goes_on_again_and_again),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
