#include "base/point.h"

#include <stdlib.h>

#include "base/patterns.h"

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

size_t point_count_of(const struct fathom_result *result)
{
	size_t count = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		count += result->curves[i].point_count;
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
