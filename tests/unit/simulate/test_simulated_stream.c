/* Reading, writing and copying on a simulated machine. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "base/point.h"
#include "simulated_meter.h"
#include "unit.h"

#define CAPACITY ((uint64_t)16 << 20)
/* Latencies of 4, 20, 40 and 100 ns; L1 16 KiB, L2 128 KiB, L3 1 MiB. */
#define EXACT                                                                                      \
	"sim:noise=0,outliers=0,drift=0,placement=even,dtlb=off,clock=1G,l1=16K/8/lru/4c,"         \
	"l2=128K/8/lru/20c,l3=1M/16/lru/40ns,mem=100ns"
#define IN_L1     ((uint64_t)8 << 10)
#define IN_L2     ((uint64_t)64 << 10)
#define IN_L3     ((uint64_t)512 << 10)
#define IN_MEMORY ((uint64_t)8 << 20)

static struct fathom_spec spec_of(enum fathom_pattern pattern, uint64_t size_bytes)
{
	return (struct fathom_spec){.size_bytes = size_bytes,
				    .node_bytes = 64,
				    .lanes = 1,
				    .threads = 1,
				    .vector_bytes = 64,
				    .pattern = pattern};
}

/* A line, once warm. */
static double line_ns(const char *description, const struct fathom_spec *spec)
{
	const uint64_t lines = 20000;
	struct simulated_meter setup = open_meter(description, CAPACITY);
	prepare(&setup, spec, true);
	setup.meter->ops->warm(setup.meter, 2 * spec->size_bytes / 64);
	run(&setup, lines);
	double once = run(&setup, lines), twice = run(&setup, 2 * lines);
	close_meter(&setup);
	return (twice - once) / (double)lines;
}

static double stream_ns(const char *description, enum fathom_pattern pattern, uint64_t size_bytes)
{
	struct fathom_spec spec = spec_of(pattern, size_bytes);
	return line_ns(description, &spec);
}

static void near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance * fabs(wanted)))
		fail_msg("%.9g is not %.9g within %g", value, wanted, tolerance);
}

static void reading_takes_latencies_together(void **state)
{
	(void)state;
	const char *machine = EXACT ",overlap=8";
	near(stream_ns(machine, FATHOM_READ, IN_L1), 1, 0.001); /* issued one a cycle */
	near(stream_ns(machine, FATHOM_READ, IN_L2), 20.0 / 8, 0.001);
	near(stream_ns(machine, FATHOM_READ, IN_L3), 40.0 / 8, 0.001);
	near(stream_ns(machine, FATHOM_READ, IN_MEMORY), 100.0 / 8, 0.001);
}

static void narrow_vectors_are_issued_more_often(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(FATHOM_READ, IN_L1);
	spec.vector_bytes = 16;
	near(line_ns(EXACT, &spec), 4, 0.001);
	near(line_ns(EXACT ",issue=2", &spec), 2, 0.001);
	spec.pattern = FATHOM_COPY;
	near(line_ns(EXACT ",issue=2", &spec), 4, 0.001);
	spec.size_bytes = IN_MEMORY; /* there the lines are what takes time */
	near(line_ns(EXACT ",issue=2", &spec), 2 * 100.0 / 10, 0.01);
}

/* Bytes of 64 that pass each level a line: what is written goes back where it came from. */
static void bandwidth_carries_what_is_fetched_and_what_goes_back(void **state)
{
	(void)state;
	const struct {
		enum fathom_pattern pattern;
		double lines;
	} patterns[] = {{FATHOM_READ, 1}, {FATHOM_WRITE, 2},   {FATHOM_WRITE_NT, 1},
			{FATHOM_COPY, 3}, {FATHOM_COPY_NT, 2}, {FATHOM_UPDATE, 2}};
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		const char *machine = EXACT ",overlap=100,bandwidth=off/off/off/4G";
		near(stream_ns(machine, patterns[i].pattern, IN_MEMORY), patterns[i].lines * 16,
		     0.002);
	}
	near(stream_ns(EXACT ",overlap=100,bandwidth=off/16c", FATHOM_READ, IN_L2), 4, 0.002);
	near(stream_ns(EXACT ",overlap=100,bandwidth=off/16c", FATHOM_WRITE, IN_L2), 8, 0.002);
	near(stream_ns(EXACT ",bandwidth=32c", FATHOM_UPDATE, IN_L1), 4, 0.002);
}

static void what_goes_past_the_caches_leaves_them(void **state)
{
	(void)state;
	near(stream_ns(EXACT, FATHOM_WRITE_NT, IN_L1), 100.0 / 10, 0.001);
	near(stream_ns(EXACT, FATHOM_WRITE, IN_L1), 1, 0.001);
	near(stream_ns(EXACT, FATHOM_COPY_NT, IN_L1), (4 + 100) / 10.0, 0.01);
	near(stream_ns(EXACT ",misses=4", FATHOM_WRITE_NT, IN_L1), 100.0 / 4, 0.001);
}

static void outstanding_misses_limit_streams(void **state)
{
	(void)state;
	const char *machine = EXACT ",overlap=40,misses=12/6";
	near(stream_ns(machine, FATHOM_READ, IN_L2), 20.0 / 12, 0.01);
	near(stream_ns(machine, FATHOM_WRITE, IN_MEMORY), 100.0 / 6, 0.01);
}

/* Prefetched lines cost memory what others do. */
static void prefetchers_help_up_to_the_bandwidth(void **state)
{
	(void)state;
	const char *machine = EXACT ",stride=16";
	double plain_ns = stream_ns(EXACT, FATHOM_READ, IN_MEMORY);
	double ahead_ns = stream_ns(machine, FATHOM_READ, IN_MEMORY);
	assert_true(ahead_ns < 0.5 * plain_ns);
	near(stream_ns(EXACT ",stride=16,bandwidth=off/off/off/8G", FATHOM_READ, IN_MEMORY), 8,
	     0.02);
	near(stream_ns(EXACT ",stride=16,bandwidth=off/off/off/8G", FATHOM_WRITE, IN_MEMORY), 16,
	     0.02);
}

static void threads_share_the_last_cache_and_memory(void **state)
{
	(void)state;
	const char *machine = EXACT ",cpus=8,overlap=100,bandwidth=64c/32c/16c/16G";
	for (uint32_t threads = 1; threads <= 8; threads *= 2) {
		struct fathom_spec spec = spec_of(FATHOM_READ, IN_L2);
		spec.threads = threads;
		near(line_ns(machine, &spec), 2, 0.002);
		spec.size_bytes = IN_L3;
		near(line_ns(machine, &spec), 4.0 * threads, 0.002);
		spec.size_bytes = IN_MEMORY;
		near(line_ns(machine, &spec), 4.0 * threads, 0.002);
	}
}

static void a_lost_line_is_noticed(void **state)
{
	(void)state;
	for (int pattern = FATHOM_READ; pattern <= FATHOM_UPDATE; pattern++)
		for (uint64_t lines = 1; lines < 500; lines = 3 * lines + 5) {
			struct simulated_meter setup = open_meter(EXACT ",corrupt=3", CAPACITY);
			struct fathom_spec spec =
				spec_of((enum fathom_pattern)pattern, IN_L1 + 3 * 64);
			double ns;
			bool arrived;
			prepare(&setup, &spec, true);
			run(&setup, 7);
			run(&setup, lines);
			setup.meter->ops->run(setup.meter, lines, &ns, &arrived);
			assert_false(arrived);
			close_meter(&setup);
		}
}

static void lines_of_other_sizes_work(void **state)
{
	(void)state;
	near(stream_ns(EXACT ",line=128", FATHOM_READ, IN_MEMORY), (100 + 4) / 2.0 / 10, 0.02);
	near(stream_ns(EXACT ",line=32", FATHOM_READ, IN_MEMORY), 2 * 100.0 / 10, 0.01);
	near(stream_ns(EXACT ",line=16,overlap=100,bandwidth=off/off/off/4G", FATHOM_COPY,
		       IN_MEMORY),
	     3 * 16, 0.01);
}

static void loads_are_counted_and_stores_are_not(void **state)
{
	(void)state;
	char names[][16] = {"l1d_reads", "l1d_misses", "llc_misses", "instructions"};
	const double wanted[][4] = {{4, 1, 1, 4}, {0, 0, 0, 4}, {0, 0, 0, 4},
				    {4, 1, 1, 8}, {4, 1, 1, 8}, {4, 1, 1, 12}};
	struct counter_event items[4] = {{0}};
	for (int i = 0; i < 4; i++)
		items[i].name = names[i];
	const struct counter_events events = {.items = items, .count = 4};
	for (int pattern = FATHOM_READ; pattern <= FATHOM_UPDATE; pattern++) {
		struct simulated_meter setup = open_meter(EXACT, CAPACITY);
		struct fathom_spec spec = spec_of((enum fathom_pattern)pattern, IN_MEMORY);
		spec.vector_bytes = 16;
		prepare(&setup, &spec, true);
		setup.meter->ops->count(setup.meter, &events, &setup.error);
		setup.meter->counting = true;
		run(&setup, 5000);
		struct fathom_count *counts = setup.meter->ops->take_counts(setup.meter);
		for (int i = 0; i < 4; i++)
			assert_true(counts[i].per_access == wanted[pattern - FATHOM_READ][i]);
		counts_free(counts, 4);
		close_meter(&setup);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(reading_takes_latencies_together),
	cmocka_unit_test(narrow_vectors_are_issued_more_often),
	cmocka_unit_test(bandwidth_carries_what_is_fetched_and_what_goes_back),
	cmocka_unit_test(what_goes_past_the_caches_leaves_them),
	cmocka_unit_test(outstanding_misses_limit_streams),
	cmocka_unit_test(prefetchers_help_up_to_the_bandwidth),
	cmocka_unit_test(threads_share_the_last_cache_and_memory),
	cmocka_unit_test(a_lost_line_is_noticed),
	cmocka_unit_test(lines_of_other_sizes_work),
	cmocka_unit_test(loads_are_counted_and_stores_are_not),
};
UNIT_GROUP();
