#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"
#include "model/translation/page_kind.h"

#define SHARP 0.1 /* share of a step */
/* Deviation of ln of the entries of a second TLB from one survey of a machine to the next: ten of a
 * guest on a Zen 4 say 2800 to 4240, nine of one on an Emerald Rapids 1580 to 2140
 * (docs/inference.md). */
#define AGAIN_LN 0.13

/* A cliff between two points: where between them is not known. Is it one? */
static bool widen_to_bracket(const struct tlb_fit *fit, size_t which, struct fathom_tlb *tlb)
{
	const struct steps_problem *problem = &fit->group.problem;
	const struct steps_curve *chain = &fit->group.curves[fit->paged];
	const struct steps *steps = &fit->group.steps;
	size_t step = fit->tlbs[which];
	bool cliff = false;
	for (size_t i = 0; i + 1 < fit->count; i++) {
		double low = chain->ln_size[i], high = chain->ln_size[i + 1];
		if (high <= steps->items[step].ln_reach || low > steps->items[step].ln_reach)
			continue;
		if (steps_missed(problem, steps, step, fit->paged, low) > SHARP ||
		    steps_missed(problem, steps, step, fit->paged, high) < 1 - SHARP)
			continue;
		tlb->entries_low = fmin(tlb->entries_low, exp(low - problem->ln_page));
		tlb->entries_high = fmax(tlb->entries_high, exp(high - problem->ln_page));
		cliff = true;
	}
	return cliff;
}

/* A slope does not tell how evenly the sets fill from how many ways they have: another run says
 * another size. */
static void widen_slope(struct fathom_tlb *tlb)
{
	double again = STATS_NORMAL_95 * AGAIN_LN;
	double below = log(tlb->entries / tlb->entries_low);
	double above = log(tlb->entries_high / tlb->entries);
	tlb->entries_low = tlb->entries * exp(-hypot(below, again));
	tlb->entries_high = tlb->entries * exp(hypot(above, again));
}

static struct stats_interval drawn_penalty(const struct tlb_fit *fit, size_t which)
{
	double drawn[TLB_FIT_DRAWS];
	for (size_t d = 0; d < TLB_FIT_DRAWS; d++)
		drawn[d] = tlb_fit_penalty_ns(fit, &fit->draws[d], which);
	return tlb_fit_interval(drawn, tlb_fit_penalty_ns(fit, &fit->group.steps, which));
}

static void set_penalty(const struct tlb_fit *fit, size_t which, struct fathom_tlb *tlb)
{
	double end = which + 1 < fit->tlb_count ? tlb_fit_entries(fit, &fit->group.steps, which + 1)
						: INFINITY;
	double clock = tlb_fit_clock(fit, tlb->entries, end);
	struct stats_interval interval = drawn_penalty(fit, which);
	tlb->penalty_ns = tlb_fit_penalty_ns(fit, &fit->group.steps, which);
	tlb->penalty_low_ns = interval.low;
	tlb->penalty_high_ns = interval.high;
	tlb->penalty_cycles = tlb->penalty_ns * clock;
	tlb->penalty_low_cycles = tlb->penalty_low_ns * clock;
	tlb->penalty_high_cycles = tlb->penalty_high_ns * clock;
}

static struct fathom_tlb describe(const struct tlb_fit *fit, size_t which)
{
	const struct group *group = &fit->group;
	const struct hierarchy_spread *spread = &group->spreads[fit->tlbs[which]];
	struct hierarchy_odds odds =
		hierarchy_odds(&group->problem, group->tried, &group->steps, fit->tlbs[which]);
	double ln_page = group->problem.ln_page;
	struct fathom_tlb tlb = {
		.entries = exp(spread->ln_reach - ln_page),
		.entries_low = exp(spread->ln_low - ln_page),
		.entries_high = exp(spread->ln_high - ln_page),
		.confidence = odds.translation,
	};
	if (!widen_to_bracket(fit, which, &tlb) && which > 0)
		widen_slope(&tlb);
	set_penalty(fit, which, &tlb);
	tlb.evidence = text_format("one line per page costs %.1f ns more than the same number of "
				   "lines packed, from %.0f to %.0f pages on",
				   tlb.penalty_ns, tlb.entries_low, tlb.entries_high);
	return tlb;
}

/* Why the chains show none. */
static char *why_none(const struct page_kind *kind)
{
	const struct fathom_translation *found = &kind->found;
	if (found->spread == FATHOM_NO_CURVE)
		return text_format("no chain with one line per page was measured");
	if (found->packed == FATHOM_NO_CURVE)
		return text_format("the same number of lines was not measured packed");
	if (kind->fit->count < TLB_FIT_FEWEST)
		return text_format("too few page counts were measured both spread and packed: %zu",
				   kind->fit->count);
	return text_format(
		"one line per page costs no more than the same lines packed, up to %.0f pages",
		tlb_fit_most_pages(kind->fit));
}

int page_kind_find_tlbs(struct page_kind *kind, struct fathom_error *error)
{
	struct fathom_translation *found = &kind->found;
	size_t count = kind->fit->tlb_count;
	if (count == 0) {
		found->tlbs_missing = why_none(kind);
		return found->tlbs_missing ? 0 : error_no_memory(error);
	}
	found->tlbs = calloc(count, sizeof(*found->tlbs));
	if (!found->tlbs)
		return error_no_memory(error);
	for (size_t i = 0; i < count; i++) {
		found->tlbs[i] = describe(kind->fit, i);
		found->tlb_count++;
		if (!found->tlbs[i].evidence)
			return error_no_memory(error);
	}
	return 0;
}
