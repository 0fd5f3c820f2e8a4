/* What holds in every result: a number is in its interval, parts add up, one thing has one number.
 * It is asked of what was just measured and of every document that is read. */
#pragma once

#include "fathom.h"

/* Of an access whose parts are all known, so much at most is explained by none. */
#define INVARIANTS_RESIDUAL 0.2

/* Are the cycles as many ns at the point's clock? True where one of them is not known. */
bool invariants_is_product(const struct fathom_point *point, double cycles, double ns);
/* Is it between the point's fastest block and its slowest, or near? False without blocks. */
bool invariants_is_of_blocks(const struct fathom_point *point, double ns);

/* Does the result keep all of them? Errors: BAD_INPUT: one is broken; the text names the field. */
int invariants_verify(const struct fathom_result *result, struct fathom_error *error);
