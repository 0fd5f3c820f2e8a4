/* fathom - what memory really costs on a machine.
 *
 * The nouns of the house, in the order in which they meet:
 *   request -> plan -> spec -> (meter, buffer, chain, kernel, samples) -> point -> curve -> result
 *
 * The doors, by task:
 *   measure             fathom_machine_find, fathom_request_default, fathom_plan_make,
 *                       fathom_measure; everything in one budget: fathom_survey_plan,
 *                       fathom_survey_measure
 *   read a file         fathom_result_read, fathom_fit, fathom_explain
 *   look one value up   fathom_result_get
 *   measure it again    fathom_plan_again
 *   cost of structures  fathom_predict
 *   compare runs        fathom_compare; at several clocks: fathom_frequency
 *   judge many machines fathom_fleet_open, fathom_fleet_read, fathom_fleet_make
 *   show or save        fathom_result_write and its like, fathom_format_of; fathom_figure_write
 *
 * Conventions: functions that can fail return 0, or -1 with `error` filled and every other output
 * untouched. A double that was not measured is NAN, a string that is unknown is NULL. Whatever a
 * function allocates is given back by the *_free of its type, which accept NULL. Text is UTF-8.
 * Not one of these functions prints, exits, reads the environment or starts another program. */
#ifndef FATHOM_H
#define FATHOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FATHOM_VERSION "0.1.0"
#define FATHOM_SCHEMA  "fathom/1"

#if defined(__GNUC__)
#define FATHOM_API __attribute__((visibility("default")))
#else
#define FATHOM_API
#endif

/* ---- errors and warnings ---------------------------------------------------------------- */

/* The value is the exit code of the command (docs/commands.md). */
enum fathom_status {
	FATHOM_OK = 0,
	FATHOM_FAILED = 1,    /* the system refused something: memory, a file, a thread */
	FATHOM_USAGE = 2,     /* the request makes no sense */
	FATHOM_UNABLE = 3,    /* this machine cannot measure that */
	FATHOM_QUALITY = 4,   /* measured, but under the asked quality */
	FATHOM_BAD_INPUT = 5, /* a file or text that was given does not parse */
	FATHOM_DIFFERENT = 6, /* a comparison found a difference */
	FATHOM_INTERRUPTED = 130
};

/* Start from {0}. One line each, lower case, no full stop, the subject quoted. Owned by the
 * error: give back with fathom_error_clear. */
struct fathom_error {
	enum fathom_status status;
	char *text; /* what went wrong */
	char *hint; /* what to do about it, or NULL */
};

/* Something that limits, disturbs or degrades a measurement. */
struct fathom_warning {
	char *id;    /* stable, for programs: "no-pmu" */
	char *text;  /* what it is, one sentence */
	char *hint;  /* the command or option that lifts it, or NULL */
	char *where; /* the point or thing it concerns, or NULL for all */
	bool note;   /* nothing is wrong: `where` was not measured, that is all */
};

struct fathom_warnings {
	struct fathom_warning *items;
	size_t count;
};

/* ---- the machine ------------------------------------------------------------------------ */

enum fathom_cache_kind { FATHOM_CACHE_DATA, FATHOM_CACHE_UNIFIED, FATHOM_CACHE_INSTRUCTION };

struct fathom_cache { /* as the OS reports it for the measuring CPU */
	unsigned level;
	enum fathom_cache_kind kind;
	uint64_t size_bytes;
	uint32_t line_bytes;  /* 0: not reported */
	uint32_t ways;        /* 0: not reported */
	uint32_t shared_cpus; /* how many logical CPUs share it */
};

struct fathom_cpu_kind {
	char *name;            /* "performance", "efficiency", or "kind 0" */
	char *cpus;            /* list format: "0-3,8" */
	double relative_speed; /* 0..1 by the OS's ranking; NAN: not ranked */
	/* As the OS reports them for its first CPU; of a machine with one kind none: they are the
	 * machine's. */
	struct fathom_cache *caches;
	size_t cache_count;
};

struct fathom_node {
	uint32_t id;
	uint64_t memory_bytes;
	char *cpus;
};

/* What the OS says of an online CPU: numbers of what it is in, -1: it says nothing. CPUs with the
 * same number share that. */
struct fathom_cpu {
	int cpu;
	int core, cache, die, socket, node; /* cache: of the last level */
};

struct fathom_page_pool { /* one hugetlb pool */
	uint64_t page_bytes;
	uint64_t total_pages;
	uint64_t free_pages;
};

struct fathom_thp_size { /* one that the kernel lists, multi-size THP (Linux 6.8) or the usual */
	uint64_t page_bytes;
	char *state; /* "always", "inherit" (thp_state holds), "madvise", "never" */
};

struct fathom_machine_private;

struct fathom_machine {
	char *description; /* NULL: the machine that we run on; else "sim:..." */
	char *hostname;
	char *cpu_model;
	char *cpu_signature;  /* "family 25, model 17, stepping 1"; NULL: not known */
	char *microcode;      /* "0x1000065"; NULL: not known */
	char *memory_modules; /* "8 of 32 GiB, Registered-DDR5"; NULL: cannot be read */
	char *architecture;   /* "x86_64" */
	char *kernel;         /* "Linux 6.18.4" */
	char *hypervisor;     /* NULL: none seen */
	char *container;      /* NULL: none seen */
	char *allowed_cpus;   /* list format */
	uint32_t online_cpus;
	uint32_t smt_threads; /* threads a core; 0: unknown */
	struct fathom_cpu_kind *cpu_kinds;
	size_t cpu_kind_count;
	struct fathom_cache *caches; /* of the default CPU, level 1 first */
	size_t cache_count;
	struct fathom_node *nodes;
	size_t node_count;
	struct fathom_cpu *cpus; /* ascending; in no document */
	size_t cpu_count;
	int default_cpu; /* first allowed CPU of the fastest kind */
	uint64_t base_page_bytes;
	uint64_t thp_page_bytes;           /* 0: no transparent huge pages */
	char *thp_state;                   /* "always", "madvise", "never", or NULL */
	struct fathom_thp_size *thp_sizes; /* ascending; none before Linux 6.8 */
	size_t thp_size_count;
	struct fathom_page_pool *pools;
	size_t pool_count;
	char *governor;     /* NULL: no cpufreq */
	char *clock_driver; /* "intel_pstate", NULL: none */
	int boost;          /* 1 on, 0 off, -1 unknown */
	uint64_t memory_bytes;
	uint64_t available_bytes; /* what the kernel says could be had now */
	uint64_t limit_bytes;     /* the most that one buffer may take: available, cgroup, ulimit;
				     UINT64_MAX: not known */
	char *limit_reason;       /* "free memory", "cgroup memory limit", "ulimit -v", ... */
	bool has_pmu;             /* there are hardware counters */
	char *counters_missing;   /* why they cannot be used; NULL: they can, or it is not known */
	struct fathom_warnings conditions; /* what limits or disturbs a measurement here */
	double waited_s;                   /* in fathom_machine_busy, all calls together */
	struct fathom_machine_private *handle;
};

/* description NULL: this machine. "sim:SPEC": a simulated one (docs/simulated-machines.md).
 * Errors: FAILED (the OS's tables cannot be read), BAD_INPUT (SPEC). */
FATHOM_API int fathom_machine_find(const char *description, struct fathom_machine **machine,
				   struct fathom_error *error);
FATHOM_API void fathom_machine_free(struct fathom_machine *machine);
/* Waits so long (a simulated machine in simulated time), and returns how many CPUs other programs
 * kept busy meanwhile, on average; NAN: not known. */
FATHOM_API double fathom_machine_busy(struct fathom_machine *machine, double seconds);
/* Are so many busy CPUs enough to disturb a measurement? */
FATHOM_API bool fathom_machine_is_disturbed(const struct fathom_machine *machine, double busy_cpus);
/* The core clock that a simulated machine's description says; NAN: of this machine, where it is
 * measured. */
FATHOM_API double fathom_machine_clock_hz(const struct fathom_machine *machine);

/* ---- what to measure -------------------------------------------------------------------- */

enum fathom_experiment {
	FATHOM_LATENCY,      /* one pattern against size, from the first cache to memory */
	FATHOM_PATTERNS,     /* all patterns, warm and cold, at given sizes */
	FATHOM_ABLATION,     /* pairs of patterns that one prefetcher tells apart */
	FATHOM_DECAY,        /* lap after lap since the memory was flushed, or mapped */
	FATHOM_PARALLELISM,  /* more and more chains at once, at a size inside each level */
	FATHOM_BANDWIDTH,    /* reading, writing and copying, by size and threads */
	FATHOM_PAGES,        /* the same chain over each kind of page; one line a page against as
			      * many lines packed */
	FATHOM_FREQUENCY,    /* runs of FATHOM_LATENCY at several clocks: see fathom_frequency; it
			      * has no plan of its own */
	FATHOM_CORE_TO_CORE, /* a line on its way between two CPUs, pair by pair: its plan has CPUs
			      * in place of specs */
	FATHOM_NODES, /* latency and bandwidth of the memory of each NUMA node, for the CPUs of each
		       */
	FATHOM_LOADED,       /* latency of memory against the traffic of the other CPUs */
	FATHOM_DISTRIBUTION, /* what single accesses take */
	FATHOM_SETTLING      /* the same chain just after caches were filled, and once it settled */
};
enum fathom_axis {
	FATHOM_AXIS_SIZE,
	FATHOM_AXIS_LAP,
	FATHOM_AXIS_LANES,
	FATHOM_AXIS_PAGES,
	FATHOM_AXIS_TRAFFIC
};

enum fathom_pattern {
	FATHOM_RANDOM_CYCLE, /* one random cycle through all nodes, walked again and again */
	FATHOM_RANDOM_LAPS,  /* several random cycles, one after the other, in other slots of the
				lines */
	FATHOM_INDEPENDENT,  /* each address uniform, whatever came before; still one hop at a time
			      */
	FATHOM_SEQUENTIAL,   /* the next node in memory */
	FATHOM_REVERSE,      /* the node before in memory */
	FATHOM_WINDOW,       /* random inside a window, all of it before the next window; with a
				stride in passes, one node in that many bytes at a time */
	FATHOM_LINE_PAIR,  /* two hops `stride_bytes` apart in each random node: finds the line size
			    */
	FATHOM_STRIDED,    /* `stride_bytes` on, round and round, a node further each time round */
	FATHOM_PAGE_LOCAL, /* random inside a page of `window_bytes`, all of it before the next
			      page, the pages in random order */
	FATHOM_ONE_PER_PAGE, /* random, one node a page of `node_bytes`, in a line that a hash picks
			      */
	/* Not dependent: the addresses are known early, and accesses overlap. */
	FATHOM_INDEX_ARRAY, /* one byte of each node, in the random order that an array of indexes
			       gives; a node may be that byte alone */
	FATHOM_INDEX_VOLATILE,  /* the same, and each byte is stored in one volatile variable */
	FATHOM_STRIDE_LOOP,     /* a word every `stride_bytes` */
	FATHOM_LINEAR_SUM,      /* all words; an access is a node of `node_bytes` */
	FATHOM_SEPARATE_CYCLES, /* `lanes` random cycles, each in a part of the memory of its own */
	/* What other things than memory cost. Bytes in the order of their addresses, with a branch
	 * on each: as good as random, so that half of them are mispredicted, or always the same. */
	FATHOM_BRANCHES_RANDOM,
	FATHOM_BRANCHES_SAME,
	FATHOM_LOCKS, /* a lock in each node is taken and given back, which nobody else wants */
	/* In the order of the addresses, by vectors; an access is a line of 64 bytes of what is
	 * read and of what is written. */
	FATHOM_READ,
	FATHOM_WRITE,
	FATHOM_WRITE_NT, /* past the caches */
	FATHOM_COPY,     /* the first half of the memory to the second */
	FATHOM_COPY_NT,
	FATHOM_UPDATE,         /* each word is read, changed and written back */
	FATHOM_PATTERN_UNKNOWN /* of a curve that some other tool measured */
};
/* Each ends with what is not known of a curve that some other tool measured; it has no name. */
enum fathom_link {
	FATHOM_LINK_POINTER,
	FATHOM_LINK_INDEX32,
	FATHOM_LINK_BYTE, /* a byte, too small to name a node: FATHOM_INDEPENDENT,
			     FATHOM_INDEX_ARRAY and FATHOM_INDEX_VOLATILE alone */
	FATHOM_LINK_UNKNOWN
};
enum fathom_warmth {
	FATHOM_WARM,         /* walked before, lap after lap: the caches hold what they can */
	FATHOM_COLD_FLUSHED, /* every line was flushed from all caches, then each is read once */
	FATHOM_COLD_MAPPED,  /* mapped anew, its pages there, its words just written in the order of
				their addresses, then each is read once: caches and TLBs hold what
				the writing left there */
	FATHOM_UNTOUCHED,    /* FATHOM_DISTRIBUTION alone: each access is the first one to its page
				since that was mapped, a store */
	FATHOM_SETTLED, /* FATHOM_SETTLING alone: warm, and walked for a tenth of a second since,
			   beside whatever else takes lines from the caches */
	FATHOM_WARMTH_UNKNOWN
};
enum fathom_page {
	FATHOM_PAGE_DEFAULT,
	FATHOM_PAGE_4K,
	FATHOM_PAGE_THP,
	FATHOM_PAGE_2M,
	FATHOM_PAGE_1G,
	FATHOM_PAGE_16K, /* from here on multi-size THP, of exactly that size */
	FATHOM_PAGE_32K,
	FATHOM_PAGE_64K,
	FATHOM_PAGE_128K,
	FATHOM_PAGE_256K,
	FATHOM_PAGE_512K,
	FATHOM_PAGE_1M,
	FATHOM_PAGE_UNKNOWN
};

/* In the command line and the document: "random_cycle"; NULL for a value out of range. */
FATHOM_API const char *fathom_pattern_name(int pattern);

enum fathom_lane_store { /* where the cursors of several lanes live in the timed loop */
			 FATHOM_STORE_UNKNOWN,
			 FATHOM_STORE_REGISTERS,
			 FATHOM_STORE_VECTORS, /* those that the registers have no room for */
			 FATHOM_STORE_ARRAY,   /* in the first cache: two loads an access */
			 FATHOM_STORE_STACK    /* all on the stack of the loop: the same there */
};

/* What CPUs do to memory while another one's latency is measured: shares of reads in what then goes
 * over the memory's bus. Lines that are written are read first, but for FATHOM_TRAFFIC_NT. */
enum fathom_traffic {
	FATHOM_TRAFFIC_UNKNOWN, /* of another tool, which says the share of reads at most */
	FATHOM_TRAFFIC_READS,
	FATHOM_TRAFFIC_3_1, /* of three lines that are read one is changed: 75 % reads */
	FATHOM_TRAFFIC_1_1, /* each line that is read is changed: 50 % */
	FATHOM_TRAFFIC_NT,  /* non-temporal writes, past the caches */
	FATHOM_TRAFFIC_COUNT
};
/* "unknown", "reads", "3:1", "1:1", "nt"; NULL for a value out of range. */
FATHOM_API const char *fathom_traffic_name(int traffic);

#define FATHOM_MOST_LANES 64 /* chains that one loop walks at once */

/* One point to measure. */
struct fathom_spec {
	uint64_t size_bytes;   /* span of the chain: nodes x node_bytes; of each thread. 0 in a
				* plan: inside each level that the sweep before it shows */
	uint64_t node_bytes;   /* spacing of the nodes; 0 in a request: the machine's line */
	uint64_t window_bytes; /* FATHOM_WINDOW and FATHOM_PAGE_LOCAL only, else 0 */
	uint64_t stride_bytes; /* FATHOM_LINE_PAIR, FATHOM_STRIDED, FATHOM_STRIDE_LOOP;
				  FATHOM_WINDOW: 0, or of the nodes that one pass over the windows
				  visits; else 0 */
	uint64_t seed;
	uint32_t laps;    /* FATHOM_RANDOM_LAPS only, else 0 */
	uint32_t lap;     /* FATHOM_DECAY: the lap since the memory became cold, from 1; else 0 */
	uint32_t lanes;   /* chains that are walked at once: equally far apart on one random
			   * cycle, or on cycles of their own */
	uint32_t threads; /* each on a core and in memory of its own: FATHOM_READ to
			   * FATHOM_UPDATE, else 1 */
	uint32_t vector_bytes; /* of a load or store: FATHOM_READ to FATHOM_UPDATE, 0 in a
				* request: the widest of the CPU; else 0 */
	enum fathom_pattern pattern;
	enum fathom_link link; /* FATHOM_LINK_UNKNOWN in a request: the largest that divides the
				* spacing of the nodes */
	enum fathom_warmth warmth;
	enum fathom_page page;
	enum fathom_axis axis; /* of the curve that it is a point of: in what else than this the
				* specs of a curve are alike */
	/* Of several lanes: where their cursors shall live. FATHOM_STORE_UNKNOWN: in registers, and
	 * where these end wherever it is fastest; FATHOM_STORE_VECTORS: in vector registers then.
	 */
	enum fathom_lane_store lane_store;
};

/* What the other hardware threads of a core do while it is measured. */
enum fathom_sibling {
	FATHOM_SIBLING_ANY,      /* whatever they do: fathom leaves them alone */
	FATHOM_SIBLING_IDLE,     /* the same, beside runs in which they are busy */
	FATHOM_SIBLING_COMPUTES, /* they sum 4 KiB again and again, which stay in the first cache */
	FATHOM_SIBLING_STREAMS   /* they read memory past the caches */
};

/* What the user asked for. Start from fathom_request_default. */
struct fathom_request {
	enum fathom_experiment experiment;
	struct fathom_spec spec; /* size_bytes unused: the sizes below */
	bool both_orders;        /* with random_cycle: a curve in independent order too */
	bool control; /* of a random cycle: a curve of the same lines in windows too, which tells
		       * caches from TLBs */
	/* Ascending sizes; NULL: the experiment's own. FATHOM_LATENCY: no others then.
	 * FATHOM_PAGES: of the same chain, and one line a page on the smallest kind alone. */
	const uint64_t *sizes_bytes;
	size_t size_count;
	/* FATHOM_PATTERNS: of FATHOM_STRIDED and FATHOM_STRIDE_LOOP; NULL: 256 bytes. */
	const uint64_t *strides_bytes;
	size_t stride_count;
	const enum fathom_pattern *patterns; /* FATHOM_PATTERNS: rows of the table; NULL: all */
	size_t pattern_count;
	/* FATHOM_PARALLELISM: from 1 lane to so many (0: 32, or as many as spec.lane_store has
	 * room for); on cycles of their own? */
	uint32_t most_lanes;
	bool separate;
	/* FATHOM_LOADED: that make traffic, one number; NULL: on all other cores.
	 * FATHOM_BANDWIDTH and FATHOM_PARALLELISM: ascending numbers of threads, 0 for one a core;
	 * NULL: one, and one a core. */
	const uint32_t *threads;
	size_t thread_count;
	const enum fathom_pattern *streams; /* FATHOM_BANDWIDTH: FATHOM_READ to FATHOM_UPDATE;
					       NULL: all */
	size_t stream_count;
	/* FATHOM_PAGES: kinds that must be had; NULL: all that can. (spec.page is unused.) */
	const enum fathom_page *pages; /* FATHOM_LOADED: of the chain; NULL: base pages, and large
					  ones where there are some */
	size_t page_count;
	const enum fathom_traffic *traffic; /* FATHOM_LOADED; NULL: all */
	size_t traffic_count;
	uint32_t placements; /* FATHOM_PAGES: in memory, of each point, with as many blocks on each;
			      * 0: each block has its own */
	bool cold_flushed, cold_mapped; /* FATHOM_PATTERNS: which kinds of cold beside warm;
					   FATHOM_DECAY: since which, one or both;
					   FATHOM_DISTRIBUTION: lines that are flushed before
					   each access, too */
	bool untouched;                 /* FATHOM_DISTRIBUTION: also first accesses to pages */
	uint64_t steps; /* timed accesses of each point; 0: as many as the budget allows, or as is
			 * usual */
	double over_s;  /* FATHOM_DISTRIBUTION: spread over that time; 0: one after the other */
	uint64_t min_size_bytes;
	uint64_t max_size_bytes; /* 0: as is usual; latency: to past 16 x the last cache that a
				  * first pass shows */
	uint32_t per_octave;     /* sizes an octave, 1..64 */
	int cpu;                 /* -1: the machine's default */
	const char *cpus; /* FATHOM_LATENCY and, of one thread, FATHOM_BANDWIDTH: a curve for each
			   * of these, in list format, or "kinds": for a CPU of each kind; NULL: for
			   * `cpu` alone. FATHOM_CORE_TO_CORE: between these; NULL: all */
	bool all_pairs;   /* FATHOM_CORE_TO_CORE: also where fewer pairs tell the classes */
	bool pairs_only;  /* FATHOM_CORE_TO_CORE: neither who shares caches, nor contention, nor
			   * the memory of NUMA nodes */
	int memory_node;  /* NUMA node that the memory comes from; -1: the CPU's own */
	/* FATHOM_LATENCY and FATHOM_BANDWIDTH: with the other threads of the core in each of these
	 * states, "idle,computes,streams", or "all"; NULL: they are left alone. */
	const char *siblings;
	bool predicting; /* of a survey or its settled chains: what fathom_predict needs alone */
	double budget_s;
	double target; /* wanted half-width of the interval, as a share: 0.01 */
	bool keep_samples;
	bool os_prior_off;  /* levels are found without what the OS reports of caches */
	const char *events; /* for hardware counters, "cycles,l1d_misses,r01c2"
			       (docs/counters.md); "": the usual ones; NULL: none, and so for
			       FATHOM_DECAY: counts are not kept lap by lap */
};

/* Data only: what will be measured, in which order of sizes. */
struct fathom_plan {
	enum fathom_experiment experiment;
	enum fathom_axis axis;
	char *machine; /* description of the machine it was made for; NULL: this one */
	uint64_t seed;
	int cpu;
	char *cpus;      /* in list format. FATHOM_NODES: one of each node. FATHOM_LATENCY and
			  * FATHOM_BANDWIDTH: all that it is measured on, `cpu` the first, each in an
			  * equal share of the budget; NULL: `cpu` alone. FATHOM_CORE_TO_CORE: those
			  * whose pairs are measured. FATHOM_LOADED: `cpu`, then those that make
			  * traffic; else NULL */
	char *traffic;   /* FATHOM_LOADED: names with commas, a curve for each on each kind of page;
			  * else NULL */
	bool all_pairs;  /* of them: also where fewer tell the classes */
	bool pairs_only; /* of them: neither who shares caches, nor contention */
	bool nodes;      /* of them: also the memory of NUMA nodes, where there are several */
	int memory_node; /* NUMA node that the memory comes from; -1: the CPU's own */
	char *siblings;  /* the states of the core's other threads, "idle,streams", each in an equal
			  * share of the budget; NULL: they are left alone */
	double budget_s;
	double target;
	uint64_t steps; /* timed accesses of each point, 0: as many as the budget allows; unused by
			 * FATHOM_LATENCY */
	double over_s;  /* FATHOM_DISTRIBUTION: the time that these are spread over, in bursts; 0:
			 * they follow each other */
	uint32_t placements; /* of each point, with several blocks on each; 0: a block has its own,
			      * or what is cheapest */
	bool keep_samples;
	bool os_prior_off;     /* levels are found without what the OS reports of caches */
	bool asked;            /* its points were asked for one by one: those that there is no time
				* for are reported. Else the tool chose them, and leaves out what it must */
	char *events;          /* for hardware counters, names with commas; NULL: none */
	bool fixed_sizes;      /* FATHOM_LATENCY: no sizes are added where they would tell most */
	bool node_is_line;     /* the node spacing is the reported line: take the measured one if it
				  differs */
	uint64_t always_bytes; /* specs up to here are measured whatever the first pass shows;
				* larger ones only up to 16 x the last cache that it shows. (Of a
				* control only those up to 4 x that cache, or 4 MiB.) */
	uint64_t memory_bytes; /* the most that will be mapped */
	double estimated_s;    /* how long it will take */
	struct fathom_spec *specs; /* one curve after the other, the main one first: those of a
				    * curve differ along its axis alone and ascend (laps and lanes
				    * from 1 on). A curve of FATHOM_WINDOW after another one is that
				    * one's control. Specs whose size is 0 stand last, behind a
				    * sweep */
	size_t spec_count;
};

FATHOM_API void fathom_request_default(struct fathom_request *request);
/* The same for another experiment than FATHOM_LATENCY, with its own budget. */
FATHOM_API void fathom_request_for(struct fathom_request *request,
				   enum fathom_experiment experiment);

/* Errors: USAGE (a field out of range), UNABLE (over the machine's memory, no such pages). */
FATHOM_API int fathom_plan_make(const struct fathom_request *request,
				const struct fathom_machine *machine, struct fathom_plan **plan,
				struct fathom_error *error);
/* The JSON that fathom_plan_write made. Errors: BAD_INPUT; USAGE (it is for several runs: a
 * survey's, or of frequency). */
FATHOM_API int fathom_plan_read(const char *text, size_t length, struct fathom_plan **plan,
				struct fathom_error *error);
/* The timed loops of the plan's specs as assembly, for people; *text is allocated and
 * zero-terminated. Errors: FAILED (memory). */
FATHOM_API int fathom_plan_code(const struct fathom_plan *plan, char **text, size_t *length,
				struct fathom_error *error);
FATHOM_API void fathom_plan_free(struct fathom_plan *plan);

/* ---- what was measured ------------------------------------------------------------------ */

enum fathom_rejection {                            /* why a sample was thrown away and repeated */
			FATHOM_REJECTED_SWITCH,    /* the thread was preempted */
			FATHOM_REJECTED_FAULT,     /* a page fault in the timed loop */
			FATHOM_REJECTED_MIGRATION, /* another CPU than asked for, or than before */
			FATHOM_REJECTED_STEAL, /* the hypervisor took the CPU, or the thread waited
						  to run */
			FATHOM_REJECTED_CLOCK, /* the core clock moved more than 1 % */
			FATHOM_REJECTED_OUTLIER, /* it took over twice as long as the others */
			FATHOM_REJECTED_SIBLING, /* a program ran on the core's other thread, or had
						    taken cache lines that were not back yet */
			FATHOM_REJECTION_COUNT
};

enum fathom_count_state {                 /* of an event that a hardware counter was asked for */
			  FATHOM_COUNTED, /* during all accesses */
			  FATHOM_SCALED,  /* during a share of them: the counters are fewer than the
					     events */
			  FATHOM_NOT_COUNTED,   /* no counter was free for it */
			  FATHOM_NOT_SUPPORTED, /* no such event here, or no counters at all */
			  FATHOM_NOT_PERMITTED
};

/* What a hardware counter said, in user space only (docs/counters.md). */
struct fathom_count {
	char *event; /* as it was asked for: "l1d_misses", "dtlb_load_misses.walk_active", "r01c2"
		      */
	enum fathom_count_state state;
	double per_access;    /* NAN: not measured */
	double running_share; /* of the accesses that it was counted during, 0..1; NAN as above */
	char *reason;         /* why it was not measured, or NULL */
	char *hint;           /* the command that lifts that, or NULL */
};

/* What the value of a block is. */
enum fathom_estimator {
	FATHOM_ESTIMATOR_UNKNOWN,
	FATHOM_ESTIMATOR_MODE, /* of its batches, which lie within 1 %: what disturbs adds time */
	FATHOM_ESTIMATOR_MEAN  /* of its clean batches, which truly differ */
};

struct fathom_point {
	struct fathom_spec spec;
	uint64_t nodes;
	uint64_t lines_touched;
	uint64_t page_bytes; /* obtained, read back */
	double page_share; /* share of the buffer that has pages of page_bytes, 0..1; of multi-size
			    * THP of all memory of the kind; NAN: page_bytes are not known */
	double latency_ns; /* a dependent hop; median over blocks; NAN: not measured */
	double latency_low_ns, latency_high_ns;         /* 95 %; NAN: fewer than 6 blocks */
	double latency_cycles;                          /* NAN: no core clock */
	double latency_low_cycles, latency_high_cycles; /* 95 % */
	double ns_per_access; /* in place of a latency where accesses overlap; NAN: they do not */
	double low_ns_per_access, high_ns_per_access;
	double cycles_per_access, low_cycles_per_access, high_cycles_per_access;
	uint32_t instructions_per_access; /* of the timed loop, as the kernel table states; 0:
					     not known */
	double floor_ns; /* of several lanes: an access where all hit the first cache:
			    what the loop alone takes; NAN: not measured, or that
			    cache's latency over the lanes */
	enum fathom_lane_store lane_store;
	double bandwidth_bytes_per_second; /* all threads together, what the program asked for: a
					      copy's bytes count twice; NAN: no such pattern */
	double bandwidth_low_bytes_per_second, bandwidth_high_bytes_per_second; /* 95 % */
	double bandwidth_best_bytes_per_second;                                 /* of a block */
	/* Of several threads: what one reaches in the time that it takes itself; NAN: not known. */
	double bandwidth_slowest_thread_bytes_per_second, bandwidth_fastest_thread_bytes_per_second;
	/* What would be moved if every line that is stored with an ordinary store is fetched first:
	 * arithmetic, at every size. It is not measured what a cache keeps of it. */
	double traffic_bytes_per_second;
	double clock_hz;
	double overhead_ns; /* FATHOM_INDEPENDENT: what the generator costs, already subtracted */
	double target;      /* the half-width that was wanted, as a share */
	bool within_target;
	enum fathom_estimator estimator;
	/* Over all batches, disturbed ones too: what a program would feel; NAN: not known. The
	 * second where accesses overlap. */
	double latency_mean_ns, mean_ns_per_access;
	/* FATHOM_INDEX_ARRAY: the least of the means of the first ten blocks, disturbed batches in
	 * them, as a simple benchmark would state it; NAN: fewer blocks. */
	double least_mean_ns_per_access;
	double disturbed_share; /* of the batches: 1 % over the mode or more, of a mean those that
				   were rejected; NAN: not known */
	double *blocks_ns;      /* one value a block, in the order measured */
	size_t block_count;
	size_t placements; /* in memory that the blocks had; blocks on one are less independent */
	/* Of the blocks, with several on each placement: standard deviations of
	 * what the place makes, apart from noise, and of those on one; NAN: not of such a plan. */
	double placement_spread_ns, noise_spread_ns;
	double *samples_ns;  /* keep_samples: every accepted batch, blocks in order; else NULL */
	size_t sample_count; /* accepted batches */
	uint64_t accesses;   /* that these timed; 0: not known */
	uint64_t rejected[FATHOM_REJECTION_COUNT];
	uint64_t watched;            /* batches with the core's other thread watched; 0: none */
	struct fathom_count *counts; /* of hardware counters, owned; NULL: none were asked for */
	size_t event_count;          /* of them: one an event, in the order asked for */
};

/* Which CPU touched the page of the line first: the line lives in the memory of its node. */
enum fathom_home {
	FATHOM_HOME_UNKNOWN, /* of other tools */
	FATHOM_HOME_A,
	FATHOM_HOME_B,
	FATHOM_HOME_OTHER /* one of neither node */
};

/* How who has the line tells the other. */
enum fathom_handover {
	FATHOM_HANDOVER_UNKNOWN, /* of other tools */
	FATHOM_HANDOVER_STORE,   /* a store, and loads that wait for it */
	FATHOM_HANDOVER_SWAP     /* compare-and-swap, tried until it succeeds */
};

/* Two CPUs that hand a line to each other. */
struct fathom_pair {
	int cpu_a, cpu_b; /* as the OS numbers them */
	enum fathom_home home;
	double latency_ns; /* one way: half the round trip; of several blocks their median */
	double latency_low_ns, latency_high_ns; /* 95 %; NAN: fewer than 6 blocks */
	enum fathom_handover handover;
	uint32_t lines;        /* that it was measured with; 0: not known */
	uint32_t batches;      /* that were timed; 0: not known */
	uint32_t disturbed;    /* of them: thrown away, as a thread was preempted or away */
	double least_ns;       /* the fastest batch of all lines; NAN: not known */
	double line_spread_ns; /* standard deviation between lines, by the median deviation; NAN:
				  not known */
	double *blocks_ns;     /* one value a line, in the order measured; of other tools one a
				  repetition */
	size_t block_count;
};

/* What several threads do to their words, again and again. */
enum fathom_operation {
	FATHOM_OPERATION_UNKNOWN,
	FATHOM_OPERATION_ADD,      /* an atomic addition */
	FATHOM_OPERATION_SWAP,     /* compare-and-swap, tried until it succeeds */
	FATHOM_OPERATION_EXCHANGE, /* an atomic exchange */
	FATHOM_OPERATION_READ      /* loads of a word to which the first thread adds */
};

/* Where the words of several threads are. */
enum fathom_layout {
	FATHOM_LAYOUT_UNKNOWN,
	FATHOM_LAYOUT_OWN_LINES, /* far apart */
	FATHOM_LAYOUT_OWN_WORDS, /* words of one line, of eight threads each */
	FATHOM_LAYOUT_ONE_WORD,
	FATHOM_LAYOUT_LINE_PAIR /* two lines beside each other, which some prefetchers fetch
				   together */
};

/* What an access takes while others make so much traffic. NAN: not known, of other tools. */
struct fathom_load {
	double read_share;                 /* of the traffic; NAN: not known */
	double wanted_bytes_per_second;    /* that the others were to make; NAN: as much as they
					      could, or not known */
	double bandwidth_bytes_per_second; /* that all got together, the chain's lines among them;
					      near idle some tools fit a little less than 0 */
	double bandwidth_low_bytes_per_second, bandwidth_high_bytes_per_second; /* 95 % */
	double program_bytes_per_second; /* the same without lines that are read for being written:
					    what a benchmark that stores says */
	/* What memory's own counters saw read and written meanwhile, of all programs; 95 %. NAN:
	 * not counted. */
	double counted_read_bytes_per_second;
	double counted_read_low_bytes_per_second, counted_read_high_bytes_per_second;
	double counted_write_bytes_per_second;
	double counted_write_low_bytes_per_second, counted_write_high_bytes_per_second;
	double latency_ns;
	double latency_low_ns, latency_high_ns; /* 95 %; NAN: fewer than 6 blocks */
	double bursts, late_bursts; /* that were to be begun at a time, and those that began after
				       the next one's; NAN: not known */
	double concurrency; /* share of the time that all threads ran, which alone counts; of the
			       block where it was least */
	double *blocks_ns;  /* one latency a block, in the order measured */
	size_t block_count;
	uint32_t disturbed; /* blocks that were thrown away */
};

struct fathom_curve {
	enum fathom_experiment experiment;
	enum fathom_axis axis;
	int cpu;           /* that most of it was measured on; -1: not known */
	int memory_node;   /* NUMA node that was named for its memory; -1: none, the CPU's own */
	double node_share; /* of that memory, which the kernel says is there; NAN: not known */
	enum fathom_sibling sibling; /* what the core's other threads did */
	char *tool;          /* whose numbers these are: "lat_mem_rd", ...; NULL: fathom's own */
	bool relative_to_l1; /* the latencies are what is added to that of the first level */
	struct fathom_point *points; /* ascending along the axis */
	size_t point_count;
	struct fathom_pair *pairs; /* FATHOM_CORE_TO_CORE, which has no points; else none */
	size_t pair_count;
	struct fathom_load *loads; /* FATHOM_LOADED, which has no points; else none: in the order
				      measured */
	size_t load_count;
	/* Of loads, and of single accesses: the chain, and who makes the traffic. */
	enum fathom_traffic traffic;
	enum fathom_warmth warmth;
	enum fathom_page page;    /* as it was asked for; FATHOM_PAGE_UNKNOWN: not known */
	uint64_t page_bytes;      /* obtained, read back; 0: not known */
	uint64_t size_bytes;      /* of the chain; 0: not known */
	uint64_t window_bytes;    /* all of which is accessed before the next; 0: random order */
	uint32_t traffic_threads; /* 0: not known */
	/* What the CPU of the chain reads alone, and what all these read together; NAN: not known.
	 */
	double one_bytes_per_second, all_bytes_per_second;
	/* FATHOM_DISTRIBUTION, until its distribution is found: when each access began (NAN: not
	 * known), and what it took. */
	double *times_ns, *latencies_ns;
	size_t access_count;
	double loop_ns; /* of pairs: the same exchange by one CPU alone, one way: what of the
			   latencies is the loop's own; NAN: not known */
};

/* ---- what the curves say ---------------------------------------------------------------- */

enum fathom_level_kind {
	FATHOM_LEVEL_CACHE,
	FATHOM_LEVEL_TLB, /* a step that translation makes: the reach of a TLB */
	FATHOM_LEVEL_MEMORY,
	FATHOM_LEVEL_UNKNOWN, /* there is a step, and the curve cannot tell whose */
	FATHOM_LEVEL_KIND_COUNT
};

/* What a cache does once the cycle is longer than it. */
enum fathom_replacement {
	FATHOM_REPLACEMENT_UNDECIDABLE,
	FATHOM_REPLACEMENT_LRU,       /* LRU, PLRU and the like: all misses just past the reach */
	FATHOM_REPLACEMENT_RANDOM,    /* hits fade over several times the reach */
	FATHOM_REPLACEMENT_RESISTANT, /* keeps a part of the cycle: hits fall as 1 / size */
	FATHOM_REPLACEMENT_COUNT
};

/* Of the curve's own unit: a curve in cycles alone has NAN for every *_ns, and the reverse. */
struct fathom_level {
	char *name; /* "L1", ... for caches, "TLB 1", "walk 1", ..., "memory", "step 1", ... */
	enum fathom_level_kind kind;
	size_t curve;      /* index in result->curves of the curve that it was read from; of a TLB
			    * that result->translations know, of the levels beside it */
	double confidence; /* that there is such a level of this kind: 0..1 */
	double size_bytes, size_low_bytes, size_high_bytes; /* reach, 95 %; NAN for memory; of a
				cache whose end was not reached: NAN, the largest size that
				it holds, NAN */
	double increment_bytes; /* what it adds to the reach of the cache before, also of a step
				 * that may be a cache; NAN: no cache */
	double latency_ns, latency_low_ns, latency_high_ns; /* of a hit, 95 %, translation not in
				it; of what follows the core's clock, at its median where each
				point has one; of memory: of all at `at_bytes`; NAN for a TLB */
	double latency_cycles, latency_low_cycles, latency_high_cycles;
	double at_bytes;                     /* memory: the size that its latency is of, the same in
						every run of a machine that has the time; else NAN */
	uint64_t reported_bytes;             /* what the OS says of that cache; 0: nothing */
	double entries;                      /* of a TLB: reach / entry_bytes; NAN else, and where
						no TLB has so many: page tables leave a cache */
	uint64_t entry_bytes;                /* of a TLB, or a step that may be one: the page; 0
						else */
	double penalty_ns, penalty_cycles;   /* of a TLB: what missing it adds; of an unknown step:
						what it adds as far as was measured; NAN else */
	enum fathom_replacement replacement; /* caches */
	char *replacement_evidence;          /* one sentence, or NULL */
	char *evidence;                      /* why this kind, one sentence */
};

/* What makes a hierarchy likely or rare before its curve is seen. */
struct fathom_prior_term {
	char *quantity; /* with its value and the usual one: "entries of the first TLB 67.6 (usually
			   30.9)" */
	double cost;    /* natural logarithm of the greatest density over that here; below 0 where
			   what the OS reports makes it likelier still */
};

/* A hierarchy that may explain a curve, and how well it does. It stands for all that have the same
 * steps at nearly the same sizes, of which it is the likeliest. Logarithms are natural, but for a
 * constant that is the same for all hypotheses of a curve. */
struct fathom_hypothesis {
	size_t curve;          /* index in result->curves */
	char *levels;          /* in words: "caches 32 KiB, 1 MiB; TLB 64 entries" */
	double log_likelihood; /* of the curve and its control, at the best sizes */
	double log_prior;      /* density of these sizes among machines */
	double log_evidence;   /* of both, over all sizes and latencies */
	double probability;    /* of all that it stands for, among those that were tried: 0..1 */
	struct fathom_prior_term *terms; /* of the prior */
	size_t term_count;
};

/* A step of the textbook's deduction: under the law of independent accesses a cache of s of N bytes
 * answers s / N of them, so that once the levels before are known E[L] tells the next. Times are in
 * the curve's unit. NAN: no size speaks of it. */
struct fathom_deduction {
	char *level;          /* whose latency it is; "beyond" where that is no level */
	double size_bytes;    /* of that level; NAN: of the last */
	size_t size_count;    /* of the curve's: up to that, and above the level before */
	double at_bytes;      /* N, the largest of these */
	double expected;      /* E[L], the latency at N */
	double before;        /* what the levels before take of it */
	double share;         /* of the accesses, that is left to this level and those beyond */
	double latency_there; /* (expected - before) / share */
	double latency;       /* by all of these sizes: it is known in the next step */
	double hits_at_twice; /* what a cache still answers at twice its size, by the law that was
			       * fitted; a share. NAN: of the last level, and where the order and
			       * the replacement leave several laws */
	/* The same sizes as one term, last - constant / N. Its inverse is a hyperbola. NAN: there
	 * are fewer than three, or they fall. */
	double last, constant; /* time; time x bytes */
	double residual;       /* root mean square, as that of a reading */
};

/* One way to read latencies off a curve, beside the fitted levels. */
struct fathom_reading {
	char *name;      /* "fitted levels", "textbook share model", ... */
	size_t curve;    /* index in result->curves */
	double *latency; /* one a cache and memory, in the curve's unit; NAN: gives none */
	size_t latency_count;
	double residual; /* root mean square of (model - point) / point; NAN: no curve follows */
	double *values;  /* of the model at each point of the curve, in its unit; NAN: says nothing
			  * of that one; NULL: it says nothing of any */
	size_t value_count;
	char *text;                          /* what to make of it, one or two sentences */
	struct fathom_deduction *deductions; /* of the share model: of each level, nearest first */
	size_t deduction_count;
};

/* What two CPUs share. */
enum fathom_core_class_kind {
	FATHOM_CORES_UNKNOWN, /* the latencies alone do not tell */
	FATHOM_CORES_SMT,     /* siblings: threads of one core */
	FATHOM_CORES_SAME_CACHE,
	FATHOM_CORES_SAME_DIE,
	FATHOM_CORES_SAME_SOCKET,
	FATHOM_CORES_OTHER_SOCKET
};

/* Pairs of CPUs between which a line takes about as long. Of a curve the classes nest: the groups
 * of each are those of the class before, joined. */
struct fathom_core_class {
	enum fathom_core_class_kind kind;
	size_t curve;                                       /* index in result->curves */
	size_t pairs;                                       /* that were measured */
	double latency_ns, latency_low_ns, latency_high_ns; /* median of the pairs, NAN: CPUs were
							       moved; 95 %, NAN: fewer than 6
							       pairs */
	double least_ns, greatest_ns;                       /* of a pair; where CPUs were moved of a
							       line */
	char **members; /* the groups, as lists of CPUs ("0-7,64-71"). A pair is of the first class
			 * that has both CPUs in one group */
	size_t member_count;
	/* The same for lines that are at home with the other CPU, or on a third node, and by
	 * compare-and-swap: medians over some of the pairs; NAN: not measured. */
	double home_b_ns, home_other_ns, swap_ns;
	char *reported; /* what the OS says of the same pairs; NULL: nothing */
	char *evidence; /* why this kind, one sentence */
};

/* What the memory of a NUMA node is to the CPUs of one. NAN: not measured. */
struct fathom_node_access {
	int cpu;             /* that the latency was measured on */
	int cpu_node;        /* its NUMA node; -1: not known */
	int memory_node;     /* that the memory is of */
	uint32_t threads;    /* of the bandwidths, on cores of the CPU's node */
	uint64_t size_bytes; /* of the chain */
	double latency_ns, latency_low_ns, latency_high_ns; /* 95 % */
	double read_bytes_per_second, read_low_bytes_per_second, read_high_bytes_per_second;
	double write_bytes_per_second, write_low_bytes_per_second, write_high_bytes_per_second;
	double copy_bytes_per_second, copy_low_bytes_per_second, copy_high_bytes_per_second;
	double node_share; /* of the pages, that the kernel says are there; NAN: not known */
};

/* Two CPUs that walk a cycle each at the same time. */
struct fathom_sharing_test {
	int cpu_a, cpu_b;
	int core_class; /* index in result->core_classes; -1: not known */
	/* A hop of cpu_a, medians over blocks, 95 %: alone; while cpu_b walks its own; alone along
	 * a cycle twice as long. */
	double alone_ns, alone_low_ns, alone_high_ns;
	double together_ns, together_low_ns, together_high_ns;
	double twice_ns;
	double share, share_low, share_high; /* of the way from alone to twice, in logarithms: 0
						where nothing is shared, 1 where all is */
	int shared;                          /* 1, 0; -1: it does not tell */
};

/* Which CPUs share a cache, as one drives out what another one has in it. */
struct fathom_shared_cache {
	char *name;           /* "L1", ... */
	uint64_t size_bytes;  /* of the cache */
	bool size_measured;   /* by a few cycles; else the OS reports it */
	uint64_t cycle_bytes; /* that each CPU walks; 0: none was */
	char **members;       /* groups that share one, lists of CPUs; none: each CPU has its own,
				 or (missing) it is not known */
	size_t member_count;
	char **reported; /* the same as the OS says; none: each has its own, or (reported_known
			    false) it does not say */
	size_t reported_count;
	bool reported_known;
	char *missing; /* why it is not known who shares it; NULL: it is */
	struct fathom_sharing_test *tests;
	size_t test_count;
};

/* Threads that go for words at the same time. */
struct fathom_contention {
	enum fathom_operation operation;
	enum fathom_layout layout;
	int core_class; /* index in result->core_classes: what any two of them are; -1: one alone */
	uint32_t threads;
	char *cpus; /* list format */
	/* What an operation takes a thread, of reads the readers: median over blocks, 95 %. */
	double op_ns, op_low_ns, op_high_ns;
	double fairness;  /* that of the slowest thread over that of the fastest; NAN: of one */
	double writer_ns; /* an addition of the one who writes; NAN: none reads */
	double *blocks_ns;
	size_t block_count;
};

/* Latency against the bandwidth B of all traffic: L(B) = idle + rise u / (1 - u)^exponent with
 * u = B / peak (model/loaded/load_law.h). */
struct fathom_load_law {
	size_t curve;      /* index in result->curves */
	double read_share; /* of the traffic; NAN: not known */
	/* Intervals of 95 %. */
	double idle_latency_ns, idle_latency_low_ns, idle_latency_high_ns;
	double rise_ns;
	double peak_bytes_per_second, peak_low_bytes_per_second, peak_high_bytes_per_second;
	/* Where latency is 1.5 times the idle one; NAN: the curve ends before. */
	double knee_bytes_per_second, knee_low_bytes_per_second, knee_high_bytes_per_second;
	double exponent, exponent_low, exponent_high;
	double greatest_bytes_per_second; /* of the curve */
	bool bends_back;                  /* past the peak more traffic gets less through */
	double bent_share;   /* of the peak: what is left then, at the greatest latency; else 1 */
	double median_error; /* of |law / latency - 1| over the curve */
};

/* What single accesses take: the value that so many of them do not exceed. */
struct fathom_quantile {
	double share; /* 0.5: the median; 0: the least, 1: the greatest */
	double latency_ns, latency_low_ns, latency_high_ns; /* interval of 95 %; NAN: none */
};

/* As in an HdrHistogram of two digits: 128 bins an octave, evenly. */
struct fathom_bin {
	double low_ns, high_ns; /* high_ns excluded */
	size_t accesses;
};

enum fathom_mode_kind {
	FATHOM_MODE_UNKNOWN,
	FATHOM_MODE_REFRESH,      /* most of its accesses began while memory was refreshed */
	FATHOM_MODE_INTERRUPTION, /* longer than any refresh: an interrupt, or the host */
	FATHOM_MODE_CACHE,        /* shorter than flushed lines take: a cache has them */
	FATHOM_MODE_MEMORY,       /* as long as flushed lines take */
	/* Memory's, as controls tell: */
	FATHOM_MODE_TLB_MISS, /* the same chain on larger pages does not take so long */
	FATHOM_MODE_ROW_HIT,  /* as flushed lines take whose row was open */
	FATHOM_MODE_ROW_MISS, /* as those take in random order alone */
	FATHOM_MODE_KIND_COUNT
};

/* Where latencies gather. */
struct fathom_mode {
	enum fathom_mode_kind kind;
	char *level;            /* FATHOM_MODE_CACHE: "L2"; NULL: which is not known */
	double share;           /* of the accesses */
	double latency_ns;      /* where they are densest */
	double low_ns, high_ns; /* nine tenths of its accesses lie between */
	double without_ns; /* FATHOM_MODE_TLB_MISS, _ROW_MISS: what accesses of the same rank take
			      in the control; else NAN */
};

/* Of a part of the time. */
#define FATHOM_SLICES 60
struct fathom_slice {
	double start_s, end_s; /* since the first access */
	size_t accesses;
	double p50_ns, p99_ns, p999_ns, greatest_ns; /* NAN: too few accesses */
	struct fathom_bin *bins;                     /* 8 an octave */
	size_t bin_count;
};

struct fathom_distribution {
	size_t curve; /* index in result->curves */
	size_t accesses;
	/* How fathom timed them; NAN, 0 and NULL: another program did. */
	char *counter;          /* that was read: "tsc" */
	double counter_step_ns; /* the least that it moves by; 0: none can be seen */
	uint32_t run_accesses;  /* timed together, whose mean is what is told: 1 as a rule */
	double timing_ns, timing_low_ns, timing_high_ns; /* that timing takes, taken off; 95 % */
	double timing_spread_ns;                         /* between which nine tenths of it lie */
	double chain_ns; /* an access of many timed at once; NAN: it could not be told */
	/* What the OS counted of the CPU while they were timed; NAN: it does not say. */
	double interrupts, switches, waited_ns, stolen_ns;
	double slice_s; /* of each of FATHOM_SLICES; NAN: there are none */
	struct fathom_slice *slices;
	size_t slice_count;
	double mean_ns;
	struct fathom_quantile *quantiles; /* ascending */
	size_t quantile_count;
	struct fathom_bin *bins; /* those that have accesses, ascending */
	size_t bin_count;
	struct fathom_mode *modes; /* ascending by latency */
	size_t mode_count;
	bool refresh_looked_for; /* it is known when each access began */
	/* NAN: no period was found. Interval of 95 %. */
	double refresh_period_ns, refresh_period_low_ns, refresh_period_high_ns;
	double refresh_share; /* of the accesses that wait for it; NAN: no period was found */
};

/* What a prefetcher is worth at a size: the difference of two patterns that only it tells apart. */
struct fathom_effect {
	char *name;                       /* "stride", "adjacent line", "temporal" */
	size_t without_curve, with_curve; /* of the patterns, in result->curves */
	uint64_t size_bytes;
	double ns, low_ns, high_ns; /* what an access costs less, median over pairs of blocks; 95 %:
				       NAN where one of the patterns has too few */
	bool acts;                  /* the interval excludes 0, and it is no trifle */
};

enum fathom_limit { /* what keeps more accesses from overlapping */
		    FATHOM_LIMIT_UNKNOWN,
		    FATHOM_LIMIT_LOOP,    /* the instructions of the loop itself */
		    FATHOM_LIMIT_LANES,   /* more lanes than were tried would gain more */
		    FATHOM_LIMIT_BUFFERS, /* the misses that a cache can have outstanding */
		    FATHOM_LIMIT_WALKERS, /* page walks: large pages overlap more */
		    FATHOM_LIMIT_BANDWIDTH,
		    FATHOM_LIMIT_COUNT
};

/* How many accesses overlap at a size, and what that yields: of one curve along the lanes. NAN:
 * not measured, or no interval. */
struct fathom_parallelism {
	size_t curve; /* in result->curves */
	char *level;  /* in which the size lies: "L2", "memory"; NULL: not known */
	uint64_t size_bytes;
	double latency_ns, latency_low_ns, latency_high_ns;          /* of one lane */
	double ns_per_access, low_ns_per_access, high_ns_per_access; /* at saturation */
	double speedup, speedup_low, speedup_high;          /* at saturation, over one lane */
	double knee_lanes, knee_low_lanes, knee_high_lanes; /* the fewest that have 90 % of it */
	bool saturated; /* else more lanes would gain more, and the above are lower bounds */
	double bytes_per_second, low_bytes_per_second, high_bytes_per_second; /* lines brought */
	/* Of FATHOM_READ at that size, one thread and the most threads measured. */
	double read_bytes_per_second, read_low_bytes_per_second, read_high_bytes_per_second;
	double all_bytes_per_second, all_low_bytes_per_second, all_high_bytes_per_second;
	uint32_t all_threads;
	/* Little's law: latency x bandwidth / line: the lines under way while one core reads. */
	double little_lines, little_low_lines, little_high_lines;
	enum fathom_limit limit;
	char *evidence; /* for the limit, one sentence */
};

#define FATHOM_NO_CURVE ((size_t)-1) /* in place of an index in result->curves */

/* What the same chain costs more on the machine's base pages than on larger ones, at a size. */
struct fathom_page_difference {
	size_t small, large; /* the curves, as indexes in result->curves */
	uint64_t size_bytes;
	double ns, low_ns, high_ns; /* 95 %; NAN: too few blocks */
	size_t pairs; /* of blocks, each measured side by side; 0: from the two latencies and
			 their intervals */
};

/* A TLB as chains through one line a page show it. NAN: not known. */
struct fathom_tlb {
	double entries, entries_low, entries_high;          /* pages; 95 % */
	double penalty_ns, penalty_low_ns, penalty_high_ns; /* what missing it adds, the next TLB,
							       or tables in the nearest cache,
							       answering; 95 % */
	double penalty_cycles, penalty_low_cycles, penalty_high_cycles;
	double confidence; /* that there is such a TLB: 0..1 */
	char *evidence;    /* one sentence */
};

/* Page walks while the lines of the leaf tables (8 bytes a page) live in one cache, or in memory.
 * NAN: not known. */
struct fathom_walk {
	char *level;                 /* "L2", "memory"; NULL: not known which */
	double from_pages, to_pages; /* pages that are visited meanwhile; to_pages NAN: the end was
					not seen */
	double ns, low_ns, high_ns;  /* what an access that misses all TLBs costs more than one that
					hits the first; 95 % */
	double cycles, low_cycles, high_cycles;
	char *evidence; /* for the place, one sentence */
};

/* What address translation is like on one kind of page. */
struct fathom_translation {
	enum fathom_page page; /* as it was asked for */
	uint64_t page_bytes;   /* obtained, read back; 0: not known */
	uint64_t entry_bytes;  /* what an entry of a TLB covers: less where pages are splintered */
	/* The curves in result->curves, or FATHOM_NO_CURVE: along the sizes; one line a page, or in
	 * every entry_bytes of splintered ones; the same lines packed. */
	size_t by_size, spread, packed;
	int splintered; /* 1: TLBs hold these pages in small ones, as a host does, or, of multi-size
			 * THP, as they join no entries; 0: no, -1: not known */
	char *splintered_evidence; /* one sentence, or NULL: base pages */
	bool nested; /* walks go through a guest's tables and its host's: there is a hypervisor */
	struct fathom_tlb *tlbs; /* the first one first */
	size_t tlb_count;
	char *tlbs_missing;        /* why no TLB was found, or NULL */
	struct fathom_walk *walks; /* the nearest tables first */
	size_t walk_count;
	char *walks_missing; /* why there is no cost of a walk, or NULL */
};

enum fathom_part {
	FATHOM_PART_MEMORY,   /* the cache or memory itself */
	FATHOM_PART_TLB,      /* looking in the second TLB */
	FATHOM_PART_WALK,     /* page walks */
	FATHOM_PART_RESIDUAL, /* what the others do not explain; may be below 0 */
	FATHOM_PART_COUNT
};

struct fathom_cost {
	double ns, low_ns, high_ns; /* 95 %; NAN: not known */
};

/* Of what a random access on base pages costs at a size, how much is for what. Each part but the
 * residual is measured on its own. */
struct fathom_decomposition {
	size_t curve; /* in result->curves, along the sizes */
	uint64_t size_bytes;
	struct fathom_cost total;
	struct fathom_cost parts[FATHOM_PART_COUNT]; /* NAN: that part was not measured, and the
							residual has it */
	size_t memory_curve;  /* the large pages that memory itself was measured on */
	bool memory_is_bound; /* there is translation in it too: it is no more than that */
	char *evidence;       /* where the parts are from and what is missing */
};

/* A number that programmers go by, as it is here and as it is commonly quoted. */
struct fathom_number {
	char *name;                 /* "main memory reference" */
	double ns, low_ns, high_ns; /* here; 95 %: NAN where a part of it has no interval */
	char *how;                  /* what it was made of here, a few words */
	double dean_2009_ns;        /* J. Dean, "Designs, Lessons and Advice from Building Large
				     * Distributed        Systems", LADIS 2009; NAN: not in that list */
	double scott_2020_ns;       /* C. Scott, "Latency numbers every programmer should know", the
				     * page's       values for 2020; NAN as above */
};

enum fathom_clock_source {
	FATHOM_CLOCK_MEASURED,  /* by the probe, point by point */
	FATHOM_CLOCK_USER,      /* by the user */
	FATHOM_CLOCK_RECOVERED, /* from caches inside the core, which follow it */
	FATHOM_CLOCK_UNKNOWN    /* of the run that the others are held against */
};

/* The clock of a run, one of several. */
struct fathom_clock {
	size_t curve; /* in result->curves */
	enum fathom_clock_source source;
	double hz; /* NAN: only `relative` is known */
	/* Over the slowest run's; 95 %, NAN: given by the user, or of the slowest. */
	double relative, relative_low, relative_high;
	char *evidence; /* one sentence, or NULL */
};

/* A latency as a part that follows the core's clock and one that does not: core / f + outside.
 * Bounds are 95 %; NAN: not known. */
struct fathom_clock_law {
	char *level;                   /* "L2", "memory"; NULL: of one size */
	uint64_t from_bytes, to_bytes; /* the sizes that it is of */
	size_t size_count;
	double core_cycles, core_low_cycles, core_high_cycles; /* NAN: no clock is known in Hz */
	double core_ns, core_low_ns, core_high_ns;             /* the same, at the slowest clock */
	double outside_ns, outside_low_ns, outside_high_ns;
	double slow_ns, fast_ns; /* the latency at the slowest and at the fastest clock */
	double speedup, speedup_low, speedup_high; /* the first over the second */
};

/* How operations on a data structure follow each other. */
enum fathom_predict_mode {
	FATHOM_PREDICT_DEPENDENT,   /* each one's key comes out of the value that the one before
				       loaded */
	FATHOM_PREDICT_INDEPENDENT, /* the keys are known: the core overlaps what its window holds
				     */
	FATHOM_PREDICT_INTERLEAVED  /* several at a time, step by step */
};

/* What an operation on a data structure spends its time on. */
enum fathom_predict_part {
	FATHOM_PREDICT_L1,
	FATHOM_PREDICT_L2,
	FATHOM_PREDICT_L3, /* and any cache behind it */
	FATHOM_PREDICT_MEMORY,
	FATHOM_PREDICT_TLB,     /* misses that the next TLB answers */
	FATHOM_PREDICT_WALK,    /* page walks */
	FATHOM_PREDICT_BRANCH,  /* mispredicted branches, without the loads that they wait for */
	FATHOM_PREDICT_COMPUTE, /* instructions that the next step waits for */
	FATHOM_PREDICT_STREAM,  /* bytes read or written in the order of their addresses */
	FATHOM_PREDICT_CORES,   /* lines that another core has */
	FATHOM_PREDICT_OVERLAP, /* what runs at the same time as the others: 0 or below; above
				   where more would be in flight than the core can have */
	FATHOM_PREDICT_PART_COUNT
};

/* What an operation on a data structure costs, by a result's curves. */
struct fathom_prediction {
	char *structure;     /* a name of fathom_predict_structure */
	uint64_t keys;       /* elements in it */
	uint64_t size_bytes; /* of all of it */
	enum fathom_predict_mode mode;
	uint32_t interleave; /* operations at a time; 1: not interleaved */
	uint32_t key_bytes, payload_bytes;
	double theta;          /* of Zipf's law of the keys that are asked for; 0: all alike */
	enum fathom_page page; /* on which it lies */
	double predicted_ns, predicted_low_ns, predicted_high_ns; /* of an operation; 95 % */
	/* By what factor the model itself is off at most, in 95 % of cases, whatever it is told:
	 * in the interval. */
	double model_scatter;
	double parts_ns[FATHOM_PREDICT_PART_COUNT]; /* sum to predicted_ns */
	double lines;                               /* that an operation asks for */
	char *formula;                              /* with its numbers, one line a step */
	/* Of an operation, run by fathom_predict_check; NAN: it was not. 95 %, of six visits or
	 * more, else NAN. */
	double measured_ns, measured_low_ns, measured_high_ns;
};

/* From so many keys on a structure is cheaper than another that was cheaper below. */
struct fathom_crossover {
	char *below, *above; /* names of structures */
	uint64_t keys;
	/* Around it, up to where the two differ by more than two predictions were off against each
	 * other in 95 % of what was measured; at most as far as there are predictions. */
	uint64_t low_keys, high_keys;
	/* On the side, up to the next such place, where they differ less: by what factor at most.
	 */
	double apart;
	enum fathom_predict_mode mode;
};

/* May the numbers be quoted? docs/method.md has the thresholds. */
enum fathom_quality {
	FATHOM_QUALITY_UNKNOWN, /* of another tool's curves alone */
	FATHOM_QUALITY_GOOD,
	FATHOM_QUALITY_USABLE, /* with the reason beside it */
	FATHOM_QUALITY_DO_NOT_QUOTE,
	FATHOM_QUALITY_COUNT
};
/* "unknown", "good", "usable", "do-not-quote"; NULL for a value out of range. */
FATHOM_API const char *fathom_quality_name(int quality);

/* What memory's own counters saw, against what the threads that made traffic counted. */
enum fathom_agreement {
	FATHOM_AGREEMENT_UNKNOWN, /* not counted, or not well enough to say */
	FATHOM_AGREES,
	FATHOM_COUNTED_OTHERS, /* more, and as much more as without that traffic */
	FATHOM_COUNTED_MORE,
	FATHOM_COUNTED_FEWER,
	FATHOM_AGREEMENT_COUNT
};

struct fathom_memory_count {
	char *missing;   /* why nothing was counted, one sentence; NULL: it was */
	char **counters; /* that were asked, ended by NULL: "uncore_imc_0/cas_count_read/" */
	double on_share; /* of the time that they counted, at least; under 1 it is scaled */
	size_t curve;    /* index in result->curves of the one where the two differ most; SIZE_MAX:
			    none was counted */
	double ratio, ratio_low, ratio_high; /* counted over `bandwidth`, of its loads with traffic;
						95 % */
	double other_bytes_per_second; /* counted without traffic, beside the chain; NAN: not known
					*/
	enum fathom_agreement agreement;
};

struct fathom_result {
	char **argv; /* of the command that made it; NULL-terminated, may be NULL */
	uint64_t seed;
	bool interrupted;
	bool survey;       /* of all experiments in one budget, whichever of them had time */
	char *measured_at; /* when it began, UTC: "2026-11-21T22:05:13Z"; NULL: not known */
	double elapsed_s;  /* on the meter's own clock */
	double busy_cpus;  /* that other programs kept busy meanwhile, on average; NAN: not known */
	enum fathom_quality quality;
	char *quality_reason;         /* a few words; NULL: good, or unknown */
	uint64_t measured_line_bytes; /* 0: could not be told */
	double clock_min_hz, clock_median_hz, clock_max_hz; /* of the probes; NAN: no core clock */
	double clock_drift; /* of the last quarter of the blocks over the first, as a share, less 1;
			       NAN: not known */
	char *clock_missing; /* why there are no cycles, or NULL */
	/* That wait for a load, while the core begins later loads; 95 %. 0 or NAN: not measured. */
	double window_instructions, window_low_instructions, window_high_instructions;
	/* From a value to the same one stored and loaded again; 95 %. 0 or NAN: not measured. */
	double forward_ns, forward_low_ns, forward_high_ns;
	struct fathom_machine *machine; /* owned */
	struct fathom_curve *curves;
	size_t curve_count;
	struct fathom_level *levels; /* caches by reach, memory, then TLBs and unknown steps */
	size_t level_count;
	/* Of each curve of levels those that come nearest to explaining it, the likeliest first. */
	struct fathom_hypothesis *hypotheses;
	size_t hypothesis_count;
	bool os_prior_off; /* the prior of the levels knows nothing of what the OS reports */
	struct fathom_effect *effects; /* of FATHOM_ABLATION */
	size_t effect_count;
	struct fathom_parallelism *parallelism; /* of FATHOM_PARALLELISM: in the order of curves */
	size_t parallelism_count;
	/* Of FATHOM_PAGES: base pages first, then larger ones; by kind, then by size; by size. */
	struct fathom_translation *translations;
	size_t translation_count;
	struct fathom_page_difference *page_differences;
	size_t page_difference_count;
	struct fathom_decomposition *decompositions;
	size_t decomposition_count;
	struct fathom_number *numbers; /* of a survey: latencies first */
	size_t number_count;
	struct fathom_clock *clocks; /* of FATHOM_FREQUENCY: the slowest first */
	size_t clock_count;
	struct fathom_clock_law *clock_laws; /* of the levels, nearest first, then by size */
	size_t clock_law_count;
	struct fathom_core_class
		*core_classes; /* of FATHOM_CORE_TO_CORE: the nearest pairs first */
	size_t core_class_count;
	struct fathom_cpu *cpus; /* of FATHOM_CORE_TO_CORE: what the OS says of each CPU */
	size_t cpu_count;
	struct fathom_node_access *nodes; /* of FATHOM_NODES: by CPU, then by node */
	size_t node_count;
	struct fathom_shared_cache *shared_caches; /* of FATHOM_CORE_TO_CORE: the nearest first */
	size_t shared_cache_count;
	struct fathom_contention *contention; /* the same: one thread first, then class by class */
	size_t contention_count;
	struct fathom_load_law *load_laws; /* of FATHOM_LOADED, in the order of the curves */
	size_t load_law_count;
	struct fathom_memory_count *memory_counts; /* of FATHOM_LOADED: one */
	size_t memory_count_count;
	struct fathom_distribution *distributions; /* of FATHOM_DISTRIBUTION, in the order of the
						      curves */
	size_t distribution_count;
	struct fathom_reading *readings; /* only after fathom_explain */
	size_t reading_count;
	struct fathom_prediction *predictions; /* only after fathom_predict */
	size_t prediction_count;
	struct fathom_crossover *crossovers; /* the same, by keys */
	size_t crossover_count;
	struct fathom_warnings warnings;
};

struct fathom_progress {
	const char *stage;   /* "first pass", "round 3 of 6", "refining" */
	double done;         /* 0..1 */
	double left_s;       /* estimate */
	uint64_t size_bytes; /* the point just measured */
	double latency_ns;
	double half_width; /* as a share; NAN: not known yet */
};

/* Each callback may be NULL. They run on the measuring thread, between blocks and while levels are
 * looked for: levels that are not found half a second after `stop` are left out, with a warning. */
struct fathom_observer {
	void *context;
	void (*progress)(void *context, const struct fathom_progress *progress);
	bool (*stop)(void *context); /* true: keep what was measured and return, interrupted */
	/* true: the levels are the likeliest of those tried so far (warning "search-cut", unless
	 * they are far ahead of the others). */
	bool (*hurry)(void *context);
};

/* Measures the plan on the machine. The result owns `machine` from then on when 0 is returned.
 * Errors: FAILED (memory, a chain that did not arrive where it must), UNABLE. */
FATHOM_API int fathom_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
			      const struct fathom_observer *observer, struct fathom_result **result,
			      struct fathom_error *error);
FATHOM_API void fathom_result_free(struct fathom_result *result);

/* ---- the survey ------------------------------------------------------------------------- */

#define FATHOM_SURVEY_STAGES 9

/* Several plans in one budget, what matters most first. */
struct fathom_survey {
	struct fathom_plan *plans[FATHOM_SURVEY_STAGES]; /* NULL: left out */
	double shares[FATHOM_SURVEY_STAGES];             /* of the budget; 0: left out */
	bool predicting;                                 /* as in the request */
	double budget_s;
	double window_s; /* of it, for how many instructions wait for a load at a time; 0: not
			    measured */
	double estimated_s;
	uint64_t memory_bytes;           /* the most that will be mapped at a time */
	struct fathom_warnings warnings; /* which stages are left out, and why */
};

/* Of `request` count cpu, budget_s, target, spec.seed, keep_samples, os_prior_off, predicting and
 * max_size_bytes. A stage that the machine cannot measure, or that has too little time in this
 * budget, is left out with a warning. Errors: those of fathom_plan_make for FATHOM_LATENCY, which
 * comes first. */
FATHOM_API int fathom_survey_plan(const struct fathom_request *request,
				  const struct fathom_machine *machine,
				  struct fathom_survey **survey, struct fathom_error *error);
FATHOM_API void fathom_survey_free(struct fathom_survey *survey);
/* Measures one stage after the other, each with the time that those before it left, into one
 * result. Of one that fails after the first there is a warning. The result owns `machine` from then
 * on when 0 is returned. Errors: those of fathom_measure. */
FATHOM_API int fathom_survey_measure(const struct fathom_survey *survey,
				     struct fathom_machine *machine,
				     const struct fathom_observer *observer,
				     struct fathom_result **result, struct fathom_error *error);

/* ---- results of files ---------------------------------------------------------------------- */

/* How a file that says nothing of it is to be understood; {0}: as found. */
struct fathom_input {
	const char *columns;    /* "size,latency": names or numbers from 1; NULL: as found */
	const char *size_unit;  /* "B", "K", "M", ...; NULL: as the header says, else bytes */
	const char *value_unit; /* "ns", "cycles", "us", ...; NULL: as the header says, else ns */
	/* In which order another tool walked: "cycle" (one random cycle again and again),
	 * "independent" (each address drawn anew, one at a time) or "overlapping" (the same, many
	 * at a time: its times are no latencies). NULL: as the file says, else not known. */
	const char *order;
	/* What the OS of that machine reports of its caches for data, L1 first; NULL: nothing. */
	const uint64_t *caches_bytes;
	size_t cache_count;
	bool accesses; /* a row is not a size and a latency, but one access: when, and what it took
			*/
};

/* Reads what fathom or another tool wrote; the format is found by looking at the content. A
 * foreign result has machine NULL. Errors: BAD_INPUT, with the line where there is one; USAGE (a
 * unit or column that is not there). */
FATHOM_API int fathom_result_read(const char *bytes, size_t length,
				  const struct fathom_input *input, struct fathom_result **result,
				  struct fathom_error *error);

/* `whole` takes the curves of `part` over, behind its own; fathom_fit then says what follows from
 * all of them. Errors: FAILED (memory). */
FATHOM_API int fathom_result_join(struct fathom_result *whole, struct fathom_result *part,
				  struct fathom_error *error);

enum fathom_value_kind {
	FATHOM_VALUE_UNKNOWN, /* not measured, not known, or not of such a thing */
	FATHOM_VALUE_NUMBER,
	FATHOM_VALUE_WHOLE, /* a seed, too */
	FATHOM_VALUE_BOOLEAN,
	FATHOM_VALUE_TEXT
};

struct fathom_value {
	enum fathom_value_kind kind;
	double number;    /* of a NUMBER or a WHOLE; else NAN */
	uint64_t whole;   /* of a WHOLE; of a BOOLEAN 1 or 0 */
	const char *text; /* of a TEXT, the result's or static; else NULL */
	const char *unit; /* of a number: "ns", "bytes", ...; static. NULL: none */
};

/* One value of the result, by the path that it has in JSON: "levels[2].latency_ns",
 * "curves[0].points[3].rejected.switch", "machine.cpu_model". The path of a list alone gives how
 * many elements it has: "levels". docs/document.md says what there is. Errors: USAGE (there is no
 * such field, or the list is shorter). */
FATHOM_API int fathom_result_get(const struct fathom_result *result, const char *path,
				 struct fathom_value *value, struct fathom_error *error);

/* ---- what follows from results ------------------------------------------------------------- */

/* Finds the levels in the curves of a latency result, in place of those that it has, and holds
 * them against what result->machine reports (NULL: no machine is known); then, of
 * FATHOM_PARALLELISM, how many accesses overlap in each, of FATHOM_PAGES, what translation
 * costs, and of FATHOM_CORE_TO_CORE, which classes of pairs there are. fathom_measure has done that
 * already. Curves of two points or less, or of another experiment, have none. The search for levels
 * asks the observer's `stop` and `hurry` (`observer` may be NULL). Errors: FAILED (memory),
 * INTERRUPTED (`stop`), after which the result has no levels. */
FATHOM_API int fathom_fit(struct fathom_result *result, const struct fathom_observer *observer,
			  struct fathom_error *error);
/* Fills result->readings: what the textbook's ways to read each curve give, and how far from it
 * they are. Errors: FAILED (memory). */
FATHOM_API int fathom_explain(struct fathom_result *result, struct fathom_error *error);

/* What to predict. Start from fathom_predict_default. */
struct fathom_predict_request {
	const char *const *structures; /* names; NULL: ten usual ones */
	size_t structure_count;
	const uint64_t *keys; /* numbers of them; NULL: 1,000, 100,000 and 10,000,000 */
	size_t key_count;
	uint64_t size_bytes; /* of the whole structure, in place of `keys`; 0: not given */
	uint32_t key_bytes, payload_bytes; /* 0: a usual number, except of payload */
	uint32_t node_bytes;               /* of a B-tree's node; 0: 256 */
	uint32_t span_bits;                /* that a node of a radix tree tells apart; 0: 8 */
	uint32_t fanout;                   /* of a partition; 0: 256 */
	double load;                       /* keys over buckets or slots; 0: of each as is usual */
	double theta;                      /* as in struct fathom_prediction */
	bool payload_apart;                /* of chained-hash: behind a pointer */
	enum fathom_predict_mode mode;
	bool every_mode;     /* instead: each in all of them; where they change places in `mode` */
	uint32_t interleave; /* FATHOM_PREDICT_INTERLEAVED: so many at a time; 0: 8 */
	enum fathom_page page; /* FATHOM_PAGE_DEFAULT: of the first latency curve */
	/* What the result may lack; 0: what it has, else what is usual, with a warning. */
	double clock_hz;  /* of the core */
	double branch_ns; /* that a mispredicted branch costs */
	uint32_t window;  /* instructions that the core's schedulers hold */
};

FATHOM_API void fathom_predict_default(struct fathom_predict_request *request);
/* The structures that are known, from 0 on, and what each is in a few words; NULL: there are
 * fewer. */
FATHOM_API const char *fathom_predict_structure(int number);
FATHOM_API const char *fathom_predict_words(int number);
/* Fills result->predictions and result->crossovers, in place of those that it has, by its curves
 * and levels (fathom_fit finds those of a foreign curve); adds warnings "predict-...". Nothing is
 * measured. docs/predict.md has the model. Errors: USAGE (no such structure, a parameter out of
 * range, more than the machine's memory), BAD_INPUT (the result lacks what it takes: the hint names
 * the command that measures it), FAILED. */
FATHOM_API int fathom_predict(struct fathom_result *result,
			      const struct fathom_predict_request *request,
			      struct fathom_error *error);

/* Runs what the result predicts, on this machine, and fills in what was measured: each structure
 * built in memory, structures and sizes in random order, as often as how->budget_s allows.
 * `request`: as for fathom_predict. Of `how` the CPU, the node, the budget and the seed count. Adds
 * warnings "predict-...", also where the result is of another machine, or memory is not as it was
 * in the result. Errors: UNABLE (a simulated machine, or more memory than can be had), USAGE (keys
 * or payloads that are not of 8 bytes, or not asked for alike), FAILED. */
FATHOM_API int
fathom_predict_check(struct fathom_result *result, const struct fathom_predict_request *request,
		     const struct fathom_machine *machine, const struct fathom_request *how,
		     const struct fathom_observer *observer, struct fathom_error *error);

/* Refuses what no result of that machine could answer: names, numbers, sizes beyond its memory.
 * Errors: USAGE, FAILED. */
FATHOM_API int fathom_predict_possible(const struct fathom_predict_request *request,
				       const struct fathom_machine *machine,
				       struct fathom_error *error);
/* Would fathom_predict_check take that? Errors: those, its USAGE, and UNABLE of a simulated
 * machine. */
FATHOM_API int fathom_predict_check_request(const struct fathom_predict_request *request,
					    const struct fathom_machine *machine,
					    struct fathom_error *error);

/* The time of an operation on one structure at about so many keys, for whoever asks often: a query
 * planner, say. Of a power of two fathom_predict says more, where lines collide in sets. */
struct fathom_predictor;

/* Works out the first of request->structures once, at four numbers of keys an octave; `keys` and
 * `size_bytes` of the request count for nothing. Keeps nothing of `result`, and leaves its
 * predictions as they are. Errors: as fathom_predict. */
FATHOM_API int fathom_predictor_open(struct fathom_result *result,
				     const struct fathom_predict_request *request,
				     struct fathom_predictor **predictor,
				     struct fathom_error *error);
/* In ns, between two of these numbers by a straight line over the logarithm; some 10 ns of work,
 * and no memory. NAN: no keys, or a structure larger than the machine's memory, or than 2^40 keys.
 */
FATHOM_API double fathom_predictor_ns(const struct fathom_predictor *predictor, uint64_t keys);
FATHOM_API void fathom_predictor_close(struct fathom_predictor *predictor);

/* The plan that measures again what the result has: the points of its curves, with the CPU, the
 * pages and the target that they had, and a seed of its own. Of a study that began with a sweep
 * only what came after. `cpu` -1: as before. Errors: BAD_INPUT (it was measured by another tool, or
 * holds no point), USAGE (as fathom_plan_make), UNABLE (the machine has not what it takes), FAILED.
 */
FATHOM_API int fathom_plan_again(const struct fathom_result *result,
				 const struct fathom_machine *machine, double budget_s, int cpu,
				 uint64_t seed, struct fathom_plan **plan,
				 struct fathom_error *error);

/* What follows the core's clock and what does not, from runs of one machine at two or more clocks.
 * `clocks_hz` (may be NULL, as may be each, by NAN or 0): what the user says they are; else as
 * measured, else as the caches inside the core tell. Takes over the curves that it shows, and the
 * machine and levels of the first run; the runs remain the caller's to free, also after an error.
 * Errors: BAD_INPUT (fewer than two runs, no size in common, clocks that are too close, a
 * curve in cycles whose clock is not known, a first cache that is slower at the higher clock),
 * USAGE (clocks_hz says clocks that are as good as the same, or in another order), FAILED. */
FATHOM_API int fathom_frequency(struct fathom_result *const *runs, size_t count,
				const double *clocks_hz, struct fathom_result **result,
				struct fathom_error *error);

/* ---- whether runs differ ---------------------------------------------------------------- */

enum fathom_verdict {
	FATHOM_SAME,   /* what difference there may be is under the threshold */
	FATHOM_FASTER, /* the run is faster than the baseline: less time, more bytes a second */
	FATHOM_SLOWER,
	FATHOM_VERDICT_UNKNOWN, /* no difference is seen, but one over the threshold could hide */
	FATHOM_DISTURBED /* cannot be told: a difference may come from what disturbed a run */
};

enum fathom_quantity {
	FATHOM_QUANTITY_NS,     /* of an access */
	FATHOM_QUANTITY_CYCLES, /* the same by the core clock */
	FATHOM_QUANTITY_BYTES_PER_SECOND,
	FATHOM_QUANTITY_HZ,
	FATHOM_QUANTITY_COUNT
};

enum fathom_unit {
	FATHOM_UNIT_AUTO, /* cycles for caches that answer within 30 of them, which follow the
			     core clock, where all runs know it; else ns */
	FATHOM_UNIT_NS,
	FATHOM_UNIT_CYCLES
};

/* A result, and what to call it. Neither is owned. */
struct fathom_run {
	const char *name;
	const struct fathom_result *result; /* its levels are taken as they are */
};

/* {0} but for the runs is a good start. */
struct fathom_compare_request {
	const struct fathom_run *baselines; /* of several, all alike, the spread between runs is
					       learnt */
	size_t baseline_count;
	const struct fathom_run *runs; /* each is held against all the baselines */
	size_t run_count;
	double threshold; /* the least difference that counts, as a share; 0: 0.02 */
	enum fathom_unit unit;
	const struct fathom_observer *observer; /* whose `stop` is asked meanwhile; may be NULL */
};

/* A speed-up is what the baseline takes over what the run takes (of bytes a second the reverse):
 * over 1 where the run is faster. NAN: not known. */

/* One point that all the runs have. */
struct fathom_compared_point {
	struct fathom_spec spec; /* as the first baseline has it */
	size_t curve;            /* of the first baseline's */
	enum fathom_quantity quantity;
	double baseline, value;                    /* of several baselines the geometric mean */
	double speedup, speedup_low, speedup_high; /* 95 %, by resampling the blocks: of these runs,
						      not of others like them */
};

/* What a verdict is about: a level; of curves without levels, a point; the core clock. */
struct fathom_compared_part {
	char *name; /* "L1", "memory", "read, 2 threads, 32 KiB", "core clock" */
	enum fathom_quantity quantity;
	double baseline, value; /* geometric mean over the sizes inside the level */
	double speedup, speedup_low, speedup_high; /* 95 %, of one more run against the baselines:
						      what differs between runs is in it */
	double error, freedom; /* standard error of the speed-up's logarithm, and the degrees of
				  freedom that it is known with; NAN: not known */
	double probability;    /* of so large a speed-up or slow-down by chance, adjusted for the
				  number of parts (Holm); NAN: not known */
	double visible; /* the smallest difference that would have been detected, as a share; NAN:
			   as above */
	size_t points;  /* that it rests on; 0: on the latencies that were fitted */
	enum fathom_verdict verdict;
	char *evidence; /* what it rests on, or why there is no verdict; one sentence */
};

/* What the runs were measured under. */
struct fathom_compared_condition {
	char *name;             /* "busy CPUs", ... */
	char *unit;             /* "share" or "bytes" */
	double baseline, value; /* of several baselines the worst; NAN: not known */
	bool disturbs;          /* verdicts but `same` are held back because of it */
};

struct fathom_compared_run {
	char *name;
	struct fathom_compared_condition *conditions; /* none: of other tools' curves */
	size_t condition_count;
	struct fathom_compared_part *parts; /* levels, then points, then the clock */
	size_t part_count;
	struct fathom_compared_point *points; /* curve by curve, ascending */
	size_t point_count;
	bool faster, slower; /* some part is */
	bool disturbed;      /* some part cannot be told for that */
};

struct fathom_comparison {
	char **baselines; /* their names */
	size_t baseline_count;
	double threshold;
	enum fathom_unit unit;
	struct fathom_compared_run *runs;
	size_t run_count;
	struct fathom_warnings warnings; /* what differs besides; `where` is the run's name */
};

/* "same", "faster", "slower", "unknown", "disturbed"; NULL for a value out of range. */
FATHOM_API const char *fathom_verdict_name(int verdict);

/* Point by point where both have the same spec; nothing is interpolated. Errors: USAGE (no baseline
 * or no run, the same measurement twice among the baselines), BAD_INPUT (they cannot be compared:
 * the text names the field in which they differ), FAILED (memory), INTERRUPTED (`stop`). */
FATHOM_API int fathom_compare(const struct fathom_compare_request *request,
			      struct fathom_comparison **comparison, struct fathom_error *error);
FATHOM_API void fathom_comparison_free(struct fathom_comparison *comparison);
/* Are both the same measurement, value by value? Then comparing them says nothing. */
FATHOM_API bool fathom_same_measurement(const struct fathom_result *a,
					const struct fathom_result *b);

/* ---- many machines ---------------------------------------------------------------------- */

#define FATHOM_FLEET_SCHEMA "fathom-fleet/1"

enum fathom_fleet_state {
	FATHOM_FLEET_USUAL,     /* as the others of its group */
	FATHOM_FLEET_OUTLIER,   /* it deviates from them */
	FATHOM_FLEET_DISTURBED, /* to be measured again */
	FATHOM_FLEET_UNJUDGED,  /* its group is too small, or it has no number that they have */
	FATHOM_FLEET_STATE_COUNT
};
/* "usual", "outlier", "disturbed", "unjudged"; NULL for a value out of range. */
FATHOM_API const char *fathom_fleet_state_name(int state);

/* A machine that was measured: all that the fleet needs of its document. Texts and numbers stand in
 * the order in which each group names its settings and numbers. */
struct fathom_fleet_node {
	char *host;        /* of a simulated machine the name of its file */
	char *file;        /* that its document was read from */
	char *measured_at; /* as in struct fathom_result */
	char *version;     /* of the fathom that measured it */
	char *hardware;    /* what no setting changes, in words */
	enum fathom_fleet_state state;
	char *reason;    /* of a disturbed or an unjudged one, a few words; NULL */
	size_t group;    /* in fleet->groups */
	char **settings; /* "" for what is not known */
	size_t setting_count;
	double *values; /* NAN: not measured */
	size_t value_count;
	double *errors; /* their own standard errors, as shares; NAN: not known */
	size_t error_count;
};

/* What most nodes of a group have. */
struct fathom_fleet_setting {
	char *name, *value;
	size_t nodes; /* that have it */
};

/* How a number lies over a group. NAN: too few nodes have it. */
struct fathom_fleet_number {
	char *name;    /* "memory_latency_ns" */
	char *words;   /* "memory latency" */
	char *unit;    /* "ns", "cycles", "Hz", "bytes", "bytes/s"; "": of a count */
	int worse;     /* 1: more is worse; -1: less is; 0: neither */
	size_t nodes;  /* that have it, disturbed ones apart */
	double centre; /* median */
	double spread; /* between nodes: standard deviation of the logarithm, without the outliers
			  and without what each node's own interval explains */
	double error;  /* that of a node in itself: median, as a share */
};

/* Nodes that are to be alike: the same hardware, and settings that many of them share. */
struct fathom_fleet_group {
	char *key;         /* in words */
	size_t nodes;      /* all */
	bool judged;       /* there are enough undisturbed ones to say what is usual */
	bool by_reference; /* what is usual was given, not found */
	struct fathom_fleet_setting *settings;
	size_t setting_count;
	struct fathom_fleet_number *numbers;
	size_t number_count;
};

/* What of a node deviates: a number or (value NAN) a setting. */
struct fathom_fleet_deviation {
	char *number; /* its name, or the setting's */
	char *unit;
	double value, centre;
	double deviation;        /* value / centre - 1 */
	double sigmas;           /* of the group's spread and the node's own error */
	char *setting, *usually; /* its value, and what the group has; NULL: it is a number */
};

struct fathom_fleet_cause {
	char *name;         /* "memory-channel" */
	char *words;        /* "a memory channel is missing" */
	double probability; /* among the causes that are known, and an unknown one */
	char *evidence;     /* one sentence, or NULL */
	char *command;      /* what would tell more */
};

struct fathom_fleet_outlier {
	size_t node;  /* in fleet->nodes */
	size_t group; /* in fleet->groups */
	char *host, *file;
	/* What deviates most, as in struct fathom_fleet_deviation. */
	char *number, *unit;
	double value, centre, deviation, sigmas;
	char *setting, *usually;
	double probability; /* share of false alarms among the nodes that deviate as much or more,
			       over the whole fleet (Benjamini and Hochberg); 0 of a setting */
	char *cause;        /* words of the likeliest; the rest is in `causes` */
	double cause_probability;
	char *command;
	struct fathom_fleet_deviation *deviations; /* of each number and setting, the greatest first
						    */
	size_t deviation_count;
	struct fathom_fleet_cause *causes; /* the likeliest first */
	size_t cause_count;
};

/* A node or a file that there is a word to say of. */
struct fathom_fleet_remark {
	char *host;    /* NULL: not known */
	char *file;    /* NULL: there is none */
	char *reason;  /* one line */
	char *command; /* what to do about it; NULL */
};

/* How a node differs from what it was. */
struct fathom_fleet_change {
	char *host;
	char *number; /* or the setting; "hardware": it is another machine */
	char *unit;
	double before, value; /* NAN: a setting */
	double change;        /* value / before - 1, less what the whole group changed by */
	double sigmas;        /* of how much nodes change */
	char *setting;        /* "from -> to"; NULL: it is a number */
	double probability;   /* as of an outlier */
	char *cause;          /* the likeliest, in words */
	char *cause_name;     /* "memory-channel", ..., "unknown" */
	double cause_probability;
	char *command;
};

struct fathom_fleet {
	size_t documents;    /* read whole */
	double false_alarms; /* that were allowed among the outliers, a share */
	char *since;         /* file that `changes` and `vanished` are held against; NULL: none */
	char *reference;     /* file that says what is usual; NULL: the fleet itself does */
	struct fathom_fleet_group *groups; /* the largest first */
	size_t group_count;
	struct fathom_fleet_outlier *outliers; /* what deviates most surely first */
	size_t outlier_count;
	struct fathom_fleet_change *changes; /* since then, the surest first */
	size_t change_count;
	struct fathom_fleet_remark *disturbed, *damaged, *missing, *vanished, *appeared,
		*superseded; /* documents of a node that has a later one */
	size_t disturbed_count, damaged_count, missing_count, vanished_count, appeared_count,
		superseded_count;
	struct fathom_fleet_node *nodes; /* by host */
	size_t node_count;
	struct fathom_warnings warnings;
};

/* Start from fathom_fleet_default. */
struct fathom_fleet_options {
	size_t size;                            /* of this struct, as the caller knows it */
	uint32_t jobs;                          /* threads that read files; 0: one a CPU */
	double false_alarms;                    /* share of the outliers; 0: 0.02 */
	const struct fathom_observer *observer; /* whose `stop` is asked meanwhile; may be NULL */
};

struct fathom_fleet_reader;

FATHOM_API void fathom_fleet_default(struct fathom_fleet_options *options);
/* Errors: USAGE (an option out of range), FAILED. */
FATHOM_API int fathom_fleet_open(const struct fathom_fleet_options *options,
				 struct fathom_fleet_reader **reader, struct fathom_error *error);
/* Files, and of folders all that end in .json: results, and fleets as fathom_fleet_write writes
 * them, whose nodes are taken over with what was missing or damaged and still is. What is damaged
 * is noted, and no error. Errors: BAD_INPUT (a path that cannot be opened), FAILED, INTERRUPTED. */
FATHOM_API int fathom_fleet_read(struct fathom_fleet_reader *reader, const char *const *paths,
				 size_t count, struct fathom_error *error);
/* The same of a document in memory. `host` NULL: as it says itself. Errors: FAILED. */
FATHOM_API int fathom_fleet_add(struct fathom_fleet_reader *reader, const char *name,
				const char *host, const char *bytes, size_t length,
				struct fathom_error *error);
/* A node that has no document, and why. Errors: FAILED. */
FATHOM_API int fathom_fleet_add_missing(struct fathom_fleet_reader *reader, const char *host,
					const char *reason, struct fathom_error *error);
/* The fleet as it was, and what its nodes are to be like: a file or folder each, as above. Errors:
 * also BAD_INPUT (there is no node in it). */
FATHOM_API int fathom_fleet_since(struct fathom_fleet_reader *reader, const char *path,
				  struct fathom_error *error);
FATHOM_API int fathom_fleet_reference(struct fathom_fleet_reader *reader, const char *path,
				      struct fathom_error *error);
/* Groups the nodes and judges them. Takes what was read: the reader is as after opening. Errors:
 * FAILED, INTERRUPTED. */
FATHOM_API int fathom_fleet_make(struct fathom_fleet_reader *reader, struct fathom_fleet **fleet,
				 struct fathom_error *error);
FATHOM_API void fathom_fleet_close(struct fathom_fleet_reader *reader);
FATHOM_API void fathom_fleet_free(struct fathom_fleet *fleet);

/* ---- results to bytes ------------------------------------------------------------------- */

enum fathom_y { FATHOM_Y_NS, FATHOM_Y_CYCLES, FATHOM_Y_THROUGHPUT };

struct fathom_style {     /* for text and Markdown; the other formats ignore it */
	unsigned columns; /* 0: 80; less than 40: 40 */
	bool utf8;
	bool color;
	bool every_point;  /* a row for each point; else one an octave */
	bool explain;      /* what conclusions about pages rest on, too */
	bool trace;        /* the models that were tried for each curve, too */
	const char *level; /* of a result that level alone, in words; NULL: all of it */
	bool predictions;  /* of a result its predictions alone */
	enum fathom_y y;
};

/* The name of the format for a path ("x.json" -> "json"), NULL where the extension says nothing. */
FATHOM_API const char *fathom_format_of(const char *path);

/* Format "text", "json", "csv", "html" (a page that shows the result, with what fathom_explain says
 * of it), "markdown", "prometheus" (for node_exporter), "benchmark" (google-benchmark's JSON) or
 * "gnuplot" (a script that draws the first curves). *text is allocated and zero-terminated; free()
 * it. Errors: USAGE (the format is not known, or cannot hold that), BAD_INPUT ("gnuplot": there is
 * no curve to draw). */
FATHOM_API int fathom_result_write(const struct fathom_result *result, const char *format,
				   const struct fathom_style *style, char **text, size_t *length,
				   struct fathom_error *error);
FATHOM_API int fathom_plan_write(const struct fathom_plan *plan, const char *format,
				 const struct fathom_style *style, char **text, size_t *length,
				 struct fathom_error *error);
/* "text" or "json". */
FATHOM_API int fathom_survey_write(const struct fathom_survey *survey, const char *format,
				   const struct fathom_style *style, char **text, size_t *length,
				   struct fathom_error *error);
FATHOM_API int fathom_comparison_write(const struct fathom_comparison *comparison,
				       const char *format, const struct fathom_style *style,
				       char **text, size_t *length, struct fathom_error *error);
/* "text", "json", "html", "markdown" or "prometheus". */
FATHOM_API int fathom_fleet_write(const struct fathom_fleet *fleet, const char *format,
				  const struct fathom_style *style, char **text, size_t *length,
				  struct fathom_error *error);
FATHOM_API int fathom_machine_write(const struct fathom_machine *machine, const char *format,
				    const struct fathom_style *style, char **text, size_t *length,
				    struct fathom_error *error);

/* The names of the formats that each of them takes, from 0 on; NULL: there are fewer. A survey is
 * held by those of a plan. */
FATHOM_API const char *fathom_result_format(int number);
FATHOM_API const char *fathom_plan_format(int number);
FATHOM_API const char *fathom_comparison_format(int number);
FATHOM_API const char *fathom_machine_format(int number);
FATHOM_API const char *fathom_fleet_format(int number);

/* ---- figures ---------------------------------------------------------------------------- */

#define FATHOM_FIGURE_CURVES 12 /* that can be told apart: more are left out */

/* The figures, from 0 on: "latency", ...; NULL: there are fewer. docs/figures.md shows them. */
FATHOM_API const char *fathom_figure_name(int number);

/* {0} but for the runs is a good start. */
struct fathom_figure_request {
	const struct fathom_run *runs; /* of one all its curves, of several the main one of each;
					  of "comparison" the first is the baseline */
	size_t run_count;
	const char *figure; /* NULL: the first that all runs have */
	enum fathom_y y;    /* of figures of an access; FATHOM_Y_THROUGHPUT: a figure of its own */
	bool linear_y;      /* from 0 on */
	const char *title;  /* NULL: the machine */
	const char *const *labels; /* of the curves, in their order */
	size_t label_count;
};

/* Format "gnuplot" (a script with its data) or "text" (characters, in `style`, which may be NULL).
 * *text as above; *left_out (may be NULL): how many curves have no place. Errors: USAGE (no run, no
 * such figure or format, more labels than curves), BAD_INPUT (a run has no curve for it; the hint
 * says what it has), FAILED. */
FATHOM_API int fathom_figure_write(const struct fathom_figure_request *request, const char *format,
				   const struct fathom_style *style, char **text, size_t *length,
				   size_t *left_out, struct fathom_error *error);

FATHOM_API const char *fathom_version(void);
FATHOM_API void fathom_error_clear(struct fathom_error *error);

#ifdef __cplusplus
}
#endif
#endif
