#include "measure/sampling/clock_probe.h"

#include <math.h>
#include <string.h>

#include "base/stopwatch.h"
#include "kernels/kernels.h"
#include "measure/sampling/trials.h"

/* A probe is this many steps of the timer when it is learnt, and not trusted below the second. */
#define STEPS           250
#define FEWEST_STEPS    200
#define STEP_TRIALS     64
#define LENGTH_TRIALS   9     /* all of them have to be long enough */
#define COST_TRIALS     15    /* of a set */
#define COST_BEARABLE   0.001 /* of a probe: half the interval of the cost */
#define RATIO_TRIALS    31
#define COST_SHARE      16 /* of a probe, that the cost of reading is learnt with */
#define COST_LENGTHS    8
#define MOST_COUNT      (1u << 30) /* a timer that does not tell these from nothing is none */
#define MOST_SETS       64         /* of trials of the ratio: some 50 ms */
#define RATIO_TOLERANCE 0.01
/* A busy thread on the same core makes additions wait now and then, by up to 3 % seen (Zen 4), and
 * multiplications, which need their unit every third cycle only, by less than 0.1 %: the clock is
 * read from these, and the additions may be late. */
#define CONTENTION 0.05
/* Cycles of a multiplication of 64 bits: 3 on most cores, 2 to 6 on all that are known to us
 * (Fog, Instruction tables; Arm's Software Optimization Guides). */
#define LEAST_RATIO  2
#define MOST_RATIO   8
#define MOST_REFUSED 16
#define FIRST_RETRY  64
#define RETRY_FACTOR 4

static double time_chain(const struct clock_probe *probe, enum clock_chain chain, uint64_t count)
{
	return probe->time(probe->context, chain, count);
}

/* The least time but none that is ever told: of nothing on a fine timer, else of something. */
static bool learn_step(struct clock_probe *probe)
{
	double least_ns = INFINITY;
	uint64_t count = 0;
	while (isinf(least_ns) && count < MOST_COUNT) {
		for (int i = 0; i < STEP_TRIALS; i++) {
			double ns = time_chain(probe, CLOCK_ADDITIONS, count);
			least_ns = ns > 0 ? fmin(least_ns, ns) : least_ns;
		}
		count = count ? 2 * count : CLOCK_CHAIN_UNIT;
	}
	probe->step_ns = least_ns;
	return !isinf(least_ns);
}

static bool is_long_enough(const struct clock_probe *probe)
{
	for (int i = 0; i < LENGTH_TRIALS; i++)
		if (time_chain(probe, CLOCK_ADDITIONS, probe->count) < STEPS * probe->step_ns)
			return false;
	return true;
}

/* Of chains that take a while, since the end of a short loop is foreseen; and of several lengths,
 * since trials that are all alike would be rounded alike. */
static double take_costs(const struct clock_probe *probe)
{
	uint64_t least = probe->count / COST_SHARE / CLOCK_CHAIN_UNIT;
	double costs_ns[COST_TRIALS];
	for (uint64_t i = 0; i < COST_TRIALS; i++) {
		uint64_t count = (least + 1 + i % COST_LENGTHS) * CLOCK_CHAIN_UNIT;
		double once_ns = time_chain(probe, CLOCK_ADDITIONS, count);
		costs_ns[i] = 2 * once_ns - time_chain(probe, CLOCK_ADDITIONS, 2 * count);
	}
	return trials_find(costs_ns, COST_TRIALS, 2 * probe->step_ns);
}

/* What reading the timer adds is less than reading it twice in a row takes: it overlaps. */
static void learn_cost(struct clock_probe *probe)
{
	struct trials_sets sets = {.count = 0};
	while (trials_go_on(&sets, COST_BEARABLE * STEPS * probe->step_ns))
		sets.values[sets.count++] = take_costs(probe);
	probe->cost_ns = fmin(fmax(trials_of_sets(&sets).value, 0), 2 * probe->step_ns);
}

struct times {
	double add_ns, multiply_ns; /* as many of each */
};

static struct times time_both(const struct clock_probe *probe)
{
	double add_ns = time_chain(probe, CLOCK_ADDITIONS, probe->count);
	double multiply_ns = time_chain(probe, CLOCK_MULTIPLICATIONS, probe->count / 2);
	return (struct times){add_ns - probe->cost_ns, 2 * (multiply_ns - probe->cost_ns)};
}

/* Whatever disturbs a chain adds to its time, so the least of either is undisturbed, at the highest
 * clock that both have seen. */
static bool learn_ratio(struct clock_probe *probe)
{
	struct times least = {INFINITY, INFINITY};
	for (int set = 0; set < MOST_SETS; set++) {
		for (int i = 0; i < RATIO_TRIALS; i++) {
			struct times times = time_both(probe);
			least.add_ns = fmin(least.add_ns, times.add_ns);
			least.multiply_ns = fmin(least.multiply_ns, times.multiply_ns);
		}
		double ratio = least.multiply_ns / least.add_ns, whole = round(ratio);
		if (whole >= LEAST_RATIO && whole <= MOST_RATIO &&
		    fabs(ratio / whole - 1) <= RATIO_TOLERANCE) {
			probe->ratio = whole;
			return true;
		}
	}
	return false;
}

static void learn(struct clock_probe *probe)
{
	probe->missing = NULL;
	probe->refused = 0;
	probe->count = 2 * CLOCK_CHAIN_UNIT;
	if (!learn_step(probe)) {
		probe->missing = "the timer is too coarse to time arithmetic";
		return;
	}
	while (!is_long_enough(probe))
		probe->count *= 2;
	learn_cost(probe);
	if (!learn_ratio(probe))
		probe->missing = "a multiplication does not take a whole number of additions here: "
				 "this is an emulator, or the clock is unstable";
}

struct clock_probe clock_probe_make(clock_chain_ns *time, void *context)
{
	struct clock_probe probe = {
		.time = time,
		.context = context,
		.retry_at = FIRST_RETRY,
	};
	learn(&probe);
	return probe;
}

struct clock_probe clock_probe_none(const char *missing)
{
	return (struct clock_probe){.missing = missing};
}

static void try_again(struct clock_probe *probe)
{
	if (!probe->time || ++probe->missed < probe->retry_at)
		return;
	probe->retry_at *= RETRY_FACTOR;
	learn(probe);
}

struct meter_clock clock_probe_read(struct clock_probe *probe)
{
	if (probe->missing)
		try_again(probe);
	if (probe->missing)
		return (struct meter_clock){NAN, NAN};
	struct times times = time_both(probe);
	double ratio = times.multiply_ns / times.add_ns, off = ratio / probe->ratio - 1;
	double hz = probe->ratio * (double)probe->count / times.multiply_ns * 1e9;
	bool trusted = off <= RATIO_TOLERANCE && off >= -CONTENTION &&
		       times.add_ns >= FEWEST_STEPS * probe->step_ns;
	probe->refused = trusted ? 0 : probe->refused + 1;
	if (probe->refused == MOST_REFUSED)
		learn(probe);
	return (struct meter_clock){trusted ? hz : NAN, ratio};
}

static double time_hardware(void *context, enum clock_chain chain, uint64_t count)
{
	const struct kernel_probe *kernel = context;
	void (*run)(uint64_t) = chain == CLOCK_ADDITIONS         ? kernel->add
				: chain == CLOCK_MULTIPLICATIONS ? kernel->multiply
								 : kernel->add_apart;
	uint64_t start = stopwatch_now_ns();
	run(count);
	return (double)(stopwatch_now_ns() - start);
}

struct clock_probe clock_probe_hardware(void)
{
	const struct kernel_probe *kernel = kernel_probe();
	return strcmp(kernel->isa, "portable") == 0
		       ? clock_probe_none("there is no clock probe for this instruction set")
		       : clock_probe_make(time_hardware, (void *)kernel);
}
