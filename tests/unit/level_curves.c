#include "level_curves.h"

#include <math.h>
#include <stdlib.h>

#include "base/warnings.h"
#include "document/table.h"
#include "model/levels/levels.h"
#include "unit.h"

const struct known_step three_caches[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{2 * 1048576.0, 15.5, {HIT_CYCLE_LRU, true, 16, 1, 0}, false},
	{12 * 1048576.0, 70.0, {HIT_CYCLE_LRU, true, 12, 1, 0}, false},
};

const struct known_step with_tlb[] = {
	{48 * 1024.0, 3.0, {HIT_CYCLE_LRU, false, 12, 1, 0}, false},
	{256 * 1024.0, 2.0, {HIT_INDEPENDENT, false, 4, 1, 0}, true},
	{2 * 1048576.0, 85.0, {HIT_CYCLE_LRU, false, 16, 1, 0}, false},
};

struct known_curve usual(void)
{
	return (struct known_curve){
		.first_bytes = 4096,
		.last_bytes = 256 * 1048576.0,
		.per_octave = 4,
		.base = 1.5,
		.steps = three_caches,
		.step_count = 3,
		.noise = 0.005,
		.clock_ghz = 3.2,
		.seed = 1,
	};
}

struct known_curve with_steps(const struct known_step *steps, size_t count)
{
	struct known_curve known = usual();
	known.steps = steps;
	known.step_count = count;
	return known;
}

struct fathom_result fit(const struct known_curve *known, size_t count)
{
	struct fathom_result result = {.curves = calloc(count, sizeof(*result.curves)),
				       .curve_count = count};
	for (size_t i = 0; i < count; i++)
		result.curves[i] = make_curve(&known[i]);
	assert_int_equal(levels_find(&result, NULL, NULL, NULL), 0);
	return result;
}

void release(struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		free(result->curves[i].points);
	free(result->curves);
	table_free_items(&level_table, result->levels, result->level_count);
	table_free_items(&hypothesis_table, result->hypotheses, result->hypothesis_count);
	warnings_free(&result->warnings);
}

size_t count_kind(const struct fathom_result *result, enum fathom_level_kind kind)
{
	size_t count = 0;
	for (size_t i = 0; i < result->level_count; i++)
		count += result->levels[i].kind == kind;
	return count;
}

void assert_near(double value, double truth, double share)
{
	if (!(fabs(value / truth - 1) <= share))
		fail_msg("%g is not within %g %% of %g", value, 100 * share, truth);
}

void assert_cache(const struct fathom_level *level, const char *name, double reach_bytes,
		  double latency_ns)
{
	assert_int_equal(level->kind, FATHOM_LEVEL_CACHE);
	assert_string_equal(level->name, name);
	assert_near(level->size_bytes, reach_bytes, 0.25);
	assert_true(level->size_low_bytes <= 1.05 * reach_bytes);
	assert_true(level->size_high_bytes >= 0.95 * reach_bytes);
	assert_true(level->size_low_bytes <= level->size_bytes);
	assert_true(level->size_bytes <= level->size_high_bytes);
	assert_near(level->latency_ns, latency_ns, 0.10);
	assert_true(level->latency_low_ns <= level->latency_ns);
	assert_true(level->latency_ns <= level->latency_high_ns);
	assert_true(level->confidence > 0.8 && level->confidence <= 1);
	assert_non_null(level->evidence);
}

void assert_three(const struct fathom_result *result)
{
	size_t caches = 0;
	for (size_t i = 0; i < result->level_count; i++)
		caches += result->levels[i].curve == 0 &&
			  result->levels[i].kind == FATHOM_LEVEL_CACHE;
	assert_int_equal(caches, 3);
	assert_cache(&result->levels[0], "L1", 48 * 1024.0, 1.5);
	assert_cache(&result->levels[1], "L2", 2 * 1048576.0, 4.5);
	assert_cache(&result->levels[2], "L3", 12 * 1048576.0, 20);
	assert_int_equal(result->levels[3].kind, FATHOM_LEVEL_MEMORY);
	assert_near(result->levels[3].latency_ns, 90, 0.05);
}
