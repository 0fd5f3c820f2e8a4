/* What lies past all caches that a result lists. A step that the curve cannot tell may lie there
 * too, so that not all of it is called "memory". */
#pragma once

#include "fathom.h"

/* The reach of the last cache of result->levels; 0: there is none; INFINITY: its end was not seen.
 */
double past_caches_bytes(const struct fathom_result *result);
/* Is that measurement of a size that lies there? No where no level is known. */
bool past_caches(const struct fathom_result *result, const struct fathom_parallelism *measured);
