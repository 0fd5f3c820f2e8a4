/* Threads on real CPUs. Who makes traffic does it in bursts of lines, each of which begins at its
 * time, however long the one before took: a thread that waited for the memory that it loads would
 * throttle itself. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/stats.h"
#include "base/stopwatch.h"
#include "kernels/relax.h"
#include "machine/counters/memory_counters.h"
#include "machine/pinning.h"
#include "measure/loads/loader.h"
#include "measure/loads/loader_loops.h"
#include "measure/memory/chain_kernel.h"
#include "measure/memory/chain_place.h"
#include "measure/sampling/team.h"

#define LEAST_NS     3e6
#define MOST_NS      40e6
#define WARM_SHARE   0.2     /* of what is counted, before it */
#define BURST_LINES  48      /* a multiple of 3 */
#define FULL_LINES   3072    /* at most, and where nobody waits: the clock is seldom looked at */
#define MOST_BEHIND  16      /* bursts, that are made up for */
#define CHUNK_HOPS   64      /* of the chain, a sample */
#define LONG_TIMES   4.0     /* the median: a sample in which the thread was away */
#define AWAY_NS      30000.0 /* between two looks at the clock: the thread was away, */
#define AWAY_LINE_NS 300.0   /* and so much more for each line between them */
#define MOST_AWAYS   64
#define PROOF_LINES  48
#define LEAST_SHARE  0.1    /* of the time all must run */
#define SAMPLE_NS    3000.0 /* no chunk is faster */
#define LEAST_WHOLE  0.95   /* the same, where what memory counts is held against what threads do */

/* Lines that are taken in PHASE_COUNT count. Before it and after it, while threads make traffic as
 * they do in it, memory's counters are read. */
enum phase { PHASE_WARM, PHASE_COUNT, PHASE_COUNTED, PHASE_END };

struct span {
	uint64_t start_ns, end_ns;
};

struct member {
	struct loader_hardware *all;
	int cpu;
	struct slice read, change; /* of one mapping, which is that of `read` */
	double wait_ns;            /* between the beginnings of bursts of BURST_LINES; 0: none */
	uint64_t phase_ns;         /* of the first */
	/* While it counts: */
	uint64_t read_lines, changed_lines, bursts, late;
	struct span aways[MOST_AWAYS];
	size_t away_count;
	bool away, proven; /* on another CPU; the loops read and write what they must */
};

struct loader_hardware {
	struct loader loader;
	const struct fathom_machine *machine;
	struct team *team;
	struct member *members;
	void **own;
	uint32_t count;
	struct loader_loops loops;
	struct chain_place chains[LOADER_MOST_CHAINS];
	size_t chain_count;
	uint64_t start_ns;
	/* Of the visit that is under way. */
	const struct loader_visit *visit;
	_Alignas(128) atomic_int phase;
	_Alignas(128) struct span counted;
	struct span *samples;
	size_t sample_count, most_samples;
	bool arrived;
	struct memory_counters *memory;
	struct memory_traffic traffic;
};

static struct loader_hardware *self(struct loader *loader)
{
	return (struct loader_hardware *)loader;
}

/* ---- traffic ---- */

static bool may_change(enum fathom_traffic traffic)
{
	return traffic != FATHOM_TRAFFIC_READS;
}

static bool may_read(enum fathom_traffic traffic)
{
	return traffic == FATHOM_TRAFFIC_READS || traffic == FATHOM_TRAFFIC_3_1;
}

static uint64_t changed_of(enum fathom_traffic traffic, uint64_t lines)
{
	return traffic == FATHOM_TRAFFIC_NT ? lines : lines * loader_changed_of_three(traffic) / 3;
}

static void walk(struct slice *slice, uint64_t lines)
{
	slice->hops = lines;
	if (lines)
		slice_walk(slice);
}

static void burst(struct member *member, uint64_t lines, bool counts)
{
	uint64_t changed = changed_of(member->all->visit->traffic, lines);
	walk(&member->read, lines - changed);
	walk(&member->change, changed);
	if (!counts)
		return;
	member->read_lines += lines - changed;
	member->changed_lines += changed;
	member->bursts++;
}

/* Was the thread away since it looked at the clock last? */
static bool note_away(struct member *member, uint64_t before_ns, uint64_t now_ns, uint64_t lines)
{
	if ((double)(now_ns - before_ns) < AWAY_NS + AWAY_LINE_NS * (double)lines)
		return false;
	if (member->away_count < MOST_AWAYS)
		member->aways[member->away_count++] = (struct span){before_ns, now_ns};
	else
		member->aways[MOST_AWAYS - 1].end_ns = now_ns;
	return true;
}

static int phase_of(const struct member *member)
{
	return atomic_load_explicit(&member->all->phase, memory_order_relaxed);
}

static void make_traffic_full(struct member *member)
{
	uint64_t before_ns = stopwatch_now_ns();
	for (int phase; (phase = phase_of(member)) != PHASE_END;) {
		burst(member, FULL_LINES, phase == PHASE_COUNT);
		uint64_t now_ns = stopwatch_now_ns();
		note_away(member, before_ns, now_ns, FULL_LINES);
		before_ns = now_ns;
	}
}

/* Bursts that there is no time for begin as soon as they can, but not more than a few of them: then
 * twice as long ones are made half as often, as a thread that looks at the clock waits for the last
 * lines of each. */
static void make_traffic(struct member *member)
{
	uint64_t before_ns = stopwatch_now_ns(), lines = BURST_LINES;
	double due_ns = (double)before_ns + (double)member->phase_ns, wait_ns = member->wait_ns;
	for (int phase; (phase = phase_of(member)) != PHASE_END;) {
		uint64_t now_ns = stopwatch_now_ns();
		bool away = note_away(member, before_ns, now_ns, 0);
		before_ns = now_ns;
		if ((double)now_ns < due_ns) {
			kernel_relax();
			continue;
		}
		bool late = (double)now_ns > due_ns + wait_ns;
		burst(member, lines, phase == PHASE_COUNT);
		member->late += late && phase == PHASE_COUNT;
		due_ns += wait_ns;
		now_ns = stopwatch_now_ns();
		away |= note_away(member, before_ns, now_ns, lines);
		before_ns = now_ns;
		if ((double)now_ns <= due_ns + MOST_BEHIND * wait_ns)
			continue;
		due_ns = (double)now_ns;
		if (!away && lines < FULL_LINES) {
			lines *= 2;
			wait_ns *= 2;
		}
	}
}

/* ---- the chain ---- */

static void chase(struct loader_hardware *all)
{
	struct chain_place *place = &all->chains[all->visit->chain];
	const struct kernel *kernel = chain_kernel(&place->chain.spec);
	uint64_t now_ns = stopwatch_now_ns();
	uint64_t warm_ns = now_ns + (uint64_t)(WARM_SHARE * all->visit->ns),
		 begun = place->position;
	for (; now_ns < warm_ns; now_ns = stopwatch_now_ns()) {
		chain_walk(&place->chain, kernel, &place->work, CHUNK_HOPS);
		place->position += CHUNK_HOPS;
	}
	memory_counters_start(all->memory);
	now_ns = stopwatch_now_ns();
	uint64_t end_ns = now_ns + (uint64_t)all->visit->ns;
	all->sample_count = 0;
	all->counted.start_ns = now_ns;
	atomic_store_explicit(&all->phase, PHASE_COUNT, memory_order_relaxed);
	while (now_ns < end_ns && all->sample_count < all->most_samples) {
		chain_walk(&place->chain, kernel, &place->work, CHUNK_HOPS);
		place->position += CHUNK_HOPS;
		uint64_t then_ns = stopwatch_now_ns();
		all->samples[all->sample_count++] = (struct span){now_ns, then_ns};
		now_ns = then_ns;
	}
	atomic_store_explicit(&all->phase, PHASE_COUNTED, memory_order_relaxed);
	all->counted.end_ns = now_ns;
	all->traffic = memory_counters_stop(all->memory);
	atomic_store_explicit(&all->phase, PHASE_END, memory_order_relaxed);
	all->arrived = place->position > begun && chain_place_arrived(place);
}

/* In place of it: the first makes traffic as the others do, and looks at the time. */
static void lead(struct member *member)
{
	struct loader_hardware *all = member->all;
	uint64_t now_ns = stopwatch_now_ns(), before_ns;
	uint64_t warm_ns = now_ns + (uint64_t)(WARM_SHARE * all->visit->ns);
	for (; now_ns < warm_ns; now_ns = stopwatch_now_ns())
		burst(member, FULL_LINES, false);
	uint64_t end_ns = now_ns + (uint64_t)all->visit->ns;
	all->counted.start_ns = now_ns;
	atomic_store_explicit(&all->phase, PHASE_COUNT, memory_order_relaxed);
	while (now_ns < end_ns) {
		before_ns = now_ns;
		burst(member, FULL_LINES, true);
		now_ns = stopwatch_now_ns();
		note_away(member, before_ns, now_ns, FULL_LINES);
	}
	atomic_store_explicit(&all->phase, PHASE_END, memory_order_relaxed);
	all->counted.end_ns = now_ns;
	all->arrived = true;
}

static void work(void *own)
{
	struct member *member = own;
	struct loader_hardware *all = member->all;
	bool first = member == all->members;
	if (first && all->visit->all_read)
		lead(member);
	else if (first)
		chase(all);
	else if (all->visit->bytes_per_second == INFINITY)
		make_traffic_full(member);
	else
		make_traffic(member);
	member->away = pinning_current_cpu() != member->cpu;
}

static void prove_one(struct member *member, struct slice *slice)
{
	slice->hops = PROOF_LINES;
	slice_write_canaries(slice);
	slice_walk(slice);
	slice_verify(slice);
	member->proven &= slice->proven;
}

/* Another burst from where the last one ended: is what it leaves what it must be? */
static void prove(void *own)
{
	struct member *member = own;
	enum fathom_traffic traffic = member->all->visit->traffic;
	member->proven = true;
	if (member == member->all->members && !member->all->visit->all_read)
		return;
	if (may_read(traffic))
		prove_one(member, &member->read);
	if (may_change(traffic))
		prove_one(member, &member->change);
}

/* ---- a visit ---- */

static void begin(struct loader_hardware *all, struct member *member, struct rng *rng)
{
	enum fathom_traffic traffic = all->visit->traffic;
	double lines_per_second = all->visit->bytes_per_second / loader_lines_of(traffic) /
				  KERNEL_LINE_BYTES / (all->count - 1);
	member->read_lines = member->changed_lines = member->bursts = member->late = 0;
	member->away_count = 0;
	member->wait_ns = BURST_LINES / lines_per_second * 1e9;
	member->phase_ns = (uint64_t)(rng_unit(rng) * fmin(member->wait_ns, all->visit->ns));
	slice_turn(&member->read, all->loops.read, 0);
	slice_turn(&member->change,
		   traffic == FATHOM_TRAFFIC_NT ? all->loops.write_nt : all->loops.update, 0);
}

static bool overlaps(const struct span *a, const struct span *b)
{
	return a->start_ns < b->end_ns && b->start_ns < a->end_ns;
}

/* Did all run then? */
static bool all_ran(const struct loader_hardware *all, const struct span *sample)
{
	for (uint32_t i = 0; i < all->count; i++)
		for (size_t k = 0; k < all->members[i].away_count; k++)
			if (overlaps(&all->members[i].aways[k], sample))
				return false;
	return true;
}

/* Of the time that is counted. */
static double away_ns(const struct loader_hardware *all, const struct member *member)
{
	double sum_ns = 0;
	for (size_t i = 0; i < member->away_count; i++) {
		const struct span *away = &member->aways[i];
		if (!overlaps(away, &all->counted))
			continue;
		sum_ns += fmin((double)away->end_ns, (double)all->counted.end_ns) -
			  fmax((double)away->start_ns, (double)all->counted.start_ns);
	}
	return sum_ns;
}

static double long_ns(const struct loader_hardware *all, double *values)
{
	for (size_t i = 0; i < all->sample_count; i++)
		values[i] = (double)(all->samples[i].end_ns - all->samples[i].start_ns);
	return LONG_TIMES * stats_median(values, all->sample_count);
}

/* The mean of the samples during which all ran. -1: out of memory. */
static int find_latency(const struct loader_hardware *all, struct loader_found *found)
{
	double *values = malloc((all->sample_count + 1) * sizeof(*values)), sum_ns = 0, count = 0;
	if (!values)
		return -1;
	double most_ns = long_ns(all, values);
	for (size_t i = 0; i < all->sample_count; i++) {
		const struct span *sample = &all->samples[i];
		double ns = (double)(sample->end_ns - sample->start_ns);
		if (ns > most_ns || !all_ran(all, sample))
			continue;
		sum_ns += ns;
		count++;
	}
	free(values);
	found->latency_ns = sum_ns / (count * CHUNK_HOPS);
	found->concurrency = sum_ns / (double)(all->counted.end_ns - all->counted.start_ns);
	return 0;
}

static void find_traffic(const struct loader_hardware *all, struct loader_found *found)
{
	double all_ns = (double)(all->counted.end_ns - all->counted.start_ns);
	bool nt = all->visit->traffic == FATHOM_TRAFFIC_NT;
	double bus = 0, program = 0;
	for (uint32_t i = 0; i < all->count; i++) {
		const struct member *member = &all->members[i];
		double lines_ns = fmax(1, all_ns - away_ns(all, member));
		double read = (double)member->read_lines, changed = (double)member->changed_lines;
		bus += (read + (nt ? 1 : 2) * changed) / lines_ns;
		program += (read + changed) / lines_ns;
		found->bursts += (double)member->bursts;
		found->late_bursts += (double)member->late;
	}
	double chain = isfinite(found->latency_ns) ? 1 / found->latency_ns : 0;
	found->bytes_per_second = (bus + chain) * KERNEL_LINE_BYTES * 1e9;
	found->program_bytes_per_second = (program + chain) * KERNEL_LINE_BYTES * 1e9;
	if (all->visit->bytes_per_second == INFINITY)
		found->bursts = found->late_bursts = 0;
}

/* The counters go on while a thread is away, and its bandwidth leaves that time out. */
static void find_counted(const struct loader_hardware *all, struct loader_found *found)
{
	bool whole = !all->visit->all_read && found->concurrency >= LEAST_WHOLE;
	found->counted = whole ? all->traffic : (struct memory_traffic){NAN, NAN, NAN};
}

static int check(const struct loader_hardware *all, uint32_t active, struct fathom_error *error)
{
	bool proven = true;
	for (uint32_t i = 0; i < active; i++)
		proven &= all->members[i].proven;
	if (!all->arrived)
		return error_set(error, FATHOM_FAILED, NULL,
				 "a chain did not arrive where it must");
	return proven ? 0
		      : error_set(error, FATHOM_FAILED, NULL,
				  "a burst of lines did not read or write what it must");
}

static int visit(struct loader *loader, const struct loader_visit *visit,
		 struct loader_found *found, struct fathom_error *error)
{
	static const struct team_task task = {.work = work, .after = prove};
	struct loader_hardware *all = self(loader);
	struct rng rng = rng_make(visit->key);
	uint32_t active = visit->bytes_per_second > 0 ? all->count : 1;
	*found = (struct loader_found){.latency_ns = NAN, .concurrency = 1};
	all->visit = visit;
	for (uint32_t i = 0; i < all->count; i++)
		begin(all, &all->members[i], &rng);
	atomic_store(&all->phase, PHASE_WARM);
	team_run(all->team, active, &task, all->own);
	if (check(all, active, error))
		return -1;
	if (!visit->all_read && find_latency(all, found))
		return error_no_memory(error);
	find_traffic(all, found);
	find_counted(all, found);
	found->disturbed = !(found->concurrency >= LEAST_SHARE);
	for (uint32_t i = 0; i < active; i++)
		found->disturbed |= all->members[i].away && all->members[i].cpu >= 0;
	return 0;
}

/* ---- memory ---- */

static void touch(void *own)
{
	struct member *member = own;
	slice_touch(&member->read);
}

static void read_back(void *own)
{
	struct member *member = own;
	slice_read_back(&member->read);
}

/* What is read and what is changed go through all of it, half a lap apart. */
static void divide(struct member *member, uint64_t bytes, uint64_t key)
{
	uint64_t lines = bytes / KERNEL_LINE_BYTES;
	member->read.rng = rng_make(key);
	slice_draw(&member->read, bytes, true);
	member->change = member->read;
	slice_begin(&member->read, kernel_find_stream(KERNEL_READ, 0), lines, 0, rng_mix(key, 0));
	slice_begin(&member->change, kernel_find_stream(KERNEL_UPDATE, 0), lines, 0,
		    rng_mix(key, 1));
	member->change.work.position = lines / 2;
}

static int find_loops(struct loader_hardware *all, struct fathom_error *error)
{
	struct loader_part *parts = calloc(all->count, sizeof(*parts));
	if (!parts)
		return error_no_memory(error);
	for (uint32_t i = 0; i < all->count; i++)
		parts[i] = (struct loader_part){&all->members[i].read, &all->members[i].change};
	int status = loader_loops_find(all->team, parts, all->count, &all->loops, error);
	free(parts);
	return status;
}

static int gather_errors(struct loader_hardware *all, struct fathom_error *error)
{
	for (uint32_t i = 0; i < all->count; i++) {
		const struct slice *slice = &all->members[i].read;
		if (slice->status)
			return error_set(error, slice->error.status, slice->error.hint, "%s",
					 slice->error.text);
	}
	return 0;
}

static int open_parts(struct loader_hardware *all, const struct loader_setup *setup,
		      struct fathom_error *error)
{
	static const struct team_task touches = {.before = touch}, reads = {.before = read_back};
	bool large = pages_check(setup->machine, FATHOM_PAGE_THP, setup->part_bytes, NULL) == 0;
	for (uint32_t i = 0; i < all->count; i++)
		if (slice_open(&all->members[i].read, large ? FATHOM_PAGE_THP : FATHOM_PAGE_DEFAULT,
			       setup->part_bytes, error))
			return -1;
	team_run(all->team, all->count, &touches, all->own);
	if (gather_errors(all, error))
		return -1;
	for (uint32_t i = 0; i < all->count; i++)
		divide(&all->members[i], setup->part_bytes, rng_mix(setup->seed, i));
	team_run(all->team, all->count, &reads, all->own);
	return gather_errors(all, error) ? -1 : find_loops(all, error);
}

static double elapsed_s(struct loader *loader)
{
	return (double)(stopwatch_now_ns() - self(loader)->start_ns) * 1e-9;
}

static void close_hardware(struct loader *loader)
{
	struct loader_hardware *all = self(loader);
	if (all->team)
		pinning_release(all->machine);
	team_close(all->team);
	for (uint32_t i = 0; all->members && i < all->count; i++)
		slice_close(&all->members[i].read);
	for (size_t i = 0; i < LOADER_MOST_CHAINS; i++)
		chain_place_close(&all->chains[i]);
	free(all->members);
	free(all->own);
	free(all->samples);
	memory_counters_close(all->memory);
	free(all);
}

/* 1: it was stopped. */
static int fill(struct loader_hardware *all, const struct loader_setup *setup,
		struct fathom_error *error)
{
	for (uint32_t i = 0; i < all->count; i++) {
		all->members[i] = (struct member){
			.all = all,
			.cpu = setup->cpus[i],
			.read = {.machine = setup->machine,
				 .place = {.cpu = setup->cpus[i], .node = setup->memory_node}},
		};
		all->own[i] = &all->members[i];
	}
	if (memory_counters_open(NULL, setup->machine->hypervisor, &all->memory, error))
		return -1;
	all->loader.counters_missing = memory_counters_missing(all->memory);
	all->loader.counters = memory_counters_names(all->memory);
	if (team_open(setup->machine, NULL, all->count, &all->team, error) ||
	    team_move(all->team, setup->cpus, all->count, NULL, error) ||
	    open_parts(all, setup, error))
		return -1;
	const struct pinning_place chain_at = {.cpu = setup->cpus[0], .node = setup->memory_node};
	int status = 0;
	for (size_t i = 0; i < setup->chain_count && !status; i++)
		status = chain_place_open(&all->chains[i], setup->machine, chain_at,
					  &setup->chains[i], KERNEL_LINE_BYTES,
					  rng_mix(setup->seed, UINT32_MAX + i), setup->observer,
					  &all->loader.pages[i], error);
	return status;
}

int loader_hardware_open(const struct loader_setup *setup, struct loader **loader,
			 struct fathom_error *error)
{
	static const struct loader_ops ops = {visit, elapsed_s, close_hardware};
	struct loader_hardware *all = aligned_alloc(128, (sizeof(*all) + 127) / 128 * 128);
	if (!all)
		return error_no_memory(error);
	*all = (struct loader_hardware){
		.loader = {.ops = &ops,
			   .least_ns = LEAST_NS,
			   .most_ns = MOST_NS,
			   .line_bytes = KERNEL_LINE_BYTES},
		.machine = setup->machine,
		.members = calloc(setup->count, sizeof(*all->members)),
		.own = calloc(setup->count, sizeof(*all->own)),
		.count = setup->count,
		.most_samples = (size_t)(MOST_NS / SAMPLE_NS),
		.start_ns = stopwatch_now_ns(),
	};
	all->samples = calloc(all->most_samples, sizeof(*all->samples));
	int status = all->members && all->own && all->samples ? fill(all, setup, error)
							      : error_no_memory(error);
	if (status)
		close_hardware(&all->loader);
	*loader = status ? NULL : &all->loader;
	return status < 0 ? -1 : 0;
}

int loader_open(const struct loader_setup *setup, struct loader **loader,
		struct fathom_error *error)
{
	return setup->machine->description ? loader_simulated_open(setup, loader, error)
					   : loader_hardware_open(setup, loader, error);
}
