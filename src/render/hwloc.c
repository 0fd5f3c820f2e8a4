/* Memory of NUMA nodes as memory attributes of hwloc: a shell script of hwloc-annotate, whose
 * syntax is in its manual page. Latency in ns, bandwidth in MiB per second. */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "base/units.h"
#include "document/document.h"
#include "render/writers.h"

#define MIB      1048576.0
#define SET_BITS 32

/* As hwloc writes sets: words of 32 bits, the highest first. */
static void add_set(struct text *text, const char *cpus)
{
	uint32_t words[CPU_LIST_MOST / SET_BITS] = {0};
	size_t count = 1;
	int low, high;
	while (cpu_list_next(&cpus, &low, &high))
		for (int cpu = low; cpu <= high; cpu++) {
			size_t word = (size_t)cpu / SET_BITS;
			words[word] |= (uint32_t)1 << cpu % SET_BITS;
			count = word + 1 > count ? word + 1 : count;
		}
	for (size_t i = count; i-- > 0;)
		text_add(text, "%s0x%08" PRIx32, i + 1 < count ? "," : "", words[i]);
}

/* hwloc counts the nodes in the order of the machine; NULL: it has no such node. */
static const struct fathom_node *find_node(const struct fathom_machine *machine, int id,
					   size_t *number)
{
	for (*number = 0; machine && id >= 0 && *number < machine->node_count; ++*number)
		if (machine->nodes[*number].id == (uint32_t)id)
			return &machine->nodes[*number];
	return NULL;
}

static void add_value(struct text *text, const struct fathom_result *result,
		      const struct fathom_node_access *access, const char *name, double value)
{
	size_t number, own_number;
	const struct fathom_node *memory = find_node(result->machine, access->memory_node, &number);
	const struct fathom_node *own = find_node(result->machine, access->cpu_node, &own_number);
	if (!memory || !own || !own->cpus || !(value > 0))
		return;
	text_add(text, "hwloc-annotate \"$1\" \"$1\" -- numanode:%zu -- memattr %s ", number, name);
	add_set(text, own->cpus);
	text_add(text, " %.0f\n", fmax(1, round(value)));
}

int hwloc_write(const struct content *content, const struct fathom_style *style, struct text *text,
		struct fathom_error *error)
{
	const struct fathom_result *result = content->result;
	(void)style;
	if (!result->node_count)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom cores --nodes' measures it",
				 "the result says nothing of the memory of NUMA nodes");
	text_add(text,
		 "#!/bin/sh\n"
		 "# Measured by fathom: adds the latency (ns) and the bandwidth (MiB/s) of each "
		 "NUMA node's\n"
		 "# memory, for the CPUs of each node, to a topology of this machine:\n"
		 "#   lstopo topology.xml && sh THIS_FILE topology.xml\n"
		 "#   lstopo --memattrs -i topology.xml\n"
		 "set -e\n");
	for (size_t i = 0; i < result->node_count; i++) {
		const struct fathom_node_access *access = &result->nodes[i];
		add_value(text, result, access, "Latency", access->latency_ns);
		add_value(text, result, access, "ReadBandwidth",
			  access->read_bytes_per_second / MIB);
		add_value(text, result, access, "WriteBandwidth",
			  access->write_bytes_per_second / MIB);
		add_value(text, result, access, "Bandwidth", access->copy_bytes_per_second / MIB);
	}
	return text->failed ? error_no_memory(error) : 0;
}
