#include "base/point.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/patterns.h"

#define USUAL_LINE_BYTES 64.0

double point_ns(const struct fathom_point *point)
{
	return spec_overlaps(&point->spec) ? point->ns_per_access : point->latency_ns;
}

bool point_at_floor(const struct fathom_point *point)
{
	return point->spec.lanes > 1 && point_ns(point) <= POINT_NEAR_FLOOR * point->floor_ns;
}

const struct fathom_point *point_at_size(const struct fathom_curve *curve, uint64_t size_bytes)
{
	for (size_t i = 0; i < curve->point_count; i++)
		if (curve->points[i].spec.size_bytes == size_bytes)
			return &curve->points[i];
	return NULL;
}

uint64_t line_bytes_reported(const struct fathom_machine *machine)
{
	for (size_t i = 0; machine && i < machine->cache_count; i++)
		if (machine->caches[i].kind != FATHOM_CACHE_INSTRUCTION &&
		    machine->caches[i].line_bytes)
			return machine->caches[i].line_bytes;
	return 0;
}

uint64_t line_bytes_known(const struct fathom_result *result)
{
	return result->measured_line_bytes ? result->measured_line_bytes
					   : line_bytes_reported(result->machine);
}

double line_bytes_likely(const struct fathom_result *result)
{
	uint64_t known = line_bytes_known(result);
	return known ? (double)known : USUAL_LINE_BYTES;
}

const char *const predictions_usual[] = {"open-hash", "btree", "bsearch", NULL};

bool predictions_are_usual(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->prediction_count; i++) {
		const struct fathom_prediction *one = &result->predictions[i];
		size_t k = 0;
		while (predictions_usual[k] && strcmp(predictions_usual[k], one->structure) != 0)
			k++;
		if (!predictions_usual[k] || one->keys != PREDICTIONS_USUAL_KEYS ||
		    one->mode != FATHOM_PREDICT_DEPENDENT || isfinite(one->measured_ns))
			return false;
	}
	return true;
}

bool result_is_of_loads(const struct fathom_result *result)
{
	bool found = false;
	for (size_t i = 0; i < result->curve_count; i++) {
		if (result->curves[i].point_count || result->curves[i].pair_count)
			return false;
		found |= result->curves[i].load_count > 0;
	}
	return found;
}

bool result_has_accesses(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].access_count)
			return true;
	return result->distribution_count > 0;
}

size_t point_count_of(const struct fathom_result *result)
{
	size_t count = result->distribution_count;
	for (size_t i = 0; i < result->curve_count; i++)
		count += result->curves[i].point_count + result->curves[i].pair_count +
			 result->curves[i].load_count;
	return count;
}

bool pair_is_main(const struct fathom_curve *curve, const struct fathom_pair *pair)
{
	return pair->home == curve->pairs[0].home && pair->handover == curve->pairs[0].handover;
}

size_t pair_count_main(const struct fathom_curve *curve)
{
	size_t count = 0;
	for (size_t i = 0; i < curve->pair_count; i++)
		count += pair_is_main(curve, &curve->pairs[i]);
	return count;
}

void counts_free(struct fathom_count *counts, size_t count)
{
	for (size_t i = 0; counts && i < count; i++) {
		free(counts[i].event);
		free(counts[i].reason);
		free(counts[i].hint);
	}
	free(counts);
}
