#include "accuracy_score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"

/* Of a level that is compared with a truth at all; beyond, it is another one. */
#define PAIR_RATIO 2.0
/* A translation step that adds less than this cannot be asked for. */
#define LEAST_STEP 0.05

/* ---- the result to fit ---- */

static void fill_point(const struct accuracy_machine *machine, const struct accuracy_point *from,
		       enum fathom_pattern pattern, struct fathom_point *point)
{
	double per_ns = from->clock_hz * 1e-9;
	bool small = machine->page_bytes == 4096;
	uint64_t bytes = (uint64_t)from->size_bytes;
	*point = (struct fathom_point){
		.spec = {.size_bytes = bytes,
			 .node_bytes = ACCURACY_LINE_BYTES,
			 .window_bytes = pattern == FATHOM_WINDOW ? ACCURACY_WINDOW_BYTES : 0,
			 .stride_bytes = pattern == FATHOM_WINDOW ? ACCURACY_STRIDE_BYTES : 0,
			 .lanes = 1,
			 .threads = 1,
			 .pattern = pattern,
			 .page = small ? FATHOM_PAGE_4K : FATHOM_PAGE_THP},
		.nodes = bytes / ACCURACY_LINE_BYTES,
		.lines_touched = bytes / ACCURACY_LINE_BYTES,
		.page_bytes = machine->page_bytes,
		.page_share = 1,
		.latency_ns = from->ns,
		.latency_low_ns = from->low_ns,
		.latency_high_ns = from->high_ns,
		.latency_cycles = from->ns * per_ns,
		.latency_low_cycles = from->low_ns * per_ns,
		.latency_high_cycles = from->high_ns * per_ns,
		.clock_hz = from->clock_hz,
		.overhead_ns = NAN,
		.target = 0.01,
		.placements = accuracy_placements(machine, bytes / ACCURACY_LINE_BYTES),
	};
}

static void fill_foreign_point(const struct accuracy_point *from, struct fathom_point *point)
{
	*point = (struct fathom_point){
		.spec = {.size_bytes = (uint64_t)from->size_bytes,
			 .pattern = FATHOM_PATTERN_UNKNOWN},
		.page_share = NAN,
		.latency_ns = from->ns,
		.latency_low_ns = NAN,
		.latency_high_ns = NAN,
		.latency_cycles = NAN,
		.latency_low_cycles = NAN,
		.latency_high_cycles = NAN,
		.clock_hz = NAN,
		.overhead_ns = NAN,
		.target = NAN,
	};
}

static int fill_curve(const struct accuracy_machine *machine, const struct accuracy_curve *from,
		      enum fathom_pattern pattern, struct fathom_curve *curve,
		      struct fathom_error *error)
{
	bool foreign = pattern == FATHOM_PATTERN_UNKNOWN;
	*curve = (struct fathom_curve){.memory_node = -1,
				       .experiment = FATHOM_LATENCY,
				       .axis = FATHOM_AXIS_SIZE,
				       .cpu = -1,
				       .tool = foreign ? strdup("x") : NULL,
				       .points = calloc(from->count, sizeof(*curve->points)),
				       .point_count = from->count};
	if (!curve->points || (foreign && !curve->tool))
		return error_no_memory(error);
	for (size_t i = 0; i < from->count; i++)
		if (foreign)
			fill_foreign_point(&from->points[i], &curve->points[i]);
		else
			fill_point(machine, &from->points[i], pattern, &curve->points[i]);
	return 0;
}

/* What the OS of a guest reports. */
static int add_reported(const struct accuracy_machine *machine, struct fathom_result *result,
			struct fathom_error *error)
{
	struct fathom_machine *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	result->machine = made;
	result->curves[0].cpu = made->default_cpu;
	made->hypervisor = strdup("simulated");
	made->caches = calloc(SIMULATED_LEVELS, sizeof(*made->caches));
	if (!made->hypervisor || !made->caches)
		return error_no_memory(error);
	for (unsigned i = 0; i < machine->spec.cache_count; i++)
		if (machine->spec.os_size_bytes[i])
			made->caches[made->cache_count++] = (struct fathom_cache){
				.level = i + 1,
				.kind = i == 0 ? FATHOM_CACHE_DATA : FATHOM_CACHE_UNIFIED,
				.size_bytes = machine->spec.os_size_bytes[i],
				.line_bytes = ACCURACY_LINE_BYTES,
			};
	return 0;
}

static int make_result(const struct accuracy_machine *machine, enum accuracy_mode mode,
		       struct fathom_result **result, struct fathom_error *error)
{
	bool single = mode == ACCURACY_SINGLE;
	struct fathom_result *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->curves = calloc(2, sizeof(*made->curves));
	made->clock_min_hz = made->clock_median_hz = made->clock_max_hz = NAN;
	int status = made->curves ? 0 : error_no_memory(error);
	if (!status) {
		made->curve_count = 1;
		status = fill_curve(machine, &machine->main,
				    single ? FATHOM_PATTERN_UNKNOWN : FATHOM_RANDOM_CYCLE,
				    &made->curves[0], error);
	}
	if (!status && !single) {
		made->curve_count = 2;
		made->measured_line_bytes = ACCURACY_LINE_BYTES;
		status = fill_curve(machine, &machine->control, FATHOM_WINDOW, &made->curves[1],
				    error);
	}
	if (!status && !single && machine->guest)
		status = add_reported(machine, made, error);
	if (status)
		fathom_result_free(made);
	else
		*result = made;
	return status;
}

/* ---- the truth ---- */

static void add_truth(struct accuracy_verdict *verdict, size_t row, double reach_bytes,
		      double latency_ns)
{
	verdict->truths[verdict->truth_count++] =
		(struct accuracy_truth){.row = row,
					.reach_bytes = reach_bytes,
					.latency_ns = latency_ns,
					.most_ns = latency_ns,
					.column = FATHOM_LEVEL_KIND_COUNT,
					.reach_ratio = NAN,
					.latency_ratio = NAN,
					.width = NAN};
}

static double translation_ns(const struct accuracy_machine *machine, double size_bytes)
{
	double nearest = INFINITY, ns = 0;
	for (size_t i = 0; i < machine->main.count; i++) {
		const struct accuracy_point *point = &machine->main.points[i];
		double away = fabs(log(point->size_bytes / size_bytes));
		if (away < nearest)
			ns = point->translation_ns;
		nearest = fmin(nearest, away);
	}
	return ns;
}

/* Steps of translation that are in the curve, and not too small to see. */
static void add_translation(const struct accuracy_machine *machine,
			    struct accuracy_verdict *verdict)
{
	const struct accuracy_curve *curve = &machine->main;
	double largest = curve->points[curve->count - 1].size_bytes;
	for (size_t i = 0; i < machine->spec.tlb_count; i++) {
		double reach = (double)(machine->spec.tlbs[i].entries * machine->page_bytes);
		double rise = translation_ns(machine, 2 * reach) -
			      translation_ns(machine, reach / M_SQRT2);
		if (2 * reach < largest && rise > LEAST_STEP * accuracy_exact_ns(machine, reach))
			add_truth(verdict, ACCURACY_TLB, reach, NAN);
	}
}

static void add_truths(const struct accuracy_machine *machine, enum accuracy_mode mode,
		       struct accuracy_verdict *verdict)
{
	const struct simulated_spec *spec = &machine->spec;
	for (size_t i = 0; i < spec->cache_count; i++) {
		double reach = accuracy_reach_bytes(spec, i);
		double translation = mode == ACCURACY_SINGLE ? translation_ns(machine, reach) : 0;
		add_truth(verdict, i, reach, accuracy_latency_ns(spec, i));
		verdict->truths[i].most_ns += translation;
	}
	/* What it takes in all at the size that the level says is filled in where it is known. */
	add_truth(verdict, ACCURACY_MEMORY, NAN, NAN);
	verdict->wanted = verdict->truth_count;
	add_translation(machine, verdict);
}

/* ---- pairs ---- */

static bool within(double ratio, double tolerance)
{
	return ratio >= 1 - tolerance && ratio <= 1 + tolerance;
}

/* The nearest pair of a truth and a level of that kind, of those that have none; closer than
 * PAIR_RATIO. */
static bool nearest_pair(const struct accuracy_verdict *verdict, const struct fathom_result *result,
			 const bool *used, size_t *truth, size_t *level)
{
	double least = log(PAIR_RATIO);
	bool any = false;
	for (size_t i = 0; i + 1 < verdict->wanted; i++)
		for (size_t k = 0; k < result->level_count; k++) {
			const struct fathom_level *at = &result->levels[k];
			double away = fabs(log(at->size_bytes / verdict->truths[i].reach_bytes));
			if (verdict->truths[i].paired || used[k] ||
			    at->kind != FATHOM_LEVEL_CACHE || !(away < least))
				continue;
			least = away;
			any = true;
			*truth = i;
			*level = k;
		}
	return any;
}

static void compare(struct accuracy_truth *truth, const struct fathom_level *level)
{
	double nearest_ns = fmin(fmax(level->latency_ns, truth->latency_ns), truth->most_ns);
	truth->paired = true;
	truth->reach_ratio = level->size_bytes / truth->reach_bytes;
	truth->latency_ratio = level->latency_ns / nearest_ns;
	truth->reach_held = level->size_low_bytes <= truth->reach_bytes &&
			    truth->reach_bytes <= level->size_high_bytes;
	truth->latency_held = level->latency_low_ns <= truth->most_ns &&
			      truth->latency_ns <= level->latency_high_ns;
	truth->width = level->size_high_bytes / level->size_low_bytes;
	truth->found = within(truth->latency_ratio, ACCURACY_LATENCY_TOLERANCE) &&
		       (truth->row == ACCURACY_MEMORY ||
			within(truth->reach_ratio, ACCURACY_REACH_TOLERANCE));
}

static void compare_memory(const struct accuracy_machine *machine,
			   const struct fathom_result *result, struct accuracy_verdict *verdict)
{
	struct accuracy_truth *truth = &verdict->truths[verdict->wanted - 1];
	const struct accuracy_curve *curve = &machine->main;
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		double at = isfinite(level->at_bytes) ? level->at_bytes
						      : curve->points[curve->count - 1].size_bytes;
		if (level->kind == FATHOM_LEVEL_MEMORY) {
			truth->latency_ns = truth->most_ns = accuracy_exact_ns(machine, at);
			compare(truth, level);
			truth->column = FATHOM_LEVEL_MEMORY;
			return;
		}
		/* Where no reach is known the level is the end of the curve. */
		if (!isfinite(level->size_bytes))
			truth->column = (int)level->kind;
	}
}

/* The kind of the level that was reported within the tolerance of each reach, the nearest first;
 * levels that are somebody's already are not a TLB's. */
static void find_columns(const struct fathom_result *result, const bool *used,
			 struct accuracy_verdict *verdict)
{
	for (size_t i = 0; i < verdict->truth_count; i++) {
		struct accuracy_truth *truth = &verdict->truths[i];
		double least = log(1 + ACCURACY_REACH_TOLERANCE);
		for (size_t k = 0; k < result->level_count && truth->row != ACCURACY_MEMORY; k++) {
			double away = fabs(log(result->levels[k].size_bytes / truth->reach_bytes));
			if (!(away < least) || (truth->row == ACCURACY_TLB && used[k]))
				continue;
			least = away;
			truth->column = (int)result->levels[k].kind;
		}
	}
}

static int compare_all(const struct accuracy_machine *machine, const struct fathom_result *result,
		       struct accuracy_verdict *verdict, struct fathom_error *error)
{
	bool *used = calloc(result->level_count + 1, sizeof(*used));
	if (!used)
		return error_no_memory(error);
	for (size_t truth, level; nearest_pair(verdict, result, used, &truth, &level);) {
		compare(&verdict->truths[truth], &result->levels[level]);
		used[level] = within(verdict->truths[truth].reach_ratio, ACCURACY_REACH_TOLERANCE);
		if (!used[level]) /* too far to be found there: a false cache, too */
			verdict->truths[truth].found = false;
	}
	compare_memory(machine, result, verdict);
	find_columns(result, used, verdict);
	for (size_t i = 0; i < result->level_count; i++)
		verdict->false_caches += result->levels[i].kind == FATHOM_LEVEL_CACHE && !used[i];
	for (size_t i = 0; i < verdict->wanted; i++)
		verdict->found += verdict->truths[i].found;
	verdict->right = verdict->found == verdict->wanted && !verdict->false_caches;
	free(used);
	return 0;
}

static int compare_readers(const struct accuracy_machine *machine,
			   const struct fathom_result *result, struct accuracy_verdict *verdict,
			   struct fathom_error *error)
{
	double ends[SIMULATED_LEVELS];
	for (size_t i = 0; i < machine->spec.cache_count; i++)
		ends[i] = accuracy_reach_bytes(&machine->spec, i);
	return readings_take(&result->curves[0], result->levels, result->level_count, ends,
			     machine->spec.cache_count, verdict->readings, error);
}

/* ---- words ---- */

static char *describe(const struct fathom_result *result)
{
	struct text text = {0};
	for (size_t i = 0; i < result->level_count; i++) {
		const struct fathom_level *level = &result->levels[i];
		char size[UNITS_TEXT_BYTES], value[UNITS_TEXT_BYTES];
		text_add(&text, "%s%s", i ? ", " : "", level->name);
		if (level->kind == FATHOM_LEVEL_UNKNOWN)
			text_add(&text, " (unknown)");
		if (isfinite(level->size_bytes))
			text_add(&text, " %s",
				 units_format_size((uint64_t)level->size_bytes, size));
		double ns = isfinite(level->latency_ns) ? level->latency_ns : level->penalty_ns;
		text_add(&text, " %s%s ns", isfinite(level->latency_ns) ? "" : "+",
			 units_format_number(ns, value));
	}
	return text_take(&text);
}

int accuracy_score(const struct accuracy_machine *machine, enum accuracy_mode mode,
		   struct accuracy_verdict *verdict, struct fathom_error *error)
{
	struct accuracy_verdict made = {0};
	struct fathom_result *result = NULL;
	struct timespec start, end;
	if (make_result(machine, mode, &result, error))
		return -1;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
	int status = fathom_fit(result, NULL, error);
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	made.fit_s =
		(double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) * 1e-9;
	add_truths(machine, mode, &made);
	if (!status)
		status = compare_all(machine, result, &made, error);
	if (!status)
		status = compare_readers(machine, result, &made, error);
	if (!status) {
		made.reported = describe(result);
		status = made.reported ? 0 : error_no_memory(error);
	}
	fathom_result_free(result);
	if (!status)
		*verdict = made;
	return status;
}

void accuracy_verdict_free(struct accuracy_verdict *verdict)
{
	free(verdict->reported);
	*verdict = (struct accuracy_verdict){0};
}
