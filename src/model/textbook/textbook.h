/* The textbook's way to read a latency curve: shares of the bytes, and what follows from them. */
#pragma once

#include "fathom.h"

/* Fills result->readings (see struct fathom_reading) for every curve along FATHOM_AXIS_SIZE, from
 * result->levels (the reaches) and the points: the fitted levels, the share model with its
 * iterative deduction, its last two levels alone, its hyperbola, the value right before each cliff.
 * Errors: FAILED (memory).
 */
int textbook_explain(struct fathom_result *result, struct fathom_error *error);
