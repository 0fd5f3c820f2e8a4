#include "measure/cores/contention.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/rng.h"
#include "base/stats.h"

#define BLOCKS       8
#define RUNS         3  /* of a block: what disturbs one of them leaves its median alone */
#define MOST_RUNS    48 /* with those that are disturbed */
#define LEAST_NS     100000.0
#define NS_OF_THREAD 8000.0 /* more threads take turns for longer */

struct values {
	double op_ns[BLOCKS * RUNS], fairness[BLOCKS * RUNS], writer_ns[BLOCKS * RUNS];
	size_t count;
};

/* What one run says: the mean thread, and the slowest over the fastest. Of reads the first thread
 * is the writer. */
static void add_run(const struct fathom_contention *one, const double *op_ns, struct values *values)
{
	uint32_t first = one->operation == FATHOM_OPERATION_READ;
	double sum_ns = 0, least_ns = INFINITY, most_ns = 0;
	for (uint32_t i = 0; i < one->threads; i++)
		if (!(op_ns[i] > 0))
			return;
	for (uint32_t i = first; i < one->threads; i++) {
		sum_ns += op_ns[i];
		least_ns = fmin(least_ns, op_ns[i]);
		most_ns = fmax(most_ns, op_ns[i]);
	}
	values->writer_ns[values->count] = op_ns[0];
	values->fairness[values->count] = most_ns / least_ns;
	values->op_ns[values->count++] = sum_ns / (one->threads - first);
}

static int conclude(struct values *values, struct fathom_contention *one,
		    struct fathom_error *error)
{
	bool reads = one->operation == FATHOM_OPERATION_READ;
	double sorted[BLOCKS];
	size_t count = values->count / RUNS;
	for (size_t i = 0; i < count; i++) {
		sorted[i] = stats_median(values->op_ns + i * RUNS, RUNS);
		if (LIST_APPEND(&one->blocks_ns, &one->block_count, &sorted[i]))
			return error_no_memory(error);
	}
	stats_sort(sorted, count);
	struct stats_interval interval = stats_median_interval(sorted, count);
	one->op_ns = stats_median_sorted(sorted, count);
	one->op_low_ns = interval.low;
	one->op_high_ns = interval.high;
	one->fairness =
		one->threads > 1u + reads ? stats_median(values->fairness, values->count) : NAN;
	one->writer_ns = reads ? stats_median(values->writer_ns, values->count) : NAN;
	return 0;
}

int contention_measure(struct crew *crew, const int *cpus, uint64_t key,
		       struct fathom_contention *one, int *lost, struct fathom_error *error)
{
	const struct crew_contention what = {one->operation, one->layout,
					     fmax(LEAST_NS, NS_OF_THREAD * one->threads)};
	double op_ns[CREW_MOST_CONTENDERS];
	struct values values = {.count = 0};
	*lost = -1;
	if (crew->ops->seat(crew, cpus, one->threads, lost, error))
		return -1;
	for (uint64_t i = 0; i < MOST_RUNS && values.count < BLOCKS * RUNS; i++) {
		enum crew_outcome outcome;
		if (crew->ops->contend(crew, &what, rng_mix(key, i), op_ns, &outcome, error))
			return -1;
		if (outcome == CREW_DONE)
			add_run(one, op_ns, &values);
	}
	return values.count < RUNS ? 0 : conclude(&values, one, error);
}
