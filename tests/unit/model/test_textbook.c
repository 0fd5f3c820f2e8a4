/* The textbook's ways to read a curve, on curves whose law and latencies are known exactly. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "document/table.h"
#include "model/textbook/share_model.h"
#include "model/textbook/textbook.h"
#include "unit.h"

#define CURVES 2
#define POINTS 160
#define LEVELS 7
#define KIB    1024.0
#define MIB    (1024 * KIB)

/* Three caches over memory; what each test changes. */
struct example {
	struct fathom_result result;
	struct fathom_curve curves[CURVES];
	struct fathom_point points[CURVES][POINTS];
	struct fathom_level levels[LEVELS];
};

static const double reaches_bytes[] = {32 * KIB, MIB, 16 * MIB};
static const double latencies[] = {1.25, 4, 20, 100};
static char level_names[][8] = {"L1", "L2", "L3", "memory"};

static struct fathom_level *add_level(struct example *example, char *name,
				      enum fathom_level_kind kind, double size_bytes,
				      double latency_ns)
{
	struct fathom_level *level = &example->levels[example->result.level_count++];
	*level = (struct fathom_level){
		.name = name,
		.kind = kind,
		.size_bytes = size_bytes,
		.size_low_bytes = size_bytes * 0.96,
		.size_high_bytes = size_bytes * 1.04,
		.latency_ns = latency_ns,
		.latency_cycles = NAN,
		.at_bytes = kind == FATHOM_LEVEL_MEMORY ? 512 * MIB : NAN,
		.penalty_ns = NAN,
		.penalty_cycles = NAN,
	};
	return level;
}

static void add_levels(struct example *example)
{
	for (size_t i = 0; i < 3; i++)
		add_level(example, level_names[i], FATHOM_LEVEL_CACHE, reaches_bytes[i],
			  latencies[i]);
	add_level(example, level_names[3], FATHOM_LEVEL_MEMORY, NAN, latencies[3]);
}

static void start(struct example *example)
{
	*example = (struct example){0};
	example->result.curves = example->curves;
	example->result.levels = example->levels;
}

static void add_point(struct fathom_curve *curve, enum fathom_pattern pattern, double bytes,
		      double latency_ns)
{
	assert_true(curve->point_count < POINTS);
	curve->points[curve->point_count++] = (struct fathom_point){
		.spec = {.size_bytes = (uint64_t)bytes, .pattern = pattern, .node_bytes = 64},
		.latency_ns = latency_ns,
		.latency_low_ns = NAN,
		.latency_high_ns = NAN,
		.latency_cycles = NAN,
		.latency_low_cycles = NAN,
		.latency_high_cycles = NAN,
	};
}

static struct fathom_curve *add_empty_curve(struct example *example)
{
	size_t at = example->result.curve_count++;
	example->curves[at].points = example->points[at];
	return &example->curves[at];
}

/* Eight sizes an octave from 4 KiB to 512 MiB, each latency by the law. */
static struct fathom_curve *add_curve(struct example *example, enum fathom_pattern pattern,
				      enum hit_law law)
{
	struct stack_level levels[3];
	struct fathom_curve *curve = add_empty_curve(example);
	for (size_t i = 0; i < 3; i++)
		levels[i] =
			(struct stack_level){reaches_bytes[i], latencies[i], {law, false, 8, 4, 0}};
	for (double octave = 12; octave <= 29; octave += 0.125) {
		double bytes = floor(exp2(octave) / 64) * 64;
		add_point(curve, pattern, bytes, stack_latency(levels, 3, latencies[3], bytes));
	}
	return curve;
}

static void explain(struct example *example)
{
	struct fathom_error error = {0};
	if (textbook_explain(&example->result, &error))
		fail_msg("%s", error.text);
}

static void finish(struct example *example)
{
	table_free_items(&reading_table, example->result.readings, example->result.reading_count);
}

static const struct fathom_reading *find(const struct example *example, size_t curve,
					 const char *name)
{
	for (size_t i = 0; i < example->result.reading_count; i++) {
		const struct fathom_reading *reading = &example->result.readings[i];
		if (reading->curve == curve && strcmp(reading->name, name) == 0)
			return reading;
	}
	fail_msg("there is no '%s' of curve %zu", name, curve);
	return NULL;
}

static const struct fathom_reading *shares(const struct example *example)
{
	return find(example, 0, "textbook share model");
}

static const struct fathom_reading *hyperbola(const struct example *example)
{
	return find(example, 0, "one-term hyperbola");
}

static const struct fathom_reading *before_cliffs(const struct example *example)
{
	return find(example, 0, "value right before the cliff");
}

static void near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance * fabs(wanted)))
		fail_msg("%.12g is not %.12g", value, wanted);
}

static void check_latencies(const struct fathom_reading *reading, const double *wanted,
			    size_t count, double tolerance)
{
	assert_int_equal(reading->latency_count, count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(isnan(reading->latency[i]), isnan(wanted[i]));
		if (!isnan(wanted[i]))
			near(reading->latency[i], wanted[i], tolerance);
	}
}

static void check_says(const struct fathom_reading *reading, const char *words)
{
	if (!strstr(reading->text, words))
		fail_msg("'%s' is not in '%s'", words, reading->text);
}

/* ---- where it holds ---- */

static void independent_accesses_give_the_exact_latencies(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	explain(&example);
	assert_int_equal(example.result.reading_count, 5);
	check_latencies(shares(&example), latencies, 4, 1e-9);
	assert_true(shares(&example)->residual < 1e-9);
	check_says(shares(&example), "It holds");
	const struct fathom_reading *fitted = find(&example, 0, "fitted levels");
	check_latencies(fitted, latencies, 4, 1e-9);
	assert_true(fitted->residual < 1e-9);
	finish(&example);
}

static void its_hyperbola_has_the_exact_constant(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	explain(&example);
	/* 32 KiB x 2.75 + 1 MiB x 16 + 16 MiB x 80 = 1359044608 ns x bytes */
	check_latencies(hyperbola(&example), (double[]){NAN, NAN, NAN, 100}, 4, 1e-9);
	assert_true(hyperbola(&example)->residual < 1e-9);
	check_says(hyperbola(&example),
		   "C is 1296 MiB\u00b7ns, like a single cache of 13 MiB (C / l) whose hits take "
		   "no time. The latencies of the share model give 1296 MiB\u00b7ns.");
	check_says(hyperbola(&example), "It holds over these sizes. Its largest error is ");
	finish(&example);
}

/* Of N = s_i, the largest size of a level, all but s_(i-1) / N is left to it. */
static void each_level_is_deduced_from_those_before(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	explain(&example);
	const struct fathom_deduction *rows = shares(&example)->deductions;
	assert_int_equal(shares(&example)->deduction_count, 4);
	for (size_t i = 0; i < 4; i++) {
		double n = i < 3 ? reaches_bytes[i] : 512 * MIB;
		assert_string_equal(rows[i].level, level_names[i]);
		near(rows[i].at_bytes, n, 1e-9);
		near(rows[i].share, i ? 1 - reaches_bytes[i - 1] / n : 1, 1e-9);
		near(rows[i].latency_there, latencies[i], 1e-9);
		near(rows[i].latency, latencies[i], 1e-9);
		near(rows[i].expected, rows[i].before + rows[i].share * latencies[i], 1e-9);
	}
	near(rows[1].before, reaches_bytes[0] * 1.25 / MIB, 1e-9);
	near(rows[0].hits_at_twice, 0.5, 1e-9);
	assert_true(isnan(rows[3].size_bytes) && isnan(rows[3].hits_at_twice));
	finish(&example);
}

/* l - C / N holds between any two cliffs, with the C of the levels before. */
static void each_level_has_its_hyperbola(void **state)
{
	(void)state;
	struct example example;
	double constant = 0;
	start(&example);
	add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	explain(&example);
	const struct fathom_deduction *rows = shares(&example)->deductions;
	assert_true(isnan(rows[0].last) && isnan(rows[0].constant));
	for (size_t i = 1; i < 4; i++) {
		constant += reaches_bytes[i - 1] * (latencies[i] - latencies[i - 1]);
		near(rows[i].last, latencies[i], 1e-9);
		near(rows[i].constant, constant, 1e-6);
		assert_true(rows[i].residual < 1e-9);
	}
	finish(&example);
}

/* With one cache that is all there is; with three L1 and L2 are taken to cost what L3 does. */
static void the_last_two_levels_are_a_law_of_their_own(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_empty_curve(&example);
	add_point(curve, FATHOM_INDEPENDENT, 32 * KIB, 1);
	add_point(curve, FATHOM_INDEPENDENT, 64 * KIB, 5.5);
	add_point(curve, FATHOM_INDEPENDENT, 128 * KIB, 7.75);
	add_level(&example, level_names[0], FATHOM_LEVEL_CACHE, 32 * KIB, 1);
	add_level(&example, level_names[3], FATHOM_LEVEL_MEMORY, NAN, 10);
	explain(&example);
	const struct fathom_reading *two = find(&example, 0, "last two levels alone");
	check_latencies(two, (double[]){1, 10}, 2, 1e-9);
	assert_true(two->residual < 1e-9 && isnan(two->values[0]));
	check_says(two, "C = s (l - l') is 0.281 MiB\u00b7ns.");
	finish(&example);

	start(&example);
	add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	explain(&example);
	two = find(&example, 0, "last two levels alone");
	assert_true(isnan(two->latency[0]) && isnan(two->latency[1]));
	near(two->latency[2], 20, 1e-9);
	assert_true(two->latency[3] < 100 && two->latency[3] > 95);
	assert_true(two->residual > 1e-4 && two->residual < 0.02);
	finish(&example);
}

/* Beyond L3 100 ns, and from there on `per_doubling` more with each doubling of the size. */
static void start_beyond_the_last(struct example *example, double per_doubling)
{
	start(example);
	struct fathom_curve *curve = add_curve(example, FATHOM_RANDOM_CYCLE, HIT_CYCLE_LRU);
	for (size_t i = 0; i < curve->point_count; i++) {
		double doublings = log2((double)curve->points[i].spec.size_bytes / (16 * MIB));
		if (doublings > 0)
			curve->points[i].latency_ns = 100 + per_doubling * doublings;
	}
	add_levels(example);
	explain(example);
}

/* No misses add less than nothing. */
static void a_curve_that_falls_has_no_hyperbola(void **state)
{
	(void)state;
	struct example example;
	start_beyond_the_last(&example, -2);
	check_latencies(hyperbola(&example), (double[]){NAN, NAN, NAN, NAN}, 4, 0);
	assert_true(isnan(hyperbola(&example)->residual));
	check_says(hyperbola(&example), "does not fit: the curve");
	assert_null(strstr(hyperbola(&example)->text, "C is"));
	finish(&example);
}

static void a_flat_curve_has_a_hyperbola_of_zero(void **state)
{
	(void)state;
	struct example example;
	start_beyond_the_last(&example, 0);
	check_latencies(hyperbola(&example), (double[]){NAN, NAN, NAN, 100}, 4, 1e-9);
	check_says(hyperbola(&example), "C is 0 MiB\u00b7ns.");
	finish(&example);
}

static void a_curve_that_goes_on_rising_has_none_that_holds(void **state)
{
	(void)state;
	struct example example;
	start_beyond_the_last(&example, 60);
	assert_true(hyperbola(&example)->residual > 0.05);
	check_says(hyperbola(&example), "It does not hold here: it assumes that a fixed number");
	check_says(hyperbola(&example), "Its largest error is ");
	finish(&example);
}

/* However many nodes a line has. */
static void what_is_drawn_anew_follows_the_shares(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	for (size_t i = 0; i < curve->point_count; i++)
		curve->points[i].spec.node_bytes = 16;
	add_levels(&example);
	explain(&example);
	check_says(shares(&example), "each of these is drawn anew");
	assert_null(strstr(shares(&example)->text, "share a line"));
	finish(&example);
}

/* Of a cycle the policy tells it. */
static void hits_past_a_cache_are_told_where_its_law_is_known(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	add_curve(&example, FATHOM_RANDOM_CYCLE, HIT_CYCLE_LRU);
	add_levels(&example);
	example.levels[1].replacement = FATHOM_REPLACEMENT_LRU;
	explain(&example);
	const struct fathom_deduction *rows = shares(&example)->deductions;
	assert_true(isnan(rows[0].hits_at_twice) && isnan(rows[2].hits_at_twice));
	assert_true(rows[1].hits_at_twice < 0.01);
	finish(&example);
}

static void several_nodes_a_line_come_near(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_RANDOM_CYCLE, HIT_SHARED_LINE);
	for (size_t i = 0; i < curve->point_count; i++)
		curve->points[i].spec.node_bytes = 16;
	add_levels(&example);
	explain(&example);
	check_says(shares(&example), "everal nodes share a line");
	double with_lines = shares(&example)->residual;
	assert_true(find(&example, 0, "fitted levels")->residual < 1e-9);
	finish(&example);

	start(&example);
	add_curve(&example, FATHOM_RANDOM_CYCLE, HIT_CYCLE_LRU);
	add_levels(&example);
	explain(&example);
	assert_true(with_lines < 0.5 * shares(&example)->residual);
	finish(&example);
}

/* ---- where it does not ---- */

/* At twice the reach an LRU cycle misses always, 10 ns; the formula takes half for hits of 1 ns,
 * and makes the rest 19. At four times that it expects 0.125 x 1 + 0.875 x 19 where there are 10.
 */
static void a_cycle_is_off_by_what_the_formula_says(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_empty_curve(&example);
	add_point(curve, FATHOM_RANDOM_CYCLE, 16 * KIB, 1);
	add_point(curve, FATHOM_RANDOM_CYCLE, 32 * KIB, 1);
	add_point(curve, FATHOM_RANDOM_CYCLE, 64 * KIB, 10);
	add_level(&example, level_names[0], FATHOM_LEVEL_CACHE, 32 * KIB, 1);
	add_level(&example, level_names[3], FATHOM_LEVEL_MEMORY, NAN, 10);
	explain(&example);
	check_latencies(shares(&example), (double[]){1, 19}, 2, 1e-9);
	finish(&example);

	/* Of two sizes l = sum(g e / E^2) / sum(g^2 / E^2), g = 1/2 and 7/8, e = 9.5 and 9.875. */
	add_point(curve, FATHOM_RANDOM_CYCLE, 256 * KIB, 10);
	example.result.readings = NULL;
	example.result.reading_count = 0;
	explain(&example);
	double last = (0.5 * 9.5 + 0.875 * 9.875) / (0.25 + 0.765625);
	check_latencies(shares(&example), (double[]){1, last}, 2, 1e-9);
	double low = (0.5 + 0.5 * last) / 10 - 1, high = (0.125 + 0.875 * last) / 10 - 1;
	near(shares(&example)->residual, sqrt((low * low + high * high) / 4), 1e-9);
	assert_int_equal(shares(&example)->value_count, 4);
	near(shares(&example)->values[1], 1, 1e-9);
	near(shares(&example)->values[2], 0.5 + 0.5 * last, 1e-9);
	near(shares(&example)->values[3], 0.125 + 0.875 * last, 1e-9);
	near(find(&example, 0, "fitted levels")->values[3], 10, 1e-9);
	assert_null(before_cliffs(&example)->values);
	assert_true(find(&example, 0, "fitted levels")->residual < 1e-9);
	check_says(shares(&example), "does not hold here");
	check_says(shares(&example), "at 64 KiB");
	finish(&example);
}

static void a_gap_ends_the_deduction(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_empty_curve(&example);
	add_point(curve, FATHOM_INDEPENDENT, 16 * KIB, 1.25);
	add_point(curve, FATHOM_INDEPENDENT, 2 * MIB, 20);
	add_point(curve, FATHOM_INDEPENDENT, 64 * MIB, 80);
	add_levels(&example);
	explain(&example);
	check_latencies(shares(&example), (double[]){1.25, NAN, NAN, NAN}, 4, 1e-12);
	assert_true(isnan(shares(&example)->residual));
	check_says(shares(&example), "gives no latency from L2 on");
	assert_true(isnan(hyperbola(&example)->residual));
	check_says(hyperbola(&example), "three sizes beyond L3; there is 1");
	check_latencies(before_cliffs(&example), (double[]){1.25, NAN, 20, NAN}, 4, 1e-12);
	check_says(before_cliffs(&example), "L2 none");
	finish(&example);
}

/* ---- the value before the cliff ---- */

static void the_point_before_a_cliff_is_told_from_the_fit(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_empty_curve(&example);
	add_point(curve, FATHOM_RANDOM_CYCLE, 16 * KIB, 1.2499); /* not "-0.0 %" */
	add_point(curve, FATHOM_RANDOM_CYCLE, 28 * KIB, 2);      /* more than the OS says it has */
	add_point(curve, FATHOM_RANDOM_CYCLE, 31 * KIB, 3);      /* above the interval's low end */
	add_point(curve, FATHOM_RANDOM_CYCLE, 512 * KIB, 4.5);
	add_point(curve, FATHOM_RANDOM_CYCLE, 15 * MIB, 19);
	add_point(curve, FATHOM_RANDOM_CYCLE, 64 * MIB, 100);
	add_levels(&example);
	example.levels[0].reported_bytes = 24 * KIB;
	explain(&example);
	check_latencies(before_cliffs(&example), (double[]){1.2499, 4.5, 19, NAN}, 4, 1e-12);
	check_says(before_cliffs(&example), "L1 +0.0 % at 16 KiB, L2 +12.5 % at 512 KiB, "
					    "L3 -5.0 % at 15 MiB. Of 3, 3 within the textbook's "
					    "bound of 15 %, 2 within 10 %.");
	assert_true(isnan(before_cliffs(&example)->residual));
	finish(&example);
}

/* ---- odd curves ---- */

static void cycles_alone_are_read_in_cycles(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	for (size_t i = 0; i < curve->point_count; i++) {
		curve->points[i].latency_cycles = 4 * curve->points[i].latency_ns;
		curve->points[i].latency_ns = NAN;
	}
	for (size_t i = 0; i < 4; i++) {
		example.levels[i].latency_cycles = 4 * latencies[i];
		example.levels[i].latency_ns = NAN;
	}
	explain(&example);
	check_latencies(shares(&example), (double[]){5, 16, 80, 400}, 4, 1e-9);
	check_latencies(find(&example, 0, "fitted levels"), (double[]){5, 16, 80, 400}, 4, 1e-9);
	check_says(hyperbola(&example), "MiB\u00b7cycles");
	finish(&example);
}

static void over_the_first_level_everything_shifts(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_PATTERN_UNKNOWN, HIT_INDEPENDENT);
	char tool[] = "tinymembench";
	curve->tool = tool;
	curve->relative_to_l1 = true;
	add_levels(&example);
	for (size_t i = 0; i < curve->point_count; i++)
		curve->points[i].latency_ns -= latencies[0];
	for (size_t i = 0; i < 4; i++)
		example.levels[i].latency_ns -= latencies[0];
	explain(&example);
	check_latencies(shares(&example), (double[]){0, 2.75, 18.75, 98.75}, 4, 1e-9);
	assert_true(shares(&example)->residual < 1e-9);
	assert_true(find(&example, 0, "fitted levels")->residual < 1e-9);
	check_says(find(&example, 0, "fitted levels"), "differences from the first level");
	check_says(before_cliffs(&example), "L1 +0 ns at");
	finish(&example);
}

static void what_was_not_measured_is_left_out(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	for (size_t i = 0; i < curve->point_count; i += 3)
		curve->points[i].latency_ns = NAN;
	add_levels(&example);
	explain(&example);
	check_latencies(shares(&example), latencies, 4, 1e-9);
	finish(&example);
	for (size_t i = 0; i < curve->point_count; i++)
		curve->points[i].latency_ns = NAN;
	example.result.readings = NULL;
	example.result.reading_count = 0;
	explain(&example);
	assert_int_equal(example.result.reading_count, 0);
}

/* Beyond the last reach the curve rises on: no level stands for that. */
static void memory_that_was_not_reached_has_no_latency(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	while (curve->points[curve->point_count - 1].spec.size_bytes > 24 * MIB)
		curve->point_count--;
	add_levels(&example);
	example.result.level_count = 3;
	explain(&example);
	check_latencies(shares(&example), latencies, 3, 1e-9);
	check_latencies(find(&example, 0, "fitted levels"), latencies, 3, 1e-9);
	assert_true(find(&example, 0, "fitted levels")->residual < 1e-9);
	check_latencies(hyperbola(&example), (double[]){NAN, NAN, NAN}, 3, 0);
	finish(&example);
}

/* A cache whose end is not in the curve is the last plateau. */
static void a_cache_without_an_end_is_the_last(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	while (curve->points[curve->point_count - 1].spec.size_bytes > 16 * MIB)
		curve->point_count--;
	add_levels(&example);
	example.result.level_count = 3;
	example.levels[2].size_bytes = NAN;
	example.levels[2].size_low_bytes = 16 * MIB;
	explain(&example);
	check_latencies(shares(&example), latencies, 3, 1e-9);
	assert_true(find(&example, 0, "fitted levels")->residual < 1e-9);
	finish(&example);
}

/* Its 0.5 ns are in what was read of memory, and not in what was read of the caches. */
static void translation_is_told_and_is_no_level(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_RANDOM_CYCLE, HIT_CYCLE_LRU);
	const struct hit_shape shape = {HIT_INDEPENDENT, false, 8, 1, 0};
	const double tlb_bytes = 384 * KIB;
	add_levels(&example);
	for (size_t i = 0; i < curve->point_count; i++)
		curve->points[i].latency_ns +=
			0.5 * (1 - hit_share(&shape,
					     (double)curve->points[i].spec.size_bytes / tlb_bytes));
	example.levels[3].latency_ns += 0.5 * (1 - tlb_bytes / (512 * MIB));
	char tlb[] = "TLB 1", step[] = "step 1", walk[] = "walk 1";
	struct fathom_level *first = add_level(&example, tlb, FATHOM_LEVEL_TLB, tlb_bytes, NAN);
	first->penalty_ns = 0.5;
	first->entries = tlb_bytes / 4096;
	explain(&example);
	const struct fathom_reading *fitted = find(&example, 0, "fitted levels");
	check_latencies(fitted, latencies, 4, 1e-9);
	assert_true(fitted->residual < 1e-9);
	check_says(fitted, "1 step of translation is added to them (what translation takes without "
			   "a step of its own, as most walks do, is in the latencies)");
	finish(&example);
	add_level(&example, step, FATHOM_LEVEL_UNKNOWN, 4 * MIB, NAN);
	example.result.readings = NULL;
	example.result.reading_count = 0;
	explain(&example);
	check_says(find(&example, 0, "fitted levels"),
		   "1 step of translation and 1 unknown step are added");
	assert_int_equal(shares(&example)->latency_count, 4);
	finish(&example);
	add_level(&example, walk, FATHOM_LEVEL_TLB, 16 * MIB, NAN)->entries = NAN;
	example.result.readings = NULL;
	example.result.reading_count = 0;
	explain(&example);
	check_says(find(&example, 0, "fitted levels"), "a step of its own is in the latencies)");
	finish(&example);
}

static void one_level_leaves_the_textbook_nothing(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_empty_curve(&example);
	add_point(curve, FATHOM_RANDOM_CYCLE, 4 * KIB, 5);
	add_point(curve, FATHOM_RANDOM_CYCLE, 16 * KIB, 5);
	add_level(&example, level_names[0], FATHOM_LEVEL_CACHE, NAN, 5)->size_low_bytes = 16 * KIB;
	explain(&example);
	assert_int_equal(example.result.reading_count, 1);
	check_latencies(find(&example, 0, "fitted levels"), (double[]){5}, 1, 0);
	near(1 + find(&example, 0, "fitted levels")->residual, 1, 1e-12);
	finish(&example);
}

static void curves_without_levels_have_no_readings(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	explain(&example);
	assert_int_equal(example.result.reading_count, 0);
	add_curve(&example, FATHOM_WINDOW, HIT_CYCLE_LRU);
	add_empty_curve(&example);
	explain(&example);
	assert_int_equal(example.result.reading_count, 0);
}

/* Both orders went through the same caches; what was found in one holds for the other. */
static void the_independent_order_is_read_by_the_levels_of_the_cycle(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	add_curve(&example, FATHOM_RANDOM_CYCLE, HIT_CYCLE_LRU);
	add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	explain(&example);
	assert_int_equal(example.result.reading_count, 10);
	assert_true(find(&example, 0, "fitted levels")->residual < 1e-9);
	assert_true(find(&example, 1, "fitted levels")->residual < 1e-9);
	assert_true(shares(&example)->residual > 0.1);
	assert_true(find(&example, 1, "textbook share model")->residual < 1e-9);
	finish(&example);
}

static void explaining_again_replaces_the_readings(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	add_curve(&example, FATHOM_INDEPENDENT, HIT_INDEPENDENT);
	add_levels(&example);
	explain(&example);
	explain(&example);
	assert_int_equal(example.result.reading_count, 5);
	finish(&example);
}

/* What replaced a cache's lines decides its share: the fitted curve follows each law. */
static void the_fitted_levels_follow_their_replacement(void **state)
{
	(void)state;
	static const struct {
		enum hit_law law;
		enum fathom_replacement replacement;
	} cases[] = {
		{HIT_CYCLE_LRU, FATHOM_REPLACEMENT_LRU},
		{HIT_CYCLE_RANDOM, FATHOM_REPLACEMENT_RANDOM},
		{HIT_CYCLE_RESISTANT, FATHOM_REPLACEMENT_RESISTANT},
		{HIT_CYCLE_RESISTANT, FATHOM_REPLACEMENT_UNDECIDABLE},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct example example;
		start(&example);
		add_curve(&example, FATHOM_RANDOM_CYCLE, cases[i].law);
		add_levels(&example);
		for (size_t k = 0; k < 3; k++)
			example.levels[k].replacement = cases[i].replacement;
		explain(&example);
		assert_true(find(&example, 0, "fitted levels")->residual < 1e-9);
		finish(&example);
	}
}

/* Half as long again at the largest size of 24 that are well past the last cache. */
static void memory_is_read_from_all_sizes_past_the_caches(void **state)
{
	(void)state;
	struct example example;
	start(&example);
	struct fathom_curve *curve = add_curve(&example, FATHOM_RANDOM_CYCLE, HIT_CYCLE_LRU);
	add_levels(&example);
	curve->points[curve->point_count - 1].latency_ns *= 1.5;
	example.levels[3].latency_ns *= 1.5;
	explain(&example);
	near(find(&example, 0, "fitted levels")->latency[3], 100, 0.03);
	finish(&example);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(independent_accesses_give_the_exact_latencies),
	cmocka_unit_test(its_hyperbola_has_the_exact_constant),
	cmocka_unit_test(each_level_is_deduced_from_those_before),
	cmocka_unit_test(each_level_has_its_hyperbola),
	cmocka_unit_test(the_last_two_levels_are_a_law_of_their_own),
	cmocka_unit_test(a_curve_that_falls_has_no_hyperbola),
	cmocka_unit_test(a_flat_curve_has_a_hyperbola_of_zero),
	cmocka_unit_test(a_curve_that_goes_on_rising_has_none_that_holds),
	cmocka_unit_test(what_is_drawn_anew_follows_the_shares),
	cmocka_unit_test(hits_past_a_cache_are_told_where_its_law_is_known),
	cmocka_unit_test(several_nodes_a_line_come_near),
	cmocka_unit_test(a_cycle_is_off_by_what_the_formula_says),
	cmocka_unit_test(a_gap_ends_the_deduction),
	cmocka_unit_test(the_point_before_a_cliff_is_told_from_the_fit),
	cmocka_unit_test(cycles_alone_are_read_in_cycles),
	cmocka_unit_test(over_the_first_level_everything_shifts),
	cmocka_unit_test(what_was_not_measured_is_left_out),
	cmocka_unit_test(memory_that_was_not_reached_has_no_latency),
	cmocka_unit_test(a_cache_without_an_end_is_the_last),
	cmocka_unit_test(translation_is_told_and_is_no_level),
	cmocka_unit_test(one_level_leaves_the_textbook_nothing),
	cmocka_unit_test(curves_without_levels_have_no_readings),
	cmocka_unit_test(the_independent_order_is_read_by_the_levels_of_the_cycle),
	cmocka_unit_test(explaining_again_replaces_the_readings),
	cmocka_unit_test(the_fitted_levels_follow_their_replacement),
	cmocka_unit_test(memory_is_read_from_all_sizes_past_the_caches),
};
UNIT_GROUP();
