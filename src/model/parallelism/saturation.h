/* Where more lanes gain no more: the plateau and the knee of one curve along the lanes.
 *
 * The throughput over one lane's is s(D) = t(1) / t(D), block by block where the blocks of all
 * points are as many: what a placement makes slower then cancels. It saturates at the median of the
 * lanes whose s is like the best, which is neither the maximum of noise nor hurt by a decline at
 * many lanes. The knee is the fewest lanes measured with 90 % of that, on the isotonic regression
 * of ln s up to the best, so that one lucky point is no knee. */
#pragma once

#include <stdbool.h>

#include "fathom.h"

#define SATURATION_KNEE 0.9

/* The intervals are percentiles of a bootstrap over the blocks: 95 %, NAN under 6 blocks. Where
 * lanes were left out between two points, the knee's contains all of those. */
struct saturation {
	double ns, low_ns, high_ns;                /* an access, where it is saturated */
	double speedup, speedup_low, speedup_high; /* NAN: one lane was not measured */
	double knee, knee_low, knee_high;          /* lanes */
	bool saturated;       /* the last eighth of the lanes gains less than a fifth of what
			       * lanes gain that all overlap, or the last quarter no more than
			       * noise; else all this is of the most lanes */
	bool may_rise;        /* saturated, but the gain rises to the end by less than that */
	uint32_t first, last; /* lanes between which it is like the best */
	double floor_ns;      /* median floor of those of these that have one; NAN: none has */
};

/* `seed`: of the bootstrap. *found is false, and *saturation untouched, where less than two points
 * have a value. Errors: FAILED (memory). */
int saturation_find(const struct fathom_curve *curve, uint64_t seed, struct saturation *saturation,
		    bool *found, struct fathom_error *error);
