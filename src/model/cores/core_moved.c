#include "model/cores/core_moved.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "base/warnings.h"

/* Of the pairs, and one more where there are more than a few, that differ from part to part: a pair
 * may be disturbed once. */
#define MOVED_SHARE 0.02
#define FEW_PAIRS   5

bool core_moved(const struct core_moves *moves)
{
	/* The visits to a few pairs follow each other so fast that what disturbs them for 2 ms is a
	 * part of all. */
	size_t moved = moves->of > FEW_PAIRS ? moves->parts : moves->halves;
	return moved && (double)moved > MOVED_SHARE * (double)moves->of + (moves->of > FEW_PAIRS);
}

/* All of them together, as where the machine becomes slower. */
static int tell_drift(struct fathom_result *result, const struct fathom_curve *curve)
{
	double times = curve->tool ? 1 : core_halves_drift(curve);
	if (isnan(times))
		return -1;
	if (times <= 1)
		return 0;
	return warnings_add(
		&result->warnings, "pairs-drifted", NULL,
		"measure again when the machine is less busy",
		"pairs took %.0f %% longer in one half of the run than in the other, all "
		"of them together",
		100 * (times - 1));
}

static char *moved_words(size_t moved, size_t of)
{
	return of > 1 ? text_format("%zu of %zu pairs", moved, of) : text_format("the pair");
}

/* Too few to doubt the rest: a move among many CPUs, or what disturbed a pair for a while. */
static int tell_few_moved(struct fathom_result *result, const struct core_moves *moves)
{
	char *which = moved_words(moves->parts, moves->of);
	int status = !which ? -1
			    : warnings_add(&result->warnings, "pairs-moved", NULL,
					   "measure again: where other pairs do then, or none, "
					   "something disturbs them now and then",
					   "%s took a quarter longer in one part of the run than "
					   "in the rest: intervals reach from the one to the other",
					   which);
	free(which);
	return status;
}

int core_moved_tell(struct fathom_result *result, const struct fathom_curve *curve,
		    const struct core_moves *moves)
{
	if (!core_moved(moves))
		return tell_drift(result, curve) || (moves->parts && tell_few_moved(result, moves))
			       ? -1
			       : 0;
	char *which = moved_words(moves->parts, moves->of);
	int status = !which ? -1
			    : warnings_add(&result->warnings, "cpus-moved", NULL,
					   "pin the CPUs of the guest on its host (libvirt: virsh "
					   "vcpupin DOMAIN 0 "
					   "CPU), or measure on a quiet machine",
					   "%s took a quarter longer in one part of the run than "
					   "in the rest, as where a "
					   "hypervisor moves CPUs from core to core: no classes "
					   "and no latency are told",
					   which);
	free(which);
	return status;
}
