#include "machine/cgroup.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "machine/tree.h"

/* Version 1 writes "no limit" as the largest multiple of a page in an int64. */
#define NO_LIMIT_BYTES ((uint64_t)1 << 62)

/* One directory on the way up. */
typedef void visit(void *context, const char *root, const char *directory, bool unified);

static void climb(const char *root, const char *mount, const char *path, bool unified,
		  visit *visit_one, void *context)
{
	/* "/../x" is a group outside of this namespace: not to be seen from here. */
	if (strstr(path, "/.."))
		path = "/";
	char *directory = text_format("%s%s", mount, path);
	if (!directory)
		return;
	size_t shortest = strlen(mount);
	size_t length = strlen(directory);
	while (length > shortest) {
		if (directory[length - 1] != '/')
			visit_one(context, root, directory, unified);
		char *slash = strrchr(directory, '/');
		*slash = 0;
		length = (size_t)(slash - directory);
	}
	visit_one(context, root, mount, unified);
	free(directory);
}

static bool lists(const char *controllers, const char *controller)
{
	size_t length = strlen(controller);
	for (const char *at = controllers; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, controller, length) == 0 && (!at[length] || at[length] == ','))
			return true;
	}
	return false;
}

/* One line of /proc/self/cgroup: "hierarchy:controllers:path", version 2 without controllers. */
static void climb_line(const char *root, char *line, const char *controller, visit *visit_one,
		       void *context)
{
	char *controllers = strchr(line, ':');
	char *path = controllers ? strchr(controllers + 1, ':') : NULL;
	if (!path || path[1] != '/')
		return;
	*path++ = 0;
	controllers++;
	if (!*controllers) {
		climb(root, "/sys/fs/cgroup", path, true, visit_one, context);
		climb(root, "/sys/fs/cgroup/unified", path, true, visit_one, context);
	} else if (lists(controllers, controller)) {
		char *mount = text_format("/sys/fs/cgroup/%s", controller);
		if (mount)
			climb(root, mount, path, false, visit_one, context);
		free(mount);
	}
}

static void climb_all(const char *root, const char *controller, visit *visit_one, void *context)
{
	char *groups = tree_read(root, "/proc/self/cgroup");
	char *rest = groups;
	for (char *line; (line = strsep(&rest, "\n"));)
		climb_line(root, line, controller, visit_one, context);
	free(groups);
}

/* ---- memory ---- */

struct memory_files {
	bool unified;
	const char *limit, *usage, *inactive;
};

static const struct memory_files memory_files[] = {
	{true, "memory.max", "memory.current", "inactive_file"},
	/* Above "high" the kernel reclaims and throttles: as good as a limit for a measurement. */
	{true, "memory.high", "memory.current", "inactive_file"},
	{false, "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
};

static uint64_t used_bytes(const char *root, const char *directory,
			   const struct memory_files *files)
{
	uint64_t usage = 0;
	uint64_t inactive = 0;
	char *stat = tree_read(root, "%s/memory.stat", directory);
	tree_field(stat, files->inactive, &inactive);
	free(stat);
	tree_read_number(&usage, root, "%s/%s", directory, files->usage);
	return usage > inactive ? usage - inactive : 0;
}

static void visit_memory(void *context, const char *root, const char *directory, bool unified)
{
	struct cgroup_memory *least = context;
	for (size_t i = 0; i < sizeof(memory_files) / sizeof(*memory_files); i++) {
		const struct memory_files *files = &memory_files[i];
		uint64_t limit;
		if (files->unified != unified ||
		    !tree_read_number(&limit, root, "%s/%s", directory, files->limit) ||
		    limit >= NO_LIMIT_BYTES)
			continue;
		uint64_t used = used_bytes(root, directory, files);
		uint64_t left = limit > used ? limit - used : 0;
		char *file = text_format("%s/%s", directory, files->limit);
		if (file && (!least->file || left < least->left_bytes)) {
			free(least->file);
			*least = (struct cgroup_memory){left, file};
		} else {
			free(file);
		}
	}
}

bool cgroup_find_memory(const char *root, struct cgroup_memory *memory)
{
	struct cgroup_memory least = {0};
	climb_all(root, "memory", visit_memory, &least);
	if (!least.file)
		return false;
	*memory = least;
	return true;
}

/* ---- CPU time ---- */

/* cpu.max: "50000 100000", or "max 100000". */
static bool read_max(const char *root, const char *directory, uint64_t *quota, uint64_t *period)
{
	char *line = tree_read_line(root, "%s/cpu.max", directory);
	char *blank = line ? strchr(line, ' ') : NULL;
	bool known = false;
	if (blank) {
		*blank = 0;
		known = tree_parse_number(line, quota) && tree_parse_number(blank + 1, period);
	}
	free(line);
	return known;
}

static void visit_quota(void *context, const char *root, const char *directory, bool unified)
{
	struct cgroup_quota *least = context;
	uint64_t quota;
	uint64_t period;
	bool known = unified ? read_max(root, directory, &quota, &period)
			     : tree_read_number(&quota, root, "%s/cpu.cfs_quota_us", directory) &&
				       tree_read_number(&period, root, "%s/cpu.cfs_period_us",
							directory);
	if (!known || !quota || !period)
		return;
	double cpus = (double)quota / (double)period;
	char *file = text_format("%s/%s", directory, unified ? "cpu.max" : "cpu.cfs_quota_us");
	if (file && (!least->file || cpus < least->cpus)) {
		free(least->file);
		*least = (struct cgroup_quota){cpus, file, unified ? "max" : "-1"};
	} else {
		free(file);
	}
}

bool cgroup_find_quota(const char *root, struct cgroup_quota *quota)
{
	struct cgroup_quota least = {0};
	climb_all(root, "cpu", visit_quota, &least);
	if (!least.file)
		return false;
	*quota = least;
	return true;
}
