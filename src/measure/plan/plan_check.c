/* Is it a plan, and can this machine measure it? */
#include <stdio.h>

#include "base/error.h"
#include "base/names.h"
#include "base/patterns.h"
#include "base/plan.h"
#include "base/units.h"
#include "kernels/kernels.h"
#include "machine/cores.h"
#include "machine/pages.h"
#include "measure/accesses/prober.h"
#include "measure/experiments/experiments.h"
#include "measure/loads/loader.h"
#include "measure/memory/chain_kernel.h"
#include "measure/memory/stream_variant.h"
#include "measure/meters/lanes.h"
#include "measure/plan/plan.h"
#include "measure/plan/plan_memory.h"
#include "measure/spec.h"

#define MOST_CURVES    1024
#define HINT_BYTES     80
#define LEAST_ACCESSES 100
#define MOST_ACCESSES  20000000

static int check_spec(const struct fathom_plan *plan, size_t i, struct fathom_error *error)
{
	struct fathom_spec spec = plan->specs[i];
	size_t known = plan_known_count(plan);
	if (i < known)
		return spec_check(&spec, error);
	if (spec.size_bytes || known == 0 || plan->experiment != FATHOM_PARALLELISM)
		return error_set(error, FATHOM_USAGE, NULL,
				 "specs[%zu]: a size of 0 is only allowed at the end, after the "
				 "sweep of a parallelism plan",
				 i);
	spec.size_bytes = FATHOM_MOST_LANES * spec.node_bytes;
	return spec_check(&spec, error);
}

static int check_curve(const struct fathom_plan *plan, size_t first, size_t end,
		       struct fathom_error *error)
{
	for (size_t i = first; i < end; i++) {
		if (check_spec(plan, i, error))
			return -1;
		if (i > first && plan->specs[i].lanes < plan->specs[i - 1].lanes)
			return error_set(error, FATHOM_USAGE, "the lanes of a curve must ascend",
					 "specs[%zu] has fewer lanes than the spec before it", i);
		if (i > first && plan->specs[i].lap &&
		    plan->specs[i].lap != plan->specs[i - 1].lap + 1)
			return error_set(
				error, FATHOM_USAGE, "the laps of a curve must count from 1",
				"specs[%zu] does not continue the laps of the spec before it", i);
		if (i > first && plan->specs[i].size_bytes < plan->specs[i - 1].size_bytes)
			return error_set(error, FATHOM_USAGE, "the sizes of a curve must ascend",
					 "specs[%zu] is smaller than the spec before it", i);
	}
	if (plan->specs[first].lap > 1)
		return error_set(error, FATHOM_USAGE, "the laps of a curve must count from 1",
				 "specs[%zu] begins a curve but is not lap 1", first);
	for (size_t i = 0; i < first; i++)
		if (plan_same_curve(&plan->specs[i], &plan->specs[first]))
			return error_set(error, FATHOM_USAGE,
					 "specs that differ only in size must stand together",
					 "specs[%zu] belongs to the curve of specs[%zu] but does "
					 "not follow it",
					 first, i);
	return 0;
}

/* Chains, and each kind of traffic once. */
static int check_loads(const struct fathom_plan *plan, struct fathom_error *error)
{
	size_t commas = 0, count = plan_traffic_count(plan);
	if (plan->experiment != FATHOM_LOADED)
		return 0;
	for (const char *at = plan->traffic ? plan->traffic : ""; *at; at++)
		commas += *at == ',';
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < i; k++)
			if (plan_traffic_at(plan, i) == plan_traffic_at(plan, k))
				return error_set(error, FATHOM_USAGE, "name each once",
						 "'%s' has a kind of traffic twice", plan->traffic);
	if (!plan->cpus || count != commas + 1)
		return error_set(error, FATHOM_USAGE, "as in reads,3:1,1:1,nt",
				 "'%s' does not list kinds of traffic",
				 plan->traffic ? plan->traffic : "");
	if (plan->spec_count > LOADER_MOST_CHAINS)
		return error_set(error, FATHOM_USAGE, NULL,
				 "specs: more than %d chains to measure under load",
				 LOADER_MOST_CHAINS);
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].pattern != FATHOM_RANDOM_CYCLE || plan->specs[i].lanes != 1 ||
		    plan->specs[i].warmth != FATHOM_WARM ||
		    plan->specs[i].axis != FATHOM_AXIS_TRAFFIC)
			return error_set(error, FATHOM_USAGE, NULL,
					 "specs[%zu] is no chain to measure under load", i);
	return 0;
}

/* Pages after each other only where lines are flushed. */
static bool has_order(const struct fathom_spec *spec)
{
	return spec->pattern == FATHOM_RANDOM_CYCLE ||
	       (spec->pattern == FATHOM_WINDOW && spec->warmth == FATHOM_COLD_FLUSHED);
}

/* Chains of pointers, and enough accesses of each. */
static int check_accesses(const struct fathom_plan *plan, struct fathom_error *error)
{
	for (size_t i = 0; i < plan->spec_count && plan->experiment != FATHOM_DISTRIBUTION; i++)
		if (plan->specs[i].warmth == FATHOM_UNTOUCHED)
			return error_set(error, FATHOM_USAGE, NULL,
					 "specs[%zu]: first accesses to pages are timed one by one "
					 "alone",
					 i);
	for (size_t i = 0; i < plan->spec_count && plan->experiment != FATHOM_SETTLING; i++)
		if (plan->specs[i].warmth == FATHOM_SETTLED)
			return error_set(error, FATHOM_USAGE, NULL,
					 "specs[%zu]: caches settle in experiment settling alone",
					 i);
	if (plan->experiment != FATHOM_DISTRIBUTION)
		return 0;
	if (plan->spec_count > PROBER_MOST_CHAINS)
		return error_set(error, FATHOM_USAGE, "request fewer sizes with --size",
				 "specs: more than %d chains whose single accesses are timed",
				 PROBER_MOST_CHAINS);
	if (plan->steps < LEAST_ACCESSES || plan->steps > MOST_ACCESSES)
		return error_set(error, FATHOM_USAGE, NULL,
				 "%llu accesses are not between %d and %d",
				 (unsigned long long)plan->steps, LEAST_ACCESSES, MOST_ACCESSES);
	for (size_t i = 0; i < plan->spec_count; i++)
		if (!has_order(&plan->specs[i]) || plan->specs[i].lanes != 1 ||
		    plan->specs[i].link != FATHOM_LINK_POINTER ||
		    (plan->specs[i].warmth > FATHOM_COLD_FLUSHED &&
		     plan->specs[i].warmth != FATHOM_UNTOUCHED))
			return error_set(error, FATHOM_USAGE, NULL,
					 "specs[%zu] is no chain whose single accesses are timed",
					 i);
	return 0;
}

int plan_check_itself(const struct fathom_plan *plan, struct fathom_error *error)
{
	size_t curves = 0;
	if (!experiment_find(plan->experiment))
		return error_set(error, FATHOM_USAGE, "'fathom frequency' measures that",
				 "this experiment has no plan of its own");
	if (plan_is_of_pairs(plan))
		return 0;
	if (plan->spec_count == 0)
		return error_set(error, FATHOM_USAGE, NULL, "the plan has no sizes");
	for (size_t first = 0, end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		if (++curves > MOST_CURVES)
			return error_set(error, FATHOM_USAGE, "split it into several plans",
					 "the plan has more than %d curves", MOST_CURVES);
		if (check_curve(plan, first, end, error))
			return -1;
	}
	if (plan_check_cpus(plan, error) || check_loads(plan, error) || check_accesses(plan, error))
		return -1;
	if (plan->events && plan->specs[0].lap)
		return error_set(error, FATHOM_USAGE, "leave out the events",
				 "events cannot be counted lap by lap");
	if (plan->always_bytes < plan->specs[0].size_bytes)
		return error_set(error, FATHOM_USAGE, NULL,
				 "'always_bytes' is less than the smallest size");
	return 0;
}

static int check_stream(const struct fathom_plan *plan, const struct fathom_machine *machine,
			const struct fathom_spec *spec, struct fathom_error *error)
{
	static const char any[] = "leave out this operation: plain C has no non-temporal stores";
	if (cores_check(machine, plan->cpu, spec->threads, error))
		return -1;
	if (machine->description || stream_kernel(spec->pattern, spec->vector_bytes))
		return 0;
	if (spec->vector_bytes == 0 || stream_kernel(FATHOM_READ, spec->vector_bytes))
		return error_set(error, FATHOM_UNABLE, any,
				 "fathom has no loop for '%s' on this CPU",
				 fathom_pattern_name(spec->pattern));
	return error_set(error, FATHOM_UNABLE, "leave out --width to use the widest vectors",
			 "this CPU has no vectors of %u bits", 8 * spec->vector_bytes);
}

/* A simulated core has registers for any number of cursors. */
static int check_store(const struct fathom_machine *machine, const struct fathom_spec *spec,
		       struct fathom_error *error)
{
	enum kernel_kind kind = chain_kernel_kind(spec);
	if (machine->description || spec->lanes == 1 || spec->lane_store == FATHOM_STORE_UNKNOWN ||
	    lanes_kernel_in(spec->lane_store, kind, spec->lanes))
		return 0;
	const char *store = lane_store_name((int)spec->lane_store);
	unsigned most = lanes_most_in(spec->lane_store, kind);
	char hint[HINT_BYTES];
	if (most < 2)
		return error_set(error, FATHOM_UNABLE, "use --lane-store stack or auto",
				 "fathom has no loop for this CPU that keeps its cursors in %s",
				 store);
	snprintf(hint, sizeof(hint), "use --lanes %u, or --lane-store auto or stack", most);
	return error_set(error, FATHOM_UNABLE, hint,
			 "%u lanes ('--lanes') are more than the %u whose cursors fit in the %s of "
			 "this CPU ('--lane-store %s')",
			 spec->lanes, most, store, store);
}

static bool has_loops(const struct fathom_plan *plan)
{
	for (size_t i = 0; i < plan_traffic_count(plan); i++)
		if (plan_traffic_at(plan, i) == FATHOM_TRAFFIC_NT)
			return stream_kernel(FATHOM_WRITE_NT, 0);
	return true;
}

/* Of a curve its first spec has what all have, and its last one the most. */
static int check_here(const struct fathom_plan *plan, const struct fathom_machine *machine,
		      struct fathom_error *error)
{
	if (plan->experiment == FATHOM_LOADED && !machine->description && !has_loops(plan))
		return error_set(error, FATHOM_UNABLE, "leave 'nt' out of --traffic",
				 "fathom has no loop of non-temporal writes for this CPU");
	for (size_t first = 0, end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		const struct fathom_spec *spec = &plan->specs[first], *most = &plan->specs[end - 1];
		if (pattern_streams(spec->pattern) && check_stream(plan, machine, spec, error))
			return -1;
		if (spec->axis == FATHOM_AXIS_LANES && check_store(machine, most, error))
			return -1;
		if (pages_check(machine, spec->page, spec_total_bytes(most), error))
			return -1;
	}
	return 0;
}

int plan_check(const struct fathom_plan *plan, const struct fathom_machine *machine,
	       struct fathom_error *error)
{
	char asked[UNITS_TEXT_BYTES], allowed[UNITS_TEXT_BYTES], needed[UNITS_TEXT_BYTES];
	uint64_t largest_bytes = plan_largest_bytes(plan);
	struct plan_memory memory = plan_memory(plan, machine);
	const char *reason = machine->limit_reason ? machine->limit_reason : "memory";
	bool list = plan->experiment != FATHOM_LATENCY && plan->experiment != FATHOM_PAGES;
	const char *option = list ? "request less with --size" : "request less with --max-size";
	units_format_size(machine->limit_bytes, allowed);
	if (plan_check_itself(plan, error) || plan_check_places(plan, machine, error) ||
	    check_here(plan, machine, error))
		return -1;
	if (memory.sibling_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE, "leave 'streams' out of --sibling",
				 "a sibling that streams goes through %s, which exceeds the %s "
				 "available here (%s)",
				 units_format_size(memory.sibling_bytes, asked), allowed, reason);
	if (largest_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE, option,
				 "size %s exceeds the %s available here (%s)",
				 units_format_size(largest_bytes, asked), allowed, reason);
	if (memory.streamed_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE,
				 "request less with --size, or fewer --threads",
				 "%s for all threads exceeds the %s available here (%s)",
				 units_format_size(memory.streamed_bytes, asked), allowed, reason);
	if (memory.needed_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE, option,
				 "%s and the other memory of the plan, %s in total, exceed the %s "
				 "available here (%s)",
				 units_format_size(largest_bytes, asked),
				 units_format_size(memory.needed_bytes, needed), allowed, reason);
	return 0;
}
