/* What anybody would write in ten minutes to measure the latency of one size: an array of lines,
 * Sattolo's shuffle, a loop of dependent loads, a clock. No fathom in it: bench/run.py and
 * repeat.py hold ours against it.
 *
 * plain_chase BYTES REPEATS CPU [sequential] prints the least and the median ns a hop of many
 * batches, each the median over the repeats, which are newly mapped.
 * plain_chase BYTES REPEATS CPU aging prints what a hop takes, so many ms after its chain was
 * written: "5:41.2(39.0-47.1)", the median over the repeats, the least and the most. `evicted`: the
 * same after other memory was read, so that no cache holds the chain. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define LINE       64
#define BATCH_HOPS 10000   /* at least, so that reading the clock costs nothing to speak of */
#define MOST_HOPS  4000000 /* of all batches, and of a lap that is longer */
#define MOST       400     /* batches */

struct node {
	struct node *next;
	char rest[LINE - sizeof(struct node *)];
};

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static void link_randomly(struct node *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		nodes[i].next = &nodes[i];
	for (size_t i = count - 1; i > 0; i--) {
		size_t j = next_random() % i;
		struct node *keep = nodes[i].next;
		nodes[i].next = nodes[j].next;
		nodes[j].next = keep;
	}
}

static void link_in_sequence(struct node *nodes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		nodes[i].next = &nodes[(i + 1) % count];
}

static double now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Batches of whole laps, since parts of the memory may differ, and of many where one is short. */
static size_t batch_hops(size_t nodes)
{
	return nodes < BATCH_HOPS ? BATCH_HOPS : nodes < MOST_HOPS ? nodes : MOST_HOPS;
}

static size_t count_batches(size_t nodes)
{
	size_t count = MOST_HOPS / batch_hops(nodes);
	return count < 1 ? 1 : count > MOST ? MOST : count;
}

/* In ascending order. */
static void chase(struct node *nodes, size_t count, double ns[MOST])
{
	size_t batches = count_batches(count), hops = batch_hops(count);
	struct node *at = nodes;
	for (size_t i = 0; i < count && i < MOST_HOPS; i++) /* warm */
		at = at->next;
	for (size_t batch = 0; batch < batches; batch++) {
		double start_ns = now_ns();
#pragma GCC unroll 1 /* as it stands there: some prefetchers go by the load's address */
		for (size_t i = 0; i < hops; i++)
			at = at->next;
		ns[batch] = (now_ns() - start_ns) / (double)hops;
	}
	if (!at)
		abort();
	qsort(ns, batches, sizeof(*ns), compare);
}

static int chase_repeatedly(size_t bytes, size_t repeats, int sequential, double *least,
			    double *median)
{
	size_t count = bytes / LINE;
	for (size_t i = 0; i < repeats; i++) {
		double ns[MOST];
		struct node *nodes = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (nodes == MAP_FAILED)
			return -1;
		(sequential ? link_in_sequence : link_randomly)(nodes, count);
		chase(nodes, count, ns);
		least[i] = ns[0];
		median[i] = ns[count_batches(count) / 2];
		munmap(nodes, bytes);
	}
	qsort(least, repeats, sizeof(*least), compare);
	qsort(median, repeats, sizeof(*median), compare);
	return 0;
}

/* ---- by the time since it was written ---- */

static const double ages_ms[] = {2, 5, 10, 20, 50, 100, 200, 500, 1000, 1500};
#define AGES        (sizeof(ages_ms) / sizeof(*ages_ms))
#define AGE_HOPS    2000         /* between two looks at the clock */
#define OTHER_BYTES (256u << 20) /* more than any cache keeps for one core */

/* From one age to the next. */
static void chase_as_it_ages(struct node *nodes, double ns[AGES])
{
	struct node *at = nodes;
	double start_ns = now_ns(), before_ns = start_ns, hops = 0;
	for (size_t age = 0; age < AGES;) {
#pragma GCC unroll 1
		for (size_t i = 0; i < AGE_HOPS; i++)
			at = at->next;
		double after_ns = now_ns();
		hops += AGE_HOPS;
		if (after_ns - start_ns < ages_ms[age] * 1e6)
			continue;
		ns[age++] = (after_ns - before_ns) / hops;
		before_ns = after_ns;
		hops = 0;
	}
	if (!at)
		abort();
}

static void write_again(struct node *nodes, size_t count)
{
	for (size_t k = 0; k < count; k++)
		*(struct node *volatile *)&nodes[k].next = nodes[k].next;
}

static void read_all(const char *memory)
{
	for (size_t i = 0; i < OTHER_BYTES; i += LINE)
		(void)*(const volatile char *)&memory[i];
}

/* Newly mapped each time, and written once more in the order of addresses, or evicted. */
static int print_aging(size_t bytes, size_t repeats, int evicted)
{
	char *other = malloc(OTHER_BYTES);
	size_t count = bytes / LINE;
	double(*ns)[AGES] = calloc(repeats, sizeof(*ns)),
	*sorted = calloc(repeats, sizeof(*sorted));
	if (!ns || !sorted || !other)
		return -1;
	memset(other, 1, OTHER_BYTES);
	for (size_t i = 0; i < repeats; i++) {
		struct node *nodes = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (nodes == MAP_FAILED)
			return -1;
		link_randomly(nodes, count);
		if (evicted)
			read_all(other);
		else
			write_again(nodes, count);
		chase_as_it_ages(nodes, ns[i]);
		munmap(nodes, bytes);
	}
	for (size_t age = 0; age < AGES; age++) {
		for (size_t i = 0; i < repeats; i++)
			sorted[i] = ns[i][age];
		qsort(sorted, repeats, sizeof(*sorted), compare);
		printf("%g:%.1f(%.1f-%.1f)%c", ages_ms[age], sorted[repeats / 2], sorted[0],
		       sorted[repeats - 1], age + 1 < AGES ? ' ' : '\n');
	}
	free(other);
	free(sorted);
	free(ns);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 4 && argc != 5) {
		fprintf(stderr,
			"usage: plain_chase BYTES REPEATS CPU [sequential|aging|evicted]\n");
		return 2;
	}
	size_t bytes = strtoull(argv[1], NULL, 10), repeats = strtoull(argv[2], NULL, 10);
	double *least = calloc(repeats, sizeof(*least)), *median = calloc(repeats, sizeof(*median));
	if (!least || !median || !repeats || bytes < LINE)
		return 1;
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET((int)strtol(argv[3], NULL, 10), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	int evicted = argc == 5 && strcmp(argv[4], "evicted") == 0;
	if (evicted || (argc == 5 && strcmp(argv[4], "aging") == 0))
		return print_aging(bytes, repeats, evicted) ? 1 : 0;
	if (chase_repeatedly(bytes, repeats, argc == 5, least, median))
		return 1;
	printf("%.4f %.4f\n", least[repeats / 2], median[repeats / 2]);
	free(least);
	free(median);
	return 0;
}
