/* How well sibling_probe.h tells when a program runs on the core's other thread: laps through most
 * of the first cache, each between two looks of the probe.
 *
 * sibling BYTES SECONDS CPU prints how many laps the probe kept and rejected, and which share of
 * either took over 3 % more cycles than the fastest tenth. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/stats.h"
#include "base/stopwatch.h"
#include "measure/memory/chain.h"
#include "measure/memory/chain_kernel.h"
#include "measure/sampling/sibling_probe.h"
#include "on_cpu.h"

#define LINE    64
#define RUN_NS  10e3 /* laps are timed together until they take as long as a batch */
#define MOST    1000000
#define SLOW    1.03
#define CLOCKED 20 /* runs that one reading of the clock serves */

struct runs {
	double *kept, *rejected; /* cycles */
	size_t kept_count, rejected_count;
};

static double run_ns(const struct chain *chain, struct kernel_work *work, uint64_t hops)
{
	uint64_t start_ns = stopwatch_now_ns();
	chain_walk(chain, chain_kernel(&chain->spec), work, hops);
	return (double)(stopwatch_now_ns() - start_ns);
}

static void measure(const struct chain *chain, double seconds, struct runs *runs)
{
	struct clock_probe clock = clock_probe_hardware();
	struct sibling_probe probe = sibling_probe_make(&clock);
	struct kernel_work work = chain_work(chain);
	uint64_t hops = chain->nodes, start_ns = stopwatch_now_ns();
	bool busy = true;
	double hz = NAN;
	while (run_ns(chain, &work, hops) < RUN_NS)
		hops += chain->nodes;
	for (size_t i = 0; i < MOST && (double)(stopwatch_now_ns() - start_ns) < seconds * 1e9;
	     i++) {
		bool before = busy;
		if (i % CLOCKED == 0)
			hz = clock_probe_read(&clock).hz;
		double cycles = run_ns(chain, &work, hops) * hz * 1e-9;
		busy = sibling_probe_is_busy(&probe, hz);
		if (isnan(cycles))
			continue;
		if (before || busy)
			runs->rejected[runs->rejected_count++] = cycles;
		else
			runs->kept[runs->kept_count++] = cycles;
	}
}

static void print_share(const char *what, const double *cycles, size_t count, double limit)
{
	size_t slow = 0;
	for (size_t i = 0; i < count; i++)
		slow += cycles[i] > limit;
	printf("%s: %zu runs, %.2f %% of them slow\n", what, count,
	       count ? 100 * (double)slow / (double)count : 0);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: sibling BYTES SECONDS CPU\n");
		return 2;
	}
	struct fathom_spec spec = {.size_bytes = strtoull(argv[1], NULL, 10) / LINE * LINE,
				   .node_bytes = LINE,
				   .lanes = 1,
				   .threads = 1};
	struct runs runs = {.kept = calloc(MOST, sizeof(double)),
			    .rejected = calloc(MOST, sizeof(double))};
	unsigned char *memory = memory_on_cpu(spec.size_bytes, argv[3]);
	if (spec.size_bytes == 0 || !runs.kept || !runs.rejected || memory == MAP_FAILED)
		return 1;
	struct chain chain;
	chain_build(&chain, &spec, memory, LINE, 1);
	measure(&chain, strtod(argv[2], NULL), &runs);
	if (runs.kept_count == 0) {
		printf("the core's other thread was never idle\n");
		return 0;
	}
	stats_sort(runs.kept, runs.kept_count);
	double limit = SLOW * runs.kept[runs.kept_count / 10];
	print_share("kept", runs.kept, runs.kept_count, limit);
	print_share("rejected", runs.rejected, runs.rejected_count, limit);
	free(runs.kept);
	free(runs.rejected);
	return 0;
}
