/* Does memory itself see what the threads count that make traffic? */
#pragma once

#include "fathom.h"

/* Fills curve, ratio, other traffic and agreement of result->memory_counts from its loads. Errors:
 * FAILED (memory). */
int load_counts_judge(struct fathom_result *result, struct fathom_error *error);
