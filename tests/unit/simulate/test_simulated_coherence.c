/* Lines between simulated CPUs: how long a hand-over takes follows from where the two are, and
 * where the line's home is. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "simulate/simulated_coherence.h"
#include "unit.h"

/* Two sockets of two dies of two caches of four cores of two threads. */
#define MACHINE "sim:cpus=2x2x2x4x2,numbering=by_core,slices=0,handover=6ns/20ns/60ns/90ns/160ns"

static struct simulated_spec parse(const char *description)
{
	struct simulated_spec spec;
	assert_int_equal(simulated_spec_parse(description, &spec, NULL), 0);
	return spec;
}

/* One way, by loads and stores, after a few rounds. */
static double handover_ns(const struct simulated_coherence *coherence, unsigned a, unsigned b,
			  unsigned home)
{
	struct rng rng = rng_make(7);
	struct simulated_line line = simulated_coherence_line(coherence, home, &rng);
	double now_ns = 0, start_ns = 0;
	for (int round = 0; round < 20; round++) {
		start_ns = round == 10 ? now_ns : start_ns;
		now_ns = simulated_coherence_access(coherence, &line, a, SIMULATED_STORE, now_ns);
		now_ns = simulated_coherence_access(coherence, &line, b, SIMULATED_LOAD, now_ns);
		now_ns = simulated_coherence_access(coherence, &line, b, SIMULATED_STORE, now_ns);
		now_ns = simulated_coherence_access(coherence, &line, a, SIMULATED_LOAD, now_ns);
	}
	return (now_ns - start_ns) / 10 / 2;
}

static void near(double value, double wanted)
{
	if (!(fabs(value - wanted) < 1e-6 * wanted))
		fail_msg("%g is not %g", value, wanted);
}

static void each_way_takes_what_the_text_says(void **state)
{
	(void)state;
	for (int nodes = 0; nodes < 3; nodes++) {
		static const char *const machines[] = {MACHINE, MACHINE ",nodes=4",
						       MACHINE ",nodes=8"};
		struct simulated_spec spec = parse(machines[nodes]);
		struct simulated_coherence coherence = simulated_coherence_make(&spec);
		near(handover_ns(&coherence, 0, 1, 0), 6);
		near(handover_ns(&coherence, 0, 2, 0), 20);
		if (nodes < 2)
			near(handover_ns(&coherence, 0, 8, 0), 60);
		near(handover_ns(&coherence, 0, 16, 0), 90);
		near(handover_ns(&coherence, 0, 32, 0), 160);
		near(handover_ns(&coherence, 0, 32, 32), 160);
	}
}

static void a_far_home_makes_neighbours_far(void **state)
{
	(void)state;
	struct simulated_spec spec = parse(MACHINE);
	struct simulated_coherence coherence = simulated_coherence_make(&spec);
	near(handover_ns(&coherence, 0, 2, 32), 20); /* their cache knows */
	assert_true(handover_ns(&coherence, 0, 16, 32) > 1.5 * handover_ns(&coherence, 0, 16, 0));
}

static void slices_differ(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:cpus=8,slices=40%");
	struct simulated_coherence coherence = simulated_coherence_make(&spec);
	struct rng rng = rng_make(3);
	double least_ns = INFINITY, greatest_ns = 0;
	for (int i = 0; i < 50; i++) {
		struct simulated_line line = simulated_coherence_line(&coherence, 0, &rng);
		simulated_coherence_access(&coherence, &line, 0, SIMULATED_STORE, 0);
		double ns =
			simulated_coherence_access(&coherence, &line, 3, SIMULATED_LOAD, 1e6) - 1e6;
		least_ns = fmin(least_ns, ns);
		greatest_ns = fmax(greatest_ns, ns);
	}
	assert_true(greatest_ns > 1.05 * least_ns && greatest_ns < 1.5 * least_ns);
}

static void a_store_waits_for_the_farthest_reader_and_requests_for_each_other(void **state)
{
	(void)state;
	struct simulated_spec spec = parse(MACHINE);
	struct simulated_coherence coherence = simulated_coherence_make(&spec);
	struct rng rng = rng_make(1);
	struct simulated_line line = simulated_coherence_line(&coherence, 0, &rng);
	double now_ns = simulated_coherence_access(&coherence, &line, 0, SIMULATED_STORE, 0);
	now_ns = simulated_coherence_access(&coherence, &line, 2, SIMULATED_LOAD, now_ns);
	double alone_ns = now_ns;
	now_ns = simulated_coherence_access(&coherence, &line, 32, SIMULATED_LOAD, now_ns);
	near(now_ns - alone_ns, 80);
	double stored_ns =
		simulated_coherence_access(&coherence, &line, 0, SIMULATED_STORE, now_ns);
	near(stored_ns - now_ns, 80);
	/* Two at once: the second begins when the first ends. */
	double first_ns =
		simulated_coherence_access(&coherence, &line, 2, SIMULATED_STORE, stored_ns);
	double second_ns =
		simulated_coherence_access(&coherence, &line, 4, SIMULATED_STORE, stored_ns);
	near(first_ns - stored_ns, 10);
	near(second_ns - stored_ns, 20);
}

static void who_has_the_line_hits(void **state)
{
	(void)state;
	struct simulated_spec spec = parse(MACHINE ",l1=48K/12/lru/2ns");
	struct simulated_coherence coherence = simulated_coherence_make(&spec);
	struct rng rng = rng_make(1);
	struct simulated_line line = simulated_coherence_line(&coherence, 0, &rng);
	double now_ns = simulated_coherence_access(&coherence, &line, 0, SIMULATED_STORE, 0);
	near(simulated_coherence_access(&coherence, &line, 0, SIMULATED_STORE, now_ns) - now_ns, 2);
	near(simulated_coherence_access(&coherence, &line, 0, SIMULATED_LOAD, now_ns) - now_ns, 2);
}

static void cpus_that_are_not_pinned_change_places(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:cpus=64,moving=1ms");
	struct simulated_coherence coherence = simulated_coherence_make(&spec);
	unsigned moved = 0, sum = 0;
	simulated_coherence_pass(&coherence, 100e6);
	for (unsigned cpu = 0; cpu < 64; cpu++) {
		moved += coherence.thread_of[cpu] != cpu;
		sum += coherence.thread_of[cpu];
	}
	assert_true(moved > 32);
	assert_int_equal(sum, 63 * 64 / 2);
}

static void numbers_say_where_a_cpu_is(void **state)
{
	(void)state;
	struct simulated_spec spec = parse("sim:cpus=2x2x4x2");
	assert_int_equal(simulated_cpus_thread(&spec, 0), 0);
	assert_int_equal(simulated_cpus_thread(&spec, 1), 2);
	assert_int_equal(simulated_cpus_thread(&spec, 16), 1);
	spec = parse("sim:cpus=2x2x4x2,numbering=shuffled");
	uint64_t seen = 0;
	for (unsigned cpu = 0; cpu < 32; cpu++)
		seen |= (uint64_t)1 << simulated_cpus_thread(&spec, cpu);
	assert_int_equal(seen, 0xffffffff);
	spec = parse("sim:cpus=2x2x4x2,os_cpus=4x1x4x2");
	assert_int_equal(simulated_cpus_claimed(&spec, 8).socket, 1);
	assert_int_equal(simulated_cpus_claimed(&spec, 9).core, 4);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	static const char *const wrong[] = {
		"sim:cpus=2x8",
		"sim:cpus=0x1x1x1",
		"sim:cpus=8x8x8x8",
		"sim:cpus=4,os_cpus=8",
		"sim:cpus=2x2x2x2,nodes=3",
		"sim:cpus=4,offline=4",
		"sim:cpus=4,offline=0-3",
		"sim:cpus=4,lost=2",
		"sim:handover=1ns/2ns/3ns/4ns",
		"sim:handover=5ns/2ns/3ns/4ns/5ns",
		"sim:numbering=odd",
		"sim:cpus=4,offline=3-1",
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		struct simulated_spec spec;
		struct fathom_error error = {0};
		assert_int_equal(simulated_spec_parse(wrong[i], &spec, &error), -1);
		assert_int_equal(error.status, FATHOM_BAD_INPUT);
		fathom_error_clear(&error);
	}
	struct simulated_spec spec = parse("sim:cpus=4,offline=3,lost=1-2/5ms");
	assert_true(simulated_cpus_usable(&spec, 1, 4e6));
	assert_false(simulated_cpus_usable(&spec, 2, 6e6));
	assert_false(simulated_cpus_usable(&spec, 3, 0));
	assert_false(simulated_cpus_usable(&spec, 4, 0));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(each_way_takes_what_the_text_says),
	cmocka_unit_test(a_far_home_makes_neighbours_far),
	cmocka_unit_test(slices_differ),
	cmocka_unit_test(a_store_waits_for_the_farthest_reader_and_requests_for_each_other),
	cmocka_unit_test(who_has_the_line_hits),
	cmocka_unit_test(cpus_that_are_not_pinned_change_places),
	cmocka_unit_test(numbers_say_where_a_cpu_is),
	cmocka_unit_test(what_cannot_be_is_refused),
};
UNIT_GROUP();
