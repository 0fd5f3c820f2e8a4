#include "model/levels/group_search.h"

#include <math.h>

#include "base/names.h"
#include "base/stats.h"

#define LEAK_PRICE          2.0
#define SHARED_PRICE        6.0
#define MOST_UNSHARED_BYTES 4194304.0 /* of a core's own caches */
#define WORTH_SHARING       5.0       /* cost over that of none, before the steps are made better */
#define FETCHED_PRICE       6.0       /* BIC's of a parameter, over the points of both orders */
#define USUAL_FETCHED       0.4
#define WORTH_IMPROVING     14.0 /* cost over the improved, that improving seldom saves more than */
#define WORTH_A_SECOND      0.8  /* a noise less than that share of what was taken */
#define MEDIAN_NORMAL       0.6745
#define WORTH_A_CLOCK       2.0  /* a fall of the cost, that a cache more takes core cycles */
#define HOPELESS            25.0 /* cost over what other frames, or another order, came to */
#define NOISES              4
#define LARGE_PAGE_BYTES    2097152.0 /* that a curve may have where nothing is known of it */
/* Cost by which soft shapes must do better before an order that is not known is taken for theirs.
 */
#define SOFT_PENALTY 7.0

static bool several_nodes_a_line(const struct fathom_curve *curve)
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	return spec->node_bytes && spec->node_bytes < 64;
}

/* The frames of the pages lie at random, base pages or larger ones, or in one run: for all caches
 * alike. */
static void search_frames(struct group *group, double hopeless)
{
	uint64_t known_bytes = group_curve(group)->points[0].page_bytes;
	double page_bytes = known_bytes ? (double)known_bytes : LARGE_PAGE_BYTES;
	const double others[] = {0, page_bytes};
	size_t count = page_bytes > PAGE_USUAL_BYTES ? 2 : 1;
	group->problem.frame_bytes = PAGE_USUAL_BYTES;
	hierarchy_search(&group->problem, &group->options, hopeless, &group->steps);
	struct group first = *group;
	for (size_t i = 0; i < count; i++) {
		struct group other = first;
		other.problem.frame_bytes = others[i];
		hierarchy_adapt(&other.problem, &other.options, group->steps.cost + HOPELESS,
				&other.steps);
		if (other.steps.cost < group->steps.cost)
			*group = other;
	}
}

static void search_unknown_order(struct group *group)
{
	struct group soft = *group;
	group->options = (struct hierarchy_options){SHAPE_CYCLE_CLASSES, true};
	soft.options = (struct hierarchy_options){SHAPE_SOFT_CLASSES, false};
	search_frames(group, INFINITY);
	search_frames(&soft, group->steps.cost + HOPELESS);
	double penalty = group_curve(group)->relative_to_l1 ? -SOFT_PENALTY : SOFT_PENALTY;
	if (soft.steps.cost + penalty < group->steps.cost)
		*group = soft;
}

static void search_at_noise(struct group *group)
{
	const struct fathom_curve *curve = group_curve(group);
	enum fathom_pattern pattern = curve->points[0].spec.pattern;
	if (pattern == FATHOM_PATTERN_UNKNOWN) {
		search_unknown_order(group);
	} else {
		bool soft = pattern == FATHOM_INDEPENDENT || several_nodes_a_line(curve);
		group->options.classes = pattern == FATHOM_INDEPENDENT ? SHAPE_CLASS_BIT(SHAPE_SOFT)
					 : soft                        ? SHAPE_SOFT_CLASSES
								       : SHAPE_CYCLE_CLASSES;
		group->options.translation =
			!soft || group_role(group, STEPS_CONTROL) != GROUP_NO_CURVE;
		search_frames(group, INFINITY);
	}
}

static void set_noise(struct group *group, double noise)
{
	for (size_t i = 0; i < group->problem.curve_count; i++)
		curve_data_set_noise(&group->data[i], fmin(noise, group->data[i].scatter));
}

/* A curve with few sizes does not tell its noise: neighbours differ by the steps themselves. The
 * noise counts that explains it best together with its steps. */
static void search_sparse(struct group *group)
{
	double best = INFINITY, best_noise = group->data[0].scatter;
	struct group found = *group;
	for (int halved = 0; halved < NOISES; halved++) {
		double noise = ldexp(group->data[0].scatter, -halved);
		set_noise(group, noise);
		search_at_noise(group);
		if (group->steps.cost < best) {
			best = group->steps.cost;
			best_noise = noise;
			found = *group;
		}
		if (noise < CURVE_DATA_LEAST_NOISE)
			break;
	}
	*group = found;
	set_noise(group, best_noise);
}

/* Half of the points of the main curve are nearer to the model than that share of their value. */
static double residual_noise(const struct group *group)
{
	const struct curve_data *data = &group->data[0];
	double free = (double)data->count - 2 * (double)group->steps.count - 1;
	double *residuals = group->scratch;
	for (size_t i = 0; i < data->count; i++) {
		double value = steps_value(&group->problem, &group->steps, 0, data->ln_size[i]);
		residuals[i] = fabs(data->value[i] / value - 1);
	}
	return stats_median(residuals, data->count) / MEDIAN_NORMAL *
	       sqrt((double)data->count / fmax(1, free));
}

/* Others that a guest does not know of use the last cache as well. */
static bool may_leak(const struct group *group)
{
	const struct fathom_machine *machine = group->result->machine;
	return machine && machine->hypervisor && (group->options.classes & SHAPE_CYCLE_CLASSES);
}

/* With the prices of what is assumed besides steps. */
static double cost_of(const struct group *group)
{
	return group->steps.cost + (group->problem.leaks ? LEAK_PRICE : 0) +
	       (group->problem.shared_bytes > 0 ? SHARED_PRICE : 0) +
	       (group->problem.fetched > 0 ? FETCHED_PRICE : 0);
}

/* With more and less of what a control may show besides, if that is better. */
static void ask_besides(struct group *group)
{
	static const double shares[] = {0.7, 0.6, 0.5, USUAL_FETCHED, 0.25, 0};
	const struct group start = *group;
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		for (int leaks = 0; leaks <= may_leak(group); leaks++) {
			struct group other = start;
			other.problem.fetched = shares[i];
			other.problem.leaks = leaks;
			steps_solve(&other.problem, &other.steps);
			steps_settle(&other.problem, &other.steps);
			if (cost_of(&other) < cost_of(group))
				*group = other;
		}
}

/* What a control may show besides: that others take lines of a guest's last cache, and that
 * prefetchers bring a part of what inner caches miss. One search with both; where that is not
 * hopeless both are improved before they are compared, and how much of each is asked again. Are
 * the steps improved? */
static bool search_besides(struct group *group)
{
	struct group found = *group;
	steps_solve(&group->problem, &group->steps);
	double hopeless = group->steps.cost + HOPELESS;
	found.problem.fetched = USUAL_FETCHED;
	found.problem.leaks = may_leak(group);
	search_frames(&found, hopeless);
	ask_besides(&found);
	if (found.steps.cost > hopeless)
		return false;
	hierarchy_improve(&found.problem, &found.options, &found.steps);
	if (cost_of(group) < cost_of(&found) + WORTH_IMPROVING)
		hierarchy_improve(&group->problem, &group->options, &group->steps);
	if (cost_of(&found) < cost_of(group))
		*group = found;
	ask_besides(group);
	return true;
}

/* A cache whose lines others take may end at once wherever pages lie: a lap that misses some takes
 * longer, and the longer it takes the more of it others take. With sixteen ways, pages at random
 * and misses that take 150 ns where hits take 35, misses go from 10 to 90 % while the size grows
 * 1.9 times where nobody else is, 1.2 times where others load 0.3 of what a lap of hits does, and
 * at once where they load as much. Where that was taken for pages in one run, the inner caches are
 * wrong by it as well, and the search begins anew. */
static void search_shared(struct group *group)
{
	struct group shared = *group;
	bool scattered = group->problem.frame_bytes > 0;
	double hopeless = group->steps.cost + (scattered ? WORTH_SHARING : HOPELESS);
	shared.problem.shared_bytes = MOST_UNSHARED_BYTES;
	if (scattered) {
		steps_solve(&shared.problem, &shared.steps);
		steps_settle(&shared.problem, &shared.steps);
	} else {
		shared.problem.frame_bytes = PAGE_USUAL_BYTES;
		hierarchy_search(&shared.problem, &shared.options, hopeless, &shared.steps);
	}
	if (shared.steps.cost > hopeless)
		return;
	if (scattered)
		hierarchy_adapt(&shared.problem, &shared.options, INFINITY, &shared.steps);
	else
		hierarchy_improve(&shared.problem, &shared.options, &shared.steps);
	ask_besides(&shared);
	if (cost_of(&shared) < cost_of(group))
		*group = shared;
}

/* Walks look into the first cache, or not: some processors read tables past it. */
static void search_walks(struct group *group)
{
	struct group walked = *group;
	walked.problem.walks_ask_first = true;
	steps_solve(&group->problem, &group->steps);
	steps_solve(&walked.problem, &walked.steps);
	steps_settle(&walked.problem, &walked.steps);
	if (walked.steps.cost < group->steps.cost)
		*group = walked;
}

static void set_clock(struct group *group, double ln_core)
{
	group->ln_core = ln_core;
	for (size_t i = 0; i < group->problem.curve_count; i++)
		curve_data_set_clock(&group->data[i], group->core_per_ns, ln_core);
	set_noise(group, group->data[0].scatter);
}

/* The clock may change from point to point, and with it what takes core cycles, but not what takes
 * a time of its own. Where the one ends the curves tell: at the end of a cache, each one more being
 * worth it, or nowhere. The steps stay as they are: they went through the middle of the values. */
static void search_core(struct group *group)
{
	const struct curve_data *data = &group->data[0];
	double ln_best = -INFINITY, best = INFINITY;
	struct steps steps = group->steps;
	size_t count = 0;
	for (size_t i = 0; i < data->count; i++)
		if (isfinite(data->per_ns[i]))
			group->scratch[count++] = data->per_ns[i];
	if (count == 0)
		return;
	group->core_per_ns = stats_median(group->scratch, count);
	for (size_t i = 0; i <= steps.count; i++) {
		double ln_core = i > 0 ? group->steps.items[i - 1].ln_reach : -INFINITY;
		if (i > 0 && steps.items[i - 1].translation)
			continue;
		set_clock(group, ln_core);
		steps_solve(&group->problem, &steps);
		if (steps.cost < best - WORTH_A_CLOCK) {
			best = steps.cost;
			ln_best = ln_core;
		}
	}
	set_clock(group, ln_best);
}

/* What neighbours differ by is mostly noise, but also cliffs. What is left of a fit tells better.
 */
void group_search(struct group *group)
{
	const struct curve_data *data = &group->data[0];
	if (curve_data_is_sparse(data) && !data->measured) {
		search_sparse(group);
	} else {
		search_at_noise(group);
		search_core(group);
		double noise = fmax(CURVE_DATA_LEAST_NOISE, residual_noise(group));
		if (noise <= WORTH_A_SECOND * data->scatter)
			set_noise(group, noise);
	}
	bool improved = group->control != GROUP_NO_CURVE && search_besides(group);
	if (group->options.translation)
		search_walks(group);
	if (!improved)
		hierarchy_improve(&group->problem, &group->options, &group->steps);
	if (may_leak(group))
		search_shared(group);
}
