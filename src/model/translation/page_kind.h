/* One kind of page while its translation is found out: the curves, the fit, and what comes of them.
 */
#ifndef MODEL_TRANSLATION_PAGE_KIND_H
#define MODEL_TRANSLATION_PAGE_KIND_H

#include "model/translation/tlb_fit.h"

#define PAGE_KIND_WHOLE 0.99 /* of the memory on pages that were asked for: all, in effect */

struct page_kind {
	const struct fathom_result *result;
	struct fathom_translation found;
	struct tlb_fit *fit; /* that of found.spread: one of these */
	/* Of the chains through one line in each page, and in each base page of these. No points:
	 * there are no two such chains. */
	struct tlb_fit whole, pieces;
};

/* The curve along the sizes; NULL: there is none. */
static inline const struct fathom_curve *page_kind_by_size(const struct page_kind *kind)
{
	return kind->found.by_size == FATHOM_NO_CURVE ? NULL
						      : &kind->result->curves[kind->found.by_size];
}

/* How far apart the lines of the chain through one line a page lie; 0: there is none. */
static inline uint64_t page_kind_spacing_bytes(const struct page_kind *kind)
{
	return kind->found.spread == FATHOM_NO_CURVE
		       ? 0
		       : kind->result->curves[kind->found.spread].points[0].spec.node_bytes;
}

/* What translation costs a random access into so many bytes; NAN: that is not known. */
double page_kind_cost_ns(const struct page_kind *kind, uint64_t size_bytes);
/* Fills found.tlbs, or says why there are none. Errors: FAILED. */
int page_kind_find_tlbs(struct page_kind *kind, struct fathom_error *error);
/* Fills found.walks, or says why there are none: named by `levels`, caches by reach. */
int page_kind_find_walks(struct page_kind *kind, const struct fathom_level *levels,
			 size_t level_count, struct fathom_error *error);
/* Are the larger pages of `kind` splintered: do they save what the base pages' first TLB costs, in
 * the chains through each base page of them, or else along the sizes? Sets splintered, its evidence
 * and entry_bytes. */
int page_kind_find_splinters(struct page_kind *kind, const struct page_kind *base,
			     struct fathom_error *error);
/* The large pages that memory of that size shows best on: all of it on them before a part, then
 * splintered ones last and before them those of which it is not known, then the largest. kinds[0]
 * are the base pages; 0 bytes: the largest size that each kind has. NULL: none are larger. */
const struct page_kind *page_kind_large(const struct page_kind *kinds, size_t count,
					uint64_t size_bytes);
/* Adds to result->decompositions, one a size of the base pages' curve; kinds[0] are these. */
int page_kind_decompose(struct fathom_result *result, const struct page_kind *kinds, size_t count,
			struct fathom_error *error);

#endif
