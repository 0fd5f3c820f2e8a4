/* A neighbour of the measured process, for bench/repeat.py: on one CPU, until it is killed or its
 * parent ends.
 *
 * disturb stream CPU reads one buffer and writes another, far larger than any cache, over and over.
 * disturb wake CPU is woken 1,000 times a second, and computes for 20 microseconds each time. */
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>

#define STREAM_BYTES ((size_t)256 << 20) /* each of two buffers */
#define PERIOD_NS    1000000
#define WORK_NS      20000
#define SECOND_NS    1000000000

static int64_t now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * SECOND_NS + now.tv_nsec;
}

static void stream(void)
{
	size_t words = STREAM_BYTES / sizeof(uint64_t);
	uint64_t *from = malloc(STREAM_BYTES), *to = malloc(STREAM_BYTES);
	if (!from || !to)
		return;
	memset(from, 1, STREAM_BYTES);
	for (uint64_t lap = 0;; lap++) {
		for (size_t i = 0; i < words; i++)
			to[i] = from[i] + lap;
		__asm__ volatile("" ::: "memory");
	}
}

_Noreturn static void wake(void)
{
	for (int64_t next_ns = now_ns();; next_ns += PERIOD_NS) {
		struct timespec next = {next_ns / SECOND_NS, next_ns % SECOND_NS};
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		for (int64_t end_ns = now_ns() + WORK_NS; now_ns() < end_ns;)
			;
		/* what it was kept from it does not make up for */
		if (now_ns() - next_ns > PERIOD_NS)
			next_ns = now_ns();
	}
}

int main(int argc, char **argv)
{
	if (argc != 3 || (strcmp(argv[1], "stream") != 0 && strcmp(argv[1], "wake") != 0)) {
		fprintf(stderr, "usage: disturb stream|wake CPU\n");
		return 2;
	}
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET((int)strtol(argv[2], NULL, 10), &cpus);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (sched_setaffinity(0, sizeof(cpus), &cpus)) {
		perror("disturb: sched_setaffinity");
		return 1;
	}
	if (strcmp(argv[1], "wake") == 0)
		wake();
	stream();
	fprintf(stderr, "disturb: out of memory\n");
	return 1;
}
