/* What the memory of each NUMA node is to the CPUs of each, from curves of FATHOM_NODES. */
#pragma once

#include "fathom.h"

/* Fills result->nodes anew. Errors: FAILED (memory). */
int node_access_find(struct fathom_result *result, struct fathom_error *error);
