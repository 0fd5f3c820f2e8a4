#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "model/translation/page_kind.h"
#include "model/translation/page_pairs.h"

#define PAST_CHAINS 1.05 /* times the pages that the chains end at: no farther is known */

/* The parts at one size while they are put together. */
struct parts {
	const struct page_kind *base, *large; /* large NULL: none */
	const struct fathom_point *point, *large_point;
	struct page_pair pair; /* of these two points */
	struct tlb_cost cost;  /* translation on base pages */
	double large_cost_ns;  /* on the large ones */
	/* TLB_FIT_DRAWS each; both: less that of the large ones */
	double *drawn_tlb, *drawn_walk, *drawn_both, *drawn_large;
	bool translated; /* is the translation on base pages known? */
	bool large_translated;
};

/* As many as a TLB has to have entries. */
static double pages_at(const struct page_kind *kind, uint64_t size_bytes)
{
	return (double)size_bytes / (double)kind->found.entry_bytes;
}

/* Is what translation costs there known, also that it costs nothing? Chains through one line of
 * each page say nothing of entries for less. */
static bool is_translated(const struct page_kind *kind, uint64_t size_bytes)
{
	const struct fathom_translation *found = &kind->found;
	const struct tlb_fit *fit = kind->fit;
	return found->entry_bytes && fit->count >= TLB_FIT_FEWEST &&
	       (found->splintered != 1 || page_kind_spacing_bytes(kind) == found->entry_bytes) &&
	       pages_at(kind, size_bytes) <= PAST_CHAINS * tlb_fit_most_pages(fit);
}

static double cost_ns(const struct page_kind *kind, const struct steps *steps, double pages)
{
	struct tlb_cost cost = tlb_fit_cost(kind->fit, steps, pages);
	return cost.tlb_ns + cost.walk_ns;
}

double page_kind_cost_ns(const struct page_kind *kind, uint64_t size_bytes)
{
	if (!is_translated(kind, size_bytes))
		return NAN;
	return cost_ns(kind, &kind->fit->group.steps, pages_at(kind, size_bytes));
}

static void find_translation(struct parts *parts)
{
	uint64_t bytes = parts->point->spec.size_bytes;
	const struct tlb_fit *fit = parts->base->fit;
	const struct page_kind *large = parts->large_translated ? parts->large : NULL;
	parts->cost = (struct tlb_cost){0, 0};
	parts->large_cost_ns =
		large ? cost_ns(large, &large->fit->group.steps, pages_at(large, bytes)) : 0;
	if (parts->translated)
		parts->cost = tlb_fit_cost(fit, &fit->group.steps, pages_at(parts->base, bytes));
	for (size_t d = 0; d < TLB_FIT_DRAWS; d++) {
		struct tlb_cost cost = {0, 0};
		if (parts->translated)
			cost = tlb_fit_cost(fit, &fit->draws[d], pages_at(parts->base, bytes));
		parts->drawn_tlb[d] = cost.tlb_ns;
		parts->drawn_walk[d] = cost.walk_ns;
		parts->drawn_both[d] = cost.tlb_ns + cost.walk_ns;
		parts->drawn_large[d] =
			large ? cost_ns(large, &large->fit->draws[d], pages_at(large, bytes)) : 0;
		parts->drawn_both[d] -= parts->drawn_large[d];
	}
}

/* ---- the costs ---- */

static const struct fathom_cost not_known = {NAN, NAN, NAN};

static struct fathom_cost drawn_cost(double *drawn, double ns)
{
	struct stats_interval interval = tlb_fit_interval(drawn, ns);
	return (struct fathom_cost){ns, interval.low, interval.high};
}

/* The first less the second, which know nothing of each other. */
static struct fathom_cost less(struct fathom_cost first, struct fathom_cost second)
{
	double ns = first.ns - second.ns;
	return (struct fathom_cost){
		ns,
		ns - hypot(first.ns - first.low_ns, second.high_ns - second.ns),
		ns + hypot(first.high_ns - first.ns, second.ns - second.low_ns),
	};
}

static struct fathom_cost latency_of(const struct fathom_point *point)
{
	return (struct fathom_cost){point->latency_ns, point->latency_low_ns,
				    point->latency_high_ns};
}

/* The latency on the large pages while the base pages were measured beside them: so that the rows
 * add up. */
static struct fathom_cost large_latency(const struct parts *parts)
{
	const struct fathom_point *large = parts->large_point;
	double ns = parts->point->latency_ns - parts->pair.ns;
	return (struct fathom_cost){ns, ns - (large->latency_ns - large->latency_low_ns),
				    ns + (large->latency_high_ns - large->latency_ns)};
}

static void set_costs(struct parts *parts, struct fathom_decomposition *made)
{
	const struct fathom_cost own = drawn_cost(parts->drawn_large, parts->large_cost_ns);
	double both_ns = parts->cost.tlb_ns + parts->cost.walk_ns - parts->large_cost_ns;
	struct fathom_cost both = drawn_cost(parts->drawn_both, both_ns);
	made->total = latency_of(parts->point);
	for (int part = 0; part < FATHOM_PART_COUNT; part++)
		made->parts[part] = not_known;
	if (parts->translated) {
		made->parts[FATHOM_PART_TLB] = drawn_cost(parts->drawn_tlb, parts->cost.tlb_ns);
		made->parts[FATHOM_PART_WALK] = drawn_cost(parts->drawn_walk, parts->cost.walk_ns);
	}
	if (parts->large) {
		const struct fathom_cost rest = {parts->pair.ns, parts->pair.low_ns,
						 parts->pair.high_ns};
		made->parts[FATHOM_PART_MEMORY] = less(large_latency(parts), own);
		made->parts[FATHOM_PART_RESIDUAL] = less(rest, both);
	} else {
		made->parts[FATHOM_PART_RESIDUAL] = less(made->total, both);
	}
}

/* ---- which large pages, and what they hide ---- */

/* Whole pages before those that were had in part; then those that no host holds in small ones. */
static int rank_of(const struct page_kind *kind, const struct fathom_point *point)
{
	int whole = point->page_share >= PAGE_KIND_WHOLE ? 3 : 0;
	return whole + (kind->found.splintered == 0 ? 2 : kind->found.splintered < 0 ? 1 : 0);
}

static const struct fathom_point *point_of(const struct page_kind *kind, uint64_t size_bytes)
{
	const struct fathom_curve *curve = page_kind_by_size(kind);
	if (!curve)
		return NULL;
	return size_bytes ? page_pairs_of_size(curve, size_bytes)
			  : &curve->points[curve->point_count - 1];
}

const struct page_kind *page_kind_large(const struct page_kind *kinds, size_t count,
					uint64_t size_bytes)
{
	const struct page_kind *best = NULL;
	int best_rank = 0;
	for (size_t i = 1; i < count; i++) {
		const struct page_kind *kind = &kinds[i];
		const struct fathom_point *point = point_of(kind, size_bytes);
		if (!point || kind->found.page_bytes <= kinds->found.page_bytes)
			continue;
		int rank = rank_of(kind, point);
		bool larger = best && kind->found.page_bytes > best->found.page_bytes;
		if (!best || rank > best_rank || (rank == best_rank && larger)) {
			best = kind;
			best_rank = rank;
		}
	}
	return best;
}

static bool in_first_tlb(const struct parts *parts)
{
	const struct fathom_translation *base = &parts->base->found;
	return base->tlb_count > 0 &&
	       pages_at(parts->base, parts->point->spec.size_bytes) <= base->tlbs[0].entries;
}

/* Why there is translation in what large pages take; NULL: there is none. */
static const char *why_bound(const struct parts *parts)
{
	const struct fathom_translation *found = &parts->large->found;
	if (in_first_tlb(parts))
		return NULL;
	if (found->splintered == 1)
		return parts->large_translated ? NULL
					       : "an upper bound: TLBs hold them as small pages, "
						 "whose translation cost is not known";
	if (parts->large_point->page_share < PAGE_KIND_WHOLE)
		return "an upper bound: part of the memory is not on them";
	if (found->splintered < 0)
		return "an upper bound: TLBs may hold them as small pages";
	if (!parts->large_translated &&
	    pages_at(parts->large, parts->point->spec.size_bytes) > TLB_FEWEST_ENTRIES)
		return "an upper bound: their own translation cost is not known";
	return NULL;
}

static char *explain(const struct parts *parts, const char *bound)
{
	char page[UNITS_TEXT_BYTES];
	struct text text = {0};
	if (!parts->large)
		text_add(&text, "no larger pages were measured, so the residual includes the cache "
				"or memory itself");
	else
		text_add(&text, "the cache or memory itself was measured on pages of %s",
			 units_format_size(parts->large->found.page_bytes, page));
	if (bound)
		text_add(&text, ", %s", bound);
	if (parts->large && parts->large_cost_ns > 0)
		text_add(&text, "%s less what translation takes on them%s", bound ? ", but" : ",",
			 parts->large->found.splintered == 1 ? ", as TLBs hold them in small ones"
							     : "");
	if (!parts->translated)
		text_add(&text, "; %s, so the residual includes translation",
			 parts->base->fit->count < TLB_FIT_FEWEST
				 ? "no chain with one line per page was measured"
				 : "no chain had so many pages");
	else if (parts->base->fit->one_level)
		text_add(&text, "; the second-TLB part may be page walks");
	return text_take(&text);
}

static int decompose_point(struct parts *parts, const struct page_kind *kinds, size_t count,
			   struct fathom_decomposition *made, struct fathom_error *error)
{
	uint64_t size_bytes = parts->point->spec.size_bytes;
	parts->large = page_kind_large(kinds, count, size_bytes);
	parts->translated = is_translated(parts->base, size_bytes);
	parts->large_translated = parts->large && is_translated(parts->large, size_bytes);
	if (parts->large) {
		parts->large_point = point_of(parts->large, size_bytes);
		if (page_pairs_compare(parts->point, parts->large_point, &parts->pair, error))
			return -1;
	}
	find_translation(parts);
	const char *bound = parts->large ? why_bound(parts) : NULL;
	*made = (struct fathom_decomposition){
		.curve = parts->base->found.by_size,
		.size_bytes = size_bytes,
		.memory_curve = parts->large ? parts->large->found.by_size : FATHOM_NO_CURVE,
		.memory_is_bound = bound != NULL,
		.evidence = explain(parts, bound),
	};
	set_costs(parts, made);
	return made->evidence ? 0 : error_no_memory(error);
}

int page_kind_decompose(struct fathom_result *result, const struct page_kind *kinds, size_t count,
			struct fathom_error *error)
{
	const struct fathom_curve *curve = page_kind_by_size(kinds);
	double drawn[4][TLB_FIT_DRAWS];
	struct parts parts = {.base = kinds,
			      .drawn_tlb = drawn[0],
			      .drawn_walk = drawn[1],
			      .drawn_both = drawn[2],
			      .drawn_large = drawn[3]};
	if (!curve)
		return 0;
	result->decompositions = calloc(curve->point_count, sizeof(*result->decompositions));
	if (!result->decompositions)
		return error_no_memory(error);
	for (size_t i = 0; i < curve->point_count; i++) {
		parts.point = &curve->points[i];
		if (!isfinite(parts.point->latency_ns))
			continue;
		if (decompose_point(&parts, kinds, count,
				    &result->decompositions[result->decomposition_count++], error))
			return -1;
	}
	return 0;
}
