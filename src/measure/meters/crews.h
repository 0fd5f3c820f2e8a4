/* The two crews, for crew_open alone. */
#pragma once

#include "measure/crew.h"

int crew_hardware_open(const struct fathom_machine *machine, uint32_t most, struct crew **crew,
		       struct fathom_error *error);
int crew_simulated_open(const struct fathom_machine *machine, struct crew **crew,
			struct fathom_error *error);
