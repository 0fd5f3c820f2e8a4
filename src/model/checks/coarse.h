/* What a foreign curve of few sizes cannot tell. */
#ifndef MODEL_CHECKS_COARSE_H
#define MODEL_CHECKS_COARSE_H

#include "fathom.h"

/* With fewer than two sizes an octave a curve of another tool shows that there is a step, but not
 * always whose. Where one that is not decided lies below a cache, the caches cannot be numbered:
 * they and the TLBs become steps without a name, but for a cache that is reported within a factor
 * of 2, and a warning ("coarse") says so. Errors: FAILED (memory). */
int coarse_settle(struct fathom_result *result, struct fathom_error *error);

#endif
