/* Pairs of CPUs: which of them, for which there are no specs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "machine/machine.h"
#include "machine/pinning.h"
#include "measure/experiments/experiments.h"

#define MOST_CPUS 1024 /* as many as a document has */

static int refuse_list(const char *list, struct fathom_error *error)
{
	return error_set(error, FATHOM_USAGE, "CPUs are listed as 0-3,8", "'%s' is no list of CPUs",
			 list);
}

/* Each CPU once, ascending. */
static int mark(const char *list, bool *wanted, const struct fathom_machine *machine,
		struct fathom_error *error)
{
	int low, high;
	const char *at = list;
	while (*at) {
		if (!cpu_list_next(&at, &low, &high))
			return refuse_list(list, error);
		for (int cpu = low; cpu <= high; cpu++) {
			if (pinning_check(machine, cpu, error))
				return -1;
			wanted[cpu] = true;
		}
	}
	return at == list ? refuse_list(list, error) : 0;
}

static int check_count(size_t count, bool named, struct fathom_error *error)
{
	if (count < 2)
		return error_set(error, named ? FATHOM_USAGE : FATHOM_UNABLE,
				 named ? "name two CPUs or more with --cpu"
				       : "this process may use one CPU alone: see 'fathom info'",
				 "a line needs two CPUs to go between");
	if (count > MOST_CPUS)
		return error_set(error, FATHOM_USAGE, "name every second CPU with --cpu",
				 "%zu CPUs are more than the %d that are measured", count,
				 MOST_CPUS);
	return 0;
}

int cores_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		struct fathom_plan *plan, struct fathom_error *error)
{
	const char *list = request->cpus ? request->cpus : machine->allowed_cpus;
	bool *wanted = calloc(CPU_LIST_MOST, sizeof(*wanted));
	int *cpus = calloc(CPU_LIST_MOST, sizeof(*cpus));
	size_t count = 0;
	struct text text = {0};
	int status = wanted && cpus ? mark(list, wanted, machine, error) : error_no_memory(error);
	for (int cpu = 0; status == 0 && cpu < CPU_LIST_MOST; cpu++)
		if (wanted[cpu])
			cpus[count++] = cpu;
	if (status == 0)
		status = check_count(count, request->cpus, error);
	if (status == 0) {
		cpu_list_add(&text, cpus, count);
		plan->all_pairs = request->all_pairs;
		plan->pairs_only = request->pairs_only;
		plan->nodes = !request->pairs_only;
		free(plan->cpus);
		plan->cpus = text_take(&text);
		status = plan->cpus ? 0 : error_no_memory(error);
	}
	free(wanted);
	free(cpus);
	return status;
}

/* Every pair takes some ms, and what CPUs share some seconds. */
double cores_estimate_s(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	const double pair_s = 2e-3, sharing_s = plan->pairs_only ? 0 : 4;
	double cpus = 0;
	int low, high;
	for (const char *at = plan->cpus; *at && cpu_list_next(&at, &low, &high);)
		cpus += high - low + 1;
	bool nodes = plan->nodes && machine_memory_nodes(machine) > 1;
	double nodes_s = nodes ? NODES_PAIR_S * (double)nodes_count_pairs(machine) : 0;
	return fmax(1, pair_s * cpus * (cpus - 1) / 2) + sharing_s + nodes_s;
}
