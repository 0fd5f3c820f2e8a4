/* What anybody would write to see how many misses overlap: one random cycle, D pointers in local
 * variables, equally far apart on it, a loop that moves each of them on in turn. The compiler
 * keeps them in registers as long as it can. No fathom in it: bench/run.py holds ours against it.
 *
 * lanes_speed BYTES [huge] prints, for each D, D and the ns an access of its runs' lower quartile.
 * All D take turns, so that what slows the machine down for a while slows all of them. */
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define LINE       64
#define HUGE_PAGE  ((size_t)2 << 20)
#define ROUNDS     4096 /* of four hops of each lane, in a run: few ms, however many lanes */
#define RUNS       128
#define MOST_LANES 32

struct node {
	struct node *next;
	char rest[LINE - sizeof(struct node *)];
};

#define LANES_1(X)  X(0)
#define LANES_2(X)  LANES_1(X) X(1)
#define LANES_4(X)  LANES_2(X) X(2) X(3)
#define LANES_8(X)  LANES_4(X) X(4) X(5) X(6) X(7)
#define LANES_10(X) LANES_8(X) X(8) X(9)
#define LANES_12(X) LANES_10(X) X(10) X(11)
#define LANES_14(X) LANES_12(X) X(12) X(13)
#define LANES_16(X) LANES_14(X) X(14) X(15)
#define LANES_20(X) LANES_16(X) X(16) X(17) X(18) X(19)
#define LANES_24(X) LANES_20(X) X(20) X(21) X(22) X(23)
#define LANES_30(X) LANES_24(X) X(24) X(25) X(26) X(27) X(28) X(29)
#define LANES_32(X) LANES_30(X) X(30) X(31)

#define BEGIN(lane) struct node *p##lane = lanes[lane];
#define HOP(lane)   p##lane = p##lane->next;
#define END(lane)   lanes[lane] = p##lane;

/* Moves each lane on by `rounds` times four hops. */
#define WALK(D)                                                                                    \
	static void walk_##D(struct node **lanes, size_t rounds)                                   \
	{                                                                                          \
		LANES_##D(BEGIN) for (; rounds; rounds--){LANES_##D(HOP) LANES_##D(HOP) LANES_##D( \
			HOP) LANES_##D(HOP)} LANES_##D(END)                                        \
	}
#define HOPS_A_ROUND 4

#define EACH(X) X(1) X(2) X(4) X(8) X(10) X(12) X(14) X(16) X(20) X(24) X(30) X(32)
EACH(WALK)

#define ROW(D) {D, walk_##D},
static const struct {
	size_t lanes;
	void (*walk)(struct node **lanes, size_t rounds);
} walks[] = {EACH(ROW)};
#define WALKS (sizeof(walks) / sizeof(walks[0]))

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

static struct node *map_nodes(size_t bytes, int huge)
{
	unsigned char *memory = mmap(NULL, bytes + HUGE_PAGE, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return NULL;
	memory += HUGE_PAGE - (uintptr_t)memory % HUGE_PAGE;
	madvise(memory, bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
	return (struct node *)(void *)memory;
}

/* order[i] is the i-th node on the cycle. */
static void link_randomly(struct node *nodes, uint32_t *order, size_t count)
{
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	for (size_t i = count - 1; i > 0; i--) {
		size_t j = next_random() % (i + 1);
		uint32_t keep = order[i];
		order[i] = order[j];
		order[j] = keep;
	}
	for (size_t i = 0; i < count; i++)
		nodes[order[i]].next = &nodes[order[(i + 1) % count]];
}

static double now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Goes on where it ended the last time. */
static double run_ns(size_t walk, struct node **at)
{
	double start = now_ns();
	walks[walk].walk(at, ROUNDS);
	return (now_ns() - start) / (double)(ROUNDS * HOPS_A_ROUND * walks[walk].lanes);
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* The first round is not counted: it fills the caches, as far as they go. */
static void run_all(struct node *nodes, const uint32_t *order, size_t count)
{
	static struct node *at[WALKS][MOST_LANES];
	static double ns[WALKS][RUNS];
	for (size_t walk = 0; walk < WALKS; walk++)
		for (size_t lane = 0; lane < walks[walk].lanes; lane++)
			at[walk][lane] = &nodes[order[lane * count / walks[walk].lanes]];
	for (size_t walk = 0; walk < WALKS; walk++)
		run_ns(walk, at[walk]);
	for (size_t run = 0; run < RUNS; run++)
		for (size_t walk = 0; walk < WALKS; walk++)
			ns[walk][run] = run_ns(walk, at[walk]);
	for (size_t walk = 0; walk < WALKS; walk++) {
		qsort(ns[walk], RUNS, sizeof(*ns[walk]), compare);
		printf("%zu %.4f\n", walks[walk].lanes, ns[walk][RUNS / 4]);
	}
}

int main(int argc, char **argv)
{
	int huge = argc == 3 && strcmp(argv[2], "huge") == 0;
	size_t count = argc > 1 ? strtoull(argv[1], NULL, 10) / LINE : 0;
	if (argc < 2 || argc > 2 + huge || count < MOST_LANES || count > UINT32_MAX) {
		fprintf(stderr, "usage: lanes_speed BYTES [huge]\n");
		return 2;
	}
	struct node *nodes = map_nodes(count * LINE, huge);
	uint32_t *order = calloc(count, sizeof(*order));
	if (!nodes || !order) {
		fprintf(stderr, "out of memory\n");
		return 1;
	}
	cpu_set_t cpus;
	CPU_ZERO(&cpus);
	CPU_SET(sched_getcpu(), &cpus);
	sched_setaffinity(0, sizeof(cpus), &cpus);
	link_randomly(nodes, order, count);
	run_all(nodes, order, count);
	free(order);
	return 0;
}
