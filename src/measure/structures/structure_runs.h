/* Runs data structures, and tells what an operation takes: each is built anew, at another place,
 * for each of its visits, which come in random order. */
#pragma once

#include "measure/meter.h"
#include "structures/structures.h"

/* What is to be run: a structure in one way. Those of the same kind and shape that stand together
 * are run on one that is built once a visit. */
struct structure_job {
	const struct structures_kind *kind;
	struct structures_shape shape;
	enum fathom_predict_mode mode;
	unsigned together; /* operations at a time; 1: not interleaved */
	double *blocks_ns; /* owned: of an operation, one a visit */
	size_t block_count;
	bool clean; /* they had clean batches */
};

/* Start from {0} with what is asked for. */
struct structure_runs {
	const struct fathom_machine *machine; /* a real one */
	struct pinning_place place;
	int other_cpu; /* of the thread beside it, where a structure has one */
	enum fathom_page page;
	uint64_t seed;
	double budget_s;                        /* no round begins that would not end within it */
	const struct fathom_observer *observer; /* NULL: none */
	/* What came out: */
	bool stopped;
	double page_share; /* of the memory, the least that is on such pages */
	double elapsed_s;
};

/* Visits all as often as there is time for, once at least unless it is stopped, and at most
 * STRUCTURE_ROUNDS times. Errors: UNABLE (one takes more memory than there is; no such pages),
 * FAILED. */
#define STRUCTURE_ROUNDS 9
int structure_runs_measure(struct structure_runs *runs, struct structure_job *jobs, size_t count,
			   struct fathom_warnings *warnings, struct fathom_error *error);
