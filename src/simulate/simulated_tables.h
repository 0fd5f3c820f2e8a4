/* The page tables of a simulated machine: which of their lines a walk reads. In a guest each entry
 * of its own tables lies at an address that its host's tables translate, and so does the data. */
#pragma once

#include "simulate/simulated_cache.h"

/* Levels of a page table, the leaf first; each table has 512 entries of 8 bytes. */
#define SIMULATED_TABLE_LEVELS 6
/* Each level of a guest's and the page itself, through all of its host's. */
#define SIMULATED_WALK_READS ((SIMULATED_TABLE_LEVELS + 1) * (SIMULATED_TABLE_LEVELS + 1) - 1)

/* Lines are 32-bit numbers: data has the lower half of them, page tables lie above. No host can
 * hold a chain that would need more. */
#define SIMULATED_DATA_LINES ((uint64_t)1 << 31)

struct simulated_region { /* physical memory for frames of one size */
	uint64_t first_line;
	uint64_t frames;
	uint64_t frame_lines;
};

/* The first lines of `count` frames that `key` draws, at most as many as the region has: a random
 * run of them, or each one at random. */
void simulated_region_draw(const struct simulated_region *region,
			   enum simulated_placement placement, uint64_t key, uint32_t *lines,
			   uint64_t count);

struct simulated_table {
	uint64_t levels;
	uint64_t first[SIMULATED_TABLE_LEVELS]; /* of each level's tables, in `lines` */
	uint32_t *lines;                        /* where each table begins */
	struct simulated_cache cache;           /* entries above the leaf */
};

struct simulated_tables {
	uint64_t line_bytes;
	struct simulated_table own; /* the only ones, or a guest's */
	struct simulated_table host;
	struct simulated_cache nested_tlb; /* a guest's physical pages to frames */
	uint64_t page_bytes;
	uint64_t host_page_bytes; /* 0: there is no host */
	uint64_t host_data_pages; /* of the host, that hold the data; a guest's tables are behind */
	unsigned read_count;      /* by the last walk */
	uint32_t reads[SIMULATED_WALK_READS];
};

/* Nothing is mapped. Errors: FAILED (memory). */
int simulated_tables_open(struct simulated_tables *tables, const struct simulated_spec *spec,
			  struct fathom_error *error);
void simulated_tables_close(struct simulated_tables *tables);
/* Tables for so many pages, in frames that `key` draws; what the walk caches hold is forgotten.
 * Errors: FAILED (memory). */
int simulated_tables_map(struct simulated_tables *tables, const struct simulated_spec *spec,
			 uint64_t pages, uint64_t page_bytes, uint64_t key,
			 struct fathom_error *error);
/* Walks for the access at `offset`: the lines in tables->reads. The entry that a walk cache knows
 * nearest to the leaf saves reading it and all above it; a guest's then also has its frame. */
void simulated_tables_walk(struct simulated_tables *tables, uint64_t offset);
