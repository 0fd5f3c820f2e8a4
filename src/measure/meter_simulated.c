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
#include "measure/simulated_memory.h"

#define ALIGNMENT_BYTES  ((uint64_t)2 << 20)
#define RUN_OVERHEAD_NS  40.0
#define SHORTEST_RUN_NS  2000.0
#define BUILD_S_PER_NODE 5e-9
#define FIRST_LINE_BYTES 64 /* until the sweep has measured it */
#define CLOCK_PROBE_S    5e-6
#define DRIFT_PERIOD_S   5.0
#define CLOCK_NOISE      0.1 /* of the noise of a run: probing is steadier than measuring */

struct simulated {
	struct meter meter;
	const struct fathom_machine *machine;
	struct simulated_spec spec;
	struct simulated_memory memory;
	unsigned char *base; /* of the chain, in this program's own memory */
	uint64_t base_bytes; /* of room there */
	uint64_t capacity_bytes;
	struct chain chain;
	uint64_t cursor;
	uint64_t position; /* where the cursor must be */
	uint64_t runs;
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
	bool fits =
		memory->page_bytes == page_bytes && spec->size_bytes <= memory->pages * page_bytes;
	if (fits && !redraw)
		return 0;
	if (pages_check(simulated->machine, spec->page, spec->size_bytes, error))
		return -1;
	return simulated_memory_map(memory, spec->size_bytes, page_bytes,
				    rng_next(&simulated->placement), error);
}

static int prepare(struct meter *meter, const struct fathom_spec *spec, uint64_t key, bool redraw,
		   struct meter_placement *placement, struct fathom_error *error)
{
	struct simulated *simulated = simulated_of(meter);
	char asked[UNITS_TEXT_BYTES], room[UNITS_TEXT_BYTES];
	if (spec->size_bytes > simulated->capacity_bytes)
		return error_set(error, FATHOM_FAILED, NULL, "%s do not fit in the %s asked for",
				 units_format_size(spec->size_bytes, asked),
				 units_format_size(simulated->capacity_bytes, room));
	if (reserve(simulated, spec->size_bytes, error) || place(simulated, spec, redraw, error))
		return -1;
	chain_build(&simulated->chain, spec, simulated->base, meter->line_bytes, key);
	simulated->cursor = chain_work(&simulated->chain).cursor;
	simulated->position = 0;
	simulated->now_s += (double)simulated->chain.nodes * BUILD_S_PER_NODE;
	placement->page_bytes = simulated->memory.page_bytes;
	placement->page_share = 1;
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

static void walk(struct simulated *simulated, uint64_t hops)
{
	const struct chain *chain = &simulated->chain;
	const unsigned char *accessed;
	uint64_t cursor = simulated->cursor;
	for (; hops; hops--) {
		cursor = chain_step(chain, cursor, &accessed);
		simulated_memory_load(&simulated->memory, (uint64_t)(accessed - chain->base));
	}
	simulated->cursor = cursor;
}

/* The lanes of the hardware meter in one: the order is the plain one, the time an eighth. */
static double warm(struct meter *meter, uint64_t hops)
{
	struct simulated *simulated = simulated_of(meter);
	uint64_t cycle = simulated->chain.hops_per_cycle;
	uint64_t here = simulated->cursor;
	if (cycle)
		simulated->cursor = chain_cursor_at(
			&simulated->chain, simulated->position % cycle + cycle - hops % cycle);
	walk(simulated, hops);
	struct simulated_cost cost = simulated_memory_take_cost(&simulated->memory);
	double ns = (cost.cycles / clock_hz(simulated) * 1e9 + cost.ns) / KERNEL_WARM_LANES;
	simulated->now_s += ns * 1e-9;
	if (cycle) /* independent accesses go on: the same ones again would all hit */
		simulated->cursor = here;
	return ns;
}

static void run(struct meter *meter, uint64_t hops, double *ns, bool *arrived)
{
	struct simulated *simulated = simulated_of(meter);
	uint64_t expected =
		chain_cursor_after(&simulated->chain, simulated->cursor, simulated->position, hops);
	bool lose_one = ++simulated->runs == simulated->spec.corrupt_run && hops > 0;
	walk(simulated, hops - lose_one);
	struct simulated_cost cost = simulated_memory_take_cost(&simulated->memory);
	double exact_ns = cost.cycles / clock_hz(simulated) * 1e9 + cost.ns + RUN_OVERHEAD_NS;
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
	free(simulated->base);
	free(simulated);
}

int meter_simulated_open(const struct fathom_machine *machine, uint64_t capacity_bytes,
			 struct meter **meter, struct fathom_error *error)
{
	static const struct meter_ops ops = {
		.prepare = prepare,
		.warm = warm,
		.run = run,
		.clock = read_clock,
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
