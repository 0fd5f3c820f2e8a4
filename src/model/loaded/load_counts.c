#include "model/loaded/load_counts.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/stats.h"

/* Memory sees what the threads do not count, though nothing is wrong: a line of the page table for
 * an access of the chain on base pages, which is 64 bytes in 80 to 200 ns, up to 8 % of the 10 GB/s
 * of a small machine; lines that a visit before had changed, and that are written back in the next
 * one. Refresh is no traffic. What is off by more has another cause. */
#define AGREES 0.1

struct ratios {
	double *counted; /* over what the threads counted, of each load with traffic */
	double *without; /* the same without what others use */
	double *others;  /* of each load without traffic: bytes a second */
	size_t count, other_count;
};

static double counted_of(const struct fathom_load *load)
{
	return load->counted_read_bytes_per_second + load->counted_write_bytes_per_second;
}

static bool has_traffic(const struct fathom_load *load)
{
	return !(load->wanted_bytes_per_second <= 0);
}

/* First of the loads without traffic: what others use is then known. */
static void gather(const struct fathom_result *result, bool traffic, double others,
		   struct ratios *ratios)
{
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].load_count; k++) {
			const struct fathom_load *load = &result->curves[i].loads[k];
			double counted = counted_of(load), own = load->bandwidth_bytes_per_second;
			if (!isfinite(counted) || !(own > 0) || has_traffic(load) != traffic)
				continue;
			if (!traffic) {
				ratios->others[ratios->other_count++] = fmax(0, counted - own);
				continue;
			}
			ratios->counted[ratios->count] = counted / own;
			ratios->without[ratios->count++] = (counted - others) / own;
		}
}

static enum fathom_agreement judge(const struct fathom_memory_count *count, double without)
{
	if (count->ratio_low >= 1 - AGREES && count->ratio_high <= 1 + AGREES)
		return FATHOM_AGREES;
	if (count->ratio_low > 1 + AGREES)
		return without <= 1 + AGREES ? FATHOM_COUNTED_OTHERS : FATHOM_COUNTED_MORE;
	return count->ratio_high < 1 - AGREES ? FATHOM_COUNTED_FEWER : FATHOM_AGREEMENT_UNKNOWN;
}

static void conclude(const struct fathom_result *result, struct ratios *ratios,
		     struct fathom_memory_count *count)
{
	gather(result, false, 0, ratios);
	count->other_bytes_per_second = stats_median(ratios->others, ratios->other_count);
	double others = count->other_bytes_per_second;
	gather(result, true, isfinite(others) ? others : 0, ratios);
	stats_sort(ratios->counted, ratios->count);
	struct stats_interval interval = stats_median_interval(ratios->counted, ratios->count);
	count->ratio = stats_median_sorted(ratios->counted, ratios->count);
	count->ratio_low = interval.low;
	count->ratio_high = interval.high;
	count->agreement = judge(count, stats_median(ratios->without, ratios->count));
}

int load_counts_judge(struct fathom_result *result, struct fathom_error *error)
{
	size_t loads = 0;
	if (!result->memory_count_count || result->memory_counts[0].missing)
		return 0;
	for (size_t i = 0; i < result->curve_count; i++)
		loads += result->curves[i].load_count;
	double *values = malloc((3 * loads + 1) * sizeof(*values));
	if (!values)
		return error_no_memory(error);
	struct ratios ratios = {values, values + loads, values + 2 * loads, 0, 0};
	conclude(result, &ratios, &result->memory_counts[0]);
	free(values);
	return 0;
}
