#include "model/steps/behind.h"

#include <math.h>

#include "base/names.h"

#define ALL_MISSED     0.9995   /* what is left changes nothing for the caches behind */
#define LEAST_MISSED   1e-3     /* of a cycle that is as long as the cache: some pages collide */
#define LEAST_OWN      0.1      /* of what the cache before holds */
#define LN_MOST_LEAKED 0.6931   /* ln 2: where half leaks in a lap of the reach, all does */
#define UNKNOWN        INFINITY /* a logarithm, until it is needed */

/* The bits within a page choose the sets. Between whole numbers of ways, as if some sets had one
 * more. */
static struct shape_value missed_in_sets(const double *first, double ways)
{
	size_t fewer = (size_t)ways;
	double share = ways - (double)fewer;
	double less = first[fewer - 1], more = first[fewer];
	return (struct shape_value){less + share * (more - less), ways * (less - more), 0};
}

/* A mean over sizes that vary: Gauss and Hermite's quadrature of five nodes. */
static struct shape_value missed_at_any_size(const struct behind *behind, size_t i, double ln_ratio)
{
	static const double nodes[] = {-2.8570, -1.3556, 0, 1.3556, 2.8570};
	static const double weights[] = {0.01126, 0.22208, 0.53333, 0.22208, 0.01126};
	struct shape_value sum = {0, 0, 0};
	for (size_t n = 0; n < sizeof(nodes) / sizeof(*nodes); n++) {
		struct shape_value at = shapes_at(behind->shapes, behind->table[i],
						  ln_ratio + nodes[n] * behind->varies);
		sum.missed += weights[n] * at.missed;
		sum.slope += weights[n] * at.slope;
		sum.placement_sd += weights[n] * at.placement_sd;
	}
	return sum;
}

static struct shape_value missed_in_cache(const struct behind *behind, size_t i, double ln_lines)
{
	if (behind->varies > 0 && (i > 0 || i + 1 == behind->count))
		return missed_at_any_size(behind, i, ln_lines - behind->ln_own[i]);
	double ways =
		i == 0 && behind->first ? exp(behind->ln_own[0]) / PAGE_USUAL_BYTES : INFINITY;
	if (ways >= 1 && ways < STEPS_SET_WAYS)
		return missed_in_sets(behind->first, ways);
	return shapes_at(behind->shapes, behind->table[i], ln_lines - behind->ln_own[i]);
}

void behind_place(const struct steps_curve *curve, size_t value, double walked,
		  struct behind *behind)
{
	if (curve->role != STEPS_PAGED)
		return;
	behind->ln_tables = log1p(walked * curve->paged.table_lines);
	if (curve->paged.first)
		behind->first = curve->paged.first + value * STEPS_SET_WAYS;
}

void behind_miss_ratios(const struct behind *behind, size_t count, double ln_size,
			struct shape_value *values)
{
	ln_size += behind->ln_line;
	double before = 1, ln_asked = ln_size;
	for (size_t i = 0; i < count; i++) {
		if (ln_size - behind->ln_own[i] <= SHAPES_LN_LOW) {
			values[i] = (struct shape_value){0, 0, 0};
			continue;
		}
		double steeper = 1, ln_lines = ln_asked;
		if (behind->held[i] > 0) {
			double size = exp(ln_size), rest = fmax(1, size - behind->held[i]);
			ln_lines = log(rest);
			steeper = size / rest;
		} else if (ln_asked == UNKNOWN) {
			ln_lines = ln_asked = before > 0 ? ln_size + log(before) : -INFINITY;
		}
		struct shape_value at =
			missed_in_cache(behind, i, ln_lines + (i > 0 ? behind->ln_tables : 0));
		values[i] = (struct shape_value){before * at.missed, before * at.slope * steeper,
						 before * at.placement_sd};
		if (!behind->cycle || values[i].missed > ALL_MISSED)
			continue;
		before = values[i].missed;
		ln_asked = UNKNOWN;
	}
}

double behind_leaked(const struct behind *behind, const struct shape_value *values, double ln_reach,
		     double ln_size)
{
	size_t last = behind->count - 1;
	double asked = behind->count > 1 ? values[last - 1].missed : 1;
	double ln_ratio = ln_size + behind->ln_line - ln_reach;
	return fmax(0, asked - values[last].missed) * exp(fmin(LN_MOST_LEAKED, ln_ratio));
}

static void list_caches(const struct steps *steps, struct behind *behind)
{
	behind->count = 0;
	for (size_t s = 0; s < steps->count; s++) {
		double ln_reach = steps->items[s].ln_reach;
		size_t at = behind->count;
		if (steps->items[s].translation)
			continue;
		for (; at > 0 && steps->items[behind->which[at - 1]].ln_reach > ln_reach; at--)
			behind->which[at] = behind->which[at - 1];
		behind->which[at] = s;
		behind->count++;
	}
}

/* Lines that lie one in a page fill the sets of a cache as the frames do: in turn, or at random. */
static void spread_lines(const struct steps_problem *problem, const struct steps *steps,
			 size_t curve, struct behind *behind)
{
	behind->ln_line = problem->curves[curve].paged.ln_line;
	for (size_t i = 0; i < behind->count; i++)
		behind->table[i] = shapes_table(steps->items[behind->which[i]].shape,
						problem->frame_bytes > 0 ? INFINITY : 0);
}

size_t behind_shape(const struct steps_problem *problem, enum steps_role role,
		    const struct step *step)
{
	double visits = role == STEPS_SOFT   ? INFINITY
			: role == STEPS_MAIN ? problem->line_visits
					     : 1;
	bool shared = problem->shared_bytes > 0 && exp(step->ln_reach) > problem->shared_bytes;
	if (shared && visits > 1)
		return shapes_first(problem->ends_at_once ? SHAPE_LRU : SHAPE_TENANTS);
	return shapes_visited(step->shape, visits);
}

void behind_make(const struct steps_problem *problem, const struct steps *steps, size_t curve,
		 struct behind *behind)
{
	struct shape_value values[STEPS_MOST];
	enum steps_role role = problem->curves[curve].role;
	list_caches(steps, behind);
	behind->shapes = problem->shapes;
	behind->cycle = role != STEPS_SOFT;
	behind->ln_line = behind->ln_tables = 0;
	behind->first = NULL;
	behind->varies = problem->share_varies;
	for (size_t i = 0; i < behind->count; i++) {
		const struct step *step = &steps->items[behind->which[i]];
		size_t shape = behind_shape(problem, role, step);
		behind->cycle &= (SHAPE_CYCLE_CLASSES & SHAPE_CLASS_BIT(shapes_class(shape))) != 0;
		behind->ln_own[i] = step->ln_reach;
		behind->held[i] = 0;
		if (behind->cycle && i > 0 && shapes_is_victim(shape)) {
			behind->held[i] = exp(steps->items[behind->which[i - 1]].ln_reach);
			behind->ln_own[i] = log(fmax(LEAST_OWN * behind->held[i],
						     exp(step->ln_reach) - behind->held[i]));
		}
		double way_pages = steps_way_pages(problem, shape, behind->ln_own[i]);
		behind->way_pages[i] = way_pages;
		if (behind->held[i] > 0)
			way_pages = fmax(1, way_pages) * exp(step->ln_reach - behind->ln_own[i]);
		behind->table[i] = shapes_table(shape, way_pages);
		if (!behind->cycle || i == 0 || behind->held[i] > 0)
			continue;
		behind_miss_ratios(behind, i, step->ln_reach, values);
		double asked = fmax(LEAST_MISSED, values[i - 1].missed);
		behind->ln_own[i] += log(asked);
		if (shapes_class(steps->items[behind->which[i - 1]].shape) == SHAPE_RESISTANT)
			behind->table[i] = shapes_table(shape, fmax(1, way_pages) / asked);
	}
	if (role == STEPS_PAGED)
		spread_lines(problem, steps, curve, behind);
}
