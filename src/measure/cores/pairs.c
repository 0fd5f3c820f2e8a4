#include "measure/cores/pairs.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/list.h"
#include "base/rng.h"
#include "base/stats.h"

#define BATCHES      8  /* of a line */
#define MOST_BATCHES 24 /* with those that are disturbed */
#define LEAST_GOOD   3
#define FIRST_ROUNDS 20
#define LEAST_ROUNDS 10
#define MOST_ROUNDS  100000

/* So many as the shortest run has, by what the last one took. */
static uint64_t rounds_for(const struct crew *crew, uint64_t rounds, double ns)
{
	double wanted = ns > 0 ? ceil((double)rounds * crew->shortest_run_ns / ns) : MOST_ROUNDS;
	return (uint64_t)fmin(MOST_ROUNDS, fmax(LEAST_ROUNDS, wanted));
}

/* One way over a line: where most batches lie densest. NAN: too few are undisturbed. */
static double line_ns(struct crew *crew, uint32_t line, uint64_t *rounds, struct fathom_pair *pair)
{
	double values[BATCHES], ns;
	size_t good = 0;
	for (int i = 0; i < MOST_BATCHES && good < BATCHES; i++) {
		enum crew_outcome outcome =
			crew->ops->exchange(crew, pair->handover, line, *rounds, &ns);
		bool too_short = outcome == CREW_DONE && ns < crew->shortest_run_ns / 2 &&
				 *rounds < MOST_ROUNDS;
		pair->batches++;
		pair->disturbed += outcome != CREW_DONE;
		if (outcome == CREW_DONE && !too_short)
			values[good++] = ns / (double)*rounds / 2;
		if (outcome == CREW_DONE)
			*rounds = rounds_for(crew, *rounds, ns);
	}
	stats_sort(values, good);
	if (good)
		pair->least_ns = fmin(pair->least_ns, values[0]);
	return good < LEAST_GOOD ? NAN : stats_shorth(values, good).center;
}

int pairs_visit(struct crew *crew, struct fathom_pair *pair, int home_cpu, uint64_t key, int *lost,
		struct fathom_error *error)
{
	/* Who leads makes no difference but to who is awake: each of them half of the time. */
	bool turned = rng_mix(key, 1) & 1;
	const int cpus[] = {turned ? pair->cpu_b : pair->cpu_a, turned ? pair->cpu_a : pair->cpu_b};
	uint64_t rounds = FIRST_ROUNDS;
	*lost = -1;
	if (crew->ops->seat(crew, cpus, 2, lost, error) ||
	    crew->ops->place(crew, home_cpu, PAIRS_VISIT_LINES, key, lost, error))
		return -1;
	for (uint32_t line = 0; line < PAIRS_VISIT_LINES; line++) {
		double ns = line_ns(crew, line, &rounds, pair);
		if (isnan(ns))
			continue;
		if (LIST_APPEND(&pair->blocks_ns, &pair->block_count, &ns))
			return error_no_memory(error);
		pair->lines++;
	}
	return 0;
}

int pairs_conclude(struct fathom_pair *pair, struct fathom_error *error)
{
	double *sorted = malloc((pair->block_count + 1) * sizeof(*sorted));
	if (!sorted)
		return error_no_memory(error);
	for (size_t i = 0; i < pair->block_count; i++)
		sorted[i] = pair->blocks_ns[i];
	stats_sort(sorted, pair->block_count);
	struct stats_interval interval = stats_median_interval(sorted, pair->block_count);
	pair->latency_ns = stats_median_sorted(sorted, pair->block_count);
	pair->latency_low_ns = interval.low;
	pair->latency_high_ns = interval.high;
	for (size_t i = 0; i < pair->block_count; i++)
		sorted[i] = fabs(sorted[i] - pair->latency_ns);
	pair->line_spread_ns =
		pair->block_count > 1 ? STATS_MAD_TO_SIGMA * stats_median(sorted, pair->block_count)
				      : NAN;
	free(sorted);
	return 0;
}

int pairs_loop_ns(struct crew *crew, int cpu, enum fathom_handover how, uint64_t key, double *ns,
		  int *lost, struct fathom_error *error)
{
	struct fathom_pair alone = {.handover = how, .least_ns = NAN};
	uint64_t rounds = FIRST_ROUNDS;
	*lost = -1;
	if (crew->ops->seat(crew, &cpu, 1, lost, error) ||
	    crew->ops->place(crew, cpu, 1, key, lost, error))
		return -1;
	*ns = line_ns(crew, 0, &rounds, &alone);
	return 0;
}
