/* Classes against what the OS says: names that it has, and what it says wrongly. */
#include <string.h>

#include "base/warnings.h"
#include "unit.h"

/* Measured on a simulated machine. */
static struct fathom_result *measure(const char *description)
{
	struct fathom_machine *machine;
	struct fathom_request request;
	struct fathom_plan *plan;
	struct fathom_result *result;
	fathom_request_for(&request, FATHOM_CORE_TO_CORE);
	request.spec.seed = 5;
	request.pairs_only = true;
	assert_int_equal(fathom_machine_find(description, &machine, NULL), 0);
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_int_equal(fathom_measure(plan, machine, NULL, &result, NULL), 0);
	fathom_plan_free(plan);
	return result;
}

static void what_the_os_calls_just_these_pairs_names_them(void **state)
{
	(void)state;
	static const enum fathom_core_class_kind kinds[] = {
		FATHOM_CORES_SMT, FATHOM_CORES_SAME_CACHE, FATHOM_CORES_SAME_DIE,
		FATHOM_CORES_SAME_SOCKET, FATHOM_CORES_OTHER_SOCKET};
	static const char *const reported[] = {"SMT siblings", "same cache", "same die",
					       "same socket", "other socket"};
	struct fathom_result *result = measure("sim:cpus=2x2x2x4x2");
	assert_int_equal(result->core_class_count, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_int_equal(result->core_classes[i].kind, kinds[i]);
		assert_string_equal(result->core_classes[i].reported, reported[i]);
	}
	assert_null(warnings_find(&result->warnings, "topology-differs"));
	fathom_result_free(result);
}

static void a_guest_that_is_told_nothing_is_told_so(void **state)
{
	(void)state;
	struct fathom_result *result =
		measure("sim:cpus=1x2x4x2,os_cpus=16x1x1x1,numbering=shuffled");
	assert_int_equal(result->core_class_count, 3);
	assert_int_equal(result->core_classes[0].kind, FATHOM_CORES_SMT);
	assert_int_equal(result->core_classes[1].kind, FATHOM_CORES_SAME_CACHE);
	assert_int_equal(result->core_classes[2].kind, FATHOM_CORES_UNKNOWN);
	const struct fathom_warning *warning =
		warnings_find_at(&result->warnings, "topology-differs", "other_socket, class 0");
	assert_non_null(warning);
	assert_non_null(strstr(warning->text, "in different sockets"));
	fathom_result_free(result);
}

static void one_cache_over_all_sockets_is_told(void **state)
{
	(void)state;
	struct fathom_result *result = measure("sim:cpus=2x2x4x1,os_cpus=1x1x16x1");
	assert_string_equal(result->core_classes[1].reported, "same cache");
	const struct fathom_warning *warning = warnings_find(&result->warnings, "topology-differs");
	assert_non_null(warning);
	assert_non_null(strstr(warning->text, "share a cache"));
	fathom_result_free(result);
}

/* A pair alone has no class to hold it against, but a cache has a latency. */
static void two_cpus_of_no_one_cache_are_told(void **state)
{
	(void)state;
	struct fathom_result *near = measure("sim:cpus=2");
	struct fathom_result *far = measure("sim:cpus=2x1x1x1,os_cpus=2");
	assert_null(warnings_find(&near->warnings, "topology-differs"));
	assert_non_null(warnings_find(&far->warnings, "topology-differs"));
	assert_int_equal(far->core_classes[0].kind, FATHOM_CORES_UNKNOWN);
	fathom_result_free(near);
	fathom_result_free(far);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_the_os_calls_just_these_pairs_names_them),
	cmocka_unit_test(a_guest_that_is_told_nothing_is_told_so),
	cmocka_unit_test(one_cache_over_all_sockets_is_told),
	cmocka_unit_test(two_cpus_of_no_one_cache_are_told),
};
UNIT_GROUP();
