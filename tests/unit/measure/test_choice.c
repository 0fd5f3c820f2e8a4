/* Which points are left where there is no time for all. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "measure/schedule/choice.h"
#include "unit.h"

#define SIZES  17
#define VISITS 6

static struct fathom_spec specs[64];
static struct fathom_plan plan;
static struct choice choice;

/* From 1 KiB on, an octave apart. */
static void make_sizes(enum fathom_experiment experiment, size_t count)
{
	plan = (struct fathom_plan){.experiment = experiment, .specs = specs, .spec_count = count};
	for (size_t i = 0; i < count; i++)
		specs[i] = (struct fathom_spec){.pattern = FATHOM_WRITE,
						.size_bytes = 1024ull << i,
						.node_bytes = 64,
						.lanes = 1,
						.threads = 1};
	assert_int_equal(choice_open(&choice, &plan, NULL), 0);
}

static void set_costs(double cost_s)
{
	for (size_t i = 0; i < choice.count; i++)
		choice.units[i].cost_s = cost_s;
}

static size_t count_wanted(void)
{
	size_t wanted = 0;
	for (size_t i = 0; i < choice.count; i++)
		wanted += choice.units[i].wanted;
	return wanted;
}

/* Where all cost the same, every second goes, then every fourth: the ends stay. */
static void sizes_are_thinned_out_evenly(void **state)
{
	(void)state;
	make_sizes(FATHOM_BANDWIDTH, SIZES);
	set_costs(1);
	for (size_t keep = SIZES; keep >= 2; keep--) {
		choice_trim(&choice, VISITS, (double)(keep * VISITS));
		assert_int_equal(count_wanted(), keep);
		assert_true(choice.units[0].wanted && choice.units[SIZES - 1].wanted);
		size_t step = keep >= 9 ? 2 : keep >= 5 ? 4 : keep >= 3 ? 8 : 16;
		for (size_t i = 0; i < SIZES; i += step)
			assert_true(choice.units[i].wanted);
	}
	choice_trim(&choice, VISITS, 0);
	assert_int_equal(count_wanted(), 1);
	choice_close(&choice);
}

/* A size that costs more than all others together is worth less, unless it is an end. */
static void what_is_dear_goes_first(void **state)
{
	(void)state;
	make_sizes(FATHOM_BANDWIDTH, SIZES);
	set_costs(1);
	choice.units[8].cost_s = 100;
	choice_trim(&choice, VISITS, 40 * VISITS);
	assert_int_equal(count_wanted(), SIZES - 1);
	assert_false(choice.units[8].wanted);
	choice_close(&choice);
}

/* An end is worth so much that others go before it, and are back once it has no room all the same.
 */
static void what_has_room_after_all_is_back(void **state)
{
	(void)state;
	make_sizes(FATHOM_BANDWIDTH, SIZES);
	set_costs(1);
	choice.units[SIZES - 1].cost_s = 50;
	choice_trim(&choice, VISITS, 40 * VISITS);
	assert_int_equal(count_wanted(), SIZES - 1);
	assert_false(choice.units[SIZES - 1].wanted);
	choice_close(&choice);
}

/* What has some of its visits needs less. */
static void visits_count(void **state)
{
	(void)state;
	make_sizes(FATHOM_BANDWIDTH, 2);
	set_costs(1);
	assert_true(choice_missing_s(&choice, VISITS) == 2 * VISITS);
	choice.units[1].visits = 4;
	assert_true(choice_missing_s(&choice, VISITS) == VISITS + 2);
	choice.units[0].visits = VISITS + 3;
	assert_true(choice_missing_s(&choice, VISITS) == 2);
	choice_close(&choice);
}

/* Between two sizes that were visited a cost lies between theirs; past the last it grows. */
static void costs_are_told_by_what_was_visited(void **state)
{
	(void)state;
	make_sizes(FATHOM_BANDWIDTH, SIZES);
	choice.units[4].visits = choice.units[8].visits = 1;
	choice.units[4].cost_s = 1;
	choice.units[8].cost_s = 3;
	choice_estimate(&choice);
	assert_true(choice.units[2].cost_s == 1);
	assert_true(choice.units[6].cost_s > 1 && choice.units[6].cost_s < 2);
	for (size_t i = 9; i < SIZES; i++)
		assert_true(choice.units[i].cost_s >= choice.units[i - 1].cost_s);
	choice_close(&choice);
}

static void make_lanes(uint32_t lanes)
{
	plan = (struct fathom_plan){
		.experiment = FATHOM_PARALLELISM, .specs = specs, .spec_count = 2 * lanes};
	for (uint32_t i = 0; i < 2 * lanes; i++)
		specs[i] =
			(struct fathom_spec){.pattern = FATHOM_RANDOM_CYCLE,
					     .axis = FATHOM_AXIS_LANES,
					     .page = i < lanes ? FATHOM_PAGE_THP : FATHOM_PAGE_4K,
					     .size_bytes = 1 << 20,
					     .node_bytes = 64,
					     .lanes = i % lanes + 1,
					     .threads = 1};
	assert_int_equal(choice_open(&choice, &plan, NULL), 0);
	set_costs(1);
}

/* One lane and the most stay, then others evenly; the second kind of page goes before the first. */
static void curves_along_lanes_keep_their_first(void **state)
{
	(void)state;
	make_lanes(32);
	for (size_t keep = 64; keep >= 2; keep--) {
		choice_trim(&choice, VISITS, (double)(keep * VISITS));
		for (size_t first = 0; first < 64; first += 32) {
			size_t wanted = 0;
			for (size_t i = first; i < first + 32; i++)
				wanted += choice.units[i].wanted;
			assert_true(wanted == 0 || (wanted >= 2 && choice.units[first].wanted));
		}
		assert_true(choice.units[0].wanted && choice.units[31].wanted);
		for (size_t lanes = 8; keep >= 7 && lanes < 32; lanes += 8)
			assert_true(choice.units[lanes - 1].wanted);
		for (size_t lanes = 4; keep >= 12 && lanes < 32; lanes += 4)
			assert_true(choice.units[lanes - 1].wanted);
	}
	choice_close(&choice);
}

/* Without one lane a curve tells nothing: that warming takes it longer is no reason to drop it.
 * What streams take tells nothing of lanes. */
static void streams_do_not_tell_what_lanes_take(void **state)
{
	(void)state;
	make_lanes(32);
	choice_close(&choice);
	for (size_t i = 0; i < 32; i++) {
		specs[i].pattern = FATHOM_SEPARATE_CYCLES;
		specs[i].size_bytes = 128ull << 20;
		specs[i].node_bytes = 4;
	}
	specs[32] = (struct fathom_spec){
		.pattern = FATHOM_READ, .size_bytes = 1 << 20, .node_bytes = 64, .threads = 2};
	plan.spec_count = 33;
	assert_int_equal(choice_open(&choice, &plan, NULL), 0);
	double usual_s = choice.units[0].usual_s, even_s = usual_s;
	for (size_t lanes = 8; lanes <= 32; lanes += 8)
		even_s += choice.units[lanes - 1].usual_s;
	choice.units[32].visits = 1;
	choice.units[32].cost_s = 20 * choice.units[32].usual_s;
	choice_estimate(&choice);
	assert_true(choice.units[0].cost_s == usual_s);
	choice_trim(&choice, VISITS, 1.1 * VISITS * even_s);
	assert_int_equal(count_wanted(), 5 + 1);
	assert_true(choice.units[0].wanted);
	for (size_t lanes = 8; lanes <= 32; lanes += 8)
		assert_true(choice.units[lanes - 1].wanted);
	choice_close(&choice);
}

/* Of a pair both are one unit, of a curve of laps all. */
static void what_is_held_against_each_other_stays_together(void **state)
{
	(void)state;
	make_sizes(FATHOM_PAGES, 8);
	choice_close(&choice);
	for (size_t i = 4; i < 8; i++) {
		specs[i] = specs[i - 4];
		specs[i].page = FATHOM_PAGE_THP;
	}
	assert_int_equal(choice_open(&choice, &plan, NULL), 0);
	assert_int_equal(choice.count, 4);
	assert_int_equal(choice.unit_of[5], choice.unit_of[1]);
	assert_true(choice_is_pair(&plan, &specs[1], &specs[5]));
	assert_false(choice_is_pair(&plan, &specs[1], &specs[6]));
	choice_close(&choice);
	make_sizes(FATHOM_DECAY, 6);
	choice_close(&choice);
	for (size_t i = 0; i < 6; i++) {
		specs[i] = specs[0];
		specs[i].axis = FATHOM_AXIS_LAP;
		specs[i].lap = (uint32_t)i + 1;
	}
	assert_int_equal(choice_open(&choice, &plan, NULL), 0);
	assert_int_equal(choice.count, 1);
	choice_close(&choice);
}

static void a_visit_is_wanted_once_more_where_one_is_not_believed(void **state)
{
	(void)state;
	make_sizes(FATHOM_BANDWIDTH, 3);
	assert_int_equal(choice_next(&choice), 0);
	choice.units[0].visits = 1;
	choice.units[0].again = true;
	assert_int_equal(choice_next(&choice), 0);
	choice.units[0].again = false;
	assert_int_equal(choice_next(&choice), 2); /* the other end */
	choice.units[1].visits = choice.units[2].visits = 1;
	assert_int_equal(choice_next(&choice), 3);
	choice_close(&choice);
}

static void a_plan_is_thinned(void **state)
{
	(void)state;
	make_sizes(FATHOM_BANDWIDTH, SIZES);
	double all_s = choice_missing_s(&choice, VISITS);
	choice_close(&choice);
	assert_true(choice_ends_s(&plan) < all_s);
	assert_int_equal(choice_thin(&plan, all_s * 1.001, NULL), 0);
	assert_int_equal(plan.spec_count, SIZES);
	assert_int_equal(choice_thin(&plan, all_s / 2, NULL), 0);
	assert_true(plan.spec_count < SIZES && plan.spec_count > 2);
	assert_int_equal(specs[0].size_bytes, 1024);
	for (size_t i = 1; i < plan.spec_count; i++)
		assert_true(specs[i].size_bytes > specs[i - 1].size_bytes);
}

static void separate_cycles_are_built_for_each_number_of_lanes(void **state)
{
	(void)state;
	struct fathom_spec one = {.pattern = FATHOM_RANDOM_CYCLE,
				  .axis = FATHOM_AXIS_LANES,
				  .size_bytes = 128ull << 20,
				  .node_bytes = 4,
				  .lanes = 8};
	struct fathom_spec separate = one, whole_lines = one;
	separate.pattern = FATHOM_SEPARATE_CYCLES;
	whole_lines.node_bytes = 64;
	assert_true(choice_usual_s(&separate) > 10 * choice_usual_s(&one));
	assert_true(choice_usual_s(&one) > choice_usual_s(&whole_lines)); /* more nodes */
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(sizes_are_thinned_out_evenly),
	cmocka_unit_test(what_is_dear_goes_first),
	cmocka_unit_test(what_has_room_after_all_is_back),
	cmocka_unit_test(visits_count),
	cmocka_unit_test(costs_are_told_by_what_was_visited),
	cmocka_unit_test(curves_along_lanes_keep_their_first),
	cmocka_unit_test(streams_do_not_tell_what_lanes_take),
	cmocka_unit_test(what_is_held_against_each_other_stays_together),
	cmocka_unit_test(a_visit_is_wanted_once_more_where_one_is_not_believed),
	cmocka_unit_test(a_plan_is_thinned),
	cmocka_unit_test(separate_cycles_are_built_for_each_number_of_lanes),
};
UNIT_GROUP();
