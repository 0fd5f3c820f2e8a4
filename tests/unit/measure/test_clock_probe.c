/* The clock probe on a timer of our own: what it learns stands disturbances, and is learnt again
 * when it no longer holds. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "base/rng.h"
#include "base/stats.h"
#include "measure/sampling/clock_probe.h"
#include "unit.h"

struct core {
	double hz, ratio;
	double read_ns; /* what reading the timer twice takes */
	double step_ns; /* of the timer */
	double late;    /* by which share a sibling thread slows additions */
	uint64_t calls, stolen_call;
	double stolen_ns;
	double storm; /* share of calls from which up to 1 ms is stolen */
	double now_ns;
	struct rng rng;
};

static struct core a_core(void)
{
	return (struct core){.hz = 3.7e9, .ratio = 3, .read_ns = 20, .rng = rng_make(1)};
}

static double on_step(const struct core *core, double ns)
{
	return core->step_ns > 0 ? floor(ns / core->step_ns) * core->step_ns : ns;
}

static double time_chain(void *context, enum clock_chain chain, uint64_t count)
{
	struct core *core = context;
	double cycles = (double)count * (chain == CLOCK_ADDITIONS ? 1 + core->late : core->ratio);
	double start_ns = core->now_ns += 3.3;
	core->now_ns += cycles / core->hz * 1e9 + core->read_ns;
	if (++core->calls == core->stolen_call)
		core->now_ns += core->stolen_ns;
	if (rng_unit(&core->rng) < core->storm)
		core->now_ns += 1e6 * rng_unit(&core->rng);
	return on_step(core, core->now_ns) - on_step(core, start_ns);
}

/* The median of some readings. */
static double read_hz(struct clock_probe *probe)
{
	double hz[25];
	size_t known = 0;
	for (int i = 0; i < 25; i++) {
		double one = clock_probe_read(probe).hz;
		if (!isnan(one))
			hz[known++] = one;
	}
	return stats_median(hz, known);
}

static void near(double value, double wanted, double tolerance)
{
	if (!(fabs(value / wanted - 1) <= tolerance))
		fail_msg("%.9g is not %.9g within %g", value, wanted, tolerance);
}

static void one_disturbance_poisons_nothing(void **state)
{
	(void)state;
	static const double stolen_ns[] = {100, 1e3, 2e4, 4e6};
	struct core quiet = a_core();
	quiet.step_ns = 10;
	uint64_t count = clock_probe_make(time_chain, &quiet).count;
	for (uint64_t call = 1; call <= 500; call++) {
		struct core core = a_core();
		core.step_ns = quiet.step_ns;
		core.stolen_call = call;
		core.stolen_ns = stolen_ns[call % 4];
		struct clock_probe probe = clock_probe_make(time_chain, &core);
		assert_null(probe.missing);
		assert_true(probe.ratio == 3 && probe.count == count);
		near(read_hz(&probe), core.hz, 1e-3);
	}
}

static void a_third_of_disturbed_calls_poisons_nothing(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct core core = a_core();
		core.rng = rng_make(seed);
		core.storm = 1.0 / 3;
		struct clock_probe probe = clock_probe_make(time_chain, &core);
		assert_null(probe.missing);
		assert_true(probe.ratio == 3);
		near(read_hz(&probe), core.hz, 1e-3);
	}
}

static void a_probe_is_long_and_the_timer_no_part_of_it(void **state)
{
	(void)state;
	static const struct {
		double read_ns, step_ns, tolerance;
	} timers[] = {
		{20, 0, 1e-4}, {20, 10, 5e-4}, {30, 41.7, 1e-3}, {25, 1000, 4e-3}, {900, 1, 1e-4}};
	for (size_t i = 0; i < sizeof(timers) / sizeof(*timers); i++) {
		struct core core = a_core();
		core.read_ns = timers[i].read_ns;
		core.step_ns = timers[i].step_ns;
		struct clock_probe probe = clock_probe_make(time_chain, &core);
		assert_null(probe.missing);
		assert_true((double)probe.count / core.hz * 1e9 >= 200 * timers[i].step_ns);
		assert_true((double)probe.count / core.hz * 1e9 >= 200 * timers[i].read_ns);
		near(read_hz(&probe), core.hz, timers[i].tolerance);
	}
}

static void a_busy_sibling_does_not_slow_the_clock(void **state)
{
	(void)state;
	struct core core = a_core();
	struct clock_probe probe = clock_probe_make(time_chain, &core);
	core.late = 0.03;
	near(read_hz(&probe), core.hz, 1e-4);
}

static void another_clock_is_learnt(void **state)
{
	(void)state;
	struct core core = a_core();
	core.hz = 0.8e9;
	struct clock_probe probe = clock_probe_make(time_chain, &core);
	uint64_t count = probe.count;
	core.hz = 4.8e9;
	for (int i = 0; i < 20; i++)
		clock_probe_read(&probe);
	assert_true(probe.count >= 4 * count);
	near(read_hz(&probe), core.hz, 1e-4);
}

static void a_ratio_that_no_core_has_is_no_clock_until_it_is_one(void **state)
{
	(void)state;
	static const double ratios[] = {1, 1.4, 2.5, 9};
	for (size_t i = 0; i < sizeof(ratios) / sizeof(*ratios); i++) {
		struct core core = a_core();
		core.ratio = ratios[i];
		struct clock_probe probe = clock_probe_make(time_chain, &core);
		assert_non_null(probe.missing);
		assert_true(isnan(clock_probe_read(&probe).hz));
		core.ratio = 4;
		for (int k = 0; k < 100; k++)
			clock_probe_read(&probe);
		assert_null(probe.missing);
		near(read_hz(&probe), core.hz, 1e-4);
	}
}

static void a_timer_that_stands_still_is_none(void **state)
{
	(void)state;
	struct core core = a_core();
	core.step_ns = 1e18;
	struct clock_probe probe = clock_probe_make(time_chain, &core);
	assert_non_null(probe.missing);
	probe = clock_probe_none("none");
	for (int i = 0; i < 100; i++)
		assert_true(isnan(clock_probe_read(&probe).hz));
	assert_string_equal(probe.missing, "none");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(one_disturbance_poisons_nothing),
	cmocka_unit_test(a_third_of_disturbed_calls_poisons_nothing),
	cmocka_unit_test(a_probe_is_long_and_the_timer_no_part_of_it),
	cmocka_unit_test(a_busy_sibling_does_not_slow_the_clock),
	cmocka_unit_test(another_clock_is_learnt),
	cmocka_unit_test(a_ratio_that_no_core_has_is_no_clock_until_it_is_one),
	cmocka_unit_test(a_timer_that_stands_still_is_none),
};
UNIT_GROUP();
