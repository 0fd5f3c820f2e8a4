#include "simulate/simulated_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/units.h"

#define LARGE_BYTES      ((uint64_t)2 << 20)
#define HUGE_BYTES       ((uint64_t)1 << 30)
#define NEIGHBOURS_LINES ((uint64_t)1 << 22) /* hardly any comes again */

static void close_map(struct simulated_mapping *map)
{
	for (size_t i = 0; i < SIMULATED_TLBS; i++)
		simulated_cache_close(&map->tlbs[i]);
	free(map->frame_lines);
}

int simulated_memory_open(struct simulated_memory *memory, const struct simulated_spec *spec,
			  struct fathom_error *error)
{
	*memory = (struct simulated_memory){.spec = *spec,
					    .prefetch = simulated_prefetch_make(spec),
					    .beside = rng_make(rng_mix(spec->seed, 104))};
	while (memory->filled_count < spec->cache_count &&
	       !spec->caches[memory->filled_count].victim)
		memory->filled_count++;
	int status = simulated_tables_open(&memory->tables, spec, error);
	for (size_t i = 0; !status && i < spec->cache_count; i++)
		status = simulated_cache_open(&memory->caches[i], &spec->caches[i],
					      rng_mix(spec->seed, i), error);
	if (status)
		simulated_memory_close(memory);
	return status;
}

void simulated_memory_close(struct simulated_memory *memory)
{
	for (size_t i = 0; i < SIMULATED_LEVELS; i++)
		simulated_cache_close(&memory->caches[i]);
	simulated_tables_close(&memory->tables);
	close_map(&memory->map);
	*memory = (struct simulated_memory){0};
}

/* ---- mapping ---- */

static struct simulated_region data_region(const struct simulated_memory *memory,
					   uint64_t frame_bytes)
{
	uint64_t frame_lines = frame_bytes / memory->spec.line_bytes;
	uint64_t lines = memory->spec.memory_bytes / memory->spec.line_bytes;
	return (struct simulated_region){
		.frames =
			(lines < SIMULATED_DATA_LINES ? lines : SIMULATED_DATA_LINES) / frame_lines,
		.frame_lines = frame_lines,
	};
}

static uint64_t divide_up(uint64_t count, uint64_t by)
{
	return count / by + (count % by != 0);
}

static int open_tlbs(const struct simulated_spec *spec, uint64_t key, struct simulated_mapping *map,
		     struct fathom_error *error)
{
	const struct simulated_shape *shapes = map->entry_bytes >= HUGE_BYTES    ? spec->tlbs_1g
					       : map->entry_bytes >= LARGE_BYTES ? spec->tlbs_2m
										 : spec->tlbs;
	for (size_t i = 0; i < SIMULATED_TLBS; i++) {
		uint64_t seed = rng_mix(rng_mix(spec->seed, SIMULATED_LEVELS + i), key);
		if (!shapes[i].entries)
			continue;
		if (simulated_cache_open(&map->tlbs[map->tlb_count], &shapes[i], seed, error))
			return -1;
		map->tlb_costs[map->tlb_count++] = shapes[i].cost;
	}
	return 0;
}

/* Lines that were used again before would keep theirs from the new ones for a hundred laps of
 * bimodal insertion, and under random replacement for eight. No measurement waits for that, and
 * none would see the law. */
static void renew(struct simulated_memory *memory)
{
	for (size_t i = 0; i < memory->spec.cache_count; i++)
		if (memory->caches[i].policy != SIMULATED_LRU &&
		    memory->caches[i].policy != SIMULATED_PLRU)
			simulated_cache_flush(&memory->caches[i]);
}

int simulated_memory_map(struct simulated_memory *memory, uint64_t bytes, uint64_t page_bytes,
			 uint64_t key, struct fathom_error *error)
{
	char text[UNITS_TEXT_BYTES];
	const struct simulated_spec *spec = &memory->spec;
	uint64_t frame_bytes = spec->host_page_bytes ? spec->host_page_bytes : page_bytes;
	struct simulated_mapping map = {
		.page_bytes = page_bytes,
		.pages = divide_up(bytes, page_bytes),
		.frame_bytes = frame_bytes,
		.entry_bytes = frame_bytes < page_bytes ? frame_bytes : page_bytes,
	};
	struct simulated_region data = data_region(memory, frame_bytes);
	uint64_t frames = divide_up(map.pages * page_bytes, frame_bytes);
	if (frames > data.frames)
		return error_set(error, FATHOM_UNABLE, "set its memory with memory=",
				 "the simulated machine has no memory for %s",
				 units_format_size(bytes, text));
	map.frame_lines = malloc(frames * sizeof(*map.frame_lines));
	int status = map.frame_lines ? open_tlbs(spec, key, &map, error) : error_no_memory(error);
	if (!status)
		status = simulated_tables_map(&memory->tables, spec, map.pages, page_bytes,
					      rng_mix(key, 1), error);
	if (status) {
		close_map(&map);
		return -1;
	}
	simulated_region_draw(&data, spec->placement, rng_mix(key, 0), map.frame_lines, frames);
	close_map(&memory->map);
	memory->map = map;
	renew(memory);
	return 0;
}

/* ---- loading ---- */

/* A victim cache gives what it has to the level before, and takes what that one evicts for it. */
static bool swap_with_victim(struct simulated_memory *memory, unsigned level, uint32_t line)
{
	uint32_t evicted = memory->caches[level - 1].evicted;
	bool hit = simulated_cache_take(&memory->caches[level], line);
	if (evicted)
		simulated_cache_touch(&memory->caches[level], evicted - 1);
	return hit;
}

/* Brings the line to the caches from `first_level` on, and tells which had it. */
static unsigned fetch_line(struct simulated_memory *memory, uint64_t first_level, uint32_t line)
{
	unsigned level = (unsigned)first_level;
	while (level < memory->filled_count && !simulated_cache_touch(&memory->caches[level], line))
		level++;
	if (level == memory->filled_count && level < memory->spec.cache_count &&
	    !swap_with_victim(memory, level, line))
		level++;
	return level;
}

static unsigned read_line(struct simulated_memory *memory, uint64_t first_level, uint32_t line)
{
	unsigned level = fetch_line(memory, first_level, line);
	memory->lines_served[level]++;
	return level;
}

/* Into the second cache, where there is one that can be filled: nobody waits for it. */
static void prefetch(struct simulated_memory *memory, uint32_t line, unsigned level)
{
	uint32_t lines[PREFETCH_MOST];
	unsigned into = memory->filled_count > 1 ? 1 : 0;
	if (level == 0)
		return;
	size_t count = simulated_prefetch_lines(&memory->prefetch, line, level > into, lines);
	for (size_t i = 0; i < count; i++)
		memory->path.ahead[fetch_line(memory, into, lines[i])]++;
}

static void add_cost(struct simulated_cost *total, const struct simulated_cost *each,
		     uint64_t count)
{
	total->cycles += (double)count * each->cycles;
	total->ns += (double)count * each->ns;
}

static void walk(struct simulated_memory *memory, uint64_t offset)
{
	const struct simulated_tables *tables = &memory->tables;
	struct simulated_path *path = &memory->path;
	memory->walks++;
	add_cost(&path->translation, &memory->spec.walk_cost, 1);
	simulated_tables_walk(&memory->tables, offset);
	for (; path->walk_reads < tables->read_count; path->walk_reads++)
		path->walk_levels[path->walk_reads] = (unsigned char)read_line(
			memory, memory->spec.walk_from, tables->reads[path->walk_reads]);
}

static void translate(struct simulated_memory *memory, uint64_t offset)
{
	struct simulated_mapping *map = &memory->map;
	uint32_t entry = (uint32_t)(offset >> __builtin_ctzll(map->entry_bytes));
	for (size_t i = 0; i < map->tlb_count; i++) {
		memory->translations_asked[i]++;
		add_cost(&memory->path.translation, &map->tlb_costs[i], 1);
		if (simulated_cache_touch(&map->tlbs[i], entry))
			return;
	}
	walk(memory, offset);
}

static uint32_t line_of(const struct simulated_memory *memory, uint64_t offset)
{
	const struct simulated_mapping *map = &memory->map;
	uint64_t frame = offset >> __builtin_ctzll(map->frame_bytes);
	uint64_t line =
		(offset & (map->frame_bytes - 1)) >> __builtin_ctzll(memory->spec.line_bytes);
	return map->frame_lines[frame] + (uint32_t)line;
}

static void begin(struct simulated_memory *memory, uint64_t offset)
{
	memory->path.translation = (struct simulated_cost){0, 0};
	memory->path.walk_reads = 0;
	memset(memory->path.ahead, 0, sizeof(memory->path.ahead));
	if (memory->spec.tlb_count)
		translate(memory, offset);
}

/* Its lines are the last of all numbers, where nothing else has any. */
static void read_beside(struct simulated_memory *memory)
{
	if (!memory->beside_bytes)
		return;
	uint64_t lines = divide_up(memory->beside_bytes, memory->spec.line_bytes);
	fetch_line(memory, 0, UINT32_MAX - 2 - (uint32_t)rng_below(&memory->beside, lines));
}

/* What others bring to the last cache while the access takes place: lines that nothing else has. */
static void let_neighbours(struct simulated_memory *memory)
{
	const struct simulated_spec *spec = &memory->spec;
	const struct simulated_path *path = &memory->path;
	const struct simulated_cost *cost = path->level < spec->cache_count
						    ? &spec->caches[path->level].cost
						    : &spec->memory_cost;
	double cycles = cost->cycles + path->translation.cycles;
	double ns = cycles * 1e9 / spec->clock_hz + cost->ns + path->translation.ns;
	memory->until_neighbours_ns -= ns / (memory->overlap > 1 ? memory->overlap : 1);
	for (; memory->until_neighbours_ns < 0; memory->until_neighbours_ns += spec->neighbours_ns)
		simulated_cache_touch(
			&memory->caches[spec->cache_count - 1],
			UINT32_MAX - 2 - (uint32_t)rng_below(&memory->beside, NEIGHBOURS_LINES));
}

static unsigned touch(struct simulated_memory *memory, uint64_t offset)
{
	uint32_t line = line_of(memory, offset);
	begin(memory, offset);
	memory->path.line = line;
	memory->path.level = read_line(memory, 0, line);
	prefetch(memory, line, memory->path.level);
	read_beside(memory);
	if (memory->spec.neighbours_ns > 0 && memory->spec.cache_count)
		let_neighbours(memory);
	return memory->path.level;
}

unsigned simulated_memory_load(struct simulated_memory *memory, uint64_t offset)
{
	unsigned level = touch(memory, offset);
	memory->data_served[level]++;
	return level;
}

void simulated_memory_store(struct simulated_memory *memory, uint64_t offset)
{
	touch(memory, offset);
}

static void drop_line(struct simulated_memory *memory, uint32_t line)
{
	for (size_t i = 0; i < memory->spec.cache_count; i++)
		simulated_cache_take(&memory->caches[i], line);
}

void simulated_memory_store_nt(struct simulated_memory *memory, uint64_t offset)
{
	begin(memory, offset);
	drop_line(memory, line_of(memory, offset));
	memory->path.level = (unsigned)memory->spec.cache_count;
	memory->lines_served[memory->path.level]++;
}

void simulated_memory_drop(struct simulated_memory *memory, uint64_t bytes)
{
	for (uint64_t offset = 0; offset < bytes; offset += memory->spec.line_bytes) {
		if (memory->spec.tlb_count && offset % memory->map.entry_bytes == 0)
			begin(memory, offset);
		drop_line(memory, line_of(memory, offset));
	}
}

void simulated_memory_drop_line(struct simulated_memory *memory, uint64_t offset)
{
	begin(memory, offset);
	drop_line(memory, line_of(memory, offset));
}

struct simulated_cost simulated_memory_cost(const struct simulated_memory *memory)
{
	const struct simulated_spec *spec = &memory->spec;
	struct simulated_cost total = {0, 0};
	for (size_t i = 0; i < spec->cache_count; i++)
		add_cost(&total, &spec->caches[i].cost, memory->lines_served[i]);
	add_cost(&total, &spec->memory_cost, memory->lines_served[spec->cache_count]);
	for (size_t i = 0; i < memory->map.tlb_count; i++)
		add_cost(&total, &memory->map.tlb_costs[i], memory->translations_asked[i]);
	add_cost(&total, &spec->walk_cost, memory->walks);
	return total;
}

void simulated_memory_forget(struct simulated_memory *memory)
{
	memory->walks = 0;
	memset(memory->lines_served, 0, sizeof(memory->lines_served));
	memset(memory->data_served, 0, sizeof(memory->data_served));
	memset(memory->translations_asked, 0, sizeof(memory->translations_asked));
}

struct simulated_cost simulated_memory_take_cost(struct simulated_memory *memory)
{
	struct simulated_cost cost = simulated_memory_cost(memory);
	simulated_memory_forget(memory);
	return cost;
}
