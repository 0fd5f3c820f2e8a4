#include "model/textbook/fitted.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/point.h"
#include "model/plateau.h"

#define SHAPE_PASSES 3
#define SHAPE_POINTS 200 /* of the curve are enough to tell shapes apart */
#define MANY_POINTS  2000
#define ROUNDED      (1 + 1e-9) /* what exp(log(size)) can make of a size */
#define PAST_CACHES  4.0        /* of the last one's size: no cycle hits it there */
#define UNKNOWN_K    4.0 /* nodes a line of a curve that does not tell: the law differs little */

static const struct hit_shape translation_shape = {HIT_INDEPENDENT, false, 8, 1, 0};

/* ---- the levels ---- */

static size_t levels_curve(const struct fathom_result *result, size_t curve)
{
	const struct fathom_curve *asked = &result->curves[curve];
	if (plateau_has_levels(result, curve) || asked->tool || !asked->point_count ||
	    asked->points[0].spec.pattern != FATHOM_INDEPENDENT)
		return curve;
	for (size_t i = 0; i < result->curve_count; i++)
		if (!result->curves[i].tool && plateau_has_levels(result, i))
			return i;
	return curve;
}

static bool is_step(const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_TLB ||
	       (level->kind == FATHOM_LEVEL_UNKNOWN && isfinite(level->size_bytes));
}

static double in_unit(const struct fitted *fitted, double ns, double cycles)
{
	return fitted->data.cycles ? cycles : ns;
}

static void take_step(struct fitted *fitted, const struct fathom_level *level)
{
	double penalty = in_unit(fitted, level->penalty_ns, level->penalty_cycles);
	fitted->translation_count += level->kind == FATHOM_LEVEL_TLB;
	fitted->walk_count += level->kind == FATHOM_LEVEL_TLB && !isfinite(level->entries);
	fitted->steps[fitted->step_count++] = (struct stack_level){
		.reach_bytes = level->size_bytes,
		.latency = isfinite(penalty) ? penalty : 0,
		.shape = translation_shape,
	};
}

static void take_level(struct fitted *fitted, const struct fathom_level *level)
{
	double latency = in_unit(fitted, level->latency_ns, level->latency_cycles);
	fitted->level_count++;
	fitted->read_count +=
		level->kind == FATHOM_LEVEL_CACHE || level->kind == FATHOM_LEVEL_MEMORY;
	if (is_step(level)) {
		take_step(fitted, level);
	} else if (level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes)) {
		fitted->sources[fitted->count] = level;
		fitted->levels[fitted->count++] =
			(struct stack_level){.reach_bytes = level->size_bytes, .latency = latency};
	} else {
		fitted->last = latency;
	}
}

static double step_value(const struct fitted *fitted, double size_bytes)
{
	double sum = 0;
	for (size_t i = 0; i < fitted->step_count; i++) {
		const struct stack_level *step = &fitted->steps[i];
		sum += step->latency *
		       (1 - hit_share(&step->shape, size_bytes / step->reach_bytes));
	}
	return sum;
}

/* Memory was read at one size, with all translation that it has there; a cache has none in its
 * latency. */
static void take_last(struct fitted *fitted, const struct fathom_level *level)
{
	fitted->sources[fitted->count] = level;
	if (level->kind == FATHOM_LEVEL_MEMORY)
		fitted->last -= step_value(fitted, level->at_bytes);
}

static void take_levels(const struct fathom_result *result, size_t curve, struct fitted *fitted)
{
	const struct fathom_level *end = NULL;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		if (level->curve != curve)
			continue;
		take_level(fitted, level);
		if (!is_step(level) &&
		    !(level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes)))
			end = level;
	}
	if (end)
		take_last(fitted, end);
}

/* ---- the curve that they imply ---- */

double fitted_value(const void *context, double size_bytes)
{
	const struct fitted *fitted = context;
	double last = fitted->last;
	if (!isfinite(last)) {
		if (!fitted->count || size_bytes > fitted->levels[fitted->count - 1].reach_bytes)
			return NAN;
		last = fitted->levels[fitted->count - 1].latency;
	}
	return stack_latency(fitted->levels, fitted->count, last, size_bytes) +
	       step_value(fitted, size_bytes);
}

/* Of what is added to the first level nothing is left inside it but rounding. */
static struct deviation deviation_of(const struct fitted *fitted, double from_bytes,
				     double up_to_bytes, size_t most, latency_model *model,
				     const void *context)
{
	const struct curve_data *data = &fitted->data;
	struct deviation found = {.worst_bytes = NAN};
	double sum = 0;
	size_t count = 0;
	if (fitted->curve->relative_to_l1 && fitted->count)
		from_bytes = fmax(from_bytes, fitted->levels[0].reach_bytes);
	for (size_t i = 0; i < data->count; i += data->count / most + 1) {
		double bytes = exp(data->ln_size[i]);
		double share = (model(context, bytes) - data->value[i]) / data->value[i];
		if (!isfinite(share) || bytes <= from_bytes || bytes > up_to_bytes * ROUNDED)
			continue;
		sum += share * share;
		count++;
		if (fabs(share) >= fabs(found.worst)) {
			found.worst = share;
			found.worst_bytes = bytes;
		}
	}
	found.residual = count ? sqrt(sum / (double)count) : NAN;
	return found;
}

struct deviation fitted_deviation(const struct fitted *fitted, double from_bytes,
				  double up_to_bytes, latency_model *model, const void *context)
{
	return deviation_of(fitted, from_bytes, up_to_bytes, MANY_POINTS, model, context);
}

/* ---- the shapes ---- */

static double nodes_a_line(const struct fitted *fitted)
{
	const struct fathom_spec *spec = &fitted->curve->points[0].spec;
	uint64_t line_bytes = fitted->line_bytes;
	if (spec->pattern == FATHOM_PATTERN_UNKNOWN && !spec->node_bytes)
		return UNKNOWN_K;
	return spec->node_bytes && spec->node_bytes < line_bytes
		       ? (double)line_bytes / (double)spec->node_bytes
		       : 1;
}

/* Laws that the order and the replacement leave, as bits. */
static unsigned laws_of(const struct fitted *fitted, enum fathom_replacement replacement)
{
	static const unsigned on_a_cycle[] = {
		[FATHOM_REPLACEMENT_UNDECIDABLE] =
			1u << HIT_CYCLE_LRU | 1u << HIT_CYCLE_RANDOM | 1u << HIT_CYCLE_RESISTANT,
		[FATHOM_REPLACEMENT_LRU] = 1u << HIT_CYCLE_LRU,
		[FATHOM_REPLACEMENT_RANDOM] = 1u << HIT_CYCLE_RANDOM,
		[FATHOM_REPLACEMENT_RESISTANT] = 1u << HIT_CYCLE_RESISTANT,
	};
	enum fathom_pattern pattern = fitted->curve->points[0].spec.pattern;
	bool undecided = replacement == FATHOM_REPLACEMENT_UNDECIDABLE;
	if (pattern == FATHOM_INDEPENDENT)
		return 1u << HIT_INDEPENDENT;
	if (pattern == FATHOM_RANDOM_LAPS && replacement == FATHOM_REPLACEMENT_LRU)
		return 1u << HIT_LAPS_LRU;
	unsigned laws = on_a_cycle[replacement];
	if (undecided && (pattern == FATHOM_PATTERN_UNKNOWN || nodes_a_line(fitted) > 1))
		laws |= 1u << HIT_SHARED_LINE | 1u << HIT_INDEPENDENT;
	return laws;
}

bool fitted_knows_law(const struct fitted *fitted, size_t which)
{
	unsigned laws = laws_of(fitted, fitted->sources[which]->replacement);
	return (laws & (laws - 1)) == 0;
}

static void choose_shape(struct fitted *fitted, size_t which)
{
	struct hit_shape *shape = &fitted->levels[which].shape, best = *shape;
	unsigned laws = laws_of(fitted, fitted->sources[which]->replacement);
	double least = INFINITY;
	for (int law = 0; law < HIT_LAW_COUNT; law++)
		for (int variant = 0; laws >> law & 1 && variant < 4; variant++) {
			*shape = (struct hit_shape){.law = (enum hit_law)law,
						    .scattered = variant & 1,
						    .ways = variant & 2 ? 16 : 8,
						    .nodes_a_line = nodes_a_line(fitted)};
			struct deviation found = deviation_of(fitted, 0, INFINITY, SHAPE_POINTS,
							      fitted_value, fitted);
			if (found.residual < least) {
				least = found.residual;
				best = *shape;
			}
		}
	*shape = best;
}

/* Memory's level is read at one size, the largest: with all that translation takes there, of which
 * the steps may have little. Of all sizes well past the last cache the mean is in the middle of the
 * points: by least squares of their deviations, in which it is linear. */
static void find_memory(struct fitted *fitted)
{
	const struct curve_data *data = &fitted->data;
	double past =
		fitted->count ? PAST_CACHES * fitted->levels[fitted->count - 1].reach_bytes : 0;
	double products = 0, squares = 0;
	for (size_t i = 0; i < data->count; i++) {
		double bytes = exp(data->ln_size[i]);
		double rest = stack_latency(fitted->levels, fitted->count, 0, bytes);
		double share = stack_latency(fitted->levels, fitted->count, 1, bytes) - rest;
		double left = data->value[i] - rest - step_value(fitted, bytes);
		double weight = bytes > past ? 1 / (data->value[i] * data->value[i]) : 0;
		products += weight * share * left;
		squares += weight * share * share;
	}
	if (squares > 0)
		fitted->last = products / squares;
}

/* The levels' slow fades overlap: each is chosen again once the others are. */
static void choose_shapes(struct fitted *fitted)
{
	const struct fathom_level *last = fitted->sources[fitted->count];
	for (size_t i = 0; i < fitted->count; i++)
		fitted->levels[i].shape = (struct hit_shape){HIT_CYCLE_LRU, false, 8, 1, 0};
	for (int pass = 0; pass < SHAPE_PASSES; pass++) {
		for (size_t i = 0; i < fitted->count; i++)
			choose_shape(fitted, i);
		if (last && last->kind == FATHOM_LEVEL_MEMORY)
			find_memory(fitted);
	}
}

/* ---- open and close ---- */

int fitted_make(const struct fathom_result *result, size_t curve, struct fitted *fitted,
		struct fathom_error *error)
{
	const struct fathom_curve *asked = &result->curves[curve];
	struct fitted made = {
		.curve = asked, .line_bytes = (uint64_t)line_bytes_likely(result), .last = NAN};
	if (curve_data_make(asked, !curve_data_has_ns(asked), &made.data, error))
		return -1;
	made.levels = calloc(result->level_count + 1, sizeof(*made.levels));
	made.steps = calloc(result->level_count + 1, sizeof(*made.steps));
	made.sources = calloc(result->level_count + 1, sizeof(*made.sources));
	if (!made.levels || !made.steps || !made.sources) {
		fitted_free(&made);
		return error_no_memory(error);
	}
	if (made.data.count) {
		take_levels(result, levels_curve(result, curve), &made);
		choose_shapes(&made);
	}
	*fitted = made;
	return 0;
}

void fitted_free(struct fitted *fitted)
{
	curve_data_free(&fitted->data);
	free(fitted->levels);
	free(fitted->steps);
	free(fitted->sources);
	*fitted = (struct fitted){0};
}
