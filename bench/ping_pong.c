/* What anybody would write in ten minutes to measure how long a line takes from CPU to CPU: two
 * threads, one word, a store that the other one waits for, a clock. No fathom in it: bench/run.py
 * holds ours against it.
 *
 * ping_pong CPU_A CPU_B [LINES] prints the ns one way: of each line, which is in memory of its own,
 * the least of many batches, and of these the median. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS  100
#define BATCHES 300
#define LINES   16
#define PAGE    4096

struct shared {
	_Atomic uint64_t *word;
	int cpu;
};

static void bind_to(int cpu)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set)) {
		fprintf(stderr, "cannot bind to CPU %d\n", cpu);
		exit(1);
	}
}

static double now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void *answer(void *context)
{
	const struct shared *shared = context;
	bind_to(shared->cpu);
	for (uint64_t i = 0; i < ROUNDS * BATCHES; i++) {
		while (atomic_load_explicit(shared->word, memory_order_acquire) != 2 * i + 1)
			;
		atomic_store_explicit(shared->word, 2 * i + 2, memory_order_release);
	}
	return NULL;
}

/* The least of all batches, one way. */
static double measure(_Atomic uint64_t *word, int other_cpu)
{
	struct shared shared = {word, other_cpu};
	pthread_t thread;
	double least = 1e300;
	uint64_t i = 0;
	atomic_store(word, 0);
	if (pthread_create(&thread, NULL, answer, &shared))
		exit(1);
	for (int batch = 0; batch < BATCHES; batch++) {
		double start = now_ns();
		for (int round = 0; round < ROUNDS; round++, i++) {
			atomic_store_explicit(word, 2 * i + 1, memory_order_release);
			while (atomic_load_explicit(word, memory_order_acquire) != 2 * i + 2)
				;
		}
		double ns = (now_ns() - start) / ROUNDS / 2;
		if (batch > 0 && ns < least)
			least = ns;
	}
	pthread_join(thread, NULL);
	return least;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	int lines = argc > 3 ? atoi(argv[3]) : LINES;
	double *values = calloc((size_t)lines, sizeof(*values));
	char *memory = aligned_alloc(PAGE, (size_t)lines * PAGE);
	bind_to(atoi(argv[1]));
	for (int i = 0; i < lines; i++) {
		char *page = memory + (size_t)i * PAGE;
		memset(page, 0, PAGE);
		values[i] = measure((_Atomic uint64_t *)(void *)(page + 64 * (rand() % 64)),
				    atoi(argv[2]));
	}
	qsort(values, (size_t)lines, sizeof(*values), compare);
	printf("%.3f\n", (values[lines / 2] + values[(lines - 1) / 2]) / 2);
	free(memory);
	free(values);
	return 0;
}
