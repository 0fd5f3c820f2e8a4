#include "simulate/simulated_disturb.h"

#include <math.h>

struct simulated_disturb simulated_disturb_make(const struct simulated_spec *spec)
{
	return (struct simulated_disturb){
		.spec = spec,
		.noise = rng_make(rng_mix(spec->seed, 101)),
		.storms = rng_make(rng_mix(spec->seed, 102)),
		.turns = rng_make(rng_mix(spec->seed, 103)),
	};
}

static bool is_meant(const struct simulated_fault *fault, const struct fathom_spec *spec)
{
	bool any = !fault->lanes && !fault->size_bytes && fault->page == FATHOM_PAGE_UNKNOWN;
	if (any || !spec)
		return any;
	return (!fault->lanes || fault->lanes == spec->lanes) &&
	       (!fault->size_bytes || fault->size_bytes == spec->size_bytes) &&
	       (fault->page == FATHOM_PAGE_UNKNOWN || fault->page == spec->page);
}

double simulated_disturb_steal(struct simulated_disturb *disturb, double now_ns,
			       const struct fathom_spec *spec)
{
	uint64_t call = ++disturb->calls;
	double ns = 0;
	for (size_t i = 0; i < disturb->spec->fault_count; i++) {
		const struct simulated_fault *fault = &disturb->spec->faults[i];
		if (!is_meant(fault, spec) || (fault->until_ns > 0 && now_ns >= fault->until_ns))
			continue;
		if (fault->share > 0) {
			if (rng_unit(&disturb->storms) < fault->share)
				ns -= fault->ns * log(1 - rng_unit(&disturb->storms));
		} else if (call >= fault->first_call && call <= fault->last_call) {
			ns += fault->ns;
		}
	}
	return ns;
}

uint64_t simulated_disturb_turn(struct simulated_disturb *disturb, double now_ns)
{
	const struct simulated_turns *turns = &disturb->spec->turns;
	while (turns->bytes && now_ns >= disturb->turn_ends_ns) {
		bool reads = disturb->turn_bytes == 0;
		double mean_ns = reads ? turns->read_ns : turns->pause_ns;
		disturb->turn_bytes = reads ? 1 + rng_below(&disturb->turns, turns->bytes) : 0;
		disturb->turn_ends_ns -= mean_ns * log(1 - rng_unit(&disturb->turns));
	}
	return disturb->turn_bytes;
}

/* Half of what slows a run down is something that the OS would tell of. */
double simulated_disturb_run(struct simulated_disturb *disturb, double ns, double now_ns,
			     const struct fathom_spec *spec)
{
	ns *= fmax(0.1, 1 + disturb->spec->noise * rng_normal(&disturb->noise));
	if (rng_unit(&disturb->noise) < disturb->spec->outliers) {
		disturb->counted.switches += rng_below(&disturb->noise, 2);
		ns *= 1.2 + 2.8 * rng_unit(&disturb->noise);
	}
	return ns + simulated_disturb_steal(disturb, now_ns, spec);
}
