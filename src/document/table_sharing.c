/* What CPUs share: caches that they fill for each other, and words that they go for at once. */
#include "base/names.h"
#include "document/json_read.h"
#include "document/table.h"

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
