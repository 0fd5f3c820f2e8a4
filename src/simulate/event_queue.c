#include "simulate/event_queue.h"

#include <string.h>

/* What comes last is in most cases the latest, or nearly. */
void event_queue_put(struct event_queue *queue, double at_ns, unsigned number)
{
	struct event *items = queue->items;
	if (queue->end == EVENT_QUEUE_ROOM) {
		queue->end -= queue->first;
		memmove(items, items + queue->first, queue->end * sizeof(*items));
		queue->first = 0;
	}
	unsigned i = queue->end++;
	for (; i > queue->first && items[i - 1].at_ns > at_ns; i--)
		items[i] = items[i - 1];
	items[i] = (struct event){at_ns, number};
}

bool event_queue_take(struct event_queue *queue, unsigned *number)
{
	if (queue->first == queue->end)
		return false;
	*number = queue->items[queue->first++].number;
	return true;
}
