#include "model/levels/emit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "base/text.h"
#include "document/table.h"

#define LEAST_RISE    0.08 /* of a cache, over the level below */
#define LEAST_PENALTY 0.03 /* of translation */
#define ERROR_GAIN    1.5  /* so that intervals of latencies hold, on the simulated tuning set */
#define LEAST_ERROR   0.002
#define UNSEEN_LN     0.26 /* ln 1.3 */

int emit_level(struct emitter *emitter, struct fathom_level *level, struct fathom_error *error)
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

double emit_clock(const struct group *group, double ln_low, double ln_high)
{
	if ((ln_low + ln_high) / 2 < group->ln_core)
		return group->core_per_ns;
	return curve_data_clock(&group->data[0], ln_low, ln_high);
}

void emit_latency(const struct group *group, double value, double error, double less, double more,
		  double per_ns, struct fathom_level *level)
{
	double low = fmax(0, value - STATS_NORMAL_95 * error - less);
	double high = value + STATS_NORMAL_95 * error + more;
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

void emit_hit(const struct emitter *emitter, size_t count, double per_ns,
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
	emit_latency(group, hit->value,
		     latency_error(hit->value, hit->deviation, emitter->sums_error[sum]), less,
		     more, per_ns, level);
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
	struct judge_cliff cliff;
	if (judge_is_cliff(group, which, 0, &cliff)) {
		level.size_low_bytes = fmin(level.size_low_bytes, exp(cliff.ln_below));
		level.size_high_bytes = fmax(level.size_high_bytes, exp(cliff.ln_above));
	}
	level.increment_bytes = level.size_bytes - reach_before;
	level.evidence = emitter->judged[which].evidence;
	emitter->judged[which].evidence = NULL;
	level.replacement = judge_replacement(group, which, &level.replacement_evidence);
	double ln_before = reach_before > 0 ? log(reach_before) : 0;
	emit_hit(emitter, which, emit_clock(group, ln_before, spread->ln_reach), &level);
	return emit_level(emitter, &level, error);
}

/* ---- translation and what is not known ---- */

/* The third kind is where page tables leave a cache. */
static const char *other_name(const struct emitter *emitter, size_t which)
{
	if (emitter->judged[which].kind != FATHOM_LEVEL_TLB)
		return "step";
	return judge_is_walk(&emitter->group, which) ? "walk" : "TLB";
}

/* Too small to tell, likelier none than any, or seen by nobody. */
static bool is_left_out(const struct emitter *emitter, size_t which)
{
	const struct judgement *judged = &emitter->judged[which];
	if (emit_is_unseen(&emitter->group, emitter->group.spreads[which].ln_reach))
		return true;
	if (judged->kind == FATHOM_LEVEL_UNKNOWN && judged->absent > judged->confidence)
		return true;
	/* Of chains through pages, walks are told by their tables' place. */
	if (emitter->judged[which].kind == FATHOM_LEVEL_TLB &&
	    emitter->group.paged != GROUP_NO_CURVE)
		return judge_is_walk(&emitter->group, which);
	double least =
		emitter->judged[which].kind == FATHOM_LEVEL_CACHE ? LEAST_RISE : LEAST_PENALTY;
	return emitter->group.steps.items[which].rise[0] <
	       least * judge_value_below(&emitter->group, which);
}

/* What missing it adds. */
static void set_penalty(const struct emitter *emitter, size_t which, struct fathom_level *level)
{
	const struct group *group = &emitter->group;
	double rise = level->kind == FATHOM_LEVEL_UNKNOWN
			      ? judge_seen_rise(group, which)
			      : judge_penalty(group, &group->steps, which);
	double ln_end = plateau_end(emitter, which + 1);
	double per_ns = emit_clock(group, group->spreads[which].ln_low, ln_end);
	level->penalty_ns = group->data[0].cycles ? NAN : rise;
	level->penalty_cycles = group->data[0].cycles ? rise : rise * per_ns;
}

/* Of a step that may be a cache, a TLB or either: what it would be as each. */
static void set_maybe(const struct emitter *emitter, size_t which, struct fathom_level *level)
{
	const struct judgement *judged = &emitter->judged[which];
	double before = 0;
	for (size_t i = 0; i < which; i++)
		if (emitter->judged[i].kind == FATHOM_LEVEL_CACHE && !is_left_out(emitter, i))
			before = exp(emitter->group.spreads[i].ln_reach);
	if (judged->maybe_cache)
		level->increment_bytes = level->size_bytes - before;
	if (judged->maybe_translation)
		level->entry_bytes = (uint64_t)judge_entry_bytes(&emitter->group, which);
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
	double ln_low = spread->ln_low, ln_high = spread->ln_high;
	if (level.kind == FATHOM_LEVEL_TLB)
		judge_widen_tlb(group, which, order, &ln_low, &ln_high);
	level.size_low_bytes = exp(ln_low);
	level.size_high_bytes = exp(ln_high);
	if (level.kind == FATHOM_LEVEL_UNKNOWN) {
		set_maybe(emitter, which, &level);
		if (judge_still_rises(group, which))
			emit_widen(group, &level);
	}
	if (level.kind == FATHOM_LEVEL_TLB) {
		level.entry_bytes = (uint64_t)judge_entry_bytes(group, which);
		level.entries = level.size_bytes / (double)level.entry_bytes;
		if (judge_is_walk(group, which))
			level.entries = NAN;
	}
	set_penalty(emitter, which, &level);
	return emit_level(emitter, &level, error);
}

/* ---- all of them ---- */

bool emit_is_unseen(const struct group *group, double ln_reach)
{
	return ln_reach + UNSEEN_LN < group->data[0].ln_size[0];
}

static bool is_other(const struct emitter *emitter, size_t which)
{
	return emitter->judged[which].kind != FATHOM_LEVEL_CACHE && !is_left_out(emitter, which);
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

/* Of the undecided steps before step `which`, how many are caches for sure, besides the `named`
 * ones, though not which: their names stay free, and what follows them is not called L1. */
static size_t unnamed_before(const struct emitter *emitter, size_t which, size_t named)
{
	const struct group *group = &emitter->group;
	size_t sure = hierarchy_caches_before(&group->problem, group->tried, &group->steps, which,
					      JUDGE_SURE);
	size_t unknown = 0;
	for (size_t i = 0; i < which; i++)
		unknown += emitter->judged[i].kind == FATHOM_LEVEL_UNKNOWN;
	size_t unnamed = sure > named ? sure - named : 0;
	return unnamed < unknown ? unnamed : unknown;
}

int emit_all(struct emitter *emitter, struct fathom_error *error)
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
		caches += unnamed_before(emitter, i, caches);
		if (add_cache(emitter, i, caches++, reach, error))
			return -1;
		reach = exp(group->spreads[i].ln_reach);
		plateau.ln_reach = group->spreads[i].ln_reach;
		plateau.rise = step->rise[0];
		plateau.missed = missed;
	}
	if (emit_end(emitter, caches, plateau, error))
		return -1;
	return add_others(emitter, error);
}
