#include "measure/sampling/batches.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/stats.h"

#define CLOCK_TOLERANCE 0.01
#define PROBES          3
#define FAR             2.0 /* times the median batch */
#define FAR_SHARE       0.1 /* more are no disturbances */

void batches_close(struct batches *batches)
{
	free(batches->items);
	*batches = (struct batches){0};
}

/* Capacities are powers of two. */
int batches_add(struct batches *batches, const struct batch *batch, struct fathom_error *error)
{
	if ((batches->count & (batches->count - 1)) == 0) {
		size_t capacity = batches->count ? 2 * (size_t)batches->count : 1;
		struct batch *more = realloc(batches->items, capacity * sizeof(*more));
		if (!more)
			return error_no_memory(error);
		batches->items = more;
	}
	batches->items[batches->count++] = *batch;
	batches->clean_count += batch->reason < 0;
	return 0;
}

enum which { ALL, ALONE, CLEAN }; /* alone: with no program on the core's other thread */

static bool is_one(const struct batch *batch, enum which which)
{
	return which == ALL || batch->reason < 0 ||
	       (which == ALONE && batch->reason != FATHOM_REJECTED_SIBLING);
}

/* Of the values at `field` that are known, of those batches; how many. */
static size_t take_values(const struct batches *batches, enum which which, size_t field,
			  double *values)
{
	size_t count = 0;
	for (unsigned i = 0; i < batches->count; i++) {
		const struct batch *batch = &batches->items[i];
		double value = *(const double *)((const char *)batch + field);
		if (!isnan(value) && is_one(batch, which))
			values[count++] = value;
	}
	return count;
}

int batches_reject_far(struct batches *batches, bool whole, bool bimodal,
		       struct fathom_error *error)
{
	double *values = malloc((batches->count + 1) * sizeof(*values));
	unsigned far = 0;
	if (!values)
		return error_no_memory(error);
	size_t count = take_values(batches, CLEAN, offsetof(struct batch, ns), values);
	double limit_ns = FAR * stats_median(values, count);
	for (size_t i = 0; i < count; i++)
		far += values[i] > limit_ns;
	free(values);
	batches->bimodal = !whole && far > (bimodal ? 0 : FAR_SHARE * (double)count);
	for (unsigned i = 0; i < batches->count && far && !batches->bimodal; i++) {
		struct batch *batch = &batches->items[i];
		if (batch->reason >= 0 || batch->ns <= limit_ns)
			continue;
		batch->reason = FATHOM_REJECTED_OUTLIER;
		batches->clean_count--;
	}
	return 0;
}

static struct stats_shorth shorth_of(const struct batches *batches, size_t field, double *scratch)
{
	size_t count = take_values(batches, ALONE, field, scratch);
	if (count == 0)
		count = take_values(batches, ALL, field, scratch);
	stats_sort(scratch, count);
	return stats_shorth(scratch, count);
}

static double width_of(const struct stats_shorth *shorth)
{
	return (shorth->high - shorth->low) / shorth->center;
}

static struct sampler_value mean_of(const struct batches *batches, bool clean)
{
	struct sampler_value sum = {0, 0};
	double hops = 0;
	for (unsigned i = 0; i < batches->count; i++) {
		const struct batch *batch = &batches->items[i];
		if (clean && batch->reason >= 0)
			continue;
		sum.ns += batch->ns * (double)batch->hops;
		sum.cycles += batch->cycles * (double)batch->hops;
		hops += (double)batch->hops;
	}
	return (struct sampler_value){sum.ns / hops, sum.cycles / hops};
}

static void count_hops(const struct batches *batches, struct sampler_block *block)
{
	double off_ns = (1 + SAMPLER_SHARP_WIDTH) * block->mode.ns;
	for (unsigned i = 0; i < batches->count; i++) {
		const struct batch *batch = &batches->items[i];
		block->all_hops += batch->hops;
		block->off_mode += is_one(batch, ALONE) && batch->ns > off_ns;
		if (batch->reason >= 0)
			block->rejected[batch->reason]++;
		if (!is_one(batch, ALONE))
			block->beside_s += batch->ns * (double)batch->hops * 1e-9;
		if (batch->reason < 0 || block->disturbed) {
			block->hops += batch->hops;
			block->samples_ns[block->count++] = batch->ns;
		}
	}
}

int batches_block(const struct batches *batches, struct sampler_block *block,
		  struct fathom_error *error)
{
	double *samples = malloc(2 * batches->count * sizeof(*samples));
	if (!samples)
		return error_no_memory(error);
	double *scratch = samples + batches->count;
	bool disturbed = batches->clean_count == 0;
	struct stats_shorth ns = shorth_of(batches, offsetof(struct batch, ns), scratch);
	struct stats_shorth cycles = shorth_of(batches, offsetof(struct batch, cycles), scratch);
	size_t clocks = take_values(batches, disturbed ? ALL : CLEAN,
				    offsetof(struct batch, clock_hz), scratch);
	*block = (struct sampler_block){
		.mode = {ns.center, cycles.center},
		.mode_width = fmin(width_of(&ns), width_of(&cycles)),
		.mean = mean_of(batches, !disturbed),
		.all_ns = mean_of(batches, false).ns,
		.clock_hz = stats_median(scratch, clocks),
		.samples_ns = samples,
		.batches = batches->count,
		.bimodal = batches->bimodal,
		.disturbed = disturbed,
	};
	count_hops(batches, block);
	return 0;
}

void sampler_block_free(struct sampler_block *block)
{
	free(block->samples_ns);
	*block = (struct sampler_block){0};
}

int batches_reason(const struct interference *before, const struct interference *after)
{
	if (after->cpu != before->cpu || before->astray || after->astray)
		return FATHOM_REJECTED_MIGRATION;
	if (after->switches != before->switches)
		return FATHOM_REJECTED_SWITCH;
	if (after->faults != before->faults)
		return FATHOM_REJECTED_FAULT;
	if (after->steal_ticks != before->steal_ticks ||
	    after->run_delay_ns != before->run_delay_ns)
		return FATHOM_REJECTED_STEAL;
	return -1;
}

struct meter_clock batches_probe(struct meter *meter)
{
	struct meter_clock clock = {NAN, NAN};
	for (int i = 0; i < PROBES && isnan(clock.hz); i++)
		meter->ops->clock(meter, &clock);
	return clock;
}

struct meter_clock batches_probe_after(struct meter *meter, const struct meter_clock *before)
{
	struct meter_clock clock = batches_probe(meter);
	if (!batches_clock_moved(meter, before, &clock))
		return clock;
	struct meter_clock again = batches_probe(meter);
	return again.hz > clock.hz ? again : clock;
}

bool batches_clock_moved(const struct meter *meter, const struct meter_clock *before,
			 const struct meter_clock *after)
{
	return !meter->clock_missing && !(fabs(after->hz / before->hz - 1) <= CLOCK_TOLERANCE);
}
