#include "model/levels/group.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/slots.h"
#include "model/levels/group_search.h"

/* What the laws are off by, of a cache's size, of a step half-way up, and past it: guesses. */
#define REACH_ERROR           0.004
#define FOREIGN_REACH_ERROR   0.016 /* what order and which memory is not known */
#define SHAPE_ERROR           0.003
#define FOREIGN_SHAPE_ERROR   0.006
#define FOREIGN_PLATEAU_ERROR 0.02
/* So that 95 % intervals of sizes hold as often, on the simulated tuning set. */
#define LRU_TEMPER         1.15
#define FOREIGN_LRU_TEMPER 0.75 /* their larger errors tell of it already */
#define INEXACT_TEMPER     3.0  /* of the laws of other classes, which err more than LRU's */
#define ENTRY_BYTES        8.0  /* of a page table */
#define SETS_IN_PAGE       64   /* of lines: what virtual and physical addresses have in common */
#define FAR                4    /* times a cache: all is missed */

static bool is_main(const struct fathom_curve *curve)
{
	enum pattern_sweep sweep = pattern_traits(curve->points[0].spec.pattern)->sweep;
	return sweep == PATTERN_SWEPT_CYCLE || sweep == PATTERN_SWEPT_ORDER;
}

static bool counts(const struct fathom_curve *curve)
{
	return curve->experiment == FATHOM_LATENCY && curve->axis == FATHOM_AXIS_SIZE &&
	       curve->point_count > 0;
}

/* Of fathom's own curves on the CPU of one, with siblings as there, the first of that order. */
static size_t own_curve(const struct fathom_result *result, const struct fathom_curve *of,
			enum fathom_pattern pattern)
{
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (counts(curve) && !curve->tool && curve->cpu == of->cpu &&
		    curve->sibling == of->sibling && curve->points[0].spec.pattern == pattern)
			return i;
	}
	return GROUP_NO_CURVE;
}

/* Through so many pages of the kind that the curve is on: one line of each, or as many lines side
 * by side. */
static size_t chain_on_pages(const struct fathom_result *result, size_t main,
			     enum fathom_pattern pattern)
{
	uint64_t page_bytes = result->curves[main].points[0].page_bytes;
	for (size_t i = 0; i < result->curve_count && !result->curves[main].tool; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment != FATHOM_PAGES || curve->axis != FATHOM_AXIS_PAGES ||
		    curve->tool || curve->point_count == 0)
			continue;
		const struct fathom_point *point = &curve->points[0];
		bool apart = pattern == FATHOM_RANDOM_CYCLE || point->spec.node_bytes == page_bytes;
		if (page_bytes && point->page_bytes == page_bytes && apart &&
		    point->spec.pattern == pattern)
			return i;
	}
	return GROUP_NO_CURVE;
}

bool group_next(const struct fathom_result *result, size_t *next, struct group *group)
{
	for (size_t i = *next; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (!counts(curve) || !is_main(curve))
			continue;
		bool cycle = curve->points[0].spec.pattern == FATHOM_RANDOM_CYCLE;
		size_t own_cycle = own_curve(result, curve, FATHOM_RANDOM_CYCLE);
		if (!curve->tool && own_cycle != GROUP_NO_CURVE && own_cycle != i)
			continue; /* part of that one's group */
		*group = (struct group){
			.result = result,
			.main = i,
			.ln_core = -INFINITY,
			.control = curve->tool ? GROUP_NO_CURVE
					       : own_curve(result, curve, FATHOM_WINDOW),
			.soft = curve->tool || !cycle
					? GROUP_NO_CURVE
					: own_curve(result, curve, FATHOM_INDEPENDENT),
			.twin = cycle ? chain_on_pages(result, i, FATHOM_RANDOM_CYCLE)
				      : GROUP_NO_CURVE,
			.paged = cycle ? chain_on_pages(result, i, FATHOM_ONE_PER_PAGE)
				       : GROUP_NO_CURVE,
		};
		*next = i + 1;
		return true;
	}
	return false;
}

struct group group_of_pages(const struct fathom_result *result, size_t spread, size_t packed)
{
	return (struct group){
		.result = result,
		.main = packed,
		.control = GROUP_NO_CURVE,
		.soft = GROUP_NO_CURVE,
		.twin = GROUP_NO_CURVE,
		.paged = spread,
		.ln_core = -INFINITY,
	};
}

const struct fathom_curve *group_curve(const struct group *group)
{
	return &group->result->curves[group->main];
}

size_t group_role(const struct group *group, enum steps_role role)
{
	for (size_t i = 1; i < group->problem.curve_count; i++)
		if (group->curves[i].role == role)
			return i;
	return GROUP_NO_CURVE;
}

/* Both were measured alike, but where sizes lie farther apart neighbours differ more by cliffs. */
static void share_noise(const struct curve_data *main, struct curve_data *control)
{
	control->scatter = fmin(main->scatter, control->scatter);
	curve_data_set_noise(control, control->scatter);
}

/* What lines miss in a first cache of so many ways of a page each, where the rule of the chains
 * says which set each is in. */
static double missed_in_sets(uint64_t nodes, uint64_t slots, unsigned ways)
{
	unsigned held[SETS_IN_PAGE] = {0};
	double missed = 0;
	if (nodes > FAR * SETS_IN_PAGE * ways)
		return 1;
	for (uint64_t i = 0; i < nodes; i++)
		held[slot_of_node(i, slots) % SETS_IN_PAGE]++;
	for (size_t i = 0; i < SETS_IN_PAGE; i++)
		missed += held[i] > ways ? held[i] : 0;
	return missed / (double)nodes;
}

/* Bits within a page, which virtual and physical addresses share, pick the sets of a first cache:
 * of the lines in a page it is known which set each falls into. */
static int set_paged(struct group *group, const struct fathom_curve *curve,
		     struct fathom_error *error)
{
	struct steps_curve *made = &group->curves[group->problem.curve_count - 1];
	uint64_t page_bytes = curve->points[0].spec.node_bytes;
	size_t packed = group->twin == GROUP_NO_CURVE ? group->main : group->twin;
	uint64_t line_bytes = group->result->curves[packed].points[0].spec.node_bytes;
	uint64_t slots = line_bytes ? page_bytes / line_bytes : 0;
	const struct fathom_machine *machine = group->result->machine;
	made->placement_share = NULL;
	made->paged.ln_line = slots ? -log((double)slots) : 0;
	made->paged.table_lines = (machine && machine->hypervisor ? 2 : 1) * ENTRY_BYTES /
				  (double)(line_bytes ? line_bytes : 1);
	if (slots < SETS_IN_PAGE)
		return 0;
	group->first_missed = calloc(made->count * STEPS_SET_WAYS + 1, sizeof(double));
	if (!group->first_missed)
		return error_no_memory(error);
	for (size_t i = 0; i < made->count; i++)
		for (unsigned ways = 1; ways <= STEPS_SET_WAYS; ways++)
			group->first_missed[i * STEPS_SET_WAYS + ways - 1] = missed_in_sets(
				(uint64_t)round(exp(made->ln_size[i]) / (double)page_bytes), slots,
				ways);
	made->paged.first = group->first_missed;
	return 0;
}

static int add_curve(struct group *group, size_t index, enum steps_role role,
		     struct fathom_error *error)
{
	size_t at = group->problem.curve_count;
	const struct fathom_curve *curve;
	if (index == GROUP_NO_CURVE)
		return 0;
	curve = &group->result->curves[index];
	bool cycles = at ? group->data[0].cycles : !curve_data_has_ns(curve);
	if (curve_data_make(curve, cycles, &group->data[at], error))
		return -1;
	if (role == STEPS_CONTROL)
		share_noise(&group->data[0], &group->data[at]);
	group->curves[at] = (struct steps_curve){
		.role = role,
		.count = group->data[at].count,
		.ln_size = group->data[at].ln_size,
		.value = group->data[at].value,
		.error = group->data[at].error,
		.outlying = group->data[at].outlying,
		.placement_share = group->data[at].placement_share,
		.placed_bytes = group->data[at].placed_bytes,
		.start_error = group->data[at].start_error,
	};
	group->problem.curve_count++;
	return role == STEPS_PAGED ? set_paged(group, curve, error) : 0;
}

/* What each step may be moves what hits take, the others staying what they are. Where chains tell
 * translation from caches, models that are about as likely differ by where a step ends; of a lone
 * curve by what it is. */
void group_spread(struct group *group)
{
	bool chained = group_role(group, STEPS_PAGED) != GROUP_NO_CURVE;
	double hits[STEPS_MOST + 1];
	size_t count = hierarchy_hits(&group->steps, hits), steps = group->steps.count;
	for (size_t i = 0; i < steps; i++) {
		hierarchy_spread(&group->problem, &group->options, &group->steps, i,
				 &group->spreads[i]);
		if (chained)
			hierarchy_mix(group->tried, &group->steps, i, &group->spreads[i]);
	}
	for (size_t k = 0; k < count; k++) {
		struct hierarchy_sum sum = {hits[k], 0};
		for (size_t i = 0; i < steps; i++) {
			sum.value += group->spreads[i].hits[k].value - hits[k];
			sum.deviation = hypot(sum.deviation, group->spreads[i].hits[k].deviation);
		}
		group->sums[k] = sum;
	}
}

/* A window's pages are each entered anew in each pass. Whatever page was obtained, a host may have
 * splintered it. */
static double page_visits(const struct group *group)
{
	if (group->control == GROUP_NO_CURVE)
		return 0;
	const struct fathom_spec *spec = &group->result->curves[group->control].points[0].spec;
	uint64_t apart = spec->stride_bytes ? spec->stride_bytes : spec->node_bytes;
	return fmin(1, (double)apart / PAGE_USUAL_BYTES);
}

double group_page_bytes(const struct group *group)
{
	uint64_t page_bytes = group_curve(group)->points[0].page_bytes;
	return page_bytes ? (double)page_bytes : PAGE_USUAL_BYTES;
}

/* Chains tell the near levels from translation, which no curve along the sizes does. */
static int find_start(struct group *group, struct fathom_error *error)
{
	if (group->paged == GROUP_NO_CURVE || group->twin == GROUP_NO_CURVE)
		return 0;
	struct group *chains = malloc(sizeof(*chains)); /* too much for a small stack */
	if (!chains)
		return error_no_memory(error);
	*chains = group_of_pages(group->result, group->paged, group->twin);
	struct budget own = budget_make(group->budget ? group->budget->observer : NULL);
	chains->budget = group->budget ? &own : NULL;
	int status = group_fit(chains, error);
	group->start = chains->steps;
	group_free(chains);
	free(chains);
	return status;
}

int group_fit(struct group *group, struct fathom_error *error)
{
	if (find_start(group, error))
		return -1;
	if (add_curve(group, group->main, STEPS_MAIN, error) ||
	    add_curve(group, group->control, STEPS_CONTROL, error) ||
	    add_curve(group, group->soft, STEPS_SOFT, error) ||
	    add_curve(group, group->twin, STEPS_TWIN, error) ||
	    add_curve(group, group->paged, STEPS_PAGED, error))
		return -1;
	group->shapes = shapes_make();
	group->scratch = calloc(steps_scratch_count(group->curves, group->problem.curve_count) + 1,
				sizeof(double));
	group->tried = calloc(2, sizeof(*group->tried));
	if (!group->shapes || !group->scratch || !group->tried)
		return error_no_memory(error);
	group->of_order = group->tried + 1;
	group->problem.shapes = group->shapes;
	group->problem.curves = group->curves;
	double page_bytes = PAGE_USUAL_BYTES;
	if (group->paged != GROUP_NO_CURVE)
		page_bytes = (double)group->result->curves[group->paged].points[0].spec.node_bytes;
	group->problem.ln_page = log(page_bytes);
	group->problem.visits = page_visits(group);
	group->problem.table_share = ENTRY_BYTES / page_bytes;
	bool foreign = group_curve(group)->tool != NULL;
	group->problem.reach_error = foreign ? FOREIGN_REACH_ERROR : REACH_ERROR;
	group->problem.shape_error = foreign ? FOREIGN_SHAPE_ERROR : SHAPE_ERROR;
	group->problem.plateau_error = foreign ? FOREIGN_PLATEAU_ERROR : 0;
	group->problem.temper_lru = foreign ? FOREIGN_LRU_TEMPER : LRU_TEMPER;
	group->problem.temper_inexact = INEXACT_TEMPER;
	group->problem.outlying = 1;
	group->problem.scratch = group->scratch;
	group->problem.budget = group->budget;
	if (group->curves[0].count >= GROUP_FEWEST_SIZES)
		group_search(group);
	return 0;
}

void group_move(struct group *from, struct group *to)
{
	*to = *from;
	to->problem.curves = to->curves;
	to->budget = to->problem.budget = NULL;
	*from = (struct group){.paged = GROUP_NO_CURVE};
}

void group_free(struct group *group)
{
	for (size_t i = 0; i < STEPS_CURVES; i++)
		curve_data_free(&group->data[i]);
	shapes_free(group->shapes);
	free(group->first_missed);
	free(group->scratch);
	free(group->tried);
	*group = (struct group){.paged = GROUP_NO_CURVE};
}
