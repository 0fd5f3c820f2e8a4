/* Who times single accesses along chains: the hardware, or a simulated machine. */
#pragma once

#include "fathom.h"
#include "machine/pages.h"
#include "machine/pinning.h"

#define PROBER_MOST_CHAINS 24 /* of one plan */

struct prober_setup {
	const struct fathom_machine *machine;
	struct pinning_place place;
	const struct fathom_spec *chains;
	size_t chain_count;
	uint64_t seed;
	const struct fathom_observer *observer; /* whose `stop` is asked meanwhile; may be NULL */
	struct fathom_warnings *warnings;
};

/* Running totals of what interferes; NAN: not known. */
struct prober_totals {
	double interrupts, switches, waited_ns, stolen_ns;
};

struct prober {
	const struct prober_ops *ops;
	const char *counter;                             /* that it reads */
	double step_ns;                                  /* the least that this moves by; 0: none */
	struct pages_obtained pages[PROBER_MOST_CHAINS]; /* of each chain */
};

struct prober_ops {
	/* From now on that chain is followed, which the caches hold as far as they can. */
	void (*turn)(struct prober *prober, size_t chain);
	/* Times `count` runs of `hops` accesses along it: when each began, since the prober was
	 * opened, and what it took with all that timing takes. Of a chain that is cold_flushed
	 * `hops` is 1. Errors: FAILED (the chain did not arrive where it must). */
	int (*time)(struct prober *prober, uint32_t hops, double *starts_ns, double *ns,
		    size_t count, struct fathom_error *error);
	/* The same of runs of one access each, which hits the first cache every time. */
	void (*time_hits)(struct prober *prober, double *ns, size_t count);
	/* An access along the chain, and such a hit, of many timed at once. */
	double (*chain_ns)(struct prober *prober);
	double (*hit_ns)(struct prober *prober);
	void (*totals)(struct prober *prober, struct prober_totals *now);
	/* By what share the counter's rate is another one now than when the prober was opened. */
	double (*rate_off)(struct prober *prober);
	/* Seconds since it was opened, on its own time. */
	double (*elapsed_s)(struct prober *prober);
	/* Until so many seconds have passed since then. */
	void (*wait)(struct prober *prober, double until_s);
	void (*close)(struct prober *prober);
};

/* With all memory mapped, touched and written. The machine, and what the setup points to, must
 * outlive it. *prober is NULL where the observer stopped it. Errors: UNABLE (no counter to read, no
 * such pages, a CPU that may not be used), FAILED. */
int prober_open(const struct prober_setup *setup, struct prober **prober,
		struct fathom_error *error);
/* Of the order of a chain: a control has that of the one it is for. */
uint64_t prober_key(const struct prober_setup *setup, size_t chain);
int prober_hardware_open(const struct prober_setup *setup, struct prober **prober,
			 struct fathom_error *error);
int prober_simulated_open(const struct prober_setup *setup, struct prober **prober,
			  struct fathom_error *error);
