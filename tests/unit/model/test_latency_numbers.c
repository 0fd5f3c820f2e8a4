/* The numbers of a survey: from levels, streams and overlaps. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "model/latency_numbers.h"
#include "model/past_caches.h"
#include "samples.h"
#include "unit.h"

static const struct fathom_number *number(const struct fathom_result *result, const char *name,
					  const char *how)
{
	for (size_t i = 0; i < result->number_count; i++)
		if (strcmp(result->numbers[i].name, name) == 0 &&
		    (!how || strstr(result->numbers[i].how, how)))
			return &result->numbers[i];
	return NULL;
}

static const struct fathom_level *level(const struct fathom_result *result, const char *name)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (strcmp(result->levels[i].name, name) == 0)
			return &result->levels[i];
	return NULL;
}

/* The sample's reads are a bandwidth study's here: parallelism alone would be no survey. */
static struct fathom_result *make_survey(void)
{
	struct fathom_result *result = sample_parallelism_result();
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].points[0].spec.pattern == FATHOM_READ)
			result->curves[i].experiment = FATHOM_BANDWIDTH;
	assert_int_equal(latency_numbers_find(result, NULL), 0);
	return result;
}

static void numbers_are_those_of_the_levels(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	const struct fathom_number *first = number(result, "L1 cache reference", NULL);
	const struct fathom_number *memory = number(result, "main memory reference", NULL);
	const struct fathom_number *random = number(result, "read 1 GB at random", "dependent");
	assert_true(first->ns == level(result, "L1")->latency_ns);
	assert_true(first->dean_2009_ns == 0.5 && first->scott_2020_ns == 1);
	assert_true(memory->ns == level(result, "memory")->latency_ns);
	assert_true(memory->low_ns == level(result, "memory")->latency_low_ns);
	double lines = 1e9 / (double)result->measured_line_bytes;
	assert_float_equal(random->ns / lines, memory->ns, 1e-9);
	fathom_result_free(result);
}

/* A low bandwidth is a high time. */
static void reading_takes_bytes_over_bandwidth(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	const struct fathom_number *one = number(result, "read 1 GB in order", "one core");
	const struct fathom_number *all = number(result, "read 1 GB in order", "threads");
	assert_non_null(one);
	assert_non_null(all);
	assert_true(one->low_ns < one->ns && one->ns < one->high_ns);
	assert_true(all->ns < one->ns);
	const struct fathom_number *small = number(result, "read 1 MB in order", NULL);
	assert_float_equal(small->ns * 1000, one->ns, 1e-3);
	assert_true(small->dean_2009_ns == 250e3);
	fathom_result_free(result);
}

static void overlapping_accesses_take_less(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	const struct fathom_number *waiting = number(result, "read 1 GB at random", "dependent");
	const struct fathom_number *overlapping =
		number(result, "read 1 GB at random", "at a time");
	assert_non_null(overlapping);
	assert_true(overlapping->ns < waiting->ns / 2);
	fathom_result_free(result);
}

static void add_operation(struct fathom_result *result, enum fathom_pattern pattern, double ns)
{
	struct fathom_curve *curves =
		realloc(result->curves, (result->curve_count + 1) * sizeof(*curves));
	struct fathom_point *point = calloc(1, sizeof(*point));
	assert_true(curves && point);
	*point = (struct fathom_point){.spec = {.pattern = pattern, .lanes = 1},
				       .ns_per_access = ns,
				       .low_ns_per_access = ns - 0.1,
				       .high_ns_per_access = ns + 0.1};
	result->curves = curves;
	curves[result->curve_count++] = (struct fathom_curve){
		.experiment = FATHOM_PATTERNS, .points = point, .point_count = 1};
}

/* Every second random branch is mispredicted: the rest is the loop. */
static void a_mispredict_is_twice_the_difference(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	assert_null(number(result, "branch mispredict", NULL));
	add_operation(result, FATHOM_BRANCHES_RANDOM, 3.5);
	add_operation(result, FATHOM_BRANCHES_SAME, 1);
	add_operation(result, FATHOM_LOCKS, 11);
	assert_int_equal(latency_numbers_find(result, NULL), 0);
	const struct fathom_number *branch = number(result, "branch mispredict", NULL);
	const struct fathom_number *lock = number(result, "mutex lock/unlock", NULL);
	assert_non_null(branch);
	assert_non_null(lock);
	assert_float_equal(branch->ns, 5, 1e-9);
	assert_float_equal(branch->low_ns, 4.6, 1e-9);
	assert_float_equal(branch->high_ns, 5.4, 1e-9);
	assert_true(branch->dean_2009_ns == 5 && branch->scott_2020_ns == 3);
	assert_float_equal(lock->ns, 11, 1e-9);
	fathom_result_free(result);
}

static void what_is_no_survey_has_none(void **state)
{
	(void)state;
	struct fathom_result *results[] = {sample_levels_result(), sample_parallelism_result(),
					   sample_foreign_result(), sample_empty_result()};
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
		assert_false(latency_numbers_is_survey(results[i]));
		assert_int_equal(latency_numbers_find(results[i], NULL), 0);
		assert_int_equal(results[i]->number_count, 0);
		fathom_result_free(results[i]);
	}
}

static void what_was_not_measured_is_left_out(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	assert_int_equal(latency_numbers_find(result, NULL), 0);
	assert_non_null(number(result, "page walk", NULL));
	assert_null(number(result, "read 1 MB in order", NULL));
	for (size_t i = 0; i < result->number_count; i++)
		assert_true(isfinite(result->numbers[i].ns));
	fathom_result_free(result);
}

/* Of a survey, which should have all of the lists. */
static void what_was_not_measured_is_named(void **state)
{
	(void)state;
	static const char *const id = "number-missing";
	struct fathom_result *result = make_survey();
	assert_null(warnings_find_at(&result->warnings, id, "branch mispredict"));
	result->survey = true;
	assert_int_equal(latency_numbers_find(result, NULL), 0);
	assert_true(warnings_find_at(&result->warnings, id, "branch mispredict")->note);
	assert_null(warnings_find_at(&result->warnings, id, "read 1 MB in order"));
	assert_null(warnings_find_at(&result->warnings, id, "page walk"));
	add_operation(result, FATHOM_BRANCHES_RANDOM, 3.5);
	add_operation(result, FATHOM_BRANCHES_SAME, 1);
	assert_int_equal(latency_numbers_find(result, NULL), 0);
	assert_null(warnings_find_at(&result->warnings, id, "branch mispredict"));
	assert_non_null(warnings_find_at(&result->warnings, id, "mutex lock/unlock"));
	fathom_result_free(result);
}

/* What may be less than nothing has no interval. */
static void an_interval_has_positive_ends(void **state)
{
	(void)state;
	static const double low_ns[] = {60, -20};
	for (size_t i = 0; i < sizeof(low_ns) / sizeof(*low_ns); i++) {
		struct fathom_result *result = make_survey();
		struct fathom_level *memory = (struct fathom_level *)level(result, "memory");
		memory->latency_low_ns = low_ns[i];
		memory->latency_high_ns = 1027;
		assert_int_equal(latency_numbers_find(result, NULL), 0);
		assert_true(isfinite(number(result, "main memory reference", NULL)->low_ns) ==
			    (low_ns[i] > 0));
		fathom_result_free(result);
	}
}

/* In noise a curve has a step past the last cache that it cannot tell: what is measured there is
 * memory all the same. */
static void a_step_past_the_caches_is_memory(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	double ns = number(result, "read 1 GB at random", "at a time")->ns;
	for (size_t i = 0; i < result->parallelism_count; i++)
		if (strcmp(result->parallelism[i].level, "memory") == 0)
			memcpy(result->parallelism[i].level, "step 1", sizeof("step 1"));
	assert_int_equal(latency_numbers_find(result, NULL), 0);
	assert_true(number(result, "read 1 GB at random", "at a time")->ns == ns);
	fathom_result_free(result);
}

/* Of several sizes past the caches the largest says what memory does. */
static void the_largest_size_is_memory(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	const struct fathom_number *number_of = number(result, "read 1 GB at random", "at a time");
	double ns = number_of->ns;
	struct fathom_parallelism *level_two = &result->parallelism[2];
	assert_string_equal(level_two->level, "L2");
	assert_true(level_two->ns_per_access < result->parallelism[5].ns_per_access);
	level_two->size_bytes = result->parallelism[5].size_bytes / 2;
	assert_int_equal(latency_numbers_find(result, NULL), 0);
	assert_true(number(result, "read 1 GB at random", "at a time")->ns == ns);
	fathom_result_free(result);
}

static void what_lies_past_the_caches(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	double last_bytes = level(result, "L3")->size_bytes;
	char name[] = "step 1";
	struct fathom_parallelism one = {.level = name, .size_bytes = (uint64_t)last_bytes};
	assert_true(past_caches_bytes(result) == last_bytes);
	assert_false(past_caches(result, &one));
	one.size_bytes *= 2;
	assert_true(past_caches(result, &one));
	one.level = NULL;
	assert_false(past_caches(result, &one));
	one.level = name;
	((struct fathom_level *)level(result, "L3"))->size_bytes = NAN; /* its end was not seen */
	assert_false(past_caches(result, &one));
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_are_those_of_the_levels),
	cmocka_unit_test(reading_takes_bytes_over_bandwidth),
	cmocka_unit_test(overlapping_accesses_take_less),
	cmocka_unit_test(a_mispredict_is_twice_the_difference),
	cmocka_unit_test(what_is_no_survey_has_none),
	cmocka_unit_test(what_was_not_measured_is_left_out),
	cmocka_unit_test(what_was_not_measured_is_named),
	cmocka_unit_test(an_interval_has_positive_ends),
	cmocka_unit_test(a_step_past_the_caches_is_memory),
	cmocka_unit_test(the_largest_size_is_memory),
	cmocka_unit_test(what_lies_past_the_caches),
};
UNIT_GROUP();
