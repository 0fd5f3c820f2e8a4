/* How well the knee of the speed-up along the lanes is found: see docs/accuracy.md.
 *
 * accuracy_lanes SEED COUNT [FIRST]   draws machines, measures them as `fathom parallelism` does
 * and prints a row for each level: what is true, what was found
 *
 * The truth is what the same machine does without noise: the fewest lanes that have 90 % of the
 * speed-up that the most have. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy_range.h"
#include "base/error.h"
#include "base/names.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "measure/memory/chain.h"
#include "measure/meter.h"
#include "simulate/simulated_memory.h"

#define KIB            1024.0
#define LINE_BYTES     64
#define MOST_LANES     48
#define MOST_LEVELS    4 /* and memory */
#define LEAST_SHARE    0.95
#define TRUTH_ROUNDS   1000 /* hops of each lane */
#define SETTLING_LAPS  3
#define KNEE           0.9
#define TIMES_THE_LAST 6 /* the size in memory */
#define UNLIMITED_S    1e6
#define INSIDE         0.4 /* of the logarithm from the end of the level before to its own */

struct machine {
	char *truth; /* without noise */
	char *noisy;
	struct simulated_spec spec;
	enum fathom_page page;
	uint64_t sizes_bytes[MOST_LEVELS + 1];
};

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

static void add_cache(struct text *text, size_t level, double size_bytes, unsigned ways,
		      double latency_cycles)
{
	char size[UNITS_TEXT_BYTES];
	uint64_t sets = (uint64_t)(size_bytes / ways / LINE_BYTES);
	units_format_size_exact(sets * ways * LINE_BYTES, size);
	text_add(text, "l%zu=%s/%u/lru/%.0fc,", level, size, ways, latency_cycles);
}

static void add_limits(struct rng *rng, struct text *text, size_t caches, double clock_ghz,
		       double memory_ns)
{
	unsigned misses = whole_between(rng, 4, 40);
	text_add(text, "issue=%.1f,rob=%u,misses=%u", between(rng, 1, 3), 128u << rng_below(rng, 3),
		 misses);
	for (size_t i = 1; i < caches; i++)
		if (chance(rng, 0.6))
			text_add(text, "/%u", whole_between(rng, 4, 40));
		else
			text_add(text, "/off");
	if (chance(rng, 0.25)) {
		double lines = misses * between(rng, 0.4, 1.2);
		text_add(text, ",bandwidth=");
		for (size_t i = 0; i < caches; i++)
			text_add(text, "%.0fc/", i ? 16 * clock_ghz : 128);
		text_add(text, "%.2fG", lines * LINE_BYTES / memory_ns);
	}
}

/* Two or three caches, whose sizes and latencies are far apart. */
static char *draw_description(struct rng *rng, bool walks)
{
	struct text text = {0};
	size_t caches = chance(rng, 0.3) ? 2 : 3;
	double clock_ghz = between(rng, 2, 5), memory_ns = between(rng, 60, 200);
	double l2_bytes = log_between(rng, 64 * KIB, 192 * KIB);
	text_add(&text, "sim:clock=%.2fG,", clock_ghz);
	add_cache(&text, 1, log_between(rng, 8 * KIB, 24 * KIB), whole_between(rng, 6, 12),
		  whole_between(rng, 4, 6));
	add_cache(&text, 2, l2_bytes, whole_between(rng, 8, 16), whole_between(rng, 12, 20));
	if (caches == 3)
		add_cache(&text, 3, l2_bytes * between(rng, 4, 8), whole_between(rng, 12, 20),
			  whole_between(rng, 40, 90));
	else
		text_add(&text, "l3=off,");
	text_add(&text, "mem=%.1fns,", memory_ns);
	if (walks)
		text_add(&text,
			 "dtlb=32/4/lru/0c,stlb=128/8/lru/7c,walkers=%u,walk_from=l%u,"
			 "placement=even,",
			 whole_between(rng, 1, 3), whole_between(rng, 1, (unsigned)caches));
	else
		text_add(&text, "dtlb=off,stlb=off,placement=even,");
	add_limits(rng, &text, caches, clock_ghz, memory_ns);
	return text_take(&text);
}

/* A size inside each level: as far from both ends as a cycle must be that LRU keeps or loses. */
static void choose_sizes(struct machine *machine)
{
	const struct simulated_spec *spec = &machine->spec;
	double last = (double)spec->caches[spec->cache_count - 1].size_bytes;
	for (size_t i = 1; i < spec->cache_count; i++) {
		double low = (double)spec->caches[i - 1].size_bytes;
		double high = (double)spec->caches[i].size_bytes;
		double size = low * pow(high / low, 1 - INSIDE);
		machine->sizes_bytes[i] = (uint64_t)size / LINE_BYTES * LINE_BYTES;
	}
	machine->sizes_bytes[spec->cache_count] =
		(uint64_t)(TIMES_THE_LAST * last) / LINE_BYTES * LINE_BYTES;
}

static void machine_free(struct machine *machine)
{
	free(machine->truth);
	free(machine->noisy);
}

static int machine_draw(uint64_t seed, uint64_t index, struct machine *machine,
			struct fathom_error *error)
{
	struct rng rng = rng_make(rng_mix(seed, index));
	bool walks = chance(&rng, 0.3);
	struct machine drawn = {.page = walks ? FATHOM_PAGE_4K : FATHOM_PAGE_THP};
	char *text = draw_description(&rng, walks);
	drawn.truth = text_format("%s,noise=0,outliers=0,drift=0", text);
	drawn.noisy = text_format("%s,noise=%.2f%%,outliers=%.1f%%,drift=2%%,seed=%u", text,
				  between(&rng, 0.5, 2), between(&rng, 0, 3),
				  whole_between(&rng, 0, 1000000));
	free(text);
	if (!drawn.truth || !drawn.noisy || simulated_spec_parse(drawn.truth, &drawn.spec, error)) {
		machine_free(&drawn);
		return -1;
	}
	choose_sizes(&drawn);
	*machine = drawn;
	return 0;
}

/* ---- the truth ---- */

static struct fathom_spec spec_of(const struct machine *machine, size_t level, uint32_t lanes)
{
	return (struct fathom_spec){.size_bytes = machine->sizes_bytes[level],
				    .node_bytes = LINE_BYTES,
				    .page = machine->page,
				    .lanes = lanes,
				    .threads = 1,
				    .axis = FATHOM_AXIS_LANES};
}

/* The share of the accesses that the level answers. */
static int find_share(const struct machine *machine, size_t level, double *share,
		      struct fathom_error *error)
{
	struct simulated_memory memory;
	struct fathom_spec spec = spec_of(machine, level, 1);
	uint64_t page_bytes = machine->page == FATHOM_PAGE_4K ? 4096 : 2 << 20;
	uint64_t lap = spec.size_bytes / LINE_BYTES;
	unsigned char *base = aligned_alloc(LINE_BYTES, spec.size_bytes);
	if (!base)
		return error_no_memory(error);
	int status = simulated_memory_open(&memory, &machine->spec, error);
	if (!status)
		status = simulated_memory_map(&memory, spec.size_bytes, page_bytes, 1, error);
	if (!status) {
		struct chain chain;
		const unsigned char *accessed;
		chain_build(&chain, &spec, base, LINE_BYTES, 1);
		uint64_t cursor = chain_work(&chain).cursor;
		for (uint64_t i = 0; i < (SETTLING_LAPS + 1) * lap; i++) {
			if (i == SETTLING_LAPS * lap)
				simulated_memory_forget(&memory);
			cursor = chain_step(&chain, cursor, &accessed);
			simulated_memory_load(&memory, (uint64_t)(accessed - base));
		}
		*share = (double)memory.data_served[level] / (double)lap;
	}
	simulated_memory_close(&memory);
	free(base);
	return status;
}

/* An access with so many lanes, in a place of their own: in none that other lanes left warm. */
static int find_ns(struct meter *meter, const struct fathom_spec *spec, double *ns,
		   struct fathom_error *error)
{
	struct meter_placement placement;
	bool arrived;
	uint64_t hops = (uint64_t)TRUTH_ROUNDS * spec->lanes;
	double once_ns, twice_ns;
	if (meter->ops->prepare(meter, spec, 1, true, &placement, error))
		return -1;
	for (int i = 0; i < SETTLING_LAPS; i++)
		meter->ops->warm(meter, spec->size_bytes / LINE_BYTES);
	meter->ops->run(meter, hops / 10, &once_ns, &arrived);
	meter->ops->run(meter, hops, &once_ns, &arrived);
	meter->ops->run(meter, 2 * hops, &twice_ns, &arrived);
	*ns = (twice_ns - once_ns) / (double)hops;
	return 0;
}

struct truth {
	double speedup;
	uint32_t knee;
};

static int find_truth(const struct machine *machine, size_t level, struct truth *truth,
		      struct fathom_error *error)
{
	struct fathom_machine *simulated;
	struct meter *meter;
	double ns[MOST_LANES + 1], least_ns = INFINITY;
	if (fathom_machine_find(machine->truth, &simulated, error))
		return -1;
	int status = meter_simulated_open(simulated, PINNING_ANYWHERE, machine->sizes_bytes[level],
					  &meter, error);
	if (!status) {
		for (uint32_t lanes = 1; !status && lanes <= MOST_LANES; lanes++) {
			struct fathom_spec spec = spec_of(machine, level, lanes);
			status = find_ns(meter, &spec, &ns[lanes], error);
			least_ns = fmin(least_ns, ns[lanes]);
		}
		meter->ops->close(meter);
	}
	fathom_machine_free(simulated);
	if (status)
		return -1;
	*truth = (struct truth){.speedup = ns[1] / least_ns, .knee = 1};
	while (ns[1] / ns[truth->knee] < KNEE * truth->speedup)
		truth->knee++;
	return 0;
}

/* ---- what is found ---- */

static int measure(const struct machine *machine, uint64_t seed, const uint64_t *sizes_bytes,
		   size_t size_count, struct fathom_result **result, struct fathom_error *error)
{
	struct fathom_request request;
	struct fathom_machine *simulated;
	struct fathom_plan *plan;
	fathom_request_for(&request, FATHOM_PARALLELISM);
	request.spec.page = machine->page;
	request.spec.seed = seed;
	request.sizes_bytes = sizes_bytes;
	request.size_count = size_count;
	request.most_lanes = MOST_LANES;
	request.budget_s = UNLIMITED_S;
	if (fathom_machine_find(machine->noisy, &simulated, error))
		return -1;
	if (fathom_plan_make(&request, simulated, &plan, error)) {
		fathom_machine_free(simulated);
		return -1;
	}
	plan->steps = 1; /* that is six blocks of each point */
	int status = fathom_measure(plan, simulated, NULL, result, error);
	fathom_plan_free(plan);
	if (status)
		fathom_machine_free(simulated);
	return status;
}

static const struct fathom_parallelism *find_at(const struct fathom_result *result,
						uint64_t size_bytes)
{
	for (size_t i = 0; i < result->parallelism_count; i++)
		if (result->parallelism[i].size_bytes == size_bytes)
			return &result->parallelism[i];
	return NULL;
}

static void print_row(const struct machine *machine, uint64_t index, size_t level,
		      const struct truth *truth, const struct fathom_parallelism *found)
{
	bool memory = level == machine->spec.cache_count;
	printf("%" PRIu64 ",%s%zu,%" PRIu64 ",%s,%u,%.3f,", index, memory ? "m" : "L", level + 1,
	       machine->sizes_bytes[level], page_name(machine->page), truth->knee, truth->speedup);
	printf("%g,%g,%g,%.3f,%.3f,%.3f,%d,%d,%s\n", found->knee_lanes, found->knee_low_lanes,
	       found->knee_high_lanes, found->speedup, found->speedup_low, found->speedup_high,
	       found->saturated, (int)found->limit, machine->noisy);
}

/* Levels at whose size too few accesses reach them are left out. */
static int judge(uint64_t seed, uint64_t index, struct fathom_error *error)
{
	struct machine machine;
	struct fathom_result *result = NULL;
	struct truth truths[MOST_LEVELS + 1];
	size_t levels[MOST_LEVELS + 1], count = 0;
	uint64_t sizes_bytes[MOST_LEVELS + 1];
	if (machine_draw(seed, index, &machine, error))
		return -1;
	int status = 0;
	for (size_t level = 1; !status && level <= machine.spec.cache_count; level++) {
		double share = 0;
		status = find_share(&machine, level, &share, error);
		if (status || share < LEAST_SHARE)
			continue;
		status = find_truth(&machine, level, &truths[count], error);
		levels[count] = level;
		sizes_bytes[count++] = machine.sizes_bytes[level];
	}
	if (!status)
		status =
			measure(&machine, rng_mix(seed, index), sizes_bytes, count, &result, error);
	for (size_t i = 0; !status && i < count; i++) {
		const struct fathom_parallelism *found = find_at(result, sizes_bytes[i]);
		if (found)
			print_row(&machine, index, levels[i], &truths[i], found);
	}
	fathom_result_free(result);
	machine_free(&machine);
	return status;
}

int main(int argc, char **argv)
{
	return accuracy_range(argc, argv, "usage: accuracy_lanes SEED COUNT [FIRST]\n", judge);
}
