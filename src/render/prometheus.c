/* For the textfile collector of node_exporter: gauges in base units. What was not measured has no
 * line; but a level that should be there and was not found is NaN, so that a dashboard does not go
 * on showing what it was before. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/stopwatch.h"
#include "render/prometheus.h"
#include "render/writers.h"

/* ---- what was measured, and on what ---- */

static void add_info(struct text *text, const struct fathom_result *result)
{
	struct metric metric = {text, "info", "What was measured, and with what.", false};
	const struct fathom_machine *machine = result->machine;
	struct text labels = {0};
	metric_label(&labels, "version", FATHOM_VERSION);
	if (machine) {
		metric_label(&labels, "machine", machine->description);
		metric_label(&labels, "hostname", machine->hostname);
		metric_label(&labels, "cpu_model", machine->cpu_model);
		metric_label(&labels, "architecture", machine->architecture);
		metric_label(&labels, "kernel", machine->kernel);
		metric_label(&labels, "hypervisor", machine->hypervisor);
	}
	metric_sample(&metric, &labels, 1);
	metric_plain(text, "interrupted", "Whether the measurement was interrupted.",
		     result->interrupted);
	if (result->quality != FATHOM_QUALITY_UNKNOWN)
		metric_plain(text, "quality",
			     "May the numbers be quoted? 2: good, 1: usable, 0: do not quote.",
			     FATHOM_QUALITY_DO_NOT_QUOTE - (int)result->quality);
	metric_plain(text, "busy_cpus",
		     "CPUs that other programs kept busy during the measurement, on average.",
		     result->busy_cpus);
	metric_plain(text, "measured_timestamp_seconds",
		     "When the measurement began, in seconds since 1970 (UTC).",
		     stopwatch_seconds_of(result->measured_at));
	metric_plain(text, "elapsed_seconds", "How long the measurement took.", result->elapsed_s);
	metric_plain(text, "core_clock_hertz", "Median of the core clock during the measurement.",
		     result->clock_median_hz);
	metric_plain(text, "line_size_bytes", "Measured size of a cache line.",
		     result->measured_line_bytes ? (double)result->measured_line_bytes : NAN);
}

static void add_warnings(struct text *text, const struct fathom_warnings *warnings)
{
	struct metric metric = {text, "warnings", "Warnings of the measurement, by their kind.",
				false};
	for (size_t i = 0; i < warnings->count; i++) {
		size_t alike = 0;
		struct text labels = {0};
		bool before = warnings->items[i].note;
		for (size_t k = 0; k < warnings->count; k++) {
			bool same = strcmp(warnings->items[k].id, warnings->items[i].id) == 0;
			alike += same;
			before |= same && k < i;
		}
		if (before)
			continue;
		metric_label(&labels, "id", warnings->items[i].id);
		metric_sample(&metric, &labels, (double)alike);
	}
}

/* ---- levels ---- */

#define LEVEL(member) offsetof(struct fathom_level, member)

static const struct quantity {
	const char *name, *help;
	size_t offset; /* of the double in struct fathom_level */
	double unit;
	bool always; /* every cache that the OS reports has it */
} quantities[] = {
	{"level_latency_seconds", "Latency of a dependent access that the level answers.",
	 LEVEL(latency_ns), NS_A_SECOND, true},
	{"level_latency_low_seconds", "Lower 95 % bound of fathom_level_latency_seconds.",
	 LEVEL(latency_low_ns), NS_A_SECOND, false},
	{"level_latency_high_seconds", "Upper 95 % bound of fathom_level_latency_seconds.",
	 LEVEL(latency_high_ns), NS_A_SECOND, false},
	{"level_at_bytes", "Size at which the latency of memory was measured.", LEVEL(at_bytes), 1,
	 false},
	{"level_size_bytes",
	 "Size of the level as measured: effective size of a cache, reach of a TLB.",
	 LEVEL(size_bytes), 1, true},
	{"level_size_low_bytes", "Lower 95 % bound of fathom_level_size_bytes.",
	 LEVEL(size_low_bytes), 1, false},
	{"level_size_high_bytes", "Upper 95 % bound of fathom_level_size_bytes.",
	 LEVEL(size_high_bytes), 1, false},
	{"tlb_miss_seconds", "Time that a miss of the TLB adds to an access.", LEVEL(penalty_ns),
	 NS_A_SECOND, false},
};

/* Is there a curve for each? Those of NUMA nodes have no levels. */
static bool has_several_cpus(const struct fathom_result *result)
{
	int first = -1;
	for (size_t i = 0; i < result->curve_count; i++) {
		int cpu = result->curves[i].cpu;
		if (result->curves[i].experiment == FATHOM_NODES)
			continue;
		if (first >= 0 && cpu >= 0 && cpu != first)
			return true;
		first = first < 0 ? cpu : first;
	}
	return false;
}

static void label_level(struct text *labels, const struct fathom_result *result, const char *name,
			enum fathom_level_kind kind, size_t curve)
{
	metric_label(labels, "level", name);
	metric_label(labels, "kind", level_kind_name((int)kind));
	if (curve >= result->curve_count)
		return;
	const struct fathom_point *points = result->curves[curve].points;
	bool known = result->curves[curve].point_count > 0;
	metric_label(labels, "pages", known ? page_name((int)points[0].spec.page) : NULL);
	metric_count(labels, "curve", curve);
	if (result->curves[curve].sibling != FATHOM_SIBLING_ANY)
		metric_label(labels, "sibling", sibling_name((int)result->curves[curve].sibling));
	if (has_several_cpus(result))
		metric_count(labels, "cpu", (size_t)result->curves[curve].cpu);
}

static bool has_level(const struct fathom_result *result, const char *name)
{
	for (size_t i = 0; i < result->level_count; i++)
		if (result->levels[i].name && strcmp(result->levels[i].name, name) == 0)
			return true;
	return false;
}

/* The data caches that the OS reports and no curve shows, as if of the first curve with levels. */
static void add_missing(struct metric *metric, const struct fathom_result *result)
{
	size_t caches = result->machine && result->level_count ? result->machine->cache_count : 0;
	for (size_t i = 0; i < caches; i++) {
		const struct fathom_cache *cache = &result->machine->caches[i];
		char *name = text_format("L%u", cache->level);
		struct text labels = {0};
		metric->text->failed |= !name;
		if (cache->kind != FATHOM_CACHE_INSTRUCTION && name && !has_level(result, name)) {
			label_level(&labels, result, name, FATHOM_LEVEL_CACHE,
				    result->levels[0].curve);
			metric_value(metric, &labels, NAN);
		}
		metric->text->failed |= labels.failed;
		text_free(&labels);
		free(name);
	}
}

static void add_levels(struct text *text, const struct fathom_result *result)
{
	struct text labels = {0};
	for (size_t q = 0; q < sizeof(quantities) / sizeof(*quantities); q++) {
		struct metric metric = {text, quantities[q].name, quantities[q].help, false};
		for (size_t i = 0; i < result->level_count; i++) {
			const struct fathom_level *level = &result->levels[i];
			bool undecided = level->kind == FATHOM_LEVEL_UNKNOWN &&
					 quantities[q].offset == LEVEL(penalty_ns);
			if (undecided) /* whose miss it is, is not known */
				continue;
			label_level(&labels, result, level->name, level->kind, level->curve);
			metric_sample(&metric, &labels,
				      metric_double(level, quantities[q].offset) /
					      quantities[q].unit);
		}
		if (quantities[q].always)
			add_missing(&metric, result);
	}
	struct metric reported = {text, "level_reported_bytes",
				  "Size of that cache as the operating system reports it.", false};
	for (size_t i = 0; i < result->level_count; i++) {
		uint64_t bytes = result->levels[i].reported_bytes;
		label_level(&labels, result, result->levels[i].name, result->levels[i].kind,
			    result->levels[i].curve);
		metric_sample(&reported, &labels, bytes ? (double)bytes : NAN);
	}
}

/* ---- settled caches ---- */

/* Of the points of that warmth. `offset`: of a double in struct fathom_point. */
static void add_settling(struct text *text, const struct fathom_result *result,
			 enum fathom_warmth warmth, const char *name, const char *help,
			 size_t offset)
{
	struct metric metric = {text, name, help, false};
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			struct text labels = {0};
			if (result->curves[i].experiment != FATHOM_SETTLING ||
			    point->spec.warmth != warmth)
				continue;
			metric_count(&labels, "size_bytes", point->spec.size_bytes);
			metric_label(&labels, "pages", page_name((int)point->spec.page));
			metric_count(&labels, "curve", i);
			metric_sample(&metric, &labels, metric_double(point, offset) / NS_A_SECOND);
		}
}

/* ---- overlap, bandwidth, numbers ---- */

/* `offset`: of a double in struct fathom_parallelism, `unit`: in what it is written. */
static void add_overlap(struct text *text, const struct fathom_result *result, const char *name,
			const char *help, size_t offset, double unit)
{
	struct metric metric = {text, name, help, false};
	for (size_t i = 0; i < result->parallelism_count; i++) {
		const struct fathom_parallelism *one = &result->parallelism[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		struct text labels = {0};
		metric_label(&labels, "level", one->level);
		metric_count(&labels, "size_bytes", one->size_bytes);
		metric_label(&labels, "pages", page_name((int)curve->points[0].spec.page));
		metric_count(&labels, "curve", one->curve);
		metric_sample(&metric, &labels, metric_double(one, offset) / unit);
	}
}

/* A point of a curve of streams has labels of its own: those that tell curves apart, and the size.
 */
static void add_bandwidth(struct text *text, const struct fathom_result *result)
{
	struct metric metric = {text, "bandwidth_bytes_per_second",
				"Bytes that all threads together read, write or copy per second.",
				false};
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			struct text labels = {0};
			if (!pattern_streams((int)point->spec.pattern) ||
			    result->curves[i].experiment == FATHOM_NODES)
				continue;
			metric_label(&labels, "operation",
				     fathom_pattern_name((int)point->spec.pattern));
			metric_count(&labels, "threads", point->spec.threads);
			metric_count(&labels, "size_bytes", point->spec.size_bytes);
			metric_label(&labels, "pages", page_name((int)point->spec.page));
			metric_count(&labels, "curve", i);
			metric_sample(&metric, &labels, point->bandwidth_bytes_per_second);
		}
}

/* By chains through one line a page: a TLB that only the sweep shows is a level. `offset`: of a
 * double in struct fathom_tlb. */
static void add_tlbs(struct text *text, const struct fathom_result *result, const char *name,
		     const char *help, size_t offset, double unit)
{
	struct metric metric = {text, name, help, false};
	for (size_t i = 0; i < result->translation_count; i++)
		for (size_t k = 0; k < result->translations[i].tlb_count; k++) {
			const struct fathom_translation *one = &result->translations[i];
			struct text labels = {0};
			metric_label(&labels, "pages", page_name((int)one->page));
			metric_count(&labels, "tlb", k + 1);
			metric_sample(&metric, &labels,
				      metric_double(&one->tlbs[k], offset) / unit);
		}
}

static void add_parts(struct text *text, const struct fathom_result *result)
{
	struct metric parts = {text, "access_part_seconds",
			       "Parts of the time of a random access on base pages.", false};
	for (size_t i = 0; i < result->decomposition_count; i++)
		for (int part = 0; part < FATHOM_PART_COUNT; part++) {
			const struct fathom_decomposition *one = &result->decompositions[i];
			struct text labels = {0};
			metric_label(&labels, "part", part_name(part));
			metric_count(&labels, "size_bytes", one->size_bytes);
			metric_sample(&parts, &labels, one->parts[part].ns / NS_A_SECOND);
		}
}

static void add_numbers(struct text *text, const struct fathom_result *result)
{
	struct metric metric = {text, "number_seconds",
				"Latency numbers every programmer should know, as measured here.",
				false};
	for (size_t i = 0; i < result->number_count; i++) {
		struct text labels = {0};
		metric_label(&labels, "name", result->numbers[i].name);
		metric_label(&labels, "how", result->numbers[i].how);
		metric_sample(&metric, &labels, result->numbers[i].ns / NS_A_SECOND);
	}
}

/* `offset`: of a double in struct fathom_load_law. */
static void add_loads(struct text *text, const struct fathom_result *result, const char *name,
		      const char *help, size_t offset, double unit)
{
	struct metric metric = {text, name, help, false};
	for (size_t i = 0; i < result->load_law_count; i++) {
		const struct fathom_load_law *law = &result->load_laws[i];
		struct text labels = {0};
		metric_label(&labels, "tool", result->curves[law->curve].tool);
		if (isfinite(law->read_share))
			metric_count(&labels, "read_percent", (size_t)round(100 * law->read_share));
		if (result->curves[law->curve].page_bytes)
			metric_count(&labels, "page_bytes", result->curves[law->curve].page_bytes);
		metric_sample(&metric, &labels, metric_double(law, offset) / unit);
	}
}

static void add_counts(struct text *text, const struct fathom_result *result)
{
	struct metric metric = {text, "load_counted_ratio",
				"What memory's own counters saw, over what the threads counted.",
				false};
	for (size_t i = 0; i < result->memory_count_count; i++) {
		struct text labels = {0};
		if (isfinite(result->memory_counts[i].ratio))
			metric_sample(&metric, &labels, result->memory_counts[i].ratio);
	}
}

static void add_accesses(struct text *text, const struct fathom_result *result)
{
	struct metric metric = {text, "access_seconds",
				"Latency that so large a share of single accesses does not exceed.",
				false};
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		for (size_t k = 0; k < one->quantile_count; k++) {
			struct text labels = {0}, share = {0};
			text_add(&share, "%g", one->quantiles[k].share);
			metric_count(&labels, "curve", one->curve);
			metric_label(&labels, "quantile", share.data);
			text_free(&share);
			metric_sample(&metric, &labels, one->quantiles[k].latency_ns / NS_A_SECOND);
		}
	}
}

int prometheus_write(const struct content *content, const struct fathom_style *style,
		     struct text *text, struct fathom_error *error)
{
	const struct fathom_result *result = content->result;
	(void)style;
	if (content->kind == CONTENT_FLEET)
		return prometheus_write_fleet(content->fleet, text, error);
	add_info(text, result);
	add_warnings(text, &result->warnings);
	add_levels(text, result);
	add_settling(text, result, FATHOM_SETTLED, "settled_latency_seconds",
		     "Latency of a chain that was walked for a while beside other programs.",
		     offsetof(struct fathom_point, latency_ns));
	add_settling(text, result, FATHOM_SETTLED, "settled_latency_low_seconds",
		     "Lower 95 % bound of fathom_settled_latency_seconds.",
		     offsetof(struct fathom_point, latency_low_ns));
	add_settling(text, result, FATHOM_SETTLED, "settled_latency_high_seconds",
		     "Upper 95 % bound of fathom_settled_latency_seconds.",
		     offsetof(struct fathom_point, latency_high_ns));
	add_settling(text, result, FATHOM_WARM, "filled_latency_seconds",
		     "The same just after the caches were filled.",
		     offsetof(struct fathom_point, latency_ns));
	add_overlap(
		text, result, "overlap_ratio",
		"Memory-level parallelism: throughput of several chains at once over that of one.",
		offsetof(struct fathom_parallelism, speedup), 1);
	add_overlap(text, result, "overlapped_access_seconds",
		    "Time per access where as many overlap as can.",
		    offsetof(struct fathom_parallelism, ns_per_access), NS_A_SECOND);
	add_bandwidth(text, result);
	add_tlbs(text, result, "translation_entries", "Pages that a TLB holds.",
		 offsetof(struct fathom_tlb, entries), 1);
	add_tlbs(text, result, "translation_miss_seconds",
		 "Time that a miss of that TLB adds to an access.",
		 offsetof(struct fathom_tlb, penalty_ns), NS_A_SECOND);
	add_parts(text, result);
	add_numbers(text, result);
	prometheus_add_cores(result, text);
	add_loads(text, result, "load_idle_seconds", "Latency of memory without traffic.",
		  offsetof(struct fathom_load_law, idle_latency_ns), NS_A_SECOND);
	add_loads(text, result, "load_knee_bytes_per_second",
		  "Bandwidth at which the latency of memory is 1.5 times the idle one.",
		  offsetof(struct fathom_load_law, knee_bytes_per_second), 1);
	add_loads(text, result, "load_greatest_bytes_per_second", "Greatest bandwidth.",
		  offsetof(struct fathom_load_law, greatest_bytes_per_second), 1);
	add_counts(text, result);
	add_accesses(text, result);
	return text->failed ? error_no_memory(error) : 0;
}
