/* Every number of a result that has a 95 % interval, one after the other. */
#pragma once

#include "fathom.h"

/* Where it stands: curves[1].points[7].latency_ns, levels[0].size_bytes. */
struct interval_place {
	const char *list, *inner; /* inner NULL: no list in a list */
	size_t index, inner_index;
	const char *field;
};

/* Returns true to end there. Any of the three may be NAN. */
typedef bool interval_visit(void *context, const struct interval_place *place, double *value,
			    double *low, double *high);

/* Returns true if a visit ended it. */
bool intervals_each(struct fathom_result *result, interval_visit *visit, void *context);
/* Allocated; NULL: out of memory. */
char *intervals_path(const struct interval_place *place);
