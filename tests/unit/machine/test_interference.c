/* The running totals move when, and where, they must. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "machine/interference.h"
#include "unit.h"

static void test_faults(void **state)
{
	(void)state;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = 64;
	struct interference_counters *counters = interference_open(0);
	struct interference before;
	struct interference after;
	assert_non_null(counters);
	unsigned char *memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	madvise(memory, pages * page, MADV_NOHUGEPAGE);
	interference_read(counters, &before);
	for (size_t i = 0; i < pages; i++)
		*(volatile unsigned char *)(memory + i * page) = 1;
	interference_read(counters, &after);
	/* Some kernels fault in a few pages at a time. */
	assert_true(after.faults > before.faults);
	munmap(memory, pages * page);
	interference_close(counters);
}

static void test_never_backwards(void **state)
{
	(void)state;
	struct interference_counters *counters = interference_open(0);
	struct interference before;
	struct interference after;
	assert_non_null(counters);
	interference_read(counters, &before);
	for (int i = 0; i < 1000; i++) {
		interference_read(counters, &after);
		assert_true(after.switches >= before.switches && after.faults >= before.faults &&
			    after.run_delay_ns >= before.run_delay_ns &&
			    after.steal_ticks >= before.steal_ticks);
		before = after;
	}
	interference_close(counters);
}

static void test_no_such_cpu(void **state)
{
	(void)state;
	const int cpus[] = {-1, 123456};
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		struct interference_counters *counters = interference_open(cpus[i]);
		struct interference now;
		assert_non_null(counters);
		interference_read(counters, &now);
		assert_int_equal(now.steal_ticks, 0);
		interference_close(counters);
	}
	interference_close(NULL);
}

/* Column `column`, from 0, behind `start` in a file of numbers. */
static uint64_t column(const char *path, const char *start, int column)
{
	char text[65536];
	FILE *file = fopen(path, "r");
	assert_non_null(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = 0;
	fclose(file);
	const char *line = strstr(text, start);
	assert_non_null(line);
	char *end = (char *)line + strlen(start);
	uint64_t value = 0;
	for (int i = 0; i <= column; i++)
		value = strtoull(end, &end, 10);
	return value;
}

static void test_steal(void **state)
{
	(void)state;
	struct interference_counters *counters = interference_open(0);
	struct interference now;
	assert_non_null(counters);
	uint64_t before = column("/proc/stat", "\ncpu0 ", 7);
	interference_read(counters, &now);
	assert_in_range(now.steal_ticks, before, column("/proc/stat", "\ncpu0 ", 7));
	interference_close(counters);
}

static atomic_bool stop;

static void *spin(void *nothing)
{
	while (!stop)
		;
	return nothing;
}

/* Two threads on one CPU take it from each other. */
static void test_preempted(void **state)
{
	(void)state;
	cpu_set_t old;
	cpu_set_t one;
	int cpu = sched_getcpu();
	if (cpu < 0 || sched_getaffinity(0, sizeof(old), &old))
		skip();
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		skip();
	struct interference_counters *counters = interference_open(cpu);
	struct interference before;
	struct interference after;
	pthread_t other; /* inherits the affinity */
	assert_int_equal(pthread_create(&other, NULL, spin, NULL), 0);
	interference_read(counters, &before);
	assert_int_equal(before.cpu, cpu);
	time_t end = time(NULL) + 30;
	do {
		interference_read(counters, &after);
	} while (after.switches < before.switches + 3 && time(NULL) < end);
	stop = true;
	pthread_join(other, NULL);
	assert_true(after.switches >= before.switches + 3);
	uint64_t delay = column("/proc/thread-self/schedstat", "", 1);
	if (delay) /* the kernel counts it */
		assert_in_range(after.run_delay_ns, before.run_delay_ns + 1, delay);
	sched_setaffinity(0, sizeof(old), &old);
	interference_close(counters);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_faults),      cmocka_unit_test(test_never_backwards),
	cmocka_unit_test(test_no_such_cpu), cmocka_unit_test(test_steal),
	cmocka_unit_test(test_preempted),
};
UNIT_GROUP();
