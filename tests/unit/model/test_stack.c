/* The mean latency of a stack of levels: by hand, as the sum of steps, and against traces through
 * three simulated caches. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/laws/stack.h"
#include "traces.h"
#include "unit.h"

#define LINE   256
#define PAGE   TRACES_PAGE
#define LEVELS 3
#define MEMORY 400.0

#define LEAST_HOPS 40000 /* so that chance is a percent at small sizes too */

static const double reaches_bytes[LEVELS] = {0x1p15, 0x1p20, 0x1p24};
static const double latencies[LEVELS] = {4, 16, 60};
static const double level_ways[LEVELS] = {8, 8, 16};

struct trace {
	enum hit_law law;
	const char *policy;
	bool scattered;
	unsigned places, warm_laps, laps;
};

static void fill_levels(enum hit_law law, bool scattered, struct stack_level *levels)
{
	for (size_t i = 0; i < LEVELS; i++)
		levels[i] = (struct stack_level){
			.reach_bytes = reaches_bytes[i],
			.latency = latencies[i],
			/* A way of the first is one page: however these lie, it is even. */
			.shape = {law, scattered && i > 0, level_ways[i], 1},
		};
}

static struct simulated_memory open_memory(const struct trace *trace, unsigned seed)
{
	return traces_open_text(text_format(
		"sim:line=%d,l1=32K/8/%s/4c,l2=1M/8/%s/16c,l3=16M/16/%s/60c,mem=400c,dtlb=off,"
		"placement=%s,seed=%u",
		LINE, trace->policy, trace->policy, trace->policy,
		trace->scattered ? "random" : "even", seed));
}

static double traced_place(const struct trace *trace, double size_bytes, unsigned place)
{
	struct simulated_memory memory = open_memory(trace, place);
	struct rng rng = rng_make(place);
	uint32_t lines = (uint32_t)(size_bytes / LINE);
	uint32_t *order = traces_order(lines, place);
	uint64_t warm = (uint64_t)lines * trace->warm_laps, timed = (uint64_t)lines * trace->laps;
	while (timed < LEAST_HOPS)
		timed += lines;
	traces_map(&memory, (uint64_t)lines * LINE, PAGE, place);
	for (uint64_t i = 0; i < warm + timed; i++) {
		if (i == warm)
			simulated_memory_take_cost(&memory);
		uint64_t line = trace->law == HIT_INDEPENDENT && i >= lines
					? rng_below(&rng, lines)
					: (uint64_t)order[i % lines];
		simulated_memory_load(&memory, line * LINE);
	}
	double cycles = simulated_memory_take_cost(&memory).cycles;
	free(order);
	simulated_memory_close(&memory);
	return cycles / (double)timed;
}

/* From an eighth of the first reach to four times the last. */
static void hold(const struct trace *trace, double tolerance)
{
	struct stack_level levels[LEVELS];
	fill_levels(trace->law, trace->scattered, levels);
	for (double octave = 13; octave <= 26; octave += 0.8) {
		double size_bytes = floor(exp2(octave) / PAGE) * PAGE, seen = 0;
		for (unsigned place = 1; place <= trace->places; place++)
			seen += traced_place(trace, size_bytes, place) / trace->places;
		double model = stack_latency(levels, LEVELS, MEMORY, size_bytes);
		if (!(fabs(model - seen) <= tolerance * seen))
			fail_msg("%s, %g bytes: %g, but the trace has %g", trace->policy,
				 size_bytes, model, seen);
	}
}

static void a_fixed_cycle_under_lru(void **state)
{
	(void)state;
	hold(&(struct trace){HIT_CYCLE_LRU, "lru", false, 1, 2, 1}, 1e-6);
	/* What is left is how the pages of 16 places happen to lie. */
	hold(&(struct trace){HIT_CYCLE_LRU, "lru", true, 16, 2, 1}, 0.06);
}

static void a_fixed_cycle_under_random_replacement(void **state)
{
	(void)state;
	hold(&(struct trace){HIT_CYCLE_RANDOM, "random", false, 1, 6, 3}, 0.03);
}

static void independent_accesses(void **state)
{
	(void)state;
	hold(&(struct trace){HIT_INDEPENDENT, "lru", false, 1, 3, 3}, 0.02);
	hold(&(struct trace){HIT_INDEPENDENT, "random", false, 1, 3, 3}, 0.02);
}

/* ---- by hand ---- */

static void near(double value, double wanted)
{
	if (!(fabs(value - wanted) <= 1e-12 * fabs(wanted)))
		fail_msg("%.17g is not %.17g", value, wanted);
}

static void independent_shares_are_those_of_the_bytes(void **state)
{
	(void)state;
	struct stack_level levels[LEVELS];
	double shares[LEVELS + 1];
	fill_levels(HIT_INDEPENDENT, false, levels);
	stack_shares(levels, LEVELS, 0x1p25, shares);
	near(shares[0], 0x1p15 / 0x1p25);
	near(shares[1], (0x1p20 - 0x1p15) / 0x1p25);
	near(shares[2], (0x1p24 - 0x1p20) / 0x1p25);
	near(shares[3], 0.5);
	near(stack_latency(levels, LEVELS, MEMORY, 0x1p25),
	     shares[0] * 4 + shares[1] * 16 + shares[2] * 60 + shares[3] * MEMORY);
	stack_shares(levels, LEVELS, 0x1p14, shares);
	near(shares[0], 1);
	assert_true(shares[1] == 0 && shares[2] == 0 && shares[3] == 0);
	near(stack_latency(levels, LEVELS, MEMORY, 0x1p14), 4);
	near(stack_latency(levels, 0, MEMORY, 0x1p14), MEMORY);
}

static void it_is_the_sum_of_steps(void **state)
{
	(void)state;
	for (int law = 0; law < HIT_LAW_COUNT; law++) {
		struct stack_level levels[LEVELS];
		fill_levels((enum hit_law)law, true, levels);
		for (double size_bytes = 0x1p12; size_bytes < 0x1p28; size_bytes *= 1.3) {
			double sum = latencies[0];
			for (size_t i = 0; i < LEVELS; i++) {
				double above = i + 1 < LEVELS ? latencies[i + 1] : MEMORY;
				double x = size_bytes / reaches_bytes[i];
				sum += (above - latencies[i]) *
				       (1 - hit_share(&levels[i].shape, x));
			}
			double stack = stack_latency(levels, LEVELS, MEMORY, size_bytes);
			assert_true(fabs(stack - sum) <= 1e-9 * sum);
		}
	}
}

/* The first keeps an eighth at twice the reach of the second, which keeps nothing: no share is
 * below 0. */
static void laws_that_cross_leave_the_farther_level_nothing(void **state)
{
	(void)state;
	const struct stack_level levels[] = {
		{0x1p15, 4, {HIT_INDEPENDENT, false, 8, 1, 0}},
		{0x1p17, 16, {HIT_CYCLE_LRU, false, 8, 1, 0}},
	};
	double shares[3];
	stack_shares(levels, 2, 0x1p18, shares);
	near(shares[0], 0.125);
	assert_true(shares[1] == 0);
	near(shares[2], 0.875);
	near(stack_latency(levels, 2, 100, 0x1p18), 0.125 * 4 + 87.5);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_fixed_cycle_under_lru),
	cmocka_unit_test(a_fixed_cycle_under_random_replacement),
	cmocka_unit_test(independent_accesses),
	cmocka_unit_test(independent_shares_are_those_of_the_bytes),
	cmocka_unit_test(it_is_the_sum_of_steps),
	cmocka_unit_test(laws_that_cross_leave_the_farther_level_nothing),
};
UNIT_GROUP();
