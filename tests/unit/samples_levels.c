/* The documents of samples.h that have levels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "samples.h"

#define KIB 1024.0
#define MIB (1024 * KIB)
#define GHZ 3.65

static void *must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

static char *copy(const char *text)
{
	return must(strdup(text));
}

static struct fathom_level *add_level(struct fathom_result *result, const char *name,
				      enum fathom_level_kind kind, const char *evidence)
{
	result->levels =
		must(realloc(result->levels, (result->level_count + 1) * sizeof(*result->levels)));
	struct fathom_level *level = &result->levels[result->level_count++];
	*level = (struct fathom_level){
		.name = copy(name),
		.kind = kind,
		.confidence = 0.99,
		.size_bytes = NAN,
		.size_low_bytes = NAN,
		.size_high_bytes = NAN,
		.increment_bytes = NAN,
		.latency_ns = NAN,
		.latency_low_ns = NAN,
		.latency_high_ns = NAN,
		.latency_cycles = NAN,
		.latency_low_cycles = NAN,
		.latency_high_cycles = NAN,
		.at_bytes = NAN,
		.entries = NAN,
		.penalty_ns = NAN,
		.penalty_cycles = NAN,
		.evidence = copy(evidence),
	};
	return level;
}

static void set_reach(struct fathom_level *level, double bytes, double low, double high)
{
	level->size_bytes = bytes;
	level->size_low_bytes = low;
	level->size_high_bytes = high;
}

static void set_latency(struct fathom_level *level, double ns, double half)
{
	level->latency_ns = ns;
	level->latency_low_ns = ns - half;
	level->latency_high_ns = ns + half;
	level->latency_cycles = ns * GHZ;
	level->latency_low_cycles = (ns - half) * GHZ;
	level->latency_high_cycles = (ns + half) * GHZ;
}

static struct fathom_level *add_cache(struct fathom_result *result, const char *name, double bytes,
				      double increment, double ns)
{
	struct fathom_level *level = add_level(result, name, FATHOM_LEVEL_CACHE,
					       "the control curve has 98 % of the step");
	set_reach(level, bytes, bytes * 0.97, bytes * 1.04);
	set_latency(level, ns, ns * 0.004);
	level->increment_bytes = increment;
	return level;
}

static void add_reading(struct fathom_result *result, const char *name, const double latency[4],
			double residual, const char *text)
{
	result->readings = must(
		realloc(result->readings, (result->reading_count + 1) * sizeof(*result->readings)));
	struct fathom_reading *reading = &result->readings[result->reading_count++];
	*reading = (struct fathom_reading){.name = copy(name),
					   .latency = must(calloc(4, sizeof(double))),
					   .latency_count = 4,
					   .residual = residual,
					   .text = copy(text)};
	memcpy(reading->latency, latency, 4 * sizeof(double));
}

/* Points from..to of another sample's curve, in that order of accesses. */
static void add_curve(struct fathom_result *result, unsigned from, unsigned to,
		      enum fathom_pattern pattern, double share)
{
	struct fathom_result *other = sample_result(20);
	result->curves =
		must(realloc(result->curves, (result->curve_count + 1) * sizeof(*result->curves)));
	struct fathom_curve *curve = &result->curves[result->curve_count++];
	*curve = (struct fathom_curve){.cpu = 1, .memory_node = -1, .point_count = to - from};
	curve->points = must(calloc(curve->point_count, sizeof(*curve->points)));
	for (unsigned i = from; i < to; i++) {
		struct fathom_point *point = &curve->points[i - from];
		*point = other->curves[0].points[i];
		other->curves[0].points[i].blocks_ns = NULL;
		other->curves[0].points[i].samples_ns = NULL;
		point->spec.pattern = pattern;
		point->spec.window_bytes = pattern == FATHOM_WINDOW ? 128 << 10 : 0;
		double *const scaled[] = {&point->latency_ns,         &point->latency_low_ns,
					  &point->latency_high_ns,    &point->latency_cycles,
					  &point->latency_low_cycles, &point->latency_high_cycles};
		for (size_t k = 0; k < sizeof(scaled) / sizeof(*scaled); k++)
			*scaled[k] *= share;
		for (size_t k = 0; k < point->block_count; k++)
			point->blocks_ns[k] *= share;
	}
	fathom_result_free(other);
}

static void add_translation(struct fathom_result *result)
{
	struct fathom_level *level =
		add_level(result, "TLB 1", FATHOM_LEVEL_TLB,
			  "the control curve lacks the step: the reach of about 96 pages of 4 KiB");
	set_reach(level, 384 * KIB, 360 * KIB, 400 * KIB);
	level->entries = 96;
	level->entry_bytes = 4096;
	level->penalty_ns = 0.52;
	level->penalty_cycles = 0.52 * GHZ;
}

static void add_readings(struct fathom_result *result)
{
	add_reading(result, "fitted levels", (double[]){1.36, 4.46, 36.4, 256}, 0.012,
		    "the model that the levels above are of");
	add_reading(result, "textbook share model", (double[]){1.36, 4.9, 61.2, 401}, 0.143,
		    "holds for independent accesses; a cycle misses all at once, and so the "
		    "deduced latencies are too high");
	add_reading(result, "value before the cliff", (double[]){1.36, 5.8, 40.1, NAN}, NAN,
		    "the last point of each plateau; 30 % over the fit at the L2");
}

struct fathom_result *sample_levels_result(void)
{
	struct fathom_result *result = sample_result(20);
	add_curve(result, 56, 121, FATHOM_WINDOW, 0.95);
	add_curve(result, 0, 161, FATHOM_INDEPENDENT, 0.9);
	add_cache(result, "L1", 48 * KIB, 48 * KIB, 1.36)->reported_bytes = 48 << 10;
	struct fathom_level *second = add_cache(result, "L2", 1.95 * MIB, 1.9 * MIB, 4.46);
	set_reach(second, 1.95 * MIB, 1.8 * MIB, 2.2 * MIB);
	second->reported_bytes = 2 << 20;
	second->replacement = FATHOM_REPLACEMENT_LRU;
	second->replacement_evidence = copy("the cycle loses all within 20 %, the independent "
					    "order half");
	struct fathom_level *third = add_cache(result, "L3", 9.8 * MIB, 7.8 * MIB, 36.4);
	third->reported_bytes = 480u << 20;
	third->confidence = 0.72;
	struct fathom_level *memory = add_level(result, "memory", FATHOM_LEVEL_MEMORY,
						"nothing rises any more, and no cache is so slow");
	set_latency(memory, 256, 3);
	memory->at_bytes = 1024 * MIB;
	add_translation(result);
	warnings_add(&result->warnings, "reach-differs", "L3", NULL,
		     "the effective size is 9.8 MiB, less than the 480 MiB that the OS reports "
		     "(the cache is "
		     "shared with other guests, or partitioned)");
	add_readings(result);
	return result;
}

static void make_foreign(struct fathom_curve *curve, uint64_t node_bytes, bool cycles)
{
	curve->tool = copy("lat_mem_rd");
	curve->cpu = -1;
	for (size_t i = 0; i < curve->point_count; i++) {
		struct fathom_point *point = &curve->points[i];
		double value = point->latency_ns;
		free(point->blocks_ns);
		*point = (struct fathom_point){
			.spec = {.size_bytes = point->spec.size_bytes,
				 .node_bytes = node_bytes,
				 .pattern = FATHOM_PATTERN_UNKNOWN,
				 .link = FATHOM_LINK_UNKNOWN,
				 .warmth = FATHOM_WARMTH_UNKNOWN,
				 .page = FATHOM_PAGE_UNKNOWN},
			.page_share = NAN,
			.latency_ns = cycles ? NAN : value,
			.latency_low_ns = NAN,
			.latency_high_ns = NAN,
			.latency_cycles = cycles ? value * GHZ : NAN,
			.latency_low_cycles = NAN,
			.latency_high_cycles = NAN,
			.clock_hz = NAN,
			.overhead_ns = NAN,
			.target = NAN,
		};
	}
}

/* A cache, a step that cannot be told, a last level without an end. */
static void add_few_levels(struct fathom_result *result, size_t curve)
{
	size_t first = result->level_count;
	add_cache(result, "L1", 46 * KIB, 46 * KIB, 1.36);
	struct fathom_level *last =
		add_level(result, "L2", FATHOM_LEVEL_UNKNOWN,
			  "a slow cache or fast memory: the curve ends within this level");
	last->size_low_bytes = 2 * MIB;
	set_latency(last, 38, 1);
	struct fathom_level *step =
		add_level(result, "step 1", FATHOM_LEVEL_UNKNOWN,
			  "the step is inconclusive in slope and adds "
			  "9 %: a cache, or the reach of about 96 pages of 4 KiB");
	set_reach(step, 384 * KIB, 200 * KIB, 500 * KIB);
	step->penalty_ns = 0.4;
	step->penalty_cycles = 0.4 * GHZ;
	for (size_t i = first; i < result->level_count; i++)
		result->levels[i].curve = curve;
}

static struct fathom_result *foreign_result(unsigned octaves)
{
	struct fathom_result *result = sample_empty_result();
	fathom_machine_free(result->machine);
	result->machine = NULL;
	result->curve_count = 0;
	result->seed = 0;
	result->elapsed_s = NAN;
	result->measured_line_bytes = 0;
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz =
		result->clock_drift = NAN;
	add_curve(result, 0, octaves * 8, FATHOM_PATTERN_UNKNOWN, 1);
	/* One an octave. */
	for (size_t i = 0; i < octaves; i++) {
		struct fathom_point kept = result->curves[0].points[8 * i];
		result->curves[0].points[8 * i] = result->curves[0].points[i];
		result->curves[0].points[i] = kept;
	}
	for (size_t i = octaves; i < octaves * 8; i++) {
		free(result->curves[0].points[i].blocks_ns);
		free(result->curves[0].points[i].samples_ns);
	}
	result->curves[0].point_count = octaves;
	free(result->curves[0].points[0].samples_ns);
	return result;
}

struct fathom_result *sample_foreign_result(void)
{
	struct fathom_result *result = foreign_result(12);
	make_foreign(&result->curves[0], 128, false);
	add_curve(result, 8, 15, FATHOM_PATTERN_UNKNOWN, 0.8);
	make_foreign(&result->curves[1], 64, false);
	add_few_levels(result, 0);
	add_few_levels(result, 1);
	warnings_add(&result->warnings, "memory-not-reached", NULL, "measure larger sizes",
		     "memory was not reached: the end of the last level is not in the curve");
	return result;
}

struct fathom_result *sample_cycles_result(void)
{
	struct fathom_result *result = foreign_result(12);
	make_foreign(&result->curves[0], 0, true);
	add_few_levels(result, 0);
	for (size_t i = 0; i < result->level_count; i++) {
		result->levels[i].penalty_ns = NAN;
		result->levels[i].latency_ns = NAN;
		result->levels[i].latency_low_ns = result->levels[i].latency_high_ns = NAN;
	}
	return result;
}
