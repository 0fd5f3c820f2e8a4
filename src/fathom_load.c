/* Other programs: how busy they keep the machine, before it is measured and meanwhile. */
#include "fathom_load.h"

#include <math.h>

#include "base/stopwatch.h"
#include "machine/load.h"
#include "model/checks/quality.h"
#include "simulate/simulated_spec.h"

#define BUSY_STEP 0.01 /* the kernel's ticks tell no more in a second */

static double simulated_s(const struct fathom_machine *machine, double at_s)
{
	struct simulated_spec spec;
	if (simulated_spec_parse(machine->description, &spec, NULL))
		return NAN;
	return spec.load_cpus * fmin(at_s, spec.load_ns * 1e-9);
}

double load_others_at(const struct fathom_machine *machine, double after_s)
{
	return machine->description ? simulated_s(machine, machine->waited_s + after_s)
				    : load_others_s("");
}

double load_busy_cpus(const struct fathom_machine *machine, double before_s, double elapsed_s)
{
	double cpus = (load_others_at(machine, elapsed_s) - before_s) / elapsed_s;
	return cpus < 0 ? 0 : round(cpus / BUSY_STEP) * BUSY_STEP;
}

double fathom_machine_busy(struct fathom_machine *machine, double seconds)
{
	double before_s = load_others_at(machine, 0), waited_s = seconds;
	if (!machine->description) {
		uint64_t start_ns = stopwatch_now_ns();
		stopwatch_wait(seconds);
		waited_s = (double)(stopwatch_now_ns() - start_ns) * 1e-9;
	}
	double busy_cpus = load_busy_cpus(machine, before_s, waited_s);
	machine->waited_s += waited_s;
	return busy_cpus;
}

bool fathom_machine_is_disturbed(const struct fathom_machine *machine, double busy_cpus)
{
	return busy_cpus >= QUALITY_BUSY_SHARE * machine->online_cpus;
}
