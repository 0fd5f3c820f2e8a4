/* What anybody would write in ten minutes to measure how long a line takes from CPU to CPU: two
 * threads, one word, a store that the other one waits for, a clock. No fathom in it: bench/run.py
 * holds ours against it.
 *
 * ping_pong CPU_A CPU_B [LINES] prints the ns one way: of each line, which is in memory of its own,
 * the least and the median of many batches; the least of the first, the median of the other. */
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

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* One way, of all batches. */
static void measure(_Atomic uint64_t *word, int other_cpu, double *least, double *median)
{
	static double batches[BATCHES];
	struct shared shared = {word, other_cpu};
	pthread_t thread;
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
		batches[batch] = (now_ns() - start) / ROUNDS / 2;
	}
	pthread_join(thread, NULL);
	qsort(batches, BATCHES, sizeof(*batches), compare);
	*least = batches[0];
	*median = batches[BATCHES / 2];
}

static double middle(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), compare);
	return (values[count / 2] + values[(count - 1) / 2]) / 2;
}

static int number(const char *text)
{
	return (int)strtol(text, NULL, 10);
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	int lines = argc > 3 ? number(argv[3]) : LINES;
	double *least = calloc((size_t)lines, sizeof(*least));
	double *median = calloc((size_t)lines, sizeof(*median));
	char *memory = aligned_alloc(PAGE, (size_t)lines * PAGE);
	bind_to(number(argv[1]));
	for (int i = 0; i < lines; i++) {
		char *page = memory + (size_t)i * PAGE;
		memset(page, 0, PAGE);
		measure((_Atomic uint64_t *)(void *)(page + 64 * (rand() % 64)), number(argv[2]),
			&least[i], &median[i]);
	}
	qsort(least, (size_t)lines, sizeof(*least), compare);
	printf("%.3f %.3f\n", least[0], middle(median, lines));
	free(memory);
	free(least);
	free(median);
	return 0;
}
