/* Whatever happens to the process that changed settings, they are put back. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/rng.h"
#include "base/text.h"
#include "base/warnings.h"
#include "clock_trees.h"
#include "machine/settings/cpufreq.h"
#include "machine/settings/restorer.h"
#include "unit.h"

#define KILLS         150
#define LONGEST_US    3000
#define POLICY        "cpu0/cpufreq/"
#define CPUS          "/sys/devices/system/cpu/"
#define REPORT_CHANGE 'c'
#define HANGS_S       20
#define MOST_PIDS     (1 << 22) /* that Linux gives */

/* Changes the settings for ever, from a child that is to be killed; a byte for each change. */
_Noreturn static void change_settings(const char *root, int report)
{
	static const uint64_t khz[] = {1700000, 2500000, 2000000};
	struct cpufreq cpufreq;
	struct cpufreq_session *session;
	if (cpufreq_find(root, 0, &cpufreq, NULL) || cpufreq_open(&cpufreq, &session, NULL))
		_exit(1);
	for (unsigned i = 0;; i++) {
		char byte = REPORT_CHANGE;
		if (cpufreq_set_boost(session, i % 2, NULL) ||
		    cpufreq_set_khz(session, khz[i % 3], NULL))
			_exit(2);
		if (write(report, &byte, 1) != 1)
			_exit(3);
	}
}

/* How many bytes come until the child is gone; its restorer keeps nothing of it open. */
static size_t read_to_end(int end)
{
	char bytes[4096];
	size_t count = 0;
	ssize_t length;
	while ((length = read(end, bytes, sizeof(bytes))) > 0 || (length < 0 && errno == EINTR))
		count += length > 0 ? (size_t)length : 0;
	return count;
}

static char *path_in(const char *root, const char *name)
{
	return text_format("%s" CPUS "%s", root, name);
}

/* The restorer has the folder of the CPUs locked until it is done. */
static void wait_until_restored(const char *root)
{
	char *folder = path_in(root, "");
	int lock = open(folder, O_RDONLY | O_DIRECTORY);
	assert_true(lock >= 0);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	close(lock);
	free(folder);
}

static void wait_us(uint64_t microseconds)
{
	struct timespec pause = {0, (long)microseconds * 1000};
	nanosleep(&pause, NULL);
}

/* Returns how many changes there were. */
static size_t kill_one(const char *root, int number, bool group, uint64_t microseconds)
{
	int ends[2], state;
	assert_int_equal(pipe(ends), 0);
	/* Jobs in the background are given some as ignored; the child must not be too slow for it.
	 */
	void (*before)(int) = signal(number, SIG_DFL);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		close(ends[0]);
		setpgid(0, 0);
		change_settings(root, ends[1]);
	}
	if (before != SIG_ERR) /* of SIGKILL */
		signal(number, before);
	setpgid(child, child);
	close(ends[1]);
	wait_us(microseconds);
	kill(group ? -child : child, number);
	size_t changes = read_to_end(ends[0]);
	assert_int_equal(waitpid(child, &state, 0), child);
	assert_true(WIFSIGNALED(state));
	close(ends[0]);
	wait_until_restored(root);
	return changes;
}

static void test_killed_at_random_moments(void **state)
{
	struct rng rng = rng_make(20);
	size_t count, changed = 0;
	const struct clock_tree *trees = clock_tree_list(&count);
	(void)state;
	for (size_t i = 0; i < count; i++) {
		const struct clock_tree *tree = &trees[i];
		if (strcmp(tree->name, "none") == 0 || strcmp(tree->name, "read-only") == 0)
			continue;
		char *root = clock_tree_make(tree);
		for (int k = 0; k < KILLS; k++) {
			bool group = rng_below(&rng, 2);
			changed += kill_one(root, SIGKILL, group, rng_below(&rng, LONGEST_US)) > 0;
			assert_true(clock_tree_is_whole(tree, root));
		}
		clock_tree_remove(tree, root);
		free(root);
	}
	assert_in_range(changed, 1, 4 * KILLS); /* not all were killed before they had begun */
}

/* What a terminal sends to all that it started. */
static void test_signals_of_the_terminal(void **state)
{
	static const int numbers[] = {SIGINT, SIGQUIT, SIGHUP, SIGTERM};
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *root = clock_tree_make(tree);
	struct rlimit none = {0, 0};
	(void)state;
	setrlimit(RLIMIT_CORE, &none);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		kill_one(root, numbers[i], true, LONGEST_US);
		assert_true(clock_tree_is_whole(tree, root));
	}
	clock_tree_remove(tree, root);
	free(root);
}

/* The second of them is not there: the first is not touched. */
static void test_unreadable(void **state)
{
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *root = clock_tree_make(tree);
	char *there = path_in(root, "cpufreq/boost"), *missing = path_in(root, "cpufreq/none");
	struct restorer *restorer = NULL;
	struct fathom_error error = {0};
	(void)state;
	assert_int_equal(
		restorer_open(root, (const char *const[]){there, missing}, 2, &restorer, &error),
		-1);
	assert_null(restorer);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_non_null(strstr(error.text, missing));
	assert_true(clock_tree_is_whole(tree, root));
	fathom_error_clear(&error);
	free(there);
	free(missing);
	clock_tree_remove(tree, root);
	free(root);
}

/* A driver that takes nothing: the file may not grow by a byte. */
static void test_not_taken(void **state)
{
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *root = clock_tree_make(tree), *boost = path_in(root, "cpufreq/boost");
	struct restorer *restorer;
	struct fathom_error error = {0};
	struct rlimit before, none;
	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(restorer_open(root, (const char *const[]){boost}, 1, &restorer, &error),
			 0);
	getrlimit(RLIMIT_FSIZE, &before);
	none = (struct rlimit){0, before.rlim_max};
	setrlimit(RLIMIT_FSIZE, &none);
	int status = restorer_write(restorer, 0, "0", &error);
	setrlimit(RLIMIT_FSIZE, &before);
	assert_int_equal(status, -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_non_null(strstr(error.text, "does not accept 0"));
	assert_int_equal(restorer_close(restorer, NULL, &error), 0);
	assert_true(clock_tree_is_whole(tree, root));
	fathom_error_clear(&error);
	free(boost);
	clock_tree_remove(tree, root);
	free(root);
}

/* The file is not where it was. */
static void test_cannot_be_put_back(void **state)
{
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *root = clock_tree_make(tree), *boost = path_in(root, "cpufreq/boost");
	struct restorer *restorer;
	struct fathom_error error = {0};
	(void)state;
	assert_int_equal(restorer_open(root, (const char *const[]){boost}, 1, &restorer, &error),
			 0);
	assert_int_equal(restorer_write(restorer, 0, "0", &error), 0);
	char *gone = text_format("%s/cpufreq-gone", root);
	char *folder = path_in(root, "cpufreq");
	assert_int_equal(rename(folder, gone), 0);
	assert_int_equal(restorer_close(restorer, NULL, &error), -1);
	assert_int_equal(error.status, FATHOM_FAILED);
	assert_non_null(strstr(error.hint, "1 to '"));
	assert_int_equal(rename(gone, folder), 0);
	fathom_error_clear(&error);
	free(gone);
	free(folder);
	free(boost);
	clock_tree_remove(tree, root);
	free(root);
}

/* ---- what others do meanwhile ---- */

static struct restorer *open_on(const char *root, const char *path)
{
	struct restorer *restorer = NULL;
	assert_int_equal(restorer_open(root, (const char *const[]){path}, 1, &restorer, NULL), 0);
	return restorer;
}

static void set_file(const char *path, const char *content)
{
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(content, file);
	fclose(file);
}

/* Of the one child that this process has. */
static pid_t find_child(void)
{
	siginfo_t about = {0};
	for (pid_t child = 1; child < MOST_PIDS; child++)
		if (waitid(P_PID, (id_t)child, &about, WEXITED | WNOHANG | WNOWAIT) == 0)
			return child;
	return -1;
}

static void test_a_child_that_is_killed(void **state)
{
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *root = clock_tree_make(tree), *boost = path_in(root, "cpufreq/boost");
	struct restorer *restorer = open_on(root, boost);
	struct fathom_error error = {0};
	(void)state;
	assert_int_equal(restorer_write(restorer, 0, "0", &error), 0);
	pid_t child = find_child();
	assert_true(child > 0);
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(restorer_close(restorer, NULL, &error), 0);
	assert_true(clock_tree_is_whole(tree, root));
	free(boost);
	clock_tree_remove(tree, root);
	free(root);
}

/* A second one would take what the first has set for what is to be put back. */
static void test_two_at_once(void **state)
{
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *root = clock_tree_make(tree);
	struct cpufreq cpufreq;
	struct cpufreq_session *first, *second = NULL;
	struct fathom_error error = {0};
	(void)state;
	assert_int_equal(cpufreq_find(root, 0, &cpufreq, NULL), 0);
	assert_int_equal(cpufreq_open(&cpufreq, &first, NULL), 0);
	assert_int_equal(cpufreq_set_khz(first, 2000000, NULL), 0);
	assert_int_equal(cpufreq_open(&cpufreq, &second, &error), -1);
	assert_null(second);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_non_null(strstr(error.text, "another 'fathom frequency' is running"));
	assert_int_equal(cpufreq_close(first, NULL, NULL), 0);
	assert_int_equal(cpufreq_open(&cpufreq, &second, NULL), 0);
	assert_int_equal(cpufreq_set_khz(second, 1700000, NULL), 0);
	assert_int_equal(cpufreq_close(second, NULL, NULL), 0);
	assert_true(clock_tree_is_whole(tree, root));
	fathom_error_clear(&error);
	cpufreq_free(&cpufreq);
	clock_tree_remove(tree, root);
	free(root);
}

/* The second one's child has the first one's channel not open: else the first would wait for the
 * end of the second. */
static void test_descriptors_are_not_inherited(void **state)
{
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *one = clock_tree_make(tree), *other = clock_tree_make(tree);
	char *one_boost = path_in(one, "cpufreq/boost");
	char *other_boost = path_in(other, "cpufreq/boost");
	(void)state;
	int kept = dup(STDERR_FILENO); /* as if others were between */
	struct restorer *first = open_on(one, one_boost);
	struct restorer *second = open_on(other, other_boost);
	assert_int_equal(restorer_write(first, 0, "0", NULL), 0);
	assert_int_equal(restorer_write(second, 0, "0", NULL), 0);
	alarm(HANGS_S);
	assert_int_equal(restorer_close(first, NULL, NULL), 0);
	alarm(0);
	assert_true(clock_tree_is_whole(tree, one));
	assert_int_equal(restorer_close(second, NULL, NULL), 0);
	assert_true(clock_tree_is_whole(tree, other));
	close(kept);
	free(one_boost);
	free(other_boost);
	clock_tree_remove(tree, one);
	clock_tree_remove(tree, other);
	free(one);
	free(other);
}

static void test_what_somebody_else_has_set(void **state)
{
	const struct clock_tree *tree = clock_tree_find("acpi-cpufreq");
	char *root = clock_tree_make(tree);
	char *boost = path_in(root, "cpufreq/boost");
	char *limit = path_in(root, POLICY "scaling_max_freq");
	struct restorer *restorer;
	struct fathom_warnings warnings = {0};
	(void)state;
	assert_int_equal(
		restorer_open(root, (const char *const[]){boost, limit}, 2, &restorer, NULL), 0);
	assert_int_equal(restorer_write(restorer, 0, "0", NULL), 0);
	assert_int_equal(restorer_write(restorer, 1, "2000000", NULL), 0);
	set_file(limit, "2200000\n");
	assert_int_equal(restorer_close(restorer, &warnings, NULL), 0);
	char *found = clock_tree_read(root, POLICY "scaling_max_freq");
	assert_string_equal(found, "2200000");
	free(found);
	found = clock_tree_read(root, "cpufreq/boost");
	assert_string_equal(found, "1");
	free(found);
	assert_int_equal(warnings.count, 1);
	assert_string_equal(warnings.items[0].id, "setting-left");
	assert_string_equal(warnings.items[0].where, limit);
	assert_non_null(strstr(warnings.items[0].text, "to 2200000"));
	assert_non_null(strstr(warnings.items[0].text, "restored to 2600000"));
	warnings_free(&warnings);
	free(boost);
	free(limit);
	clock_tree_remove(tree, root);
	free(root);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_killed_at_random_moments),
	cmocka_unit_test(test_signals_of_the_terminal),
	cmocka_unit_test(test_unreadable),
	cmocka_unit_test(test_not_taken),
	cmocka_unit_test(test_cannot_be_put_back),
	cmocka_unit_test(test_a_child_that_is_killed),
	cmocka_unit_test(test_two_at_once),
	cmocka_unit_test(test_descriptors_are_not_inherited),
	cmocka_unit_test(test_what_somebody_else_has_set),
};
UNIT_GROUP();
