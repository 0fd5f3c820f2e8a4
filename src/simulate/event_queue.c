#include "simulate/event_queue.h"

static bool is_before(const struct event *a, const struct event *b)
{
	if (a->at_ns < b->at_ns || a->at_ns > b->at_ns)
		return a->at_ns < b->at_ns;
	return a->turn < b->turn;
}

void event_queue_put(struct event_queue *queue, double at_ns, unsigned number)
{
	struct event item = {at_ns, queue->turns++, number}, *items = queue->items;
	unsigned i = ++queue->count;
	for (; i > 1 && is_before(&item, &items[i / 2]); i /= 2)
		items[i] = items[i / 2];
	items[i] = item;
}

bool event_queue_take(struct event_queue *queue, unsigned *number)
{
	struct event *items = queue->items;
	if (!queue->count)
		return false;
	*number = items[1].number;
	struct event last = items[queue->count--];
	unsigned i = 1;
	for (unsigned child; (child = 2 * i) <= queue->count; i = child) {
		child += child < queue->count && is_before(&items[child + 1], &items[child]);
		if (is_before(&last, &items[child]))
			break;
		items[i] = items[child];
	}
	items[i] = last;
	return true;
}
