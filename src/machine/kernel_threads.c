#include "machine/kernel_threads.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "machine/tree.h"

/* The parent of all threads that the kernel starts by itself. */
#define KTHREADD 2
/* USER_HZ: what /proc counts in is the same on every Linux (proc(5)). */
#define TICKS_PER_SECOND 100.0
/* Columns of /proc/PID/stat behind the name, counted from the state's (proc_pid_stat(5)). */
enum { STATE, PARENT, USER_TICKS = 11, SYSTEM_TICKS, START_TICKS = 19, COLUMNS };

struct stat_line {
	char *name; /* free() it */
	double columns[COLUMNS];
};

/* "77 (kdamond.0) I 2 0 ...": a name may hold anything, parentheses and blanks too. */
static bool parse_stat(const char *line, struct stat_line *stat)
{
	const char *open = strchr(line, '('), *close = strrchr(line, ')');
	if (!open || !close || close < open || strlen(close) < 4)
		return false;
	char *rest = (char *)close + 3;
	for (int i = STATE + 1; i < COLUMNS; i++) {
		const char *at = rest;
		stat->columns[i] = strtod(at, &rest);
		if (rest == at)
			return false;
	}
	stat->name = strndup(open + 1, (size_t)(close - open - 1));
	return stat->name;
}

static bool has_prefix(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (strncmp(name, *prefixes, strlen(*prefixes)) == 0)
			return true;
	return false;
}

/* Seconds since boot; NAN: not known. */
static double read_uptime_s(const char *root)
{
	char *line = tree_read_line(root, "/proc/uptime");
	double uptime_s = line ? strtod(line, NULL) : NAN;
	free(line);
	return uptime_s > 0 ? uptime_s : NAN;
}

static double share_of(const struct stat_line *stat, double uptime_s)
{
	double ran_s = (stat->columns[USER_TICKS] + stat->columns[SYSTEM_TICKS]) / TICKS_PER_SECOND;
	double lived_s = uptime_s - stat->columns[START_TICKS] / TICKS_PER_SECOND;
	return lived_s > 0 ? ran_s / lived_s : NAN;
}

static int compare_pids(const void *left, const void *right)
{
	uint64_t a = ((const struct kernel_thread *)left)->pid;
	uint64_t b = ((const struct kernel_thread *)right)->pid;
	return a < b ? -1 : a > b;
}

struct kernel_threads kernel_threads_find(const char *root, const char *const *prefixes)
{
	struct kernel_threads threads = {0};
	double uptime_s = read_uptime_s(root);
	DIR *directory = tree_open_directory(root, "/proc");
	for (struct dirent *entry; directory && (entry = readdir(directory));) {
		struct kernel_thread thread;
		struct stat_line stat = {0};
		if (!tree_parse_number(entry->d_name, &thread.pid))
			continue;
		char *line = tree_read_line(root, "/proc/%s/stat", entry->d_name);
		bool wanted = line && parse_stat(line, &stat) && stat.columns[PARENT] == KTHREADD &&
			      has_prefix(stat.name, prefixes);
		free(line);
		thread.name = stat.name;
		thread.share = wanted ? share_of(&stat, uptime_s) : NAN;
		if (!wanted || LIST_APPEND(&threads.items, &threads.count, &thread))
			free(stat.name);
	}
	if (directory)
		closedir(directory);
	if (threads.count)
		qsort(threads.items, threads.count, sizeof(*threads.items), compare_pids);
	return threads;
}

void kernel_threads_free(struct kernel_threads *threads)
{
	for (size_t i = 0; i < threads->count; i++)
		free(threads->items[i].name);
	free(threads->items);
	*threads = (struct kernel_threads){0};
}
