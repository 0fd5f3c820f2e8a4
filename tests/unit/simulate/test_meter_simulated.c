/* The simulated meter: it walks real chains, its time and its troubles are those asked for. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <string.h>

#include "simulate/simulated_machine.h"
#include "simulated_meter.h"
#include "unit.h"

#define CAPACITY ((uint64_t)64 << 20)
#define EXACT    "sim:noise=0,outliers=0,drift=0,placement=even,"

static struct fathom_spec spec_of(uint64_t size_bytes)
{
	return (struct fathom_spec){
		.size_bytes = size_bytes, .node_bytes = 64, .lanes = 1, .threads = 1};
}

/* What a hop costs, by N and 2N hops, after three laps. */
static double hop_ns(const char *description, uint64_t size_bytes)
{
	struct simulated_meter setup = open_meter(description, CAPACITY);
	struct fathom_spec spec = spec_of(size_bytes);
	uint64_t lap = size_bytes / 64;
	prepare(&setup, &spec, true);
	run(&setup, 3 * lap);
	double once = run(&setup, lap), twice = run(&setup, 2 * lap);
	close_meter(&setup);
	return (twice - once) / (double)lap;
}

static void near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance * fabs(wanted)))
		fail_msg("%.9g is not %.9g within %g", value, wanted, tolerance);
}

static void every_pattern_arrives(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter("sim:", CAPACITY);
	for (int pattern = 0; pattern < FATHOM_PATTERN_UNKNOWN; pattern++)
		for (int link = 0; link <= FATHOM_LINK_INDEX32; link++)
			for (uint64_t nodes = 1; nodes < 20000; nodes = nodes * 5 + 1) {
				bool copies = pattern == FATHOM_COPY || pattern == FATHOM_COPY_NT;
				if (copies && nodes == 1)
					continue;
				struct fathom_spec spec = spec_of(nodes * 64);
				spec.pattern = (enum fathom_pattern)pattern;
				spec.link = (enum fathom_link)link;
				spec.laps = pattern == FATHOM_RANDOM_LAPS ? 3 : 0;
				bool window =
					pattern == FATHOM_WINDOW || pattern == FATHOM_PAGE_LOCAL;
				bool stride =
					pattern == FATHOM_STRIDED || pattern == FATHOM_STRIDE_LOOP;
				spec.window_bytes = window ? 4096 : 0;
				spec.stride_bytes = pattern == FATHOM_LINE_PAIR ? 32
						    : stride                    ? 64
										: 0;
				prepare(&setup, &spec, nodes % 2);
				run(&setup, 1);
				run(&setup, nodes + 7);
				run(&setup, 3 * nodes);
			}
	close_meter(&setup);
}

static void a_hop_costs_what_the_machine_says(void **state)
{
	(void)state;
	const char *machine = EXACT "clock=2G,dtlb=off,l1=32K/8/lru/4c,l2=256K/8/lru/6ns,"
				    "l3=2M/16/lru/40c,mem=75ns";
	near(hop_ns(machine, 16 << 10), 2, 1e-9);
	near(hop_ns(machine, 32 << 10), 2, 1e-9);
	near(hop_ns(machine, 128 << 10), 6, 1e-9);
	near(hop_ns(machine, 1 << 20), 20, 1e-9);
	near(hop_ns(machine, 8 << 20), 75, 1e-9);
}

static void a_run_has_a_fixed_cost_that_differences_cancel(void **state)
{
	(void)state;
	struct simulated_meter setup =
		open_meter(EXACT "clock=1G,l1=32K/8/lru/4c,mem=50ns", CAPACITY);
	struct fathom_spec spec = spec_of(4096);
	prepare(&setup, &spec, true);
	run(&setup, 64);
	double once = run(&setup, 64), twice = run(&setup, 128);
	near(twice - once, 64 * 4, 1e-9);
	assert_true(once - 64 * 4 > 1);
	close_meter(&setup);
}

static void noise_is_as_asked(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter("sim:noise=2%,outliers=0,drift=0", CAPACITY);
	struct fathom_spec spec = spec_of(4096);
	double sum = 0, squares = 0;
	const int runs = 4000;
	prepare(&setup, &spec, true);
	run(&setup, 64);
	for (int i = 0; i < runs; i++) {
		double ns = run(&setup, 64);
		sum += ns;
		squares += ns * ns;
	}
	double mean = sum / runs;
	near(sqrt(squares / runs - mean * mean) / mean, 0.02, 0.08);
	near(mean, 64 * 5 / 3.6 + 40, 0.002);
	close_meter(&setup);
}

static void half_of_the_outliers_are_reported(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter("sim:noise=0,outliers=10%,drift=0", CAPACITY);
	struct fathom_spec spec = spec_of(4096);
	struct interference before, after;
	int outliers = 0, reported = 0;
	prepare(&setup, &spec, true);
	run(&setup, 64);
	double clean = 64 * 5 / 3.6 + 40;
	for (int i = 0; i < 4000; i++) {
		setup.meter->ops->interference(setup.meter, &before);
		double factor = run(&setup, 64) / clean;
		setup.meter->ops->interference(setup.meter, &after);
		bool outlier = factor > 1.1;
		assert_true(outlier ? factor >= 1.199 && factor <= 4.001 : factor < 1.001);
		if (after.switches != before.switches)
			assert_true(outlier);
		outliers += outlier;
		reported += after.switches != before.switches;
	}
	near(outliers, 400, 0.15);
	near(reported, 0.5 * outliers, 0.2);
	close_meter(&setup);
}

static void stolen_time_is_told_by_nothing(void **state)
{
	(void)state;
	struct simulated_meter setup =
		open_meter("sim:no_clock,noise=0,outliers=0,drift=0,disturb=3-4:20us", CAPACITY);
	struct fathom_spec spec = spec_of(4096);
	struct interference before, after;
	prepare(&setup, &spec, true);
	run(&setup, 64);
	setup.meter->ops->interference(setup.meter, &before);
	double clean = run(&setup, 64), stolen = run(&setup, 64);
	double start_s = setup.meter->ops->elapsed_s(setup.meter);
	setup.meter->ops->warm(setup.meter, 64);
	assert_true(setup.meter->ops->elapsed_s(setup.meter) - start_s > 20e-6);
	near(stolen - clean, 20e3, 1e-9);
	near(run(&setup, 64), clean, 1e-9);
	setup.meter->ops->interference(setup.meter, &after);
	assert_memory_equal(&before, &after, sizeof(before));
	close_meter(&setup);
}

static void a_timer_has_steps(void **state)
{
	(void)state;
	struct simulated_meter setup =
		open_meter("sim:noise=0,outliers=0,drift=0,timer=10ns", CAPACITY);
	struct fathom_spec spec = spec_of(4096);
	double sum_ns = 0;
	prepare(&setup, &spec, true);
	run(&setup, 64);
	for (int i = 0; i < 1000; i++) {
		double ns = run(&setup, 64);
		near(fmod(ns + 5, 10), 5, 1e-6);
		sum_ns += ns;
	}
	near(sum_ns / 1000, 64 * 5 / 3.6 + 40, 1e-4);
	close_meter(&setup);
}

static void a_storm_is_as_heavy_as_asked(void **state)
{
	(void)state;
	struct simulated_meter setup =
		open_meter("sim:noise=0,outliers=0,drift=0,disturb=20%:50us", CAPACITY);
	struct fathom_spec spec = spec_of(4096);
	double stolen_ns = 0;
	int hit = 0;
	const int runs = 20000;
	prepare(&setup, &spec, true);
	run(&setup, 64);
	for (int i = 0; i < runs; i++) {
		double more_ns = run(&setup, 64) - (64 * 5 / 3.6 + 40);
		hit += more_ns > 1e-6;
		stolen_ns += more_ns;
	}
	near(hit, 0.2 * runs, 0.05);
	near(stolen_ns / hit, 50e3, 0.05);
	close_meter(&setup);
}

static void wait_s(struct simulated_meter *setup, double seconds)
{
	struct meter_clock clock;
	double end = setup->meter->ops->elapsed_s(setup->meter) + seconds;
	while (setup->meter->ops->elapsed_s(setup->meter) < end)
		setup->meter->ops->clock(setup->meter, &clock);
}

static double spread_over_time(const char *description, double *clock_spread)
{
	struct simulated_meter setup = open_meter(description, CAPACITY);
	struct fathom_spec spec = spec_of(4096);
	struct meter_clock clock;
	double low = INFINITY, high = 0, low_hz = INFINITY, high_hz = 0;
	prepare(&setup, &spec, true);
	run(&setup, 64);
	for (int i = 0; i < 50; i++) {
		double ns = run(&setup, 100000);
		setup.meter->ops->clock(setup.meter, &clock);
		low = fmin(low, ns);
		high = fmax(high, ns);
		low_hz = fmin(low_hz, clock.hz);
		high_hz = fmax(high_hz, clock.hz);
		wait_s(&setup, 0.1);
	}
	*clock_spread = high_hz / low_hz - 1;
	close_meter(&setup);
	return high / low - 1;
}

static void drift_moves_what_follows_the_clock(void **state)
{
	(void)state;
	double clock_spread;
	near(spread_over_time("sim:noise=0,outliers=0,drift=4%,l1=48K/12/lru/5c", &clock_spread),
	     0.04, 0.05);
	near(clock_spread, 0.04, 0.05);
	assert_true(spread_over_time("sim:noise=0,outliers=0,drift=4%,l1=48K/12/lru/1.4ns",
				     &clock_spread) < 1e-12);
	near(clock_spread, 0.04, 0.05);
}

static void the_clock_is_told_or_is_missing(void **state)
{
	(void)state;
	struct meter_clock clock;
	struct simulated_meter setup =
		open_meter("sim:noise=0,drift=0,clock=2.5G,probe_ratio=5", CAPACITY);
	setup.meter->ops->clock(setup.meter, &clock);
	assert_true(clock.hz == 2.5e9 && clock.ratio == 5);
	assert_null(setup.meter->clock_missing);
	close_meter(&setup);
	setup = open_meter("sim:no_clock", CAPACITY);
	setup.meter->ops->clock(setup.meter, &clock);
	assert_true(isnan(clock.hz));
	assert_non_null(setup.meter->clock_missing);
	close_meter(&setup);
}

static void a_corrupt_run_does_not_arrive(void **state)
{
	(void)state;
	for (int pattern = 0; pattern <= FATHOM_INDEPENDENT; pattern++) {
		struct simulated_meter setup = open_meter("sim:corrupt=3", CAPACITY);
		struct fathom_spec spec = spec_of(1 << 20);
		double ns;
		bool arrived;
		spec.pattern = (enum fathom_pattern)pattern;
		spec.laps = pattern == FATHOM_RANDOM_LAPS ? 2 : 0;
		prepare(&setup, &spec, true);
		run(&setup, 100);
		run(&setup, 100);
		setup.meter->ops->run(setup.meter, 100, &ns, &arrived);
		assert_false(arrived);
		close_meter(&setup);
	}
}

/* A few runs on several placements, added up with weights. */
static double fingerprint(const char *description)
{
	struct simulated_meter setup = open_meter(description, CAPACITY);
	double sum = 0;
	for (int i = 1; i < 20; i++) {
		struct fathom_spec spec = spec_of((uint64_t)i * 50000 / 64 * 64);
		prepare(&setup, &spec, i % 3);
		sum += i * run(&setup, 3000) + run(&setup, 2000);
	}
	sum += setup.meter->ops->elapsed_s(setup.meter);
	close_meter(&setup);
	return sum;
}

static void everything_follows_from_the_seed(void **state)
{
	(void)state;
	const char *exact = "sim:noise=0,outliers=0,drift=0,l2=256K/8/random/16c,l3=512K/8/lru/60c";
	assert_true(fingerprint("sim:seed=5") == fingerprint("sim:seed=5"));
	assert_true(fingerprint("sim:seed=5") != fingerprint("sim:seed=6"));
	assert_true(fingerprint(exact) == fingerprint(exact));
}

static void page_kinds_are_what_the_machine_has(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(3 << 20);
	struct meter_placement placement;
	struct simulated_meter setup = open_meter("sim:page=16K,pool2m=2", CAPACITY);
	spec.page = FATHOM_PAGE_DEFAULT;
	placement = prepare(&setup, &spec, false);
	assert_int_equal(placement.page_bytes, 16384);
	assert_true(placement.page_share == 1);
	spec.page = FATHOM_PAGE_THP;
	assert_int_equal(prepare(&setup, &spec, false).page_bytes, 2 << 20);
	spec.page = FATHOM_PAGE_2M;
	assert_int_equal(prepare(&setup, &spec, false).page_bytes, 2 << 20);
	spec.size_bytes = 5 << 20; /* the pool has 4 MiB */
	struct meter_ops ops = *setup.meter->ops;
	assert_int_equal(ops.prepare(setup.meter, &spec, 1, true, &placement, &setup.error), -1);
	assert_int_equal(setup.error.status, FATHOM_UNABLE);
	spec.page = FATHOM_PAGE_1G;
	assert_int_equal(ops.prepare(setup.meter, &spec, 1, true, &placement, &setup.error), -1);
	assert_int_equal(setup.error.status, FATHOM_UNABLE);
	close_meter(&setup);
	setup = open_meter("sim:thp=off,mthp=64K", CAPACITY);
	spec.page = FATHOM_PAGE_64K;
	assert_int_equal(prepare(&setup, &spec, false).page_bytes, 64 << 10);
	spec.page = FATHOM_PAGE_32K;
	assert_int_equal(ops.prepare(setup.meter, &spec, 1, true, &placement, &setup.error), -1);
	assert_int_equal(setup.error.status, FATHOM_UNABLE);
	spec.page = FATHOM_PAGE_THP;
	assert_int_equal(ops.prepare(setup.meter, &spec, 1, true, &placement, &setup.error), -1);
	assert_int_equal(setup.error.status, FATHOM_UNABLE);
	close_meter(&setup);
}

static void a_place_is_kept_until_it_is_redrawn(void **state)
{
	(void)state;
	struct simulated_meter setup =
		open_meter(EXACT "dtlb=off,clock=1G,l1=32K/8/lru/4c,mem=50ns", CAPACITY);
	struct fathom_spec spec = spec_of(16 << 10);
	prepare(&setup, &spec, true);
	run(&setup, 512);
	double warm = run(&setup, 256);
	prepare(&setup, &spec, false);
	assert_true(run(&setup, 256) == warm);
	prepare(&setup, &spec, true);
	assert_true(run(&setup, 256) > 5 * warm);
	close_meter(&setup);
}

static void too_large_a_span_is_refused(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter("sim:", CAPACITY);
	struct fathom_spec spec = spec_of(CAPACITY + 64);
	struct meter_placement placement;
	assert_int_equal(
		setup.meter->ops->prepare(setup.meter, &spec, 1, true, &placement, &setup.error),
		-1);
	assert_int_equal(setup.error.status, FATHOM_FAILED);
	spec = spec_of(4096);
	prepare(&setup, &spec, true);
	run(&setup, 100);
	close_meter(&setup);
}

static void building_takes_time(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter("sim:", CAPACITY);
	struct fathom_spec spec = spec_of(64000);
	double start_s = setup.meter->ops->elapsed_s(setup.meter);
	prepare(&setup, &spec, true);
	near(setup.meter->ops->elapsed_s(setup.meter) - start_s, 1000 * 5e-9, 1e-6);
	close_meter(&setup);
}

static void the_machine_tells_what_its_os_claims(void **state)
{
	(void)state;
	const char *text =
		"sim:l3=8M/16/lru/20ns,os_l3=480M,os_l1=off,os_line=128,pool2m=7,thp=off";
	struct fathom_machine *machine;
	struct fathom_error error = {0};
	assert_int_equal(meter_simulated_machine(text, &machine, &error), 0);
	assert_string_equal(machine->description, text);
	assert_string_equal(machine->cpu_model, "simulated");
	assert_string_equal(machine->allowed_cpus, "0");
	assert_int_equal(machine->cache_count, 2);
	assert_int_equal(machine->caches[0].level, 2);
	assert_int_equal(machine->caches[0].ways, 16);
	assert_int_equal(machine->caches[1].size_bytes, 480u << 20);
	assert_int_equal(machine->caches[1].line_bytes, 128);
	assert_int_equal(machine->caches[1].ways, 0);
	assert_int_equal(machine->pools[0].free_pages, 7);
	assert_int_equal(machine->thp_page_bytes, 0);
	assert_string_equal(machine->thp_state, "never");
	assert_int_equal(machine->limit_bytes, (uint64_t)8 << 30);
	assert_int_equal(machine->conditions.count, 0);
	assert_int_equal(machine->online_cpus, 1);
	assert_int_equal(machine->caches[1].shared_cpus, 1);
	assert_null(machine->handle);
	fathom_machine_free(machine);
	assert_int_equal(meter_simulated_machine("sim:cpus=4", &machine, &error), 0);
	assert_int_equal(machine->online_cpus, 4);
	assert_string_equal(machine->allowed_cpus, "0-3");
	assert_int_equal(machine->caches[1].shared_cpus, 1);
	assert_int_equal(machine->caches[2].shared_cpus, 4);
	fathom_machine_free(machine);
	machine = NULL;
	assert_int_equal(meter_simulated_machine("sim:bad", &machine, &error), -1);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	assert_null(machine);
	fathom_error_clear(&error);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_pattern_arrives),
	cmocka_unit_test(a_hop_costs_what_the_machine_says),
	cmocka_unit_test(a_run_has_a_fixed_cost_that_differences_cancel),
	cmocka_unit_test(noise_is_as_asked),
	cmocka_unit_test(half_of_the_outliers_are_reported),
	cmocka_unit_test(stolen_time_is_told_by_nothing),
	cmocka_unit_test(a_timer_has_steps),
	cmocka_unit_test(a_storm_is_as_heavy_as_asked),
	cmocka_unit_test(drift_moves_what_follows_the_clock),
	cmocka_unit_test(the_clock_is_told_or_is_missing),
	cmocka_unit_test(a_corrupt_run_does_not_arrive),
	cmocka_unit_test(everything_follows_from_the_seed),
	cmocka_unit_test(page_kinds_are_what_the_machine_has),
	cmocka_unit_test(a_place_is_kept_until_it_is_redrawn),
	cmocka_unit_test(too_large_a_span_is_refused),
	cmocka_unit_test(building_takes_time),
	cmocka_unit_test(the_machine_tells_what_its_os_claims),
};
UNIT_GROUP();
