/* What a curve of another tool cannot tell, or contradicts. */
#pragma once

#include "fathom.h"

/* Of a curve of another tool whose order is known, or declared, and that the levels do not explain:
 * where they would if the order were the other one, cycle or independent, a warning says so
 * ("order-unlikely"). Another says that its sizes are too few ("coarse"). Of accesses that are
 * declared to overlap the levels are left as far as their times tell: where they end at most.
 * Errors: FAILED (memory). */
int order_check(struct fathom_result *result, struct fathom_error *error);
