#include "simulated_meter.h"

#include "simulate/simulated_machine.h"
#include "unit.h"

#define KEY 11

struct simulated_meter open_meter(const char *description, uint64_t capacity_bytes)
{
	struct simulated_meter opened = {0};
	if (meter_simulated_machine(description, &opened.machine, &opened.error) ||
	    meter_simulated_open(opened.machine, PINNING_ANYWHERE, capacity_bytes, &opened.meter,
				 &opened.error))
		fail_msg("%s: %s", description, opened.error.text);
	return opened;
}

void close_meter(struct simulated_meter *opened)
{
	opened->meter->ops->close(opened->meter);
	fathom_machine_free(opened->machine);
	fathom_error_clear(&opened->error);
}

struct meter_placement prepare(struct simulated_meter *opened, const struct fathom_spec *spec,
			       bool redraw)
{
	struct meter_placement placement;
	if (opened->meter->ops->prepare(opened->meter, spec, KEY, redraw, &placement,
					&opened->error))
		fail_msg("%s", opened->error.text);
	return placement;
}

double run(struct simulated_meter *opened, uint64_t hops)
{
	double ns;
	bool arrived;
	opened->meter->ops->run(opened->meter, hops, &ns, &arrived);
	assert_true(arrived);
	return ns;
}
