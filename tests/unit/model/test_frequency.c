/* Runs of known machines at several clocks: is what follows the clock told from what does not? */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "clock_runs.h"
#include "fathom.h"
#include "unit.h"

#define NOT_KNOWN 0

static void assert_laws(const struct fathom_result *result, double slow_ghz)
{
	for (size_t i = 0; i < CLOCK_LEVELS; i++) {
		const struct fathom_clock_law *law = clock_law_of(result, clock_machine[i].name);
		double of_ns = fmax(clock_machine[i].ns, clock_machine[i].cycles / slow_ghz);
		assert_float_equal(law->core_cycles, clock_machine[i].cycles,
				   CLOCK_TOLERANCE * clock_machine[i].cycles);
		assert_float_equal(law->outside_ns, clock_machine[i].ns, CLOCK_TOLERANCE * of_ns);
		assert_true(law->core_low_cycles < law->core_cycles);
		assert_true(law->core_high_cycles > law->core_cycles);
	}
}

static void test_two_clocks(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	assert_int_equal(result->clock_count, 2);
	assert_int_equal(result->clocks[0].source, FATHOM_CLOCK_MEASURED);
	assert_float_equal(result->clocks[1].relative, 2, 1e-6);
	assert_laws(result, 2);
	/* In the core as the clock, in memory hardly. */
	assert_float_equal(clock_law_of(result, "L2")->speedup, 2, 0.02);
	assert_float_equal(clock_law_of(result, "memory")->speedup, 108.5 / 93.25, 0.02);
	assert_int_equal(result->warnings.count, 0);
	fathom_result_free(result);
}

static void test_several_clocks_in_any_order(void **state)
{
	struct fathom_result *runs[] = {
		clock_run(3, 0.002, 1, true), clock_run(4.5, 0.002, 2, true),
		clock_run(1.5, 0.002, 3, true), clock_run(3, 0.002, 4, true)};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 4, NULL, &result, NULL), 0);
	assert_int_equal(result->clocks[0].curve, 2);
	assert_int_equal(result->clocks[3].curve, 1);
	assert_float_equal(result->clocks[3].relative, 3, 1e-6);
	assert_laws(result, 1.5);
	fathom_result_free(result);
}

/* By nine sizes in ten the interval of cycles holds the truth. */
static void test_intervals_of_sizes(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.003, 5, true), clock_run(3, 0.003, 6, true)};
	struct fathom_result *result;
	size_t sizes = 0, held = 0;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	for (size_t i = 0; i < result->clock_law_count; i++) {
		const struct fathom_clock_law *law = &result->clock_laws[i];
		if (law->level || (double)law->from_bytes > 30 * KIB)
			continue;
		sizes++;
		held += law->core_low_cycles <= 4 && law->core_high_cycles >= 4;
	}
	assert_in_range(sizes, 20, 30);
	assert_in_range(held, sizes * 9 / 10, sizes);
	fathom_result_free(result);
}

static void test_clock_recovered(void **state)
{
	struct fathom_result *runs[] = {clock_run(4, 0.002, 7, false),
					clock_run(2, 0.002, 8, false)};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	assert_int_equal(result->clocks[0].curve, 1);
	assert_int_equal(result->clocks[0].source, FATHOM_CLOCK_UNKNOWN);
	assert_int_equal(result->clocks[1].source, FATHOM_CLOCK_RECOVERED);
	assert_float_equal(result->clocks[1].relative, 2, 0.02);
	assert_true(result->clocks[1].relative_low <= 2 && result->clocks[1].relative_high >= 2);
	assert_true(isnan(clock_law_of(result, "memory")->core_cycles));
	assert_float_equal(clock_law_of(result, "memory")->core_ns, 30.5, 0.05 * 30.5);
	assert_float_equal(clock_law_of(result, "memory")->outside_ns, 78, CLOCK_TOLERANCE * 78);
	assert_string_equal(result->warnings.items[0].id, "clock-recovered");
	fathom_result_free(result);
}

/* One clock is enough for the other. */
static void test_one_clock_told(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 7, false),
					clock_run(4, 0.002, 8, false)};
	const double clocks_hz[] = {NOT_KNOWN, 4e9};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 2, clocks_hz, &result, NULL), 0);
	assert_float_equal(result->clocks[0].hz, 2e9, 0.02e9);
	assert_int_equal(result->clocks[0].source, FATHOM_CLOCK_RECOVERED);
	assert_int_equal(result->clocks[1].source, FATHOM_CLOCK_USER);
	assert_float_equal(clock_law_of(result, "memory")->core_cycles, 61, 0.05 * 61);
	fathom_result_free(result);
}

/* What the user says of a file goes before what is in it, and may be wrong. */
static void test_a_clock_that_is_not_followed(void **state)
{
	struct fathom_result *runs[] = {clock_run(2, 0.002, 1, true), clock_run(4, 0.002, 2, true)};
	const double clocks_hz[] = {2e9, 3e9};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 2, clocks_hz, &result, NULL), 0);
	assert_int_equal(result->warnings.count, 2); /* L1 and L2 */
	assert_string_equal(result->warnings.items[0].id, "clock-not-followed");
	fathom_result_free(result);
}

static void check_refused(struct fathom_result **runs, size_t count, const char *reason)
{
	struct fathom_result *result = NULL;
	struct fathom_error error = {0};
	assert_int_equal(clock_runs_find(runs, count, NULL, &result, &error), -1);
	assert_null(result);
	assert_int_equal(error.status, FATHOM_BAD_INPUT);
	assert_non_null(strstr(error.text, reason));
	assert_non_null(error.hint);
	fathom_error_clear(&error);
}

static void test_what_cannot_be_told(void **state)
{
	struct fathom_result *alike[] = {clock_run(2, 0.002, 1, true),
					 clock_run(2, 0.002, 2, true)};
	struct fathom_result *near[] = {clock_run(2, 0.002, 1, true),
					clock_run(2.05, 0.002, 2, true)};
	struct fathom_result *blind[] = {clock_run(2, 0.01, 1, false),
					 clock_run(2.01, 0.01, 2, false)};
	struct fathom_result *one[] = {clock_run(2, 0.002, 1, true)};
	struct fathom_result *result;
	(void)state;
	check_refused(alike, 2, "the clocks are too close");
	check_refused(blind, 2, "the clocks are too close");
	check_refused(one, 1, "two runs");
	assert_int_equal(clock_runs_find(near, 2, NULL, &result, NULL), 0); /* the probe can */
	fathom_result_free(result);
}

/* ---- published ---- */

/* AMD Ryzen 7 4700U (Zen 2) at 2.0 GHz and with boost, 4.1 GHz, by S. Slotin, as printed in
 * cpu-cache/plot.ipynb of sslotin/amh-code: the figures stand in bench/published-curves.csv. */
static struct fathom_result *published(const char *id)
{
	struct text table = {0};
	struct fathom_result *result = NULL;
	char *line = NULL;
	size_t size = 0, length = strlen(id);
	FILE *file = fopen(PUBLISHED, "r");
	assert_non_null(file);
	text_add(&table, "size_bytes,latency_ns\n");
	while (getline(&line, &size, file) > 0)
		if (strncmp(line, id, length) == 0 && line[length] == ',')
			text_add(&table, "%s", line + length + 1);
	assert_int_equal(fathom_result_read(table.data, table.length, NULL, &result, NULL), 0);
	fclose(file);
	free(line);
	text_free(&table);
	return result;
}

#define PUBLISHED_RATIO 2.05 /* 4.1 over 2.0 GHz */

static void assert_holds(const struct fathom_clock_law *law, double speedup)
{
	assert_true(law->speedup_low <= speedup && law->speedup_high >= speedup);
}

static void check_published(const char *slow, const char *fast)
{
	struct fathom_result *runs[] = {published(slow), published(fast)};
	struct fathom_result *result;
	assert_int_equal(clock_runs_find(runs, 2, NULL, &result, NULL), 0);
	assert_int_equal(result->clocks[1].curve, 1);
	assert_float_equal(result->clocks[1].relative, PUBLISHED_RATIO, 0.03 * PUBLISHED_RATIO);
	assert_holds(clock_law_of(result, "L1"), PUBLISHED_RATIO); /* boosted, the clock wandered */
	assert_holds(clock_law_of(result, "L3"), PUBLISHED_RATIO);
	const struct fathom_clock_law *memory = clock_law_of(result, "memory");
	assert_true(memory->core_low_ns > 0 && memory->core_low_ns < memory->core_ns &&
		    memory->core_ns < memory->core_high_ns);
	assert_true(memory->outside_low_ns > 0 && memory->outside_low_ns < memory->outside_ns &&
		    memory->outside_ns < memory->outside_high_ns);
	fathom_result_free(result);
}

static void test_published(void **state)
{
	static const char *const slow[] = {"amh_zen2_idx4B_2GHz_4Kpages",
					   "amh_zen2_idx4B_2GHz_run1", "amh_zen2_idx4B_2GHz_run4"};
	(void)state;
	for (size_t i = 0; i < sizeof(slow) / sizeof(*slow); i++)
		check_published(slow[i], "amh_zen2_idx4B_4.1GHz");
	check_published("amh_zen2_idx4B_2GHz_2Mpages", "amh_zen2_idx4B_4.1GHz_2Mpages");
}

/* The Zen 2 optimisation guide says 12 cycles for L2. */
static void test_published_clocks_told(void **state)
{
	struct fathom_result *runs[] = {published("amh_zen2_idx4B_2GHz_4Kpages"),
					published("amh_zen2_idx4B_4.1GHz")};
	const double clocks_hz[] = {2.0e9, 4.1e9};
	struct fathom_result *result;
	(void)state;
	assert_int_equal(clock_runs_find(runs, 2, clocks_hz, &result, NULL), 0);
	const struct fathom_clock_law *l2 = clock_law_of(result, "L2");
	assert_true(l2->core_low_cycles <= 12 && l2->core_high_cycles >= 12);
	assert_true(l2->outside_low_ns <= 0 && l2->outside_high_ns >= 0);
	assert_true(clock_law_of(result, "memory")->core_low_cycles > l2->core_cycles);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_two_clocks),
	cmocka_unit_test(test_several_clocks_in_any_order),
	cmocka_unit_test(test_intervals_of_sizes),
	cmocka_unit_test(test_clock_recovered),
	cmocka_unit_test(test_one_clock_told),
	cmocka_unit_test(test_a_clock_that_is_not_followed),
	cmocka_unit_test(test_what_cannot_be_told),
	cmocka_unit_test(test_published),
	cmocka_unit_test(test_published_clocks_told),
};
UNIT_GROUP();
