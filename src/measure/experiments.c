#include "measure/experiments.h"

static const struct experiment experiments[] = {
	{FATHOM_LATENCY, FATHOM_AXIS_SIZE, 20, latency_specs},
};

const struct experiment *experiment_find(enum fathom_experiment id)
{
	for (size_t i = 0; i < sizeof(experiments) / sizeof(*experiments); i++)
		if (experiments[i].id == id)
			return &experiments[i];
	return NULL;
}
