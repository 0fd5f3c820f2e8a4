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
		.dram = {2, 16, 3.2, 28, 8, 300, 7800},
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
		.sibling_times = 1.25,
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
		.touch_ns = 500,
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
	for (const struct simulated_key *key = simulated_keys; key->name; key++)
		text_add(&hint, " %s", key->name);
	char *known = text_take(&hint);
	error_set(error, FATHOM_BAD_INPUT, known, "simulated machine: key '%s' is not known", item);
	free(known);
	return -1;
}

/* Which keys were given. */
struct seen {
	bool keys[SIMULATED_MOST_KEYS];
};

/* `of_kind`: for one kind of core. */
static int read_item(const char *item, bool of_kind, struct simulated_spec *spec, struct seen *seen,
		     struct fathom_error *error)
{
	size_t length = strcspn(item, "=");
	size_t i = 0;
	while (simulated_keys[i].name && (strlen(simulated_keys[i].name) != length ||
					  strncmp(simulated_keys[i].name, item, length) != 0))
		i++;
	const struct simulated_key *key = &simulated_keys[i];
	if (!key->name)
		return refuse_unknown(error, item);
	if (seen->keys[i] && key->read != simulated_read_kind)
		return refuse(error, key, item, "it is given twice");
	if (of_kind && !simulated_key_is_of_core(key))
		return refuse(error, key, item, "it is of the machine, not of a kind of core");
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
	seen->keys[i] = true;
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
			return refuse(error, &simulated_keys[i], simulated_keys[i].name,
				      "only the last of several caches can be a victim");
		if (spec->caches[i].policy == SIMULATED_DRRIP)
			return refuse(error, &simulated_keys[i], simulated_keys[i].name,
				      "a victim cannot be drrip");
	}
	return 0;
}

/* They have all the memory that there is. */
static int finish_nodes(struct simulated_spec *spec, const struct seen *seen,
			struct fathom_error *error)
{
	bool has_memory = false;
	for (size_t i = 0; i < SIMULATED_MOST_KEYS; i++)
		has_memory |= seen->keys[i] && strcmp(simulated_keys[i].name, "memory") == 0;
	const char *key, *reason = simulated_nodes_finish(spec, has_memory, &key);
	return reason ? error_set(error, FATHOM_BAD_INPUT,
				  "like cpus=2x1x2x1,node_mem=90ns/140ns/250ns+140ns/90ns/260ns",
				  "simulated machine: '%s': %s", key, reason)
		      : 0;
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
static int finish(struct simulated_spec *spec, const struct seen *seen, struct fathom_error *error)
{
	if (finish_row(spec->caches, SIMULATED_LEVELS, &spec->cache_count, simulated_keys,
		       seen->keys, spec->line_bytes, error) ||
	    finish_row(spec->tlbs, SIMULATED_TLBS, &spec->tlb_count,
		       simulated_keys + SIMULATED_LEVELS, seen->keys + SIMULATED_LEVELS,
		       spec->line_bytes, error) ||
	    finish_large_tlbs(spec, spec->tlbs_2m, simulated_keys + LARGE_TLB_KEYS, error) ||
	    finish_large_tlbs(spec, spec->tlbs_1g, simulated_keys + LARGE_TLB_KEYS + SIMULATED_TLBS,
			      error) ||
	    finish_victim(spec, error) || simulated_cpus_finish(spec, error) ||
	    finish_nodes(spec, seen, error) || finish_pages(spec, error) ||
	    finish_limits(spec, error))
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

/* Items that stand between separators. */
static int read_items(const char *items, const char *separator, struct simulated_spec *spec,
		      struct seen *seen, struct fathom_error *error)
{
	char *text = strdup(items);
	if (!text)
		return error_no_memory(error);
	int status = 0;
	char *rest = *text ? text : NULL;
	for (char *item; !status && (item = strsep(&rest, separator));)
		status = read_item(item, *separator == ':', spec, seen, error);
	free(text);
	return status;
}

const struct simulated_kind *simulated_kind_of(const struct simulated_spec *spec, uint64_t cpu)
{
	for (size_t i = 0; i < spec->kind_count; i++)
		if (cpu >= spec->kinds[i].first_cpu && cpu <= spec->kinds[i].last_cpu)
			return &spec->kinds[i];
	return NULL;
}

/* What was read, with what is different in that kind. */
static int finish_kind(const struct simulated_spec *read, const struct seen *seen,
		       const struct simulated_kind *kind, struct simulated_spec *spec,
		       struct fathom_error *error)
{
	struct seen of_own = {0};
	*spec = *read;
	if (kind && read_items(kind->items, ":", spec, &of_own, error))
		return -1;
	for (size_t i = 0; i < SIMULATED_MOST_KEYS; i++)
		of_own.keys[i] |= seen->keys[i];
	if (finish(spec, &of_own, error))
		return -1;
	return kind && kind->last_cpu >= spec->cpus
		       ? error_set(error, FATHOM_BAD_INPUT, "set the number of CPUs with cpus=",
				   "simulated machine: 'kind' names a CPU that is not there")
		       : 0;
}

int simulated_spec_parse_at(const char *description, int cpu, int node, struct simulated_spec *spec,
			    struct fathom_error *error)
{
	struct simulated_spec read = default_spec(), finished;
	struct seen seen = {0};
	unsigned at = cpu < 0 ? 0 : (unsigned)cpu;
	if (strncmp(description, PREFIX, strlen(PREFIX)) != 0)
		return error_set(error, FATHOM_BAD_INPUT,
				 "a simulated machine is written like sim:l1=32K/8/lru/4c,mem=80ns",
				 "machine '%s' is not known", description);
	if (read_items(description + strlen(PREFIX), ",", &read, &seen, error))
		return -1;
	for (size_t i = 0; i < read.kind_count; i++)
		if (finish_kind(&read, &seen, &read.kinds[i], &finished, error))
			return -1;
	if (finish_kind(&read, &seen, simulated_kind_of(&read, at), &finished, error))
		return -1;
	simulated_nodes_take(&finished, at, node);
	*spec = finished;
	return 0;
}

/* The first CPU is of the first kind. */
int simulated_spec_parse(const char *description, struct simulated_spec *spec,
			 struct fathom_error *error)
{
	return simulated_spec_parse_at(description, 0, -1, spec, error);
}
