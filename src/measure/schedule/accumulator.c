#include "measure/schedule/accumulator.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/point.h"
#include "base/stats.h"
#include "document/table.h"
#include "measure/spec.h"

#define FIRST_LOOK 6

static int grow(struct accumulator *accumulator, struct fathom_error *error)
{
	size_t capacity = accumulator->block_capacity ? 2 * accumulator->block_capacity : 8;
	struct {
		void **items;
		size_t each;
	} arrays[] = {{(void **)&accumulator->blocks, sizeof(*accumulator->blocks)},
		      {(void **)&accumulator->ns, sizeof(*accumulator->ns)},
		      {(void **)&accumulator->scratch, sizeof(*accumulator->scratch)},
		      {(void **)&accumulator->placement_of, sizeof(*accumulator->placement_of)}};
	if (accumulator->block_count < accumulator->block_capacity)
		return 0;
	for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
		void *items = realloc(*arrays[i].items, capacity * arrays[i].each);
		if (!items)
			return error_no_memory(error);
		*arrays[i].items = items;
	}
	accumulator->block_capacity = capacity;
	return 0;
}

static int keep(struct accumulator *accumulator, const struct sampler_block *block,
		struct fathom_error *error)
{
	size_t count = accumulator->sample_count + block->count;
	double *samples = realloc(accumulator->samples_ns, count * sizeof(*samples));
	if (!samples)
		return error_no_memory(error);
	for (size_t i = 0; i < block->count; i++)
		samples[accumulator->sample_count + i] =
			block->samples_ns[i] - accumulator->overhead_ns;
	accumulator->samples_ns = samples;
	return 0;
}

/* Of a block without one they are the disturbed ones. */
static unsigned clean_batches(const struct sampler_block *block)
{
	return block->disturbed ? 0 : block->count;
}

int accumulator_add(struct accumulator *accumulator, const struct sampler_block *block,
		    bool keep_samples, struct fathom_error *error)
{
	if (grow(accumulator, error) || (keep_samples && keep(accumulator, block, error)))
		return -1;
	double overhead_cycles = accumulator->overhead_ns * block->clock_hz * 1e-9;
	accumulator->blocks[accumulator->block_count++] = (struct accumulator_block){
		.mode = {block->mode.ns - accumulator->overhead_ns,
			 block->mode.cycles - overhead_cycles},
		.mean = {block->mean.ns - accumulator->overhead_ns,
			 block->mean.cycles - overhead_cycles},
		.all_ns = block->all_ns - accumulator->overhead_ns,
		.mode_width = block->mode_width,
		.clock_hz = block->clock_hz,
		.disturbed = block->disturbed,
		.placement = accumulator->placements,
	};
	accumulator->all_hops += block->all_hops;
	accumulator->all_ns += (block->all_ns - accumulator->overhead_ns) * (double)block->all_hops;
	uint64_t alone = block->batches - block->rejected[FATHOM_REJECTED_SIBLING];
	accumulator->batches += alone;
	accumulator->off_mode += block->paged ? alone : block->off_mode;
	accumulator->off_mean += block->paged ? alone : alone - clean_batches(block);
	accumulator->sample_count += block->count;
	accumulator->hops += block->hops;
	accumulator->warm_s = block->warm_s;
	accumulator->disturbed_blocks += block->disturbed;
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++)
		accumulator->rejected[i] += block->rejected[i];
	accumulator->watched += block->watched;
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

void accumulator_count(struct accumulator *accumulator, struct fathom_count *counts, size_t count,
		       double blocks)
{
	if (!accumulator->counts) {
		accumulator->counts = counts;
		accumulator->event_count = count;
	} else {
		for (size_t i = 0; i < count; i++)
			if (isfinite(accumulator->counts[i].per_access) ||
			    !isfinite(counts[i].per_access))
				join(&accumulator->counts[i], accumulator->counted_blocks,
				     &counts[i], blocks);
			else { /* its turn at last */
				struct fathom_count kept = accumulator->counts[i];
				accumulator->counts[i] = counts[i];
				counts[i] = kept;
			}
		counts_free(counts, count);
	}
	accumulator->counted_blocks += blocks;
}

void accumulator_free(struct accumulator *accumulator)
{
	counts_free(accumulator->counts, accumulator->event_count);
	free(accumulator->blocks);
	free(accumulator->ns);
	free(accumulator->scratch);
	free(accumulator->placement_of);
	free(accumulator->samples_ns);
	*accumulator = (struct accumulator){0};
}

/* ---- the value of a block, and of all of them ---- */

/* Blocks without a clean batch do not count where the others make an interval. */
static bool does_count(const struct accumulator *accumulator, const struct accumulator_block *block)
{
	return !block->disturbed || accumulator_disturbed(accumulator);
}

/* What is known of one field of the blocks that count, into accumulator->scratch. Returns how many.
 */
static size_t take_known(const struct accumulator *accumulator, size_t field)
{
	size_t known = 0;
	for (size_t i = 0; i < accumulator->block_count; i++) {
		const struct accumulator_block *block = &accumulator->blocks[i];
		double value = *(const double *)((const char *)block + field);
		if (does_count(accumulator, block) && !isnan(value))
			accumulator->scratch[known++] = value;
	}
	return known;
}

static double median_of(const struct accumulator *accumulator, size_t field)
{
	size_t known = take_known(accumulator, field);
	return stats_median(accumulator->scratch, known);
}

/* Is a block's value its mode? Where in most blocks half of the batches are within 1 %. Else it is
 * the mean of the clean batches. */
static bool is_sharp(const struct accumulator *accumulator)
{
	return median_of(accumulator, offsetof(struct accumulator_block, mode_width)) <=
	       SAMPLER_SHARP_WIDTH;
}

size_t accumulator_disturbed(const struct accumulator *accumulator)
{
	bool all = accumulator->disturbed_blocks == accumulator->block_count;
	return !accumulator->unpaired || all ? accumulator->disturbed_blocks : 0;
}

size_t accumulator_counted(const struct accumulator *accumulator)
{
	return accumulator->block_count - accumulator->disturbed_blocks +
	       accumulator_disturbed(accumulator);
}

bool accumulator_is_measured(const struct accumulator *accumulator)
{
	const struct fathom_spec *spec = &accumulator->spec;
	/* Of a difference, or of the few hops of a cold lap, single blocks may be below 0. */
	bool all = pattern_traits(spec->pattern)->order != PATTERN_DRAWN &&
		   spec->warmth == FATHOM_WARM;
	for (size_t i = 0; all && i < accumulator->block_count; i++) {
		const struct accumulator_block *block = &accumulator->blocks[i];
		if (!(fmin(fmin(block->mode.ns, block->mean.ns), block->all_ns) > 0))
			return false;
	}
	return accumulator_median_ns(accumulator) > 0;
}

/* Of the denser half of the blocks in which it is known, as a share; NAN: in none. */
static double spread_of(const struct accumulator *accumulator, size_t field)
{
	size_t known = take_known(accumulator, field);
	stats_sort(accumulator->scratch, known);
	struct stats_shorth shorth = stats_shorth(accumulator->scratch, known);
	return (shorth.high - shorth.low) / shorth.center;
}

/* What the core answers takes as many cycles at any clock, what memory answers as many ns: blocks
 * tell by what spreads less. The clock of other threads' cores is not known. */
static bool follows_clock(const struct accumulator *accumulator)
{
	return accumulator->spec.threads == 1 &&
	       spread_of(accumulator, offsetof(struct accumulator_block, mode.cycles)) <=
		       spread_of(accumulator, offsetof(struct accumulator_block, mode.ns));
}

/* Fills accumulator->ns and placement_of. *clock_hz: as of accumulator_read; it becomes the clock
 * of the values. Returns how many these are. */
static size_t find_values(const struct accumulator *accumulator, double *clock_hz)
{
	size_t count = 0;
	bool sharp = is_sharp(accumulator), by_clock = sharp && follows_clock(accumulator);
	if (!by_clock || isnan(*clock_hz))
		*clock_hz = median_of(accumulator, offsetof(struct accumulator_block, clock_hz));
	for (size_t i = 0; i < accumulator->block_count; i++) {
		const struct accumulator_block *block = &accumulator->blocks[i];
		if (!does_count(accumulator, block))
			continue;
		accumulator->ns[count] = sharp ? block->mode.ns : block->mean.ns;
		if (by_clock && !isnan(block->mode.cycles))
			accumulator->ns[count] = block->mode.cycles / *clock_hz * 1e9;
		accumulator->placement_of[count++] = block->placement;
	}
	return count;
}

/* The spread of what each place makes, and that of the blocks on one. */
static struct stats_spread spread(const struct accumulator *accumulator, size_t count)
{
	return stats_spread(accumulator->ns, accumulator->placement_of, count);
}

static double design_effect(const struct accumulator *accumulator, size_t count)
{
	struct stats_spread spreads = spread(accumulator, count);
	double between = spreads.between * spreads.between,
	       within = spreads.within * spreads.within;
	size_t places = 1;
	for (size_t i = 1; i < count; i++)
		places += accumulator->placement_of[i] != accumulator->placement_of[i - 1];
	double each = (double)count / (double)places;
	return between > 0 ? 1 + (each - 1) * between / (between + within) : 1;
}

struct summary {
	double median, low, high;
};

/* Of the values that were found. */
static struct summary summarise(const struct accumulator *accumulator, size_t count)
{
	memcpy(accumulator->scratch, accumulator->ns, count * sizeof(*accumulator->ns));
	double median = stats_median(accumulator->scratch, count);
	struct stats_interval interval = stats_median_interval(accumulator->scratch, count);
	double least = accumulator->resolution * (median + accumulator->overhead_ns);
	if (isnan(interval.low))
		return (struct summary){median, NAN, NAN};
	/* Of ratios, or what is spread widely would seem to take less than no time. */
	double widening = sqrt(design_effect(accumulator, count));
	double below = median * (1 - pow(interval.low / median, widening)) + accumulator->error_ns;
	double above = median * (pow(interval.high / median, widening) - 1) + accumulator->error_ns;
	return (struct summary){median, median - fmax(below, least), median + fmax(above, least)};
}

static struct summary summary_of(const struct accumulator *accumulator)
{
	double clock_hz = NAN;
	if (accumulator->block_count == 0)
		return (struct summary){NAN, NAN, NAN};
	return summarise(accumulator, find_values(accumulator, &clock_hz));
}

double accumulator_median_ns(const struct accumulator *accumulator)
{
	return summary_of(accumulator).median;
}

double accumulator_least_ns(const struct accumulator *accumulator)
{
	double least_ns = accumulator->block_count ? INFINITY : NAN;
	for (size_t i = 0; i < accumulator->block_count; i++)
		least_ns = fmin(least_ns, accumulator->blocks[i].mode.ns);
	return least_ns + accumulator->overhead_ns;
}

double accumulator_half_width(const struct accumulator *accumulator)
{
	struct summary summary = summary_of(accumulator);
	return ((summary.high - summary.low) / 2 - accumulator->error_ns) / summary.median;
}

size_t accumulator_next_look(size_t count)
{
	size_t look = FIRST_LOOK;
	while (look <= count)
		look += (look + 1) / 2;
	return look;
}

/* Of what overlaps there is no latency. */
static void show_times(bool overlaps, const struct summary *ns, double ghz,
		       struct fathom_point *point)
{
	*(overlaps ? &point->ns_per_access : &point->latency_ns) = ns->median;
	*(overlaps ? &point->low_ns_per_access : &point->latency_low_ns) = ns->low;
	*(overlaps ? &point->high_ns_per_access : &point->latency_high_ns) = ns->high;
	*(overlaps ? &point->cycles_per_access : &point->latency_cycles) = ns->median * ghz;
	*(overlaps ? &point->low_cycles_per_access : &point->latency_low_cycles) = ns->low * ghz;
	*(overlaps ? &point->high_cycles_per_access : &point->latency_high_cycles) = ns->high * ghz;
}

/* What the loop asks for with an access, and what that moves where no cache has the lines: an
 * ordinary store fetches its line first. */
static void show_bandwidth(const struct accumulator *accumulator, const struct summary *ns,
			   struct fathom_point *point)
{
	const struct pattern_traits *traits = pattern_traits(accumulator->spec.pattern);
	bool there = traits->bypasses || (traits->loads && !traits->copies);
	int asked = traits->loads + traits->stores, fetched = traits->stores && !there;
	double bytes = KERNEL_LINE_BYTES * asked * accumulator->spec.threads * 1e9;
	double best_ns = INFINITY;
	for (size_t i = 0; i < point->block_count; i++)
		best_ns = fmin(best_ns, point->blocks_ns[i]);
	point->bandwidth_bytes_per_second = bytes / ns->median;
	point->bandwidth_low_bytes_per_second = bytes / ns->high;
	point->bandwidth_high_bytes_per_second = bytes / ns->low;
	point->bandwidth_best_bytes_per_second = bytes / best_ns;
	point->traffic_bytes_per_second = bytes / ns->median * (asked + fetched) / asked;
	if (accumulator->slowest_thread > 0) {
		double thread = point->bandwidth_bytes_per_second / accumulator->spec.threads;
		double visits = (double)accumulator->placements;
		point->bandwidth_slowest_thread_bytes_per_second =
			thread * visits / accumulator->slowest_thread;
		point->bandwidth_fastest_thread_bytes_per_second =
			thread * visits / accumulator->fastest_thread;
	}
	if (accumulator->placement.vector_bytes)
		point->spec.vector_bytes = accumulator->placement.vector_bytes;
}

static double least_mean_ns(const struct accumulator *accumulator)
{
	double least_ns = INFINITY;
	if (accumulator->block_count < ACCUMULATOR_MEANS)
		return NAN;
	for (size_t i = 0; i < ACCUMULATOR_MEANS; i++)
		least_ns = fmin(least_ns, accumulator->blocks[i].all_ns);
	return least_ns;
}

/* How the batches went, and what a program would feel. */
static void show_batches(const struct accumulator *accumulator, struct fathom_point *point)
{
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++)
		point->rejected[i] = accumulator->rejected[i];
	point->watched = accumulator->watched;
	point->estimator = is_sharp(accumulator) ? FATHOM_ESTIMATOR_MODE : FATHOM_ESTIMATOR_MEAN;
	if (accumulator->all_hops == 0)
		return;
	uint64_t disturbed = point->estimator == FATHOM_ESTIMATOR_MODE ? accumulator->off_mode
								       : accumulator->off_mean;
	point->disturbed_share = (double)disturbed / (double)accumulator->batches;
	double mean_ns = accumulator->all_ns / (double)accumulator->all_hops;
	*(spec_overlaps(&accumulator->spec) ? &point->mean_ns_per_access
					    : &point->latency_mean_ns) = mean_ns;
	if (pattern_traits(accumulator->spec.pattern)->kernel == KERNEL_INDEX_ARRAY)
		point->least_mean_ns_per_access = least_mean_ns(accumulator);
}

/* Blocks that a placement lacks, of one that was broken off, are no part of it. */
static void show_places(const struct accumulator *accumulator, struct fathom_point *point)
{
	struct stats_spread spreads = spread(accumulator, point->block_count);
	bool known = accumulator->placement_blocks > 1;
	point->placements = accumulator->placements;
	point->placement_spread_ns = known ? spreads.between : NAN;
	point->noise_spread_ns = known ? spreads.within : NAN;
}

void accumulator_read(struct accumulator *accumulator, uint64_t line_bytes, double clock_hz,
		      struct fathom_point *point)
{
	size_t count = find_values(accumulator, &clock_hz);
	struct summary ns = summarise(accumulator, count);
	table_unknown(&point_table, point);
	point->spec = accumulator->spec;
	point->nodes = spec_nodes(&accumulator->spec);
	point->lines_touched = spec_lines_touched(&accumulator->spec, line_bytes);
	point->page_bytes = accumulator->placement.page_bytes;
	point->page_share = accumulator->placement.page_share;
	point->instructions_per_access = accumulator->instructions;
	point->floor_ns = accumulator->floor_ns;
	point->lane_store = accumulator->placement.lane_store;
	point->clock_hz = clock_hz;
	if (pattern_traits(accumulator->spec.pattern)->order == PATTERN_DRAWN)
		point->overhead_ns = accumulator->overhead_ns;
	point->target = accumulator->target;
	point->within_target = (ns.high - ns.low) / 2 <= accumulator->target * ns.median;
	point->blocks_ns = accumulator->ns;
	point->block_count = count;
	point->samples_ns = accumulator->samples_ns;
	point->sample_count = accumulator->sample_count;
	point->accesses = accumulator->hops;
	point->counts = accumulator->counts;
	point->event_count = accumulator->event_count;
	if (pattern_streams(accumulator->spec.pattern))
		show_bandwidth(accumulator, &ns, point);
	show_times(spec_overlaps(&accumulator->spec), &ns, clock_hz * 1e-9, point);
	show_batches(accumulator, point);
	show_places(accumulator, point);
}

void accumulator_finish(struct accumulator *accumulator, uint64_t line_bytes, double clock_hz,
			struct fathom_point *point)
{
	accumulator_read(accumulator, line_bytes, clock_hz, point);
	accumulator->ns = NULL;
	accumulator->samples_ns = NULL;
	accumulator->counts = NULL;
	accumulator_free(accumulator);
}
