/* Curves that tell no intervals: the scatter of their ratios is the the spread is taken from how
 * far. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"
#include "fathom.h"
#include "model/compare/compare_scatter.h"
#include "unit.h"

/* L1 to 32 KiB, L2 to 1 MiB, L3 to 16 MiB, memory. */
struct made {
	double factor; /* of all but memory */
	double noise;  /* of each size */
	double per_octave;
	uint64_t seed;
	const char *format; /* of a latency */
};

static double latency_ns(double bytes)
{
	return bytes <= 32 << 10 ? 1.25 : bytes <= 1 << 20 ? 4 : bytes <= 16 << 20 ? 18 : 90;
}

static struct fathom_result *make(const struct made *made)
{
	struct text table = {0};
	struct rng rng = rng_make(made->seed);
	struct fathom_result *result = NULL;
	text_add(&table, "size_bytes,latency_ns\n");
	for (double i = 0; i <= 16 * made->per_octave; i++) {
		double bytes = floor(4096 * exp2(i / made->per_octave) / 64) * 64;
		double ns = latency_ns(bytes) * (bytes <= 16 << 20 ? made->factor : 1);
		char value[32];
		snprintf(value, sizeof(value), made->format ? made->format : "%.4g",
			 ns * exp(made->noise * rng_normal(&rng)));
		text_add(&table, "%.0f,%s\n", bytes, value);
	}
	assert_int_equal(fathom_result_read(table.data, table.length, NULL, &result, NULL), 0);
	assert_int_equal(fathom_fit(result, NULL, NULL), 0);
	text_free(&table);
	return result;
}

static struct fathom_comparison *compare(struct fathom_result *before, struct fathom_result *after)
{
	const struct fathom_run list[] = {{"before", before}, {"after", after}};
	const struct fathom_compare_request request = {
		.baselines = list, .baseline_count = 1, .runs = list + 1, .run_count = 1};
	struct fathom_comparison *comparison = NULL;
	assert_int_equal(fathom_compare(&request, &comparison, NULL), 0);
	fathom_result_free(before);
	fathom_result_free(after);
	return comparison;
}

static struct fathom_comparison *compare_made(const struct made *before, const struct made *after)
{
	return compare(make(before), make(after));
}

static const struct fathom_compared_part *part(const struct fathom_comparison *comparison,
					       const char *name)
{
	const struct fathom_compared_run *run = &comparison->runs[0];
	for (size_t i = 0; i < run->part_count; i++)
		if (strcmp(run->parts[i].name, name) == 0)
			return &run->parts[i];
	fail_msg("there is no '%s'", name);
	return NULL;
}

static void is(const struct fathom_comparison *comparison, const char *name,
	       enum fathom_verdict verdict)
{
	const struct fathom_compared_part *found = part(comparison, name);
	if (found->verdict != verdict)
		fail_msg("%s is %s (%.3f, %.3f to %.3f): %s", name,
			 fathom_verdict_name((int)found->verdict), found->speedup,
			 found->speedup_low, found->speedup_high, found->evidence);
}

static void a_tenth_at_eight_sizes_is_a_difference(void **state)
{
	const struct made before = {1, 0.01, 4, 1, NULL}, after = {1.1, 0.01, 4, 2, NULL};
	struct fathom_comparison *found = compare_made(&before, &after);
	(void)state;
	assert_int_equal(part(found, "L1")->points, 8);
	is(found, "L1", FATHOM_SLOWER);
	is(found, "L2", FATHOM_SLOWER);
	assert_true(fabs(part(found, "L1")->speedup * 1.1 - 1) < 0.02);
	assert_true(part(found, "memory")->verdict != FATHOM_SLOWER);
	assert_true(found->runs[0].slower);
	assert_non_null(strstr(part(found, "L1")->evidence, "the spread is taken from how far"));
	fathom_comparison_free(found);
}

/* One size an octave: the levels have one or two each, which scatter as all of them do. */
static void a_factor_of_two_is_told_at_one_size_an_octave(void **state)
{
	const struct made before = {1, 0.01, 1, 1, NULL}, after = {2, 0.01, 1, 2, NULL};
	struct fathom_comparison *found = compare_made(&before, &after);
	(void)state;
	is(found, "L1", FATHOM_SLOWER);
	is(found, "L2", FATHOM_SLOWER);
	is(found, "L3", FATHOM_SLOWER);
	assert_true(part(found, "memory")->verdict != FATHOM_SLOWER);
	assert_true(part(found, "L1")->points < COMPARE_SCATTER_FEWEST);
	assert_non_null(strstr(part(found, "L1")->evidence, "ratios of all levels scatter"));
	fathom_comparison_free(found);
}

static void equal_curves_that_scatter_are_never_told_to_differ(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed < 11; seed++) {
		const struct made before = {1, 0.004, 4, 2 * seed, NULL};
		const struct made after = {1, 0.004, 4, 2 * seed + 1, NULL};
		struct fathom_comparison *found = compare_made(&before, &after);
		assert_false(found->runs[0].slower || found->runs[0].faster);
		is(found, "L2", FATHOM_SAME);
		fathom_comparison_free(found);
	}
}

static struct fathom_result *read(const char *table)
{
	struct fathom_result *result = NULL;
	assert_int_equal(fathom_result_read(table, strlen(table), NULL, &result, NULL), 0);
	assert_int_equal(fathom_fit(result, NULL, NULL), 0);
	return result;
}

static void two_points_leave_it_unknown_and_say_which_factor_would_be_seen(void **state)
{
	struct fathom_comparison *found =
		compare(read("size_bytes,latency_ns\n4096,1.30\n8192,1.31\n"),
			read("size_bytes,latency_ns\n4096,2.60\n8192,2.75\n"));
	(void)state;
	for (size_t i = 0; i < found->runs[0].part_count; i++) {
		const struct fathom_compared_part *of = &found->runs[0].parts[i];
		assert_int_equal(of->verdict, FATHOM_VERDICT_UNKNOWN);
		assert_true(of->visible > 0.1 && of->visible < 10);
		assert_true(isnan(of->probability));
	}
	const struct fathom_style style = {.columns = 200};
	char *text = NULL;
	size_t length;
	assert_int_equal(fathom_comparison_write(found, "text", &style, &text, &length, NULL), 0);
	assert_non_null(
		strstr(text, "too few sizes for a verdict; a difference below a factor of "));
	free(text);
	fathom_comparison_free(found);
}

/* 1.24 and 1.26 are 1.2 and 1.3 in one decimal, at all sizes. */
static void what_rounding_does_to_all_sizes_alike_is_no_difference(void **state)
{
	const struct made before = {0.992, 0, 4, 1, "%.1f"}, after = {1.008, 0, 4, 2, "%.1f"};
	struct fathom_comparison *found = compare_made(&before, &after);
	(void)state;
	assert_true(part(found, "L1")->speedup < 0.95);
	is(found, "L1", FATHOM_VERDICT_UNKNOWN);
	fathom_comparison_free(found);
}

static void steps_of_decimals_are_found(void **state)
{
	const double tenths[] = {1.2, 90.1, 4}, fine[] = {1.25, 3.141}, whole[] = {12, 150};
	const double any[] = {1.0 / 3};
	(void)state;
	assert_true(fabs(compare_rounding_step(tenths, 3) - 0.1) < 1e-12);
	assert_true(fabs(compare_rounding_step(fine, 2) - 0.001) < 1e-12);
	assert_true(compare_rounding_step(whole, 2) == 1);
	assert_true(compare_rounding_step(any, 1) == 0);
}

/* Neighbours that go together tell less than as many that do not. */
static void neighbours_that_are_alike_count_less(void **state)
{
	const double apart[] = {-0.01, 0.02, -0.02, 0.01, -0.015, 0.015, -0.01, 0.01};
	const double alike[] = {-0.02, -0.015, -0.015, -0.01, 0.01, 0.015, 0.015, 0.02};
	struct fathom_compared_part of_apart = {0}, of_alike = {0};
	(void)state;
	compare_scatter_estimate(&(struct compare_scatter_sample){.ln_ratios = apart, .count = 8},
				 0.02, &of_apart);
	compare_scatter_estimate(&(struct compare_scatter_sample){.ln_ratios = alike, .count = 8},
				 0.02, &of_alike);
	assert_true(of_alike.error > 1.5 * of_apart.error);
	assert_true(of_alike.freedom < of_apart.freedom);
	assert_true(of_alike.probability > 2 * of_apart.probability);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_tenth_at_eight_sizes_is_a_difference),
	cmocka_unit_test(a_factor_of_two_is_told_at_one_size_an_octave),
	cmocka_unit_test(equal_curves_that_scatter_are_never_told_to_differ),
	cmocka_unit_test(two_points_leave_it_unknown_and_say_which_factor_would_be_seen),
	cmocka_unit_test(what_rounding_does_to_all_sizes_alike_is_no_difference),
	cmocka_unit_test(steps_of_decimals_are_found),
	cmocka_unit_test(neighbours_that_are_alike_count_less),
};
UNIT_GROUP();
