/* What a simulated machine tells of itself. */
#pragma once

#include "fathom.h"

/* Of the "sim:..." text, as machine_find does of a real one.
 * Errors: BAD_INPUT, with the offending key quoted. */
int meter_simulated_machine(const char *description, struct fathom_machine **machine,
			    struct fathom_error *error);
