#include "simulate/simulated_tables.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "kernels/permutation.h"

#define TABLE_BITS       9
#define TABLE_ENTRIES    ((uint64_t)1 << TABLE_BITS)
#define ENTRY_BYTES      8
#define TABLE_BYTES      (TABLE_ENTRIES * ENTRY_BYTES)
#define HOST_BASE_BYTES  4096
#define MULTI_SIZE_BYTES ((uint64_t)1 << 20) /* the largest of multi-size THP */

void simulated_region_draw(const struct simulated_region *region,
			   enum simulated_placement placement, uint64_t key, uint32_t *lines,
			   uint64_t count)
{
	struct rng rng = rng_make(key);
	uint64_t first = rng_below(&rng, region->frames - count + 1);
	struct permutation shuffled = permutation_make(region->frames, key);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t frame = placement == SIMULATED_RANDOM_FRAMES
					 ? permutation_forward(&shuffled, i)
					 : first + i;
		lines[i] = (uint32_t)(region->first_line + frame * region->frame_lines);
	}
}

static int open_cache(struct simulated_cache *cache, uint64_t entries, struct fathom_error *error)
{
	const struct simulated_shape full = {
		.entries = entries, .ways = entries, .policy = SIMULATED_LRU};
	return simulated_cache_open(cache, &full, 0, error);
}

int simulated_tables_open(struct simulated_tables *tables, const struct simulated_spec *spec,
			  struct fathom_error *error)
{
	*tables = (struct simulated_tables){.line_bytes = spec->line_bytes,
					    .host_page_bytes = spec->host_page_bytes};
	if (open_cache(&tables->own.cache, spec->walk_cache_entries, error) ||
	    open_cache(&tables->host.cache, spec->host_walk_cache_entries, error) ||
	    open_cache(&tables->nested_tlb, spec->nested_tlb_entries, error)) {
		simulated_tables_close(tables);
		return -1;
	}
	return 0;
}

void simulated_tables_close(struct simulated_tables *tables)
{
	simulated_cache_close(&tables->own.cache);
	simulated_cache_close(&tables->host.cache);
	simulated_cache_close(&tables->nested_tlb);
	free(tables->own.lines);
	free(tables->host.lines);
	*tables = (struct simulated_tables){0};
}

/* ---- mapping ---- */

/* A page of 512 base pages is mapped one level further up. */
static uint64_t levels_of(uint64_t levels, uint64_t base_bytes, uint64_t page_bytes)
{
	for (uint64_t bytes = base_bytes * TABLE_ENTRIES; levels > 1 && bytes <= page_bytes;
	     bytes *= TABLE_ENTRIES)
		levels--;
	return levels;
}

static uint64_t tables_at(uint64_t pages, uint64_t level)
{
	return ((pages - 1) >> (TABLE_BITS * (level + 1))) + 1;
}

static uint64_t count_tables(uint64_t pages, uint64_t levels)
{
	uint64_t count = 0;
	for (uint64_t level = 0; level < levels; level++)
		count += tables_at(pages, level);
	return count;
}

/* Room for many times the tables that can be needed, so that random ones spread over the sets. */
static struct simulated_region region_of(const struct simulated_tables *tables, bool host)
{
	uint64_t frame_lines = TABLE_BYTES / tables->line_bytes;
	uint64_t half = SIMULATED_DATA_LINES / 2;
	return (struct simulated_region){.first_line = SIMULATED_DATA_LINES + (host ? half : 0),
					 .frames = half / 2 / frame_lines,
					 .frame_lines = frame_lines};
}

static void set_table(struct simulated_table *table, uint64_t pages, uint64_t levels,
		      uint32_t *lines)
{
	free(table->lines);
	table->lines = lines;
	table->levels = levels;
	for (uint64_t level = 0, first = 0; level < levels; first += tables_at(pages, level++))
		table->first[level] = first;
	simulated_cache_flush(&table->cache);
}

int simulated_tables_map(struct simulated_tables *tables, const struct simulated_spec *spec,
			 uint64_t pages, uint64_t page_bytes, uint64_t key,
			 struct fathom_error *error)
{
	if (page_bytes <= MULTI_SIZE_BYTES) {
		pages *= page_bytes / spec->base_page_bytes; /* each has its own entry */
		page_bytes = spec->base_page_bytes;
	}
	uint64_t levels = levels_of(spec->walk_levels, spec->base_page_bytes, page_bytes);
	uint64_t count = count_tables(pages, levels);
	uint64_t host_bytes = spec->host_page_bytes, host_data = 0, host_pages = 0;
	uint64_t host_levels = levels_of(spec->walk_levels, HOST_BASE_BYTES, host_bytes);
	if (host_bytes) {
		host_data = (pages * page_bytes + host_bytes - 1) / host_bytes;
		host_pages = host_data + (count * TABLE_BYTES + host_bytes - 1) / host_bytes;
	}
	uint64_t host_count = host_bytes ? count_tables(host_pages, host_levels) : 0;
	uint32_t *lines = malloc(count * sizeof(*lines));
	uint32_t *host_lines = malloc((host_count + 1) * sizeof(*host_lines));
	if (!lines || !host_lines) {
		free(lines);
		free(host_lines);
		return error_no_memory(error);
	}
	const struct simulated_region own = region_of(tables, false),
				      host = region_of(tables, true);
	simulated_region_draw(&own, spec->placement, key, lines, count);
	if (host_count)
		simulated_region_draw(&host, spec->placement, rng_mix(key, 0), host_lines,
				      host_count);
	set_table(&tables->own, pages, levels, lines);
	set_table(&tables->host, host_pages, host_bytes ? host_levels : 0, host_lines);
	simulated_cache_flush(&tables->nested_tlb);
	tables->page_bytes = page_bytes;
	tables->host_data_pages = host_data;
	return 0;
}

/* ---- walking ---- */

/* The first level, from the leaf on, whose entry need not be read. */
static uint64_t find_known(struct simulated_table *table, uint64_t page)
{
	uint64_t level = table->cache.tags ? 1 : table->levels;
	for (; level < table->levels; level++) {
		uint64_t entry = page >> (TABLE_BITS * level);
		uint32_t item = (uint32_t)(entry * SIMULATED_TABLE_LEVELS + level);
		if (simulated_cache_touch(&table->cache, item))
			break;
	}
	return level;
}

static uint64_t table_index(const struct simulated_table *table, uint64_t level, uint64_t page)
{
	return table->first[level] + (page >> (TABLE_BITS * (level + 1)));
}

static void read_entry(struct simulated_tables *tables, const struct simulated_table *table,
		       uint64_t level, uint64_t page)
{
	uint64_t offset = (page >> (TABLE_BITS * level)) % TABLE_ENTRIES * ENTRY_BYTES;
	tables->reads[tables->read_count++] = table->lines[table_index(table, level, page)] +
					      (uint32_t)(offset / tables->line_bytes);
}

static void walk_host(struct simulated_tables *tables, uint64_t page)
{
	if (tables->nested_tlb.tags && simulated_cache_touch(&tables->nested_tlb, (uint32_t)page))
		return;
	for (uint64_t level = find_known(&tables->host, page); level--;)
		read_entry(tables, &tables->host, level, page);
}

/* Which of the host's pages holds a table of the guest. */
static uint64_t page_of_table(const struct simulated_tables *tables, uint64_t table)
{
	return tables->host_data_pages +
	       (table * TABLE_BYTES >> __builtin_ctzll(tables->host_page_bytes));
}

void simulated_tables_walk(struct simulated_tables *tables, uint64_t offset)
{
	uint64_t page = offset >> __builtin_ctzll(tables->page_bytes);
	uint64_t known = find_known(&tables->own, page);
	tables->read_count = 0;
	for (uint64_t level = known; level--;) {
		bool has_frame = level + 1 == known && known < tables->own.levels;
		if (tables->host_page_bytes && !has_frame)
			walk_host(tables,
				  page_of_table(tables, table_index(&tables->own, level, page)));
		read_entry(tables, &tables->own, level, page);
	}
	if (tables->host_page_bytes)
		walk_host(tables, offset >> __builtin_ctzll(tables->host_page_bytes));
}
