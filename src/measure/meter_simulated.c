/* The meter of a simulated machine: it walks the real links of a real chain, sends each address
 * through the simulated hierarchy and keeps simulated time. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/units.h"
#include "machine/pages.h"
#include "measure/chain.h"
#include "measure/meter.h"
#include "measure/simulated_counts.h"
#include "measure/simulated_memory.h"
#include "measure/spec.h"
#include "measure/stream.h"

#define ALIGNMENT_BYTES  ((uint64_t)2 << 20)
#define RUN_OVERHEAD_NS  40.0
#define SHORTEST_RUN_NS  2000.0
#define BUILD_S_PER_NODE 5e-9
#define FIRST_LINE_BYTES 64 /* until the sweep has measured it */
#define FLUSH_S_PER_LINE 5e-9
#define MAP_S_PER_LINE   100e-9
#define CLOCK_PROBE_S    5e-6
#define DRIFT_PERIOD_S   5.0
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
	uint64_t cursor;
	uint64_t position; /* where the cursor must be */
	uint64_t runs;
	bool unread; /* the chain, since it was written */
	struct rng placement;
	struct rng noise;
	struct disturbance disturbed;
	double now_s;
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
	bool fits = memory->page_bytes == page_bytes && bytes <= memory->pages * page_bytes;
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
	simulated_memory_take_cost(&simulated->memory);
	simulated->now_s += (double)(bytes / line_bytes) * MAP_S_PER_LINE;
}

static int prepare(struct meter *meter, const struct fathom_spec *spec, uint64_t key, bool redraw,
		   struct meter_placement *placement, struct fathom_error *error)
{
	struct simulated *simulated = simulated_of(meter);
	char asked[UNITS_TEXT_BYTES], room[UNITS_TEXT_BYTES];
	uint64_t bytes = spec_memory_bytes(spec);
	if (bytes > simulated->capacity_bytes)
		return error_set(error, FATHOM_FAILED, NULL, "%s do not fit in the %s asked for",
				 units_format_size(bytes, asked),
				 units_format_size(simulated->capacity_bytes, room));
	if (reserve(simulated, bytes, error) ||
	    place(simulated, spec, redraw || spec->warmth == FATHOM_COLD_MAPPED, error))
		return -1;
	if (spec->warmth == FATHOM_COLD_MAPPED)
		write_all(simulated, bytes);
	chain_build(&simulated->chain, spec, simulated->base, meter->line_bytes, key);
	simulated->position = chain_start(&simulated->chain);
	simulated->cursor = chain_work_at(&simulated->chain, simulated->position).cursor;
	simulated->unread = true;
	simulated->now_s += (double)simulated->chain.nodes * BUILD_S_PER_NODE;
	placement->page_bytes = simulated->memory.page_bytes;
	placement->page_share = 1;
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
	simulated_memory_take_cost(&simulated->memory);
	simulated->now_s += (double)(bytes / simulated->spec.line_bytes) * FLUSH_S_PER_LINE;
	return 0;
}

/* ---- timing ---- */

static double clock_hz(const struct simulated *simulated)
{
	double swing = sin(2 * M_PI * simulated->now_s / DRIFT_PERIOD_S);
	return simulated->spec.clock_hz * (1 + simulated->spec.drift / 2 * swing);
}

/* What the run seems to take on a machine that is not alone. Half of what slows it down is
 * something that the OS would tell of. */
static double disturb(struct simulated *simulated, double ns)
{
	ns *= fmax(0.1, 1 + simulated->spec.noise * rng_normal(&simulated->noise));
	if (rng_unit(&simulated->noise) >= simulated->spec.outliers)
		return ns;
	simulated->disturbed.switches += rng_below(&simulated->noise, 2);
	return ns * (1.2 + 2.8 * rng_unit(&simulated->noise));
}

static void load(struct simulated *simulated, uint64_t offset)
{
	simulated_memory_load(&simulated->memory, offset);
}

/* Every line of access number `position`, and of the index that it needs. */
static void load_access(struct simulated *simulated, uint64_t position)
{
	const struct fathom_spec *spec = &simulated->chain.spec;
	uint64_t first = stream_offset(&simulated->chain, position);
	uint64_t bytes = spec->pattern == FATHOM_LINEAR_SUM ? spec->node_bytes : 1;
	if (spec->pattern == FATHOM_INDEX_ARRAY)
		load(simulated, spec_index_offset(spec) + position * sizeof(uint32_t));
	for (uint64_t offset = first; offset < first + bytes; offset += simulated->spec.line_bytes)
		load(simulated, offset);
}

/* `position`: of what overlaps, whose cursor is a sum. */
static void walk(struct simulated *simulated, uint64_t position, uint64_t hops)
{
	const struct chain *chain = &simulated->chain;
	const unsigned char *accessed;
	uint64_t cursor = simulated->cursor;
	if (fathom_pattern_overlaps(chain->spec.pattern)) {
		for (uint64_t i = 0; i < hops; i++)
			load_access(simulated, (position + i) % chain->hops_per_cycle);
		simulated->cursor = stream_sum_after(chain, cursor, position, hops);
		return;
	}
	for (; hops; hops--) {
		cursor = chain_step(chain, cursor, &accessed);
		load(simulated, (uint64_t)(accessed - chain->base));
	}
	simulated->cursor = cursor;
}

/* What the loads since the last call took. Independent ones overlap, but none is issued sooner than
 * a cycle after the one before. */
static double take_ns(struct simulated *simulated, uint64_t hops)
{
	struct simulated_cost cost = simulated_memory_take_cost(&simulated->memory);
	double cycle_ns = 1e9 / clock_hz(simulated), ns = cost.cycles * cycle_ns + cost.ns;
	if (!fathom_pattern_overlaps(simulated->chain.spec.pattern))
		return ns;
	return fmax(ns / simulated->spec.overlap, (double)hops * cycle_ns);
}

/* The lanes of the hardware meter in one: the order is the plain one, the time an eighth. */
static double warm(struct meter *meter, uint64_t hops)
{
	struct simulated *simulated = simulated_of(meter);
	uint64_t cycle = simulated->chain.hops_per_cycle, from = 0;
	uint64_t here = simulated->cursor;
	simulated->unread = false;
	if (cycle) {
		from = simulated->position % cycle + cycle - hops % cycle;
		simulated->cursor = chain_cursor_at(&simulated->chain, from);
	}
	walk(simulated, from, hops);
	double ns = take_ns(simulated, hops) / KERNEL_WARM_LANES;
	simulated->now_s += ns * 1e-9;
	if (cycle) /* independent accesses go on: the same ones again would all hit */
		simulated->cursor = here;
	return ns;
}

/* A simulated core has the instructions that a plain loop needs. */
static uint32_t instructions(const struct fathom_spec *spec)
{
	switch (spec->pattern) {
	case FATHOM_INDEPENDENT:
		return 0;
	case FATHOM_INDEX_ARRAY:
		return 4; /* the index, the byte, the sum, the next index */
	case FATHOM_STRIDE_LOOP:
		return 2; /* the sum, the next address */
	case FATHOM_LINEAR_SUM:
		return (uint32_t)(spec->node_bytes / sizeof(uint64_t)) + 1;
	default:
		return 1;
	}
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
	uint64_t expected =
		chain_cursor_after(&simulated->chain, simulated->cursor, simulated->position, hops);
	bool lose_one = ++simulated->runs == simulated->spec.corrupt_run && hops > 0;
	simulated->unread = false;
	walk(simulated, simulated->position, hops - lose_one);
	struct simulated_memory before = simulated->memory; /* with what it counted */
	double exact_ns = take_ns(simulated, hops) + RUN_OVERHEAD_NS;
	if (meter->counting)
		simulated_counts_add(&simulated->counts, &before, (double)hops,
				     instructions(&simulated->chain.spec),
				     exact_ns * clock_hz(simulated) * 1e-9);
	simulated->position += hops;
	*ns = disturb(simulated, exact_ns);
	*arrived = simulated->cursor == expected;
	simulated->now_s += *ns * 1e-9;
}

static void read_clock(struct meter *meter, struct meter_clock *clock)
{
	struct simulated *simulated = simulated_of(meter);
	const struct simulated_spec *spec = &simulated->spec;
	double error = CLOCK_NOISE * spec->noise * rng_normal(&simulated->noise);
	clock->hz = spec->no_clock ? NAN : clock_hz(simulated) * (1 + error);
	clock->ratio = spec->no_clock ? NAN : spec->probe_ratio;
	simulated->now_s += CLOCK_PROBE_S;
}

static void read_disturbance(struct meter *meter, struct disturbance *now)
{
	*now = simulated_of(meter)->disturbed;
}

static double elapsed_s(struct meter *meter)
{
	return simulated_of(meter)->now_s;
}

static void close_simulated(struct meter *meter)
{
	struct simulated *simulated = simulated_of(meter);
	simulated_memory_close(&simulated->memory);
	simulated_counts_close(&simulated->counts);
	free(simulated->base);
	free(simulated);
}

int meter_simulated_open(const struct fathom_machine *machine, uint64_t capacity_bytes,
			 struct meter **meter, struct fathom_error *error)
{
	static const struct meter_ops ops = {
		.prepare = prepare,
		.warm = warm,
		.chill = chill,
		.run = run,
		.clock = read_clock,
		.count = count,
		.take_counts = take_counts,
		.disturbance = read_disturbance,
		.elapsed_s = elapsed_s,
		.close = close_simulated,
	};
	struct simulated_spec spec;
	if (simulated_spec_parse(machine->description, &spec, error))
		return -1;
	struct simulated *simulated = calloc(1, sizeof(*simulated));
	if (!simulated)
		return error_no_memory(error);
	if (simulated_memory_open(&simulated->memory, &spec, error)) {
		free(simulated);
		return -1;
	}
	simulated->meter = (struct meter){
		.ops = &ops,
		.line_bytes = FIRST_LINE_BYTES,
		.shortest_run_ns = SHORTEST_RUN_NS,
		.hops_unit = 1,
		.instructions = instructions,
		.clock_missing = spec.no_clock ? "the simulated machine has no core clock" : NULL,
	};
	simulated->machine = machine;
	simulated->spec = spec;
	simulated->capacity_bytes = capacity_bytes;
	simulated->placement = rng_make(rng_mix(spec.seed, 100));
	simulated->noise = rng_make(rng_mix(spec.seed, 101));
	*meter = &simulated->meter;
	return 0;
}
