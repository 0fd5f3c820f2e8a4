#include "clock_trees.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/tree.h"

#define CPUS   "/sys/devices/system/cpu"
#define POLICY "cpu0/cpufreq/"

static const struct clock_tree trees[] = {
	{"intel_pstate active",
	 {{"intel_pstate/status", "active\n", 0644},
	  {"intel_pstate/no_turbo", "0\n", 0644},
	  {POLICY "scaling_driver", "intel_pstate\n", 0444},
	  {POLICY "scaling_min_freq", "400000\n", 0644},
	  {POLICY "scaling_max_freq", "4400000\n", 0644},
	  {POLICY "cpuinfo_min_freq", "400000\n", 0444},
	  {POLICY "cpuinfo_max_freq", "4400000\n", 0444}}},
	{"intel_pstate passive",
	 {{"intel_pstate/status", "passive\n", 0644},
	  {"intel_pstate/no_turbo", "1\n", 0644},
	  {POLICY "scaling_driver", "intel_cpufreq\n", 0444},
	  {POLICY "scaling_min_freq", "800000\n", 0644},
	  {POLICY "scaling_max_freq", "3200000\n", 0644},
	  {POLICY "cpuinfo_min_freq", "800000\n", 0444},
	  {POLICY "cpuinfo_max_freq", "3200000\n", 0444}}},
	{"acpi-cpufreq",
	 {{"cpufreq/boost", "1\n", 0644},
	  {POLICY "scaling_driver", "acpi-cpufreq\n", 0444},
	  {POLICY "scaling_min_freq", "1500000\n", 0644},
	  {POLICY "scaling_max_freq", "2600000\n", 0644},
	  {POLICY "cpuinfo_min_freq", "1500000\n", 0444},
	  {POLICY "cpuinfo_max_freq", "2600000\n", 0444}}},
	{"amd-pstate",
	 {{"amd_pstate/status", "active\n", 0644},
	  {POLICY "boost", "1\n", 0644},
	  {POLICY "scaling_driver", "amd-pstate-epp\n", 0444},
	  {POLICY "scaling_min_freq", "1100000\n", 0644},
	  {POLICY "scaling_max_freq", "5132000\n", 0644},
	  {POLICY "cpuinfo_min_freq", "400000\n", 0444},
	  {POLICY "cpuinfo_max_freq", "5132000\n", 0444}}},
	{"read-only",
	 {{"cpufreq/boost", "0\n", 0444},
	  {POLICY "scaling_driver", "pcc-cpufreq\n", 0444},
	  {POLICY "scaling_min_freq", "1200000\n", 0444},
	  {POLICY "scaling_max_freq", "2400000\n", 0444}}},
	{"none", {{"online", "0-1\n", 0444}}},
};
#define TREE_COUNT (sizeof(trees) / sizeof(*trees))
#define FILE_COUNT (sizeof(trees->files) / sizeof(*trees->files))

const struct clock_tree *clock_tree_list(size_t *count)
{
	*count = TREE_COUNT;
	return trees;
}

const struct clock_tree *clock_tree_find(const char *name)
{
	for (size_t i = 0; i < TREE_COUNT; i++)
		if (strcmp(trees[i].name, name) == 0)
			return &trees[i];
	return NULL;
}

static void make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0755);
		*slash = '/';
	}
}

char *clock_tree_make(const struct clock_tree *tree)
{
	const char *folder = getenv("TMPDIR");
	char *root = text_format("%s/fathom-clock-XXXXXX", folder ? folder : "/tmp");
	if (!root || !mkdtemp(root))
		return NULL;
	chmod(root, 0755);
	for (size_t i = 0; i < FILE_COUNT && tree->files[i].path; i++) {
		char *path = text_format("%s" CPUS "/%s", root, tree->files[i].path);
		make_folders(path);
		FILE *file = fopen(path, "w");
		if (!file)
			return NULL;
		fputs(tree->files[i].content, file);
		fclose(file);
		chmod(path, (mode_t)tree->files[i].mode);
		free(path);
	}
	return root;
}

/* Folders that are not empty yet stay, until the last of their files is gone. */
void clock_tree_remove(const struct clock_tree *tree, char *root)
{
	for (size_t i = 0; i < FILE_COUNT && tree->files[i].path; i++) {
		char *path = text_format("%s" CPUS "/%s", root, tree->files[i].path);
		unlink(path);
		for (char *slash; (slash = strrchr(path, '/')) && slash > path;) {
			*slash = 0;
			if (strlen(path) < strlen(root) || rmdir(path))
				break;
		}
		free(path);
	}
}

int clock_tree_is_whole(const struct clock_tree *tree, const char *root)
{
	int whole = 1;
	for (size_t i = 0; i < FILE_COUNT && tree->files[i].path; i++) {
		char *content = tree_read(root, CPUS "/%s", tree->files[i].path);
		whole &= content && strcmp(content, tree->files[i].content) == 0;
		free(content);
	}
	return whole;
}

char *clock_tree_read(const char *root, const char *path)
{
	return tree_read_line(root, CPUS "/%s", path);
}
