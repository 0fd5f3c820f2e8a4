/* How the values in a simulated machine's text are read. */
#pragma once

#include "simulate/simulated_spec.h"

#define SIMULATED_MAX_ENTRIES (1u << 26)
#define SIMULATED_MAX_WAYS    1024 /* a set is searched way by way */
#define SIMULATED_SHARED      UINT64_MAX

struct simulated_key;

/* Fills the field and returns NULL, or returns the reason why not. May cut up `value`, which is
 * NULL for a key without "=" (simulated_read_flag alone is asked then). */
typedef const char *simulated_read(const struct simulated_key *key, char *value, void *field);

/* One key of the grammar. */
struct simulated_key {
	const char *name;
	const char *form; /* what its value may be, for people */
	simulated_read *read;
	size_t offset;    /* of the field in the spec */
	size_t off_bytes; /* of the field, which becomes 0 where the value is "off"; 0: it cannot be
			   */
	double low, high;
};

/* All of them, in the order of the help; the first ten are those of the caches and of the TLBs. The
 * last has no name. */
#define SIMULATED_MOST_KEYS 96
extern const struct simulated_key simulated_keys[];
/* Kinds of cores may differ in it. */
bool simulated_key_is_of_core(const struct simulated_key *key);

/* The fields that they fill: */
simulated_read simulated_read_flag;         /* bool: the key alone */
simulated_read simulated_read_on_off;       /* bool */
simulated_read simulated_read_placement;    /* enum simulated_placement */
simulated_read simulated_read_level;        /* uint64_t: the index of a cache */
simulated_read simulated_read_count;        /* uint64_t */
simulated_read simulated_read_size;         /* uint64_t */
simulated_read simulated_read_power_of_two; /* uint64_t */
simulated_read simulated_read_number;       /* double */
simulated_read simulated_read_share;        /* double: "1%" or "0.01", 0 too */
simulated_read simulated_read_frequency;    /* double: "3.6G" */
simulated_read simulated_read_cost;         /* struct simulated_cost: "5c" or "1.4ns" */
simulated_read simulated_read_time;         /* double: "10ns" in ns */
simulated_read simulated_read_faults;       /* struct simulated_spec, those two of it */
simulated_read simulated_read_turns;        /* struct simulated_turns */
simulated_read simulated_read_load;         /* struct simulated_spec, those two of it */
simulated_read simulated_read_kind;         /* struct simulated_spec: one more of its kinds */
simulated_read simulated_read_node_bytes;   /* struct simulated_spec, those of it */
simulated_read simulated_read_node_costs;   /* struct simulated_spec, those of it */
simulated_read simulated_read_node_rates;   /* struct simulated_spec, those of it */
simulated_read simulated_read_rate;         /* struct simulated_rate: "64c" or "12.8G" */
simulated_read simulated_read_misses;       /* uint64_t[SIMULATED_LEVELS], 0: off */
simulated_read simulated_read_rates; /* struct simulated_rate[SIMULATED_LEVELS + 1], {0}: off */
simulated_read simulated_read_cache; /* struct simulated_shape, `entries` left out; ways 0: full */
simulated_read simulated_read_dram;  /* struct simulated_dram */
simulated_read simulated_read_interrupts; /* struct simulated_spec, those two of it */
simulated_read simulated_read_tlb;        /* struct simulated_shape; ways 0: full */
simulated_read simulated_read_large_tlb;  /* the same; entries SIMULATED_SHARED */
simulated_read simulated_read_host_page;  /* uint64_t */
/* Those of CPUs, in simulated_cpus_values.c: */
simulated_read simulated_read_topology;  /* struct simulated_topology */
simulated_read simulated_read_numbering; /* enum simulated_numbering */
simulated_read simulated_read_handover;  /* double[SIMULATED_WAYS] */
simulated_read simulated_read_cpus;      /* struct simulated_cpu_set */
simulated_read simulated_read_lost;      /* struct simulated_spec, those two of it */
simulated_read simulated_read_forbidden; /* bool: true where it is off */
