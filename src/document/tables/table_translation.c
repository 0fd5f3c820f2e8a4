/* What translation and the clock cost. */

#include "base/names.h"
#include "document/json_read.h"
#include "document/table.h"

/* An index in the curves of the result: of one with points. */
#define CURVE_AS(name, struct_, member, doc, ...)                                                  \
	FIELD_AS(name, struct_, member, INDEX, NULL, doc, .unknown = -1, .range = RANGE_MEASURED,  \
		 ##__VA_ARGS__)
#define CURVE(struct_, member, doc, ...) CURVE_AS(#member, struct_, member, doc, ##__VA_ARGS__)

#define TLB(member, unit, doc, ...) FIELD(tlb, member, NUMBER, unit, doc, ##__VA_ARGS__)

static const struct field tlb_table_fields[] = {
	TLB(entries, "pages", "number of entries", .range = RANGE_POSITIVE),
	BOUNDS(tlb, entries_low, entries_high, "pages"),
	TLB(penalty_ns, "ns",
	    "time that a miss adds when the next TLB, or page tables in the nearest cache, resolve "
	    "it"),
	BOUNDS(tlb, penalty_low_ns, penalty_high_ns, "ns"),
	TLB(penalty_cycles, "cycles", "the same in cycles of the core clock"),
	BOUNDS(tlb, penalty_low_cycles, penalty_high_cycles, "cycles"),
	TLB(confidence, "share", "probability that there is such a TLB", .range = RANGE_SHARE),
	FIELD(tlb, evidence, TEXT, NULL, "what that rests on, in one sentence"),
};
static TABLE(tlb_table, tlb, "tlb", "a TLB, found with chains through one line per page");

#define WALK(member, unit, doc, ...) FIELD(walk, member, NUMBER, unit, doc, ##__VA_ARGS__)

static const struct field walk_table_fields[] = {
	FIELD(walk, level, TEXT, NULL,
	      "cache that holds the page tables, L2, ..., or memory; null: not known"),
	WALK(from_pages, "pages", "fewest pages at which the tables are read from this level",
	     .range = RANGE_NOT_NEGATIVE),
	WALK(to_pages, "pages", "most pages at which they are; null: the end was not seen"),
	WALK(ns, "ns",
	     "cost of a page walk: what an access that misses all TLBs takes more than one that "
	     "hits the first"),
	BOUNDS(walk, low_ns, high_ns, "ns"),
	WALK(cycles, "cycles", "the same in cycles of the core clock"),
	BOUNDS(walk, low_cycles, high_cycles, "cycles"),
	FIELD(walk, evidence, TEXT, NULL, "why this level"),
};
static TABLE(walk_table, walk, "walk",
	     "page walks that read the leaf page tables (8 bytes per page) from one cache, or from "
	     "memory");

#define KIND(member, type, unit, doc, ...)                                                         \
	FIELD(translation, member, type, unit, doc, ##__VA_ARGS__)

static const struct field translation_table_fields[] = {
	FIELD_AS("page_kind", translation, page, NAME, NULL, "requested kind of page",
		 NAMED(page_name, FATHOM_PAGE_UNKNOWN)),
	KIND(page_bytes, BYTES, "bytes", "page size that the kernel provided",
	     .range = RANGE_POSITIVE),
	KIND(entry_bytes, BYTES, "bytes",
	     "bytes that one TLB entry covers; less than page_bytes where pages are splintered",
	     .range = RANGE_POSITIVE),
	CURVE_AS("size_curve", translation, by_size, "index in curves of the curve along sizes",
		 .old = "by_size"),
	CURVE_AS("line_per_page_curve", translation, spread,
		 "index in curves of the curve of one line per page", .old = "spread"),
	CURVE_AS("packed_curve", translation, packed,
		 "index in curves of the curve of the same number of lines packed side by side",
		 .old = "packed"),
	KIND(splintered, SWITCH, NULL,
	     "whether TLBs hold these large pages as small ones, usually because a host does; "
	     "null: not known, or base pages"),
	KIND(splintered_evidence, TEXT, NULL, "what that rests on, in one sentence"),
	KIND(nested, BOOLEAN, NULL, "whether walks read a guest's page tables and its host's"),
	LIST(translation, tlbs, tlb_count, tlb_table, "TLBs, the first level first"),
	KIND(tlbs_missing, TEXT, NULL, "why no TLB is known"),
	LIST(translation, walks, walk_count, walk_table,
	     "page walks, the nearest page tables first"),
	KIND(walks_missing, TEXT, NULL, "why the cost of a walk is not known"),
};
TABLE(translation_table, translation, "translation", "address translation on one kind of page");

#define DIFFER(member, type, unit, doc, ...)                                                       \
	FIELD(page_difference, member, type, unit, doc, ##__VA_ARGS__)

static const struct field page_difference_table_fields[] = {
	CURVE_AS("base_curve", page_difference, small, "index in curves of the curve on base pages",
		 .old = "small", .flags = FIELD_REQUIRED),
	CURVE_AS("large_curve", page_difference, large,
		 "index in curves of the curve on larger pages", .old = "large",
		 .flags = FIELD_REQUIRED),
	DIFFER(size_bytes, BYTES, "bytes", "size of the working set", .range = RANGE_POSITIVE,
	       .flags = FIELD_REQUIRED),
	DIFFER(ns, NUMBER, "ns", "extra time per access on base pages"),
	BOUNDS(page_difference, low_ns, high_ns, "ns"),
	DIFFER(pairs, SIZE, NULL,
	       "number of pairs of blocks measured side by side; 0: taken from the two latencies",
	       .flags = FIELD_ZERO),
};
TABLE(page_difference_table, page_difference, "page_difference",
      "extra cost of the same chain on base pages instead of larger ones");

static const struct field cost_table_fields[] = {
	FIELD(cost, ns, NUMBER, "ns", "time; null: not measured, so it is part of the residual"),
	BOUNDS(cost, low_ns, high_ns, "ns"),
};
static TABLE(cost_table, cost, "cost", "a part of a latency");

#define MADE(member, type, unit, doc, ...)                                                         \
	FIELD(decomposition, member, type, unit, doc, ##__VA_ARGS__)

static const struct field decomposition_table_fields[] = {
	CURVE(decomposition, curve, "index of its curve in curves", .flags = FIELD_REQUIRED),
	MADE(size_bytes, BYTES, "bytes", "size of the working set", .range = RANGE_POSITIVE,
	     .flags = FIELD_REQUIRED),
	MADE(total, OBJECT, NULL, "latency of an access", .of = &cost_table),
	MADE(parts, BY_NAME, NULL,
	     "parts of the latency: the cache or memory itself, lookups in the second TLB, page "
	     "walks, and the residual that they do not explain, which may be negative",
	     .name_of = part_name, .length = FATHOM_PART_COUNT, .of = &cost_table),
	CURVE(decomposition, memory_curve,
	      "index in curves of the large pages that the cache or memory itself was measured on"),
	MADE(memory_is_bound, BOOLEAN, NULL,
	     "whether the part memory is an upper bound, because it includes translation"),
	MADE(evidence, TEXT, NULL, "where the parts come from, and what is missing"),
};
TABLE(decomposition_table, decomposition, "decomposition",
      "parts of the latency of a random access on base pages, at one size");

#define CLOCK(member, type, unit, doc, ...) FIELD(clock, member, type, unit, doc, ##__VA_ARGS__)

static const struct field clock_table_fields[] = {
	FIELD(clock, curve, INDEX, NULL, "index of its curve in curves", .unknown = -1,
	      .flags = FIELD_REQUIRED),
	CLOCK(source, NAME, NULL,
	      "where the clock comes from: measured by the probe at each point, given by the user, "
	      "recovered from a cache inside the core, or unknown (the reference of the others)",
	      NAMED(clock_source_name, FATHOM_CLOCK_UNKNOWN)),
	CLOCK(hz, NUMBER, "Hz", "clock; null: only relative is known", .range = RANGE_POSITIVE),
	CLOCK(relative, NUMBER, NULL, "ratio to the clock of the slowest run",
	      .range = RANGE_POSITIVE, .flags = FIELD_REQUIRED),
	BOUNDS(clock, relative_low, relative_high, NULL),
	CLOCK(evidence, TEXT, NULL, "what that rests on, in one sentence"),
};
TABLE(clock_table, clock, "clock", "core clock of one of several runs");

#define LAW(member, unit, doc, ...) FIELD(clock_law, member, NUMBER, unit, doc, ##__VA_ARGS__)
#define SIZE(member, doc, ...)                                                                     \
	FIELD(clock_law, member, BYTES, "bytes", doc, .range = RANGE_POSITIVE,                     \
	      .flags = FIELD_REQUIRED, ##__VA_ARGS__)

static int check_law(const struct json_path *path, void *object)
{
	const struct fathom_clock_law *law = object;
	return law->to_bytes >= law->from_bytes
		       ? 0
		       : json_refuse(path, "to_bytes", "is less than 'from_bytes'");
}

static const struct field clock_law_table_fields[] = {
	FIELD(clock_law, level, TEXT, NULL, "name of the level; null: a single size", .column = 1),
	SIZE(from_bytes, "smallest size", .column = 2),
	SIZE(to_bytes, "largest size", .column = 3),
	FIELD_AS("sizes", clock_law, size_count, SIZE, NULL, "number of sizes measured",
		 .flags = FIELD_ZERO, .column = 4),
	LAW(core_cycles, "cycles",
	    "part that follows the core clock; null: no clock is known in Hz", .column = 5),
	LAW(core_low_cycles, "cycles", DOC_LOW, .column = 6),
	LAW(core_high_cycles, "cycles", DOC_HIGH, .column = 7),
	LAW(core_ns, "ns", "the same in ns at the slowest clock", .column = 8),
	LAW(core_low_ns, "ns", DOC_LOW, .column = 9),
	LAW(core_high_ns, "ns", DOC_HIGH, .column = 10),
	LAW(outside_ns, "ns", "part that does not follow the core clock", .column = 11),
	LAW(outside_low_ns, "ns", DOC_LOW, .column = 12),
	LAW(outside_high_ns, "ns", DOC_HIGH, .column = 13),
	LAW(slow_ns, "ns", "latency at the slowest clock", .range = RANGE_POSITIVE, .column = 14),
	LAW(fast_ns, "ns", "latency at the fastest clock", .range = RANGE_POSITIVE, .column = 15),
	LAW(speedup, NULL, "speed-up from the slowest to the fastest clock",
	    .range = RANGE_POSITIVE, .column = 16),
	LAW(speedup_low, NULL, DOC_LOW, .column = 17),
	LAW(speedup_high, NULL, DOC_HIGH, .column = 18),
};
TABLE(clock_law_table, clock_law, "clock_law",
      "clock law: latency = core_cycles / clock + outside_ns", .check = check_law);
