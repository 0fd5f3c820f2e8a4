#include "model/cores/core_sharing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stats.h"
#include "base/warnings.h"

#define HALF_WAY 0.5 /* from alone to twice */

/* ---- one pair ---- */

void core_sharing_judge(struct fathom_sharing_test *test, double *alone_ns, size_t alone,
			double *together_ns, size_t together)
{
	stats_sort(alone_ns, alone);
	stats_sort(together_ns, together);
	struct stats_interval of_alone = stats_median_interval(alone_ns, alone);
	struct stats_interval of_both = stats_median_interval(together_ns, together);
	test->alone_ns = stats_median_sorted(alone_ns, alone);
	test->alone_low_ns = of_alone.low;
	test->alone_high_ns = of_alone.high;
	test->together_ns = stats_median_sorted(together_ns, together);
	test->together_low_ns = of_both.low;
	test->together_high_ns = of_both.high;
	double way = log(test->twice_ns / test->alone_ns);
	test->share = log(test->together_ns / test->alone_ns) / way;
	test->share_low = log(of_both.low / of_alone.high) / way;
	test->share_high = log(of_both.high / of_alone.low) / way;
	test->shared = -1;
	if (!(way > 0))
		return;
	if (test->share_low > HALF_WAY)
		test->shared = 1;
	if (test->share_high < HALF_WAY)
		test->shared = 0;
}

/* ---- groups ---- */

static int add_list(char ***lists, size_t *count, struct text *words, struct fathom_error *error)
{
	char *list = text_take(words);
	if (list && LIST_APPEND(lists, count, &list) == 0)
		return 0;
	free(list);
	return error_no_memory(error);
}

/* Places with the same number, in the order of their first ones; -1: such as are alone. */
static int add_groups(char ***lists, size_t *count, const struct core_groups *groups,
		      const int *number_of, struct fathom_error *error)
{
	int *cpus = calloc(groups->cpu_count + 1, sizeof(*cpus));
	int status = cpus ? 0 : error_no_memory(error);
	for (size_t i = 0; i < groups->cpu_count && !status; i++) {
		struct text words = {0};
		size_t members = 0, earlier = 0;
		for (size_t k = 0; k < i; k++)
			earlier += number_of[k] == number_of[i];
		if (earlier)
			continue;
		for (size_t k = i; k < groups->cpu_count; k++)
			if (number_of[k] == number_of[i])
				cpus[members++] = groups->cpus[k];
		cpu_list_add(&words, cpus, members);
		status = add_list(lists, count, &words, error);
	}
	free(cpus);
	return status;
}

int core_sharing_find_members(struct fathom_shared_cache *cache, const struct core_groups *groups,
			      struct fathom_error *error)
{
	int farthest = -1;
	for (size_t i = 0; i < cache->test_count; i++)
		if (cache->tests[i].shared == 1 && cache->tests[i].core_class > farthest)
			farthest = cache->tests[i].core_class;
	if (farthest < 0)
		return 0;
	const struct fathom_core_class *shared = groups->classes[farthest];
	for (size_t i = 0; i < shared->member_count; i++) {
		struct text words = {0};
		text_add(&words, "%s", shared->members[i]);
		if (add_list(&cache->members, &cache->member_count, &words, error))
			return -1;
	}
	return 0;
}

static int number_of_cpu(const struct fathom_result *result, int cpu,
			 enum fathom_core_class_kind kind)
{
	for (size_t i = 0; i < result->cpu_count; i++)
		if (result->cpus[i].cpu == cpu)
			return kind == FATHOM_CORES_SMT ? result->cpus[i].core
							: result->cpus[i].cache;
	return -1;
}

int core_sharing_find_reported(struct fathom_shared_cache *cache,
			       const struct fathom_result *result, const struct core_groups *groups,
			       enum fathom_core_class_kind kind, struct fathom_error *error)
{
	cache->reported_known = kind != FATHOM_CORES_UNKNOWN;
	if (kind != FATHOM_CORES_SMT && kind != FATHOM_CORES_SAME_CACHE)
		return 0;
	int *number_of = calloc(groups->cpu_count + 1, sizeof(*number_of));
	if (!number_of)
		return error_no_memory(error);
	for (size_t i = 0; i < groups->cpu_count; i++) {
		number_of[i] = number_of_cpu(result, groups->cpus[i], kind);
		cache->reported_known &= number_of[i] >= 0;
	}
	int status = cache->reported_known ? add_groups(&cache->reported, &cache->reported_count,
							groups, number_of, error)
					   : 0;
	free(number_of);
	return status;
}

/* ---- against the OS ---- */

/* Groups of one CPU are none. */
static size_t count_joined(char *const *lists, size_t count)
{
	size_t joined = 0;
	for (size_t i = 0; i < count; i++)
		joined += strpbrk(lists[i], "-,") != NULL;
	return joined;
}

static bool has_list(char *const *lists, size_t count, const char *list)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(lists[i], list) == 0)
			return true;
	return false;
}

static bool agrees(const struct fathom_shared_cache *cache)
{
	for (size_t i = 0; i < cache->member_count; i++)
		if (strpbrk(cache->members[i], "-,") &&
		    !has_list(cache->reported, cache->reported_count, cache->members[i]))
			return false;
	return count_joined(cache->members, cache->member_count) ==
	       count_joined(cache->reported, cache->reported_count);
}

int core_sharing_compare(struct fathom_result *result, struct fathom_error *error)
{
	struct text names = {0};
	for (size_t i = 0; i < result->shared_cache_count; i++) {
		const struct fathom_shared_cache *cache = &result->shared_caches[i];
		if (!cache->missing && cache->reported_known && !agrees(cache))
			text_add(&names, "%s%s", names.length ? ", " : "", cache->name);
	}
	int status = 0;
	if (names.length &&
	    warnings_add(&result->warnings, "sharing-differs", NULL,
			 "trust neither 'lscpu' nor the pinning of programs that follow it here",
			 "the OS says of %s that other CPUs share it than were measured to",
			 names.data))
		status = error_no_memory(error);
	text_free(&names);
	return status;
}
