/* Every number of a result that has a 95 % interval, one after the other: in the document's table
 * its bounds follow it. */
#pragma once

#include "fathom.h"

#define INTERVAL_NO_INDEX SIZE_MAX

/* An object of the result, while it is visited. */
struct interval_place {
	const struct interval_place *outer; /* NULL: it is in the result itself */
	const char *name;                   /* of the list, or the object's own */
	size_t index;                       /* in the list; INTERVAL_NO_INDEX: it is in none */
};

/* `field` of the object at `place`. Returns true to end there. Any of the three may be NAN. */
typedef bool interval_visit(void *context, const struct interval_place *place, const char *field,
			    double *value, double *low, double *high);

/* Returns true if a visit ended it. */
bool intervals_each(struct fathom_result *result, interval_visit *visit, void *context);
/* "curves[1].points[7].latency_ns", allocated; NULL: out of memory. */
char *intervals_path(const struct interval_place *place, const char *field);
