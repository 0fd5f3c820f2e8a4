/* Rank 0: gives turns, gathers documents, and knows at the end who has none and why. */
#pragma once

#include <stddef.h>

#include "fathom.h"
#include "fleet/mpi/job.h"

enum member_state {
	MEMBER_SILENT,  /* has not said that it is there */
	MEMBER_WAITING, /* for its turn */
	MEMBER_MEASURING,
	MEMBER_SENDING, /* what it sends is being received */
	MEMBER_THERE,   /* its document is */
	MEMBER_MISSING
};

struct member {
	enum member_state state;
	char *host, *turn;       /* NULL: not known */
	int first;               /* rank that speaks for all with that turn; perhaps this one */
	bool taken;              /* of such a rank: one of them is at work */
	char *reason;            /* of a missing one */
	bool answered;           /* it is alive */
	double due_s;            /* when it is given up, if nothing comes */
	int late_looks;          /* after that, in vain */
	struct receipt *receipt; /* while it is being received */
};

struct gather {
	const struct job *job;
	struct member *members; /* by rank */
	int count;
	struct fathom_fleet_reader *reader; /* what came goes to */
	struct fathom_error *error;
};

/* Errors: FAILED (the documents cannot be kept, memory). */
int gather_run(struct gather *gather);
/* "node7", or "node7.3" where several ranks are on that host, or "rank 3". free() it. */
char *gather_name(const struct gather *gather, int rank);
void gather_free(struct gather *gather);
