#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/quoted.h"
#include "base/text.h"
#include "document/table.h"
#include "model/levels/doubts.h"
#include "model/levels/emit.h"

#define SAME_SIZE_LN 1e-9
#define LEFT_BEHIND  0.25 /* over a plateau, in shares of it ... */
#define LEFT_ERRORS  5    /* ... and in standard deviations: a value is no more on it */

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
	emit_latency(group, value_at(emitter, ln_size), error_at(emitter, ln_size), 0, 0,
		     emit_clock(group, ln_size - M_LN2, ln_size), level);
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

void emit_widen(const struct group *group, struct fathom_level *level)
{
	const struct curve_data *data = &group->data[0];
	for (size_t k = 0; k + 1 < data->count; k++) {
		double below = exp(data->ln_size[k]), above = exp(data->ln_size[k + 1]);
		if (level->size_bytes < below || level->size_bytes >= above)
			continue;
		level->size_low_bytes = fmin(level->size_low_bytes, below);
		level->size_high_bytes = fmax(level->size_high_bytes, above);
	}
}

static void widen_last(const struct emitter *emitter)
{
	struct fathom_result *result = emitter->result;
	size_t i = result->level_count;
	while (i > 0 && (result->levels[i - 1].kind != FATHOM_LEVEL_CACHE ||
			 result->levels[i - 1].curve != emitter->group.main))
		i--;
	if (i && isfinite(result->levels[i - 1].size_bytes))
		emit_widen(&emitter->group, &result->levels[i - 1]);
}

int emit_end(struct emitter *emitter, size_t caches, struct judge_plateau plateau,
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
	if (end == JUDGE_END_RISING) {
		widen_last(emitter);
		return 0;
	}
	level.confidence = 1;
	if (end == JUDGE_END_MEMORY) {
		set_memory(emitter, plateau.ln_reach, &level);
		level.kind = FATHOM_LEVEL_MEMORY;
		level.name = strdup("memory");
		level.evidence = strdup("the curve is flat to its end, slower than any cache or "
					"far past the last one");
	} else {
		emit_hit(emitter, group->steps.count,
			 emit_clock(group, plateau.ln_largest - M_LN2, plateau.ln_largest), &level);
		level.kind = end == JUDGE_END_CACHE ? FATHOM_LEVEL_CACHE : FATHOM_LEVEL_UNKNOWN;
		level.name = text_format("L%zu", caches + 1);
		level.size_low_bytes = exp(data->ln_size[last]);
		level.evidence = strdup(
			end == JUDGE_END_CACHE
				? "faster than any memory; the curve ends within this level"
				: "a slow cache or fast memory: the curve ends within this level");
	}
	return emit_level(emitter, &level, error);
}
