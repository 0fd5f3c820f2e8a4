/* A line on its way between CPUs: pairs, and the classes that they fall into. */
#include <math.h>

#include "base/list.h"
#include "base/names.h"
#include "document/core_groups.h"
#include "document/json_read.h"
#include "document/table.h"

static int check_pair(const struct json_path *path, void *object)
{
	const struct fathom_pair *pair = object;
	if (pair->cpu_a >= CPU_LIST_MOST || pair->cpu_b >= CPU_LIST_MOST)
		return json_refuse(path, pair->cpu_a >= CPU_LIST_MOST ? "cpu_a" : "cpu_b",
				   "is %d or more", CPU_LIST_MOST);
	if (pair->cpu_a == pair->cpu_b)
		return json_refuse(path, "cpu_b", "is 'cpu_a'");
	if (pair->latency_ns < pair->latency_low_ns)
		return json_refuse(path, "latency_ns", "is below its lower bound");
	if (pair->latency_ns > pair->latency_high_ns)
		return json_refuse(path, "latency_ns", "is above its upper bound");
	return 0;
}

#define PAIR(member, type, unit, doc, ...) FIELD(pair, member, type, unit, doc, ##__VA_ARGS__)
#define SOME                               .flags = FIELD_LEFT_OUT

static const struct field pair_table_fields[] = {
	PAIR(cpu_a, INTEGER, NULL, "one CPU, as the OS numbers it", .unknown = -1,
	     .range = RANGE_NOT_NEGATIVE, .flags = FIELD_REQUIRED, .column = 1),
	PAIR(cpu_b, INTEGER, NULL, "the other one", .unknown = -1, .range = RANGE_NOT_NEGATIVE,
	     .flags = FIELD_REQUIRED, .column = 2),
	PAIR(home, NAME, NULL,
	     "which CPU touched the page of the line first, so that it lives in the memory of its "
	     "node: a, b, or one of another node; unknown: of other tools",
	     NAMED(home_name, FATHOM_HOME_UNKNOWN), .column = 3),
	PAIR(latency_ns, NUMBER, "ns", "latency one way, half the round trip: median over blocks",
	     .range = RANGE_POSITIVE, .flags = FIELD_REQUIRED, .column = 4),
	PAIR(latency_low_ns, NUMBER, "ns", DOC_LOW, SOME, .column = 5),
	PAIR(latency_high_ns, NUMBER, "ns", DOC_HIGH, SOME, .column = 6),
	PAIR(handover, NAME, NULL,
	     "how one CPU tells the other: store, which loads wait for, or compare-and-swap; "
	     "unknown: of other tools",
	     NAMED(handover_name, FATHOM_HANDOVER_UNKNOWN), .flags = FIELD_LATER, .column = 9),
	PAIR(lines, COUNT, NULL, "number of lines that it was measured with", SOME, .column = 7),
	PAIR(least_ns, NUMBER, "ns",
	     "the fastest batch of all lines: what tools that take the least of many print",
	     .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT | FIELD_LATER, .column = 11),
	PAIR(line_spread_ns, NUMBER, "ns",
	     "standard deviation between lines, by the median deviation",
	     .range = RANGE_NOT_NEGATIVE, .flags = FIELD_LEFT_OUT | FIELD_LATER, .column = 10),
	PAIR(batches, COUNT, NULL, "number of batches that were timed",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	PAIR(disturbed, COUNT, NULL,
	     "number of them that were thrown away: a thread was preempted or on another CPU",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	PAIR(blocks_ns, NUMBERS, "ns",
	     "value of each line, in the order measured; of other tools of each repetition",
	     .count = offsetof(struct fathom_pair, block_count)),
};
TABLE(pair_table, pair, "pair", "two CPUs that hand a cache line to each other",
      .check = check_pair);

static int check_class(const struct json_path *path, void *object)
{
	const struct fathom_core_class *one = object;
	if (one->latency_ns < one->least_ns)
		return json_refuse(path, "least_ns", "is above 'latency_ns'");
	if (one->latency_ns > one->greatest_ns)
		return json_refuse(path, "greatest_ns", "is below 'latency_ns'");
	if (one->latency_ns < one->latency_low_ns || one->latency_ns > one->latency_high_ns)
		return json_refuse(path, "latency_ns", "is outside its interval");
	return 0;
}

#define CLASS(member, type, unit, doc, ...)                                                        \
	FIELD(core_class, member, type, unit, doc, ##__VA_ARGS__)

static const struct field core_class_table_fields[] = {
	CLASS(kind, NAME, NULL,
	      "what the CPUs of a pair share; unknown: the latencies alone do not tell",
	      NAMED(core_class_name, FATHOM_CORES_UNKNOWN), .column = 8),
	CLASS(curve, INDEX, NULL, "index in curves of the pairs", .unknown = -1,
	      .flags = FIELD_REQUIRED),
	CLASS(pairs, SIZE, NULL, "number of pairs that were measured"),
	CLASS(latency_ns, NUMBER, "ns",
	      "median of the pairs; null: CPUs were moved while it was measured",
	      .range = RANGE_POSITIVE),
	BOUNDS(core_class, latency_low_ns, latency_high_ns, "ns"),
	CLASS(least_ns, NUMBER, "ns", "of the fastest pair; where latency_ns is null, line",
	      .range = RANGE_POSITIVE),
	CLASS(greatest_ns, NUMBER, "ns", "of the slowest pair; where latency_ns is null, line",
	      .range = RANGE_POSITIVE),
	CLASS(members, TEXTS, NULL,
	      "groups of CPUs: a pair is of the first class that has both in one group. The groups "
	      "of a class are those of the class before, joined",
	      .count = offsetof(struct fathom_core_class, member_count)),
	CLASS(home_b_ns, NUMBER, "ns",
	      "the same for lines at home with the other CPU of the pair: median over some pairs",
	      .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CLASS(home_other_ns, NUMBER, "ns",
	      "the same for lines at home on a node of neither CPU: median over some pairs",
	      .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CLASS(swap_ns, NUMBER, "ns", "the same by compare-and-swap: median over some pairs",
	      .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CLASS(reported, TEXT, NULL, "what the OS says that these pairs share; null: nothing"),
	CLASS(evidence, TEXT, NULL, "why this kind"),
};
TABLE(core_class_table, core_class, "core_class",
      "pairs of CPUs between which a line takes about as long", .check = check_class);

#define CPU(member, doc)                                                                           \
	FIELD(cpu, member, INTEGER, NULL, doc, .unknown = -1, .range = RANGE_NOT_NEGATIVE)

static const struct field cpu_table_fields[] = {
	FIELD(cpu, cpu, INTEGER, NULL, "number of the CPU", .unknown = -1,
	      .range = RANGE_NOT_NEGATIVE, .flags = FIELD_REQUIRED),
	CPU(core, "number of its core"),
	CPU(cache, "number of its last cache"),
	CPU(die, "number of its die; null: the OS tells of none"),
	CPU(socket, "number of its socket"),
	CPU(node, "number of its NUMA node"),
};
TABLE(cpu_table, cpu, "cpu", "what the OS says of a CPU: with whom it shares what has one number");

#define ACCESS(member, type, unit, doc, ...)                                                       \
	FIELD(node_access, member, type, unit, doc, ##__VA_ARGS__)
#define BANDWIDTH(name, doc)                                                                       \
	ACCESS(name##_bytes_per_second, NUMBER, "bytes/s", doc, .range = RANGE_POSITIVE),          \
		BOUNDS(node_access, name##_low_bytes_per_second, name##_high_bytes_per_second,     \
		       "bytes/s")

static const struct field node_access_table_fields[] = {
	ACCESS(cpu, INTEGER, NULL, "CPU that the latency was measured on", .unknown = -1,
	       .range = RANGE_NOT_NEGATIVE, .flags = FIELD_REQUIRED),
	ACCESS(cpu_node, INTEGER, NULL, "its NUMA node", .unknown = -1,
	       .range = RANGE_NOT_NEGATIVE),
	ACCESS(memory_node, INTEGER, NULL, "NUMA node that the memory is of", .unknown = -1,
	       .range = RANGE_NOT_NEGATIVE, .flags = FIELD_REQUIRED),
	ACCESS(threads, COUNT, NULL,
	       "threads of the bandwidths, one on each core of the CPU's node that may be used"),
	ACCESS(size_bytes, BYTES, "bytes", "working set of the latency", .range = RANGE_POSITIVE),
	ACCESS(latency_ns, NUMBER, "ns", "latency of a dependent access, translation included",
	       .range = RANGE_POSITIVE),
	BOUNDS(node_access, latency_low_ns, latency_high_ns, "ns"),
	BANDWIDTH(read, "bandwidth of all threads reading"),
	BANDWIDTH(write, "bandwidth of all threads writing"),
	BANDWIDTH(copy, "bandwidth of all threads copying, bytes counted as read and as written"),
	ACCESS(node_share, NUMBER, "share",
	       "share of the pages that the kernel says are on that node; null: it does not say",
	       .range = RANGE_SHARE),
};
TABLE(node_access_table, node_access, "node_access",
      "memory of a NUMA node, as the CPUs of one see it");

/* ---- what CPUs share: caches that they fill for each other, and words that they go for ---- */

#define TEST(member, type, unit, doc, ...)                                                         \
	FIELD(sharing_test, member, type, unit, doc, ##__VA_ARGS__)
#define CPU_OF(struct_, member, doc)                                                               \
	FIELD(struct_, member, INTEGER, NULL, doc, .unknown = -1, .range = RANGE_NOT_NEGATIVE,     \
	      .flags = FIELD_REQUIRED)
#define CLASS_OF(struct_, doc)                                                                     \
	FIELD(struct_, core_class, INTEGER, NULL, doc, .unknown = -1, .range = RANGE_NOT_NEGATIVE)

static const struct field sharing_test_table_fields[] = {
	CPU_OF(sharing_test, cpu_a, "the CPU whose hops are timed"),
	CPU_OF(sharing_test, cpu_b, "the other one"),
	CLASS_OF(sharing_test, "index in core_classes of the pair"),
	TEST(alone_ns, NUMBER, "ns", "a hop of cpu_a alone: median over blocks",
	     .range = RANGE_POSITIVE),
	BOUNDS(sharing_test, alone_low_ns, alone_high_ns, "ns"),
	TEST(together_ns, NUMBER, "ns", "the same while cpu_b walks a cycle as long",
	     .range = RANGE_POSITIVE),
	BOUNDS(sharing_test, together_low_ns, together_high_ns, "ns"),
	TEST(twice_ns, NUMBER, "ns", "a hop of cpu_a alone, along a cycle twice as long",
	     .range = RANGE_POSITIVE),
	TEST(share, NUMBER, "share",
	     "how far together is on the way from alone to twice, in logarithms: about 0 where "
	     "the two CPUs do not share the cache, about 1 where they do"),
	BOUNDS(sharing_test, share_low, share_high, "share"),
	TEST(shared, SWITCH, NULL,
	     "true: the interval of 'share' is above one half; false: below; null: neither",
	     .unknown = -1),
};
TABLE(sharing_test_table, sharing_test, "sharing_test",
      "two CPUs that walk a cycle each at the same time");

#define SHARED(member, type, unit, doc, ...)                                                       \
	FIELD(shared_cache, member, type, unit, doc, ##__VA_ARGS__)

static const struct field shared_cache_table_fields[] = {
	SHARED(name, TEXT, NULL, "L1, L2, ...", .flags = FIELD_REQUIRED),
	SHARED(size_bytes, BYTES, "bytes", "size of the cache", .range = RANGE_POSITIVE),
	SHARED(size_measured, BOOLEAN, NULL,
	       "true: the size is 6/5 of the longest cycle that was seen to fit; false: the OS "
	       "reports it"),
	SHARED(cycle_bytes, BYTES, "bytes",
	       "length of the cycle of each CPU; null: none was walked", .range = RANGE_POSITIVE),
	SHARED(members, TEXTS, NULL,
	       "groups of CPUs that share one, as measured; empty: each CPU has its own, or (where "
	       "'missing' is not null) it is not known",
	       .count = offsetof(struct fathom_shared_cache, member_count)),
	SHARED(reported, TEXTS, NULL,
	       "the same as the OS says; empty: each CPU has its own, or (where 'reported_known' "
	       "is "
	       "false) it does not say",
	       .count = offsetof(struct fathom_shared_cache, reported_count)),
	SHARED(reported_known, BOOLEAN, NULL, "whether the OS says who shares it"),
	SHARED(missing, TEXT, NULL, "why it is not known who shares it; null: it is known"),
	LIST(shared_cache, tests, test_count, sharing_test_table,
	     "what was measured: one pair of each class, the nearest first, up to the first that "
	     "does not share it"),
};
TABLE(shared_cache_table, shared_cache, "shared_cache", "which CPUs share a cache");

static int check_contention(const struct json_path *path, void *object)
{
	const struct fathom_contention *one = object;
	if (one->op_ns < one->op_low_ns || one->op_ns > one->op_high_ns)
		return json_refuse(path, "op_ns", "is outside its interval");
	if (one->fairness < 1)
		return json_refuse(path, "fairness", "is below 1");
	return 0;
}

#define CONTENTION(member, type, unit, doc, ...)                                                   \
	FIELD(contention, member, type, unit, doc, ##__VA_ARGS__)

static const struct field contention_table_fields[] = {
	CONTENTION(operation, NAME, NULL,
		   "what each thread does: add (an atomic addition), swap (compare-and-swap until "
		   "it succeeds), exchange, or read a word to which the first thread adds",
		   NAMED(operation_name, FATHOM_OPERATION_UNKNOWN), .column = 12),
	CONTENTION(
		layout, NAME, NULL,
		"where their words are: own_lines far apart, own_words of one line (eight threads "
		"a line), one_word, or line_pair, two lines of an aligned pair",
		NAMED(layout_name, FATHOM_LAYOUT_UNKNOWN), .column = 13),
	CONTENTION(threads, COUNT, NULL, "number of threads, each on a CPU of its own",
		   .column = 14),
	CONTENTION(cpus, TEXT, NULL, "their CPUs, in list format", .flags = FIELD_REQUIRED,
		   .column = 15),
	CLASS_OF(contention,
		 "index in core_classes of any two of the CPUs; null: of one thread alone"),
	CONTENTION(op_ns, NUMBER, "ns",
		   "what an operation takes a thread, in the mean of all, of read the readers: "
		   "median over blocks",
		   .range = RANGE_POSITIVE, .column = 16),
	CONTENTION(op_low_ns, NUMBER, "ns", DOC_LOW, .column = 17),
	CONTENTION(op_high_ns, NUMBER, "ns", DOC_HIGH, .column = 18),
	CONTENTION(fairness, NUMBER, "share",
		   "what it takes the slowest thread over what it takes the fastest: median over "
		   "blocks; null: one thread",
		   .range = RANGE_POSITIVE, .column = 19),
	CONTENTION(writer_ns, NUMBER, "ns",
		   "of read: an addition of the first thread; else missing",
		   .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT, .column = 20),
	CONTENTION(blocks_ns, NUMBERS, "ns", "'op_ns' of each block, in the order measured",
		   .count = offsetof(struct fathom_contention, block_count)),
};
TABLE(contention_table, contention, "contention", "threads that go for words at the same time",
      .check = check_contention);
