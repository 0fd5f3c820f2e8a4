/* The probe of the core's other thread on a timer of our own. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>

#include "base/rng.h"
#include "measure/sampling/sibling_probe.h"
#include "unit.h"

#define HZ      3.1e9
#define READ_NS 20.0 /* what reading the timer twice takes */
#define LOOKS   1000

struct core {
	double issued_per_cycle;
	double step_ns;       /* of the timer */
	double slower;        /* by which additions take longer beside the other thread's program */
	double busy_until_ns; /* it runs until then, and not later */
	double now_ns;
	struct rng rng;
};

static double time_chain(void *context, enum clock_chain chain, uint64_t count)
{
	struct core *core = context;
	double slower = core->now_ns < core->busy_until_ns ? core->slower : 1;
	double cycles = chain == CLOCK_ADDITIONS         ? 1
			: chain == CLOCK_MULTIPLICATIONS ? 3
							 : slower / core->issued_per_cycle;
	double start_ns = core->now_ns += 100 * rng_unit(&core->rng);
	core->now_ns += cycles * (double)count / HZ * 1e9 + READ_NS;
	return core->step_ns *
	       (floor(core->now_ns / core->step_ns) - floor(start_ns / core->step_ns));
}

static struct core a_core(double issued_per_cycle, double step_ns)
{
	return (struct core){.issued_per_cycle = issued_per_cycle,
			     .step_ns = step_ns,
			     .slower = 1.5,
			     .rng = rng_make(1)};
}

/* Two readings of the clock are never quite alike. */
static int busy_looks(struct sibling_probe *probe, double hz)
{
	int busy = 0;
	for (int i = 0; i < LOOKS; i++)
		busy += sibling_probe_is_busy(probe, hz * (1 + 1e-6 * (i / 16 % 2)));
	return busy;
}

static void it_tells_when_the_other_thread_is_busy(void **state)
{
	(void)state;
	static const double steps_ns[] = {1, 10, 41.7};
	for (int issued = 2; issued <= 8; issued++)
		for (int i = 0; i < 3; i++) {
			struct core core = a_core(issued, steps_ns[i]);
			struct clock_probe clock = clock_probe_make(time_chain, &core);
			struct sibling_probe probe = sibling_probe_make(&clock);
			assert_int_equal(busy_looks(&probe, HZ), 0);
			core.busy_until_ns = INFINITY;
			assert_int_equal(busy_looks(&probe, HZ), LOOKS);
			core.busy_until_ns = 0;
			assert_int_equal(busy_looks(&probe, HZ), 0);
		}
}

static void it_learns_when_the_program_pauses_for_the_first_time(void **state)
{
	(void)state;
	struct core core = a_core(6, 1);
	core.busy_until_ns = INFINITY;
	struct clock_probe clock = clock_probe_make(time_chain, &core);
	struct sibling_probe probe = sibling_probe_make(&clock);
	assert_int_equal(busy_looks(&probe, HZ), 0);
	core.busy_until_ns = 0;
	assert_int_equal(busy_looks(&probe, HZ), 0);
	core.busy_until_ns = INFINITY;
	assert_int_equal(busy_looks(&probe, HZ), LOOKS);
}

/* As where the program on the other thread keeps the multiplier busy. */
static void wrong_clocks_poison_nothing(void **state)
{
	(void)state;
	struct core core = a_core(6, 1);
	struct clock_probe clock = clock_probe_make(time_chain, &core);
	struct sibling_probe probe = sibling_probe_make(&clock);
	for (int wrong = 0; wrong < 12; wrong++) {
		for (int i = 0; i < 16; i++)
			assert_false(sibling_probe_is_busy(&probe, HZ * (0.5 + 0.03 * wrong)));
		assert_int_equal(busy_looks(&probe, HZ), 0);
	}
	core.busy_until_ns = INFINITY;
	assert_int_equal(busy_looks(&probe, HZ), LOOKS);
}

static void without_a_clock_it_never_tells(void **state)
{
	(void)state;
	struct core core = a_core(6, 1);
	struct clock_probe clock = clock_probe_make(time_chain, &core),
			   none = clock_probe_none("there is none");
	struct sibling_probe probe = sibling_probe_make(&clock), never = sibling_probe_make(&none);
	core.busy_until_ns = INFINITY;
	assert_int_equal(busy_looks(&probe, NAN), 0);
	assert_int_equal(busy_looks(&never, HZ), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(it_tells_when_the_other_thread_is_busy),
	cmocka_unit_test(it_learns_when_the_program_pauses_for_the_first_time),
	cmocka_unit_test(wrong_clocks_poison_nothing),
	cmocka_unit_test(without_a_clock_it_never_tells),
};
UNIT_GROUP();
