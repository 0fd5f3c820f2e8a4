/* What address translation costs: from curves of the same chain over each kind of page, and of one
 * line a page against the same lines packed. */
#ifndef MODEL_TRANSLATION_TRANSLATION_H
#define MODEL_TRANSLATION_TRANSLATION_H

#include "fathom.h"

/* Fills result->translations, page_differences and decompositions, in place of those that it has,
 * from the curves of FATHOM_PAGES; none where there are no such curves. `observer` (may be NULL):
 * its `stop` ends it. Errors: FAILED (memory), INTERRUPTED. */
int translation_find(struct fathom_result *result, const struct fathom_observer *observer,
		     struct fathom_error *error);
/* Gives back what result->translations, page_differences and decompositions hold, and empties
 * them. */
void translation_free(struct fathom_result *result);

#endif
