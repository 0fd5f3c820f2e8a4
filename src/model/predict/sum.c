#include "model/predict/sum.h"

#include <math.h>
#include <string.h>

/* Of an operation, whatever it is: the next key, the call, the loop, what is made of the result. */
#define OPERATION_INSTRUCTIONS 8
/* Where the next key comes out of the value: a shift and an addition (src/structures/operate.h). */
#define DEPENDENT_CYCLES 2
/* Of each step where several operations are interleaved: which one it is, where it is and what is
 * left of it are loaded, and stored again (counted in what gcc 12 makes of src/structures). */
#define INTERLEAVE_INSTRUCTIONS 12

/* What a step's line costs, by where it is, and its translation. */
struct fetch {
	double parts_ns[FATHOM_PREDICT_PART_COUNT];
	double ns;
	double overlapped_ns; /* where as many as can are in flight */
};

static double lanes_at(const struct costs *costs, double lines, const struct costs_state *state)
{
	return costs->lanes.count ? fmax(1, costs_at(&costs->lanes, lines, state->at[COSTS_LANES]))
				  : 1;
}

static struct fetch fetch_of(const struct operation *operation, size_t step,
			     const struct costs_state *state)
{
	const struct costs *costs = operation->costs;
	const struct reuse *lines = &operation->lines[step], *pages = &operation->pages[step];
	double inside_ns = costs_page_ns(costs, costs->tlb_pages, state), lanes = 0;
	bool cycle = operation->layout->steps[step].a_line > 0;
	struct fetch fetch = {.ns = 0};
	for (size_t i = lines->first; i < lines->end; i++) {
		if (!(lines->weights[i] > 0))
			continue;
		double ns = lines->weights[i] * (cycle ? costs_cycle_ns : costs_line_ns)(
							costs, reuse_distance(i), state);
		double in_flight = lanes_at(costs, reuse_distance(i), state);
		fetch.parts_ns[costs_level(costs, reuse_distance(i), state)] += ns;
		fetch.ns += ns;
		fetch.overlapped_ns += ns / in_flight;
		lanes += lines->weights[i] * in_flight;
	}
	for (size_t i = pages->first; i < pages->end; i++) {
		double ns = costs_page_ns(costs, reuse_distance(i), state);
		double tlb_ns = reuse_distance(i) > costs->tlb_pages ? fmin(ns, inside_ns) : ns;
		fetch.parts_ns[FATHOM_PREDICT_TLB] += pages->weights[i] * tlb_ns;
		fetch.parts_ns[FATHOM_PREDICT_WALK] += pages->weights[i] * (ns - tlb_ns);
		fetch.ns += pages->weights[i] * ns;
		fetch.overlapped_ns += pages->weights[i] * ns / lanes;
	}
	return fetch;
}

/* What of the fetch the next step waits for, as a share. */
static double waited(const struct step *step, const struct fetch *fetch, double l1_ns)
{
	if (step->guessed) /* else it was asked for by a guess, and right */
		return step->mispredicted;
	return step->ahead > 0 ? fmax(l1_ns / fetch->ns, 1 / (1 + step->ahead)) : 1;
}

/* What all steps together come to. */
struct total {
	double chain_ns;  /* one after the other */
	double branch_ns; /* of it */
	double instructions;
	double mispredicted;
	double overlapped_ns; /* of the lines, were as many as can be in flight */
};

static void add_step(const struct operation *operation, size_t which,
		     const struct costs_state *state, struct sum *sum, struct total *total)
{
	const struct step *step = &operation->layout->steps[which];
	const struct costs *costs = operation->costs;
	struct fetch fetch = fetch_of(operation, which, state);
	double fetched = fmax(1, step->fetched);
	double share = step->count * waited(step, &fetch, costs_line_ns(costs, 1, state));
	double code = costs_input(costs, COSTS_CODE, state);
	double compute_ns = step->count * code * step->cycles *
			    costs_input(costs, COSTS_CYCLE, state) *
			    (step->guessed ? step->mispredicted : 1);
	double branch_ns =
		step->count * step->mispredicted * costs_input(costs, COSTS_BRANCH, state);
	for (int part = 0; part < FATHOM_PREDICT_PART_COUNT; part++)
		sum->parts_ns[part] += share * fetch.parts_ns[part];
	sum->parts_ns[FATHOM_PREDICT_COMPUTE] += compute_ns;
	sum->parts_ns[FATHOM_PREDICT_BRANCH] += branch_ns;
	sum->lines += step->count * fetched;
	total->chain_ns += share * fetch.ns + compute_ns + branch_ns;
	total->branch_ns += branch_ns;
	double own = operation->interleave > 1 ? INTERLEAVE_INSTRUCTIONS : 0;
	total->instructions += step->count * (code * step->instructions + own);
	total->mispredicted += step->count * step->mispredicted;
	total->overlapped_ns += step->count * fetched * fetch.overlapped_ns;
}

/* How many operations are under way at a time. The window holds so many instructions, and what
 * comes after a branch that will be mispredicted is of no use: with m of them an instruction,
 * (1 - exp(-m W)) / m of W are. */
static double under_way(const struct operation *operation, const struct total *total,
			const struct costs_state *state)
{
	if (operation->mode == FATHOM_PREDICT_DEPENDENT)
		return 1;
	double window = costs_input(operation->costs, COSTS_WINDOW, state);
	double each = total->mispredicted / fmax(1, total->instructions);
	if (each > 0)
		window = -expm1(-each * window) / each;
	double by_window = window / fmax(1, total->instructions);
	return (operation->mode == FATHOM_PREDICT_INTERLEAVED ? operation->interleave : 1) +
	       by_window;
}

static double stream_ns(const struct operation *operation, const struct costs_state *state)
{
	const struct layout *layout = operation->layout;
	const struct costs *costs = operation->costs;
	double ns = 0;
	if (layout->read_bytes > 0)
		ns += 1e9 * layout->read_bytes /
		      costs_at(&costs->reading, layout->size_bytes, -state->at[COSTS_STREAMS]);
	if (layout->written_bytes > 0)
		ns += 1e9 * layout->written_bytes /
		      costs_at(&costs->writing, layout->size_bytes, -state->at[COSTS_STREAMS]);
	return ns;
}

static struct total add_steps(const struct operation *operation, const struct costs_state *state,
			      struct sum *sum)
{
	struct total total = {.instructions = OPERATION_INSTRUCTIONS};
	memset(sum, 0, sizeof(*sum));
	for (size_t i = 0; i < operation->layout->count; i++)
		add_step(operation, i, state, sum, &total);
	if (operation->mode == FATHOM_PREDICT_DEPENDENT && !operation->layout->keyless) {
		double ns = DEPENDENT_CYCLES * costs_input(operation->costs, COSTS_CYCLE, state);
		sum->parts_ns[FATHOM_PREDICT_COMPUTE] += ns;
		total.chain_ns += ns;
	}
	return total;
}

/* No less than what the core can have in flight, and can execute, allows. */
static double bounded(const struct operation *operation, const struct total *total, double ns,
		      const struct costs_state *state)
{
	const struct costs *costs = operation->costs;
	double executed_ns = total->instructions * costs_input(costs, COSTS_CYCLE, state) /
			     costs_input(costs, COSTS_WIDTH, state);
	if (costs->lanes.count)
		ns = fmax(ns, total->overlapped_ns);
	return fmax(ns, executed_ns);
}

void sum_make(const struct operation *operation, const struct costs_state *state, struct sum *sum)
{
	struct total total = add_steps(operation, state, sum);
	double *parts = sum->parts_ns;
	sum->ns = total.branch_ns +
		  (total.chain_ns - total.branch_ns) / under_way(operation, &total, state);
	sum->ns = bounded(operation, &total, sum->ns, state);
	parts[FATHOM_PREDICT_STREAM] = stream_ns(operation, state);
	sum->ns = fmax(sum->ns, parts[FATHOM_PREDICT_STREAM]);
	if (operation->layout->transfers > 0)
		parts[FATHOM_PREDICT_CORES] = operation->layout->transfers *
					      costs_input(operation->costs, COSTS_CORES, state);
	sum->ns += parts[FATHOM_PREDICT_CORES];
	parts[FATHOM_PREDICT_OVERLAP] = sum->ns;
	for (int part = 0; part < FATHOM_PREDICT_OVERLAP; part++)
		parts[FATHOM_PREDICT_OVERLAP] -= parts[part];
}

/* ---- words ---- */

/* "1.08 x 12 + 3.8 + 13.2": steps that cost the same stand once. */
static void add_waits(const struct operation *operation, const struct costs_state *state,
		      struct text *text)
{
	const struct layout *layout = operation->layout;
	double before = NAN, times = 0;
	for (size_t i = 0; i <= layout->count; i++) {
		double ns = NAN;
		if (i < layout->count) {
			struct fetch fetch = fetch_of(operation, i, state);
			ns = layout->steps[i].count *
			     waited(&layout->steps[i], &fetch,
				    costs_line_ns(operation->costs, 1, state)) *
			     fetch.ns;
		}
		if (i && fabs(ns - before) <= 0.005 * before) {
			times++;
			continue;
		}
		if (i)
			text_add(text, "%s%.3g", text->length ? " + " : "", before);
		if (i && times > 1)
			text_add(text, " x %.0f", times);
		before = ns;
		times = 1;
	}
}

void sum_formula(const struct operation *operation, struct text *text)
{
	static const struct costs_state as_is = {0};
	const struct costs *costs = operation->costs;
	struct sum sum;
	struct total total = add_steps(operation, &as_is, &sum);
	double cycle_ns = costs_input(costs, COSTS_CYCLE, &as_is);
	double ways = under_way(operation, &total, &as_is);
	add_waits(operation, &as_is, text);
	text_add(text, " (loads) + %.3g (%.0f cycles)", sum.parts_ns[FATHOM_PREDICT_COMPUTE],
		 sum.parts_ns[FATHOM_PREDICT_COMPUTE] / cycle_ns);
	if (total.branch_ns > 0)
		text_add(text, " + %.3g (%.2g mispredicted branches of %.3g)", total.branch_ns,
			 total.mispredicted, total.branch_ns / total.mispredicted);
	text_add(text, " = %.3g ns", total.chain_ns);
	double overlapped_ns = total.branch_ns + (total.chain_ns - total.branch_ns) / ways;
	if (ways > 1)
		text_add(text, "; %.3g operations under way%s: %.3g ns", ways,
			 total.branch_ns > 0 ? ", but for the branches" : "", overlapped_ns);
	double bounded_ns = bounded(operation, &total, overlapped_ns, &as_is);
	if (bounded_ns > 1.0001 * overlapped_ns)
		text_add(text, "; at least %.3g ns: %s", bounded_ns,
			 bounded_ns > 1.0001 * total.overlapped_ns || !costs->lanes.count
				 ? "the instructions"
				 : "the lines that can be in flight");
	sum_make(operation, &as_is, &sum);
	if (sum.parts_ns[FATHOM_PREDICT_STREAM] > 0)
		text_add(text, "; in order: %.3g ns", sum.parts_ns[FATHOM_PREDICT_STREAM]);
	if (sum.parts_ns[FATHOM_PREDICT_CORES] > 0)
		text_add(text, "; + %.3g ns from another core", sum.parts_ns[FATHOM_PREDICT_CORES]);
}
