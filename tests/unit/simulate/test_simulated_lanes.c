/* Several lanes on a simulated machine: what its limits leave of their speed-up. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>

#include "base/point.h"
#include "simulated_meter.h"
#include "unit.h"

#define CAPACITY ((uint64_t)8 << 20)
/* Latencies of 4, 20, 40 and 100 ns; L1 8 KiB, L2 64 KiB, L3 512 KiB. */
#define EXACT                                                                                      \
	"sim:noise=0,outliers=0,drift=0,placement=even,clock=1G,l1=8K/8/lru/4c,"                   \
	"l2=64K/8/lru/20c,l3=512K/16/lru/40ns,mem=100ns,"
#define IN_L1     ((uint64_t)4 << 10)
#define IN_L2     ((uint64_t)32 << 10)
#define IN_L3     ((uint64_t)256 << 10)
#define IN_MEMORY ((uint64_t)4 << 20)

static struct fathom_spec spec_of(uint64_t size_bytes, uint32_t lanes)
{
	return (struct fathom_spec){.size_bytes = size_bytes,
				    .node_bytes = 64,
				    .lanes = lanes,
				    .threads = 1,
				    .axis = FATHOM_AXIS_LANES};
}

/* An access, by one and two times `hops` of each lane, once warm. */
static double access_ns(const char *description, const struct fathom_spec *spec, uint64_t hops)
{
	struct simulated_meter setup = open_meter(description, CAPACITY);
	prepare(&setup, spec, true);
	setup.meter->ops->warm(setup.meter, 2 * spec->size_bytes / 64);
	run(&setup, hops * spec->lanes);
	double once = run(&setup, hops * spec->lanes), twice = run(&setup, 2 * hops * spec->lanes);
	close_meter(&setup);
	return (twice - once) / (double)(hops * spec->lanes);
}

static double lanes_ns(const char *description, uint64_t size_bytes, uint32_t lanes)
{
	struct fathom_spec spec = spec_of(size_bytes, lanes);
	return access_ns(description, &spec, 2000);
}

static void near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance * fabs(wanted)))
		fail_msg("%.9g is not %.9g within %g", value, wanted, tolerance);
}

static void lanes_overlap_without_limit(void **state)
{
	(void)state;
	const char *machine = EXACT "dtlb=off,issue=16";
	for (uint32_t lanes = 1; lanes <= 64; lanes *= 4) {
		near(lanes_ns(machine, IN_L2, lanes), 20.0 / lanes, 0.01);
		near(lanes_ns(machine, IN_L3, lanes), 40.0 / lanes, 0.01);
		near(lanes_ns(machine, IN_MEMORY, lanes), 100.0 / lanes, 0.01);
	}
}

static double store_ns(const char *description, uint64_t size_bytes, uint32_t lanes,
		       enum fathom_lane_store store)
{
	struct fathom_spec spec = spec_of(size_bytes, lanes);
	spec.lane_store = store;
	return access_ns(description, &spec, 2000);
}

/* A hop loads its cursor from the first cache, 4 ns; of what is issued, three are its own. */
static void cursors_on_the_stack_are_loaded_first(void **state)
{
	(void)state;
	const char *wide = EXACT "dtlb=off,issue=16", *narrow = EXACT "dtlb=off,issue=1";
	near(store_ns(wide, IN_L2, 4, FATHOM_STORE_REGISTERS), 20.0 / 4, 0.01);
	near(store_ns(wide, IN_L2, 4, FATHOM_STORE_STACK), 24.0 / 4, 0.01);
	near(store_ns(wide, IN_MEMORY, 4, FATHOM_STORE_STACK), 104.0 / 4, 0.01);
	near(store_ns(narrow, IN_L1, 32, FATHOM_STORE_REGISTERS), 1, 0.01);
	near(store_ns(narrow, IN_L1, 32, FATHOM_STORE_STACK), 3, 0.01);
}

static void outstanding_misses_end_the_gain(void **state)
{
	(void)state;
	const char *machine = EXACT "dtlb=off,misses=10/24/off";
	const uint32_t lanes[] = {1, 2, 5, 9, 10, 11, 12, 16, 25, 32, 64};
	for (size_t i = 0; i < sizeof(lanes) / sizeof(*lanes); i++) {
		double most = fmin(lanes[i], 10);
		near(lanes_ns(machine, IN_L2, lanes[i]), 20 / most, 0.01);
		near(lanes_ns(machine, IN_MEMORY, lanes[i]), 100 / most, 0.01);
	}
}

/* The first cache holds a slot for what the second waits for, so the fewer of the two count. */
static void each_cache_has_a_limit_of_its_own(void **state)
{
	(void)state;
	const char *machine = EXACT "dtlb=off,misses=20/12/6,issue=4";
	near(lanes_ns(machine, IN_L2, 40), 20.0 / 20, 0.01);
	near(lanes_ns(machine, IN_L3, 40), 40.0 / 12, 0.01);
	near(lanes_ns(machine, IN_MEMORY, 40), 100.0 / 6, 0.01);
}

/* What was counted of one event, an access. */
static double count_of(struct simulated_meter *setup, const char *name, uint64_t hops)
{
	char text[32];
	struct counter_event item = {.name = text};
	const struct counter_events events = {.items = &item, .count = 1};
	snprintf(text, sizeof(text), "%s", name);
	setup->meter->ops->count(setup->meter, &events, &setup->error);
	setup->meter->counting = true;
	run(setup, hops);
	struct fathom_count *counts = setup->meter->ops->take_counts(setup->meter);
	double per_access = counts->per_access;
	counts_free(counts, 1);
	return per_access;
}

/* Some accesses hit the second cache and some miss it: they share the slots of the first. */
static void slots_are_held_as_long_as_the_line_takes(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter(
		"sim:noise=0,outliers=0,drift=0,placement=even,clock=1G,dtlb=off,issue=16,"
		"l1=1K/1/lru/1c,l2=64K/8/random/20c,l3=off,mem=100ns,misses=8",
		CAPACITY);
	struct fathom_spec spec = spec_of(96 << 10, 30);
	prepare(&setup, &spec, true);
	setup.meter->ops->warm(setup.meter, 10 * spec.size_bytes / 64);
	double missed_first = count_of(&setup, "l1d_misses", 30000);
	double missed_last = count_of(&setup, "llc_misses", 30000);
	assert_true(missed_last > 0.3 && missed_last < 0.8);
	double mean_ns = (1 - missed_first) + (missed_first - missed_last) * 20 + missed_last * 100;
	near(run(&setup, 30000) / 30000, mean_ns / 8, 0.03);
	close_meter(&setup);
}

static void the_issue_limits_what_hits_the_first_cache(void **state)
{
	(void)state;
	const char *machine = EXACT "dtlb=off,issue=4";
	near(lanes_ns(machine, IN_L1, 2), 2, 0.001);
	near(lanes_ns(machine, IN_L1, 8), 0.5, 0.001);
	near(lanes_ns(machine, IN_L1, 32), 0.25, 0.001);
	near(lanes_ns(machine, 3 * 64, 3), 4.0 / 3, 0.001); /* each lane on a line of its own */
	near(lanes_ns(machine, 32 * 64, 32), 0.25, 0.001);
	near(lanes_ns(EXACT "dtlb=off", IN_L1, 32), 1, 0.001);
	near(lanes_ns(EXACT "dtlb=off,issue=4,misses=1", IN_L1, 16), 0.25, 0.001);
}

static void few_walkers_slow_small_pages_alone(void **state)
{
	(void)state;
	const char *limited = EXACT "dtlb=2/2/lru/0c,stlb=off,walkers=2,pwc=1024";
	const char *unlimited = EXACT "dtlb=2/2/lru/0c,stlb=off,pwc=1024";
	struct fathom_spec spec = spec_of(IN_L3, 24);
	spec.page = FATHOM_PAGE_4K;
	double walk_ns = lanes_ns(unlimited, IN_L3, 1) - 40; /* of nearly every access */
	assert_true(walk_ns > 15);
	near(access_ns(limited, &spec, 2000), walk_ns / 2, 0.02);
	near(access_ns(unlimited, &spec, 2000), (40 + walk_ns) / 24, 0.02);
	spec.page = FATHOM_PAGE_THP;
	near(access_ns(limited, &spec, 2000), 40.0 / 24, 0.01);
}

static void bandwidth_caps_the_gain(void **state)
{
	(void)state;
	const char *machine = EXACT "dtlb=off,bandwidth=off/off/16c/8G";
	near(lanes_ns(machine, IN_L3, 4), 10, 0.01);
	near(lanes_ns(machine, IN_L3, 32), 64.0 / 16, 0.01);
	near(lanes_ns(machine, IN_MEMORY, 4), 25, 0.01);
	near(lanes_ns(machine, IN_MEMORY, 32), 64.0 / 8, 0.01);
}

static void separate_cycles_gain_as_much(void **state)
{
	(void)state;
	const char *machine = EXACT "dtlb=off,misses=10";
	struct fathom_spec spec = spec_of(IN_L2, 7);
	spec.pattern = FATHOM_SEPARATE_CYCLES;
	near(access_ns(machine, &spec, 2000), 20.0 / 7, 0.01);
	spec.lanes = 30;
	near(access_ns(machine, &spec, 2000), 20.0 / 10, 0.01);
	spec.link = FATHOM_LINK_INDEX32;
	near(access_ns(machine, &spec, 2000), 20.0 / 10, 0.01);
}

/* What each run counts adds up: filling and draining are not in all of them. */
static void short_runs_tell_what_long_ones_do(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter(EXACT "dtlb=off,misses=16", CAPACITY);
	struct fathom_spec spec = spec_of(IN_L2, 17);
	double sum = 0;
	prepare(&setup, &spec, true);
	setup.meter->ops->warm(setup.meter, 10000);
	run(&setup, 17 * 100);
	for (int i = 0; i < 300; i++)
		sum += run(&setup, 17 * (20 + (uint64_t)i % 2)) - 40;
	near(sum, 300 * 20.5 * 17 * 20 / 16, 0.005);
	close_meter(&setup);
}

static void lanes_take_turns(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter(EXACT "dtlb=off", CAPACITY);
	struct fathom_spec spec = spec_of(IN_L2, 7);
	prepare(&setup, &spec, true);
	for (uint64_t hops = 1; hops < 700; hops += 13)
		run(&setup, hops);
	for (uint64_t i = 0; i < 1000; i++)
		run(&setup, 1);
	close_meter(&setup);
}

/* What one lane misses the next one would find, and catch up: they cannot, being in one program. */
static void lanes_stay_together(void **state)
{
	(void)state;
	const char *machine = "sim:noise=0,outliers=0,drift=0,placement=even,clock=1G,dtlb=off,"
			      "l1=1K/1/lru/1c,l2=64K/8/random/20c,l3=off,mem=100ns,issue=16,rob=";
	char free_lanes[256], turns[256];
	snprintf(free_lanes, sizeof(free_lanes), "%soff", machine);
	snprintf(turns, sizeof(turns), "%s64", machine);
	struct fathom_spec one = spec_of(96 << 10, 1), many = spec_of(96 << 10, 30);
	double mean_ns = access_ns(turns, &one, 50000);
	assert_true(access_ns(turns, &many, 5000) > mean_ns / 30);
	assert_true(access_ns(free_lanes, &many, 5000) < 0.8 * mean_ns / 30);
}

static void a_place_that_is_kept_goes_on_with_other_lanes(void **state)
{
	(void)state;
	struct simulated_meter setup = open_meter(EXACT "dtlb=off", CAPACITY);
	struct meter_placement placement;
	for (uint32_t lanes = 1; lanes < 40; lanes += 3) {
		struct fathom_spec spec = spec_of(IN_MEMORY, lanes);
		setup.meter->ops->prepare(setup.meter, &spec, 11, lanes == 1, &placement,
					  &setup.error);
		near(run(&setup, 200 * (uint64_t)lanes) - 40, 200 * 100, 0.02);
	}
	close_meter(&setup);
}

static void a_lane_that_loses_a_hop_is_noticed(void **state)
{
	(void)state;
	for (int pattern = FATHOM_RANDOM_CYCLE; pattern <= FATHOM_SEPARATE_CYCLES;
	     pattern += FATHOM_SEPARATE_CYCLES) {
		struct simulated_meter setup = open_meter(EXACT "corrupt=2", CAPACITY);
		struct fathom_spec spec = spec_of(IN_L2, 5);
		double ns;
		bool arrived;
		spec.pattern = (enum fathom_pattern)pattern;
		prepare(&setup, &spec, true);
		run(&setup, 100);
		setup.meter->ops->run(setup.meter, 100, &ns, &arrived);
		assert_false(arrived);
		close_meter(&setup);
	}
}

static void what_is_counted_does_not_depend_on_the_lanes(void **state)
{
	(void)state;
	for (uint32_t lanes = 1; lanes < 64; lanes += 9) {
		struct simulated_meter setup =
			open_meter(EXACT "misses=4,dtlb=16/16/lru/0c,stlb=off", CAPACITY);
		struct fathom_spec spec = spec_of(IN_MEMORY, lanes);
		uint64_t hops = 1000 * (uint64_t)lanes;
		spec.page = FATHOM_PAGE_THP; /* all in the TLB */
		prepare(&setup, &spec, true);
		run(&setup, hops);
		near(count_of(&setup, "l1d_reads", hops), 1, 1e-9);
		near(count_of(&setup, "l1d_misses", hops), 1, 1e-9);
		near(count_of(&setup, "llc_misses", hops), 1, 1e-9);
		near(count_of(&setup, "instructions", hops), 1, 1e-9);
		assert_true(count_of(&setup, "dtlb_misses", hops) < 0.01);
		close_meter(&setup);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lanes_overlap_without_limit),
	cmocka_unit_test(cursors_on_the_stack_are_loaded_first),
	cmocka_unit_test(outstanding_misses_end_the_gain),
	cmocka_unit_test(each_cache_has_a_limit_of_its_own),
	cmocka_unit_test(slots_are_held_as_long_as_the_line_takes),
	cmocka_unit_test(the_issue_limits_what_hits_the_first_cache),
	cmocka_unit_test(few_walkers_slow_small_pages_alone),
	cmocka_unit_test(bandwidth_caps_the_gain),
	cmocka_unit_test(separate_cycles_gain_as_much),
	cmocka_unit_test(short_runs_tell_what_long_ones_do),
	cmocka_unit_test(lanes_take_turns),
	cmocka_unit_test(lanes_stay_together),
	cmocka_unit_test(a_place_that_is_kept_goes_on_with_other_lanes),
	cmocka_unit_test(a_lane_that_loses_a_hop_is_noticed),
	cmocka_unit_test(what_is_counted_does_not_depend_on_the_lanes),
};
UNIT_GROUP();
