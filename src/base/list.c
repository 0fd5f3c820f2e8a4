#include "base/list.h"

#include <stdlib.h>
#include <string.h>

int list_append(void *items, size_t *count, const void *item, size_t item_bytes)
{
	char *list;
	memcpy(&list, items, sizeof(list));
	char *grown = realloc(list, (*count + 1) * item_bytes);
	if (!grown)
		return -1;
	memcpy(grown + *count * item_bytes, item, item_bytes);
	memcpy(items, &grown, sizeof(grown));
	++*count;
	return 0;
}

/* ---- CPUs ---- */

bool cpu_list_has(const char *list, int cpu)
{
	int low, high;
	while (list && cpu_list_next(&list, &low, &high))
		if (cpu >= low && cpu <= high)
			return true;
	return false;
}

const struct fathom_cpu_kind *cpu_kind_of(const struct fathom_machine *machine, int cpu)
{
	for (size_t i = 0; i < machine->cpu_kind_count; i++)
		if (cpu_list_has(machine->cpu_kinds[i].cpus, cpu))
			return &machine->cpu_kinds[i];
	return NULL;
}

struct cpu_caches cpu_caches_of(const struct fathom_machine *machine, int cpu)
{
	const struct fathom_cpu_kind *kind = cpu < 0 ? NULL : cpu_kind_of(machine, cpu);
	if (!kind || kind == cpu_kind_of(machine, machine->default_cpu))
		return (struct cpu_caches){machine->caches, machine->cache_count};
	return (struct cpu_caches){kind->caches, kind->cache_count};
}

void cpu_list_add(struct text *text, const int *cpus, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		end = i + 1;
		while (end < count && cpus[end] == cpus[end - 1] + 1)
			end++;
		text_add(text, "%s%d", i ? "," : "", cpus[i]);
		if (end - i > 1)
			text_add(text, "-%d", cpus[end - 1]);
	}
}

static bool read_cpu(const char **at, int *cpu)
{
	const char *start = *at;
	for (*cpu = 0; **at >= '0' && **at <= '9' && *cpu < CPU_LIST_MOST; ++*at)
		*cpu = 10 * *cpu + (**at - '0');
	return *at > start && *cpu < CPU_LIST_MOST;
}

bool cpu_list_next(const char **at, int *low, int *high)
{
	const char *next = *at;
	if (!read_cpu(&next, low))
		return false;
	*high = *low;
	if (*next == '-') {
		next++;
		if (!read_cpu(&next, high) || *high < *low)
			return false;
	}
	if (*next == ',' && next[1])
		next++;
	else if (*next)
		return false;
	*at = next;
	return true;
}
