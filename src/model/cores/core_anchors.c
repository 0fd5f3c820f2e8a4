#include "model/cores/core_anchors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/rng.h"

/* Between neighbours in the order of their distance from an anchor, in logarithms: less than what
 * parts two classes (docs/cores.md), and more than one pair differs from the next. */
#define GAP 0.2
/* So many anchors that see no parts are enough to say that there are none. */
#define ENOUGH_ANCHORS 3

/* CPUs of which no more is known than that they are about as far from the anchors before. The first
 * one is the next anchor. */
struct set {
	size_t *cpus;
	size_t count;
	unsigned alike; /* anchors that saw no parts in it */
};

struct sets {
	struct set *items;
	size_t count;
};

struct core_anchors {
	size_t cpu_count;
	struct sets sets; /* whose first CPUs are measured against the others */
	struct core_pair *pairs;
	size_t pair_count;
	bool begun;
};

static void free_sets(struct sets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		free(sets->items[i].cpus);
	free(sets->items);
	*sets = (struct sets){0};
}

/* A copy; of one CPU there is nothing to tell. */
static int add_set(struct sets *sets, const size_t *cpus, size_t count, unsigned alike)
{
	struct set set = {malloc(count * sizeof(*cpus)), count, alike};
	if (!set.cpus)
		return -1;
	memcpy(set.cpus, cpus, count * sizeof(*cpus));
	if (LIST_APPEND(&sets->items, &sets->count, &set) == 0)
		return 0;
	free(set.cpus);
	return -1;
}

int core_anchors_open(size_t cpu_count, uint64_t seed, struct core_anchors **anchors,
		      struct fathom_error *error)
{
	struct core_anchors *opened = calloc(1, sizeof(*opened));
	size_t *cpus = malloc(cpu_count * sizeof(*cpus));
	struct rng rng = rng_make(seed);
	for (size_t i = 0; cpus && i < cpu_count; i++) { /* in random order */
		size_t other = rng_below(&rng, i + 1);
		cpus[i] = i;
		cpus[i] = cpus[other];
		cpus[other] = i;
	}
	if (!opened || !cpus || add_set(&opened->sets, cpus, cpu_count, 0)) {
		free(opened);
		free(cpus);
		return error_no_memory(error);
	}
	free(cpus);
	opened->cpu_count = cpu_count;
	*anchors = opened;
	return 0;
}

void core_anchors_close(struct core_anchors *anchors)
{
	if (!anchors)
		return;
	free_sets(&anchors->sets);
	free(anchors->pairs);
	free(anchors);
}

/* ---- parts ---- */

struct place {
	double log;
	size_t cpu;
};

static int by_log(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	return (a->log > b->log) - (a->log < b->log);
}

/* From the nearest to the farthest; those whose distance is not known are left out. */
static size_t sort_by_distance(const struct set *set, const double *logs, size_t cpu_count,
			       struct place *places)
{
	size_t count = 0;
	for (size_t i = 1; i < set->count; i++) {
		double log = logs[set->cpus[0] * cpu_count + set->cpus[i]];
		if (!isnan(log))
			places[count++] = (struct place){log, set->cpus[i]};
	}
	qsort(places, count, sizeof(*places), by_log);
	return count;
}

static size_t part_end(const struct place *places, size_t first, size_t count)
{
	size_t end = first + 1;
	while (end < count && places[end].log - places[end - 1].log < GAP)
		end++;
	return end;
}

/* Those that the first CPU sees apart are sets of their own. */
static int part(const struct set *set, const double *logs, size_t cpu_count, struct sets *sets)
{
	struct place *places = malloc(set->count * sizeof(*places));
	size_t *cpus = malloc(set->count * sizeof(*cpus));
	int failed = places && cpus ? 0 : -1;
	size_t count = failed ? 0 : sort_by_distance(set, logs, cpu_count, places);
	for (size_t first = 0, end; first < count && !failed; first = end) {
		end = part_end(places, first, count);
		bool whole = first == 0 && end == count;
		unsigned alike = whole ? set->alike + 1 : 0;
		for (size_t i = first; i < end; i++)
			cpus[i - first] = places[i].cpu;
		if (end - first > 1 && alike < ENOUGH_ANCHORS)
			failed = add_set(sets, cpus, end - first, alike);
	}
	free(places);
	free(cpus);
	return failed;
}

/* ---- pairs ---- */

static int list_pairs(struct core_anchors *anchors)
{
	size_t most = 0;
	for (size_t i = 0; i < anchors->sets.count; i++)
		most += anchors->sets.items[i].count;
	free(anchors->pairs);
	anchors->pairs = malloc((most + 1) * sizeof(*anchors->pairs));
	anchors->pair_count = 0;
	if (!anchors->pairs)
		return -1;
	for (size_t i = 0; i < anchors->sets.count; i++) {
		const struct set *set = &anchors->sets.items[i];
		for (size_t k = 1; k < set->count; k++)
			anchors->pairs[anchors->pair_count++] =
				(struct core_pair){set->cpus[0], set->cpus[k]};
	}
	return 0;
}

int core_anchors_next(struct core_anchors *anchors, const double *logs,
		      const struct core_pair **pairs, size_t *count, struct fathom_error *error)
{
	struct sets parts = {0};
	int failed = 0;
	for (size_t i = 0; anchors->begun && i < anchors->sets.count && !failed; i++)
		failed = part(&anchors->sets.items[i], logs, anchors->cpu_count, &parts);
	if (anchors->begun) {
		free_sets(&anchors->sets);
		anchors->sets = parts;
	}
	anchors->begun = true;
	if (failed || list_pairs(anchors))
		return error_no_memory(error);
	*pairs = anchors->pairs;
	*count = anchors->pair_count;
	return 0;
}
