/* A document to nodes. */
#pragma once

#include "fathom.h"

/* What a document holds: of a result one node, of a fleet all of its nodes; or why it is of no use.
 * Start from {0}. */
struct fleet_found {
	struct fathom_fleet_node *nodes;
	size_t count;
	struct fathom_fleet *rest; /* of a fleet, without its nodes; NULL: it is none */
	char *damaged;             /* one line; NULL: it is not */
	char *hint;
};

/* `file`: what it is called; `host` NULL: as it says itself. Errors: FAILED. */
int fleet_document_read(const char *bytes, size_t length, const char *file, const char *host,
			struct fleet_found *found, struct fathom_error *error);
/* The same of a file, whose bytes are gone afterwards. */
int fleet_document_open(const char *path, struct fleet_found *found, struct fathom_error *error);
void fleet_found_clear(struct fleet_found *found);
