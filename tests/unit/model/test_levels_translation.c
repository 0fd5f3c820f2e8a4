/* Caches, TLBs, and what co-tenants and prefetchers do to a curve, told apart. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "level_curves.h"
#include "model/levels/levels.h"
#include "unit.h"

#define SEEDS (SANITIZED ? 1 : 4)

/* A main curve of three steps up to `last_bytes`, and its control. */
static struct fathom_result fit_controlled_to(double last_bytes, const struct known_step steps[3],
					      double per_octave, uint64_t seed)
{
	struct known_curve known[2] = {with_steps(steps, 3), with_steps(steps, 3)};
	known[0].last_bytes = last_bytes;
	known[1].pattern = FATHOM_WINDOW;
	known[1].first_bytes = 128 * 1024;
	known[1].last_bytes = fmin(8 << 20, last_bytes);
	known[1].per_octave = per_octave;
	known[1].seed = seed;
	return fit(known, 2);
}

static struct fathom_result fit_controlled(const struct known_step steps[3], double per_octave,
					   uint64_t seed)
{
	return fit_controlled_to(usual().last_bytes, steps, per_octave, seed);
}

static void what_the_control_lacks_is_translation(void **state)
{
	(void)state;
	struct fathom_result result = fit_controlled(with_tlb, 2, 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_TLB), 1);
	const struct fathom_level *tlb = &result.levels[result.level_count - 1];
	assert_int_equal(tlb->kind, FATHOM_LEVEL_TLB);
	assert_string_equal(tlb->name, "TLB 1");
	assert_near(tlb->entries, 64, 0.2);
	assert_int_equal(tlb->entry_bytes, 4096);
	assert_near(tlb->penalty_ns, 2, 0.15);
	assert_non_null(strstr(tlb->evidence, "control curve"));
	release(&result);
}

static void the_last_cache_is_hit_without_translation(void **state)
{
	(void)state;
	struct fathom_result result = fit_controlled_to(1 << 20, with_tlb, 2, 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_TLB), 1);
	assert_true(isnan(result.levels[1].size_bytes));
	assert_near(result.levels[1].latency_ns, 4.5, 0.02);
	release(&result);
}

static void walks_make_no_memory_of_a_cache(void **state)
{
	(void)state;
	static const struct known_step with_walks[] = {
		{32 * 1024.0, 3.0, {HIT_CYCLE_LRU, true, 8, 1, 0}, false},
		{512 * 1024.0, 25.5, {HIT_CYCLE_LRU, true, 8, 1, 0}, false},
		{3 * 1048576.0, 20.0, {HIT_INDEPENDENT, false, 4, 1, 0}, true},
	};
	struct fathom_result result = fit_controlled_to(64 << 20, with_walks, 2, 2);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_MEMORY), 0);
	assert_non_null(warnings_find(&result.warnings, "memory-not-reached"));
	release(&result);
}

/* They bring the control half of what L2 misses, more or less. */
static void fetch_ahead(struct fathom_curve *control)
{
	for (size_t i = 0; i < control->point_count; i++) {
		struct fathom_point *point = &control->points[i];
		double missed_ns = fmax(0, point->latency_ns - 4.7);
		point->latency_ns -= (i % 3 ? 0.6 : 0.3) * missed_ns;
		point->latency_cycles = NAN;
		point->latency_low_ns = point->latency_ns - 0.2 * missed_ns;
		point->latency_high_ns = point->latency_ns + 0.2 * missed_ns;
	}
}

static void what_prefetchers_bring_the_control_is_no_translation(void **state)
{
	(void)state;
	static const struct known_step steps[] = {
		{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
		{384 * 1024.0, 2.0, {HIT_INDEPENDENT, false, 6, 1, 0}, true},
		{2 * 1048576.0, 28, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
		{8 * 1048576.0, 10, {HIT_INDEPENDENT, false, 16, 1, 0}, true},
		{40 * 1048576.0, 120, {HIT_CYCLE_LRU, true, 15, 1, 0}, false},
	};
	struct known_curve known[2] = {with_steps(steps, 5), with_steps(steps, 5)};
	known[0].last_bytes = 512 * 1048576.0;
	known[0].per_octave = 8;
	known[1].pattern = FATHOM_WINDOW;
	known[1].first_bytes = 128 * 1024;
	known[1].last_bytes = 128 * 1048576.0;
	known[1].per_octave = 8;
	struct fathom_result result = {.curves = calloc(2, sizeof(*result.curves)),
				       .curve_count = 2};
	for (size_t i = 0; i < 2; i++)
		result.curves[i] = make_curve(&known[i]);
	fetch_ahead(&result.curves[1]);
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_cache(&result.levels[1], "L2", 2 * 1048576.0, 4.5);
	assert_cache(&result.levels[2], "L3", 40 * 1048576.0, 32.5);
	release(&result);
}

static void a_cache_that_the_control_shows_is_one(void **state)
{
	(void)state;
	struct known_step steps[3];
	memcpy(steps, with_tlb, sizeof(steps));
	steps[1].translation = false;
	struct fathom_result result = fit_controlled(steps, 4, 1);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_TLB), 0);
	release(&result);
}

/* The OS reports the other two. */
static void a_cache_that_the_curve_shows_needs_no_word_of_the_os(void **state)
{
	(void)state;
	struct fathom_cache caches[] = {{.level = 1, .size_bytes = 48 << 10},
					{.level = 2, .size_bytes = 2 << 20}};
	struct fathom_machine machine = {.caches = caches, .cache_count = 2};
	struct known_step steps[3];
	memcpy(steps, with_tlb, sizeof(steps));
	steps[1] = (struct known_step){256 * 1024.0, 2.2, {HIT_CYCLE_LRU, false, 8, 1, 0}, false};
	for (size_t reported = 0; reported < 2; reported++) {
		struct known_curve known = with_steps(steps, 3);
		struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
					       .curve_count = 1,
					       .machine = reported ? &machine : NULL};
		result.curves[0] = make_curve(&known);
		assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
		release(&result);
	}
}

static void two_caches_that_the_os_reports_are_two(void **state)
{
	(void)state;
	struct fathom_cache caches[] = {{.level = 1, .size_bytes = 48 << 10},
					{.level = 2, .size_bytes = 1200 << 10},
					{.level = 3, .size_bytes = 2 << 20}};
	struct fathom_machine machine = {.caches = caches};
	struct known_step steps[3];
	memcpy(steps, with_tlb, sizeof(steps));
	steps[1] = (struct known_step){1.2 * 1048576, 8, {HIT_CYCLE_LRU, false, 8, 1, 0}, false};
	for (machine.cache_count = 1; machine.cache_count <= 3; machine.cache_count++) {
		struct known_curve known = with_steps(steps, 3);
		struct fathom_result result = {.curves = calloc(1, sizeof(*result.curves)),
					       .curve_count = 1,
					       .machine = &machine};
		known.per_octave = 8;
		result.curves[0] = make_curve(&known);
		assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
		release(&result);
	}
}

static const struct known_step far_apart[] = {
	{32 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 8, 1, 0}, false},
	{512 * 1024.0, 10.0, {HIT_CYCLE_LRU, true, 8, 1, 0}, false},
	{24 * 1048576.0, 80.0, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
};

/* Of what the third of far_apart hits, co-tenants evict as much as the size has of its reach. */
static void take_lines(const struct fathom_curve *curve, double ns)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		struct fathom_point *point = &curve->points[i];
		double hits[2];
		for (size_t k = 0; k < 2; k++) {
			const struct known_step *step = &far_apart[k + 1];
			double size = (double)point->spec.size_bytes / step->reach_bytes;
			hits[k] = hit_share(&step->shape, size);
		}
		double taken = ns * (hits[1] - hits[0]) * (double)point->spec.size_bytes /
			       far_apart[2].reach_bytes;
		point->latency_ns += taken;
		point->latency_low_ns += taken;
		point->latency_high_ns += taken;
	}
}

static void what_others_take_from_a_guest_is_no_cache(void **state)
{
	(void)state;
	struct fathom_machine machine = {.hypervisor = (char *)"kvm"};
	struct known_curve known[2] = {with_steps(far_apart, 3), with_steps(far_apart, 3)};
	struct fathom_result result = {
		.curves = calloc(2, sizeof(*result.curves)), .curve_count = 2, .machine = &machine};
	known[1].pattern = FATHOM_WINDOW;
	known[1].first_bytes = 128 * 1024;
	for (size_t i = 0; i < 2; i++) {
		known[i].clock_ghz = 0;
		result.curves[i] = make_curve(&known[i]);
		take_lines(&result.curves[i], 12);
	}
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
	assert_cache(&result.levels[0], "L1", 32 * 1024.0, 1.5);
	assert_cache(&result.levels[1], "L2", 512 * 1024.0, 4.5);
	assert_cache(&result.levels[2], "L3", 24 * 1048576.0, 14.5);
	const char *told = strstr(result.levels[2].evidence, "co-tenants evict ");
	assert_non_null(told);
	assert_near(strtod(told + strlen("co-tenants evict "), NULL), 15, 0.15); /* 12 of 80 ns */
	release(&result);
}

/* Pages at random, over the second cache; the third ends at once. */
static const struct known_step shared_last[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{2 * 1048576.0, 28.0, {HIT_CYCLE_LRU, true, 16, 1, 32}, false},
	{32 * 1048576.0, 110.0, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
};

static void a_cache_that_others_share_may_end_at_once(void **state)
{
	(void)state;
	struct fathom_machine machine = {.hypervisor = (char *)"kvm"};
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct known_curve known[2] = {with_steps(shared_last, 3),
					       with_steps(shared_last, 3)};
		struct fathom_result result = {.curves = calloc(2, sizeof(*result.curves)),
					       .curve_count = 2,
					       .machine = &machine};
		known[1].pattern = FATHOM_WINDOW;
		known[1].first_bytes = 128 * 1024;
		for (size_t i = 0; i < 2; i++) {
			known[i].seed = seed + i;
			known[i].noise = 0.03;
			known[i].last_bytes = 512 << 20;
			result.curves[i] = make_curve(&known[i]);
		}
		assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
		assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 3);
		assert_cache(&result.levels[0], "L1", 48 * 1024.0, 1.5);
		assert_cache(&result.levels[1], "L2", 2 * 1048576.0, 4.5);
		assert_cache(&result.levels[2], "L3", 32 * 1048576.0, 32.5);
		release(&result);
	}
}

/* Nodes of 4 bytes, in a cycle and in independent order: lines come again at any time, and of the
 * last cache all misses as soon as it is too small. */
static void so_may_it_where_lines_come_again_at_any_time(void **state)
{
	(void)state;
	struct fathom_machine machine = {.hypervisor = (char *)"kvm"};
	struct known_step soft[3] = {shared_last[0], shared_last[1], shared_last[2]};
	soft[0].shape.law = soft[1].shape.law = HIT_INDEPENDENT;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct known_curve known[3] = {with_steps(soft, 3), with_steps(soft, 3),
					       with_steps(shared_last, 3)};
		struct fathom_result result = {.curves = calloc(3, sizeof(*result.curves)),
					       .curve_count = 3,
					       .machine = &machine};
		known[1].pattern = FATHOM_INDEPENDENT;
		known[2].pattern = FATHOM_WINDOW;
		known[2].first_bytes = 128 * 1024;
		for (size_t i = 0; i < 3; i++) {
			known[i].seed = seed + i;
			known[i].last_bytes = i < 2 ? 512 << 20 : 8 << 20;
			result.curves[i] = make_curve(&known[i]);
			for (size_t k = 0; i < 2 && k < result.curves[i].point_count; k++)
				result.curves[i].points[k].spec.node_bytes = 4;
		}
		assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
		const struct fathom_level *last =
			&result.levels[count_kind(&result, FATHOM_LEVEL_CACHE) - 1];
		assert_cache(last, last->name, 32 * 1048576.0, 32.5);
		release(&result);
	}
}

static void a_lone_curve_claims_no_cache_for_a_small_gradual_step(void **state)
{
	(void)state;
	struct known_curve known = with_steps(with_tlb, 3);
	struct fathom_result result = fit(&known, 1);
	assert_int_equal(count_kind(&result, FATHOM_LEVEL_CACHE), 2);
	const struct fathom_level *step = &result.levels[result.level_count - 1];
	assert_true(step->kind == FATHOM_LEVEL_TLB || step->kind == FATHOM_LEVEL_UNKNOWN);
	assert_non_null(strstr(step->evidence, "pages of 4 KiB"));
	release(&result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_the_control_lacks_is_translation),
	cmocka_unit_test(the_last_cache_is_hit_without_translation),
	cmocka_unit_test(walks_make_no_memory_of_a_cache),
	cmocka_unit_test(what_prefetchers_bring_the_control_is_no_translation),
	cmocka_unit_test(a_cache_that_the_control_shows_is_one),
	cmocka_unit_test(a_cache_that_the_curve_shows_needs_no_word_of_the_os),
	cmocka_unit_test(two_caches_that_the_os_reports_are_two),
	cmocka_unit_test(what_others_take_from_a_guest_is_no_cache),
	cmocka_unit_test(a_cache_that_others_share_may_end_at_once),
	cmocka_unit_test(so_may_it_where_lines_come_again_at_any_time),
	cmocka_unit_test(a_lone_curve_claims_no_cache_for_a_small_gradual_step),
};
UNIT_GROUP();
