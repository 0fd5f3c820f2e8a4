#include <math.h>

#include "base/error.h"
#include "base/warnings.h"
#include "model/latency_numbers.h"
#include "model/predict/costs_read.h"

/* Where a result does not say it. Instructions in flight: those of a search wait for its loads, so
 * that it is the schedulers that fill up and not the reorder buffer. Those that makers document
 * (Nehalem 36 entries, Sandy Bridge 54, Haswell 60, Skylake 97, Zen 84, Zen 2 92, Zen 3 and 4 96)
 * have this geometric mean, and 95 % of a lognormal distribution of that spread lie between these.
 * Mispredicted branches: 11 (Neoverse N1) to 20 (Zen 2) cycles in the makers' guides. The first
 * cache answers in 4 to 6 cycles. Reorder buffers, of the same makers: Haswell 192 entries, Skylake
 * 224, Sunny Cove 352, Golden Cove 512, Zen 2 224, Zen 3 256, Zen 4 320, Zen 5 448, Neoverse N1
 * 128, V1 256: geometric mean and spread likewise. A load that takes its value
 * from a store on its way: 4.4 to 8 cycles (Downs, uarch-bench, forwarding, 2019: Skylake, Haswell,
 * Sandy Bridge, and Zen 2 where it does not guess which store it is). */
#define USUAL_WINDOW    73, 36, 150
#define USUAL_REORDER   270, 121, 604
#define USUAL_BRANCH    15, 10, 21
#define USUAL_FORWARD   6, 4.4, 8
#define USUAL_L1_CYCLES 5.0
#define LEAST_L1_CYCLES 4.0
#define MOST_L1_CYCLES  6.0
/* Instructions a cycle that cores rename: 4 (Skylake, Neoverse N1), 5 (Sunny Cove, Neoverse N2), 6
 * (Golden Cove, Zen 2 to 4), 8 (Zen 5, Neoverse V1): geometric mean, and the ends. */
#define USUAL_WIDTH 6, 4, 8

/* What compilers make of the same C differs: of a step of a branchless search 5 to 8 instructions
 * instead of 6, of which 2 to 4 wait for each other instead of 3. */
#define USUAL_CODE 1, 0.7, 1.35

static const struct fathom_cost not_known = {NAN, NAN, NAN};

static struct fathom_cost scaled(double factor, double value, double low, double high)
{
	return (struct fathom_cost){factor * value, factor * low, factor * high};
}

static int read_cycle(struct fathom_result *result, double hz, struct costs *costs)
{
	if (hz > 0 || (hz = result->clock_median_hz) > 0) {
		costs->inputs[COSTS_CYCLE] = scaled(1e9 / hz, 1, 1, 1);
		return 0;
	}
	double l1_ns = costs->latency.values[0].ns;
	costs->inputs[COSTS_CYCLE] = (struct fathom_cost){
		l1_ns / USUAL_L1_CYCLES, l1_ns / MOST_L1_CYCLES, l1_ns / LEAST_L1_CYCLES};
	return warnings_add(&result->warnings, "predict-clock", NULL,
			    "--clock says it, as in --clock 3.6G",
			    "the core clock is not known: the first cache is taken to answer in "
			    "%.0f cycles",
			    USUAL_L1_CYCLES);
}

static struct fathom_cost read_branch(const struct fathom_result *result, double ns,
				      const struct costs *costs)
{
	struct fathom_cost known = latency_numbers_mispredict(result);
	if (ns > 0)
		known = scaled(ns, 1, 1, 1);
	if (known.ns > 0 && !isfinite(known.low_ns))
		known.low_ns = known.high_ns = known.ns;
	return known.ns > 0 ? known : scaled(costs->inputs[COSTS_CYCLE].ns, USUAL_BRANCH);
}

static struct fathom_cost read_forward(const struct fathom_result *result,
				       const struct costs *costs)
{
	struct fathom_cost known = {result->forward_ns, result->forward_low_ns,
				    result->forward_high_ns};
	if (!(known.ns > 0))
		return scaled(costs->inputs[COSTS_CYCLE].ns, USUAL_FORWARD);
	costs_close(&known);
	return known;
}

static struct fathom_cost read_window(const struct fathom_result *result, double asked)
{
	struct fathom_cost known = {result->window_instructions, result->window_low_instructions,
				    result->window_high_instructions};
	if (asked > 0)
		return scaled(asked, 1, 1, 1);
	if (!(known.ns > 0))
		return scaled(1, USUAL_WINDOW);
	costs_close(&known);
	return known;
}

static struct fathom_cost read_cores(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->core_class_count; i++)
		if (result->core_classes[i].kind != FATHOM_CORES_SMT) {
			const struct fathom_core_class *one = &result->core_classes[i];
			return (struct fathom_cost){one->latency_ns, one->least_ns,
						    one->greatest_ns};
		}
	return not_known;
}

int costs_read_core(struct fathom_result *result, const struct fathom_predict_request *request,
		    struct costs *costs, struct fathom_error *error)
{
	costs->inputs[COSTS_WINDOW] = read_window(result, request->window);
	costs->inputs[COSTS_REORDER] = scaled(1, USUAL_REORDER);
	costs->inputs[COSTS_WIDTH] = scaled(1, USUAL_WIDTH);
	costs->inputs[COSTS_CODE] = scaled(1, USUAL_CODE);
	costs->inputs[COSTS_CORES] = read_cores(result);
	if (read_cycle(result, request->clock_hz, costs))
		return error_no_memory(error);
	costs->inputs[COSTS_BRANCH] = read_branch(result, request->branch_ns, costs);
	costs->inputs[COSTS_FORWARD] = read_forward(result, costs);
	return 0;
}
