#include "document/digits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "document/json_put.h"
#include "document/read_fields.h"

#define NUMBER_BYTES 32 /* of a double in so many digits */

static void round_number(double *number)
{
	char text[NUMBER_BYTES];
	if (!isfinite(*number))
		return;
	snprintf(text, sizeof(text), "%.*g", JSON_RESULT_DIGITS, *number);
	*number = strtod(text, NULL); /* by the same locale */
}

static void round_numbers(double *numbers, size_t count)
{
	for (size_t i = 0; numbers && i < count; i++)
		round_number(&numbers[i]);
}

static void round_point(struct fathom_point *point)
{
	for (size_t i = 0; i < fields_of_point.count; i++) {
		const struct field *field = &fields_of_point.items[i];
		if (field->type == FIELD_NUMBER)
			round_number((double *)(void *)((char *)point + field->offset));
	}
	round_numbers(point->blocks_ns, point->block_count);
	round_numbers(point->samples_ns, point->sample_count);
	for (size_t i = 0; i < point->event_count; i++) {
		round_number(&point->counts[i].per_access);
		round_number(&point->counts[i].running_share);
	}
}

void digits_round(struct fathom_result *result)
{
	double *const numbers[] = {&result->elapsed_s, &result->clock_min_hz,
				   &result->clock_median_hz, &result->clock_max_hz,
				   &result->clock_drift};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		round_number(numbers[i]);
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			round_point(&result->curves[i].points[k]);
}
