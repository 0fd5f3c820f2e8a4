#include "measure/rounds.h"

#include <math.h>

#include "measure/floors.h"
#include "measure/reach.h"
#include "measure/spec.h"
#include "measure/visit.h"

#define FEWEST_HOPS        8192
#define BLOCKS_A_PLACEMENT 3 /* tell its own spread from that between placements */
#define MOST_HOPS          1e12
#define LONGEST_READ_S     0.02
#define LAPS_BETWEEN       1.5 /* what is walked between batches, and batches that are repeated */

static bool is_exact(const struct visitor *visitor, const struct tally *tally)
{
	const struct tally *end = visitor->schedule.tallies + visitor->schedule.count;
	do {
		if (!(tally_half_width(tally) <= tally->target))
			return false;
	} while (++tally < end && visitor_goes_along(visitor, tally));
	return true;
}

/* On one placement. */
static unsigned blocks_a_visit(const struct visitor *visitor)
{
	return visitor->plan->placements ? BLOCKS_A_PLACEMENT : 1;
}

static bool is_done(const struct visitor *visitor, const struct tally *tally)
{
	if (visitor->plan->placements)
		return tally->placements >= visitor->plan->placements;
	uint64_t steps = visitor->plan->steps;
	size_t blocks = tally->block_count;
	if (blocks < SCHEDULE_FEWEST_BLOCKS)
		return false;
	if (steps)
		return tally->hops >= steps;
	/* Looking after every block would stop on luck. */
	return tally_next_look(blocks - 1) == blocks && is_exact(visitor, tally);
}

/* ---- what is held against each other ---- */

static bool has_pairs(const struct visitor *visitor)
{
	enum fathom_experiment experiment = visitor->plan->experiment;
	return experiment == FATHOM_PAGES || experiment == FATHOM_ABLATION;
}

/* Sizes are whole nodes, so that with other nodes the same size is less than one off. */
static bool is_same_size(const struct fathom_spec *a, const struct fathom_spec *b)
{
	uint64_t more = a->size_bytes > b->size_bytes ? a->size_bytes - b->size_bytes
						      : b->size_bytes - a->size_bytes;
	return more < (a->node_bytes > b->node_bytes ? a->node_bytes : b->node_bytes);
}

/* Is the difference of the two what the experiment is about? Then block after block of the one is
 * measured right after, or before, that of the other. */
static bool is_pair(const struct visitor *visitor, const struct tally *a, const struct tally *b)
{
	if (a == b || !has_pairs(visitor))
		return a == b;
	if (a->spec.axis != b->spec.axis)
		return false;
	return a->spec.axis == FATHOM_AXIS_PAGES ? spec_nodes(&a->spec) == spec_nodes(&b->spec)
						 : is_same_size(&a->spec, &b->spec);
}

/* All of them get a block as long as one of them needs more. */
static void find_due(struct visitor *visitor, size_t round)
{
	struct schedule *schedule = &visitor->schedule;
	size_t blocks = round * blocks_a_visit(visitor);
	struct tally *end = schedule->tallies + schedule->count;
	for (struct tally *tally = schedule->tallies; tally < end; tally++)
		tally->due = !visitor_goes_along(visitor, tally) && tally->block_count < blocks &&
			     !is_done(visitor, tally);
	if (!has_pairs(visitor))
		return;
	for (struct tally *tally = schedule->tallies; tally < end; tally++)
		for (struct tally *other = schedule->tallies; tally->due && other < end; other++)
			other->due |= is_pair(visitor, tally, other);
}

/* Those that are still to be visited in the round, in schedule.order. */
static size_t find_open(struct visitor *visitor, size_t round)
{
	struct schedule *schedule = &visitor->schedule;
	size_t count = 0;
	find_due(visitor, round);
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->tallies[i].due)
			schedule->order[count++] = &schedule->tallies[i];
	return count;
}

/* Brings what is to be held against order[first] behind it. Returns the place after the last. */
static size_t gather(struct visitor *visitor, size_t first, size_t count)
{
	struct tally **order = visitor->schedule.order;
	size_t end = first + 1;
	for (size_t k = end; k < count; k++)
		if (is_pair(visitor, order[first], order[k])) {
			struct tally *keep = order[end];
			order[end++] = order[k];
			order[k] = keep;
		}
	return end;
}

/* ---- rounds ---- */

/* With what belongs to it: making memory cold before every lap, the laps that are timed apart. */
static double hop_cost_s(const struct tally *tally)
{
	double hop_s = LAPS_BETWEEN * tally_median_ns(tally) * 1e-9;
	if (tally->spec.lap)
		return tally->cost_s * (double)tally->block_count / (double)tally->hops;
	if (tally->spec.warmth != FATHOM_WARM)
		hop_s += tally->warm_s / (double)spec_accesses(&tally->spec);
	return hop_s;
}

/* What visits took over what was planned for them: batches that are disturbed are repeated. */
static double overrun(const struct visitor *visitor)
{
	return visitor->taken_s > visitor->planned_s ? visitor->taken_s / visitor->planned_s : 1;
}

/* Sets how many hops a visit should time, so that all have the same share of the time that is left
 * until the next intervals are looked at, and no more than the steps. Returns what it will take if
 * nothing disturbs it. */
static double plan_visit(const struct visitor *visitor, struct tally *tally, double visits_left)
{
	double share_s = visitor_left_s(visitor) / visits_left / overrun(visitor);
	bool shortest = visitor->plan->experiment == FATHOM_PAGES;
	if (tally->spec.axis == FATHOM_AXIS_LANES || shortest)
		return tally->cost_s; /* of blocks as short as will do: more of them tell more */
	if (visitor->plan->experiment == FATHOM_PARALLELISM) /* blocks of lanes tell more */
		share_s = fmin(share_s, LONGEST_READ_S);
	double hop_s = hop_cost_s(tally);
	double blocks = blocks_a_visit(visitor);
	double hops = fmax(blocks * FEWEST_HOPS, (share_s - tally->besides_s) / hop_s);
	double blocks_left = fmax(1, (double)SCHEDULE_FEWEST_BLOCKS - (double)tally->block_count);
	if (visitor->plan->steps) {
		double steps = (double)visitor->plan->steps - (double)tally->hops;
		hops = fmin(hops, fmax(FEWEST_HOPS, ceil(steps / blocks_left)));
	}
	tally->block_hops = (uint64_t)fmin(hops / blocks, MOST_HOPS);
	return tally->besides_s + hops * hop_s;
}

static int visit(struct visitor *visitor, struct tally *tally, struct fathom_error *error)
{
	double hops_before = (double)tally->hops;
	int status = visitor_visit(visitor, tally, blocks_a_visit(visitor), error);
	if (status)
		return status;
	double hops = (double)tally->hops - hops_before;
	double besides_s = fmax(0, tally->cost_s - hops * hop_cost_s(tally));
	if (hops_before == 0 || besides_s < tally->besides_s)
		tally->besides_s = besides_s;
	if (tally->planned_s > 0) {
		visitor->planned_s += tally->planned_s;
		visitor->taken_s += tally->cost_s;
	}
	return 0;
}

/* Visits those of schedule.order from `first` to before `end` if there is time for all; what is
 * left is for visits_left. */
static int visit_group(struct visitor *visitor, size_t first, size_t end, double visits_left,
		       size_t *visits, struct fathom_error *error)
{
	struct tally **order = visitor->schedule.order;
	double cost_s = 0;
	for (size_t k = first; k < end; k++) {
		struct tally *tally = order[k];
		tally->planned_s = tally->block_count ? plan_visit(visitor, tally, visits_left) : 0;
		cost_s += tally->planned_s;
	}
	if (cost_s > visitor_left_s(visitor))
		return 0;
	*visits += end - first;
	for (size_t k = first; k < end; k++) {
		int status = visit(visitor, order[k], error);
		if (status)
			return status;
	}
	return 0;
}

/* *visits: how many there were: those that there was time for. */
static int one_round(struct visitor *visitor, size_t round, size_t last_round, size_t *visits,
		     struct fathom_error *error)
{
	size_t count = find_open(visitor, round);
	double after = (double)count * (double)(last_round - round);
	*visits = 0;
	visitor_shuffle(visitor, count);
	for (size_t first = 0, end; first < count; first = end) {
		end = gather(visitor, first, count);
		int status = visit_group(visitor, first, end, (double)(count - first) + after,
					 visits, error);
		if (status)
			return status;
	}
	return 0;
}

/* Have they memory in common, which is kept? Each number of threads has, for chains and for
 * streams, of each kind of page. */
static bool share_memory(const struct fathom_spec *a, const struct fathom_spec *b)
{
	bool kept = a->warmth != FATHOM_COLD_MAPPED && b->warmth != FATHOM_COLD_MAPPED;
	return kept && a->threads == b->threads && a->page == b->page &&
	       fathom_pattern_streams(a->pattern) == fathom_pattern_streams(b->pattern);
}

/* The first of those that need most of the memory that they share; NULL: it is not kept. */
static const struct tally *find_largest(const struct schedule *schedule,
					const struct fathom_spec *spec)
{
	const struct tally *largest = NULL;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct tally *tally = &schedule->tallies[i];
		if (share_memory(&tally->spec, spec) &&
		    (!largest ||
		     spec_memory_bytes(&tally->spec) > spec_memory_bytes(&largest->spec)))
			largest = tally;
	}
	return largest;
}

/* The memory is touched before anything is timed. */
static int touch_memory(struct visitor *visitor, struct fathom_error *error)
{
	const struct schedule *schedule = &visitor->schedule;
	struct meter_placement placement;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct fathom_spec *spec = &schedule->tallies[i].spec;
		if (find_largest(schedule, spec) != &schedule->tallies[i])
			continue;
		int status = visitor->meter->ops->prepare(visitor->meter, spec, spec->seed, true,
							  &placement, error);
		if (status)
			return status;
	}
	return 0;
}

/* Where the first curve has sizes enough to show it; until then caches might be of any size, and
 * warming takes long. */
static void find_reach(struct visitor *visitor)
{
	struct schedule *schedule = &visitor->schedule;
	if (visitor->plan->experiment == FATHOM_PAGES)
		schedule->reach_bytes =
			reach_find(schedule->tallies, schedule_main_count(schedule));
}

/* The next number of blocks at which intervals are looked at; a point that has fewer once a number
 * is reached had no time. */
static int all_rounds(struct visitor *visitor, struct floors *floors, struct fathom_error *error)
{
	static const char *const stages[SCHEDULE_FEWEST_BLOCKS] = {"round 1 of 6", "round 2 of 6",
								   "round 3 of 6", "round 4 of 6",
								   "round 5 of 6", "round 6 of 6"};
	size_t last = SCHEDULE_FEWEST_BLOCKS, visits = 1;
	if (visitor->plan->placements)
		last = visitor->plan->placements;
	for (size_t round = 1; visits; round++) { /* until all are done, or there is no time */
		if (round > last)
			last = tally_next_look(last);
		visitor->stage =
			round <= SCHEDULE_FEWEST_BLOCKS ? stages[round - 1] : "more rounds";
		int status = one_round(visitor, round, last, &visits, error);
		if (status)
			return status;
		if (floors_measure(floors, &visitor->schedule, visitor->meter, error))
			return -1;
		if (round == 1)
			find_reach(visitor);
	}
	return 0;
}

int rounds_run(const struct fathom_plan *plan, struct meter *meter,
	       const struct fathom_observer *observer, struct fathom_result *result,
	       struct fathom_error *error)
{
	struct visitor visitor;
	struct floors floors = {0};
	int status = visitor_open(&visitor, plan, meter, observer, 0, error);
	if (status == 0)
		status = touch_memory(&visitor, error);
	if (status == 0)
		status = floors_measure(&floors, &visitor.schedule, meter, error);
	if (status == 0)
		status = all_rounds(&visitor, &floors, error);
	if (status >= 0 &&
	    floors_settle(&floors, &visitor.schedule, meter, &result->warnings, error))
		status = -1;
	return visitor_close(&visitor, status, result, error);
}
