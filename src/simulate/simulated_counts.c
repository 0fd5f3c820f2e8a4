#include "simulate/simulated_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/point.h"

/* Of data alone: what page walks read is counted nowhere. */
struct totals {
	double loads, missed_first, missed_last;
	double translations, missed_tlb, walks;
	double instructions, cycles;
};

static const struct {
	const char *name;
	size_t offset;
} known[] = {
	{"cycles", offsetof(struct totals, cycles)},
	{"instructions", offsetof(struct totals, instructions)},
	{"l1d_reads", offsetof(struct totals, loads)},
	{"l1d_misses", offsetof(struct totals, missed_first)},
	{"llc_misses", offsetof(struct totals, missed_last)},
	{"dtlb_reads", offsetof(struct totals, translations)},
	{"dtlb_misses", offsetof(struct totals, missed_tlb)},
	{"page_walks", offsetof(struct totals, walks)},
};

void simulated_counts_close(struct simulated_counts *counts)
{
	for (size_t i = 0; i < counts->event_count; i++)
		free(counts->events[i]);
	free(counts->events);
	free(counts->totals);
	*counts = (struct simulated_counts){0};
}

int simulated_counts_open(struct simulated_counts *counts, const struct counter_events *events,
			  struct fathom_error *error)
{
	simulated_counts_close(counts);
	counts->events = calloc(events->count + 1, sizeof(*counts->events));
	counts->totals = calloc(events->count + 1, sizeof(*counts->totals));
	bool whole = counts->events && counts->totals;
	for (; whole && counts->event_count < events->count; counts->event_count++) {
		size_t at = counts->event_count;
		counts->events[at] = strdup(events->items[at].name);
		if (!counts->events[at])
			whole = false;
	}
	if (whole)
		return 0;
	simulated_counts_close(counts);
	return error_no_memory(error);
}

/* The index in the table, or -1. */
static int find_known(const char *event)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcasecmp(known[i].name, event) == 0)
			return (int)i;
	return -1;
}

static struct totals count_loads(const struct simulated_memory *memory)
{
	const uint64_t *served = memory->data_served, *asked = memory->translations_asked;
	uint64_t caches = memory->spec.cache_count, tlbs = memory->map.tlb_count;
	struct totals totals = {.missed_last = (double)served[caches],
				.translations = tlbs ? (double)asked[0] : NAN,
				.missed_tlb = tlbs > 1   ? (double)asked[1]
					      : tlbs > 0 ? (double)memory->walks
							 : NAN,
				.walks = tlbs ? (double)memory->walks : NAN};
	for (uint64_t i = 0; i <= caches; i++)
		totals.loads += (double)served[i];
	totals.missed_first = totals.loads - (double)served[0];
	return totals;
}

void simulated_counts_add(struct simulated_counts *counts, const struct simulated_memory *memory,
			  struct simulated_loop loop, double accesses, double cycles)
{
	struct totals totals = count_loads(memory);
	totals.loads += loop.more_loads * accesses;
	totals.translations += loop.more_loads * accesses;
	totals.instructions = loop.instructions * accesses;
	totals.cycles = cycles;
	counts->accesses += accesses;
	for (size_t i = 0; i < counts->event_count; i++) {
		int which = find_known(counts->events[i]);
		double value = NAN;
		if (which >= 0)
			memcpy(&value, (const char *)&totals + known[which].offset, sizeof(value));
		counts->totals[i] += value;
	}
}

struct fathom_count *simulated_counts_take(struct simulated_counts *counts)
{
	struct fathom_count *taken = calloc(counts->event_count + 1, sizeof(*taken));
	bool whole = taken != NULL;
	for (size_t i = 0; whole && i < counts->event_count; i++) {
		double per_access = counts->totals[i] / counts->accesses;
		bool counted = isfinite(per_access);
		taken[i] = (struct fathom_count){
			.event = strdup(counts->events[i]),
			.state = counted ? FATHOM_COUNTED : FATHOM_NOT_SUPPORTED,
			.per_access = counted ? per_access : NAN,
			.running_share = counted ? 1 : NAN,
			.reason =
				counted ? NULL
					: strdup("the simulated machine does not count this event"),
		};
		whole = taken[i].event && (counted || taken[i].reason);
	}
	memset(counts->totals, 0, counts->event_count * sizeof(*counts->totals));
	counts->accesses = 0;
	if (whole)
		return taken;
	counts_free(taken, counts->event_count);
	return NULL;
}
