/* Latency under load: chains past the caches, on base pages and on large ones, and the CPUs that
 * make traffic meanwhile. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "base/warnings.h"
#include "kernels/kernels.h"
#include "machine/cores.h"
#include "machine/machine.h"
#include "machine/pages.h"
#include "machine/pinning.h"
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"

#define LEAST_BYTES   (64ull << 20)
#define MOST_SIBLINGS 16
#define TIMES_CACHE   4 /* the last one: little of that is still in it */

static const enum fathom_page usual_pages[] = {FATHOM_PAGE_4K, FATHOM_PAGE_THP};
#define USUAL_PAGES (sizeof(usual_pages) / sizeof(*usual_pages))

/* ---- CPUs ---- */

static int refuse_threads(const struct cores *cores, uint32_t threads, struct fathom_error *error)
{
	char *hint = text_format("at most %u here: one CPU is for the chain", cores->cpu_count - 1);
	error_set(error, FATHOM_USAGE, hint, "too few CPUs for %u threads that make traffic",
		  threads);
	free(hint);
	return -1;
}

/* Only where the chain's core is the only one the others of that core are taken. */
int loaded_take_cpus(struct fathom_plan *plan, const struct fathom_machine *machine,
		     uint32_t threads, struct fathom_error *error)
{
	struct cores cores;
	struct text list = {0};
	if (pinning_check(machine, plan->cpu, error) ||
	    cores_find(machine, plan->cpu, &cores, error))
		return -1;
	uint32_t usual = cores.count > 1 ? cores.count - 1 : cores.cpu_count - 1;
	threads = threads ? threads : usual;
	int status = 0;
	if (cores.cpu_count < 2)
		status =
			error_set(error, FATHOM_UNABLE,
				  "this process may use one CPU alone: see 'fathom info'",
				  "latency under load needs a CPU beside the one that is measured, "
				  "to make traffic");
	else if (threads > cores.cpu_count - 1)
		status = refuse_threads(&cores, threads, error);
	for (uint32_t i = 0; i <= threads && !status; i++)
		text_add(&list, i ? ",%d" : "%d", cores.cpus[i]);
	cores_free(&cores);
	free(plan->cpus);
	plan->cpus = status ? NULL : text_take(&list);
	text_free(&list);
	return status || plan->cpus ? status : error_no_memory(error);
}

/* ---- traffic ---- */

static bool can_bypass(const struct fathom_machine *machine)
{
	return machine->description || kernel_find_stream(KERNEL_WRITE_NT, 0);
}

static int list_traffic(const struct fathom_request *request, const struct fathom_machine *machine,
			struct fathom_plan *plan, struct fathom_error *error)
{
	struct text list = {0};
	for (size_t i = 0; i < request->traffic_count; i++)
		text_add(&list, "%s%s", i ? "," : "",
			 fathom_traffic_name((int)request->traffic[i]));
	for (int i = FATHOM_TRAFFIC_READS; i < FATHOM_TRAFFIC_COUNT && !request->traffic_count; i++)
		if (i != FATHOM_TRAFFIC_NT || can_bypass(machine))
			text_add(&list, "%s%s", list.length ? "," : "", fathom_traffic_name(i));
	free(plan->traffic);
	plan->traffic = text_take(&list);
	return plan->traffic ? 0 : error_no_memory(error);
}

/* ---- the plan ---- */

static int check(const struct fathom_request *request, struct fathom_error *error)
{
	if (request->size_count > 1)
		return error_set(error, FATHOM_USAGE, "name one with --size",
				 "latency under load is measured at one size");
	if (request->thread_count > 1)
		return error_set(error, FATHOM_USAGE, "name one number with --threads",
				 "the traffic is made by one number of threads");
	return 0;
}

int loaded_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		 struct fathom_plan *plan, struct fathom_error *error)
{
	uint64_t usual_bytes = TIMES_CACHE * machine_largest_cache_bytes(machine);
	struct fathom_spec spec = request->spec;
	if (usual_bytes < LEAST_BYTES)
		usual_bytes = LEAST_BYTES;
	usual_bytes = specs_usual_bytes(machine, usual_bytes);
	if (request->max_size_bytes && request->max_size_bytes < usual_bytes)
		usual_bytes = request->max_size_bytes;
	size_t most = request->page_count ? request->page_count : USUAL_PAGES;
	uint32_t threads = request->thread_count ? request->threads[0] : 0;
	if (check(request, error) || loaded_take_cpus(plan, machine, threads, error) ||
	    list_traffic(request, machine, plan, error) ||
	    specs_open(plan, request, most, usual_bytes, error))
		return -1;
	spec.pattern = FATHOM_RANDOM_CYCLE;
	spec.axis = FATHOM_AXIS_TRAFFIC;
	for (size_t i = 0; i < most; i++) {
		spec.page = request->page_count ? request->pages[i] : usual_pages[i];
		if (request->page_count || pages_check(machine, spec.page, usual_bytes, NULL) == 0)
			specs_add(plan, request, &spec, usual_bytes);
	}
	plan->asked = true; /* all of them are wanted */
	return 0;
}

/* Threads of the chain's own core wait for it, not for memory alone. */
void loaded_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		 struct fathom_warnings *warnings)
{
	int siblings[MOST_SIBLINGS];
	size_t count = cores_siblings(machine, plan->cpu, siblings, MOST_SIBLINGS);
	for (size_t i = 0; i < count; i++)
		if (cpu_list_has(plan->cpus, siblings[i])) {
			warnings_add(warnings, "traffic-on-sibling", NULL,
				     "allow CPUs of other cores, or fewer --threads",
				     "a thread that makes traffic is on the core whose latency is "
				     "measured: they also share that core");
			return;
		}
}
