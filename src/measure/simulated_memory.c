#include "measure/simulated_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/units.h"
#include "kernels/permutation.h"

#define TABLE_BITS    9
#define TABLE_ENTRIES ((uint64_t)1 << TABLE_BITS)
#define ENTRY_BYTES   8
#define TABLE_BYTES   (TABLE_ENTRIES * ENTRY_BYTES)

/* Lines are 32-bit numbers: data has the lower half of them, page tables lie above. No host can
 * hold a chain that would need more. */
#define DATA_LINES ((uint64_t)1 << 31)

int simulated_memory_open(struct simulated_memory *memory, const struct simulated_spec *spec,
			  struct fathom_error *error)
{
	*memory =
		(struct simulated_memory){.spec = *spec, .prefetch = simulated_prefetch_make(spec)};
	struct simulated_shape walk_cache = {.entries = spec->walk_cache_entries,
					     .ways = spec->walk_cache_entries,
					     .policy = SIMULATED_LRU};
	while (memory->filled_count < spec->cache_count &&
	       !spec->caches[memory->filled_count].victim)
		memory->filled_count++;
	int status = simulated_cache_open(&memory->walk_cache, &walk_cache, 0, error);
	for (size_t i = 0; !status && i < spec->cache_count; i++)
		status = simulated_cache_open(&memory->caches[i], &spec->caches[i],
					      rng_mix(spec->seed, i), error);
	for (size_t i = 0; !status && i < spec->tlb_count; i++)
		status = simulated_cache_open(&memory->tlbs[i], &spec->tlbs[i],
					      rng_mix(spec->seed, SIMULATED_LEVELS + i), error);
	if (status)
		simulated_memory_close(memory);
	return status;
}

void simulated_memory_close(struct simulated_memory *memory)
{
	for (size_t i = 0; i < SIMULATED_LEVELS; i++)
		simulated_cache_close(&memory->caches[i]);
	for (size_t i = 0; i < SIMULATED_TLBS; i++)
		simulated_cache_close(&memory->tlbs[i]);
	simulated_cache_close(&memory->walk_cache);
	free(memory->page_lines);
	free(memory->table_lines);
	*memory = (struct simulated_memory){0};
}

/* ---- mapping ---- */

/* Physical memory for frames of one size. */
struct region {
	uint64_t first_line;
	uint64_t frames;
	uint64_t frame_lines;
};

static void draw_frames(const struct simulated_memory *memory, const struct region *region,
			uint64_t key, uint32_t *lines, uint64_t count)
{
	struct rng rng = rng_make(key);
	uint64_t first = rng_below(&rng, region->frames - count + 1);
	struct permutation shuffled = permutation_make(region->frames, key);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t frame = memory->spec.placement == SIMULATED_RANDOM_FRAMES
					 ? permutation_forward(&shuffled, i)
					 : first + i;
		lines[i] = (uint32_t)(region->first_line + frame * region->frame_lines);
	}
}

static struct region data_region(const struct simulated_memory *memory, uint64_t page_bytes)
{
	uint64_t frame_lines = page_bytes / memory->spec.line_bytes;
	uint64_t lines = memory->spec.memory_bytes / memory->spec.line_bytes;
	return (struct region){.frames = (lines < DATA_LINES ? lines : DATA_LINES) / frame_lines,
			       .frame_lines = frame_lines};
}

/* Room for many times the tables that can be needed, so that random ones spread over the sets. */
static struct region table_region(const struct simulated_memory *memory)
{
	uint64_t frame_lines = TABLE_BYTES / memory->spec.line_bytes;
	return (struct region){.first_line = DATA_LINES,
			       .frames = DATA_LINES / 4 / frame_lines,
			       .frame_lines = frame_lines};
}

/* A page of 512 base pages is mapped one level further up. */
static uint64_t levels_of(const struct simulated_spec *spec, uint64_t page_bytes)
{
	uint64_t levels = spec->walk_levels;
	for (uint64_t bytes = spec->base_page_bytes * TABLE_ENTRIES;
	     levels > 1 && bytes <= page_bytes; bytes *= TABLE_ENTRIES)
		levels--;
	return levels;
}

static uint64_t tables_at(uint64_t pages, uint64_t level)
{
	return ((pages - 1) >> (TABLE_BITS * (level + 1))) + 1;
}

int simulated_memory_map(struct simulated_memory *memory, uint64_t bytes, uint64_t page_bytes,
			 uint64_t key, struct fathom_error *error)
{
	char text[UNITS_TEXT_BYTES];
	uint64_t pages = bytes / page_bytes + (bytes % page_bytes != 0);
	uint64_t tables = 0, levels = levels_of(&memory->spec, page_bytes);
	struct region data = data_region(memory, page_bytes);
	if (pages > data.frames)
		return error_set(error, FATHOM_UNABLE, "memory= says how much it has",
				 "the simulated machine has no room for %s",
				 units_format_size(bytes, text));
	for (uint64_t level = 0; level < levels; level++)
		tables += tables_at(pages, level);
	uint32_t *page_lines = malloc(pages * sizeof(*page_lines));
	uint32_t *table_lines = malloc(tables * sizeof(*table_lines));
	if (!page_lines || !table_lines) {
		free(page_lines);
		free(table_lines);
		return error_no_memory(error);
	}
	struct region above = table_region(memory);
	draw_frames(memory, &data, rng_mix(key, 0), page_lines, pages);
	draw_frames(memory, &above, rng_mix(key, 1), table_lines, tables);
	free(memory->page_lines);
	free(memory->table_lines);
	memory->page_lines = page_lines;
	memory->table_lines = table_lines;
	memory->page_bytes = page_bytes;
	memory->pages = pages;
	memory->table_levels = levels;
	for (uint64_t level = 0, first = 0; level < levels; first += tables_at(pages, level++))
		memory->first_table[level] = first;
	for (size_t i = 0; i < SIMULATED_TLBS; i++)
		simulated_cache_flush(&memory->tlbs[i]);
	simulated_cache_flush(&memory->walk_cache);
	simulated_memory_renew(memory);
	return 0;
}

/* Lines that were used again before would keep theirs from the new ones for a hundred laps of
 * bimodal insertion, and under random replacement for eight. No measurement waits for that, and
 * none would see the law. */
void simulated_memory_renew(struct simulated_memory *memory)
{
	for (size_t i = 0; i < memory->spec.cache_count; i++)
		if (memory->caches[i].policy != SIMULATED_LRU &&
		    memory->caches[i].policy != SIMULATED_PLRU)
			simulated_cache_flush(&memory->caches[i]);
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

static void read_entry(struct simulated_memory *memory, uint64_t level, uint64_t page)
{
	uint64_t entry = page >> (TABLE_BITS * level);
	uint64_t table = memory->first_table[level] + (entry >> TABLE_BITS);
	uint64_t offset = entry % TABLE_ENTRIES * ENTRY_BYTES;
	struct simulated_path *path = &memory->path;
	path->walk_levels[path->walk_reads++] = (unsigned char)read_line(
		memory, memory->spec.walk_from,
		memory->table_lines[table] + (uint32_t)(offset / memory->spec.line_bytes));
}

/* The entry that the walk cache knows nearest to the leaf saves reading it and all above it. */
static void walk(struct simulated_memory *memory, uint64_t page)
{
	uint64_t level = memory->walk_cache.tags ? 1 : memory->table_levels;
	while (level < memory->table_levels) {
		uint64_t entry = page >> (TABLE_BITS * level);
		uint32_t item = (uint32_t)(entry * SIMULATED_TABLE_LEVELS + level);
		if (simulated_cache_touch(&memory->walk_cache, item))
			break;
		level++;
	}
	while (level--)
		read_entry(memory, level, page);
}

static void translate(struct simulated_memory *memory, uint64_t page)
{
	for (size_t i = 0; i < memory->spec.tlb_count; i++) {
		memory->translations_asked[i]++;
		memory->path.tlbs++;
		if (simulated_cache_touch(&memory->tlbs[i], (uint32_t)page))
			return;
	}
	memory->walks++;
	walk(memory, page);
}

static uint32_t line_of(const struct simulated_memory *memory, uint64_t offset)
{
	uint64_t page = offset >> __builtin_ctzll(memory->page_bytes);
	uint64_t line =
		(offset & (memory->page_bytes - 1)) >> __builtin_ctzll(memory->spec.line_bytes);
	return memory->page_lines[page] + (uint32_t)line;
}

static void begin(struct simulated_memory *memory, uint64_t offset)
{
	memory->path = (struct simulated_path){0};
	if (memory->spec.tlb_count)
		translate(memory, offset >> __builtin_ctzll(memory->page_bytes));
}

static unsigned touch(struct simulated_memory *memory, uint64_t offset)
{
	uint32_t line = line_of(memory, offset);
	begin(memory, offset);
	memory->path.level = read_line(memory, 0, line);
	prefetch(memory, line, memory->path.level);
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

void simulated_memory_store_past(struct simulated_memory *memory, uint64_t offset)
{
	begin(memory, offset);
	drop_line(memory, line_of(memory, offset));
	memory->path.level = (unsigned)memory->spec.cache_count;
	memory->lines_served[memory->path.level]++;
}

void simulated_memory_drop(struct simulated_memory *memory, uint64_t bytes)
{
	for (uint64_t offset = 0; offset < bytes; offset += memory->spec.line_bytes) {
		if (memory->spec.tlb_count && offset % memory->page_bytes == 0)
			begin(memory, offset);
		drop_line(memory, line_of(memory, offset));
	}
}

static void add_cost(struct simulated_cost *total, const struct simulated_cost *each,
		     uint64_t count)
{
	total->cycles += (double)count * each->cycles;
	total->ns += (double)count * each->ns;
}

struct simulated_cost simulated_memory_cost(const struct simulated_memory *memory)
{
	const struct simulated_spec *spec = &memory->spec;
	struct simulated_cost total = {0, 0};
	for (size_t i = 0; i < spec->cache_count; i++)
		add_cost(&total, &spec->caches[i].cost, memory->lines_served[i]);
	add_cost(&total, &spec->memory_cost, memory->lines_served[spec->cache_count]);
	for (size_t i = 0; i < spec->tlb_count; i++)
		add_cost(&total, &spec->tlbs[i].cost, memory->translations_asked[i]);
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
