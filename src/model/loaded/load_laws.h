/* The door of model/loaded. */
#pragma once

#include "fathom.h"

/* The laws of all curves of FATHOM_LOADED, in place of those that the result has. A curve of fewer
 * than LOAD_LAW_FEWEST loads has none, and a warning "too-few-loads". Errors: FAILED. */
int load_laws_find(struct fathom_result *result, struct fathom_error *error);
