/* What the curves say: levels, parallelism, effects, numbers, readings. */
#include "base/names.h"
#include "document/table.h"

#define NAMED(list, otherwise) .name_of = list, .unknown = otherwise
/* Indexes in the curves of the result. */
#define CURVE(struct_, member, doc, ...)                                                           \
	FIELD(struct_, member, INDEX, NULL, doc, .unknown = -1, .flags = FIELD_REQUIRED,           \
	      ##__VA_ARGS__)

static bool is_cache(const void *level, const void *parent)
{
	(void)parent;
	return ((const struct fathom_level *)level)->kind == FATHOM_LEVEL_CACHE;
}

#define LEVEL(member, type, unit, doc, ...) FIELD(level, member, type, unit, doc, ##__VA_ARGS__)
#define REACH(member, doc)                  LEVEL(member, FITTED, "bytes", doc, .range = RANGE_POSITIVE)

static const struct field level_table_fields[] = {
	LEVEL(name, TEXT, NULL,
	      "L1, L2, ...; memory; TLB 1, ...; walk 1, ... (page tables leave a cache); step 1, "
	      "..."),
	LEVEL(kind, NAME, NULL, "unknown: there is a step, and the curve cannot tell whose",
	      NAMED(level_kind_name, FATHOM_LEVEL_UNKNOWN)),
	CURVE(level, curve, "the place in curves of the one that it was read from"),
	LEVEL(confidence, NUMBER, "share", "that there is such a level of this kind",
	      .range = RANGE_SHARE),
	REACH(size_bytes, "reach; low and high are 95 % bounds. Of a cache whose end was not "
			  "reached low alone is given: the largest size that it holds"),
	REACH(size_low_bytes, DOC_LOW),
	REACH(size_high_bytes, DOC_HIGH),
	REACH(increment_bytes, "of a cache: what it adds to the reach of the one before"),
	LEVEL(latency_ns, NUMBER, "ns",
	      "of a hit, translation not in it; of memory: of all at at_bytes",
	      .range = RANGE_NOT_NEGATIVE),
	LEVEL(latency_low_ns, NUMBER, "ns", DOC_LOW),
	LEVEL(latency_high_ns, NUMBER, "ns", DOC_HIGH),
	LEVEL(latency_cycles, NUMBER, "cycles", "the same, by the core clock",
	      .range = RANGE_NOT_NEGATIVE),
	LEVEL(latency_low_cycles, NUMBER, "cycles", DOC_LOW),
	LEVEL(latency_high_cycles, NUMBER, "cycles", DOC_HIGH),
	REACH(at_bytes, "of memory: the measured size that latency is of, which depends on the "
			"machine alone where the run had the time (docs/method.md)"),
	LEVEL(reported_bytes, BYTES, "bytes", "what the OS says of that cache",
	      .range = RANGE_POSITIVE),
	LEVEL(entries, NUMBER, "pages",
	      "of a TLB: reach / entry_bytes; null where no TLB has so many: page tables leave a "
	      "cache",
	      .range = RANGE_POSITIVE),
	LEVEL(entry_bytes, BYTES, "bytes", "of a TLB: the page", .range = RANGE_POSITIVE),
	LEVEL(penalty_ns, NUMBER, "ns", "of a TLB: what missing it adds"),
	LEVEL(penalty_cycles, NUMBER, "cycles", "the same, by the core clock"),
	LEVEL(replacement, NAME, NULL, "of a cache: what it does once the cycle is longer than it",
	      NAMED(replacement_name, FATHOM_REPLACEMENT_UNDECIDABLE), .when = is_cache),
	LEVEL(replacement_evidence, TEXT, NULL, "why that"),
	LEVEL(evidence, TEXT, NULL, "why this kind"),
};
TABLE(level_table, level, "level",
      "null is what such a level does not have, or what its curve does not tell: one in cycles "
      "alone has no ns");

#define READING(member, type, unit, doc, ...) FIELD(reading, member, type, unit, doc, ##__VA_ARGS__)

static const struct field reading_table_fields[] = {
	READING(name, TEXT, NULL, "the way to read it"),
	CURVE(reading, curve, "its place in curves"),
	READING(latency, NUMBERS, NULL,
		"one a cache and memory, in the curve's unit: ns where it has any",
		.count = offsetof(struct fathom_reading, latency_count)),
	READING(residual, NUMBER, "share", "root mean square of (model - point) / point",
		.range = RANGE_NOT_NEGATIVE),
	READING(values, NUMBERS, NULL,
		"of the model at each point of the curve, in its unit; not there where it says "
		"nothing of any",
		.count = offsetof(struct fathom_reading, value_count), .flags = FIELD_LEFT_OUT),
	READING(text, TEXT, NULL, "what to make of it"),
};
TABLE(reading_table, reading, "reading", "one way to read latencies off a curve");

#define EFFECT(member, type, unit, doc, ...) FIELD(effect, member, type, unit, doc, ##__VA_ARGS__)

static const struct field effect_table_fields[] = {
	EFFECT(name, TEXT, NULL, "stride, adjacent line, temporal"),
	EFFECT(size_bytes, BYTES, "bytes", "of both patterns", .range = RANGE_POSITIVE,
	       .flags = FIELD_REQUIRED),
	CURVE(effect, without, "the pattern that it cannot help, as an index in curves"),
	CURVE(effect, with, "the pattern that it helps"),
	EFFECT(ns, NUMBER, "ns",
	       "what an access costs less; low and high are bounds of at least 95 %"),
	EFFECT(low_ns, NUMBER, "ns", DOC_LOW),
	EFFECT(high_ns, NUMBER, "ns", DOC_HIGH),
	EFFECT(acts, BOOLEAN, NULL,
	       "the interval excludes 0, and it is over 5 % of an access without"),
};
TABLE(effect_table, effect, "effect",
      "what a prefetcher saves: the difference of two patterns that only it tells apart");

#define NUMBER(member, type, unit, doc, ...) FIELD(number, member, type, unit, doc, ##__VA_ARGS__)

static const struct field number_table_fields[] = {
	NUMBER(name, TEXT, NULL, "what it is a number of"),
	NUMBER(how, TEXT, NULL, "what it is made of here"),
	NUMBER(ns, NUMBER, "ns", "here; low and high are 95 % bounds", .range = RANGE_POSITIVE),
	NUMBER(low_ns, NUMBER, "ns", DOC_LOW),
	NUMBER(high_ns, NUMBER, "ns", DOC_HIGH),
	NUMBER(dean_2009_ns, NUMBER, "ns",
	       "J. Dean, Designs, Lessons and Advice from Building Large Distributed Systems, "
	       "LADIS 2009"),
	NUMBER(scott_2020_ns, NUMBER, "ns",
	       "C. Scott, Latency numbers every programmer should know, the page's values for "
	       "2020"),
};
TABLE(number_table, number, "number",
      "a latency number that programmers go by, here and as it is quoted");

#define FOUND(member, type, unit, doc, ...)                                                        \
	FIELD(parallelism, member, type, unit, doc, ##__VA_ARGS__)
#define POSITIVE(member, unit, doc) FOUND(member, NUMBER, unit, doc, .range = RANGE_POSITIVE)
#define LOW(member, unit, ...)      FOUND(member, NUMBER, unit, DOC_LOW, ##__VA_ARGS__)
#define HIGH(member, unit, ...)     FOUND(member, NUMBER, unit, DOC_HIGH, ##__VA_ARGS__)

static const struct field parallelism_table_fields[] = {
	CURVE(parallelism, curve, "its place in curves", .range = RANGE_MEASURED),
	FOUND(level, TEXT, NULL, "in which the size lies: L1, L2, ..., memory"),
	FOUND(size_bytes, BYTES, "bytes", "of the curve's points", .range = RANGE_POSITIVE,
	      .flags = FIELD_REQUIRED),
	POSITIVE(latency_ns, "ns", "of one lane"),
	LOW(latency_low_ns, "ns"),
	HIGH(latency_high_ns, "ns"),
	POSITIVE(ns_per_access, "ns", "where more lanes gain no more"),
	LOW(low_ns_per_access, "ns", .old = "ns_per_access_low"),
	HIGH(high_ns_per_access, "ns", .old = "ns_per_access_high"),
	POSITIVE(speedup, NULL, "there, over one lane: how many accesses overlap"),
	LOW(speedup_low, NULL),
	HIGH(speedup_high, NULL),
	POSITIVE(knee_lanes, "lanes", "the fewest measured that have 90 % of it"),
	LOW(knee_low_lanes, "lanes"),
	HIGH(knee_high_lanes, "lanes"),
	FOUND(saturated, BOOLEAN, NULL,
	      "else more lanes would gain more, and speedup is a lower bound"),
	POSITIVE(bytes_per_second, "bytes/s", "lines that the lanes bring"),
	LOW(low_bytes_per_second, "bytes/s", .old = "bytes_per_second_low"),
	HIGH(high_bytes_per_second, "bytes/s", .old = "bytes_per_second_high"),
	POSITIVE(read_bytes_per_second, "bytes/s", "of pattern read at that size, one thread"),
	LOW(read_low_bytes_per_second, "bytes/s", .old = "read_low"),
	HIGH(read_high_bytes_per_second, "bytes/s", .old = "read_high"),
	POSITIVE(all_bytes_per_second, "bytes/s", "the most threads measured"),
	LOW(all_low_bytes_per_second, "bytes/s", .old = "all_low"),
	HIGH(all_high_bytes_per_second, "bytes/s", .old = "all_high"),
	FOUND(all_threads, COUNT, NULL, "how many these were", .range = RANGE_POSITIVE),
	POSITIVE(little_lines, "lines",
		 "latency_ns x read_bytes_per_second / line: the lines under way while one thread "
		 "reads"),
	LOW(little_low_lines, "lines"),
	HIGH(little_high_lines, "lines"),
	FOUND(limit, NAME, NULL,
	      "what keeps more from overlapping: the instructions of the loop; too few lanes; the "
	      "misses that a cache can have outstanding; page walks; bandwidth",
	      NAMED(limit_name, FATHOM_LIMIT_UNKNOWN)),
	FOUND(evidence, TEXT, NULL, "why that"),
};
TABLE(parallelism_table, parallelism, "parallelism",
      "how many accesses overlap at a size: of a curve along the lanes");
