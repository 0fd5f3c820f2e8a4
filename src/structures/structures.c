#include "structures/structures.h"

#include <string.h>

#include "structures/kinds.h"
#include "structures/operate.h"

const struct structures_kind *const structures_kinds[] = {
	&kind_array_random,
	&kind_list_shuffled,
	&kind_bsearch,
	&kind_bsearch_branchy,
	&kind_eytzinger,
	&kind_btree,
	&kind_bst,
	&kind_chained_hash,
	&kind_open_hash,
	&kind_radix_tree,
	&kind_array,
	&kind_list,
	&kind_bsearch_prefetch,
	&kind_eytzinger_prefetch,
	&kind_stree,
	&kind_bst_random,
	&kind_cuckoo,
	&kind_skip_list,
	&kind_radix_partition,
	&kind_hash_join,
	&kind_ring,
	NULL,
};

const struct structures_kind *structures_kind_find(const char *name)
{
	for (const struct structures_kind *const *one = structures_kinds; *one; one++)
		if (strcmp((*one)->name, name) == 0)
			return *one;
	return NULL;
}

uint64_t structures_key(enum structures_keys keys, uint64_t k)
{
	return key_of(keys, k);
}

uint64_t structures_value(uint64_t key)
{
	return value_of(key);
}

uint64_t structures_expect(const struct structures_kind *kind, void *root,
			   struct structures_requests *requests, uint64_t keys, uint64_t count,
			   unsigned together)
{
	uint64_t sum = 0;
	if (kind->expect)
		return kind->expect(root, requests, count, together);
	for (uint64_t i = 0; i < count; i++)
		sum += value_of(key_of(kind->keys, next_request(requests, keys)));
	return sum;
}
