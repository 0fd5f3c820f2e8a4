/* A meter of a simulated machine, opened for a test. What fails, fails the test. */
#ifndef SIMULATED_METER_H
#define SIMULATED_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "measure/meter.h"

struct simulated_meter {
	struct fathom_machine *machine;
	struct meter *meter;
	struct fathom_error error;
};

/* With room for so many bytes; close_meter(). */
struct simulated_meter open_meter(const char *description, uint64_t capacity_bytes);
void close_meter(struct simulated_meter *opened);
/* `redraw`: on another placement than before. */
struct meter_placement prepare(struct simulated_meter *opened, const struct fathom_spec *spec,
			       bool redraw);
/* ns of so many hops, which must arrive. */
double run(struct simulated_meter *opened, uint64_t hops);

#endif
