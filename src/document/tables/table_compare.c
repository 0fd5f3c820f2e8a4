/* The document of a comparison. */
#include "base/names.h"
#include "document/table.h"

/* The same fields of a part and of a point, in the same columns of CSV. */
#define SPEEDUP(struct_, member, doc, ...)                                                         \
	FIELD(struct_, member, NUMBER, NULL, doc, .range = RANGE_POSITIVE, ##__VA_ARGS__)
#define UNIT(struct_)                                                                              \
	FIELD_AS("unit", struct_, quantity, NAME, NULL, "unit of baseline and value",              \
		 .name_of = quantity_name, .column = 11)
#define BOTH(struct_, member, doc, ...) FIELD(struct_, member, NUMBER, NULL, doc, ##__VA_ARGS__)
#define KIND(text)                                                                                 \
	CONSTANT("kind", text, "what the row describes: a part or a point",                        \
		 .flags = FIELD_CSV_ONLY, .column = 2)

#define PART_OF(member, type, doc, ...) FIELD(compared_part, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field compared_part_table_fields[] = {
	KIND("part"),
	PART_OF(name, TEXT,
		"name of the level, of the point where there are no levels, or 'core clock'",
		.flags = FIELD_REQUIRED, .column = 3),
	PART_OF(verdict, NAME,
		"same, faster, slower, or unknown: no difference was found, but one above the "
		"threshold could have been missed; disturbed: one may come from what disturbed a "
		"run",
		.name_of = fathom_verdict_name, .column = 19),
	UNIT(compared_part),
	BOTH(compared_part, baseline,
	     "value of the baseline over the sizes in this level; of several baselines the "
	     "geometric mean",
	     .column = 12),
	BOTH(compared_part, value, "value of the run", .column = 13),
	SPEEDUP(compared_part, speedup, "speed-up over the baseline: above 1 the run is faster",
		.column = 14),
	SPEEDUP(compared_part, speedup_low,
		"lower bound of the 95 % interval for one more run against the baselines",
		.column = 15),
	SPEEDUP(compared_part, speedup_high, DOC_HIGH, .column = 16),
	PART_OF(error, NUMBER, "standard error of the logarithm of the speed-up"),
	PART_OF(freedom, NUMBER, "degrees of freedom of that standard error"),
	PART_OF(probability, NUMBER,
		"probability of such a difference by chance alone, adjusted for the number of "
		"parts (Holm)",
		.range = RANGE_SHARE, .column = 17),
	PART_OF(visible, NUMBER, "smallest difference that would have been detected, as a share",
		.column = 18),
	PART_OF(points, SIZE,
		"number of points that the verdict rests on; 0: fitted latencies or a clock",
		.flags = FIELD_ZERO | FIELD_CSV_NONZERO, .column = 20),
	PART_OF(evidence, TEXT, "what the verdict rests on, or why there is none",
		.flags = FIELD_REQUIRED, .column = 21),
};
TABLE(compared_part_table, compared_part, "compared_part",
      "a level, point or clock with its verdict");

/* What of a spec has a column: not where a result has it. */
#define COLUMN(name, member, type, ...)                                                            \
	FIELD_AS(name, compared_point, spec.member, type, NULL, "as in both runs", ##__VA_ARGS__)

static const struct field compared_point_table_fields[] = {
	KIND("point"),
	FIELD(compared_point, curve, INDEX, NULL, "index of the curve in the first baseline",
	      .unknown = -1),
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
	BOTH(compared_point, baseline,
	     "value of the baseline; of several baselines the geometric mean", .column = 12),
	BOTH(compared_point, value, "value of the run", .column = 13),
	SPEEDUP(compared_point, speedup, "speed-up over the baseline: above 1 the run is faster",
		.column = 14),
	SPEEDUP(compared_point, speedup_low,
		"lower bound of the 95 % interval, from resampling the blocks of these runs",
		.column = 15),
	SPEEDUP(compared_point, speedup_high, DOC_HIGH, .column = 16),
};
TABLE(compared_point_table, compared_point, "compared_point", "a point that all runs have");

#define CONDITION(member, type, doc, ...)                                                          \
	FIELD(compared_condition, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field compared_condition_table_fields[] = {
	CONDITION(name, TEXT,
		  "busy CPUs, disturbed samples, rejected samples, busy sibling, slow blocks, no "
		  "interval, slow L1, clock movement, page size",
		  .flags = FIELD_REQUIRED),
	CONDITION(unit, TEXT, "of both values", .flags = FIELD_REQUIRED),
	CONDITION(baseline, NUMBER, "of several baselines the worst"),
	CONDITION(value, NUMBER, "of the run"),
	CONDITION(disturbs, BOOLEAN, "verdicts but 'same' are held back because of it"),
};
static TABLE(compared_condition_table, compared_condition, "compared_condition",
	     "what the runs were measured under");

#define RUN(member, type, doc, ...) FIELD(compared_run, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field compared_run_table_fields[] = {
	RUN(name, TEXT, "name of the run's file", .flags = FIELD_REQUIRED),
	FIELD_AS("run", compared_run, name, TEXT, NULL, "name of the run", .flags = FIELD_CSV_ONLY,
		 .column = 1),
	RUN(faster, BOOLEAN, "whether some part is faster"),
	RUN(slower, BOOLEAN, "whether some part is slower"),
	RUN(disturbed, BOOLEAN, "whether some part cannot be told, because a run was disturbed",
	    .flags = FIELD_LATER),
	LIST(compared_run, conditions, condition_count, compared_condition_table,
	     "conditions that the runs were measured under; none: of other tools' curves",
	     .flags = FIELD_LATER),
	LIST(compared_run, parts, part_count, compared_part_table,
	     "parts with a verdict: levels, then points, then the clock"),
	LIST(compared_run, points, point_count, compared_point_table,
	     "points in common, curve by curve, ascending"),
};
TABLE(compared_run_table, compared_run, "compared_run",
      "a run that is compared with the baselines");

static const struct field comparison_table_fields[] = {
	HEAD("comparison"),
	PART("fathom", version_table, "program that wrote the document"),
	FIELD(comparison, threshold, NUMBER, "share", "smallest difference that counts",
	      .range = RANGE_SHARE),
	FIELD(comparison, unit, NAME, NULL,
	      "requested unit; auto: cycles for caches that respond within 30 cycles, ns for the "
	      "rest",
	      .name_of = unit_name),
	FIELD(comparison, baselines, TEXTS, NULL, "names of the baselines",
	      .count = offsetof(struct fathom_comparison, baseline_count)),
	LIST_AS("warnings", comparison, warnings.items, warnings.count, warning_table,
		"other differences between the runs; 'where' names the run"),
	LIST(comparison, runs, run_count, compared_run_table,
	     "runs, each compared with all baselines"),
};
TABLE(comparison_table, comparison, "comparison",
      "a comparison of runs, printed by fathom compare --json");
