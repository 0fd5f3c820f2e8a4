#include "measure/schedule.h"

#include <math.h>

#include "measure/reach.h"
#include "measure/spec.h"

#define CACHES_TO_ANYWHERE  2
#define BLOCKS_A_BUILD      3
#define LARGEST_CACHE_BYTES (256ull << 20) /* of one core's, until a first pass has shown it */
#define LONGEST_STEADY_S    0.005
#define LONGEST_ALONE_SHARE 0.01 /* of the budget, or half of a size's share where that is more */
/* For planning alone: laps that fill the caches, and how much sooner several lanes make a hop. */
#define USUAL_WARM_LAPS 3
#define USUAL_OVERLAP   6

struct schedule schedule_make(struct tally *tallies, size_t count, uint64_t always_bytes,
			      uint64_t line_bytes, double budget_s)
{
	struct schedule schedule = {
		.tallies = tallies,
		.count = count,
		.octave_step = 1,
		.line_bytes = line_bytes,
		.budget_s = budget_s,
	};
	uint64_t octave_bytes = 2 * tallies[0].spec.size_bytes;
	while (schedule.always_count < count &&
	       tallies[schedule.always_count].spec.size_bytes <= always_bytes)
		schedule.always_count++;
	while (schedule.octave_step < count &&
	       tallies[schedule.octave_step].spec.size_bytes < octave_bytes)
		schedule.octave_step++;
	return schedule;
}

/* ---- warming ---- */

static uint64_t lap_hops(const struct tally *tally)
{
	uint64_t nodes = spec_nodes(&tally->spec);
	return tally->spec.pattern == FATHOM_RANDOM_LAPS ? nodes * tally->spec.laps : nodes;
}

/* A lap, or as much as the last cache can hold: what was built and lies ahead must be gone. */
static uint64_t warm_hops(const struct schedule *schedule, const struct tally *tally)
{
	uint64_t lap = lap_hops(tally);
	uint64_t reach_bytes = schedule->reach_bytes ? schedule->reach_bytes : LARGEST_CACHE_BYTES;
	uint64_t node_bytes = tally->spec.node_bytes;
	uint64_t enough = reach_bytes /
			  (node_bytes < schedule->line_bytes ? node_bytes : schedule->line_bytes);
	return enough < lap ? enough : lap;
}

/* A chase that is about as large as the last cache may lose what several lanes could keep there: it
 * has to show that it does not. Of smaller ones nothing is lost, of larger ones nothing is kept. */
static uint64_t alone_hops(const struct schedule *schedule, const struct tally *tally)
{
	uint64_t size_bytes = tally->spec.size_bytes, reach_bytes = schedule->reach_bytes;
	bool may_lose = !reach_bytes || (size_bytes > reach_bytes / 2 && size_bytes <= reach_bytes);
	return may_lose ? lap_hops(tally) : 0;
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
	schedule->reach_bytes =
		reach_find(schedule->tallies, schedule->count, schedule->octave_step);
	/* A first pass warms longer than later visits will. */
	for (struct tally *tally = schedule->tallies; tally < schedule->tallies + schedule->count;
	     tally++)
		if (tally->block_count)
			tally->cost_s += usual_warm_s(schedule, tally) - tally->warm_s;
}

/* ---- costs ---- */

unsigned schedule_blocks_a_visit(const struct schedule *schedule, const struct tally *tally)
{
	if (!schedule->reach_bytes ||
	    tally->spec.size_bytes <= CACHES_TO_ANYWHERE * schedule->reach_bytes)
		return 1;
	return schedule->one_build ? SCHEDULE_FEWEST_BLOCKS : BLOCKS_A_BUILD;
}

double schedule_cost_s(const struct schedule *schedule, size_t index)
{
	const struct tally *tallies = schedule->tallies;
	double cost_s = INFINITY;
	/* A larger size takes no less: one that did tells that this one had been disturbed. */
	for (size_t i = index; i < schedule->count; i++)
		cost_s = fmin(cost_s, tallies[i].cost_s);
	for (size_t i = index; i-- > 0;)
		if (!isnan(tallies[i].cost_s))
			return fmin(cost_s, tallies[i].cost_s *
						    (double)tallies[index].spec.size_bytes /
						    (double)tallies[i].spec.size_bytes);
	return isinf(cost_s) ? 0 : cost_s;
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

/* Returns whether all fit. */
static bool choose(struct schedule *schedule, double allowed_s)
{
	bool all = true;
	for (size_t i = 0; i < schedule->count; i++) {
		schedule->tallies[i].wanted = schedule->tallies[i].block_count > 0;
		if (schedule->tallies[i].wanted)
			allowed_s -= missing_s(schedule, i);
	}
	for (size_t stride = schedule->octave_step; stride; stride /= 2)
		for (size_t i = 0; i < schedule->always_count; i += stride) {
			double cost_s = missing_s(schedule, i);
			if (schedule->tallies[i].wanted)
				continue;
			schedule->tallies[i].wanted = cost_s <= allowed_s;
			if (schedule->tallies[i].wanted)
				allowed_s -= cost_s;
			else
				all = false;
		}
	return all;
}

void schedule_choose(struct schedule *schedule, double allowed_s)
{
	if (choose(schedule, allowed_s))
		return;
	schedule->one_build = true;
	choose(schedule, allowed_s);
}

void schedule_trim(struct schedule *schedule, double left_s)
{
	double needed_s = 0;
	for (size_t i = 0; i < schedule->count; i++)
		if (schedule->tallies[i].wanted)
			needed_s += missing_s(schedule, i);
	for (size_t stride = 1; stride < schedule->octave_step; stride *= 2)
		for (size_t i = schedule->count; i-- > 0;) {
			if (needed_s <= left_s)
				return;
			if (i % (2 * stride) != stride || !schedule->tallies[i].wanted)
				continue;
			needed_s -= missing_s(schedule, i);
			schedule->tallies[i].wanted = missing_s(schedule, i) == 0;
		}
}

size_t schedule_soonest(const struct schedule *schedule, double target, double left_s)
{
	size_t best = schedule->count;
	double least_s = left_s;
	for (size_t i = 0; i < schedule->count; i++) {
		const struct tally *tally = &schedule->tallies[i];
		double excess = tally_half_width(tally) / target;
		double blocks = (double)tally->block_count;
		double more = fmax((double)tally_next_look(tally->block_count) - blocks,
				   blocks * (excess * excess - 1));
		double cost_s = schedule_cost_s(schedule, i) *
				ceil(more / schedule_blocks_a_visit(schedule, tally));
		if (excess > 1 && cost_s < least_s) {
			least_s = cost_s;
			best = i;
		}
	}
	return best;
}
