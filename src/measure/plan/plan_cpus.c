/* On which CPUs a plan is measured, where these are several. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/plan.h"
#include "base/text.h"
#include "machine/cores.h"
#include "machine/pinning.h"
#include "measure/plan/plan.h"

#define KINDS "kinds"

/* Of the kind the first CPU that may be used; -1: there is none. */
static int cpu_of_kind(const struct fathom_machine *machine, const struct fathom_cpu_kind *kind)
{
	const char *list = kind->cpus;
	int low, high;
	while (list && cpu_list_next(&list, &low, &high))
		for (int cpu = low; cpu <= high; cpu++)
			if (cpu_list_has(machine->allowed_cpus, cpu))
				return cpu;
	return -1;
}

/* The default CPU, then one of each other kind. */
static char *list_kinds(const struct fathom_machine *machine)
{
	struct text list = {0};
	const struct fathom_cpu_kind *first = cpu_kind_of(machine, machine->default_cpu);
	text_add(&list, "%d", machine->default_cpu);
	for (size_t i = 0; i < machine->cpu_kind_count; i++) {
		const struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		int cpu = kind == first ? -1 : cpu_of_kind(machine, kind);
		if (cpu >= 0)
			text_add(&list, ",%d", cpu);
	}
	return text_take(&list);
}

int plan_list_cpus(const char *asked, const struct fathom_machine *machine,
		   struct fathom_plan *plan, struct fathom_error *error)
{
	if (!asked)
		return 0;
	plan->cpus = strcmp(asked, KINDS) == 0 ? list_kinds(machine) : strdup(asked);
	if (!plan->cpus)
		return error_no_memory(error);
	plan->cpu = plan_cpu_at(plan, 0);
	return 0;
}

size_t plan_cpu_count(const struct fathom_plan *plan)
{
	size_t count = 0;
	while (plan_cpu_at(plan, count) >= 0)
		count++;
	return count;
}

int plan_cpu_at(const struct fathom_plan *plan, size_t number)
{
	const char *list = plan->cpus;
	int low, high;
	if (!list)
		return number == 0 ? plan->cpu : -1;
	while (cpu_list_next(&list, &low, &high)) {
		size_t count = (size_t)(high - low) + 1;
		if (number < count)
			return low + (int)number;
		number -= count;
	}
	return -1;
}

size_t plan_part_count(const struct fathom_plan *plan)
{
	bool in_parts = plan->experiment == FATHOM_LATENCY || plan->experiment == FATHOM_BANDWIDTH;
	return in_parts ? plan_cpu_count(plan) * plan_sibling_count(plan) : 1;
}

/* ---- siblings ---- */

#define ALL "all"

/* Each once, and nothing else. */
static int check_siblings(const struct fathom_plan *plan, struct fathom_error *error)
{
	const char *at = plan->siblings;
	unsigned seen = 0;
	if (!at)
		return 0;
	do {
		enum fathom_sibling state = plan_next_sibling(&at);
		if (state == FATHOM_SIBLING_ANY || seen >> state & 1)
			return error_set(error, FATHOM_USAGE,
					 "name each once: idle,computes,streams; or all",
					 "'%s' does not list what siblings do", plan->siblings);
		seen |= 1u << state;
	} while (*at);
	if (plan->experiment != FATHOM_LATENCY && plan->experiment != FATHOM_BANDWIDTH)
		return error_set(error, FATHOM_USAGE, NULL,
				 "busy siblings are for experiments latency and bandwidth alone");
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].threads > 1)
			return error_set(error, FATHOM_USAGE, "use --threads 1",
					 "beside busy siblings one thread is measured, not %u",
					 plan->specs[i].threads);
	return 0;
}

int plan_list_siblings(const char *asked, struct fathom_plan *plan, struct fathom_error *error)
{
	if (!asked)
		return 0;
	plan->siblings = strdup(strcmp(asked, ALL) == 0 ? "idle,computes,streams" : asked);
	return plan->siblings ? check_siblings(plan, error) : error_no_memory(error);
}

static int check_has_siblings(const struct fathom_machine *machine, int cpu,
			      struct fathom_error *error)
{
	int sibling;
	if (cores_siblings(machine, cpu, &sibling, 1))
		return 0;
	return error_set(error, FATHOM_UNABLE, "leave out --sibling; 'fathom info' lists the CPUs",
			 "cpu %d has no other thread of its core that may be used", cpu);
}

/* ---- checks ---- */

static int check_list(const struct fathom_plan *plan, struct fathom_error *error)
{
	const char *list = plan->cpus;
	int low, high;
	size_t count = 0;
	while (cpu_list_next(&list, &low, &high))
		count += (size_t)(high - low) + 1;
	if (*list || count == 0)
		return error_set(error, FATHOM_USAGE, "as in 0-3,8, or kinds",
				 "'%s' is not a list of CPUs", plan->cpus);
	if (count > PLAN_MOST_CPUS && plan->experiment != FATHOM_LOADED)
		return error_set(error, FATHOM_USAGE, "'--cpu kinds' takes one of each kind",
				 "%zu CPUs are more than the limit of %d", count, PLAN_MOST_CPUS);
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (plan_cpu_at(plan, i) == plan_cpu_at(plan, k))
				return error_set(error, FATHOM_USAGE, NULL,
						 "cpu '%d' is in the list twice",
						 plan_cpu_at(plan, i));
	return 0;
}

int plan_check_cpus(const struct fathom_plan *plan, struct fathom_error *error)
{
	if (check_siblings(plan, error))
		return -1;
	if (!plan->cpus)
		return 0;
	if (check_list(plan, error))
		return -1;
	if (plan->experiment == FATHOM_LOADED && plan_cpu_count(plan) < 2)
		return error_set(error, FATHOM_USAGE, NULL,
				 "'cpus' has none beside 'cpu', to make traffic");
	if (plan->experiment != FATHOM_LATENCY && plan->experiment != FATHOM_NODES &&
	    plan->experiment != FATHOM_LOADED && plan->experiment != FATHOM_BANDWIDTH)
		return error_set(error, FATHOM_USAGE, "name one CPU with --cpu",
				 "several CPUs are for experiments latency, bandwidth, nodes and "
				 "loaded alone");
	for (size_t i = 0; plan->experiment == FATHOM_BANDWIDTH && i < plan->spec_count; i++)
		if (plan->specs[i].threads > 1)
			return error_set(error, FATHOM_USAGE, "use --threads 1, or one CPU",
					 "on each of several CPUs one thread is measured, not %u",
					 plan->specs[i].threads);
	if (plan->cpu != plan_cpu_at(plan, 0))
		return error_set(error, FATHOM_USAGE, NULL,
				 "'cpu' is %d, which is not the first of 'cpus', '%s'", plan->cpu,
				 plan->cpus);
	return 0;
}

int plan_check_places(const struct fathom_plan *plan, const struct fathom_machine *machine,
		      struct fathom_error *error)
{
	for (size_t i = 0; plan_cpu_at(plan, i) >= 0; i++)
		if (pinning_check(machine, plan_cpu_at(plan, i), error) ||
		    (plan->siblings && check_has_siblings(machine, plan_cpu_at(plan, i), error)))
			return -1;
	return plan->memory_node < 0 ? 0 : pinning_check_node(machine, plan->memory_node, error);
}
