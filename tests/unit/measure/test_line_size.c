/* The line size is found, or not told: never guessed from a disturbed run. */
#include <stddef.h>
#include <stdint.h>

#include <stdio.h>

#include "measure/sampling/calibrate.h"
#include "measure/sampling/line_size.h"
#include "unit.h"

/* At the worst noise below nearly half of the tries tell: of twelve, too few may by chance. */
#define SEEDS 24

/* How often, of SEEDS times, that line was found, and another one. */
struct accumulator {
	unsigned right, wrong;
};

static struct accumulator measure(const char *description, uint64_t reported_bytes,
				  uint64_t line_bytes)
{
	struct accumulator accumulator = {0};
	struct fathom_machine *machine;
	struct meter *meter;
	assert_int_equal(fathom_machine_find(description, &machine, NULL), 0);
	assert_int_equal(
		meter_simulated_open(machine, PINNING_ANYWHERE, LINE_SPAN_BYTES, &meter, NULL), 0);
	struct calibrate_cost cost;
	assert_int_equal(calibrate_fixed_cost(meter, FATHOM_PAGE_DEFAULT, 1, &cost, NULL), 0);
	meter->fixed_cost_ns = cost.ns;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		uint64_t found;
		assert_int_equal(line_size_measure(meter, FATHOM_PAGE_DEFAULT, seed, reported_bytes,
						   &found, NULL),
				 0);
		accumulator.right += found == line_bytes;
		accumulator.wrong += found && found != line_bytes;
	}
	meter->ops->close(meter);
	fathom_machine_free(machine);
	return accumulator;
}

static void a_quiet_machine_tells(void **state)
{
	(void)state;
	struct accumulator accumulator = measure("sim:line=128,os_line=64", 64, 128);
	assert_int_equal(accumulator.right, SEEDS);
	accumulator = measure("sim:line=32,os_line=off", 0, 32);
	assert_int_equal(accumulator.right, SEEDS);
	accumulator = measure("sim:l1=48K/12/random/5c,l2=2M/16/random/16c", 0, 64);
	assert_true(accumulator.right >= SEEDS / 2 && accumulator.wrong == 0);
}

static void a_disturbed_one_tells_or_does_not(void **state)
{
	(void)state;
	static const char *const machines[] = {"sim:noise=5%,outliers=15%",
					       "sim:noise=2%,outliers=40%",
					       "sim:noise=10%,outliers=5%"};
	for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
		struct accumulator accumulator = measure(machines[i], 64, 64);
		assert_true(accumulator.right >= SEEDS / 2 && accumulator.wrong == 0);
		accumulator = measure(machines[i], 0, 64);
		assert_true(accumulator.right >= SEEDS / 3 && accumulator.wrong == 0);
	}
}

/* M7: one of 120 starts beside busy loops found 512 bytes twice. */
static void storms_do_not_move_it(void **state)
{
	(void)state;
	static const char *const storms[] = {"1%:50us", "10%:5us", "30%:20us", "30%:2us"};
	char text[100];
	for (size_t i = 0; i < sizeof(storms) / sizeof(*storms); i++) {
		snprintf(text, sizeof(text), "sim:disturb=%s", storms[i]);
		struct accumulator accumulator = measure(text, 64, 64);
		assert_true(accumulator.right >= SEEDS / 2 && accumulator.wrong == 0);
		accumulator = measure(text, 128, 64);
		assert_true(accumulator.right >= SEEDS / 2 && accumulator.wrong == 0);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_quiet_machine_tells),
	cmocka_unit_test(a_disturbed_one_tells_or_does_not),
	cmocka_unit_test(storms_do_not_move_it),
};
UNIT_GROUP();
