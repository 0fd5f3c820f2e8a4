/* The structures that can be run, for the list of them. */
#pragma once

#include "structures/structures.h"

/* arrays.c */
extern const struct structures_kind kind_array, kind_array_random;
/* lists.c */
extern const struct structures_kind kind_list, kind_list_shuffled;
/* bsearch.c */
extern const struct structures_kind kind_bsearch, kind_bsearch_branchy, kind_bsearch_prefetch;
/* eytzinger.c */
extern const struct structures_kind kind_eytzinger, kind_eytzinger_prefetch;
/* btree.c, stree.c */
extern const struct structures_kind kind_btree, kind_stree;
/* bst.c */
extern const struct structures_kind kind_bst, kind_bst_random;
/* hash_chained.c, hash_open.c, hash_cuckoo.c */
extern const struct structures_kind kind_chained_hash, kind_open_hash, kind_cuckoo;
/* radix_tree.c, skip_list.c */
extern const struct structures_kind kind_radix_tree, kind_skip_list;
/* partition.c, hash_join.c, ring.c */
extern const struct structures_kind kind_radix_partition, kind_hash_join, kind_ring;
