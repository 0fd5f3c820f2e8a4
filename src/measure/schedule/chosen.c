#include "measure/schedule/chosen.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"

#define LANES_SHARE 0.1 /* of the time that is left */
#define DOUBT                                                                                      \
	2 /* times what was to be expected: it was disturbed, or something was learnt first        \
	   */

int chosen_open(struct chosen *chosen, const struct runner *runner, unsigned blocks,
		struct fathom_error *error)
{
	size_t count = runner->schedule.count;
	const struct fathom_plan *plan = runner->plan;
	/* Of settled chains each visit tells something by itself: none is given up for others. */
	size_t visits = plan->experiment == FATHOM_SETTLING ? 1 : choice_visits(plan);
	*chosen = (struct chosen){.visits = visits, .blocks = blocks};
	chosen->spec_of = calloc(count, sizeof(*chosen->spec_of));
	chosen->aside = calloc(count, sizeof(*chosen->aside));
	chosen->aside_spec_of = calloc(count, sizeof(*chosen->aside_spec_of));
	if (!chosen->spec_of || !chosen->aside || !chosen->aside_spec_of)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++)
		chosen->spec_of[i] = i;
	return choice_open(&chosen->choice, runner->plan, error);
}

void chosen_close(struct chosen *chosen)
{
	choice_close(&chosen->choice);
	for (size_t i = 0; i < chosen->aside_count; i++)
		accumulator_free(&chosen->aside[i]);
	free(chosen->aside);
	free(chosen->aside_spec_of);
	free(chosen->spec_of);
	*chosen = (struct chosen){0};
}

static struct choice_unit *unit_of_spec(const struct chosen *chosen, size_t spec)
{
	return &chosen->choice.units[chosen->choice.unit_of[spec]];
}

static struct choice_unit *unit_of(const struct chosen *chosen, size_t accumulator)
{
	return unit_of_spec(chosen, chosen->spec_of[accumulator]);
}

/* ---- what visits took ---- */

/* How many accumulators one visit took, from the first of them on. */
static size_t count_along(const struct runner *runner, size_t first)
{
	const struct schedule *schedule = &runner->schedule;
	size_t end = first + 1;
	while (end < schedule->count && runner_goes_along(runner, &schedule->accumulators[end]))
		end++;
	return end - first;
}

/* The least counts: what a visit took that was meant to be longer tells nothing of what is needed,
 * and one that was disturbed neither. A first one that took far longer than was to be expected is
 * not believed before a second. */
static void take_cost(struct choice_unit *unit, double took_s, size_t visits)
{
	bool first = unit->visits == 0;
	double before_s = unit->again ? unit->first_s : unit->cost_s;
	unit->again = first && took_s > DOUBT * unit->cost_s;
	if (unit->again) {
		unit->first_s = took_s;
		unit->cost_s *= DOUBT;
	} else {
		unit->cost_s = first ? took_s : fmin(before_s, took_s);
	}
	unit->visits = visits;
}

/* Of what is visited together the first has the cost: lanes share it. */
static void take_costs(struct chosen *chosen, const struct runner *runner)
{
	const struct schedule *schedule = &runner->schedule;
	for (size_t i = 0, along; i < schedule->count; i += along) {
		const struct accumulator *accumulator = &schedule->accumulators[i];
		along = count_along(runner, i);
		for (size_t k = i; k < i + along && accumulator->block_count; k++)
			unit_of(chosen, k)->took_s += accumulator->cost_s / (double)along;
	}
	for (size_t i = 0; i < schedule->count; i++) {
		struct choice_unit *unit = unit_of(chosen, i);
		size_t visits = schedule->accumulators[i].block_count / chosen->blocks;
		if (unit->took_s > 0 && visits > unit->visits)
			take_cost(unit, unit->took_s, visits);
		unit->took_s = 0;
	}
}

/* ---- what is taken out ---- */

/* Those whose unit is gone. Returns how many. */
static size_t take_out(struct chosen *chosen, struct runner *runner)
{
	struct schedule *schedule = &runner->schedule;
	size_t kept = 0, count = schedule->count;
	for (size_t i = 0; i < count; i++) {
		if (unit_of(chosen, i)->gone) {
			chosen->aside_spec_of[chosen->aside_count] = chosen->spec_of[i];
			chosen->aside[chosen->aside_count++] = schedule->accumulators[i];
			continue;
		}
		chosen->spec_of[kept] = chosen->spec_of[i];
		schedule->accumulators[kept++] = schedule->accumulators[i];
	}
	schedule->count = kept;
	return count - kept;
}

/* A first visit to a curve along the lanes takes all of them, unless that is too much to find out
 * what they take. */
static void trim_lanes(struct chosen *chosen, const struct choice_unit *next, double left_s)
{
	double visit_s = 0;
	for (size_t i = 0; i < chosen->choice.count; i++)
		if (chosen->choice.units[i].family == next->family)
			visit_s += chosen->choice.units[i].cost_s;
	if (visit_s <= LANES_SHARE * left_s)
		return;
	for (size_t i = 0; i < chosen->choice.count; i++) {
		struct choice_unit *unit = &chosen->choice.units[i];
		unit->gone |= unit->family == next->family && !unit->wanted;
	}
}

static void reconsider(struct chosen *chosen, const struct runner *runner, double left_s)
{
	take_costs(chosen, runner);
	choice_estimate(&chosen->choice);
	choice_trim(&chosen->choice, chosen->visits, left_s);
}

size_t chosen_next(struct chosen *chosen, struct runner *runner, double left_s)
{
	struct schedule *schedule = &runner->schedule;
	size_t count = 0;
	reconsider(chosen, runner, left_s);
	size_t next = choice_next(&chosen->choice);
	if (next == chosen->choice.count)
		return 0;
	const struct choice_unit *unit = &chosen->choice.units[next];
	if (unit->is_lane) {
		trim_lanes(chosen, unit, left_s);
		take_out(chosen, runner);
	}
	for (size_t i = 0; i < schedule->count; i++) {
		bool together = unit->is_lane ? unit_of(chosen, i)->family == unit->family
					      : unit_of(chosen, i) == unit;
		if (together && !runner_goes_along(runner, &schedule->accumulators[i]))
			schedule->order[count++] = &schedule->accumulators[i];
	}
	return count;
}

size_t chosen_keep(struct chosen *chosen, struct runner *runner, double left_s)
{
	reconsider(chosen, runner, left_s);
	for (size_t i = 0; i < chosen->choice.count; i++)
		chosen->choice.units[i].gone |= !chosen->choice.units[i].wanted;
	return take_out(chosen, runner);
}

/* Back where the plan has it. */
static void put_back(struct chosen *chosen, struct schedule *schedule, size_t aside)
{
	size_t spec = chosen->aside_spec_of[aside], at = schedule->count++;
	for (; at > 0 && chosen->spec_of[at - 1] > spec; at--) {
		schedule->accumulators[at] = schedule->accumulators[at - 1];
		chosen->spec_of[at] = chosen->spec_of[at - 1];
	}
	schedule->accumulators[at] = chosen->aside[aside];
	chosen->spec_of[at] = spec;
}

size_t chosen_restore(struct chosen *chosen, struct runner *runner, double left_s)
{
	size_t kept = 0, count = chosen->aside_count;
	for (size_t i = 0; i < chosen->choice.count; i++) {
		struct choice_unit *unit = &chosen->choice.units[i];
		unit->gone &= unit->visits > 0 || unit->is_lane;
	}
	reconsider(chosen, runner, left_s);
	for (size_t i = 0; i < chosen->choice.count; i++)
		chosen->choice.units[i].gone |= !chosen->choice.units[i].wanted;
	for (size_t i = 0; i < count; i++) {
		if (!unit_of_spec(chosen, chosen->aside_spec_of[i])->gone) {
			put_back(chosen, &runner->schedule, i);
			continue;
		}
		chosen->aside_spec_of[kept] = chosen->aside_spec_of[i];
		chosen->aside[kept++] = chosen->aside[i];
	}
	chosen->aside_count = kept;
	return count - kept;
}

size_t chosen_finish(struct chosen *chosen, struct runner *runner)
{
	struct choice *choice = &chosen->choice;
	size_t best = choice_best(choice);
	take_costs(chosen, runner);
	for (size_t i = 0; i < choice->count; i++)
		choice->units[i].gone |= i != best && choice->units[i].visits < chosen->visits;
	return take_out(chosen, runner);
}
