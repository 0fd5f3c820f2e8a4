/* A table of how accesses overlap: "size_bytes,lanes,ns_per_access" and whatever follows, sorted by
 * size and lanes. Of each size a curve along the lanes; and, as of any other table, a curve along
 * the sizes of the rows with one lane, whose times are latencies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "document/read_curve.h"
#include "readers/read_table.h"
#include "readers/read_units.h"
#include "readers/readers.h"

#define HEADING    "size_bytes,lanes,ns_per_access"
#define TOOL       "csv"
#define COLUMNS    3
#define MOST_LANES 4096

bool lanes_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	return lines_next(&lines, &line) && span_starts(line, HEADING);
}

static int read_row(struct span line, size_t number, struct cells *cells,
		    struct fathom_point *point, struct fathom_error *error)
{
	double lanes;
	if (table_split(line, ',', number, cells, error))
		return -1;
	if (cells->count < COLUMNS)
		return span_refuse(line, number, "has no size, lanes and time", HEADING, error);
	struct span size = cells->items[0], many = cells->items[1], ns = cells->items[2];
	if (units_read_size(size, 1, number, &point->spec.size_bytes, error))
		return -1;
	if (span_number(many, &lanes) != many.length || !(lanes >= 1) || lanes > MOST_LANES ||
	    lanes != floor(lanes))
		return span_refuse(many, number, "is not a number of lanes", HEADING, error);
	point->spec.lanes = (uint32_t)lanes;
	double *value = lanes > 1 ? &point->ns_per_access : &point->latency_ns;
	if (span_number(ns, value) != ns.length || !(*value > 0) || !isfinite(*value))
		return span_refuse(ns, number, "is not a time in ns", HEADING, error);
	return 0;
}

/* To the curve of its size, which is the last one. */
static int append(struct fathom_result *result, const struct fathom_point *point, size_t line,
		  struct fathom_error *error)
{
	struct fathom_curve *last =
		result->curve_count ? &result->curves[result->curve_count - 1] : NULL;
	if (!last || last->points[0].spec.size_bytes != point->spec.size_bytes) {
		const struct fathom_curve curve = {.experiment = FATHOM_PARALLELISM,
						   .axis = FATHOM_AXIS_LANES,
						   .cpu = -1,
						   .memory_node = -1,
						   .node_share = NAN,
						   .loop_ns = NAN,
						   .tool = strdup(TOOL)};
		if (!curve.tool || LIST_APPEND(&result->curves, &result->curve_count, &curve)) {
			free(curve.tool);
			return error_no_memory(error);
		}
		last = &result->curves[result->curve_count - 1];
	}
	if (LIST_APPEND(&last->points, &last->point_count, point))
		return error_no_memory(error);
	if (!curve_lanes_ascend(last, last->point_count - 1) || result->curve_count > CURVES_MOST)
		return error_set(error, FATHOM_BAD_INPUT, "sort the rows by size and lanes",
				 "line %zu: the lanes do not ascend", line);
	return 0;
}

/* The last curve becomes the first. */
static void put_first(struct fathom_result *result)
{
	size_t last = result->curve_count - 1;
	struct fathom_curve curve = result->curves[last];
	memmove(&result->curves[1], result->curves, last * sizeof(curve));
	result->curves[0] = curve;
}

static bool has_latencies(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].points[0].spec.lanes == 1)
			return true;
	return false;
}

int lanes_read(const char *bytes, size_t length, const struct fathom_input *input,
	       struct fathom_result *result, struct fathom_error *error)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct cells cells = {0};
	struct span line;
	int status = 0;
	lines_next(&lines, &line);
	while (!status && table_next(&lines, &line, NULL)) {
		struct fathom_point point = curve_unknown_point();
		point.spec.axis = FATHOM_AXIS_LANES;
		point.spec.threads = 1;
		status = read_row(line, lines.number, &cells, &point, error);
		if (!status)
			status = append(result, &point, lines.number, error);
	}
	if (!status && !result->curve_count)
		status = table_refuse_empty(1, error);
	if (!status && has_latencies(result)) {
		status = delimited_read(bytes, length, input, result, error);
		if (!status)
			put_first(result);
	}
	cells_free(&cells);
	return status;
}
