/* The running totals move when, and where, they must. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "machine/quiet.h"

static void test_faults(void **state)
{
	(void)state;
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = 64;
	struct quiet *quiet = quiet_open(0);
	struct disturbance before;
	struct disturbance after;
	assert_non_null(quiet);
	unsigned char *memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	assert_true(memory != MAP_FAILED);
	madvise(memory, pages * page, MADV_NOHUGEPAGE);
	quiet_read(quiet, &before);
	for (size_t i = 0; i < pages; i++)
		*(volatile unsigned char *)(memory + i * page) = 1;
	quiet_read(quiet, &after);
	/* Some kernels fault in a few pages at a time. */
	assert_true(after.faults > before.faults);
	munmap(memory, pages * page);
	quiet_close(quiet);
}

static void test_never_backwards(void **state)
{
	(void)state;
	struct quiet *quiet = quiet_open(0);
	struct disturbance before;
	struct disturbance after;
	assert_non_null(quiet);
	quiet_read(quiet, &before);
	for (int i = 0; i < 1000; i++) {
		quiet_read(quiet, &after);
		assert_true(after.switches >= before.switches && after.faults >= before.faults &&
			    after.run_delay_ns >= before.run_delay_ns &&
			    after.steal_ticks >= before.steal_ticks);
		before = after;
	}
	quiet_close(quiet);
}

static void test_no_such_cpu(void **state)
{
	(void)state;
	const int cpus[] = {-1, 123456};
	for (size_t i = 0; i < sizeof(cpus) / sizeof(*cpus); i++) {
		struct quiet *quiet = quiet_open(cpus[i]);
		struct disturbance now;
		assert_non_null(quiet);
		quiet_read(quiet, &now);
		assert_int_equal(now.steal_ticks, 0);
		quiet_close(quiet);
	}
	quiet_close(NULL);
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
	struct quiet *quiet = quiet_open(0);
	struct disturbance now;
	assert_non_null(quiet);
	uint64_t before = column("/proc/stat", "\ncpu0 ", 7);
	quiet_read(quiet, &now);
	assert_in_range(now.steal_ticks, before, column("/proc/stat", "\ncpu0 ", 7));
	quiet_close(quiet);
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
	struct quiet *quiet = quiet_open(cpu);
	struct disturbance before;
	struct disturbance after;
	pthread_t other; /* inherits the affinity */
	assert_int_equal(pthread_create(&other, NULL, spin, NULL), 0);
	quiet_read(quiet, &before);
	assert_int_equal(before.cpu, cpu);
	time_t end = time(NULL) + 30;
	do {
		quiet_read(quiet, &after);
	} while (after.switches < before.switches + 3 && time(NULL) < end);
	stop = true;
	pthread_join(other, NULL);
	assert_true(after.switches >= before.switches + 3);
	uint64_t delay = column("/proc/thread-self/schedstat", "", 1);
	if (delay) /* the kernel counts it */
		assert_in_range(after.run_delay_ns, before.run_delay_ns + 1, delay);
	sched_setaffinity(0, sizeof(old), &old);
	quiet_close(quiet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_faults),      cmocka_unit_test(test_never_backwards),
		cmocka_unit_test(test_no_such_cpu), cmocka_unit_test(test_steal),
		cmocka_unit_test(test_preempted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
