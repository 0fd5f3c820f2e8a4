/* Whether runs differ, on runs whose truth is known. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/point.h"
#include "base/rng.h"
#include "base/stats.h"
#include "base/warnings.h"
#include "fathom.h"
#include "unit.h"

#define SIZES    48 /* from 4 KiB, 4 an octave */
#define BLOCKS   9
#define MOST_RUN 8

/* L1 to 32 KiB, L2 to 1 MiB, memory. */
static const double ends_bytes[] = {32 << 10, 1 << 20, INFINITY};
static const double latency_ns[] = {1.25, 4, 90};

struct made_run {
	double factors[3];  /* of the latencies of the levels */
	double block_noise; /* standard deviation of a block */
	double run_noise;   /* of the level, in this run */
	double clock_ghz;
	uint64_t seed;
};
static const struct made_run usual = {{1, 1, 1}, 0.003, 0, 4, 1};

/* Everything of a run in one piece. */
struct run {
	struct fathom_result result;
	struct fathom_curve curve;
	struct fathom_point points[SIZES];
	double blocks_ns[SIZES][BLOCKS];
	struct fathom_level levels[3];
};
static struct run runs[MOST_RUN];

static size_t level_of(double bytes)
{
	return bytes <= ends_bytes[0] ? 0 : bytes <= ends_bytes[1] ? 1 : 2;
}

/* Caches follow the clock. */
static double level_ns(const struct made_run *made, size_t level)
{
	return latency_ns[level] * made->factors[level] * (level < 2 ? 4 / made->clock_ghz : 1);
}

static void fill_point(struct run *run, size_t i, const struct made_run *made, double level_noise,
		       struct rng *rng)
{
	double bytes = 4096 * exp2((double)i / 4), sorted[BLOCKS];
	uint64_t size_bytes = (uint64_t)bytes & ~63ull;
	size_t level = level_of((double)size_bytes);
	double ns = level_ns(made, level) * exp(level_noise);
	for (size_t block = 0; block < BLOCKS; block++)
		sorted[block] = run->blocks_ns[i][block] =
			ns * exp(made->block_noise * rng_normal(rng));
	stats_sort(sorted, BLOCKS);
	struct stats_interval interval = stats_median_interval(sorted, BLOCKS);
	double median = stats_median_sorted(sorted, BLOCKS);
	run->points[i] = (struct fathom_point){
		.spec = {.size_bytes = size_bytes,
			 .node_bytes = 64,
			 .lanes = 1,
			 .threads = 1,
			 .seed = made->seed},
		.page_bytes = 4096,
		.page_share = 1,
		.latency_ns = median,
		.latency_low_ns = interval.low,
		.latency_high_ns = interval.high,
		.latency_cycles = median * made->clock_ghz,
		.latency_low_cycles = interval.low * made->clock_ghz,
		.latency_high_cycles = interval.high * made->clock_ghz,
		.ns_per_access = NAN,
		.bandwidth_bytes_per_second = NAN,
		.blocks_ns = run->blocks_ns[i],
		.block_count = BLOCKS,
	};
}

static void fill_levels(struct run *run, const struct made_run *made)
{
	static char l1[] = "L1", l2[] = "L2", memory_name[] = "memory";
	static char *const names[] = {l1, l2, memory_name};
	for (size_t i = 0; i < 3; i++) {
		bool memory = i == 2;
		double ns = level_ns(made, i);
		run->levels[i] = (struct fathom_level){
			.name = names[i],
			.kind = memory ? FATHOM_LEVEL_MEMORY : FATHOM_LEVEL_CACHE,
			.size_bytes = memory ? NAN : ends_bytes[i],
			.size_low_bytes = memory ? NAN : ends_bytes[i],
			.size_high_bytes = memory ? NAN : ends_bytes[i],
			.at_bytes = memory ? 8 << 20 : NAN,
			.latency_ns = ns,
			.latency_low_ns = ns * 0.997,
			.latency_high_ns = ns * 1.003,
			.latency_cycles = ns * made->clock_ghz,
			.latency_low_cycles = ns * made->clock_ghz * 0.997,
			.latency_high_cycles = ns * made->clock_ghz * 1.003,
		};
	}
}

static struct fathom_run make(size_t which, const char *name, const struct made_run *made)
{
	struct run *run = &runs[which];
	struct rng rng = rng_make(made->seed);
	double noise[3];
	for (int i = 0; i < 3; i++)
		noise[i] = made->run_noise * rng_normal(&rng);
	for (size_t i = 0; i < SIZES; i++)
		fill_point(run, i, made, noise[level_of(4096 * exp2((double)i / 4))], &rng);
	fill_levels(run, made);
	run->curve = (struct fathom_curve){
		.memory_node = -1, .points = run->points, .point_count = SIZES};
	run->result = (struct fathom_result){
		.seed = made->seed,
		.clock_min_hz = made->clock_ghz * 0.99e9,
		.clock_median_hz = made->clock_ghz * 1e9,
		.clock_max_hz = made->clock_ghz * 1.01e9,
		.curves = &run->curve,
		.curve_count = 1,
		.levels = run->levels,
		.level_count = 3,
	};
	return (struct fathom_run){name, &run->result};
}

static struct made_run with(double l1, double l2, double memory, uint64_t seed)
{
	struct made_run made = usual;
	made.factors[0] = l1;
	made.factors[1] = l2;
	made.factors[2] = memory;
	made.seed = seed;
	return made;
}

static struct fathom_comparison *compare_all(const struct fathom_run *list, size_t baselines,
					     size_t others, enum fathom_unit unit)
{
	struct fathom_comparison *comparison = NULL;
	struct fathom_error error = {0};
	const struct fathom_compare_request request = {.baselines = list,
						       .baseline_count = baselines,
						       .runs = list + baselines,
						       .run_count = others,
						       .unit = unit};
	if (fathom_compare(&request, &comparison, &error))
		fail_msg("refused: %s", error.text);
	return comparison;
}

static struct fathom_comparison *compare_two(const struct made_run *a, const struct made_run *b)
{
	const struct fathom_run list[] = {make(0, "a", a), make(1, "b", b)};
	return compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
}

static void refuse(const struct fathom_run *list, size_t baselines, size_t others,
		   enum fathom_status status, const char *reason)
{
	struct fathom_comparison *untouched = NULL;
	struct fathom_error error = {0};
	const struct fathom_compare_request request = {.baselines = list,
						       .baseline_count = baselines,
						       .runs = list + baselines,
						       .run_count = others};
	assert_int_equal(fathom_compare(&request, &untouched, &error), -1);
	assert_null(untouched);
	assert_int_equal(error.status, status);
	if (!strstr(error.text, reason))
		fail_msg("'%s' lacks '%s'", error.text, reason);
	fathom_error_clear(&error);
}

static const struct fathom_compared_part *part(const struct fathom_comparison *comparison,
					       const char *name)
{
	const struct fathom_compared_run *run = &comparison->runs[0];
	for (size_t i = 0; i < run->part_count; i++)
		if (strcmp(run->parts[i].name, name) == 0)
			return &run->parts[i];
	fail_msg("there is no '%s'", name);
	return NULL;
}

/* ---- verdicts ---- */

static void a_slower_level_is_found_and_no_other(void **state)
{
	struct made_run before = usual, after = with(1, 1.05, 1, 2);
	struct fathom_comparison *found = compare_two(&before, &after);
	(void)state;
	assert_int_equal(part(found, "L1")->verdict, FATHOM_SAME);
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SLOWER);
	assert_int_equal(part(found, "memory")->verdict, FATHOM_SAME);
	assert_true(fabs(part(found, "L2")->speedup - 1 / 1.05) <= 0.003);
	assert_true(part(found, "L2")->speedup_low < 1 / 1.05);
	assert_true(part(found, "L2")->speedup_high > 1 / 1.05);
	assert_true(found->runs[0].slower);
	assert_false(found->runs[0].faster);
	fathom_comparison_free(found);
}

static void a_faster_level_is_found(void **state)
{
	struct made_run before = usual, after = with(1, 1, 0.9, 2);
	struct fathom_comparison *found = compare_two(&before, &after);
	(void)state;
	assert_int_equal(part(found, "memory")->verdict, FATHOM_FASTER);
	assert_true(fabs(part(found, "memory")->speedup - 1 / 0.9) <= 0.005);
	assert_true(found->runs[0].faster);
	assert_false(found->runs[0].slower);
	fathom_comparison_free(found);
}

/* However sure it is. */
static void what_is_under_the_threshold_is_the_same(void **state)
{
	struct made_run before = usual, after = with(1, 1.015, 1, 2);
	before.block_noise = after.block_noise = 0.0005;
	struct fathom_comparison *found = compare_two(&before, &after);
	(void)state;
	assert_true(part(found, "L2")->speedup_high < 1);
	assert_true(part(found, "L2")->probability < 0.05);
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SAME);
	assert_false(found->runs[0].slower);
	fathom_comparison_free(found);
}

static void wide_blocks_leave_it_unknown_and_say_what_would_be_seen(void **state)
{
	struct made_run before = usual, after = with(1, 1.05, 1, 2);
	before.block_noise = after.block_noise = 0.08;
	struct fathom_comparison *found = compare_two(&before, &after);
	(void)state;
	assert_int_equal(part(found, "L2")->verdict, FATHOM_VERDICT_UNKNOWN);
	assert_true(part(found, "L2")->visible > 0.05);
	assert_true(part(found, "L2")->visible < 2);
	fathom_comparison_free(found);
}

/* Runs of one state of the machine each: blocks agree, runs do not. */
static void baselines_that_spread_keep_a_run_among_them_from_being_alarmed(void **state)
{
	const double memory[] = {1, 1.06, 0.97, 1.04};
	struct fathom_run list[4];
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct made_run made = with(1, 1, memory[i], i + 1);
		list[i] = make(i, "abcd" + i, &made);
	}
	const struct fathom_run alone[] = {list[0], list[3]};
	struct fathom_comparison *one = compare_all(alone, 1, 1, FATHOM_UNIT_AUTO);
	struct fathom_comparison *three = compare_all(list, 3, 1, FATHOM_UNIT_AUTO);
	assert_int_equal(part(one, "memory")->verdict, FATHOM_SLOWER);
	assert_int_equal(part(three, "memory")->verdict, FATHOM_VERDICT_UNKNOWN);
	assert_true(fabs(part(three, "memory")->freedom - 10) <= 0);
	/* Never taken for less than the baselines show. */
	assert_true(part(three, "memory")->error > 0.043 * sqrt(1 + 1. / 3));
	fathom_comparison_free(one);
	fathom_comparison_free(three);
}

/* With five comparisons of which not one is a difference, 5 % of probability is not enough. */
static void probabilities_are_adjusted_for_the_number_of_levels(void **state)
{
	struct made_run before = usual, after = with(1.02, 1.03, 0.98, 2);
	struct fathom_comparison *found = compare_two(&before, &after);
	const struct fathom_compared_part *least = part(found, "L2");
	(void)state;
	assert_true(part(found, "L1")->probability >= least->probability);
	assert_true(part(found, "memory")->probability >= least->probability);
	assert_true(isnan(part(found, "core clock")->probability));
	fathom_comparison_free(found);
}

static void runs_are_each_held_against_the_baseline(void **state)
{
	struct made_run made[] = {usual, with(1, 1, 1, 2), with(1, 1, 1.2, 3)};
	const struct fathom_run list[] = {make(0, "a", &made[0]), make(1, "b", &made[1]),
					  make(2, "c", &made[2])};
	struct fathom_comparison *found = compare_all(list, 1, 2, FATHOM_UNIT_AUTO);
	(void)state;
	assert_int_equal(found->run_count, 2);
	assert_string_equal(found->runs[1].name, "c");
	assert_false(found->runs[0].slower);
	assert_true(found->runs[1].slower);
	fathom_comparison_free(found);
}

/* One that sees a step more, at the first TLB for example, calls L2 "L3". */
static void levels_are_the_same_by_their_sizes_not_their_names(void **state)
{
	struct made_run after = with(1, 1.1, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &after)};
	static char step[] = "L2", next[] = "L3";
	struct fathom_level levels[4];
	(void)state;
	for (int i = 0; i < 4; i++)
		levels[i] = runs[1].levels[i ? i - 1 : 0];
	levels[1].name = step;
	levels[1].size_bytes = levels[1].size_low_bytes = levels[1].size_high_bytes = 40 << 10;
	levels[2].name = next;
	runs[1].result.levels = levels;
	runs[1].result.level_count = 4;
	for (size_t first = 0; first < 2; first++) { /* whichever is the baseline */
		const struct fathom_run pair[] = {list[first], list[1 - first]};
		struct fathom_comparison *found = compare_all(pair, 1, 1, FATHOM_UNIT_AUTO);
		const struct fathom_compared_part *l2 = part(found, "L2");
		assert_int_equal(l2->verdict, first ? FATHOM_FASTER : FATHOM_SLOWER);
		assert_int_equal(l2->quantity, FATHOM_QUANTITY_CYCLES);
		assert_int_equal(found->runs[0].part_count, 4);
		fathom_comparison_free(found);
	}
}

/* ---- the clock ---- */

static void another_clock_is_told_in_a_line_of_its_own(void **state)
{
	struct made_run before = usual, after = with(1, 1, 1, 2);
	after.clock_ghz = 3.2;
	struct fathom_comparison *found = compare_two(&before, &after);
	(void)state;
	assert_int_equal(part(found, "L1")->quantity, FATHOM_QUANTITY_CYCLES);
	assert_int_equal(part(found, "L1")->verdict, FATHOM_SAME);
	assert_int_equal(part(found, "memory")->quantity, FATHOM_QUANTITY_NS);
	assert_int_equal(part(found, "core clock")->verdict, FATHOM_SLOWER);
	assert_true(fabs(part(found, "core clock")->speedup - 0.8) <= 1e-9);
	assert_true(found->runs[0].slower);
	fathom_comparison_free(found);
}

static void in_ns_the_clock_is_in_the_levels_too(void **state)
{
	struct made_run before = usual, after = with(1, 1, 1, 2);
	after.clock_ghz = 3.2;
	const struct fathom_run list[] = {make(0, "a", &before), make(1, "b", &after)};
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_NS);
	(void)state;
	assert_int_equal(part(found, "L2")->quantity, FATHOM_QUANTITY_NS);
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SLOWER);
	fathom_comparison_free(found);
}

static void a_clock_that_wandered_as_far_inside_a_run_is_not_judged(void **state)
{
	struct made_run before = usual, after = with(1, 1, 1, 2);
	after.clock_ghz = 3.2;
	const struct fathom_run list[] = {make(0, "a", &before), make(1, "b", &after)};
	runs[0].result.clock_min_hz = 3e9;
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	(void)state;
	assert_int_equal(part(found, "core clock")->verdict, FATHOM_VERDICT_UNKNOWN);
	assert_false(found->runs[0].slower);
	fathom_comparison_free(found);
}

/* ---- points ---- */

static void each_size_has_a_speedup_in_an_interval(void **state)
{
	struct made_run before = usual, after = with(1, 1, 1.1, 2);
	struct fathom_comparison *found = compare_two(&before, &after);
	const struct fathom_compared_run *run = &found->runs[0];
	size_t held = 0;
	(void)state;
	assert_int_equal(run->point_count, SIZES);
	for (size_t i = 0; i < run->point_count; i++) {
		double truth = run->points[i].spec.size_bytes > 1 << 20 ? 1 / 1.1 : 1;
		assert_true(fabs(run->points[i].speedup - truth) <= 0.01);
		assert_true(run->points[i].speedup_low <= run->points[i].speedup);
		assert_true(run->points[i].speedup_high >= run->points[i].speedup);
		held += run->points[i].speedup_low <= truth && run->points[i].speedup_high >= truth;
	}
	assert_in_range(held, SIZES * 85 / 100, SIZES);
	fathom_comparison_free(found);
}

static void the_same_words_give_the_same_numbers(void **state)
{
	struct made_run before = usual, after = with(1, 1, 1.1, 2);
	struct fathom_comparison *one = compare_two(&before, &after);
	struct fathom_comparison *two = compare_two(&before, &after);
	(void)state;
	for (size_t i = 0; i < SIZES; i++)
		assert_memory_equal(&one->runs[0].points[i].speedup_low,
				    &two->runs[0].points[i].speedup_low, sizeof(double));
	fathom_comparison_free(one);
	fathom_comparison_free(two);
}

static void other_grids_are_compared_where_they_meet(void **state)
{
	struct made_run before = usual, after = with(1, 1.05, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &before), make(1, "b", &after)};
	for (size_t i = 0; i < SIZES; i++) /* every second size, and none of the smallest */
		if (i < SIZES / 2)
			runs[1].points[i] = runs[1].points[2 * i];
	runs[1].curve.points += 2;
	runs[1].curve.point_count = SIZES / 2 - 2;
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	(void)state;
	assert_int_equal(found->runs[0].point_count, SIZES / 2 - 2);
	assert_int_equal(found->runs[0].points[0].spec.size_bytes, 4096 * 2);
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SLOWER);
	fathom_comparison_free(found);
}

static void without_a_common_size_the_fitted_levels_are_compared(void **state)
{
	struct made_run before = usual, after = with(1, 1.1, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &before), make(1, "b", &after)};
	for (size_t i = 0; i < SIZES; i++)
		runs[1].points[i].spec.size_bytes += 64 * (i % 2 ? 3 : 1);
	for (size_t i = 0; i < SIZES; i++)
		for (size_t k = 0; k < SIZES; k++)
			assert_int_not_equal(runs[0].points[i].spec.size_bytes,
					     runs[1].points[k].spec.size_bytes);
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	(void)state;
	assert_int_equal(found->runs[0].point_count, 0);
	assert_non_null(warnings_find(&found->warnings, "no-common-size"));
	assert_int_equal(part(found, "L2")->points, 0);
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SLOWER);
	assert_int_equal(part(found, "L1")->verdict, FATHOM_SAME);
	fathom_comparison_free(found);
}

static void without_blocks_and_intervals_the_scatter_of_sizes_judges(void **state)
{
	struct made_run before = usual, after = with(1, 1.5, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &before), make(1, "b", &after)};
	for (size_t i = 0; i < SIZES; i++)
		for (size_t k = 0; k < 2; k++) {
			struct fathom_point *point = &runs[k].points[i];
			point->block_count = 0;
			point->latency_low_ns = point->latency_high_ns = NAN;
			point->latency_low_cycles = point->latency_high_cycles = NAN;
		}
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	(void)state;
	assert_true(fabs(part(found, "L2")->speedup - 1 / 1.5) <= 0.01);
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SLOWER);
	assert_int_equal(part(found, "L1")->verdict, FATHOM_SAME);
	assert_true(isnan(found->runs[0].points[0].speedup_low));
	fathom_comparison_free(found);
}

/* An interval that a tool tells is one of its value: as good as a run. */
static void intervals_without_blocks_are_enough(void **state)
{
	struct made_run before = usual, after = with(1, 1.1, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &before), make(1, "b", &after)};
	for (size_t i = 0; i < SIZES; i++)
		runs[0].points[i].block_count = runs[1].points[i].block_count = 0;
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	(void)state;
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SLOWER);
	assert_true(isfinite(found->runs[0].points[0].speedup_low));
	fathom_comparison_free(found);
}

/* ---- what is not a level ---- */

static void streams_are_compared_point_by_point_and_more_is_faster(void **state)
{
	struct made_run before = usual, after = with(1, 1.1, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &before), make(1, "b", &after)};
	(void)state;
	for (size_t k = 0; k < 2; k++) {
		runs[k].result.level_count = 0;
		runs[k].curve.experiment = FATHOM_BANDWIDTH;
		runs[k].curve.point_count = 24;
		for (size_t i = 0; i < SIZES; i++) {
			struct fathom_point *point = &runs[k].points[i];
			point->spec.pattern = FATHOM_READ;
			point->bandwidth_bytes_per_second = 64e9 / point->latency_ns;
			point->bandwidth_low_bytes_per_second = 64e9 / point->latency_high_ns;
			point->bandwidth_high_bytes_per_second = 64e9 / point->latency_low_ns;
		}
	}
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	const struct fathom_compared_part *slower = part(found, "read, 1 thread, 128 KiB");
	assert_int_equal(slower->quantity, FATHOM_QUANTITY_BYTES_PER_SECOND);
	assert_int_equal(slower->verdict, FATHOM_SLOWER);
	assert_true(slower->value < slower->baseline);
	assert_true(slower->speedup < 1);
	assert_int_equal(found->runs[0].points[0].quantity, FATHOM_QUANTITY_BYTES_PER_SECOND);
	fathom_comparison_free(found);
}

/* ---- what cannot be compared, or hardly ---- */

static void the_field_that_differs_is_named(void **state)
{
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &usual)};
	struct fathom_spec *spec = &runs[1].points[0].spec;
	(void)state;
	spec->pattern = FATHOM_SEQUENTIAL;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'pattern' is random_cycle against sequential");
	spec->pattern = FATHOM_RANDOM_CYCLE;
	spec->node_bytes = 128;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'node_bytes' is 64 B against 128 B");
	spec->node_bytes = 64;
	spec->link = FATHOM_LINK_INDEX32;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'link' is pointer against index32");
	spec->link = FATHOM_LINK_POINTER;
	spec->page = FATHOM_PAGE_2M;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'page_kind' is default against 2m");
	spec->page = FATHOM_PAGE_DEFAULT;
	spec->lanes = 4;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'lanes' is 1 against 4");
	spec->lanes = 1;
	runs[1].curve.experiment = FATHOM_PATTERNS;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'experiment' is latency against patterns");
	runs[1].curve.experiment = FATHOM_LATENCY;
	runs[1].curve.relative_to_l1 = true;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'relative_to_l1' is false against true");
}

static void an_unknown_order_is_compared_with_a_warning(void **state)
{
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &usual)};
	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		struct fathom_spec *spec = &runs[1].points[i].spec;
		*spec = (struct fathom_spec){.size_bytes = spec->size_bytes,
					     .pattern = FATHOM_PATTERN_UNKNOWN,
					     .link = FATHOM_LINK_UNKNOWN,
					     .warmth = FATHOM_WARMTH_UNKNOWN,
					     .page = FATHOM_PAGE_UNKNOWN};
	}
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	assert_non_null(warnings_find(&found->warnings, "order-unknown"));
	assert_int_equal(found->runs[0].point_count, SIZES);
	fathom_comparison_free(found);
}

static void neither_a_size_nor_a_level_in_common_is_refused(void **state)
{
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &usual)};
	(void)state;
	runs[0].curve.point_count = 10;
	runs[1].curve.points += 20;
	runs[1].curve.point_count = 10;
	runs[0].result.level_count = runs[1].result.level_count = 0;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "neither a size nor a level in common");
	runs[1].curve.point_count = 0;
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "'b' has no points");
}

static void cycles_against_ns_without_a_clock_are_refused(void **state)
{
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &usual)};
	(void)state;
	for (size_t i = 0; i < SIZES; i++) {
		runs[0].points[i].latency_cycles = NAN;
		runs[1].points[i].latency_ns = NAN;
	}
	refuse(list, 1, 1, FATHOM_BAD_INPUT, "no unit in common");
}

static void cycles_are_compared_where_one_knows_nothing_else(void **state)
{
	struct made_run after = with(1, 1.1, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &after)};
	(void)state;
	for (size_t i = 0; i < SIZES; i++)
		runs[1].points[i].latency_ns = NAN;
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	assert_int_equal(found->runs[0].points[0].quantity, FATHOM_QUANTITY_CYCLES);
	assert_int_equal(part(found, "memory")->quantity, FATHOM_QUANTITY_CYCLES);
	assert_int_equal(part(found, "L2")->verdict, FATHOM_SLOWER);
	fathom_comparison_free(found);
}

static void the_same_measurement_twice_is_told(void **state)
{
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &usual),
					  make(2, "c", &usual)};
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	(void)state;
	assert_non_null(warnings_find(&found->warnings, "same-measurement"));
	assert_false(found->runs[0].slower || found->runs[0].faster);
	fathom_comparison_free(found);
	refuse(list, 2, 1, FATHOM_USAGE, "the baselines 'a' and 'b' hold the same measurement");
	refuse(list, 1, 0, FATHOM_USAGE, "needs a baseline and a run");
}

static void other_pages_and_machines_are_warned_of(void **state)
{
	struct made_run after = with(1, 1, 1, 2);
	const struct fathom_run list[] = {make(0, "a", &usual), make(1, "b", &after)};
	static char model_1[] = "Model 1", model_2[] = "Model 2";
	struct fathom_machine here = {.cpu_model = model_1}, there = {.cpu_model = model_2};
	(void)state;
	runs[0].result.machine = &here;
	runs[1].result.machine = &there;
	for (size_t i = 0; i < SIZES; i++)
		runs[1].points[i].page_bytes = 2 << 20;
	struct fathom_comparison *found = compare_all(list, 1, 1, FATHOM_UNIT_AUTO);
	assert_non_null(warnings_find(&found->warnings, "machine-differs"));
	assert_non_null(warnings_find(&found->warnings, "pages-differ"));
	assert_non_null(strstr(found->warnings.items[0].text,
			       "'cpu_model' is 'Model 1' against 'Model 2'"));
	fathom_comparison_free(found);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_slower_level_is_found_and_no_other),
	cmocka_unit_test(a_faster_level_is_found),
	cmocka_unit_test(what_is_under_the_threshold_is_the_same),
	cmocka_unit_test(wide_blocks_leave_it_unknown_and_say_what_would_be_seen),
	cmocka_unit_test(baselines_that_spread_keep_a_run_among_them_from_being_alarmed),
	cmocka_unit_test(probabilities_are_adjusted_for_the_number_of_levels),
	cmocka_unit_test(runs_are_each_held_against_the_baseline),
	cmocka_unit_test(levels_are_the_same_by_their_sizes_not_their_names),
	cmocka_unit_test(another_clock_is_told_in_a_line_of_its_own),
	cmocka_unit_test(in_ns_the_clock_is_in_the_levels_too),
	cmocka_unit_test(a_clock_that_wandered_as_far_inside_a_run_is_not_judged),
	cmocka_unit_test(each_size_has_a_speedup_in_an_interval),
	cmocka_unit_test(the_same_words_give_the_same_numbers),
	cmocka_unit_test(other_grids_are_compared_where_they_meet),
	cmocka_unit_test(without_a_common_size_the_fitted_levels_are_compared),
	cmocka_unit_test(without_blocks_and_intervals_the_scatter_of_sizes_judges),
	cmocka_unit_test(intervals_without_blocks_are_enough),
	cmocka_unit_test(streams_are_compared_point_by_point_and_more_is_faster),
	cmocka_unit_test(the_field_that_differs_is_named),
	cmocka_unit_test(an_unknown_order_is_compared_with_a_warning),
	cmocka_unit_test(neither_a_size_nor_a_level_in_common_is_refused),
	cmocka_unit_test(cycles_against_ns_without_a_clock_are_refused),
	cmocka_unit_test(cycles_are_compared_where_one_knows_nothing_else),
	cmocka_unit_test(the_same_measurement_twice_is_told),
	cmocka_unit_test(other_pages_and_machines_are_warned_of),
};
UNIT_GROUP();
