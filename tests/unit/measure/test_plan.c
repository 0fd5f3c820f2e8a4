/* Requests become plans: the sizes, the limits, and what cannot be. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/plan.h"
#include "fathom.h"
#include "measure/plan/plan.h"
#include "unit.h"

static struct fathom_machine *machine;
static struct fathom_request request;

static int open_machine(void **state)
{
	(void)state;
	fathom_request_default(&request);
	return fathom_machine_find("sim:memory=8G,l3=32M/16/lru/50c,pool2m=8", &machine, NULL);
}

static int close_machine(void **state)
{
	(void)state;
	fathom_machine_free(machine);
	return 0;
}

static void refused(enum fathom_status status, const char *word)
{
	struct fathom_plan *plan = NULL;
	struct fathom_error error = {0};
	assert_int_equal(fathom_plan_make(&request, machine, &plan, &error), -1);
	assert_null(plan);
	assert_int_equal(error.status, status);
	assert_non_null(strstr(error.text, word));
	fathom_error_clear(&error);
}

static void sizes_are_even_on_a_log_scale(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	request.max_size_bytes = 1 << 20;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	size_t count = plan_curve_end(plan, 0);
	assert_int_equal(count, 81);
	assert_int_equal(plan->specs[0].size_bytes, 1024);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(plan->specs[i].size_bytes % plan->specs[i].node_bytes, 0);
		if (i % 8 == 0)
			assert_int_equal(plan->specs[i].size_bytes, 1024 << (i / 8));
		if (i)
			assert_true(plan->specs[i].size_bytes > plan->specs[i - 1].size_bytes);
	}
	assert_int_equal(plan->always_bytes, 1 << 20);
	fathom_plan_free(plan);
}

/* Counts are not kept lap by lap, and laps need a kind of cold. */
static void laps_have_no_events(void **state)
{
	(void)state;
	fathom_request_for(&request, FATHOM_DECAY);
	request.events = "";
	refused(FATHOM_USAGE, "lap by lap");
	request.events = NULL;
	request.cold_flushed = request.cold_mapped = false;
	refused(FATHOM_USAGE, "no kind");
}

static void an_odd_largest_size_is_measured_too(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	request.max_size_bytes = 100000;
	request.per_octave = 1;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_int_equal(plan->specs[plan->spec_count - 1].size_bytes, 100000 / 64 * 64);
	fathom_plan_free(plan);
}

static void by_default_memory_is_reached(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_true(plan->always_bytes == 1u << 30);
	uint64_t largest = plan->specs[plan_curve_end(plan, 0) - 1].size_bytes;
	assert_true(largest >= 16 * (32ull << 20));
	assert_true(plan->memory_bytes >= largest);
	assert_true(plan->estimated_s > 0 && plan->estimated_s <= plan->budget_s);
	fathom_plan_free(plan);
}

/* In every run that has the time, whatever else it leaves out. */
static void the_size_at_which_memory_is_quoted_is_always_measured(void **state)
{
	(void)state;
	for (uint32_t per_octave = 1; per_octave <= 16; per_octave += 5) {
		struct fathom_plan *plan;
		size_t quoted = 0;
		request.budget_s = 10;
		request.per_octave = per_octave;
		assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
		for (size_t i = 0; i < plan_curve_end(plan, 0); i++)
			quoted += plan->specs[i].size_bytes == 1u << 30;
		assert_int_equal(quoted, 1);
		assert_true(plan->always_bytes >= 1u << 30);
		fathom_plan_free(plan);
	}
	struct fathom_plan *plan;
	request.budget_s = 1;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_true(plan->always_bytes < 1u << 30);
	fathom_plan_free(plan);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	const struct fathom_request usual = request;
	request.max_size_bytes = 1ull << 40;
	refused(FATHOM_UNABLE, "size");
	request = usual;
	request.cpu = 999;
	refused(FATHOM_USAGE, "999");
	request = usual;
	request.per_octave = 0;
	refused(FATHOM_USAGE, "octave");
	request = usual;
	request.spec.page = FATHOM_PAGE_1G;
	refused(FATHOM_UNABLE, "");
	request = usual;
	request.spec.page = FATHOM_PAGE_2M;
	request.max_size_bytes = 1 << 30; /* the pool has 16 MiB */
	refused(FATHOM_UNABLE, "");
	request = usual;
	request.min_size_bytes = 1 << 20;
	request.max_size_bytes = 1 << 10;
	refused(FATHOM_USAGE, "smallest");
}

static void plans_that_make_no_sense_are_refused(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	struct fathom_result *result;
	request.max_size_bytes = 1 << 20;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	uint64_t always = plan->always_bytes;
	plan->always_bytes = 1;
	assert_int_equal(fathom_measure(plan, machine, NULL, &result, NULL), -1);
	plan->always_bytes = always;
	plan->specs[3].pattern = FATHOM_REVERSE;
	assert_int_equal(fathom_measure(plan, machine, NULL, &result, NULL), -1);
	fathom_plan_free(plan);
}

/* The same lines in windows of 64 KiB, at every second size, from two windows on. */
static void a_random_cycle_has_a_control(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	request.max_size_bytes = 1 << 20;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	size_t count = plan_curve_end(plan, 0);
	assert_int_equal(plan->spec_count, count + 13);
	for (size_t i = count; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		assert_int_equal(spec->pattern, FATHOM_WINDOW);
		assert_int_equal(spec->window_bytes, 64 << 10);
		assert_int_equal(spec->size_bytes, plan->specs[56 + 2 * (i - count)].size_bytes);
	}
	assert_int_equal(plan->specs[count].size_bytes, 128 << 10);
	fathom_plan_free(plan);
}

/* Others in a line would come back before their lap ends. */
static void a_control_has_one_node_in_a_line(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	request.max_size_bytes = 1 << 20;
	request.spec.node_bytes = 48;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_int_equal(plan->specs[0].node_bytes, 48);
	for (size_t i = plan_curve_end(plan, 0); i < plan->spec_count; i++) {
		assert_int_equal(plan->specs[i].node_bytes, 64);
		assert_int_equal(plan->specs[i].size_bytes % 64, 0);
	}
	fathom_plan_free(plan);
}

static size_t count_curves(void)
{
	struct fathom_plan *plan;
	size_t curves = 0;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	for (size_t i = 0; i < plan->spec_count; i = plan_curve_end(plan, i))
		curves++;
	fathom_plan_free(plan);
	return curves;
}

static void a_control_is_made_where_it_tells_something(void **state)
{
	(void)state;
	request.max_size_bytes = 1 << 20;
	assert_int_equal(count_curves(), 2);
	request.spec.pattern = FATHOM_RANDOM_LAPS;
	request.spec.laps = 2;
	assert_int_equal(count_curves(), 2);
	request.spec.laps = 0;
	request.spec.pattern = FATHOM_INDEPENDENT;
	assert_int_equal(count_curves(), 2);
	request.spec.pattern = FATHOM_SEQUENTIAL;
	assert_int_equal(count_curves(), 1);
	request.spec.pattern = FATHOM_RANDOM_CYCLE;
	request.spec.node_bytes = 64 << 10; /* a window holds one */
	assert_int_equal(count_curves(), 1);
	request.spec.node_bytes = 96;
	assert_int_equal(count_curves(), 2);
	request.max_size_bytes = 128 << 10;
	assert_int_equal(count_curves(), 1);
	request.max_size_bytes = 1 << 20;
	request.control = false;
	assert_int_equal(count_curves(), 1);
}

static void both_orders_are_two_curves_of_the_same_sizes(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	request.max_size_bytes = 1 << 20;
	request.both_orders = true;
	assert_int_equal(count_curves(), 3);
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	size_t count = plan_curve_end(plan, 0);
	assert_int_equal(plan_curve_end(plan, count), 2 * count);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(plan->specs[i].pattern, FATHOM_RANDOM_CYCLE);
		assert_int_equal(plan->specs[count + i].pattern, FATHOM_INDEPENDENT);
		assert_int_equal(plan->specs[count + i].size_bytes, plan->specs[i].size_bytes);
	}
	fathom_plan_free(plan);
	request.spec.pattern = FATHOM_REVERSE;
	refused(FATHOM_USAGE, "reverse");
}

static void the_specs_of_a_curve_stand_together_and_ascend(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	struct fathom_error error = {0};
	request.max_size_bytes = 1 << 20;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	size_t count = plan_curve_end(plan, 0);
	assert_int_equal(plan_check_itself(plan, &error), 0);
	struct fathom_spec first = plan->specs[count], second = plan->specs[count + 1];
	plan->specs[count] = second;
	plan->specs[count + 1] = first;
	assert_int_equal(plan_check_itself(plan, &error), -1);
	assert_non_null(strstr(error.text, "is smaller than the spec before it"));
	fathom_error_clear(&error);
	plan->specs[count] = first;
	plan->specs[count + 1] = plan->specs[count - 1];
	assert_int_equal(plan_check_itself(plan, &error), -1);
	assert_non_null(strstr(error.text, "belongs to the curve of specs[0]"));
	fathom_error_clear(&error);
	struct fathom_spec *specs = realloc(plan->specs, 1025 * sizeof(*specs));
	assert_non_null(specs);
	plan->specs = specs;
	for (size_t i = 0; i <= 1024; i++) {
		specs[i] = first;
		specs[i].seed = i;
	}
	plan->spec_count = 1024;
	assert_int_equal(plan_check_itself(plan, NULL), 0);
	plan->spec_count = 1025;
	assert_int_equal(plan_check_itself(plan, &error), -1);
	assert_non_null(strstr(error.text, "more than 1024 curves"));
	fathom_error_clear(&error);
	fathom_plan_free(plan);
}

static void what_another_tool_measured_is_no_order_to_measure(void **state)
{
	(void)state;
	request.spec.pattern = FATHOM_PATTERN_UNKNOWN;
	refused(FATHOM_USAGE, "pattern");
}

static void the_first_size_is_not_under_the_smallest(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	request.max_size_bytes = 1 << 20;
	request.spec.node_bytes = 96;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_int_equal(plan->specs[0].size_bytes, 1056);
	fathom_plan_free(plan);
	request.max_size_bytes = 96;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_int_equal(plan->spec_count, 1);
	fathom_plan_free(plan);
}

static void a_pool_bounds_the_default(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	request.spec.page = FATHOM_PAGE_2M;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_int_equal(plan->specs[plan_curve_end(plan, 0) - 1].size_bytes, 16 << 20);
	fathom_plan_free(plan);
}

static void events_are_checked_when_asked_for(void **state)
{
	(void)state;
	struct fathom_plan *plan;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_null(plan->events);
	fathom_plan_free(plan);
	request.events = "cycles,r01c2";
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_string_equal(plan->events, "cycles,r01c2");
	fathom_plan_free(plan);
	request.events = "";
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_int_equal(strncmp(plan->events, "cycles,instructions,", 20), 0);
	fathom_plan_free(plan);
	request.events = "cycles,cycels";
	refused(FATHOM_USAGE, "'cycels'");
}

/* Sizes that settled chains are measured at; 0 after them. */
static void find_settled_sizes(bool predicting, uint64_t max_size_bytes, uint64_t sizes[16])
{
	struct fathom_plan *plan;
	fathom_request_for(&request, FATHOM_SETTLING);
	request.predicting = predicting;
	request.control = false;
	request.max_size_bytes = max_size_bytes;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	memset(sizes, 0, 16 * sizeof(*sizes));
	for (size_t i = 0; i < plan->spec_count; i++)
		sizes[i] = plan->specs[i].size_bytes;
	fathom_plan_free(plan);
}

static void predictions_take_some_of_the_settled_sizes(void **state)
{
	(void)state;
	uint64_t all[16], some[16];
	find_settled_sizes(false, 0, all);
	find_settled_sizes(true, 0, some);
	size_t found = 0, count = 0;
	for (size_t i = 0; all[i]; i++, count++)
		found += all[i] == some[found];
	assert_true(found > 1 && found < count && !some[found]);
	find_settled_sizes(true, 16 << 20, some);
	assert_int_equal(some[1], 16 << 20);
	assert_int_equal(some[2], 0);
}

#define WITH_MACHINE(test) cmocka_unit_test_setup_teardown(test, open_machine, close_machine)

static const struct CMUnitTest tests[] = {
	WITH_MACHINE(sizes_are_even_on_a_log_scale),
	WITH_MACHINE(laps_have_no_events),
	WITH_MACHINE(an_odd_largest_size_is_measured_too),
	WITH_MACHINE(by_default_memory_is_reached),
	WITH_MACHINE(the_size_at_which_memory_is_quoted_is_always_measured),
	WITH_MACHINE(what_cannot_be_is_refused),
	WITH_MACHINE(plans_that_make_no_sense_are_refused),
	WITH_MACHINE(a_random_cycle_has_a_control),
	WITH_MACHINE(a_control_has_one_node_in_a_line),
	WITH_MACHINE(a_control_is_made_where_it_tells_something),
	WITH_MACHINE(both_orders_are_two_curves_of_the_same_sizes),
	WITH_MACHINE(the_specs_of_a_curve_stand_together_and_ascend),
	WITH_MACHINE(what_another_tool_measured_is_no_order_to_measure),
	WITH_MACHINE(the_first_size_is_not_under_the_smallest),
	WITH_MACHINE(a_pool_bounds_the_default),
	WITH_MACHINE(events_are_checked_when_asked_for),
	WITH_MACHINE(predictions_take_some_of_the_settled_sizes),
};
UNIT_GROUP();
