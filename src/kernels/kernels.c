#include "kernels/kernels.h"

#include <string.h>

#include "kernels/chase.h"
#include "kernels/lanes.h"
#include "kernels/laps.h"
#include "kernels/portable.h"
#include "kernels/streams.h"

#define LAPS(name, whole)                                                                          \
	static void laps_##whole(struct kernel_work *work, uint64_t hops)                          \
	{                                                                                          \
		laps_sum(work, hops, whole, portable_##name);                                      \
	}
LAPS(index_array, portable_index_array)
LAPS(index_bytes, portable_index_bytes)
LAPS(index_array_kept, portable_index_array_kept)
LAPS(index_bytes_kept, portable_index_bytes_kept)
LAPS(stride_loop, portable_stride_loop)
LAPS(linear_sum, portable_linear_sum)
LAPS(branches, portable_branches)
LAPS(locks, portable_locks)
#if defined(CHASE_ISA)
LAPS(index_array, chase_index_array)
LAPS(index_bytes, chase_index_bytes)
LAPS(index_array_kept, chase_index_array_kept)
LAPS(index_bytes_kept, chase_index_bytes_kept)
LAPS(stride_loop, chase_stride_loop)
LAPS(linear_sum, chase_linear_sum)
#endif

static const struct kernel kernels[] = {
#if defined(CHASE_ISA)
	{"index_array", CHASE_ISA, KERNEL_INDEX_ARRAY, 1, 2, CHASE_INDEX_ARRAY_INSTRUCTIONS,
	 laps_chase_index_array, .rolled = false},
	{"index_bytes", CHASE_ISA, KERNEL_INDEX_BYTES, 1, 2, CHASE_INDEX_BYTES_INSTRUCTIONS,
	 laps_chase_index_bytes, .rolled = false},
	{"index_array_kept", CHASE_ISA, KERNEL_INDEX_ARRAY_KEPT, 1, 2,
	 CHASE_INDEX_ARRAY_INSTRUCTIONS + CHASE_KEEP_INSTRUCTIONS, laps_chase_index_array_kept,
	 .rolled = false},
	{"index_bytes_kept", CHASE_ISA, KERNEL_INDEX_BYTES_KEPT, 1, 2,
	 CHASE_INDEX_BYTES_INSTRUCTIONS + CHASE_KEEP_INSTRUCTIONS, laps_chase_index_bytes_kept,
	 .rolled = false},
	{"stride_loop", CHASE_ISA, KERNEL_STRIDE_LOOP, 1, 1, CHASE_STRIDE_LOOP_INSTRUCTIONS,
	 laps_chase_stride_loop, .rolled = false},
	{"linear_sum", CHASE_ISA, KERNEL_LINEAR_SUM, 1, 8, CHASE_LINEAR_SUM_INSTRUCTIONS,
	 laps_chase_linear_sum, .rolled = false},
	{"pointer", CHASE_ISA, KERNEL_POINTER, 1, 1, 1, chase_pointer, .rolled = false},
	{"index32", CHASE_ISA, KERNEL_INDEX32, 1, 1, CHASE_INDEX32_INSTRUCTIONS, chase_index32,
	 .rolled = false},
	{"pointer_rolled", CHASE_ISA, KERNEL_POINTER, 1, 1, 1 + CHASE_LOOP_INSTRUCTIONS,
	 chase_pointer_rolled, .rolled = true},
	{"index32_rolled", CHASE_ISA, KERNEL_INDEX32, 1, 1,
	 CHASE_INDEX32_INSTRUCTIONS + CHASE_LOOP_INSTRUCTIONS, chase_index32_rolled,
	 .rolled = true},
	LANES_ROWS STREAMS_TABLE
#endif
	{"pointer_lanes", "portable", KERNEL_POINTER, 0, 2, 0, portable_pointer_lanes,
	 .store = KERNEL_IN_ARRAY},
	{"index32_lanes", "portable", KERNEL_INDEX32, 0, 2, 0, portable_index32_lanes,
	 .store = KERNEL_IN_ARRAY},
	{"pointer_lanes_stack", "portable", KERNEL_POINTER, 0, 2, 0, portable_pointer_lanes_stack,
	 .store = KERNEL_ON_STACK},
	{"index32_lanes_stack", "portable", KERNEL_INDEX32, 0, 2, 0, portable_index32_lanes_stack,
	 .store = KERNEL_ON_STACK},
	{"pointer", "portable", KERNEL_POINTER, 1, 1, 0, portable_pointer, .rolled = false},
	{"index32", "portable", KERNEL_INDEX32, 1, 1, 0, portable_index32, .rolled = false},
	{"independent64", "portable", KERNEL_INDEPENDENT64, 1, 1, 0, portable_independent64,
	 .rolled = false},
	{"independent32", "portable", KERNEL_INDEPENDENT32, 1, 1, 0, portable_independent32,
	 .rolled = false},
	{"independent8", "portable", KERNEL_INDEPENDENT8, 1, 1, 0, portable_independent8,
	 .rolled = false},
	{"index_bytes", "portable", KERNEL_INDEX_BYTES, 1, 2, 0, laps_portable_index_bytes,
	 .rolled = false},
	{"index_array", "portable", KERNEL_INDEX_ARRAY, 1, 2, 0, laps_portable_index_array,
	 .rolled = false},
	{"index_array_kept", "portable", KERNEL_INDEX_ARRAY_KEPT, 1, 2, 0,
	 laps_portable_index_array_kept, .rolled = false},
	{"index_bytes_kept", "portable", KERNEL_INDEX_BYTES_KEPT, 1, 2, 0,
	 laps_portable_index_bytes_kept, .rolled = false},
	{"stride_loop", "portable", KERNEL_STRIDE_LOOP, 1, 1, 0, laps_portable_stride_loop,
	 .rolled = false},
	{"linear_sum", "portable", KERNEL_LINEAR_SUM, 1, 8, 0, laps_portable_linear_sum,
	 .rolled = false},
	{"branches", "portable", KERNEL_BRANCHES, 1, 1, 0, laps_portable_branches, .rolled = false},
	{"locks", "portable", KERNEL_LOCKS, 1, 2, 0, laps_portable_locks, .rolled = false},
	{"read", "portable", KERNEL_READ, 1, 8, 0, portable_read, .vector_bytes = 8},
	{"write", "portable", KERNEL_WRITE, 1, 0, 0, portable_write, .vector_bytes = 8},
	{"write_nt", "portable", KERNEL_WRITE_NT, 1, 0, 0, portable_write, .vector_bytes = 8},
	{"copy", "portable", KERNEL_COPY, 1, 8, 0, portable_copy, .vector_bytes = 8},
	{"copy_nt", "portable", KERNEL_COPY_NT, 1, 8, 0, portable_copy, .vector_bytes = 8},
	{"update", "portable", KERNEL_UPDATE, 1, 8, 0, portable_update, .vector_bytes = 8},
};

static const struct kernel_probe probe =
#if defined(CHASE_ISA)
	{CHASE_ISA, chase_add, chase_multiply, chase_add_apart};
#else
	{"portable", portable_add, portable_multiply, portable_add_apart};
#endif

const struct kernel *kernel_list(size_t *count)
{
	*count = sizeof(kernels) / sizeof(kernels[0]);
	return kernels;
}

static bool is_portable(const struct kernel *kernel)
{
	return strcmp(kernel->isa, "portable") == 0;
}

bool kernel_usable(const struct kernel *kernel)
{
	if (kernel->vector_bytes)
		return is_portable(kernel) || streams_usable(kernel->vector_bytes);
	return kernel->vector_lanes <= LANES_VECTORS_ANYWHERE || lanes_more_vectors();
}

static bool has_lanes(const struct kernel *kernel, unsigned lanes)
{
	if (kernel->lanes == 0)
		return lanes > 1 && lanes <= FATHOM_MOST_LANES;
	return kernel->lanes == lanes;
}

/* `store` NULL: any. */
static const struct kernel *find(enum kernel_kind kind, unsigned lanes,
				 const enum kernel_store *store)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (kernels[i].kind == kind && (!store || kernels[i].store == *store) &&
		    has_lanes(&kernels[i], lanes) && kernel_usable(&kernels[i]))
			return &kernels[i];
	return NULL;
}

const struct kernel *kernel_find(enum kernel_kind kind, unsigned lanes)
{
	return find(kind, lanes, NULL);
}

const struct kernel *kernel_find_lanes(enum kernel_kind kind, unsigned lanes,
				       enum kernel_store store)
{
	return find(kind, lanes, &store);
}

const struct kernel *kernel_find_rolled(enum kernel_kind kind)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (kernels[i].kind == kind && kernels[i].rolled)
			return &kernels[i];
	return kernel_find(kind, 1);
}

const struct kernel *kernel_find_stream(enum kernel_kind kind, unsigned vector_bytes)
{
	bool past_caches = kind == KERNEL_WRITE_NT || kind == KERNEL_COPY_NT;
	const struct kernel *widest = NULL;
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		const struct kernel *kernel = &kernels[i];
		if (kernel->kind != kind || !kernel_usable(kernel) ||
		    (past_caches && is_portable(kernel)) ||
		    (vector_bytes && kernel->vector_bytes != vector_bytes))
			continue;
		if (!widest || kernel->vector_bytes > widest->vector_bytes)
			widest = kernel;
	}
	return widest;
}

/* Of one lane, or (0) of any number. */
static const struct kernel *find_portable(enum kernel_kind kind, unsigned lanes)
{
	size_t last = sizeof(kernels) / sizeof(kernels[0]) - 1;
	while (kernels[last].kind != kind || kernels[last].lanes != lanes)
		last--;
	return &kernels[last];
}

void kernel_walk(const struct kernel *kernel, struct kernel_work *work, uint64_t hops)
{
	bool one = kernel->lanes == 1;
	uint64_t rest = hops % (one ? KERNEL_UNROLL : KERNEL_LANES_UNROLL);
	if (kernel_kind_overlaps(kernel->kind) || kernel->rolled)
		rest = 0; /* they take any number */
	kernel->run(work, hops - rest);
	if (kernel->lanes)
		work->lanes = kernel->lanes;
	if (rest)
		find_portable(kernel->kind, one ? 1 : 0)->run(work, rest);
}

const struct kernel_probe *kernel_probe(void)
{
	return &probe;
}
