/* What the queueing memory of a simulated machine does, by long runs without noise: latency without
 * traffic, the bandwidth at which it takes 1.5 times as long, and the most that it gives.
 *
 *     load_truth SIM TRAFFIC        "82.1 ns, 33.1e9, 38.2e9 bytes/s" as three numbers; nan: not
 * reached
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "measure/loads/loader.h"
#include "simulate/simulated_machine.h"

#define KNEE      1.5
#define LONG_NS   1.5e6
#define RUNS      4
#define HALVINGS  7
#define CLIMB     1.03
#define KEPT      0.98 /* of a rate, that is got through where it is kept */
#define SIZE      (4u << 20)
#define MOST_CPUS 1024

struct truth {
	struct loader *loader;
	enum fathom_traffic traffic;
	struct rng rng;
};

static struct loader_found visit(struct truth *truth, double bytes_per_second, int runs)
{
	struct loader_found mean = {0};
	for (int i = 0; i < runs; i++) {
		const struct loader_visit what = {.traffic = truth->traffic,
						  .bytes_per_second = bytes_per_second,
						  .key = rng_next(&truth->rng),
						  .ns = LONG_NS};
		struct loader_found found;
		struct fathom_error error = {0};
		if (truth->loader->ops->visit(truth->loader, &what, &found, &error)) {
			fprintf(stderr, "%s\n", error.text);
			exit(1);
		}
		mean.latency_ns += found.latency_ns / runs;
		mean.bytes_per_second += found.bytes_per_second / runs;
	}
	return mean;
}

/* Where a curve bends back, a schedule gets more through than all that the threads can make: at the
 * best of greater and greater rates, until one is not kept. */
static double find_peak(struct truth *truth, double all)
{
	double peak = 0, best = all, found, wanted = all;
	do {
		wanted *= CLIMB;
		found = visit(truth, wanted, 1).bytes_per_second;
		if (found > peak) {
			peak = found;
			best = wanted;
		}
	} while (found > KEPT * wanted);
	return fmax(all, visit(truth, best, 2 * RUNS).bytes_per_second);
}

static double find_knee(struct truth *truth, double idle_ns, double most)
{
	double low = 0, high = most;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		if (visit(truth, middle, 2 * RUNS).latency_ns < KNEE * idle_ns)
			low = middle;
		else
			high = middle;
	}
	return visit(truth, (low + high) / 2, RUNS).bytes_per_second;
}

int main(int argc, char **argv)
{
	struct fathom_machine *machine;
	struct fathom_error error = {0};
	struct truth truth = {.rng = rng_make(1)};
	int cpus[MOST_CPUS];
	if (argc != 3 || meter_simulated_machine(argv[1], &machine, &error)) {
		fprintf(stderr, "%s\n", error.text ? error.text : "load_truth SIM TRAFFIC");
		return 2;
	}
	while (fathom_traffic_name((int)truth.traffic) &&
	       strcmp(fathom_traffic_name((int)truth.traffic), argv[2]) != 0)
		truth.traffic++;
	for (int i = 0; i < MOST_CPUS; i++)
		cpus[i] = i;
	const struct fathom_spec chain = {.size_bytes = SIZE,
					  .node_bytes = 64,
					  .lanes = 1,
					  .threads = 1,
					  .pattern = FATHOM_RANDOM_CYCLE,
					  .page = FATHOM_PAGE_THP};
	const struct loader_setup setup = {.machine = machine,
					   .cpus = cpus,
					   .count = machine->online_cpus,
					   .memory_node = -1,
					   .chains = &chain,
					   .chain_count = 1,
					   .seed = 1};
	if (loader_open(&setup, &truth.loader, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return 1;
	}
	double idle_ns = visit(&truth, 0, RUNS).latency_ns;
	struct loader_found most = visit(&truth, INFINITY, 2 * RUNS);
	double peak = find_peak(&truth, most.bytes_per_second);
	bool reached = most.latency_ns > KNEE * idle_ns;
	double knee = reached ? find_knee(&truth, idle_ns, peak) : NAN;
	printf("%.17g %.17g %.17g\n", idle_ns, knee, peak);
	truth.loader->ops->close(truth.loader);
	fathom_machine_free(machine);
	return 0;
}
