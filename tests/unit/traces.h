/* Traces through simulated caches, of the test's own making. Whatever fails ends the test. */
#ifndef TESTS_UNIT_TRACES_H
#define TESTS_UNIT_TRACES_H

#include "base/rng.h"
#include "simulate/simulated_memory.h"

#define TRACES_PAGE 4096

struct simulated_memory traces_open(const char *description);
/* Takes the text over. */
struct simulated_memory traces_open_text(char *description);
void traces_map(struct simulated_memory *memory, uint64_t bytes, uint64_t page_bytes, uint64_t key);

/* Puts them in another order, each as likely. */
void traces_shuffle(uint32_t *order, uint32_t count, struct rng *rng);
/* The numbers below `count`: walked again and again, one fixed cycle. free() them. */
uint32_t *traces_order(uint32_t count, uint64_t seed);
/* Loads that the first level had, of one lap. */
uint64_t traces_lap_hits(struct simulated_memory *memory, const uint32_t *order, uint32_t count,
			 uint64_t spacing_bytes);

#endif
