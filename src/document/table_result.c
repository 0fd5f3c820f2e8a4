/* The document of a result. */
#include "document/json_read.h"
#include "document/table.h"

/* ---- when there is what ------------------------------------------------------------------ */

/* Not of other tools' curves alone: nothing there that a seed of ours decided. */
static bool has_seed(const void *object, const void *parent)
{
	(void)parent;
	const struct fathom_result *result = object;
	size_t foreign = 0;
	while (foreign < result->curve_count && result->curves[foreign].tool)
		foreign++;
	return !foreign || foreign < result->curve_count;
}

static bool has_translations(const void *result, const void *parent)
{
	(void)parent;
	return ((const struct fathom_result *)result)->translation_count;
}

static bool has_clocks(const void *result, const void *parent)
{
	(void)parent;
	return ((const struct fathom_result *)result)->clock_count;
}

/* ---- the fields -------------------------------------------------------------------------- */

#define WARNING(member, type, doc, ...) FIELD(warning, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field warning_table_fields[] = {
	WARNING(id, TEXT, "stable, for programs", .flags = FIELD_REQUIRED),
	WARNING(text, TEXT, "what it is, one sentence", .flags = FIELD_REQUIRED),
	WARNING(hint, TEXT, "the command or option that lifts it"),
	WARNING(where, TEXT, "what it concerns; null: all"),
	WARNING(note, BOOLEAN,
		"true: nothing is wrong, but what 'where' names was not measured; missing: false",
		.flags = FIELD_LEFT_OUT),
};
TABLE(warning_table, warning, "warning", "what limits, disturbs or degrades a measurement");

static const struct field version_table_fields[] = {
	CONSTANT("version", FATHOM_VERSION, "of the fathom that wrote it"),
};
TABLE(version_table, result, "version", "what wrote the document"); /* no member of anything */

#define RESULT(member, type, unit, doc, ...) FIELD(result, member, type, unit, doc, ##__VA_ARGS__)

static const struct field origin_table_fields[] = {
	CONSTANT("version", FATHOM_VERSION, "of the fathom that wrote it"),
	RESULT(argv, TEXTS, NULL, "the command"),
	RESULT(seed, SEED, NULL, "of all that is random; null: all curves are other tools'",
	       .when = has_seed),
};
static TABLE(origin_table, result, "origin", "what wrote the document, and how it was called");

static const struct field core_clock_table_fields[] = {
	FIELD_AS("min_hz", result, clock_min_hz, NUMBER, "Hz", "the slowest probe",
		 .range = RANGE_POSITIVE),
	FIELD_AS("median_hz", result, clock_median_hz, NUMBER, "Hz", "of all probes",
		 .range = RANGE_POSITIVE),
	FIELD_AS("max_hz", result, clock_max_hz, NUMBER, "Hz", "the fastest probe",
		 .range = RANGE_POSITIVE),
	FIELD_AS("drift", result, clock_drift, NUMBER, "share",
		 "last quarter of the blocks over the first, as a share, less 1; not in documents "
		 "made before it was looked at",
		 .flags = FIELD_LATER),
	FIELD_AS("missing", result, clock_missing, TEXT, NULL, "why there are no cycles"),
};
static TABLE(core_clock_table, result, "core_clock", "of the core, as probed during the run");

static int check_result(const struct place *place, void *object)
{
	const struct fathom_result *result = object;
	return result->clock_law_count && result->clock_count < 2
		       ? place_refuse(place, "clocks", "are fewer than two")
		       : 0;
}

static const struct field result_table_fields[] = {
	HEAD("result"),
	PART("fathom", origin_table, "what wrote it"),
	RESULT(machine, POINTER, NULL, "that it was measured on; null: not known",
	       .of = &machine_table),
	RESULT(interrupted, BOOLEAN, NULL, "true: the curves hold what was measured until then"),
	RESULT(survey, BOOLEAN, NULL,
	       "true: of all experiments in one budget, whichever had time; missing: of one",
	       .flags = FIELD_LEFT_OUT),
	RESULT(measured_at, DATE, NULL,
	       "when it began, UTC, as 2026-11-21T22:05:13Z; null: not known, or a simulated "
	       "machine"),
	RESULT(elapsed_s, NUMBER, "s", "that it took", .range = RANGE_NOT_NEGATIVE),
	RESULT(measured_line_bytes, BYTES, "bytes", "a cache line, as latencies show it",
	       .range = RANGE_POSITIVE),
	PART("clock", core_clock_table, "of the core, as probed during the run"),
	LIST_AS("warnings", result, warnings.items, warnings.count, warning_table,
		"what limits, disturbs or degrades it"),
	LIST(result, curves, curve_count, curve_table, "what was measured",
	     .flags = FIELD_REQUIRED),
	LIST(result, levels, level_count, level_table,
	     "caches by reach, memory, then TLBs and unknown steps; not in documents made before "
	     "there were levels",
	     .flags = FIELD_LATER),
	LIST(result, effects, effect_count, effect_table,
	     "of experiment ablation: what each prefetcher is worth", .flags = FIELD_LEFT_OUT),
	LIST(result, parallelism, parallelism_count, parallelism_table,
	     "of experiment parallelism: in the order of its curves", .flags = FIELD_LEFT_OUT),
	LIST(result, translations, translation_count, translation_table,
	     "of experiment pages: base pages first, then larger ones", .when = has_translations,
	     .flags = FIELD_LEFT_OUT),
	LIST(result, page_differences, page_difference_count, page_difference_table,
	     "of experiment pages: by kind, then by size", .when = has_translations,
	     .flags = FIELD_LEFT_OUT),
	LIST(result, decompositions, decomposition_count, decomposition_table,
	     "of experiment pages: by size", .when = has_translations, .flags = FIELD_LEFT_OUT),
	LIST(result, numbers, number_count, number_table,
	     "of a survey: the latency numbers that programmers go by, as they are here",
	     .flags = FIELD_LEFT_OUT),
	LIST(result, clocks, clock_count, clock_table,
	     "of experiment frequency: of its runs, the slowest first", .when = has_clocks,
	     .flags = FIELD_LEFT_OUT),
	LIST(result, clock_laws, clock_law_count, clock_law_table,
	     "of experiment frequency: of the levels, nearest first, then by size",
	     .when = has_clocks, .flags = FIELD_LEFT_OUT),
	LIST(result, readings, reading_count, reading_table,
	     "with --explain: other ways to read latencies off a curve, beside the levels",
	     .flags = FIELD_LEFT_OUT),
};
TABLE(result_table, result, "result", "what was measured, and what it says", .check = check_result);

const struct table *const document_tables[] = {&result_table,     &plan_table,
					       &survey_table,     &machine_document_table,
					       &comparison_table, NULL};
