/* How fast each stream goes on this machine: streams_speed BYTES [NAME...]. Prints the best of some
 * runs in GB/s (10^9 bytes that are read and written), BYTES being all that a lap touches. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/kernels.h"
#include "measure/stopwatch.h"

#define RUNS      9
#define RUN_BYTES 2e9 /* of a run, at least */

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

static double best_bytes_per_ns(const struct kernel *kernel, unsigned char *memory, uint64_t bytes)
{
	uint64_t lines = bytes / KERNEL_LINE_BYTES / (is_copy(kernel) ? 2 : 1);
	struct kernel_work work = {
		.base = memory, .nodes = lines, .to = memory + lines * KERNEL_LINE_BYTES};
	uint64_t laps = 1 + (uint64_t)RUN_BYTES / bytes;
	double best = 0;
	for (int run = 0; run < RUNS; run++) {
		uint64_t start = stopwatch_now_ns();
		kernel->run(&work, laps * lines);
		double ns = (double)(stopwatch_now_ns() - start);
		double speed = (double)(laps * lines * bytes_of_hop(kernel)) / ns;
		best = speed > best ? speed : best;
	}
	return best;
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

int main(int argc, char **argv)
{
	uint64_t bytes = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
	if (bytes < 2 * KERNEL_LINE_BYTES || bytes % (2 * KERNEL_LINE_BYTES)) {
		fprintf(stderr, "usage: streams_speed BYTES [NAME...] (a multiple of 128)\n");
		return 2;
	}
	unsigned char *memory = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
	if (!memory)
		return 1;
	memset(memory, 1, bytes);
	size_t count;
	const struct kernel *kernels = kernel_list(&count);
	for (size_t i = 0; i < count; i++)
		if (is_asked_for(&kernels[i], argv + 2))
			printf("%-12s %8.2f\n", kernels[i].name,
			       best_bytes_per_ns(&kernels[i], memory, bytes));
	free(memory);
	return 0;
}
