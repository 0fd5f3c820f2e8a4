#include "measure/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/plan.h"
#include "base/rng.h"
#include "base/units.h"
#include "kernels/kernels.h"
#include "machine/cores.h"
#include "machine/counter_events.h"
#include "machine/pages.h"
#include "machine/pinning.h"
#include "measure/buffer.h"
#include "measure/experiments.h"
#include "measure/meter_streams.h"
#include "measure/part.h"
#include "measure/spec.h"
#include "measure/specs.h"

#define FEWEST_BLOCKS 6
#define MOST_CURVES   1024

void fathom_request_default(struct fathom_request *request)
{
	fathom_request_for(request, FATHOM_LATENCY);
}

void fathom_request_for(struct fathom_request *request, enum fathom_experiment experiment)
{
	const struct experiment *found = experiment_find(experiment);
	*request = (struct fathom_request){
		.experiment = experiment,
		.spec = {.seed = rng_entropy(), .lanes = 1, .threads = 1},
		.control = true,
		.cold_flushed = true,
		.most_lanes = 32,
		.cold_mapped = experiment == FATHOM_DECAY,
		.per_octave = experiment == FATHOM_PAGES ? 2 : 8,
		.cpu = -1,
		.budget_s = found ? found->default_budget_s : 0,
		.target = 0.01,
	};
}

uint64_t plan_largest_bytes(const struct fathom_plan *plan)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (spec_memory_bytes(&plan->specs[i]) > largest)
			largest = spec_memory_bytes(&plan->specs[i]);
	return largest;
}

/* Sizes that are still to be found are no larger than those always measured. */
static uint64_t span_bytes(const struct fathom_plan *plan, const struct fathom_spec *spec)
{
	return spec->size_bytes ? spec_memory_bytes(spec) : plan->always_bytes;
}

/* The largest span of a chain that needs pages of that kind; 0: none does. */
static uint64_t largest_of_kind(const struct fathom_plan *plan, enum fathom_page page)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		uint64_t bytes = span_bytes(plan, spec);
		if (spec->page == page && !fathom_pattern_streams(spec->pattern) && bytes > largest)
			largest = bytes;
	}
	return largest;
}

/* Of the thread of that number, from 0. */
static uint64_t part_bytes(const struct fathom_plan *plan, enum fathom_page page, uint32_t thread)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		if (spec->page == page && fathom_pattern_streams(spec->pattern) &&
		    spec->threads > thread && span_bytes(plan, spec) > largest)
			largest = span_bytes(plan, spec);
	}
	return largest;
}

/* What streams go through: of each kind of page a part for each thread. All of what is mapped for
 * it is touched. */
static uint64_t stream_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine,
			     uint64_t *mapped_bytes)
{
	uint64_t sum = 0, bytes;
	*mapped_bytes = 0;
	for (int page = 0; page_name(page); page++)
		for (uint32_t thread = 0;
		     (bytes = part_bytes(plan, (enum fathom_page)page, thread)); thread++) {
			sum += bytes;
			*mapped_bytes += part_capacity(machine, (enum fathom_page)page, bytes);
		}
	return sum;
}

/* Each kind of page has memory of its own, which is kept, and so has each thread: the spans, and
 * what is mapped for them to have room to move. */
static uint64_t kept_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine,
			   uint64_t *mapped_bytes)
{
	uint64_t bytes;
	stream_bytes(plan, machine, mapped_bytes);
	bytes = *mapped_bytes;
	for (int page = 0; page_name(page); page++) {
		uint64_t largest = largest_of_kind(plan, (enum fathom_page)page);
		bytes += largest;
		*mapped_bytes += largest ? buffer_capacity(machine, largest) : 0;
	}
	return bytes;
}

/* What is mapped anew lies beside the memory that is kept. */
static uint64_t renewed_bytes(const struct fathom_plan *plan)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].warmth == FATHOM_COLD_MAPPED &&
		    spec_memory_bytes(&plan->specs[i]) > largest)
			largest = spec_memory_bytes(&plan->specs[i]);
	return largest;
}

/* Only an idea: what mapping, building and six blocks of each size would take if a line cost 100 ns
 * to touch first and a hop into memory 150 ns; never more than the budget. */
static double estimate_s(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	double seconds = (double)buffer_capacity(machine, plan->always_bytes) / 64 * 100e-9;
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		if (spec->size_bytes == 0)
			return plan->budget_s;
		if (spec->size_bytes > plan->always_bytes)
			continue;
		double nodes = (double)spec_nodes(spec);
		seconds += 2 * nodes * 8e-9;
		double hops = fmax(fmin(nodes, 1e5), (double)plan->steps / FEWEST_BLOCKS);
		seconds += FEWEST_BLOCKS * (2e-3 + hops * 150e-9);
	}
	return fmin(seconds, plan->budget_s);
}

size_t plan_known_count(const struct fathom_plan *plan)
{
	size_t known = 0;
	while (known < plan->spec_count && plan->specs[known].size_bytes)
		known++;
	return known;
}

/* 0: a thread's part would lie in a cache of its own. */
static uint64_t settled_bytes(const struct fathom_spec *spec, const struct plan_size *size)
{
	uint64_t bytes = size->shared ? size->bytes / spec->threads : size->bytes;
	if (spec->threads > 1 && bytes < size->least_bytes)
		return 0;
	return bytes - bytes % spec->node_bytes;
}

/* The curve from `first` to before `end` at each size: along the sizes as one curve, else as one
 * curve a size. */
static void settle_curve(const struct fathom_plan *plan, size_t first, size_t end,
			 const struct plan_size *sizes, size_t count, struct fathom_spec **next)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = first; k < end; k++) {
			struct fathom_spec spec = plan->specs[k];
			spec.size_bytes = settled_bytes(&spec, &sizes[i]);
			bool repeated = spec.axis == FATHOM_AXIS_SIZE && i > 0 &&
					spec.size_bytes <= (*next)[-1].size_bytes;
			if (spec_check(&spec, NULL) == 0 && !repeated)
				*(*next)++ = spec;
		}
}

int plan_settle(struct fathom_plan *plan, const struct plan_size *sizes, size_t count,
		struct fathom_error *error)
{
	size_t known = plan_known_count(plan);
	struct fathom_spec *specs = calloc((plan->spec_count - known) * count + 1, sizeof(*specs));
	struct fathom_spec *next = specs;
	if (!specs)
		return error_no_memory(error);
	for (size_t first = known, end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		settle_curve(plan, first, end, sizes, count, &next);
	}
	plan->specs = specs;
	plan->spec_count = (size_t)(next - specs);
	plan->always_bytes = UINT64_MAX;
	return 0;
}

static int check_request(const struct fathom_request *request, struct fathom_error *error)
{
	if (request->per_octave < 1 || request->per_octave > 64)
		return error_set(error, FATHOM_USAGE, NULL,
				 "%u sizes an octave are not between 1 and 64",
				 request->per_octave);
	if (!(request->budget_s > 0))
		return error_set(error, FATHOM_USAGE, NULL, "the budget must be more than 0");
	if (request->both_orders && request->spec.pattern != FATHOM_RANDOM_CYCLE)
		return error_set(error, FATHOM_USAGE, NULL,
				 "both orders are random_cycle and independent, not '%s'",
				 fathom_pattern_name(request->spec.pattern)
					 ? fathom_pattern_name(request->spec.pattern)
					 : "unknown");
	if (!(request->target > 0 && request->target < 1))
		return error_set(error, FATHOM_USAGE, NULL, "the target must be between 0 and 1");
	return 0;
}

/* Where the size is still to be found, any will do that holds all lanes. */
static int check_spec(const struct fathom_plan *plan, size_t i, struct fathom_error *error)
{
	struct fathom_spec spec = plan->specs[i];
	size_t known = plan_known_count(plan);
	if (i < known)
		return spec_check(&spec, error);
	if (spec.size_bytes || known == 0 || plan->experiment != FATHOM_PARALLELISM)
		return error_set(error, FATHOM_USAGE, NULL,
				 "specs[%zu]: a size of 0 stands behind a sweep for parallelism, "
				 "and before no other",
				 i);
	spec.size_bytes = KERNEL_MOST_LANES * spec.node_bytes;
	return spec_check(&spec, error);
}

static int check_curve(const struct fathom_plan *plan, size_t first, size_t end,
		       struct fathom_error *error)
{
	for (size_t i = first; i < end; i++) {
		if (check_spec(plan, i, error))
			return -1;
		if (i > first && plan->specs[i].lanes < plan->specs[i - 1].lanes)
			return error_set(error, FATHOM_USAGE, "the lanes of a curve ascend",
					 "specs[%zu] has fewer than the one before", i);
		if (i > first && plan->specs[i].lap &&
		    plan->specs[i].lap != plan->specs[i - 1].lap + 1)
			return error_set(error, FATHOM_USAGE, "the laps of a curve count from 1",
					 "specs[%zu] is not the lap after the one before", i);
		if (i > first && plan->specs[i].size_bytes < plan->specs[i - 1].size_bytes)
			return error_set(error, FATHOM_USAGE, "the sizes of a curve ascend",
					 "specs[%zu] is smaller than the one before", i);
	}
	if (plan->specs[first].lap > 1)
		return error_set(error, FATHOM_USAGE, "the laps of a curve count from 1",
				 "specs[%zu] is not a first lap", first);
	for (size_t i = 0; i < first; i++)
		if (plan_same_curve(&plan->specs[i], &plan->specs[first]))
			return error_set(error, FATHOM_USAGE,
					 "specs that differ in size alone stand together",
					 "specs[%zu] belongs to the curve of specs[%zu]", first, i);
	return 0;
}

int plan_check_itself(const struct fathom_plan *plan, struct fathom_error *error)
{
	size_t curves = 0;
	if (!experiment_find(plan->experiment))
		return error_set(error, FATHOM_USAGE, "'fathom frequency' measures that",
				 "the experiment has no plan");
	if (plan->spec_count == 0)
		return error_set(error, FATHOM_USAGE, NULL, "the plan has no sizes");
	for (size_t first = 0, end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		if (++curves > MOST_CURVES)
			return error_set(error, FATHOM_USAGE, "make several plans of it",
					 "the plan has more than %d curves", MOST_CURVES);
		if (check_curve(plan, first, end, error))
			return -1;
	}
	if (plan->events && plan->specs[0].lap)
		return error_set(error, FATHOM_USAGE, "leave the events out",
				 "counts are not kept lap by lap");
	if (plan->always_bytes < plan->specs[0].size_bytes)
		return error_set(error, FATHOM_USAGE, NULL,
				 "always_bytes is less than the smallest size");
	return 0;
}

/* Of each curve, for its largest size. */
static int check_pages(const struct fathom_plan *plan, const struct fathom_machine *machine,
		       struct fathom_error *error)
{
	for (size_t first = 0, end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		if (pages_check(machine, plan->specs[first].page,
				spec_total_bytes(&plan->specs[end - 1]), error))
			return -1;
	}
	return 0;
}

static int check_stream(const struct fathom_plan *plan, const struct fathom_machine *machine,
			const struct fathom_spec *spec, struct fathom_error *error)
{
	static const char any[] = "C has no stores past the caches: leave the operation out";
	if (cores_check(machine, plan->cpu, spec->threads, error))
		return -1;
	if (machine->description || streams_kernel(spec->pattern, spec->vector_bytes))
		return 0;
	if (spec->vector_bytes == 0 || streams_kernel(FATHOM_READ, spec->vector_bytes))
		return error_set(error, FATHOM_UNABLE, any, "there is no loop for '%s' here",
				 fathom_pattern_name(spec->pattern));
	return error_set(error, FATHOM_UNABLE, "leave --width out for the widest that there is",
			 "this CPU has no vectors of %u bits", 8 * spec->vector_bytes);
}

/* Threads and vectors. */
static int check_streams(const struct fathom_plan *plan, const struct fathom_machine *machine,
			 struct fathom_error *error)
{
	for (size_t first = 0; first < plan->spec_count; first = plan_curve_end(plan, first))
		if (fathom_pattern_streams(plan->specs[first].pattern) &&
		    check_stream(plan, machine, &plan->specs[first], error))
			return -1;
	return 0;
}

int plan_check(const struct fathom_plan *plan, const struct fathom_machine *machine,
	       struct fathom_error *error)
{
	char asked[UNITS_TEXT_BYTES], allowed[UNITS_TEXT_BYTES], needed[UNITS_TEXT_BYTES];
	uint64_t mapped_bytes, largest_bytes = plan_largest_bytes(plan);
	uint64_t needed_bytes = kept_bytes(plan, machine, &mapped_bytes) + renewed_bytes(plan);
	uint64_t streamed_bytes = stream_bytes(plan, machine, &mapped_bytes);
	const char *reason = machine->limit_reason ? machine->limit_reason : "memory";
	bool list = plan->experiment != FATHOM_LATENCY && plan->experiment != FATHOM_PAGES;
	const char *option = list ? "ask for less with --size" : "ask for less with --max-size";
	units_format_size(machine->limit_bytes, allowed);
	if (plan_check_itself(plan, error) || pinning_check(machine, plan->cpu, error) ||
	    check_streams(plan, machine, error) || check_pages(plan, machine, error))
		return -1;
	if (largest_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE, option,
				 "a size of %s is over the %s that can be had here (%s)",
				 units_format_size(largest_bytes, asked), allowed, reason);
	if (streamed_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE,
				 "ask for less with --size, or for fewer --threads",
				 "%s for all threads is over the %s that can be had here (%s)",
				 units_format_size(streamed_bytes, asked), allowed, reason);
	if (needed_bytes > machine->limit_bytes)
		return error_set(error, FATHOM_UNABLE, option,
				 "%s and what is needed beside it, %s in all, are over the %s that "
				 "can be had here (%s)",
				 units_format_size(largest_bytes, asked),
				 units_format_size(needed_bytes, needed), allowed, reason);
	return 0;
}

int plan_finish(struct fathom_plan *plan, const struct fathom_machine *machine,
		struct fathom_error *error)
{
	if (plan_check(plan, machine, error))
		return -1;
	kept_bytes(plan, machine, &plan->memory_bytes);
	plan->memory_bytes += renewed_bytes(plan);
	plan->estimated_s = estimate_s(plan, machine);
	return 0;
}

static int fill_events(struct fathom_plan *plan, const char *asked, struct fathom_error *error)
{
	struct counter_events events;
	if (!asked)
		return 0;
	const char *list = *asked ? asked : COUNTER_EVENTS_DEFAULT;
	if (counter_events_parse(list, &events, error))
		return -1;
	counter_events_free(&events);
	plan->events = strdup(list);
	return plan->events ? 0 : error_no_memory(error);
}

static int fill_plan(struct fathom_plan *plan, const struct fathom_request *asked,
		     const struct fathom_machine *machine, struct fathom_error *error)
{
	const struct experiment *experiment = experiment_find(asked->experiment);
	struct fathom_request request = *asked;
	if (!experiment)
		return error_set(error, FATHOM_USAGE, NULL, "no such experiment");
	if (request.spec.node_bytes == 0)
		request.spec.node_bytes = specs_line_bytes(machine);
	*plan = (struct fathom_plan){
		.experiment = experiment->id,
		.axis = experiment->axis,
		.seed = request.spec.seed,
		.cpu = request.cpu < 0 ? machine->default_cpu : request.cpu,
		.budget_s = request.budget_s,
		.target = request.target,
		.keep_samples = request.keep_samples,
		.node_is_line = experiment->finds_sizes && asked->spec.node_bytes == 0,
	};
	if (machine->description) {
		plan->machine = strdup(machine->description);
		if (!plan->machine)
			return error_no_memory(error);
	}
	if (fill_events(plan, request.events, error) || pinning_check(machine, plan->cpu, error) ||
	    experiment->specs(&request, machine, plan, error))
		return -1;
	return plan_finish(plan, machine, error);
}

int fathom_plan_make(const struct fathom_request *request, const struct fathom_machine *machine,
		     struct fathom_plan **plan, struct fathom_error *error)
{
	struct fathom_plan *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	if (check_request(request, error) || fill_plan(made, request, machine, error)) {
		fathom_plan_free(made);
		return -1;
	}
	*plan = made;
	return 0;
}
