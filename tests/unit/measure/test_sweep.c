/* The whole of a measurement on simulated machines whose truth is known. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/warnings.h"
#include "fathom.h"
#include "unit.h"

/* Caches of 16 KiB and 128 KiB, no TLB cost, all even: 5 and 15 cycles at 2 GHz, memory 60 ns. */
#define CACHES                                                                                     \
	"sim:clock=2G,l1=16K/8/lru/5c,l2=128K/8/lru/15c,l3=off,mem=60ns,dtlb=off,placement=even,"  \
	"drift=0,"
#define PLAIN CACHES "noise=0,outliers=0"

static struct fathom_request request;

static struct fathom_result *measure(const char *description,
				     const struct fathom_observer *observer)
{
	struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct fathom_result *result;
	struct fathom_error error = {0};
	assert_int_equal(fathom_machine_find(description, &machine, &error), 0);
	assert_int_equal(fathom_plan_make(&request, machine, &plan, &error), 0);
	assert_int_equal(fathom_measure(plan, machine, observer, &result, &error), 0);
	fathom_plan_free(plan);
	return result;
}

static int ask(void **state)
{
	(void)state;
	fathom_request_default(&request);
	request.spec.seed = 1;
	request.max_size_bytes = 1 << 20;
	request.per_octave = 2;
	request.budget_s = 1;
	return 0;
}

static const struct fathom_point *point_at(const struct fathom_result *result, uint64_t bytes)
{
	for (size_t i = 0; i < result->curves[0].point_count; i++)
		if (result->curves[0].points[i].spec.size_bytes == bytes)
			return &result->curves[0].points[i];
	fail_msg("no point at %llu", (unsigned long long)bytes);
	return NULL;
}

static void near(double value, double truth, double tolerance)
{
	if (!(fabs(value / truth - 1) <= tolerance))
		fail_msg("%g is not within %g of %g", value, tolerance, truth);
}

static void the_truth_is_measured(void **state)
{
	(void)state;
	struct fathom_result *result = measure(PLAIN, NULL);
	near(point_at(result, 8192)->latency_ns, 2.5, 0.01);
	near(point_at(result, 8192)->latency_cycles, 5, 0.01);
	near(point_at(result, 65536)->latency_ns, 7.5, 0.01);
	near(point_at(result, 1 << 20)->latency_ns, 60, 0.01);
	assert_int_equal(result->measured_line_bytes, 64);
	assert_false(result->interrupted);
	near(result->clock_median_hz, 2e9, 0.01);
	for (size_t i = 0; i < result->curves[0].point_count; i++) {
		const struct fathom_point *point = &result->curves[0].points[i];
		assert_true(point->block_count >= 6);
		assert_true(point->latency_low_ns <= point->latency_ns);
		assert_true(point->latency_high_ns >= point->latency_ns);
		assert_int_equal(point->page_bytes, 4096);
	}
	fathom_result_free(result);
}

static void the_same_seed_gives_the_same_numbers(void **state)
{
	(void)state;
	struct fathom_result *a = measure(CACHES "outliers=0,noise=1%", NULL);
	struct fathom_result *b = measure(CACHES "outliers=0,noise=1%", NULL);
	assert_int_equal(a->curves[0].point_count, b->curves[0].point_count);
	for (size_t i = 0; i < a->curves[0].point_count; i++)
		assert_true(a->curves[0].points[i].latency_ns == b->curves[0].points[i].latency_ns);
	fathom_result_free(a);
	fathom_result_free(b);
}

static void outliers_do_not_move_the_median(void **state)
{
	(void)state;
	struct fathom_result *result = measure(CACHES "noise=0.5%,outliers=5%", NULL);
	uint64_t rejected = 0;
	near(point_at(result, 8192)->latency_ns, 2.5, 0.02);
	near(point_at(result, 65536)->latency_ns, 7.5, 0.02);
	for (size_t i = 0; i < result->curves[0].point_count; i++)
		for (int r = 0; r < FATHOM_REJECTION_COUNT; r++)
			rejected += result->curves[0].points[i].rejected[r];
	assert_true(rejected > 0);
	fathom_result_free(result);
}

static void a_line_of_128_bytes_is_found(void **state)
{
	(void)state;
	struct fathom_result *result = measure(PLAIN ",line=128,os_line=64", NULL);
	assert_int_equal(result->measured_line_bytes, 128);
	assert_int_equal(point_at(result, 8192)->spec.node_bytes, 128);
	assert_non_null(warnings_find(&result->warnings, "line-differs"));
	fathom_result_free(result);
}

static void the_sweep_goes_past_a_large_cache_and_no_further(void **state)
{
	(void)state;
	request.max_size_bytes = 0;
	request.per_octave = 1;
	request.budget_s = 3;
	struct fathom_result *result = measure(PLAIN ",memory=64M", NULL);
	const struct fathom_curve *curve = &result->curves[0];
	uint64_t last = curve->points[curve->point_count - 1].spec.size_bytes;
	assert_true(last >= 16 * (128 << 10) && last <= 64 << 20);
	assert_null(warnings_find(&result->warnings, "memory-not-reached"));
	fathom_result_free(result);
}

static void a_sweep_that_ends_in_a_cache_says_so(void **state)
{
	(void)state;
	request.max_size_bytes = 96 << 10;
	struct fathom_result *result = measure(PLAIN, NULL);
	assert_non_null(warnings_find(&result->warnings, "memory-not-reached"));
	fathom_result_free(result);
}

static void a_short_budget_is_kept_and_said(void **state)
{
	(void)state;
	request.budget_s = 0.02;
	struct fathom_result *result = measure(PLAIN, NULL);
	assert_true(warnings_find(&result->warnings, "sizes-left-out") ||
		    warnings_find(&result->warnings, "few-blocks"));
	assert_true(result->elapsed_s < 0.5);
	fathom_result_free(result);
}

static void without_a_clock_there_are_no_cycles(void **state)
{
	(void)state;
	struct fathom_result *result = measure(PLAIN ",no_clock", NULL);
	assert_non_null(result->clock_missing);
	assert_true(isnan(result->clock_median_hz));
	assert_true(isnan(point_at(result, 8192)->latency_cycles));
	near(point_at(result, 8192)->latency_ns, 2.5, 0.01);
	fathom_result_free(result);
}

/* A fixed cycle in an LRU cache twice too small misses always; independent accesses hit half. */
static void the_independent_order_has_soft_cliffs(void **state)
{
	(void)state;
	struct fathom_result *cycle = measure(PLAIN, NULL);
	near(point_at(cycle, 32768)->latency_ns, 7.5, 0.02);
	fathom_result_free(cycle);
	request.spec.pattern = FATHOM_INDEPENDENT;
	struct fathom_result *independent = measure(PLAIN, NULL);
	near(point_at(independent, 32768)->latency_ns, (2.5 + 7.5) / 2, 0.04);
	assert_false(isnan(point_at(independent, 32768)->overhead_ns));
	fathom_result_free(independent);
}

static void the_independent_order_reaches_its_target(void **state)
{
	(void)state;
	request.spec.pattern = FATHOM_INDEPENDENT;
	request.max_size_bytes = 8192;
	struct fathom_result *result = measure(CACHES "outliers=0,noise=0.2%", NULL);
	for (size_t i = 0; i < result->curves[0].point_count; i++)
		assert_true(result->curves[0].points[i].within_target);
	fathom_result_free(result);
}

static void sizes_are_whole_numbers_of_measured_lines(void **state)
{
	(void)state;
	request.per_octave = 8;
	request.max_size_bytes = 8192;
	struct fathom_result *result = measure(PLAIN ",line=128,os_line=64", NULL);
	const struct fathom_curve *curve = &result->curves[0];
	for (size_t i = 0; i < curve->point_count; i++) {
		assert_int_equal(curve->points[i].spec.size_bytes % 128, 0);
		if (i)
			assert_true(curve->points[i].spec.size_bytes >
				    curve->points[i - 1].spec.size_bytes);
	}
	fathom_result_free(result);
}

/* Counts down. */
static bool stop_after_some(void *context)
{
	unsigned *left = context;
	return *left == 0 || --*left == 0;
}

static void a_stopped_sweep_keeps_what_it_has(void **state)
{
	(void)state;
	unsigned left = 200;
	const struct fathom_observer observer = {.context = &left, .stop = stop_after_some};
	struct fathom_result *result = measure(PLAIN, &observer);
	assert_true(result->interrupted);
	assert_true(result->curves[0].point_count > 0);
	assert_false(isnan(result->curves[0].points[0].latency_ns));
	fathom_result_free(result);
}

static void a_lost_chain_fails_the_measurement(void **state)
{
	(void)state;
	struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct fathom_result *result;
	struct fathom_error error = {0};
	assert_int_equal(fathom_machine_find(PLAIN ",corrupt=10", &machine, &error), 0);
	assert_int_equal(fathom_plan_make(&request, machine, &plan, &error), 0);
	assert_int_equal(fathom_measure(plan, machine, NULL, &result, &error), -1);
	assert_int_equal(error.status, FATHOM_FAILED);
	fathom_error_clear(&error);
	fathom_plan_free(plan);
	fathom_machine_free(machine); /* still ours */
}

/* ---- several curves ---- */

static const struct fathom_point *near_point(const struct fathom_curve *curve, uint64_t bytes)
{
	for (size_t i = 0; i < curve->point_count; i++)
		if (curve->points[i].spec.size_bytes >= bytes)
			return &curve->points[i];
	fail_msg("no point from %llu on", (unsigned long long)bytes);
	return NULL;
}

/* 64 entries reach 256 KiB, in a cache of 512 KiB: there every second page of the cycle costs 5 ns
 * more, those of a window do not. */
static void the_control_lacks_what_translation_costs(void **state)
{
	(void)state;
	request.per_octave = 4;
	struct fathom_result *result =
		measure("sim:clock=2G,l1=16K/8/lru/5c,l2=512K/8/lru/15c,l3=off,mem=60ns,"
			"dtlb=64/64/lru/0c,stlb=1024/8/lru/10c,placement=even,drift=0,noise=0,"
			"outliers=0",
			NULL);
	assert_int_equal(result->curve_count, 2);
	const struct fathom_curve *main_curve = &result->curves[0], *control = &result->curves[1];
	assert_int_equal(main_curve->points[0].spec.pattern, FATHOM_RANDOM_CYCLE);
	assert_int_equal(control->points[0].spec.pattern, FATHOM_WINDOW);
	near(near_point(main_curve, 256 << 10)->latency_ns, 7.5, 0.01);
	near(near_point(main_curve, 512 << 10)->latency_ns, 7.5 + 5 / 2.0, 0.02);
	near(near_point(control, 256 << 10)->latency_ns, 7.5, 0.02);
	near(near_point(control, 512 << 10)->latency_ns, 7.5 + 5 / 8.0, 0.02);
	for (size_t i = 0; i < control->point_count; i++)
		assert_true(control->points[i].target > request.target);
	fathom_result_free(result);
}

static void without_a_control_there_is_one_curve(void **state)
{
	(void)state;
	request.control = false;
	struct fathom_result *result = measure(PLAIN, NULL);
	assert_int_equal(result->curve_count, 1);
	fathom_result_free(result);
}

/* Each with what its own order costs taken off. */
static void both_orders_are_measured_in_one_sweep(void **state)
{
	(void)state;
	request.both_orders = true;
	struct fathom_result *result = measure(PLAIN, NULL);
	assert_int_equal(result->curve_count, 3);
	static const enum fathom_pattern patterns[] = {FATHOM_RANDOM_CYCLE, FATHOM_INDEPENDENT,
						       FATHOM_WINDOW};
	for (size_t c = 0; c < 3; c++)
		for (size_t i = 0; i < result->curves[c].point_count; i++)
			assert_int_equal(result->curves[c].points[i].spec.pattern, patterns[c]);
	near(near_point(&result->curves[0], 32768)->latency_ns, 7.5, 0.02);
	near(near_point(&result->curves[1], 32768)->latency_ns, 5, 0.04);
	assert_true(isnan(result->curves[0].points[0].overhead_ns));
	assert_false(isnan(result->curves[1].points[0].overhead_ns));
	fathom_result_free(result);
}

/* ---- more sizes, and levels ---- */

static const struct fathom_level *find_level(const struct fathom_result *result, const char *name)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (strcmp(result->levels[i].name, name) == 0)
			return &result->levels[i];
	fail_msg("no %s among %zu levels", name, result->level_count);
	return NULL;
}

/* Two sizes an octave are 41 % apart. Those that are added lie about the ends of the caches. */
static void sizes_are_added_where_caches_end(void **state)
{
	(void)state;
	struct fathom_result *result = measure(PLAIN, NULL);
	const struct fathom_curve *curve = &result->curves[0];
	size_t planned = 21, added = curve->point_count - planned, near_ends = 0;
	assert_true(added >= 2 && added <= 20);
	for (size_t i = 1; i < curve->point_count; i++) {
		double size = (double)curve->points[i].spec.size_bytes;
		double before = (double)curve->points[i - 1].spec.size_bytes;
		bool at_end =
			(before <= 17000 && size >= 16000) || (before <= 140000 && size >= 128000);
		near_ends += at_end && size / before < 1.25;
		assert_int_equal(curve->points[i].spec.size_bytes % 64, 0);
		assert_true(size > before && curve->points[i].block_count >= 6);
	}
	assert_true(near_ends >= 2);
	fathom_result_free(result);
}

static void the_levels_are_in_the_result(void **state)
{
	(void)state;
	request.per_octave = 8;
	struct fathom_result *result = measure(PLAIN, NULL);
	near(find_level(result, "L1")->size_bytes, 16384, 0.1);
	near(find_level(result, "L1")->latency_ns, 2.5, 0.02);
	near(find_level(result, "L2")->size_bytes, 131072, 0.1);
	near(find_level(result, "L2")->latency_ns, 7.5, 0.02);
	assert_int_equal(find_level(result, "L1")->reported_bytes, 16384);
	fathom_result_free(result);
}

static void a_stopped_sweep_has_levels_too(void **state)
{
	(void)state;
	unsigned left = 1000;
	const struct fathom_observer observer = {.context = &left, .stop = stop_after_some};
	struct fathom_result *result = measure(PLAIN, &observer);
	assert_true(result->interrupted);
	near(find_level(result, "L1")->latency_ns, 2.5, 0.02);
	fathom_result_free(result);
}

static void one_size_has_no_levels(void **state)
{
	(void)state;
	request.min_size_bytes = request.max_size_bytes = 4096;
	struct fathom_result *result = measure(PLAIN, NULL);
	assert_int_equal(result->curves[0].point_count, 1);
	assert_int_equal(result->level_count, 0);
	fathom_result_free(result);
}

static void the_curves_of_a_short_budget_keep_it_too(void **state)
{
	(void)state;
	request.both_orders = true;
	request.budget_s = 0.1;
	struct fathom_result *result = measure(PLAIN, NULL);
	assert_true(result->elapsed_s < 0.15);
	assert_true(result->curves[0].point_count >= 11);
	fathom_result_free(result);
}

#define ASKED(test) cmocka_unit_test_setup(test, ask)

/* Placements that hit and others that miss: of a few the widened interval reached below L1. */
static void no_interval_reaches_below_the_fastest_cache(void **state)
{
	(void)state;
	request.budget_s = 0.6;
	request.per_octave = 8;
	request.spec.seed = 3;
	struct fathom_result *result =
		measure("sim:l1=16K/8/lru/4c,l2=256K/8/brrip/14c,l3=off,mem=300ns", NULL);
	for (size_t i = 0; i < result->curves[0].point_count; i++) {
		const struct fathom_point *at = &result->curves[0].points[i];
		assert_false(at->latency_low_ns < 0.95 * 4 / 3.6);
		assert_false(fabs(at->latency_low_cycles / at->latency_low_ns * 1e9 / at->clock_hz -
				  1) > 1e-6);
	}
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	ASKED(the_truth_is_measured),
	ASKED(the_same_seed_gives_the_same_numbers),
	ASKED(outliers_do_not_move_the_median),
	ASKED(a_line_of_128_bytes_is_found),
	ASKED(the_sweep_goes_past_a_large_cache_and_no_further),
	ASKED(a_sweep_that_ends_in_a_cache_says_so),
	ASKED(a_short_budget_is_kept_and_said),
	ASKED(without_a_clock_there_are_no_cycles),
	ASKED(the_independent_order_has_soft_cliffs),
	ASKED(the_independent_order_reaches_its_target),
	ASKED(sizes_are_whole_numbers_of_measured_lines),
	ASKED(a_stopped_sweep_keeps_what_it_has),
	ASKED(a_lost_chain_fails_the_measurement),
	ASKED(the_control_lacks_what_translation_costs),
	ASKED(without_a_control_there_is_one_curve),
	ASKED(both_orders_are_measured_in_one_sweep),
	ASKED(sizes_are_added_where_caches_end),
	ASKED(the_levels_are_in_the_result),
	ASKED(a_stopped_sweep_has_levels_too),
	ASKED(one_size_has_no_levels),
	ASKED(the_curves_of_a_short_budget_keep_it_too),
	ASKED(no_interval_reaches_below_the_fastest_cache),
};
UNIT_GROUP();
