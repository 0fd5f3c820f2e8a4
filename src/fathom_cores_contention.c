/* What threads that go for words at once take: one alone, then 2, 4, ... CPUs of each class. */
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/warnings.h"
#include "document/table.h"
#include "fathom_cores_pairs.h"
#include "measure/cores/contention.h"

struct crowd {     /* CPUs of which any two are of the class */
	int class; /* -1: one CPU */
	int *cpus;
	size_t count;
};

static bool goes_on(struct cores_study *study)
{
	return pairs_run_goes_on(&study->run, "contention", 1);
}

static int add_one(struct cores_study *study, const struct crowd *crowd, size_t threads,
		   enum fathom_operation operation, enum fathom_layout layout,
		   struct fathom_error *error)
{
	struct pairs_run *run = &study->run;
	struct fathom_result *result = study->result;
	struct fathom_contention one;
	struct text list = {0};
	int lost;
	table_unknown(&contention_table, &one);
	one.operation = operation;
	one.layout = layout;
	one.core_class = crowd->class;
	one.threads = (uint32_t)threads;
	cpu_list_add(&list, crowd->cpus, threads);
	one.cpus = text_take(&list);
	int status = one.cpus ? contention_measure(run->crew, crowd->cpus, rng_next(&run->rng),
						   &one, &lost, error)
			      : error_no_memory(error);
	if (!status && one.block_count &&
	    LIST_APPEND(&result->contention, &result->contention_count, &one))
		status = error_no_memory(error);
	if (status || !one.block_count)
		table_clear(&contention_table, &one);
	return status;
}

static int add_alone(struct cores_study *study, const struct crowd *crowd,
		     struct fathom_error *error)
{
	static const enum fathom_operation operations[] = {
		FATHOM_OPERATION_ADD, FATHOM_OPERATION_SWAP, FATHOM_OPERATION_EXCHANGE};
	for (size_t i = 0; i < sizeof(operations) / sizeof(*operations); i++)
		if (add_one(study, crowd, 1, operations[i], FATHOM_LAYOUT_ONE_WORD, error))
			return -1;
	return 0;
}

static int add_threads(struct cores_study *study, const struct crowd *crowd, size_t threads,
		       struct fathom_error *error)
{
	static const enum fathom_layout layouts[] = {
		FATHOM_LAYOUT_OWN_LINES, FATHOM_LAYOUT_LINE_PAIR, FATHOM_LAYOUT_OWN_WORDS,
		FATHOM_LAYOUT_ONE_WORD};
	for (size_t i = 0; i < sizeof(layouts) / sizeof(*layouts); i++)
		if ((layouts[i] != FATHOM_LAYOUT_LINE_PAIR || threads == 2) &&
		    add_one(study, crowd, threads, FATHOM_OPERATION_ADD, layouts[i], error))
			return -1;
	return add_one(study, crowd, threads, FATHOM_OPERATION_READ, FATHOM_LAYOUT_ONE_WORD, error);
}

/* One CPU of each group of the class before, of all that are in the same group of this one as the
 * CPU at `first`. */
static void gather(const struct core_groups *groups, size_t class, size_t first,
		   struct crowd *crowd)
{
	const size_t *of = groups->group_of + class * groups->cpu_count;
	crowd->count = 0;
	for (size_t i = 0; i < groups->cpu_count && crowd->count < CREW_MOST_CONTENDERS; i++) {
		bool taken = of[i] != of[first];
		for (size_t k = 0; k<i &&class> 0 && !taken; k++)
			taken = of[k] == of[first] && core_groups_class(groups, i, k) < class;
		if (!taken)
			crowd->cpus[crowd->count++] = groups->cpus[i];
	}
}

/* Of the class the crowd that has most CPUs. */
static int gather_most(const struct core_groups *groups, size_t class, struct crowd *crowd,
		       struct fathom_error *error)
{
	struct crowd other = {.cpus = malloc(CREW_MOST_CONTENDERS * sizeof(int))};
	if (!other.cpus)
		return error_no_memory(error);
	crowd->class = other.class = (int)class;
	const size_t *of = groups->group_of + class * groups->cpu_count;
	for (size_t i = 0, next = 0; i < groups->cpu_count; i++) {
		if (of[i] < next)
			continue; /* groups are numbered in the order of their first CPUs */
		next = of[i] + 1;
		gather(groups, class, i, &other);
		if (other.count <= crowd->count)
			continue;
		struct crowd kept = *crowd;
		*crowd = other;
		other = kept;
	}
	free(other.cpus);
	return 0;
}

static int add_class(struct cores_study *study, const struct core_groups *groups, size_t class,
		     struct fathom_error *error)
{
	struct crowd crowd = {.cpus = malloc(CREW_MOST_CONTENDERS * sizeof(int))};
	int status =
		crowd.cpus ? gather_most(groups, class, &crowd, error) : error_no_memory(error);
	for (size_t threads = 2; threads <= crowd.count && !status && goes_on(study); threads *= 2)
		status = add_threads(study, &crowd, threads, error);
	free(crowd.cpus);
	return status;
}

int cores_measure_contention(struct cores_study *study, const struct core_groups *groups,
			     struct fathom_error *error)
{
	const struct crowd first = {.class = -1, .cpus = groups->cpus, .count = 1};
	bool moved = warnings_find(&study->result->warnings, "cpus-moved");
	int status = add_alone(study, &first, error);
	for (size_t i = 0; !moved && i < groups->class_count && !status; i++)
		status = add_class(study, groups, i, error);
	return status;
}
