#include "model/distribution/controls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/plan.h"
#include "base/stats.h"

/* What differs from turn to turn by as much, in a quiet run, is of rarer modes. */
#define LEAST_SHARE 0.01
/* Of what a mode has, the control's share there. Where nothing tells the two apart it is 1; where
 * the control has none of these accesses it is what else is as long. */
#define MOST_LEFT 0.5
/* Two latencies that are nearer are one mode (docs/distribution.md). */
#define LEAST_APART 0.05

/* The accesses to memory of each turn, ascending. */
struct turns {
	double *ns[PLAN_CONTROL_TURNS];
	size_t count[PLAN_CONTROL_TURNS];
};

/* Where the modes of a series are told by a control. */
struct pair {
	struct fathom_distribution *own;
	const struct fathom_distribution *control;
	struct turns own_turns, control_turns;
	double least_ns; /* by which they must differ */
};

/* ---- which controls which ---- */

static bool is_timed_alone(const struct fathom_distribution *one)
{
	return one->counter && one->run_accesses == 1;
}

static bool is_control(const struct fathom_curve *own, const struct fathom_curve *curve)
{
	if (own->window_bytes || curve->warmth != own->warmth ||
	    curve->size_bytes != own->size_bytes || !own->page_bytes)
		return false;
	return own->warmth == FATHOM_COLD_FLUSHED
		       ? curve->window_bytes && curve->page_bytes == own->page_bytes
		       : own->warmth == FATHOM_WARM && curve->page_bytes > own->page_bytes;
}

const struct fathom_distribution *controls_of(const struct fathom_result *result,
					      const struct fathom_distribution *one)
{
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *other = &result->distributions[i];
		if (is_timed_alone(one) && is_timed_alone(other) &&
		    is_control(&result->curves[one->curve], &result->curves[other->curve]))
			return other;
	}
	return NULL;
}

/* ---- turns ---- */

static void free_turns(struct turns *turns)
{
	for (size_t i = 0; i < PLAN_CONTROL_TURNS; i++)
		free(turns->ns[i]);
}

/* -1: no memory. */
static int make_turns(const struct fathom_curve *curve, double memory_ns, struct turns *turns)
{
	for (size_t i = 0; i < PLAN_CONTROL_TURNS; i++) {
		size_t first = curve->access_count * i / PLAN_CONTROL_TURNS;
		size_t end = curve->access_count * (i + 1) / PLAN_CONTROL_TURNS;
		double *ns = malloc((end - first + 1) * sizeof(*ns));
		if (!ns)
			return -1;
		turns->ns[i] = ns;
		for (size_t k = first; k < end; k++)
			if (curve->latencies_ns[k] >= memory_ns)
				ns[turns->count[i]++] = curve->latencies_ns[k];
		stats_sort(ns, turns->count[i]);
	}
	return 0;
}

static double share_below(const struct turns *turns, size_t turn, double ns)
{
	size_t low = 0, high = turns->count[turn];
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (turns->ns[turn][middle] < ns)
			low = middle + 1;
		else
			high = middle;
	}
	return turns->count[turn] ? (double)low / (double)turns->count[turn] : NAN;
}

static double share_in(const struct turns *turns, size_t turn, const struct fathom_mode *mode)
{
	return share_below(turns, turn, mode->high_ns) - share_below(turns, turn, mode->low_ns);
}

/* What the control's accesses take of which as many are shorter. */
static double without(const struct pair *pair, size_t turn, const struct fathom_mode *mode)
{
	size_t count = pair->control_turns.count[turn];
	double rank = share_below(&pair->own_turns, turn, mode->latency_ns);
	size_t at = (size_t)(rank * (double)count);
	return pair->control_turns.ns[turn][at < count ? at : count - 1];
}

/* Has the control much less there in each turn, and instead shorter ones? Else NAN. */
static double without_ns(const struct pair *pair, const struct fathom_mode *mode)
{
	double each_ns[PLAN_CONTROL_TURNS];
	if (mode->kind != FATHOM_MODE_MEMORY || mode->share < LEAST_SHARE)
		return NAN;
	for (size_t i = 0; i < PLAN_CONTROL_TURNS; i++) {
		double share = share_in(&pair->own_turns, i, mode);
		double left = share_in(&pair->control_turns, i, mode);
		if (!(share >= LEAST_SHARE) || !(left < MOST_LEFT * share))
			return NAN;
		each_ns[i] = without(pair, i, mode);
		if (!(mode->latency_ns - each_ns[i] > pair->least_ns) ||
		    !(mode->latency_ns > (1 + LEAST_APART) * each_ns[i]))
			return NAN;
	}
	return stats_median(each_ns, PLAN_CONTROL_TURNS);
}

static int name_longer(const struct pair *pair, enum fathom_mode_kind kind)
{
	int named = 0;
	for (size_t i = 0; i < pair->own->mode_count; i++) {
		struct fathom_mode *mode = &pair->own->modes[i];
		double ns = without_ns(pair, mode);
		if (isnan(ns))
			continue;
		mode->kind = kind;
		mode->without_ns = ns;
		named++;
	}
	return named;
}

/* ---- rows ---- */

/* Most of memory's; NULL: there is none of so many. */
static struct fathom_mode *find_most(struct fathom_distribution *one)
{
	for (size_t i = 0; i < one->mode_count; i++)
		if (one->modes[i].kind == FATHOM_MODE_MEMORY && one->modes[i].share > 0.5)
			return &one->modes[i];
	return NULL;
}

static bool has(const struct fathom_mode *mode, double ns)
{
	return mode->low_ns <= ns && ns <= mode->high_ns;
}

/* Is each where the other one is? */
static bool is_there(const struct fathom_mode *a, const struct fathom_mode *b)
{
	return has(a, b->latency_ns) && has(b, a->latency_ns);
}

/* What the modes of that kind of others tell of one in the same place, if that is one kind. */
static void name_alike(struct fathom_mode *mode, const struct fathom_mode *known, size_t count)
{
	const struct fathom_mode *like = NULL;
	for (size_t i = 0; i < count; i++) {
		if (mode->kind != FATHOM_MODE_MEMORY || !is_there(mode, &known[i]))
			continue;
		if (like && like->kind != known[i].kind)
			return;
		like = &known[i];
	}
	if (!like)
		return;
	mode->kind = like->kind;
	mode->without_ns = like->without_ns;
}

/* Chains on large pages, and lines of one page: nothing misses the TLBs there. */
static void name_others(struct fathom_result *result, const struct fathom_mode *known, size_t count)
{
	uint64_t base_bytes = result->machine ? result->machine->base_page_bytes : 0;
	for (size_t i = 0; i < result->distribution_count; i++) {
		struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		bool walks = curve->warmth == FATHOM_WARM && curve->page_bytes <= base_bytes;
		for (size_t k = 0; is_timed_alone(one) && !walks && k < one->mode_count; k++)
			name_alike(&one->modes[k], known, count);
	}
}

/* -1: no memory. */
static int name_rows(struct fathom_result *result, const struct pair *pair,
		     struct fathom_distribution *windows)
{
	struct fathom_mode *hit = find_most(windows);
	if (!hit || !name_longer(pair, FATHOM_MODE_ROW_MISS))
		return 0;
	hit->kind = FATHOM_MODE_ROW_HIT;
	struct fathom_mode *known = calloc(pair->own->mode_count + 1, sizeof(*known));
	size_t count = 0;
	if (!known)
		return -1;
	known[count++] = *hit;
	for (size_t i = 0; i < pair->own->mode_count; i++)
		if (pair->own->modes[i].kind == FATHOM_MODE_ROW_MISS)
			known[count++] = pair->own->modes[i];
	name_others(result, known, count);
	free(known);
	return 0;
}

/* ---- all ---- */

static int name_pair(struct fathom_result *result, struct pair *pair, double memory_ns)
{
	const struct fathom_curve *own = &result->curves[pair->own->curve];
	const struct fathom_curve *control = &result->curves[pair->control->curve];
	if (!own->access_count || !control->access_count)
		return 0;
	if (make_turns(own, memory_ns, &pair->own_turns) ||
	    make_turns(control, memory_ns, &pair->control_turns))
		return -1;
	if (own->warmth == FATHOM_COLD_FLUSHED)
		return name_rows(result, pair,
				 &result->distributions[pair->control - result->distributions]);
	name_longer(pair, FATHOM_MODE_TLB_MISS);
	return 0;
}

int controls_find(struct fathom_result *result, double memory_ns)
{
	int status = 0;
	for (size_t i = 0; i < result->distribution_count && !status; i++) {
		struct pair pair = {.own = &result->distributions[i]};
		pair.control = controls_of(result, pair.own);
		if (!pair.control || isnan(memory_ns))
			continue;
		pair.least_ns = pair.own->counter_step_ns;
		status = name_pair(result, &pair, memory_ns);
		free_turns(&pair.own_turns);
		free_turns(&pair.control_turns);
	}
	return status;
}
