#include "fathom_cores_pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/point.h"
#include "document/core_groups.h"
#include "document/table.h"
#include "model/cores/core_classes.h"
#include "model/cores/core_halves.h"

#define LEAST_VISITS 2    /* lines, and times, of two halves */
#define MOST_VISITS  16   /* of a pair */
#define MORE_VISITS  1024 /* of all pairs together, after the first two each */
#define ENOUGH_S     1.0  /* more visits than two are made up to here */
#define SOME_PAIRS   8    /* of a class: with other homes */

struct fathom_curve *cores_curve(struct cores_study *study)
{
	return &study->result->curves[0];
}

size_t cores_place(const struct cores_study *study, int cpu)
{
	size_t low = 0, high = study->cpu_count;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (study->cpus[middle] < cpu)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* ---- the matrix so far ---- */

static int open_matrix(const struct cores_study *study, struct cores_matrix *matrix,
		       struct fathom_error *error)
{
	size_t count = study->cpu_count;
	*matrix = (struct cores_matrix){count, malloc(count * count * sizeof(*matrix->logs)),
					calloc(count * count, sizeof(*matrix->listed))};
	if (!matrix->logs || !matrix->listed) {
		free(matrix->logs);
		free(matrix->listed);
		return error_no_memory(error);
	}
	for (size_t i = 0; i < count * count; i++)
		matrix->logs[i] = NAN;
	return 0;
}

static void close_matrix(struct cores_matrix *matrix)
{
	free(matrix->logs);
	free(matrix->listed);
}

/* ---- pairs ---- */

static int append(struct cores_study *study, int cpu_a, int cpu_b, enum fathom_home home,
		  enum fathom_handover handover, struct fathom_error *error)
{
	struct fathom_curve *curve = cores_curve(study);
	struct fathom_pair pair;
	table_unknown(&pair_table, &pair);
	pair.cpu_a = cpu_a < cpu_b ? cpu_a : cpu_b;
	pair.cpu_b = cpu_a < cpu_b ? cpu_b : cpu_a;
	pair.home = home;
	pair.handover = handover;
	return LIST_APPEND(&curve->pairs, &curve->pair_count, &pair) ? error_no_memory(error) : 0;
}

/* By places; a pair that is there already is not added again. */
int cores_add_pair(struct cores_study *study, struct cores_matrix *matrix, size_t a, size_t b,
		   struct fathom_error *error)
{
	if (a == b || matrix->listed[a * matrix->count + b])
		return 0;
	matrix->listed[a * matrix->count + b] = matrix->listed[b * matrix->count + a] = true;
	return append(study, study->cpus[a], study->cpus[b], FATHOM_HOME_A, FATHOM_HANDOVER_STORE,
		      error);
}

/* The first CPU of a node of neither of the two; -1: there is none. */
static int third_cpu(const struct cores_study *study, const struct fathom_pair *pair)
{
	const struct fathom_result *result = study->result;
	int a = -1, b = -1;
	for (size_t i = 0; i < result->cpu_count; i++) {
		a = result->cpus[i].cpu == pair->cpu_a ? result->cpus[i].node : a;
		b = result->cpus[i].cpu == pair->cpu_b ? result->cpus[i].node : b;
	}
	for (size_t i = 0; i < result->cpu_count; i++) {
		const struct fathom_cpu *cpu = &result->cpus[i];
		if (cpu->node >= 0 && cpu->node != a && cpu->node != b &&
		    !pairs_is_lost(&study->run, cpu->cpu))
			return cpu->cpu;
	}
	return -1;
}

int cores_third(void *context, const struct fathom_pair *pair)
{
	return third_cpu(context, pair);
}

/* ---- visits ---- */

bool cores_goes_on(const struct cores_study *study)
{
	return !study->run.stopped && !study->run.late;
}

/* One visit to each pair from `first` on. */
static int visit_from(struct cores_study *study, size_t first, struct fathom_error *error)
{
	struct fathom_curve *curve = cores_curve(study);
	size_t count = curve->pair_count - first;
	size_t *which = malloc((count + 1) * sizeof(*which));
	if (!which)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		which[i] = first + i;
	int status = pairs_run_round(&study->run, curve, which, count, cores_third, study, error);
	free(which);
	return status;
}

int cores_conclude(struct cores_study *study, size_t first, struct cores_matrix *matrix,
		   struct fathom_error *error)
{
	struct fathom_curve *curve = cores_curve(study);
	for (size_t i = first; i < curve->pair_count; i++) {
		struct fathom_pair *pair = &curve->pairs[i];
		if (pairs_conclude(pair, error))
			return -1;
		size_t a = cores_place(study, pair->cpu_a), b = cores_place(study, pair->cpu_b);
		if (matrix && pair_is_main(curve, pair) && pair->block_count)
			matrix->logs[a * matrix->count + b] = matrix->logs[b * matrix->count + a] =
				log(pair->latency_ns);
	}
	return 0;
}

int cores_visit_new(struct cores_study *study, size_t first, struct cores_matrix *matrix,
		    struct fathom_error *error)
{
	return visit_from(study, first, error) || cores_conclude(study, first, matrix, error) ? -1
											      : 0;
}

/* ---- which pairs ---- */

static int visit_all(struct cores_study *study, struct cores_matrix *matrix,
		     struct fathom_error *error)
{
	for (size_t b = 0; b < matrix->count; b++)
		for (size_t a = 0; a < b; a++)
			if (cores_add_pair(study, matrix, a, b, error))
				return -1;
	return cores_visit_new(study, 0, matrix, error);
}

/* Classes of what there is by now; the result's first curve alone. */
int cores_find_groups(struct cores_study *study, struct core_groups *groups,
		      struct fathom_error *error)
{
	return core_classes_find(study->result, error) ||
			       core_groups_make(study->result, 0, groups, error)
		       ? -1
		       : 0;
}

/* ---- second numbers ---- */

static int add_seconds(struct cores_study *study, const struct fathom_pair *pair,
		       struct fathom_error *error)
{
	int a = pair->cpu_a, b = pair->cpu_b;
	bool third = third_cpu(study, pair) >= 0;
	if (append(study, a, b, FATHOM_HOME_A, FATHOM_HANDOVER_SWAP, error))
		return -1;
	if (study->result->machine->node_count > 1 &&
	    append(study, a, b, FATHOM_HOME_B, FATHOM_HANDOVER_STORE, error))
		return -1;
	return third ? append(study, a, b, FATHOM_HOME_OTHER, FATHOM_HANDOVER_STORE, error) : 0;
}

/* A random sample of each class, by one walk over all pairs (reservoir sampling). */
static void choose_some(struct cores_study *study, const struct core_groups *groups,
			struct fathom_pair (*some)[SOME_PAIRS], size_t *seen)
{
	const struct fathom_curve *curve = cores_curve(study);
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		size_t class = core_groups_class(groups, core_groups_place(groups, pair->cpu_a),
						 core_groups_place(groups, pair->cpu_b));
		if (!pair->block_count || class == groups->class_count)
			continue;
		size_t at = seen[class]++;
		if (at >= SOME_PAIRS)
			at = rng_below(&study->run.rng, seen[class]);
		if (at < SOME_PAIRS)
			some[class][at] = *pair;
	}
}

static int visit_seconds(struct cores_study *study, struct fathom_error *error)
{
	struct core_groups groups;
	if (cores_find_groups(study, &groups, error))
		return -1;
	struct fathom_pair(*some)[SOME_PAIRS] = calloc(groups.class_count + 1, sizeof(*some));
	size_t *seen = calloc(groups.class_count + 1, sizeof(*seen));
	size_t first = cores_curve(study)->pair_count;
	int status = some && seen ? 0 : error_no_memory(error);
	if (!status)
		choose_some(study, &groups, some, seen);
	for (size_t i = 0; i < groups.class_count && !status; i++)
		for (size_t k = 0; k < SOME_PAIRS && k < seen[i] && !status; k++)
			status = add_seconds(study, &some[i][k], error);
	for (int visit = 0; visit < LEAST_VISITS && !status; visit++)
		status = visit_from(study, first, error);
	free(some);
	free(seen);
	core_groups_free(&groups);
	return status ? status : cores_conclude(study, first, NULL, error);
}

/* ---- moves ---- */

/* Places, in the curve, of the main pairs that have a CPU of `wanted`, or with NULL all. */
static size_t choose_main(struct cores_study *study, const bool *wanted, size_t *which)
{
	const struct fathom_curve *curve = cores_curve(study);
	size_t count = 0;
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		if (pair_is_main(curve, pair) &&
		    (!wanted || wanted[cores_place(study, pair->cpu_a)] ||
		     wanted[cores_place(study, pair->cpu_b)]))
			which[count++] = i;
	}
	return count;
}

static int visit_main(struct cores_study *study, const bool *wanted, size_t visits,
		      struct fathom_error *error)
{
	struct fathom_curve *curve = cores_curve(study);
	size_t *which = malloc((curve->pair_count + 1) * sizeof(*which));
	if (!which)
		return error_no_memory(error);
	size_t count = choose_main(study, wanted, which);
	int status = 0;
	for (size_t visit = 0; visit < visits && !status; visit++)
		status = pairs_run_round(&study->run, curve, which, count, cores_third, study,
					 error);
	free(which);
	return status ? status : cores_conclude(study, 0, NULL, error);
}

/* CPUs of pairs whose last visit differs from all before: they may have been moved a moment ago.
 * All their pairs are visited until what is new is as much of all as is seen as a move. What
 * disturbed one visit is over then. */
static int follow_up(struct cores_study *study, struct fathom_error *error)
{
	const struct fathom_curve *curve = cores_curve(study);
	bool *moved = calloc(study->cpu_count + 1, sizeof(*moved));
	size_t most_blocks = 0;
	if (!moved)
		return error_no_memory(error);
	for (size_t i = 0; i < curve->pair_count; i++) {
		const struct fathom_pair *pair = &curve->pairs[i];
		if (!pair_is_main(curve, pair) || !core_halves_end_apart(pair, PAIRS_VISIT_LINES))
			continue;
		moved[cores_place(study, pair->cpu_a)] = true;
		moved[cores_place(study, pair->cpu_b)] = true;
		most_blocks = pair->block_count > most_blocks ? pair->block_count : most_blocks;
	}
	size_t visits =
		most_blocks ? most_blocks / PAIRS_VISIT_LINES / (CORE_PARTS_SEEN - 1) + 1 : 0;
	int status = visit_main(study, moved, visits, error);
	free(moved);
	return status;
}

/* ---- all ---- */

/* The second half, in time, of each pair, and more while that is still fast. */
static int visit_more(struct cores_study *study, struct fathom_error *error)
{
	struct crew *crew = study->run.crew;
	size_t most = LEAST_VISITS + MORE_VISITS / (cores_curve(study)->pair_count + 1);
	most = most < MOST_VISITS ? most : MOST_VISITS;
	study->visits = 1;
	for (size_t visit = 1; visit < most && cores_goes_on(study); visit++) {
		if (visit >= LEAST_VISITS &&
		    crew->ops->elapsed_s(crew) > fmin(ENOUGH_S, study->plan->budget_s / 2))
			break;
		if (visit_from(study, 0, error))
			return -1;
		study->visits++;
	}
	return cores_conclude(study, 0, NULL, error);
}

int cores_visit_pairs(struct cores_study *study, struct fathom_error *error)
{
	struct cores_matrix matrix;
	if (open_matrix(study, &matrix, error))
		return -1;
	int status;
	if (study->plan->all_pairs || study->cpu_count <= PAIRS_ALL_CPUS)
		status = visit_all(study, &matrix, error);
	else
		status = cores_visit_sample(study, &matrix, error);
	close_matrix(&matrix);
	if (!status)
		status = visit_more(study, error);
	if (!status && cores_goes_on(study))
		status = follow_up(study, error);
	if (!status && cores_goes_on(study))
		status = visit_seconds(study, error);
	return status ? -1 : 0;
}

int cores_visit_again(struct cores_study *study, struct fathom_error *error)
{
	int status = visit_main(study, NULL, (study->visits + 1) / 2, error);
	return status || !cores_goes_on(study) ? status : follow_up(study, error);
}
