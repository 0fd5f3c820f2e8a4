#include "simulate/simulated_agenda.h"

static bool is_before(const struct agenda_item *a, const struct agenda_item *b)
{
	if (a->at_ns < b->at_ns || a->at_ns > b->at_ns)
		return a->at_ns < b->at_ns;
	return a->turn < b->turn;
}

void simulated_agenda_put(struct simulated_agenda *agenda, double at_ns, unsigned number)
{
	struct agenda_item item = {at_ns, agenda->turns++, number}, *items = agenda->items;
	unsigned i = ++agenda->count;
	for (; i > 1 && is_before(&item, &items[i / 2]); i /= 2)
		items[i] = items[i / 2];
	items[i] = item;
}

bool simulated_agenda_take(struct simulated_agenda *agenda, unsigned *number)
{
	struct agenda_item *items = agenda->items;
	if (!agenda->count)
		return false;
	*number = items[1].number;
	struct agenda_item last = items[agenda->count--];
	unsigned i = 1;
	for (unsigned child; (child = 2 * i) <= agenda->count; i = child) {
		child += child < agenda->count && is_before(&items[child + 1], &items[child]);
		if (is_before(&last, &items[child]))
			break;
		items[i] = items[child];
	}
	items[i] = last;
	return true;
}
