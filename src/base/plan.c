#include "base/plan.h"

#include <stdlib.h>

void fathom_plan_free(struct fathom_plan *plan)
{
	if (!plan)
		return;
	free(plan->machine);
	free(plan->events);
	free(plan->cpus);
	free(plan->specs);
	free(plan);
}

bool plan_is_of_pairs(const struct fathom_plan *plan)
{
	return plan->experiment == FATHOM_CORE_TO_CORE;
}

bool plan_same_curve(const struct fathom_spec *a, const struct fathom_spec *b)
{
	/* Along the pages there are as many nodes as pages. */
	bool sizes = a->axis == FATHOM_AXIS_SIZE || a->axis == FATHOM_AXIS_PAGES;
	if (a->axis != b->axis || (!sizes && a->size_bytes != b->size_bytes) ||
	    (a->axis != FATHOM_AXIS_LAP && a->lap != b->lap) ||
	    (a->axis != FATHOM_AXIS_LANES && a->lanes != b->lanes))
		return false;
	return a->node_bytes == b->node_bytes && a->window_bytes == b->window_bytes &&
	       a->stride_bytes == b->stride_bytes && a->seed == b->seed && a->laps == b->laps &&
	       a->threads == b->threads && a->vector_bytes == b->vector_bytes &&
	       a->pattern == b->pattern && a->link == b->link && a->warmth == b->warmth &&
	       a->page == b->page && a->lane_store == b->lane_store;
}

size_t plan_curve_end(const struct fathom_plan *plan, size_t first)
{
	size_t end = first;
	while (end < plan->spec_count && plan_same_curve(&plan->specs[end], &plan->specs[first]))
		end++;
	return end;
}
