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

static double counted_of(const struct fathom_load *load)
{
	return load->counted_read_bytes_per_second + load->counted_write_bytes_per_second;
}

static bool has_traffic(const struct fathom_load *load)
{
	return !(load->wanted_bytes_per_second <= 0);
}

static bool is_counted(const struct fathom_load *load)
{
	return isfinite(counted_of(load)) && load->bandwidth_bytes_per_second > 0;
}

/* What is counted beside the chain where nobody makes traffic. `values`: room for all loads. */
static double find_others(const struct fathom_result *result, double *values)
{
	size_t count = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].load_count; k++) {
			const struct fathom_load *load = &result->curves[i].loads[k];
			if (is_counted(load) && !has_traffic(load))
				values[count++] = fmax(0, counted_of(load) -
								  load->bandwidth_bytes_per_second);
		}
	return stats_median(values, count);
}

struct ratio {
	double median;
	struct stats_interval interval;
};

/* Counted, but `others`, over what the threads counted: of the loads of a curve with traffic. */
static struct ratio find_ratio(const struct fathom_curve *curve, double others, double *values)
{
	size_t count = 0;
	for (size_t i = 0; i < curve->load_count; i++) {
		const struct fathom_load *load = &curve->loads[i];
		if (is_counted(load) && has_traffic(load))
			values[count++] =
				(counted_of(load) - others) / load->bandwidth_bytes_per_second;
	}
	stats_sort(values, count);
	return (struct ratio){stats_median_sorted(values, count),
			      stats_median_interval(values, count)};
}

static bool agrees(const struct ratio *ratio)
{
	return ratio->interval.low >= 1 - AGREES && ratio->interval.high <= 1 + AGREES;
}

static enum fathom_agreement judge(const struct ratio *all, const struct ratio *without)
{
	if (agrees(all))
		return FATHOM_AGREES;
	if (agrees(without))
		return FATHOM_COUNTED_OTHERS;
	if (all->interval.low > 1 + AGREES)
		return without->median <= 1 + AGREES ? FATHOM_COUNTED_OTHERS : FATHOM_COUNTED_MORE;
	return all->interval.high < 1 - AGREES ? FATHOM_COUNTED_FEWER : FATHOM_AGREEMENT_UNKNOWN;
}

/* How far from 1 it may be; of few loads, how far it is. */
static double distance(double ratio, double low, double high)
{
	return fmax(fabs(log(ratio)), fmax(fabs(log(low)), fabs(log(high))));
}

/* The curve that is off most, as one kind of traffic may be counted and another not. */
static void conclude(const struct fathom_result *result, double *values,
		     struct fathom_memory_count *count)
{
	double others = find_others(result, values), greatest = -1;
	count->other_bytes_per_second = others;
	count->ratio = count->ratio_low = count->ratio_high = NAN;
	count->agreement = FATHOM_AGREEMENT_UNKNOWN;
	for (size_t i = 0; i < result->curve_count; i++) {
		struct ratio ratio = find_ratio(&result->curves[i], 0, values);
		struct ratio without =
			find_ratio(&result->curves[i], isfinite(others) ? others : 0, values);
		double off = distance(ratio.median, ratio.interval.low, ratio.interval.high);
		if (!(off > greatest))
			continue;
		greatest = off;
		count->curve = i;
		count->ratio = ratio.median;
		count->ratio_low = ratio.interval.low;
		count->ratio_high = ratio.interval.high;
		count->agreement = judge(&ratio, &without);
	}
}

int load_counts_judge(struct fathom_result *result, struct fathom_error *error)
{
	size_t loads = 0;
	if (!result->memory_count_count || result->memory_counts[0].missing)
		return 0;
	for (size_t i = 0; i < result->curve_count; i++)
		loads += result->curves[i].load_count;
	double *values = malloc((loads + 1) * sizeof(*values));
	if (!values)
		return error_no_memory(error);
	conclude(result, values, &result->memory_counts[0]);
	free(values);
	return 0;
}
