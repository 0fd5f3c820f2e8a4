/* What memory's own counters saw in the visits to a rate of traffic. */
#pragma once

#include "measure/loads/loader.h"

#define COUNTED_MOST_VISITS 8

struct counted {
	double read[COUNTED_MOST_VISITS], written[COUNTED_MOST_VISITS]; /* bytes a second */
	size_t visits;                                                  /* that were counted */
	double on_share; /* of the visit where it is least; begins as 1 */
};

/* Keeps that of a visit, if it was counted. */
void counted_keep(struct counted *counted, const struct memory_traffic *traffic);
/* The median of up to COUNTED_MOST_VISITS, and its 95 % interval; NAN: too few. */
void counted_estimate(const double *values, size_t count, double *value, double *low, double *high);
/* Fills these fields of the load. */
void counted_tell(const struct counted *counted, struct fathom_load *load);
/* Appends what counted, of all, or why nothing did. Errors: FAILED (memory). */
int counted_add(const struct counted *all, const struct loader *loader,
		struct fathom_result *result, struct fathom_error *error);
