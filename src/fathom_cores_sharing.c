/* Which caches CPUs share: of one pair of each class. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "document/table.h"
#include "fathom_cores_pairs.h"
#include "measure/cores/sharing.h"
#include "model/cores/core_sharing.h"

/* Of one cache. */
struct look {
	struct cores_study *study;
	const struct core_groups *groups;
	struct fathom_shared_cache *cache;
	double twice_ns;             /* a hop along twice its cycle */
	struct sharing_blocks alone; /* of the CPU `alone_cpu` */
	int alone_cpu;
};

/* The first pair of the class, with the first CPU if there is one; NULL: none was measured. */
static const struct fathom_pair *pair_of_class(const struct cores_study *study,
					       const struct core_groups *groups, size_t class)
{
	const struct fathom_curve *curve = &study->result->curves[0];
	const struct fathom_pair *found = NULL;
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t own = core_groups_class(groups, core_groups_place(groups, pair->cpu_a),
					       core_groups_place(groups, pair->cpu_b));
		if (own == class && pair->cpu_a == groups->cpus[0])
			return pair;
		if (own == class && !found)
			found = pair;
	}
	return found;
}

/* ---- tests ---- */

static int walk(struct look *look, int cpu_a, int cpu_b, struct sharing_blocks *blocks,
		struct fathom_error *error)
{
	struct pairs_run *run = &look->study->run;
	int lost;
	return sharing_walk(run->crew, cpu_a, cpu_b, look->cache->cycle_bytes, SHARING_BLOCKS,
			    rng_next(&run->rng), blocks, &lost, error);
}

/* What does not tell is measured again. */
static int test_pair(struct look *look, struct fathom_sharing_test *test,
		     struct fathom_error *error)
{
	struct sharing_blocks together = {.count = 0};
	if (look->alone_cpu != test->cpu_a)
		look->alone.count = 0;
	look->alone_cpu = test->cpu_a;
	test->twice_ns = look->twice_ns;
	test->shared = -1;
	for (int turn = 1; turn <= 2 && test->shared < 0; turn++) {
		if (look->alone.count < (size_t)turn * SHARING_BLOCKS &&
		    walk(look, test->cpu_a, -1, &look->alone, error))
			return -1;
		if (walk(look, test->cpu_a, test->cpu_b, &together, error))
			return -1;
		core_sharing_judge(test, look->alone.ns, look->alone.count, together.ns,
				   together.count);
	}
	return 0;
}

/* Class by class, up to the first whose pairs do not share it. */
static int test_classes(struct look *look, struct fathom_error *error)
{
	struct fathom_shared_cache *cache = look->cache;
	for (size_t i = 0; i < look->groups->class_count; i++) {
		const struct fathom_pair *pair = pair_of_class(look->study, look->groups, i);
		struct fathom_sharing_test test;
		if (!pair)
			continue;
		if (!pairs_run_goes_on(&look->study->run, "sharing", 1)) {
			cache->missing = strdup("the budget was spent before");
			return cache->missing ? 0 : error_no_memory(error);
		}
		table_unknown(&sharing_test_table, &test);
		test.cpu_a = pair->cpu_a;
		test.cpu_b = pair->cpu_b;
		test.core_class = (int)i;
		if (test_pair(look, &test, error))
			return -1;
		if (LIST_APPEND(&cache->tests, &cache->test_count, &test))
			return error_no_memory(error);
		if (test.shared == 0)
			return 0;
		if (test.shared < 0) {
			cache->missing = strdup("two CPUs slow each other down by an amount that "
						"does not tell");
			return cache->missing ? 0 : error_no_memory(error);
		}
	}
	return 0;
}

/* ---- caches ---- */

/* What the OS says that the CPUs of a group share. */
static enum fathom_core_class_kind reported_kind(const struct cores_study *study,
						 const struct fathom_cache *cache, bool last)
{
	uint32_t threads = study->result->machine->smt_threads;
	if (!cache->shared_cpus)
		return FATHOM_CORES_UNKNOWN;
	if (cache->shared_cpus == 1)
		return FATHOM_CORES_OTHER_SOCKET;
	if (cache->shared_cpus <= threads)
		return FATHOM_CORES_SMT;
	return last ? FATHOM_CORES_SAME_CACHE : FATHOM_CORES_UNKNOWN;
}

static int find_cycle(struct look *look, uint64_t inner_bytes, struct fathom_error *error)
{
	struct pairs_run *run = &look->study->run;
	struct fathom_shared_cache *cache = look->cache;
	struct sharing_cycle cycle;
	int lost;
	if (sharing_find_cycle(run, look->groups->cpus[0], inner_bytes, cache->size_bytes,
			       rng_next(&run->rng), &cycle, &lost, error))
		return -1;
	cache->cycle_bytes = cycle.bytes;
	look->twice_ns = cycle.twice_ns;
	cache->size_measured = cycle.measured;
	if (cycle.measured)
		cache->size_bytes = cycle.bytes / 5 * 6;
	if (!cycle.bytes)
		cache->missing = strdup(
			cycle.cut         ? "the budget was spent before"
			: cycle.disturbed ? "other programs or guests disturb what tells "
					    "how large it is"
					  : "no cycle up to the size that the OS reports tells it "
					    "from the cache before it");
	return cycle.bytes || cache->missing ? 0 : error_no_memory(error);
}

static int look_at(struct cores_study *study, const struct core_groups *groups,
		   const struct fathom_cache *cache, bool last, uint64_t inner_bytes,
		   struct fathom_shared_cache *found, struct fathom_error *error)
{
	struct look look = {.study = study, .groups = groups, .cache = found, .alone_cpu = -1};
	struct text name = {0};
	table_unknown(&shared_cache_table, found);
	found->size_bytes = cache->size_bytes;
	text_add(&name, "L%u", cache->level);
	found->name = text_take(&name);
	if (!found->name)
		return error_no_memory(error);
	if (core_sharing_find_reported(found, study->result, groups,
				       reported_kind(study, cache, last), error) ||
	    find_cycle(&look, inner_bytes, error))
		return -1;
	if (found->missing)
		return 0;
	return test_classes(&look, error) || core_sharing_find_members(found, groups, error) ? -1
											     : 0;
}

/* As the OS reports them for the first CPU. */
static int look_at_all(struct cores_study *study, const struct core_groups *groups,
		       struct fathom_error *error)
{
	struct fathom_result *result = study->result;
	const struct cpu_caches caches = cpu_caches_of(result->machine, groups->cpus[0]);
	uint64_t inner_bytes = 0;
	unsigned last = 0;
	for (size_t i = 0; i < caches.count; i++)
		if (caches.items[i].level > last)
			last = caches.items[i].level;
	for (size_t i = 0; i < caches.count && pairs_run_goes_on(&study->run, "sharing", 1); i++) {
		const struct fathom_cache *cache = &caches.items[i];
		struct fathom_shared_cache found;
		if (cache->kind == FATHOM_CACHE_INSTRUCTION || !cache->size_bytes)
			continue;
		int status = look_at(study, groups, cache, cache->level == last, inner_bytes,
				     &found, error);
		if (!status &&
		    LIST_APPEND(&result->shared_caches, &result->shared_cache_count, &found))
			status = error_no_memory(error);
		if (status) {
			table_clear(&shared_cache_table, &found);
			return -1;
		}
		inner_bytes = found.size_bytes;
	}
	return core_sharing_compare(result, error);
}

int cores_find_sharing(struct cores_study *study, const struct core_groups *groups,
		       struct fathom_error *error)
{
	const struct fathom_warnings *warnings = &study->result->warnings;
	/* Where CPUs move, two that shared a cache a moment ago may share none now. */
	for (size_t i = 0; i < warnings->count; i++)
		if (strcmp(warnings->items[i].id, "cpus-moved") == 0)
			return 0;
	return groups->class_count ? look_at_all(study, groups, error) : 0;
}
