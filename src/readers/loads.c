#include "readers/loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/warnings.h"
#include "document/table.h"

/* Not a statement about memory, but about units. */
#define LEAST_NS       1.0
#define MOST_NS        1e7
#define MOST_BANDWIDTH 1e15 /* bytes a second */
#define UNITS_HINT     "name the units in the heading, as in latency_ns and bandwidth_GB/s"

bool span_has(struct span span, const char *word)
{
	size_t length = strlen(word);
	for (; span.length >= length; span = span_after(span, 1))
		if (span_starts(span, word))
			return true;
	return false;
}

static bool is_alike(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool is_of(const struct fathom_curve *curve, struct span tool, double read_share)
{
	return span_is(tool, curve->tool) && is_alike(curve->loads[0].read_share, read_share);
}

static int add_curve(struct fathom_result *result, struct span tool, struct fathom_error *error)
{
	struct fathom_curve curve;
	table_unknown(&curve_table, &curve);
	curve.experiment = FATHOM_LOADED;
	curve.axis = FATHOM_AXIS_TRAFFIC;
	curve.tool = strndup(tool.start, tool.length);
	if (curve.tool && !LIST_APPEND(&result->curves, &result->curve_count, &curve))
		return 0;
	free(curve.tool);
	return error_no_memory(error);
}

static int check(const struct fathom_load *load, size_t line, struct fathom_error *error)
{
	if (load->latency_ns < LEAST_NS || load->latency_ns > MOST_NS)
		return error_set(error, FATHOM_BAD_INPUT, UNITS_HINT,
				 "line %zu: %g ns is no latency of memory", line, load->latency_ns);
	if (fabs(load->bandwidth_bytes_per_second) > MOST_BANDWIDTH)
		return error_set(error, FATHOM_BAD_INPUT, UNITS_HINT,
				 "line %zu: %g GB/s is no bandwidth of memory", line,
				 load->bandwidth_bytes_per_second / 1e9);
	return 0;
}

int loads_add(struct fathom_result *result, struct span tool, const struct fathom_load *load,
	      size_t line, size_t *skipped, struct fathom_error *error)
{
	size_t which = 0;
	if (isnan(load->latency_ns) || isnan(load->bandwidth_bytes_per_second)) {
		++*skipped;
		return 0;
	}
	if (check(load, line, error))
		return -1;
	while (which < result->curve_count &&
	       !is_of(&result->curves[which], tool, load->read_share))
		which++;
	if (which == result->curve_count && add_curve(result, tool, error))
		return -1;
	struct fathom_curve *curve = &result->curves[which];
	struct fathom_load known;
	table_unknown(&load_table, &known);
	known.read_share = load->read_share;
	known.bandwidth_bytes_per_second = load->bandwidth_bytes_per_second;
	known.latency_ns = load->latency_ns;
	return LIST_APPEND(&curve->loads, &curve->load_count, &known) ? error_no_memory(error) : 0;
}

static bool has_bandwidth(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->load_count; i++)
		if (curve->loads[i].bandwidth_bytes_per_second > 0)
			return true;
	return false;
}

int loads_end(struct fathom_result *result, size_t skipped, struct fathom_error *error)
{
	if (!result->curve_count)
		return error_set(error, FATHOM_BAD_INPUT,
				 "each row has a latency and the bandwidth meanwhile",
				 "there is no latency under load in it");
	for (size_t i = 0; i < result->curve_count; i++)
		if (!has_bandwidth(&result->curves[i]))
			return error_set(error, FATHOM_BAD_INPUT,
					 "each row has a latency and the bandwidth meanwhile",
					 "no bandwidth of curve %zu is above 0", i + 1);
	if (skipped &&
	    warnings_add(&result->warnings, "rows-left-out", NULL, NULL,
			 "rows left out, as they have no latency or no bandwidth: %zu", skipped))
		return error_no_memory(error);
	return 0;
}
