#include "simulate/simulated_spec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "simulate/simulated_cpus.h"
#include "simulate/simulated_values.h"

#define PREFIX         "sim:"
#define MAX_PLRU       64 /* a set's tree is one word */
#define TRUTH          UINT64_MAX
#define LARGE_TLB_KEYS (SIMULATED_LEVELS + SIMULATED_TLBS)

#define FIELD(name) offsetof(struct simulated_spec, name), 0
#define OR_OFF(name)                                                                               \
	offsetof(struct simulated_spec, name), sizeof(((struct simulated_spec *)0)->name)
#define CACHE_FORM                                                                                 \
	"size/ways/policy/latency, like 48K/12/lru/5c, the last one also with /victim, or off"
#define TLB_FORM       "entries/ways/policy/latency, like 96/6/lru/0c, or off"
#define LARGE_TLB_FORM "entries/ways/policy/latency, like 32/4/lru/0c, shared or off"
#define TOPOLOGY_FORM                                                                              \
	"a number from 1 to 1024, or what they are in, like 2x4x8x2 (sockets, caches, cores, "     \
	"threads) or 2x2x4x8x2 (dies after sockets)"
#define OS_FORM "the size that the OS claims, like 480M, or off"

/* The first ten in this order: the level, or the TLB, that each stands for. */
static const struct simulated_key keys[] = {
	{"l1", CACHE_FORM, simulated_read_cache, OR_OFF(caches[0]), 0.01, 1e6},
	{"l2", CACHE_FORM, simulated_read_cache, OR_OFF(caches[1]), 0.01, 1e6},
	{"l3", CACHE_FORM, simulated_read_cache, OR_OFF(caches[2]), 0.01, 1e6},
	{"l4", CACHE_FORM, simulated_read_cache, OR_OFF(caches[3]), 0.01, 1e6},
	{"dtlb", TLB_FORM, simulated_read_tlb, OR_OFF(tlbs[0]), 0, 1e6},
	{"stlb", TLB_FORM, simulated_read_tlb, OR_OFF(tlbs[1]), 0, 1e6},
	{"dtlb2m", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_2m[0]), 0, 1e6},
	{"stlb2m", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_2m[1]), 0, 1e6},
	{"dtlb1g", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_1g[0]), 0, 1e6},
	{"stlb1g", LARGE_TLB_FORM, simulated_read_large_tlb, OR_OFF(tlbs_1g[1]), 0, 1e6},
	{"mem", "a latency, like 90ns, 300c or 60c+78ns", simulated_read_cost, FIELD(memory_cost),
	 0.01, 1e6},
	{"line", "a power of two from 16 to 1K", simulated_read_power_of_two, FIELD(line_bytes), 16,
	 1024},
	{"clock", "a frequency from 10M to 100G, like 3.6G", simulated_read_frequency,
	 FIELD(clock_hz), 1e7, 1e11},
	{"overlap", "a number from 1 to 100", simulated_read_number, FIELD(overlap), 1,
	 SIMULATED_MOST_OVERLAP},
	{"issue", "accesses per cycle from 0.1 to 16", simulated_read_number,
	 FIELD(issued_per_cycle), 0.1, 16},
	{"mispredict", "a latency, like 15c or 4ns", simulated_read_cost, FIELD(mispredict_cost), 0,
	 1e6},
	{"lock", "a latency, like 40c or 10ns", simulated_read_cost, FIELD(lock_cost), 0, 1e6},
	{"rob", "accesses from 1 to 100000, or off", simulated_read_count, OR_OFF(reorder_window),
	 1, 1e5},
	{"misses", "one number from 1 to 1000, or off, for each cache, like 16/48",
	 simulated_read_misses, FIELD(miss_buffers), 1, 1000},
	{"walkers", "page walks from 1 to 100, or off", simulated_read_count, OR_OFF(walkers), 1,
	 100},
	{"bandwidth",
	 "one rate for each cache and one for memory, in bytes per cycle or GB per second, like "
	 "64c/32c/40G/12G, or off",
	 simulated_read_rates, FIELD(rates), 0.01, 1e6},
	{"cpus", TOPOLOGY_FORM, simulated_read_topology, FIELD(topology), 0, 0},
	{"os_cpus", TOPOLOGY_FORM, simulated_read_topology, FIELD(os_topology), 0, 0},
	{"numbering", "by_thread, by_core or shuffled", simulated_read_numbering, FIELD(numbering),
	 0, 0},
	{"nodes", "a number from 1 to 1024", simulated_read_count, FIELD(nodes), 1,
	 SIMULATED_MOST_CPUS},
	{"handover",
	 "five times, of CPUs in one core, cache, die, socket and in none, like "
	 "6ns/22ns/60ns/90ns/150ns",
	 simulated_read_handover, FIELD(handover_ns), 0.1, 1e6},
	{"slices", "a share from 0 to 50%", simulated_read_share, FIELD(slices), 0, 0.5},
	{"moving", "a time from 1us to 1000000ms, or off", simulated_read_time, OR_OFF(move_ns),
	 1e3, 1e12},
	{"offline", "CPUs joined by +, like 3+8-11", simulated_read_cpus, FIELD(offline), 0, 0},
	{"lost", "CPUs and a time, like 3+8-11/200ms", simulated_read_lost, 0, 0, 1, 1e12},
	{"affinity", "on or off", simulated_read_affinity, FIELD(no_affinity), 0, 0},
	{"load", "busy CPUs from 0 to 1024, with or without a time, like 1.5 or 1.5/3000ms",
	 simulated_read_load, 0, 0, 1, 1e12},
	{"stride", "lines ahead from 1 to 32, or off", simulated_read_count,
	 OR_OFF(stride_lines_ahead), 1, 32},
	{"adjacent", "on or off", simulated_read_on_off, FIELD(adjacent_prefetch), 0, 0},
	{"page", "a power of two from 4K to 1M", simulated_read_power_of_two,
	 FIELD(base_page_bytes), 0x1p12, 0x1p20},
	{"thp", "on or off", simulated_read_on_off, FIELD(huge_pages), 0, 0},
	{"mthp", "a power of two from 16K to 1M, over the base page, or off",
	 simulated_read_power_of_two, OR_OFF(multi_size_bytes), 0x1p14, 0x1p20},
	{"pool2m", "a number of pages", simulated_read_count, FIELD(pool_2m_pages), 0, 0x1p30},
	{"pool1g", "a number of pages", simulated_read_count, FIELD(pool_1g_pages), 0, 0x1p20},
	{"placement", "even or random", simulated_read_placement, FIELD(placement), 0, 0},
	{"walk", "levels from 1 to 6", simulated_read_count, FIELD(walk_levels), 1, 6},
	{"walk_from", "l1, l2, l3 or l4", simulated_read_level, FIELD(walk_from), 0, 0},
	{"pwc", "entries from 1 to 1024, or off", simulated_read_count, OR_OFF(walk_cache_entries),
	 1, SIMULATED_MAX_WAYS},
	{"walk_cost", "a latency, like 12c or 5ns", simulated_read_cost, FIELD(walk_cost), 0, 1e6},
	{"host", "4K, 2M, 1G or off", simulated_read_host_page, OR_OFF(host_page_bytes), 1, 0x1p30},
	{"host_pwc", "entries from 1 to 1024, or off", simulated_read_count,
	 OR_OFF(host_walk_cache_entries), 1, SIMULATED_MAX_WAYS},
	{"ntlb", "entries from 1 to 1024, or off", simulated_read_count, OR_OFF(nested_tlb_entries),
	 1, SIMULATED_MAX_WAYS},
	{"memory", "a size from 1M to 1024T", simulated_read_size, FIELD(memory_bytes), 0x1p20,
	 0x1p50},
	{"noise", "a share from 0 to 20%", simulated_read_share, FIELD(noise), 0, 0.2},
	{"outliers", "a share from 0 to 100%", simulated_read_share, FIELD(outliers), 0, 1},
	{"drift", "a share from 0 to 50%", simulated_read_share, FIELD(drift), 0, 0.5},
	{"timer", "a time from 1ns to 10us, or off", simulated_read_time, OR_OFF(timer_ns), 1, 1e4},
	{"disturb",
	 "calls and a time, or a share of all calls and a mean time, up to 8 joined by +, like "
	 "17:20us, 100-299:30us, 10%:50us or 300ms:30us@lanes=1",
	 simulated_read_faults, 0, 0, 0.1, 1e9},
	{"probe_ratio", "a number from 0.1 to 100", simulated_read_number, FIELD(probe_ratio), 0.1,
	 100},
	{"no_clock", "the key alone", simulated_read_flag, FIELD(no_clock), 0, 0},
	{"os_l1", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[0]), 1, 0x1p50},
	{"os_l2", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[1]), 1, 0x1p50},
	{"os_l3", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[2]), 1, 0x1p50},
	{"os_l4", OS_FORM, simulated_read_size, OR_OFF(os_size_bytes[3]), 1, 0x1p50},
	{"os_line", "the line that the OS claims, a power of two from 16 to 1K, or off",
	 simulated_read_power_of_two, OR_OFF(os_line_bytes), 16, 1024},
	{"seed", "a whole number", simulated_read_count, FIELD(seed), 0, 0x1p62},
	{"corrupt", "the timed run that loses a hop, counted from 1", simulated_read_count,
	 FIELD(corrupt_run), 0, 0x1p62},
};
#define KEY_COUNT (sizeof(keys) / sizeof(*keys))

static struct simulated_spec default_spec(void)
{
	return (struct simulated_spec){
		.caches = {{48 << 10, 0, 12, SIMULATED_LRU, {5, 0}},
			   {2 << 20, 0, 16, SIMULATED_PLRU, {16, 0}},
			   {32 << 20, 0, 16, SIMULATED_LRU, {0, 22}}},
		.tlbs = {{0, 96, 6, SIMULATED_LRU, {0, 0}}, {0, 2048, 16, SIMULATED_LRU, {7, 0}}},
		.tlbs_2m = {{.entries = SIMULATED_SHARED}, {.entries = SIMULATED_SHARED}},
		.tlbs_1g = {{.entries = SIMULATED_SHARED}, {.entries = SIMULATED_SHARED}},
		.memory_cost = {0, 90},
		.line_bytes = 64,
		.walk_levels = 4,
		.walk_from = TRUTH,
		.walk_cache_entries = 32,
		.host_walk_cache_entries = 32,
		.placement = SIMULATED_RANDOM_FRAMES,
		.memory_bytes = (uint64_t)8 << 30,
		.base_page_bytes = 4096,
		.huge_pages = true,
		.mispredict_cost = {15, 0},
		.lock_cost = {40, 0},
		.overlap = 10,
		.issued_per_cycle = 1,
		.reorder_window = 512,
		.topology = {1, 1, 1, 1, 1},
		.handover_ns = {6, 22, 60, 90, 150},
		.slices = 0.1,
		.load_ns = INFINITY,
		.clock_hz = 3.6e9,
		.probe_ratio = 3,
		.noise = 0.005,
		.outliers = 0.01,
		.drift = 0.02,
		.os_size_bytes = {TRUTH, TRUTH, TRUTH, TRUTH},
		.os_line_bytes = TRUTH,
		.seed = 1,
	};
}

static int refuse(struct fathom_error *error, const struct simulated_key *key, const char *item,
		  const char *reason)
{
	char *hint = text_format("'%s' is %s", key->name, key->form);
	error_set(error, FATHOM_BAD_INPUT, hint, "simulated machine: '%s': %s", item, reason);
	free(hint);
	return -1;
}

static int refuse_unknown(struct fathom_error *error, const char *item)
{
	struct text hint = {0};
	text_add(&hint, "the keys are");
	for (size_t i = 0; i < KEY_COUNT; i++)
		text_add(&hint, " %s", keys[i].name);
	char *known = text_take(&hint);
	error_set(error, FATHOM_BAD_INPUT, known, "simulated machine: key '%s' is not known", item);
	free(known);
	return -1;
}

static int read_item(const char *item, struct simulated_spec *spec, bool *seen,
		     struct fathom_error *error)
{
	size_t length = strcspn(item, "=");
	size_t i = 0;
	while (i < KEY_COUNT &&
	       (strlen(keys[i].name) != length || strncmp(keys[i].name, item, length) != 0))
		i++;
	if (i == KEY_COUNT)
		return refuse_unknown(error, item);
	const struct simulated_key *key = &keys[i];
	if (seen[i])
		return refuse(error, key, item, "it is given twice");
	if (!item[length] && key->read != simulated_read_flag)
		return refuse(error, key, item, "it needs a value");
	char *value = item[length] ? strdup(item + length + 1) : NULL;
	if (item[length] && !value)
		return error_no_memory(error);
	void *field = (char *)spec + key->offset;
	bool off = key->off_bytes && strcmp(value, "off") == 0;
	const char *reason = off ? NULL : key->read(key, value, field);
	if (off)
		memset(field, 0, key->off_bytes);
	free(value);
	seen[i] = true;
	return reason ? refuse(error, key, item, reason) : 0;
}

/* Entries of a full shape and of a cache's size; the reason why they cannot be, or NULL. */
static const char *finish_shape(struct simulated_shape *shape, uint64_t line_bytes)
{
	if (shape->size_bytes % line_bytes)
		return "its size is not a whole number of lines";
	if (shape->size_bytes)
		shape->entries = shape->size_bytes / line_bytes;
	if (shape->entries > SIMULATED_MAX_ENTRIES)
		return "it has too many lines";
	if (!shape->ways && shape->entries > SIMULATED_MAX_WAYS)
		return "it is too large to be fully associative (1024 entries at most)";
	if (!shape->ways)
		shape->ways = shape->entries;
	if (shape->entries % shape->ways)
		return "its ways do not divide its entries";
	bool power = !(shape->ways & (shape->ways - 1));
	if (shape->policy == SIMULATED_PLRU && (!power || shape->ways > MAX_PLRU))
		return "plru needs a power of two of ways, 64 at most";
	if (shape->policy == SIMULATED_DRRIP && shape->entries < 2 * shape->ways)
		return "drrip needs two sets or more, to compare";
	return NULL;
}

/* A level that is off ends the row: the defaults above it are off too, and what was given there
 * cannot be. */
static int finish_row(struct simulated_shape *shapes, size_t most, uint64_t *count,
		      const struct simulated_key *row_keys, const bool *seen, uint64_t line_bytes,
		      struct fathom_error *error)
{
	size_t used = 0;
	for (size_t i = 0; i < most; i++) {
		bool there = shapes[i].size_bytes || shapes[i].entries;
		if (there && i > used && seen[i])
			return refuse(error, &row_keys[i], row_keys[i].name,
				      "the level below it is off");
		if (!there || i > used)
			continue;
		const char *reason = finish_shape(&shapes[i], line_bytes);
		if (reason)
			return refuse(error, &row_keys[i], row_keys[i].name, reason);
		used++;
	}
	memset(shapes + used, 0, (most - used) * sizeof(*shapes));
	*count = used;
	return 0;
}

/* TLBs of one larger kind of page; without a first TLB translation costs nothing. */
static int finish_large_tlbs(const struct simulated_spec *spec, struct simulated_shape *shapes,
			     const struct simulated_key *row_keys, struct fathom_error *error)
{
	for (size_t i = 0; i < SIMULATED_TLBS; i++) {
		const char *reason = NULL;
		if (shapes[i].entries == SIMULATED_SHARED)
			shapes[i] =
				i < spec->tlb_count ? spec->tlbs[i] : (struct simulated_shape){0};
		else if (shapes[i].entries && !spec->tlb_count)
			reason = "dtlb is off";
		else if (shapes[i].entries)
			reason = finish_shape(&shapes[i], spec->line_bytes);
		if (reason)
			return refuse(error, &row_keys[i], row_keys[i].name, reason);
	}
	return 0;
}

/* What a victim cache is filled from must be there. DRRIP would learn from its misses, but what
 * comes in is none: it was evicted elsewhere. */
static int finish_victim(const struct simulated_spec *spec, struct fathom_error *error)
{
	for (size_t i = 0; i < spec->cache_count; i++) {
		if (!spec->caches[i].victim)
			continue;
		if (i == 0 || i + 1 < spec->cache_count)
			return refuse(error, &keys[i], keys[i].name,
				      "only the last of several caches can be a victim");
		if (spec->caches[i].policy == SIMULATED_DRRIP)
			return refuse(error, &keys[i], keys[i].name, "a victim cannot be drrip");
	}
	return 0;
}

static int finish_pages(const struct simulated_spec *spec, struct fathom_error *error)
{
	double pools = (double)spec->pool_2m_pages * 0x1p21 + (double)spec->pool_1g_pages * 0x1p30;
	if (pools > (double)spec->memory_bytes)
		return error_set(error, FATHOM_BAD_INPUT, "set its memory with memory=",
				 "simulated machine: 'pool2m' and 'pool1g' exceed its memory");
	if (spec->multi_size_bytes && spec->multi_size_bytes <= spec->base_page_bytes)
		return error_set(error, FATHOM_BAD_INPUT, "page= sets the base page (default: 4K)",
				 "simulated machine: 'mthp' is not larger than the base page");
	return 0;
}

/* What limits a cache that is not there. */
static int finish_limits(const struct simulated_spec *spec, struct fathom_error *error)
{
	for (size_t i = spec->cache_count; i < SIMULATED_LEVELS; i++) {
		const struct simulated_rate *behind = &spec->rates[i + 1];
		if (spec->miss_buffers[i])
			return error_set(error, FATHOM_BAD_INPUT, "one number for each cache",
					 "simulated machine: 'misses' names a cache that is off");
		if (behind->bytes_per_cycle > 0 || behind->bytes_per_second > 0)
			return error_set(error, FATHOM_BAD_INPUT,
					 "one rate for each cache, and one for memory",
					 "simulated machine: 'bandwidth' names a cache that is "
					 "off");
	}
	return 0;
}

/* What follows from several keys, or from those that were not given. */
static int finish(struct simulated_spec *spec, const bool *seen, struct fathom_error *error)
{
	if (finish_row(spec->caches, SIMULATED_LEVELS, &spec->cache_count, keys, seen,
		       spec->line_bytes, error) ||
	    finish_row(spec->tlbs, SIMULATED_TLBS, &spec->tlb_count, keys + SIMULATED_LEVELS,
		       seen + SIMULATED_LEVELS, spec->line_bytes, error) ||
	    finish_large_tlbs(spec, spec->tlbs_2m, keys + LARGE_TLB_KEYS, error) ||
	    finish_large_tlbs(spec, spec->tlbs_1g, keys + LARGE_TLB_KEYS + SIMULATED_TLBS, error) ||
	    finish_victim(spec, error) || finish_pages(spec, error) || finish_limits(spec, error) ||
	    simulated_cpus_finish(spec, error))
		return -1;
	if (!spec->cache_count)
		return error_set(error, FATHOM_BAD_INPUT, "give it one, like l1=48K/12/lru/5c",
				 "simulated machine: 'l1' is off: no cache is left");
	if (spec->walk_from == TRUTH)
		spec->walk_from = spec->cache_count > 1 && !spec->caches[1].victim ? 1 : 0;
	if (spec->walk_from >= spec->cache_count)
		return error_set(error, FATHOM_BAD_INPUT, "name a cache that is on",
				 "simulated machine: 'walk_from' names a cache that is off");
	if (spec->caches[spec->walk_from].victim)
		return error_set(error, FATHOM_BAD_INPUT, "name a level before it",
				 "simulated machine: 'walk_from' names a victim cache");
	for (size_t i = 0; i < SIMULATED_LEVELS; i++)
		if (spec->os_size_bytes[i] == TRUTH)
			spec->os_size_bytes[i] =
				i < spec->cache_count ? spec->caches[i].size_bytes : 0;
	if (spec->os_line_bytes == TRUTH)
		spec->os_line_bytes = spec->line_bytes;
	return 0;
}

int simulated_spec_parse(const char *description, struct simulated_spec *spec,
			 struct fathom_error *error)
{
	if (strncmp(description, PREFIX, strlen(PREFIX)) != 0)
		return error_set(error, FATHOM_BAD_INPUT,
				 "a simulated machine is written like sim:l1=32K/8/lru/4c,mem=80ns",
				 "machine '%s' is not known", description);
	char *text = strdup(description + strlen(PREFIX));
	if (!text)
		return error_no_memory(error);
	struct simulated_spec parsed = default_spec();
	bool seen[KEY_COUNT] = {0};
	int status = 0;
	char *rest = *text ? text : NULL;
	for (char *item; !status && (item = strsep(&rest, ","));)
		status = read_item(item, &parsed, seen, error);
	if (!status)
		status = finish(&parsed, seen, error);
	free(text);
	if (!status)
		*spec = parsed;
	return status;
}
