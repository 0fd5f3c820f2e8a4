/* Groups of counters behind a door that plays the kernel: a PMU of few counters whose time passes
 * with each call, and all the ways in which it refuses. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "base/counts.h"
#include "base/text.h"
#include "machine/counters.h"

#define MOST_FILES 16
#define FIRST_FILE 100
#define FIRST_ID   7000
#define CALL_NS    1
#define STEP_NS    1000

struct fake_event {
	struct perf_event_attr attr;
	bool open;
	int leader; /* index */
	uint64_t value;
	uint64_t enabled_ns;
	uint64_t running_ns;
	bool on;
};

struct fake {
	struct fake_event events[MOST_FILES];
	size_t opened;          /* ever */
	size_t calls;           /* of open */
	unsigned counters;      /* that the PMU has */
	unsigned held;          /* by others */
	unsigned most_in_group; /* 0: as many as counters */
	int group_error;        /* for one too many */
	int refuse;             /* errno of each open, 0: none */
	size_t refuse_from;     /* of that call on */
	uint64_t refuse_config; /* with refuse: only this; 0: all */
	bool multiplexed;       /* every other tick goes to somebody else */
	bool short_read;
	bool wrong_id;
	int control_error;
	size_t switches; /* ioctls that enable or disable */
	uint64_t steps;
	const char *root; /* NULL: intel-metal */
};

static struct fake_event *event_of(struct fake *fake, int file)
{
	assert_in_range(file, FIRST_FILE, FIRST_FILE + (int)fake->opened - 1);
	struct fake_event *event = &fake->events[file - FIRST_FILE];
	assert_true(event->open);
	return event;
}

static unsigned group_size(const struct fake *fake, int leader)
{
	unsigned size = 0;
	for (size_t i = 0; i < fake->opened; i++)
		size += fake->events[i].open && fake->events[i].leader == leader;
	return size;
}

/* Each counter that is on goes on by its config every ns. Groups get counters in the order in which
 * they were opened. */
static void pass_time(struct fake *fake, uint64_t ns)
{
	unsigned free = fake->counters - fake->held;
	fake->steps++;
	for (size_t i = 0; i < fake->opened; i++) {
		struct fake_event *leader = &fake->events[i];
		if (!leader->open || leader->leader != (int)i || !leader->on)
			continue;
		unsigned size = group_size(fake, (int)i);
		bool runs = size <= free && !(fake->multiplexed && fake->steps % 2);
		if (size <= free)
			free -= size;
		for (size_t k = 0; k < fake->opened; k++) {
			struct fake_event *event = &fake->events[k];
			if (event->leader != (int)i || !event->open)
				continue;
			event->enabled_ns += ns;
			event->running_ns += runs ? ns : 0;
			event->value += runs ? event->attr.config * ns : 0;
		}
	}
}

static int refusal_of(const struct fake *fake, const struct perf_event_attr *attr, int leader)
{
	if (fake->refuse && fake->calls > fake->refuse_from &&
	    (!fake->refuse_config || fake->refuse_config == attr->config))
		return fake->refuse;
	unsigned most = fake->most_in_group ? fake->most_in_group : fake->counters;
	unsigned size = leader < 0 ? 0 : group_size(fake, leader - FIRST_FILE);
	return size + 1 > most ? fake->group_error ? fake->group_error : EINVAL : 0;
}

static int fake_open(void *context, const struct perf_event_attr *attr, int leader)
{
	struct fake *fake = context;
	fake->calls++;
	assert_int_equal(attr->exclude_kernel, 1);
	assert_int_equal(attr->exclude_hv, 1);
	assert_int_equal(attr->disabled, leader < 0); /* members follow their leader */
	if (leader >= 0)
		assert_int_equal(event_of(fake, leader)->leader, leader - FIRST_FILE);
	errno = refusal_of(fake, attr, leader);
	if (errno)
		return -1;
	assert_true(fake->opened < MOST_FILES);
	int index = (int)fake->opened++;
	fake->events[index] = (struct fake_event){
		.attr = *attr, .open = true, .leader = leader < 0 ? index : leader - FIRST_FILE};
	return FIRST_FILE + index;
}

static int fake_control(void *context, int file, unsigned long request, void *argument)
{
	struct fake *fake = context;
	struct fake_event *event = event_of(fake, file);
	if (request == PERF_EVENT_IOC_ID) {
		*(uint64_t *)argument = FIRST_ID + (uint64_t)(file - FIRST_FILE);
		return 0;
	}
	assert_true(request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE);
	fake->switches++;
	errno = fake->control_error;
	if (errno)
		return -1;
	event->on = request == PERF_EVENT_IOC_ENABLE;
	pass_time(fake, CALL_NS);
	return 0;
}

static ssize_t fake_read(void *context, int file, void *bytes, size_t capacity)
{
	struct fake *fake = context;
	const struct fake_event *leader = event_of(fake, file);
	uint64_t words[3 + 2 * MOST_FILES] = {0, leader->enabled_ns, leader->running_ns};
	size_t length = 3;
	for (size_t i = 0; i < fake->opened; i++) {
		if (!fake->events[i].open || fake->events[i].leader != file - FIRST_FILE)
			continue;
		words[0]++;
		words[length++] = fake->events[i].value;
		words[length++] = fake->wrong_id ? 1 : FIRST_ID + i;
	}
	pass_time(fake, CALL_NS);
	size_t whole = length * sizeof(*words);
	if (capacity < whole) {
		errno = ENOSPC;
		return -1;
	}
	whole -= fake->short_read ? 8 : 0;
	memcpy(bytes, words, whole);
	return (ssize_t)whole;
}

static void fake_close(void *context, int file)
{
	struct fake *fake = context;
	struct fake_event *event = event_of(fake, file);
	/* Its members would be left behind. */
	if (event->leader == file - FIRST_FILE)
		assert_int_equal(group_size(fake, event->leader), 1);
	event->open = false;
}

static struct counters_door door_to(struct fake *fake)
{
	return (struct counters_door){
		fake,      fake_open,  fake_control,
		fake_read, fake_close, fake->root ? fake->root : MACHINES "/intel-metal"};
}

static struct counters *open_counters(struct fake *fake, const char *list)
{
	struct counter_events events;
	struct counters *counters = NULL;
	struct fathom_error error = {0};
	const struct counters_door door = door_to(fake);
	assert_int_equal(counter_events_parse(list, &events, &error), 0);
	if (counters_open(&events, 0, &door, &counters, &error))
		fail_msg("%s", error.text);
	counter_events_free(&events); /* they were copied */
	return counters;
}

static void assert_all_closed(const struct fake *fake)
{
	for (size_t i = 0; i < fake->opened; i++)
		assert_false(fake->events[i].open);
}

/* An access takes a ns. */
static void run(struct fake *fake, struct counters *counters, unsigned steps)
{
	counters_start(counters);
	for (unsigned i = 0; i < steps; i++)
		pass_time(fake, STEP_NS);
	counters_stop(counters, (double)steps * STEP_NS);
}

static void finish(struct fake *fake, struct counters *counters, struct fathom_count *counts,
		   size_t count)
{
	counts_free(counts, count);
	counters_close(counters);
	assert_all_closed(fake);
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
	pass_time(&fake, 1000000);
	run(&fake, counters, 100);
	pass_time(&fake, 1000000);
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
	assert_absent(&counts[0], FATHOM_NOT_COUNTED, "nothing was run while its counter was on",
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
	const struct counters_door door = door_to(&fake);
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
		      "kernel.perf_event_paranoid is 3: above 2 only root may count, even the own "
		      "code",
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
	assert_absent(&counts[2], FATHOM_NOT_COUNTED, "nothing was run while its counter was on",
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
	struct fake fake = {.counters = 2, .held = 1};
	struct counters *counters = open_counters(&fake, "r1,r2,cycles");
	run(&fake, counters, 100);
	run(&fake, counters, 100);
	struct fathom_count *counts = read_counts(counters);
	for (size_t i = 0; i < 2; i++)
		assert_absent(&counts[i], FATHOM_NOT_COUNTED,
			      "other events, or another program, had all the counters", NULL);
	assert_counted(&counts[2], FATHOM_SCALED, 0, 0.5);
	finish(&fake, counters, counts, 3);
}

static void assert_unreadable(struct fake *fake, struct counters *counters)
{
	struct fathom_count *counts = read_counts(counters);
	assert_absent(&counts[0], FATHOM_NOT_COUNTED,
		      "the kernel does not say what this counter holds", NULL);
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
		const struct counters_door door = door_to(&fake);
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
		assert_all_closed(&fake);
		fathom_error_clear(&error);
		counter_events_free(&events);
	}
}

static void test_cores_of_several_kinds(void **state)
{
	(void)state;
	struct fake fake = {.counters = 8, .root = MACHINES "/arm-hybrid"};
	struct counter_events events;
	const struct counters_door door = door_to(&fake);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_fit),
		cmocka_unit_test(test_time_between_runs_is_not_counted),
		cmocka_unit_test(test_reset_forgets),
		cmocka_unit_test(test_nothing_run),
		cmocka_unit_test(test_a_counter_may_read_zero),
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
	return cmocka_run_group_tests(tests, NULL, NULL);
}
