/* Latency against size: one chain a size, `per_octave` sizes to each doubling. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/units.h"
#include "machine/pages.h"
#include "measure/experiments.h"

#define SMALLEST_BYTES      1024
#define USUAL_LARGEST_BYTES (1ull << 30) /* beyond every cache but the largest */
#define CACHES_TO_MEMORY    16
#define LEAST_LARGEST_BYTES (1ull << 24)
#define TOUCH_S_PER_BYTE    2e-9 /* 130 ns a line, at the slow end of what guests need */

/* What may be asked for: memory, and for hugetlb pages what the pool has free. */
static uint64_t most_bytes(const struct fathom_machine *machine, enum fathom_page page)
{
	if (page != FATHOM_PAGE_2M && page != FATHOM_PAGE_1G)
		return machine->limit_bytes;
	uint64_t free_bytes = 0;
	for (size_t i = 0; i < machine->pool_count; i++)
		if (machine->pools[i].page_bytes == pages_bytes(machine, page))
			free_bytes = machine->pools[i].page_bytes * machine->pools[i].free_pages;
	return free_bytes;
}

static uint64_t largest_reported_cache(const struct fathom_machine *machine)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < machine->cache_count; i++)
		if (machine->caches[i].size_bytes > largest)
			largest = machine->caches[i].size_bytes;
	return largest;
}

/* As large as is usual, or less where touching that much memory once would take a fifth of the
 * budget. */
static uint64_t usual_largest(double budget_s)
{
	uint64_t bytes = USUAL_LARGEST_BYTES;
	while (bytes > LEAST_LARGEST_BYTES && (double)bytes * TOUCH_S_PER_BYTE > budget_s / 5)
		bytes /= 2;
	return bytes;
}

/* The smallest and the largest size, and up to where all of them are measured. */
static int find_range(const struct fathom_request *request, const struct fathom_machine *machine,
		      uint64_t *low, uint64_t *high, uint64_t *always, struct fathom_error *error)
{
	char low_text[UNITS_TEXT_BYTES], high_text[UNITS_TEXT_BYTES];
	uint64_t most = most_bytes(machine, request->spec.page);
	*low = request->min_size_bytes ? request->min_size_bytes : SMALLEST_BYTES;
	*high = request->max_size_bytes;
	if (pages_check(machine, request->spec.page, *high ? *high : *low, error))
		return -1;
	*always = *high;
	if (*high == 0) {
		*high = CACHES_TO_MEMORY * largest_reported_cache(machine);
		if (*high < USUAL_LARGEST_BYTES)
			*high = USUAL_LARGEST_BYTES;
		if (*high > most)
			*high = most;
		*always = usual_largest(request->budget_s);
		if (*always > *high)
			*always = *high;
	}
	if (request->min_size_bytes == 0 && *low > *high)
		*low = *high; /* nobody asked for it */
	*low += request->spec.node_bytes - 1;
	*low -= *low % request->spec.node_bytes;
	if (*low > *high)
		return error_set(error, FATHOM_USAGE, "see --min-size and --max-size",
				 "the smallest size %s is over the largest %s",
				 units_format_size(*low, low_text),
				 units_format_size(*high, high_text));
	return 0;
}

int latency_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		  struct fathom_plan *plan, struct fathom_error *error)
{
	uint64_t low, high, always, before = 0;
	if (find_range(request, machine, &low, &high, &always, error))
		return -1;
	double octaves = log2((double)high / (double)low);
	size_t most = (size_t)(octaves * request->per_octave) + 2;
	struct fathom_spec *specs = calloc(most, sizeof(*specs));
	size_t count = 0;
	if (!specs)
		return error_no_memory(error);
	for (size_t step = 0; step < most; step++) {
		double size = (double)low * exp2((double)step / request->per_octave);
		uint64_t bytes = size < (double)high ? (uint64_t)llround(size) : high;
		bytes -= bytes % request->spec.node_bytes;
		if (bytes == before)
			continue;
		specs[count] = request->spec;
		specs[count++].size_bytes = before = bytes;
	}
	plan->specs = specs;
	plan->spec_count = count;
	plan->always_bytes = always;
	return 0;
}
