/* The document of samples.h that has pairs of CPUs. */
#include <math.h>
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

/* Two CPUs of a core share the second cache; the third is not told. */
static void add_caches(struct fathom_result *result)
{
	struct fathom_shared_cache *caches = must(calloc(2, sizeof(*caches)));
	for (int i = 0; i < 2; i++) {
		table_unknown(&shared_cache_table, &caches[i]);
		caches[i].name = must(strdup(i ? "L3" : "L2"));
		caches[i].size_bytes = (i ? 32u : 1u) << 20;
	}
	caches[0].cycle_bytes = 699008;
	caches[0].reported_known = true;
	caches[0].tests = must(calloc(1, sizeof(*caches[0].tests)));
	caches[0].test_count = 1;
	caches[0].members = must(calloc(1, sizeof(char *)));
	caches[0].members[0] = must(strdup("0-1"));
	caches[0].member_count = 1;
	caches[0].tests[0] = (struct fathom_sharing_test){
		.cpu_b = 1,
		.alone_ns = 4.4,
		.alone_low_ns = 4.3,
		.alone_high_ns = 4.5,
		.together_ns = 21,
		.together_low_ns = 20.5,
		.together_high_ns = 21.5,
		.twice_ns = 22,
		.share = 0.97,
		.share_low = 0.94,
		.share_high = 1.01,
		.shared = 1,
	};
	caches[1].missing =
		must(strdup("other programs or guests disturb what tells how large it is"));
	result->shared_caches = caches;
	result->shared_cache_count = 2;
}

static void add_contention(struct fathom_result *result)
{
	static const enum fathom_layout layouts[] = {
		FATHOM_LAYOUT_ONE_WORD, FATHOM_LAYOUT_OWN_LINES, FATHOM_LAYOUT_OWN_WORDS,
		FATHOM_LAYOUT_ONE_WORD};
	struct fathom_contention *items = must(calloc(4, sizeof(*items)));
	for (int i = 0; i < 4; i++) {
		struct fathom_contention *one = &items[i];
		table_unknown(&contention_table, one);
		one->operation = FATHOM_OPERATION_ADD;
		one->layout = layouts[i];
		one->threads = i ? 2 : 1;
		one->core_class = i ? 1 : -1;
		one->cpus = must(strdup(i ? "0,2" : "0"));
		one->op_ns = i < 2 ? 7 : 22.5;
		one->op_low_ns = one->op_ns - 0.5;
		one->op_high_ns = one->op_ns + 0.5;
		one->fairness = i ? 1.02 : NAN;
		one->blocks_ns = must(calloc(2, sizeof(*one->blocks_ns)));
		one->block_count = 2;
		one->blocks_ns[0] = one->op_low_ns;
		one->blocks_ns[1] = one->op_high_ns;
	}
	result->contention = items;
	result->contention_count = 4;
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
	add_caches(result);
	add_contention(result);
	result->core_classes[0].reported = must(strdup("same core"));
	return result;
}
