#include "model/levels/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/steps/step_price.h"

#define CONTROL_LACKS     0.2 /* share of a step that the control shows of translation at most */
#define CONTROL_COVERS    0.5 /* ln: the control must go on so far past the reach */
#define TEMPER            1.6
#define STEEP             0.5 /* rise over the value below: of translation rarely more */
#define STEEP_SPARSE      1.0 /* the same where sizes are too far apart to show a slope ... */
#define SPARSE_LN         0.5 /* ... as these: 1.65 times */
#define STEEP_WEIGHT      3.5
#define UNUSUAL_WEIGHT    3.5 /* rise over what translation usually costs there */
#define SHAPE_WEIGHT_MOST 6.0
#define SURE              0.8
#define MOST_ENTRIES      4608   /* no TLB has more */
#define FEWEST_ENTRIES    8      /* no TLB has fewer: the host splintered the pages ... */
#define SPLINTER_BYTES    4096.0 /* ... into these */
#define SURE_CLASS        0.95
#define PAST_REACH        1.5
#define FIRST_NS          1.5  /* of an L1, where the curve leaves it out */
#define MEMORY_NS         55.0 /* no DRAM answers sooner than 45 ns, no usual one than 55 ... */
#define CACHE_NS          35.0 /* ... and few caches take longer */
#define SLOW_NS           85.0 /* no cache that was seen takes longer */
#define SLOW_CYCLES       340.0
#define SLOWEST_NS        100.0
#define SLOWEST_CYCLES    400.0
#define MEMORY_CYCLES     200.0
#define CACHE_CYCLES      90.0
#define LEAST_TOLD        0.005 /* share of lines that others take: rounds to 1 % */
#define LEAST_CACHE       0.27  /* rise over the cache before: they are farther apart */
#define LEAST_UNREPORTED  0.8
#define LIKE_LN           M_LN2 /* nearer than twice as large: perhaps one cache */
#define SAME_LN           0.26  /* ln 1.3: the same, as far as that can be measured */
#define SHARED_LN         1.4   /* ln 4: between two ends of a cache that others use as well */
#define FAR_LN            1.1   /* ln 3: sizes beyond the last reach that make it memory */
#define LARGE_LN          16.6  /* ln 16 MiB */
#define STILL_RISING      0.75

/* Value below the step, of all that comes before it. */
static double value_below(const struct group *group, size_t which)
{
	double below = group->steps.base[0] + (group_curve(group)->relative_to_l1 ? FIRST_NS : 0);
	for (size_t i = 0; i < which; i++)
		below += group->steps.items[i].rise[0];
	return below;
}

/* Takes longer than all that is before it: translation seldom does. */
static bool is_long(const struct group *group, size_t which)
{
	return group->steps.items[which].rise[0] > value_below(group, which);
}

/* Value below the step without translation: what the cache before it takes. */
static double cache_below(const struct group *group, size_t which)
{
	double below = value_below(group, which);
	for (size_t i = 0; i < which; i++)
		if (group->steps.items[i].translation)
			below -= group->steps.items[i].rise[0];
	return below;
}

/* How much cheaper the step is as a cache's than as translation: log odds by its shape. */
static double odds_by_shape(const struct group *group, size_t which)
{
	struct steps as_cache = group->steps, as_walk = group->steps;
	double best_cache = INFINITY, best_walk = INFINITY;
	for (double offset = -0.4; offset < 0.41; offset += 0.1) {
		as_walk.items[which].ln_reach = group->steps.items[which].ln_reach + offset;
		as_walk.items[which].shape = shapes_translation();
		steps_solve(&group->problem, &as_walk);
		best_walk = fmin(best_walk, as_walk.cost - step_worths(&as_walk));
		for (size_t shape = 0; shape < shapes_count(); shape++) {
			if (!hierarchy_looks_at(&group->problem, &group->options, shape))
				continue;
			as_cache.items[which].ln_reach = as_walk.items[which].ln_reach;
			as_cache.items[which].shape = shape;
			as_cache.items[which].translation = false;
			steps_solve(&group->problem, &as_cache);
			best_cache = fmin(best_cache, as_cache.cost - step_worths(&as_cache));
		}
	}
	double odds = (best_walk - best_cache) / (2 * TEMPER);
	/* Where the order is not known, a gradual step may as well be a cache's in a soft order. */
	bool known = group_curve(group)->points[0].spec.pattern != FATHOM_PATTERN_UNKNOWN;
	double most = known ? SHAPE_WEIGHT_MOST : SHAPE_WEIGHT_MOST / 2;
	return fmax(-most, fmin(most, odds));
}

double judge_entry_bytes(const struct group *group, size_t which)
{
	double page_bytes = group_page_bytes(group);
	double reach_bytes = exp(group->steps.items[which].ln_reach);
	return reach_bytes < FEWEST_ENTRIES * page_bytes ? SPLINTER_BYTES : page_bytes;
}

static double entries_of(const struct group *group, size_t which)
{
	return exp(group->steps.items[which].ln_reach) / judge_entry_bytes(group, which);
}

bool judge_is_walk(const struct group *group, size_t which)
{
	return entries_of(group, which) > MOST_ENTRIES;
}

/* What such a step would be, were it translation. */
static char *translation_text(const struct group *group, size_t which)
{
	if (judge_is_walk(group, which))
		return strdup("page tables that outgrow a cache");
	return text_format("the reach of about %.0f pages of %.0f KiB", entries_of(group, which),
			   judge_entry_bytes(group, which) / 1024);
}

/* Slower than a cache can be, translation apart but such as takes too long for that: what rises
 * there is most often what else memory takes, as others that use it too. Only small caches, outside
 * the chip, were slower still. */
static bool is_too_slow(const struct group *group, size_t which)
{
	const struct step *step = &group->steps.items[which];
	bool cycles = group->data[0].cycles;
	double below = cache_below(group, which);
	for (size_t i = 0; i < which; i++)
		if (group->steps.items[i].translation && is_long(group, i))
			below += group->steps.items[i].rise[0];
	if (step->ln_reach > LARGE_LN && below >= (cycles ? SLOWEST_CYCLES : SLOWEST_NS))
		return true;
	return below >= (cycles ? SLOW_CYCLES : SLOW_NS) && step->rise[0] < below;
}

/* Are the sizes round the step too far apart to show its slope? */
static bool is_sparse(const struct group *group, size_t which)
{
	const struct steps_curve *curve = &group->curves[0];
	double ln_reach = group->steps.items[which].ln_reach;
	size_t after = 1;
	while (after + 1 < curve->count && curve->ln_size[after] < ln_reach)
		after++;
	return curve->ln_size[after] - curve->ln_size[after - 1] > SPARSE_LN;
}

/* By shape and height alone. */
static struct judgement judge_alone(const struct group *group, size_t which)
{
	double below = value_below(group, which);
	double rise = group->steps.items[which].rise[0];
	double relative = rise / below;
	double shape = odds_by_shape(group, which);
	double usual = step_usual_translation(&group->problem, &group->steps,
					      &group->steps.items[which], below);
	bool below_is_guessed = which == 0 && group_curve(group)->relative_to_l1;
	double steep = is_sparse(group, which) && !below_is_guessed ? STEEP_SPARSE : STEEP;
	double odds = shape + STEEP_WEIGHT * log(relative / steep) +
		      UNUSUAL_WEIGHT * fmax(0, log(rise / usual));
	double share = 1 / (1 + exp(-odds));
	struct judgement judged = {FATHOM_LEVEL_UNKNOWN, fmax(share, 1 - share), NULL};
	char *what = translation_text(group, which);
	const char *slope = shape > 1    ? "as steep as that of a cache"
			    : shape < -1 ? "as gradual as that of translation"
					 : "inconclusive in slope";
	if (share > SURE && is_too_slow(group, which)) {
		judged.evidence = text_format(
			"the step is %s, but few caches are so slow below it: a cache, or %s",
			slope, what ? what : "translation");
	} else if (share > SURE) {
		judged.kind = FATHOM_LEVEL_CACHE;
		judged.evidence =
			text_format("the step is %s and adds %.0f %%", slope, 100 * relative);
	} else if (share < 1 - SURE) {
		judged.kind = FATHOM_LEVEL_TLB;
		judged.evidence = text_format("the step is %s, adds %.0f %% and would be %s; there "
					      "is no control curve to prove it",
					      slope, 100 * relative, what ? what : "translation");
	} else {
		judged.evidence = text_format("the step is %s and adds %.0f %%: a cache, or %s",
					      slope, 100 * relative, what ? what : "translation");
	}
	free(what);
	return judged;
}

static bool control_covers(const struct group *group, size_t control, size_t which)
{
	const struct steps_curve *curve = &group->curves[control];
	return curve->count && curve->ln_size[curve->count - 1] >
				       group->steps.items[which].ln_reach + CONTROL_COVERS;
}

/* NULL: nothing, or it is not the last cache. */
static char *leak_text(const struct group *group, size_t which)
{
	double share = group->steps.leak / fmax(1e-9, group->steps.items[which].rise[0]);
	bool leaks = share > LEAST_TOLD && step_is_last_cache(&group->steps, which);
	return leaks ? text_format(
			       "; co-tenants evict %.0f %% of its lines during a lap of its size",
			       100 * fmin(1, share))
		     : NULL;
}

static struct judgement judge_by_control(const struct group *group, size_t control, size_t which)
{
	const struct step *step = &group->steps.items[which];
	double share = step->rise[0] > 0 ? step->rise[control] / step->rise[0] : 0;
	double sure =
		1 - exp(-hierarchy_gain(&group->problem, &group->steps, which) / (2 * TEMPER));
	struct judgement judged = {FATHOM_LEVEL_CACHE, sure, NULL};
	bool lacks = step->translation || share < CONTROL_LACKS;
	if (lacks && is_long(group, which)) {
		judged.kind = FATHOM_LEVEL_UNKNOWN;
		judged.evidence = strdup(
			"the control curve lacks the step, but translation seldom costs so much: a "
			"shared cache may keep fewer lines for the slower full walk");
	} else if (lacks) {
		judged.kind = FATHOM_LEVEL_TLB;
		judged.evidence =
			text_format("the control curve lacks the step: %s",
				    judge_is_walk(group, which) ? "page tables that outgrow a cache"
								: "the reach of a TLB");
	} else {
		char *leak = leak_text(group, which);
		const char *end = leak ? leak : "";
		bool fetched = group->problem.fetched > 0 &&
			       !step_is_last_cache(&group->steps, which) &&
			       !step_is_first_cache(&group->steps, which);
		judged.evidence =
			fetched ? text_format("the control curve has the step, except for about "
					      "%.0f %% that prefetchers hide%s",
					      100 * group->problem.fetched, end)
				: text_format("the control curve has %.0f %% of the step%s",
					      100 * fmin(1, share), end);
		free(leak);
	}
	return judged;
}

/* The nearest cache that the OS reports of this machine: ln bytes from it to the step. NULL: none.
 */
static const struct fathom_cache *nearest_reported(const struct group *group, size_t which,
						   double *away)
{
	const struct fathom_machine *machine = group->result->machine;
	const struct fathom_cache *nearest = NULL;
	for (size_t i = 0; machine && !group_curve(group)->tool && i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		double ln = log((double)cache->size_bytes) - group->steps.items[which].ln_reach;
		if (cache->kind == FATHOM_CACHE_INSTRUCTION || cache->size_bytes == 0 ||
		    (nearest && fabs(ln) >= *away))
			continue;
		nearest = cache;
		*away = fabs(ln);
	}
	return nearest;
}

/* What a cache adds at least to the one before: where the OS knows of others, but of none like it,
 * more is asked. */
static double least_rise(const struct group *group, size_t which)
{
	double away;
	bool others = nearest_reported(group, which, &away) != NULL;
	return others && away >= LIKE_LN ? LEAST_UNREPORTED : LEAST_CACHE;
}

/* Is it the lesser part of a cache that the OS reports, whose other part is nearer to that? */
static bool is_part_of_reported(const struct group *group, size_t which)
{
	const struct step *steps = group->steps.items;
	double away, other_away;
	const struct fathom_cache *reported = nearest_reported(group, which, &away);
	for (size_t i = 0; reported && i < group->steps.count; i++)
		if (i != which && !steps[i].translation &&
		    steps[i].rise[0] > steps[which].rise[0] &&
		    fabs(steps[i].ln_reach - steps[which].ln_reach) < LIKE_LN &&
		    nearest_reported(group, i, &other_away) == reported &&
		    other_away < fmin(away, SAME_LN))
			return true;
	return false;
}

/* Bytes of the two largest data caches that the OS reports; 0: of none. */
static void largest_reported(const struct fathom_machine *machine, double *last, double *next)
{
	*last = *next = 0;
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		double bytes = (double)cache->size_bytes;
		if (cache->kind == FATHOM_CACHE_INSTRUCTION)
			continue;
		*next = fmax(*next, fmin(*last, bytes));
		*last = fmax(*last, bytes);
	}
}

/* Is it what is left of a guest's last cache at times? Others use that one as well, at some times
 * more than at others, so that it may seem to end twice: last where the most is left. */
static bool is_part_of_shared(const struct group *group, size_t which)
{
	const struct fathom_machine *machine = group->result->machine;
	const struct step *steps = group->steps.items;
	double last, next;
	if (!machine || !machine->hypervisor || group_curve(group)->tool)
		return false;
	largest_reported(machine, &last, &next);
	if (!(next > 0) || steps[which].ln_reach < log(next) + LIKE_LN)
		return false;
	for (size_t i = 0; i < group->steps.count; i++) {
		double farther = steps[i].ln_reach - steps[which].ln_reach;
		double away = log(last) - steps[which].ln_reach;
		if (!steps[i].translation && steps[i].rise[0] > steps[which].rise[0] &&
		    farther > 0 && farther < SHARED_LN && fabs(away - farther) < fabs(away))
			return true;
	}
	return false;
}

struct judgement judge_step(const struct group *group, size_t which)
{
	size_t control = group_role(group, STEPS_CONTROL);
	bool controlled = control != GROUP_NO_CURVE && control_covers(group, control, which);
	struct judgement judged =
		controlled ? judge_by_control(group, control, which) : judge_alone(group, which);
	double relative = group->steps.items[which].rise[0] / cache_below(group, which);
	bool part = is_part_of_reported(group, which) || is_part_of_shared(group, which);
	if (judged.kind != FATHOM_LEVEL_CACHE || !judged.evidence ||
	    (relative >= least_rise(group, which) && !part))
		return judged;
	free(judged.evidence);
	judged.kind = FATHOM_LEVEL_UNKNOWN;
	judged.evidence =
		part ? strdup("few caches are so close in size, and the OS reports the other one: "
			      "a cache, or a part of the other that co-tenants use too")
		     : text_format("few caches add only %.0f %% to the one before: a cache, or one "
				   "that co-tenants use too and that loses more lines the longer a "
				   "walk takes",
				   100 * relative);
	return judged;
}

static double hits_past(const struct group *group, size_t which)
{
	double ln_size = group->steps.items[which].ln_reach + log(PAST_REACH);
	return 1 - steps_missed(&group->problem, &group->steps, which, 0, ln_size);
}

enum fathom_replacement judge_replacement(const struct group *group, size_t which, char **evidence)
{
	static const enum fathom_replacement classes[] = {
		[SHAPE_LRU] = FATHOM_REPLACEMENT_LRU,
		[SHAPE_RANDOM] = FATHOM_REPLACEMENT_RANDOM,
		[SHAPE_RESISTANT] = FATHOM_REPLACEMENT_RESISTANT,
	};
	const double *share = group->spreads[which].class_share;
	bool both = group_role(group, STEPS_SOFT) != GROUP_NO_CURVE;
	size_t best = SHAPE_LRU;
	*evidence = NULL;
	if (group_curve(group)->points[0].spec.pattern != FATHOM_RANDOM_CYCLE ||
	    !(group->options.classes & SHAPE_CLASS_BIT(SHAPE_LRU)))
		return FATHOM_REPLACEMENT_UNDECIDABLE;
	for (size_t class = SHAPE_LRU; class <= SHAPE_RESISTANT; class ++)
		if (share[class] > share[best])
			best = class;
	bool decided = share[best] > SURE_CLASS;
	*evidence = text_format("at %.1f times its size a cycle hits %.0f %%, independent accesses "
				"hit %.0f %%%s; probability %.2f%s",
				PAST_REACH, 100 * hits_past(group, which), 100 / PAST_REACH,
				both ? "" : " (not measured)", share[best],
				decided ? "" : ": too low to decide");
	return decided ? classes[best] : FATHOM_REPLACEMENT_UNDECIDABLE;
}

enum judge_end judge_end(const struct judge_plateau *plateau)
{
	double memory = plateau->cycles ? MEMORY_CYCLES : MEMORY_NS;
	double cache = plateau->cycles ? CACHE_CYCLES : CACHE_NS;
	if (isfinite(plateau->ln_reach) && plateau->missed < STILL_RISING)
		return JUDGE_END_RISING;
	double value = plateau->value - plateau->translated +
		       (1 - plateau->missed) * plateau->rise; /* of all misses */
	if (value >= memory)
		return JUDGE_END_MEMORY;
	if (value < cache)
		return JUDGE_END_CACHE;
	bool far = plateau->ln_largest - plateau->ln_reach > FAR_LN;
	bool memory_like = far && plateau->ln_largest > LARGE_LN && !plateau->left;
	return memory_like ? JUDGE_END_MEMORY : JUDGE_END_UNKNOWN;
}
