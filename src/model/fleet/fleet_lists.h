/* The lists of a fleet. */
#pragma once

#include "fathom.h"

/* Copies the four texts, which but `reason` may be NULL, to the end of the list. -1: out of memory.
 */
int fleet_remark_add(struct fathom_fleet_remark **remarks, size_t *count, const char *host,
		     const char *file, const char *reason, const char *command);
#define FLEET_REMARK(fleet, list, host, file, reason, command)                                     \
	fleet_remark_add(&(fleet)->list, &(fleet)->list##_count, host, file, reason, command)

/* By its host, of a fleet whose nodes are sorted; NULL: there is none. */
const struct fathom_fleet_node *fleet_find_node(const struct fathom_fleet *fleet, const char *host);
/* Frees what the fleet owns, not the fleet. */
void fleet_clear(struct fathom_fleet *fleet);
