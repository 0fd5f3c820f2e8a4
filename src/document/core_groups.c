#include "document/core_groups.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"

#define NO_GROUP   ((size_t)-1)
#define WRONG_HINT "fathom did not write this, or the file was changed since"

bool core_groups_any(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].pair_count)
			return true;
	return false;
}

/* ---- the CPUs ---- */

static int find_cpus(const struct fathom_curve *curve, struct core_groups *groups,
		     struct fathom_error *error)
{
	bool *is_there = calloc(CPU_LIST_MOST, sizeof(*is_there));
	size_t count = 0;
	if (!is_there)
		return error_no_memory(error);
	for (size_t i = 0; i < curve->pair_count; i++) {
		const int both[] = {curve->pairs[i].cpu_a, curve->pairs[i].cpu_b};
		for (size_t k = 0; k < 2; k++) {
			count += !is_there[both[k]];
			is_there[both[k]] = true;
		}
	}
	groups->cpus = calloc(count + 1, sizeof(*groups->cpus));
	for (int cpu = 0; groups->cpus && cpu < CPU_LIST_MOST; cpu++)
		if (is_there[cpu])
			groups->cpus[groups->cpu_count++] = cpu;
	free(is_there);
	if (!groups->cpus)
		return error_no_memory(error);
	return count <= CORE_GROUPS_MOST_CPUS
		       ? 0
		       : error_set(error, FATHOM_BAD_INPUT,
				   "measure every second CPU, or one socket at a time",
				   "the pairs are of %zu CPUs, and no more than %d are read", count,
				   CORE_GROUPS_MOST_CPUS);
}

size_t core_groups_place(const struct core_groups *groups, int cpu)
{
	size_t low = 0, high = groups->cpu_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (groups->cpus[middle] < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low < groups->cpu_count && groups->cpus[low] == cpu ? low : groups->cpu_count;
}

/* ---- the groups ---- */

/* false: the list is none, or has a CPU that is not there, or that another group has. */
static bool take_list(const struct core_groups *groups, const char *list, size_t group,
		      size_t *group_of)
{
	int low, high;
	bool any = false;
	for (const char *at = list; *at; any = true) {
		if (!cpu_list_next(&at, &low, &high))
			return false;
		for (int cpu = low; cpu <= high; cpu++) {
			size_t place = core_groups_place(groups, cpu);
			if (place == groups->cpu_count || group_of[place] != NO_GROUP)
				return false;
			group_of[place] = group;
		}
	}
	return any;
}

/* Are CPUs that the class before has in one group still in one? */
static bool joins(const struct core_groups *groups, const size_t *before, const size_t *after)
{
	size_t joined[CORE_GROUPS_MOST_CPUS];
	for (size_t i = 0; i < groups->cpu_count; i++)
		joined[i] = NO_GROUP;
	for (size_t i = 0; i < groups->cpu_count; i++) {
		if (joined[before[i]] != NO_GROUP && joined[before[i]] != after[i])
			return false;
		joined[before[i]] = after[i];
	}
	return true;
}

static bool take_class(struct core_groups *groups, const struct fathom_core_class *one)
{
	size_t *group_of = groups->group_of + groups->class_count * groups->cpu_count;
	for (size_t i = 0; i < groups->cpu_count; i++)
		group_of[i] = NO_GROUP;
	for (size_t i = 0; i < one->member_count; i++)
		if (!one->members[i] || !take_list(groups, one->members[i], i, group_of))
			return false;
	for (size_t i = 0; i < groups->cpu_count; i++)
		if (group_of[i] == NO_GROUP)
			return false;
	if (groups->class_count && !joins(groups, group_of - groups->cpu_count, group_of))
		return false;
	groups->classes[groups->class_count++] = one;
	return true;
}

static int make(const struct fathom_result *result, size_t curve, struct core_groups *groups,
		struct fathom_error *error)
{
	if (find_cpus(&result->curves[curve], groups, error))
		return -1;
	groups->classes = calloc(result->core_class_count + 1, sizeof(struct fathom_core_class *));
	groups->group_of =
		calloc(result->core_class_count * groups->cpu_count + 1, sizeof(*groups->group_of));
	if (!groups->classes || !groups->group_of)
		return error_no_memory(error);
	for (size_t i = 0; i < result->core_class_count; i++)
		if (result->core_classes[i].curve == curve &&
		    !take_class(groups, &result->core_classes[i]))
			return error_set(error, FATHOM_BAD_INPUT, WRONG_HINT,
					 "'core_classes[%zu].members' do not have each CPU once, "
					 "or part what the class before has together",
					 i);
	return 0;
}

int core_groups_make(const struct fathom_result *result, size_t curve, struct core_groups *groups,
		     struct fathom_error *error)
{
	*groups = (struct core_groups){0};
	if (!make(result, curve, groups, error))
		return 0;
	core_groups_free(groups);
	return -1;
}

void core_groups_free(struct core_groups *groups)
{
	free(groups->cpus);
	free(groups->classes);
	free(groups->group_of);
	*groups = (struct core_groups){0};
}

size_t core_groups_class(const struct core_groups *groups, size_t place_a, size_t place_b)
{
	size_t number = 0;
	while (number < groups->class_count) {
		const size_t *group_of = groups->group_of + number * groups->cpu_count;
		if (group_of[place_a] == group_of[place_b])
			break;
		number++;
	}
	return number;
}
