/* Points of two curves that were measured side by side. */
#ifndef MODEL_TRANSLATION_PAGE_PAIRS_H
#define MODEL_TRANSLATION_PAGE_PAIRS_H

#include "fathom.h"

struct page_pair {
	double ns, low_ns, high_ns; /* the first point's latency less the second's; 95 % */
	size_t pairs;               /* of blocks; 0: from the two latencies and their intervals */
};

/* Block by block where both have as many, and the median of these differences. Errors: FAILED
 * (memory). */
int page_pairs_compare(const struct fathom_point *first, const struct fathom_point *second,
		       struct page_pair *pair, struct fathom_error *error);
/* Standard deviation of the difference: from the interval, where there is none from a usual noise
 * of the two latencies. */
double page_pairs_error(const struct fathom_point *first, const struct fathom_point *second,
			const struct page_pair *pair);
/* The curve's point of that size; NULL: it has none with a latency. */
const struct fathom_point *page_pairs_of_size(const struct fathom_curve *curve,
					      uint64_t size_bytes);

#endif
