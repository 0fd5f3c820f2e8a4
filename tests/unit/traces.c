#include "traces.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

struct simulated_memory traces_open(const char *description)
{
	struct simulated_spec spec;
	struct simulated_memory memory;
	struct fathom_error error = {0};
	if (simulated_spec_parse(description, &spec, &error) ||
	    simulated_memory_open(&memory, &spec, &error))
		fail_msg("%s: %s", description, error.text);
	return memory;
}

struct simulated_memory traces_open_text(char *description)
{
	assert_non_null(description);
	struct simulated_memory memory = traces_open(description);
	free(description);
	return memory;
}

void traces_map(struct simulated_memory *memory, uint64_t bytes, uint64_t page_bytes, uint64_t key)
{
	struct fathom_error error = {0};
	if (simulated_memory_map(memory, bytes, page_bytes, key, &error))
		fail_msg("%s", error.text);
}

void traces_shuffle(uint32_t *order, uint32_t count, struct rng *rng)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t other = (uint32_t)rng_below(rng, i + 1), here = order[i];
		order[i] = order[other];
		order[other] = here;
	}
}

uint32_t *traces_order(uint32_t count, uint64_t seed)
{
	struct rng rng = rng_make(seed);
	uint32_t *order = calloc(count, sizeof(*order));
	assert_non_null(order);
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	traces_shuffle(order, count, &rng);
	return order;
}

uint64_t traces_lap_hits(struct simulated_memory *memory, const uint32_t *order, uint32_t count,
			 uint64_t spacing_bytes)
{
	uint64_t hits = 0;
	for (uint32_t i = 0; i < count; i++)
		hits += simulated_memory_load(memory, order[i] * spacing_bytes) == 0;
	return hits;
}
