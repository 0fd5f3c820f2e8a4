/* What translation and the clock cost. */
#include <math.h>

#include "base/names.h"
#include "document/json_read.h"
#include "document/table.h"

#define NAMED(list, otherwise) .name_of = list, .unknown = otherwise
/* An index in the curves of the result: of one with points. */
#define CURVE(struct_, member, doc, ...)                                                           \
	FIELD(struct_, member, INDEX, NULL, doc, .unknown = -1, .range = RANGE_MEASURED,           \
	      ##__VA_ARGS__)

#define TLB(member, unit, doc, ...) FIELD(tlb, member, NUMBER, unit, doc, ##__VA_ARGS__)

static const struct field tlb_table_fields[] = {
	TLB(entries, "pages", "that it holds; low and high are 95 % bounds",
	    .range = RANGE_POSITIVE),
	TLB(entries_low, "pages", DOC_LOW),
	TLB(entries_high, "pages", DOC_HIGH),
	TLB(penalty_ns, "ns",
	    "what missing it adds, the next TLB, or tables in the nearest cache, answering"),
	TLB(penalty_low_ns, "ns", DOC_LOW),
	TLB(penalty_high_ns, "ns", DOC_HIGH),
	TLB(penalty_cycles, "cycles", "the same, by the core clock"),
	TLB(penalty_low_cycles, "cycles", DOC_LOW),
	TLB(penalty_high_cycles, "cycles", DOC_HIGH),
	TLB(confidence, "share", "that there is such a TLB", .range = RANGE_SHARE),
	FIELD(tlb, evidence, TEXT, NULL, "one sentence"),
};
static TABLE(tlb_table, tlb, "tlb", "a TLB as chains through one line a page show it");

#define WALK(member, unit, doc, ...) FIELD(walk, member, NUMBER, unit, doc, ##__VA_ARGS__)

static const struct field walk_table_fields[] = {
	FIELD(walk, level, TEXT, NULL, "where they live: L2, ..., memory; null: not known"),
	WALK(from_pages, "pages", "that are visited meanwhile", .range = RANGE_NOT_NEGATIVE),
	WALK(to_pages, "pages", "null: the end was not seen"),
	WALK(ns, "ns",
	     "what an access that misses all TLBs costs more than one that hits the first"),
	WALK(low_ns, "ns", DOC_LOW),
	WALK(high_ns, "ns", DOC_HIGH),
	WALK(cycles, "cycles", "the same, by the core clock"),
	WALK(low_cycles, "cycles", DOC_LOW),
	WALK(high_cycles, "cycles", DOC_HIGH),
	FIELD(walk, evidence, TEXT, NULL, "why that level"),
};
static TABLE(walk_table, walk, "walk",
	     "page walks while the lines of the leaf tables (8 bytes a page) live in one cache, or "
	     "in memory");

#define KIND(member, type, unit, doc, ...)                                                         \
	FIELD(translation, member, type, unit, doc, ##__VA_ARGS__)

static const struct field translation_table_fields[] = {
	FIELD_AS("page_kind", translation, page, NAME, NULL, "asked for",
		 NAMED(page_name, FATHOM_PAGE_UNKNOWN)),
	KIND(page_bytes, BYTES, "bytes", "obtained, read back", .range = RANGE_POSITIVE),
	KIND(entry_bytes, BYTES, "bytes",
	     "what an entry of a TLB covers: less where pages are splintered",
	     .range = RANGE_POSITIVE),
	CURVE(translation, by_size, "the curve along the sizes, its place in curves"),
	CURVE(translation, spread, "the curve of one line a page"),
	CURVE(translation, packed, "the curve of as many lines side by side"),
	KIND(splintered, SWITCH, NULL,
	     "a host holds these large pages in small ones; null: not known, or base pages"),
	KIND(splintered_evidence, TEXT, NULL, "why that"),
	KIND(nested, BOOLEAN, NULL, "walks go through a guest's tables and its host's"),
	LIST(translation, tlbs, tlb_count, tlb_table, "the first one first"),
	KIND(tlbs_missing, TEXT, NULL, "why there are none"),
	LIST(translation, walks, walk_count, walk_table, "the nearest tables first"),
	KIND(walks_missing, TEXT, NULL, "why there are none"),
};
TABLE(translation_table, translation, "translation",
      "what address translation is like on one kind of page");

#define DIFFER(member, type, unit, doc, ...)                                                       \
	FIELD(page_difference, member, type, unit, doc, ##__VA_ARGS__)

static const struct field page_difference_table_fields[] = {
	CURVE(page_difference, small, "the base pages' place in curves", .flags = FIELD_REQUIRED),
	CURVE(page_difference, large, "the larger pages' place in curves", .flags = FIELD_REQUIRED),
	DIFFER(size_bytes, BYTES, "bytes", "of the chain", .range = RANGE_POSITIVE,
	       .flags = FIELD_REQUIRED),
	DIFFER(ns, NUMBER, "ns", "what it costs more; low and high are 95 % bounds"),
	DIFFER(low_ns, NUMBER, "ns", DOC_LOW),
	DIFFER(high_ns, NUMBER, "ns", DOC_HIGH),
	DIFFER(pairs, SIZE, NULL, "of blocks measured side by side; 0: from the two latencies",
	       .flags = FIELD_ZERO),
};
TABLE(page_difference_table, page_difference, "page_difference",
      "what the same chain costs more on base pages than on larger ones");

static const struct field cost_table_fields[] = {
	FIELD(cost, ns, NUMBER, "ns", "null: not measured, and the residual has it"),
	FIELD(cost, low_ns, NUMBER, "ns", DOC_LOW),
	FIELD(cost, high_ns, NUMBER, "ns", DOC_HIGH),
};
static TABLE(cost_table, cost, "cost", "a part of a latency");

#define MADE(member, type, unit, doc, ...)                                                         \
	FIELD(decomposition, member, type, unit, doc, ##__VA_ARGS__)

static const struct field decomposition_table_fields[] = {
	CURVE(decomposition, curve, "its place in curves", .flags = FIELD_REQUIRED),
	MADE(size_bytes, BYTES, "bytes", "of the chain", .range = RANGE_POSITIVE,
	     .flags = FIELD_REQUIRED),
	MADE(total, OBJECT, NULL, "what an access costs", .of = &cost_table),
	MADE(parts, BY_NAME, NULL,
	     "the cache or memory itself; looking in the second TLB; page walks; what the others "
	     "do not explain, which may be below 0",
	     .name_of = fathom_part_name, .length = FATHOM_PART_COUNT, .of = &cost_table),
	CURVE(decomposition, memory_curve, "the large pages that memory itself was measured on"),
	MADE(memory_is_bound, BOOLEAN, NULL,
	     "there is translation in memory itself too: it is no more than that"),
	MADE(evidence, TEXT, NULL, "where the parts are from and what is missing"),
};
TABLE(decomposition_table, decomposition, "decomposition",
      "of what a random access on base pages costs at a size, how much is for what");

#define CLOCK(member, type, unit, doc, ...) FIELD(clock, member, type, unit, doc, ##__VA_ARGS__)

static const struct field clock_table_fields[] = {
	FIELD(clock, curve, INDEX, NULL, "index in curves", .unknown = -1, .flags = FIELD_REQUIRED),
	CLOCK(source, NAME, NULL,
	      "by the probe, point by point; by the user; from a cache inside the core, which "
	      "follows it; or the others are held against it",
	      NAMED(clock_source_name, FATHOM_CLOCK_UNKNOWN)),
	CLOCK(hz, NUMBER, "Hz", "null: only relative is known", .range = RANGE_POSITIVE),
	CLOCK(relative, NUMBER, NULL, "over the slowest; low and high are 95 % bounds",
	      .range = RANGE_POSITIVE, .flags = FIELD_REQUIRED),
	CLOCK(relative_low, NUMBER, NULL, DOC_LOW),
	CLOCK(relative_high, NUMBER, NULL, DOC_HIGH),
	CLOCK(evidence, TEXT, NULL, "one sentence"),
};
TABLE(clock_table, clock, "clock", "of a run, one of several at different clocks");

#define LAW(member, unit, doc, ...) FIELD(clock_law, member, NUMBER, unit, doc, ##__VA_ARGS__)
#define SIZE(member, doc, ...)                                                                     \
	FIELD(clock_law, member, BYTES, "bytes", doc, .range = RANGE_POSITIVE,                     \
	      .flags = FIELD_REQUIRED, ##__VA_ARGS__)

static int check_law(const struct place *place, void *object)
{
	const struct fathom_clock_law *law = object;
	return law->to_bytes >= law->from_bytes
		       ? 0
		       : place_refuse(place, "to_bytes", "is less than 'from_bytes'");
}

static const struct field clock_law_table_fields[] = {
	FIELD(clock_law, level, TEXT, NULL, "null: of one size", .column = 1),
	SIZE(from_bytes, "the sizes that it is of", .column = 2),
	SIZE(to_bytes, "the largest of them", .column = 3),
	FIELD_AS("sizes", clock_law, size_count, SIZE, NULL, "how many of these were measured",
		 .flags = FIELD_ZERO, .column = 4),
	LAW(core_cycles, "cycles", "what follows the clock; null: no clock is known in Hz",
	    .column = 5),
	LAW(core_low_cycles, "cycles", DOC_LOW, .column = 6),
	LAW(core_high_cycles, "cycles", DOC_HIGH, .column = 7),
	LAW(core_ns, "ns", "the same, at the slowest clock", .column = 8),
	LAW(core_low_ns, "ns", DOC_LOW, .column = 9),
	LAW(core_high_ns, "ns", DOC_HIGH, .column = 10),
	LAW(outside_ns, "ns", "what does not", .column = 11),
	LAW(outside_low_ns, "ns", DOC_LOW, .column = 12),
	LAW(outside_high_ns, "ns", DOC_HIGH, .column = 13),
	LAW(slow_ns, "ns", "the latency at the slowest clock", .range = RANGE_POSITIVE,
	    .column = 14),
	LAW(fast_ns, "ns", "at the fastest", .range = RANGE_POSITIVE, .column = 15),
	LAW(speedup, NULL, "the one over the other", .range = RANGE_POSITIVE, .column = 16),
	LAW(speedup_low, NULL, DOC_LOW, .column = 17),
	LAW(speedup_high, NULL, DOC_HIGH, .column = 18),
};
TABLE(clock_law_table, clock_law, "clock_law", "latency = core / clock + outside",
      .check = check_law);
