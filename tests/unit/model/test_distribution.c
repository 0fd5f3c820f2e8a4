/* What is found of single accesses is what a simple memory, which knows no model, was made of. */
#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "base/stats.h"
#include "model/distribution/modes.h"
#include "model/distribution/refresh.h"
#include "unit.h"

#define ACCESSES 50000
#define SERIES   (SANITIZED ? 5 : 25)
#define MOST     4

/* Some latencies, each with noise to both sides and a tail, of which refreshes make some longer,
 * timed by a clock with steps. */
struct memory {
	int count;
	double ns[MOST], share[MOST], noise[MOST];
	double rare, rare_ns;          /* share of what is far out */
	double step_ns;                /* of the clock; 0: none */
	double period_ns, busy_ns;     /* refresh; period 0: none */
	double tick_ns, tick_takes_ns; /* a timer's interrupt */
};

static double times_ns[ACCESSES], latencies_ns[ACCESSES], sorted_ns[ACCESSES];

static double between(struct rng *rng, double low, double high)
{
	return low + rng_unit(rng) * (high - low);
}

static struct memory make_memory(struct rng *rng)
{
	static const double steps_ns[] = {0, 0.4, 1, 10.0 / 3};
	struct memory memory = {.count = 1 + (int)rng_below(rng, MOST)};
	double sum = 0;
	for (int i = 0; i < memory.count; i++) {
		memory.ns[i] = i ? memory.ns[i - 1] * between(rng, 1.3, 2) : between(rng, 60, 120);
		memory.noise[i] = between(rng, 0.005, 0.04);
		sum += memory.share[i] = between(rng, 0.05, 1);
	}
	for (int i = 0; i < memory.count; i++)
		memory.share[i] /= sum;
	memory.rare = between(rng, 0, 0.003);
	memory.rare_ns = between(rng, 2000, 9000);
	memory.step_ns = steps_ns[rng_below(rng, 4)];
	return memory;
}

static double served_ns(const struct memory *memory, struct rng *rng)
{
	double left = rng_unit(rng);
	int which = 0;
	if (rng_unit(rng) < memory->rare)
		return memory->rare_ns * exp(0.3 * rng_normal(rng));
	while (which + 1 < memory->count && left > memory->share[which])
		left -= memory->share[which++];
	return memory->ns[which] * exp(memory->noise[which] * rng_normal(rng)) *
	       (1 + 0.02 * -log(1 - rng_unit(rng)));
}

/* Both readings of the clock are rounded down to a step. */
static double timed_ns(double ns, double step_ns, struct rng *rng)
{
	return step_ns > 0 ? fmax(step_ns, step_ns * floor(ns / step_ns + rng_unit(rng))) : ns;
}

static void access_memory(const struct memory *memory, struct rng *rng)
{
	double now_ns = between(rng, 0, 10000), tick_ns = memory->tick_ns;
	for (int i = 0; i < ACCESSES; i++) {
		double ns = served_ns(memory, rng);
		double into =
			memory->period_ns > 0 ? fmod(now_ns + 0.6 * ns, memory->period_ns) : 0;
		if (memory->period_ns > 0 && into < memory->busy_ns)
			ns += memory->busy_ns - into;
		if (memory->tick_ns > 0 && now_ns > tick_ns) {
			ns += memory->tick_takes_ns;
			tick_ns += memory->tick_ns;
		}
		times_ns[i] = now_ns;
		latencies_ns[i] = sorted_ns[i] = timed_ns(ns, memory->step_ns, rng);
		now_ns += ns + 25;
	}
	stats_sort(sorted_ns, ACCESSES);
}

/* Each of its latencies is a mode with that share of the accesses, and there are no others. */
static bool is_right(const struct memory *memory, const struct mode *modes, size_t count)
{
	size_t usual = 0;
	while (usual < count && modes[usual].ns < 1500)
		usual++;
	if (usual != (size_t)memory->count)
		return false;
	for (size_t i = 0; i < usual; i++) {
		double share = memory->share[i] * (1 - memory->rare);
		if (fabs(modes[i].share - share) > 0.03 ||
		    fabs(modes[i].ns / memory->ns[i] - 1) > 0.05 ||
		    !(modes[i].low_ns <= modes[i].ns && modes[i].ns <= modes[i].high_ns))
			return false;
	}
	return true;
}

static void modes_have_their_shares(void **state)
{
	(void)state;
	int right = 0;
	for (uint64_t seed = 1; seed <= SERIES; seed++) {
		struct rng rng = rng_make(seed);
		struct memory memory = make_memory(&rng);
		struct mode *modes;
		size_t count;
		access_memory(&memory, &rng);
		assert_int_equal(modes_find(sorted_ns, ACCESSES, memory.step_ns, &modes, &count),
				 0);
		right += is_right(&memory, modes, count);
		free(modes);
	}
	assert_true(right >= SERIES - 1);
}

static struct memory with_trouble(struct rng *rng)
{
	static const double ticks_ns[] = {1e6, 4e6};
	struct memory memory = make_memory(rng);
	memory.count = 1; /* where few take longer than usual */
	memory.share[0] = 1;
	memory.tick_ns = ticks_ns[rng_below(rng, 2)];
	memory.tick_takes_ns = between(rng, 800, 8000);
	return memory;
}

static void refresh_is_found_with_its_period(void **state)
{
	(void)state;
	static const double periods_ns[] = {7800, 3900, 1950, 7812.5};
	for (uint64_t seed = 1; seed <= SERIES; seed++) {
		struct rng rng = rng_make(seed);
		struct memory memory = with_trouble(&rng);
		struct refresh refresh;
		bool found;
		memory.period_ns = periods_ns[rng_below(&rng, 4)];
		memory.busy_ns = between(&rng, 200, fmin(550, memory.period_ns / 4));
		access_memory(&memory, &rng);
		assert_int_equal(refresh_find(times_ns, latencies_ns, ACCESSES, &refresh, &found),
				 0);
		assert_true(found);
		assert_true(fabs(refresh.period_ns / memory.period_ns - 1) < 0.01);
		assert_true(refresh.low_ns <= refresh.period_ns &&
			    refresh.period_ns <= refresh.high_ns);
	}
}

static void no_refresh_is_found_where_there_is_none(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SERIES; seed++) {
		struct rng rng = rng_make(seed);
		struct memory memory = with_trouble(&rng);
		struct refresh refresh;
		bool found;
		access_memory(&memory, &rng);
		assert_int_equal(refresh_find(times_ns, latencies_ns, ACCESSES, &refresh, &found),
				 0);
		assert_false(found);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(modes_have_their_shares),
	cmocka_unit_test(refresh_is_found_with_its_period),
	cmocka_unit_test(no_refresh_is_found_where_there_is_none),
};
UNIT_GROUP();
