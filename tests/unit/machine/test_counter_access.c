/* What it means that the kernel refuses to count, and what lifts it. */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/counters/counter_access.h"
#include "unit.h"

/* A machine of a few files. */
static const char *const folders[] = {"proc",
				      "proc/self",
				      "proc/sys",
				      "proc/sys/kernel",
				      "sys",
				      "sys/bus",
				      "sys/bus/event_source",
				      "sys/bus/event_source/devices",
				      "sys/bus/event_source/devices/cpu"};
#define FOLDERS (sizeof(folders) / sizeof(*folders))
static const char *const files[] = {"proc/sys/kernel/perf_event_paranoid", "proc/self/status"};

static void write_file(const char *root, const char *name, const char *text)
{
	char *path = text_format("%s/%s", root, name);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	free(path);
}

/* Each file as far as its text is not NULL. */
static void make_tree(char *root, const char *paranoid, const char *status)
{
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < FOLDERS; i++) {
		char *path = text_format("%s/%s", root, folders[i]);
		assert_int_equal(mkdir(path, 0700), 0);
		free(path);
	}
	if (paranoid)
		write_file(root, files[0], paranoid);
	if (status)
		write_file(root, files[1], status);
}

static void remove_tree(const char *root)
{
	for (size_t i = 0; i < 2; i++) {
		char *path = text_format("%s/%s", root, files[i]);
		unlink(path);
		free(path);
	}
	for (size_t i = FOLDERS; i-- > 0;) {
		char *path = text_format("%s/%s", root, folders[i]);
		assert_int_equal(rmdir(path), 0);
		free(path);
	}
	assert_int_equal(rmdir(root), 0);
}

#define FILTERED  "Name:\tx\nNoNewPrivs:\t0\nSeccomp:\t2\nSeccomp_filters:\t1\n"
#define FREE      "Name:\tx\nNoNewPrivs:\t0\nSeccomp:\t0\nSeccomp_filters:\t0\n"
#define PARANOID4 "kernel.perf_event_paranoid is 4: above 2 only root may use counters"
#define SYSCTL    "sudo sysctl kernel.perf_event_paranoid=2"
#define FILTER    "the system call filter of a container or sandbox refuses perf_event_open"
#define DOCKER    "docker run --security-opt seccomp=unconfined, or run fathom on the host itself"
#define POLICY    "a security policy of this system refuses perf_event_open"
#define JOURNAL   "find the policy: sudo journalctl -k | grep -iE 'denied|lockdown'"

static const struct {
	int code;
	const char *paranoid;
	const char *status;
	enum fathom_count_state state;
	const char *reason;
	const char *hint;
} cases[] = {
	{0, "4\n", FREE, FATHOM_COUNTED, NULL, NULL},
	{EACCES, "4\n", FREE, FATHOM_NOT_PERMITTED, PARANOID4, SYSCTL},
	{EPERM, "4\n", NULL, FATHOM_NOT_PERMITTED, PARANOID4, SYSCTL},
	{EACCES, "4\n", FILTERED, FATHOM_NOT_PERMITTED, PARANOID4, SYSCTL},
	{EPERM, "4\n", FILTERED, FATHOM_NOT_PERMITTED, FILTER, DOCKER},
	{EPERM, "2\n", FILTERED, FATHOM_NOT_PERMITTED, FILTER, DOCKER},
	{EACCES, "-1\n", FILTERED, FATHOM_NOT_PERMITTED, FILTER, DOCKER},
	{EPERM, "2\n", FREE, FATHOM_NOT_PERMITTED, POLICY, JOURNAL},
	{EACCES, "2\n", FREE, FATHOM_NOT_PERMITTED, POLICY, JOURNAL},
	{ENOSYS, "2\n", FREE, FATHOM_NOT_PERMITTED, FILTER, DOCKER},
	{ENOSYS, NULL, FREE, FATHOM_NOT_SUPPORTED,
	 "this kernel was built without performance events", NULL},
	{ENOENT, "2\n", FREE, FATHOM_NOT_SUPPORTED,
	 "the counters of this CPU do not have this event", NULL},
	{EBUSY, "2\n", FREE, FATHOM_NOT_COUNTED,
	 "another program has exclusive use of the counters", "find the program: pgrep -a perf"},
};

static void assert_text(const char *text, const char *wanted)
{
	if (wanted)
		assert_string_equal(text, wanted);
	else
		assert_null(text);
}

static void test_reasons(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char root[] = "/tmp/fathom-counters-XXXXXX";
		make_tree(root, cases[i].paranoid, cases[i].status);
		struct counter_refusal refusal = counter_access_explain(root, cases[i].code);
		assert_int_equal(refusal.state, cases[i].state);
		assert_text(refusal.reason, cases[i].reason);
		assert_text(refusal.hint, cases[i].hint);
		counter_refusal_free(&refusal);
		remove_tree(root);
	}
}

static void test_kinds(void **state)
{
	(void)state;
	assert_int_equal(counter_access_kind(MACHINES "/arm-hybrid", 7), 10);
	assert_int_equal(counter_access_kind(MACHINES "/arm-hybrid", 0), 8);
	assert_int_equal(counter_access_kind(MACHINES "/arm-hybrid", 5), 0);
	assert_int_equal(counter_access_kind(MACHINES "/arm-hybrid", -1), 0);
	assert_int_equal(counter_access_kind(MACHINES "/intel-metal", 0), 0);
	assert_int_equal(counter_access_kind(MACHINES "/hybrid-guest", 2), 0); /* one kind left */
	assert_int_equal(counter_access_kind(NULL, 0), 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_reasons),
	cmocka_unit_test(test_kinds),
};
UNIT_GROUP();
