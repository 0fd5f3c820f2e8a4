#include "measure/meters/meter_streams.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/warnings.h"
#include "kernels/kernels.h"
#include "machine/cores.h"
#include "measure/memory/slice.h"
#include "measure/memory/stream_variant.h"
#include "measure/sampling/team.h"
#include "measure/spec.h"

#define TOUCH_STEP_BYTES (256ull << 20)
/* Of a run that tells variants apart: some hundred steps of any timer, and past any private cache.
 */
#define TRIAL_BYTES (4ull << 20)

struct streams {
	const struct fathom_machine *machine;
	struct fathom_warnings *warnings;
	struct cores cores;
	struct team *team;
	struct slice *slices; /* one a CPU */
	void **own;           /* the slices, as the team wants them */
	uint32_t active;
	atomic_bool ended; /* one of several, in the run that is under way */
	double runs_speed,
		*own_speed; /* since prepare, summed: of a thread on average, and of each */
	struct stream_variants variants;
};

/* ---- loops ---- */

uint32_t streams_instructions(const struct fathom_spec *spec)
{
	const struct kernel *kernel = stream_kernel(spec->pattern, spec->vector_bytes);
	return kernel ? kernel->instructions_per_hop : 0;
}

/* ---- memory ---- */

/* The first error of them all. */
static int gather_errors(struct streams *streams, struct fathom_error *error)
{
	for (uint32_t i = 0; i < streams->active; i++) {
		struct slice *slice = &streams->slices[i];
		if (slice->status == 0)
			continue;
		error_set(error, slice->error.status, slice->error.hint, "%s", slice->error.text);
		fathom_error_clear(&slice->error);
		slice->status = 0;
		return -1;
	}
	return 0;
}

/* All members at once, each its own slice. */
static int do_all(struct streams *streams, void (*what)(void *), struct fathom_error *error)
{
	const struct team_task task = {.before = what};
	team_run(streams->team, streams->active, &task, streams->own);
	return gather_errors(streams, error);
}

/* Multi-size THP is counted for the whole machine: one slice at a time, whose memory is bound to
 * its own node whoever touches it. */
static int touch_all(struct streams *streams, struct fathom_error *error)
{
	if (!page_is_multi_size(streams->slices[0].page))
		return do_all(streams, slice_touch, error);
	for (uint32_t i = 0; i < streams->active; i++)
		slice_touch(&streams->slices[i]);
	return gather_errors(streams, error);
}

/* Touching memory for the first time can take long: step by step, so that it can be stopped. */
static int touch(struct streams *streams, const struct meter *meter, uint64_t bytes,
		 struct fathom_error *error)
{
	uint64_t touched = 0;
	do {
		if (meter->stop && meter->stop(meter->stop_context))
			return 1;
		touched = bytes - touched > TOUCH_STEP_BYTES ? touched + TOUCH_STEP_BYTES : bytes;
		for (uint32_t i = 0; i < streams->active; i++)
			streams->slices[i].touch_bytes = touched;
		if (touch_all(streams, error))
			return -1;
	} while (touched < bytes);
	return 0;
}

/* Behind a copy, for its shift. A pool may have no page for that. */
static uint64_t room_bytes(const struct fathom_spec *spec)
{
	bool moves = pattern_traits(spec->pattern)->copies && !page_is_hugetlb(spec->page);
	return moves ? STREAM_WAY_PAGE_BYTES : 0;
}

static int place(struct streams *streams, const struct meter *meter, const struct fathom_spec *spec,
		 uint64_t key, bool redraw, struct fathom_error *error)
{
	uint64_t bytes = spec_memory_bytes(spec) + room_bytes(spec);
	for (uint32_t i = 0; i < streams->active; i++)
		if (slice_open(&streams->slices[i], spec->page, bytes, error))
			return -1;
	int status = touch(streams, meter, bytes, error);
	if (status)
		return status;
	for (uint32_t i = 0; i < streams->active; i++) {
		streams->slices[i].rng = rng_make(rng_mix(key, i));
		slice_draw(&streams->slices[i], bytes, redraw);
	}
	return do_all(streams, slice_read_back, error);
}

/* ---- the fastest variant ---- */

struct trial {
	struct streams *streams;
	const struct fathom_spec *spec;
};

/* All slices go on where they are: past the caches each trial finds lines that none has touched for
 * long. A lap that is shorter is walked once before. */
static double run_trial(void *context, const struct stream_variant *variant)
{
	const struct trial *trial = context;
	struct streams *streams = trial->streams;
	uint64_t lines = spec_accesses(trial->spec), hops = TRIAL_BYTES / KERNEL_LINE_BYTES;
	for (uint32_t i = 0; i < streams->active; i++)
		slice_turn(&streams->slices[i],
			   stream_kernel(trial->spec->pattern, variant->vector_bytes),
			   spec_copy_offset(trial->spec) + variant->shift_bytes);
	if (lines <= hops) {
		hops = hops / lines * lines;
		streams_warm(streams, lines);
	}
	return streams_warm(streams, hops);
}

static void begin(struct streams *streams, const struct fathom_spec *spec,
		  const struct stream_variant *variant, uint64_t key)
{
	for (uint32_t i = 0; i < streams->active; i++)
		slice_begin(&streams->slices[i],
			    stream_kernel(spec->pattern, variant->vector_bytes),
			    spec_accesses(spec), spec_copy_offset(spec) + variant->shift_bytes,
			    rng_mix(key, streams->active + i));
}

static int find_way(struct streams *streams, const struct fathom_spec *spec, uint64_t key,
		    struct stream_variant *variant, struct fathom_error *error)
{
	struct trial trial = {streams, spec};
	const struct stream_variant any = {.vector_bytes = spec->vector_bytes};
	begin(streams, spec, &any, key);
	return stream_variants_find(&streams->variants, spec, room_bytes(spec), run_trial, &trial,
				    variant, error);
}

/* ---- what the meter asks for ---- */

static int gather(struct streams *streams, uint32_t threads, struct fathom_error *error)
{
	if (threads > streams->cores.cpu_count)
		return error_set(error, FATHOM_USAGE, "see --threads",
				 "too few CPUs for %u threads: each needs its own", threads);
	if (team_grow(streams->team, threads, error))
		return -1;
	streams->active = threads;
	if (!team_is_pinned(streams->team))
		warnings_add(streams->warnings, "threads-not-pinned", NULL,
			     "allow sched_setaffinity (containers: the seccomp profile)",
			     "the threads may move between CPUs");
	return 0;
}

static void note_node(const struct slice *slice, struct meter *meter)
{
	int node = slice->place.node;
	if (node >= 0)
		meter->node_share = fmin(meter->node_share,
					 pinning_node_share(slice->machine, node, slice->window,
							    slice->window_bytes));
}

int streams_prepare(struct streams *streams, struct meter *meter, const struct fathom_spec *spec,
		    uint64_t key, bool redraw, struct meter_placement *placement,
		    struct fathom_error *error)
{
	if (!stream_kernel(spec->pattern, spec->vector_bytes))
		return error_set(error, FATHOM_UNABLE, "leave the width out: the fastest is taken",
				 "this CPU has no '%s' with vectors of %u bits",
				 fathom_pattern_name(spec->pattern), 8 * spec->vector_bytes);
	if (gather(streams, spec->threads, error))
		return -1;
	int status = place(streams, meter, spec, key, redraw, error);
	if (status)
		return status;
	struct stream_variant variant;
	if (find_way(streams, spec, key, &variant, error))
		return -1;
	begin(streams, spec, &variant, key);
	struct meter_placement worst = {.page_share = INFINITY,
					.vector_bytes = variant.vector_bytes};
	for (uint32_t i = 0; i < streams->active; i++) {
		const struct pages_obtained *obtained = &streams->slices[i].obtained;
		if (obtained->share < worst.page_share) {
			worst.page_share = obtained->share;
			worst.page_bytes = obtained->page_bytes;
		}
		note_node(&streams->slices[i], meter);
	}
	streams->runs_speed = 0;
	memset(streams->own_speed, 0, streams->active * sizeof(*streams->own_speed));
	*placement = worst;
	return 0;
}

double streams_warm(struct streams *streams, uint64_t hops)
{
	static const struct team_task task = {.work = slice_walk};
	for (uint32_t i = 0; i < streams->active; i++)
		streams->slices[i].hops = hops;
	return team_run(streams->team, streams->active, &task, streams->own);
}

/* While all of them run: the time in which one would go so far at the mean of their speeds. */
static double mean_ns(struct streams *streams, struct meter *meter, uint64_t hops)
{
	double speeds = 0, slowest = INFINITY, fastest = 0;
	for (uint32_t i = 0; i < streams->active; i++) {
		const struct slice *slice = &streams->slices[i];
		double speed = (double)slice->beside_hops / slice->beside_ns;
		speeds += speed;
		streams->own_speed[i] += speed;
		slowest = fmin(slowest, streams->own_speed[i]);
		fastest = fmax(fastest, streams->own_speed[i]);
	}
	streams->runs_speed += speeds / streams->active;
	meter->slowest_thread = streams->runs_speed / slowest;
	meter->fastest_thread = streams->runs_speed / fastest;
	return streams->active * (double)hops / speeds;
}

void streams_run(struct streams *streams, struct meter *meter, uint64_t hops, double *ns,
		 bool *arrived)
{
	static const struct team_task alone = {slice_write_canaries, slice_walk, slice_verify},
				      beside = {slice_write_canaries, slice_walk_beside,
						slice_verify};
	bool several = streams->active > 1;
	for (uint32_t i = 0; i < streams->active; i++)
		streams->slices[i].hops = hops;
	atomic_store(&streams->ended, false);
	*ns = team_run(streams->team, streams->active, several ? &beside : &alone, streams->own);
	if (several)
		*ns = mean_ns(streams, meter, hops);
	*arrived = true;
	for (uint32_t i = 0; i < streams->active; i++)
		*arrived &= streams->slices[i].proven;
}

void streams_interference(struct streams *streams, struct interference *now)
{
	team_interference(streams->team, streams->active, now);
}

static int open_slices(struct streams *streams, int node)
{
	uint32_t count = streams->cores.cpu_count;
	streams->slices = calloc(count, sizeof(*streams->slices));
	streams->own = calloc(count, sizeof(*streams->own));
	streams->own_speed = calloc(count, sizeof(*streams->own_speed));
	if (!streams->slices || !streams->own || !streams->own_speed)
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		streams->slices[i] =
			(struct slice){.machine = streams->machine,
				       .ended = &streams->ended,
				       .place = {.cpu = streams->cores.cpus[i], .node = node}};
		streams->own[i] = &streams->slices[i];
	}
	return 0;
}

int streams_open(const struct fathom_machine *machine, struct pinning_place place,
		 struct fathom_warnings *warnings, struct streams **streams,
		 struct fathom_error *error)
{
	struct streams *opened = calloc(1, sizeof(*opened));
	if (!opened)
		return error_no_memory(error);
	opened->machine = machine;
	opened->warnings = warnings;
	if (cores_find(machine, place.cpu, &opened->cores, error) ||
	    team_open(machine, opened->cores.cpus, opened->cores.cpu_count, &opened->team, error)) {
		streams_close(opened);
		return -1;
	}
	if (open_slices(opened, place.node)) {
		streams_close(opened);
		return error_no_memory(error);
	}
	*streams = opened;
	return 0;
}

void streams_close(struct streams *streams)
{
	if (!streams)
		return;
	team_close(streams->team);
	for (uint32_t i = 0; streams->slices && i < streams->cores.cpu_count; i++)
		slice_close(&streams->slices[i]);
	free(streams->slices);
	free(streams->own);
	free(streams->own_speed);
	stream_variants_free(&streams->variants);
	cores_free(&streams->cores);
	free(streams);
}
