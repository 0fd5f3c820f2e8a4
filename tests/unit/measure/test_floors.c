/* A loop's floor is what two passes agree on, and never above what was measured. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/warnings.h"
#include "measure/schedule/floors.h"
#include "unit.h"

/* One access a cycle is issued, and a hit takes 4: the loop is what limits 8 lanes. */
#define MACHINE "sim:no_clock,noise=0,outliers=0,drift=0,clock=1G,l1=32K/8/lru/4c,issue=1"
#define FLOOR   1.0
#define LANES   3

/* The floor of 8 lanes after so many passes, which were measured at `measured_ns` an access. */
static double floor_of_8(const char *stolen, int passes, double measured_ns,
			 struct fathom_warnings *warnings)
{
	static const uint32_t lanes[LANES] = {1, 2, 8};
	struct accumulator accumulators[LANES];
	struct schedule schedule = {.accumulators = accumulators, .count = LANES};
	struct floors floors = {0};
	struct fathom_machine *machine;
	struct meter *meter;
	char text[200];
	snprintf(text, sizeof(text), MACHINE "%s", stolen);
	assert_int_equal(fathom_machine_find(text, &machine, NULL), 0);
	assert_int_equal(meter_simulated_open(machine, PINNING_ANYWHERE, 1 << 20, &meter, NULL), 0);
	meter->fixed_cost_ns = 40;
	memset(accumulators, 0, sizeof(accumulators));
	for (int i = 0; i < LANES; i++) {
		double ns = lanes[i] == 8 ? measured_ns : 4.0 / lanes[i];
		struct sampler_block block = {
			.mode = {ns, NAN}, .mean = {ns, NAN}, .clock_hz = NAN, .count = 1};
		block.samples_ns = &ns;
		accumulators[i].spec = (struct fathom_spec){.size_bytes = 16384,
							    .node_bytes = 64,
							    .axis = FATHOM_AXIS_LANES,
							    .lanes = lanes[i],
							    .threads = 1};
		accumulators[i].floor_ns = NAN;
		assert_int_equal(accumulator_add(&accumulators[i], &block, false, NULL), 0);
	}
	for (int i = 0; i < passes; i++)
		assert_int_equal(floors_measure(&floors, &schedule, meter, NULL), 0);
	assert_int_equal(floors_measure_all(&floors, &schedule, meter, warnings, NULL), 0);
	double floor_ns = accumulators[2].floor_ns;
	assert_true(isnan(accumulators[0].floor_ns) && isnan(accumulators[1].floor_ns));
	for (int i = 0; i < LANES; i++)
		accumulator_free(&accumulators[i]);
	meter->ops->close(meter);
	fathom_machine_free(machine);
	return floor_ns;
}

static void stolen_time_makes_no_floor(void **state)
{
	(void)state;
	static const char *const stolen[] = {"", ",disturb=1-20:60us", ",disturb=50-90:60us",
					     ",disturb=10%:50us", ",disturb=30%:20us"};
	struct fathom_warnings warnings = {0};
	for (size_t i = 0; i < sizeof(stolen) / sizeof(*stolen); i++)
		for (int passes = 0; passes < 4; passes++) {
			double floor_ns = floor_of_8(stolen[i], passes, FLOOR, &warnings);
			assert_true(fabs(floor_ns - FLOOR) < 0.02);
		}
	assert_int_equal(warnings.count, 0);
}

static void what_is_above_the_measured_is_none(void **state)
{
	(void)state;
	struct fathom_warnings warnings = {0};
	assert_true(isnan(floor_of_8("", 2, 0.8 * FLOOR, &warnings)));
	assert_int_equal(warnings.count, 1);
	assert_string_equal(warnings.items[0].id, "no-floor");
	warnings_free(&warnings);
}

/* Every run is disturbed, each by another time. */
static void what_never_agrees_is_none(void **state)
{
	(void)state;
	struct fathom_warnings warnings = {0};
	assert_true(isnan(floor_of_8(",disturb=1-1000000:500ns+50%:90us+50%:90us+50%:90us+50%:90us",
				     2, FLOOR, &warnings)));
	assert_int_equal(warnings.count, 1);
	warnings_free(&warnings);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(stolen_time_makes_no_floor),
	cmocka_unit_test(what_is_above_the_measured_is_none),
	cmocka_unit_test(what_never_agrees_is_none),
};
UNIT_GROUP();
