/* Cold blocks against a scripted meter: how often it is made cold, what is timed and rejected. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "measure/sampling/sampler_cold.h"
#include "unit.h"

#define COLD_NS  100.0
#define WARM_NS  5.0
#define FIXED_NS 40.0

struct script {
	struct meter meter;
	struct interference totals;
	uint64_t since_cold, lap; /* hops */
	unsigned chills, runs;
	unsigned bad_run; /* counted from 1; 0: none */
	bool every_run, refuses, lost;
};

static int chill(struct meter *meter, struct fathom_error *error)
{
	struct script *script = (struct script *)meter;
	script->chills++;
	script->since_cold = 0;
	return script->refuses ? error_set(error, FATHOM_FAILED, NULL, "no memory") : 0;
}

static void run(struct meter *meter, uint64_t hops, double *ns, bool *arrived)
{
	struct script *script = (struct script *)meter;
	bool cold = script->since_cold < script->lap;
	*ns = FIXED_NS + (double)hops * (cold ? COLD_NS : WARM_NS);
	*arrived = !script->lost;
	script->since_cold += hops;
	script->totals.switches += ++script->runs == script->bad_run || script->every_run;
}

static double elapsed_s(struct meter *meter)
{
	return ((struct script *)meter)->chills * 0.5;
}

static void clock_now(struct meter *meter, struct meter_clock *clock)
{
	(void)meter;
	*clock = (struct meter_clock){2e9, 3};
}

static void disturbance(struct meter *meter, struct interference *now)
{
	*now = ((struct script *)meter)->totals;
}

static struct script make_script(uint64_t lap)
{
	static const struct meter_ops ops = {.chill = chill,
					     .elapsed_s = elapsed_s,
					     .run = run,
					     .clock = clock_now,
					     .interference = disturbance};
	return (struct script){.meter = {.ops = &ops,
					 .line_bytes = 64,
					 .shortest_run_ns = 50000,
					 .hops_unit = 64,
					 .fixed_cost_ns = FIXED_NS},
			       .lap = lap};
}

static struct sampler_cold_options options_of(uint64_t lap_hops, uint64_t hops)
{
	return (struct sampler_cold_options){
		.laps = 1, .lap_hops = lap_hops, .part_hops = 1000, .hops = hops};
}

static void every_lap_is_cold_and_the_fixed_cost_gone(void **state)
{
	(void)state;
	struct script script = make_script(16);
	struct sampler_cold_options options = options_of(16, 100);
	struct sampler_block block;
	assert_int_equal(sampler_run_cold(&script.meter, &options, &block, NULL), 0);
	assert_true(fabs(block.mean.ns - COLD_NS) < 1e-9);
	assert_true(fabs(block.mean.cycles - 2 * COLD_NS) < 1e-9);
	/* 16 lines take 1.6 us: some 30 laps until that is as long as a run should be */
	assert_in_range(script.chills, 30, 32);
	assert_int_equal(block.hops, 16 * script.chills);
	assert_true(block.warm_s > 0.49 && block.warm_s < 0.51);
	sampler_block_free(&block);
}

static void a_long_lap_is_timed_once_in_parts(void **state)
{
	(void)state;
	struct script script = make_script(1000000);
	struct sampler_cold_options options = options_of(1000000, 1000000);
	struct sampler_block block;
	assert_int_equal(sampler_run_cold(&script.meter, &options, &block, NULL), 0);
	assert_int_equal(script.chills, 1);
	assert_int_equal(block.count, 1000);
	assert_true(fabs(block.mean.ns - COLD_NS) < 1e-9);
	sampler_block_free(&block);
}

static void what_is_disturbed_is_left_out(void **state)
{
	(void)state;
	struct script script = make_script(1000000);
	struct sampler_cold_options options = options_of(1000000, 1000000);
	struct sampler_block block;
	script.bad_run = 7;
	assert_int_equal(sampler_run_cold(&script.meter, &options, &block, NULL), 0);
	assert_int_equal(block.count, 999);
	assert_int_equal(block.rejected[FATHOM_REJECTED_SWITCH], 1);
	assert_false(block.disturbed);
	sampler_block_free(&block);
}

static void without_a_clean_part_the_disturbed_ones_count(void **state)
{
	(void)state;
	struct script script = make_script(1000);
	struct sampler_cold_options options = options_of(1000, 1000);
	struct sampler_block block;
	script.every_run = true;
	assert_int_equal(sampler_run_cold(&script.meter, &options, &block, NULL), 0);
	assert_true(block.disturbed);
	assert_int_equal(script.chills, 9); /* three times the three that were wanted */
	assert_true(fabs(block.mean.ns - COLD_NS) < 1e-9);
	sampler_block_free(&block);
}

static void laps_are_timed_one_by_one(void **state)
{
	(void)state;
	struct script script = make_script(5000);
	struct sampler_cold_options options = options_of(5000, 5000);
	struct sampler_block blocks[3];
	options.laps = 3;
	assert_int_equal(sampler_run_cold(&script.meter, &options, blocks, NULL), 0);
	assert_true(fabs(blocks[0].mean.ns - COLD_NS) < 1e-9);
	for (int lap = 1; lap < 3; lap++)
		assert_true(fabs(blocks[lap].mean.ns - WARM_NS) < 1e-9);
	for (int lap = 0; lap < 3; lap++)
		sampler_block_free(&blocks[lap]);
}

static bool stop_now(void *context)
{
	(void)context;
	return true;
}

static void errors_and_stops_come_through(void **state)
{
	(void)state;
	struct script script = make_script(5000);
	struct sampler_cold_options options = options_of(5000, 5000);
	struct fathom_error error = {0};
	struct sampler_block block;
	script.lost = true;
	assert_int_equal(sampler_run_cold(&script.meter, &options, &block, &error), -1);
	assert_non_null(error.text);
	script.lost = false;
	script.refuses = true;
	assert_int_equal(sampler_run_cold(&script.meter, &options, &block, &error), -1);
	assert_string_equal(error.text, "no memory");
	fathom_error_clear(&error);
	script.refuses = false;
	options.stop = stop_now;
	assert_int_equal(sampler_run_cold(&script.meter, &options, &block, &error), 1);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_lap_is_cold_and_the_fixed_cost_gone),
	cmocka_unit_test(a_long_lap_is_timed_once_in_parts),
	cmocka_unit_test(what_is_disturbed_is_left_out),
	cmocka_unit_test(without_a_clean_part_the_disturbed_ones_count),
	cmocka_unit_test(laps_are_timed_one_by_one),
	cmocka_unit_test(errors_and_stops_come_through),
};
UNIT_GROUP();
