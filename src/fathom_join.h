/* One result of several, measured one after the other. */
#pragma once

#include "fathom.h"

/* `whole` takes the curves of `part` over, behind its own, and what both took of time. */
int join_curves(struct fathom_result *whole, struct fathom_result *part,
		struct fathom_error *error);
/* UNABLE: threads of the part, which was to be measured on that CPU, were elsewhere, by what it
 * warns of. */
int join_check_place(const struct fathom_result *part, int cpu, struct fathom_error *error);
/* Before the curves: and their levels, with what explains them. */
int join_levels(struct fathom_result *whole, struct fathom_result *part,
		struct fathom_error *error);
