#include <math.h>
#include <stddef.h>

#include "base/names.h"
#include "render/prometheus.h"

/* `offset`: of a double in struct fathom_core_class. */
static void add_cores(struct text *text, const struct fathom_result *result, const char *name,
		      const char *help, size_t offset)
{
	struct metric metric = {text, name, help, false};
	for (size_t i = 0; i < result->core_class_count; i++) {
		const struct fathom_core_class *one = &result->core_classes[i];
		struct text labels = {0};
		metric_label(&labels, "kind", core_class_name((int)one->kind));
		metric_count(&labels, "class", i + 1);
		metric_count(&labels, "pairs", one->pairs);
		metric_sample(&metric, &labels, metric_double(one, offset) / NS_A_SECOND);
	}
}

/* `offset`: of a double in struct fathom_node_access. */
static void add_nodes(struct text *text, const struct fathom_result *result, const char *name,
		      const char *help, size_t offset, double unit)
{
	struct metric metric = {text, name, help, false};
	for (size_t i = 0; i < result->node_count; i++) {
		const struct fathom_node_access *one = &result->nodes[i];
		struct text labels = {0};
		if (one->cpu_node >= 0)
			metric_count(&labels, "cpu_node", (size_t)one->cpu_node);
		metric_count(&labels, "cpu", (size_t)one->cpu);
		metric_count(&labels, "memory_node", (size_t)one->memory_node);
		metric_sample(&metric, &labels, metric_double(one, offset) / unit);
	}
}

static void add_contention(struct text *text, const struct fathom_result *result)
{
	struct metric metric = {text, "contention_seconds",
				"Time that an operation takes each of several threads that go for "
				"words at once.",
				false};
	for (size_t i = 0; i < result->contention_count; i++) {
		const struct fathom_contention *one = &result->contention[i];
		struct text labels = {0};
		metric_label(&labels, "operation", operation_name((int)one->operation));
		metric_label(&labels, "layout", layout_name((int)one->layout));
		metric_count(&labels, "threads", one->threads);
		metric_label(&labels, "cpus", one->cpus);
		metric_sample(&metric, &labels, one->op_ns / NS_A_SECOND);
	}
}

/* Of each cache that is known to be shared, or not. */
static void add_sharers(struct text *text, const struct fathom_result *result)
{
	struct metric metric = {text, "shared_cache_groups",
				"Groups of CPUs that share a cache, as measured; 0: each CPU has "
				"its own.",
				false};
	for (size_t i = 0; i < result->shared_cache_count; i++) {
		const struct fathom_shared_cache *one = &result->shared_caches[i];
		struct text labels = {0};
		if (one->missing)
			continue;
		metric_label(&labels, "cache", one->name);
		metric_sample(&metric, &labels, (double)one->member_count);
	}
}

void prometheus_add_cores(const struct fathom_result *result, struct text *text)
{
	add_cores(text, result, "core_to_core_seconds",
		  "Latency one way between two CPUs of that class, median over its pairs.",
		  offsetof(struct fathom_core_class, latency_ns));
	add_cores(text, result, "core_to_core_least_seconds", "The same of its fastest pair.",
		  offsetof(struct fathom_core_class, least_ns));
	add_cores(text, result, "core_to_core_greatest_seconds", "The same of its slowest pair.",
		  offsetof(struct fathom_core_class, greatest_ns));
	add_nodes(text, result, "node_latency_seconds",
		  "Latency of the memory of a NUMA node for a CPU of another or the same.",
		  offsetof(struct fathom_node_access, latency_ns), NS_A_SECOND);
	add_nodes(text, result, "node_read_bytes_per_second",
		  "Bandwidth of the cores of a NUMA node that read the memory of one.",
		  offsetof(struct fathom_node_access, read_bytes_per_second), 1);
	add_nodes(text, result, "node_write_bytes_per_second", "The same of writing.",
		  offsetof(struct fathom_node_access, write_bytes_per_second), 1);
	add_nodes(text, result, "node_copy_bytes_per_second", "The same of copying.",
		  offsetof(struct fathom_node_access, copy_bytes_per_second), 1);
	add_sharers(text, result);
	add_contention(text, result);
}
