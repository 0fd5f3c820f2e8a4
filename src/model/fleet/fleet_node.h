/* A result as a node of a fleet: one small record. */
#pragma once

#include "fathom.h"

/* Of a result that has no curves, but all that is concluded from them. `node` is empty; `host`
 * NULL: the result says. Errors: FAILED, after which fleet_node_clear frees what there is. */
int fleet_node_make(const struct fathom_result *result, const char *host, const char *file,
		    const char *version, struct fathom_fleet_node *node,
		    struct fathom_error *error);
/* Frees what it owns. */
void fleet_node_clear(struct fathom_fleet_node *node);
