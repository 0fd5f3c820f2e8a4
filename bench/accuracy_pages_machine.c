/* Machines drawn at random, as text that reproduces them, and the trace that tells the truth. */
#include "accuracy_pages_machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "measure/memory/chain.h"
#include "simulate/simulated_memory.h"

#define KIB            1024.0
#define MIB            (1024 * KIB)
#define LINE_BYTES     64
#define LEAST_L2_BYTES (192 * KIB)
#define MOST_L2_BYTES  (2 * MIB)
#define MOST_L3_BYTES  (12 * MIB)
#define ENTRY_BYTES    8
#define L1_WAY_KIB     4 /* indexed by what virtual and physical addresses have in common */
#define ROOM_FOR_PAGES 2.3
#define MOST_PLACES    8
#define FEWEST_PLACES  2
#define PLACED_BYTES   ((uint64_t)8 << 20) /* in all places together, if not in the fewest */
#define SETTLING_LAPS  2
#define FEWEST_HOPS    20000 /* that are counted, in each place */

/* ---- machines ---- */

static double between(struct rng *rng, double low, double high)
{
	return low + (high - low) * rng_unit(rng);
}

static double log_between(struct rng *rng, double low, double high)
{
	return exp(between(rng, log(low), log(high)));
}

static unsigned whole_between(struct rng *rng, unsigned low, unsigned high)
{
	return low + (unsigned)rng_below(rng, high - low + 1);
}

static bool chance(struct rng *rng, double probability)
{
	return rng_unit(rng) < probability;
}

static const char *draw_policy(struct rng *rng)
{
	double at = rng_unit(rng);
	return at < 0.6 ? "lru" : at < 0.8 ? "plru" : "random";
}

static unsigned draw_ways(struct rng *rng, const char *policy, unsigned low, unsigned high)
{
	unsigned ways = whole_between(rng, low, high);
	return strcmp(policy, "plru") == 0 ? (unsigned)exp2(round(log2(ways))) : ways;
}

static void add_cache(struct rng *rng, struct text *text, size_t level, double size_bytes,
		      const char *policy, unsigned latency_cycles)
{
	char size[UNITS_TEXT_BYTES];
	unsigned ways = draw_ways(rng, policy, 8, 16);
	uint64_t sets = (uint64_t)(size_bytes / ways / LINE_BYTES);
	units_format_size_exact(sets * ways * LINE_BYTES, size);
	text_add(text, "l%zu=%s/%u/%s/%uc,", level, size, ways, policy, latency_cycles);
}

/* Two or three caches. The second has room for a line and an entry of a table of each page of the
 * TLBs, and for more than twice as many, as on any machine that we know of. */
static void add_caches(struct rng *rng, struct text *text, double entries)
{
	bool third = chance(rng, 0.75);
	double least_bytes = ROOM_FOR_PAGES * (LINE_BYTES + ENTRY_BYTES) * entries;
	double l2_bytes = log_between(rng, fmax(LEAST_L2_BYTES, least_bytes), MOST_L2_BYTES);
	unsigned l1_ways = whole_between(rng, 4, 16);
	text_add(text, "l1=%uK/%u/lru/%uc,", L1_WAY_KIB * l1_ways, l1_ways,
		 whole_between(rng, 3, 6));
	add_cache(rng, text, 2, l2_bytes, chance(rng, 0.5) ? "lru" : "plru",
		  whole_between(rng, 10, 20));
	if (third)
		add_cache(rng, text, 3, fmin(MOST_L3_BYTES, l2_bytes * between(rng, 4, 10)),
			  draw_policy(rng), whole_between(rng, 36, 90));
	else
		text_add(text, "l3=off,");
	text_add(text, "mem=%.1fns,walk_from=l%u,", log_between(rng, 60, 160),
		 chance(rng, 0.3)            ? 1
		 : third && chance(rng, 0.1) ? 3
					     : 2);
}

/* How many entries it has. */
static unsigned add_tlb(struct rng *rng, struct text *text, const char *name, double low,
			double high, unsigned cost_cycles)
{
	const char *policy = draw_policy(rng);
	unsigned ways = draw_ways(rng, policy, 4, 12);
	unsigned sets = (unsigned)fmax(1, round(log_between(rng, low, high) / ways));
	text_add(text, "%s=%u/%u/%s/%uc,", name, sets * ways, ways, policy, cost_cycles);
	return sets * ways;
}

/* How many entries all the TLBs of small pages have. */
static unsigned add_translation(struct rng *rng, struct text *text)
{
	bool second = chance(rng, 0.9);
	unsigned cost_cycles = whole_between(rng, 5, 12);
	unsigned entries = add_tlb(rng, text, "dtlb", 16, 128, 0);
	if (second)
		entries += add_tlb(rng, text, "stlb", 512, 4096, cost_cycles);
	else
		text_add(text, "stlb=off,");
	if (chance(rng, 0.6)) /* else shared */
		add_tlb(rng, text, "dtlb2m", 8, 64, 0);
	if (second && chance(rng, 0.25))
		text_add(text, "stlb2m=off,");
	else if (second && chance(rng, 0.2))
		add_tlb(rng, text, "stlb2m", 256, 1536, cost_cycles);
	text_add(text, "pwc=%u,walk_cost=%uc,", 16u << rng_below(rng, 3),
		 whole_between(rng, 5, 25));
	return entries;
}

static void add_host(struct rng *rng, struct text *text)
{
	if (chance(rng, 0.5))
		return;
	text_add(text, "host=%s,host_pwc=%u,", chance(rng, 0.5) ? "4K" : "2M",
		 16u << rng_below(rng, 3));
	if (chance(rng, 0.4))
		text_add(text, "ntlb=%u,", 16u << rng_below(rng, 3));
}

int pages_machine_draw(uint64_t seed, uint64_t index, struct pages_machine *machine,
		       struct fathom_error *error)
{
	struct rng rng = rng_make(rng_mix(seed, index));
	struct pages_machine drawn = {0};
	struct text text = {0};
	text_add(&text, "sim:memory=64G,clock=%.2fG,", between(&rng, 2, 5));
	unsigned entries = add_translation(&rng, &text);
	add_caches(&rng, &text, entries);
	add_host(&rng, &text);
	text_add(&text, "placement=%s", chance(&rng, 0.7) ? "random" : "even");
	char *common = text_take(&text);
	drawn.truth = text_format("%s,noise=0,outliers=0,drift=0", common);
	drawn.noisy = text_format("%s,noise=%.2f%%,outliers=%.1f%%,drift=2%%,seed=%u", common,
				  between(&rng, 0.3, 1.5), between(&rng, 0, 4),
				  whole_between(&rng, 0, 1000000));
	free(common);
	if (!drawn.truth || !drawn.noisy || simulated_spec_parse(drawn.truth, &drawn.spec, error)) {
		pages_machine_free(&drawn);
		return -1;
	}
	*machine = drawn;
	return 0;
}

void pages_machine_free(struct pages_machine *machine)
{
	free(machine->truth);
	free(machine->noisy);
	*machine = (struct pages_machine){0};
}

/* ---- the truth ---- */

static double cost_ns(const struct simulated_spec *spec, const struct simulated_cost *cost)
{
	return cost->ns + cost->cycles * 1e9 / spec->clock_hz;
}

static void add_trace(const struct simulated_memory *memory, double hops, struct pages_truth *truth)
{
	const struct simulated_spec *spec = &memory->spec;
	for (size_t i = 0; i <= spec->cache_count; i++) {
		double ns = cost_ns(spec, i < spec->cache_count ? &spec->caches[i].cost
								: &spec->memory_cost);
		uint64_t data = memory->data_served[i];
		truth->memory_ns += ns * (double)data / hops;
		truth->walk_ns += ns * (double)(memory->lines_served[i] - data) / hops;
	}
	for (size_t i = 0; i < memory->map.tlb_count; i++)
		truth->tlb_ns += cost_ns(spec, &memory->map.tlb_costs[i]) *
				 (double)memory->translations_asked[i] / hops;
	truth->walk_ns += cost_ns(spec, &spec->walk_cost) * (double)memory->walks / hops;
	truth->walked += (double)memory->walks / hops;
}

static void trace(struct simulated_memory *memory, const struct chain *chain,
		  struct pages_truth *truth)
{
	uint64_t lap = chain->hops_per_cycle, cursor = chain_work(chain).cursor;
	uint64_t settling = SETTLING_LAPS * lap, laps = (FEWEST_HOPS + lap - 1) / lap;
	const unsigned char *accessed;
	for (uint64_t i = 0; i < settling + laps * lap; i++) {
		if (i == settling)
			simulated_memory_forget(memory);
		cursor = chain_step(chain, cursor, &accessed);
		simulated_memory_load(memory, (uint64_t)(accessed - chain->base));
	}
	add_trace(memory, (double)(laps * lap), truth);
}

static struct pages_truth mean_of(const struct pages_truth *each, size_t count)
{
	struct pages_truth mean = {0, 0, 0, 0, 0};
	double square = 0;
	for (size_t i = 0; i < count; i++) {
		mean.memory_ns += each[i].memory_ns / (double)count;
		mean.tlb_ns += each[i].tlb_ns / (double)count;
		mean.walk_ns += each[i].walk_ns / (double)count;
		mean.walked += each[i].walked / (double)count;
	}
	for (size_t i = 0; i < count; i++)
		square += pow(each[i].memory_ns - mean.memory_ns, 2);
	mean.spread_ns = sqrt(square / (double)(count - 1));
	return mean;
}

int pages_truth_find(const struct pages_machine *machine, const struct fathom_spec *spec,
		     uint64_t page_bytes, struct pages_truth *truth, struct fathom_error *error)
{
	struct simulated_memory memory;
	struct pages_truth each[MOST_PLACES] = {0};
	uint64_t bytes = (spec->size_bytes + page_bytes - 1) / page_bytes * page_bytes;
	uint64_t places = PLACED_BYTES / spec->size_bytes;
	places = places < FEWEST_PLACES ? FEWEST_PLACES
		 : places > MOST_PLACES ? MOST_PLACES
					: places;
	unsigned char *base = aligned_alloc(page_bytes, bytes);
	if (!base)
		return error_no_memory(error);
	int status = simulated_memory_open(&memory, &machine->spec, error);
	for (uint64_t key = 0; !status && key < places; key++) {
		struct chain chain;
		status = simulated_memory_map(&memory, spec->size_bytes, page_bytes, key, error);
		if (status)
			break;
		chain_build(&chain, spec, base, LINE_BYTES, key);
		trace(&memory, &chain, &each[key]);
	}
	simulated_memory_close(&memory);
	free(base);
	if (!status)
		*truth = mean_of(each, places);
	return status;
}
