#include "measure/simulated_disturb.h"

#include <math.h>

struct simulated_disturb simulated_disturb_make(const struct simulated_spec *spec)
{
	return (struct simulated_disturb){.spec = spec, .rng = rng_make(rng_mix(spec->seed, 102))};
}

double simulated_disturb_next(struct simulated_disturb *disturb)
{
	uint64_t call = ++disturb->calls;
	double ns = 0;
	for (size_t i = 0; i < disturb->spec->fault_count; i++) {
		const struct simulated_fault *fault = &disturb->spec->faults[i];
		if (fault->share > 0) {
			if (rng_unit(&disturb->rng) < fault->share)
				ns -= fault->ns * log(1 - rng_unit(&disturb->rng));
		} else if (call >= fault->first_call && call <= fault->last_call) {
			ns += fault->ns;
		}
	}
	return ns;
}
