/* What anybody would write in ten minutes to measure the latency of one size: an array of lines,
 * Sattolo's shuffle, a loop of dependent loads, a clock. No fathom in it: bench/run.py holds ours
 * against it.
 *
 * plain_chase BYTES REPEATS CPU [sequential] prints the median ns a hop over the repeats, each
 * newly mapped. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#define LINE       64
#define PIECE_HOPS 100000
#define MOST_HOPS  2000000
#define LAPS       20

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

/* The median of pieces: of a run as a whole, what disturbs it would be a part. */
static double chase_ns(struct node *nodes, size_t count, size_t pieces, double *ns)
{
	struct node *at = nodes;
	for (size_t i = 0; i < count; i++) /* warm */
		at = at->next;
	for (size_t piece = 0; piece < pieces; piece++) {
		double start_ns = now_ns();
#pragma GCC unroll 1 /* as it stands there: some prefetchers go by the load's address */
		for (size_t i = 0; i < PIECE_HOPS; i++)
			at = at->next;
		ns[piece] = (now_ns() - start_ns) / PIECE_HOPS;
	}
	if (!at)
		abort();
	qsort(ns, pieces, sizeof(*ns), compare);
	return ns[pieces / 2];
}

/* About LAPS, and at least one: parts of the memory may differ. */
static size_t count_pieces(size_t nodes)
{
	size_t hops = nodes * LAPS < MOST_HOPS ? nodes * LAPS : MOST_HOPS;
	if (hops < nodes)
		hops = nodes;
	return (hops + PIECE_HOPS - 1) / PIECE_HOPS;
}

int main(int argc, char **argv)
{
	if (argc != 4 && argc != 5) {
		fprintf(stderr, "usage: plain_chase BYTES REPEATS CPU [sequential]\n");
		return 2;
	}
	size_t bytes = strtoull(argv[1], NULL, 10), repeats = strtoull(argv[2], NULL, 10);
	size_t pieces = count_pieces(bytes / LINE);
	double *ns = calloc(repeats, sizeof(*ns)), *scratch = calloc(pieces, sizeof(*scratch));
	if (!ns || !scratch)
		return 1;
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET((int)strtol(argv[3], NULL, 10), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	for (size_t i = 0; i < repeats; i++) {
		struct node *nodes = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
					  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (nodes == MAP_FAILED)
			return 1;
		(argc == 5 ? link_in_sequence : link_randomly)(nodes, bytes / LINE);
		ns[i] = chase_ns(nodes, bytes / LINE, pieces, scratch);
		munmap(nodes, bytes);
	}
	qsort(ns, repeats, sizeof(*ns), compare);
	printf("%.4f\n", ns[repeats / 2]);
	free(scratch);
	free(ns);
	return 0;
}
