#include "measure/structures/structure_meter.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "measure/sampling/calibrate.h"

static struct structure_meter *self(struct meter *meter)
{
	return (struct structure_meter *)meter;
}

static void run(struct meter *meter, uint64_t hops, double *ns, bool *arrived)
{
	struct structure_meter *own = self(meter);
	struct structures_requests before = own->requests;
	structures_run *loop = own->kind->run[own->mode];
	uint64_t start = stopwatch_now_ns();
	uint64_t sum = loop(own->root, &own->requests, hops, own->together);
	*ns = (double)(stopwatch_now_ns() - start);
	*arrived = sum ==
		   structures_expect(own->kind, own->root, &before, own->keys, hops, own->together);
}

static void clock_now(struct meter *meter, struct meter_clock *clock)
{
	*clock = clock_probe_read(&self(meter)->probe);
	meter->clock_missing = self(meter)->probe.missing;
}

static bool is_shared(struct meter *meter, double hz)
{
	return sibling_probe_is_busy(&self(meter)->sibling, hz);
}

static void interference(struct meter *meter, struct interference *now)
{
	const struct structure_meter *own = self(meter);
	interference_read(own->interference, now);
	if (own->root && own->kind->interruptions)
		now->switches += own->kind->interruptions(own->root);
}

static double elapsed_s(struct meter *meter)
{
	return (double)(stopwatch_now_ns() - self(meter)->start_ns) * 1e-9;
}

/* Of the hardware's meter: its timer is this one's. */
static int learn_cost(struct structure_meter *own, const struct fathom_machine *machine,
		      uint64_t seed, struct fathom_warnings *warnings, struct fathom_error *error)
{
	const uint64_t chains_bytes[FATHOM_PAGE_UNKNOWN] = {0};
	struct calibrate_cost cost;
	struct meter *hardware;
	if (meter_hardware_open(machine, own->at, chains_bytes, warnings, &hardware, error))
		return -1;
	int status = calibrate_fixed_cost_within(hardware, FATHOM_PAGE_DEFAULT, seed,
						 CALIBRATE_MOST_S, &cost, error);
	if (status == 0) {
		own->meter.shortest_run_ns = hardware->shortest_run_ns;
		own->meter.resolution =
			fmax(hardware->resolution, cost.error_ns / hardware->shortest_run_ns);
		own->meter.fixed_cost_ns = cost.ns;
	}
	hardware->ops->close(hardware);
	return status;
}

int structure_meter_open(struct structure_meter *meter, const struct fathom_machine *machine,
			 struct pinning_place place, uint64_t seed,
			 struct fathom_warnings *warnings, struct fathom_error *error)
{
	static const struct meter_ops ops = {
		.run = run,
		.clock = clock_now,
		.is_shared = is_shared,
		.interference = interference,
		.elapsed_s = elapsed_s,
	};
	memset(meter, 0, sizeof(*meter));
	meter->meter = (struct meter){.ops = &ops, .line_bytes = 64, .node_share = NAN};
	meter->at = place;
	meter->start_ns = stopwatch_now_ns();
	if (learn_cost(meter, machine, seed, warnings, error))
		return -1;
	meter->probe = clock_probe_hardware();
	meter->sibling = sibling_probe_make(&meter->probe);
	meter->interference = interference_open(place.cpu);
	return meter->interference ? 0 : error_no_memory(error);
}

void structure_meter_close(struct structure_meter *meter)
{
	interference_close(meter->interference);
	meter->interference = NULL;
}
