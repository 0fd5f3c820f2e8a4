/* Pairs of runs on simulated machines, of which one level may have become slower: what the
 * comparison says. accuracy_compare.py makes the report. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"
#include "fathom.h"

#define MOST_LEVELS   4
#define BUDGET_S      0.7 /* of simulated time */
#define MOST_BASELINE 3

static const char usage[] =
	"usage: accuracy_compare SEED COUNT FIRST BASELINES CHANGE\n"
	"BASELINES: 0: one, and neither run tells intervals\n"
	"CHANGE: by how much one level becomes slower, as a share; 0: none does\n"
	"A line a pair: pair,level that changed,latency factor,verdict and speed-up of each "
	"level\n";

struct machine {
	size_t cache_count;
	double size_kib[MOST_LEVELS], latency[MOST_LEVELS]; /* cycles, of the last one ns */
	double memory_ns, clock_ghz, noise_percent, outliers_percent;
	bool random_pages;
};

static double between(struct rng *rng, double low, double high)
{
	return low * exp(rng_unit(rng) * log(high / low));
}

/* Caches are small, so that many runs can be simulated; L1 and L2 in cycles, what is beyond in ns.
 */
static struct machine draw(uint64_t seed, uint64_t index)
{
	struct rng rng = rng_make(rng_mix(seed, index));
	struct machine machine = {.cache_count = 2 + rng_below(&rng, 2)};
	double size_kib = between(&rng, 8, 16), cycles = 3 + (double)rng_below(&rng, 3);
	for (size_t i = 0; i < machine.cache_count; i++) {
		machine.size_kib[i] = 8 * round(size_kib / 8);
		machine.latency[i] = cycles;
		size_kib = machine.size_kib[i] * between(&rng, 6, 10);
		cycles *= between(&rng, 2.5, 4);
	}
	machine.clock_ghz = between(&rng, 2, 5);
	machine.memory_ns = between(&rng, 60, 150);
	machine.noise_percent = between(&rng, 0.2, 1.5);
	machine.outliers_percent = 3 * rng_unit(&rng);
	machine.random_pages = rng_below(&rng, 2);
	return machine;
}

/* `changed` and `factor`: the level whose latency is multiplied; MOST_LEVELS: none. */
static char *describe(const struct machine *machine, size_t changed, double factor, uint64_t seed)
{
	struct text text = {0};
	text_add(&text, "sim:");
	for (size_t i = 0; i < machine->cache_count; i++) {
		double cycles = machine->latency[i] * (i == changed ? factor : 1);
		if (i < 2)
			text_add(&text, "l%zu=%gK/8/lru/%.4fc,", i + 1, machine->size_kib[i],
				 cycles);
		else
			text_add(&text, "l%zu=%gK/8/lru/%.4fns,", i + 1, machine->size_kib[i],
				 cycles / machine->clock_ghz);
	}
	if (machine->cache_count < 3)
		text_add(&text, "l3=off,");
	double memory_ns = machine->memory_ns * (changed == machine->cache_count ? factor : 1);
	text_add(&text, "mem=%.4fns,clock=%.0fM,noise=%.2f%%,outliers=%.1f%%,dtlb=off,", memory_ns,
		 machine->clock_ghz * 1000, machine->noise_percent, machine->outliers_percent);
	text_add(&text, "placement=%s,seed=%" PRIu64, machine->random_pages ? "random" : "even",
		 seed % 1000000 + 1);
	return text_take(&text);
}

static int measure(const char *description, const struct machine *machine, uint64_t seed,
		   struct fathom_result **result, struct fathom_error *error)
{
	struct fathom_request request;
	struct fathom_machine *simulated;
	struct fathom_plan *plan;
	fathom_request_default(&request);
	request.spec.seed = seed;
	request.spec.page = FATHOM_PAGE_4K;
	request.control = false;
	request.per_octave = 4;
	request.min_size_bytes = 2048;
	request.max_size_bytes = (uint64_t)(8 * 1024 * machine->size_kib[machine->cache_count - 1]);
	request.budget_s = BUDGET_S;
	if (fathom_machine_find(description, &simulated, error))
		return -1;
	if (fathom_plan_make(&request, simulated, &plan, error)) {
		fathom_machine_free(simulated);
		return -1;
	}
	int status = fathom_measure(plan, simulated, NULL, result, error);
	fathom_plan_free(plan);
	if (status)
		fathom_machine_free(simulated);
	return status;
}

static void print_pair(uint64_t index, const struct machine *machine, size_t changed, double factor,
		       const struct fathom_compared_run *run)
{
	if (changed == MOST_LEVELS)
		printf("%" PRIu64 ",none,%g", index, factor);
	else if (changed == machine->cache_count)
		printf("%" PRIu64 ",memory,%g", index, factor);
	else
		printf("%" PRIu64 ",L%zu,%g", index, changed + 1, factor);
	for (size_t i = 0; i < run->part_count; i++)
		printf(",%s,%s,%.5f,%.5f", run->parts[i].name,
		       fathom_verdict_name((int)run->parts[i].verdict), run->parts[i].speedup,
		       run->parts[i].visible);
	printf("\n");
}

/* As another tool's file. */
static void forget_intervals(struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			struct fathom_point *point = &result->curves[i].points[k];
			point->block_count = 0;
			point->latency_low_ns = point->latency_high_ns = NAN;
			point->latency_low_cycles = point->latency_high_cycles = NAN;
		}
}

static int judge(uint64_t seed, uint64_t index, size_t told, double change,
		 struct fathom_error *error)
{
	size_t baselines = told ? told : 1;
	struct machine machine = draw(seed, index);
	struct fathom_run runs[MOST_BASELINE + 1] = {0};
	struct fathom_result *results[MOST_BASELINE + 1] = {0};
	struct fathom_comparison *comparison = NULL;
	size_t level = index % (machine.cache_count + 1),
	       changed = change > 0 ? level : MOST_LEVELS;
	int status = 0;
	for (size_t i = 0; !status && i <= baselines; i++) {
		uint64_t own = rng_mix(rng_mix(seed, index), i + 1);
		char *description =
			describe(&machine, i == baselines ? changed : MOST_LEVELS, 1 + change, own);
		status = description ? measure(description, &machine, own, &results[i], error)
				     : error_no_memory(error);
		if (!status && !told)
			forget_intervals(results[i]);
		runs[i] = (struct fathom_run){i == baselines ? "run" : "baseline", results[i]};
		free(description);
	}
	const struct fathom_compare_request request = {
		.baselines = runs,
		.baseline_count = baselines,
		.runs = runs + baselines,
		.run_count = 1,
	};
	if (!status)
		status = fathom_compare(&request, &comparison, error);
	if (!status)
		print_pair(index, &machine, changed, 1 + change, &comparison->runs[0]);
	fathom_comparison_free(comparison);
	for (size_t i = 0; i <= baselines; i++)
		fathom_result_free(results[i]);
	return status;
}

static int number(const char *text, int64_t most, int64_t *value)
{
	if (units_parse_integer(text, 0, most, value, NULL) == 0)
		return 0;
	fprintf(stderr, "'%s' is not a number from 0 to %" PRId64 "\n%s", text, most, usage);
	return -1;
}

int main(int argc, char **argv)
{
	struct fathom_error error = {0};
	int64_t seed, count, first, baselines;
	double change = 0;
	if (argc != 6) {
		fputs(usage, stderr);
		return 2;
	}
	if (number(argv[1], INT32_MAX, &seed) || number(argv[2], INT32_MAX, &count) ||
	    number(argv[3], INT32_MAX, &first) || number(argv[4], MOST_BASELINE, &baselines) ||
	    (strcmp(argv[5], "0") != 0 && units_parse_share(argv[5], &change, NULL)))
		return 2;
	int status = 0;
	for (int64_t i = first; !status && i < first + count; i++)
		status = judge((uint64_t)seed, (uint64_t)i, (size_t)baselines, change, &error);
	if (status)
		fprintf(stderr, "%s\n", error.text);
	fathom_error_clear(&error);
	return status ? 2 : 0;
}
