/* The laws of hits against traces through simulated caches, which know no law. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "model/laws/hit_law.h"
#include "traces.h"
#include "unit.h"

#define LINE  1024 /* four lines a page: many pages for few lines */
#define LINES 4096 /* of the cache */

struct trace {
	enum hit_law law; /* the order that it speaks of */
	const char *policy;
	unsigned ways;
	bool scattered;
	unsigned nodes_a_line;
	unsigned warm_laps, laps;
	unsigned places; /* in memory, each with an order of its own */
	unsigned colors; /* pages that a way has room for; 0: as many as fit */
};

static struct simulated_memory open_memory(const struct trace *trace, unsigned seed)
{
	return traces_open_text(text_format(
		"sim:line=1K,l1=4M/%u/%s/4c,l2=off,dtlb=off,mem=100ns,placement=%s,seed=%u",
		trace->ways, trace->policy, trace->scattered ? "random" : "even", seed));
}

static uint64_t page_bytes(const struct trace *trace)
{
	uint64_t way_bytes = (uint64_t)LINES / trace->ways * LINE;
	return trace->colors ? way_bytes / trace->colors : TRACES_PAGE;
}

/* Hits of one lap, the order as the law has it. */
static double lap_hits(struct simulated_memory *memory, const struct trace *trace, uint32_t *order,
		       uint32_t nodes, struct rng *rng)
{
	double hits = 0;
	if (trace->law == HIT_LAPS_LRU)
		traces_shuffle(order, nodes, rng);
	for (uint32_t i = 0; i < nodes; i++) {
		uint64_t node =
			trace->law == HIT_INDEPENDENT ? rng_below(rng, nodes) : (uint64_t)order[i];
		hits += simulated_memory_load(memory, node / trace->nodes_a_line * LINE) == 0;
	}
	return hits;
}

/* The share of hits in one place in memory. */
static double hits_in_place(const struct trace *trace, uint32_t lines, uint32_t *order,
			    unsigned place)
{
	uint32_t nodes = lines * trace->nodes_a_line;
	struct simulated_memory memory = open_memory(trace, place);
	struct rng rng = rng_make(place);
	double hits = 0;
	traces_map(&memory, (uint64_t)lines * LINE, page_bytes(trace), place);
	traces_shuffle(order, nodes, &rng);
	for (unsigned lap = 0; lap < trace->warm_laps + trace->laps; lap++) {
		double lap_result = lap_hits(&memory, trace, order, nodes, &rng);
		hits += lap >= trace->warm_laps ? lap_result : 0;
	}
	simulated_memory_close(&memory);
	return hits / nodes / trace->laps;
}

/* The mean share of hits of a trace over x times as many lines as the cache has, and how far the
 * places are from it: their standard deviation. */
static double traced(const struct trace *trace, double x, double *deviation)
{
	uint32_t lines = (uint32_t)lround(LINES * x);
	uint32_t *order = traces_order(lines * trace->nodes_a_line, 1);
	double sum = 0, squares = 0, places = trace->places;
	for (unsigned place = 1; place <= trace->places; place++) {
		double hits = hits_in_place(trace, lines, order, place);
		sum += hits;
		squares += hits * hits;
	}
	free(order);
	if (deviation)
		*deviation = sqrt(fmax(0, squares / places - pow(sum / places, 2)));
	return sum / places;
}

static struct hit_shape shape_of(const struct trace *trace)
{
	return (struct hit_shape){trace->law, trace->scattered, trace->ways, trace->nodes_a_line,
				  trace->colors};
}

/* The law may say `above` more than the trace has, and `below` less. */
static void hold_between(const struct trace *trace, double x, double below, double above)
{
	struct hit_shape shape = shape_of(trace);
	double seen = traced(trace, x, NULL);
	double law = hit_share(&shape, round(LINES * x) / LINES);
	if (!(law >= seen - below && law <= seen + above))
		fail_msg("law %d, %s, %u ways, %s, x = %g: %g, but the trace has %g",
			 (int)trace->law, trace->policy, trace->ways,
			 trace->scattered ? "scattered" : "even", x, law, seen);
}

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Up to 1 all hits; just above some sets are overfull. */
static void hold_even(const struct trace *trace, double tolerance)
{
	static const double xs[] = {0.9, 1, 1.03, 1.1, 1.25, 1.5, 2, 3};
	for (size_t i = 0; i < COUNT(xs); i++)
		hold_between(trace, xs[i], tolerance, tolerance);
}

/* The pages fall into 4096 / ways / 4 groups of sets, a place; a group's share of hits deviates by
 * 0.5 at most, so that the mean of 12 places of 8 ways deviates by 0.5 / sqrt(12 x 128) = 0.013. */
static void hold_scattered(struct trace trace)
{
	static const double xs[] = {0.3, 0.6, 0.8, 1, 1.5, 2.5};
	trace.scattered = true;
	trace.places = trace.ways < 16 ? 12 : 24;
	trace.laps = trace.laps < 2 ? trace.laps : 2;
	for (size_t i = 0; i < COUNT(xs); i++)
		hold_between(&trace, xs[i], 0.02, 0.02);
}

/* ---- against traces ---- */

static void lru_keeps_nothing_of_a_cycle_that_overfills_the_set(void **state)
{
	(void)state;
	static const unsigned ways[] = {1, 2, 8, 16};
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct trace trace = {HIT_CYCLE_LRU, "lru", ways[i], false, 1, 2, 1, 1, 0};
		hold_even(&trace, 1e-9);
		hold_scattered(trace);
	}
}

/* A cache of few pages a way: no set is as full or as empty as where there are many. 64 places of 2
 * groups of sets deviate by 0.5 / sqrt(128) = 0.04, of 8 groups by half of that. */
static void few_pages_a_way_spread_less(void **state)
{
	(void)state;
	static const unsigned colors[] = {2, 8};
	static const double xs[] = {0.5, 0.75, 1, 1.25, 1.5, 2};
	for (size_t i = 0; i < COUNT(colors); i++) {
		struct trace trace = {HIT_CYCLE_LRU, "lru", 8, true, 1, 2, 1, 64, colors[i]};
		for (size_t k = 0; k < COUNT(xs); k++)
			hold_between(&trace, xs[k], 0.06 / (1 + i), 0.06 / (1 + i));
		struct hit_shape few = shape_of(&trace), many = {HIT_CYCLE_LRU, true, 8, 1, 0};
		assert_true(hit_share(&few, 0.5) > hit_share(&many, 0.5));
	}
}

static void plru_and_srrip_do_as_lru_on_a_cycle(void **state)
{
	(void)state;
	static const char *const policies[] = {"plru", "srrip"};
	for (size_t i = 0; i < COUNT(policies); i++) {
		/* The tree of 16 ways takes ten laps until the same lines miss each time. */
		struct trace trace = {HIT_CYCLE_LRU, policies[i], 16, false, 1, 12, 1, 1, 0};
		hold_even(&trace, 1e-9);
		hold_scattered(trace);
	}
}

static void random_replacement_fades_on_a_cycle(void **state)
{
	(void)state;
	static const unsigned ways[] = {1, 2, 4, 8, 16};
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct trace trace = {HIT_CYCLE_RANDOM, "random", ways[i], false, 1, 6, 12, 1, 0};
		hold_even(&trace, ways[i] == 2 ? 0.01 : 0.004); /* as hit_law.c says */
		hold_scattered(trace);
	}
}

static void bimodal_insertion_keeps_all_ways_but_one(void **state)
{
	(void)state;
	static const unsigned ways[] = {4, 8, 16};
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct trace trace = {HIT_CYCLE_RESISTANT, "brrip", ways[i], false, 1, 5, 10, 1, 0};
		hold_even(&trace, 0.012); /* the law stands for DRRIP as well */
		hold_scattered(trace);
		/* Far beyond, so many are inserted for long between two uses of a line that lines
		 * age out. */
		hold_between(&trace, 10, 0.01, 0.01);
	}
}

static void dueling_costs_the_sets_that_try_the_other_insertion(void **state)
{
	(void)state;
	struct trace trace = {HIT_CYCLE_RESISTANT, "drrip", 16, false, 1, 10, 10, 1, 0};
	hold_between(&trace, 1, 1e-9, 1e-9);
	for (double x = 1.25; x <= 3; x += 0.25)
		hold_between(&trace, x, 0.01, 0.01);
}

static void a_new_order_each_lap_leaves_lru_some_hits(void **state)
{
	(void)state;
	static const unsigned ways[] = {2, 8, 16};
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct trace trace = {HIT_LAPS_LRU, "lru", ways[i], false, 1, 3, 12, 1, 0};
		hold_even(&trace, 0.005);
		hold_scattered(trace);
	}
}

static void independent_accesses_hit_alike_under_any_replacement(void **state)
{
	(void)state;
	static const char *const policies[] = {"lru", "plru", "random", "srrip"};
	for (size_t i = 0; i < COUNT(policies); i++) {
		/* Some lines are first touched late: 8 laps leave exp(-8) of them. */
		struct trace trace = {HIT_INDEPENDENT, policies[i], 8, false, 1, 8, 12, 1, 0};
		hold_even(&trace, 0.005);
		hold_scattered(trace);
	}
}

static void several_nodes_in_a_line_soften_the_cliff(void **state)
{
	(void)state;
	static const unsigned nodes[] = {1, 2, 4, 16};
	for (size_t i = 0; i < COUNT(nodes); i++) {
		struct trace trace = {HIT_SHARED_LINE, "lru", 8, false, nodes[i], 2, 1, 4, 0};
		hold_even(&trace, 0.005);
		hold_scattered(trace);
	}
}

/* Of 64 colors a few are too full, or none is. */
static void placements_differ_as_the_law_says(void **state)
{
	(void)state;
	static const struct trace traces[] = {
		{HIT_CYCLE_LRU, "lru", 8, true, 1, 1, 1, 300, 64},
		{HIT_CYCLE_RANDOM, "random", 8, true, 1, 4, 4, 100, 64},
		{HIT_CYCLE_RESISTANT, "brrip", 16, true, 1, 4, 1, 100, 64},
	};
	for (size_t i = 0; i < COUNT(traces); i++)
		for (double x = 0.4; x < 1.1; x += 0.3) {
			struct hit_shape shape = shape_of(&traces[i]);
			double seen, placement_sd, known[HIT_SETS_KNOWN];
			traced(&traces[i], x, &seen);
			hit_placement_sds(&shape, &x, 1, known, &placement_sd);
			if (!(fabs(log(placement_sd / sqrt(shape.colors) / seen)) < 0.35))
				fail_msg("%s, x = %g: %g, but the traces have %g", traces[i].policy,
					 x, placement_sd / sqrt(shape.colors), seen);
		}
}

/* Others load 31 new lines for each of ours, so that a line of ours stays for 128 of our loads. */
static void co_tenants_leave_what_comes_again_soon(void **state)
{
	(void)state;
	enum { OTHERS = 31, STAY = LINES / (OTHERS + 1), LOADS = 1 << 15 };
	const struct trace trace = {HIT_CO_TENANTS, "lru", 16, false, 1, 0, 1, 1, 0};
	const struct hit_shape shape = shape_of(&trace);
	for (uint64_t nodes = STAY / 4; nodes <= 4 * STAY; nodes *= 2) {
		struct simulated_memory memory = open_memory(&trace, 1);
		struct rng rng = rng_make(nodes);
		uint64_t hits = 0, next = 0;
		traces_map(&memory, 6ULL * LINES * LINE, page_bytes(&trace), 1);
		for (uint64_t i = 0; i < LOADS; i++) {
			uint64_t line = rng_below(&rng, nodes);
			hits += simulated_memory_load(&memory, line * LINE) == 0;
			for (unsigned k = 0; k < OTHERS; k++, next++)
				simulated_memory_load(&memory,
						      (LINES + next % (4ULL * LINES)) * LINE);
		}
		simulated_memory_close(&memory);
		double law = hit_share(&shape, (double)nodes / STAY);
		if (!(fabs(law - (double)hits / LOADS) < 0.02))
			fail_msg("%llu lines: %g, but the trace has %g", (unsigned long long)nodes,
				 law, (double)hits / LOADS);
	}
}

/* ---- what holds without a trace ---- */

static void shares_only_fall(void **state)
{
	(void)state;
	static const double ways[] = {1, 2, 3, 7, 8, 16, 20, 128};
	for (int law = 0; law < HIT_LAW_COUNT; law++)
		for (size_t i = 0; i < 2 * COUNT(ways); i++) {
			struct hit_shape shape = {(enum hit_law)law, i % 2, ways[i / 2], 4,
						  (double)(i % 4)};
			double before = 1;
			for (double x = 0.01; x < 64; x *= 1.03) {
				double share = hit_share(&shape, x);
				if (!(share >= 0 && share <= before + 1e-9))
					fail_msg("law %d, %g ways, x = %g: %g after %g", law,
						 ways[i / 2], x, share, before);
				before = share;
			}
		}
}

static void the_ends_are_sane(void **state)
{
	(void)state;
	for (int law = 0; law < HIT_LAW_COUNT; law++)
		for (int scattered = 0; scattered < 2; scattered++) {
			struct hit_shape shape = {(enum hit_law)law, scattered, 8, 2, 3};
			assert_true(hit_share(&shape, 1e-9) > 1 - 1e-9);
			double far = hit_share(&shape, 1e300);
			assert_true(far >= 0 && far < 0.01);
			shape.ways = 0.2; /* no set has less than a line */
			struct hit_shape one = shape;
			one.ways = 1;
			assert_true(hit_share(&shape, 1.7) == hit_share(&one, 1.7));
		}
}

/* The forms that are known for caches of many ways. */
static void many_ways_give_the_known_forms(void **state)
{
	(void)state;
	for (double x = 1.1; x < 4; x += 0.3) {
		struct hit_shape shape = {HIT_CYCLE_RANDOM, false, 2000, 1, 0};
		double hits = hit_share(&shape, x), a = 1 - 1 / x;
		assert_true(fabs(hits - exp(-x * (1 - hits))) < 0.001);
		shape.law = HIT_LAPS_LRU;
		assert_true(fabs(hit_share(&shape, x) - (1 - a + a * log(a))) < 0.001);
		shape.law = HIT_SHARED_LINE;
		shape.nodes_a_line = 4;
		assert_true(fabs(hit_share(&shape, x) - (1 - pow(a, 0.75))) < 0.001);
		shape.law = HIT_CYCLE_RESISTANT;
		assert_true(fabs(hit_share(&shape, x) * x / (1 - 1.0 / 2000) - 0.97) < 0.03);
	}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(lru_keeps_nothing_of_a_cycle_that_overfills_the_set),
	cmocka_unit_test(few_pages_a_way_spread_less),
	cmocka_unit_test(plru_and_srrip_do_as_lru_on_a_cycle),
	cmocka_unit_test(random_replacement_fades_on_a_cycle),
	cmocka_unit_test(bimodal_insertion_keeps_all_ways_but_one),
	cmocka_unit_test(dueling_costs_the_sets_that_try_the_other_insertion),
	cmocka_unit_test(a_new_order_each_lap_leaves_lru_some_hits),
	cmocka_unit_test(independent_accesses_hit_alike_under_any_replacement),
	cmocka_unit_test(several_nodes_in_a_line_soften_the_cliff),
	cmocka_unit_test(co_tenants_leave_what_comes_again_soon),
	cmocka_unit_test(placements_differ_as_the_law_says),
	cmocka_unit_test(shares_only_fall),
	cmocka_unit_test(the_ends_are_sane),
	cmocka_unit_test(many_ways_give_the_known_forms),
};
UNIT_GROUP();
