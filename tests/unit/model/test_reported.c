/* Levels against the caches that the OS reports: which is which, and what is said of it. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "model/levels/reported.h"
#include "unit.h"

#define KIB    1024.0
#define MIB    (1024 * KIB)
#define LEVELS 5

/* Points from 1 KiB to 1 GiB on 4 KiB pages, a memory level, and what each test adds. */
struct example {
	struct fathom_result result;
	struct fathom_machine machine;
	struct fathom_curve curve;
	struct fathom_point points[21];
	struct fathom_cache caches[LEVELS];
	struct fathom_level levels[LEVELS + 1];
	char names[LEVELS][8];
};

static char memory[] = "memory";

static void start(struct example *example)
{
	*example = (struct example){.machine = {.smt_threads = 2}};
	example->curve = (struct fathom_curve){.points = example->points, .point_count = 21};
	for (int i = 0; i < 21; i++)
		example->points[i] = (struct fathom_point){.spec.size_bytes = (uint64_t)1024 << i,
							   .page_bytes = 4096};
	example->result = (struct fathom_result){
		.machine = &example->machine,
		.curves = &example->curve,
		.curve_count = 1,
		.levels = example->levels,
		.level_count = 1,
	};
	example->machine.caches = example->caches;
	example->levels[0] = (struct fathom_level){
		.name = memory, .kind = FATHOM_LEVEL_MEMORY, .size_bytes = NAN};
}

static void report_cache(struct example *example, double bytes)
{
	size_t at = example->machine.cache_count++;
	example->caches[at] = (struct fathom_cache){
		.level = (unsigned)at + 1,
		.kind = at ? FATHOM_CACHE_UNIFIED : FATHOM_CACHE_DATA,
		.size_bytes = (uint64_t)bytes,
	};
}

/* The next cache: before memory, known to `share` either side. */
static struct fathom_level *find_level(struct example *example, double bytes, double share)
{
	size_t at = example->result.level_count++ - 1;
	double before = at ? example->levels[at - 1].size_bytes : 0;
	example->levels[at + 1] = example->levels[at];
	example->levels[at + 1].name = memory;
	snprintf(example->names[at], sizeof(example->names[at]), "L%zu", at + 1);
	example->levels[at] = (struct fathom_level){
		.name = example->names[at],
		.kind = FATHOM_LEVEL_CACHE,
		.size_bytes = bytes,
		.size_low_bytes = bytes * (1 - share),
		.size_high_bytes = bytes * (1 + share),
		.increment_bytes = bytes - before,
	};
	return &example->levels[at];
}

static const struct fathom_warnings *compare(struct example *example)
{
	assert_int_equal(reported_compare(&example->result, NULL), 0);
	return &example->result.warnings;
}

static void check_warning(const struct fathom_warnings *warnings, size_t which, const char *id,
			  const char *where, const char *words)
{
	assert_true(which < warnings->count);
	const struct fathom_warning *warning = &warnings->items[which];
	assert_string_equal(warning->id, id);
	assert_string_equal(warning->where, where);
	if (!strstr(warning->text, words))
		fail_msg("'%s' is not in '%s'", words, warning->text);
}

static void check_reported(const struct example *example, const double *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		assert_int_equal(example->levels[i].reported_bytes, (uint64_t)bytes[i]);
}

static void report_usual(struct example *example)
{
	report_cache(example, 48 * KIB);
	report_cache(example, 2 * MIB);
	report_cache(example, 32 * MIB);
}

static void within_the_interval_is_no_difference(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 47 * KIB, 0.05);
	find_level(&example, 1.85 * MIB, 0.1);
	find_level(&example, 34.5 * MIB, 0.001); /* 8 %: as good as the same */
	assert_int_equal(compare(&example)->count, 0);
	check_reported(&example, (double[]){48 * KIB, 2 * MIB, 32 * MIB}, 3);
	assert_int_equal(example.levels[3].reported_bytes, 0); /* memory */
}

static void a_small_last_cache_is_shared(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_cache(&example, 48 * KIB);
	report_cache(&example, 2 * MIB);
	report_cache(&example, 480 * MIB);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	find_level(&example, 9.8 * MIB, 0.1);
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(
		warnings, 0, "reach-differs", "L3",
		"the effective size is 8.8\u201311 MiB, less than the 480 MiB that the OS reports "
		"(the cache is shared with other cores, partitioned");
	assert_int_equal(example.levels[2].reported_bytes, 480 << 20);
	example.machine.hypervisor = (char[]){"kvm"};
	warnings = compare(&example);
	check_warning(warnings, 0, "reach-differs", "L3", "shared with other guests");
	warnings_free(&example.result.warnings);
}

static void small_pages_make_a_private_cache_small(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 1.4 * MIB, 0.05);
	find_level(&example, 32 * MIB, 0.05);
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "reach-differs", "L2", "small pages");
	assert_non_null(strstr(warnings->items[0].hint, "--page thp"));
	for (int i = 0; i < 21; i++)
		example.points[i].page_bytes = 2 << 20;
	warnings = compare(&example);
	check_warning(warnings, 0, "reach-differs", "L2", "other thread of the core");
	example.machine.smt_threads = 1;
	warnings = compare(&example);
	check_warning(warnings, 0, "reach-differs", "L2", "partitioned");
	assert_null(warnings->items[0].hint);
	warnings_free(&example.result.warnings);
}

static void a_program_beside_makes_private_caches_small(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 40 * KIB, 0.05);
	find_level(&example, 1 * MIB, 0.05);
	find_level(&example, 20 * MIB, 0.05);
	for (size_t i = 0; i < example.curve.point_count; i++) {
		example.points[i].watched = 100;
		example.points[i].rejected[FATHOM_REJECTED_SIBLING] = 91;
	}
	const struct fathom_warnings *warnings = compare(&example);
	check_warning(warnings, 0, "reach-differs", "L1", "a program on the core's other thread");
	check_warning(warnings, 1, "reach-differs", "L2", "a program on the core's other thread");
	check_warning(warnings, 2, "reach-differs", "L3", "shared with other cores");
	assert_null(warnings->items[1].hint);
	example.points[20].watched = 1 << 20; /* less than half of the time */
	check_warning(compare(&example), 1, "reach-differs", "L2", "small pages");
	warnings_free(&example.result.warnings);
}

static void splintered_pages_are_no_advice(void **state)
{
	(void)state;
	struct example example;
	struct fathom_translation large = {.page = FATHOM_PAGE_THP, .splintered = 1};
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 1 * MIB, 0.05);
	find_level(&example, 32 * MIB, 0.05);
	assert_non_null(compare(&example)->items[0].hint);
	example.result.translations = &large;
	example.result.translation_count = 1;
	check_warning(compare(&example), 0, "reach-differs", "L2", "small pages");
	assert_null(example.result.warnings.items[0].hint);
	warnings_free(&example.result.warnings);
}

static void a_first_level_that_differs_is_a_wrong_table(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 64 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	find_level(&example, 32 * MIB, 0.05);
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "reach-differs", "L1",
		      "the effective size is 64 KiB, more than the 48 KiB that the OS reports (the "
		      "OS may report");
	example.machine.hypervisor = (char[]){"kvm"};
	warnings = compare(&example);
	check_warning(warnings, 0, "reach-differs", "L1", "hypervisor decides");
	warnings_free(&example.result.warnings);
}

static void a_victim_reaches_the_sum(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.01);
	find_level(&example, 34 * MIB, 0.001);
	assert_int_equal(compare(&example)->count, 0);
	check_reported(&example, (double[]){48 * KIB, 2 * MIB, 32 * MIB}, 3);
	example.levels[2].size_bytes = example.levels[2].size_high_bytes = 66 * MIB;
	example.levels[2].size_low_bytes = 65 * MIB;
	example.levels[2].increment_bytes = 64 * MIB;
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "reach-differs", "L3", "66 MiB, more than the 32 MiB");
	check_warning(warnings, 0, "reach-differs", "L3", "one slice");
	warnings_free(&example.result.warnings);
}

static void a_level_that_lacks_leaves_its_cache_alone(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 31 * MIB, 0.05); /* the second level, and the OS's L3 */
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "cache-not-found", "OS's L2", "does not show the 2 MiB");
	check_reported(&example, (double[]){48 * KIB, 32 * MIB}, 2);
	assert_string_equal(example.levels[0].name, "L1");
	assert_string_equal(example.levels[1].name, "L3");
	warnings_free(&example.result.warnings);
}

static void an_unknown_step_may_be_the_cache(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	struct fathom_level *step = find_level(&example, 24 * MIB, 0.4);
	step->kind = FATHOM_LEVEL_UNKNOWN;
	char name[] = "step 1";
	step->name = name;
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "cache-not-found", "OS's L3",
		      "the 32 MiB that the OS reports are in the range of step 1, which may be");
	step->increment_bytes = NAN;
	step->entry_bytes = 4096; /* translation, or nothing */
	warnings = compare(&example);
	check_warning(warnings, 0, "cache-not-found", "OS's L3", "does not show the 32 MiB");
	warnings_free(&example.result.warnings);
}

/* Of a few sizes far apart: the first level is what answers there, and not the one after it. */
static void two_caches_in_one_range_are_the_first(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	struct fathom_level *wide = find_level(&example, 300 * KIB, 0);
	wide->size_low_bytes = 16 * KIB;
	wide->size_high_bytes = 4 * MIB;
	find_level(&example, 32 * MIB, 0.05);
	const struct fathom_warnings *warnings = compare(&example);
	assert_string_equal(example.levels[0].name, "L1");
	assert_string_equal(example.levels[1].name, "L3");
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "cache-not-found", "OS's L2", "in the range of L1");
	warnings_free(&example.result.warnings);
}

static void a_level_too_many_is_not_reported(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 384 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	find_level(&example, 32 * MIB, 0.05);
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "cache-not-reported", "L2", "about 384 KiB");
	check_reported(&example, (double[]){48 * KIB, 0, 2 * MIB, 32 * MIB}, 4);
	warnings_free(&example.result.warnings);
}

static void far_apart_is_not_the_same_cache(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_cache(&example, 48 * KIB);
	find_level(&example, 200 * MIB, 0.05);
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 2);
	check_warning(warnings, 0, "cache-not-reported", "L1", "200 MiB");
	check_warning(warnings, 1, "cache-not-found", "OS's L1", "48 KiB");
	warnings_free(&example.result.warnings);
}

/* The curve goes on to `largest` only, where it is still in a cache. */
static void end_at(struct example *example, size_t points)
{
	struct fathom_level *level = find_level(example, NAN, 0);
	level->size_low_bytes = (double)example->points[points - 1].spec.size_bytes;
	example->curve.point_count = points;
	example->result.level_count--;
}

static void a_cache_whose_end_is_not_in_the_curve(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	end_at(&example, 15); /* 16 MiB */
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "cache-not-reached", "L3",
		      "ends at 16 MiB, below the L3 of 32 MiB");
	assert_int_equal(example.levels[2].reported_bytes, 32 << 20);
	warnings_free(&example.result.warnings);

	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	end_at(&example, 18); /* 128 MiB */
	warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "reach-differs", "L3",
		      "over 128 MiB, more than the 32 MiB that");
	warnings_free(&example.result.warnings);
}

static void caches_past_the_ends_of_the_curve(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	example.curve.points = &example.points[7]; /* from 128 KiB ... */
	example.curve.point_count = 8;             /* ... to 16 MiB */
	find_level(&example, 2 * MIB, 0.05);
	example.result.level_count--; /* no memory */
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "cache-not-reached", "OS's L3", "ends at 16 MiB");
	check_reported(&example, (double[]){2 * MIB}, 1);
	warnings_free(&example.result.warnings);

	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	example.curve.point_count = 17; /* 64 MiB */
	example.result.level_count--;
	warnings = compare(&example);
	assert_int_equal(warnings->count, 1);
	check_warning(warnings, 0, "cache-not-reached", "OS's L3",
		      "ends at 64 MiB, too close above the L3 of 32 MiB");
	warnings_free(&example.result.warnings);
}

static void comparing_again_says_it_once(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	report_usual(&example);
	find_level(&example, 48 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	find_level(&example, 5 * MIB, 0.05);
	warnings_add(&example.result.warnings, "clock-wandered", NULL, NULL, "other");
	compare(&example);
	assert_int_equal(compare(&example)->count, 2);
	example.levels[2].size_bytes = example.levels[2].size_low_bytes =
		example.levels[2].size_high_bytes = 32 * MIB;
	const struct fathom_warnings *warnings = compare(&example);
	assert_int_equal(warnings->count, 1); /* the difference is gone, the other one stays */
	assert_string_equal(warnings->items[0].id, "clock-wandered");
	warnings_free(&example.result.warnings);
}

static void nothing_to_compare_with(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	find_level(&example, 5 * MIB, 0.05);
	assert_int_equal(compare(&example)->count, 0); /* no caches are reported */
	report_cache(&example, 48 * KIB);
	example.caches[0].kind = FATHOM_CACHE_INSTRUCTION;
	assert_int_equal(compare(&example)->count, 0);
	example.result.machine = NULL;
	assert_int_equal(compare(&example)->count, 0);
	assert_int_equal(example.levels[0].reported_bytes, 0);
}

static void another_kind_of_core_has_other_caches(void **state)
{
	(void)state;
	struct example example;
	struct fathom_cpu_kind kinds[] = {{(char[]){"performance"}, (char[]){"0-3,8"}, 1, NULL, 0},
					  {(char[]){"efficiency"}, (char[]){"4-7"}, 0.5, NULL, 0}};
	start(&example);
	report_usual(&example);
	find_level(&example, 16 * KIB, 0.05);
	find_level(&example, 2 * MIB, 0.05);
	find_level(&example, 32 * MIB, 0.05);
	example.machine.cpu_kinds = kinds;
	example.machine.cpu_kind_count = 2;
	example.curve.cpu = 5;
	assert_int_equal(compare(&example)->count, 0);
	assert_int_equal(example.levels[0].reported_bytes, 0);
	example.curve.cpu = 8;
	assert_int_equal(compare(&example)->count, 1);
	assert_int_equal(example.levels[0].reported_bytes, 48 << 10);
	warnings_free(&example.result.warnings);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(within_the_interval_is_no_difference),
	cmocka_unit_test(a_small_last_cache_is_shared),
	cmocka_unit_test(small_pages_make_a_private_cache_small),
	cmocka_unit_test(a_program_beside_makes_private_caches_small),
	cmocka_unit_test(splintered_pages_are_no_advice),
	cmocka_unit_test(a_first_level_that_differs_is_a_wrong_table),
	cmocka_unit_test(a_victim_reaches_the_sum),
	cmocka_unit_test(a_level_that_lacks_leaves_its_cache_alone),
	cmocka_unit_test(an_unknown_step_may_be_the_cache),
	cmocka_unit_test(two_caches_in_one_range_are_the_first),
	cmocka_unit_test(a_level_too_many_is_not_reported),
	cmocka_unit_test(far_apart_is_not_the_same_cache),
	cmocka_unit_test(a_cache_whose_end_is_not_in_the_curve),
	cmocka_unit_test(caches_past_the_ends_of_the_curve),
	cmocka_unit_test(comparing_again_says_it_once),
	cmocka_unit_test(nothing_to_compare_with),
	cmocka_unit_test(another_kind_of_core_has_other_caches),
};
UNIT_GROUP();
