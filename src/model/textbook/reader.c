#include "model/textbook/reader.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/units.h"

#define MIB 0x1p20

struct fathom_reading *reader_append(struct reader *reader, const char *name, double residual,
				     char *text)
{
	size_t count = reader->fitted.read_count;
	struct fathom_reading made = {
		.name = strdup(name),
		.curve = reader->curve,
		.latency = calloc(count + 1, sizeof(double)),
		.latency_count = count,
		.residual = residual,
		.text = text,
	};
	for (size_t i = 0; made.latency && i < count; i++)
		made.latency[i] = NAN;
	if (made.name && made.latency && text &&
	    LIST_APPEND(&reader->readings, &reader->reading_count, &made) == 0)
		return &reader->readings[reader->reading_count - 1];
	free(made.name);
	free(made.latency);
	free(text);
	return NULL;
}

void reader_set_latencies(const struct reader *reader, const struct stack_level *levels,
			  double last, struct fathom_reading *reading)
{
	size_t count = reader->fitted.count;
	for (size_t i = 0; i < count; i++)
		reading->latency[i] = levels[i].latency;
	if (reading->latency_count > count)
		reading->latency[count] = last;
}

bool reader_set_values(const struct reader *reader, double from_bytes, latency_model *model,
		       const void *context, struct fathom_reading *reading)
{
	const struct fathom_curve *curve = reader->fitted.curve;
	double *values = malloc((curve->point_count + 1) * sizeof(*values));
	if (!values)
		return false;
	for (size_t i = 0; i < curve->point_count; i++) {
		double size_bytes = (double)curve->points[i].spec.size_bytes;
		values[i] = size_bytes > from_bytes ? model(context, size_bytes) : NAN;
	}
	reading->values = values;
	reading->value_count = curve->point_count;
	return true;
}

const char *reader_unit(const struct reader *reader)
{
	return reader->fitted.data.cycles ? "cycles" : "ns";
}

void reader_add_size(struct text *text, double bytes)
{
	char size[UNITS_TEXT_BYTES];
	text_add(text, "%s", units_format_size((uint64_t)llround(bytes), size));
}

void reader_add_percent(struct text *text, double share)
{
	if (fabs(share) < 0.0005)
		share = 0; /* not "-0.0 %" */
	text_add(text, "%+.*f %%", fabs(share) < 0.0995 ? 1 : 0, 100 * share);
}

void reader_add_worst(struct text *text, const struct deviation *found)
{
	text_add(text, " Its largest error is ");
	reader_add_percent(text, found->worst);
	text_add(text, ", at ");
	reader_add_size(text, found->worst_bytes);
	text_add(text, ".");
}

void reader_add_constant(const struct reader *reader, double constant, struct text *text)
{
	char number[UNITS_TEXT_BYTES];
	text_add(text, "%s MiB\u00b7%s", units_format_number(constant / MIB, number),
		 reader_unit(reader));
}
