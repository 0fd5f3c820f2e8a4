/* Where memory runs out in the middle of writing, that is said, and no half of a text is given. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "allocations.h"
#include "samples.h"
#include "unit.h"

#define MOST  300 /* allocations of one text, of which each fails twice */
#define LARGE 4   /* of a result with hundreds of points, which takes a second as HTML */

static const char *const formats[] = {"text",     "json",       "csv",       "html",
				      "markdown", "prometheus", "benchmark", "gnuplot"};

struct written {
	const void *object;
	const char *format;
};

static const struct fathom_style style = {.utf8 = true, .explain = true, .every_point = true};

static int write_result(const void *work, char **text, struct fathom_error *error)
{
	const struct written *written = work;
	size_t length;
	return fathom_result_write(written->object, written->format, &style, text, &length, error);
}

static int write_machine(const void *work, char **text, struct fathom_error *error)
{
	const struct written *written = work;
	size_t length;
	return fathom_machine_write(written->object, written->format, &style, text, &length, error);
}

static int write_plan(const void *work, char **text, struct fathom_error *error)
{
	const struct written *written = work;
	size_t length;
	return fathom_plan_write(written->object, written->format, &style, text, &length, error);
}

static void results_in_each_format(void **state)
{
	(void)state;
	struct fathom_result *(*const samples[])(void) = {
		sample_poor_result,   sample_foreign_result,     sample_levels_result,
		sample_clocks_result, sample_parallelism_result, sample_pages_result,
		sample_cores_result,
	};
	for (size_t i = 0; i < sizeof(samples) / sizeof(*samples); i++) {
		struct fathom_result *result = samples[i]();
		for (size_t k = 0; k < sizeof(formats) / sizeof(*formats); k++) {
			const struct written written = {result, formats[k]};
			char name[64];
			if (samples[i] == sample_cores_result &&
			    strcmp(formats[k], "benchmark") == 0)
				continue; /* refused: it has no points */
			snprintf(name, sizeof(name), "sample %zu as %s", i, formats[k]);
			allocations_fail_each(write_result, &written, ALLOCATIONS_WITH_JANSSON,
					      i < 2 ? MOST : LARGE, name);
		}
		fathom_result_free(result);
	}
}

static void machines_and_plans(void **state)
{
	(void)state;
	struct fathom_machine *machine = sample_machine();
	struct fathom_plan *plan = sample_plan();
	for (size_t k = 0; k < 2; k++) {
		const struct written facts = {machine, formats[k]}, specs = {plan, formats[k]};
		allocations_fail_each(write_machine, &facts, ALLOCATIONS_WITH_JANSSON, MOST,
				      "machine");
		allocations_fail_each(write_plan, &specs, ALLOCATIONS_WITH_JANSSON, MOST, "plan");
	}
	fathom_plan_free(plan);
	fathom_machine_free(machine);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(results_in_each_format),
	cmocka_unit_test(machines_and_plans),
};
UNIT_GROUP();
