#include "measure/schedule/choice.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/plan.h"
#include "measure/schedule/schedule.h"
#include "measure/spec.h"

#define END_WORTH      64.0 /* as strides: the least and the greatest of a family */
#define HEADLINE_WORTH 4.0  /* times: of what the experiment is about */
#define FEWEST_LANES   2    /* tell something of a curve */
#define MUCH_LEFT      0.5  /* of the time: less is kept for visits that take longer */

/* ---- what is chosen together ---- */

/* Sizes are whole nodes, so that with other nodes the same size is less than one off. */
static bool is_same_size(const struct fathom_spec *a, const struct fathom_spec *b)
{
	uint64_t more = a->size_bytes > b->size_bytes ? a->size_bytes - b->size_bytes
						      : b->size_bytes - a->size_bytes;
	return more < (a->node_bytes > b->node_bytes ? a->node_bytes : b->node_bytes);
}

static bool has_pairs(const struct fathom_plan *plan)
{
	return plan->experiment == FATHOM_PAGES || plan->experiment == FATHOM_ABLATION;
}

bool choice_is_pair(const struct fathom_plan *plan, const struct fathom_spec *a,
		    const struct fathom_spec *b)
{
	if (!has_pairs(plan) || a->axis != b->axis)
		return false;
	return a->axis == FATHOM_AXIS_PAGES ? spec_nodes(a) == spec_nodes(b) : is_same_size(a, b);
}

static bool is_together(const struct fathom_plan *plan, const struct fathom_spec *a,
			const struct fathom_spec *b)
{
	return choice_is_pair(plan, a, b) || (a->axis == FATHOM_AXIS_LAP && plan_same_curve(a, b));
}

static bool is_family(const struct fathom_plan *plan, const struct fathom_spec *a,
		      const struct fathom_spec *b)
{
	return has_pairs(plan) ? a->axis == b->axis : plan_same_curve(a, b);
}

static double key_of(const struct fathom_spec *spec)
{
	switch (spec->axis) {
	case FATHOM_AXIS_LANES:
		return spec->lanes;
	case FATHOM_AXIS_PAGES:
		return (double)spec_nodes(spec);
	default:
		return (double)spec->size_bytes;
	}
}

/* ---- worth ---- */

/* What the first sentences about the experiment say. */
static bool is_headline(const struct fathom_plan *plan, const struct fathom_spec *spec)
{
	switch (spec->axis) {
	case FATHOM_AXIS_LANES:
		return spec->page == plan->specs[0].page;
	case FATHOM_AXIS_PAGES:
		return true;
	default:
		return plan_same_curve(spec, &plan->specs[0]) ||
		       (pattern_traits(spec->pattern)->headline && spec->warmth == FATHOM_WARM);
	}
}

/* So many of the family have a greater key, and a smaller one. */
static void find_rank(const struct choice *choice, const struct choice_unit *unit, size_t *above,
		      size_t *below)
{
	*above = *below = 0;
	for (size_t i = 0; i < choice->count; i++) {
		const struct choice_unit *other = &choice->units[i];
		*above += other->family == unit->family && other->key > unit->key;
		*below += other->family == unit->family && other->key < unit->key;
	}
}

/* Thinned out, sizes and lanes remain evenly, the greatest among them. */
static double worth_of(const struct choice *choice, const struct fathom_plan *plan,
		       const struct choice_unit *unit)
{
	const struct fathom_spec *spec = &plan->specs[unit->first];
	size_t above, below;
	find_rank(choice, unit, &above, &below);
	size_t place = spec->axis == FATHOM_AXIS_LANES ? spec->lanes : above;
	double worth = above && below ? (double)(place & -place) : END_WORTH;
	return worth * (is_headline(plan, spec) ? HEADLINE_WORTH : 1);
}

/* ---- opening ---- */

static size_t find_unit(const struct choice *choice, const struct fathom_plan *plan, size_t spec)
{
	size_t unit = choice->count;
	while (unit-- > 0)
		if (is_together(plan, &plan->specs[choice->units[unit].first], &plan->specs[spec]))
			return unit;
	return choice->count;
}

static size_t find_family(const struct choice *choice, const struct fathom_plan *plan, size_t spec)
{
	for (size_t i = 0; i < choice->count; i++)
		if (is_family(plan, &plan->specs[choice->units[i].first], &plan->specs[spec]))
			return choice->units[i].family;
	return spec;
}

static void add_spec(struct choice *choice, const struct fathom_plan *plan, size_t i)
{
	const struct fathom_spec *spec = &plan->specs[i];
	size_t at = find_unit(choice, plan, i);
	struct choice_unit *unit = &choice->units[at];
	if (at == choice->count) {
		*unit = (struct choice_unit){
			.family = find_family(choice, plan, i),
			.key = key_of(spec),
			.first = i,
			.is_lane = spec->axis == FATHOM_AXIS_LANES,
		};
		choice->count++;
	}
	/* Along lanes only the number of them grows, and along laps a lap is of the same memory. */
	if (spec->axis != FATHOM_AXIS_LAP || unit->specs == 0)
		unit->bytes += (double)spec_total_bytes(spec) +
			       (spec->axis == FATHOM_AXIS_LANES ? spec->lanes : 0);
	unit->usual_s += choice_usual_s(spec);
	unit->specs++;
	choice->unit_of[i] = at;
}

int choice_open(struct choice *choice, const struct fathom_plan *plan, struct fathom_error *error)
{
	choice->units = calloc(plan->spec_count, sizeof(*choice->units));
	choice->unit_of = calloc(plan->spec_count, sizeof(*choice->unit_of));
	choice->order = calloc(plan->spec_count, sizeof(*choice->order));
	if (!choice->units || !choice->unit_of || !choice->order) {
		choice_close(choice);
		return error_no_memory(error);
	}
	for (size_t i = 0; i < plan->spec_count; i++)
		add_spec(choice, plan, i);
	for (size_t i = 0; i < choice->count; i++) {
		choice->units[i].worth = worth_of(choice, plan, &choice->units[i]);
		choice->units[i].cost_s = choice->units[i].usual_s;
		choice->units[i].wanted = true;
	}
	return 0;
}

void choice_close(struct choice *choice)
{
	free(choice->units);
	free(choice->unit_of);
	free(choice->order);
	*choice = (struct choice){0};
}

/* ---- costs ---- */

/* The nearest of the family that was visited, on either side; NULL: none. */
static const struct choice_unit *nearest(const struct choice *choice,
					 const struct choice_unit *unit, bool larger)
{
	const struct choice_unit *best = NULL;
	for (size_t i = 0; i < choice->count; i++) {
		const struct choice_unit *other = &choice->units[i];
		bool side = larger ? other->bytes >= unit->bytes : other->bytes < unit->bytes;
		if (other->family != unit->family || other->visits == 0 || !side)
			continue;
		if (!best || fabs(other->bytes - unit->bytes) < fabs(best->bytes - unit->bytes))
			best = other;
	}
	return best;
}

/* Of the usual costs: how many times as much visits took, to lanes or to anything else. */
static double measured_scale(const struct choice *choice, bool lanes)
{
	double measured_s = 0, usual_s = 0;
	for (size_t i = 0; i < choice->count; i++)
		if (choice->units[i].visits && choice->units[i].is_lane == lanes) {
			measured_s += choice->units[i].cost_s;
			usual_s += choice->units[i].usual_s;
		}
	return usual_s > 0 ? measured_s / usual_s : 1;
}

static double estimate_s(const struct choice *choice, const struct choice_unit *unit, double scale)
{
	const struct choice_unit *more = nearest(choice, unit, true);
	const struct choice_unit *less = nearest(choice, unit, false);
	if (more && less) {
		double share = (unit->bytes - less->bytes) / (more->bytes - less->bytes);
		return fmax(0, less->cost_s + share * (more->cost_s - less->cost_s));
	}
	if (less)
		return less->cost_s * fmax(1, unit->usual_s / less->usual_s);
	return more ? more->cost_s : scale * unit->usual_s;
}

void choice_estimate(struct choice *choice)
{
	const double scales[] = {measured_scale(choice, false), measured_scale(choice, true)};
	for (size_t i = 0; i < choice->count; i++) {
		struct choice_unit *unit = &choice->units[i];
		if (unit->visits == 0)
			unit->cost_s = estimate_s(choice, unit, scales[unit->is_lane]);
	}
}

static double unit_missing_s(const struct choice_unit *unit, size_t visits)
{
	return visits > unit->visits ? unit->cost_s * (double)(visits - unit->visits) : 0;
}

double choice_missing_s(const struct choice *choice, size_t visits)
{
	double missing_s = 0;
	for (size_t i = 0; i < choice->count; i++)
		if (choice->units[i].wanted)
			missing_s += unit_missing_s(&choice->units[i], visits);
	return missing_s;
}

/* ---- choosing ---- */

static double price(const struct choice_unit *unit)
{
	return unit->cost_s / unit->worth;
}

/* For qsort_r: the dearest for its worth first, of the same price those that come last. */
static int compare_prices(const void *a, const void *b, void *units)
{
	size_t first = *(const size_t *)a, second = *(const size_t *)b;
	const struct choice_unit *x = (struct choice_unit *)units + first;
	const struct choice_unit *y = (struct choice_unit *)units + second;
	if (price(x) != price(y))
		return price(x) > price(y) ? -1 : 1;
	return (first < second) - (first > second);
}

size_t choice_best(const struct choice *choice)
{
	size_t best = 0;
	for (size_t i = 1; i < choice->count; i++)
		if (!choice->units[i].gone && (choice->units[best].gone ||
					       choice->units[i].worth > choice->units[best].worth))
			best = i;
	return best;
}

/* A curve along the lanes begins with one lane, and one alone says nothing. */
static void drop_useless_lanes(struct choice *choice, size_t best)
{
	for (size_t i = 0; i < choice->count; i++) {
		const struct choice_unit *first = &choice->units[i];
		size_t wanted = 0;
		if (!first->is_lane || first->family != first->first ||
		    first->family == choice->units[best].family)
			continue;
		for (size_t k = i; k < choice->count; k++)
			wanted +=
				choice->units[k].family == first->family && choice->units[k].wanted;
		bool useless = !first->wanted || wanted < FEWEST_LANES;
		for (size_t k = i; useless && k < choice->count; k++)
			if (choice->units[k].family == first->family)
				choice->units[k].wanted = false;
	}
}

void choice_trim(struct choice *choice, size_t visits, double allowed_s)
{
	size_t count = 0, best = choice_best(choice);
	for (size_t i = 0; i < choice->count; i++) {
		choice->units[i].wanted = !choice->units[i].gone;
		if (choice->units[i].wanted && i != best &&
		    unit_missing_s(&choice->units[i], visits) > 0)
			choice->order[count++] = i;
	}
	double needed_s = choice_missing_s(choice, visits);
	qsort_r(choice->order, count, sizeof(*choice->order), compare_prices, choice->units);
	size_t dropped = 0;
	while (dropped < count && needed_s > allowed_s) {
		struct choice_unit *unit = &choice->units[choice->order[dropped++]];
		unit->wanted = false;
		needed_s -= unit_missing_s(unit, visits);
	}
	/* Once one that needs much is gone, there may be time for those that went before it. */
	for (size_t k = needed_s < MUCH_LEFT * allowed_s ? dropped : 0; k-- > 0;) {
		struct choice_unit *unit = &choice->units[choice->order[k]];
		double missing_s = unit_missing_s(unit, visits);
		unit->wanted = needed_s + missing_s <= allowed_s;
		needed_s += unit->wanted ? missing_s : 0;
	}
	drop_useless_lanes(choice, best);
}

size_t choice_next(const struct choice *choice)
{
	size_t next = choice->count;
	for (size_t i = 0; i < choice->count; i++) {
		const struct choice_unit *unit = &choice->units[i];
		if (unit->wanted && unit->again)
			return i;
		if (unit->wanted && unit->visits == 0 &&
		    (next == choice->count || unit->worth > choice->units[next].worth))
			next = i;
	}
	return next;
}

size_t choice_visits(const struct fathom_plan *plan)
{
	if (plan->placements)
		return plan->placements;
	bool means = plan->spec_count &&
		     pattern_traits(plan->specs[0].pattern)->kernel == KERNEL_INDEX_ARRAY;
	return means ? ACCUMULATOR_MEANS : plan_fewest_blocks(plan);
}

double choice_ends_s(const struct fathom_plan *plan)
{
	struct choice choice = {0};
	double needed_s = 0;
	if (choice_open(&choice, plan, NULL))
		return NAN;
	for (size_t i = 0; i < choice.count; i++)
		if (choice.units[i].worth >= END_WORTH)
			needed_s += choice.units[i].usual_s * (double)choice_visits(plan);
	choice_close(&choice);
	return needed_s;
}

int choice_thin(struct fathom_plan *plan, double allowed_s, struct fathom_error *error)
{
	struct choice choice = {0};
	size_t count = 0;
	if (choice_open(&choice, plan, error))
		return -1;
	choice_trim(&choice, choice_visits(plan), allowed_s);
	for (size_t i = 0; i < plan->spec_count; i++)
		if (choice.units[choice.unit_of[i]].wanted)
			plan->specs[count++] = plan->specs[i];
	plan->spec_count = count;
	choice_close(&choice);
	return 0;
}
