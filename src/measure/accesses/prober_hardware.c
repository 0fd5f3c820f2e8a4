/* Accesses of a real CPU, timed by its counter. What is timed goes to a ring of 2 KiB, which stays
 * in the first cache, and from there to the series between two batches: nothing is stored to other
 * lines while accesses are timed. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/stats.h"
#include "base/stopwatch.h"
#include "base/warnings.h"
#include "kernels/permutation.h"
#include "kernels/ticks.h"
#include "machine/interference.h"
#include "measure/accesses/accesses.h"
#include "measure/accesses/prober.h"
#include "measure/memory/chain_kernel.h"
#include "measure/memory/chain_place.h"
#include "measure/spec.h"

#define RING         128
#define SKIPPED      4 /* of each batch: the loop itself is not yet where it will be */
#define READINGS     1000
#define PAIRS        16
#define LEARNING_S   0.05
#define CHAIN_HOPS   ((uint64_t)1 << 16)
#define CHAIN_TRIALS 5
#define HIT_HOPS     ((uint64_t)1 << 14)

/* One moment on both clocks. */
struct moment {
	uint64_t ticks, ns;
};

struct prober_hardware {
	struct prober prober;
	const struct fathom_machine *machine;
	struct interference_counters *interference;
	int cpu;
	struct moment opened;
	double tick_ns;
	struct chain_place places[PROBER_MOST_CHAINS]; /* of untouched pages without a chain */
	struct chain_place *at;        /* the chain that is followed; NULL: none yet */
	_Alignas(64) uint64_t self[8]; /* leads to itself */
	_Alignas(64) struct ticks_run ring[RING];
};

static struct prober_hardware *self_of(struct prober *prober)
{
	return (struct prober_hardware *)prober;
}

/* ---- the counter ---- */

/* The tightest of several readings of one between two of the other. */
static struct moment moment_now(void)
{
	struct moment best = {0, 0};
	uint64_t least = UINT64_MAX;
	for (int i = 0; i < PAIRS; i++) {
		uint64_t before = ticks_now(), ns = stopwatch_now_ns(), after = ticks_now();
		if (after - before < least) {
			least = after - before;
			best = (struct moment){before + least / 2, ns};
		}
	}
	return best;
}

static double tick_ns_since(const struct moment *from)
{
	struct moment now = moment_now();
	return (double)(now.ns - from->ns) / (double)(now.ticks - from->ticks);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Some counters move by several ticks at a time. */
static uint64_t step_ticks(void)
{
	uint64_t step = 0, before = ticks_now();
	for (int i = 0; i < READINGS; i++) {
		uint64_t now = ticks_now();
		step = common_divisor(step, now - before);
		before = now;
	}
	return step ? step : 1;
}

static double rate_off(struct prober *prober)
{
	struct prober_hardware *hardware = self_of(prober);
	return tick_ns_since(&hardware->opened) / hardware->tick_ns - 1;
}

static void learn_counter(struct prober_hardware *hardware)
{
	while ((double)(stopwatch_now_ns() - hardware->opened.ns) < LEARNING_S * 1e9)
		;
	hardware->tick_ns = tick_ns_since(&hardware->opened);
	hardware->prober.step_ns = (double)step_ticks() * hardware->tick_ns;
}

/* ---- accesses ---- */

static void turn(struct prober *prober, size_t chain)
{
	struct prober_hardware *hardware = self_of(prober);
	struct chain_place *place = &hardware->places[chain];
	uint64_t hops = place->chain.nodes < ACCESSES_WARM ? place->chain.nodes : ACCESSES_WARM;
	if (hardware->at == place)
		return;
	hardware->at = place;
	if (place->chain.spec.warmth == FATHOM_WARM)
		chain_warm(&place->chain, place->position + place->chain.nodes, hops);
}

static size_t batch(struct prober_hardware *hardware, uint32_t hops, size_t left)
{
	struct chain_place *place = hardware->at;
	size_t count = left + SKIPPED < RING ? left + SKIPPED : RING;
	place->work.cursor =
		place->chain.spec.warmth == FATHOM_WARM
			? ticks_walk(place->work.cursor, hops, hardware->ring, count)
			: ticks_walk_flushed(place->work.cursor, hardware->ring, count);
	place->position += count * hops;
	return count - SKIPPED;
}

/* The same of first accesses to pages, in random order, all of which are given back before each
 * lap. A store: a read would be given a page that all share. */
static int touch_pages(struct prober_hardware *hardware, size_t left, size_t *made,
		       struct fathom_error *error)
{
	struct chain_place *place = hardware->at;
	const struct fathom_spec *spec = &place->chain.spec;
	struct permutation order = permutation_make(place->chain.nodes, place->chain.key);
	size_t count = left + SKIPPED < RING ? left + SKIPPED : RING;
	for (size_t i = 0; i < count; i++) {
		uint64_t at = place->position++ % place->chain.nodes;
		if (at == 0 && buffer_give_back(&place->buffer, error))
			return -1;
		volatile uint64_t *word =
			(volatile uint64_t *)(place->buffer.memory +
					      permutation_forward(&order, at) * spec->node_bytes);
		uint64_t start = ticks_now();
		*word = at;
		hardware->ring[i] = (struct ticks_run){start, ticks_now() - start};
	}
	*made = count - SKIPPED;
	return 0;
}

static int time_runs(struct prober *prober, uint32_t hops, double *starts_ns, double *ns,
		     size_t count, struct fathom_error *error)
{
	struct prober_hardware *hardware = self_of(prober);
	const struct chain_place *place = hardware->at;
	bool untouched = place->chain.spec.warmth == FATHOM_UNTOUCHED;
	for (size_t done = 0, made; done < count;) {
		if (untouched && touch_pages(hardware, count - done, &made, error))
			return -1;
		if (!untouched)
			made = batch(hardware, hops, count - done);
		for (size_t i = 0; i < made; i++) {
			const struct ticks_run *run = &hardware->ring[SKIPPED + i];
			starts_ns[done + i] =
				(double)(run->start - hardware->opened.ticks) * hardware->tick_ns;
			ns[done + i] = (double)run->ticks * hardware->tick_ns;
		}
		done += made;
	}
	return untouched || chain_place_arrived(place)
		       ? 0
		       : error_set(error, FATHOM_FAILED, NULL,
				   "a chain did not arrive where it must");
}

static void time_hits(struct prober *prober, double *ns, size_t count)
{
	struct prober_hardware *hardware = self_of(prober);
	for (size_t done = 0; done < count;) {
		size_t left = count - done + SKIPPED, made = left < RING ? left : RING;
		ticks_walk((uint64_t)(uintptr_t)hardware->self, 1, hardware->ring, made);
		for (size_t i = SKIPPED; i < made; i++)
			ns[done++] = (double)hardware->ring[i].ticks * hardware->tick_ns;
	}
}

static double walk_ns(const struct kernel *kernel, struct kernel_work *work, uint64_t hops)
{
	uint64_t start_ns = stopwatch_now_ns();
	kernel_walk(kernel, work, hops);
	return (double)(stopwatch_now_ns() - start_ns) / (double)hops;
}

static double chain_ns(struct prober *prober)
{
	struct chain_place *place = self_of(prober)->at;
	double ns[CHAIN_TRIALS];
	for (int i = 0; i < CHAIN_TRIALS; i++)
		ns[i] = walk_ns(chain_kernel(&place->chain.spec), &place->work, CHAIN_HOPS);
	place->position += CHAIN_TRIALS * CHAIN_HOPS;
	return stats_median(ns, CHAIN_TRIALS);
}

static double hit_ns(struct prober *prober)
{
	struct prober_hardware *hardware = self_of(prober);
	struct kernel_work work = {.cursor = (uint64_t)(uintptr_t)hardware->self};
	double ns[CHAIN_TRIALS];
	for (int i = 0; i < CHAIN_TRIALS; i++)
		ns[i] = walk_ns(kernel_find(KERNEL_POINTER, 1), &work, HIT_HOPS);
	return stats_median(ns, CHAIN_TRIALS);
}

/* ---- the rest ---- */

static void totals(struct prober *prober, struct prober_totals *now)
{
	struct prober_hardware *hardware = self_of(prober);
	struct interference read;
	interference_read(hardware->interference, &read);
	*now = (struct prober_totals){
		.interrupts = interference_interrupts(hardware->cpu),
		.switches = (double)read.switches,
		.waited_ns = (double)read.run_delay_ns,
		.stolen_ns = (double)read.steal_ticks / (double)sysconf(_SC_CLK_TCK) * 1e9,
	};
}

static double elapsed_s(struct prober *prober)
{
	return (double)(stopwatch_now_ns() - self_of(prober)->opened.ns) * 1e-9;
}

static void wait_until(struct prober *prober, double until_s)
{
	double left_s = until_s - elapsed_s(prober);
	if (left_s > 0)
		stopwatch_wait(left_s);
}

static void close_hardware(struct prober *prober)
{
	struct prober_hardware *hardware = self_of(prober);
	for (size_t i = 0; i < PROBER_MOST_CHAINS; i++)
		chain_place_close(&hardware->places[i]);
	pinning_release(hardware->machine);
	interference_close(hardware->interference);
	free(hardware);
}

static int check_counter(const struct prober_setup *setup, struct fathom_error *error)
{
	if (!ticks_counter())
		return error_set(error, FATHOM_UNABLE, NULL,
				 "single accesses cannot be timed: this CPU has no counter that a "
				 "program may read");
	if (!ticks_are_steady())
		warnings_add(
			setup->warnings, "counter-unsteady", NULL,
			"in a guest, have the host offer an invariant counter (QEMU: -cpu "
			"host,+invtsc)",
			"the CPU does not say that its counter '%s' always counts at one rate: "
			"its rate is only compared at the start and at the end",
			ticks_counter());
	return 0;
}

static void bind(const struct prober_setup *setup)
{
	struct fathom_error refused = {0};
	if (pinning_bind(setup->machine, setup->place.cpu, &refused))
		warnings_add(setup->warnings, "not-pinned", NULL, refused.hint,
			     "the measuring thread may move between CPUs: %s", refused.text);
	fathom_error_clear(&refused);
}

/* Returns as chain_place_open. */
static int open_place(struct prober_hardware *hardware, const struct prober_setup *setup,
		      size_t which, struct fathom_error *error)
{
	struct chain_place *place = &hardware->places[which];
	const struct fathom_spec *spec = &setup->chains[which];
	uint64_t key = prober_key(setup, which);
	if (spec->warmth != FATHOM_UNTOUCHED)
		return chain_place_open(place, setup->machine, setup->place, spec, spec->node_bytes,
					key, setup->observer, &hardware->prober.pages[which],
					error);
	place->chain = (struct chain){.spec = *spec, .nodes = spec_nodes(spec), .key = key};
	return buffer_open(&place->buffer, setup->machine, spec->page, spec->size_bytes,
			   setup->place, error);
}

int prober_hardware_open(const struct prober_setup *setup, struct prober **prober,
			 struct fathom_error *error)
{
	static const struct prober_ops ops = {turn,       time_runs,     time_hits, chain_ns,
					      hit_ns,     totals,        rate_off,  elapsed_s,
					      wait_until, close_hardware};
	struct prober_hardware *hardware;
	if (check_counter(setup, error))
		return -1;
	hardware = aligned_alloc(64, (sizeof(*hardware) + 63) / 64 * 64);
	if (!hardware)
		return error_no_memory(error);
	*hardware = (struct prober_hardware){
		.prober = {.ops = &ops, .counter = ticks_counter()},
		.machine = setup->machine,
		.cpu = setup->place.cpu,
	};
	hardware->self[0] = (uint64_t)(uintptr_t)hardware->self;
	bind(setup);
	hardware->interference = interference_open(setup->place.cpu);
	int status = hardware->interference ? 0 : error_no_memory(error);
	hardware->opened = moment_now();
	for (size_t i = 0; i < setup->chain_count && !status; i++)
		status = open_place(hardware, setup, i, error);
	if (!status)
		learn_counter(hardware);
	if (status)
		close_hardware(&hardware->prober);
	*prober = status ? NULL : &hardware->prober;
	return status < 0 ? -1 : 0;
}

uint64_t prober_key(const struct prober_setup *setup, size_t chain)
{
	size_t first = 0;
	while (setup->chains[first].size_bytes != setup->chains[chain].size_bytes ||
	       setup->chains[first].warmth != setup->chains[chain].warmth)
		first++;
	return rng_mix(setup->seed, first);
}

int prober_open(const struct prober_setup *setup, struct prober **prober,
		struct fathom_error *error)
{
	return setup->machine->description ? prober_simulated_open(setup, prober, error)
					   : prober_hardware_open(setup, prober, error);
}
