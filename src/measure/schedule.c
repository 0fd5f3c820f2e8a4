#include "measure/schedule.h"

#include <math.h>

#include "measure/reach.h"
#include "measure/spec.h"

#define CACHES_TO_ANYWHERE  2
#define ROUNDING            1e-9
#define OCTAVE              1.99 /* sizes are whole nodes */
#define BLOCKS_A_BUILD      3
#define LARGEST_CACHE_BYTES (256ull << 20) /* of one core's, until a first pass has shown it */
#define SHARED_LINE_VISITS  3
#define LONGEST_STEADY_S    0.005
/* Of the budget, or half of a size's share where that is more. */
#define LONGEST_ALONE_SHARE 0.005
/* For planning alone: laps that fill the caches, and how much sooner several lanes make a hop. */
#define USUAL_WARM_LAPS 3
#define USUAL_OVERLAP   6

struct schedule schedule_make(struct tally *tallies, size_t count, uint64_t always_bytes,
			      uint64_t line_bytes, double budget_s)
{
	struct schedule schedule = {
		.tallies = tallies,
		.count = count,
		.line_bytes = line_bytes,
		.budget_s = budget_s,
	};
	size_t octave = 0; /* the last size that is twice the one before or more */
	while (schedule.always_count < count &&
	       tallies[schedule.always_count].spec.size_bytes <= always_bytes)
		schedule.always_count++;
	for (size_t i = 1; i < count; i++) {
		tallies[i].stride = (i - octave) & -(i - octave);
		if ((double)tallies[i].spec.size_bytes >=
		    OCTAVE * (double)tallies[octave].spec.size_bytes) {
			tallies[i].stride = 0;
			octave = i;
		}
	}
	if (schedule.always_count)
		tallies[schedule.always_count - 1].stride = 0;
	return schedule;
}

/* ---- warming ---- */

static uint64_t lap_hops(const struct tally *tally)
{
	uint64_t nodes = spec_nodes(&tally->spec);
	return tally->spec.pattern == FATHOM_RANDOM_LAPS ? nodes * tally->spec.laps : nodes;
}

/* Hops that touch nearly all lines of so many bytes, at most a lap: one a line, or where several
 * nodes share a line and a hop often finds one that was touched, SHARED_LINE_VISITS (leaves 5 %).
 */
static uint64_t covering_hops(const struct schedule *schedule, const struct tally *tally,
			      uint64_t bytes)
{
	uint64_t lap = lap_hops(tally), hops = bytes / schedule->line_bytes;
	if (tally->spec.node_bytes < schedule->line_bytes)
		hops *= SHARED_LINE_VISITS;
	return hops < lap ? hops : lap;
}

/* The whole chain, or as much as the last cache can hold: what was built and lies ahead must be
 * gone. */
static uint64_t warm_hops(const struct schedule *schedule, const struct tally *tally)
{
	uint64_t reach_bytes = schedule->reach_bytes ? schedule->reach_bytes : LARGEST_CACHE_BYTES;
	return covering_hops(schedule, tally, reach_bytes);
}

/* A chase that is about as large as the last cache may lose what several lanes could keep there: it
 * has to show that it does not. Of smaller ones nothing is lost, of larger ones nothing is kept. */
static uint64_t alone_hops(const struct schedule *schedule, const struct tally *tally)
{
	uint64_t size_bytes = tally->spec.size_bytes, reach_bytes = schedule->reach_bytes;
	bool may_lose = !reach_bytes || (size_bytes > reach_bytes / 2 && size_bytes <= reach_bytes);
	return may_lose ? covering_hops(schedule, tally, size_bytes) : 0;
}

static double longest_alone_s(const struct schedule *schedule)
{
	double share = 0.5 / SCHEDULE_FEWEST_BLOCKS / (double)schedule->count;
	return schedule->budget_s * fmax(share, LONGEST_ALONE_SHARE);
}

void schedule_warming(const struct schedule *schedule, const struct tally *tally, bool again,
		      struct sampler_options *options)
{
	options->lap_hops = lap_hops(tally);
	options->warm_hops = again ? 0 : warm_hops(schedule, tally);
	options->alone_hops = alone_hops(schedule, tally);
	options->warm_ns =
		1e9 * (options->alone_hops ? longest_alone_s(schedule) : LONGEST_STEADY_S);
}

static double usual_warm_s(const struct schedule *schedule, const struct tally *tally)
{
	double hop_s = tally_median_ns(tally) * 1e-9;
	uint64_t hops = warm_hops(schedule, tally);
	double laps = hops == lap_hops(tally) ? USUAL_WARM_LAPS : 1;
	double alone_s =
		fmin(longest_alone_s(schedule), (double)alone_hops(schedule, tally) * hop_s);
	return laps * (double)hops * hop_s / USUAL_OVERLAP + alone_s;
}

void schedule_set_reach(struct schedule *schedule)
{
	uint64_t reach_bytes = reach_find(schedule->tallies, schedule->count);
	schedule->last_count = schedule->always_count;
	schedule->reach_bytes = reach_bytes ? reach_bytes : schedule->tallies[0].spec.size_bytes;
	/* A first pass warms longer than later visits will. Without that, a larger size takes no
	 * less: one that did tells that this one had been disturbed. */
	double least_s = INFINITY;
	for (size_t i = schedule->count; i-- > 0;) {
		struct tally *tally = &schedule->tallies[i];
		if (tally->block_count == 0)
			continue;
		if (i >= schedule->last_count)
			schedule->last_count = i + 1;
		least_s = fmin(least_s, tally->cost_s - tally->warm_s);
		tally->cost_s = least_s + usual_warm_s(schedule, tally);
	}
}

/* ---- costs ---- */

unsigned schedule_blocks_a_visit(const struct schedule *schedule, const struct tally *tally)
{
	if (!schedule->reach_bytes ||
	    tally->spec.size_bytes <= CACHES_TO_ANYWHERE * schedule->reach_bytes)
		return 1;
	return BLOCKS_A_BUILD;
}

double schedule_cost_s(const struct schedule *schedule, size_t index)
{
	for (size_t i = index; i < schedule->count; i++)
		if (!isnan(schedule->tallies[i].cost_s))
			return schedule->tallies[i].cost_s;
	for (size_t i = index; i-- > 0;)
		if (!isnan(schedule->tallies[i].cost_s))
			return schedule->tallies[i].cost_s;
	return 0;
}

/* What a size still needs for its first interval. */
static double missing_s(const struct schedule *schedule, size_t index)
{
	const struct tally *tally = &schedule->tallies[index];
	if (tally->block_count >= SCHEDULE_FEWEST_BLOCKS)
		return 0;
	double blocks = (double)(SCHEDULE_FEWEST_BLOCKS - tally->block_count);
	return schedule_cost_s(schedule, index) *
	       ceil(blocks / schedule_blocks_a_visit(schedule, tally));
}

/* ---- decisions ---- */

static double all_missing_s(const struct schedule *schedule)
{
	double needed_s = 0;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->tallies[i].wanted)
			needed_s += missing_s(schedule, i);
	return needed_s;
}

void schedule_choose(struct schedule *schedule, double allowed_s)
{
	for (size_t i = 0; i < schedule->count; i++)
		schedule->tallies[i].wanted =
			i < schedule->always_count || schedule->tallies[i].block_count > 0;
	schedule_trim(schedule, allowed_s);
}

void schedule_trim(struct schedule *schedule, double left_s)
{
	double needed_s = all_missing_s(schedule);
	while (needed_s > left_s) {
		struct tally *dearest = NULL;
		double most_s = 0, saved_s = 0;
		for (size_t i = 0; i < schedule->count; i++) {
			size_t stride = schedule->tallies[i].stride;
			double cost_s = missing_s(schedule, i);
			if (!schedule->tallies[i].wanted || !stride ||
			    cost_s / (double)stride <= most_s)
				continue;
			dearest = &schedule->tallies[i];
			most_s = cost_s / (double)stride;
			saved_s = cost_s;
		}
		if (!dearest)
			return;
		dearest->wanted = false;
		needed_s -= saved_s;
	}
}

/* Blocks until the size is looked at as exact; 0: it is. */
static double blocks_to_target(const struct tally *tally, double target)
{
	double excess = tally_half_width(tally) / fmax(target, tally->resolution);
	double blocks = (double)tally->block_count;
	double to_look = (double)tally_next_look(tally->block_count) - blocks;
	if (tally->block_count < SCHEDULE_FEWEST_BLOCKS)
		return to_look;
	return excess > 1 + ROUNDING ? fmax(to_look, blocks * (excess * excess - 1)) : 0;
}

size_t schedule_soonest(const struct schedule *schedule, double target, double left_s)
{
	size_t best = schedule->count;
	double least_s = left_s;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct tally *tally = &schedule->tallies[i];
		double blocks = blocks_to_target(tally, target);
		double cost_s = schedule_cost_s(schedule, i) *
				ceil(blocks / schedule_blocks_a_visit(schedule, tally));
		if (blocks > 0 && i < schedule->last_count && cost_s < least_s) {
			least_s = cost_s;
			best = i;
		}
	}
	return best;
}
