/* What the curves say: levels, parallelism, effects, numbers, readings. */
#include "base/names.h"
#include "document/json_read.h"
#include "document/table.h"

/* Indexes in the curves of the result. */
#define CURVE(struct_, member, doc, ...)                                                           \
	FIELD(struct_, member, INDEX, NULL, doc, .unknown = -1, .flags = FIELD_REQUIRED,           \
	      ##__VA_ARGS__)

WHEN(is_cache, level, it->kind == FATHOM_LEVEL_CACHE)

#define LEVEL(member, type, unit, doc, ...) FIELD(level, member, type, unit, doc, ##__VA_ARGS__)
#define REACH(member, doc)                  LEVEL(member, FITTED, "bytes", doc, .range = RANGE_POSITIVE)

static const struct field level_table_fields[] = {
	LEVEL(name, TEXT, NULL,
	      "name of the level: L1, L2, ...; memory; TLB 1, ...; walk 1, ... (page tables "
	      "outgrow a cache); step 1, ... (undecided)"),
	LEVEL(kind, NAME, NULL,
	      "kind of level; unknown: a step of the curve that may be a cache or a TLB",
	      NAMED(level_kind_name, FATHOM_LEVEL_UNKNOWN)),
	CURVE(level, curve, "index in curves of the curve that shows the level"),
	LEVEL(confidence, NUMBER, "share", "probability that the level exists and is of this kind",
	      .range = RANGE_SHARE),
	REACH(size_bytes,
	      "effective size of a cache, reach of a TLB. If the end of a cache is not in the "
	      "curve, only the lower bound is known: the largest size that the cache holds"),
	REACH(size_low_bytes, DOC_LOW),
	REACH(size_high_bytes, DOC_HIGH),
	REACH(increment_bytes, "of a cache, or of a step that may be one: what it adds to the size "
			       "of the cache before it"),
	LEVEL(latency_ns, NUMBER, "ns",
	      "latency of a hit without address translation; of memory: latency of an access at "
	      "at_bytes, translation included",
	      .range = RANGE_NOT_NEGATIVE),
	BOUNDS(level, latency_low_ns, latency_high_ns, "ns"),
	LEVEL(latency_cycles, NUMBER, "cycles", "the same in cycles of the core clock",
	      .range = RANGE_NOT_NEGATIVE),
	BOUNDS(level, latency_low_cycles, latency_high_cycles, "cycles"),
	REACH(at_bytes, "of memory: the size at which its latency is stated; given enough time it "
			"depends on the machine alone (docs/method.md)"),
	LEVEL(reported_bytes, BYTES, "bytes", "of a cache: its size as the OS reports it",
	      .range = RANGE_POSITIVE),
	LEVEL(entries, NUMBER, "pages",
	      "of a TLB: number of entries, size_bytes / entry_bytes; null: page tables that "
	      "outgrow a cache",
	      .range = RANGE_POSITIVE),
	LEVEL(entry_bytes, BYTES, "bytes",
	      "of a TLB, or of a step that may be one: bytes that one entry covers",
	      .range = RANGE_POSITIVE),
	LEVEL(penalty_ns, NUMBER, "ns",
	      "of a TLB: time that a miss adds; of an unknown step, what it adds as far as was "
	      "measured"),
	LEVEL(penalty_cycles, NUMBER, "cycles", "the same in cycles of the core clock"),
	LEVEL(replacement, NAME, NULL,
	      "of a cache: replacement policy, from the curve past its size",
	      NAMED(replacement_name, FATHOM_REPLACEMENT_UNDECIDABLE), .when = is_cache),
	LEVEL(replacement_evidence, TEXT, NULL, "why this replacement policy"),
	LEVEL(evidence, TEXT, NULL, "why this kind of level"),
};
TABLE(level_table, level, "level",
      "a level found in the curves; null is what such a level does not have or its curve does not "
      "show: one in cycles alone has no ns");

static const struct field prior_term_table_fields[] = {
	FIELD(prior_term, quantity, TEXT, NULL, "quantity, its value, and the usual value"),
	FIELD(prior_term, cost, NUMBER, NULL,
	      "natural logarithm of the greatest density over that here"),
};
static TABLE(prior_term_table, prior_term, "prior_term", "a term of the prior of a hierarchy");

#define HYPOTHESIS(member, type, unit, doc, ...)                                                   \
	FIELD(hypothesis, member, type, unit, doc, ##__VA_ARGS__)

static const struct field hypothesis_table_fields[] = {
	CURVE(hypothesis, curve, "index in curves of the curve that it explains"),
	HYPOTHESIS(levels, TEXT, NULL,
		   "sizes of its caches, and past how many pages translation "
		   "costs more"),
	HYPOTHESIS(log_likelihood, NUMBER, NULL,
		   "natural logarithm of the likelihood at the best sizes, but for a constant"),
	HYPOTHESIS(log_prior, NUMBER, NULL,
		   "natural logarithm of the prior density of these sizes and latencies"),
	HYPOTHESIS(log_evidence, NUMBER, NULL,
		   "natural logarithm of likelihood times prior, over all sizes and latencies, but "
		   "for the same constant"),
	HYPOTHESIS(probability, NUMBER, "share", "probability among all that were tried",
		   .range = RANGE_SHARE),
	LIST(hypothesis, terms, term_count, prior_term_table,
	     "what makes it likely or rare before the curve is seen"),
};
TABLE(hypothesis_table, hypothesis, "hypothesis",
      "a hierarchy that may explain a curve of levels; the likeliest first");

#define DEDUCTION(member, type, unit, doc, ...)                                                    \
	FIELD(deduction, member, type, unit, doc, ##__VA_ARGS__)

static const struct field deduction_table_fields[] = {
	DEDUCTION(level, TEXT, NULL, "whose latency it is; beyond: of what is no level"),
	DEDUCTION(size_bytes, NUMBER, "bytes", "of that level; null: of the last",
		  .range = RANGE_POSITIVE),
	DEDUCTION(size_count, SIZE, NULL, "sizes up to that, and above the level before"),
	DEDUCTION(at_bytes, NUMBER, "bytes", "N, the largest of these sizes",
		  .range = RANGE_POSITIVE),
	DEDUCTION(expected, NUMBER, NULL, "E[L], the latency at N", .range = RANGE_NOT_NEGATIVE),
	DEDUCTION(before, NUMBER, NULL, "what the levels before take of it"),
	DEDUCTION(share, NUMBER, "share", "of the accesses, left to this level and those beyond",
		  .range = RANGE_SHARE),
	DEDUCTION(latency_there, NUMBER, NULL, "(expected - before) / share"),
	DEDUCTION(latency, NUMBER, NULL, "by all of these sizes; known in the next step"),
	DEDUCTION(hits_at_twice, NUMBER, "share",
		  "what a cache still answers at twice its size, by the law that was fitted; null "
		  "where the replacement is undecided and the order leaves several laws",
		  .range = RANGE_SHARE),
	DEDUCTION(last, NUMBER, NULL, "of last - constant / N over these sizes"),
	DEDUCTION(constant, NUMBER, NULL, "time x bytes", .range = RANGE_NOT_NEGATIVE),
	DEDUCTION(residual, NUMBER, "share", "of that, root mean square of (model - point) / point",
		  .range = RANGE_NOT_NEGATIVE),
};
static TABLE(deduction_table, deduction, "deduction",
	     "a step of the textbook's deduction, under the law of independent accesses; times are "
	     "in the curve's unit");

#define READING(member, type, unit, doc, ...) FIELD(reading, member, type, unit, doc, ##__VA_ARGS__)

static const struct field reading_table_fields[] = {
	READING(name, TEXT, NULL, "name of the reading"),
	CURVE(reading, curve, "index of its curve in curves"),
	READING(latency, NUMBERS, NULL,
		"latency of each cache and of memory, in ns if the curve has times, else in cycles",
		.count = offsetof(struct fathom_reading, latency_count)),
	READING(residual, NUMBER, "share", "root mean square of (model - point) / point",
		.range = RANGE_NOT_NEGATIVE),
	READING(values, NUMBERS, NULL,
		"value of the model at each point of the curve, in the same unit; missing: the "
		"reading gives no curve",
		.count = offsetof(struct fathom_reading, value_count), .flags = FIELD_LEFT_OUT),
	READING(text, TEXT, NULL, "what the reading means here"),
	LIST(reading, deductions, deduction_count, deduction_table,
	     "of the share model: of each level, nearest first", .flags = FIELD_LEFT_OUT),
};
TABLE(reading_table, reading, "reading", "a textbook way to read latencies off a curve");

#define EFFECT(member, type, unit, doc, ...) FIELD(effect, member, type, unit, doc, ##__VA_ARGS__)

static const struct field effect_table_fields[] = {
	EFFECT(name, TEXT, NULL, "prefetcher: stride, adjacent line or temporal"),
	EFFECT(size_bytes, BYTES, "bytes", "size at which both patterns were measured",
	       .range = RANGE_POSITIVE, .flags = FIELD_REQUIRED),
	CURVE(effect, without_curve,
	      "index in curves of the pattern that the prefetcher cannot help", .old = "without"),
	CURVE(effect, with_curve, "index in curves of the pattern that it helps", .old = "with"),
	EFFECT(ns, NUMBER, "ns", "time that the prefetcher saves per access"),
	BOUNDS(effect, low_ns, high_ns, "ns"),
	EFFECT(acts, BOOLEAN, NULL,
	       "whether the prefetcher acts: the interval excludes 0, and it saves over 5 % of an "
	       "access"),
};
TABLE(effect_table, effect, "effect",
      "what a prefetcher saves: the difference between two patterns that differ for that "
      "prefetcher only");

#define NUMBER(member, type, unit, doc, ...) FIELD(number, member, type, unit, doc, ##__VA_ARGS__)

static const struct field number_table_fields[] = {
	NUMBER(name, TEXT, NULL, "name of the number"),
	NUMBER(how, TEXT, NULL, "how it was measured here"),
	NUMBER(ns, NUMBER, "ns", "value measured here", .range = RANGE_POSITIVE),
	BOUNDS(number, low_ns, high_ns, "ns"),
	NUMBER(dean_2009_ns, NUMBER, "ns",
	       "published value: J. Dean, Designs, Lessons and Advice from Building Large "
	       "Distributed Systems, LADIS 2009"),
	NUMBER(scott_2020_ns, NUMBER, "ns",
	       "published value: C. Scott, Latency numbers every programmer should know, the "
	       "page's values for 2020"),
};
TABLE(number_table, number, "number",
      "one of the latency numbers every programmer should know, measured here and as published");

#define FOUND(member, type, unit, doc, ...)                                                        \
	FIELD(parallelism, member, type, unit, doc, ##__VA_ARGS__)
#define POSITIVE(member, unit, doc) FOUND(member, NUMBER, unit, doc, .range = RANGE_POSITIVE)
#define LOW(member, unit, ...)      FOUND(member, NUMBER, unit, DOC_LOW, ##__VA_ARGS__)
#define HIGH(member, unit, ...)     FOUND(member, NUMBER, unit, DOC_HIGH, ##__VA_ARGS__)

static const struct field parallelism_table_fields[] = {
	CURVE(parallelism, curve, "index of its curve in curves", .range = RANGE_MEASURED),
	FOUND(level, TEXT, NULL, "level that serves this size: L1, L2, ..., memory"),
	FOUND(size_bytes, BYTES, "bytes", "working set of the curve", .range = RANGE_POSITIVE,
	      .flags = FIELD_REQUIRED),
	POSITIVE(latency_ns, "ns", "latency of one lane"),
	LOW(latency_low_ns, "ns"),
	HIGH(latency_high_ns, "ns"),
	POSITIVE(ns_per_access, "ns",
		 "time per access at saturation, where more lanes gain nothing"),
	LOW(low_ns_per_access, "ns", .old = "ns_per_access_low"),
	HIGH(high_ns_per_access, "ns", .old = "ns_per_access_high"),
	POSITIVE(speedup, NULL, "MLP: throughput at saturation over that of one lane"),
	LOW(speedup_low, NULL),
	HIGH(speedup_high, NULL),
	POSITIVE(knee_lanes, "lanes", "fewest measured lanes that reach 90 % of that MLP"),
	LOW(knee_low_lanes, "lanes"),
	HIGH(knee_high_lanes, "lanes"),
	FOUND(saturated, BOOLEAN, NULL,
	      "false: more lanes would gain more, and speedup is a lower bound"),
	POSITIVE(bytes_per_second, "bytes/s",
		 "bandwidth of the lanes at saturation, in bytes of the lines touched"),
	LOW(low_bytes_per_second, "bytes/s", .old = "bytes_per_second_low"),
	HIGH(high_bytes_per_second, "bytes/s", .old = "bytes_per_second_high"),
	POSITIVE(read_bytes_per_second, "bytes/s",
		 "bandwidth of one thread that reads this size in address order"),
	LOW(read_low_bytes_per_second, "bytes/s", .old = "read_low"),
	HIGH(read_high_bytes_per_second, "bytes/s", .old = "read_high"),
	POSITIVE(all_bytes_per_second, "bytes/s",
		 "bandwidth of all_threads threads that read in address order"),
	LOW(all_low_bytes_per_second, "bytes/s", .old = "all_low"),
	HIGH(all_high_bytes_per_second, "bytes/s", .old = "all_high"),
	FOUND(all_threads, COUNT, NULL, "number of threads of all_bytes_per_second",
	      .range = RANGE_POSITIVE),
	POSITIVE(little_lines, "lines",
		 "Little's law: lines in flight while one thread reads, latency_ns x "
		 "read_bytes_per_second / line size"),
	LOW(little_low_lines, "lines"),
	HIGH(little_high_lines, "lines"),
	FOUND(limit, NAME, NULL,
	      "what limits MLP: the loop itself, the number of lanes tried, buffers (the misses "
	      "that can be outstanding, in whichever queue), page walkers, or bandwidth",
	      NAMED(limit_name, FATHOM_LIMIT_UNKNOWN)),
	FOUND(evidence, TEXT, NULL, "why this limit"),
};
TABLE(parallelism_table, parallelism, "parallelism",
      "memory-level parallelism at one size, from a curve along the lanes");

/* ---- what data structures cost ---- */

#define PREDICTION(member, type, unit, doc, ...)                                                   \
	FIELD(prediction, member, type, unit, doc, ##__VA_ARGS__)
#define PART_NS(name, part, doc)                                                                   \
	FIELD_AS(name, prediction, parts_ns[FATHOM_PREDICT_##part], NUMBER, "ns", doc,             \
		 .column = 13 + FATHOM_PREDICT_##part)

static const struct field prediction_parts_table_fields[] = {
	PART_NS("l1_ns", L1, "loads that L1 answers"),
	PART_NS("l2_ns", L2, "loads that L2 answers"),
	PART_NS("l3_ns", L3, "loads that L3, or a cache behind it, answers"),
	PART_NS("memory_ns", MEMORY, "loads from memory"),
	PART_NS("tlb_ns", TLB, "TLB misses that the next TLB answers"),
	PART_NS("walk_ns", WALK, "page walks"),
	PART_NS("branch_ns", BRANCH, "mispredicted branches, without the loads they wait for"),
	PART_NS("compute_ns", COMPUTE, "instructions that the next step waits for"),
	PART_NS("stream_ns", STREAM, "bytes read or written in address order"),
	PART_NS("cores_ns", CORES, "lines that come from another core"),
	PART_NS("overlap_ns", OVERLAP,
		"what the others overlap, 0 or below; above 0 where more would be in flight than a "
		"core can have"),
};
static TABLE(prediction_parts_table, prediction, "prediction_parts",
	     "where the time of an operation goes; the parts sum to predicted_ns");

static int check_prediction(const struct json_path *path, void *object)
{
	const struct fathom_prediction *one = object;
	if (one->predicted_ns < one->predicted_low_ns)
		return json_refuse(path, "predicted_ns", "is below its lower bound");
	if (one->predicted_ns > one->predicted_high_ns)
		return json_refuse(path, "predicted_ns", "is above its upper bound");
	if (one->measured_ns < one->measured_low_ns)
		return json_refuse(path, "measured_ns", "is below its lower bound");
	if (one->measured_ns > one->measured_high_ns)
		return json_refuse(path, "measured_ns", "is above its upper bound");
	return 0;
}

static const struct field prediction_table_fields[] = {
	PREDICTION(structure, TEXT, NULL, "data structure, as fathom predict names it",
		   .flags = FIELD_REQUIRED, .column = 1),
	PREDICTION(keys, BYTES, NULL, "number of elements in it", .range = RANGE_POSITIVE,
		   .column = 2),
	PREDICTION(size_bytes, BYTES, "bytes", "size of all of it", .range = RANGE_POSITIVE,
		   .column = 3),
	PREDICTION(mode, NAME, NULL,
		   "how operations follow each other: dependent, the key comes out of the value "
		   "that the one before loaded; independent; interleaved, several at a time",
		   NAMED(predict_mode_name, FATHOM_PREDICT_DEPENDENT), .column = 4),
	PREDICTION(interleave, COUNT, NULL, "number of operations interleaved; 1: none",
		   .range = RANGE_POSITIVE, .column = 5),
	PREDICTION(key_bytes, COUNT, "bytes", "size of a key", .range = RANGE_POSITIVE,
		   .column = 6),
	PREDICTION(payload_bytes, COUNT, "bytes", "size of what is stored with a key",
		   .flags = FIELD_ZERO, .column = 7),
	PREDICTION(theta, NUMBER, NULL, "exponent of Zipf's law of the keys asked for; 0: uniform",
		   .range = RANGE_NOT_NEGATIVE, .column = 8),
	FIELD_AS("page_kind", prediction, page, NAME, NULL, "page kind that it lies on",
		 NAMED(page_name, FATHOM_PAGE_UNKNOWN), .column = 9),
	PREDICTION(predicted_ns, NUMBER, "ns", "predicted time of an operation",
		   .range = RANGE_POSITIVE, .flags = FIELD_REQUIRED, .column = 10),
	PREDICTION(predicted_low_ns, NUMBER, "ns", DOC_LOW, .column = 11),
	PREDICTION(predicted_high_ns, NUMBER, "ns", DOC_HIGH, .column = 12),
	PREDICTION(model_scatter, NUMBER, NULL,
		   "factor by which the model itself is off at most, in 95 % of cases, whatever it "
		   "is told; the interval has it",
		   .range = RANGE_POSITIVE, .flags = FIELD_LATER, .column = 28),
	PREDICTION(lines, NUMBER, "lines", "cache lines that an operation asks for",
		   .range = RANGE_NOT_NEGATIVE, .column = 24),
	{.name = "parts",
	 .type = FIELD_OBJECT,
	 .of = &prediction_parts_table,
	 .doc = "where the time goes",
	 .column = 13},
	PREDICTION(formula, TEXT, NULL, "the sum in numbers"),
	PREDICTION(measured_ns, NUMBER, "ns",
		   "time of an operation that was run, fathom predict --check",
		   .range = RANGE_POSITIVE, .flags = FIELD_LATER, .column = 25),
	PREDICTION(measured_low_ns, NUMBER, "ns", DOC_LOW, .flags = FIELD_LATER, .column = 26),
	PREDICTION(measured_high_ns, NUMBER, "ns", DOC_HIGH, .flags = FIELD_LATER, .column = 27),
};
TABLE(prediction_table, prediction, "prediction",
      "what an operation on a data structure is predicted to cost", .check = check_prediction);

#define CROSSOVER(member, type, unit, doc, ...)                                                    \
	FIELD(crossover, member, type, unit, doc, ##__VA_ARGS__)

static const struct field crossover_table_fields[] = {
	CROSSOVER(below, TEXT, NULL, "structure that is cheaper with fewer keys",
		  .flags = FIELD_REQUIRED),
	CROSSOVER(above, TEXT, NULL, "structure that is cheaper with more keys",
		  .flags = FIELD_REQUIRED),
	CROSSOVER(keys, BYTES, NULL, "number of keys at which both cost the same",
		  .range = RANGE_POSITIVE),
	CROSSOVER(low_keys, BYTES, NULL,
		  "number of keys below which they differ by more than two predictions were off "
		  "against each other in 95 % of what was measured, or that predictions begin with",
		  .range = RANGE_POSITIVE, .flags = FIELD_LATER),
	CROSSOVER(high_keys, BYTES, NULL,
		  "number of keys above which they do, or that predictions end with",
		  .range = RANGE_POSITIVE, .flags = FIELD_LATER),
	CROSSOVER(
		apart, NUMBER, NULL,
		"by what factor the two differ at most, on the side where that is less, up to the "
		"next place where they cost the same: what their intervals are held against",
		.range = RANGE_POSITIVE, .flags = FIELD_LATER),
	CROSSOVER(mode, NAME, NULL, "how operations follow each other",
		  NAMED(predict_mode_name, FATHOM_PREDICT_DEPENDENT)),
};
TABLE(crossover_table, crossover, "crossover",
      "where two data structures change places, by the predictions");
