#include "model/distribution/bins.h"

#include <math.h>

#include "base/list.h"

int bins_add(struct fathom_bin **bins, size_t *bin_count, const double *sorted_ns, size_t count,
	     int an_octave)
{
	for (size_t i = 0, next; i < count; i = next) {
		double width = exp2(floor(log2(sorted_ns[i]))) / an_octave;
		double low = floor(sorted_ns[i] / width) * width;
		for (next = i; next < count && sorted_ns[next] < low + width;)
			next++;
		struct fathom_bin bin = {low, low + width, next - i};
		if (LIST_APPEND(bins, bin_count, &bin))
			return -1;
	}
	return 0;
}
