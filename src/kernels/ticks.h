/* The counter of time that a program may read in some ns, and single accesses timed by it: each ISA
 * directory has its own. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ticks_run {
	uint64_t start, ticks; /* when it began and what it took, by the counter */
};

/* Its name; NULL: this CPU has none, and nothing below must be called. */
const char *ticks_counter(void);
/* Does the CPU say that it always counts at one rate? Where it need not say so, it does. */
bool ticks_are_steady(void);
uint64_t ticks_now(void);
/* Follows pointers from `cursor` on: `count` runs of `hops` >= 1 accesses, each between two
 * readings of the counter, of which the first is over before the first access begins, and the
 * second begins when the last access has its word. Returns the address where it ended. */
uint64_t ticks_walk(uint64_t cursor, uint64_t hops, struct ticks_run *runs, uint64_t count);
/* The same with one access a run, whose line is in no cache when it begins. Only where
 * flush_instruction() says that there is one. */
uint64_t ticks_walk_flushed(uint64_t cursor, struct ticks_run *runs, uint64_t count);
