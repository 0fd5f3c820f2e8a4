/* What walks a chain and tells the time: the hardware, or a simulated machine. The sampler, the
 * sweep and all above know this interface alone. */
#pragma once

#include "fathom.h"
#include "machine/counters/counter_events.h"
#include "machine/interference.h"
#include "machine/pinning.h"
#include "machine/vm_events.h"

struct meter_placement { /* of the chain that was prepared, read back */
	uint64_t page_bytes;
	double page_share;
	enum fathom_lane_store lane_store; /* of several lanes, else unknown */
	uint32_t vector_bytes;             /* of the loads and stores of a stream; else 0 */
};

struct meter_clock {
	double hz;    /* NAN: not known, or not to be trusted this time */
	double ratio; /* cycles of a multiplication: near a whole number on a healthy clock */
};

/* Where the measuring thread was when it was looked at. */
struct meter_location {
	uint64_t looks, away; /* away: on another CPU than the one that was asked for */
	int away_cpu;         /* which that was; -1: several. Only where `away` is not 0 */
};

/* Of the timer, in a timed run: one step more or less is 2 % of it. */
#define METER_STEPS 50

struct meter {
	const struct meter_ops *ops;
	uint64_t line_bytes;    /* of the chains; the sweep sets it once it was measured */
	uint64_t cache_bytes;   /* the largest that the OS reports: for planning alone; 0: none */
	double shortest_run_ns; /* a timed run should last at least this long: METER_STEPS or more
				 */
	uint64_t hops_unit;     /* hops come in multiples of this; prepare sets it anew */
	double fixed_cost_ns; /* of a timed run besides its hops; learnt by calibrate_fixed_cost */
	double resolution;    /* to which the shortest run is known, as a share: no interval is
				 narrower to either side */
	/* Hops that the chain prepared next is to be warmed with, and those that runs are going to
	 * make, as far as is known: of a much longer one no others are written. 0: not known. */
	uint64_t warm_hops, walk_hops;
	bool (*stop)(void *context); /* asked while memory is touched; NULL: never */
	void *stop_context;
	/* Instructions of the timed loop an access; 0: not known. NULL: of none. */
	uint32_t (*instructions)(const struct fathom_spec *spec);
	/* Of several threads: the share of a run's time that the one takes which takes longest, and
	 * the one that ends first, over the runs since prepare; 0: not known. */
	double slowest_thread, fastest_thread;
	struct meter_location place;
	double node_share; /* of memory for which a node was named: how much of it is there, of what
			    * was prepared so far the least; NAN: none was named, or not known */
	struct vm_record memory_events; /* of the blocks; see watch.h */
	bool counting;                  /* events, during the runs from now on; see ops->count */
	struct turn *turn;              /* measured in turns with others (sampling/turns.h); NULL:
					 * alone */
	const char *clock_missing;      /* why there is no core clock; NULL: there is one */
};

struct meter_ops {
	/* Places memory for the spec and writes the chain of `key` in it; the cursors are at their
	 * starts. `redraw`: a new place in memory, else the same as last time where it still fits.
	 * Where it does and only the number of lanes on a cycle is another, the chain stays and its
	 * lanes are as many hops on as those before had walked.
	 * Returns 0, -1 with an error (FAILED, UNABLE), or 1: stopped. */
	int (*prepare)(struct meter *meter, const struct fathom_spec *spec, uint64_t key,
		       bool redraw, struct meter_placement *placement, struct fathom_error *error);
	/* Brings the caches to where the `hops` hops that lead to the cursor would leave them, in
	 * less time than walking these takes. Returns how long it took, in ns. */
	double (*warm)(struct meter *meter, uint64_t hops);
	/* Makes the memory of the chain cold, as the warmth of its spec says: each line that is
	 * read from here on for the first time is. The chain may begin anew at another place. How
	 * long it takes does not matter. Returns as prepare. */
	int (*chill)(struct meter *meter, struct fathom_error *error);
	/* Goes on for `hops` hops from where the last run ended, those of all lanes together; *ns
	 * is what that took, *arrived whether the cursors are where they must be. */
	void (*run)(struct meter *meter, uint64_t hops, double *ns, bool *arrived);
	/* The core clock now. */
	void (*clock)(struct meter *meter, struct meter_clock *clock);
	/* From now on counts these events, which are copied, in the runs that begin while
	 * `counting` is set. What cannot be counted is no error. Errors: FAILED (memory). */
	int (*count)(struct meter *meter, const struct counter_events *events,
		     struct fathom_error *error);
	/* What was counted since the last call, an access, one for each event: give back with
	 * counts_free. Only after count. NULL: out of memory. */
	struct fathom_count *(*take_counts)(struct meter *meter);
	/* Is a program running on the core's other thread now? `hz`: the core clock; NAN: not
	 * known. False where that is not known, or where it is meant to run. NULL: never. */
	bool (*is_shared)(struct meter *meter, double hz);
	/* Running totals. */
	void (*interference)(struct meter *meter, struct interference *now);
	/* Running totals of what the kernel does to pages. NULL: nobody does anything. */
	void (*vm_counts)(struct meter *meter, struct vm_counts *now);
	/* Seconds since the meter was opened, on its own time: a simulated meter's is simulated.
	 * Those in which it rests are not counted. */
	double (*elapsed_s)(struct meter *meter);
	/* Others measure: nothing that it keeps busy disturbs them, until it wakes `others_s` of
	 * their time later. */
	void (*rest)(struct meter *meter);
	void (*wake)(struct meter *meter, double others_s);
	void (*close)(struct meter *meter);
};

/* `chains_bytes`: what to map for chains on pages of each kind, room to move included, FATHOM_PAGE_
 * UNKNOWN of them (plan_memory); a chain that needs more is given just that, if the machine has it.
 * Binds the calling thread to the CPU (a warning is added where that is refused).
 * The machine must outlive the meter. Errors: FAILED, UNABLE. */
int meter_hardware_open(const struct fathom_machine *machine, struct pinning_place place,
			const uint64_t *chains_bytes, struct fathom_warnings *warnings,
			struct meter **meter, struct fathom_error *error);
/* machine->description is the "sim:..." text. `capacity_bytes`: of the largest span. */
int meter_simulated_open(const struct fathom_machine *machine, struct pinning_place place,
			 uint64_t capacity_bytes, struct meter **meter, struct fathom_error *error);
