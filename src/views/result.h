/* What the parts of a result's view ask of the whole. */
#pragma once

#include "fathom.h"

/* The experiment of fathom's own curves in the result, before which a sweep may stand that finds
 * sizes for it; FATHOM_LATENCY where there is no other. */
enum fathom_experiment result_experiment(const struct fathom_result *result);
/* Another tool's accesses are said to overlap, so that its times are no latencies. */
bool result_overlaps(const struct fathom_result *result);
/* What `y` is called there: "latency", "cycles". */
const char *result_quantity(const struct fathom_result *result, enum fathom_y y);
