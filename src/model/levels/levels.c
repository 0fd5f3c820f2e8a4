#include "model/levels/levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/quoted.h"
#include "base/text.h"
#include "document/table.h"
#include "model/levels/doubts.h"
#include "model/levels/group.h"
#include "model/levels/trace.h"

#define NORMAL_95     1.96
#define LEAST_RISE    0.08 /* of a cache, over the level below */
#define LEAST_PENALTY 0.03 /* of translation */
#define SHARP         0.1  /* share of a step */
#define ERROR_GAIN    1.5
#define LEAST_ERROR   0.002
#define UNSEEN_LN     0.26 /* ln 1.3 */
#define SAME_SIZE_LN  1e-9
#define LEFT_BEHIND   0.25 /* over a plateau, in shares of it ... */
#define LEFT_ERRORS   5    /* ... and in standard deviations: a value is no more on it */

struct emitter {
	struct fathom_result *result;
	const struct fathom_observer *observer;
	struct group *chains; /* as of levels_find() */
	struct group group;
	struct judgement judged[STEPS_MOST];
	double sums_error[STEPS_MOST + 1]; /* of the sums of steps_errors */
};

/* Takes over the strings, also when it fails. */
static int append(struct emitter *emitter, struct fathom_level *level, struct fathom_error *error)
{
	struct fathom_result *result = emitter->result;
	struct fathom_level *grown = NULL;
	level->curve = emitter->group.main;
	if (level->name && level->evidence)
		grown = realloc(result->levels, (result->level_count + 1) * sizeof(*grown));
	if (!grown) {
		free(level->name);
		free(level->evidence);
		free(level->replacement_evidence);
		return error_no_memory(error);
	}
	result->levels = grown;
	result->levels[result->level_count++] = *level;
	return 0;
}

/* Cycles of a value in ns by the clock at the sizes where it was measured: the mean of the points'
 * own between the two reaches. NAN: no clock. */
static double clock_between(const struct group *group, double ln_low, double ln_high)
{
	const struct fathom_curve *curve = group_curve(group);
	double sum = 0;
	size_t count = 0;
	if ((ln_low + ln_high) / 2 < group->ln_core)
		return group->core_per_ns;
	for (size_t i = 0; i < curve->point_count; i++) {
		double ln = log((double)curve->points[i].spec.size_bytes);
		double ratio = curve->points[i].latency_cycles / curve->points[i].latency_ns;
		if (ln < ln_low || ln > ln_high || !isfinite(ratio))
			continue;
		sum += ratio;
		count++;
	}
	return count ? sum / (double)count : NAN;
}

/* `less`, `more`: by how much the value would be that, were what is unknown something else. */
static void set_latency(const struct group *group, double value, double error, double less,
			double more, double per_ns, struct fathom_level *level)
{
	double low = fmax(0, value - NORMAL_95 * error - less);
	double high = value + NORMAL_95 * error + more;
	if (group->data[0].cycles) {
		level->latency_cycles = value;
		level->latency_low_cycles = low;
		level->latency_high_cycles = high;
		return;
	}
	level->latency_ns = value;
	level->latency_low_ns = low;
	level->latency_high_ns = high;
	level->latency_cycles = value * per_ns;
	level->latency_low_cycles = low * per_ns;
	level->latency_high_cycles = high * per_ns;
}

/* ---- caches ---- */

/* The end of the plateau that the level has: the reach of the next cache, or the largest size. */
static double plateau_end(const struct emitter *emitter, size_t from)
{
	const struct group *group = &emitter->group;
	for (size_t i = from; i < group->steps.count; i++)
		if (emitter->judged[i].kind != FATHOM_LEVEL_TLB)
			return group->steps.items[i].ln_reach;
	return group->data[0].ln_size[group->data[0].count - 1];
}

/* Of what the spread of the steps and the scatter of the points leave open, wider by what the
 * accuracy bench says, and never less than the clock's own wander. */
static double latency_error(double value, double spread, double scatter)
{
	return hypot(ERROR_GAIN * hypot(spread, scatter), LEAST_ERROR * value);
}

/* A cliff between two sizes: where between them is not known, whatever shape fits best. */
static void widen_to_bracket(const struct group *group, size_t which, struct fathom_level *level)
{
	const struct step *step = &group->steps.items[which];
	const struct curve_data *data = &group->data[0];
	for (size_t i = 0; i + 1 < data->count; i++) {
		double ln_below = data->ln_size[i], ln_above = data->ln_size[i + 1];
		if (ln_above <= step->ln_reach || ln_below > step->ln_reach)
			continue;
		double below = steps_missed(&group->problem, &group->steps, which, 0, ln_below);
		double above = steps_missed(&group->problem, &group->steps, which, 0, ln_above);
		if (below > SHARP || above < 1 - SHARP)
			continue;
		level->size_low_bytes = fmin(level->size_low_bytes, exp(ln_below));
		level->size_high_bytes = fmax(level->size_high_bytes, exp(ln_above));
	}
}

/* Of hits behind the first `count` steps, without translation. */
static void set_hit_latency(const struct emitter *emitter, size_t count, double per_ns,
			    struct fathom_level *level)
{
	const struct group *group = &emitter->group;
	double less = 0, more = 0;
	size_t sum = 0;
	for (size_t i = 0; i < count; i++) {
		const struct step *step = &group->steps.items[i];
		bool adds = step_adds_to_hits(step);
		sum += adds;
		if (emitter->judged[i].kind == FATHOM_LEVEL_UNKNOWN)
			*(adds ? &less : &more) += step->rise[0];
	}
	const struct hierarchy_sum *hit = &group->sums[sum];
	set_latency(group, hit->value,
		    latency_error(hit->value, hit->deviation, emitter->sums_error[sum]), less, more,
		    per_ns, level);
}

static int add_cache(struct emitter *emitter, size_t which, size_t order, double reach_before,
		     struct fathom_error *error)
{
	const struct group *group = &emitter->group;
	const struct hierarchy_spread *spread = &group->spreads[which];
	struct fathom_level level;
	table_unknown(&level_table, &level);
	level.kind = FATHOM_LEVEL_CACHE;
	level.name = text_format("L%zu", order + 1);
	level.confidence = emitter->judged[which].confidence;
	level.size_bytes = exp(spread->ln_reach);
	level.size_low_bytes = exp(spread->ln_low);
	level.size_high_bytes = exp(spread->ln_high);
	widen_to_bracket(group, which, &level);
	level.increment_bytes = level.size_bytes - reach_before;
	level.evidence = emitter->judged[which].evidence;
	emitter->judged[which].evidence = NULL;
	level.replacement = judge_replacement(group, which, &level.replacement_evidence);
	double ln_before = reach_before > 0 ? log(reach_before) : 0;
	set_hit_latency(emitter, which, clock_between(group, ln_before, spread->ln_reach), &level);
	return append(emitter, &level, error);
}

/* ---- the end of the curve ---- */

static double value_at(const struct emitter *emitter, double ln_size)
{
	return steps_value(&emitter->group.problem, &emitter->group.steps, 0, ln_size);
}

/* Of the mean of the points in the octave that ends there. */
static double error_at(const struct emitter *emitter, double ln_size)
{
	const struct curve_data *data = &emitter->group.data[0];
	double inverse = 0;
	for (size_t i = 0; i < data->count; i++)
		if (data->ln_size[i] <= ln_size && data->ln_size[i] > ln_size - M_LN2)
			inverse += 1 / (data->error[i] * data->error[i]);
	return 1.5 / sqrt(inverse);
}

/* Of the size that is nearest to the one at which the machine's memory is quoted. */
static double ln_quoted(const struct group *group, double ln_reach)
{
	const struct curve_data *data = &group->data[0];
	bool foreign = group_curve(group)->tool;
	double wanted =
		log((double)quoted_bytes(foreign ? NULL : group->result->machine, exp(ln_reach)));
	size_t nearest = 0;
	for (size_t i = 1; i < data->count; i++)
		if (fabs(data->ln_size[i] - wanted) < fabs(data->ln_size[nearest] - wanted))
			nearest = i;
	return data->ln_size[nearest];
}

/* The point of that size; NULL: one value, without blocks or an interval, as foreign ones have. */
static const struct fathom_point *measured_at(const struct group *group, double ln_size)
{
	const struct fathom_curve *curve = group_curve(group);
	for (size_t i = 0; i < curve->point_count && !group->data[0].cycles; i++) {
		const struct fathom_point *point = &curve->points[i];
		if (fabs(log((double)point->spec.size_bytes) - ln_size) < SAME_SIZE_LN)
			return point->block_count || isfinite(point->latency_low_ns) ? point : NULL;
	}
	return NULL;
}

/* What was measured there is the number, without an interval where it got too few blocks; the fit
 * stands in for a foreign value. */
static void set_memory(const struct emitter *emitter, double ln_reach, struct fathom_level *level)
{
	const struct group *group = &emitter->group;
	double ln_size = ln_quoted(group, ln_reach);
	set_latency(group, value_at(emitter, ln_size), error_at(emitter, ln_size), 0, 0,
		    clock_between(group, ln_size - M_LN2, ln_size), level);
	level->at_bytes = exp(ln_size);
	const struct fathom_point *point = measured_at(group, ln_size);
	if (!point)
		return;
	level->latency_ns = point->latency_ns;
	level->latency_low_ns = point->latency_low_ns;
	level->latency_high_ns = point->latency_high_ns;
	level->latency_cycles = point->latency_cycles;
	level->latency_low_cycles = point->latency_low_cycles;
	level->latency_high_cycles = point->latency_high_cycles;
}

static bool has_left(const struct curve_data *data, size_t point, double value)
{
	double rise = data->value[point] - value;
	return rise > fmax(LEFT_BEHIND * value, LEFT_ERRORS * data->error[point]);
}

/* Of the sizes on the plateau of `value`. Where the largest have left it no step was made of these,
 * as they may be accidents. */
static size_t last_on_plateau(const struct curve_data *data, double value)
{
	size_t last = data->count - 1;
	while (last > 0 && has_left(data, last, value))
		last--;
	return last;
}

static int add_end(struct emitter *emitter, size_t caches, struct judge_plateau plateau,
		   struct fathom_error *error)
{
	const struct group *group = &emitter->group;
	const struct curve_data *data = &group->data[0];
	struct fathom_level level;
	table_unknown(&level_table, &level);
	plateau.cycles = data->cycles;
	plateau.ln_largest = data->ln_size[data->count - 1];
	plateau.value = value_at(emitter, plateau.ln_largest);
	size_t last = last_on_plateau(data, plateau.value);
	plateau.left = last < data->count - 1;
	enum judge_end end = judge_end(&plateau);
	double before = data->value[data->count > 1 ? data->count - 2 : 0];
	if (end != JUDGE_END_MEMORY && plateau.value > (1 + LEFT_BEHIND) * before)
		end = JUDGE_END_RISING; /* one point is no plateau */
	enum judge_end told = plateau.left ? JUDGE_END_RISING : end;
	if (end != JUDGE_END_MEMORY && doubts_about_end(emitter->result, told))
		return error_no_memory(error);
	if (end == JUDGE_END_RISING)
		return 0;
	level.confidence = 1;
	if (end == JUDGE_END_MEMORY) {
		set_memory(emitter, plateau.ln_reach, &level);
		level.kind = FATHOM_LEVEL_MEMORY;
		level.name = strdup("memory");
		level.evidence = strdup("the curve is flat to its end, slower than any cache or "
					"far past the last one");
	} else {
		set_hit_latency(
			emitter, group->steps.count,
			clock_between(group, plateau.ln_largest - M_LN2, plateau.ln_largest),
			&level);
		level.kind = end == JUDGE_END_CACHE ? FATHOM_LEVEL_CACHE : FATHOM_LEVEL_UNKNOWN;
		level.name = text_format("L%zu", caches + 1);
		level.size_low_bytes = exp(data->ln_size[last]);
		level.evidence = strdup(
			end == JUDGE_END_CACHE
				? "faster than any memory; the curve ends within this level"
				: "a slow cache or fast memory: the curve ends within this level");
	}
	return append(emitter, &level, error);
}

/* ---- translation and what is not known ---- */

/* The third kind is where page tables leave a cache. */
static const char *other_name(const struct emitter *emitter, size_t which)
{
	if (emitter->judged[which].kind != FATHOM_LEVEL_TLB)
		return "step";
	return judge_is_walk(&emitter->group, which) ? "walk" : "TLB";
}

/* What missing it adds. */
static void set_penalty(const struct emitter *emitter, size_t which, struct fathom_level *level)
{
	const struct group *group = &emitter->group;
	double rise = judge_penalty(group, &group->steps, which);
	double ln_end = plateau_end(emitter, which + 1);
	double per_ns = clock_between(group, group->spreads[which].ln_low, ln_end);
	level->penalty_ns = group->data[0].cycles ? NAN : rise;
	level->penalty_cycles = group->data[0].cycles ? rise : rise * per_ns;
}

/* `order` among those of its name. */
static int add_other(struct emitter *emitter, size_t which, size_t order,
		     struct fathom_error *error)
{
	const struct group *group = &emitter->group;
	const struct hierarchy_spread *spread = &group->spreads[which];
	struct fathom_level level;
	table_unknown(&level_table, &level);
	level.kind = emitter->judged[which].kind;
	level.name = text_format("%s %zu", other_name(emitter, which), order + 1);
	level.confidence = emitter->judged[which].confidence;
	level.evidence = emitter->judged[which].evidence;
	emitter->judged[which].evidence = NULL;
	level.size_bytes = exp(spread->ln_reach);
	level.size_low_bytes = exp(spread->ln_low);
	level.size_high_bytes = exp(spread->ln_high);
	if (level.kind == FATHOM_LEVEL_TLB) {
		level.entry_bytes = (uint64_t)judge_entry_bytes(group, which);
		level.entries = level.size_bytes / (double)level.entry_bytes;
		if (judge_is_walk(group, which))
			level.entries = NAN;
	}
	set_penalty(emitter, which, &level);
	return append(emitter, &level, error);
}

/* ---- all of a group ---- */

static bool is_unseen(const struct group *group, double ln_reach)
{
	return ln_reach + UNSEEN_LN < group->data[0].ln_size[0];
}

/* Too small to tell, or seen by nobody. */
static bool is_left_out(const struct emitter *emitter, size_t which)
{
	if (is_unseen(&emitter->group, emitter->group.spreads[which].ln_reach))
		return true;
	/* Of chains through pages, walks are told by their tables' place. */
	if (emitter->judged[which].kind == FATHOM_LEVEL_TLB &&
	    emitter->group.paged != GROUP_NO_CURVE)
		return judge_is_walk(&emitter->group, which);
	const struct steps *steps = &emitter->group.steps;
	double below = steps->base[0];
	for (size_t i = 0; i < which; i++)
		below += steps->items[i].rise[0];
	double least =
		emitter->judged[which].kind == FATHOM_LEVEL_CACHE ? LEAST_RISE : LEAST_PENALTY;
	return steps->items[which].rise[0] < least * below;
}

static bool is_other(const struct emitter *emitter, size_t which)
{
	return emitter->judged[which].kind != FATHOM_LEVEL_CACHE && !is_left_out(emitter, which);
}

/* What would end below the smallest size is part of the first level. */
static void drop_unseen(struct group *group)
{
	struct steps *steps = &group->steps;
	size_t count = steps->count;
	steps->count = 0;
	for (size_t i = 0; i < count; i++)
		if (!is_unseen(group, steps->items[i].ln_reach))
			steps->items[steps->count++] = steps->items[i];
	if (steps->count < count)
		steps_solve(&group->problem, steps);
}

/* Judges each step, and makes of it what it was judged to be. What a control leaves open is most
 * often lines that others took: no hit takes it. */
static int judge(struct emitter *emitter, struct fathom_error *error)
{
	struct group *group = &emitter->group;
	bool controlled = group_role(group, STEPS_CONTROL) != GROUP_NO_CURVE;
	drop_unseen(group);
	for (size_t i = 0; i < group->steps.count; i++) {
		struct step *step = &group->steps.items[i];
		emitter->judged[i] = judge_step(group, i);
		if (!emitter->judged[i].evidence)
			return error_no_memory(error);
		bool translation = emitter->judged[i].kind == FATHOM_LEVEL_TLB;
		if (step->translation == translation ||
		    emitter->judged[i].kind == FATHOM_LEVEL_UNKNOWN)
			continue;
		hierarchy_assign(&group->problem, &group->options, translation, i, &group->steps);
		if (step->translation != translation) /* another of its kind is too near */
			emitter->judged[i].kind = FATHOM_LEVEL_UNKNOWN;
	}
	for (size_t i = 0; i < group->steps.count; i++)
		group->steps.items[i].apart =
			controlled && emitter->judged[i].kind == FATHOM_LEVEL_UNKNOWN;
	if (group_spread(group, error))
		return -1;
	steps_errors(&group->problem, &group->steps, emitter->sums_error);
	return 0;
}

static int add_others(struct emitter *emitter, struct fathom_error *error)
{
	for (size_t i = 0; i < emitter->group.steps.count; i++) {
		size_t before = 0;
		if (!is_other(emitter, i))
			continue;
		for (size_t k = 0; k < i; k++)
			before += is_other(emitter, k) &&
				  strcmp(other_name(emitter, k), other_name(emitter, i)) == 0;
		if (add_other(emitter, i, before, error))
			return -1;
	}
	return 0;
}

static int emit(struct emitter *emitter, struct fathom_error *error)
{
	struct group *group = &emitter->group;
	size_t caches = 0;
	double reach = 0;
	struct judge_plateau plateau = {.ln_reach = -INFINITY, .missed = 1};
	double ln_largest = group->data[0].ln_size[group->data[0].count - 1];
	for (size_t i = 0; i < group->steps.count; i++) {
		const struct step *step = &group->steps.items[i];
		double missed = steps_missed(&group->problem, &group->steps, i, 0, ln_largest);
		if (emitter->judged[i].kind == FATHOM_LEVEL_TLB)
			plateau.translated += missed * step->rise[0];
		if (emitter->judged[i].kind != FATHOM_LEVEL_CACHE || is_left_out(emitter, i))
			continue;
		if (add_cache(emitter, i, caches++, reach, error))
			return -1;
		reach = exp(group->spreads[i].ln_reach);
		plateau.ln_reach = group->spreads[i].ln_reach;
		plateau.rise = step->rise[0];
		plateau.missed = missed;
	}
	if (add_end(emitter, caches, plateau, error))
		return -1;
	return add_others(emitter, error);
}

static int find_in_group(struct emitter *emitter, struct fathom_error *error)
{
	struct fathom_result *result = emitter->result;
	struct budget budget = budget_make(emitter->observer);
	size_t first = result->level_count;
	emitter->group.budget = &budget;
	int status = group_fit(&emitter->group, error);
	bool spent = budget_is_over(&budget);
	if (!spent)
		budget_end_search(&budget);
	if (status == 0)
		status = budget_check_stop(emitter->observer, error);
	if (status == 0 && emitter->group.data[0].count < GROUP_FEWEST_SIZES) {
		if (doubts_about_count(result, &emitter->group))
			status = error_no_memory(error);
	} else if (status == 0) {
		status = judge(emitter, error) || emit(emitter, error) ||
					 trace_add(result, &emitter->group, error)
				 ? -1
				 : 0;
		if (status == 0 && (doubts_about_fit(result, &emitter->group, first) ||
				    (spent && doubts_about_search(result))))
			status = error_no_memory(error);
	}
	for (size_t i = 0; i < STEPS_MOST; i++)
		free(emitter->judged[i].evidence);
	if (status == 0 && emitter->chains && emitter->group.paged != GROUP_NO_CURVE)
		group_move(&emitter->group, emitter->chains);
	group_free(&emitter->group);
	return status;
}

static void clear(struct fathom_result *result)
{
	table_free_items(&level_table, result->levels, result->level_count);
	table_free_items(&hypothesis_table, result->hypotheses, result->hypothesis_count);
	result->levels = NULL;
	result->hypotheses = NULL;
	result->level_count = result->hypothesis_count = 0;
}

int levels_find(struct fathom_result *result, const struct fathom_observer *observer,
		struct group *chains, struct fathom_error *error)
{
	int status = 0;
	if (chains)
		*chains = (struct group){.paged = GROUP_NO_CURVE};
	struct emitter *emitter = calloc(1, sizeof(*emitter)); /* stacks may be small */
	if (!emitter)
		return error_no_memory(error);
	emitter->result = result;
	emitter->observer = observer;
	emitter->chains = chains;
	doubts_clear(result);
	clear(result);
	for (size_t next = 0; !status && group_next(result, &next, &emitter->group);) {
		memset(emitter->judged, 0, sizeof(emitter->judged));
		status = find_in_group(emitter, error);
	}
	if (status)
		clear(result);
	free(emitter);
	return status ? -1 : 0;
}
