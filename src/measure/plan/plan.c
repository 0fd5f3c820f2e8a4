#include "measure/plan/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/plan.h"
#include "base/rng.h"
#include "machine/counters/counter_events.h"
#include "measure/accesses/accesses.h"
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"
#include "measure/plan/plan_memory.h"
#include "measure/schedule/choice.h"
#include "measure/spec.h"

#define ROOM_SHARE          8
#define TOUCH_SHARE         0.4  /* of the budget, at most, for touching memory first */
#define TOUCH_S_PER_BYTE    2e-9 /* 130 ns a line, at the slow end of what guests need */
#define ENDS_SHARE          0.5  /* of the budget, at most, for the ends of all curves */
#define LEAST_LARGEST_BYTES (32ull << 20)
#define LEAST_SHARE         0.5 /* of the budget, is left for measuring */
#define MORE_POINTS         1.5 /* than usual costs allow: what visits take decides */
#define USUAL_PER_OCTAVE    8
#define PAGES_PER_OCTAVE    2
#define LEAST_LIMIT_BYTES   (1ull << 20)
#define USUAL_ACCESS_S      200e-9 /* that is timed alone, in memory */

void fathom_request_default(struct fathom_request *request)
{
	fathom_request_for(request, FATHOM_LATENCY);
}

void fathom_request_for(struct fathom_request *request, enum fathom_experiment experiment)
{
	const struct experiment *found = experiment_find(experiment);
	*request = (struct fathom_request){
		.experiment = experiment,
		.spec = {.seed = rng_entropy(),
			 .lanes = 1,
			 .threads = 1,
			 .link = FATHOM_LINK_UNKNOWN},
		.control = true,
		.cold_flushed = true,
		.cold_mapped = experiment == FATHOM_DECAY,
		.per_octave = experiment == FATHOM_PAGES ? PAGES_PER_OCTAVE : USUAL_PER_OCTAVE,
		.cpu = -1,
		.memory_node = -1,
		.budget_s = found ? found->default_budget_s : 0,
		.target = 0.01,
	};
}

/* Touching memory for the first time; in simulations it takes none. */
static double touch_s(const struct plan_memory *memory, uint64_t bytes,
		      const struct fathom_machine *machine)
{
	return machine->description ? 0
				    : (double)(bytes - memory->at_once_bytes) * TOUCH_S_PER_BYTE;
}

/* A chain that is turned to is walked for a while first. */
static double accesses_s(const struct fathom_plan *plan)
{
	double accesses = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		bool warm = plan->specs[i].warmth == FATHOM_WARM;
		double turns = plan_has_controls(plan) ? PLAN_CONTROL_TURNS : 1;
		double nodes = (double)plan->specs[i].size_bytes / plan->specs[i].node_bytes;
		accesses += (double)plan_accesses(plan, i);
		if (warm && turns > 1)
			accesses += turns * fmin(nodes, ACCESSES_WARM);
	}
	return USUAL_ACCESS_S * accesses;
}

/* Only an idea: touching memory and what all points need, by the usual costs; a sweep takes all of
 * its budget, and so does what begins with one. */
static double estimate_s(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	struct plan_memory memory = plan_memory(plan, machine);
	double seconds = touch_s(&memory, memory.mapped_bytes, machine);
	if (plan_is_of_pairs(plan))
		return fmin(cores_estimate_s(plan, machine), plan->budget_s);
	if (plan->experiment == FATHOM_DISTRIBUTION)
		return fmin(plan->budget_s, plan->over_s + seconds + accesses_s(plan));
	if (plan_known_count(plan) < plan->spec_count || plan->experiment == FATHOM_NODES ||
	    plan->experiment == FATHOM_LOADED || experiment_find(plan->experiment)->finds_sizes)
		return plan->budget_s;
	for (size_t i = 0; i < plan->spec_count; i++)
		seconds += (double)choice_visits(plan) * choice_usual_s(&plan->specs[i]);
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
static uint64_t bytes_at(const struct fathom_spec *spec, const struct plan_size *size)
{
	uint64_t bytes = size->shared ? size->bytes / spec->threads : size->bytes;
	if (spec->threads > 1 && bytes < size->least_bytes)
		return 0;
	return bytes - bytes % spec->node_bytes;
}

/* The curve from `first` to before `end` at each size: along the sizes as one curve, else as one
 * curve a size. */
static void insert_curve(const struct fathom_plan *plan, size_t first, size_t end,
			 const struct plan_size *sizes, size_t count, struct fathom_spec **next)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = first; k < end; k++) {
			struct fathom_spec spec = plan->specs[k];
			spec.size_bytes = bytes_at(&spec, &sizes[i]);
			bool repeated = spec.axis == FATHOM_AXIS_SIZE && i > 0 &&
					spec.size_bytes <= (*next)[-1].size_bytes;
			if (spec_check(&spec, NULL) == 0 && !repeated)
				*(*next)++ = spec;
		}
}

int plan_insert_sizes(struct fathom_plan *plan, const struct plan_size *sizes, size_t count,
		      struct fathom_error *error)
{
	size_t known = plan_known_count(plan);
	struct fathom_spec *specs = calloc((plan->spec_count - known) * count + 1, sizeof(*specs));
	struct fathom_spec *next = specs;
	if (!specs)
		return error_no_memory(error);
	for (size_t first = known, end; first < plan->spec_count; first = end) {
		end = plan_curve_end(plan, first);
		insert_curve(plan, first, end, sizes, count, &next);
	}
	plan->specs = specs;
	plan->spec_count = (size_t)(next - specs);
	plan->always_bytes = UINT64_MAX;
	return 0;
}

int plan_finish(struct fathom_plan *plan, const struct fathom_machine *machine,
		struct fathom_error *error)
{
	if (plan_check(plan, machine, error))
		return -1;
	plan->memory_bytes = plan_memory(plan, machine).mapped_bytes;
	plan->estimated_s = estimate_s(plan, machine);
	return 0;
}

static int check_request(const struct fathom_request *request, struct fathom_error *error)
{
	if (request->per_octave < 1 || request->per_octave > 64)
		return error_set(error, FATHOM_USAGE, NULL,
				 "%u sizes per octave is not between 1 and 64",
				 request->per_octave);
	if (!(request->budget_s > 0))
		return error_set(error, FATHOM_USAGE, NULL, "the budget must be more than 0");
	if (request->both_orders && request->spec.pattern != FATHOM_RANDOM_CYCLE)
		return error_set(error, FATHOM_USAGE, NULL,
				 "--pattern both means random_cycle and independent, not '%s'",
				 fathom_pattern_name(request->spec.pattern)
					 ? fathom_pattern_name(request->spec.pattern)
					 : "unknown");
	if (!(request->target > 0 && request->target < 1))
		return error_set(error, FATHOM_USAGE, NULL, "the target must be between 0 and 1");
	return 0;
}

/* Where the size is still to be found, any will do that holds all lanes. */
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

static bool has_list(const struct fathom_request *request)
{
	return request->sizes_bytes && request->size_count;
}

/* Were sizes asked for, which no one else is to change? */
static bool has_sizes(const struct fathom_request *request)
{
	return request->max_size_bytes || has_list(request);
}

/* Were points asked for one by one? */
static bool has_points(const struct fathom_request *request)
{
	return has_list(request) || request->threads || request->streams ||
	       request->strides_bytes || request->patterns ||
	       (request->experiment == FATHOM_LATENCY && request->per_octave != USUAL_PER_OCTAVE);
}

/* Leaves out what there will hardly be time for, where that is not told by simulated time: the rest
 * is decided by what visits take. */
static int thin(struct fathom_plan *plan, const struct fathom_machine *machine,
		struct fathom_error *error)
{
	struct plan_memory memory = plan_memory(plan, machine);
	double left_s = plan->budget_s - touch_s(&memory, memory.mapped_bytes, machine);
	bool known = plan_known_count(plan) == plan->spec_count;
	if (plan->asked || !known || plan_is_of_pairs(plan) || machine->description ||
	    experiment_find(plan->experiment)->finds_sizes)
		return 0;
	return choice_thin(plan, MORE_POINTS * fmax(left_s, LEAST_SHARE * plan->budget_s), error);
}

/* With some memory to spare, so that chains can lie at several places, and time to measure once it
 * was touched. */
static bool has_room(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	uint64_t limit_bytes = machine->limit_bytes;
	struct plan_memory memory = plan_memory(plan, machine);
	return memory.needed_bytes <= limit_bytes - limit_bytes / ROOM_SHARE &&
	       touch_s(&memory, memory.needed_bytes, machine) <= TOUCH_SHARE * plan->budget_s;
}

/* Is there time for what stands at the ends of all curves? Less than what lies past most caches
 * would tell little. */
static bool has_time(const struct fathom_plan *plan)
{
	bool known = plan_known_count(plan) == plan->spec_count;
	return !known || experiment_find(plan->experiment)->finds_sizes ||
	       plan->always_bytes <= LEAST_LARGEST_BYTES ||
	       !(choice_ends_s(plan) > ENDS_SHARE * plan->budget_s);
}

/* What a plan takes of memory and time only shows once it is made: what is not asked for is made
 * for less, until it fits. */
static int make_specs(struct fathom_plan *plan, const struct fathom_request *request,
		      const struct fathom_machine *machine, struct fathom_error *error)
{
	const struct experiment *experiment = experiment_find(request->experiment);
	struct fathom_machine less = *machine;
	for (;;) {
		if (experiment->specs(request, &less, plan, error))
			return -1;
		if (has_sizes(request) || (has_room(plan, machine) && has_time(plan)) ||
		    less.limit_bytes < LEAST_LIMIT_BYTES)
			return 0;
		less.limit_bytes -= less.limit_bytes / ROOM_SHARE;
		free(plan->specs);
		plan->specs = NULL;
		plan->spec_count = 0;
		plan->always_bytes = 0;
	}
}

/* Those of pairs, and of NUMA nodes, their experiment lists. */
static int fill_places(struct fathom_plan *plan, const struct fathom_request *request,
		       const struct fathom_machine *machine, struct fathom_error *error)
{
	bool own = plan_is_of_pairs(plan) || plan->experiment == FATHOM_NODES ||
		   plan->experiment == FATHOM_LOADED;
	if (plan_list_siblings(request->siblings, plan, error))
		return -1;
	if (!own &&
	    (plan_list_cpus(request->cpus, machine, plan, error) || plan_check_cpus(plan, error)))
		return -1;
	return plan_check_places(plan, machine, error);
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
	if (request.spec.link == FATHOM_LINK_UNKNOWN)
		request.spec.link = spec_link_of(request.spec.node_bytes);
	*plan = (struct fathom_plan){
		.experiment = experiment->id,
		.axis = experiment->axis,
		.seed = request.spec.seed,
		.cpu = request.cpu < 0 ? machine->default_cpu : request.cpu,
		.memory_node = request.memory_node,
		.budget_s = request.budget_s,
		.target = request.target,
		.keep_samples = request.keep_samples,
		.os_prior_off = request.os_prior_off,
		.fixed_sizes = experiment->finds_sizes && has_list(asked),
		.node_is_line = experiment->finds_sizes && asked->spec.node_bytes == 0,
	};
	if (machine->description) {
		plan->machine = strdup(machine->description);
		if (!plan->machine)
			return error_no_memory(error);
	}
	plan->asked = has_points(asked);
	if (fill_events(plan, request.events, error) ||
	    fill_places(plan, &request, machine, error) ||
	    make_specs(plan, &request, machine, error) || thin(plan, machine, error))
		return -1;
	return plan_finish(plan, machine, error);
}

/* What limits the machine has left nothing of it: no size would do. */
static int check_memory(const struct fathom_machine *machine, struct fathom_error *error)
{
	if (machine->limit_bytes >= machine->base_page_bytes)
		return 0;
	return error_set(error, FATHOM_UNABLE, "raise the limit: 8 MiB are the least to measure in",
			 "no memory is left here to measure in (%s)",
			 machine->limit_reason ? machine->limit_reason : "memory");
}

int fathom_plan_make(const struct fathom_request *request, const struct fathom_machine *machine,
		     struct fathom_plan **plan, struct fathom_error *error)
{
	struct fathom_plan *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	if (check_request(request, error) || check_memory(machine, error) ||
	    fill_plan(made, request, machine, error)) {
		fathom_plan_free(made);
		return -1;
	}
	*plan = made;
	return 0;
}
