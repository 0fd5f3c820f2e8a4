#include <stdlib.h>

#include "fathom.h"

void fathom_plan_free(struct fathom_plan *plan)
{
	if (!plan)
		return;
	free(plan->machine);
	free(plan->specs);
	free(plan);
}
