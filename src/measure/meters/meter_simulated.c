/* The meter of a simulated machine: it walks the real links of a real chain, sends each address
 * through the simulated hierarchy and keeps simulated time. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/rng.h"
#include "base/units.h"
#include "machine/pages.h"
#include "measure/memory/chain.h"
#include "measure/meter.h"
#include "measure/meters/simulated_lane.h"
#include "measure/meters/simulated_lanes.h"
#include "measure/meters/simulated_stream.h"
#include "measure/sampling/sibling_probe.h"
#include "measure/spec.h"
#include "simulate/simulated_counts.h"
#include "simulate/simulated_cpus.h"
#include "simulate/simulated_disturb.h"
#include "simulate/simulated_memory.h"

#define ALIGNMENT_BYTES  ((uint64_t)2 << 20)
#define RUN_OVERHEAD_NS  40.0
#define SHORTEST_RUN_NS  2000.0
#define BUILD_S_PER_NODE 5e-9
#define FIRST_LINE_BYTES 64 /* until the sweep has measured it */
#define FLUSH_S_PER_LINE 5e-9
#define MAP_S_PER_LINE   100e-9
#define TIMER_NS         5.0 /* to read it twice */
#define DRIFT_PERIOD_S   5.0
#define ISSUED_PER_CYCLE 4.0
#define SHARED_TIMES     1.6 /* by which issuing takes longer beside a busy thread */
#define CLOCK_NOISE      0.1 /* of the noise of a run: probing is steadier than measuring */

struct simulated {
	struct meter meter;
	const struct fathom_machine *machine;
	struct simulated_spec spec;
	struct simulated_memory memory;
	struct simulated_counts counts;
	unsigned char *base; /* of the chain, in this program's own memory */
	uint64_t base_bytes; /* of room there */
	uint64_t capacity_bytes;
	struct chain chain;
	uint64_t position;              /* hops made since the chain's start, by all lanes */
	struct simulated_lane lane;     /* of one lane that walks */
	struct simulated_lanes lanes;   /* of several */
	struct simulated_stream stream; /* of FATHOM_READ and its like, which no chain has */
	uint64_t runs;
	bool unread; /* the chain, since it was written */
	struct rng placement;
	struct rng clock_noise;
	struct simulated_disturb disturb;
	struct clock_probe probe;
	struct sibling_probe sibling; /* where there are turns */
	int cpu;
	double now_s;
	double rested_s; /* of these */
};

static struct simulated *simulated_of(struct meter *meter)
{
	return (struct simulated *)meter;
}

/* ---- placing ---- */

static int reserve(struct simulated *simulated, uint64_t bytes, struct fathom_error *error)
{
	if (bytes <= simulated->base_bytes)
		return 0;
	uint64_t room = (bytes + ALIGNMENT_BYTES - 1) / ALIGNMENT_BYTES * ALIGNMENT_BYTES;
	unsigned char *base = aligned_alloc(ALIGNMENT_BYTES, room);
	if (!base)
		return error_no_memory(error);
	free(simulated->base);
	simulated->base = base;
	simulated->base_bytes = room;
	return 0;
}

static int place(struct simulated *simulated, const struct fathom_spec *spec, bool redraw,
		 struct fathom_error *error)
{
	struct simulated_memory *memory = &simulated->memory;
	uint64_t page_bytes = pages_bytes(simulated->machine, spec->page);
	uint64_t bytes = spec_memory_bytes(spec);
	bool fits = memory->map.page_bytes == page_bytes && bytes <= memory->map.pages * page_bytes;
	if (fits && !redraw)
		return 0;
	if (pages_check(simulated->machine, spec->page, bytes, error))
		return -1;
	return simulated_memory_map(memory, bytes, page_bytes, rng_next(&simulated->placement),
				    error);
}

/* New pages, whose words are written in the order of their addresses. */
static void write_all(struct simulated *simulated, uint64_t bytes)
{
	uint64_t line_bytes = simulated->spec.line_bytes;
	for (uint64_t offset = 0; offset < bytes; offset += line_bytes)
		simulated_memory_load(&simulated->memory, offset);
	simulated_memory_forget(&simulated->memory);
	simulated->now_s += (double)(bytes / line_bytes) * MAP_S_PER_LINE;
}

/* Lines in the order of their addresses need no links. */
static void build_stream(struct simulated *simulated, const struct fathom_spec *spec, uint64_t key)
{
	simulated->chain = (struct chain){
		.spec = *spec,
		.base = simulated->base,
		.line_bytes = simulated->meter.line_bytes,
		.key = key,
		.nodes = spec_nodes(spec),
		.slots = 1,
		.hops_per_cycle = spec_accesses(spec),
	};
	simulated->lane = (struct simulated_lane){&simulated->chain, &simulated->memory, 0};
	simulated_stream_start(&simulated->stream, &simulated->chain, &simulated->memory);
}

/* Another number of lanes goes on where the last one ended: the caches still hold what lies before.
 */
static void build_chain(struct simulated *simulated, const struct fathom_spec *spec, uint64_t key)
{
	struct chain *chain = &simulated->chain;
	bool kept =
		spec->axis == FATHOM_AXIS_LANES && chain_serves(chain, spec, simulated->base, key);
	uint64_t hops = kept ? simulated->position / chain->spec.lanes : 0;
	if (!kept)
		chain_build(chain, spec, simulated->base, simulated->meter.line_bytes, key);
	if (!kept)
		simulated->now_s += (double)chain->nodes * BUILD_S_PER_NODE;
	chain->spec = *spec;
	simulated->position = hops * spec->lanes;
	simulated_lane_start(&simulated->lane, chain, &simulated->memory, hops);
	if (spec->lanes > 1)
		simulated_lanes_start(&simulated->lanes, chain, &simulated->memory, hops);
}

static int prepare(struct meter *meter, const struct fathom_spec *spec, uint64_t key, bool redraw,
		   struct meter_placement *placement, struct fathom_error *error)
{
	struct simulated *simulated = simulated_of(meter);
	char asked[UNITS_TEXT_BYTES], room[UNITS_TEXT_BYTES];
	uint64_t bytes = spec_memory_bytes(spec);
	if (bytes > simulated->capacity_bytes)
		return error_set(error, FATHOM_FAILED, NULL, "%s do not fit in the requested %s",
				 units_format_size(bytes, asked),
				 units_format_size(simulated->capacity_bytes, room));
	if (reserve(simulated, bytes, error) ||
	    place(simulated, spec, redraw || spec->warmth == FATHOM_COLD_MAPPED, error))
		return -1;
	if (spec->warmth == FATHOM_COLD_MAPPED)
		write_all(simulated, bytes);
	if (pattern_streams(spec->pattern))
		build_stream(simulated, spec, key);
	else
		build_chain(simulated, spec, key);
	meter->hops_unit = spec->lanes;
	simulated->unread = true;
	*placement = (struct meter_placement){
		.page_bytes = simulated->memory.map.page_bytes,
		.page_share = 1,
		.lane_store = spec->lanes > 1 ? spec->lane_store : FATHOM_STORE_UNKNOWN,
	};
	return 0;
}

static int chill(struct meter *meter, struct fathom_error *error)
{
	struct simulated *simulated = simulated_of(meter);
	const struct fathom_spec spec = simulated->chain.spec;
	struct meter_placement placement;
	uint64_t bytes = spec_memory_bytes(&spec);
	if (spec.warmth == FATHOM_COLD_MAPPED)
		return simulated->unread ? 0
					 : prepare(meter, &spec, simulated->chain.key, true,
						   &placement, error);
	simulated_memory_drop(&simulated->memory, bytes);
	simulated_memory_forget(&simulated->memory);
	simulated->now_s += (double)(bytes / simulated->spec.line_bytes) * FLUSH_S_PER_LINE;
	return 0;
}

/* ---- timing ---- */

static double clock_hz(const struct simulated *simulated)
{
	double swing = sin(2 * M_PI * simulated->now_s / DRIFT_PERIOD_S);
	return simulated->spec.clock_hz * (1 + simulated->spec.drift / 2 * swing);
}

/* Returns what the timer makes of it. */
static double pass_time(struct simulated *simulated, double ns)
{
	double step_ns = simulated->spec.timer_ns, start_ns = simulated->now_s * 1e9;
	simulated->now_s += ns * 1e-9;
	return step_ns > 0
		       ? step_ns * (floor((start_ns + ns) / step_ns) - floor(start_ns / step_ns))
		       : ns;
}

static void feel_others(struct simulated *simulated)
{
	simulated->memory.beside_bytes =
		simulated_disturb_turn(&simulated->disturb, simulated->now_s * 1e9);
}

/* The lanes of the hardware meter in one: the order is the plain one, the time its share of one. */
static double warm(struct meter *meter, uint64_t hops)
{
	struct simulated *simulated = simulated_of(meter);
	const struct fathom_spec *spec = &simulated->chain.spec;
	simulated->unread = false;
	feel_others(simulated);
	if (pattern_streams(spec->pattern))
		simulated_stream_warm(&simulated->stream, hops);
	else if (spec->lanes > 1)
		simulated_lanes_warm(&simulated->lanes, hops);
	else
		simulated_lane_warm(&simulated->lane, simulated->position, hops);
	double ns =
		simulated_lane_ns(&simulated->lane, hops, clock_hz(simulated)) / KERNEL_WARM_LANES;
	ns += simulated_disturb_steal(&simulated->disturb, simulated->now_s * 1e9, spec);
	simulated_memory_forget(&simulated->memory);
	return pass_time(simulated, ns);
}

static int count(struct meter *meter, const struct counter_events *events,
		 struct fathom_error *error)
{
	return simulated_counts_open(&simulated_of(meter)->counts, events, error);
}

static struct fathom_count *take_counts(struct meter *meter)
{
	return simulated_counts_take(&simulated_of(meter)->counts);
}

static void run(struct meter *meter, uint64_t hops, double *ns, bool *arrived)
{
	struct simulated *simulated = simulated_of(meter);
	const struct fathom_spec *spec = &simulated->chain.spec;
	bool lose_one = ++simulated->runs == simulated->spec.corrupt_run && hops > 0;
	double hz = clock_hz(simulated), exact_ns;
	simulated->unread = false;
	feel_others(simulated);
	if (pattern_streams(spec->pattern))
		exact_ns = simulated_stream_run(&simulated->stream, hops, lose_one, hz, arrived);
	else if (spec->lanes > 1)
		exact_ns = simulated_lanes_run(&simulated->lanes, hops, lose_one, hz, arrived);
	else
		exact_ns = simulated_lane_run(&simulated->lane, simulated->position, hops, lose_one,
					      hz, arrived);
	exact_ns += RUN_OVERHEAD_NS;
	simulated->position += hops;
	if (meter->counting)
		simulated_counts_add(&simulated->counts, &simulated->memory,
				     simulated_loop_of(spec), (double)hops, exact_ns * hz * 1e-9);
	simulated_memory_forget(&simulated->memory);
	*ns = pass_time(simulated, simulated_disturb_run(&simulated->disturb, exact_ns,
							 simulated->now_s * 1e9, spec));
}

/* Cycles of one. */
static double chain_cycles(const struct simulated *simulated, enum clock_chain chain)
{
	if (chain != CLOCK_APART)
		return chain == CLOCK_ADDITIONS ? 1 : simulated->spec.probe_ratio;
	return (simulated->memory.beside_bytes ? SHARED_TIMES : 1) / ISSUED_PER_CYCLE;
}

static double time_chain(void *context, enum clock_chain chain, uint64_t count)
{
	struct simulated *simulated = context;
	feel_others(simulated);
	double ratio = chain_cycles(simulated, chain);
	double error = CLOCK_NOISE * simulated->spec.noise * rng_normal(&simulated->clock_noise);
	double ns = (double)count * ratio / clock_hz(simulated) * 1e9 * (1 + error) + TIMER_NS;
	ns += simulated_disturb_steal(&simulated->disturb, simulated->now_s * 1e9, NULL);
	return pass_time(simulated, ns);
}

static void read_clock(struct meter *meter, struct meter_clock *clock)
{
	*clock = clock_probe_read(&simulated_of(meter)->probe);
	meter->clock_missing = simulated_of(meter)->probe.missing;
}

static bool is_shared(struct meter *meter, double hz)
{
	return sibling_probe_is_busy(&simulated_of(meter)->sibling, hz);
}

/* Who loses its CPU goes on elsewhere. */
static void read_interference(struct meter *meter, struct interference *now)
{
	struct simulated *simulated = simulated_of(meter);
	double now_ns = simulated->now_s * 1e9;
	*now = simulated->disturb.counted;
	if (simulated->cpu < 0)
		return;
	now->cpu = simulated->cpu;
	meter->place.looks++;
	if (simulated_cpus_usable(&simulated->spec, (unsigned)simulated->cpu, now_ns))
		return;
	now->cpu = -1;
	for (unsigned cpu = 0; cpu < simulated->spec.cpus && now->cpu < 0; cpu++)
		if (simulated_cpus_usable(&simulated->spec, cpu, now_ns))
			now->cpu = (int)cpu;
	meter->place.away++;
	meter->place.away_cpu = now->cpu;
}

static double elapsed_s(struct meter *meter)
{
	return simulated_of(meter)->now_s - simulated_of(meter)->rested_s;
}

/* Time passes for it when it wakes. */
static void rest(struct meter *meter)
{
	(void)meter;
}

static void wake(struct meter *meter, double others_s)
{
	simulated_of(meter)->now_s += others_s;
	simulated_of(meter)->rested_s += others_s;
}

static void close_simulated(struct meter *meter)
{
	struct simulated *simulated = simulated_of(meter);
	simulated_memory_close(&simulated->memory);
	simulated_counts_close(&simulated->counts);
	free(simulated->base);
	free(simulated);
}

static int refuse_node(const struct simulated_spec *spec, int node, uint64_t bytes,
		       struct fathom_error *error)
{
	char has[UNITS_TEXT_BYTES], wanted[UNITS_TEXT_BYTES];
	return error_set(error, FATHOM_FAILED, "request less memory with --size or --max-size",
			 "NUMA node %d has %s, but %s are needed", node,
			 units_format_size(spec->node_bytes[node], has),
			 units_format_size(bytes, wanted));
}

static int own_node(const struct simulated_spec *spec, int cpu)
{
	return cpu < 0 ? -1
		       : (int)simulated_cpus_place(spec, simulated_cpus_thread(spec, (unsigned)cpu))
				 .node;
}

int meter_simulated_open(const struct fathom_machine *machine, struct pinning_place place,
			 uint64_t capacity_bytes, struct meter **meter, struct fathom_error *error)
{
	static const struct meter_ops ops = {
		.prepare = prepare,
		.warm = warm,
		.chill = chill,
		.run = run,
		.clock = read_clock,
		.count = count,
		.take_counts = take_counts,
		.is_shared = is_shared,
		.interference = read_interference,
		.elapsed_s = elapsed_s,
		.rest = rest,
		.wake = wake,
		.close = close_simulated,
	};
	struct simulated_spec spec;
	if (simulated_spec_parse_at(machine->description, place.cpu, place.node, &spec, error))
		return -1;
	simulated_spec_disturb(&spec, place.sibling);
	if (spec.no_membind && place.node >= 0 && place.node != own_node(&spec, place.cpu))
		return error_set(error, FATHOM_UNABLE,
				 "allow mbind (containers: the seccomp profile, or CAP_SYS_NICE)",
				 "cannot bind memory to another NUMA node: the simulated machine "
				 "forbids it");
	if (place.node >= 0 && place.node < SIMULATED_MOST_NODES &&
	    capacity_bytes > spec.node_bytes[place.node])
		return refuse_node(&spec, place.node, capacity_bytes, error);
	struct simulated *simulated = calloc(1, sizeof(*simulated));
	if (!simulated)
		return error_no_memory(error);
	if (simulated_memory_open(&simulated->memory, &spec, error)) {
		free(simulated);
		return -1;
	}
	double shortest_run_ns = fmax(SHORTEST_RUN_NS, METER_STEPS * spec.timer_ns);
	simulated->meter = (struct meter){
		.ops = &ops,
		.line_bytes = FIRST_LINE_BYTES,
		.shortest_run_ns = shortest_run_ns,
		.resolution = spec.timer_ns / shortest_run_ns,
		.hops_unit = 1,
		.instructions = simulated_instructions,
		.node_share = place.node < 0 ? NAN : 1,
	};
	simulated->machine = machine;
	simulated->spec = spec;
	simulated->capacity_bytes = capacity_bytes;
	simulated->cpu = place.cpu;
	simulated->placement = rng_make(rng_mix(spec.seed, 100));
	simulated->clock_noise = rng_make(rng_mix(spec.seed, 103));
	simulated->disturb = simulated_disturb_make(&simulated->spec);
	simulated->probe = spec.no_clock
				   ? clock_probe_none("the simulated machine has no core clock")
				   : clock_probe_make(time_chain, simulated);
	simulated->meter.clock_missing = simulated->probe.missing;
	if (spec.turns.bytes)
		simulated->sibling = sibling_probe_make(&simulated->probe);
	*meter = &simulated->meter;
	return 0;
}
