#include "model/levels/levels.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "document/table.h"
#include "model/levels/doubts.h"
#include "model/levels/emit.h"
#include "model/levels/trace.h"

/* What would end below the smallest size is part of the first level. */
static void drop_unseen(struct group *group)
{
	struct steps *steps = &group->steps;
	size_t count = steps->count;
	steps->count = 0;
	for (size_t i = 0; i < count; i++)
		if (!emit_is_unseen(group, steps->items[i].ln_reach))
			steps->items[steps->count++] = steps->items[i];
	if (steps->count < count)
		steps_solve(&group->problem, steps);
}

/* Judges each step, and makes of it what it was judged to be. What a control leaves open is most
 * often lines that others took: no hit takes it. */
static int judge(struct emitter *emitter, struct fathom_error *error)
{
	struct group *group = &emitter->group;
	bool controlled = group_role(group, STEPS_CONTROL) != GROUP_NO_CURVE;
	drop_unseen(group);
	for (size_t i = 0; i < group->steps.count; i++) {
		struct step *step = &group->steps.items[i];
		emitter->judged[i] = judge_step(group, i);
		if (!emitter->judged[i].evidence)
			return error_no_memory(error);
		bool translation = emitter->judged[i].kind == FATHOM_LEVEL_TLB;
		if (step->translation == translation ||
		    emitter->judged[i].kind == FATHOM_LEVEL_UNKNOWN)
			continue;
		hierarchy_assign(&group->problem, &group->options, translation, i, &group->steps);
		if (step->translation != translation) /* another of its kind is too near */
			emitter->judged[i].kind = FATHOM_LEVEL_UNKNOWN;
	}
	for (size_t i = 0; i < group->steps.count; i++)
		group->steps.items[i].apart =
			controlled && emitter->judged[i].kind == FATHOM_LEVEL_UNKNOWN;
	group_spread(group);
	steps_errors(&group->problem, &group->steps, emitter->sums_error);
	return 0;
}

static int find_in_group(struct emitter *emitter, struct fathom_error *error)
{
	struct fathom_result *result = emitter->result;
	struct budget budget = budget_make(emitter->observer);
	size_t first = result->level_count, likeliest = result->hypothesis_count;
	emitter->group.budget = &budget;
	int status = group_fit(&emitter->group, error);
	bool spent = budget_is_over(&budget);
	if (!spent)
		budget_end_search(&budget);
	if (status == 0)
		status = budget_check_stop(emitter->observer, error);
	if (status == 0 && emitter->group.data[0].count < GROUP_FEWEST_SIZES) {
		if (doubts_about_count(result, &emitter->group))
			status = error_no_memory(error);
	} else if (status == 0) {
		status = judge(emitter, error) || emit_all(emitter, error) ||
					 trace_add(result, &emitter->group, error)
				 ? -1
				 : 0;
		if (status == 0 &&
		    (doubts_about_fit(result, &emitter->group, first) ||
		     (spent && doubts_about_search(result, &emitter->group, likeliest))))
			status = error_no_memory(error);
	}
	for (size_t i = 0; i < STEPS_MOST; i++)
		free(emitter->judged[i].evidence);
	if (status == 0 && emitter->chains && emitter->group.paged != GROUP_NO_CURVE)
		group_move(&emitter->group, emitter->chains);
	group_free(&emitter->group);
	return status;
}

static void clear(struct fathom_result *result)
{
	table_free_items(&level_table, result->levels, result->level_count);
	table_free_items(&hypothesis_table, result->hypotheses, result->hypothesis_count);
	result->levels = NULL;
	result->hypotheses = NULL;
	result->level_count = result->hypothesis_count = 0;
}

int levels_find(struct fathom_result *result, const struct fathom_observer *observer,
		struct group *chains, struct fathom_error *error)
{
	int status = 0;
	if (chains)
		*chains = (struct group){.paged = GROUP_NO_CURVE};
	struct emitter *emitter = calloc(1, sizeof(*emitter)); /* stacks may be small */
	if (!emitter)
		return error_no_memory(error);
	emitter->result = result;
	emitter->observer = observer;
	emitter->chains = chains;
	doubts_clear(result);
	clear(result);
	for (size_t next = 0; !status && group_next(result, &next, &emitter->group);) {
		memset(emitter->judged, 0, sizeof(emitter->judged));
		status = find_in_group(emitter, error);
	}
	if (status)
		clear(result);
	free(emitter);
	return status ? -1 : 0;
}
