/* What is compared between the nodes of a fleet: a row each for a number and for a setting. */
#pragma once

#include "fathom.h"

enum fleet_number {
	FLEET_CLOCK,
	FLEET_L1_NS,
	FLEET_L1_CYCLES,
	FLEET_L1_BYTES,
	FLEET_L2_NS,
	FLEET_L2_CYCLES,
	FLEET_L2_BYTES,
	FLEET_L3_NS,
	FLEET_L3_CYCLES,
	FLEET_L3_BYTES,
	FLEET_MEMORY_NS,
	FLEET_BASE_NS,  /* memory on base pages, measured beside it */
	FLEET_LARGE_NS, /* memory on large pages */
	FLEET_LANE_NS,  /* memory by the first lane of several: measured on its own */
	FLEET_OVERLAP,  /* MLP of memory */
	FLEET_PAGES_NS, /* what base pages add */
	FLEET_TLB1,
	FLEET_TLB2,
	FLEET_L1_READ,  /* by all cores */
	FLEET_READ,     /* memory, by one core */
	FLEET_READ_ALL, /* by all */
	FLEET_NODE_NS,  /* memory of the first NUMA node, from its own CPUs */
	FLEET_NODE_READ,
	FLEET_KNEE, /* traffic at which latency is 1.5 times the idle one */
	FLEET_CORE_NEAR,
	FLEET_CORE_FAR,
	FLEET_NOISE, /* of the other numbers: the median of their own errors */
	FLEET_NUMBERS
};

struct fleet_number_row {
	const char *name, *words, *unit;
	int worse; /* as in struct fathom_fleet_number; 0: it deviates in nobody's favour, and is no
		    * reason to name a node by itself */
};
extern const struct fleet_number_row fleet_numbers[FLEET_NUMBERS];

enum fleet_setting {
	FLEET_MICROCODE,
	FLEET_MEMORY, /* how much there is */
	FLEET_MODULES,
	FLEET_CPUS,
	FLEET_SMT,
	FLEET_NODES,
	FLEET_THP,
	FLEET_LARGE,      /* could large pages be measured? */
	FLEET_SPLINTERED, /* are they split by the host? */
	FLEET_GOVERNOR,
	FLEET_BOOST,
	FLEET_KERNEL,
	FLEET_AT, /* size at which memory's latency is measured */
	FLEET_SETTINGS
};

struct fleet_setting_row {
	const char *name, *words;
	bool tells; /* a node that has another value than its group is an outlier */
};
extern const struct fleet_setting_row fleet_settings[FLEET_SETTINGS];
