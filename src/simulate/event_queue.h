/* A priority queue of events: the earliest first, those of the same time in order of arrival. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define EVENT_QUEUE_MOST 128
#define EVENT_QUEUE_ROOM (2 * EVENT_QUEUE_MOST) /* moved to its beginning once in so many */

struct event {
	double at_ns;
	unsigned number;
};

/* Start from {0}. In order, from `first` on. */
struct event_queue {
	unsigned first, end;
	struct event items[EVENT_QUEUE_ROOM];
};

/* fmax would be a call, for the sake of NAN. */
static inline double event_later(double a_ns, double b_ns)
{
	return a_ns > b_ns ? a_ns : b_ns;
}

/* No more than EVENT_QUEUE_MOST at a time. */
void event_queue_put(struct event_queue *queue, double at_ns, unsigned number);
/* Takes out the next one; false: there is none. */
bool event_queue_take(struct event_queue *queue, unsigned *number);
