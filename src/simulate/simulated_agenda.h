/* Who goes on next: numbers by time, those of the same time in the order in which they were put in.
 */
#ifndef SIMULATE_SIMULATED_AGENDA_H
#define SIMULATE_SIMULATED_AGENDA_H

#include <stdbool.h>
#include <stdint.h>

#define AGENDA_MOST 128

struct agenda_item {
	double at_ns;
	uint64_t turn;
	unsigned number;
};

/* Start from {0}. A binary heap: no item is before the one at half its index. */
struct simulated_agenda {
	unsigned count;
	uint64_t turns;
	struct agenda_item items[AGENDA_MOST + 1]; /* from 1 on */
};

/* No more than AGENDA_MOST at a time. */
void simulated_agenda_put(struct simulated_agenda *agenda, double at_ns, unsigned number);
/* Takes out the next one; false: there is none. */
bool simulated_agenda_take(struct simulated_agenda *agenda, unsigned *number);

#endif
