/* A meter whose hops are operations on a data structure: what the sampler needs to make a block of
 * them. */
#pragma once

#include "measure/meter.h"
#include "measure/sampling/sibling_probe.h"
#include "structures/structures.h"

struct structure_meter {
	struct meter meter;
	struct interference_counters *interference;
	struct clock_probe probe;
	struct sibling_probe sibling;
	struct pinning_place at;
	uint64_t start_ns;
	/* What is run, from which requests on; set by whoever runs. */
	const struct structures_kind *kind;
	void *root;
	struct structures_requests requests;
	uint64_t keys;
	enum fathom_predict_mode mode;
	unsigned together; /* operations at a time; 1: not interleaved */
};

/* Binds the calling thread (a warning is added where that is refused), and learns what a timed run
 * costs besides its hops, by a chain. Errors: FAILED, UNABLE. */
int structure_meter_open(struct structure_meter *meter, const struct fathom_machine *machine,
			 struct pinning_place place, uint64_t seed,
			 struct fathom_warnings *warnings, struct fathom_error *error);
/* Accepts {0}. */
void structure_meter_close(struct structure_meter *meter);
