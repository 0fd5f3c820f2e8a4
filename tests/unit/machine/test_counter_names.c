/* The names of a CPU's own events, on a CPU that libpfm4 is told to find. Skipped without libpfm4.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/counters/counter_events.h"
#include "machine/counters/counter_names.h"
#include "unit.h"

static void assert_raw(const char *name, uint64_t config)
{
	struct counter_events events;
	struct fathom_error error = {0};
	if (counter_events_parse(name, &events, &error))
		fail_msg("%s: %s", name, error.text);
	assert_int_equal(events.count, 1);
	assert_int_equal(events.items[0].config, config);
	assert_null(events.items[0].missing);
	counter_events_free(&events);
}

static void assert_refused(const char *name, const char *text, const char *hint)
{
	struct counter_events events;
	struct fathom_error error = {0};
	assert_int_equal(counter_events_parse(name, &events, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	assert_string_equal(error.text, text);
	if (hint)
		assert_int_equal(strncmp(error.hint, hint, strlen(hint)), 0);
	else
		assert_null(error.hint);
	fathom_error_clear(&error);
}

/* Skylake's: Intel SDM volume 3, "Performance Monitoring Events". */
static void test_names_with_masks(void **state)
{
	(void)state;
	assert_raw("dtlb_load_misses.miss_causes_a_walk", 0x108);
	assert_raw("DTLB_LOAD_MISSES:MISS_CAUSES_A_WALK", 0x108);
	assert_raw("inst_retired.any_p:u", 0xc0);
}

static void test_page_walks(void **state)
{
	(void)state;
	assert_raw("page_walks", 0xe08);
	assert_raw("page_walk_cycles", 0x1001008); /* in at least one walk: cmask 1 */
}

static void test_wrong_masks_get_the_nearest(void **state)
{
	(void)state;
	assert_refused("dtlb_load_misses.walk_activ",
		       "event 'dtlb_load_misses.walk_activ' has no mask, or an unknown one",
		       "did you mean 'dtlb_load_misses.walk_active', ");
	assert_refused("dtlb_load_misses",
		       "event 'dtlb_load_misses' has no mask, or an unknown one",
		       "did you mean 'dtlb_load_misses.");
}

static void test_wrong_names_get_the_nearest(void **state)
{
	(void)state;
	assert_refused("inst_retird", "unknown event 'inst_retird'",
		       "did you mean 'inst_retired'?");
}

static void test_the_kernel_is_not_counted(void **state)
{
	(void)state;
	static const char text[] =
		"event 'inst_retired.any_p:k' counts kernel code: fathom counts user space only";
	assert_refused("inst_retired.any_p:k", text, NULL);
	assert_refused("inst_retired.any_p:u:k",
		       "event 'inst_retired.any_p:u:k' counts kernel code: fathom counts user "
		       "space only",
		       NULL);
}

static const char *missing(void)
{
	/* libpfm4 looks there when it starts; nothing has started it yet. */
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	return counter_names_missing();
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_names_with_masks),
	cmocka_unit_test(test_page_walks),
	cmocka_unit_test(test_wrong_masks_get_the_nearest),
	cmocka_unit_test(test_wrong_names_get_the_nearest),
	cmocka_unit_test(test_the_kernel_is_not_counted),
};
UNIT_GROUP(.missing = missing);
