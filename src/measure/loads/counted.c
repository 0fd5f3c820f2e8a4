#include "measure/loads/counted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/stats.h"
#include "document/table.h"

void counted_keep(struct counted *counted, const struct memory_traffic *traffic)
{
	if (!isfinite(traffic->read + traffic->written) || counted->visits == COUNTED_MOST_VISITS)
		return;
	counted->read[counted->visits] = traffic->read;
	counted->written[counted->visits++] = traffic->written;
	counted->on_share = fmin(counted->on_share, traffic->on_share);
}

void counted_estimate(const double *values, size_t count, double *value, double *low, double *high)
{
	double sorted[COUNTED_MOST_VISITS];
	memcpy(sorted, values, count * sizeof(*sorted));
	stats_sort(sorted, count);
	struct stats_interval interval = stats_median_interval(sorted, count);
	*value = stats_median_sorted(sorted, count);
	*low = interval.low;
	*high = interval.high;
}

void counted_tell(const struct counted *counted, struct fathom_load *load)
{
	counted_estimate(counted->read, counted->visits, &load->counted_read_bytes_per_second,
			 &load->counted_read_low_bytes_per_second,
			 &load->counted_read_high_bytes_per_second);
	counted_estimate(counted->written, counted->visits, &load->counted_write_bytes_per_second,
			 &load->counted_write_low_bytes_per_second,
			 &load->counted_write_high_bytes_per_second);
}

/* -1: out of memory. */
static int copy_names(const char *const *names, char ***copy)
{
	size_t count = 0;
	while (names[count])
		count++;
	*copy = calloc(count + 1, sizeof(**copy));
	for (size_t i = 0; *copy && i < count; i++)
		if (!((*copy)[i] = strdup(names[i])))
			return -1;
	return *copy ? 0 : -1;
}

int counted_add(const struct counted *all, const struct loader *loader,
		struct fathom_result *result, struct fathom_error *error)
{
	struct fathom_memory_count count;
	table_unknown(&memory_count_table, &count);
	int status = 0;
	if (loader->counters_missing) {
		count.missing = strdup(loader->counters_missing);
		status = count.missing ? 0 : -1;
	} else {
		count.on_share = all->on_share;
		status = copy_names(loader->counters, &count.counters);
	}
	if (!status && !LIST_APPEND(&result->memory_counts, &result->memory_count_count, &count))
		return 0;
	table_clear(&memory_count_table, &count);
	return error_no_memory(error);
}
