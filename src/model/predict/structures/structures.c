#include "model/predict/structures/structures.h"

#include <string.h>

const struct structure *const structures[] = {
	/* The usual ones, which random accesses alone make up. */
	&structure_array_random,
	&structure_list_shuffled,
	&structure_bsearch,
	&structure_bsearch_branchy,
	&structure_eytzinger,
	&structure_btree,
	&structure_bst,
	&structure_chained_hash,
	&structure_open_hash,
	&structure_radix_tree,
	/* STRUCTURES_USUAL so far. */
	&structure_array,
	&structure_list,
	&structure_bsearch_prefetch,
	&structure_eytzinger_prefetch,
	&structure_stree,
	&structure_bst_random,
	&structure_cuckoo,
	&structure_skip_list,
	&structure_radix_partition,
	&structure_hash_join,
	&structure_ring,
	NULL,
};

const struct structure *structure_find(const char *name)
{
	for (const struct structure *const *one = structures; *one; one++)
		if (strcmp((*one)->name, name) == 0)
			return *one;
	return NULL;
}
