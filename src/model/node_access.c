#include "model/node_access.h"

#include <math.h>

#include "base/error.h"
#include "base/list.h"
#include "document/table.h"

static int node_of(const struct fathom_machine *machine, int cpu)
{
	for (size_t i = 0; machine && i < machine->node_count; i++)
		if (cpu_list_has(machine->nodes[i].cpus, cpu))
			return (int)machine->nodes[i].id;
	return -1;
}

/* That of the curve's CPU and node, added where there is none. NULL: out of memory. */
static struct fathom_node_access *find(struct fathom_result *result,
				       const struct fathom_curve *curve)
{
	struct fathom_node_access access;
	for (size_t i = 0; i < result->node_count; i++)
		if (result->nodes[i].cpu == curve->cpu &&
		    result->nodes[i].memory_node == curve->memory_node)
			return &result->nodes[i];
	table_unknown(&node_access_table, &access);
	access.cpu = curve->cpu;
	access.cpu_node = node_of(result->machine, curve->cpu);
	access.memory_node = curve->memory_node;
	return LIST_APPEND(&result->nodes, &result->node_count, &access)
		       ? NULL
		       : &result->nodes[result->node_count - 1];
}

static void take(const struct fathom_point *point, struct fathom_node_access *access)
{
	const double bytes[] = {point->bandwidth_bytes_per_second,
				point->bandwidth_low_bytes_per_second,
				point->bandwidth_high_bytes_per_second};
	if (point->spec.threads > access->threads)
		access->threads = point->spec.threads;
	switch (point->spec.pattern) {
	case FATHOM_RANDOM_CYCLE:
		access->size_bytes = point->spec.size_bytes;
		access->latency_ns = point->latency_ns;
		access->latency_low_ns = point->latency_low_ns;
		access->latency_high_ns = point->latency_high_ns;
		break;
	case FATHOM_READ:
		access->read_bytes_per_second = bytes[0];
		access->read_low_bytes_per_second = bytes[1];
		access->read_high_bytes_per_second = bytes[2];
		break;
	case FATHOM_WRITE:
		access->write_bytes_per_second = bytes[0];
		access->write_low_bytes_per_second = bytes[1];
		access->write_high_bytes_per_second = bytes[2];
		break;
	case FATHOM_COPY:
		access->copy_bytes_per_second = bytes[0];
		access->copy_low_bytes_per_second = bytes[1];
		access->copy_high_bytes_per_second = bytes[2];
		break;
	default:
		break;
	}
}

int node_access_find(struct fathom_result *result, struct fathom_error *error)
{
	table_free_items(&node_access_table, result->nodes, result->node_count);
	result->nodes = NULL;
	result->node_count = 0;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment != FATHOM_NODES || !curve->point_count || curve->tool)
			continue;
		struct fathom_node_access *access = find(result, curve);
		if (!access)
			return error_no_memory(error);
		access->node_share = fmin(access->node_share, curve->node_share);
		take(&curve->points[curve->point_count - 1], access);
	}
	return 0;
}
