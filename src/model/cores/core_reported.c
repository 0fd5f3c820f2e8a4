#include "model/cores/core_reported.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/point.h"
#include "base/text.h"
#include "base/warnings.h"
#include "document/core_groups.h"
#include "model/cores/core_kinds.h"

#define RELATIONS (FATHOM_CORES_OTHER_SOCKET + 1) /* UNKNOWN: the OS says nothing */
#define MOST_TOLD 3                               /* contradictions */

/* Pairs of each class by what the OS says of them, and one of each. */
struct tally {
	const struct fathom_curve *curve;
	struct core_groups groups;
	size_t (*pairs)[RELATIONS];
	const struct fathom_pair *(*example)[RELATIONS];
	size_t all[RELATIONS];
};

/* ---- what the OS says ---- */

static const struct fathom_cpu *find_cpu(const struct fathom_result *result, int cpu)
{
	size_t low = 0, high = result->cpu_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (result->cpus[middle].cpu < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low < result->cpu_count && result->cpus[low].cpu == cpu ? &result->cpus[low] : NULL;
}

static bool same(int a, int b)
{
	return a >= 0 && a == b;
}

static enum fathom_core_class_kind relation_of(const struct fathom_result *result,
					       const struct fathom_pair *pair)
{
	const struct fathom_cpu *a = find_cpu(result, pair->cpu_a);
	const struct fathom_cpu *b = find_cpu(result, pair->cpu_b);
	if (!a || !b || a->socket < 0 || b->socket < 0)
		return FATHOM_CORES_UNKNOWN;
	if (same(a->core, b->core))
		return FATHOM_CORES_SMT;
	if (same(a->cache, b->cache))
		return FATHOM_CORES_SAME_CACHE;
	if (same(a->die, b->die))
		return FATHOM_CORES_SAME_DIE;
	return a->socket == b->socket ? FATHOM_CORES_SAME_SOCKET : FATHOM_CORES_OTHER_SOCKET;
}

/* ---- the tally ---- */

static void close_tally(struct tally *tally)
{
	core_groups_free(&tally->groups);
	free(tally->pairs);
	free(tally->example);
}

static int open_tally(const struct fathom_result *result, size_t curve, struct tally *tally,
		      struct fathom_error *error)
{
	*tally = (struct tally){.curve = &result->curves[curve]};
	if (core_groups_make(result, curve, &tally->groups, error))
		return -1;
	size_t classes = tally->groups.class_count;
	tally->pairs = calloc(classes + 1, sizeof(*tally->pairs));
	tally->example = calloc(classes + 1, sizeof(*tally->example));
	if (!tally->pairs || !tally->example) {
		close_tally(tally);
		return error_no_memory(error);
	}
	for (size_t i = 0; i < tally->curve->pair_count; i++) {
		const struct fathom_pair *pair = &tally->curve->pairs[i];
		size_t class = core_groups_class(&tally->groups,
						 core_groups_place(&tally->groups, pair->cpu_a),
						 core_groups_place(&tally->groups, pair->cpu_b));
		enum fathom_core_class_kind relation = relation_of(result, pair);
		if (!pair_is_main(tally->curve, pair) || class == classes)
			continue;
		if (!tally->pairs[class][relation]++)
			tally->example[class][relation] = pair;
		tally->all[relation]++;
	}
	return 0;
}

/* The class of that place among the groups' classes, which are the result's. */
static struct fathom_core_class *class_at(struct fathom_result *result, const struct tally *tally,
					  size_t class)
{
	return &result->core_classes[tally->groups.classes[class] - result->core_classes];
}

/* ---- in words ---- */

/* "same cache", or "same cache (12 pairs), same socket (4 pairs)"; NULL: nothing. */
static char *describe(const size_t pairs[RELATIONS], size_t all)
{
	struct text words = {0};
	for (int k = FATHOM_CORES_SMT; k < RELATIONS; k++)
		if (pairs[k] == all)
			text_add(&words, "%s", core_class_words(k));
		else if (pairs[k])
			text_add(&words, "%s%s (%zu pair%s)", words.length ? ", " : "",
				 core_class_words(k), pairs[k], pairs[k] == 1 ? "" : "s");
	if (words.length)
		return text_take(&words);
	text_free(&words);
	return NULL;
}

/* ---- names ---- */

static size_t count_pairs(const size_t pairs[RELATIONS])
{
	size_t count = 0;
	for (int k = 0; k < RELATIONS; k++)
		count += pairs[k];
	return count;
}

/* Latencies tell that the pairs of a class are in one socket; the OS may know that they are on one
 * die of it. */
static bool refines(enum fathom_core_class_kind said, enum fathom_core_class_kind found)
{
	return found == FATHOM_CORES_UNKNOWN ||
	       (found == FATHOM_CORES_SAME_SOCKET && said == FATHOM_CORES_SAME_DIE);
}

/* Of one class alone that its pairs are what the OS calls so says nothing. */
static int name_class(const struct tally *tally, size_t class, struct fathom_core_class *of,
		      struct fathom_error *error)
{
	size_t all = count_pairs(tally->pairs[class]);
	if (tally->groups.class_count < 2)
		return 0;
	for (int k = FATHOM_CORES_SMT; k < RELATIONS; k++) {
		if (tally->pairs[class][k] != all || tally->all[k] != all ||
		    !refines((enum fathom_core_class_kind)k, of->kind))
			continue;
		char *evidence = text_format("just these pairs are '%s' as the OS has it, and no "
					     "others",
					     core_class_words(k));
		if (!evidence)
			return error_no_memory(error);
		free(of->evidence);
		of->evidence = evidence;
		of->kind = (enum fathom_core_class_kind)k;
		return 0;
	}
	return 0;
}

/* ---- contradictions ---- */

/* What the pairs of a class cannot be, as the latencies tell: nearer than a class that has a name.
 */
static bool contradicts(const struct tally *tally, size_t class, enum fathom_core_class_kind said)
{
	const struct fathom_core_class *of = tally->groups.classes[class];
	if (said == FATHOM_CORES_UNKNOWN || said == of->kind)
		return false;
	if (of->kind == FATHOM_CORES_SMT)
		return true;
	if (of->kind == FATHOM_CORES_SAME_CACHE)
		return said == FATHOM_CORES_SMT || of->latency_ns <= CORE_CACHE_SEEN_NS;
	if (said == FATHOM_CORES_SAME_CACHE && of->latency_ns > CORE_CACHE_MOST_NS)
		return true;
	for (size_t k = 0; k < class; k++)
		if (tally->groups.classes[k]->kind == said ||
		    (said == FATHOM_CORES_SMT &&
		     tally->groups.classes[k]->kind == FATHOM_CORES_SAME_CACHE))
			return true;
	return !refines(said, of->kind);
}

static const char *said_words(int said)
{
	static const char *const words[] = {NULL,
					    "are threads of one core",
					    "share a cache and no core",
					    "are on one die and share no cache",
					    "are in one socket and on no one die",
					    "are in different sockets"};
	return words[said];
}

static const char *found_words(const struct fathom_core_class *class)
{
	static const char *const words[] = {"farther than that", "as between threads of a core",
					    "as in one cache",   "as on one die",
					    "as in one socket",  "as between sockets"};
	return words[class->kind];
}

static int tell(struct fathom_result *result, const struct tally *tally, size_t class, int said)
{
	const struct fathom_core_class *of = tally->groups.classes[class];
	const struct fathom_pair *example = tally->example[class][said];
	size_t others = tally->pairs[class][said] - 1;
	char *where = text_format("%s, class %zu", core_class_name(said), class);
	char *more = others ? text_format(" (and %zu more pair%s)", others, others == 1 ? "" : "s")
			    : text_format("%s", "");
	int status = -1;
	if (where && more)
		status = warnings_add(
			&result->warnings, "topology-differs", where,
			result->machine && result->machine->hypervisor
				? "give the guest the host's topology, and pin its CPUs (QEMU: "
				  "-cpu host,topoext=on -smp sockets=,cores=,threads=)"
				: "see what firmware and kernel say: lscpu -e",
			"the OS says that CPUs %d and %d%s %s, but a line takes %.3g ns between "
			"them, %s",
			example->cpu_a, example->cpu_b, more, said_words(said), of->latency_ns,
			found_words(of));
	free(where);
	free(more);
	return status;
}

static int tell_contradictions(struct fathom_result *result, const struct tally *tally)
{
	int told = 0;
	for (size_t class = 0; class < tally->groups.class_count; class ++)
		for (int said = FATHOM_CORES_SMT; said < RELATIONS; said++) {
			if (!tally->pairs[class][said] || told == MOST_TOLD ||
			    !contradicts(tally, class, (enum fathom_core_class_kind)said))
				continue;
			if (tell(result, tally, class, said))
				return -1;
			told++;
		}
	return 0;
}

/* ---- all ---- */

static int compare_curve(struct fathom_result *result, size_t curve, struct fathom_error *error)
{
	struct tally tally;
	if (open_tally(result, curve, &tally, error))
		return -1;
	int status = 0;
	/* Where CPUs moved nobody is wrong, and nothing has a name. */
	bool moved = warnings_find(&result->warnings, "cpus-moved");
	for (size_t i = 0; i < tally.groups.class_count && !status; i++) {
		struct fathom_core_class *class = class_at(result, &tally, i);
		free(class->reported);
		class->reported = describe(tally.pairs[i], count_pairs(tally.pairs[i]));
		status = moved ? 0 : name_class(&tally, i, class, error);
	}
	if (status == 0 && !moved && tell_contradictions(result, &tally))
		status = error_no_memory(error);
	close_tally(&tally);
	return status;
}

int core_reported_compare(struct fathom_result *result, struct fathom_error *error)
{
	warnings_remove(&result->warnings, "topology-differs");
	for (size_t i = 0; i < result->curve_count && result->cpu_count; i++)
		if (result->curves[i].pair_count && !result->curves[i].tool &&
		    compare_curve(result, i, error))
			return -1;
	return 0;
}
