/* Levels that a document has, against those that are found anew in its curves. */
#ifndef MODEL_LEVELS_LEVELS_CHANGED_H
#define MODEL_LEVELS_LEVELS_CHANGED_H

#include "fathom.h"

/* Warns ("levels-changed") of the first cache, or memory, that the result's levels no longer have
 * as they had before, `levels`: one that is gone, or one of another reach or latency. All other
 * levels that changed, went or are new are named, TLBs and unknown steps as well. None before:
 * nothing. Errors: FAILED (memory). */
int levels_changed_tell(const struct fathom_level *levels, size_t count,
			struct fathom_result *result, struct fathom_error *error);

#endif
