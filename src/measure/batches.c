#include "measure/batches.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/stats.h"

#define CLOCK_TOLERANCE 0.01
#define PROBES          3

void batches_close(struct batches *batches)
{
	free(batches->clean);
	free(batches->dirty);
	*batches = (struct batches){0};
}

/* Capacities are powers of two. */
static int append(struct batch **items, unsigned *count, const struct batch *batch,
		  struct fathom_error *error)
{
	if ((*count & (*count - 1)) == 0) {
		size_t capacity = *count ? 2 * (size_t)*count : 1;
		struct batch *more = realloc(*items, capacity * sizeof(*more));
		if (!more)
			return error_no_memory(error);
		*items = more;
	}
	(*items)[(*count)++] = *batch;
	return 0;
}

int batches_add(struct batches *batches, const struct batch *batch, struct fathom_error *error)
{
	if (batch->reason < 0)
		return append(&batches->clean, &batches->clean_count, batch, error);
	batches->rejected[batch->reason]++;
	return append(&batches->dirty, &batches->dirty_count, batch, error);
}

int batches_mix(struct batches *batches, bool runs, struct fathom_error *error)
{
	if (batches->rejected[FATHOM_REJECTED_GAP] <= (runs ? 0 : batches->clean_count))
		return 0;
	for (unsigned i = 0; i < batches->dirty_count; i++)
		if (batches->dirty[i].reason == FATHOM_REJECTED_GAP &&
		    append(&batches->clean, &batches->clean_count, &batches->dirty[i], error))
			return -1;
	batches->rejected[FATHOM_REJECTED_GAP] = 0;
	batches->mixed = true;
	return 0;
}

static double middle_of(const struct batch *batches, unsigned count, bool mixed, size_t field,
			double *scratch)
{
	unsigned known = 0;
	double sum = 0;
	for (unsigned i = 0; i < count; i++) {
		double value = *(const double *)((const char *)&batches[i] + field);
		if (isnan(value))
			continue;
		scratch[known++] = value;
		sum += value;
	}
	return mixed ? sum / known : stats_median(scratch, known);
}

int batches_block(const struct batches *batches, struct sampler_block *block,
		  struct fathom_error *error)
{
	bool disturbed = batches->clean_count == 0;
	const struct batch *items = disturbed ? batches->dirty : batches->clean;
	unsigned count = disturbed ? batches->dirty_count : batches->clean_count;
	double *samples = malloc(2 * count * sizeof(*samples));
	if (!samples)
		return error_no_memory(error);
	double *scratch = samples + count;
	bool mixed = batches->mixed;
	uint64_t hops = 0;
	for (unsigned i = 0; i < count; i++) {
		samples[i] = items[i].ns;
		hops += items[i].hops;
	}
	*block = (struct sampler_block){
		.ns = middle_of(items, count, mixed, offsetof(struct batch, ns), scratch),
		.cycles = middle_of(items, count, mixed, offsetof(struct batch, cycles), scratch),
		.clock_hz =
			middle_of(items, count, mixed, offsetof(struct batch, clock_hz), scratch),
		.samples_ns = samples,
		.count = count,
		.hops = hops,
		.mixed = mixed,
		.disturbed = disturbed,
	};
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++)
		block->rejected[i] = batches->rejected[i];
	return 0;
}

void sampler_block_free(struct sampler_block *block)
{
	free(block->samples_ns);
	*block = (struct sampler_block){0};
}

int batches_reason(const struct disturbance *before, const struct disturbance *after)
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

bool batches_clock_moved(const struct meter *meter, const struct meter_clock *before,
			 const struct meter_clock *after)
{
	return !meter->clock_missing && !(fabs(after->hz / before->hz - 1) <= CLOCK_TOLERANCE);
}
