/* The kernel's own door: a page that is touched first is a fault, which the kernel counts without
 * any hardware. Skipped where it may not be asked. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/point.h"
#include "machine/counters/counters.h"
#include "unit.h"

#define PAGES 256

static struct counters *open_faults(void)
{
	struct counter_events events;
	struct counters *counters = NULL;
	assert_int_equal(counter_events_parse("page_faults", &events, NULL), 0);
	assert_int_equal(counters_open(&events, -1, NULL, &counters, NULL), 0);
	counter_events_free(&events);
	return counters;
}

static const char *missing(void)
{
	static char reason[160];
	struct counters *counters = open_faults();
	struct fathom_count *count;
	counters_start(counters);
	counters_stop(counters, 1);
	count = counters_read(counters);
	bool absent = count->state > FATHOM_SCALED;
	snprintf(reason, sizeof(reason), "%s", absent ? count->reason : "");
	counts_free(count, 1);
	counters_close(counters);
	return absent ? reason : NULL;
}

static void test_first_touches_are_counted(void **state)
{
	(void)state;
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	struct counters *counters = open_faults();
	for (int lap = 0; lap < 3; lap++) {
		volatile unsigned char *pages =
			mmap(NULL, PAGES * page_bytes, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		assert_true(pages != MAP_FAILED);
		madvise((void *)pages, PAGES * page_bytes, MADV_NOHUGEPAGE);
		pages[0] = 1; /* before the start: not counted */
		counters_start(counters);
		for (size_t i = 1; i < PAGES; i++)
			pages[i * page_bytes] = 1;
		counters_stop(counters, PAGES - 1);
		munmap((void *)pages, PAGES * page_bytes);
	}
	struct fathom_count *count = counters_read(counters);
	assert_int_equal(count->state, FATHOM_COUNTED);
	/* The program's own pages come in now and then; under a sanitizer those of its shadow. */
	assert_true(count->per_access >= 1 && count->per_access < 1.1);
	counts_free(count, 1);
	counters_close(counters);
}

static const struct CMUnitTest tests[] = {cmocka_unit_test(test_first_touches_are_counted)};
UNIT_GROUP(.missing = missing);
