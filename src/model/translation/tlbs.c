#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "model/levels/judge.h"
#include "model/translation/page_kind.h"

#define FEWEST_DEARER 2 /* page counts: one of many is so by chance */

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
	double ln_low = spread->ln_low, ln_high = spread->ln_high;
	judge_widen_tlb(group, fit->tlbs[which], which, &ln_low, &ln_high);
	struct fathom_tlb tlb = {
		.entries = exp(spread->ln_reach - ln_page),
		.entries_low = exp(ln_low - ln_page),
		.entries_high = exp(ln_high - ln_page),
		.confidence = odds.translation,
	};
	set_penalty(fit, which, &tlb);
	tlb.evidence = text_format("one line per page costs %.1f ns more than the same number of "
				   "lines packed, from %.0f to %.0f pages on",
				   tlb.penalty_ns, tlb.entries_low, tlb.entries_high);
	return tlb;
}

static const struct fathom_point *find_packed(const struct page_kind *kind, uint64_t nodes)
{
	const struct fathom_curve *packed = &kind->result->curves[kind->found.packed];
	for (size_t i = 0; i < packed->point_count; i++)
		if (packed->points[i].nodes == nodes)
			return &packed->points[i];
	return NULL;
}

/* From which number of pages to the last one line a page surely takes longer than as many packed,
 * at FEWEST_DEARER or more; 0: none. */
static uint64_t find_dearer(const struct page_kind *kind, double *more_ns)
{
	const struct fathom_curve *spread = &kind->result->curves[kind->found.spread];
	uint64_t from = 0;
	size_t count = 0;
	for (size_t i = spread->point_count; i-- > 0;) {
		const struct fathom_point *one = &spread->points[i];
		const struct fathom_point *same = find_packed(kind, one->nodes);
		if (!same)
			continue;
		if (!(one->latency_low_ns > same->latency_high_ns))
			break;
		*more_ns = one->latency_ns - same->latency_ns;
		from = one->nodes;
		count++;
	}
	return count >= FEWEST_DEARER ? from : 0;
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
	double more_ns = 0;
	uint64_t dearer = find_dearer(kind, &more_ns);
	if (dearer)
		return text_format("one line per page costs %.2g ns more than the same lines "
				   "packed from %llu pages on, but %zu page counts do not tell a "
				   "TLB from a cache",
				   more_ns, (unsigned long long)dearer, kind->fit->count);
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
