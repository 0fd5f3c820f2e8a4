/* A priority queue of events: the earliest first, those of the same time in order of arrival. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define EVENT_QUEUE_MOST 128

struct event {
	double at_ns;
	uint64_t turn;
	unsigned number;
};

/* Start from {0}. A binary heap: no item is before the one at half its index. */
struct event_queue {
	unsigned count;
	uint64_t turns;
	struct event items[EVENT_QUEUE_MOST + 1]; /* from 1 on */
};

/* No more than EVENT_QUEUE_MOST at a time. */
void event_queue_put(struct event_queue *queue, double at_ns, unsigned number);
/* Takes out the next one; false: there is none. */
bool event_queue_take(struct event_queue *queue, unsigned *number);
