/* Classes of many CPUs from a part of their pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "fathom_cores_pairs.h"
#include "model/cores/core_anchors.h"

#define CHECKS       2   /* pairs a CPU, at random, against what the anchors tell */
#define MOST_DOUBTED 32  /* CPUs, of which then more pairs are measured */
#define FAR          0.2 /* from its class, in logarithms, and nearer to another: a contradiction */

static int visit_anchors(struct cores_study *study, struct cores_matrix *matrix,
			 struct fathom_error *error)
{
	struct core_anchors *anchors;
	const struct core_pair *pairs;
	size_t count = 1;
	if (core_anchors_open(matrix->count, rng_next(&study->run.rng), &anchors, error))
		return -1;
	int status = 0;
	while (!status && count && cores_goes_on(study)) {
		size_t first = cores_curve(study)->pair_count;
		status = core_anchors_next(anchors, matrix->logs, &pairs, &count, error);
		for (size_t i = 0; i < count && !status; i++)
			status = cores_add_pair(study, matrix, pairs[i].a, pairs[i].b, error);
		if (!status)
			status = cores_visit_new(study, first, matrix, error);
	}
	core_anchors_close(anchors);
	return status;
}

/* Pairs that no anchor is in. */
static int visit_checks(struct cores_study *study, struct cores_matrix *matrix,
			struct fathom_error *error)
{
	size_t first = cores_curve(study)->pair_count;
	for (size_t i = 0; i < CHECKS * matrix->count; i++)
		if (cores_add_pair(study, matrix, rng_below(&study->run.rng, matrix->count),
				   rng_below(&study->run.rng, matrix->count), error))
			return -1;
	return cores_visit_new(study, first, matrix, error);
}

/* ---- what contradicts ---- */

/* Is the pair nearer to the latency of another class than its own? */
static bool contradicts(const struct core_groups *groups, const struct fathom_pair *pair)
{
	size_t own = core_groups_class(groups, core_groups_place(groups, pair->cpu_a),
				       core_groups_place(groups, pair->cpu_b));
	if (own == groups->class_count)
		return false;
	double off = fabs(log(pair->latency_ns / groups->classes[own]->latency_ns));
	for (size_t i = 0; i < groups->class_count; i++)
		if (fabs(log(pair->latency_ns / groups->classes[i]->latency_ns)) < off)
			return off > FAR;
	return false;
}

/* The median of the sizes of the groups that CPUs are in; sizes[i]: of that of CPU i. */
static size_t find_sizes(const struct core_groups *groups, size_t class, size_t *sizes,
			 size_t *counts)
{
	const size_t *of = groups->group_of + class * groups->cpu_count;
	size_t count = groups->cpu_count, below = 0, median = 0;
	memset(counts, 0, (count + 1) * sizeof(*counts));
	for (size_t i = 0; i < count; i++)
		counts[of[i]]++;
	for (size_t i = 0; i < count; i++)
		sizes[i] = counts[of[i]];
	memset(counts, 0, (count + 1) * sizeof(*counts));
	for (size_t i = 0; i < count; i++)
		counts[sizes[i]]++;
	while (2 * below <= count)
		below += counts[++median];
	return median;
}

/* Against all with which it is in a group of the class after. */
static int add_doubted(struct cores_study *study, struct cores_matrix *matrix,
		       const struct core_groups *groups, size_t cpu, size_t class,
		       struct fathom_error *error)
{
	const size_t *of = groups->group_of + class * groups->cpu_count;
	size_t own = cores_place(study, groups->cpus[cpu]);
	for (size_t i = 0; i < groups->cpu_count; i++)
		if (of[i] == of[cpu] &&
		    cores_add_pair(study, matrix, own, cores_place(study, groups->cpus[i]), error))
			return -1;
	return 0;
}

/* CPUs in a smaller group than most are in: what joins it to others may not have been measured, or
 * badly. */
static int add_odd(struct cores_study *study, struct cores_matrix *matrix,
		   const struct core_groups *groups, struct fathom_error *error)
{
	size_t doubted = 0, count = groups->cpu_count;
	size_t *sizes = malloc((2 * count + 1) * sizeof(*sizes));
	int status = sizes ? 0 : error_no_memory(error);
	for (size_t class = 0; class + 1 < groups->class_count && !status; class ++) {
		size_t usual = find_sizes(groups, class, sizes, sizes + count);
		for (size_t i = 0; i < count && doubted < MOST_DOUBTED && !status; i++) {
			if (sizes[i] >= usual)
				continue;
			status = add_doubted(study, matrix, groups, i, class + 1, error);
			doubted++;
		}
	}
	free(sizes);
	return status;
}

/* Of pairs that still contradict after another visit. */
static int add_contradictory(struct cores_study *study, struct cores_matrix *matrix,
			     const struct core_groups *groups, const size_t *which, size_t count,
			     struct fathom_error *error)
{
	size_t doubted = 0;
	for (size_t i = 0; i < count && doubted < MOST_DOUBTED; i++) {
		const struct fathom_pair pair = cores_curve(study)->pairs[which[i]];
		if (!contradicts(groups, &pair))
			continue;
		if (add_doubted(study, matrix, groups, core_groups_place(groups, pair.cpu_a),
				groups->class_count - 1, error))
			return -1;
		doubted++;
	}
	return 0;
}

/* Pairs that contradict are visited again; CPUs of what still does, and such as seem to be alone,
 * are measured against all that they may be with. */
static int visit_contradictions(struct cores_study *study, struct cores_matrix *matrix,
				struct fathom_error *error)
{
	struct fathom_curve *curve = cores_curve(study);
	struct core_groups groups;
	size_t first = curve->pair_count, count = 0;
	if (cores_find_groups(study, &groups, error))
		return -1;
	size_t *which = malloc((first + 1) * sizeof(*which));
	int status = which ? 0 : error_no_memory(error);
	for (size_t i = 0; i < first && which; i++)
		if (curve->pairs[i].block_count && contradicts(&groups, &curve->pairs[i]))
			which[count++] = i;
	if (!status)
		status = pairs_run_round(&study->run, curve, which, count, cores_third, study,
					 error);
	if (!status)
		status = cores_conclude(study, 0, matrix, error);
	if (!status)
		status = add_contradictory(study, matrix, &groups, which, count, error);
	if (!status)
		status = add_odd(study, matrix, &groups, error);
	core_groups_free(&groups);
	free(which);
	return status ? status : cores_visit_new(study, first, matrix, error);
}

int cores_visit_sample(struct cores_study *study, struct cores_matrix *matrix,
		       struct fathom_error *error)
{
	return visit_anchors(study, matrix, error) || visit_checks(study, matrix, error) ||
			       visit_contradictions(study, matrix, error)
		       ? -1
		       : 0;
}
