/* Where memory runs out in the middle of reading a file, that is said, and nothing is lost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "samples.h"
#include "unit.h"

#define MOST  2000 /* allocations of one file, of which each fails twice */
#define LARGE 40   /* of one with thousands of points */

static char *json_of(const struct fathom_result *result)
{
	char *text = NULL;
	size_t length;
	assert_int_equal(fathom_result_write(result, "json", NULL, &text, &length, NULL), 0);
	return text;
}

static int read_as(const void *work, const struct fathom_input *input, char **text,
		   struct fathom_error *error)
{
	struct fathom_result *result = NULL;
	int failed = fathom_result_read(work, strlen(work), input, &result, error);
	allocations_spare();
	if (failed)
		return -1;
	*text = json_of(result);
	fathom_result_free(result);
	return 0;
}

static int read_result(const void *work, char **text, struct fathom_error *error)
{
	return read_as(work, NULL, text, error);
}

static int read_accesses(const void *work, char **text, struct fathom_error *error)
{
	static const struct fathom_input input = {.accesses = true};
	return read_as(work, &input, text, error);
}

static int read_plan(const void *work, char **text, struct fathom_error *error)
{
	struct fathom_plan *plan = NULL;
	size_t length;
	int failed = fathom_plan_read(work, strlen(work), &plan, error);
	allocations_spare();
	if (failed)
		return -1;
	assert_int_equal(fathom_plan_write(plan, "json", NULL, text, &length, NULL), 0);
	fathom_plan_free(plan);
	return 0;
}

static void fail_each(attempt *run, const char *text, size_t most, const char *name)
{
	allocations_fail_each(run, text, ALLOCATIONS_OURS, most, name);
	allocations_fail_each(run, text, ALLOCATIONS_READING_JANSSON, most, name);
}

static void results_of_fathom(void **state)
{
	(void)state;
	struct fathom_result *(*const samples[])(void) = {
		sample_poor_result,   sample_hostile_result,     sample_levels_result,
		sample_clocks_result, sample_parallelism_result, sample_pages_result,
		sample_cores_result,
	};
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		char name[32];
		struct fathom_result *result = samples[i]();
		char *text = json_of(result);
		fathom_result_free(result);
		snprintf(name, sizeof(name), "sample %zu", i);
		fail_each(read_result, text, i < 2 ? MOST : LARGE, name);
		free(text);
	}
}

static void plans(void **state)
{
	(void)state;
	struct fathom_plan *plan = sample_plan();
	char *text;
	size_t length;
	assert_int_equal(fathom_plan_write(plan, "json", NULL, &text, &length, NULL), 0);
	fathom_plan_free(plan);
	fail_each(read_plan, text, MOST, "plan");
	free(text);
}

static void files_of_other_tools(void **state)
{
	(void)state;
	static const char *const texts[][2] = {
		{"a table", "size_bytes,latency_ns\n4096,1.1\n8192,1.1\n65536,4.2\n"},
		{"lat_mem_rd", "\"stride=64\n0.00049 1.584\n0.00098 1.584\n0.00195 1.585\n"},
		{"c2clat", "CPU 0 1\n0 0 50\n1 51 0\n"},
		{"MLC", "Using Read-only\nInject  Latency Bandwidth\n 00000 130 1000\n"},
		{"loads", "kind,read_pct,bw_GB/s,latency_ns\na,50,1,80\nb,50,2,90\n"},
		{"Markdown", "| size | ns |\n|---|---|\n| 4K | 1.1 |\n| 8K | 1.2 |\n"},
		{"tinymembench", "block size : single random read / dual random read\n"
				 "      1024 :    0.0 ns          /     0.0 ns \n"
				 "     65536 :    4.9 ns          /     7.8 ns \n"
				 "    131072 :    6.5 ns          /     9.7 ns \n"},
	};
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		allocations_fail_each(read_result, texts[i][1], ALLOCATIONS_OURS, MOST,
				      texts[i][0]);
	allocations_fail_each(read_accesses, "ns\n1 90\n2 91\n", ALLOCATIONS_OURS, MOST,
			      "accesses");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(results_of_fathom),
	cmocka_unit_test(plans),
	cmocka_unit_test(files_of_other_tools),
};
UNIT_GROUP();
