/* What is learnt of a meter first stands a third of the timed calls being disturbed, and tells when
 * it is not clear. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>

#include "measure/sampling/calibrate.h"
#include "measure/sampling/line_size.h"
#include "measure/sampling/trials.h"
#include "unit.h"

#define COST_NS 40.0 /* docs/simulated-machines.md */
#define EXACT   "sim:noise=0,outliers=0,drift=0,"

struct setup {
	struct fathom_machine *machine;
	struct meter *meter;
};

static struct setup open_meter(const char *description)
{
	struct setup setup;
	assert_int_equal(fathom_machine_find(description, &setup.machine, NULL), 0);
	assert_int_equal(meter_simulated_open(setup.machine, PINNING_ANYWHERE, LINE_SPAN_BYTES,
					      &setup.meter, NULL),
			 0);
	return setup;
}

static void close_meter(struct setup *setup)
{
	setup->meter->ops->close(setup->meter);
	fathom_machine_free(setup->machine);
}

static struct calibrate_cost learn(struct setup *setup)
{
	struct calibrate_cost cost;
	assert_int_equal(calibrate_fixed_cost(setup->meter, FATHOM_PAGE_DEFAULT, 1, &cost, NULL),
			 0);
	return cost;
}

static void near(double value, double wanted, double off)
{
	if (!(fabs(value - wanted) <= off))
		fail_msg("%.9g is not %.9g within %g", value, wanted, off);
}

/* Nothing but the fixed cost is learnt of a machine without a clock. */
static void the_fixed_cost_stands_what_is_stolen(void **state)
{
	(void)state;
	static const char *const stolen[] = {
		"1:1ms",       "7:20us",   "100:30us", "100-279:30us" /* M8: 0.773 ns for 1.083 */,
		"1-180:300ns", "33%:50us", "30%:2us",  "10%:200ns"};
	char text[100];
	for (size_t i = 0; i < sizeof(stolen) / sizeof(*stolen); i++) {
		snprintf(text, sizeof(text), EXACT "no_clock,disturb=%s", stolen[i]);
		struct setup setup = open_meter(text);
		struct calibrate_cost cost = learn(&setup);
		assert_true(cost.clear);
		near(cost.ns, COST_NS, 2);
		close_meter(&setup);
	}
}

/* A busy thread on the same core disturbs all trials of many sets in a row. */
static void most_sets_are_believed(void **state)
{
	(void)state;
	struct trials_sets sets = {.count = 0};
	for (int i = 0; i < 30; i++) {
		assert_true(trials_go_on(&sets, 1));
		sets.values[sets.count++] = COST_NS + i % 5 * 20;
	}
	for (int i = 0; i < 50; i++)
		sets.values[sets.count++] = COST_NS + 0.1 * (i % 3);
	assert_false(trials_go_on(&sets, 1));
	near(trials_of_sets(&sets).value, COST_NS + 0.1, 0.1);
	assert_true(trials_of_sets(&sets).half_width <= 0.1 + 1e-9);
}

static void a_cost_that_is_not_clear_is_told(void **state)
{
	(void)state;
	struct setup setup = open_meter(EXACT "no_clock,disturb=1-100000:30us");
	assert_false(learn(&setup).clear);
	close_meter(&setup);
}

/* The cost is more than is believed while it lasts. */
static void a_storm_at_the_start_is_waited_for(void **state)
{
	(void)state;
	static const char *const stolen[] = {"20ms:30us", "40ms:1us+10%:1us",
					     "40ms:300ns+20%:300ns"};
	char text[140];
	for (size_t i = 0; i < sizeof(stolen) / sizeof(*stolen); i++) {
		struct calibrate_cost cost;
		snprintf(text, sizeof(text), EXACT "no_clock,disturb=%s", stolen[i]);
		struct setup setup = open_meter(text);
		assert_false(learn(&setup).clear);
		close_meter(&setup);
		setup = open_meter(text);
		assert_int_equal(calibrate_fixed_cost_within(setup.meter, FATHOM_PAGE_DEFAULT, 1,
							     0.5, &cost, NULL),
				 0);
		assert_true(cost.clear);
		near(cost.ns, COST_NS, 0.001 * setup.meter->shortest_run_ns);
		close_meter(&setup);
	}
}

/* One that does not end costs no more than the time that it is given. */
static void a_storm_that_stays_is_told(void **state)
{
	(void)state;
	struct calibrate_cost cost;
	struct setup setup = open_meter(EXACT "no_clock,disturb=1000ms:30us");
	double start_s = setup.meter->ops->elapsed_s(setup.meter);
	assert_int_equal(
		calibrate_fixed_cost_within(setup.meter, FATHOM_PAGE_DEFAULT, 1, 0.1, &cost, NULL),
		0);
	assert_false(cost.clear);
	assert_true(setup.meter->ops->elapsed_s(setup.meter) - start_s < 0.2);
	close_meter(&setup);
}

static void a_cost_that_changes_is_told(void **state)
{
	(void)state;
	struct setup setup = open_meter("sim:noise=2%");
	struct calibrate_cost cost = learn(&setup);
	setup.meter->fixed_cost_ns = cost.ns;
	cost = learn(&setup);
	assert_false(calibrate_cost_differs(setup.meter, &cost));
	setup.meter->fixed_cost_ns += 200;
	assert_true(calibrate_cost_differs(setup.meter, &cost));
	close_meter(&setup);
}

static double overhead_ns(const char *stolen, double *error_ns)
{
	char text[100];
	double ns;
	snprintf(text, sizeof(text), EXACT "no_clock%s", stolen);
	struct setup setup = open_meter(text);
	setup.meter->fixed_cost_ns = COST_NS;
	const struct fathom_spec spec = {
		.size_bytes = 4096, .node_bytes = 64, .seed = 1, .lanes = 1, .threads = 1};
	assert_int_equal(calibrate_independent(setup.meter, &spec, &ns, error_ns, NULL), 0);
	close_meter(&setup);
	return ns;
}

static void the_generator_stands_what_is_stolen(void **state)
{
	(void)state;
	static const char *const stolen[] = {",disturb=1:1ms", ",disturb=20:100ns",
					     ",disturb=10-49:30us", ",disturb=20%:20us",
					     ",disturb=30%:2us"};
	double error_ns, undisturbed_ns = overhead_ns("", &error_ns);
	near(error_ns, 0, 1e-9);
	for (size_t i = 0; i < sizeof(stolen) / sizeof(*stolen); i++) {
		double ns = overhead_ns(stolen[i], &error_ns);
		near(ns, undisturbed_ns, fmax(0.01, error_ns));
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_fixed_cost_stands_what_is_stolen),
	cmocka_unit_test(most_sets_are_believed),
	cmocka_unit_test(a_cost_that_is_not_clear_is_told),
	cmocka_unit_test(a_storm_at_the_start_is_waited_for),
	cmocka_unit_test(a_storm_that_stays_is_told),
	cmocka_unit_test(a_cost_that_changes_is_told),
	cmocka_unit_test(the_generator_stands_what_is_stolen),
};
UNIT_GROUP();
