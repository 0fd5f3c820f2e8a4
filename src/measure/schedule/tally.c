#include "measure/schedule/tally.h"

#include <math.h>
#include <stddef.h>
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
	struct {
		void **items;
		size_t each;
	} arrays[] = {{(void **)&tally->blocks, sizeof(*tally->blocks)},
		      {(void **)&tally->ns, sizeof(*tally->ns)},
		      {(void **)&tally->scratch, sizeof(*tally->scratch)},
		      {(void **)&tally->placement_of, sizeof(*tally->placement_of)}};
	if (tally->block_count < tally->block_capacity)
		return 0;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		void *items = realloc(*arrays[i].items, capacity * arrays[i].each);
		if (!items)
			return error_no_memory(error);
		*arrays[i].items = items;
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

/* Of a block without one they are the disturbed ones. */
static unsigned clean_batches(const struct sampler_block *block)
{
	return block->disturbed ? 0 : block->count;
}

int tally_add(struct tally *tally, const struct sampler_block *block, bool keep_samples,
	      struct fathom_error *error)
{
	if (grow(tally, error) || (keep_samples && keep(tally, block, error)))
		return -1;
	double overhead_cycles = tally->overhead_ns * block->clock_hz * 1e-9;
	tally->blocks[tally->block_count++] = (struct tally_block){
		.mode = {block->mode.ns - tally->overhead_ns, block->mode.cycles - overhead_cycles},
		.mean = {block->mean.ns - tally->overhead_ns, block->mean.cycles - overhead_cycles},
		.mode_width = block->mode_width,
		.clock_hz = block->clock_hz,
		.placement = tally->placements,
	};
	tally->all_hops += block->all_hops;
	tally->all_ns += (block->all_ns - tally->overhead_ns) * (double)block->all_hops;
	tally->batches += block->batches;
	tally->off_mode += block->paged ? block->batches : block->off_mode;
	tally->off_mean += block->paged ? block->batches : block->batches - clean_batches(block);
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
	free(tally->blocks);
	free(tally->ns);
	free(tally->scratch);
	free(tally->placement_of);
	free(tally->samples_ns);
	*tally = (struct tally){0};
}

/* ---- the value of a block, and of all of them ---- */

/* What is known of one field of the blocks, into tally->scratch. Returns how many. */
static size_t take_known(const struct tally *tally, size_t field)
{
	size_t known = 0;
	for (size_t i = 0; i < tally->block_count; i++) {
		double value = *(const double *)((const char *)&tally->blocks[i] + field);
		if (!isnan(value))
			tally->scratch[known++] = value;
	}
	return known;
}

static double median_of(const struct tally *tally, size_t field)
{
	size_t known = take_known(tally, field);
	return stats_median(tally->scratch, known);
}

bool tally_is_sharp(const struct tally *tally)
{
	return median_of(tally, offsetof(struct tally_block, mode_width)) <= SAMPLER_SHARP_WIDTH;
}

/* Of the denser half of the blocks in which it is known, as a share; NAN: in none. */
static double spread_of(const struct tally *tally, size_t field)
{
	size_t known = take_known(tally, field);
	stats_sort(tally->scratch, known);
	struct stats_shorth shorth = stats_shorth(tally->scratch, known);
	return (shorth.high - shorth.low) / shorth.center;
}

/* What the core answers takes as many cycles at any clock, what memory answers as many ns: blocks
 * tell by what spreads less. The clock of other threads' cores is not known. */
static bool follows_clock(const struct tally *tally)
{
	return tally->spec.threads == 1 &&
	       spread_of(tally, offsetof(struct tally_block, mode.cycles)) <=
		       spread_of(tally, offsetof(struct tally_block, mode.ns));
}

/* Fills tally->ns. *clock_hz: as of tally_show; it becomes the clock of the values. */
static void find_values(const struct tally *tally, double *clock_hz)
{
	bool sharp = tally_is_sharp(tally), by_clock = sharp && follows_clock(tally);
	if (!by_clock || isnan(*clock_hz))
		*clock_hz = median_of(tally, offsetof(struct tally_block, clock_hz));
	for (size_t i = 0; i < tally->block_count; i++) {
		const struct tally_block *block = &tally->blocks[i];
		tally->ns[i] = sharp ? block->mode.ns : block->mean.ns;
		if (by_clock && !isnan(block->mode.cycles))
			tally->ns[i] = block->mode.cycles / *clock_hz * 1e9;
	}
}

/* The spread of what each place makes, and that of the blocks on one. */
static struct stats_spread spread(const struct tally *tally)
{
	for (size_t i = 0; i < tally->block_count; i++)
		tally->placement_of[i] = tally->blocks[i].placement;
	return stats_spread(tally->ns, tally->placement_of, tally->block_count);
}

static double design_effect(const struct tally *tally)
{
	struct stats_spread spreads = spread(tally);
	double between = spreads.between * spreads.between,
	       within = spreads.within * spreads.within;
	double each = (double)tally->block_count / (double)tally->placements;
	return between > 0 ? 1 + (each - 1) * between / (between + within) : 1;
}

struct summary {
	double median, low, high;
};

/* Of tally->ns. */
static struct summary summarise(const struct tally *tally)
{
	memcpy(tally->scratch, tally->ns, tally->block_count * sizeof(*tally->ns));
	double median = stats_median(tally->scratch, tally->block_count);
	struct stats_interval interval = stats_median_interval(tally->scratch, tally->block_count);
	double least = tally->resolution * (median + tally->overhead_ns);
	if (isnan(interval.low))
		return (struct summary){median, NAN, NAN};
	/* Of ratios, or what is spread widely would seem to take less than no time. */
	double widening = sqrt(design_effect(tally));
	double below = median * (1 - pow(interval.low / median, widening)) + tally->error_ns;
	double above = median * (pow(interval.high / median, widening) - 1) + tally->error_ns;
	return (struct summary){median, median - fmax(below, least), median + fmax(above, least)};
}

static struct summary summary_of(const struct tally *tally)
{
	double clock_hz = NAN;
	if (tally->block_count == 0)
		return (struct summary){NAN, NAN, NAN};
	find_values(tally, &clock_hz);
	return summarise(tally);
}

double tally_median_ns(const struct tally *tally)
{
	return summary_of(tally).median;
}

double tally_least_ns(const struct tally *tally)
{
	double least_ns = tally->block_count ? INFINITY : NAN;
	for (size_t i = 0; i < tally->block_count; i++)
		least_ns = fmin(least_ns, tally->blocks[i].mode.ns);
	return least_ns + tally->overhead_ns;
}

double tally_half_width(const struct tally *tally)
{
	struct summary summary = summary_of(tally);
	return (summary.high - summary.low) / 2 / summary.median;
}

size_t tally_next_look(size_t count)
{
	size_t look = FIRST_LOOK;
	while (look <= count)
		look += (look + 1) / 2;
	return look;
}

static void show_latency(const struct summary *ns, double ghz, struct fathom_point *point)
{
	point->latency_ns = ns->median;
	point->latency_low_ns = ns->low;
	point->latency_high_ns = ns->high;
	point->latency_cycles = ns->median * ghz;
	point->latency_low_cycles = ns->low * ghz;
	point->latency_high_cycles = ns->high * ghz;
}

static void show_per_access(const struct summary *ns, double ghz, struct fathom_point *point)
{
	point->ns_per_access = ns->median;
	point->ns_per_access_low = ns->low;
	point->ns_per_access_high = ns->high;
	point->cycles_per_access = ns->median * ghz;
	point->cycles_per_access_low = ns->low * ghz;
	point->cycles_per_access_high = ns->high * ghz;
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

/* How the batches went, and what a program would feel. */
static void show_batches(const struct tally *tally, struct fathom_point *point)
{
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++)
		point->rejected[i] = tally->rejected[i];
	point->estimator = tally_is_sharp(tally) ? FATHOM_ESTIMATOR_MODE : FATHOM_ESTIMATOR_MEAN;
	if (tally->batches == 0)
		return;
	uint64_t disturbed =
		point->estimator == FATHOM_ESTIMATOR_MODE ? tally->off_mode : tally->off_mean;
	point->disturbed_share = (double)disturbed / (double)tally->batches;
	double mean_ns = tally->all_ns / (double)tally->all_hops;
	*(fathom_spec_overlaps(&tally->spec) ? &point->ns_per_access_mean
					     : &point->latency_mean_ns) = mean_ns;
}

/* Blocks that a placement lacks, of one that was broken off, are no part of it. */
static void show_places(const struct tally *tally, struct fathom_point *point)
{
	struct stats_spread spreads = spread(tally);
	bool known = tally->placement_blocks > 1;
	point->placements = tally->placements;
	point->placement_spread_ns = known ? spreads.between : NAN;
	point->noise_spread_ns = known ? spreads.within : NAN;
}

void tally_show(struct tally *tally, uint64_t line_bytes, double clock_hz,
		struct fathom_point *point)
{
	static const struct summary unknown = {NAN, NAN, NAN};
	find_values(tally, &clock_hz);
	struct summary ns = summarise(tally);
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
		.target = tally->target,
		.within_target = (ns.high - ns.low) / 2 <= tally->target * ns.median,
		.latency_mean_ns = NAN,
		.ns_per_access_mean = NAN,
		.disturbed_share = NAN,
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
	show_latency(overlaps ? &unknown : &ns, clock_hz * 1e-9, point);
	show_per_access(overlaps ? &ns : &unknown, clock_hz * 1e-9, point);
	show_batches(tally, point);
	show_places(tally, point);
}

void tally_finish(struct tally *tally, uint64_t line_bytes, double clock_hz,
		  struct fathom_point *point)
{
	tally_show(tally, line_bytes, clock_hz, point);
	tally->ns = NULL;
	tally->samples_ns = NULL;
	tally->counts = NULL;
	tally_free(tally);
}
