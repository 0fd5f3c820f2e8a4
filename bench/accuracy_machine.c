/* Machines drawn at random, as text that reproduces them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy_corpus.h"
#include "base/error.h"
#include "base/text.h"
#include "base/units.h"

#define KIB 1024.0
#define MIB (1024 * KIB)

/* Neighbouring caches differ by this, or one would hide the other. */
#define LEAST_SIZE_RATIO    3
#define LEAST_LATENCY_RATIO 1.4
#define MOST_BYTES          (512 * MIB)
#define LEAST_REACHES       4.5 /* of the last cache, in the largest size */
#define MOST_REACHES        16
#define LARGE_BYTES         (32 * MIB) /* a last cache of which a curve has only the least */
/* A cache that resists thrashing needs whole laps, however large the cycle: see the tracer. */
#define MOST_RESISTANT_BYTES (160 * MIB)

struct weighted {
	const char *name;
	double weight;
};

static const struct weighted near_policies[] = {
	{"lru", 0.55}, {"plru", 0.3}, {"random", 0.1}, {"srrip", 0.05}, {NULL, 0}};
static const struct weighted far_policies[] = {{"lru", 0.24},   {"plru", 0.2},  {"random", 0.2},
					       {"srrip", 0.14}, {"brrip", 0.1}, {"drrip", 0.12},
					       {NULL, 0}};
/* A cache that gives ways away has no tree. */
static const struct weighted shared_policies[] = {{"lru", 0.44},  {"random", 0.2}, {"srrip", 0.14},
						  {"brrip", 0.1}, {"drrip", 0.12}, {NULL, 0}};
/* How RRIP works where a hit takes the line out is not documented anywhere. */
static const struct weighted victim_policies[] = {
	{"lru", 0.4}, {"plru", 0.3}, {"random", 0.3}, {NULL, 0}};
static const struct weighted tlb_policies[] = {
	{"lru", 0.6}, {"plru", 0.2}, {"random", 0.2}, {NULL, 0}};

static double between(struct rng *rng, double low, double high)
{
	return low + (high - low) * rng_unit(rng);
}

static double log_between(struct rng *rng, double low, double high)
{
	return exp(between(rng, log(low), log(high)));
}

static bool chance(struct rng *rng, double probability)
{
	return rng_unit(rng) < probability;
}

static const char *pick(struct rng *rng, const struct weighted *choices)
{
	double at = rng_unit(rng);
	while (choices[1].name && at >= choices->weight)
		at -= (choices++)->weight;
	return choices->name;
}

/* A tree needs a power of two: the nearest one. */
static unsigned draw_ways(struct rng *rng, const char *policy, unsigned low, unsigned high)
{
	unsigned ways = low + (unsigned)rng_below(rng, high - low + 1);
	return strcmp(policy, "plru") == 0 ? (unsigned)exp2(round(log2(ways))) : ways;
}

/* Sizes that rise as caches do; how many. */
static size_t draw_sizes(struct rng *rng, double sizes[SIMULATED_LEVELS])
{
	double at = rng_unit(rng), most = 64 * MIB, ratio = LEAST_SIZE_RATIO;
	size_t count = at < 0.3 ? 2 : at < 0.75 ? 3 : 4;
	sizes[0] = log_between(rng, 16 * KIB, 128 * KIB);
	sizes[1] = log_between(rng, fmax(256 * KIB, ratio * sizes[0]), 4 * MIB);
	sizes[2] =
		log_between(rng, fmax(1 * MIB, ratio * sizes[1]), count == 4 ? most / ratio : most);
	sizes[3] = log_between(rng, ratio * sizes[2], most);
	return count;
}

/* In ns, level after level, memory behind the last cache. */
static void draw_latencies(struct rng *rng, double clock_ghz, size_t count,
			   double latencies[SIMULATED_LEVELS + 1])
{
	bool rising = false;
	while (!rising) {
		latencies[0] = (double)(3 + rng_below(rng, 4)) / clock_ghz;
		latencies[1] = round(log_between(rng, 10, 20)) / clock_ghz;
		latencies[2] = chance(rng, 0.5) ? log_between(rng, 10, 40)
						: log_between(rng, 30, 80) / clock_ghz;
		latencies[3] = log_between(rng, 15, 80);
		latencies[count] = log_between(rng, 60, 250);
		rising = true;
		for (size_t i = 1; i <= count; i++)
			rising = rising && latencies[i] >= LEAST_LATENCY_RATIO * latencies[i - 1];
	}
}

static void add_cache(struct rng *rng, struct text *text, size_t level,
		      const struct weighted *policies, bool victim, double size_bytes,
		      double latency_ns, double clock_ghz)
{
	char size[UNITS_TEXT_BYTES];
	const char *policy = pick(rng, policies);
	unsigned ways = draw_ways(rng, policy, 4, level == 0 ? 12 : 20);
	uint64_t sets = (uint64_t)(size_bytes / ways / ACCURACY_LINE_BYTES);
	units_format_size_exact(sets * ways * ACCURACY_LINE_BYTES, size);
	text_add(text, "l%zu=%s/%u/%s/", level + 1, size, ways, policy);
	if (level < 2)
		text_add(text, "%.0fc", latency_ns * clock_ghz);
	else if (chance(rng, 0.5))
		text_add(text, "%.1fc", latency_ns * clock_ghz);
	else
		text_add(text, "%.2fns", latency_ns);
	text_add(text, victim ? "/victim," : ",");
}

static void add_tlb(struct rng *rng, struct text *text, const char *name, double low, double high,
		    double cost_cycles)
{
	const char *policy = pick(rng, tlb_policies);
	unsigned ways = draw_ways(rng, policy, 4, 12);
	unsigned sets = (unsigned)ceil(log_between(rng, low, high) / ways);
	text_add(text, "%s=%u/%u/%s/%.0fc,", name, sets * ways, ways, policy, cost_cycles);
}

static void add_translation(struct rng *rng, struct text *text)
{
	if (chance(rng, 0.12)) {
		text_add(text, "dtlb=off,stlb=off,");
		return;
	}
	/* A window of the control has 16 pages of 4 KiB, and page tables are data, too. */
	add_tlb(rng, text, "dtlb", 24, 128, 0);
	add_tlb(rng, text, "stlb", 512, 2048, 5 + (double)rng_below(rng, 6));
	if (chance(rng, 0.3)) /* else the default, the second cache where it can be */
		text_add(text, "walk_from=l1,");
	text_add(text, "pwc=%u,", 8u << rng_below(rng, 4));
}

static void report_size(struct text *text, size_t level, double size_bytes)
{
	char size[UNITS_TEXT_BYTES];
	units_format_size_exact((uint64_t)size_bytes & ~(uint64_t)(ACCURACY_LINE_BYTES - 1), size);
	text_add(text, ",os_l%zu=%s", level + 1, size);
}

/* What a guest is told of its last cache, of which the machine has a share, or of all. */
static void add_reported(struct rng *rng, struct text *text, const double *sizes, size_t count)
{
	double at = rng_unit(rng), factor = log_between(rng, 2, 16);
	if (at < 0.4) { /* the host's, as cloud guests are told */
		report_size(text, count - 1, sizes[count - 1] * factor);
	} else if (at < 0.5) { /* a slice of it */
		report_size(text, count - 1, sizes[count - 1] / factor);
	} else if (at < 0.65) { /* what a hypervisor makes up where it is told nothing */
		report_size(text, 0, 32 * KIB);
		report_size(text, 1, 256 * KIB);
		if (count > 2)
			report_size(text, 2, 8 * MIB);
	} else if (at < 0.75) {
		for (size_t i = 0; i < count; i++)
			text_add(text, ",os_l%zu=off", i + 1);
	}
}

static char *draw_description(struct rng *rng, bool large_pages, bool guest)
{
	struct text text = {0};
	double sizes[SIMULATED_LEVELS], latencies[SIMULATED_LEVELS + 1];
	double clock_ghz = round(between(rng, 1.5, 5.2) * 100) / 100;
	size_t count = draw_sizes(rng, sizes);
	bool victim = !guest && chance(rng, 0.2);
	draw_latencies(rng, clock_ghz, count, latencies);
	text_add(&text, "sim:clock=%.2fG,", clock_ghz);
	for (size_t i = 0; i < count; i++) {
		bool last = i + 1 == count;
		add_cache(rng, &text, i,
			  last && guest    ? shared_policies
			  : last && victim ? victim_policies
			  : i == 0         ? near_policies
					   : far_policies,
			  last && victim, sizes[i], latencies[i], clock_ghz);
	}
	if (count < SIMULATED_LEVELS)
		text_add(&text, "l%zu=off,", count + 1);
	text_add(&text, "mem=%.1fns,", latencies[count]);
	add_translation(rng, &text);
	text_add(&text, "placement=%s,", chance(rng, large_pages ? 0.5 : 0.7) ? "random" : "even");
	text_add(&text, "noise=%.2f%%,outliers=%.1f%%,drift=2%%,seed=%u", between(rng, 0.2, 1.5),
		 between(rng, 0, 6), (unsigned)rng_below(rng, 1000000));
	if (guest)
		add_reported(rng, &text, sizes, count);
	return text_take(&text);
}

bool accuracy_is_resistant(enum simulated_policy policy)
{
	return policy == SIMULATED_BRRIP || policy == SIMULATED_DRRIP;
}

/* Can the levels be told apart? */
static bool is_clear(const struct simulated_spec *spec)
{
	for (size_t i = 0; i < spec->cache_count; i++) {
		double here = accuracy_latency_ns(spec, i);
		double next = i + 1 < spec->cache_count
				      ? accuracy_latency_ns(spec, i + 1)
				      : spec->memory_cost.cycles / spec->clock_hz * 1e9 +
						spec->memory_cost.ns;
		if (next < LEAST_LATENCY_RATIO * here)
			return false;
		if (i > 0 && accuracy_reach_bytes(spec, i) <
				     LEAST_SIZE_RATIO * accuracy_reach_bytes(spec, i - 1))
			return false;
	}
	return true;
}

static double draw_largest(struct rng *rng, const struct simulated_spec *spec)
{
	double last = accuracy_reach_bytes(spec, spec->cache_count - 1);
	double most = last > LARGE_BYTES ? LEAST_REACHES * last : MOST_BYTES;
	double drawn = last * log_between(rng, LEAST_REACHES, MOST_REACHES);
	if (accuracy_is_resistant(spec->caches[spec->cache_count - 1].policy))
		most = fmin(most, fmax(LEAST_REACHES * last, MOST_RESISTANT_BYTES));
	return fmin(most, drawn);
}

/* Co-tenants that take up to a third of the last cache more, or less, than in the mean. */
static void draw_neighbours(struct rng *rng, struct accuracy_machine *machine)
{
	uint64_t ways = machine->spec.caches[machine->spec.cache_count - 1].ways;
	machine->guest = true;
	machine->tenant_ways = (unsigned)rng_below(rng, ways / 3 + 1);
	machine->window_help = chance(rng, 0.3) ? 0 : between(rng, 0.1, 0.6);
}

int accuracy_machine_draw(uint64_t seed, uint64_t index, bool guest,
			  struct accuracy_machine *machine, struct fathom_error *error)
{
	struct rng rng = rng_make(rng_mix(seed, index));
	struct accuracy_machine drawn = {0};
	bool large_pages = chance(&rng, 0.35);
	do {
		accuracy_machine_free(&drawn);
		drawn.description = draw_description(&rng, large_pages, guest);
		if (!drawn.description)
			return error_no_memory(error);
		if (simulated_spec_parse(drawn.description, &drawn.spec, error)) {
			accuracy_machine_free(&drawn);
			return -1;
		}
	} while (!is_clear(&drawn.spec));
	drawn.page_bytes = large_pages ? 2 << 20 : 4096;
	drawn.in_rounds = chance(&rng, 0.5);
	if (guest)
		draw_neighbours(&rng, &drawn);
	drawn.largest_bytes = (uint64_t)draw_largest(&rng, &drawn.spec);
	*machine = drawn;
	return 0;
}

void accuracy_machine_free(struct accuracy_machine *machine)
{
	free(machine->description);
	free(machine->main.points);
	free(machine->control.points);
	*machine = (struct accuracy_machine){0};
}

/* ---- the truth ---- */

double accuracy_reach_bytes(const struct simulated_spec *spec, size_t level)
{
	const struct simulated_shape *cache = &spec->caches[level];
	size_t before = cache->victim ? level - 1 : level;
	double bytes = (double)cache->size_bytes;
	if (cache->victim)
		bytes += (double)spec->caches[before].size_bytes;
	for (size_t i = 0; i < before; i++)
		if (accuracy_is_resistant(spec->caches[i].policy))
			bytes += (double)spec->caches[i].size_bytes *
				 (1 - 1 / (double)spec->caches[i].ways);
	return bytes;
}

double accuracy_latency_ns(const struct simulated_spec *spec, size_t level)
{
	const struct simulated_cost *cost = &spec->caches[level].cost;
	return cost->cycles / spec->clock_hz * 1e9 + cost->ns;
}

double accuracy_exact_ns(const struct accuracy_machine *machine, double size_bytes)
{
	const struct accuracy_curve *curve = &machine->main;
	size_t i = 1;
	while (i + 1 < curve->count && curve->points[i].size_bytes < size_bytes)
		i++;
	const struct accuracy_point *a = &curve->points[i - 1], *b = &curve->points[i];
	double share = log(size_bytes / a->size_bytes) / log(b->size_bytes / a->size_bytes);
	return a->exact_ns + fmin(1, fmax(0, share)) * (b->exact_ns - a->exact_ns);
}
