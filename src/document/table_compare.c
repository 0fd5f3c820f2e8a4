/* The document of a comparison. */
#include "base/names.h"
#include "document/table.h"

/* The same fields of a part and of a point, in the same columns of CSV. */
#define SPEEDUP(struct_, member, doc, ...)                                                         \
	FIELD(struct_, member, NUMBER, NULL, doc, .range = RANGE_POSITIVE, ##__VA_ARGS__)
#define UNIT(struct_)                                                                              \
	FIELD_AS("unit", struct_, quantity, NAME, NULL, "of baseline and value",                   \
		 .name_of = quantity_name, .column = 11)
#define BOTH(struct_, member, doc, ...) FIELD(struct_, member, NUMBER, NULL, doc, ##__VA_ARGS__)
#define KIND(text)                                                                                 \
	CONSTANT("kind", text, "what the row is of", .flags = FIELD_CSV_ONLY, .column = 2)

#define PART_OF(member, type, doc, ...) FIELD(compared_part, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field compared_part_table_fields[] = {
	KIND("part"),
	PART_OF(name, TEXT, "of a level, of a point of a study without levels, or 'core clock'",
		.flags = FIELD_REQUIRED, .column = 3),
	PART_OF(verdict, NAME,
		"unknown: no difference is seen, but one over the threshold could hide",
		.name_of = fathom_verdict_name, .column = 19),
	UNIT(compared_part),
	BOTH(compared_part, baseline,
	     "over the sizes inside the level; of several baselines the geometric mean",
	     .column = 12),
	BOTH(compared_part, value, "of the run", .column = 13),
	SPEEDUP(compared_part, speedup,
		"over 1: the run is faster, it takes less time or moves more bytes a second",
		.column = 14),
	SPEEDUP(compared_part, speedup_low, "95 %, of one more run against the baselines",
		.column = 15),
	SPEEDUP(compared_part, speedup_high, DOC_HIGH, .column = 16),
	PART_OF(error, NUMBER, "standard error of the logarithm of the speed-up"),
	PART_OF(freedom, NUMBER, "degrees of freedom that it is known with"),
	PART_OF(probability, NUMBER,
		"of so large a difference by chance, adjusted for the number of parts (Holm)",
		.range = RANGE_SHARE, .column = 17),
	PART_OF(visible, NUMBER, "the least difference that would have been told, as a share",
		.column = 18),
	PART_OF(points, SIZE, "that it rests on; 0: on the fitted latencies, or a clock",
		.flags = FIELD_ZERO | FIELD_CSV_NONZERO, .column = 20),
	PART_OF(evidence, TEXT, "what it rests on, or why there is no verdict",
		.flags = FIELD_REQUIRED, .column = 21),
};
TABLE(compared_part_table, compared_part, "compared_part", "what a verdict is about");

/* What of a spec has a column: not where a result has it. */
#define COLUMN(name, member, type, ...)                                                            \
	FIELD_AS(name, compared_point, spec.member, type, NULL, "of both", ##__VA_ARGS__)

static const struct field compared_point_table_fields[] = {
	KIND("point"),
	FIELD(compared_point, curve, INDEX, NULL, "in the first baseline", .unknown = -1),
	MEMBERS(compared_point, spec, spec_table),
	COLUMN("pattern", pattern, NAME, .name_of = fathom_pattern_name, .flags = FIELD_CSV_ONLY,
	       .column = 4),
	COLUMN("page_kind", page, NAME, .name_of = page_name, .flags = FIELD_CSV_ONLY, .column = 5),
	COLUMN("size_bytes", size_bytes, BYTES, .flags = FIELD_CSV_ONLY, .column = 6),
	COLUMN("node_bytes", node_bytes, BYTES, .flags = FIELD_CSV_ONLY, .column = 7),
	COLUMN("lanes", lanes, COUNT, .flags = FIELD_CSV_ONLY, .column = 8),
	COLUMN("threads", threads, COUNT, .flags = FIELD_CSV_ONLY, .column = 9),
	COLUMN("lap", lap, COUNT, .flags = FIELD_CSV_ONLY, .column = 10),
	UNIT(compared_point),
	BOTH(compared_point, baseline, "of several baselines the geometric mean", .column = 12),
	BOTH(compared_point, value, "of the run", .column = 13),
	SPEEDUP(compared_point, speedup,
		"over 1: the run is faster, it takes less time or moves more bytes a second",
		.column = 14),
	SPEEDUP(compared_point, speedup_low, "95 %, by resampling the blocks of these runs",
		.column = 15),
	SPEEDUP(compared_point, speedup_high, DOC_HIGH, .column = 16),
};
TABLE(compared_point_table, compared_point, "compared_point", "one point that all the runs have");

#define RUN(member, type, doc, ...) FIELD(compared_run, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field compared_run_table_fields[] = {
	RUN(name, TEXT, "of its file", .flags = FIELD_REQUIRED),
	FIELD_AS("run", compared_run, name, TEXT, NULL, "the name of the run",
		 .flags = FIELD_CSV_ONLY, .column = 1),
	RUN(faster, BOOLEAN, "some part is"),
	RUN(slower, BOOLEAN, "some part is"),
	LIST(compared_run, parts, part_count, compared_part_table,
	     "levels, then points, then the clock"),
	LIST(compared_run, points, point_count, compared_point_table, "curve by curve, ascending"),
};
TABLE(compared_run_table, compared_run, "compared_run", "a run, held against the baselines");

static const struct field comparison_table_fields[] = {
	HEAD("comparison"),
	PART("fathom", version_table, "what wrote it"),
	FIELD(comparison, threshold, NUMBER, "share", "the least difference that counts",
	      .range = RANGE_SHARE),
	FIELD(comparison, unit, NAME, NULL,
	      "auto: caches that answer within 30 cycles in cycles, the rest in ns",
	      .name_of = unit_name),
	FIELD(comparison, baselines, TEXTS, NULL, "their names",
	      .count = offsetof(struct fathom_comparison, baseline_count)),
	LIST_AS("warnings", comparison, warnings.items, warnings.count, warning_table,
		"what differs besides; 'where' is the run's name"),
	LIST(comparison, runs, run_count, compared_run_table, "each against all the baselines"),
};
TABLE(comparison_table, comparison, "comparison", "whether runs differ: fathom compare --json");
