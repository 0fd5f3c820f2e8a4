#include "base/point.h"

double point_ns(const struct fathom_point *point)
{
	return fathom_spec_overlaps(&point->spec) ? point->ns_per_access : point->latency_ns;
}

bool point_at_floor(const struct fathom_point *point)
{
	return point->spec.lanes > 1 && point_ns(point) <= POINT_NEAR_FLOOR * point->floor_ns;
}
