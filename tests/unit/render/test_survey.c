/* What a survey says: numbers from levels, streams and overlaps; a table and sentences of them. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "model/numbers.h"
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
	assert_int_equal(numbers_find(result, NULL), 0);
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

static void what_is_no_survey_has_none(void **state)
{
	(void)state;
	struct fathom_result *results[] = {sample_levels_result(), sample_parallelism_result(),
					   sample_foreign_result(), sample_empty_result()};
	for (size_t i = 0; i < sizeof(results) / sizeof(*results); i++) {
		assert_false(numbers_is_survey(results[i]));
		assert_int_equal(numbers_find(results[i], NULL), 0);
		assert_int_equal(results[i]->number_count, 0);
		fathom_result_free(results[i]);
	}
}

static void what_was_not_measured_is_left_out(void **state)
{
	(void)state;
	struct fathom_result *result = sample_pages_result();
	assert_int_equal(numbers_find(result, NULL), 0);
	assert_non_null(number(result, "page walk", NULL));
	assert_null(number(result, "read 1 MB in order", NULL));
	for (size_t i = 0; i < result->number_count; i++)
		assert_true(isfinite(result->numbers[i].ns));
	fathom_result_free(result);
}

/* ---- for people ---- */

static char *write(const struct fathom_result *result, unsigned columns)
{
	char *text;
	size_t length;
	const struct fathom_style style = {.columns = columns};
	assert_int_equal(fathom_result_write(result, "text", &style, &text, &length, NULL), 0);
	return text;
}

static void the_text_says_what_to_know(void **state)
{
	(void)state;
	static const char *const wanted[] = {
		"OS says",
		"read",
		"MLP",
		"An access to a working set of up to",
		"Keep data that is used again within",
		"Independent accesses overlap",
		"One core reads memory in order",
		"latency numbers every programmer should know",
		"2009",
	};
	struct fathom_result *result = make_survey();
	char *text = write(result, 80);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
		if (!strstr(text, wanted[i]))
			fail_msg("'%s' is not in\n%s", wanted[i], text);
	assert_null(strstr(text, "nan"));
	free(text);
	fathom_result_free(result);
}

/* What may be nothing or twice as much is no value with a half-width. */
static void a_wide_interval_is_a_range(void **state)
{
	(void)state;
	static const struct {
		double low_ns, high_ns;
		const char *cell, *sentence;
	} known[] = {
		{60, 440, " ~260 60-440     ~930 ", "about 260 ns (60 to 440)."},
		{-20, 1027, " ~260 0-1000     ~930 ", "about 260 ns (0 to 1000)."},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		struct fathom_result *result = make_survey();
		struct fathom_level *memory = (struct fathom_level *)level(result, "memory");
		memory->latency_low_ns = known[i].low_ns;
		memory->latency_high_ns = known[i].high_ns;
		assert_int_equal(numbers_find(result, NULL), 0);
		bool positive = known[i].low_ns > 0;
		assert_true(isfinite(number(result, "main memory reference", NULL)->low_ns) ==
			    positive);
		char *text = write(result, 200);
		if (!strstr(text, known[i].cell) || !strstr(text, known[i].sentence))
			fail_msg("'%s' or '%s' is not in\n%s", known[i].cell, known[i].sentence,
				 strstr(text, "  level "));
		assert_null(strstr(text, "times as much"));
		free(text);
		fathom_result_free(result);
	}
}

/* In noise a curve has a step past the last cache that it cannot tell: what is measured there is
 * memory all the same. */
static void a_step_past_the_caches_is_memory(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	char *before = write(result, 100);
	assert_non_null(number(result, "read 1 GB at random", "at a time"));
	for (size_t i = 0; i < result->parallelism_count; i++)
		if (strcmp(result->parallelism[i].level, "memory") == 0)
			memcpy(result->parallelism[i].level, "step 1", sizeof("step 1"));
	assert_int_equal(numbers_find(result, NULL), 0);
	assert_non_null(number(result, "read 1 GB at random", "at a time"));
	char *after = write(result, 100);
	assert_non_null(strstr(after, "One core reads memory in order"));
	/* From the table on: that of overlaps names the levels. */
	assert_string_equal(strstr(after, "OS says"), strstr(before, "OS says"));
	free(before);
	free(after);
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
	assert_int_equal(numbers_find(result, NULL), 0);
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

/* Whichever stages had time: a survey is shown as one. */
static void the_command_decides_what_is_shown(void **state)
{
	(void)state;
	struct fathom_result *result = sample_levels_result();
	char *before = write(result, 80);
	assert_null(strstr(before, "OS says   latency"));
	result->survey = true;
	assert_true(numbers_is_survey(result));
	char *after = write(result, 80);
	assert_non_null(strstr(after, "MLP"));
	assert_non_null(strstr(after, "    read"));
	free(before);
	free(after);
	fathom_result_free(result);
}

static size_t count(const char *text, const char *words)
{
	size_t found = 0;
	for (const char *at = text; (at = strstr(at, words)); at++)
		found++;
	return found;
}

/* What one can do nothing about is one line, and of the rest three come first. */
static void the_first_screen_has_few_warnings(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	warnings_free(&result->warnings);
	result->survey = true;
	warnings_add(&result->warnings, "few-blocks", NULL, "wait", "that is first");
	warnings_note(&result->warnings, "page-kind-missing", "2m", "echo 9 > pool", "none");
	warnings_note(&result->warnings, "spread-left-out", "thp", NULL, "none of these");
	warnings_note(&result->warnings, "stage-left-out", "patterns", NULL, "no time");
	warnings_add(&result->warnings, "a", NULL, NULL, "that is second");
	warnings_add(&result->warnings, "b", NULL, NULL, "that is third");
	warnings_add(&result->warnings, "disturbed", NULL, "wait", "that is fourth");
	char *text = write(result, 80);
	assert_int_equal(count(text, "\n! that is"), 3);
	assert_true(strstr(text, "that is fourth") < strstr(text, "that is first"));
	assert_null(strstr(text, "that is third"));
	assert_non_null(strstr(text, "1 more warning"));
	assert_non_null(strstr(text, "not measured here: 2m pages, TLBs of thp pages, patterns"));
	assert_null(strstr(text, "echo 9"));
	if (count(text, "\n") > 60)
		fail_msg("%zu lines:\n%s", count(text, "\n"), text);
	free(text);
	fathom_result_free(result);
}

static void lines_are_no_wider_than_the_terminal(void **state)
{
	(void)state;
	struct fathom_result *result = make_survey();
	for (unsigned columns = 40; columns <= 120; columns += 20) {
		char *text = write(result, columns);
		for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
			if (strlen(line) > columns && strchr(line, ' '))
				fail_msg("%zu columns of %u: %s", strlen(line), columns, line);
		free(text);
	}
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(numbers_are_those_of_the_levels),
	cmocka_unit_test(reading_takes_bytes_over_bandwidth),
	cmocka_unit_test(overlapping_accesses_take_less),
	cmocka_unit_test(what_is_no_survey_has_none),
	cmocka_unit_test(what_was_not_measured_is_left_out),
	cmocka_unit_test(the_text_says_what_to_know),
	cmocka_unit_test(a_wide_interval_is_a_range),
	cmocka_unit_test(a_step_past_the_caches_is_memory),
	cmocka_unit_test(the_largest_size_is_memory),
	cmocka_unit_test(what_lies_past_the_caches),
	cmocka_unit_test(the_command_decides_what_is_shown),
	cmocka_unit_test(the_first_screen_has_few_warnings),
	cmocka_unit_test(lines_are_no_wider_than_the_terminal),
};
UNIT_GROUP();
