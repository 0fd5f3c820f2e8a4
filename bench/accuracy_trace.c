#include "accuracy_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "kernels/permutation.h"

#define MEASURED_HOPS 120000
#define WARM_HOPS     120000 /* bring TLBs and the lines of page tables to where they stay */
#define LRU_FAR       2.5    /* times a cache: where keeps_nothing */
#define RANDOM_FAR    5
#define RESISTANT_FAR 32
#define FEW_LINES     65536
#define STRIDE_LINES  (ACCURACY_STRIDE_BYTES / ACCURACY_LINE_BYTES)
#define EXACT_LAPS    12
#define LAPS_BEHIND   8
#define AHEAD         12 /* hops: how far the tags of a large cache are fetched before use */
/* Lines that simulated memory has for nothing. */
#define UNUSED_LINES  ((uint64_t)3 << 30)
#define LARGE_ENTRIES 65536
/* How often co-tenants take most of the last cache, in a sweep. */
#define TENANT_SWINGS 2.5

/* Hops of one block. */
struct hops {
	uint64_t kept;        /* of the order, and walked round */
	uint64_t first_level; /* the caches before it keep nothing of such a cycle */
	uint64_t settling;    /* through the caches from there on alone, for the far ones' sake */
	uint64_t warm;        /* hops through everything, */
	uint64_t measured;    /* and hops that count */
};

/* ---- how many hops ---- */

/* Of a cycle `ratio` times as long as the cache, the share of hits is then below 1 %. */
static bool keeps_nothing(enum simulated_policy policy, double ratio)
{
	if (accuracy_is_resistant(policy))
		return ratio > RESISTANT_FAR;
	return ratio > (policy == SIMULATED_RANDOM ? RANDOM_FAR : LRU_FAR);
}

/* Laps after which the share of hits of an empty cache is within 1 % of where it ends up for a
 * cycle `ratio` times as long, as runs of 24 laps on one cache have it. What comes through a cache
 * that is not strict about its order takes longer; where that costs little it gets more. */
static unsigned laps_to_settle(const struct simulated_shape *cache, double ratio, uint64_t lines)
{
	if (!cache->victim && (cache->policy == SIMULATED_LRU || cache->policy == SIMULATED_PLRU))
		return 1;
	if (lines < FEW_LINES)
		return lines < FEW_LINES / 4 ? 6 : 4;
	if (cache->victim)
		return 3;
	if (accuracy_is_resistant(cache->policy))
		return ratio > 1.3 && ratio < RESISTANT_FAR ? 2 : 1;
	return cache->policy == SIMULATED_RANDOM && ratio > 0.5 && ratio < RANDOM_FAR ? 2 : 1;
}

/* Does a cache behind that one answer a part of the cycle? Which part changes from lap to lap until
 * the one before has made up its mind what to keep. */
static bool is_behind(const struct simulated_spec *spec, size_t which, double bytes)
{
	return which + 1 < spec->cache_count &&
	       bytes < RANDOM_FAR * accuracy_reach_bytes(spec, which + 1);
}

static struct hops plan_hops(const struct tracer *tracer, uint64_t lines)
{
	const struct simulated_spec *spec = &tracer->machine->spec;
	struct hops hops = {.kept = lines, .measured = lines};
	bool crowded = false;
	unsigned laps = 1;
	if (tracer->exact)
		return (struct hops){lines, 0, 0, EXACT_LAPS * lines, 3 * lines};
	for (size_t i = 0; i < spec->cache_count; i++) {
		enum simulated_policy policy = spec->caches[i].policy;
		double bytes = (double)(lines * ACCURACY_LINE_BYTES);
		double ratio = bytes / accuracy_reach_bytes(spec, i);
		if (hops.first_level == i && keeps_nothing(policy, ratio))
			hops.first_level = i + 1;
		unsigned wanted = laps_to_settle(&spec->caches[i], ratio, lines);
		if (accuracy_is_resistant(policy) && ratio > 1 && is_behind(spec, i, bytes))
			wanted = LAPS_BEHIND;
		laps = wanted > laps ? wanted : laps;
		/* Resistant insertion keeps the lines that came first: its hits crowd in one part
		 * of the lap, which is measured as a whole. */
		crowded = crowded ||
			  (accuracy_is_resistant(policy) && ratio > 0.5 && ratio < RESISTANT_FAR);
	}
	if (hops.first_level < spec->cache_count && spec->caches[hops.first_level].victim)
		hops.first_level--;
	if (!crowded && lines > MEASURED_HOPS)
		hops.measured = MEASURED_HOPS;
	if (hops.first_level == 0 || lines < WARM_HOPS + MEASURED_HOPS) {
		hops.warm = laps * lines;
		return hops;
	}
	hops.warm = WARM_HOPS;
	if (hops.first_level == spec->cache_count)
		hops.kept = hops.warm + hops.measured;
	else
		hops.settling = laps * lines;
	return hops;
}

/* ---- the order ---- */

static int reserve(struct tracer *tracer, uint64_t count, struct fathom_error *error)
{
	if (count <= tracer->order_capacity)
		return 0;
	uint32_t *order = realloc(tracer->order, count * sizeof(*order));
	if (!order)
		return error_no_memory(error);
	tracer->order = order;
	tracer->order_capacity = count;
	return 0;
}

void tracer_shuffle(struct rng *rng, uint32_t *values, uint64_t count)
{
	for (uint64_t i = count; i > 1; i--) {
		uint64_t other = rng_below(rng, i);
		uint32_t keep = values[i - 1];
		values[i - 1] = values[other];
		values[other] = keep;
	}
}

static void order_cycle(struct tracer *tracer, uint64_t lines, uint64_t kept)
{
	if (kept < lines) {
		struct permutation order = permutation_make(lines, rng_next(&tracer->rng));
		for (uint64_t i = 0; i < kept; i++)
			tracer->order[i] = (uint32_t)permutation_forward(&order, i);
		return;
	}
	for (uint64_t i = 0; i < lines; i++)
		tracer->order[i] = (uint32_t)i;
	tracer_shuffle(&tracer->rng, tracer->order, lines);
}

/* The lines of one window that one pass visits, in random order; how many. */
static uint64_t order_run(struct tracer *tracer, uint64_t first, uint64_t end, uint32_t *order)
{
	uint64_t count = 0;
	for (uint64_t line = first; line < end; line += STRIDE_LINES)
		order[count++] = (uint32_t)line;
	tracer_shuffle(&tracer->rng, order, count);
	return count;
}

/* In each pass every window in turn: the full ones in random order, then the rest. */
static void order_windows(struct tracer *tracer, uint64_t lines, uint64_t kept)
{
	const uint64_t window = ACCURACY_WINDOW_BYTES / ACCURACY_LINE_BYTES;
	uint64_t full = lines / window, done = 0;
	struct permutation windows = permutation_make(full, rng_next(&tracer->rng));
	for (uint64_t pass = 0; pass < STRIDE_LINES; pass++)
		for (uint64_t turn = 0; turn * window < lines && done < kept; turn++) {
			uint64_t which = turn < full ? permutation_forward(&windows, turn) : turn;
			uint64_t first = which * window, end = first + window;
			done += order_run(tracer, first + pass, end < lines ? end : lines,
					  tracer->order + done);
		}
}

/* ---- walking ---- */

static uint32_t line_of(const struct simulated_memory *memory, uint32_t node)
{
	uint64_t offset = (uint64_t)node * ACCURACY_LINE_BYTES;
	const struct simulated_mapping *map = &memory->map;
	uint64_t in_frame = (offset & (map->frame_bytes - 1)) / ACCURACY_LINE_BYTES;
	return map->frame_lines[offset >> __builtin_ctzll(map->frame_bytes)] + (uint32_t)in_frame;
}

/* Tags that are not in this computer's own caches cost more than simulating them. Always inline:
 * GCC takes a function that only prefetches for one without effect, and drops its calls. */
__attribute__((always_inline)) static inline void fetch_tags(const struct simulated_memory *memory,
							     uint32_t node)
{
	uint32_t line = line_of(memory, node);
	for (size_t i = 0; i < memory->spec.cache_count; i++) {
		const struct simulated_cache *cache = &memory->caches[i];
		if (memory->spec.caches[i].entries < LARGE_ENTRIES)
			continue;
		size_t first = (size_t)(line % cache->sets) * cache->ways;
		__builtin_prefetch(cache->tags + first);
		__builtin_prefetch(cache->tags + first + cache->ways - 1);
		if (cache->distances)
			__builtin_prefetch(cache->distances + first);
	}
}

/* A load as simulated_memory_load does it, without translation and without the caches before
 * `first_level`, which would all miss. */
static void load_far(struct simulated_memory *memory, uint64_t first_level, uint32_t line)
{
	uint64_t level = first_level;
	while (level < memory->filled_count && !simulated_cache_touch(&memory->caches[level], line))
		level++;
	if (level < memory->filled_count || level == memory->spec.cache_count)
		return;
	uint32_t evicted = memory->caches[level - 1].evicted;
	simulated_cache_take(&memory->caches[level], line);
	if (evicted)
		simulated_cache_touch(&memory->caches[level], evicted - 1);
}

/* The position where it ends. */
static uint64_t settle(struct tracer *tracer, const struct hops *plan, uint64_t from, uint64_t hops)
{
	uint64_t at = from;
	for (; hops; hops--) {
		if (at + AHEAD < plan->kept)
			fetch_tags(&tracer->memory, tracer->order[at + AHEAD]);
		load_far(&tracer->memory, plan->first_level,
			 line_of(&tracer->memory, tracer->order[at]));
		at = at + 1 < plan->kept ? at + 1 : 0;
	}
	return at;
}

/* What a prefetcher does that has seen the neighbours of the line: it is in the caches behind the
 * first, at no cost. */
static void help(struct tracer *tracer, uint32_t line)
{
	struct simulated_memory *memory = &tracer->memory;
	if (rng_unit(&tracer->rng) < tracer->help)
		for (unsigned i = 1; i < memory->filled_count; i++)
			simulated_cache_touch(&memory->caches[i], line);
}

static uint64_t walk(struct tracer *tracer, uint64_t kept, uint64_t from, uint64_t hops,
		     uint64_t served[SIMULATED_LEVELS + 1])
{
	uint64_t at = from;
	for (; hops; hops--) {
		if (at + AHEAD < kept)
			fetch_tags(&tracer->memory, tracer->order[at + AHEAD]);
		uint64_t offset = (uint64_t)tracer->order[at] * ACCURACY_LINE_BYTES;
		if (tracer->help > 0)
			help(tracer, line_of(&tracer->memory, tracer->order[at]));
		served[simulated_memory_load(&tracer->memory, offset)]++;
		at = at + 1 < kept ? at + 1 : 0;
	}
	return at;
}

static struct tracer_cost measure(struct tracer *tracer, const struct hops *hops)
{
	const struct simulated_spec *spec = &tracer->machine->spec;
	uint64_t served[SIMULATED_LEVELS + 1] = {0};
	double count = (double)hops->measured;
	uint64_t at = settle(tracer, hops, 0, hops->settling);
	at = walk(tracer, hops->kept, at, hops->warm, served);
	simulated_memory_take_cost(&tracer->memory);
	memset(served, 0, sizeof(served));
	walk(tracer, hops->kept, at, hops->measured, served);
	struct simulated_cost all = simulated_memory_take_cost(&tracer->memory), rest = all;
	for (size_t i = 0; i <= spec->cache_count; i++) {
		const struct simulated_cost *each =
			i < spec->cache_count ? &spec->caches[i].cost : &spec->memory_cost;
		rest.cycles -= (double)served[i] * each->cycles;
		rest.ns -= (double)served[i] * each->ns;
	}
	return (struct tracer_cost){
		.all = {all.cycles / count, all.ns / count},
		.translation = {rest.cycles / count, rest.ns / count},
	};
}

/* What a cache holds of another mapping would be in the way of random and bimodal insertion for
 * many laps. */
static void empty_caches(struct tracer *tracer)
{
	for (size_t i = 0; i < tracer->machine->spec.cache_count; i++)
		if (tracer->memory.caches[i].policy >= SIMULATED_RANDOM)
			simulated_cache_flush(&tracer->memory.caches[i]);
}

/* A tree that fills from empty takes laps to forget the order. */
static void fill_caches(struct tracer *tracer)
{
	for (size_t i = 0; i < tracer->machine->spec.cache_count; i++)
		for (uint64_t k = 0; k < tracer->memory.spec.caches[i].entries; k++)
			simulated_cache_touch(&tracer->memory.caches[i],
					      (uint32_t)(UNUSED_LINES + k));
}

int tracer_open(struct tracer *tracer, const struct accuracy_machine *machine, bool exact,
		struct fathom_error *error)
{
	*tracer = (struct tracer){.machine = machine, .exact = exact};
	if (simulated_memory_open(&tracer->memory, &machine->spec, error))
		return -1;
	fill_caches(tracer);
	return 0;
}

/* Leaves of the last cache the ways that co-tenants leave at this moment. */
static int share_cache(struct tracer *tracer, struct fathom_error *error)
{
	const struct accuracy_machine *machine = tracer->machine;
	struct simulated_spec spec = machine->spec;
	struct simulated_shape *last = &spec.caches[spec.cache_count - 1];
	uint64_t sets = last->entries / last->ways;
	double swing = machine->tenant_ways * sin(2 * M_PI * TENANT_SWINGS * tracer->moment);
	last->ways = (uint64_t)(int64_t)lround((double)last->ways + swing);
	last->entries = sets * last->ways;
	last->size_bytes = last->entries * spec.line_bytes;
	if (tracer->memory.spec.caches[spec.cache_count - 1].ways == last->ways)
		return 0;
	simulated_memory_close(&tracer->memory);
	tracer->memory = (struct simulated_memory){0};
	if (simulated_memory_open(&tracer->memory, &spec, error))
		return -1;
	fill_caches(tracer);
	return 0;
}

void tracer_close(struct tracer *tracer)
{
	simulated_memory_close(&tracer->memory);
	free(tracer->order);
	*tracer = (struct tracer){0};
}

int tracer_block(struct tracer *tracer, uint64_t lines, bool windows, struct tracer_cost *cost,
		 struct fathom_error *error)
{
	struct hops hops = plan_hops(tracer, lines);
	tracer->help = windows ? tracer->machine->window_help : 0;
	if (share_cache(tracer, error))
		return -1;
	empty_caches(tracer);
	if (reserve(tracer, hops.kept + ACCURACY_WINDOW_BYTES / ACCURACY_LINE_BYTES, error) ||
	    simulated_memory_map(&tracer->memory, lines * ACCURACY_LINE_BYTES,
				 tracer->machine->page_bytes, rng_next(&tracer->rng), error))
		return -1;
	if (windows)
		order_windows(tracer, lines, hops.kept);
	else
		order_cycle(tracer, lines, hops.kept);
	*cost = measure(tracer, &hops);
	return 0;
}
