#include "measure/memory/stream.h"

#include <string.h>

#include "base/patterns.h"
#include "base/rng.h"
#include "measure/memory/chain_order.h"
#include "measure/spec.h"

#define WORD_BYTES  8
#define WORD_FACTOR 0x9E3779B97F4A7C15u /* odd: the low bytes differ too */

static enum kernel_kind kernel_of(const struct fathom_spec *spec)
{
	return pattern_traits(spec->pattern)->kernel;
}

/* Words of 8 bytes: number i is i times the factor and something of the key. */
static uint64_t word_value(const struct chain *chain, uint64_t number)
{
	return number * WORD_FACTOR + rng_mix(chain->key, 0);
}

/* As the words would have it, and be they only one byte long. */
static unsigned char byte_of(uint64_t first_word, uint64_t offset)
{
	uint64_t word = offset / WORD_BYTES * WORD_FACTOR + first_word;
	return (unsigned char)(word >> offset % WORD_BYTES * 8);
}

static unsigned char byte_value(const struct chain *chain, uint64_t offset)
{
	return byte_of(word_value(chain, 0), offset);
}

static uint64_t *words_of(const struct chain *chain)
{
	return (uint64_t *)(void *)chain->base;
}

static uint32_t *index_of(const struct chain *chain)
{
	return (uint32_t *)(void *)(chain->base + spec_index_offset(&chain->spec));
}

/* ---- building ---- */

static void write_every(const struct chain *chain, uint64_t words)
{
	uint64_t count = chain->spec.size_bytes / WORD_BYTES;
	for (uint64_t i = 0; i < count; i += words)
		words_of(chain)[i] = word_value(chain, i);
}

/* The array holds a cycle through itself, so each node once and in random order: that is written
 * several times as fast as the order is computed node by node. */
static void write_index(const struct chain *chain)
{
	struct permutation order = chain_lap_order(chain, 0);
	uint64_t unit = spec_index_unit(&chain->spec), first_word = word_value(chain, 0);
	uint32_t *index = index_of(chain);
	const struct permutation_links cycle = {
		.memory = (unsigned char *)index,
		.node_bytes = sizeof(*index),
		.slots = 1,
		.last_link = permutation_forward(&order, 0),
		.link_bytes = sizeof(*index),
	};
	size_t variants;
	permutation_variants(&variants)->write(&order, &cycle, 0, order.count);
	for (uint64_t i = 0; i < chain->nodes; i++)
		index[i] = (uint32_t)(chain_node_offset(chain, index[i]) / unit);
	for (uint64_t i = 0; i < chain->nodes; i++) {
		uint64_t offset = chain_node_offset(chain, i);
		chain->base[offset] = byte_of(first_word, offset);
	}
}

/* What is tested of each byte is a bit as good as random, or always set. */
static unsigned char branch_byte(const struct chain *chain, uint64_t position)
{
	bool same = chain->spec.pattern == FATHOM_BRANCHES_SAME;
	return (unsigned char)(rng_mix(chain->key, position) >> 56) | same;
}

static void write_branches(const struct chain *chain)
{
	for (uint64_t i = 0; i < chain->nodes; i++)
		chain->base[i * chain->spec.node_bytes] = branch_byte(chain, i);
}

void stream_build(const struct chain *chain)
{
	switch (kernel_of(&chain->spec)) {
	case KERNEL_INDEX_ARRAY:
		write_index(chain);
		break;
	case KERNEL_BRANCHES:
		write_branches(chain);
		break;
	case KERNEL_LOCKS:
		memset(chain->base, 0, chain->spec.size_bytes);
		break;
	case KERNEL_STRIDE_LOOP:
		write_every(chain, chain->spec.stride_bytes / WORD_BYTES);
		break;
	default:
		write_every(chain, 1);
	}
}

/* ---- reading ---- */

/* From one access to the next. */
static uint64_t step_bytes(const struct chain *chain)
{
	return kernel_of(&chain->spec) == KERNEL_STRIDE_LOOP ? chain->spec.stride_bytes
							     : chain->spec.node_bytes;
}

uint64_t stream_hops(const struct fathom_spec *spec, uint64_t accesses)
{
	if (kernel_of(spec) != KERNEL_LINEAR_SUM)
		return accesses;
	return accesses * (spec->node_bytes / KERNEL_SUM_BYTES);
}

struct kernel_work stream_work(const struct chain *chain, uint64_t position)
{
	bool sum = kernel_of(&chain->spec) == KERNEL_LINEAR_SUM;
	return (struct kernel_work){
		.base = chain->base,
		.nodes = stream_hops(&chain->spec, spec_accesses(&chain->spec)),
		.node_bytes = sum ? KERNEL_SUM_BYTES : step_bytes(chain),
		.position = stream_hops(&chain->spec, position),
		.index = index_of(chain),
	};
}

uint64_t stream_offset(const struct chain *chain, uint64_t position)
{
	if (kernel_of(&chain->spec) == KERNEL_INDEX_ARRAY)
		return index_of(chain)[position] * spec_index_unit(&chain->spec);
	return position * step_bytes(chain);
}

/* ---- what comes of it ---- */

/* The sum of `count` words from number `first` on, `step` apart. */
static uint64_t sum_of_words(const struct chain *chain, uint64_t first, uint64_t step,
			     uint64_t count)
{
	uint64_t pairs = count % 2 ? (count - 1) / 2 * count : count / 2 * (count - 1);
	return WORD_FACTOR * (count * first + step * pairs) + count * word_value(chain, 0);
}

/* Of a stretch of one lap. */
static uint64_t sum_of(const struct chain *chain, uint64_t position, uint64_t accesses)
{
	uint64_t sum = 0, each = step_bytes(chain) / WORD_BYTES;
	switch (kernel_of(&chain->spec)) {
	case KERNEL_INDEX_ARRAY:
		for (uint64_t i = position; i < position + accesses; i++)
			sum += byte_value(chain, stream_offset(chain, i));
		return sum;
	case KERNEL_BRANCHES:
		for (uint64_t i = position; i < position + accesses; i++)
			sum += branch_byte(chain, i) & 1 ? branch_byte(chain, i) : 0;
		return sum;
	case KERNEL_LOCKS:
		return accesses;
	case KERNEL_STRIDE_LOOP:
		return sum_of_words(chain, position * each, each, accesses);
	default:
		return sum_of_words(chain, position * each, 1, accesses * each);
	}
}

uint64_t stream_sum_after(const struct chain *chain, uint64_t from, uint64_t position,
			  uint64_t accesses)
{
	uint64_t lap = spec_accesses(&chain->spec), left = lap - position % lap;
	uint64_t first = accesses < left ? accesses : left;
	uint64_t sum = from + sum_of(chain, position % lap, first);
	accesses -= first;
	if (accesses >= lap)
		sum += accesses / lap * sum_of(chain, 0, lap);
	return sum + sum_of(chain, 0, accesses % lap);
}
