/* What of the clock can be set on which driver, that it is set, and put back. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock_trees.h"
#include "machine/settings/cpufreq.h"
#include "unit.h"

#define POLICY "cpu0/cpufreq/"

struct opened {
	const struct clock_tree *tree;
	char *root;
	struct cpufreq cpufreq;
	struct fathom_error error;
};

static void open_tree(struct opened *opened, const char *name)
{
	*opened = (struct opened){.tree = clock_tree_find(name)};
	assert_non_null(opened->tree);
	opened->root = clock_tree_make(opened->tree);
	assert_non_null(opened->root);
	assert_int_equal(cpufreq_find(opened->root, 0, &opened->cpufreq, &opened->error), 0);
}

static void close_tree(struct opened *opened)
{
	assert_true(clock_tree_is_whole(opened->tree, opened->root));
	cpufreq_free(&opened->cpufreq);
	clock_tree_remove(opened->tree, opened->root);
	free(opened->root);
	fathom_error_clear(&opened->error);
}

static void assert_holds(const struct opened *opened, const char *path, const char *content)
{
	char *found = clock_tree_read(opened->root, path);
	assert_string_equal(found, content);
	free(found);
}

static void check_boost(const char *name, const char *path, const char *on, const char *off)
{
	struct opened opened;
	struct cpufreq_session *session;
	open_tree(&opened, name);
	assert_true(cpufreq_can_boost(&opened.cpufreq));
	assert_int_equal(cpufreq_open(&opened.cpufreq, &session, &opened.error), 0);
	assert_int_equal(cpufreq_set_boost(session, false, &opened.error), 0);
	assert_holds(&opened, path, off);
	assert_int_equal(cpufreq_set_boost(session, true, &opened.error), 0);
	assert_holds(&opened, path, on);
	assert_int_equal(cpufreq_set_boost(session, false, &opened.error), 0);
	assert_int_equal(cpufreq_close(session, NULL, &opened.error), 0);
	close_tree(&opened);
}

static void test_boost_of_each_driver(void **state)
{
	(void)state;
	check_boost("intel_pstate active", "intel_pstate/no_turbo", "0", "1");
	check_boost("intel_pstate passive", "intel_pstate/no_turbo", "0", "1");
	check_boost("acpi-cpufreq", "cpufreq/boost", "1", "0");
	check_boost("amd-pstate", POLICY "boost", "1", "0");
}

static void test_limits_follow_each_other(void **state)
{
	static const char *const names[] = {"intel_pstate active", "intel_pstate passive",
					    "acpi-cpufreq", "amd-pstate"};
	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct opened opened;
		struct cpufreq_session *session;
		open_tree(&opened, names[i]);
		assert_true(cpufreq_can_limit(&opened.cpufreq));
		assert_int_equal(cpufreq_open(&opened.cpufreq, &session, &opened.error), 0);
		assert_int_equal(cpufreq_set_khz(session, 1600000, &opened.error), 0);
		assert_holds(&opened, POLICY "scaling_min_freq", "1600000");
		assert_holds(&opened, POLICY "scaling_max_freq", "1600000");
		assert_int_equal(cpufreq_set_khz(session, 2500000, &opened.error), 0);
		assert_holds(&opened, POLICY "scaling_min_freq", "2500000");
		assert_holds(&opened, POLICY "scaling_max_freq", "2500000");
		assert_int_equal(cpufreq_close(session, NULL, &opened.error), 0);
		close_tree(&opened);
	}
}

static void test_beyond_the_hardware(void **state)
{
	static const uint64_t khz[] = {1, 399999, 4400001};
	struct opened opened;
	struct cpufreq_session *session;
	(void)state;
	open_tree(&opened, "intel_pstate active");
	assert_int_equal(cpufreq_open(&opened.cpufreq, &session, &opened.error), 0);
	for (size_t i = 0; i < sizeof(khz) / sizeof(*khz); i++) {
		assert_int_equal(cpufreq_set_khz(session, khz[i], &opened.error), -1);
		assert_int_equal(opened.error.status, FATHOM_UNABLE);
		assert_true(clock_tree_is_whole(opened.tree, opened.root));
	}
	assert_int_equal(cpufreq_close(session, NULL, &opened.error), 0);
	close_tree(&opened);
}

static void check_nothing(const char *name, const char *reason)
{
	struct opened opened;
	struct cpufreq_session *session = NULL;
	open_tree(&opened, name);
	assert_false(cpufreq_can_boost(&opened.cpufreq));
	assert_false(cpufreq_can_limit(&opened.cpufreq));
	assert_int_equal(cpufreq_open(&opened.cpufreq, &session, &opened.error), -1);
	assert_null(session);
	assert_int_equal(opened.error.status, FATHOM_UNABLE);
	assert_non_null(strstr(opened.error.text, reason));
	close_tree(&opened);
}

static void test_no_cpufreq(void **state)
{
	(void)state;
	check_nothing("none", "does not control the CPU clock");
}

static void test_read_only(void **state)
{
	(void)state;
	check_nothing("read-only", "is read-only");
}

static void test_no_tree(void **state)
{
	struct cpufreq cpufreq;
	(void)state;
	assert_int_equal(cpufreq_find(NULL, 0, &cpufreq, NULL), 0);
	assert_false(cpufreq_can_boost(&cpufreq) || cpufreq_can_limit(&cpufreq));
	cpufreq_free(&cpufreq);
}

static void test_not_root(void **state)
{
	struct opened opened;
	struct cpufreq_session *session;
	(void)state;
	if (geteuid() != 0)
		skip(); /* this user's own files can be written */
	open_tree(&opened, "acpi-cpufreq");
	cpufreq_free(&opened.cpufreq);
	assert_int_equal(seteuid(65534), 0);
	int status = cpufreq_find(opened.root, 0, &opened.cpufreq, &opened.error);
	assert_int_equal(seteuid(0), 0);
	assert_int_equal(status, 0);
	assert_int_equal(cpufreq_open(&opened.cpufreq, &session, &opened.error), -1);
	assert_non_null(strstr(opened.error.text, "cannot be written"));
	assert_non_null(strstr(opened.error.hint, "sudo"));
	close_tree(&opened);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_boost_of_each_driver),
	cmocka_unit_test(test_limits_follow_each_other),
	cmocka_unit_test(test_beyond_the_hardware),
	cmocka_unit_test(test_no_cpufreq),
	cmocka_unit_test(test_read_only),
	cmocka_unit_test(test_no_tree),
	cmocka_unit_test(test_not_root),
};
UNIT_GROUP();
