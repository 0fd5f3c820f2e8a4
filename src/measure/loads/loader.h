/* One CPU that chases through memory, and others that make traffic meanwhile: the hardware, or a
 * simulated machine. */
#pragma once

#include "fathom.h"
#include "machine/counters/memory_counters.h"
#include "machine/pages.h"

#define LOADER_MOST_CHAINS 12 /* of one plan: a kind of page each */

struct loader_setup {
	const struct fathom_machine *machine;
	const int *cpus; /* the calling thread's first: it chases */
	uint32_t count;
	int memory_node; /* -1: that of each CPU */
	const struct fathom_spec *chains;
	size_t chain_count;
	uint64_t part_bytes; /* that each makes its traffic in */
	uint64_t seed;
	const struct fathom_observer *observer; /* whose `stop` is asked meanwhile; may be NULL */
};

/* What all do in a visit. */
struct loader_visit {
	enum fathom_traffic traffic;
	double bytes_per_second; /* that the others make together; INFINITY: as much as they can */
	bool all_read;           /* nobody chases: the first makes as much traffic as it can, too */
	size_t chain;
	uint64_t key;
	double ns; /* that are counted; before them a fifth as long is not */
};

struct loader_found {
	double latency_ns;               /* NAN: all_read */
	double bytes_per_second;         /* of all lines that were read and written, of those of the
					    chain too */
	double program_bytes_per_second; /* without those read for being written */
	struct memory_traffic counted;   /* by memory's own counters, of all that use it */
	double bursts, late_bursts;
	double concurrency; /* share of the time that all ran */
	bool disturbed;     /* it is not to be counted at all */
};

struct loader {
	const struct loader_ops *ops;
	double least_ns, most_ns; /* of a visit: it tells enough, and needs no more */
	uint64_t line_bytes;
	struct pages_obtained pages[LOADER_MOST_CHAINS]; /* of each chain */
	const char *counters_missing; /* why memory is not counted; NULL: it is, by these: */
	const char *const *counters;  /* ended by NULL */
};

struct loader_ops {
	/* Errors: FAILED (a chain that did not arrive where it must, a burst that did not read or
	 * write what it must). */
	int (*visit)(struct loader *loader, const struct loader_visit *visit,
		     struct loader_found *found, struct fathom_error *error);
	/* Seconds since it was opened, on its own time. */
	double (*elapsed_s)(struct loader *loader);
	void (*close)(struct loader *loader);
};

/* With all memory mapped, touched and written. The machine, and what the setup points to, must
 * outlive it. *loader is NULL where the observer stopped it. Errors: UNABLE (a CPU that may not be
 * used, no such pages), FAILED. */
int loader_open(const struct loader_setup *setup, struct loader **loader,
		struct fathom_error *error);
int loader_hardware_open(const struct loader_setup *setup, struct loader **loader,
			 struct fathom_error *error);
int loader_simulated_open(const struct loader_setup *setup, struct loader **loader,
			  struct fathom_error *error);

/* Of three lines that a mix reads so many are changed. */
static inline unsigned loader_changed_of_three(enum fathom_traffic traffic)
{
	return traffic == FATHOM_TRAFFIC_1_1 ? 3 : traffic == FATHOM_TRAFFIC_3_1;
}

/* Lines that go over the bus for one that a thread takes: 1, or with what is written back. */
static inline double loader_lines_of(enum fathom_traffic traffic)
{
	return 1 + loader_changed_of_three(traffic) / 3.0;
}
