#include <math.h>

#include "model/predict/structure.h"

#define ALLOCATED_BYTES 16 /* of which malloc gives multiples */

void layout_add(struct layout *layout, const struct step *step)
{
	if (layout->count < STRUCTURE_STEPS)
		layout->steps[layout->count++] = *step;
}

double shape_lines(const struct shape *shape, double bytes)
{
	return fmax(1, bytes / shape->line_bytes);
}

double shape_pages(const struct shape *shape, double bytes)
{
	return fmax(1, bytes / shape->page_bytes);
}

double shape_element(const struct shape *shape)
{
	return shape->key_bytes + shape->payload_bytes;
}

double shape_node(const struct shape *shape, double more_bytes)
{
	double bytes = shape_element(shape) + more_bytes;
	return ALLOCATED_BYTES * ceil(bytes / ALLOCATED_BYTES);
}

double shape_different(double count, double places)
{
	return fmax(1, -places * expm1(-count / places));
}

double shape_address_cycles(double bytes)
{
	const double most_bytes = 8;
	return bytes > most_bytes ? 2 : 1;
}
