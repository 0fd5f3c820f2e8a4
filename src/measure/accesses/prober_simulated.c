/* Accesses of a simulated machine, each traced through its caches, and through the queues of its
 * memory, where nothing else waits but refreshes do. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "kernels/permutation.h"
#include "measure/accesses/prober.h"
#include "simulate/dram/dram.h"
#include "simulate/simulated_cpus.h"
#include "simulate/simulated_disturb.h"
#include "simulate/simulated_memory.h"

#define TIMING_NS       18.0 /* of reading the counter twice */
#define TIMING_NOISE_NS 0.3
#define STORE_NS        2.0 /* from one run to the next */
#define FLUSH_NS        40.0
#define LAY_NS          5.0 /* of a line of a chain */
#define WARM_HOPS       ((uint64_t)1 << 21)
#define CHAIN_HOPS      50000

struct sim_chain {
	struct simulated_memory memory;
	struct permutation order;
	uint64_t position, node_bytes, key;
	uint64_t window_nodes; /* all of a window goes before the next; 0: there are none */
	enum fathom_warmth warmth;
};

struct prober_simulated {
	struct prober prober;
	struct simulated_spec spec;
	struct simulated_disturb disturb;
	struct dram *dram;
	double arrived_ns; /* the line that was asked for; INFINITY: not yet */
	struct rng timing;
	struct sim_chain chains[PROBER_MOST_CHAINS];
	size_t chain_count;
	size_t at;      /* the one that is followed; chain_count: none yet */
	double rest_ns; /* of an access to memory, besides what it takes in the queue */
	double now_ns, interrupted_ns;
	double interrupts;
	uint64_t runs;
};

static struct prober_simulated *self(struct prober *prober)
{
	return (struct prober_simulated *)prober;
}

/* ---- one access ---- */

/* For dram_open. */
static void note_end(void *context, unsigned owner, double at_ns)
{
	struct prober_simulated *simulated = context;
	(void)owner;
	simulated->arrived_ns = at_ns;
}

static double cost_ns(const struct simulated_spec *spec, const struct simulated_cost *cost)
{
	return cost->ns + cost->cycles / spec->clock_hz * 1e9;
}

/* When a line is there that memory is asked for now. NAN: out of memory. */
static double ask_memory(struct prober_simulated *simulated, uint64_t line, double now_ns)
{
	simulated->arrived_ns = INFINITY;
	if (dram_read(simulated->dram, line, 0, now_ns, NULL))
		return NAN;
	while (isinf(simulated->arrived_ns))
		dram_go_on(simulated->dram);
	return simulated->arrived_ns + simulated->rest_ns;
}

static uint64_t next_node(struct sim_chain *chain)
{
	uint64_t position = chain->position++, nodes = chain->window_nodes;
	if (!nodes)
		return permutation_forward(&chain->order, position % chain->order.count);
	uint64_t window = permutation_forward(&chain->order, position / nodes % chain->order.count);
	struct permutation within = permutation_make(nodes, rng_mix(chain->key, window));
	return window * nodes + permutation_forward(&within, position % nodes);
}

/* What it takes that begins at now_ns. What is flushed is so just before it. */
static double access_ns(struct prober_simulated *simulated, double now_ns)
{
	struct sim_chain *chain = &simulated->chains[simulated->at];
	struct simulated_memory *memory = &chain->memory;
	uint64_t offset = next_node(chain) * chain->node_bytes;
	if (chain->warmth == FATHOM_UNTOUCHED)
		return simulated->spec.touch_ns;
	if (chain->warmth != FATHOM_WARM) {
		simulated_memory_drop_line(memory, offset);
		simulated_memory_forget(memory);
	}
	unsigned level = simulated_memory_load(memory, offset);
	struct simulated_cost cost = simulated_memory_take_cost(memory);
	double ns = cost_ns(&simulated->spec, &cost);
	if (level < simulated->spec.cache_count)
		return ns;
	double alone_ns = dram_alone_ns(&simulated->spec) + simulated->rest_ns;
	return ask_memory(simulated, memory->path.line, now_ns + fmax(0, ns - alone_ns)) - now_ns;
}

/* ---- runs ---- */

static double interrupt_ns(struct prober_simulated *simulated, double end_ns)
{
	double ns = 0;
	if (!(simulated->spec.interrupt_each_ns > 0))
		return 0;
	while (simulated->interrupted_ns <= end_ns + ns) {
		simulated->interrupted_ns += simulated->spec.interrupt_each_ns;
		simulated->interrupts++;
		ns += simulated->spec.interrupt_ns;
	}
	return ns;
}

/* What a run seems to take whose accesses take `ns`; the time goes on. */
static double run_ns(struct prober_simulated *simulated, double ns)
{
	double spread_ns = TIMING_NOISE_NS * rng_normal(&simulated->timing);
	double all_ns = simulated_disturb_run(&simulated->disturb, ns, simulated->now_ns, NULL) +
			fmax(0, TIMING_NS + spread_ns);
	double step_ns = simulated->prober.step_ns, start_ns = simulated->now_ns;
	all_ns += interrupt_ns(simulated, start_ns + all_ns);
	simulated->now_ns = start_ns + all_ns;
	if (step_ns > 0)
		all_ns = step_ns * (floor(simulated->now_ns / step_ns) - floor(start_ns / step_ns));
	simulated->now_ns += STORE_NS;
	return all_ns;
}

static int time_runs(struct prober *prober, uint32_t hops, double *starts_ns, double *ns,
		     size_t count, struct fathom_error *error)
{
	struct prober_simulated *simulated = self(prober);
	bool flushed = simulated->chains[simulated->at].warmth != FATHOM_WARM;
	if (++simulated->runs == simulated->spec.corrupt_run)
		return error_set(error, FATHOM_FAILED, NULL,
				 "a chain did not arrive where it must");
	for (size_t i = 0; i < count; i++) {
		simulated->now_ns += flushed ? FLUSH_NS : 0;
		double begun_ns = simulated->now_ns, sum_ns = 0;
		for (uint32_t k = 0; k < hops; k++)
			sum_ns += access_ns(simulated, begun_ns + sum_ns);
		if (isnan(sum_ns))
			return error_no_memory(error);
		starts_ns[i] = begun_ns;
		ns[i] = run_ns(simulated, sum_ns);
	}
	return 0;
}

static double hit_ns(struct prober *prober)
{
	const struct simulated_spec *spec = &self(prober)->spec;
	return cost_ns(spec, spec->cache_count ? &spec->caches[0].cost : &spec->memory_cost);
}

static void time_hits(struct prober *prober, double *ns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		ns[i] = run_ns(self(prober), hit_ns(prober));
}

static double chain_ns(struct prober *prober)
{
	struct prober_simulated *simulated = self(prober);
	double begun_ns = simulated->now_ns;
	for (uint64_t i = 0; i < CHAIN_HOPS; i++)
		simulated->now_ns += access_ns(simulated, simulated->now_ns);
	return (simulated->now_ns - begun_ns) / CHAIN_HOPS;
}

static void turn(struct prober *prober, size_t chain)
{
	struct prober_simulated *simulated = self(prober);
	struct sim_chain *to = &simulated->chains[chain];
	if (simulated->at == chain)
		return;
	simulated->at = chain;
	uint64_t hops = to->order.count < WARM_HOPS ? to->order.count : WARM_HOPS;
	for (uint64_t i = 0; i < hops && to->warmth == FATHOM_WARM; i++)
		simulated->now_ns += access_ns(simulated, simulated->now_ns);
}

/* ---- the rest ---- */

static void totals(struct prober *prober, struct prober_totals *now)
{
	const struct prober_simulated *simulated = self(prober);
	*now = (struct prober_totals){
		.interrupts = simulated->interrupts,
		.switches = (double)simulated->disturb.counted.switches,
	};
}

static double rate_off(struct prober *prober)
{
	(void)prober;
	return 0;
}

static double elapsed_s(struct prober *prober)
{
	return self(prober)->now_ns * 1e-9;
}

static void wait_until(struct prober *prober, double until_s)
{
	struct prober_simulated *simulated = self(prober);
	double ns = fmax(0, until_s * 1e9 - simulated->now_ns);
	simulated->now_ns += ns;
	simulated->now_ns += interrupt_ns(simulated, simulated->now_ns);
}

static void close_simulated(struct prober *prober)
{
	struct prober_simulated *simulated = self(prober);
	for (size_t i = 0; i < simulated->chain_count; i++)
		simulated_memory_close(&simulated->chains[i].memory);
	dram_close(simulated->dram);
	free(simulated);
}

static int lay(struct prober_simulated *simulated, const struct prober_setup *setup, size_t which,
	       struct fathom_error *error)
{
	const struct fathom_spec *spec = &setup->chains[which];
	struct sim_chain *chain = &simulated->chains[which];
	uint64_t page_bytes = pages_bytes(setup->machine, spec->page);
	uint64_t key = prober_key(setup, which);
	if (simulated_memory_open(&chain->memory, &simulated->spec, error))
		return -1;
	simulated->chain_count = which + 1;
	if (simulated_memory_map(&chain->memory, spec->size_bytes, page_bytes, key, error))
		return -1;
	chain->window_nodes = spec->window_bytes / spec->node_bytes;
	chain->order = permutation_make(
		spec->size_bytes / (spec->window_bytes ? spec->window_bytes : spec->node_bytes),
		key);
	chain->node_bytes = spec->node_bytes;
	chain->key = key;
	chain->warmth = spec->warmth;
	simulated->prober.pages[which] = (struct pages_obtained){page_bytes, 1};
	simulated->now_ns += LAY_NS * (double)(spec->size_bytes / spec->node_bytes);
	return 0;
}

static int fill(struct prober_simulated *simulated, const struct prober_setup *setup,
		struct fathom_error *error)
{
	struct simulated_spec *spec = &simulated->spec;
	if (simulated_spec_parse_at(setup->machine->description, setup->place.cpu,
				    setup->place.node, spec, error))
		return -1;
	simulated->disturb = simulated_disturb_make(spec);
	simulated->timing = rng_make(rng_mix(spec->seed, 104));
	simulated->prober.step_ns = spec->timer_ns;
	simulated->interrupted_ns = spec->interrupt_each_ns;
	simulated->rest_ns = fmax(0, cost_ns(spec, &spec->memory_cost) - dram_alone_ns(spec));
	if (dram_open(spec, note_end, simulated, &simulated->dram, error))
		return -1;
	for (size_t i = 0; i < setup->chain_count; i++)
		if (lay(simulated, setup, i, error))
			return -1;
	simulated->at = simulated->chain_count;
	return 0;
}

int prober_simulated_open(const struct prober_setup *setup, struct prober **prober,
			  struct fathom_error *error)
{
	static const struct prober_ops ops = {turn,       time_runs,      time_hits, chain_ns,
					      hit_ns,     totals,         rate_off,  elapsed_s,
					      wait_until, close_simulated};
	struct prober_simulated *simulated = calloc(1, sizeof(*simulated));
	if (!simulated)
		return error_no_memory(error);
	simulated->prober.ops = &ops;
	simulated->prober.counter = "simulated";
	if (fill(simulated, setup, error)) {
		close_simulated(&simulated->prober);
		return -1;
	}
	*prober = &simulated->prober;
	return 0;
}
