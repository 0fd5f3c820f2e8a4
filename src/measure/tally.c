#include "measure/tally.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/counts.h"
#include "base/error.h"
#include "base/stats.h"
#include "kernels/kernels.h"
#include "measure/spec.h"

#define FIRST_LOOK 6

static int grow(struct tally *tally, struct fathom_error *error)
{
	size_t capacity = tally->block_capacity ? 2 * tally->block_capacity : 8;
	double **arrays[] = {&tally->ns, &tally->cycles, &tally->clock_hz, &tally->scratch};
	if (tally->block_count < tally->block_capacity)
		return 0;
	for (int i = 0; i < 4; i++) {
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
	for (size_t i = 0; i < block->count; i++)
		samples[tally->sample_count + i] = block->samples_ns[i] - tally->overhead_ns;
	tally->samples_ns = samples;
	return 0;
}

int tally_add(struct tally *tally, const struct sampler_block *block, bool keep_samples,
	      struct fathom_error *error)
{
	if (grow(tally, error) || (keep_samples && keep(tally, block, error)))
		return -1;
	size_t at = tally->block_count++;
	tally->ns[at] = block->ns - tally->overhead_ns;
	tally->cycles[at] = block->cycles - tally->overhead_ns * block->clock_hz * 1e-9;
	tally->clock_hz[at] = block->clock_hz;
	tally->sample_count += block->count;
	tally->hops += block->hops;
	tally->warm_s = block->warm_s;
	tally->disturbed_blocks += block->disturbed;
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++)
		tally->rejected[i] += block->rejected[i];
	return 0;
}

/* The mean of both, each by its blocks; what was not counted once is not known better. */
static void join(struct fathom_count *mean, double before, const struct fathom_count *more,
		 double blocks)
{
	if (!isfinite(mean->per_access) || !isfinite(more->per_access))
		return;
	double share = blocks / (before + blocks);
	mean->per_access += share * (more->per_access - mean->per_access);
	mean->running_share += share * (more->running_share - mean->running_share);
	if (more->state == FATHOM_SCALED)
		mean->state = FATHOM_SCALED;
}

void tally_count(struct tally *tally, struct fathom_count *counts, size_t count, double blocks)
{
	if (!tally->counts) {
		tally->counts = counts;
		tally->event_count = count;
	} else {
		for (size_t i = 0; i < count; i++)
			if (isfinite(tally->counts[i].per_access) ||
			    !isfinite(counts[i].per_access))
				join(&tally->counts[i], tally->counted_blocks, &counts[i], blocks);
			else { /* its turn at last */
				struct fathom_count kept = tally->counts[i];
				tally->counts[i] = counts[i];
				counts[i] = kept;
			}
		counts_free(counts, count);
	}
	tally->counted_blocks += blocks;
}

void tally_free(struct tally *tally)
{
	counts_free(tally->counts, tally->event_count);
	free(tally->ns);
	free(tally->cycles);
	free(tally->clock_hz);
	free(tally->scratch);
	free(tally->samples_ns);
	*tally = (struct tally){0};
}

struct summary {
	double median, low, high;
};

/* Of the values that are known. `per_ns`: units a nanosecond, for what widens an interval. */
static struct summary summarise(const struct tally *tally, const double *values, double per_ns)
{
	size_t known = 0;
	for (size_t i = 0; i < tally->block_count; i++)
		if (!isnan(values[i]))
			tally->scratch[known++] = values[i];
	double median = stats_median(tally->scratch, known);
	struct stats_interval interval = stats_median_interval(tally->scratch, known);
	double error = tally->error_ns * per_ns;
	double least = tally->resolution * (median + tally->overhead_ns * per_ns);
	if (isnan(interval.low))
		return (struct summary){median, NAN, NAN};
	return (struct summary){median, fmin(interval.low - error, median - least),
				fmax(interval.high + error, median + least)};
}

double tally_median_ns(const struct tally *tally)
{
	return summarise(tally, tally->ns, 1).median;
}

double tally_half_width(const struct tally *tally)
{
	struct summary summary = summarise(tally, tally->ns, 1);
	return (summary.high - summary.low) / 2 / summary.median;
}

size_t tally_next_look(size_t count)
{
	size_t look = FIRST_LOOK;
	while (look <= count)
		look += (look + 1) / 2;
	return look;
}

static void show_latency(const struct summary *ns, const struct summary *cycles,
			 struct fathom_point *point)
{
	point->latency_ns = ns->median;
	point->latency_low_ns = ns->low;
	point->latency_high_ns = ns->high;
	point->latency_cycles = cycles->median;
	point->latency_low_cycles = cycles->low;
	point->latency_high_cycles = cycles->high;
}

static void show_per_access(const struct summary *ns, const struct summary *cycles,
			    struct fathom_point *point)
{
	point->ns_per_access = ns->median;
	point->ns_per_access_low = ns->low;
	point->ns_per_access_high = ns->high;
	point->cycles_per_access = cycles->median;
	point->cycles_per_access_low = cycles->low;
	point->cycles_per_access_high = cycles->high;
}

/* What the loop asks for with an access, and what that moves where no cache has the lines: an
 * ordinary store fetches its line first. */
struct moved {
	double asked_bytes, traffic_bytes;
};

static struct moved moved_by(enum fathom_pattern pattern)
{
	const double line = KERNEL_LINE_BYTES;
	switch (pattern) {
	case FATHOM_WRITE:
		return (struct moved){line, 2 * line};
	case FATHOM_COPY:
		return (struct moved){2 * line, 3 * line};
	case FATHOM_COPY_NT:
	case FATHOM_UPDATE:
		return (struct moved){2 * line, 2 * line};
	default:
		return (struct moved){line, line};
	}
}

static void show_bandwidth(const struct tally *tally, const struct summary *ns,
			   struct fathom_point *point)
{
	struct moved moved = moved_by(tally->spec.pattern);
	double bytes = moved.asked_bytes * tally->spec.threads * 1e9, best_ns = INFINITY;
	for (size_t i = 0; i < tally->block_count; i++)
		best_ns = fmin(best_ns, tally->ns[i]);
	point->bandwidth_bytes_per_second = bytes / ns->median;
	point->bandwidth_low = bytes / ns->high;
	point->bandwidth_high = bytes / ns->low;
	point->bandwidth_best = bytes / best_ns;
	point->traffic_bytes_per_second =
		bytes / ns->median * moved.traffic_bytes / moved.asked_bytes;
	if (tally->slowest_thread > 0) {
		double thread = point->bandwidth_bytes_per_second / tally->spec.threads;
		double visits = (double)tally->placements;
		point->bandwidth_slowest_thread = thread * visits / tally->slowest_thread;
		point->bandwidth_fastest_thread = thread * visits / tally->fastest_thread;
	}
	if (tally->placement.vector_bytes)
		point->spec.vector_bytes = tally->placement.vector_bytes;
}

/* Blocks that a placement lacks, of one that was broken off, are no part of it. The clock may have
 * moved from one placement to the next: what the core answers shows that in ns, what memory answers
 * in cycles, so that the lesser of the two is the place's. */
static struct stats_spread spread(const struct tally *tally, double clock_hz)
{
	size_t each = tally->placement_blocks;
	if (each == 0)
		return (struct stats_spread){NAN, NAN};
	struct stats_spread ns = stats_spread(tally->ns, tally->block_count / each, each);
	struct stats_spread cycles = stats_spread(tally->cycles, tally->block_count / each, each);
	cycles.between /= clock_hz * 1e-9;
	cycles.within /= clock_hz * 1e-9;
	return cycles.between < ns.between ? cycles : ns;
}

void tally_show(const struct tally *tally, uint64_t line_bytes, struct fathom_point *point)
{
	static const struct summary unknown = {NAN, NAN, NAN};
	double clock_hz = summarise(tally, tally->clock_hz, 0).median;
	struct summary ns = summarise(tally, tally->ns, 1);
	struct summary cycles = summarise(tally, tally->cycles, clock_hz * 1e-9);
	struct stats_spread spreads = spread(tally, clock_hz);
	bool overlaps = fathom_spec_overlaps(&tally->spec);
	*point = (struct fathom_point){
		.spec = tally->spec,
		.nodes = spec_nodes(&tally->spec),
		.lines_touched = spec_lines_touched(&tally->spec, line_bytes),
		.page_bytes = tally->placement.page_bytes,
		.page_share = tally->placement.page_share,
		.instructions_per_access = tally->instructions,
		.floor_ns = tally->floor_ns,
		.lane_store = tally->placement.lane_store,
		.bandwidth_bytes_per_second = NAN,
		.bandwidth_low = NAN,
		.bandwidth_high = NAN,
		.bandwidth_best = NAN,
		.bandwidth_slowest_thread = NAN,
		.bandwidth_fastest_thread = NAN,
		.traffic_bytes_per_second = NAN,
		.clock_hz = clock_hz,
		.overhead_ns = tally->spec.pattern == FATHOM_INDEPENDENT ? tally->overhead_ns : NAN,
		.placements = tally->placements,
		.placement_spread_ns = spreads.between,
		.noise_spread_ns = spreads.within,
		.target = tally->target,
		.within_target = (ns.high - ns.low) / 2 <= tally->target * ns.median,
		.blocks_ns = tally->ns,
		.block_count = tally->block_count,
		.samples_ns = tally->samples_ns,
		.sample_count = tally->sample_count,
		.accesses = tally->hops,
		.counts = tally->counts,
		.event_count = tally->event_count,
	};
	if (fathom_pattern_streams(tally->spec.pattern))
		show_bandwidth(tally, &ns, point);
	show_latency(overlaps ? &unknown : &ns, overlaps ? &unknown : &cycles, point);
	show_per_access(overlaps ? &ns : &unknown, overlaps ? &cycles : &unknown, point);
	memcpy(point->rejected, tally->rejected, sizeof(point->rejected));
}

void tally_finish(struct tally *tally, uint64_t line_bytes, struct fathom_point *point)
{
	tally_show(tally, line_bytes, point);
	tally->ns = NULL;
	tally->samples_ns = NULL;
	tally->counts = NULL;
	tally_free(tally);
}
