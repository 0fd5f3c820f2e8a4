/* Whoever watches sees a run go on evenly: at any moment the share that is told is that of the
 * budget which is spent, and no word is long in coming. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "fathom.h"
#include "unit.h"

/* So slow that a budget is few accesses. */
#define MACHINE                                                                                    \
	"sim:clock=100M,l1=4K/4/lru/4c,l2=32K/8/lru/14c,l3=off,mem=2000ns,dtlb=16/4/lru/0c,"       \
	"stlb=off,cpus=2,memory=256M"
#define MOST_STEP 0.1

struct watched {
	double done, most_step, most_off, budget_s;
	size_t count, backwards;
};

static void watch(void *context, const struct fathom_progress *progress)
{
	struct watched *watched = context;
	double step = progress->done - watched->done;
	double left = progress->left_s / watched->budget_s;
	watched->backwards += step < -1e-9;
	watched->most_step = fmax(watched->most_step, step);
	watched->most_off = fmax(watched->most_off, fabs(1 - progress->done - left));
	watched->done = progress->done;
	watched->count++;
}

/* `end`: how much of the budget is spent at least. */
static void assert_even(const struct watched *watched, double end)
{
	assert_true(watched->count > 20);
	assert_int_equal(watched->backwards, 0);
	assert_true(watched->most_step <= MOST_STEP);
	assert_true(watched->most_off <= 0.01);
	assert_true(watched->done >= end);
}

static void make_request(struct fathom_request *request, enum fathom_experiment experiment,
			 double budget_s)
{
	fathom_request_for(request, experiment);
	request->spec.seed = 1;
	request->budget_s = budget_s;
	request->target = 1e-6; /* never reached: all of the budget is spent */
	request->max_size_bytes = 256 << 10;
}

static void every_experiment_goes_on_evenly(void **state)
{
	static const enum fathom_experiment experiments[] = {FATHOM_LATENCY, FATHOM_PARALLELISM,
							     FATHOM_BANDWIDTH, FATHOM_PAGES};
	(void)state;
	for (size_t i = 0; i < sizeof(experiments) / sizeof(*experiments); i++) {
		struct watched watched = {.budget_s = 2};
		const struct fathom_observer observer = {.context = &watched, .progress = watch};
		struct fathom_request request;
		struct fathom_machine *machine = NULL;
		struct fathom_plan *plan = NULL;
		struct fathom_result *result = NULL;
		make_request(&request, experiments[i], watched.budget_s);
		assert_int_equal(fathom_machine_find(MACHINE, &machine, NULL), 0);
		assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
		assert_int_equal(fathom_measure(plan, machine, &observer, &result, NULL), 0);
		assert_even(&watched, 0.75);
		fathom_plan_free(plan);
		fathom_result_free(result);
	}
}

static void a_survey_goes_on_evenly(void **state)
{
	struct watched watched = {.budget_s = 1};
	const struct fathom_observer observer = {.context = &watched, .progress = watch};
	struct fathom_request request;
	struct fathom_machine *machine = NULL;
	struct fathom_survey *survey = NULL;
	struct fathom_result *result = NULL;
	(void)state;
	make_request(&request, FATHOM_LATENCY, watched.budget_s);
	assert_int_equal(fathom_machine_find(MACHINE, &machine, NULL), 0);
	assert_int_equal(fathom_survey_plan(&request, machine, &survey, NULL), 0);
	assert_int_equal(fathom_survey_measure(survey, machine, &observer, &result, NULL), 0);
	assert_even(&watched, 0.75);
	assert_true(result->elapsed_s <= 1.05 * watched.budget_s);
	fathom_survey_free(survey);
	fathom_result_free(result);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(every_experiment_goes_on_evenly),
	cmocka_unit_test(a_survey_goes_on_evenly),
};
UNIT_GROUP();
