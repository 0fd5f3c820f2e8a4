/* The document of samples.h that has pairs of CPUs. */
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "document/table.h"
#include "model/cores/core_classes.h"
#include "samples.h"

#define CPUS   8
#define BLOCKS 6

static void *must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

/* Two caches of two cores of two threads; a few tenths of a ns between blocks. */
static void fill(int cpu_a, int cpu_b, struct fathom_pair *pair)
{
	double ns = cpu_a / 2 == cpu_b / 2 ? 7 : cpu_a / 4 == cpu_b / 4 ? 22 : 90;
	table_unknown(&pair_table, pair);
	pair->cpu_a = cpu_a;
	pair->cpu_b = cpu_b;
	pair->home = FATHOM_HOME_A;
	pair->lines = 8;
	pair->blocks_ns = must(calloc(BLOCKS, sizeof(*pair->blocks_ns)));
	pair->block_count = BLOCKS;
	for (int i = 0; i < BLOCKS; i++)
		pair->blocks_ns[i] = ns + 0.1 * ((cpu_a + cpu_b + i) % 4);
	pair->latency_ns = ns + 0.15;
	pair->latency_low_ns = ns;
	pair->latency_high_ns = ns + 0.3;
}

struct fathom_result *sample_cores_result(void)
{
	struct fathom_result *result = must(document_new_result());
	result->machine = sample_machine();
	result->curves = must(calloc(1, sizeof(*result->curves)));
	result->curve_count = 1;
	table_unknown(&curve_table, result->curves);
	result->curves->experiment = FATHOM_CORE_TO_CORE;
	result->curves->memory_node = -1;
	result->curves->pairs = must(calloc(CPUS * (CPUS - 1) / 2, sizeof(struct fathom_pair)));
	for (int b = 0; b < CPUS; b++)
		for (int a = 0; a < b; a++)
			fill(a, b, &result->curves->pairs[result->curves->pair_count++]);
	if (core_classes_find(result, NULL))
		abort();
	result->core_classes[0].reported = must(strdup("same core"));
	return result;
}
