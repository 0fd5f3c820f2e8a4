#include "measure/cores/pairs_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"

bool pairs_is_lost(const struct pairs_run *run, int cpu)
{
	for (size_t i = 0; i < run->lost_count; i++)
		if (run->lost_cpus[i] == cpu)
			return true;
	return false;
}

static int home_of(const struct fathom_pair *pair, pairs_other_cpu *other, void *context)
{
	if (pair->home == FATHOM_HOME_OTHER)
		return other(context, pair);
	return pair->home == FATHOM_HOME_B ? pair->cpu_b : pair->cpu_a;
}

/* A CPU that is gone is no error: the rest goes on without it. */
static int visit(struct pairs_run *run, struct fathom_pair *pair, int home_cpu,
		 struct fathom_error *error)
{
	struct fathom_error refused = {0};
	int lost;
	if (home_cpu < 0 || pairs_is_lost(run, pair->cpu_a) || pairs_is_lost(run, pair->cpu_b))
		return 0;
	if (pairs_visit(run->crew, pair, home_cpu, rng_next(&run->rng), &lost, &refused) == 0)
		return 0;
	bool gone = refused.status == FATHOM_UNABLE && lost >= 0;
	int status = gone ? 0 : error_set(error, refused.status, refused.hint, "%s", refused.text);
	fathom_error_clear(&refused);
	if (gone && LIST_APPEND(&run->lost_cpus, &run->lost_count, &lost))
		return error_no_memory(error);
	return status;
}

bool pairs_run_goes_on(struct pairs_run *run, const char *stage, double done)
{
	const struct fathom_observer *observer = run->observer;
	double elapsed_s = run->crew->ops->elapsed_s(run->crew);
	if (observer && observer->progress) {
		struct fathom_progress progress = {
			.stage = stage,
			.done = run->begun + run->share * done,
			.left_s = fmax(0, run->budget_s - elapsed_s),
			.latency_ns = NAN,
			.half_width = NAN,
		};
		observer->progress(observer->context, &progress);
	}
	run->stopped |= observer && observer->stop && observer->stop(observer->context);
	run->late |= elapsed_s > run->budget_s;
	return !run->stopped && !run->late;
}

static void shuffle(struct rng *rng, size_t *order, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t other = rng_below(rng, i), kept = order[i - 1];
		order[i - 1] = order[other];
		order[other] = kept;
	}
}

int pairs_run_round(struct pairs_run *run, struct fathom_curve *curve, const size_t *which,
		    size_t count, pairs_other_cpu *other, void *context, struct fathom_error *error)
{
	size_t *order = malloc((count + 1) * sizeof(*order));
	if (!order)
		return error_no_memory(error);
	memcpy(order, which, count * sizeof(*order));
	shuffle(&run->rng, order, count);
	int status = 0;
	for (size_t i = 0;
	     i < count && !status && pairs_run_goes_on(run, "pairs", (double)i / (double)count);
	     i++) {
		struct fathom_pair *pair = &curve->pairs[order[i]];
		status = visit(run, pair, home_of(pair, other, context), error);
	}
	free(order);
	return status;
}

void pairs_run_free(struct pairs_run *run)
{
	free(run->lost_cpus);
	run->lost_cpus = NULL;
	run->lost_count = 0;
}
