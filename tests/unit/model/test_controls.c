/* What controls say of modes: a name where one lacks them every time, and none where others only
 * disturbed a part of the run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/plan.h"
#include "base/rng.h"
#include "document/table.h"
#include "model/distribution/distributions.h"
#include "unit.h"

#define ACCESSES 20000
#define SERIES   (SANITIZED ? 2 : 8)
#define SMALL    4096
#define LARGE    (2 << 20)

/* Accesses of 80 ns, of which a share in each turn takes longer. */
struct series {
	uint64_t size_bytes, page_bytes, window_bytes;
	enum fathom_warmth warmth;
	double longer_ns, share[PLAN_CONTROL_TURNS];
};

static struct fathom_result *result;
static struct rng rng;

static void begin(uint64_t seed)
{
	rng = rng_make(seed);
	result = calloc(1, sizeof(*result));
	assert_non_null(result);
}

static void add(const struct series *made)
{
	struct fathom_curve curve;
	struct fathom_distribution one;
	table_unknown(&curve_table, &curve);
	table_unknown(&distribution_table, &one);
	curve.experiment = FATHOM_DISTRIBUTION;
	curve.size_bytes = made->size_bytes;
	curve.page_bytes = made->page_bytes;
	curve.window_bytes = made->window_bytes;
	curve.warmth = made->warmth;
	curve.access_count = ACCESSES;
	curve.times_ns = malloc(ACCESSES * sizeof(double));
	curve.latencies_ns = malloc(ACCESSES * sizeof(double));
	assert_true(curve.times_ns && curve.latencies_ns);
	for (size_t i = 0; i < ACCESSES; i++) {
		bool longer = rng_unit(&rng) < made->share[i * PLAN_CONTROL_TURNS / ACCESSES];
		curve.times_ns[i] = NAN; /* no refresh is looked for */
		curve.latencies_ns[i] =
			(longer ? made->longer_ns : 80) * exp(0.02 * rng_normal(&rng));
	}
	one.curve = result->curve_count;
	one.counter = strdup("tsc");
	one.counter_step_ns = 1;
	one.run_accesses = 1;
	assert_int_equal(LIST_APPEND(&result->curves, &result->curve_count, &curve), 0);
	assert_int_equal(LIST_APPEND(&result->distributions, &result->distribution_count, &one), 0);
}

static void add_flushed(void)
{
	add(&(struct series){SMALL, SMALL, 0, FATHOM_COLD_FLUSHED, 0, {0}});
}

/* How many modes of that number's series have the kind. */
static int count_kind(size_t which, enum fathom_mode_kind kind)
{
	const struct fathom_distribution *one = &result->distributions[which];
	int count = 0;
	for (size_t i = 0; i < one->mode_count; i++)
		count += one->modes[i].kind == kind;
	return count;
}

static int count_named(void)
{
	int count = 0;
	for (size_t i = 0; i < result->distribution_count; i++)
		count += count_kind(i, FATHOM_MODE_TLB_MISS) + count_kind(i, FATHOM_MODE_ROW_HIT) +
			 count_kind(i, FATHOM_MODE_ROW_MISS);
	return count;
}

static void find(void)
{
	struct fathom_error error = {0};
	assert_int_equal(distributions_find(result, &error), 0);
}

/* Memory on base pages and on large ones. */
static void find_translation(uint64_t seed, double longer_ns, const double own[PLAN_CONTROL_TURNS],
			     const double control[PLAN_CONTROL_TURNS])
{
	struct series series = {64 << 20, SMALL, 0, FATHOM_WARM, longer_ns, {0}};
	begin(seed);
	add_flushed();
	memcpy(series.share, own, sizeof(series.share));
	add(&series);
	series.page_bytes = LARGE;
	memcpy(series.share, control, sizeof(series.share));
	add(&series);
	find();
}

static void find_rows(uint64_t seed, double longer_ns, const double own[PLAN_CONTROL_TURNS],
		      const double control[PLAN_CONTROL_TURNS])
{
	struct series series = {32 << 20, LARGE, 0, FATHOM_COLD_FLUSHED, longer_ns, {0}};
	begin(seed);
	add_flushed();
	memcpy(series.share, own, sizeof(series.share));
	add(&series);
	series.window_bytes = SMALL;
	memcpy(series.share, control, sizeof(series.share));
	add(&series);
	find();
}

static const double none[PLAN_CONTROL_TURNS] = {0, 0, 0, 0}, few[] = {.03, .03, .03, .03},
		    some[] = {.3, .3, .3, .3}, most[] = {.97, .97, .97, .97}, all[] = {1, 1, 1, 1},
		    once[] = {0, 1, 0, 0}, thrice[] = {.9, .9, .9, 0};

static void what_large_pages_lack_is_a_miss(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SERIES; seed++) {
		find_translation(seed, 110, some, none);
		assert_int_equal(count_kind(1, FATHOM_MODE_TLB_MISS), 1);
		assert_int_equal(count_named(), 1);
		assert_true(fabs(result->distributions[1].modes[1].without_ns / 80 - 1) < 0.03);
		fathom_result_free(result);
		/* All of them, where the modes are apart. */
		find_translation(seed, 92, all, none);
		assert_int_equal(count_kind(1, FATHOM_MODE_TLB_MISS), 1);
		fathom_result_free(result);
		find_translation(seed, 83, all, none);
		assert_int_equal(count_named(), 0);
		fathom_result_free(result);
	}
}

static void what_the_control_has_too_is_none(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SERIES; seed++) {
		find_translation(seed, 110, some, some);
		assert_int_equal(count_named(), 0);
		fathom_result_free(result);
		find_rows(seed, 110, most, most);
		assert_int_equal(count_named(), 0);
		fathom_result_free(result);
	}
}

static void rows_are_told_by_the_order(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SERIES; seed++) {
		find_rows(seed, 110, most, few);
		assert_int_equal(count_kind(1, FATHOM_MODE_ROW_MISS), 1);
		assert_int_equal(count_kind(2, FATHOM_MODE_ROW_HIT), 1);
		assert_int_equal(count_kind(2, FATHOM_MODE_ROW_MISS), 1);
		assert_int_equal(count_kind(0, FATHOM_MODE_ROW_HIT), 1);
		assert_int_equal(count_kind(1, FATHOM_MODE_MEMORY), 0);
		fathom_result_free(result);
	}
}

/* A neighbour who makes memory slower for a while. */
static void what_was_not_so_each_time_has_no_name(void **state)
{
	(void)state;
	const double *const turns[] = {once, thrice};
	for (uint64_t seed = 1; seed <= SERIES; seed++)
		for (int i = 0; i < 2; i++) {
			find_translation(seed, 110, turns[i], none);
			assert_int_equal(count_named(), 0);
			fathom_result_free(result);
			find_rows(seed, 110, turns[i], none);
			assert_int_equal(count_named(), 0);
			fathom_result_free(result);
		}
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_large_pages_lack_is_a_miss),
	cmocka_unit_test(what_the_control_has_too_is_none),
	cmocka_unit_test(rows_are_told_by_the_order),
	cmocka_unit_test(what_was_not_so_each_time_has_no_name),
};
UNIT_GROUP();
