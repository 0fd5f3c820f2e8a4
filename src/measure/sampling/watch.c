#include "measure/sampling/watch.h"

static void read_counts(struct meter *meter, struct vm_counts *now)
{
	*now = (struct vm_counts){0};
	if (meter->ops->vm_counts)
		meter->ops->vm_counts(meter, now);
}

void watch_begin(struct meter *meter, struct vm_counts *before)
{
	read_counts(meter, before);
}

bool watch_end(struct meter *meter, const struct vm_counts *before)
{
	struct vm_counts after;
	read_counts(meter, &after);
	return vm_record_add(&meter->memory_events, before, &after);
}
