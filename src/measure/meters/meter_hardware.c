/* The meter that walks real memory on a real clock. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/stopwatch.h"
#include "base/warnings.h"
#include "kernels/flush.h"
#include "kernels/kernels.h"
#include "machine/counters/counters.h"
#include "machine/machine.h"
#include "machine/pages.h"
#include "machine/pinning.h"
#include "measure/memory/buffer.h"
#include "measure/memory/chain.h"
#include "measure/memory/chain_kernel.h"
#include "measure/meter.h"
#include "measure/meters/lanes.h"
#include "measure/meters/meter_streams.h"
#include "measure/meters/siblings.h"
#include "measure/sampling/sibling_probe.h"
#include "measure/spec.h"

#define PAGE_KINDS FATHOM_PAGE_UNKNOWN
/* Short enough that most batches go undisturbed, and long against two readings of the clock (seen
 * on Zen 4: batches of 2 us carry 0.5 % of these). */
#define SHORTEST_RUN_NS     10000.0
#define TEAM_TIMES          20 /* several threads begin within some 100 ns, not at once */
#define POPULATE_STEP_BYTES (256ull << 20)
#define EVICTING_BYTES      (1ull << 30)
#define SMALLEST_LINE_BYTES 16
/* Two readings of the clock are not known better than this, whatever they are the median of. */
#define CLOCK_STEP_NS 10.0

struct meter_hardware {
	struct meter meter;
	const struct fathom_machine *machine;
	struct buffer buffers[PAGE_KINDS]; /* opened when first asked for */
	struct interference_counters *interference;
	double shortest_run_ns;      /* on one thread */
	struct vm_events *vm_events; /* NULL: they are not known */
	struct streams *streams;
	bool streaming;            /* what was prepared last */
	struct counters *counters; /* NULL: nothing is counted */
	struct chain chain;
	const struct kernel *kernel;
	struct kernel_work work;
	uint64_t cursors[FATHOM_MOST_LANES]; /* of more than one */
	struct lanes lanes;
	uint64_t position; /* hops made since the chain's start, by all lanes together */
	unsigned char *window;
	struct pages_obtained obtained; /* of the chain's memory */
	struct buffer fresh; /* mapped anew for each chain that is to be cold in that way */
	bool unread;         /* the chain, since it was written */
	struct buffer other; /* to evict with, where nothing can be flushed */
	uint64_t chains_bytes[PAGE_KINDS]; /* to map for them, on pages of each kind */
	struct clock_probe probe;
	struct sibling_probe sibling;
	uint64_t start_ns; /* later by as much as it has rested */
	uint64_t rest_ns;  /* since when it rests */
	struct pinning_place at;
	struct siblings *siblings; /* of the core, that are kept busy; NULL: none are */
};

static struct meter_hardware *self(struct meter *meter)
{
	return (struct meter_hardware *)meter;
}

static void clock_now(struct meter *meter, struct meter_clock *clock)
{
	*clock = clock_probe_read(&self(meter)->probe);
	meter->clock_missing = self(meter)->probe.missing;
}

/* ---- memory and chain ---- */

/* As large as was planned; for what turns out to need more it is mapped anew. */
static int open_buffer(struct meter_hardware *hardware, enum fathom_page page, uint64_t span_bytes,
		       struct fathom_error *error)
{
	const struct fathom_machine *machine = hardware->machine;
	struct buffer *buffer = &hardware->buffers[page];
	if (buffer->memory && span_bytes <= buffer->capacity_bytes)
		return 0;
	if (span_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE, "'fathom info' says what limits memory",
				 "a chain is larger than the memory available here");
	buffer_close(buffer);
	hardware->window = NULL;
	hardware->chain = (struct chain){0}; /* lay in it */
	if (span_bytes < hardware->chains_bytes[page])
		span_bytes = hardware->chains_bytes[page];
	return buffer_open(buffer, machine, page, span_bytes, hardware->at, error);
}

/* Touching memory for the first time can take long: step by step, so that it can be stopped. */
static int populate(struct meter_hardware *hardware, struct buffer *buffer, uint64_t span_bytes,
		    struct fathom_error *error)
{
	uint64_t bytes = 0;
	do {
		if (hardware->meter.stop && hardware->meter.stop(hardware->meter.stop_context))
			return 1;
		bytes = span_bytes - bytes > POPULATE_STEP_BYTES ? bytes + POPULATE_STEP_BYTES
								 : span_bytes;
		if (buffer_populate(buffer, bytes, error))
			return -1;
	} while (bytes < span_bytes);
	return 0;
}

/* Exactly what is needed: zeroing more would leave that in the caches. */
static int map_anew(struct meter_hardware *hardware, const struct fathom_spec *spec,
		    struct fathom_error *error)
{
	buffer_close(&hardware->fresh);
	return buffer_open(&hardware->fresh, hardware->machine, spec->page, spec_memory_bytes(spec),
			   hardware->at, error);
}

/* The loop that walks what was prepared, and each cursor so many hops from its start. */
static void start_lanes(struct meter_hardware *hardware, uint64_t hops)
{
	const struct chain *chain = &hardware->chain;
	unsigned lanes = chain->spec.lanes;
	hardware->position = lanes > 1 ? hops * lanes : chain_start(chain) + hops;
	hardware->work = chain_work_at(chain, hardware->position);
	hardware->kernel = chain_kernel(&chain->spec);
	if (lanes == 1)
		return;
	enum kernel_kind kind = chain_kernel_kind(&chain->spec);
	enum fathom_lane_store store = chain->spec.lane_store;
	hardware->kernel = store == FATHOM_STORE_UNKNOWN
				   ? lanes_kernel(&hardware->lanes, kind, lanes)
				   : lanes_kernel_in(store, kind, lanes);
	hardware->meter.hops_unit = (uint64_t)KERNEL_LANES_UNROLL * lanes;
	hardware->work.cursors = hardware->cursors;
	hardware->work.lanes = lanes;
	for (uint32_t lane = 0; lane < lanes; lane++)
		hardware->cursors[lane] = chain_lane_cursor_at(chain, lane, hops);
}

static void note_node(struct meter_hardware *hardware, uint64_t bytes)
{
	int node = hardware->at.node;
	if (node >= 0)
		hardware->meter.node_share =
			fmin(hardware->meter.node_share,
			     pinning_node_share(hardware->machine, node, hardware->window, bytes));
}

static int prepare_chain(struct meter *meter, const struct fathom_spec *spec, uint64_t key,
			 bool redraw, struct meter_placement *placement, struct fathom_error *error)
{
	struct meter_hardware *hardware = self(meter);
	bool fresh = spec->warmth == FATHOM_COLD_MAPPED;
	struct buffer *buffer = fresh ? &hardware->fresh : &hardware->buffers[spec->page];
	struct rng rng = rng_make(rng_mix(key, UINT64_MAX - 1));
	uint64_t bytes = spec_memory_bytes(spec);
	if (fresh ? map_anew(hardware, spec, error)
		  : open_buffer(hardware, spec->page, bytes, error))
		return -1;
	int status = populate(hardware, buffer, bytes, error);
	if (status)
		return status;
	bool fits = buffer_holds(buffer, hardware->window, bytes);
	if (redraw || !fits)
		hardware->window = buffer_window(buffer, bytes, spec_alignment(spec), &rng);
	if (!buffer_holds(buffer, hardware->window, bytes))
		return error_set(error, FATHOM_FAILED, NULL, "a chain lies outside its memory");
	bool kept = !fresh && chain_serves(&hardware->chain, spec, hardware->window, key);
	/* Other lanes go on where these ended: what was walked last is in a cache. */
	uint64_t hops = kept ? hardware->position / hardware->chain.spec.lanes : 0;
	if (!kept) {
		if (buffer_read_back(buffer, hardware->window, bytes, &hardware->obtained, error))
			return -1;
		note_node(hardware, bytes);
		chain_build_part(&hardware->chain, spec, hardware->window, meter->line_bytes, key,
				 meter->warm_hops, meter->walk_hops);
	}
	hardware->chain.spec = *spec;
	start_lanes(hardware, hops);
	*placement = (struct meter_placement){
		.page_bytes = hardware->obtained.page_bytes,
		.page_share = hardware->obtained.share,
		.lane_store =
			spec->lanes > 1 ? lanes_store(hardware->kernel) : FATHOM_STORE_UNKNOWN,
	};
	hardware->unread = true;
	return 0;
}

static int prepare(struct meter *meter, const struct fathom_spec *spec, uint64_t key, bool redraw,
		   struct meter_placement *placement, struct fathom_error *error)
{
	struct meter_hardware *hardware = self(meter);
	hardware->streaming = pattern_streams(spec->pattern);
	meter->hops_unit = KERNEL_UNROLL;
	meter->shortest_run_ns = hardware->shortest_run_ns * (spec->threads > 1 ? TEAM_TIMES : 1);
	return hardware->streaming ? streams_prepare(hardware->streams, meter, spec, key, redraw,
						     placement, error)
				   : prepare_chain(meter, spec, key, redraw, placement, error);
}

/* Reads more than any cache holds: what else was in it is gone. */
static int evict(struct meter_hardware *hardware, struct fathom_error *error)
{
	struct buffer *other = &hardware->other;
	if (!other->memory && buffer_open(other, hardware->machine, FATHOM_PAGE_DEFAULT,
					  EVICTING_BYTES, hardware->at, error))
		return -1;
	if (buffer_populate(other, EVICTING_BYTES, error))
		return -1;
	for (uint64_t i = 0; i < other->populated_bytes; i += SMALLEST_LINE_BYTES)
		(void)*(volatile unsigned char *)&other->memory[i];
	return 0;
}

static int chill(struct meter *meter, struct fathom_error *error)
{
	struct meter_hardware *hardware = self(meter);
	const struct fathom_spec spec = hardware->chain.spec;
	struct meter_placement placement;
	if (spec.warmth == FATHOM_COLD_MAPPED)
		return hardware->unread ? 0
					: prepare_chain(meter, &spec, hardware->chain.key, true,
							&placement, error);
	if (!flush_instruction())
		return evict(hardware, error);
	flush_lines(hardware->window, spec_memory_bytes(&spec));
	return 0;
}

/* More is walked than was planned: all of the chain is written, and what that left in the caches
 * goes. */
static void write_all(struct meter_hardware *hardware)
{
	const struct chain part = hardware->chain;
	chain_build(&hardware->chain, &part.spec, part.base, part.line_bytes, part.key);
	chain_warm(&hardware->chain, hardware->position, part.behind_hops);
}

static double warm(struct meter *meter, uint64_t hops)
{
	struct meter_hardware *hardware = self(meter);
	if (hardware->streaming)
		return streams_warm(hardware->streams, hops);
	if (!chain_holds(&hardware->chain, hardware->position, hops, 0))
		write_all(hardware);
	uint64_t start = stopwatch_now_ns();
	chain_warm(&hardware->chain, hardware->position, hops);
	return (double)(stopwatch_now_ns() - start);
}

static int count(struct meter *meter, const struct counter_events *events,
		 struct fathom_error *error)
{
	struct meter_hardware *hardware = self(meter);
	struct counters *counters;
	if (counters_open(events, hardware->at.cpu, NULL, &counters, error))
		return -1;
	counters_close(hardware->counters);
	hardware->counters = counters;
	return 0;
}

static struct fathom_count *take_counts(struct meter *meter)
{
	struct fathom_count *counts = counters_read(self(meter)->counters);
	counters_reset(self(meter)->counters);
	return counts;
}

static bool have_lanes_arrived(const struct meter_hardware *hardware)
{
	uint32_t lanes = hardware->chain.spec.lanes, lane = 0;
	uint64_t position = hardware->position / lanes;
	while (lane < lanes &&
	       hardware->cursors[lane] == chain_lane_cursor_at(&hardware->chain, lane, position))
		lane++;
	return lane == lanes;
}

static void run(struct meter *meter, uint64_t hops, double *ns, bool *arrived)
{
	struct meter_hardware *hardware = self(meter);
	uint64_t from = hardware->work.cursor, before = hardware->position;
	bool counting = meter->counting && hardware->counters;
	if (hardware->streaming) {
		streams_run(hardware->streams, meter, hops, ns, arrived);
		return;
	}
	hardware->unread = false;
	if (!chain_holds(&hardware->chain, before, 0, hops))
		write_all(hardware);
	if (counting)
		counters_start(hardware->counters);
	uint64_t start = stopwatch_now_ns();
	chain_walk(&hardware->chain, hardware->kernel, &hardware->work, hops);
	*ns = (double)(stopwatch_now_ns() - start);
	if (counting)
		counters_stop(hardware->counters, (double)hops);
	hardware->position += hops;
	*arrived = hardware->chain.spec.lanes > 1
			   ? have_lanes_arrived(hardware)
			   : hardware->work.cursor ==
				     chain_cursor_after(&hardware->chain, from, before, hops);
}

/* Several threads have each a CPU of their own: it is not known which of them is away. */
static void note_place(struct meter_hardware *hardware, const struct interference *now)
{
	struct meter_location *place = &hardware->meter.place;
	bool away = hardware->streaming ? now->astray > 0 : now->cpu != hardware->at.cpu;
	place->looks++;
	if (!away)
		return;
	bool another = place->away && place->away_cpu != now->cpu;
	place->away_cpu = hardware->streaming || another ? -1 : now->cpu;
	place->away++;
}

static void interference(struct meter *meter, struct interference *now)
{
	if (self(meter)->streaming)
		streams_interference(self(meter)->streams, now);
	else
		interference_read(self(meter)->interference, now);
	note_place(self(meter), now);
}

static bool is_shared(struct meter *meter, double hz)
{
	struct meter_hardware *hardware = self(meter);
	return !hardware->streaming && sibling_probe_is_busy(&hardware->sibling, hz);
}

static void vm_counts(struct meter *meter, struct vm_counts *now)
{
	vm_events_read(self(meter)->vm_events, now);
}

static double elapsed_s(struct meter *meter)
{
	return (double)(stopwatch_now_ns() - self(meter)->start_ns) * 1e-9;
}

static void rest(struct meter *meter)
{
	self(meter)->rest_ns = stopwatch_now_ns();
	siblings_rest(self(meter)->siblings, true);
}

/* Its clock is that of the others too. */
static void wake(struct meter *meter, double others_s)
{
	(void)others_s;
	siblings_rest(self(meter)->siblings, false);
	self(meter)->start_ns += stopwatch_now_ns() - self(meter)->rest_ns;
}

static void close_hardware(struct meter *meter)
{
	struct meter_hardware *hardware = self(meter);
	for (int page = 0; page < PAGE_KINDS; page++)
		buffer_close(&hardware->buffers[page]);
	buffer_close(&hardware->fresh);
	buffer_close(&hardware->other);
	siblings_close(hardware->siblings);
	streams_close(hardware->streams);
	interference_close(hardware->interference);
	vm_events_close(hardware->vm_events);
	counters_close(hardware->counters);
	free(hardware);
}

static uint32_t instructions(const struct fathom_spec *spec)
{
	return pattern_streams(spec->pattern) ? streams_instructions(spec)
					      : chain_instructions(spec);
}

int meter_hardware_open(const struct fathom_machine *machine, struct pinning_place place,
			const uint64_t *chains_bytes, struct fathom_warnings *warnings,
			struct meter **meter, struct fathom_error *error)
{
	static const struct meter_ops ops = {
		.prepare = prepare,
		.warm = warm,
		.chill = chill,
		.run = run,
		.clock = clock_now,
		.count = count,
		.take_counts = take_counts,
		.is_shared = is_shared,
		.interference = interference,
		.vm_counts = vm_counts,
		.elapsed_s = elapsed_s,
		.rest = rest,
		.wake = wake,
		.close = close_hardware,
	};
	struct fathom_error refused = {0};
	struct meter_hardware *hardware = calloc(1, sizeof(*hardware));
	if (!hardware)
		return error_no_memory(error);
	if (pinning_bind(machine, place.cpu, &refused)) {
		warnings_add(warnings, "not-pinned", NULL, refused.hint,
			     "the measuring thread may move between CPUs: %s", refused.text);
		fathom_error_clear(&refused);
	}
	hardware->interference = interference_open(place.cpu);
	int failed = hardware->interference
			     ? streams_open(machine, place, warnings, &hardware->streams, error)
			     : error_no_memory(error);
	if (!failed)
		failed = siblings_open(machine, place, machine_largest_cache_bytes(machine),
				       &hardware->siblings, error);
	if (failed) {
		streams_close(hardware->streams);
		interference_close(hardware->interference);
		free(hardware);
		return -1;
	}
	double shortest_run_ns = fmax(SHORTEST_RUN_NS, METER_STEPS * stopwatch_step_ns());
	hardware->meter = (struct meter){
		.ops = &ops,
		.line_bytes = 64,
		.shortest_run_ns = shortest_run_ns,
		.resolution = shortest_run_ns > SHORTEST_RUN_NS ? 1.0 / METER_STEPS
								: CLOCK_STEP_NS / SHORTEST_RUN_NS,
		.hops_unit = KERNEL_UNROLL,
		.instructions = instructions,
		.node_share = NAN,
	};
	hardware->shortest_run_ns = shortest_run_ns;
	hardware->machine = machine;
	hardware->at = place;
	hardware->vm_events = vm_events_open("");
	memcpy(hardware->chains_bytes, chains_bytes, sizeof(hardware->chains_bytes));
	hardware->start_ns = stopwatch_now_ns();
	hardware->probe = clock_probe_hardware();
	hardware->meter.clock_missing = hardware->probe.missing;
	if (!hardware->siblings)
		hardware->sibling = sibling_probe_make(&hardware->probe);
	*meter = &hardware->meter;
	return 0;
}
