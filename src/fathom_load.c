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

static double others_at(const struct fathom_machine *machine, double after_s)
{
	return machine->description ? simulated_s(machine, machine->waited_s + after_s)
				    : load_others_s("");
}

struct load_since load_begin(const struct fathom_machine *machine)
{
	return (struct load_since){others_at(machine, 0), stopwatch_now_ns()};
}

/* Of a real machine in all the time, also that in which another part of the measurement had its
 * turn. */
double load_busy_cpus(const struct fathom_machine *machine, const struct load_since *since,
		      double elapsed_s)
{
	double seconds = machine->description ? elapsed_s
					      : (double)(stopwatch_now_ns() - since->at_ns) * 1e-9;
	double cpus = (others_at(machine, elapsed_s) - since->others_s) / seconds;
	return cpus < 0 ? 0 : round(cpus / BUSY_STEP) * BUSY_STEP;
}

double fathom_machine_busy(struct fathom_machine *machine, double seconds)
{
	struct load_since since = load_begin(machine);
	double waited_s = seconds;
	if (!machine->description) {
		stopwatch_wait(seconds);
		waited_s = (double)(stopwatch_now_ns() - since.at_ns) * 1e-9;
	}
	double busy_cpus = load_busy_cpus(machine, &since, waited_s);
	machine->waited_s += waited_s;
	return busy_cpus;
}

bool fathom_machine_is_disturbed(const struct fathom_machine *machine, double busy_cpus)
{
	return busy_cpus >= QUALITY_BUSY_SHARE * machine->online_cpus;
}
