#include "measure/loads/loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/plan.h"
#include "base/rng.h"
#include "base/stats.h"
#include "base/warnings.h"
#include "document/table.h"
#include "measure/loads/counted.h"

/* Of a curve: without traffic, with all there can be, and shares of that: where more traffic gets
 * less through, more than all would get through on a schedule. */
static const double first_shares[] = {0.3, 0.55, 0.75, 0.9, 0.97, 1.1};
#define LEAST_BELIEVED                                                                             \
	1.25 /* times it: what differs by less is noise (20 %, as of parts of an access) */
#define FIRST        (sizeof(first_shares) / sizeof(*first_shares))
#define USUAL_RATES  (2 + FIRST + LOADS_MOST_CHOSEN)
#define MOST_CLIMBS  10 /* rates above these, of a curve */
#define MOST_RATES   (USUAL_RATES + MOST_CLIMBS)
#define FIRST_VISITS 2 /* before other rates follow from it */
#define LEAST_VISITS 7 /* give intervals, one of them disturbed */
#define MOST_VISITS  COUNTED_MOST_VISITS
#define TRIES        3     /* of a visit that is disturbed */
#define VISIT_TIMES  1.3   /* what is counted, with all around it */
#define SPENT_SHARE  0.97  /* of the budget: then nothing is begun */
#define LEAST_RATE   1e8   /* bytes a second: less is no traffic */
#define SAME_RATES   0.01  /* no further apart */
#define KEPT         0.98  /* of a rate, that is got through where it is kept */
#define CLIMB        1.1   /* from a rate that is kept to the next one above, at most, */
#define LEAST_CLIMB  1.015 /* and at least */

struct cell { /* a rate of a curve */
	size_t curve;
	double wanted; /* bytes a second; INFINITY: as much as can be */
	bool all_read; /* of no curve; wanted 0: the first CPU alone */
	double latency_ns[MOST_VISITS], bytes[MOST_VISITS], program[MOST_VISITS];
	struct counted counted;
	size_t visits;
	uint32_t disturbed;
	double bursts, late_bursts, concurrency;
};

struct study {
	const struct fathom_plan *plan;
	const struct fathom_observer *observer;
	const struct loads_advisor *advisor;
	struct fathom_result *result;
	struct loader *loader;
	size_t traffic_count;
	uint32_t threads; /* that make it */
	struct cell *cells;
	size_t cell_count, curve_count;
	struct rng rng;
	double visit_ns;
	double begun_s; /* of the loader's time, when the first visit began */
	bool stopped, late;
};

static size_t chain_of(const struct study *study, size_t curve)
{
	return curve / study->traffic_count;
}

static enum fathom_traffic traffic_of(const struct study *study, size_t curve)
{
	return plan_traffic_at(study->plan, curve % study->traffic_count);
}

/* ---- visits ---- */

static bool goes_on(struct study *study, const char *stage, const struct cell *cell)
{
	const struct fathom_observer *observer = study->observer;
	double elapsed_s = study->loader->ops->elapsed_s(study->loader);
	double budget_s = study->plan->budget_s;
	if (observer && observer->progress) {
		struct fathom_progress progress = {
			.stage = stage,
			.done = fmin(1, elapsed_s / budget_s),
			.left_s = fmax(0, budget_s - elapsed_s),
			.size_bytes = study->plan->specs[chain_of(study, cell->curve)].size_bytes,
			.latency_ns = cell->visits ? cell->latency_ns[cell->visits - 1] : NAN,
			.half_width = NAN,
		};
		observer->progress(observer->context, &progress);
	}
	study->stopped |= observer && observer->stop && observer->stop(observer->context);
	study->late |= elapsed_s > SPENT_SHARE * budget_s;
	return !study->stopped && !study->late;
}

static void keep(struct cell *cell, const struct loader_found *found)
{
	size_t i = cell->visits++;
	cell->latency_ns[i] = found->latency_ns;
	cell->bytes[i] = found->bytes_per_second;
	cell->program[i] = found->program_bytes_per_second;
	counted_keep(&cell->counted, &found->counted);
	cell->bursts += found->bursts;
	cell->late_bursts += found->late_bursts;
	cell->concurrency = fmin(cell->concurrency, found->concurrency);
}

static int visit(struct study *study, struct cell *cell, struct fathom_error *error)
{
	struct loader_found found;
	struct loader_visit what = {
		.traffic = cell->all_read ? FATHOM_TRAFFIC_READS : traffic_of(study, cell->curve),
		.bytes_per_second = cell->wanted,
		.all_read = cell->all_read,
		.chain = chain_of(study, cell->curve),
		.ns = study->visit_ns,
	};
	if (cell->visits == MOST_VISITS)
		return 0;
	for (int i = 0; i < TRIES; i++) {
		what.key = rng_next(&study->rng);
		if (study->loader->ops->visit(study->loader, &what, &found, error))
			return -1;
		if (!found.disturbed) {
			keep(cell, &found);
			return 0;
		}
		cell->disturbed++;
	}
	return 0;
}

static void shuffle(struct rng *rng, size_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		size_t other = rng_below(rng, i + 1);
		order[i] = order[other];
		order[other] = i;
	}
}

/* One visit to each cell from `first` on, in random order: what drifts becomes scatter. */
static int go_round(struct study *study, const char *stage, size_t first,
		    struct fathom_error *error)
{
	size_t count = study->cell_count - first;
	size_t *order = malloc((count + 1) * sizeof(*order));
	int status = order ? 0 : error_no_memory(error);
	if (order)
		shuffle(&study->rng, order, count);
	for (size_t i = 0; i < count && !status; i++) {
		struct cell *cell = &study->cells[first + order[i]];
		if (!goes_on(study, stage, cell))
			break;
		status = visit(study, cell, error);
	}
	free(order);
	return status;
}

static int go_rounds(struct study *study, const char *stage, size_t first, size_t rounds,
		     struct fathom_error *error)
{
	for (size_t i = 0; i < rounds && !study->stopped && !study->late; i++)
		if (go_round(study, stage, first, error))
			return -1;
	return 0;
}

/* ---- which rates ---- */

static double median_of(const double *values, size_t count)
{
	double sorted[MOST_VISITS];
	memcpy(sorted, values, count * sizeof(*sorted));
	return stats_median(sorted, count);
}

static bool has_rate(const struct study *study, size_t curve, double wanted)
{
	for (size_t i = 0; i < study->cell_count; i++) {
		const struct cell *cell = &study->cells[i];
		bool near = isfinite(wanted) && fabs(cell->wanted - wanted) <= SAME_RATES * wanted;
		if (!cell->all_read && cell->curve == curve && near)
			return true;
	}
	return false;
}

/* There is room for all. */
static void add_cell(struct study *study, size_t curve, double wanted, bool all_read)
{
	if (all_read || !has_rate(study, curve, wanted))
		study->cells[study->cell_count++] = (struct cell){
			.curve = curve,
			.wanted = wanted,
			.all_read = all_read,
			.concurrency = 1,
			.counted = {.on_share = 1},
		};
}

/* What the others make of the bandwidth of all. */
static double others_bytes(const struct study *study, const struct cell *cell)
{
	double own_bytes =
		(double)study->loader->line_bytes * 1e9 / median_of(cell->latency_ns, cell->visits);
	return median_of(cell->bytes, cell->visits) - own_bytes;
}

static double greatest_of(const struct study *study, size_t curve)
{
	double greatest = 0;
	for (size_t i = 0; i < study->cell_count; i++) {
		const struct cell *cell = &study->cells[i];
		if (cell->all_read || cell->curve != curve || !cell->visits)
			continue;
		greatest = fmax(greatest, others_bytes(study, cell));
	}
	return greatest;
}

static void add_shares(struct study *study)
{
	for (size_t curve = 0; curve < study->curve_count; curve++) {
		double greatest = greatest_of(study, curve);
		for (size_t i = 0; i < FIRST && greatest > LEAST_RATE; i++)
			add_cell(study, curve, first_shares[i] * greatest, false);
	}
}

/* Threads that make all they can may get less through than on a schedule. Then what memory gives is
 * between the greatest rate that is kept and the least one that is not: the rate to visit there;
 * 0: none. */
static double rate_above(const struct study *study, size_t curve)
{
	double all = INFINITY, kept = 0, missed = INFINITY;
	for (size_t i = 0; i < study->cell_count; i++) {
		const struct cell *cell = &study->cells[i];
		if (cell->all_read || cell->curve != curve || !cell->visits || cell->wanted <= 0)
			continue;
		double bytes = others_bytes(study, cell);
		if (isinf(cell->wanted))
			all = bytes;
		else if (bytes > KEPT * cell->wanted)
			kept = fmax(kept, cell->wanted);
		else
			missed = fmin(missed, cell->wanted);
	}
	double above = fmin(CLIMB * kept, sqrt(kept * missed));
	return kept > all && above > LEAST_CLIMB * kept ? above : 0;
}

static int climb(struct study *study, struct fathom_error *error)
{
	for (int i = 0; i < MOST_CLIMBS; i++) {
		size_t first = study->cell_count;
		for (size_t curve = 0; curve < study->curve_count; curve++) {
			double rate = rate_above(study, curve);
			if (rate > 0)
				add_cell(study, curve, rate, false);
		}
		if (study->cell_count == first)
			break;
		if (go_rounds(study, "shares", first, FIRST_VISITS, error))
			return -1;
	}
	return 0;
}

static int add_chosen(struct study *study, struct fathom_error *error)
{
	double bytes[MOST_RATES], latency_ns[MOST_RATES], rates[LOADS_MOST_CHOSEN];
	size_t known = study->cell_count;
	for (size_t curve = 0; curve < study->curve_count; curve++) {
		size_t count = 0;
		for (size_t i = 0; i < known; i++) {
			const struct cell *cell = &study->cells[i];
			if (cell->all_read || cell->curve != curve || !cell->visits)
				continue;
			bytes[count] = median_of(cell->bytes, cell->visits);
			latency_ns[count++] = median_of(cell->latency_ns, cell->visits);
		}
		int chosen = count < 5 ? 0
				       : study->advisor->choose(study->advisor->context, bytes,
								latency_ns, count, rates,
								LOADS_MOST_CHOSEN);
		if (chosen < 0)
			return error_no_memory(error);
		for (int i = 0; i < chosen; i++)
			add_cell(study, curve, rates[i], false);
	}
	return 0;
}

/* As long as the budget allows for all of them. */
static void set_length(struct study *study)
{
	const struct loader *loader = study->loader;
	double left_s = study->plan->budget_s - loader->ops->elapsed_s(study->loader);
	double visits = (double)((USUAL_RATES * study->curve_count + 2) * LEAST_VISITS);
	double ns = left_s * SPENT_SHARE * 1e9 / visits / VISIT_TIMES;
	study->visit_ns = fmin(loader->most_ns, fmax(loader->least_ns, ns));
}

static int measure(struct study *study, struct fathom_error *error)
{
	set_length(study);
	for (size_t curve = 0; curve < study->curve_count; curve++) {
		add_cell(study, curve, 0, false);
		add_cell(study, curve, INFINITY, false);
	}
	add_cell(study, 0, 0, true);
	add_cell(study, 0, INFINITY, true);
	if (go_rounds(study, "ends", 0, FIRST_VISITS, error))
		return -1;
	size_t first = study->cell_count;
	add_shares(study);
	if (go_rounds(study, "shares", first, FIRST_VISITS, error) || climb(study, error) ||
	    add_chosen(study, error))
		return -1;
	return go_rounds(study, "rates", 0, MOST_VISITS, error);
}

/* ---- what they come to ---- */

static double read_share(enum fathom_traffic traffic)
{
	static const double shares[] = {
		[FATHOM_TRAFFIC_UNKNOWN] = NAN, [FATHOM_TRAFFIC_READS] = 1,
		[FATHOM_TRAFFIC_3_1] = 0.75,    [FATHOM_TRAFFIC_1_1] = 0.5,
		[FATHOM_TRAFFIC_NT] = 0,
	};
	return shares[traffic];
}

static int add_load(const struct cell *cell, struct fathom_curve *curve, struct fathom_error *error)
{
	struct fathom_load load;
	table_unknown(&load_table, &load);
	load.read_share = read_share(curve->traffic);
	load.wanted_bytes_per_second = isfinite(cell->wanted) ? cell->wanted : NAN;
	counted_estimate(cell->bytes, cell->visits, &load.bandwidth_bytes_per_second,
			 &load.bandwidth_low_bytes_per_second,
			 &load.bandwidth_high_bytes_per_second);
	counted_estimate(cell->latency_ns, cell->visits, &load.latency_ns, &load.latency_low_ns,
			 &load.latency_high_ns);
	counted_tell(&cell->counted, &load);
	load.program_bytes_per_second = median_of(cell->program, cell->visits);
	if (cell->bursts > 0) {
		load.bursts = cell->bursts;
		load.late_bursts = cell->late_bursts;
	}
	load.concurrency = cell->concurrency;
	load.disturbed = cell->disturbed;
	for (size_t i = 0; i < cell->visits; i++)
		if (LIST_APPEND(&load.blocks_ns, &load.block_count, &cell->latency_ns[i]))
			break;
	if (load.block_count == cell->visits &&
	    LIST_APPEND(&curve->loads, &curve->load_count, &load) == 0)
		return 0;
	table_clear(&load_table, &load);
	return error_no_memory(error);
}

static int by_wanted(const void *left, const void *right)
{
	const struct cell *a = left, *b = right;
	if (a->curve != b->curve)
		return a->curve < b->curve ? -1 : 1;
	return (a->wanted > b->wanted) - (a->wanted < b->wanted);
}

/* Of the visits in which nobody chased. */
static double read_bytes(const struct study *study, double wanted)
{
	for (size_t i = 0; i < study->cell_count; i++)
		if (study->cells[i].all_read && study->cells[i].wanted == wanted &&
		    study->cells[i].visits)
			return median_of(study->cells[i].bytes, study->cells[i].visits);
	return NAN;
}

/* What the traffic's threads read at most, on whichever pages. */
static double most_read(const struct study *study)
{
	double most = 0;
	for (size_t i = 0; i < study->cell_count; i++) {
		const struct cell *cell = &study->cells[i];
		if (!cell->all_read && cell->visits &&
		    traffic_of(study, cell->curve) == FATHOM_TRAFFIC_READS)
			most = fmax(most, median_of(cell->bytes, cell->visits));
	}
	return most;
}

/* One of these threads reads no more than one does alone, and they no more than all do: what says
 * otherwise was disturbed. */
static double believed(double read, double least)
{
	return read * LEAST_BELIEVED < least ? NAN : read;
}

static int add_curve(const struct study *study, size_t which, struct fathom_error *error)
{
	const struct fathom_plan *plan = study->plan;
	size_t chain = chain_of(study, which);
	struct fathom_curve curve;
	table_unknown(&curve_table, &curve);
	curve.experiment = FATHOM_LOADED;
	curve.axis = FATHOM_AXIS_TRAFFIC;
	curve.cpu = plan->cpu;
	curve.memory_node = plan->memory_node;
	curve.traffic = traffic_of(study, which);
	curve.page = plan->specs[chain].page;
	curve.page_bytes = study->loader->pages[chain].page_bytes;
	curve.size_bytes = plan->specs[chain].size_bytes;
	curve.traffic_threads = study->threads;
	double most = most_read(study);
	curve.one_bytes_per_second = believed(read_bytes(study, 0), most / study->threads);
	curve.all_bytes_per_second = believed(read_bytes(study, INFINITY), most);
	int status = 0;
	for (size_t i = 0; i < study->cell_count && !status; i++) {
		const struct cell *cell = &study->cells[i];
		if (!cell->all_read && cell->curve == which && cell->visits)
			status = add_load(cell, &curve, error);
	}
	if (!status && curve.load_count &&
	    LIST_APPEND(&study->result->curves, &study->result->curve_count, &curve))
		status = error_no_memory(error);
	if (status || !curve.load_count)
		table_clear(&curve_table, &curve);
	return status;
}

static int add_count(const struct study *study, struct fathom_error *error)
{
	struct counted all = {.on_share = 1};
	for (size_t i = 0; i < study->cell_count; i++)
		all.on_share = fmin(all.on_share, study->cells[i].counted.on_share);
	return counted_add(&all, study->loader, study->result, error);
}

static int conclude(struct study *study, struct fathom_error *error)
{
	qsort(study->cells, study->cell_count, sizeof(*study->cells), by_wanted);
	for (size_t i = 0; i < study->curve_count; i++)
		if (add_curve(study, i, error))
			return -1;
	return study->result->curve_count ? add_count(study, error) : 0;
}

static int warn(const struct study *study, struct fathom_error *error)
{
	struct fathom_warnings *warnings = &study->result->warnings;
	size_t bare = 0, unmeasured = 0;
	uint32_t disturbed = 0;
	for (size_t i = 0; i < study->cell_count; i++) {
		bare += study->cells[i].visits < LEAST_VISITS - 1;
		unmeasured += study->cells[i].visits == 0;
		disturbed += study->cells[i].disturbed;
	}
	if (study->late && bare &&
	    warnings_add(warnings, "loads-cut", NULL, "use a longer --budget, or less --traffic",
			 "the budget of %.3g s was spent before all rates had their visits: %zu "
			 "have no interval, %zu were not measured",
			 study->plan->budget_s, bare, unmeasured))
		return error_no_memory(error);
	if (!study->late && !study->stopped && bare &&
	    warnings_add(warnings, "loads-disturbed", NULL,
			 "measure again when the machine is idle",
			 "threads did not run at the same time in %u visits, which were thrown "
			 "away: %zu rates have no interval",
			 disturbed, bare))
		return error_no_memory(error);
	return 0;
}

/* ---- all ---- */

int loads_run(const struct fathom_plan *plan, const struct loads_place *place,
	      const struct fathom_observer *observer, const struct loads_advisor *advisor,
	      struct fathom_result *result, struct fathom_error *error)
{
	struct study study = {
		.plan = plan,
		.observer = observer,
		.advisor = advisor,
		.result = result,
		.traffic_count = plan_traffic_count(plan),
		.threads = place->count - 1,
		.rng = rng_make(plan->seed),
	};
	const struct loader_setup setup = {
		.machine = place->machine,
		.cpus = place->cpus,
		.count = place->count,
		.memory_node = plan->memory_node,
		.chains = plan->specs,
		.chain_count = plan->spec_count,
		.part_bytes = place->part_bytes,
		.seed = plan->seed,
		.observer = observer,
	};
	study.curve_count = plan->spec_count * study.traffic_count;
	study.cells = calloc(study.curve_count * MOST_RATES + 2, sizeof(*study.cells));
	int status =
		study.cells ? loader_open(&setup, &study.loader, error) : error_no_memory(error);
	study.stopped = status == 0 && !study.loader;
	if (status == 0 && study.loader)
		status = measure(&study, error) || conclude(&study, error) || warn(&study, error);
	result->interrupted |= study.stopped;
	if (study.loader) {
		result->elapsed_s = study.loader->ops->elapsed_s(study.loader);
		study.loader->ops->close(study.loader);
	}
	free(study.cells);
	return status ? -1 : 0;
}
