#include "model/predict/sum.h"

#include <math.h>
#include <string.h>

#include "model/predict/overlap.h"

/* Of an operation, whatever it is: the next key, the loop, what is made of the result, which alone
 * waits for it. In what gcc 12 makes of src/structures; where several are interleaved, their keys
 * and places are stored, and their values loaded. */
#define OPERATION_INSTRUCTIONS   10
#define OPERATION_WAITING        1
#define INTERLEAVED_INSTRUCTIONS 14
/* Where the next key comes out of the value: a shift and an addition (src/structures/operate.h). */
#define DEPENDENT_CYCLES 2
/* Of each turn where several operations are interleaved: which one it is, where it is and what is
 * left of it are loaded, and stored again; of a list, where each walk is. */
#define TURN_INSTRUCTIONS 12
#define WALK_INSTRUCTIONS 2
/* From the generator's state to the number of a key (next_request): shift, exclusive or, two
 * products. */
#define NUMBER_CYCLES 9
/* Between two numbers: a core has one multiplier, which the product of twice as many bits keeps
 * busy for two cycles (AMD; Intel one). Only array-random is as fast as that: with 2 cycles it
 * would take 0.05 ns less on a Zen 4 and 0.07 on an Emerald Rapids, as its instructions allow no
 * more. */
#define BETWEEN_CYCLES 3
/* Of the oldest operation in the reorder buffer, what is done on average. */
#define OLDEST_DONE 0.5

#define MOST_TURNS 40   /* of looking for a time that follows from itself */
#define NEAR       5e-3 /* as a share */

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

static struct fetch fetch_of(const struct operation *operation, size_t step,
			     const struct costs_state *state)
{
	const struct costs *costs = operation->costs;
	const struct reuse *lines = &operation->lines[step], *pages = &operation->pages[step];
	double inside_ns = costs_page_ns(costs, costs->tlb_pages, state), lanes = 0;
	double awaited = fmax(1, operation->layout->steps[step].awaited), below = 0;
	bool cycle = operation->layout->steps[step].a_line > 0;
	struct fetch fetch = {.ns = 0};
	for (size_t i = lines->first; i < lines->end; i++) {
		if (!(lines->weights[i] > 0))
			continue;
		double distance = reuse_distance(i), apart_ns = lines->times[i] * operation->ns;
		double ns = cycle ? costs_cycle_ns(costs, distance, state)
				  : costs_line_ns(costs, distance, apart_ns, state);
		double in_flight = lanes_at(costs, distance, state);
		double slowest = slowest_of(awaited, &below, lines->weights[i]);
		fetch.parts_ns[costs_level(costs, distance, state)] += slowest * ns;
		fetch.ns += slowest * ns;
		fetch.variance += slowest * ns * ns;
		fetch.third += slowest * ns * ns * ns;
		fetch.overlapped_ns += lines->weights[i] * ns / in_flight;
		lanes += lines->weights[i] * in_flight;
	}
	fetch.third -= (3 * fetch.variance - 2 * fetch.ns * fetch.ns) * fetch.ns;
	fetch.variance = fmax(0, fetch.variance - fetch.ns * fetch.ns);
	below = 0;
	for (size_t i = pages->first; i < pages->end; i++) {
		double ns = costs_page_ns(costs, reuse_distance(i), state);
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
	if (is_guessed(operation, step)) /* else it was asked for by a guess, and right */
		return step->mispredicted;
	return step->ahead > 0 ? fmax(l1_ns / fetch->ns, 1 / (1 + step->ahead)) : 1;
}

/* What all steps together come to. */
struct total {
	double chain_ns;  /* one after the other */
	double branch_ns; /* of it */
	double core_ns;   /* of it, what is left where all lines are in the first cache */
	double instructions;
	double waiting; /* of them, for a load */
	double turns;
	double mispredicted;
	double compared;      /* of these, where it is not whether the operation ends */
	double astray;        /* of these, where what follows is of no use */
	double overlapped_ns; /* of the lines, were as many as can be in flight */
	/* Of what loads take more than in the first cache: in all, the squares and cubes of each,
	 * and central moments of the sum. */
	double loads, loads_ns, squares, cubes, variance, third;
	double step_ns[STRUCTURE_STEPS]; /* what a step takes where it is made */
	double held;     /* of the instructions that wait, those behind the slow steps */
	double asked_ns; /* the same of those that are asked for before their turn */
};

/* What does not depend on where lines are. */
static void add_counts(const struct operation *operation, const struct step *step,
		       const struct costs_state *state, struct total *total)
{
	double code = costs_input(operation->costs, COSTS_CODE, state);
	double turns = step->turn / (1 - step->again);
	bool keyless = operation->layout->keyless;
	total->instructions += step->count * code * step->instructions;
	total->waiting += step->count * code * step->waiting;
	total->mispredicted += step->count * step->mispredicted;
	total->compared += step->guessed ? step->count * step->mispredicted : 0;
	total->astray += step->astray ? step->count * step->mispredicted : 0;
	if (operation->mode != FATHOM_PREDICT_INTERLEAVED)
		return;
	total->turns += turns;
	total->instructions += turns * (keyless ? WALK_INSTRUCTIONS : TURN_INSTRUCTIONS);
}

/* What turns take. */
static void add_turns(const struct operation *operation, const struct step *step,
		      const struct costs_state *state, struct sum *sum, struct total *total)
{
	const struct costs *costs = operation->costs;
	double turns = step->turn / (1 - step->again);
	double l1_ns = costs_line_ns(costs, 1, 0, state);
	/* Where the operation is was stored, and is loaded. */
	total->chain_ns += turns * l1_ns;
	total->core_ns += turns * l1_ns;
	sum->parts_ns[FATHOM_PREDICT_L1] += turns * l1_ns;
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

/* How many operations after the oldest have room: in the schedulers for what waits behind a slow
 * step, since what waits for hits alone is soon gone; in the reorder buffer for all of it. */
static double room_ahead(const struct operation *operation, const struct total *total,
			 const struct costs_state *state)
{
	const struct costs *costs = operation->costs;
	double instructions = fmax(1, total->instructions);
	double by_schedulers = costs_input(costs, COSTS_WINDOW, state) / fmax(1, total->held);
	double by_reorder =
		costs_input(costs, COSTS_REORDER, state) / instructions - (1 - OLDEST_DONE);
	return fmax(0, fmin(by_schedulers, by_reorder));
}

/* Of so many in a row, how many come before the first mispredicted branch, with so many of these in
 * each. */
static double before_branch(double count, double mispredicted)
{
	return mispredicted > 0 ? -expm1(-mispredicted * count) / mispredicted : count;
}

/* How many turns the reorder buffer has room for. */
static double room_for_turns(const struct operation *operation, const struct total *total,
			     const struct costs_state *state)
{
	double turn = total->instructions / fmax(1, total->turns);
	return fmax(1, costs_input(operation->costs, COSTS_REORDER, state) / fmax(1, turn));
}

/* One of each operation; of operations without keys no others come after them. */
static double turns_under_way(const struct operation *operation, const struct total *total,
			      const struct costs_state *state)
{
	double operations = operation->interleave;
	if (!operation->layout->keyless)
		operations = fmax(operations, 1 + room_ahead(operation, total, state));
	return fmin(operations, room_for_turns(operation, total, state));
}

/* How many operations have loads under way. Of what comes after a branch that leads astray nothing
 * is of use. Where they are interleaved the next turn is another operation's, whichever way a
 * branch went. */
static double loads_under_way(const struct operation *operation, const struct total *total,
			      const struct costs_state *state)
{
	if (operation->mode == FATHOM_PREDICT_DEPENDENT)
		return 1;
	if (operation->mode == FATHOM_PREDICT_INDEPENDENT)
		return 1 + before_branch(room_ahead(operation, total, state), total->astray);
	return turns_under_way(operation, total, state);
}

/* How many operations the core works on, of n that have room. What comes after a mispredicted
 * branch begins once that is resolved (Eyerman, Eeckhout, Karkhanis, Smith 2009): the k operations
 * from one such branch to the next take the time of one, or of k / n. With k exponentially
 * distributed of mean 1 / m, these are 1 / m in the mean of max(1, k / n). */
static double work_under_way(const struct operation *operation, const struct total *total,
			     const struct costs_state *state)
{
	double operations = 1 + room_ahead(operation, total, state);
	double mispredicted = total->mispredicted;
	if (operation->mode == FATHOM_PREDICT_DEPENDENT)
		return 1;
	if (operation->mode == FATHOM_PREDICT_INTERLEAVED) { /* turns */
		operations = turns_under_way(operation, total, state);
		mispredicted /= fmax(1, total->turns);
	}
	double branches = mispredicted * operations;
	return fmax(1, operations / (branches + exp(-branches)));
}

/* What the core does anew after a mispredicted branch, ahead of which it would have been: the next
 * key. */
static double key_ns(const struct operation *operation, const struct total *total,
		     const struct costs_state *state)
{
	double cycles = NUMBER_CYCLES + operation->layout->key_cycles;
	if (operation->mode == FATHOM_PREDICT_DEPENDENT || operation->layout->keyless)
		return 0;
	return fmin(1, total->mispredicted) * cycles *
	       costs_input(operation->costs, COSTS_CYCLE, state);
}

/* How many loads overlap where so many are under way: of what an operation loads, or where they are
 * interleaved, of each load, since it is one of each that is under way. */
static double loads_together(const struct operation *operation, const struct total *total,
			     double under_way, const struct costs_state *state)
{
	double mean = total->loads_ns;
	if (operation->layout->keyless || !(mean > 0))
		return under_way;
	if (operation->mode != FATHOM_PREDICT_INTERLEAVED)
		return overlap_of(mean, total->variance, total->third, under_way);
	double squares = total->squares / total->loads, cubes = total->cubes / total->loads;
	mean /= total->loads;
	double together = overlap_of(mean, squares - mean * mean,
				     cubes - (3 * squares - 2 * mean * mean) * mean,
				     room_for_turns(operation, total, state));
	return fmin(under_way, together); /* what hits makes room for more */
}

/* What is left of the chain when operations overlap. */
static double overlapped(const struct operation *operation, const struct total *total,
			 const struct costs_state *state)
{
	double under_way = loads_under_way(operation, total, state);
	return total->branch_ns + key_ns(operation, total, state) +
	       total->core_ns / work_under_way(operation, total, state) +
	       total->asked_ns / operation->interleave +
	       total->loads_ns / loads_together(operation, total, under_way, state);
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

static struct total add_steps(const struct operation *operation, const struct costs_state *state,
			      struct sum *sum)
{
	bool interleaved = operation->mode == FATHOM_PREDICT_INTERLEAVED;
	struct total total = {.waiting = OPERATION_WAITING};
	memset(sum, 0, sizeof(*sum));
	if (!operation->layout->keyless)
		total.instructions =
			interleaved ? INTERLEAVED_INSTRUCTIONS : OPERATION_INSTRUCTIONS;
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

/* No less than what the core can have in flight, and can execute, allows, nor than the keys take;
 * *bound: which of these it is, NULL: none. */
static double bounded(const struct operation *operation, const struct total *total, double ns,
		      const struct costs_state *state, const char **bound)
{
	const struct costs *costs = operation->costs;
	double cycle_ns = costs_input(costs, COSTS_CYCLE, state);
	bool keyed = operation->mode != FATHOM_PREDICT_DEPENDENT && !operation->layout->keyless &&
		     !operation->layout->independent;
	const struct {
		const char *what;
		double ns;
	} bounds[] = {
		{"the lines that can be in flight", costs->lanes.count ? total->overlapped_ns : 0},
		{"the instructions",
		 total->instructions * cycle_ns / costs_input(costs, COSTS_WIDTH, state)},
		{"the generator of the keys", keyed ? BETWEEN_CYCLES * cycle_ns : 0},
	};
	*bound = NULL;
	for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++)
		if (bounds[i].ns > ns) {
			ns = bounds[i].ns;
			*bound = bounds[i].what;
		}
	return ns;
}

static void make(const struct operation *operation, const struct costs_state *state,
		 struct sum *sum)
{
	struct total total = add_steps(operation, state, sum);
	double *parts = sum->parts_ns;
	const char *bound;
	sum->ns = overlapped(operation, &total, state);
	sum->ns = bounded(operation, &total, sum->ns, state, &bound);
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

void sum_make(const struct operation *operation, const struct costs_state *state, struct sum *sum)
{
	struct operation timed = *operation;
	make(&timed, state, sum);
	if (sum->ns < timed.ns) { /* from above it could be another one than the least */
		timed.ns = 0;
		make(&timed, state, sum);
	}
	for (int turn = 0; turn < MOST_TURNS && operation->costs->settled.count; turn++) {
		bool found = fabs(timed.ns / sum->ns - 1) < NEAR;
		timed.ns = sum->ns;
		if (found)
			break;
		make(&timed, state, sum);
	}
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
			     waited(operation, &layout->steps[i], &fetch,
				    costs_line_ns(operation->costs, 1, 0, state)) *
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
	struct sum found, sum;
	struct operation timed = *operation;
	sum_make(operation, &as_is, &found);
	timed.ns = found.ns;
	struct total total = add_steps(&timed, &as_is, &sum);
	double cycle_ns = costs_input(costs, COSTS_CYCLE, &as_is);
	add_waits(&timed, &as_is, text);
	text_add(text, " (loads) + %.3g (%.0f cycles)", sum.parts_ns[FATHOM_PREDICT_COMPUTE],
		 sum.parts_ns[FATHOM_PREDICT_COMPUTE] / cycle_ns);
	if (total.branch_ns > 0)
		text_add(text, " + %.3g (%.2g mispredicted branches of %.3g)", total.branch_ns,
			 total.mispredicted, total.branch_ns / total.mispredicted);
	if (total.turns > 0)
		text_add(text, " + %.3g (%.2g turns of %.3g)",
			 total.turns * costs_line_ns(costs, 1, 0, &as_is), total.turns,
			 costs_line_ns(costs, 1, 0, &as_is));
	text_add(text, " = %.3g ns", total.chain_ns);
	double overlapped_ns = overlapped(operation, &total, &as_is);
	double ways = (total.chain_ns - total.branch_ns) / (overlapped_ns - total.branch_ns);
	if (ways > 1.001)
		text_add(text, "; %.3g operations under way%s: %.3g ns", ways,
			 total.branch_ns > 0 ? ", but for the branches" : "", overlapped_ns);
	const char *bound;
	double bounded_ns = bounded(operation, &total, overlapped_ns, &as_is, &bound);
	if (bound)
		text_add(text, "; at least %.3g ns: %s", bounded_ns, bound);
	if (found.parts_ns[FATHOM_PREDICT_STREAM] > 0)
		text_add(text, "; in order: %.3g ns", found.parts_ns[FATHOM_PREDICT_STREAM]);
	if (found.parts_ns[FATHOM_PREDICT_CORES] > 0)
		text_add(text, "; + %.3g ns from another core",
			 found.parts_ns[FATHOM_PREDICT_CORES]);
}
