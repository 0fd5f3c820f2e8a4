/* In which order another tool has walked. */
#ifndef FATHOM_ORDER_H
#define FATHOM_ORDER_H

#include "fathom.h"

/* Of a curve of another tool whose order is known, or declared, and that the levels do not explain:
 * where they would if the order were the other one, cycle or independent, a warning says so
 * ("order-unlikely"). Errors: FAILED (memory). */
int order_check(struct fathom_result *result, struct fathom_error *error);

#endif
