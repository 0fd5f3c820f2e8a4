#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "model/compare/compare_judge.h"
#include "model/compare/compare_parts.h"

static int estimate(const struct compare_set *set, compare_read *read, size_t which,
		    struct compare_sample *sample, struct fathom_compared_part *part)
{
	double sign = part->quantity == FATHOM_QUANTITY_BYTES_PER_SECOND ? -1 : 1, sum = 0;
	size_t last = sample->runs - 1;
	for (size_t i = 0; i <= last; i++) {
		struct compare_reading reading = {.spread = NAN};
		if (!read(set, i, which, &reading) || !(reading.value > 0))
			return (int)i + 1;
		sample->ln[i] = sign * log(reading.value);
		sample->spread[i] = reading.spread;
		sum += i < last ? log(reading.value) : 0;
		part->value = reading.value;
		part->points = reading.points;
	}
	part->baseline = exp(sum / (double)last);
	compare_estimate(sample, part);
	return 0;
}

int compare_estimate_readings(const struct compare_set *set, compare_read *read, size_t which,
			      struct fathom_compared_part *part, struct fathom_error *error)
{
	struct compare_sample sample = {.runs = compare_set_count(set)};
	sample.ln = calloc(2 * sample.runs, sizeof(*sample.ln));
	if (!sample.ln)
		return error_no_memory(error);
	sample.spread = sample.ln + sample.runs;
	int lacking = estimate(set, read, which, &sample, part);
	free(sample.ln);
	return lacking;
}
