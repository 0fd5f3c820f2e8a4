/* What address translation costs: from curves of the same chain over each kind of page, and of one
 * line a page against the same lines packed. */
#ifndef MODEL_TRANSLATION_H
#define MODEL_TRANSLATION_H

#include "fathom.h"

/* Gives back what result->translations, page_differences and decompositions hold, and empties
 * them. */
void translation_free(struct fathom_result *result);

#endif
