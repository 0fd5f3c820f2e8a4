/* Where memory runs out in the middle of a fit or a comparison, that is said, and nothing is lost.
 */
#include <stdlib.h>

#include "allocations.h"
#include "model/cores/core_classes.h"
#include "model/parallelism/parallelism.h"
#include "model/translation/translation.h"
#include "samples.h"
#include "unit.h"

#define MOST 12 /* allocations of one fit, of which each fails twice */

static char *json_of(const struct fathom_result *result)
{
	char *text = NULL;
	size_t length;
	assert_int_equal(fathom_result_write(result, "json", NULL, &text, &length, NULL), 0);
	return text;
}

struct fitted {
	struct fathom_result *(*sample)(void);
	int (*fit)(struct fathom_result *result, struct fathom_error *error);
};

static int fit_result(const void *work, char **text, struct fathom_error *error)
{
	const struct fitted *fitted = work;
	allocations_spare();
	struct fathom_result *result = fitted->sample();
	allocations_resume();
	int failed = fitted->fit(result, error);
	allocations_spare();
	if (!failed)
		*text = json_of(result);
	fathom_result_free(result);
	return failed;
}

static void fail_fit(const char *name, struct fathom_result *(*sample)(void),
		     int (*fit)(struct fathom_result *result, struct fathom_error *error))
{
	const struct fitted fitted = {sample, fit};
	allocations_fail_each(fit_result, &fitted, ALLOCATIONS_OURS, MOST, name);
}

static int fit_curve(struct fathom_result *result, struct fathom_error *error)
{
	return fathom_fit(result, NULL, error);
}

static void levels(void **state)
{
	(void)state;
	fail_fit("a curve of another tool", sample_foreign_result, fit_curve);
	fail_fit("a curve in cycles", sample_cycles_result, fit_curve);
	fail_fit("a poor curve", sample_poor_result, fit_curve);
}

static int find_translation(struct fathom_result *result, struct fathom_error *error)
{
	return translation_find(result, NULL, NULL, error);
}

static void what_rests_on_levels(void **state)
{
	(void)state;
	fail_fit("the textbook's ways", sample_foreign_result, fathom_explain);
	fail_fit("parallelism", sample_parallelism_result, parallelism_find);
	fail_fit("translation", sample_pages_result, find_translation);
	fail_fit("pairs of CPUs", sample_cores_result, core_classes_find);
}

static int compare_runs(const void *work, char **text, struct fathom_error *error)
{
	size_t length;
	struct fathom_comparison *comparison = NULL;
	int failed = fathom_compare(work, &comparison, error);
	allocations_spare();
	if (!failed)
		assert_int_equal(
			fathom_comparison_write(comparison, "json", NULL, text, &length, NULL), 0);
	fathom_comparison_free(comparison);
	return failed;
}

static void comparisons(void **state)
{
	(void)state;
	struct fathom_result *before = sample_foreign_result(), *after = sample_foreign_result();
	const struct fathom_run baseline = {.name = "before", .result = before};
	const struct fathom_run run = {.name = "after", .result = after};
	const struct fathom_compare_request request = {
		.baselines = &baseline, .baseline_count = 1, .runs = &run, .run_count = 1};
	after->curves[0].points[3].latency_ns *= 2;
	allocations_fail_each(compare_runs, &request, ALLOCATIONS_OURS, MOST, "a comparison");
	fathom_result_free(before);
	fathom_result_free(after);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(levels),
	cmocka_unit_test(what_rests_on_levels),
	cmocka_unit_test(comparisons),
};
UNIT_GROUP();
