/* The quality of results that were made up: each reason alone, and several. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "model/checks/quality.h"
#include "unit.h"

#define POINTS 4

static struct fathom_point points[POINTS];
static struct fathom_curve curve;
static struct fathom_machine machine;
static struct fathom_result result;

static void start(void)
{
	for (size_t i = 0; i < POINTS; i++)
		points[i] = (struct fathom_point){
			.latency_ns = 10,
			.latency_low_ns = 9.9,
			.latency_high_ns = 10.1,
			.ns_per_access = NAN,
			.clock_hz = 3e9,
			.sample_count = 100,
			.estimator = FATHOM_ESTIMATOR_MODE,
			.disturbed_share = 0.05,
		};
	curve = (struct fathom_curve){.points = points, .point_count = POINTS};
	machine = (struct fathom_machine){.online_cpus = 4};
	result = (struct fathom_result){
		.curves = &curve, .curve_count = 1, .machine = &machine, .clock_drift = NAN};
}

static void assert_quality(enum fathom_quality quality, const char *reason)
{
	assert_int_equal(quality_find(&result, NULL), 0);
	assert_int_equal(result.quality, quality);
	if (reason)
		assert_string_equal(result.quality_reason, reason);
	else
		assert_null(result.quality_reason);
	free(result.quality_reason);
	result.quality_reason = NULL;
	warnings_free(&result.warnings);
}

static void test_good(void **state)
{
	(void)state;
	start();
	assert_quality(FATHOM_QUALITY_GOOD, NULL);
	curve.tool = (char *)"lat_mem_rd";
	assert_quality(FATHOM_QUALITY_UNKNOWN, NULL);
}

/* All are alike, so that no interval shows it. */
static void test_shared_core(void **state)
{
	(void)state;
	struct fathom_level level = {.name = (char *)"L1",
				     .kind = FATHOM_LEVEL_CACHE,
				     .size_bytes = 32768,
				     .latency_ns = 10,
				     .latency_low_ns = 9.9,
				     .latency_high_ns = 10.1,
				     .latency_cycles = NAN};
	start();
	result.levels = &level;
	result.level_count = 1;
	for (size_t i = 0; i < POINTS; i++)
		points[i].spec.size_bytes = 4096 << i;
	assert_quality(FATHOM_QUALITY_GOOD, NULL);
	points[0].latency_low_ns = 10.7;
	points[3].latency_low_ns = 12;                      /* where L1 ends */
	points[1].latency_ns = points[2].latency_ns = 10.8; /* within its interval */
	assert_quality(FATHOM_QUALITY_USABLE,
		       "33 % of the sizes inside L1 took longer than L1 does, as when something "
		       "else uses the core");
	points[1].latency_low_ns = points[2].latency_low_ns = 10.7;
	assert_quality(FATHOM_QUALITY_DO_NOT_QUOTE,
		       "100 % of the sizes inside L1 took longer than L1 does, as when something "
		       "else uses the core");
}

/* A warning that blames the OS blames the core's other thread instead, once. */
static void test_small_l1(void **state)
{
	(void)state;
	struct fathom_level level = {.name = (char *)"L1",
				     .kind = FATHOM_LEVEL_CACHE,
				     .size_bytes = 32768,
				     .reported_bytes = 49152,
				     .latency_ns = 10,
				     .latency_cycles = NAN};
	start();
	result.levels = &level;
	result.level_count = 1;
	for (size_t i = 0; i < POINTS; i++)
		points[i].spec.size_bytes = 4096 << i;
	assert_int_equal(warnings_add(&result.warnings, "reach-differs", "L1", NULL, "the OS"), 0);
	assert_int_equal(quality_explain_l1(&result, NULL), 0);
	assert_string_equal(result.warnings.items[0].text, "the OS");
	points[0].latency_low_ns = 10.7;
	for (int again = 0; again < 2; again++)
		assert_int_equal(quality_explain_l1(&result, NULL), 0);
	assert_int_equal(result.warnings.count, 1);
	assert_string_equal(
		result.warnings.items[0].text,
		"the effective size is 32 KiB, less than the 48 KiB that the OS reports "
		"(something else used the core: 33 % of the sizes inside took longer "
		"than L1 does)");
	warnings_free(&result.warnings);
}

static void test_samples(void **state)
{
	(void)state;
	start();
	points[0].disturbed_share = 0.5;
	assert_quality(FATHOM_QUALITY_USABLE,
		       "16 % of the samples were disturbed: 1 % longer than most");
	points[1].disturbed_share = 0.5;
	assert_quality(FATHOM_QUALITY_DO_NOT_QUOTE,
		       "28 % of the samples were disturbed: 1 % longer than most");
	start();
	for (size_t i = 0; i < POINTS; i++) {
		points[i].estimator =
			FATHOM_ESTIMATOR_MEAN; /* whose share is that of the rejected */
		points[i].disturbed_share = 0.47;
		points[i].sample_count = 53;
		points[i].rejected[FATHOM_REJECTED_STEAL] = 47;
	}
	assert_quality(FATHOM_QUALITY_USABLE, "47 % of the samples were rejected");
	points[0].rejected[FATHOM_REJECTED_SWITCH] = 100;
	assert_quality(FATHOM_QUALITY_DO_NOT_QUOTE, "58 % of the samples were rejected");
}

/* Of the largest size nothing was asked, nor is it known what ran beside it. */
static void test_sibling(void **state)
{
	(void)state;
	static const uint64_t beside[] = {49, 60, 85};
	static const enum fathom_quality expected[] = {FATHOM_QUALITY_GOOD, FATHOM_QUALITY_USABLE,
						       FATHOM_QUALITY_DO_NOT_QUOTE};
	static const char *const reasons[] = {NULL,
					      "a program ran on the other thread of the core "
					      "during 60 % of the samples that watch for it",
					      "a program ran on the other thread of the core "
					      "during 85 % of the samples that watch for it"};
	for (int i = 0; i < 3; i++) {
		start();
		for (size_t k = 0; k + 1 < POINTS; k++) {
			points[k].watched = 100;
			points[k].sample_count = 100 - beside[i];
			points[k].rejected[FATHOM_REJECTED_SIBLING] = beside[i];
		}
		points[POINTS - 1].sample_count = 1000;
		assert_quality(expected[i], reasons[i]);
	}
}

static void test_blocks(void **state)
{
	(void)state;
	/* One point alone is a cliff. */
	static double blocks[POINTS][6] = {{10, 10, 30, 30, 30, 30}};
	start();
	for (size_t i = 0; i < POINTS; i++) {
		for (size_t k = 0; i && k < 6; k++)
			blocks[i][k] = 10;
		points[i].blocks_ns = blocks[i];
		points[i].block_count = 6;
	}
	assert_quality(FATHOM_QUALITY_GOOD, NULL);
	for (size_t i = 1; i < POINTS; i++)
		blocks[i][3] = 16;
	assert_quality(FATHOM_QUALITY_USABLE,
		       "17 % of the blocks took half again as long as the fastest or more");
	for (size_t i = 1; i < POINTS; i++)
		blocks[i][4] = 16;
	assert_quality(FATHOM_QUALITY_DO_NOT_QUOTE,
		       "33 % of the blocks took half again as long as the fastest or more");
}

static void test_machine(void **state)
{
	(void)state;
	start();
	result.busy_cpus = 0.49;
	assert_quality(FATHOM_QUALITY_GOOD, NULL);
	result.busy_cpus = 0.5;
	assert_quality(FATHOM_QUALITY_USABLE, "other programs kept 0.5 of 4 CPUs busy");
	result.busy_cpus = 3;
	assert_quality(FATHOM_QUALITY_DO_NOT_QUOTE, "other programs kept 3 of 4 CPUs busy");
	result.busy_cpus = NAN;
	points[2].clock_hz = 3.6e9;
	assert_quality(FATHOM_QUALITY_USABLE, "the core clock moved by 20 %");
	result.clock_drift = -0.4;
	assert_quality(FATHOM_QUALITY_DO_NOT_QUOTE, "the core clock moved by 40 %");
}

static void test_intervals(void **state)
{
	(void)state;
	struct fathom_level level = {
		.kind = FATHOM_LEVEL_MEMORY,
		.latency_ns = 100,
		.latency_low_ns = 40,
		.latency_high_ns = 160,
	};
	start();
	points[3].latency_high_ns = 20;
	assert_quality(FATHOM_QUALITY_USABLE, "1 of 4 values are known to no better than a third");
	result.levels = &level;
	result.level_count = 1;
	assert_quality(FATHOM_QUALITY_DO_NOT_QUOTE,
		       "1 of 1 latencies of levels are known to no better than a third");
	level.latency_low_ns = 90;
	level.latency_high_ns = 110;
	assert_quality(FATHOM_QUALITY_GOOD, NULL);
}

static void test_cut(void **state)
{
	(void)state;
	start();
	result.interrupted = true;
	result.busy_cpus = 1;
	warnings_add(&result.warnings, "points-lost", NULL, NULL, "some were");
	warnings_add(&result.warnings, "parts-doubtful", NULL, NULL, "they are");
	assert_quality(
		FATHOM_QUALITY_USABLE,
		"other programs kept 1 of 4 CPUs busy, it was interrupted, some of it was cut "
		"short, numbers that contradict each other are withheld");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_good),     cmocka_unit_test(test_shared_core),
	cmocka_unit_test(test_small_l1), cmocka_unit_test(test_samples),
	cmocka_unit_test(test_sibling),  cmocka_unit_test(test_blocks),
	cmocka_unit_test(test_machine),  cmocka_unit_test(test_intervals),
	cmocka_unit_test(test_cut),
};
UNIT_GROUP();
