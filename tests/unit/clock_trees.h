/* Trees of cpufreq's files as drivers of Linux make them, in a new folder that may be written. */
#ifndef CLOCK_TREES_H
#define CLOCK_TREES_H

#include <stddef.h>

struct clock_file {
	const char *path; /* behind /sys/devices/system/cpu/ */
	const char *content;
	int mode;
};

struct clock_tree {
	const char *name;
	struct clock_file files[9]; /* those with a path */
};

/* NULL: there is none of that name. */
const struct clock_tree *clock_tree_find(const char *name);
/* Of all there are. */
const struct clock_tree *clock_tree_list(size_t *count);
/* The root of a copy; free() it after clock_tree_remove. */
char *clock_tree_make(const struct clock_tree *tree);
void clock_tree_remove(const struct clock_tree *tree, char *root);
/* Does every file of the copy hold what it held first? */
int clock_tree_is_whole(const struct clock_tree *tree, const char *root);
/* What one of the files holds, without the end of the line; free() it. */
char *clock_tree_read(const char *root, const char *path);

#endif
