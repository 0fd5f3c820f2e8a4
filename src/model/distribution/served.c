#include "model/distribution/served.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/text.h"
#include "model/distribution/controls.h"

/* From what a hit takes: documented latencies of neighbouring caches are 2.4 times apart and more,
 * so that no mode is near two of them. */
#define NEAR_TIMES 1.5

/* The cache that holds half of itself of the chain and that no smaller one could; NULL: none. */
static const struct fathom_cache *find_cache(const struct fathom_machine *machine,
					     const struct fathom_curve *curve)
{
	const struct fathom_cache *smallest = NULL;
	for (size_t i = 0; machine && i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		if (cache->kind != FATHOM_CACHE_INSTRUCTION &&
		    cache->size_bytes >= curve->size_bytes &&
		    (!smallest || cache->size_bytes < smallest->size_bytes))
			smallest = cache;
	}
	return smallest && 2 * curve->size_bytes <= smallest->size_bytes ? smallest : NULL;
}

/* The cache whose hits take about so long: by the mean of many accesses along a chain inside it,
 * which no timing of single ones is in. 0: none. */
static unsigned nearest_cache(const struct fathom_result *result, double ns)
{
	unsigned level = 0;
	double nearest = log(NEAR_TIMES);
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_cache *cache =
			find_cache(result->machine, &result->curves[one->curve]);
		double far = fabs(log(ns / one->chain_ns)); /* NAN of flushed lines */
		if (!cache || !(far < nearest))
			continue;
		nearest = far;
		level = cache->level;
	}
	return level;
}

/* What all but the shortest twentieth of the shortest mode of flushed lines take; NAN: none were
 * timed. */
static double least_memory_ns(const struct fathom_result *result)
{
	double least_ns = NAN;
	for (size_t i = 0; i < result->distribution_count; i++) {
		const struct fathom_distribution *one = &result->distributions[i];
		const struct fathom_curve *curve = &result->curves[one->curve];
		if (one->counter && one->mode_count && !curve->window_bytes &&
		    curve->warmth == FATHOM_COLD_FLUSHED)
			least_ns = fmin(least_ns, one->modes[0].low_ns);
	}
	return least_ns;
}

static int name_mode(const struct fathom_result *result, struct fathom_mode *mode, double memory_ns)
{
	unsigned level = nearest_cache(result, mode->latency_ns);
	if (mode->latency_ns >= memory_ns) {
		mode->kind = FATHOM_MODE_MEMORY;
	} else if (mode->high_ns < memory_ns) {
		mode->kind = FATHOM_MODE_CACHE;
		mode->level = level ? text_format("L%u", level) : NULL;
		return level && !mode->level ? -1 : 0;
	}
	return 0;
}

/* Of accesses that were timed together some may hit and others not: but not of most of them. */
static bool is_of_one_kind(const struct fathom_distribution *one, const struct fathom_mode *mode)
{
	return mode->kind == FATHOM_MODE_UNKNOWN && (one->run_accesses == 1 || mode->share > 0.5);
}

int served_find(struct fathom_result *result, struct fathom_error *error)
{
	double memory_ns = least_memory_ns(result);
	for (size_t i = 0; i < result->distribution_count && isfinite(memory_ns); i++) {
		struct fathom_distribution *one = &result->distributions[i];
		bool untouched = result->curves[one->curve].warmth == FATHOM_UNTOUCHED;
		for (size_t k = 0; one->counter && !untouched && k < one->mode_count; k++)
			if (is_of_one_kind(one, &one->modes[k]) &&
			    name_mode(result, &one->modes[k], memory_ns))
				return error_no_memory(error);
	}
	return controls_find(result, memory_ns) ? error_no_memory(error) : 0;
}
