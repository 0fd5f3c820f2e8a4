#include "measure/accesses/accesses.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/plan.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "document/table.h"

#define CHUNK  4096  /* runs, between two looks at who wants to stop */
#define HITS   20000 /* that what timing takes is learnt of */
#define AROUND 3     /* times the scatter: further off was an interrupt */
/* Of the time of a run, what the counter's step and the scatter of timing may be. */
#define MOST_STEP    0.1
#define MOST_SPREAD  0.25
#define MOST_HOPS    256
#define FLUSHED_NS   60.0 /* a line that is in no cache takes longer on any machine */
#define BURSTS       240  /* over a given time */
#define RATE_OFF     1e-3 /* of the counter */
#define LEAST_OFF_NS 0.5  /* by which what timing takes may change */

struct cost { /* of timing */
	double ns, low_ns, high_ns, spread_ns;
};

struct series {
	double *times_ns, *latencies_ns;
	size_t count, most;
	uint32_t hops;   /* a run; 0: the counter is too coarse */
	double chain_ns; /* NAN: flushed */
	struct prober_totals totals;
};

struct study {
	const struct fathom_plan *plan;
	const struct fathom_observer *observer;
	struct fathom_result *result;
	struct prober *prober;
	struct cost cost;
	struct series *series; /* one of each spec */
	bool stopped, late;
};

/* ---- what timing takes ---- */

static double ranked(const double *sorted, size_t count, double share)
{
	return sorted[(size_t)(share * (double)(count - 1))];
}

/* The mean of what lies round the median: steps of a counter even out, interrupts are left out. */
static void find_cost(const double *sorted, size_t count, double step_ns, struct cost *cost)
{
	double middle_ns = stats_median_sorted(sorted, count), sum = 0, squares = 0, used = 0;
	cost->spread_ns = ranked(sorted, count, 0.95) - ranked(sorted, count, 0.05);
	double most_ns = AROUND * fmax(step_ns, cost->spread_ns);
	for (size_t i = 0; i < count; i++) {
		double off_ns = sorted[i] - middle_ns;
		if (fabs(off_ns) > most_ns)
			continue;
		used++;
		sum += off_ns;
		squares += off_ns * off_ns;
	}
	double mean_ns = sum / used, variance = fmax(0, squares / used - mean_ns * mean_ns);
	double half_ns = STATS_NORMAL_95 * sqrt(variance / used);
	cost->ns = middle_ns + mean_ns;
	cost->low_ns = cost->ns - half_ns;
	cost->high_ns = cost->ns + half_ns;
}

/* The difference of timed hits and of many timed at once is timing alone. */
static int learn_cost(struct prober *prober, struct cost *cost, struct fathom_error *error)
{
	double *ns = malloc(HITS * sizeof(*ns)), hit_ns = prober->ops->hit_ns(prober);
	if (!ns)
		return error_no_memory(error);
	prober->ops->time_hits(prober, ns, HITS);
	stats_sort(ns, HITS);
	find_cost(ns, HITS, prober->step_ns, cost);
	cost->ns -= hit_ns;
	cost->low_ns -= hit_ns;
	cost->high_ns -= hit_ns;
	free(ns);
	return 0;
}

/* ---- how many accesses a run has ---- */

/* "the counter 'tsc' moves by 10 ns", or what timing scatters by, whichever forbids more. */
static char *why_coarse(const struct study *study)
{
	double step_ns = study->prober->step_ns, spread_ns = study->cost.spread_ns;
	return spread_ns / MOST_SPREAD > step_ns / MOST_STEP
		       ? text_format("what timing takes scatters by %.3g ns", spread_ns)
		       : text_format("the counter '%s' moves by %.3g ns", study->prober->counter,
				     step_ns);
}

static int warn_of_coarse(struct study *study, size_t which, struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES];
	bool warm = study->plan->specs[which].warmth == FATHOM_WARM;
	int together = warm ? MOST_HOPS : 1;
	double ns = warm ? study->series[which].chain_ns : FLUSHED_NS;
	char *why = why_coarse(study);
	units_format_size(study->plan->specs[which].size_bytes, size);
	int status = !why || warnings_add(&study->result->warnings, "counter-coarse", NULL,
					  "measure larger sizes with --size",
					  "accesses in %s%s cannot be timed: %s, and %d of them "
					  "may take %.3g ns",
					  size, warm ? "" : " that are flushed", why, together,
					  together * ns);
	free(why);
	return status ? error_no_memory(error) : 0;
}

/* Flushed lines are flushed one by one: of these there are no longer runs. */
static int choose_hops(struct study *study, size_t which, struct fathom_error *error)
{
	struct series *series = &study->series[which];
	struct prober *prober = study->prober;
	double step_ns = prober->step_ns, spread_ns = study->cost.spread_ns;
	bool warm = study->plan->specs[which].warmth == FATHOM_WARM;
	prober->ops->turn(prober, which);
	series->chain_ns = warm ? prober->ops->chain_ns(prober) : NAN;
	double least_ns = fmax(step_ns / MOST_STEP, spread_ns / MOST_SPREAD);
	double hops = ceil(least_ns / series->chain_ns);
	if (warm)
		series->hops = hops <= MOST_HOPS ? (uint32_t)fmax(1, hops) : 0;
	else
		series->hops = fmax(step_ns, spread_ns) <= MOST_SPREAD * FLUSHED_NS;
	return series->hops ? 0 : warn_of_coarse(study, which, error);
}

static int choose_all(struct study *study, struct fathom_error *error)
{
	bool any = false;
	for (size_t i = 0; i < study->plan->spec_count; i++) {
		if (choose_hops(study, i, error))
			return -1;
		any |= study->series[i].hops > 0;
	}
	if (any)
		return 0;
	char *why = why_coarse(study);
	error_set(error, FATHOM_UNABLE, "measure larger sizes with --size",
		  "single accesses cannot be timed: %s", why ? why : "the counter is too coarse");
	free(why);
	return -1;
}

/* ---- series ---- */

static bool goes_on(struct study *study, size_t which)
{
	const struct fathom_observer *observer = study->observer;
	const struct fathom_plan *plan = study->plan;
	const struct series *series = &study->series[which];
	double elapsed_s = study->prober->ops->elapsed_s(study->prober);
	if (observer && observer->progress) {
		double all = 0, sum = 0;
		for (size_t i = 0; i < plan->spec_count; i++) {
			all += (double)study->series[i].most;
			sum += (double)study->series[i].count;
		}
		struct fathom_progress progress = {
			.stage = "accesses",
			.done = sum / all,
			.left_s = fmax(0, plan->over_s > 0 ? plan->over_s - elapsed_s
							   : plan->budget_s - elapsed_s),
			.size_bytes = plan->specs[which].size_bytes,
			.latency_ns = series->count ? series->latencies_ns[series->count - 1] : NAN,
			.half_width = NAN,
		};
		observer->progress(observer->context, &progress);
	}
	study->stopped |= observer && observer->stop && observer->stop(observer->context);
	study->late |= elapsed_s > plan->budget_s;
	return !study->stopped && !study->late;
}

static void add_totals(struct prober_totals *sum, const struct prober_totals *before,
		       const struct prober_totals *after)
{
	sum->interrupts += after->interrupts - before->interrupts;
	sum->switches += after->switches - before->switches;
	sum->waited_ns += after->waited_ns - before->waited_ns;
	sum->stolen_ns += after->stolen_ns - before->stolen_ns;
}

/* Takes off what timing takes. What then is left of less than that is as good as nothing: half a
 * step of the counter, or what cannot be told from it. */
static void take_off(const struct study *study, struct series *series, size_t count)
{
	double least_ns = fmax(study->prober->step_ns, study->cost.spread_ns / 100) / 2;
	double *ns = series->latencies_ns + series->count;
	for (size_t i = 0; i < count; i++)
		ns[i] = fmax(ns[i] - study->cost.ns, least_ns) / series->hops;
}

static int burst(struct study *study, size_t which, size_t count, struct fathom_error *error)
{
	struct series *series = &study->series[which];
	struct prober *prober = study->prober;
	struct prober_totals before, after;
	size_t end = series->count + count < series->most ? series->count + count : series->most;
	int status = 0;
	prober->ops->turn(prober, which);
	prober->ops->totals(prober, &before);
	while (series->count < end && !status && goes_on(study, which)) {
		size_t some = end - series->count < CHUNK ? end - series->count : CHUNK;
		status = prober->ops->time(prober, series->hops, series->times_ns + series->count,
					   series->latencies_ns + series->count, some, error);
		take_off(study, series, some);
		series->count += status ? 0 : some;
	}
	prober->ops->totals(prober, &after);
	add_totals(&series->totals, &before, &after);
	return status;
}

static int measure(struct study *study, struct fathom_error *error)
{
	const struct fathom_plan *plan = study->plan;
	size_t turns = plan_has_controls(plan) ? PLAN_CONTROL_TURNS : 1;
	size_t bursts = plan->over_s > 0 ? BURSTS : turns;
	double begun_s = study->prober->ops->elapsed_s(study->prober);
	for (size_t i = 0; i < bursts; i++) {
		double begins_s = begun_s + plan->over_s * (double)i / (double)bursts;
		study->prober->ops->wait(study->prober, begins_s);
		for (size_t k = 0; k < plan->spec_count; k++) {
			if (study->stopped || study->late)
				return 0;
			if (study->series[k].hops &&
			    burst(study, k, (study->series[k].most + bursts - 1) / bursts, error))
				return -1;
		}
	}
	return 0;
}

/* ---- what they come to ---- */

static int add_distribution(struct study *study, size_t which, struct fathom_error *error)
{
	const struct series *series = &study->series[which];
	struct fathom_distribution made;
	table_unknown(&distribution_table, &made);
	made.curve = study->result->curve_count - 1;
	made.counter = strdup(study->prober->counter);
	made.counter_step_ns = study->prober->step_ns;
	made.run_accesses = series->hops;
	made.timing_ns = study->cost.ns;
	made.timing_low_ns = study->cost.low_ns;
	made.timing_high_ns = study->cost.high_ns;
	made.timing_spread_ns = study->cost.spread_ns;
	made.chain_ns = series->chain_ns;
	made.interrupts = series->totals.interrupts;
	made.switches = series->totals.switches;
	made.waited_ns = series->totals.waited_ns;
	made.stolen_ns = series->totals.stolen_ns;
	made.slice_s = study->plan->over_s > 0 ? study->plan->over_s / FATHOM_SLICES : NAN;
	if (made.counter && LIST_APPEND(&study->result->distributions,
					&study->result->distribution_count, &made) == 0)
		return 0;
	table_clear(&distribution_table, &made);
	return error_no_memory(error);
}

/* Takes what was measured over. */
static int add_curve(struct study *study, size_t which, struct fathom_error *error)
{
	const struct fathom_plan *plan = study->plan;
	struct series *series = &study->series[which];
	struct fathom_curve curve;
	if (!series->count)
		return 0;
	table_unknown(&curve_table, &curve);
	curve.experiment = FATHOM_DISTRIBUTION;
	curve.cpu = plan->cpu;
	curve.memory_node = plan->memory_node;
	curve.warmth = plan->specs[which].warmth;
	curve.page = plan->specs[which].page;
	curve.page_bytes = study->prober->pages[which].page_bytes;
	curve.size_bytes = plan->specs[which].size_bytes;
	curve.window_bytes = plan->specs[which].window_bytes;
	curve.times_ns = series->times_ns;
	curve.latencies_ns = series->latencies_ns;
	curve.access_count = series->count;
	if (LIST_APPEND(&study->result->curves, &study->result->curve_count, &curve))
		return error_no_memory(error);
	series->times_ns = series->latencies_ns = NULL;
	return add_distribution(study, which, error);
}

static int warn(struct study *study, struct fathom_error *error)
{
	struct fathom_warnings *warnings = &study->result->warnings;
	double off = study->prober->ops->rate_off(study->prober);
	struct cost after;
	size_t few = 0;
	if (learn_cost(study->prober, &after, error))
		return -1;
	for (size_t i = 0; i < study->plan->spec_count; i++)
		few += study->series[i].hops && study->series[i].count < study->series[i].most;
	bool failed = false;
	if (study->late && few)
		failed |= warnings_add(warnings, "accesses-cut", NULL,
				       "use a longer --budget, or fewer --accesses",
				       "the budget of %.3g s was spent before all accesses were "
				       "timed: %zu series have fewer",
				       study->plan->budget_s, few) != 0;
	if (fabs(off) > RATE_OFF)
		failed |= warnings_add(warnings, "counter-rate", NULL, NULL,
				       "the rate of the counter '%s' changed by %.2g %% meanwhile",
				       study->prober->counter, 100 * fabs(off)) != 0;
	if (fabs(after.ns - study->cost.ns) > fmax(LEAST_OFF_NS, study->cost.spread_ns))
		failed |= warnings_add(warnings, "timing-cost", NULL,
				       "measure again when the machine is idle",
				       "what timing takes changed from %.3g to %.3g ns: short "
				       "latencies may be off by as much",
				       study->cost.ns, after.ns) != 0;
	return failed ? error_no_memory(error) : 0;
}

static int conclude(struct study *study, struct fathom_error *error)
{
	for (size_t i = 0; i < study->plan->spec_count; i++)
		if (add_curve(study, i, error))
			return -1;
	return study->stopped ? 0 : warn(study, error);
}

/* ---- all ---- */

/* Their pages are there before anything is timed. */
static int make_room(struct study *study, struct fathom_error *error)
{
	study->series = calloc(study->plan->spec_count, sizeof(*study->series));
	for (size_t i = 0; study->series && i < study->plan->spec_count; i++) {
		struct series *series = &study->series[i];
		series->most = plan_accesses(study->plan, i);
		size_t bytes = series->most * sizeof(double);
		series->times_ns = malloc(bytes);
		series->latencies_ns = malloc(bytes);
		if (!series->times_ns || !series->latencies_ns)
			return error_no_memory(error);
		memset(series->times_ns, 0, bytes);
		memset(series->latencies_ns, 0, bytes);
	}
	return study->series ? 0 : error_no_memory(error);
}

static void free_room(struct study *study)
{
	for (size_t i = 0; study->series && i < study->plan->spec_count; i++) {
		free(study->series[i].times_ns);
		free(study->series[i].latencies_ns);
	}
	free(study->series);
}

int accesses_run(const struct fathom_plan *plan, const struct fathom_machine *machine,
		 const struct fathom_observer *observer, struct fathom_result *result,
		 struct fathom_error *error)
{
	struct study study = {
		.plan = plan,
		.observer = observer,
		.result = result,
	};
	const struct prober_setup setup = {
		.machine = machine,
		.place = {.cpu = plan->cpu, .node = plan->memory_node},
		.chains = plan->specs,
		.chain_count = plan->spec_count,
		.seed = plan->seed,
		.observer = observer,
		.warnings = &result->warnings,
	};
	int status = make_room(&study, error);
	if (!status)
		status = prober_open(&setup, &study.prober, error);
	study.stopped = !status && !study.prober;
	if (!status && study.prober)
		status = learn_cost(study.prober, &study.cost, error) ||
			 choose_all(&study, error) || measure(&study, error) ||
			 conclude(&study, error);
	result->interrupted |= study.stopped;
	if (study.prober) {
		result->elapsed_s = study.prober->ops->elapsed_s(study.prober);
		study.prober->ops->close(study.prober);
	}
	free_room(&study);
	return status ? -1 : 0;
}
