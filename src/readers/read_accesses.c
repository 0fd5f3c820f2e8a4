/* Single accesses, one a row: when it began and what it took, both in ns, or the latter alone. A
 * heading and comments ('#') may stand before and between. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "document/table.h"
#include "readers/read_table.h"
#include "readers/readers.h"

#define ROW_HINT   "a row is a time and a latency in ns, or a latency alone"
#define MOST_NS    1e12
#define FIRST_ROOM 1024

struct series {
	double *times_ns, *latencies_ns;
	size_t count, room;
};

static int grow(struct series *series, struct fathom_error *error)
{
	if (series->count < series->room)
		return 0;
	size_t room = series->room ? 2 * series->room : FIRST_ROOM;
	double *times = realloc(series->times_ns, room * sizeof(*times));
	series->times_ns = times ? times : series->times_ns;
	double *latencies = realloc(series->latencies_ns, room * sizeof(*latencies));
	series->latencies_ns = latencies ? latencies : series->latencies_ns;
	if (!times || !latencies)
		return error_no_memory(error);
	series->room = room;
	return 0;
}

static bool is_gap(char c)
{
	return c == ',' || c == ';' || c == '\t' || c == ' ';
}

/* One or two numbers and nothing else; how many; 0: it is no such row. */
static int read_row(struct span line, double values[2])
{
	int count = 0;
	for (line = span_trim(line); line.length && count < 2; count++) {
		size_t taken = span_number(line, &values[count]);
		if (!taken)
			return 0;
		line = span_after(line, taken);
		if (line.length && !is_gap(*line.start))
			return 0;
		while (line.length && is_gap(*line.start))
			line = span_after(line, 1);
	}
	return line.length ? 0 : count;
}

static int take_row(const double values[2], int count, struct span line, size_t number,
		    struct series *series, struct fathom_error *error)
{
	double latency_ns = values[count - 1];
	if (!(latency_ns > 0) || latency_ns > MOST_NS)
		return span_refuse(span_trim(line), number, "has no latency above 0", ROW_HINT,
				   error);
	if (grow(series, error))
		return -1;
	series->times_ns[series->count] = count == 2 ? values[0] : NAN;
	series->latencies_ns[series->count++] = latency_ns;
	return 0;
}

static int read_lines(const char *bytes, size_t length, struct series *series,
		      struct fathom_error *error)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	bool heading = false;
	while (table_next(&lines, &line, NULL)) {
		double values[2];
		int count = read_row((struct span){line.start, table_before_comment(line)}, values);
		if (count && take_row(values, count, line, lines.number, series, error))
			return -1;
		if (!count && (series->count || heading))
			return span_refuse(span_trim(line), lines.number, "is no access", ROW_HINT,
					   error);
		heading |= !count;
	}
	return series->count
		       ? 0
		       : error_set(error, FATHOM_BAD_INPUT, ROW_HINT, "there is no access in it");
}

int accesses_read(const char *bytes, size_t length, const struct fathom_input *input,
		  struct fathom_result *result, struct fathom_error *error)
{
	struct series series = {0};
	struct fathom_curve curve;
	(void)input;
	table_unknown(&curve_table, &curve);
	curve.experiment = FATHOM_DISTRIBUTION;
	int status = read_lines(bytes, length, &series, error);
	if (!status) {
		curve.tool = strdup("csv");
		if (!curve.tool || LIST_APPEND(&result->curves, &result->curve_count, &curve)) {
			free(curve.tool);
			status = error_no_memory(error);
		}
	}
	if (status) {
		free(series.times_ns);
		free(series.latencies_ns);
		return -1;
	}
	struct fathom_curve *made = &result->curves[result->curve_count - 1];
	made->times_ns = series.times_ns;
	made->latencies_ns = series.latencies_ns;
	made->access_count = series.count;
	return 0;
}
