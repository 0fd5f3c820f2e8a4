/* Who served the accesses of a mode. */
#pragma once

#include "fathom.h"

/* Fills kind and level of the modes that fathom timed and that have no cause yet: memory's, where
 * they take as long as lines that were flushed, or what controls tell of these, and caches' where
 * all of them take less. Without flushed lines none is known. Errors: FAILED (memory). */
int served_find(struct fathom_result *result, struct fathom_error *error);
