#include "model/levels/group_search.h"

#include <math.h>
#include <string.h>

#include "base/list.h"
#include "base/names.h"
#include "base/point.h"
#include "base/stats.h"

/* Half-way up a step, of a curve of our own that visits each line several times: translation, which
 * such a curve meets together with the caches, is not one more time for each miss. On a Zen 4 a
 * miss of the first TLB takes 1.9 ns with a hit in the first cache and 2.2 with one in the second,
 * and past the end of the second cache the levels leave 4 to 5 % of what it adds unexplained, in
 * each of four such sweeps: with 2 %, two of these had one more cache, of 0.4 MiB. */
#define VISITED_SHAPE_ERROR 0.05
#define MOST_UNSHARED_BYTES 4194304.0 /* of a core's own caches */
#define LARGE_PAGE_BYTES    2097152.0 /* that a curve may have where nothing is known of it */
#define HIDDEN_L1_NS        1.5       /* that a curve over L1 leaves out: 4 or 5 cycles */
#define USUAL_CYCLE_NS      0.33
/* Pages may be large, as those of 29 of the 94 curves of the tune set are; -2 ln of that share
 * changes as many curves for the worse as for the better. */
#define MISSING_UNKNOWN 0.0
#define MISSING_SMALL   6.0 /* -2 ln 0.05 */
#define LEAST_FALL      0.5 /* of the cost, that a change is worth */
#define ROUNDS          3
/* Over the best, of the first look at an order and a kind of frames. Of 64 documents of real
 * machines none has a likelier answer where all are gone on with; with 24, they lose 15 in all, in
 * ln of the evidence. */
#define WORTH_GOING_ON 60.0
#define WORTH_A_CLOCK  2.0 /* a fall of the cost, that a cache more takes core cycles */

/* ---- what explains curves besides steps ---- */

enum nuisance {
	FRAMES,  /* bytes of pages that lie at random over the sets of a cache; 0: in one run */
	NOISE,   /* over the scatter of neighbouring sizes, that has cliffs in it, too */
	FETCHED, /* by prefetchers, of what the control misses in inner caches */
	LEAKS,   /* co-tenants evict lines of the last cache */
	VARIES,  /* what others leave of the caches past the first does, from one time to another */
	SHARED,  /* a last cache that others use ends at once wherever pages lie: a lap that misses
		    takes longer, and the longer it takes the more of it others take */
	WALKED,  /* walks look into the first cache, or start past it */
	NUISANCES
};
#define VALUES_MOST 6
/* The first value is the usual one; another costs the price: BIC's of a parameter, over the points
 * of a sweep, and for what is the same on every machine of a kind a little. */
static const struct {
	size_t count;
	double values[VALUES_MOST], price;
} nuisances[NUISANCES] = {
	[FRAMES] = {3, {PAGE_USUAL_BYTES, 0, LARGE_PAGE_BYTES}, 0},
	[NOISE] = {4, {1, 0.5, 0.25, 0.125}, 0},
	[FETCHED] = {6, {0, 0.25, 0.4, 0.5, 0.6, 0.7}, 6},
	[LEAKS] = {2, {0, 1}, 2},
	[VARIES] = {4, {0, 0.15, 0.3, 0.6}, 2},
	[SHARED] = {2, {0, MOST_UNSHARED_BYTES}, 6},
	[WALKED] = {2, {0, 1}, 0},
};

/* A variant of the group: its problem, its options and what it came to. */
struct variant {
	struct steps_problem problem;
	struct hierarchy_options options;
	struct steps steps;
	double values[NUISANCES];
};

static bool is_guest(const struct group *group)
{
	const struct fathom_machine *machine = group->result->machine;
	return machine && machine->hypervisor && !group_curve(group)->tool;
}

static bool is_tried(const struct group *group, const struct variant *variant,
		     enum nuisance nuisance, double value)
{
	uint64_t page_bytes = group_curve(group)->points[0].page_bytes;
	bool cycle = (variant->options.classes & SHAPE_CYCLE_CLASSES) != 0;
	switch (nuisance) {
	case FRAMES:
		return value != LARGE_PAGE_BYTES || page_bytes == 0 ||
		       page_bytes > PAGE_USUAL_BYTES;
	case NOISE:
		return !group->data[0].measured || value > 0.6;
	case FETCHED:
		return group_role(group, STEPS_CONTROL) != GROUP_NO_CURVE;
	case LEAKS:
	case VARIES:
	case SHARED:
		return is_guest(group) && cycle;
	case WALKED:
		return variant->options.translation;
	default:
		return true;
	}
}

static void set_noise(struct group *group, double share)
{
	double noise = share * group->data[0].scatter;
	for (size_t i = 0; i < group->problem.curve_count; i++)
		curve_data_set_noise(&group->data[i], fmin(noise, group->data[i].scatter));
}

static void set(struct group *group, enum nuisance nuisance, double value, struct variant *variant)
{
	struct steps_problem *problem = &variant->problem;
	variant->values[nuisance] = value;
	switch (nuisance) {
	case FRAMES:
		problem->frame_bytes = value;
		break;
	case NOISE:
		set_noise(group, value);
		break;
	case FETCHED:
		problem->fetched = value;
		break;
	case LEAKS:
		problem->leaks = value > 0;
		break;
	case VARIES:
		problem->share_varies = value;
		break;
	case SHARED:
		problem->shared_bytes = value;
		break;
	default:
		problem->walks_ask_first = value > 0;
	}
}

static double price_of(const struct variant *variant)
{
	double price = 0;
	for (size_t n = 0; n < NUISANCES; n++)
		if (variant->values[n] != nuisances[n].values[0])
			price += nuisances[n].price;
	return price;
}

static double cost_of(const struct variant *variant)
{
	return variant->steps.unlikely + price_of(variant);
}

/* The same steps with other nuisances. */
static void settle_again(struct variant *variant)
{
	steps_solve(&variant->problem, &variant->steps);
	steps_settle(&variant->problem, &variant->steps);
	steps_weigh(&variant->problem, &variant->steps);
}

/* One nuisance after the other takes the value that explains the curves best with the steps as they
 * are, these settled. Did any change? */
static bool descend(struct group *group, struct variant *variant)
{
	bool changed = false;
	for (int n = 0; n < NUISANCES; n++) {
		struct variant best = *variant;
		for (size_t v = 0; v < nuisances[n].count; v++) {
			struct variant other = *variant;
			double value = nuisances[n].values[v];
			if (value == variant->values[n] ||
			    !is_tried(group, variant, (enum nuisance)n, value))
				continue;
			set(group, (enum nuisance)n, value, &other);
			settle_again(&other);
			if (cost_of(&other) < cost_of(&best) - LEAST_FALL)
				best = other;
		}
		set(group, (enum nuisance)n, best.values[n], &best); /* the noise is not a copy */
		changed |= best.values[n] != variant->values[n];
		*variant = best;
	}
	return changed;
}

/* ---- whose clock ---- */

static void set_clock(struct group *group, const struct variant *variant, double ln_core)
{
	group->ln_core = ln_core;
	for (size_t i = 0; i < group->problem.curve_count; i++)
		curve_data_set_clock(&group->data[i], group->core_per_ns, ln_core);
	set_noise(group, variant->values[NOISE]);
}

/* The clock may change from point to point, and with it what takes core cycles, but not what takes
 * a time of its own. Where the one ends the curves tell: at the end of a cache, each one more being
 * worth it, or nowhere. The steps stay as they are: they went through the middle of the values. */
static void find_core(struct group *group, const struct variant *variant)
{
	const struct curve_data *data = &group->data[0];
	double ln_best = -INFINITY, best = INFINITY;
	struct steps steps = variant->steps;
	size_t count = 0;
	for (size_t i = 0; i < data->count; i++)
		if (isfinite(data->per_ns[i]))
			group->scratch[count++] = data->per_ns[i];
	if (count == 0)
		return;
	group->core_per_ns = stats_median(group->scratch, count);
	for (size_t i = 0; i <= steps.count; i++) {
		double ln_core = i > 0 ? variant->steps.items[i - 1].ln_reach : -INFINITY;
		if (i > 0 && steps.items[i - 1].translation)
			continue;
		set_clock(group, variant, ln_core);
		steps_solve(&variant->problem, &steps);
		if (steps.cost < best - WORTH_A_CLOCK) {
			best = steps.cost;
			ln_best = ln_core;
		}
	}
	set_clock(group, variant, ln_best);
}

/* ---- which order ---- */

static double nodes_a_line(const struct group *group)
{
	const struct fathom_spec *spec = &group_curve(group)->points[0].spec;
	double line_bytes = line_bytes_likely(group->result);
	return spec->node_bytes ? fmax(1, line_bytes / (double)spec->node_bytes) : 1;
}

/* An order that the curve may have: what a cache misses of it, and a TLB. Pages are visited in no
 * order that lasts where lines are drawn at random; a fixed order of steps visits them in turn. */
struct order {
	unsigned classes;
	enum shape_class translation;
	double line_visits, shared_bytes;
	bool ends_at_once;
};
#define ORDERS_MOST     3
#define BEGINNINGS_MOST (2 * ORDERS_MOST)

static size_t list_orders(const struct group *group, struct order orders[ORDERS_MOST])
{
	static const struct order unknown[ORDERS_MOST] = {
		{SHAPE_CYCLE_CLASSES, SHAPE_SOFT, 1, 0, false},
		{SHAPE_CYCLE_CLASSES, SHAPE_LRU, 1, 0, false},
		{SHAPE_SOFT_CLASSES, SHAPE_SOFT, 1, 0, false}};
	const struct fathom_curve *curve = group_curve(group);
	enum fathom_pattern pattern = curve->points[0].spec.pattern;
	size_t count = pattern == FATHOM_PATTERN_UNKNOWN ? ORDERS_MOST : 1;
	for (size_t i = 0; i < count; i++)
		orders[i] = unknown[i];
	if (count == 1)
		orders[0].line_visits =
			pattern == FATHOM_INDEPENDENT ? INFINITY : nodes_a_line(group);
	if (orders[0].line_visits <= 1)
		return count;
	if (group_role(group, STEPS_CONTROL) == GROUP_NO_CURVE)
		orders[0].classes = SHAPE_CLASS_BIT(SHAPE_LRU); /* it shows no replacement */
	if (!is_guest(group))
		return count;
	/* A last cache that co-tenants fill keeps what is used again, and once more is used than it
	 * keeps all of it goes; or it misses long before its size, as a TLB does. */
	orders[1] = orders[0];
	orders[1].shared_bytes = MOST_UNSHARED_BYTES;
	orders[2] = orders[1];
	orders[1].ends_at_once = true;
	return 3;
}

/* A cache that is accessed independently has the shape of a TLB: a curve whose order is known to be
 * so does not tell the two apart, nor what translation costs. */
static bool may_be_told(const struct group *group, const struct order *order)
{
	bool known = group_curve(group)->points[0].spec.pattern != FATHOM_PATTERN_UNKNOWN;
	bool alike = (order->classes & SHAPE_CYCLE_CLASSES) == 0 || order->line_visits > 1;
	return !known || !alike || group_role(group, STEPS_CONTROL) != GROUP_NO_CURVE;
}

/* ---- all of it ---- */

/* Steps and nuisances in turn, until both stay as they are. */
static void settle(struct group *group, enum hierarchy_effort effort, struct variant *variant)
{
	for (int round = 0;; round++) {
		variant->options.polish = group->start.count > 0;
		variant->options.effort = effort;
		hierarchy_find(&variant->problem, &variant->options, &variant->steps,
			       group->of_order);
		if (round == ROUNDS)
			break;
		if (round == 0)
			find_core(group, variant);
		if (effort == HIERARCHY_WHOLE)
			effort = HIERARCHY_AGAIN;
		if (!descend(group, variant))
			break;
	}
}

static void begin(struct group *group, double frame_bytes, double shared_bytes,
		  struct variant *variant)
{
	for (size_t n = 0; n < NUISANCES; n++)
		set(group, (enum nuisance)n, nuisances[n].values[0], variant);
	set(group, FRAMES, frame_bytes, variant);
	set(group, SHARED, shared_bytes, variant);
	set_clock(group, variant, -INFINITY);
}

/* A variant, and whose clock it is. */
struct found {
	struct variant variant;
	double ln_core;
};

static void take_up(struct group *group, const struct found *found, struct variant *variant)
{
	*variant = found->variant;
	set_clock(group, variant, found->ln_core);
}

static void keep_better(struct group *group, const struct variant *variant, struct found *found)
{
	hierarchy_merge(group->of_order, price_of(variant), group->tried);
	if (cost_of(variant) < cost_of(&found->variant))
		*found = (struct found){*variant, group->ln_core};
}

/* Of all that co-tenants may do together what explains the curves best, with the steps as they are,
 * these settled. */
static void find_tenants(struct group *group, struct variant *variant)
{
	struct variant best = {.steps.unlikely = INFINITY};
	size_t count = 1;
	for (int n = LEAKS; n <= SHARED; n++)
		count *= nuisances[n].count;
	for (size_t i = 0; i < count; i++) {
		struct variant other = *variant;
		size_t rest = i;
		for (int n = LEAKS; n <= SHARED; rest /= nuisances[n++].count)
			set(group, (enum nuisance)n, nuisances[n].values[rest % nuisances[n].count],
			    &other);
		settle_again(&other);
		if (cost_of(&other) < cost_of(&best))
			best = other;
	}
	*variant = best;
}

/* A cache that was found in the stead of what co-tenants do together stays, as nuisances change
 * beside the steps that are there: so each but the first is left out, and they take its place. */
static void leave_out(struct group *group, struct found *found)
{
	const struct found whole = *found;
	struct variant variant;
	for (size_t i = 1; i < whole.variant.steps.count; i++) {
		if (whole.variant.steps.items[i].translation)
			continue;
		take_up(group, &whole, &variant);
		struct step *left_out = &variant.steps.items[i];
		memmove(left_out, left_out + 1, (--variant.steps.count - i) * sizeof(*left_out));
		find_tenants(group, &variant);
		if (cost_of(&variant) > cost_of(&found->variant) + WORTH_GOING_ON)
			continue;
		settle(group, HIERARCHY_AGAIN, &variant);
		keep_better(group, &variant, found);
	}
}

static void find(struct group *group, struct variant *variant, struct found *found)
{
	settle(group, HIERARCHY_WHOLE, variant);
	if (!budget_is_over(group->budget))
		group->came_to = GROUP_SEARCHED;
	keep_better(group, variant, found);
	if (!is_tried(group, variant, LEAKS, 1))
		return;
	leave_out(group, found);
	take_up(group, found, variant);
	find_tenants(group, variant);
	settle(group, HIERARCHY_AGAIN, variant);
	keep_better(group, variant, found);
}

/* Of that CPU's data caches the sizes that the OS says. */
static void take_reported(struct group *group)
{
	const struct fathom_machine *machine = group->result->machine;
	struct steps_problem *problem = &group->problem;
	if (!machine || group->result->os_prior_off)
		return;
	struct cpu_caches reported = cpu_caches_of(machine, group_curve(group)->cpu);
	for (size_t i = 0; i < reported.count; i++) {
		const struct fathom_cache *cache = &reported.items[i];
		if (cache->kind != FATHOM_CACHE_INSTRUCTION && cache->size_bytes > 0 &&
		    problem->reported_count < STEPS_REPORTED)
			problem->reported_ln[problem->reported_count++] =
				log((double)cache->size_bytes);
	}
}

/* What was found for one order may be far from what is best for another: each begins anew. Into
 * `begun`, the likeliest first; how many. */
static size_t begin_all(struct group *group, struct found begun[BEGINNINGS_MOST])
{
	struct order orders[ORDERS_MOST];
	size_t count = list_orders(group, orders);
	/* Chains through base pages tell how frames lie whichever way they begin. */
	bool chained = group->paged != GROUP_NO_CURVE &&
		       group_curve(group)->points[0].page_bytes == PAGE_USUAL_BYTES;
	size_t frames = group->data[0].measured && !chained ? 2 : 1;
	for (size_t i = 0; i < count * frames; i++) {
		const struct order *order = &orders[i / frames];
		struct variant variant = {.problem = group->problem,
					  .options = {order->classes, may_be_told(group, order)},
					  .steps = group->start};
		variant.problem.line_visits = order->line_visits;
		variant.problem.ends_at_once = order->ends_at_once;
		if (order->line_visits > 1 && !group_curve(group)->tool)
			variant.problem.shape_error =
				fmax(VISITED_SHAPE_ERROR, variant.problem.shape_error);
		variant.problem.translation_shape = shapes_first(order->translation);
		begin(group, nuisances[FRAMES].values[i % frames], order->shared_bytes, &variant);
		settle(group, HIERARCHY_LOOK, &variant);
		if (!budget_is_over(group->budget))
			group->came_to = GROUP_LOOKED;
		size_t at = i;
		for (; at > 0 && cost_of(&begun[at - 1].variant) > cost_of(&variant); at--)
			begun[at] = begun[at - 1];
		begun[at] = (struct found){variant, group->ln_core};
	}
	return count * frames;
}

void group_search(struct group *group)
{
	struct found begun[BEGINNINGS_MOST], found = {{.steps.unlikely = INFINITY}, -INFINITY};
	group->problem.hidden_base = group_curve(group)->relative_to_l1 ? HIDDEN_L1_NS : 0;
	group->problem.unit_ns = group->data[0].cycles ? USUAL_CYCLE_NS : 1;
	take_reported(group);
	uint64_t page_bytes = group_curve(group)->points[0].page_bytes;
	group->problem.missing_tlb = page_bytes == 0                  ? MISSING_UNKNOWN
				     : page_bytes == PAGE_USUAL_BYTES ? MISSING_SMALL
								      : 0;
	size_t count = begin_all(group, begun);
	for (size_t i = 0; i < count; i++) {
		struct variant variant;
		if (cost_of(&begun[i].variant) > cost_of(&found.variant) + WORTH_GOING_ON)
			continue;
		take_up(group, &begun[i], &variant);
		find(group, &variant, &found);
	}
	set_clock(group, &found.variant, found.ln_core);
	group->problem = found.variant.problem;
	group->options = found.variant.options;
	group->steps = found.variant.steps;
}
