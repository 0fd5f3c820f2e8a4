#include "measure/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/stats.h"
#include "measure/spec.h"

#define FIRST_LOOK 6

static int grow(struct tally *tally, struct fathom_error *error)
{
	size_t capacity = tally->block_capacity ? 2 * tally->block_capacity : 8;
	double **arrays[] = {&tally->ns, &tally->cycles, &tally->clock_hz};
	if (tally->block_count < tally->block_capacity)
		return 0;
	for (int i = 0; i < 3; i++) {
		double *values = realloc(*arrays[i], capacity * sizeof(*values));
		if (!values)
			return error_no_memory(error);
		*arrays[i] = values;
	}
	tally->block_capacity = capacity;
	return 0;
}

static int keep(struct tally *tally, const struct sampler_block *block, struct fathom_error *error)
{
	size_t count = tally->sample_count + block->count;
	double *samples = realloc(tally->samples_ns, count * sizeof(*samples));
	if (!samples)
		return error_no_memory(error);
	memcpy(samples + tally->sample_count, block->samples_ns, block->count * sizeof(*samples));
	tally->samples_ns = samples;
	return 0;
}

int tally_add(struct tally *tally, const struct sampler_block *block, bool keep_samples,
	      struct fathom_error *error)
{
	if (grow(tally, error) || (keep_samples && keep(tally, block, error)))
		return -1;
	size_t at = tally->block_count++;
	tally->ns[at] = block->ns;
	tally->cycles[at] = block->cycles;
	tally->clock_hz[at] = block->clock_hz;
	tally->sample_count += block->count;
	tally->warm_s = block->warm_s;
	tally->disturbed_blocks += block->disturbed;
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++)
		tally->rejected[i] += block->rejected[i];
	return 0;
}

void tally_free(struct tally *tally)
{
	free(tally->ns);
	free(tally->cycles);
	free(tally->clock_hz);
	free(tally->samples_ns);
	*tally = (struct tally){0};
}

struct summary {
	double median, low, high;
};

/* Of the values that are known. */
static struct summary summarise(const double *values, size_t count)
{
	struct summary summary = {NAN, NAN, NAN};
	double *known = malloc((count + 1) * sizeof(*known));
	size_t known_count = 0;
	if (!known)
		return summary;
	for (size_t i = 0; i < count; i++)
		if (!isnan(values[i]))
			known[known_count++] = values[i];
	summary.median = stats_median(known, known_count);
	struct stats_interval interval = stats_median_interval(known, known_count);
	summary.low = interval.low;
	summary.high = interval.high;
	free(known);
	return summary;
}

/* An interval that is not narrower than what the instrument resolves. */
static struct summary widen(struct summary summary, double resolution)
{
	if (!isnan(summary.low)) {
		summary.low = fmin(summary.low, summary.median * (1 - resolution));
		summary.high = fmax(summary.high, summary.median * (1 + resolution));
	}
	return summary;
}

double tally_median_ns(const struct tally *tally)
{
	return summarise(tally->ns, tally->block_count).median;
}

double tally_half_width(const struct tally *tally)
{
	struct summary summary = summarise(tally->ns, tally->block_count);
	return (summary.high - summary.low) / 2 / summary.median;
}

size_t tally_next_look(size_t count)
{
	size_t look = FIRST_LOOK;
	while (look <= count)
		look += (look + 1) / 2;
	return look;
}

void tally_finish(struct tally *tally, double target, double overhead_ns, double resolution,
		  uint64_t line_bytes, struct fathom_point *point)
{
	double less = isnan(overhead_ns) ? 0 : overhead_ns;
	for (size_t i = 0; i < tally->block_count; i++) {
		tally->ns[i] -= less;
		tally->cycles[i] -= less * tally->clock_hz[i] * 1e-9;
	}
	if (tally->samples_ns)
		for (size_t i = 0; i < tally->sample_count; i++)
			tally->samples_ns[i] -= less;
	struct summary ns = widen(summarise(tally->ns, tally->block_count), resolution);
	struct summary cycles = widen(summarise(tally->cycles, tally->block_count), resolution);
	*point = (struct fathom_point){
		.spec = tally->spec,
		.nodes = spec_nodes(&tally->spec),
		.lines_touched = spec_lines_touched(&tally->spec, line_bytes),
		.page_bytes = tally->placement.page_bytes,
		.page_share = tally->placement.page_share,
		.latency_ns = ns.median,
		.latency_low_ns = ns.low,
		.latency_high_ns = ns.high,
		.latency_cycles = cycles.median,
		.latency_low_cycles = cycles.low,
		.latency_high_cycles = cycles.high,
		.clock_hz = summarise(tally->clock_hz, tally->block_count).median,
		.overhead_ns = overhead_ns,
		.target = target,
		.within_target = (ns.high - ns.low) / 2 <= target * ns.median,
		.blocks_ns = tally->ns,
		.block_count = tally->block_count,
		.samples_ns = tally->samples_ns,
		.sample_count = tally->sample_count,
	};
	memcpy(point->rejected, tally->rejected, sizeof(point->rejected));
	tally->ns = NULL;
	tally->samples_ns = NULL;
	tally_free(tally);
}
