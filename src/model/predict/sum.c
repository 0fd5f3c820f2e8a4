#include "model/predict/sum.h"

#include <math.h>

#include "model/predict/overlap.h"
#include "model/predict/total.h"

/* From the generator's state to the number of a key (next_request): shift, exclusive or, two
 * products. */
#define NUMBER_CYCLES 9
/* Of these the one multiplier of a core is busy for three: a product of twice as many bits is two
 * operations. On a Zen 4 alone it takes 1.1 cycles, 1.6 where its upper half is used; the seven
 * products of cuckoo add to its loop what ten cycles would (docs/predict.md). */
#define NUMBER_PRODUCT_CYCLES 3
/* Of the oldest operation in the reorder buffer, what is done on average. */
#define OLDEST_DONE 0.5

#define MOST_TURNS 40   /* of looking for a time that follows from itself */
#define NEAR       5e-3 /* as a share */

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

/* What is left of the chain when operations overlap. Lines that were asked for arrive while others
 * are waited for. */
static double overlapped(const struct operation *operation, const struct total *total,
			 const struct costs_state *state)
{
	double under_way = loads_under_way(operation, total, state);
	double waited_ns = total->loads_ns / loads_together(operation, total, under_way, state);
	return total->branch_ns + key_ns(operation, total, state) +
	       total->core_ns / work_under_way(operation, total, state) +
	       fmax(waited_ns, total->asked_ns / operation->interleave);
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

/* No less than what the core can have in flight allows. */
static double lines_ns(const struct operation *operation, const struct total *total)
{
	return operation->costs->lanes.count ? total->overlapped_ns : 0;
}

/* Of the instructions, and of the products, for which there is one multiplier: neither keeps the
 * core busy all the time, as in with_work. */
static double work_ns(const struct operation *operation, const struct total *total,
		      const struct costs_state *state)
{
	const struct costs *costs = operation->costs;
	double cycle_ns = costs_input(costs, COSTS_CYCLE, state);
	const struct layout *layout = operation->layout;
	bool numbered = !layout->keyless && !layout->independent;
	double instructions_ns =
		total->instructions * cycle_ns / costs_input(costs, COSTS_WIDTH, state);
	double product_cycles = layout->product_cycles + (numbered ? NUMBER_PRODUCT_CYCLES : 0);
	bool waits = operation->mode == FATHOM_PREDICT_DEPENDENT;
	return hypot(instructions_ns, waits ? 0 : product_cycles * cycle_ns);
}

/* One after the other the core has time for it. Else neither do instructions wait until the loads
 * are there (then it would be the sum), nor is there always one that could be made (then it would
 * be the longer of both): as when two things vary by themselves, the root of the sum of their
 * squares. */
static double with_work(const struct operation *operation, double waited_ns, double work_ns)
{
	return operation->mode == FATHOM_PREDICT_DEPENDENT ? fmax(waited_ns, work_ns)
							   : hypot(waited_ns, work_ns);
}

static void make(const struct operation *operation, const struct costs_state *state,
		 struct sum *sum)
{
	struct total total = total_make(operation, state, sum);
	double *parts = sum->parts_ns;
	double waited_ns = fmax(overlapped(operation, &total, state), lines_ns(operation, &total));
	sum->ns = with_work(operation, waited_ns, work_ns(operation, &total, state));
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
	for (int turn = 0; turn < MOST_TURNS && costs_take_time(operation->costs); turn++) {
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
		if (i < layout->count)
			ns = total_waited_ns(operation, i, state);
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

/* What there is besides, where it counts. */
static void add_work(const struct operation *operation, const struct total *total, double waited_ns,
		     struct text *text)
{
	static const struct costs_state as_is = {0};
	double in_flight_ns = lines_ns(operation, total), work = work_ns(operation, total, &as_is);
	if (in_flight_ns > waited_ns)
		text_add(text, "; at least %.3g ns: the lines that can be in flight", in_flight_ns);
	double ns = with_work(operation, fmax(waited_ns, in_flight_ns), work);
	if (ns > 1.001 * fmax(waited_ns, in_flight_ns))
		text_add(text, "; with %.3g ns of work for the core: %.3g ns", work, ns);
}

void sum_formula(const struct operation *operation, struct text *text)
{
	static const struct costs_state as_is = {0};
	const struct costs *costs = operation->costs;
	struct sum found, sum;
	struct operation timed = *operation;
	sum_make(operation, &as_is, &found);
	timed.ns = found.ns;
	struct total total = total_make(&timed, &as_is, &sum);
	double cycle_ns = costs_input(costs, COSTS_CYCLE, &as_is);
	add_waits(&timed, &as_is, text);
	text_add(text, " (loads) + %.3g (%.0f cycles)", sum.parts_ns[FATHOM_PREDICT_COMPUTE],
		 sum.parts_ns[FATHOM_PREDICT_COMPUTE] / cycle_ns);
	if (total.branch_ns > 0)
		text_add(text, " + %.3g (%.2g mispredicted branches of %.3g)", total.branch_ns,
			 total.mispredicted, total.branch_ns / total.mispredicted);
	if (total.turns > 0)
		text_add(text, " + %.3g (%.2g turns of %.3g)",
			 total.turns * costs_input(costs, COSTS_FORWARD, &as_is), total.turns,
			 costs_input(costs, COSTS_FORWARD, &as_is));
	text_add(text, " = %.3g ns", total.chain_ns);
	double overlapped_ns = overlapped(operation, &total, &as_is);
	double ways = (total.chain_ns - total.branch_ns) / (overlapped_ns - total.branch_ns);
	if (ways > 1.001)
		text_add(text, "; %.3g operations under way%s: %.3g ns", ways,
			 total.branch_ns > 0 ? ", but for the branches" : "", overlapped_ns);
	add_work(operation, &total, overlapped_ns, text);
	if (found.parts_ns[FATHOM_PREDICT_STREAM] > 0)
		text_add(text, "; in order: %.3g ns", found.parts_ns[FATHOM_PREDICT_STREAM]);
	if (found.parts_ns[FATHOM_PREDICT_CORES] > 0)
		text_add(text, "; + %.3g ns from another core",
			 found.parts_ns[FATHOM_PREDICT_CORES]);
}
