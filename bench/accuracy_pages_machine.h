/* Simulated machines whose translation is to be found, and what is true of them. */
#ifndef ACCURACY_PAGES_MACHINE_H
#define ACCURACY_PAGES_MACHINE_H

#include "simulate/simulated_spec.h"

struct pages_machine {
	char *truth; /* as text, without noise */
	char *noisy;
	struct simulated_spec spec;
};

/* Number `index` of `seed`. Errors: FAILED. */
int pages_machine_draw(uint64_t seed, uint64_t index, struct pages_machine *machine,
		       struct fathom_error *error);
void pages_machine_free(struct pages_machine *machine);

/* What an access of a chain takes, without noise, a mean over several places in memory. */
struct pages_truth {
	double memory_ns; /* the line itself */
	double tlb_ns;    /* asking TLBs */
	double walk_ns;   /* lines of page tables */
	double walked;    /* share of the accesses */
	double spread_ns; /* standard deviation of memory_ns between these places */
};

/* Of that chain on pages of `page_bytes`. Errors: FAILED. */
int pages_truth_find(const struct pages_machine *machine, const struct fathom_spec *spec,
		     uint64_t page_bytes, struct pages_truth *truth, struct fathom_error *error);

#endif
