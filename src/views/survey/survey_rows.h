/* What the experiments of a survey say of each level. */
#pragma once

#include "fathom.h"
#include "views/rounding.h"

struct survey_row {
	const struct fathom_level *level;
	const struct fathom_parallelism *reading;         /* NULL: not measured */
	const struct fathom_parallelism *overlap;         /* NULL: not measured */
	const struct fathom_decomposition *decomposition; /* NULL: not measured */
};

/* The caches by reach, then memory; start from 0 and {0}. Returns false behind the last. */
bool survey_rows_next(const struct fathom_result *result, size_t *at, struct survey_row *row);
/* The level of that name; level NULL: there is none. */
struct survey_row survey_rows_find(const struct fathom_result *result, const char *name);
/* A level whose latency has no interval is not shown. */
bool survey_rows_is_sure(const struct fathom_level *level);
/* What it takes, with its interval. */
struct estimate survey_rows_latency(const struct fathom_level *level);
/* What translation is known to add; NAN: nothing is known. */
double survey_rows_translation_ns(const struct fathom_decomposition *decomposition);
/* Does it take more than that: was a part of it not measured, or do large pages save time that the
 * parts do not explain? */
bool survey_rows_translation_is_bound(const struct fathom_decomposition *decomposition);
