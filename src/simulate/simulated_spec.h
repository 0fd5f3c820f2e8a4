/* The text of a simulated machine, "sim:l1=48K/12/lru/5c,mem=90ns,...", as a plain struct. The
 * grammar is in docs/simulated-machines.md. */
#pragma once

#include "fathom.h"

#define SIMULATED_LEVELS        4
#define SIMULATED_TLBS          2
#define SIMULATED_MOST_OVERLAP  100
#define SIMULATED_MOST_CHANNELS 64
#define SIMULATED_MOST_BANKS    64 /* of a channel */
#define SIMULATED_VECTOR_BYTES  64 /* the widest load or store */
#define SIMULATED_MOST_FAULTS   8
#define SIMULATED_MOST_CPUS     1024
#define SIMULATED_MOST_KINDS    3 /* of cores, beside the first */
#define SIMULATED_MOST_NODES    8 /* of NUMA */
#define SIMULATED_MOST_MEMORY   0x1p50
#define SIMULATED_KIND_BYTES    256 /* of the text that says what is different in one */

enum simulated_policy {
	SIMULATED_LRU,
	SIMULATED_PLRU,
	SIMULATED_RANDOM,
	SIMULATED_SRRIP, /* re-reference interval prediction, static insertion */
	SIMULATED_BRRIP, /* bimodal insertion */
	SIMULATED_DRRIP  /* the better of the two, as some sets of each tell */
};
enum simulated_placement { SIMULATED_EVEN_FRAMES, SIMULATED_RANDOM_FRAMES };

struct simulated_cost { /* the sum of both; cycles follow the core clock, ns do not */
	double cycles;
	double ns;
};

struct simulated_rate { /* one of the two; both 0: no limit */
	double bytes_per_cycle;
	double bytes_per_second;
};

struct simulated_shape {     /* of a cache of lines, or of translations */
	uint64_t size_bytes; /* translations: 0 */
	uint64_t entries;    /* lines or translations, a multiple of `ways`; 0: there is none */
	uint64_t ways;
	enum simulated_policy policy;
	struct simulated_cost cost;
	bool victim; /* holds only what the level before it evicts */
};

/* How many of each there are in one of what stands before it. */
struct simulated_topology {
	uint64_t sockets, dies, caches, cores, threads;
};

enum simulated_numbering {
	SIMULATED_BY_THREAD, /* the first threads of all cores, then the second ones, ... */
	SIMULATED_BY_CORE,   /* the threads of a core beside each other */
	SIMULATED_SHUFFLED   /* every next one is 0.618 of all CPUs on */
};

enum simulated_way { /* what two hardware threads are nearest in */
		     SIMULATED_WAY_CORE,
		     SIMULATED_WAY_CACHE,
		     SIMULATED_WAY_DIE,
		     SIMULATED_WAY_SOCKET,
		     SIMULATED_WAY_OTHER, /* in nothing */
		     SIMULATED_WAYS
};

struct simulated_cpu_set {
	uint64_t words[SIMULATED_MOST_CPUS / 64];
};

struct simulated_fault { /* time that is stolen from timed calls, and that no counter tells of */
	uint64_t first_call, last_call; /* counted from 1 */
	double until_ns; /* simulated time; calls that begin later are left alone; 0: none is */
	double share; /* of all calls, at random: a storm; 0: each from first_call to last_call */
	double ns;    /* in a storm the mean of an exponential distribution */
	/* Of the points alone that have so many lanes, are so large or lie on such pages. */
	uint64_t lanes, size_bytes; /* 0: any */
	enum fathom_page page;      /* FATHOM_PAGE_UNKNOWN: any */
};

struct simulated_turns { /* a program on the core's other thread: it reads and pauses by turns */
	uint64_t bytes;  /* at most, another share of them each time; 0: there is none */
	double read_ns, pause_ns; /* means of exponential distributions */
};

struct simulated_dram {           /* memory as a queue: what waits for what */
	uint64_t channels, banks; /* of each channel */
	double line_ns;           /* that the bus has a line */
	double row_ns;            /* until another row of a bank is open */
	double turn_ns;           /* of the bus, from reading to writing or back */
	double refresh_ns;        /* of a refresh, when all of a channel waits; 0: there is none */
	double refresh_each_ns;   /* from one to the next */
};

struct simulated_kind { /* a further kind of core */
	uint64_t first_cpu, last_cpu;
	char items[SIMULATED_KIND_BYTES]; /* "clock=2.4G:l1=32K/8/lru/3c" */
};

struct simulated_matrix { /* how much of one was given; 0: nothing */
	size_t rows, columns;
};

struct simulated_spec {
	struct simulated_shape caches[SIMULATED_LEVELS]; /* nearest first; those that are there */
	uint64_t cache_count; /* the last one may be a victim, if it is not the first */
	struct simulated_shape tlbs[SIMULATED_TLBS];
	uint64_t tlb_count; /* 0: translation costs nothing */
	/* What holds larger translations, the same where these are shared; of no entries: none. */
	struct simulated_shape tlbs_2m[SIMULATED_TLBS], tlbs_1g[SIMULATED_TLBS];
	struct simulated_cost memory_cost;
	struct simulated_dram dram;    /* under load; what it takes alone is in memory_cost */
	bool memory_counters;          /* its controllers count what goes over the bus */
	double other_bytes_per_second; /* that others read meanwhile; 0: nobody does */
	uint64_t line_bytes;           /* a power of two */
	uint64_t walk_levels;          /* of a page table of base pages */
	uint64_t walk_from; /* index of the first cache that holds table lines; no victim */
	uint64_t walk_cache_entries;
	struct simulated_cost walk_cost; /* of each walk, besides what it reads */
	uint64_t host_page_bytes;        /* that a guest's memory is in; 0: it is no guest */
	uint64_t host_walk_cache_entries;
	uint64_t nested_tlb_entries; /* 0: there is none */
	enum simulated_placement placement;
	uint64_t memory_bytes;
	uint64_t base_page_bytes;  /* a power of two */
	bool huge_pages;           /* transparent ones, 2 MiB */
	uint64_t multi_size_bytes; /* of multi-size THP; 0: there is none */
	uint64_t pool_2m_pages, pool_1g_pages;
	struct simulated_cost mispredict_cost, lock_cost; /* a lock: to take it and give it back */
	double sibling_times;    /* core cycles beside a busy sibling, over those alone */
	double overlap;          /* independent accesses in flight at a time */
	double issued_per_cycle; /* of accesses that overlap, at most */
	uint64_t reorder_window; /* accesses that a core looks ahead; 0: no limit */
	/* MSHRs of each cache: misses that it can have outstanding; 0: no limit. */
	uint64_t miss_buffers[SIMULATED_LEVELS];
	uint64_t walkers; /* page walks in flight at a time; 0: no limit */
	struct simulated_rate rates[SIMULATED_LEVELS + 1]; /* of each cache, then of memory */
	uint64_t stride_lines_ahead; /* of the stride prefetcher; 0: there is none */
	bool adjacent_prefetch;      /* the other line of a pair */
	uint64_t cpus;               /* of the topology */
	struct simulated_topology topology;
	struct simulated_topology os_topology; /* what the OS claims; no sockets: the truth */
	enum simulated_numbering numbering;
	uint64_t nodes; /* NUMA nodes, each of as many sockets, dies or caches */
	double handover_ns[SIMULATED_WAYS]; /* of a line whose home is near, one way */
	double slices;  /* what the place of its slice changes of that, peak to peak */
	double move_ns; /* mean time until two CPUs change their places; 0: they are pinned */
	struct simulated_cpu_set offline;
	struct simulated_cpu_set lost; /* no longer to be used from lost_ns on */
	double lost_ns;
	bool no_affinity; /* threads may not be bound */
	bool no_membind;  /* nor memory */
	/* Cores of the first kind are the CPUs that none of these has. */
	struct simulated_kind kinds[SIMULATED_MOST_KINDS];
	size_t kind_count;
	/* NUMA nodes of memory alone stand behind those with CPUs. */
	uint64_t all_nodes;
	uint64_t node_bytes[SIMULATED_MOST_NODES]; /* of memory; 0: that node has none */
	/* Of memory: a row for each node with CPUs, a column for each node. */
	struct simulated_cost node_costs[SIMULATED_MOST_NODES][SIMULATED_MOST_NODES];
	struct simulated_rate node_rates[SIMULATED_MOST_NODES][SIMULATED_MOST_NODES];
	struct simulated_matrix node_bytes_read, node_costs_read, node_rates_read;
	double load_cpus; /* that other programs keep busy */
	double load_ns;   /* for so long from the start on, waiting included */
	double clock_hz;
	bool no_clock;
	double probe_ratio;
	double noise;                             /* relative standard deviation of a timed run */
	double outliers;                          /* share of the runs */
	double drift;                             /* of the core clock, peak to peak, relative */
	uint64_t os_size_bytes[SIMULATED_LEVELS]; /* what the OS claims; 0: nothing */
	uint64_t os_line_bytes;                   /* 0: not reported */
	uint64_t seed;
	double timer_ns; /* step of the timer; 0: it is exact */
	double touch_ns; /* what the first access to a page takes */
	/* Interrupts, which single accesses alone feel: from one to the next, and of one; 0: there
	 * are none. */
	double interrupt_each_ns, interrupt_ns;
	struct simulated_turns turns;
	double neighbours_ns; /* from one line that others bring to the last cache to the next; 0:
			       * there are none */
	struct simulated_fault faults[SIMULATED_MOST_FAULTS];
	size_t fault_count;
	uint64_t corrupt_run; /* this timed run, counted from 1, loses a hop; 0: none does */
};

/* Errors: BAD_INPUT, the offending key quoted, its form or the known keys in the hint. */
int simulated_spec_parse(const char *description, struct simulated_spec *spec,
			 struct fathom_error *error);
/* The same as it is for a program on that CPU, with memory of that NUMA node (-1: the CPU's own):
 * with what the CPU's kind has in place of the first kind's. */
int simulated_spec_parse_at(const char *description, int cpu, int node, struct simulated_spec *spec,
			    struct fathom_error *error);
/* The core's other threads do that from now on. */
void simulated_spec_disturb(struct simulated_spec *spec, enum fathom_sibling sibling);
/* Of spec->kinds; NULL: the CPU is of the first kind. */
const struct simulated_kind *simulated_kind_of(const struct simulated_spec *spec, uint64_t cpu);

/* simulated_places.c: the nodes that follow from several keys; NULL, or what is wrong with them,
 * and in which key. */
const char *simulated_nodes_finish(struct simulated_spec *spec, bool has_memory, const char **key);
/* Memory becomes that of the node, as the CPU sees it; node -1: of the CPU's own. */
void simulated_nodes_take(struct simulated_spec *spec, unsigned cpu, int node);
