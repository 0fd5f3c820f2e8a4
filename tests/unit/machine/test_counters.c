/* What groups of counters say, behind a door that plays the kernel. */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/point.h"
#include "fake_counters.h"
#include "unit.h"

static struct counters *open_counters(struct fake *fake, const char *list)
{
	struct counter_events events;
	struct counters *counters = NULL;
	struct fathom_error error = {0};
	const struct counters_door door = fake_door(fake);
	assert_int_equal(counter_events_parse(list, &events, &error), 0);
	if (counters_open(&events, 0, &door, &counters, &error))
		fail_msg("%s", error.text);
	counter_events_free(&events); /* they were copied */
	return counters;
}

/* An access takes a ns. */
static void run(struct fake *fake, struct counters *counters, unsigned steps)
{
	counters_start(counters);
	for (unsigned i = 0; i < steps; i++)
		fake_pass(fake, STEP_NS);
	counters_stop(counters, (double)steps * STEP_NS);
}

static void finish(struct fake *fake, struct counters *counters, struct fathom_count *counts,
		   size_t count)
{
	counts_free(counts, count);
	counters_close(counters);
	assert_true(fake_all_closed(fake));
}

static struct fathom_count *read_counts(const struct counters *counters)
{
	struct fathom_count *counts = counters_read(counters);
	assert_non_null(counts);
	return counts;
}

/* Nothing measured: no number, and a reason. */
static void assert_absent(const struct fathom_count *count, enum fathom_count_state state,
			  const char *reason, const char *hint)
{
	assert_int_equal(count->state, state);
	assert_true(isnan(count->per_access));
	assert_true(isnan(count->running_share));
	assert_string_equal(count->reason, reason);
	if (hint)
		assert_string_equal(count->hint, hint);
	else
		assert_null(count->hint);
}

/* The calls between start and stop count a little as well. */
static void assert_counted(const struct fathom_count *count, enum fathom_count_state state,
			   double per_access, double running_share)
{
	assert_int_equal(count->state, state);
	assert_float_equal(count->per_access, per_access, 0.001 * per_access);
	assert_float_equal(count->running_share, running_share, 0.001);
	assert_null(count->reason);
	assert_null(count->hint);
}

static void test_all_fit(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3,r5,instructions,r7");
	run(&fake, counters, 100);
	run(&fake, counters, 50);
	struct fathom_count *counts = read_counts(counters);
	assert_string_equal(counts[0].event, "r3");
	assert_string_equal(counts[2].event, "instructions");
	assert_counted(&counts[0], FATHOM_COUNTED, 3, 1);
	assert_counted(&counts[1], FATHOM_COUNTED, 5, 1);
	assert_counted(&counts[2], FATHOM_COUNTED, 1, 1);
	assert_counted(&counts[3], FATHOM_COUNTED, 7, 1);
	assert_true(counts[0].running_share == 1); /* exactly */
	finish(&fake, counters, counts, 4);
}

static void test_time_between_runs_is_not_counted(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3");
	fake_pass(&fake, 1000000);
	run(&fake, counters, 100);
	fake_pass(&fake, 1000000);
	struct fathom_count *counts = read_counts(counters);
	assert_counted(&counts[0], FATHOM_COUNTED, 3, 1);
	finish(&fake, counters, counts, 1);
}

static void test_reset_forgets(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3");
	run(&fake, counters, 100);
	fake.events[0].attr.config = 4;
	counters_reset(counters);
	run(&fake, counters, 200);
	struct fathom_count *counts = read_counts(counters);
	assert_counted(&counts[0], FATHOM_COUNTED, 4, 1);
	finish(&fake, counters, counts, 1);
}

/* Before any run nothing is known: no 0. */
static void test_nothing_run(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3");
	struct fathom_count *counts = read_counts(counters);
	assert_absent(&counts[0], FATHOM_NOT_COUNTED, "its counter was not running during any run",
		      NULL);
	finish(&fake, counters, counts, 1);
}

static void test_a_counter_may_read_zero(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "cycles"); /* config 0 */
	run(&fake, counters, 1);
	struct fathom_count *counts = read_counts(counters);
	assert_counted(&counts[0], FATHOM_COUNTED, 0, 1);
	finish(&fake, counters, counts, 1);
}

/* Switching on and off takes as long as the run, and is not in what is told of it. */
static void test_own_cost_is_subtracted(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8, .slow_call_ns = 5000};
	struct counters *counters = open_counters(&fake, "r3,r5,instructions");
	for (int i = 0; i < 10; i++)
		run(&fake, counters, 10);
	struct fathom_count *counts = read_counts(counters);
	assert_counted(&counts[0], FATHOM_COUNTED, 3, 1);
	assert_counted(&counts[1], FATHOM_COUNTED, 5, 1);
	assert_counted(&counts[2], FATHOM_COUNTED, 1, 1);
	finish(&fake, counters, counts, 3);
}

/* One of three runs of nothing is disturbed while it is learnt what such a run counts. */
static void test_own_cost_stands_disturbances(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8, .slow_call_ns = 5000, .disturbed_every = 3};
	struct counters *counters = open_counters(&fake, "r3");
	fake.disturbed_every = 0;
	for (int i = 0; i < 10; i++)
		run(&fake, counters, 10);
	struct fathom_count *counts = read_counts(counters);
	assert_counted(&counts[0], FATHOM_COUNTED, 3, 1);
	finish(&fake, counters, counts, 1);
}

static void test_runs_without_accesses(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3");
	run(&fake, counters, 0);
	struct fathom_count *counts = read_counts(counters);
	assert_absent(&counts[0], FATHOM_NOT_COUNTED,
		      "its counter was not running during any access", NULL);
	finish(&fake, counters, counts, 1);
}

static void test_no_pmu(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8, .refuse = ENOENT, .root = MACHINES "/guest-container"};
	struct counters *counters = open_counters(&fake, "r3,instructions");
	run(&fake, counters, 10);
	counters_reset(counters);
	struct fathom_count *counts = read_counts(counters);
	for (size_t i = 0; i < 2; i++)
		assert_absent(&counts[i], FATHOM_NOT_SUPPORTED,
			      "there are no hardware counters here", NULL);
	assert_int_equal(fake.opened, 0);
	finish(&fake, counters, counts, 2);
}

static void test_no_such_event(void **state)
{
	(void)state;
	static const int errors[] = {ENOENT, EINVAL, EOPNOTSUPP, ENODEV};
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
		struct fake fake = {.counters = 8, .refuse = errors[i], .refuse_config = 5};
		struct counters *counters = open_counters(&fake, "r3,r5,r7");
		run(&fake, counters, 100);
		struct fathom_count *counts = read_counts(counters);
		assert_counted(&counts[0], FATHOM_COUNTED, 3, 1);
		assert_absent(&counts[1], FATHOM_NOT_SUPPORTED,
			      "the counters of this CPU do not have this event", NULL);
		assert_counted(&counts[2], FATHOM_COUNTED, 7, 1);
		finish(&fake, counters, counts, 3);
	}
}

static void test_event_without_a_code(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counter_event item = {.name = (char[]){"page_walks"}, .missing = "nobody knows"};
	const struct counter_events events = {&item, 1};
	const struct counters_door door = fake_door(&fake);
	struct counters *counters;
	assert_int_equal(counters_open(&events, 0, &door, &counters, NULL), 0);
	struct fathom_count *counts = read_counts(counters);
	assert_absent(&counts[0], FATHOM_NOT_SUPPORTED, "nobody knows", NULL);
	assert_int_equal(fake.calls, 0);
	finish(&fake, counters, counts, 1);
}

static void test_not_permitted(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8, .refuse = EACCES};
	struct counters *counters = open_counters(&fake, "r3");
	run(&fake, counters, 10);
	struct fathom_count *counts = read_counts(counters);
	assert_absent(&counts[0], FATHOM_NOT_PERMITTED,
		      "kernel.perf_event_paranoid is 3: above 2 only root may use counters",
		      "sudo sysctl kernel.perf_event_paranoid=2");
	finish(&fake, counters, counts, 1);
}

/* The kernel says no to a third member: it leads a group of its own. */
static void test_group_that_is_too_large(void **state)
{
	(void)state;
	static const int errors[] = {EINVAL, ENOSPC};
	for (size_t i = 0; i < 2; i++) {
		struct fake fake = {.counters = 8, .most_in_group = 1, .group_error = errors[i]};
		struct counters *counters = open_counters(&fake, "r3,r5,r7,r9");
		run(&fake, counters, 100);
		struct fathom_count *counts = read_counts(counters);
		for (size_t k = 0; k < 4; k++)
			assert_counted(&counts[k], FATHOM_COUNTED, 3 + 2 * (double)k, 1);
		assert_int_equal(fake.opened, 4);
		assert_int_equal(fake.events[3].leader, 3);
		finish(&fake, counters, counts, 4);
	}
}

/* Two counters for three groups of two: each has every third run, all of it. */
static void test_groups_take_turns(void **state)
{
	(void)state;
	struct fake fake = {.counters = 2};
	struct counters *counters = open_counters(&fake, "r1,r2,r3,r4,r5,r6");
	run(&fake, counters, 100);
	run(&fake, counters, 200);
	run(&fake, counters, 300);
	struct fathom_count *counts = read_counts(counters);
	for (size_t i = 0; i < 6; i++)
		assert_counted(&counts[i], FATHOM_SCALED, (double)i + 1, (double)(i / 2 + 1) / 6);
	counts_free(counts, 6);

	counters_reset(counters);
	run(&fake, counters, 100);
	counts = read_counts(counters);
	assert_counted(&counts[0], FATHOM_COUNTED, 1, 1);
	assert_absent(&counts[2], FATHOM_NOT_COUNTED, "its counter was not running during any run",
		      NULL);
	finish(&fake, counters, counts, 6);
}

/* What fits together is counted together. */
static void test_turns_are_as_few_as_possible(void **state)
{
	(void)state;
	struct fake fake = {.counters = 5};
	struct counters *counters = open_counters(&fake, "r1,r2,r3,r4,r5,r6,r7");
	run(&fake, counters, 100);
	run(&fake, counters, 100);
	struct fathom_count *counts = read_counts(counters);
	for (size_t i = 0; i < 7; i++)
		assert_counted(&counts[i], FATHOM_SCALED, (double)i + 1, 0.5);
	finish(&fake, counters, counts, 7);
}

static void test_cost_of_a_run(void **state)
{
	(void)state;
	struct fake fake = {.counters = 4};
	struct counters *counters = open_counters(&fake, "r1,r2,r3,r4,r5,r6");
	size_t before = fake.switches;
	run(&fake, counters, 1); /* two groups on and off */
	assert_int_equal(fake.switches - before, 4);
	before = fake.switches;
	run(&fake, counters, 1); /* one */
	assert_int_equal(fake.switches - before, 2);
	finish(&fake, counters, NULL, 0);
}

static void test_multiplexed_by_the_kernel(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3,r5");
	fake.multiplexed = true; /* another program came */
	run(&fake, counters, 1000);
	struct fathom_count *counts = read_counts(counters);
	assert_counted(&counts[0], FATHOM_SCALED, 3, 0.5);
	assert_counted(&counts[1], FATHOM_SCALED, 5, 0.5);
	finish(&fake, counters, counts, 2);
}

static void test_never_on_a_counter(void **state)
{
	(void)state;
	struct fake fake = {.counters = 2, .held = 1, .root = MACHINES "/amd-two-nodes"};
	struct counters *counters = open_counters(&fake, "r1,r2,cycles");
	run(&fake, counters, 100);
	run(&fake, counters, 100);
	struct fathom_count *counts = read_counts(counters);
	for (size_t i = 0; i < 2; i++)
		assert_absent(&counts[i], FATHOM_NOT_COUNTED,
			      "other events or another program used all the counters",
			      "sudo sysctl kernel.nmi_watchdog=0");
	assert_counted(&counts[2], FATHOM_SCALED, 0, 0.5);
	finish(&fake, counters, counts, 3);
}

static void assert_unreadable(struct fake *fake, struct counters *counters)
{
	struct fathom_count *counts = read_counts(counters);
	assert_absent(&counts[0], FATHOM_NOT_COUNTED,
		      "the kernel did not report the value of this counter", NULL);
	finish(fake, counters, counts, 1);
}

static void test_short_read(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3");
	run(&fake, counters, 10);
	fake.short_read = true;
	assert_unreadable(&fake, counters);
}

static void test_value_of_another(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3");
	run(&fake, counters, 10);
	fake.wrong_id = true;
	assert_unreadable(&fake, counters);
}

static void test_cannot_be_switched(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8};
	struct counters *counters = open_counters(&fake, "r3");
	fake.control_error = EIO;
	run(&fake, counters, 10);
	assert_unreadable(&fake, counters);
}

static void test_failure_halfway_closes_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct fake fake = {.counters = 8, .refuse = EMFILE, .refuse_from = i};
		const struct counters_door door = fake_door(&fake);
		struct counter_events events;
		struct counters *const untouched = (struct counters *)&fake;
		struct counters *counters = untouched;
		struct fathom_error error = {0};
		assert_int_equal(counter_events_parse("r1,r2,r3,r4", &events, NULL), 0);
		assert_int_equal(counters_open(&events, 0, &door, &counters, &error), -1);
		assert_int_equal(error.status, FATHOM_FAILED);
		assert_string_equal(error.hint, "ulimit -n");
		assert_ptr_equal(counters, untouched);
		assert_int_equal(fake.opened, i);
		assert_true(fake_all_closed(&fake));
		fathom_error_clear(&error);
		counter_events_free(&events);
	}
}

static void test_cores_of_several_kinds(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8, .root = MACHINES "/arm-hybrid"};
	struct counter_events events;
	const struct counters_door door = fake_door(&fake);
	struct counters *counters;
	assert_int_equal(
		counter_events_parse("instructions,l1d_misses,r5,page_faults", &events, NULL), 0);
	assert_int_equal(counters_open(&events, 7, &door, &counters, NULL), 0);
	assert_int_equal(fake.events[0].attr.config, 10ull << 32 | PERF_COUNT_HW_INSTRUCTIONS);
	assert_int_equal(fake.events[1].attr.config, 10ull << 32 | 0x10000);
	assert_int_equal(fake.events[2].attr.type, 10);
	assert_int_equal(fake.events[2].attr.config, 5);
	assert_int_equal(fake.events[3].attr.config, PERF_COUNT_SW_PAGE_FAULTS);
	counter_events_free(&events);
	finish(&fake, counters, NULL, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_all_fit),
	cmocka_unit_test(test_time_between_runs_is_not_counted),
	cmocka_unit_test(test_reset_forgets),
	cmocka_unit_test(test_nothing_run),
	cmocka_unit_test(test_a_counter_may_read_zero),
	cmocka_unit_test(test_own_cost_is_subtracted),
	cmocka_unit_test(test_own_cost_stands_disturbances),
	cmocka_unit_test(test_runs_without_accesses),
	cmocka_unit_test(test_no_pmu),
	cmocka_unit_test(test_no_such_event),
	cmocka_unit_test(test_event_without_a_code),
	cmocka_unit_test(test_not_permitted),
	cmocka_unit_test(test_group_that_is_too_large),
	cmocka_unit_test(test_groups_take_turns),
	cmocka_unit_test(test_turns_are_as_few_as_possible),
	cmocka_unit_test(test_cost_of_a_run),
	cmocka_unit_test(test_multiplexed_by_the_kernel),
	cmocka_unit_test(test_never_on_a_counter),
	cmocka_unit_test(test_short_read),
	cmocka_unit_test(test_value_of_another),
	cmocka_unit_test(test_cannot_be_switched),
	cmocka_unit_test(test_failure_halfway_closes_all),
	cmocka_unit_test(test_cores_of_several_kinds),
};
UNIT_GROUP();
