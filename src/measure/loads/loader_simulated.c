/* Threads on a simulated machine: their lines wait in its memory (simulate/dram) for each other and
 * for those of the chain, all in the order of their times. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "kernels/permutation.h"
#include "measure/loads/loader.h"
#include "simulate/dram/dram.h"
#include "simulate/simulated_cpus.h"
#include "simulate/simulated_disturb.h"
#include "simulate/simulated_memory.h"

#define LEAST_NS    20000.0
#define MOST_NS     120000.0
#define WARM_SHARE  0.2 /* of what is counted, before it */
#define WARM_TIMES  1.5 /* the lines of the last cache: hops that are traced first */
#define BURST_LINES 48
#define MOST_BEHIND 16                  /* bursts, that are made up for */
#define LAY_NS      5.0                 /* of a line of a chain */
#define REGION      ((uint64_t)1 << 32) /* lines from one thread's to the next one's */

/* The lines under way of one are told apart for the queue: */
enum what { WHAT_READ, WHAT_WRITE, WHAT_COUNT };

struct sim_chain {
	struct simulated_memory memory;
	struct permutation order;
	uint64_t position;
};

struct end {
	double at_ns;
	enum what what;
};

struct asker {
	enum fathom_traffic traffic;
	uint64_t next_line;
	double lines;           /* that are to be taken, and are not yet */
	double due_ns, wait_ns; /* of its next burst, and from one to the next */
	unsigned taken;         /* lanes that have a line under way */
	struct end *ends;       /* of these lines those whose end is known */
	unsigned end_count;
	double next_ns;   /* when it goes on; INFINITY: something else comes first */
	unsigned changes; /* thirds of a line that are to be written back */
	uint64_t read, written, bursts, late;
};

struct loader_simulated {
	struct loader loader;
	struct simulated_spec spec;
	struct simulated_disturb disturb;
	struct dram *dram;
	const int *cpus;
	struct asker *askers; /* the first is the CPU of the chain; behind `count` others read, too,
				 whom nobody counts */
	uint32_t count, asker_count;
	unsigned lanes; /* of a thread */
	double rest_ns; /* of an access to memory, besides what it takes in the queue */
	struct sim_chain chains[LOADER_MOST_CHAINS];
	size_t chain_count;
	double now_ns; /* on the machine's own time; a visit begins at 0 */
	uint64_t visits;
	/* Of the visit that is under way. */
	const struct loader_visit *visit;
	double count_ns, end_ns; /* from when it counts, and to when */
	double hop_ns;           /* when the hop began */
	double hops_ns;
	uint64_t hops;
	bool begun; /* it counts: memory had counted so much before */
	struct dram_lines before;
};

static struct loader_simulated *self(struct loader *loader)
{
	return (struct loader_simulated *)loader;
}

static bool counts(const struct loader_simulated *all, double now_ns)
{
	return now_ns >= all->count_ns && now_ns < all->end_ns;
}

/* ---- traffic ---- */

static void find_next(const struct loader_simulated *all, struct asker *asker, double now_ns)
{
	bool more = asker->lines >= 1 && asker->taken < all->lanes;
	asker->next_ns = more ? now_ns : asker->due_ns;
	for (unsigned i = 0; i < asker->end_count; i++)
		asker->next_ns = fmin(asker->next_ns, asker->ends[i].at_ns);
}

/* For dram_open. Who writes past the caches waits as long as for a line; what a cache writes back
 * nobody waits for. */
static void note_end(void *context, unsigned owner, double at_ns)
{
	struct loader_simulated *all = context;
	struct asker *asker = &all->askers[owner / WHAT_COUNT];
	enum what what = owner % WHAT_COUNT;
	bool waits = what == WHAT_READ || asker->traffic == FATHOM_TRAFFIC_NT;
	double later_ns = waits ? all->rest_ns : 0;
	if (what == WHAT_WRITE && waits)
		later_ns += dram_alone_ns(&all->spec);
	asker->ends[asker->end_count++] = (struct end){at_ns + later_ns, what};
	asker->next_ns = fmin(asker->next_ns, at_ns + later_ns);
}

static int ask(struct loader_simulated *all, struct asker *asker, enum what what, uint64_t line,
	       double now_ns, struct fathom_error *error)
{
	unsigned owner = (unsigned)(asker - all->askers) * WHAT_COUNT + what;
	return what == WHAT_WRITE ? dram_write(all->dram, line, owner, now_ns, error)
				  : dram_read(all->dram, line, owner, now_ns, error);
}

static void begin_burst(const struct loader_simulated *all, struct asker *asker, double now_ns)
{
	bool late = asker->lines >= BURST_LINES;
	asker->bursts += counts(all, now_ns);
	asker->late += late && counts(all, now_ns);
	if (asker->lines < MOST_BEHIND * BURST_LINES)
		asker->lines += BURST_LINES;
	asker->due_ns += asker->wait_ns;
}

static int take_line(struct loader_simulated *all, struct asker *asker, double now_ns,
		     struct fathom_error *error)
{
	bool writes = asker->traffic == FATHOM_TRAFFIC_NT;
	asker->lines--;
	asker->taken++;
	asker->written += writes && counts(all, now_ns);
	return ask(all, asker, writes ? WHAT_WRITE : WHAT_READ, asker->next_line++, now_ns, error);
}

/* A line that was changed is written back when a cache needs its place: one that was read long
 * before. */
static int end_line(struct loader_simulated *all, struct asker *asker, enum what what,
		    double now_ns, struct fathom_error *error)
{
	if (what == WHAT_READ) {
		asker->read += counts(all, now_ns);
		asker->changes += loader_changed_of_three(asker->traffic);
		if (asker->changes >= 3) {
			asker->changes -= 3;
			asker->written += counts(all, now_ns);
			return ask(all, asker, WHAT_WRITE, asker->next_line + REGION / 2, now_ns,
				   error);
		}
	}
	asker->taken--;
	return 0;
}

static int go_on_thread(struct loader_simulated *all, struct asker *asker,
			struct fathom_error *error)
{
	double now_ns = asker->next_ns;
	if (asker->due_ns <= now_ns)
		begin_burst(all, asker, now_ns);
	for (unsigned i = 0; i < asker->end_count;) {
		struct end end = asker->ends[i];
		if (end.at_ns > now_ns) {
			i++;
			continue;
		}
		asker->ends[i] = asker->ends[--asker->end_count];
		if (end_line(all, asker, end.what, now_ns, error))
			return -1;
	}
	while (asker->lines >= 1 && asker->taken < all->lanes)
		if (take_line(all, asker, now_ns, error))
			return -1;
	find_next(all, asker, now_ns);
	return 0;
}

/* ---- the chain ---- */

/* What a hop takes but for the queue; *line: that it asks of memory; false: of a cache. */
static bool trace(struct sim_chain *chain, uint64_t *line, double *ns)
{
	struct simulated_memory *memory = &chain->memory;
	const struct simulated_spec *spec = &memory->spec;
	*line = permutation_forward(&chain->order, chain->position++ % chain->order.count);
	unsigned level = simulated_memory_load(memory, *line * spec->line_bytes);
	struct simulated_cost cost = simulated_memory_take_cost(memory);
	*ns = cost.ns + cost.cycles / spec->clock_hz * 1e9;
	return level == spec->cache_count;
}

static void end_hop(struct loader_simulated *all, double now_ns)
{
	if (!counts(all, all->hop_ns))
		return;
	all->hops_ns += now_ns - all->hop_ns;
	all->hops++;
}

/* Up to a hop that goes to memory: its line is asked for after all else. */
static void begin_hop(struct loader_simulated *all, double now_ns)
{
	struct asker *asker = &all->askers[0];
	double alone_ns = dram_alone_ns(&all->spec) + all->rest_ns, ns;
	asker->due_ns = INFINITY;
	for (all->hop_ns = now_ns; all->hop_ns < all->end_ns; all->hop_ns = now_ns) {
		if (trace(&all->chains[all->visit->chain], &asker->next_line, &ns)) {
			asker->due_ns = now_ns + fmax(0, ns - alone_ns);
			break;
		}
		now_ns += ns;
		end_hop(all, now_ns);
	}
	find_next(all, asker, now_ns);
}

static int go_on_chain(struct loader_simulated *all, struct fathom_error *error)
{
	struct asker *asker = &all->askers[0];
	double now_ns = asker->next_ns;
	if (asker->end_count) {
		asker->end_count = 0;
		end_hop(all, now_ns);
		begin_hop(all, now_ns);
		return 0;
	}
	asker->due_ns = INFINITY;
	asker->next_ns = INFINITY;
	return ask(all, asker, WHAT_READ, asker->next_line, now_ns, error);
}

/* ---- a visit ---- */

/* The earliest; NULL: the memory. */
static struct asker *find_earliest(const struct loader_simulated *all, double *at_ns)
{
	struct asker *found = NULL;
	*at_ns = dram_next_ns(all->dram);
	for (uint32_t i = 0; i < all->asker_count; i++)
		if (all->askers[i].next_ns < *at_ns) {
			found = &all->askers[i];
			*at_ns = found->next_ns;
		}
	return found;
}

static int run(struct loader_simulated *all, struct fathom_error *error)
{
	bool chases = !all->visit->all_read;
	double at_ns;
	for (;;) {
		struct asker *asker = find_earliest(all, &at_ns);
		if (!all->begun && at_ns >= all->count_ns) {
			all->begun = true;
			all->before = dram_counted(all->dram);
		}
		if (at_ns >= all->end_ns)
			return 0;
		int status = 0;
		if (!asker)
			dram_go_on(all->dram);
		else if (chases && asker == all->askers)
			status = go_on_chain(all, error);
		else
			status = go_on_thread(all, asker, error);
		if (status)
			return -1;
	}
}

static void begin_others(struct loader_simulated *all, struct rng *rng)
{
	struct asker *others = &all->askers[all->count];
	double line_ns = (double)all->loader.line_bytes / all->spec.other_bytes_per_second * 1e9;
	if (all->asker_count == all->count)
		return;
	*others = (struct asker){
		.ends = others->ends,
		.traffic = FATHOM_TRAFFIC_READS,
		.next_line = (all->count + 1) * REGION + rng_below(rng, REGION / 4),
		.wait_ns = BURST_LINES * line_ns,
		.due_ns = rng_unit(rng) * BURST_LINES * line_ns,
	};
	find_next(all, others, 0);
}

static void begin(struct loader_simulated *all, const struct loader_visit *visit)
{
	struct rng rng = rng_make(visit->key);
	double lines_per_ns = visit->bytes_per_second / loader_lines_of(visit->traffic) /
			      (double)all->loader.line_bytes / (all->count - 1) * 1e-9;
	all->visit = visit;
	all->count_ns = WARM_SHARE * visit->ns;
	all->end_ns = all->count_ns + visit->ns;
	all->hops_ns = 0;
	all->hops = 0;
	all->begun = false;
	for (uint32_t i = 0; i < all->count; i++) {
		struct asker *asker = &all->askers[i];
		double wait_ns = BURST_LINES / lines_per_ns;
		bool full = i ? visit->bytes_per_second == INFINITY : visit->all_read;
		bool idle = i ? !(visit->bytes_per_second > 0) : !visit->all_read;
		*asker = (struct asker){
			.ends = asker->ends,
			.traffic = visit->traffic,
			.next_line = (i + 1) * REGION + rng_below(&rng, REGION / 4),
			.lines = full && !idle ? INFINITY : 0,
			.wait_ns = full || idle ? INFINITY : wait_ns,
			.due_ns = full || idle ? INFINITY : rng_unit(&rng) * wait_ns,
		};
		find_next(all, asker, 0);
	}
	begin_others(all, &rng);
	if (!visit->all_read)
		begin_hop(all, 0);
}

/* By the controllers, while it counted. */
static struct memory_traffic find_counted(const struct loader_simulated *all)
{
	struct dram_lines now = dram_counted(all->dram);
	double bytes = (double)all->loader.line_bytes / (all->end_ns - all->count_ns) * 1e9;
	if (!all->spec.memory_counters || !all->begun)
		return (struct memory_traffic){NAN, NAN, NAN};
	return (struct memory_traffic){
		.read = (double)(now.read - all->before.read) * bytes,
		.written = (double)(now.written - all->before.written) * bytes,
		.on_share = 1,
	};
}

static void conclude(struct loader_simulated *all, struct loader_found *found)
{
	uint64_t switches = all->disturb.counted.switches;
	double bus = 0, program = 0, ns = all->end_ns - all->count_ns;
	bool nt = all->visit->traffic == FATHOM_TRAFFIC_NT;
	double longer_ns = simulated_disturb_run(&all->disturb, all->end_ns, all->now_ns, NULL);
	double times = longer_ns / all->end_ns;
	for (uint32_t i = 0; i < all->count; i++) {
		const struct asker *asker = &all->askers[i];
		bus += (double)(asker->read + asker->written);
		program += (double)(nt ? asker->written : asker->read);
		found->bursts += (double)asker->bursts;
		found->late_bursts += (double)asker->late;
	}
	double bytes = (double)all->loader.line_bytes / ns * 1e9;
	found->latency_ns = all->visit->all_read ? NAN : all->hops_ns / (double)all->hops * times;
	found->bytes_per_second = (bus + (double)all->hops) * bytes;
	found->program_bytes_per_second = (program + (double)all->hops) * bytes;
	found->counted = find_counted(all);
	found->concurrency = 1;
	found->disturbed =
		all->disturb.counted.switches != switches || (!all->visit->all_read && !all->hops);
	all->now_ns += longer_ns;
}

static int check_cpus(const struct loader_simulated *all, struct fathom_error *error)
{
	if (all->spec.no_affinity)
		return error_set(error, FATHOM_UNABLE,
				 "allow sched_setaffinity (containers: the seccomp profile)",
				 "cannot bind a thread to cpu %d: the simulated machine forbids it",
				 all->cpus[0]);
	for (uint32_t i = 0; i < all->count; i++)
		if (!simulated_cpus_usable(&all->spec, (unsigned)all->cpus[i], all->now_ns))
			return error_set(error, FATHOM_UNABLE, NULL,
					 "cpu %d is not available any more", all->cpus[i]);
	return 0;
}

static int visit(struct loader *loader, const struct loader_visit *visit,
		 struct loader_found *found, struct fathom_error *error)
{
	struct loader_simulated *all = self(loader);
	*found = (struct loader_found){.latency_ns = NAN};
	if (check_cpus(all, error))
		return -1;
	if (++all->visits == all->spec.corrupt_run)
		return error_set(error, FATHOM_FAILED, NULL,
				 "a chain did not arrive where it must");
	if (dram_open(&all->spec, note_end, all, &all->dram, error))
		return -1;
	begin(all, visit);
	int status = run(all, error);
	if (status == 0)
		conclude(all, found);
	dram_close(all->dram);
	all->dram = NULL;
	return status;
}

/* ---- all ---- */

static int lay(struct loader_simulated *all, const struct loader_setup *setup, size_t which,
	       struct fathom_error *error)
{
	const struct fathom_spec *spec = &setup->chains[which];
	struct sim_chain *chain = &all->chains[which];
	uint64_t page_bytes = pages_bytes(setup->machine, spec->page), last = 0, line;
	uint64_t key = rng_mix(setup->seed, which);
	double ns;
	if (simulated_memory_open(&chain->memory, &all->spec, error))
		return -1;
	all->chain_count = which + 1;
	if (simulated_memory_map(&chain->memory, spec->size_bytes, page_bytes, key, error))
		return -1;
	chain->order = permutation_make(spec->size_bytes / all->spec.line_bytes, key);
	for (size_t i = 0; i < all->spec.cache_count; i++)
		last = all->spec.caches[i].entries;
	uint64_t warm = (uint64_t)(WARM_TIMES * (double)last);
	chain->position = chain->order.count - warm % chain->order.count;
	for (uint64_t i = 0; i < warm; i++)
		trace(chain, &line, &ns);
	all->loader.pages[which] = (struct pages_obtained){page_bytes, 1};
	all->now_ns += LAY_NS * (double)chain->order.count;
	return 0;
}

static double elapsed_s(struct loader *loader)
{
	return self(loader)->now_ns * 1e-9;
}

static void close_simulated(struct loader *loader)
{
	struct loader_simulated *all = self(loader);
	for (size_t i = 0; i < all->chain_count; i++)
		simulated_memory_close(&all->chains[i].memory);
	for (uint32_t i = 0; all->askers && i < all->asker_count; i++)
		free(all->askers[i].ends);
	free(all->askers);
	free(all);
}

static double cost_ns(const struct simulated_spec *spec, const struct simulated_cost *cost)
{
	return cost->ns + cost->cycles / spec->clock_hz * 1e9;
}

static int fill(struct loader_simulated *all, const struct loader_setup *setup,
		struct fathom_error *error)
{
	if (simulated_spec_parse_at(setup->machine->description, setup->cpus[0], setup->memory_node,
				    &all->spec, error))
		return -1;
	all->lanes = (unsigned)all->spec.overlap;
	all->disturb = simulated_disturb_make(&all->spec);
	all->loader.line_bytes = all->spec.line_bytes;
	all->rest_ns =
		fmax(0, cost_ns(&all->spec, &all->spec.memory_cost) - dram_alone_ns(&all->spec));
	all->asker_count = all->count + (all->spec.other_bytes_per_second > 0);
	static const char *const counters[] = {"dram/read/", "dram/write/", NULL};
	all->loader.counters = counters;
	if (!all->spec.memory_counters)
		all->loader.counters_missing =
			"no memory counters: this simulated machine has none";
	for (uint32_t i = 0; i < all->asker_count; i++) {
		/* A line that is written back has the lane of one that was read. */
		all->askers[i].ends = calloc(all->lanes, sizeof(*all->askers[i].ends));
		if (!all->askers[i].ends)
			return error_no_memory(error);
	}
	int status = check_cpus(all, error);
	for (size_t i = 0; i < setup->chain_count && !status; i++)
		status = lay(all, setup, i, error);
	return status;
}

int loader_simulated_open(const struct loader_setup *setup, struct loader **loader,
			  struct fathom_error *error)
{
	static const struct loader_ops ops = {visit, elapsed_s, close_simulated};
	struct loader_simulated *all = calloc(1, sizeof(*all));
	if (!all)
		return error_no_memory(error);
	all->loader.ops = &ops;
	all->loader.least_ns = LEAST_NS;
	all->loader.most_ns = MOST_NS;
	all->cpus = setup->cpus;
	all->count = setup->count;
	all->askers = calloc(setup->count + 1, sizeof(*all->askers));
	int status = all->askers ? fill(all, setup, error) : error_no_memory(error);
	if (status) {
		close_simulated(&all->loader);
		return -1;
	}
	*loader = &all->loader;
	return 0;
}
