#include "measure/clock_probe.h"

#include <math.h>
#include <string.h>

#include "kernels/kernels.h"
#include "measure/stopwatch.h"

#define PROBE_NS        10000.0
#define FEWEST_PROBES   15
#define MOST_PROBES     2000
#define RATIO_TOLERANCE 0.01

static double probe_ns(void (*chain)(uint64_t), uint64_t count)
{
	uint64_t start = stopwatch_now_ns();
	chain(count);
	return (double)(stopwatch_now_ns() - start);
}

/* How many additions make a probe long enough, and how many cycles a multiplication takes: by the
 * shortest times seen, since whatever disturbs only adds. */
struct clock_probe clock_probe_make(void)
{
	const struct kernel_probe *kernel = kernel_probe();
	struct clock_probe probe = {NULL, KERNEL_UNROLL, NAN};
	double add_ns = INFINITY, multiply_ns = INFINITY;
	while (probe_ns(kernel->add, probe.count) < PROBE_NS)
		probe.count *= 2;
	if (strcmp(kernel->isa, "portable") == 0) {
		probe.missing = "there is no clock probe for this instruction set";
		return probe;
	}
	for (int i = 0; i < MOST_PROBES; i++) {
		add_ns = fmin(add_ns, probe_ns(kernel->add, probe.count));
		multiply_ns = fmin(multiply_ns, probe_ns(kernel->multiply, probe.count));
		probe.ratio = multiply_ns / add_ns;
		double whole = round(probe.ratio);
		if (i >= FEWEST_PROBES && whole >= 2 &&
		    fabs(probe.ratio / whole - 1) <= RATIO_TOLERANCE)
			return probe;
	}
	probe.missing = "a multiplication does not take a whole number of additions here "
			"(emulation, or a clock that does not hold still)";
	return probe;
}

struct meter_clock clock_probe_read(const struct clock_probe *probe)
{
	const struct kernel_probe *kernel = kernel_probe();
	if (probe->missing)
		return (struct meter_clock){NAN, NAN};
	double add_ns = probe_ns(kernel->add, probe->count);
	double ratio = probe_ns(kernel->multiply, probe->count) / add_ns;
	bool trusted = fabs(ratio / probe->ratio - 1) <= RATIO_TOLERANCE;
	return (struct meter_clock){
		.hz = trusted ? (double)probe->count / add_ns * 1e9 : NAN,
		.ratio = ratio,
	};
}
