#include "model/levels/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "base/stats.h"
#include "base/text.h"
#include "base/units.h"
#include "model/steps/prior.h"

#define CONTROL_COVERS 0.5  /* ln: the control must go on so far past the reach */
#define PAST_THE_LAST  1.5  /* times a TLB: most of a cycle miss it */
#define SURE_CLASS     0.95 /* probability: what else is quoted with 95 % */
#define PAST_REACH     1.5 /* times a cache, where the policies differ by a third of the accesses */
#define MEMORY_NS      55.0 /* no DRAM answers sooner than 45 ns, no usual one than 55 ... */
#define CACHE_NS       35.0 /* ... and few caches take longer */
#define MEMORY_CYCLES  200.0
#define CACHE_CYCLES   90.0
#define LEAST_SHOWN    0.005 /* a share or probability that rounds to 1 % */
#define FAR_LN         1.1   /* ln 3: sizes beyond the last reach that make it memory */
#define LARGE_LN       16.6  /* ln 16 MiB */
#define STILL_RISING   0.75  /* of the last step: what is left of it hides a plateau */
#define SHARP          0.1   /* share of a step */
/* A slope does not tell how evenly the sets of a second TLB fill from how many ways they have.
 * Standard deviation of ln of its entries from one survey of a machine to the next: ten of a guest
 * on a Zen 4 say 2800 to 4240, nine of one on an Emerald Rapids 1580 to 2140 (docs/inference.md).
 */
#define AGAIN_LN 0.13

double judge_value_below(const struct group *group, size_t which)
{
	double below = group->steps.base[0] + group->problem.hidden_base;
	for (size_t i = 0; i < which; i++)
		below += group->steps.items[i].rise[0];
	return below;
}

double judge_entry_bytes(const struct group *group, size_t which)
{
	double page_bytes = group_page_bytes(group);
	double reach_bytes = exp(group->steps.items[which].ln_reach);
	/* Else the host splintered the pages. */
	bool splintered = reach_bytes < TLB_FEWEST_ENTRIES * page_bytes;
	return splintered ? PAGE_USUAL_BYTES : page_bytes;
}

static double entries_of(const struct group *group, size_t which)
{
	return exp(group->steps.items[which].ln_reach) / judge_entry_bytes(group, which);
}

bool judge_is_walk(const struct group *group, size_t which)
{
	size_t before = 0;
	for (size_t i = 0; i < which; i++)
		before += group->steps.items[i].translation;
	return before >= JUDGE_MOST_TLBS || entries_of(group, which) > TLB_MOST_ENTRIES;
}

size_t judge_tlbs(const struct group *group, size_t tlbs[JUDGE_MOST_TLBS])
{
	size_t count = 0;
	for (size_t i = 0; i < group->steps.count; i++) {
		const struct step *step = &group->steps.items[i];
		if (step->translation && !judge_is_walk(group, i) &&
		    hierarchy_odds(&group->problem, group->tried, &group->steps, i).translation >=
			    JUDGE_SURE)
			tlbs[count++] = i;
	}
	return count;
}

bool judge_is_one_level(const struct group *group, size_t tlb_count)
{
	size_t paged = group_role(group, STEPS_PAGED);
	if (paged == GROUP_NO_CURVE || tlb_count != 1)
		return false;
	const struct steps_curve *chain = &group->curves[paged];
	return chain->ln_size[chain->count - 1] < group->problem.ln_page + log(TLB_MOST_ENTRIES);
}

bool judge_is_cliff(const struct group *group, size_t which, size_t curve,
		    struct judge_cliff *cliff)
{
	const struct steps_problem *problem = &group->problem;
	const struct steps_curve *points = &group->curves[curve];
	double ln_reach = group->steps.items[which].ln_reach;
	for (size_t i = 0; i + 1 < points->count; i++) {
		*cliff = (struct judge_cliff){points->ln_size[i], points->ln_size[i + 1]};
		if (cliff->ln_above <= ln_reach || cliff->ln_below > ln_reach)
			continue;
		if (steps_missed(problem, &group->steps, which, curve, cliff->ln_below) <= SHARP &&
		    steps_missed(problem, &group->steps, which, curve, cliff->ln_above) >=
			    1 - SHARP)
			return true;
	}
	return false;
}

void judge_widen_tlb(const struct group *group, size_t which, size_t order, double *ln_low,
		     double *ln_high)
{
	size_t paged = group_role(group, STEPS_PAGED);
	double ln_reach = group->spreads[which].ln_reach, again = STATS_NORMAL_95 * AGAIN_LN;
	struct judge_cliff cliff;
	if (paged == GROUP_NO_CURVE)
		return;
	if (judge_is_cliff(group, which, paged, &cliff)) {
		*ln_low = fmin(*ln_low, cliff.ln_below);
		*ln_high = fmax(*ln_high, cliff.ln_above);
	} else if (order > 0) {
		*ln_low = ln_reach - hypot(ln_reach - *ln_low, again);
		*ln_high = ln_reach + hypot(*ln_high - ln_reach, again);
	}
}

double judge_penalty(const struct group *group, const struct steps *steps, size_t which)
{
	size_t tlbs[JUDGE_MOST_TLBS], count = judge_tlbs(group, tlbs);
	size_t paged = group_role(group, STEPS_PAGED);
	double rise = steps->items[which].rise[0];
	bool last = count && tlbs[count - 1] == which && !judge_is_one_level(group, count);
	if (paged == GROUP_NO_CURVE || !last)
		return rise;
	return rise + steps_tables_value(&group->problem, steps, paged,
					 steps->items[which].ln_reach + log(PAST_THE_LAST));
}

/* What such a step would be, were it translation. */
static char *translation_text(const struct group *group, size_t which)
{
	if (judge_is_walk(group, which))
		return strdup("page tables that outgrow a cache");
	return text_format("the reach of about %.0f pages of %.0f KiB", entries_of(group, which),
			   judge_entry_bytes(group, which) / 1024);
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
	bool leaks = share > LEAST_SHOWN && prior_is_last_cache(&group->steps, which);
	return leaks ? text_format(
			       "; co-tenants evict %.0f %% of its lines during a lap of its size",
			       100 * fmin(1, share))
		     : NULL;
}

/* What the control shows of the step. */
static char *control_text(const struct group *group, size_t control, size_t which)
{
	const struct step *step = &group->steps.items[which];
	double share = step->rise[0] > 0 ? step->rise[control] / step->rise[0] : 0;
	char *leak = leak_text(group, which);
	const char *end = leak ? leak : "";
	bool fetched = group->problem.fetched > 0 && !prior_is_last_cache(&group->steps, which) &&
		       !prior_is_first_cache(&group->steps, which);
	char *text =
		fetched ? text_format("the control curve has the step, except for about %.0f %% "
				      "that prefetchers hide%s",
				      100 * group->problem.fetched, end)
			: text_format("the control curve has %.0f %% of the step%s",
				      100 * fmin(1, share), end);
	free(leak);
	return text;
}

bool judge_still_rises(const struct group *group, size_t which)
{
	const struct curve_data *data = &group->data[0];
	return steps_missed(&group->problem, &group->steps, which, 0,
			    data->ln_size[data->count - 1]) < 1 - SHARP;
}

double judge_seen_rise(const struct group *group, size_t which)
{
	const struct curve_data *data = &group->data[0];
	double rise = group->steps.items[which].rise[0], most = data->value[data->count - 1];
	if (!judge_still_rises(group, which))
		return rise;
	for (size_t i = 0; i < data->count; i++)
		if (data->ln_size[i] > group->steps.items[which].ln_reach)
			most = fmax(most, data->value[i]);
	most += group->problem.hidden_base;
	return fmax(0, fmin(rise, most - judge_value_below(group, which)));
}

/* "adds 73 % to 15.7 ns". Of a step that the curve ends within: where that would be, or, if it is
 * not sure whose step it is, as far as was measured. */
static void add_rise(const struct group *group, size_t which, bool told, struct text *text)
{
	const struct curve_data *data = &group->data[0];
	double rise = told ? group->steps.items[which].rise[0] : judge_seen_rise(group, which);
	double below = judge_value_below(group, which);
	char number[UNITS_TEXT_BYTES];
	text_add(text, "adds %.0f %% to %s %s", 100 * rise / below,
		 units_format_number(below, number), data->cycles ? "cycles" : "ns");
	if (!judge_still_rises(group, which))
		return;
	units_format_size((uint64_t)llround(exp(data->ln_size[data->count - 1])), number);
	if (told)
		text_add(text, " once all accesses miss it, beyond the end of the curve");
	else
		text_add(text, " by %s, where the curve ends", number);
}

/* Probability that the curve is explained by fewer steps, none of which is near this one. */
static double fewer_steps(const struct group *group, size_t which)
{
	const struct hypotheses *tried = group->tried;
	double fewer = 0, sum = 0;
	for (size_t h = 0; h < tried->count; h++) {
		const struct steps *other = &tried->items[h].steps;
		double more = other->unlikely - tried->items[0].steps.unlikely;
		double weight = exp(-more / (2 * HIERARCHY_TEMPER));
		bool near = false;
		for (size_t s = 0; s < other->count; s++)
			near |= fabs(other->items[s].ln_reach -
				     group->steps.items[which].ln_reach) < HIERARCHY_ALIKE_LN;
		fewer += near || other->count >= group->steps.count ? 0 : weight;
		sum += weight;
	}
	return sum > 0 ? fewer / sum : 0;
}

/* What it may be, and how likely each is; what rounds to 0 % is left out. */
static char *odds_text(const struct group *group, size_t which, struct hierarchy_odds odds)
{
	char *what = translation_text(group, which);
	double none = fmin(odds.absent, fewer_steps(group, which));
	const struct {
		const char *what;
		double probability;
	} kinds[] = {{"a cache", odds.cache},
		     {what ? what : "translation", odds.translation},
		     {"the step ends elsewhere", odds.absent - none},
		     {"no step at all", none}};
	struct text text = {0};
	bool told = odds.cache >= JUDGE_SURE || odds.translation >= JUDGE_SURE;
	bool both = odds.cache >= LEAST_SHOWN && odds.translation >= LEAST_SHOWN;
	text_add(&text, "%s",
		 told   ? ""
		 : both ? "not separable from this curve: "
			: "not sure from this curve: ");
	add_rise(group, which, told, &text);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (kinds[i].probability >= LEAST_SHOWN)
			text_add(&text, "; %s with probability %.2f", kinds[i].what,
				 kinds[i].probability);
	free(what);
	return text_take(&text);
}

/* What share of the prior is the OS's word for it. NULL: out of memory. */
static char *with_reported(const struct group *group, size_t which, char *evidence)
{
	char *text =
		evidence
			? text_format("%s; weight of the sizes that the OS reports: %.2f", evidence,
				      prior_reported_weight(&group->problem, &group->steps, which))
			: NULL;
	free(evidence);
	return text;
}

struct judgement judge_step(const struct group *group, size_t which)
{
	const struct step *step = &group->steps.items[which];
	size_t control = group_role(group, STEPS_CONTROL);
	bool controlled = control != GROUP_NO_CURVE && control_covers(group, control, which);
	struct hierarchy_odds odds =
		hierarchy_odds(&group->problem, group->tried, &group->steps, which);
	bool paged = group_role(group, STEPS_PAGED) != GROUP_NO_CURVE;
	struct judgement judged = {
		.kind = FATHOM_LEVEL_UNKNOWN,
		.confidence = fmax(odds.cache, odds.translation),
		.absent = odds.absent,
		.maybe_cache = odds.cache >= LEAST_SHOWN,
		.maybe_translation = odds.translation >= LEAST_SHOWN,
	};
	/* Walks through page tables grow by several small steps: one of them may
	 * as well be none. */
	bool walk = paged && step->translation && judge_is_walk(group, which);
	if (odds.cache >= JUDGE_SURE)
		judged.kind = FATHOM_LEVEL_CACHE;
	else if (odds.translation + (walk ? odds.absent : 0) >= JUDGE_SURE)
		judged.kind = FATHOM_LEVEL_TLB;
	judged.evidence = controlled && judged.kind == FATHOM_LEVEL_CACHE
				  ? control_text(group, control, which)
				  : odds_text(group, which, odds);
	if ((controlled || paged) && judged.kind == FATHOM_LEVEL_TLB) {
		free(judged.evidence);
		judged.evidence =
			text_format("%s: %s",
				    paged ? "the chain through one line per page has the step, the "
					    "same number of packed lines has not"
					  : "as fitted, the control curve lacks the step",
				    judge_is_walk(group, which) ? "page tables that outgrow a cache"
								: "the reach of a TLB");
	}
	if (judged.kind == FATHOM_LEVEL_CACHE && group->problem.reported_count > 0)
		judged.evidence = with_reported(group, which, judged.evidence);
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
	    group->problem.line_visits > 1)
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
