#include "base/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"

void fathom_plan_free(struct fathom_plan *plan)
{
	if (!plan)
		return;
	free(plan->machine);
	free(plan->events);
	free(plan->cpus);
	free(plan->traffic);
	free(plan->siblings);
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

size_t plan_fewest_blocks(const struct fathom_plan *plan)
{
	return plan->experiment == FATHOM_SETTLING ? 3 : 6;
}

/* ---- traffic ---- */

enum fathom_traffic plan_traffic_at(const struct fathom_plan *plan, size_t number)
{
	const char *at = plan->traffic ? plan->traffic : "";
	for (; number && *at; number--)
		at += strcspn(at, ",") + (at[strcspn(at, ",")] == ',');
	size_t length = strcspn(at, ",");
	for (int traffic = FATHOM_TRAFFIC_READS; traffic < FATHOM_TRAFFIC_COUNT; traffic++) {
		const char *name = fathom_traffic_name(traffic);
		if (strlen(name) == length && strncmp(name, at, length) == 0)
			return (enum fathom_traffic)traffic;
	}
	return FATHOM_TRAFFIC_UNKNOWN;
}

size_t plan_traffic_count(const struct fathom_plan *plan)
{
	size_t count = 0;
	while (plan_traffic_at(plan, count) != FATHOM_TRAFFIC_UNKNOWN)
		count++;
	return count;
}

/* ---- siblings ---- */

enum fathom_sibling plan_next_sibling(const char **at)
{
	size_t length = strcspn(*at, ",");
	for (int state = FATHOM_SIBLING_IDLE; sibling_name(state); state++) {
		const char *name = sibling_name(state);
		if (strlen(name) == length && strncmp(name, *at, length) == 0) {
			*at += length + ((*at)[length] == ',' && (*at)[length + 1]);
			return (enum fathom_sibling)state;
		}
	}
	return FATHOM_SIBLING_ANY;
}

enum fathom_sibling plan_sibling_at(const struct fathom_plan *plan, size_t number)
{
	const char *at = plan->siblings ? plan->siblings : "";
	enum fathom_sibling state = plan_next_sibling(&at);
	while (number-- > 0)
		state = plan_next_sibling(&at);
	return state;
}

size_t plan_sibling_count(const struct fathom_plan *plan)
{
	size_t count = 0;
	while (plan_sibling_at(plan, count) != FATHOM_SIBLING_ANY)
		count++;
	return count ? count : 1;
}

/* ---- single accesses ---- */

bool plan_is_control(const struct fathom_plan *plan, size_t which)
{
	const struct fathom_spec *spec = &plan->specs[which];
	bool windows = false;
	for (size_t i = 0; i < plan->spec_count; i++)
		windows |= plan->specs[i].window_bytes && plan->specs[i].page == spec->page &&
			   plan->specs[i].size_bytes == spec->size_bytes &&
			   plan->specs[i].warmth == spec->warmth;
	return windows || spec->page != plan->specs[0].page;
}

bool plan_has_controls(const struct fathom_plan *plan)
{
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan_is_control(plan, i))
			return true;
	return false;
}

uint64_t plan_accesses(const struct fathom_plan *plan, size_t which)
{
	bool fewer = plan_is_control(plan, which) && plan->steps > PLAN_CONTROL_ACCESSES;
	return fewer ? PLAN_CONTROL_ACCESSES : plan->steps;
}
