/* Names of events to what the kernel is asked for, and what is said of wrong ones. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <linux/perf_event.h>

#include "machine/counters/counter_events.h"
#include "machine/counters/counter_names.h"
#include "unit.h"

static struct counter_events parse(const char *list)
{
	struct counter_events events = {0};
	struct fathom_error error = {0};
	if (counter_events_parse(list, &events, &error))
		fail_msg("\"%s\": %s", list, error.text);
	return events;
}

static void assert_event(const struct counter_event *event, const char *name, uint32_t type,
			 uint64_t config)
{
	assert_string_equal(event->name, name);
	assert_int_equal(event->type, type);
	assert_int_equal(event->config, config);
	assert_null(event->missing);
}

/* `hint`: how it begins; NULL: whatever it is. */
static void assert_refused(const char *list, const char *text, const char *hint)
{
	struct counter_events events = {.count = 99};
	struct fathom_error error = {0};
	assert_int_equal(counter_events_parse(list, &events, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_string_equal(error.text, text);
	if (hint)
		assert_int_equal(strncmp(error.hint, hint, strlen(hint)), 0);
	assert_int_equal(events.count, 99);
	fathom_error_clear(&error);
}

static void test_generic_names(void **state)
{
	(void)state;
	struct counter_events events = parse("instructions,L1D_Misses, dtlb_reads ,page_faults");
	assert_int_equal(events.count, 4);
	assert_event(&events.items[0], "instructions", PERF_TYPE_HARDWARE,
		     PERF_COUNT_HW_INSTRUCTIONS);
	assert_event(&events.items[1], "L1D_Misses", PERF_TYPE_HW_CACHE, 0x10000);
	assert_event(&events.items[2], "dtlb_reads", PERF_TYPE_HW_CACHE, 0x3);
	assert_event(&events.items[3], "page_faults", PERF_TYPE_SOFTWARE,
		     PERF_COUNT_SW_PAGE_FAULTS);
	counter_events_free(&events);
}

static void test_default_set(void **state)
{
	(void)state;
	struct counter_events events = parse(COUNTER_EVENTS_DEFAULT);
	assert_int_equal(events.count, 10);
	for (size_t i = 0; i < 10; i += 2) /* pairs are counted together */
		assert_int_equal(events.items[i].family, events.items[i + 1].family);
	for (size_t i = 2; i < 10; i += 2)
		assert_int_not_equal(events.items[i].family, events.items[i - 1].family);
	assert_event(&events.items[4], "llc_reads", PERF_TYPE_HW_CACHE, 0x2);
	assert_event(&events.items[5], "llc_misses", PERF_TYPE_HW_CACHE, 0x10002);
	counter_events_free(&events);
}

static void test_raw_codes(void **state)
{
	(void)state;
	struct counter_events events = parse("r01c2,RFF,rffffffffffffffff");
	assert_event(&events.items[0], "r01c2", PERF_TYPE_RAW, 0x1c2);
	assert_event(&events.items[1], "RFF", PERF_TYPE_RAW, 0xff);
	assert_event(&events.items[2], "rffffffffffffffff", PERF_TYPE_RAW, UINT64_MAX);
	counter_events_free(&events);
	static const char *const wrong[] = {"r", "r0x1c2", "r1cg", "r10000000000000000", "r1:u"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char text[64] = "";
		strcat(strcat(strcat(text, "'"), wrong[i]), "' is not a raw event");
		assert_refused(wrong[i], text,
			       "a raw event is 'r' and 1 to 16 hexadecimal digits, like r01c2");
	}
}

static void test_few_of_named_share_a_group(void **state)
{
	(void)state;
	struct counter_events events = parse("r1,cycles,r2,r3,r4,r5");
	const struct counter_event *item = events.items;
	assert_int_equal(item[0].family, item[2].family);
	assert_int_equal(item[3].family, item[4].family);
	assert_int_not_equal(item[0].family, item[3].family);
	assert_int_not_equal(item[0].family, item[1].family);
	assert_int_not_equal(item[3].family, item[5].family);
	counter_events_free(&events);
}

static void test_unknown_names_get_the_nearest(void **state)
{
	(void)state;
	assert_refused("cycels", "unknown event 'cycels'", "did you mean 'cycles'");
	assert_refused("cycles,l1d_mises", "unknown event 'l1d_mises'",
		       "did you mean 'l1d_misses'");
	assert_refused("instructions,page_wlaks", "unknown event 'page_wlaks'",
		       "did you mean 'page_walks'");
	assert_refused("dtlb", "unknown event 'dtlb'", NULL);
	struct counter_events events;
	struct fathom_error error = {0};
	assert_int_equal(counter_events_parse("xyzzyxyzzy", &events, &error), -1);
	assert_string_equal(error.text, "unknown event 'xyzzyxyzzy'");
	assert_non_null(strstr(error.hint, "docs/counters.md"));
	assert_true(strlen(error.hint) < 120);
	assert_non_null(strstr(error.hint, "r01c2"));
	fathom_error_clear(&error);
}

static void test_duplicates(void **state)
{
	(void)state;
	assert_refused("cycles,instructions,Cycles",
		       "event 'Cycles' is the same as 'cycles', which is already in the list",
		       NULL);
	assert_refused("r01c2,r1c2",
		       "event 'r1c2' is the same as 'r01c2', which is already in the list", NULL);
	assert_refused(
		"page_walks,page_walks",
		"event 'page_walks' is the same as 'page_walks', which is already in the list",
		NULL);
}

static void test_missing_names(void **state)
{
	(void)state;
	static const char *const wrong[] = {"", ",", "cycles,", ",cycles", "cycles, ,r1"};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		assert_refused(wrong[i], "the list has an empty event name",
			       "separate names by commas");
}

/* Page walks are no generic event: what this CPU calls them, or why nobody knows. */
static void test_page_walks_or_why_not(void **state)
{
	(void)state;
	struct counter_events events = parse("page_walks,page_walk_cycles");
	for (size_t i = 0; i < 2; i++) {
		bool known = events.items[i].type != 0;
		assert_int_equal(known, events.items[i].missing == NULL);
		if (counter_names_missing())
			assert_string_equal(events.items[i].missing, counter_names_missing());
	}
	counter_events_free(&events);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_generic_names),
	cmocka_unit_test(test_default_set),
	cmocka_unit_test(test_raw_codes),
	cmocka_unit_test(test_few_of_named_share_a_group),
	cmocka_unit_test(test_unknown_names_get_the_nearest),
	cmocka_unit_test(test_duplicates),
	cmocka_unit_test(test_missing_names),
	cmocka_unit_test(test_page_walks_or_why_not),
};
UNIT_GROUP();
