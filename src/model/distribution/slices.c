#include "model/distribution/slices.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/stats.h"
#include "document/table.h"
#include "model/distribution/bins.h"

#define BINS_AN_OCTAVE 8 /* a heat map has no more rows */

/* NAN: fewer than one access beyond it. */
static double ranked(const double *sorted, size_t count, double share)
{
	if ((double)count * (1 - share) < 1)
		return NAN;
	return sorted[(size_t)fmax(0, ceil((double)count * share) - 1)];
}

static int add_slice(struct fathom_distribution *made, double start_s, double *ns, size_t count)
{
	struct fathom_slice slice;
	table_unknown(&slice_table, &slice);
	stats_sort(ns, count);
	slice.start_s = start_s;
	slice.end_s = start_s + made->slice_s;
	slice.accesses = count;
	slice.p50_ns = ranked(ns, count, 0.5);
	slice.p99_ns = ranked(ns, count, 0.99);
	slice.p999_ns = ranked(ns, count, 0.999);
	slice.greatest_ns = ns[count - 1];
	if (bins_add(&slice.bins, &slice.bin_count, ns, count, BINS_AN_OCTAVE) == 0 &&
	    LIST_APPEND(&made->slices, &made->slice_count, &slice) == 0)
		return 0;
	table_clear(&slice_table, &slice);
	return -1;
}

int slices_find(struct fathom_distribution *made, const struct fathom_curve *curve)
{
	const double *times_ns = curve->times_ns;
	double slice_ns = made->slice_s * 1e9;
	if (isnan(made->slice_s))
		return 0;
	double *ns = malloc(curve->access_count * sizeof(*ns));
	int failed = ns ? 0 : -1;
	for (size_t i = 0, next; i < curve->access_count && !failed; i = next) {
		double number = floor((times_ns[i] - times_ns[0]) / slice_ns);
		double end_ns = times_ns[0] + (number + 1) * slice_ns;
		for (next = i + 1; next < curve->access_count && times_ns[next] < end_ns;)
			next++;
		memcpy(ns, curve->latencies_ns + i, (next - i) * sizeof(*ns));
		failed = add_slice(made, number * made->slice_s, ns, next - i);
	}
	free(ns);
	return failed;
}
