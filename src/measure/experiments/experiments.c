#include "measure/experiments/experiments.h"

static const struct experiment experiments[] = {
	{FATHOM_LATENCY, FATHOM_AXIS_SIZE, 10, latency_specs, NULL, true},
	{FATHOM_PATTERNS, FATHOM_AXIS_SIZE, 40, patterns_specs, patterns_warn, false},
	{FATHOM_ABLATION, FATHOM_AXIS_SIZE, 40, ablation_specs, ablation_warn, false},
	{FATHOM_DECAY, FATHOM_AXIS_LAP, 40, decay_specs, NULL, false},
	{FATHOM_PARALLELISM, FATHOM_AXIS_LANES, 60, parallelism_specs, NULL, false},
	{FATHOM_BANDWIDTH, FATHOM_AXIS_SIZE, 30, bandwidth_specs, bandwidth_warn, false},
	{FATHOM_CORE_TO_CORE, FATHOM_AXIS_SIZE, 60, cores_specs, NULL, false},
	{FATHOM_NODES, FATHOM_AXIS_SIZE, 30, nodes_specs, NULL, false},
	{FATHOM_LOADED, FATHOM_AXIS_TRAFFIC, 60, loaded_specs, loaded_warn, false},
	{FATHOM_DISTRIBUTION, FATHOM_AXIS_SIZE, 20, distribution_specs, NULL, false},
	{FATHOM_SETTLING, FATHOM_AXIS_SIZE, 20, settling_specs, NULL, false},
	{FATHOM_PAGES, FATHOM_AXIS_SIZE, 60, pages_specs, pages_warn, false},
};

const struct experiment *experiment_find(enum fathom_experiment id)
{
	for (size_t i = 0; i < sizeof(experiments) / sizeof(*experiments); i++)
		if (experiments[i].id == id)
			return &experiments[i];
	return NULL;
}
