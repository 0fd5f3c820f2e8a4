/* Single accesses as HdrHistogram prints its percentiles, which its plotter and others read: value,
 * percentile, how many are not longer, 1 / (1 - percentile). Source of the form:
 * HdrHistogram's README, "outputPercentileDistribution". */
#include <math.h>

#include "base/error.h"
#include "base/text.h"
#include "base/units.h"
#include "document/document.h"
#include "render/writers.h"

#define BINS_AN_OCTAVE 128

/* One file holds one histogram: of the largest working set, of flushed lines only where there is
 * nothing else. NULL: the result has none. */
static const struct fathom_distribution *choose(const struct fathom_result *result)
{
	const struct fathom_distribution *chosen = NULL;
	uint64_t chosen_bytes = 0;
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		uint64_t bytes = curve->warmth == FATHOM_COLD_FLUSHED ? 0 : curve->size_bytes;
		if (!one->bin_count || (chosen && bytes <= chosen_bytes))
			continue;
		chosen = one;
		chosen_bytes = bytes;
	}
	return chosen;
}

static double middle_ns(const struct fathom_bin *bin)
{
	return (bin->low_ns + bin->high_ns) / 2;
}

static double deviation_ns(const struct fathom_distribution *distribution)
{
	double squares = 0;
	for (size_t i = 0; i < distribution->bin_count; i++) {
		const struct fathom_bin *bin = &distribution->bins[i];
		double away = middle_ns(bin) - distribution->mean_ns;
		squares += (double)bin->accesses * away * away;
	}
	return sqrt(squares / (double)distribution->accesses);
}

static void add_bins(struct text *text, const struct fathom_distribution *distribution)
{
	double all = (double)distribution->accesses;
	size_t below = 0;
	for (size_t i = 0; i < distribution->bin_count; i++) {
		const struct fathom_bin *bin = &distribution->bins[i];
		if (!bin->accesses)
			continue;
		below += bin->accesses;
		text_add(text, "%12.3f %2.12f %10zu", bin->high_ns, (double)below / all, below);
		if (below < distribution->accesses)
			text_add(text, " %14.2f", all / (all - (double)below));
		text_add(text, "\n");
	}
}

int hgrm_write(const struct content *content, const struct fathom_style *style, struct text *text,
	       struct fathom_error *error)
{
	const struct fathom_result *result = content->result;
	const struct fathom_distribution *one = choose(result);
	(void)style;
	if (!one)
		return error_set(error, FATHOM_BAD_INPUT, "'fathom distribution' measures them",
				 "the result has no single accesses");
	const struct fathom_bin *last = &one->bins[one->bin_count - 1];
	text_add(text, "%12s %14s %10s %14s\n\n", "Value", "Percentile", "TotalCount",
		 "1/(1-Percentile)");
	add_bins(text, one);
	text_add(text, "#[Mean    = %12.3f, StdDeviation   = %12.3f]\n", one->mean_ns,
		 deviation_ns(one));
	text_add(text, "#[Max     = %12.3f, Total count    = %12zu]\n", last->high_ns,
		 one->accesses);
	text_add(text, "#[Buckets = %12.0f, SubBuckets     = %12d]\n",
		 ceil(log2(last->high_ns / one->bins[0].low_ns)), BINS_AN_OCTAVE);
	return text->failed ? error_no_memory(error) : 0;
}
