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
