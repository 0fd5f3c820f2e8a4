/* How fast each stream goes on this machine: streams_speed BYTES[+DISTANCE] [NAME...]. Prints GB/s
 * (10^9 bytes that are read and written) of some short runs in which all take turns: their median
 * and their upper tenth. BYTES is all that a lap touches; what is copied goes DISTANCE bytes
 * behind the end of its source (0: right there). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats.h"
#include "base/stopwatch.h"
#include "kernels/kernels.h"

#define RUNS      101
#define RUN_BYTES (8u << 20) /* of a run, about */
#define MOST      64         /* streams */
#define PAGE      4096

struct timed {
	const struct kernel *kernel;
	struct kernel_work work;
	double rates[RUNS]; /* bytes a ns */
};

static bool is_copy(const struct kernel *kernel)
{
	return kernel->kind == KERNEL_COPY || kernel->kind == KERNEL_COPY_NT;
}

/* What is read and what is written count, each. */
static uint64_t bytes_of_hop(const struct kernel *kernel)
{
	bool twice = is_copy(kernel) || kernel->kind == KERNEL_UPDATE;
	return KERNEL_LINE_BYTES * (twice ? 2 : 1);
}

/* A short lap is walked once before; in a long one the run goes on where the last one ended, of
 * whichever stream: what that left in a cache is not read again. */
static double bytes_per_ns(struct timed *timed, uint64_t *line)
{
	uint64_t lines = timed->work.nodes, hops = RUN_BYTES / KERNEL_LINE_BYTES;
	if (lines <= hops) {
		hops = hops / lines * lines;
		timed->kernel->run(&timed->work, lines);
	}
	timed->work.position = *line % lines;
	*line += hops;
	uint64_t start = stopwatch_now_ns();
	timed->kernel->run(&timed->work, hops);
	return (double)(hops * bytes_of_hop(timed->kernel)) / (double)(stopwatch_now_ns() - start);
}

static bool is_asked_for(const struct kernel *kernel, char **names)
{
	if (kernel->kind < KERNEL_READ || kernel->kind > KERNEL_UPDATE || !kernel_usable(kernel))
		return false;
	if (!*names)
		return true;
	while (*names && strcmp(*names, kernel->name) != 0)
		names++;
	return *names;
}

static size_t list(struct timed timed[MOST], char **names, unsigned char *memory, uint64_t bytes,
		   uint64_t distance)
{
	size_t all, count = 0;
	const struct kernel *kernels = kernel_list(&all);
	for (size_t i = 0; i < all && count < MOST; i++) {
		uint64_t lines = bytes / KERNEL_LINE_BYTES / (is_copy(&kernels[i]) ? 2 : 1);
		if (!is_asked_for(&kernels[i], names))
			continue;
		timed[count].kernel = &kernels[i];
		timed[count++].work =
			(struct kernel_work){.base = memory,
					     .cursor = 1,
					     .nodes = lines,
					     .to = memory + lines * KERNEL_LINE_BYTES + distance};
	}
	return count;
}

int main(int argc, char **argv)
{
	char *end = NULL;
	uint64_t bytes = argc > 1 ? strtoull(argv[1], &end, 10) : 0;
	uint64_t distance = end && *end == '+' ? strtoull(end + 1, NULL, 10) : 0;
	uint64_t odd = bytes % (2 * KERNEL_LINE_BYTES) + distance % KERNEL_LINE_BYTES;
	if (bytes == 0 || odd) {
		fprintf(stderr, "usage: streams_speed BYTES[+DISTANCE] [NAME...] (multiples of 128 "
				"and 64)\n");
		return 2;
	}
	static struct timed timed[MOST];
	uint64_t mapped = (bytes + distance + PAGE - 1) / PAGE * PAGE;
	unsigned char *memory = aligned_alloc(PAGE, mapped);
	if (!memory)
		return 1;
	memset(memory, 1, mapped);
	size_t count = list(timed, argv + 2, memory, bytes, distance);
	uint64_t line = 0;
	for (int run = 0; run < RUNS; run++)
		for (size_t i = 0; i < count; i++)
			timed[i].rates[run] = bytes_per_ns(&timed[i], &line);
	for (size_t i = 0; i < count; i++) {
		stats_sort(timed[i].rates, RUNS);
		printf("%-12s %8.2f %8.2f\n", timed[i].kernel->name, timed[i].rates[RUNS / 2],
		       timed[i].rates[RUNS * 9 / 10]);
	}
	free(memory);
	return 0;
}
