/* The document of a result. */
#include "document/core_groups.h"
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

WHEN(has_translations, result, it->translation_count)
WHEN(has_clocks, result, it->clock_count)
WHEN(has_window, result, it->window_instructions > 0)
WHEN(has_forward, result, it->forward_ns > 0)
WHEN(has_loads, result, it->load_law_count)

/* Classes are there even where none was found: the list says so. */
static bool has_pairs(const void *object, const void *parent)
{
	(void)parent;
	return core_groups_any(object);
}

/* ---- the fields -------------------------------------------------------------------------- */

#define WARNING(member, type, doc, ...) FIELD(warning, member, type, NULL, doc, ##__VA_ARGS__)

static const struct field warning_table_fields[] = {
	WARNING(id, TEXT, "stable identifier, for programs", .flags = FIELD_REQUIRED),
	WARNING(text, TEXT, "what was noticed, in one sentence", .flags = FIELD_REQUIRED),
	WARNING(hint, TEXT, "command or option that resolves it"),
	WARNING(where, TEXT, "what it concerns; null: the whole result"),
	WARNING(note, BOOLEAN,
		"true: not a defect, but what 'where' names was not measured; missing: false",
		.flags = FIELD_LEFT_OUT),
};
TABLE(warning_table, warning, "warning",
      "something that limits, disturbs or degrades a measurement");

static const struct field version_table_fields[] = {
	CONSTANT("version", FATHOM_VERSION, "version of fathom that wrote the document"),
};
TABLE(version_table, result, "version",
      "program that wrote the document"); /* no member of anything */

#define RESULT(member, type, unit, doc, ...) FIELD(result, member, type, unit, doc, ##__VA_ARGS__)

static const struct field origin_table_fields[] = {
	CONSTANT("version", FATHOM_VERSION, "version of fathom that wrote the document"),
	RESULT(argv, TEXTS, NULL, "command line"),
	RESULT(seed, SEED, NULL,
	       "random seed of the run; null: all curves were measured by other tools",
	       .when = has_seed),
};
static TABLE(origin_table, result, "origin",
	     "program that wrote the document, and its command line");

static const struct field core_clock_table_fields[] = {
	FIELD_AS("min_hz", result, clock_min_hz, NUMBER, "Hz", "clock of the slowest probe",
		 .range = RANGE_POSITIVE),
	FIELD_AS("median_hz", result, clock_median_hz, NUMBER, "Hz", "median clock of all probes",
		 .range = RANGE_POSITIVE),
	FIELD_AS("max_hz", result, clock_max_hz, NUMBER, "Hz", "clock of the fastest probe",
		 .range = RANGE_POSITIVE),
	FIELD_AS("drift", result, clock_drift, NUMBER, "share",
		 "change of the clock from the first to the last quarter of the blocks, as a "
		 "share; not in documents of earlier versions",
		 .flags = FIELD_LATER),
	FIELD_AS("missing", result, clock_missing, TEXT, NULL, "why there are no cycles"),
};
static TABLE(core_clock_table, result, "core_clock", "core clock, as probed during the run");

static int check_result(const struct json_path *path, void *object)
{
	const struct fathom_result *result = object;
	struct core_groups groups;
	if (result->clock_law_count && result->clock_count < 2)
		return json_refuse(path, "clocks", "are fewer than two");
	for (size_t i = 0; i < result->curve_count; i++) {
		if (!result->curves[i].pair_count)
			continue;
		if (core_groups_make(result, i, &groups, path->reader->error))
			return -1;
		core_groups_free(&groups);
	}
	return 0;
}

static const struct field result_table_fields[] = {
	HEAD("result"),
	PART("fathom", origin_table, "program that wrote the document"),
	RESULT(machine, POINTER, NULL, "machine that the result was measured on",
	       .of = &machine_table),
	RESULT(interrupted, BOOLEAN, NULL,
	       "whether the run was interrupted; the curves hold what was measured until then"),
	RESULT(survey, BOOLEAN, NULL,
	       "true: a survey, all experiments in one budget; missing: a single experiment",
	       .flags = FIELD_LEFT_OUT),
	RESULT(measured_at, DATE, NULL,
	       "start of the measurement in UTC, like 2026-11-21T22:05:13Z; null: not known, or a "
	       "simulated machine"),
	RESULT(elapsed_s, NUMBER, "s", "duration of the measurement", .range = RANGE_NOT_NEGATIVE),
	RESULT(busy_cpus, NUMBER, "CPUs",
	       "CPUs that other programs kept busy during the measurement, on average; null: not "
	       "known",
	       .range = RANGE_NOT_NEGATIVE, .flags = FIELD_LATER),
	RESULT(quality, NAME, NULL,
	       "whether the numbers may be quoted: good, usable or do-not-quote; unknown: curves "
	       "of "
	       "other tools",
	       .name_of = fathom_quality_name, .unknown = FATHOM_QUALITY_UNKNOWN,
	       .flags = FIELD_LATER),
	RESULT(quality_reason, TEXT, NULL, "why the quality is not good, a few words",
	       .flags = FIELD_LATER),
	RESULT(measured_line_bytes, BYTES, "bytes", "size of a cache line, measured by latencies",
	       .range = RANGE_POSITIVE),
	PART("clock", core_clock_table, "core clock, as probed during the run"),
	RESULT(window_instructions, NUMBER, "instructions",
	       "instructions that wait for a load at a time, while the core begins later loads; "
	       "missing: "
	       "not measured",
	       .range = RANGE_POSITIVE, .when = has_window, .flags = FIELD_LEFT_OUT),
	RESULT(window_low_instructions, NUMBER, "instructions", "lower end of its 95 % interval",
	       .range = RANGE_POSITIVE, .when = has_window, .flags = FIELD_LEFT_OUT),
	RESULT(window_high_instructions, NUMBER, "instructions", "upper end of it",
	       .range = RANGE_POSITIVE, .when = has_window, .flags = FIELD_LEFT_OUT),
	RESULT(forward_ns, NUMBER, "ns",
	       "from a value to the same one stored and loaded again, other stores in between; "
	       "missing: not measured",
	       .range = RANGE_POSITIVE, .when = has_forward, .flags = FIELD_LEFT_OUT),
	RESULT(forward_low_ns, NUMBER, "ns", "lower end of its 95 % interval",
	       .range = RANGE_POSITIVE, .when = has_forward, .flags = FIELD_LEFT_OUT),
	RESULT(forward_high_ns, NUMBER, "ns", "upper end of it", .range = RANGE_POSITIVE,
	       .when = has_forward, .flags = FIELD_LEFT_OUT),
	LIST_AS("warnings", result, warnings.items, warnings.count, warning_table,
		"what limits, disturbs or degrades the measurement"),
	LIST(result, curves, curve_count, curve_table, "measured curves", .flags = FIELD_REQUIRED),
	LIST(result, levels, level_count, level_table,
	     "levels found: caches by size, memory, then TLBs and unknown steps; not in documents "
	     "of earlier versions",
	     .flags = FIELD_LATER),
	LIST(result, hypotheses, hypothesis_count, hypothesis_table,
	     "hierarchies that come nearest to explaining the curves of the levels",
	     .flags = FIELD_LEFT_OUT),
	FIELD(result, os_prior_off, BOOLEAN, NULL,
	      "the prior of the levels leaves out what the OS reports of caches",
	      .flags = FIELD_LEFT_OUT),
	LIST(result, effects, effect_count, effect_table,
	     "experiment ablation: what each prefetcher saves", .flags = FIELD_LEFT_OUT),
	LIST(result, parallelism, parallelism_count, parallelism_table,
	     "experiment parallelism: MLP at each size, in the order of the curves",
	     .flags = FIELD_LEFT_OUT),
	LIST(result, translations, translation_count, translation_table,
	     "experiment pages: TLBs and page walks of each page kind, base pages first",
	     .when = has_translations, .flags = FIELD_LEFT_OUT),
	LIST(result, page_differences, page_difference_count, page_difference_table,
	     "experiment pages: cost of base pages against larger ones, by kind, then by size",
	     .when = has_translations, .flags = FIELD_LEFT_OUT),
	LIST(result, decompositions, decomposition_count, decomposition_table,
	     "experiment pages: the parts of an access, by size", .when = has_translations,
	     .flags = FIELD_LEFT_OUT),
	LIST(result, numbers, number_count, number_table,
	     "a survey: the latency numbers every programmer should know, measured here",
	     .flags = FIELD_LEFT_OUT),
	LIST(result, clocks, clock_count, clock_table,
	     "experiment frequency: the clocks of its runs, the slowest first", .when = has_clocks,
	     .flags = FIELD_LEFT_OUT),
	LIST(result, clock_laws, clock_law_count, clock_law_table,
	     "experiment frequency: the clock law of each level, nearest first, then by size",
	     .when = has_clocks, .flags = FIELD_LEFT_OUT),
	LIST(result, core_classes, core_class_count, core_class_table,
	     "experiment core_to_core: classes of pairs, the nearest first", .when = has_pairs,
	     .flags = FIELD_LEFT_OUT),
	LIST(result, cpus, cpu_count, cpu_table,
	     "experiment core_to_core: what the OS says of each CPU",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	LIST(result, nodes, node_count, node_access_table,
	     "experiment nodes: memory of each NUMA node for the CPUs of each",
	     .flags = FIELD_LEFT_OUT),
	LIST(result, shared_caches, shared_cache_count, shared_cache_table,
	     "experiment core_to_core: which CPUs share each cache, the nearest first",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	LIST(result, contention, contention_count, contention_table,
	     "experiment core_to_core: what threads that go for words at once take, one thread "
	     "first, then class by class",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	LIST(result, load_laws, load_law_count, load_law_table,
	     "experiment loaded: the law of latency against bandwidth, in the order of the curves",
	     .when = has_loads, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	LIST(result, memory_counts, memory_count_count, memory_count_table,
	     "experiment loaded: memory's own counters, or why there are none",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	LIST(result, distributions, distribution_count, distribution_table,
	     "experiment distribution: what single accesses take, in the order of the curves",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	LIST(result, readings, reading_count, reading_table,
	     "textbook ways to read latencies off a curve (with --explain)",
	     .flags = FIELD_LEFT_OUT),
	LIST(result, predictions, prediction_count, prediction_table,
	     "fathom predict: what operations on data structures cost", .flags = FIELD_LEFT_OUT),
	LIST(result, crossovers, crossover_count, crossover_table,
	     "fathom predict: where two of the structures change places", .flags = FIELD_LEFT_OUT),
};
TABLE(result_table, result, "result", "a result: what was measured, and what follows from it",
      .check = check_result);

const struct table *const document_tables[] = {&result_table,     &plan_table,
					       &survey_table,     &machine_document_table,
					       &comparison_table, NULL};
