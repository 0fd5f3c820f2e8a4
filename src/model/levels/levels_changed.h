/* Levels that a document has, against those that are found anew in its curves. */
#ifndef MODEL_LEVELS_LEVELS_CHANGED_H
#define MODEL_LEVELS_LEVELS_CHANGED_H

#include "fathom.h"

/* Warns ("levels-changed") of the first cache, or memory, that the result's levels no longer have
 * as they had `before`: one that is gone, or one of another reach or latency. The others are named.
 * None before: nothing. Errors: FAILED (memory). */
int levels_changed_tell(const struct fathom_level *before, size_t count,
			struct fathom_result *result, struct fathom_error *error);

#endif
