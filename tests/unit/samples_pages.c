/* The document of samples.h that has curves of pages. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/table.h"
#include "samples.h"

#define KIB      1024.0
#define BLOCKS   6
#define SPREAD   0.005
#define CLOCK    3.65 /* GHz */
#define LINE     64
#define SMALL    4096
#define LARGE    (2u << 20)
#define FIRST    96 /* entries */
#define SECOND   2048
#define FIRST_NS 1.92

static void *must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

static char *copy(const char *text)
{
	return must(strdup(text));
}

/* In 4 KiB pages, in large ones, and of what costs more the parts. */
static const struct {
	double size_bytes, small_ns, large_ns, tlb_ns, walk_ns;
} rows[] = {
	{16 * KIB, 1.36, 1.36, 0, 0},         {256 * KIB, 4.45, 4.44, 0, 0},
	{1024 * KIB, 5.9, 4.5, 1.2, 0},       {8192 * KIB, 40, 37.6, 1.83, 0},
	{65536 * KIB, 168, 151, 1.91, 12.6},  {1048576 * KIB, 265, 213, 1.92, 48.5},
	{4194304 * KIB, 473, 310, 1.92, 161},
};
#define ROWS (sizeof(rows) / sizeof(*rows))

/* One line a page, and packed. */
static const struct {
	double pages, spread_ns, packed_ns;
} chains[] = {
	{64, 1.36, 1.36},   {128, 3.3, 1.36},   {1024, 6.4, 4.45},
	{4096, 18.1, 4.46}, {131072, 53, 38.5}, {1048576, 365, 166},
};
#define CHAINS (sizeof(chains) / sizeof(*chains))

static struct fathom_curve *add_curve(struct fathom_result *result, enum fathom_axis axis,
				      size_t count)
{
	result->curves =
		must(realloc(result->curves, (result->curve_count + 1) * sizeof(*result->curves)));
	struct fathom_curve *curve = &result->curves[result->curve_count++];
	*curve = (struct fathom_curve){.memory_node = -1,
				       .experiment = FATHOM_PAGES,
				       .axis = axis,
				       .cpu = 1,
				       .point_count = count};
	curve->points = must(calloc(count, sizeof(*curve->points)));
	return curve;
}

static struct fathom_point sample_point(struct fathom_spec spec, double ns)
{
	spec.seed = 7;
	spec.lanes = 1;
	spec.threads = 1;
	struct fathom_point point = {
		.spec = spec,
		.nodes = spec.size_bytes / spec.node_bytes,
		.lines_touched = spec.size_bytes / spec.node_bytes,
		.page_bytes = spec.page == FATHOM_PAGE_4K ? SMALL : LARGE,
		.page_share = 1,
		.latency_ns = ns,
		.latency_low_ns = ns * (1 - SPREAD),
		.latency_high_ns = ns * (1 + SPREAD),
		.latency_cycles = ns * CLOCK,
		.latency_low_cycles = ns * CLOCK * (1 - SPREAD),
		.latency_high_cycles = ns * CLOCK * (1 + SPREAD),
		.clock_hz = CLOCK * 1e9,
		.overhead_ns = NAN,
		.target = 0.01,
		.within_target = true,
		.blocks_ns = must(calloc(BLOCKS, sizeof(double))),
		.block_count = BLOCKS,
		.placements = BLOCKS,
		.placement_spread_ns = NAN,
		.noise_spread_ns = NAN,
		.sample_count = 12,
	};
	for (int block = 0; block < BLOCKS; block++)
		point.blocks_ns[block] = ns * (1 + SPREAD * (block - 2.5) / 2.5);
	return point;
}

static void add_sizes(struct fathom_result *result, enum fathom_page page)
{
	struct fathom_curve *curve = add_curve(result, FATHOM_AXIS_SIZE, ROWS);
	for (size_t i = 0; i < ROWS; i++)
		curve->points[i] = sample_point(
			(struct fathom_spec){.size_bytes = (uint64_t)rows[i].size_bytes,
					     .node_bytes = LINE,
					     .page = page,
					     .axis = FATHOM_AXIS_SIZE},
			page == FATHOM_PAGE_4K ? rows[i].small_ns : rows[i].large_ns);
}

static void add_chain(struct fathom_result *result, bool spread)
{
	struct fathom_curve *curve = add_curve(result, FATHOM_AXIS_PAGES, CHAINS);
	uint64_t node_bytes = spread ? SMALL : LINE;
	for (size_t i = 0; i < CHAINS; i++)
		curve->points[i] = sample_point(
			(struct fathom_spec){.size_bytes = (uint64_t)chains[i].pages * node_bytes,
					     .node_bytes = node_bytes,
					     .pattern = spread ? FATHOM_ONE_PER_PAGE
							       : FATHOM_RANDOM_CYCLE,
					     .page = FATHOM_PAGE_4K,
					     .axis = FATHOM_AXIS_PAGES},
			spread ? chains[i].spread_ns : chains[i].packed_ns);
}

static struct fathom_tlb sample_tlb(double entries, double ns)
{
	return (struct fathom_tlb){
		.entries = entries,
		.entries_low = entries * 0.97,
		.entries_high = entries * 1.04,
		.penalty_ns = ns,
		.penalty_low_ns = ns * 0.98,
		.penalty_high_ns = ns * 1.02,
		.penalty_cycles = ns * CLOCK,
		.penalty_low_cycles = ns * CLOCK * 0.98,
		.penalty_high_cycles = ns * CLOCK * 1.02,
		.confidence = 0.99,
		.evidence = copy("one line a page costs more than as many lines packed"),
	};
}

static struct fathom_walk sample_walk(const char *level, double from, double to, double ns)
{
	return (struct fathom_walk){
		.level = copy(level),
		.from_pages = from,
		.to_pages = to,
		.ns = ns,
		.low_ns = ns * 0.97,
		.high_ns = ns * 1.03,
		.cycles = ns * CLOCK,
		.low_cycles = ns * CLOCK * 0.97,
		.high_cycles = ns * CLOCK * 1.03,
		.evidence = copy("the leaf tables take so much of its reach"),
	};
}

static void add_translations(struct fathom_result *result, size_t first_curve)
{
	result->translation_count = 2;
	result->translations = must(calloc(2, sizeof(*result->translations)));
	struct fathom_translation *small = &result->translations[0];
	*small = (struct fathom_translation){
		.page = FATHOM_PAGE_4K,
		.page_bytes = SMALL,
		.entry_bytes = SMALL,
		.by_size = first_curve,
		.spread = first_curve + 2,
		.packed = first_curve + 3,
		.splintered = -1,
		.nested = true,
		.tlbs = must(calloc(2, sizeof(*small->tlbs))),
		.tlb_count = 2,
		.walks = must(calloc(3, sizeof(*small->walks))),
		.walk_count = 3,
	};
	small->tlbs[0] = sample_tlb(FIRST, FIRST_NS);
	small->tlbs[1] = sample_tlb(SECOND, 11.7);
	small->walks[0] = sample_walk("L2", SECOND, 90000, 13.6);
	small->walks[1] = sample_walk("L3", 90000, 600000, 47);
	small->walks[2] = sample_walk("memory", 600000, NAN, 199);
	result->translations[1] = (struct fathom_translation){
		.page = FATHOM_PAGE_THP,
		.page_bytes = LARGE,
		.entry_bytes = LARGE,
		.by_size = first_curve + 1,
		.spread = FATHOM_NO_CURVE,
		.packed = FATHOM_NO_CURVE,
		.splintered = 0,
		.splintered_evidence = copy("from 512 KiB to 7 MiB pages of 2 MiB save 98 % "
					    "(95 %: 92 to 104) of what missing the first TLB "
					    "costs on base pages"),
		.nested = true,
		.tlbs_missing = copy("no chain with one line per page was measured"),
		.walks_missing = copy("no TLB was found, so no chain is known to miss one"),
	};
}

static struct fathom_cost sample_cost(double ns, double off_ns)
{
	return (struct fathom_cost){ns, ns - off_ns, ns + off_ns};
}

static void add_parts(struct fathom_result *result, size_t first_curve)
{
	result->decompositions = must(calloc(ROWS, sizeof(*result->decompositions)));
	result->page_differences = must(calloc(ROWS, sizeof(*result->page_differences)));
	result->decomposition_count = result->page_difference_count = ROWS;
	for (size_t i = 0; i < ROWS; i++) {
		double total = rows[i].small_ns, large = rows[i].large_ns;
		double rest = total - large - rows[i].tlb_ns - rows[i].walk_ns;
		bool bound = rows[i].size_bytes > 64.0 * LARGE;
		result->page_differences[i] = (struct fathom_page_difference){
			.small = first_curve,
			.large = first_curve + 1,
			.size_bytes = (uint64_t)rows[i].size_bytes,
			.ns = total - large,
			.low_ns = total - large - SPREAD * total,
			.high_ns = total - large + SPREAD * total,
			.pairs = BLOCKS,
		};
		result->decompositions[i] = (struct fathom_decomposition){
			.curve = first_curve,
			.size_bytes = (uint64_t)rows[i].size_bytes,
			.total = sample_cost(total, SPREAD * total),
			.parts = {sample_cost(large, SPREAD * large),
				  sample_cost(rows[i].tlb_ns, 0.02 * rows[i].tlb_ns),
				  sample_cost(rows[i].walk_ns, 0.03 * rows[i].walk_ns),
				  sample_cost(rest, 2 * SPREAD * total)},
			.memory_curve = first_curve + 1,
			.memory_is_bound = bound,
			.evidence = copy(bound ? "the cache or memory itself was measured on pages "
						 "of 2 MiB, an upper bound: "
						 "their own translation cost is not known"
					       : "the cache or memory itself was measured on pages "
						 "of 2 MiB"),
		};
	}
}

/* In place of that of the sweep alone, which is the last level. */
static void add_tlb_levels(struct fathom_result *result)
{
	const struct fathom_translation *small = &result->translations[0];
	struct fathom_level *last = &result->levels[result->level_count - 1];
	size_t curve = last->curve;
	free(last->name);
	free(last->replacement_evidence);
	free(last->evidence);
	result->level_count--;
	result->levels = must(realloc(result->levels, (result->level_count + small->tlb_count) *
							      sizeof(*result->levels)));
	for (size_t i = 0; i < small->tlb_count; i++) {
		struct fathom_level *level = &result->levels[result->level_count++];
		const struct fathom_tlb *tlb = &small->tlbs[i];
		table_unknown(&level_table, level);
		level->name = copy(i ? "TLB 2" : "TLB 1");
		level->kind = FATHOM_LEVEL_TLB;
		level->curve = curve;
		level->confidence = tlb->confidence;
		level->size_bytes = tlb->entries * SMALL;
		level->size_low_bytes = tlb->entries_low * SMALL;
		level->size_high_bytes = tlb->entries_high * SMALL;
		level->entries = tlb->entries;
		level->entry_bytes = SMALL;
		level->penalty_ns = tlb->penalty_ns;
		level->penalty_cycles = tlb->penalty_cycles;
		level->evidence = copy(tlb->evidence);
	}
}

struct fathom_result *sample_pages_result(void)
{
	struct fathom_result *result = sample_levels_result();
	size_t first_curve = result->curve_count;
	add_sizes(result, FATHOM_PAGE_4K);
	add_sizes(result, FATHOM_PAGE_THP);
	add_chain(result, true);
	add_chain(result, false);
	add_translations(result, first_curve);
	add_parts(result, first_curve);
	add_tlb_levels(result);
	return result;
}
