#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"
#include "model/translation/page_kind.h"
#include "model/translation/page_pairs.h"

#define FEWEST_SIZES 2   /* one may be an outlier */
#define HALF         0.5 /* of the cost saved: whole pages save all, splintered ones nothing */
#define SECOND_SHARE 0.9 /* of the second TLB's reach: beyond, walks are in it */
#define FIRST_TIMES  8.0 /* of the first TLB's, where there is no second one */
#define LEAST_ERRORS 0.5 /* of a TLB's cost at a size, in its standard deviations */

/* What larger pages save of what the first TLB should cost, by least squares over the sizes, or
 * over the numbers of base pages. */
struct saving {
	size_t sizes;
	double least_bytes, most_bytes;
	double weight, sum, square; /* sums of T T, d T and d d, over the variance */
};

static void add_saving(double bytes, double expected, double saved, double error,
		       struct saving *saving)
{
	if (expected < LEAST_ERRORS * error)
		return;
	if (saving->sizes++ == 0)
		saving->least_bytes = bytes;
	saving->most_bytes = bytes;
	saving->weight += expected * expected / (error * error);
	saving->sum += saved * expected / (error * error);
	saving->square += saved * saved / (error * error);
}

/* Walks through large pages are shorter, too; but as long as these would fit in their own first
 * TLB, whole ones save all that translation costs. */
static double farthest_bytes(const struct page_kind *kind, const struct page_kind *base)
{
	const struct fathom_translation *small = &base->found, *large = &kind->found;
	double most_pages = small->tlb_count > 1 ? SECOND_SHARE * small->tlbs[1].entries
						 : FIRST_TIMES * small->tlbs[0].entries;
	double large_pages = large->tlb_count > 0 ? large->tlbs[0].entries : TLB_FEWEST_ENTRIES;
	double chain_bytes = tlb_fit_most_pages(base->fit) * (double)small->page_bytes;
	if (page_is_multi_size((int)large->page)) /* so small that they soon miss it as well */
		return fmin(chain_bytes, small->tlbs[0].entries * (double)large->page_bytes);
	return fmin(chain_bytes, fmax(most_pages * (double)small->page_bytes,
				      large_pages * (double)large->page_bytes));
}

static int find_saving(const struct page_kind *kind, const struct page_kind *base,
		       struct saving *saving, struct fathom_error *error)
{
	const struct fathom_curve *small = page_kind_by_size(base);
	const struct fathom_translation *found = &base->found;
	double most_bytes = farthest_bytes(kind, base);
	for (size_t i = 0; i < small->point_count; i++) {
		const struct fathom_point *point = &small->points[i];
		double bytes = (double)point->spec.size_bytes;
		const struct fathom_point *large =
			page_pairs_of_size(page_kind_by_size(kind), point->spec.size_bytes);
		struct page_pair pair;
		if (!large || !isfinite(point->latency_ns) || bytes > most_bytes ||
		    bytes <= found->tlbs[0].entries * (double)found->page_bytes)
			continue;
		if (page_pairs_compare(point, large, &pair, error))
			return -1;
		struct tlb_cost cost = tlb_fit_cost(base->fit, &base->fit->group.steps,
						    bytes / (double)found->page_bytes);
		add_saving(bytes, cost.tlb_ns + cost.walk_ns, pair.ns,
			   page_pairs_error(point, large, &pair), saving);
	}
	return 0;
}

/* Of the chain through one line in each base page of the large ones: as long as these are few
 * enough for any TLB, whole ones miss none. */
static struct saving find_saving_in_pieces(const struct page_kind *kind,
					   const struct page_kind *base)
{
	const struct fathom_translation *small = &base->found;
	const struct tlb_fit *fit = &kind->pieces, *other = base->fit;
	struct saving saving = {0};
	double first = small->tlbs[0].entries;
	double large = page_is_multi_size((int)kind->found.page) ? first : TLB_FEWEST_ENTRIES;
	double most = large * (double)kind->found.page_bytes / (double)small->page_bytes;
	if (small->tlb_count > 1)
		most = fmin(most, SECOND_SHARE * small->tlbs[1].entries);
	most = fmin(most, tlb_fit_most_pages(other));
	for (size_t i = 0; i < fit->count; i++) {
		double pages = tlb_fit_pages(fit, i);
		double expected = tlb_fit_cycle_ns(other, &other->group.steps, pages);
		if (pages > first && pages <= most)
			add_saving(pages * (double)small->page_bytes, expected,
				   expected - tlb_fit_measured_ns(fit, i),
				   fit->group.curves[fit->paged].error[i], &saving);
	}
	return saving;
}

/* Where the sizes agree less with each other than their errors say, these are too small. */
static double share_error(const struct saving *saving, double share)
{
	double rest = saving->square - share * saving->sum;
	double over = saving->sizes > 1 ? rest / (double)(saving->sizes - 1) : 1;
	return sqrt(fmax(1, over) / saving->weight);
}

/* A TLB that joins no entries holds multi-size THP as base pages, host or not. */
static const char *explain_splinters(const struct page_kind *kind)
{
	return page_is_multi_size((int)kind->found.page) ? ": the TLBs hold them as base pages"
							 : ": a host backs them with base pages";
}

/* Without "-0". */
static double percent(double share)
{
	return round(100 * share) + 0.0;
}

static char *judge(const struct page_kind *kind, const struct saving *saving, int *splintered)
{
	char from[UNITS_TEXT_BYTES], to[UNITS_TEXT_BYTES], page[UNITS_TEXT_BYTES];
	struct text saved = {0};
	*splintered = -1;
	if (saving->sizes < FEWEST_SIZES)
		return text_format("too few sizes lie between the reach of the base pages' first "
				   "TLB and the largest chain on both page kinds");
	double share = saving->sum / saving->weight;
	double error = STATS_NORMAL_95 * share_error(saving, share);
	if (share + error < HALF)
		*splintered = 1;
	else if (share - error > HALF)
		*splintered = 0;
	text_add(&saved, "from %s to %s, pages of %s save ",
		 units_format_size((uint64_t)saving->least_bytes, from),
		 units_format_size((uint64_t)saving->most_bytes, to),
		 units_format_size(kind->found.page_bytes, page));
	if (percent(share + error) < 0.5)
		text_add(&saved, "nothing");
	else
		text_add(&saved, "%.0f %% (95 %%: %.0f to %.0f)", percent(share),
			 percent(share - error), percent(share + error));
	text_add(&saved, " of the cost of first-level TLB misses on base pages%s",
		 *splintered == 1   ? explain_splinters(kind)
		 : *splintered == 0 ? ""
				    : ", which is inconclusive");
	return text_take(&saved);
}

/* What the chains through each base page of them say. */
static int measure_pieces(struct page_kind *kind, const struct page_kind *base,
			  struct fathom_error *error)
{
	struct fathom_translation *found = &kind->found;
	if (kind->pieces.count < TLB_FIT_FEWEST || base->found.tlb_count == 0)
		return 0;
	struct saving saving = find_saving_in_pieces(kind, base);
	found->splintered_evidence = judge(kind, &saving, &found->splintered);
	return found->splintered_evidence ? 0 : error_no_memory(error);
}

/* What the same chain on both kinds of page says. */
static int measure_sizes(struct page_kind *kind, const struct page_kind *base,
			 struct fathom_error *error)
{
	struct fathom_translation *found = &kind->found;
	bool known = base->found.tlb_count > 0 && base->found.page_bytes &&
		     page_kind_by_size(base) && page_kind_by_size(kind);
	free(found->splintered_evidence);
	found->splintered_evidence = NULL;
	if (!known) {
		found->splintered_evidence =
			strdup(base->found.tlb_count == 0
				       ? "the reach of the base pages' TLBs is not known"
				       : "the two page kinds were not measured at the same sizes");
		return found->splintered_evidence ? 0 : error_no_memory(error);
	}
	struct saving saving = {0};
	if (find_saving(kind, base, &saving, error))
		return -1;
	found->splintered_evidence = judge(kind, &saving, &found->splintered);
	return found->splintered_evidence ? 0 : error_no_memory(error);
}

/* What cannot be told from the curves, but no host is there to do it. */
static int exclude(struct fathom_translation *found, struct fathom_error *error)
{
	char *instead = strdup("there is no host that could back them with base pages");
	if (!instead)
		return error_no_memory(error);
	free(found->splintered_evidence);
	found->splintered_evidence = instead;
	found->splintered = 0;
	return 0;
}

/* What is in small pages because no large ones were given says nothing of a host. */
static bool is_partial(const struct page_kind *kind, const struct page_kind *base)
{
	const struct fathom_curve *curve = page_kind_by_size(kind);
	if (kind->found.page_bytes && kind->found.page_bytes <= base->found.page_bytes)
		return true;
	for (size_t i = 0; curve && i < curve->point_count; i++)
		if (curve->points[i].page_share < PAGE_KIND_WHOLE)
			return true;
	return false;
}

int page_kind_find_splinters(struct page_kind *kind, const struct page_kind *base,
			     struct fathom_error *error)
{
	struct fathom_translation *found = &kind->found;
	found->splintered = -1;
	found->entry_bytes = found->page_bytes;
	if (is_partial(kind, base)) {
		found->splintered_evidence =
			strdup("part of the measured memory is not on such pages");
		return found->splintered_evidence ? 0 : error_no_memory(error);
	}
	if (measure_pieces(kind, base, error) ||
	    (found->splintered < 0 && measure_sizes(kind, base, error)))
		return -1;
	if (found->splintered != 0 && kind->result->machine && !found->nested &&
	    !page_is_multi_size((int)found->page))
		return exclude(found, error);
	if (found->splintered == 1)
		found->entry_bytes = base->found.page_bytes;
	return 0;
}
