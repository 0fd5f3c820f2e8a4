/* What the clock probe read during a run, block by block. */
#pragma once

#include <stddef.h>

#include "fathom.h"

/* Start from {0}. */
struct clock_record {
	double *hz; /* in the order measured, all known */
	size_t count;
	size_t blocks; /* those without a clock too */
};

void clock_record_free(struct clock_record *record);
/* NAN: the block had no clock. Errors: FAILED (memory). */
int clock_record_add(struct clock_record *record, double hz, struct fathom_error *error);

/* Fills the clock_*_hz and clock_drift of the result; NAN: too few blocks. Adds the warning
 * "no-cycles" where no block had a clock, and "clock-wandered" where it moved more than points of
 * the wanted half-width, as a share, can bear: see docs/frequency.md. The record is left in another
 * order. */
void clock_record_report(struct clock_record *record, double target, struct fathom_result *result);
