/* The structures: a row and a file each. */
#pragma once

#include "model/predict/structure.h"

/* From a key to its place in a table: a multiplication, 3, and the upper half of another, 4. (A
 * table of 2^k slots would do with a shift in place of the second.) Then the address. And how long
 * the multiplier is busy for it (NUMBER_PRODUCT_CYCLES of sum.c). */
#define HASH_CYCLES         7
#define HASH_PRODUCT_CYCLES 3

extern const struct structure structure_array, structure_array_random, structure_list,
	structure_list_shuffled, structure_bsearch, structure_bsearch_branchy,
	structure_bsearch_prefetch, structure_eytzinger, structure_eytzinger_prefetch,
	structure_btree, structure_stree, structure_bst, structure_bst_random,
	structure_chained_hash, structure_open_hash, structure_cuckoo, structure_radix_tree,
	structure_skip_list, structure_radix_partition, structure_hash_join, structure_ring;
