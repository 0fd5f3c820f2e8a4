/* What address translation costs: from curves of the same chain over each kind of page, and of one
 * line a page against the same lines packed. */
#ifndef MODEL_TRANSLATION_TRANSLATION_H
#define MODEL_TRANSLATION_TRANSLATION_H

#include "model/levels/group.h"

/* Fills result->translations, page_differences and decompositions, in place of those that it has,
 * from the curves of FATHOM_PAGES; none where there are no such curves. `observer` (may be NULL):
 * its `stop` ends it. `chains`: those that were fitted with the curves of a latency measurement, as
 * levels_find() hands them over; taken over; may be NULL. Errors: FAILED (memory), INTERRUPTED. */
int translation_find(struct fathom_result *result, struct group *chains,
		     const struct fathom_observer *observer, struct fathom_error *error);
/* Gives back what result->translations, page_differences and decompositions hold, and empties
 * them. */
void translation_free(struct fathom_result *result);

#endif
