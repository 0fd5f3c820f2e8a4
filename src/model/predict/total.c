#include "model/predict/total.h"

#include <math.h>
#include <string.h>

/* Of an operation, whatever it is: what is made of the result alone waits for it. Where several are
 * interleaved, their keys and places are stored, and their values loaded. */
#define OPERATION_WAITING        1
#define INTERLEAVED_INSTRUCTIONS 10
/* Where the next key comes out of the value: a shift and an addition (src/structures/operate.h). */
#define DEPENDENT_CYCLES 2

/* What a step's line costs, by where it is, and its translation. */
struct fetch {
	double parts_ns[FATHOM_PREDICT_PART_COUNT];
	double ns;
	double variance, third; /* central moments of the lines, without translation */
	double overlapped_ns;   /* where as many as can are in flight */
};

static double lanes_at(const struct costs *costs, double lines, const struct costs_state *state)
{
	return costs->lanes.count ? fmax(1, costs_at(&costs->lanes, lines, state->at[COSTS_LANES]))
				  : 1;
}

/* How likely the farthest of so many is of this weight, of which so much is nearer; goes on. */
static double slowest_of(double awaited, double *below, double weight)
{
	double before = pow(*below, awaited);
	*below += weight;
	return pow(*below, awaited) - before;
}

/* Of an access, over powers of its mean. Interleaved loads wait for their own operations, by turns,
 * and have none. */
static void add_spread(const struct costs *costs, double lines, double ns,
		       const struct costs_state *state, double *variance, double *third)
{
	costs_mixture(costs, lines, ns, state, variance, third);
	if (costs_level(costs, lines, state) == FATHOM_PREDICT_MEMORY) {
		*variance += costs->memory_variance;
		*third += costs->memory_third;
	}
}

static struct fetch fetch_of(const struct operation *operation, size_t step,
			     const struct costs_state *state)
{
	const struct costs *costs = operation->costs;
	const struct reuse *lines = &operation->lines[step], *pages = &operation->pages[step];
	double inside_ns = costs_page_ns(costs, costs->tlb_pages, 0, state), lanes = 0;
	const struct step *at = &operation->layout->steps[step];
	double awaited = fmax(1, at->awaited), below = 0;
	struct fetch fetch = {.ns = 0};
	for (size_t i = lines->first; i < lines->end; i++) {
		if (!(lines->weights[i] > 0))
			continue;
		double distance = reuse_distance(i), apart_ns = lines->times[i] * operation->ns;
		/* The levels say what lines anywhere take; of a cycle it is the curve. */
		double ns = at->a_line > 0 ? costs_cycle_ns(costs, distance, state)
					   : costs_line_ns(costs, distance, apart_ns, state);
		if (at->beside)
			ns -= (1 - costs->beside_share) * fmax(0, ns - costs_hit_ns(costs, state));
		double in_flight = lanes_at(costs, distance, state);
		double slowest = slowest_of(awaited, &below, lines->weights[i]);
		fetch.parts_ns[costs_level(costs, distance, state)] += slowest * ns;
		double variance = 0, third = 0;
		if (operation->mode == FATHOM_PREDICT_INDEPENDENT)
			add_spread(costs, distance, ns, state, &variance, &third);
		fetch.ns += slowest * ns;
		fetch.variance += slowest * ns * ns * (1 + variance);
		fetch.third += slowest * ns * ns * ns * (1 + 3 * variance + third);
		fetch.overlapped_ns += lines->weights[i] * ns / in_flight;
		lanes += lines->weights[i] * in_flight;
	}
	fetch.third -= (3 * fetch.variance - 2 * fetch.ns * fetch.ns) * fetch.ns;
	fetch.variance = fmax(0, fetch.variance - fetch.ns * fetch.ns);
	below = 0;
	for (size_t i = pages->first; i < pages->end; i++) {
		double apart_ns = pages->times[i] * operation->ns;
		double ns = costs_page_ns(costs, reuse_distance(i), apart_ns, state);
		double tlb_ns = reuse_distance(i) > costs->tlb_pages ? fmin(ns, inside_ns) : ns;
		double slowest = slowest_of(awaited, &below, pages->weights[i]);
		fetch.parts_ns[FATHOM_PREDICT_TLB] += slowest * tlb_ns;
		fetch.parts_ns[FATHOM_PREDICT_WALK] += slowest * (ns - tlb_ns);
		fetch.ns += slowest * ns;
		fetch.overlapped_ns += pages->weights[i] * ns / lanes;
	}
	return fetch;
}

/* Does the core go on to the next step before this one's load is there? Where operations are
 * interleaved, others come between. */
static bool is_guessed(const struct operation *operation, const struct step *step)
{
	return step->guessed && operation->mode != FATHOM_PREDICT_INTERLEAVED;
}

/* What of the fetch the next step waits for, as a share. */
static double waited(const struct operation *operation, const struct step *step,
		     const struct fetch *fetch, double l1_ns)
{
	if (step->streams > 0 && step->streams <= operation->costs->caches[0].lines.ns)
		return 0;
	if (is_guessed(operation, step)) /* else it was asked for by a guess, and right */
		return step->mispredicted;
	return step->ahead > 0 ? fmax(l1_ns / fetch->ns, 1 / (1 + step->ahead)) : 1;
}

double total_waited_ns(const struct operation *operation, size_t which,
		       const struct costs_state *state)
{
	const struct step *step = &operation->layout->steps[which];
	struct fetch fetch = fetch_of(operation, which, state);
	double l1_ns = costs_line_ns(operation->costs, 1, 0, state);
	return step->count * waited(operation, step, &fetch, l1_ns) * fetch.ns;
}

/* What does not depend on where lines are. */
static void add_counts(const struct operation *operation, const struct step *step,
		       const struct costs_state *state, struct total *total)
{
	double code = costs_input(operation->costs, COSTS_CODE, state);
	double turns = step->turn / (1 - step->again);
	total->instructions += step->count * code * step->instructions;
	total->waiting += step->count * code * step->waiting;
	total->mispredicted += step->count * step->mispredicted;
	total->compared += step->guessed ? step->count * step->mispredicted : 0;
	total->astray += step->astray ? step->count * step->mispredicted : 0;
	if (operation->mode != FATHOM_PREDICT_INTERLEAVED)
		return;
	total->turns += turns;
	total->instructions += turns * operation->layout->turn_instructions;
}

/* What turns take. */
static void add_turns(const struct operation *operation, const struct step *step,
		      const struct costs_state *state, struct sum *sum, struct total *total)
{
	double turns = step->turn / (1 - step->again);
	/* Where the operation is was stored, and is loaded. */
	double ns = turns * costs_input(operation->costs, COSTS_FORWARD, state);
	total->chain_ns += ns;
	total->core_ns += ns;
	sum->parts_ns[FATHOM_PREDICT_L1] += ns;
}

/* So many, of which `share` are waited for. */
static void add_loads(const struct fetch *fetch, double count, double share, double core_ns,
		      bool asked, struct total *total)
{
	double ns = fetch->ns - core_ns, waited = count > 0 ? share / count : 0;
	if (asked) {
		total->asked_ns += share * ns;
		return;
	}
	total->loads += count;
	total->loads_ns += share * ns;
	total->squares += share * waited * (ns * ns + fetch->variance);
	total->cubes +=
		share * waited * waited * (ns * ns * ns + 3 * ns * fetch->variance + fetch->third);
	total->variance += share * waited * fetch->variance;
	total->third += share * waited * waited * fetch->third;
}

static void add_step(const struct operation *operation, size_t which,
		     const struct costs_state *state, struct sum *sum, struct total *total)
{
	const struct step *step = &operation->layout->steps[which];
	const struct costs *costs = operation->costs;
	struct fetch fetch = fetch_of(operation, which, state);
	double fetched = fmax(1, step->fetched);
	double l1_ns = costs_line_ns(costs, 1, 0, state);
	double share = step->count * waited(operation, step, &fetch, l1_ns);
	double code = costs_input(costs, COSTS_CODE, state);
	double compute_ns = step->count * code * step->cycles *
			    costs_input(costs, COSTS_CYCLE, state) *
			    (is_guessed(operation, step) ? step->mispredicted : 1);
	double branch_ns =
		step->count * step->mispredicted * costs_input(costs, COSTS_BRANCH, state);
	for (int part = 0; part < FATHOM_PREDICT_PART_COUNT; part++)
		sum->parts_ns[part] += share * fetch.parts_ns[part];
	sum->parts_ns[FATHOM_PREDICT_COMPUTE] += compute_ns;
	sum->parts_ns[FATHOM_PREDICT_BRANCH] += branch_ns;
	sum->lines += step->count * fetched;
	total->chain_ns += share * fetch.ns + compute_ns + branch_ns;
	total->branch_ns += branch_ns;
	total->core_ns += share * fmin(l1_ns, fetch.ns) + compute_ns;
	total->overlapped_ns += step->count * fetched * fetch.overlapped_ns;
	bool asked = step->asked && operation->mode == FATHOM_PREDICT_INTERLEAVED;
	add_loads(&fetch, step->count, share, fmin(l1_ns, fetch.ns), asked, total);
	if (step->count > 0)
		total->step_ns[which] = (share * fetch.ns + compute_ns) / step->count;
	if (operation->mode == FATHOM_PREDICT_INTERLEAVED)
		add_turns(operation, step, state, sum, total);
}

/* How likely a step, or one before it, is slow: were all that are as slow as the slowest, on
 * average as many are as make up its time. */
static void find_held(const struct operation *operation, const struct costs_state *state,
		      struct total *total)
{
	const struct layout *layout = operation->layout;
	double code = costs_input(operation->costs, COSTS_CODE, state), hits = 1, slowest_ns = 0;
	for (size_t i = 0; i < layout->count; i++)
		slowest_ns = fmax(slowest_ns, total->step_ns[i]);
	total->held = total->waiting;
	if (!(slowest_ns > 0))
		return;
	for (size_t i = 0; i < layout->count; i++) {
		const struct step *step = &layout->steps[i];
		hits *= 1 - fmin(1, step->count) * total->step_ns[i] / slowest_ns;
		total->held -= hits * code * step->count * step->waiting;
	}
}

/* Whether an operation ends is foreseen from what went before. Among interleaved ones that is the
 * same again and again, or has branches in it that went either way: then the likelier is guessed in
 * each turn. */
static void add_ends(const struct operation *operation, const struct costs_state *state,
		     struct sum *sum, struct total *total)
{
	double unlike = -expm1(-total->mispredicted * operation->interleave);
	double ends = unlike * fmin(1, fmax(0, total->turns - 1));
	double more = fmax(0, ends - (total->mispredicted - total->compared));
	double ns = more * costs_input(operation->costs, COSTS_BRANCH, state);
	total->mispredicted += more;
	total->branch_ns += ns;
	total->chain_ns += ns;
	sum->parts_ns[FATHOM_PREDICT_BRANCH] += ns;
}

struct total total_make(const struct operation *operation, const struct costs_state *state,
			struct sum *sum)
{
	bool interleaved = operation->mode == FATHOM_PREDICT_INTERLEAVED;
	struct total total = {.waiting = OPERATION_WAITING};
	memset(sum, 0, sizeof(*sum));
	total.instructions = operation->layout->instructions;
	if (interleaved && !operation->layout->keyless)
		total.instructions += INTERLEAVED_INSTRUCTIONS;
	for (size_t i = 0; i < operation->layout->count; i++)
		add_counts(operation, &operation->layout->steps[i], state, &total);
	for (size_t i = 0; i < operation->layout->count; i++)
		add_step(operation, i, state, sum, &total);
	find_held(operation, state, &total);
	if (interleaved && !operation->layout->keyless)
		add_ends(operation, state, sum, &total);
	if (operation->mode == FATHOM_PREDICT_DEPENDENT && !operation->layout->keyless) {
		double ns = DEPENDENT_CYCLES * costs_input(operation->costs, COSTS_CYCLE, state);
		sum->parts_ns[FATHOM_PREDICT_COMPUTE] += ns;
		total.chain_ns += ns;
		total.core_ns += ns;
	}
	return total;
}
