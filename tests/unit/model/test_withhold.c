/* Numbers that cannot be, one of each kind: left out with a warning, and their neighbours stay. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "model/checks/withhold.h"
#include "unit.h"

static struct fathom_point points[] = {
	{.spec.size_bytes = 1 << 20, .latency_ns = 100, .ns_per_access = NAN},
	{.spec.size_bytes = 2 << 20, .latency_ns = 120, .ns_per_access = NAN},
	{.spec.size_bytes = 4 << 20, .latency_ns = 240, .ns_per_access = NAN},
};
static struct fathom_curve curves[2] = {{.points = points, .point_count = 3},
					{.points = points, .point_count = 3}};

static void assert_warning(const struct fathom_result *result, const char *id, const char *where)
{
	assert_int_equal(result->warnings.count, 1);
	assert_string_equal(result->warnings.items[0].id, id);
	assert_string_equal(result->warnings.items[0].where, where);
}

static struct fathom_level level(const char *name, double ns, double low_ns, double high_ns)
{
	return (struct fathom_level){
		.name = (char *)name,
		.kind = FATHOM_LEVEL_CACHE,
		.size_bytes = 1 << 20,
		.size_low_bytes = 1 << 10,
		.size_high_bytes = 1 << 24,
		.latency_ns = ns,
		.latency_low_ns = low_ns,
		.latency_high_ns = high_ns,
		.latency_cycles = NAN,
	};
}

static void a_number_is_wider_than_its_interval(void **state)
{
	(void)state;
	struct fathom_level levels[] = {level("L1", 1, 0.9, 1.1), level("L2", 10, 4, 16),
					level("L3", 40, 10, 95)};
	struct fathom_result result = {
		.curves = curves, .curve_count = 2, .levels = levels, .level_count = 3};
	assert_int_equal(withhold_wide(&result, NULL), 0);
	assert_warning(&result, "interval-doubtful", "L3");
	assert_true(isnan(levels[2].latency_ns) && isnan(levels[2].latency_high_ns));
	assert_true(levels[0].latency_ns == 1 && levels[1].latency_ns == 10);
	/* The end of a cache may be known to a factor alone. */
	assert_true(levels[2].size_bytes == 1 << 20);
	warnings_free(&result.warnings);
}

static void an_interval_does_not_reach_zero(void **state)
{
	(void)state;
	struct fathom_parallelism one = {
		.level = (char *)"memory",
		.latency_ns = 100,
		.latency_low_ns = 90,
		.latency_high_ns = 110,
		.speedup = 8,
		.speedup_low = -0.5,
		.speedup_high = 12,
		.knee_lanes = 4,
		.knee_low_lanes = 1,
		.knee_high_lanes = 16,
	};
	struct fathom_result result = {.parallelism = &one, .parallelism_count = 1};
	assert_int_equal(withhold_wide(&result, NULL), 0);
	assert_warning(&result, "interval-doubtful", "memory");
	assert_true(isnan(one.speedup) && one.latency_ns == 100 && one.knee_lanes == 4);
	warnings_free(&result.warnings);
}

static void large_pages_are_no_slower(void **state)
{
	(void)state;
	struct fathom_page_difference differences[] = {
		{0, 1, 1 << 20, 20, 15, 25, 6},    /* faster */
		{0, 1, 1 << 20, -4, -5, -3, 6},    /* within the noise of two runs */
		{0, 1, 1 << 20, -30, -80, 10, 6},  /* within its own */
		{0, 1, 2 << 20, -30, -35, -25, 6}, /* impossible */
	};
	struct fathom_level cache = level("L1", 1, 0.9, 1.1);
	cache.size_bytes = cache.size_low_bytes = cache.size_high_bytes = 8 << 20;
	struct fathom_result result = {.curves = curves,
				       .curve_count = 2,
				       .levels = &cache,
				       .level_count = 1,
				       .page_differences = differences,
				       .page_difference_count = 4};
	assert_int_equal(withhold_slower_pages(&result, NULL), 0);
	assert_warning(&result, "large-pages-slower", "2 MiB");
	assert_true(isnan(differences[3].ns) && isnan(differences[3].low_ns));
	/* Where a cache ends they may be. */
	cache.size_bytes = cache.size_low_bytes = cache.size_high_bytes = 2 << 20;
	differences[3].ns = -30;
	differences[3].high_ns = -25;
	warnings_free(&result.warnings);
	assert_int_equal(withhold_slower_pages(&result, NULL), 0);
	assert_int_equal(result.warnings.count, 0);
	assert_true(differences[0].ns == 20 && differences[1].ns == -4 && differences[2].ns == -30);
	warnings_free(&result.warnings);
	/* But not slower than all that there is, whether levels are known or not. */
	result.level_count = 0;
	differences[3].ns = -150;
	assert_int_equal(withhold_slower_pages(&result, NULL), 0);
	assert_warning(&result, "large-pages-slower", "2 MiB");
	warnings_free(&result.warnings);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_number_is_wider_than_its_interval),
	cmocka_unit_test(an_interval_does_not_reach_zero),
	cmocka_unit_test(large_pages_are_no_slower),
};
UNIT_GROUP();
