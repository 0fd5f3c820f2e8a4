#include "base/patterns.h"

#include <strings.h>

#define WORD_BYTES 8
/* More branches than a predictor can learn by heart; locks that fit in any first cache. */
#define BRANCHES_BYTES (128u << 10)
#define LOCKS_BYTES    4096u

#define STREAM(of_name, of_kernel)                                                                 \
	.name = of_name, .order = PATTERN_ASCENDING, .kernel = of_kernel,                          \
	.node_multiple = KERNEL_LINE_BYTES, .cover = PATTERN_COVERS_IN_TURN
#define BRANCHES(of_name, of_label)                                                                \
	.name = of_name, .label = of_label, .order = PATTERN_ASCENDING, .kernel = KERNEL_BRANCHES, \
	.node_multiple = 1, .own_bytes = BRANCHES_BYTES, .own_node_bytes = 1,                      \
	.cover = PATTERN_COVERS_IN_TURN

/* FATHOM_LINE_PAIR is how the line size is found, FATHOM_SEPARATE_CYCLES what parallelism asks for:
 * `fathom latency` takes neither. */
static const struct pattern_traits rows[] = {
	[FATHOM_RANDOM_CYCLE] = {.name = "random_cycle",
				 .label = "random cycle",
				 .order = PATTERN_CYCLES,
				 .kernel = KERNEL_POINTER,
				 .has_lanes = true,
				 .cover = PATTERN_COVERS_BY_CHANCE,
				 .sweep = PATTERN_SWEPT_CYCLE,
				 .compared = true},
	[FATHOM_RANDOM_LAPS] = {.name = "random_laps",
				.label = "random, {} orders",
				.order = PATTERN_CYCLES,
				.kernel = KERNEL_POINTER,
				.has_laps = true,
				.cover = PATTERN_COVERS_BY_CHANCE,
				.sweep = PATTERN_SWEPT_CYCLE},
	[FATHOM_INDEPENDENT] = {.name = "independent",
				.order = PATTERN_DRAWN,
				.kernel = KERNEL_INDEPENDENT64,
				.cover = PATTERN_COVERS_BY_CHANCE,
				.sweep = PATTERN_SWEPT_ORDER},
	[FATHOM_SEQUENTIAL] = {.name = "sequential",
			       .order = PATTERN_ASCENDING,
			       .kernel = KERNEL_POINTER,
			       .cover = PATTERN_COVERS_IN_TURN,
			       .sweep = PATTERN_SWEPT_ALONE,
			       .compared = true,
			       .headline = true},
	[FATHOM_REVERSE] = {.name = "reverse",
			    .order = PATTERN_DESCENDING,
			    .kernel = KERNEL_POINTER,
			    .cover = PATTERN_COVERS_IN_TURN,
			    .sweep = PATTERN_SWEPT_ALONE,
			    .compared = true},
	[FATHOM_WINDOW] = {.name = "window",
			   .label = "in {}",
			   .order = PATTERN_WINDOWED,
			   .kernel = KERNEL_POINTER,
			   .stride = PATTERN_STRIDE_OF_PASSES,
			   .has_window = true,
			   .cover = PATTERN_COVERS_BY_CHANCE,
			   .sweep = PATTERN_SWEPT_CONTROL},
	[FATHOM_LINE_PAIR] = {.name = "line_pair",
			      .label = "pair {} apart",
			      .order = PATTERN_PAIRED,
			      .kernel = KERNEL_POINTER,
			      .stride = PATTERN_STRIDE_IN_NODE,
			      .cover = PATTERN_COVERS_BY_CHANCE},
	[FATHOM_STRIDED] = {.name = "strided",
			    .label = "strided {}",
			    .order = PATTERN_STRIDED,
			    .kernel = KERNEL_POINTER,
			    .stride = PATTERN_STRIDE_OF_ACCESSES,
			    .cover = PATTERN_COVERS_IN_TURN,
			    .compared = true},
	[FATHOM_PAGE_LOCAL] = {.name = "page_local",
			       .label = "page-local",
			       .order = PATTERN_WINDOWED,
			       .kernel = KERNEL_POINTER,
			       .stride = PATTERN_STRIDE_OF_PASSES,
			       .has_window = true,
			       .cover = PATTERN_COVERS_IN_TURN,
			       .compared = true},
	[FATHOM_ONE_PER_PAGE] = {.name = "one_per_page",
				 .label = "one per page",
				 .order = PATTERN_CYCLES,
				 .kernel = KERNEL_POINTER,
				 .has_pages = true,
				 .cover = PATTERN_COVERS_BY_CHANCE,
				 .compared = true},
	[FATHOM_INDEX_ARRAY] = {.name = "index_array",
				.label = "index array *",
				.order = PATTERN_CYCLES,
				.kernel = KERNEL_INDEX_ARRAY,
				.node_multiple = 1,
				.cover = PATTERN_COVERS_BY_CHANCE,
				.compared = true},
	[FATHOM_INDEX_VOLATILE] = {.name = "index_volatile",
				   .label = "index, volatile store *",
				   .order = PATTERN_CYCLES,
				   .kernel = KERNEL_INDEX_ARRAY,
				   .node_multiple = 1,
				   .cover = PATTERN_COVERS_BY_CHANCE,
				   .compared = true,
				   .on_request = true,
				   .keeps = true},
	[FATHOM_STRIDE_LOOP] = {.name = "stride_loop",
				.label = "stride loop {} *",
				.order = PATTERN_ASCENDING,
				.kernel = KERNEL_STRIDE_LOOP,
				.node_multiple = WORD_BYTES,
				.stride = PATTERN_STRIDE_OF_ACCESSES,
				.cover = PATTERN_COVERS_IN_TURN,
				.compared = true},
	[FATHOM_LINEAR_SUM] = {.name = "linear_sum",
			       .label = "linear sum *",
			       .order = PATTERN_ASCENDING,
			       .kernel = KERNEL_LINEAR_SUM,
			       .node_multiple = KERNEL_SUM_BYTES,
			       .cover = PATTERN_COVERS_IN_TURN,
			       .compared = true},
	[FATHOM_SEPARATE_CYCLES] = {.name = "separate_cycles",
				    .order = PATTERN_SEPARATE,
				    .kernel = KERNEL_POINTER,
				    .has_lanes = true,
				    .cover = PATTERN_COVERS_BY_CHANCE},
	[FATHOM_BRANCHES_RANDOM] = {BRANCHES("branches_random", "random branches *")},
	[FATHOM_BRANCHES_SAME] = {BRANCHES("branches_same", "steady branches *")},
	[FATHOM_LOCKS] = {.name = "locks",
			  .label = "lock and unlock *",
			  .order = PATTERN_ASCENDING,
			  .kernel = KERNEL_LOCKS,
			  .node_multiple = WORD_BYTES,
			  .own_bytes = LOCKS_BYTES,
			  .own_node_bytes = KERNEL_LINE_BYTES,
			  .cover = PATTERN_COVERS_IN_TURN},
	[FATHOM_READ] = {STREAM("read", KERNEL_READ), .headline = true, .loads = true},
	[FATHOM_WRITE] = {STREAM("write", KERNEL_WRITE), .stores = true},
	[FATHOM_WRITE_NT] = {STREAM("write_nt", KERNEL_WRITE_NT), .stores = true, .bypasses = true},
	[FATHOM_COPY] = {STREAM("copy", KERNEL_COPY), .loads = true, .stores = true,
			 .copies = true},
	[FATHOM_COPY_NT] = {STREAM("copy_nt", KERNEL_COPY_NT), .loads = true, .stores = true,
			    .bypasses = true, .copies = true},
	[FATHOM_UPDATE] = {STREAM("update", KERNEL_UPDATE), .loads = true, .stores = true},
	/* As a random cycle, which nearly all tools walk. */
	[FATHOM_PATTERN_UNKNOWN] = {.name = "unknown",
				    .cover = PATTERN_COVERS_BY_CHANCE,
				    .sweep = PATTERN_SWEPT_CYCLE},
};

const struct pattern_traits *pattern_traits(int pattern)
{
	bool known = pattern >= 0 && pattern < FATHOM_PATTERN_UNKNOWN;
	return &rows[known ? pattern : FATHOM_PATTERN_UNKNOWN];
}

bool pattern_in_address_order(int pattern)
{
	enum pattern_order order = pattern_traits(pattern)->order;
	return order == PATTERN_ASCENDING || order == PATTERN_DESCENDING ||
	       order == PATTERN_STRIDED;
}

bool pattern_is_alike(int pattern)
{
	enum pattern_order order = pattern_traits(pattern)->order;
	return order == PATTERN_CYCLES || order == PATTERN_DRAWN || order == PATTERN_SEPARATE;
}

const char *fathom_pattern_name(int pattern)
{
	return pattern >= 0 && pattern <= FATHOM_PATTERN_UNKNOWN ? rows[pattern].name : NULL;
}

int pattern_parse(const char *name)
{
	for (int i = 0; i <= FATHOM_PATTERN_UNKNOWN; i++)
		if (strcasecmp(rows[i].name, name) == 0)
			return i;
	return -1;
}

bool pattern_streams(int pattern)
{
	return kernel_kind_streams(pattern_traits(pattern)->kernel);
}

bool pattern_overlaps(int pattern)
{
	return kernel_kind_overlaps(pattern_traits(pattern)->kernel);
}

bool spec_overlaps(const struct fathom_spec *spec)
{
	return spec->lanes > 1 || pattern_overlaps(spec->pattern);
}
