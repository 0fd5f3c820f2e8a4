/* How long writing a chain takes, beside touching one word a node of the same warm memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/stopwatch.h"
#include "kernels/permutation.h"
#include "measure/memory/chain.h"

#define NODE_BYTES 64
#define REPEATS    7

static double touch_ns(unsigned char *memory, uint64_t nodes)
{
	uint64_t start = stopwatch_now_ns();
	for (uint64_t i = 0; i < nodes; i++)
		*(volatile uint64_t *)(memory + i * NODE_BYTES) = i;
	return (double)(stopwatch_now_ns() - start) / (double)nodes;
}

static double build_ns(unsigned char *memory, uint64_t nodes)
{
	struct chain chain;
	struct fathom_spec spec = {.size_bytes = nodes * NODE_BYTES,
				   .node_bytes = NODE_BYTES,
				   .lanes = 1,
				   .threads = 1};
	uint64_t start = stopwatch_now_ns();
	chain_build(&chain, &spec, memory, NODE_BYTES, start);
	return (double)(stopwatch_now_ns() - start) / (double)nodes;
}

static double variant_ns(const struct permutation_variant *variant, unsigned char *memory,
			 uint64_t nodes)
{
	struct permutation order = permutation_make(nodes, nodes);
	struct permutation_links links = {.memory = memory,
					  .node_bytes = NODE_BYTES,
					  .slots = 1,
					  .slot_bytes = NODE_BYTES,
					  .link_base = (uintptr_t)memory,
					  .last_link = (uintptr_t)memory +
						       permutation_forward(&order, 0) * NODE_BYTES,
					  .link_bytes = 8};
	uint64_t start = stopwatch_now_ns();
	variant->write(&order, &links, 0, nodes);
	return (double)(stopwatch_now_ns() - start) / (double)nodes;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static void measure(unsigned char *memory, uint64_t nodes)
{
	size_t count;
	const struct permutation_variant *variants = permutation_variants(&count);
	double touch = 1e9, build = 1e9, by_variant[8] = {0};
	for (size_t v = 0; v < count; v++)
		by_variant[v] = 1e9;
	for (int i = 0; i < REPEATS; i++) { /* interleaved: all see the same machine */
		touch = least(touch, touch_ns(memory, nodes));
		build = least(build, build_ns(memory, nodes));
		for (size_t v = 0; v < count; v++)
			by_variant[v] =
				least(by_variant[v], variant_ns(&variants[v], memory, nodes));
	}
	printf("%10llu nodes: touch %5.2f ns a node, chain_build %5.2f = %.2f x",
	       (unsigned long long)nodes, touch, build, build / touch);
	for (size_t v = 0; v < count; v++)
		printf(", %s %.2f x", variants[v].name, by_variant[v] / touch);
	printf("\n");
}

int main(void)
{
	const uint64_t largest = 1u << 24;
	struct rusage before, after;
	unsigned char *memory = mmap(NULL, largest * NODE_BYTES, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return 1;
	memset(memory, 1, largest * NODE_BYTES);
	getrusage(RUSAGE_SELF, &before);
	for (int bits = 16; bits <= 24; bits += 2) {
		measure(memory, 1ull << bits);
		measure(memory, (1ull << bits) / 8 * 7 - 3);
	}
	getrusage(RUSAGE_SELF, &after);
	printf("extra memory of all these builds: %ld KiB\n", after.ru_maxrss - before.ru_maxrss);
	munmap(memory, largest * NODE_BYTES);
	return 0;
}
