/* A chain that fathom wrote, walked by fathom's kernel and by a plain loop in turn, piece by piece,
 * so that both have the same memory: how fast that is read in sequence depends on where it lies
 * (on one guest 7 to 14 ns a hop in parts of one mapping, lap after lap the same).
 *
 * same_memory BYTES PATTERN CPU prints the median over the pieces of ours / theirs. */
#include <stdio.h>
#include <stdlib.h>

#include "base/patterns.h"
#include "base/stats.h"
#include "base/stopwatch.h"
#include "measure/memory/chain.h"
#include "measure/memory/chain_kernel.h"
#include "on_cpu.h"

#define LINE       64
#define LAPS       16 /* half of a piece's are ours */
#define PIECE_HOPS 65536

static uint64_t plain_walk(uint64_t cursor, uint64_t hops)
{
#pragma GCC unroll 1 /* as it stands there: some prefetchers go by the load's address */
	for (uint64_t i = 0; i < hops; i++)
		cursor = *(const uint64_t *)(uintptr_t)cursor;
	return cursor;
}

static double piece_ns(const struct chain *chain, struct kernel_work *work, bool ours)
{
	const struct kernel *kernel = chain_kernel(&chain->spec);
	uint64_t start_ns = stopwatch_now_ns();
	if (ours)
		chain_walk(chain, kernel, work, PIECE_HOPS);
	else
		work->cursor = plain_walk(work->cursor, PIECE_HOPS);
	return (double)(stopwatch_now_ns() - start_ns) / PIECE_HOPS;
}

/* Of a piece the medians over the laps, ours over theirs. */
static void compare(const struct chain *chain, double *ratios, uint64_t pieces)
{
	struct kernel_work work = chain_work(chain);
	double(*ns)[2][LAPS / 2] = calloc(pieces, sizeof(*ns));
	if (!ns)
		exit(1);
	chain_walk(chain, chain_kernel(&chain->spec), &work, chain->nodes);
	for (uint64_t lap = 0; lap < LAPS; lap++)
		for (uint64_t piece = 0; piece < pieces; piece++) {
			bool ours = (lap + piece) % 2;
			ns[piece][ours][lap / 2] = piece_ns(chain, &work, ours);
		}
	for (uint64_t piece = 0; piece < pieces; piece++)
		ratios[piece] =
			stats_median(ns[piece][1], LAPS / 2) / stats_median(ns[piece][0], LAPS / 2);
	free(ns);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: same_memory BYTES PATTERN CPU\n");
		return 2;
	}
	uint64_t pieces = strtoull(argv[1], NULL, 10) / LINE / PIECE_HOPS;
	struct fathom_spec spec = {.size_bytes = pieces * PIECE_HOPS * LINE,
				   .node_bytes = LINE,
				   .lanes = 1,
				   .threads = 1};
	int pattern = pattern_parse(argv[2]);
	double *ratios = calloc(pieces + 1, sizeof(*ratios));
	unsigned char *memory = memory_on_cpu(spec.size_bytes, argv[3]);
	if (pieces == 0 || pattern < 0 || !ratios || memory == MAP_FAILED)
		return 1;
	spec.pattern = (enum fathom_pattern)pattern;
	struct chain chain;
	chain_build(&chain, &spec, memory, LINE, 1);
	compare(&chain, ratios, pieces);
	printf("%.4f\n", stats_median(ratios, pieces));
	free(ratios);
	return 0;
}
