#include "measure/schedule/rounds.h"

#include <math.h>

#include "base/warnings.h"
#include "measure/schedule/chosen.h"
#include "measure/schedule/floors.h"
#include "measure/schedule/reach.h"
#include "measure/schedule/visit.h"
#include "measure/spec.h"

#define FEWEST_HOPS        8192
#define BLOCKS_A_PLACEMENT 3 /* tell its own spread from that between placements */
#define MOST_HOPS          1e12
#define LONGEST_READ_S     0.02
#define RESERVE_SHARE      0.2 /* of the time, for batches that are repeated */
#define SURE               1.5 /* times what is missing is left for it */
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

/* Is the difference of the two what the experiment is about? Then block after block of the one is
 * measured right after, or before, that of the other. */
static bool is_pair(const struct visitor *visitor, const struct tally *a, const struct tally *b)
{
	return a == b || choice_is_pair(visitor->plan, &a->spec, &b->spec);
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
	double blocks = blocks_a_visit(visitor), fewest = blocks * FEWEST_HOPS;
	double hops = fmax(fewest, (share_s - tally->besides_s) / hop_s);
	if (visitor->extra_s >= 0)
		hops = fmin(hops, fewest + visitor->extra_s / hop_s);
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

/* What the last round took over what was expected of it. */
static double slowness(const struct visitor *visitor, const struct chosen *chosen)
{
	double took_s = visitor_elapsed_s(visitor) - chosen->since_s;
	return chosen->expected_s > 0 ? fmax(1, took_s / chosen->expected_s) : 1;
}

/* Leaves as many points as there is time for in so many rounds more, and lets visits be as much
 * longer as is surely left. Returns how many are not left. */
static size_t keep(struct visitor *visitor, struct chosen *chosen, size_t rounds)
{
	double left_s = visitor_left_s(visitor) / slowness(visitor, chosen);
	size_t lost = chosen_keep(chosen, visitor, left_s);
	double missing_s = choice_missing_s(&chosen->choice, chosen->visits);
	double spare_s = fmax(0, left_s - SURE * missing_s);
	visitor->extra_s = spare_s / (double)(rounds * visitor->schedule.count);
	chosen->since_s = visitor_elapsed_s(visitor);
	chosen->expected_s = (missing_s + spare_s) / (double)rounds;
	return lost;
}

/* One visit to each point that there will be time for, what tells most first: what these take
 * shows which they are. Those are left. Returns 0, -1 or 1 (stopped); *left_out: how many are not.
 */
static int first_pass(struct visitor *visitor, struct chosen *chosen, size_t *left_out,
		      struct fathom_error *error)
{
	double reserve_s = RESERVE_SHARE * visitor_left_s(visitor);
	size_t before = visitor->schedule.count, count;
	visitor->stage = "first pass";
	while (visitor_left_s(visitor) > 0 &&
	       (count = chosen_next(chosen, visitor, visitor_left_s(visitor) - reserve_s))) {
		visitor_shuffle(visitor, count);
		for (size_t k = 0; k < count; k++) {
			int status = visit(visitor, visitor->schedule.order[k], error);
			if (status)
				return status;
		}
		find_reach(visitor);
	}
	chosen_keep(chosen, visitor, visitor_left_s(visitor) - reserve_s / 2);
	*left_out = before - visitor->schedule.count;
	return 0;
}

/* The next number of blocks at which intervals are looked at; a point that has fewer once a number
 * is reached had no time. *lost: how many points there was no time for after all. */
static int all_rounds(struct visitor *visitor, struct chosen *chosen, struct floors *floors,
		      size_t *lost, struct fathom_error *error)
{
	static const char *const stages[SCHEDULE_FEWEST_BLOCKS] = {"round 1 of 6", "round 2 of 6",
								   "round 3 of 6", "round 4 of 6",
								   "round 5 of 6", "round 6 of 6"};
	size_t first = chosen->visits, last = first, visits = 1;
	for (size_t round = 2; visits || round <= first; round++) {
		if (round > first)
			visitor->extra_s = -1;
		if (round > last)
			last = tally_next_look(last);
		else if (last == first)
			*lost += keep(visitor, chosen, last - round + 1);
		visitor->stage =
			round <= SCHEDULE_FEWEST_BLOCKS ? stages[round - 1] : "more rounds";
		int status = one_round(visitor, round, last, &visits, error);
		if (status)
			return status;
		if (floors_measure(floors, &visitor->schedule, visitor->meter, error))
			return -1;
	}
	return 0;
}

static int measure_chosen(struct visitor *visitor, struct floors *floors, size_t *left_out,
			  size_t *lost, struct fathom_error *error)
{
	struct chosen chosen;
	int status = chosen_open(&chosen, visitor, blocks_a_visit(visitor), error);
	if (status == 0)
		status = first_pass(visitor, &chosen, left_out, error);
	if (status == 0)
		status = all_rounds(visitor, &chosen, floors, lost, error);
	if (status == 0)
		*lost += chosen_finish(&chosen, visitor);
	chosen_close(&chosen);
	return status;
}

/* What the tool itself chose to measure it may leave out. */
static void warn_of_points(const struct fathom_plan *plan, size_t left_out, size_t lost,
			   struct fathom_warnings *warnings)
{
	if (plan->asked && left_out)
		warnings_add(warnings, "points-left-out", NULL, "give more time with --budget",
			     "%zu of %zu points did not fit in the budget and are left out",
			     left_out, plan->spec_count);
	if (lost)
		warnings_add(warnings, "points-lost", NULL, "repeat on a quieter machine",
			     "%zu of %zu points are left out: they took longer than planned", lost,
			     plan->spec_count);
}

int rounds_run(const struct fathom_plan *plan, struct meter *meter,
	       const struct fathom_observer *observer, struct fathom_result *result,
	       struct fathom_error *error)
{
	struct visitor visitor;
	struct floors floors = {0};
	size_t left_out = 0, lost = 0;
	int status = visitor_open(&visitor, plan, meter, observer, 0, error);
	if (status == 0)
		status = touch_memory(&visitor, error);
	if (status == 0)
		status = floors_measure(&floors, &visitor.schedule, meter, error);
	if (status == 0)
		status = measure_chosen(&visitor, &floors, &left_out, &lost, error);
	if (status >= 0 &&
	    floors_settle(&floors, &visitor.schedule, meter, &result->warnings, error))
		status = -1;
	if (status == 0)
		warn_of_points(plan, left_out, lost, &result->warnings);
	return visitor_close(&visitor, status, result, error);
}
