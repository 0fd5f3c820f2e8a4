/* Where latency under load meets its law, and single accesses what is concluded of them. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "document/document.h"
#include "fathom_load.h"
#include "fathom_measure.h"
#include "measure/accesses/accesses.h"
#include "measure/loads/loads.h"
#include "measure/plan/plan.h"
#include "measure/plan/plan_memory.h"
#include "model/distribution/distributions.h"
#include "model/loaded/load_counts.h"
#include "model/loaded/load_law.h"
#include "model/loaded/load_laws.h"

#define HALVINGS   40
#define MOST_SHARE 0.995 /* of the greatest bandwidth, that a rate is chosen up to */
#define LINE_BYTES 64.0

/* Times the idle latency: denser where the knee is. */
static const double at_times[LOADS_MOST_CHOSEN] = {1.12, 1.27, 1.42, 1.58, 1.8, 2.3};

/* At which bandwidth the law says that latency. */
static double bandwidth_at(const struct load_law *law, double latency_ns, double most)
{
	double low = 0, high = most;
	for (int i = 0; i < HALVINGS; i++) {
		double middle = (low + high) / 2;
		if (load_law_ns(law, middle) < latency_ns)
			low = middle;
		else
			high = middle;
	}
	return (low + high) / 2;
}

/* Latencies that are evenly apart, or, where they rise beyond the knee, nearer to each other around
 * it. */
static int choose(void *context, const double *bandwidth, const double *latency_ns, size_t count,
		  double *rates, size_t most)
{
	struct load_law law;
	struct load_known known = LOAD_NOTHING_KNOWN;
	double greatest = 0;
	int chosen = 0;
	(void)context;
	for (size_t i = 0; i < count; i++)
		greatest = fmax(greatest, bandwidth[i]);
	known.idle_ns.value = latency_ns[0];
	if (load_law_is_saturated(latency_ns[1] / latency_ns[0], bandwidth[1] / greatest))
		known.peak.value = greatest;
	if (load_law_fit(bandwidth, latency_ns, count, &known, &law))
		return -1;
	double idle_ns = law.idle_ns.value;
	double end_ns = load_law_ns(&law, MOST_SHARE * greatest);
	bool rises = end_ns > at_times[LOADS_MOST_CHOSEN - 1] * idle_ns;
	for (size_t i = 0; i < most; i++) {
		double share = (double)(i + 1) / (double)(most + 1);
		double wanted_ns =
			rises ? at_times[i] * idle_ns : idle_ns + share * (end_ns - idle_ns);
		double rate = bandwidth_at(&law, wanted_ns, MOST_SHARE * greatest) -
			      LINE_BYTES * 1e9 / wanted_ns;
		if (rate > 0)
			rates[chosen++] = rate;
	}
	return chosen;
}

int loaded_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
		   const struct fathom_observer *observer, struct fathom_result *result,
		   struct fathom_error *error)
{
	static const struct loads_advisor advisor = {.choose = choose};
	struct load_since since = load_begin(machine);
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz =
		result->clock_drift = NAN;
	struct loads_place place = {.machine = machine,
				    .count = (uint32_t)plan_cpu_count(plan),
				    .part_bytes = plan_traffic_bytes(plan, machine)};
	int *cpus = calloc(place.count, sizeof(*cpus));
	if (!cpus)
		return error_no_memory(error);
	for (uint32_t i = 0; i < place.count; i++)
		cpus[i] = plan_cpu_at(plan, i);
	place.cpus = cpus;
	int status = loads_run(plan, &place, observer, &advisor, result, error);
	free(cpus);
	if (status)
		return -1;
	result->busy_cpus = load_busy_cpus(machine, &since, result->elapsed_s);
	document_round(result);
	return load_laws_find(result, error) || load_counts_judge(result, error) ? -1 : 0;
}

int distribution_measure(const struct fathom_plan *plan, const struct fathom_machine *machine,
			 const struct fathom_observer *observer, struct fathom_result *result,
			 struct fathom_error *error)
{
	struct load_since since = load_begin(machine);
	result->clock_min_hz = result->clock_median_hz = result->clock_max_hz =
		result->clock_drift = NAN;
	if (accesses_run(plan, machine, observer, result, error))
		return -1;
	result->busy_cpus = load_busy_cpus(machine, &since, result->elapsed_s);
	if (distributions_find(result, error))
		return -1;
	document_round(result);
	return 0;
}
