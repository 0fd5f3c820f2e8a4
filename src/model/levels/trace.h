/* Which hierarchies were tried for a curve, and how well each explains it. */
#ifndef MODEL_LEVELS_TRACE_H
#define MODEL_LEVELS_TRACE_H

#include "model/levels/group.h"

/* Adds the likeliest hypotheses of a fitted group to the result. Errors: FAILED (memory). */
int trace_add(struct fathom_result *result, const struct group *group, struct fathom_error *error);

#endif
