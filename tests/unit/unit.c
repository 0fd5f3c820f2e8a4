/* Runs the groups of a room: those that are named, or all. Each runs in a process of its own, so
 * that one that crashes fails alone, and none finds what another has left. The exit code is 77
 * where all were skipped, 1 where one failed. */
#include "unit.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIPPED 77

static struct unit_group *groups;

void unit_add(struct unit_group *group)
{
	group->next = groups;
	groups = group;
}

/* units for .../test_units.c */
static void set_name(const struct unit_group *group, char name[static 64])
{
	const char *slash = strrchr(group->file, '/'), *base = slash ? slash + 1 : group->file;
	if (!strncmp(base, "test_", 5))
		base += 5;
	snprintf(name, 64, "%.*s", (int)strcspn(base, "."), base);
}

static bool is_named(const char *name, int count, char **names)
{
	for (int i = 0; i < count; i++)
		if (!strcmp(name, names[i]))
			return true;
	return count == 0;
}

static int run_here(const struct unit_group *group, const char *name)
{
	const char *reason = group->missing ? group->missing() : NULL;
	if (reason) {
		printf("[  SKIPPED ] %s\n%s\n", name, reason);
		return SKIPPED;
	}
	return _cmocka_run_group_tests(name, group->tests, group->count, group->setup,
				       group->teardown)
		       ? 1
		       : 0;
}

static int run_apart(const struct unit_group *group, const char *name)
{
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		exit(run_here(group, name));
	int status = 0;
	if (child < 0 || waitpid(child, &status, 0) != child) {
		perror(name);
		return 1;
	}
	int code = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
	if (WIFSIGNALED(status))
		fprintf(stderr, "%s: %s\n", group->file, strsignal(WTERMSIG(status)));
	else if (code && code != SKIPPED)
		fprintf(stderr, "%s: failed\n", group->file);
	return code;
}

int main(int count, char **names)
{
	int run = 0, skipped = 0, failed = 0;
	for (const struct unit_group *group = groups; group; group = group->next) {
		char name[64];
		set_name(group, name);
		if (!is_named(name, count - 1, names + 1))
			continue;
		int status = run_apart(group, name);
		run++;
		skipped += status == SKIPPED;
		failed += status && status != SKIPPED;
	}
	if (run < count - 1)
		fprintf(stderr, "%s: has only %d of the %d files named\n", names[0], run,
			count - 1);
	if (failed || !run || run < count - 1)
		return 1;
	return skipped == run ? SKIPPED : 0;
}
