/* What Intel MLC --loaded_latency prints: of each kind of traffic a table of delays, latencies in
 * ns and bandwidths in MB/sec. Source: an output of version 3.5 that a user posted
 * (community.intel.com, thread 1126268). */
#include <ctype.h>
#include <math.h>

#include "base/error.h"
#include "readers/loads.h"
#include "readers/readers.h"

#define MEGA 1e6
#define GIGA 1e9

struct mlc {
	bool in_table;
	double scale; /* bytes a second of its unit */
	double read_share;
	size_t skipped;
};

static bool is_heading(struct span line)
{
	return span_starts(span_trim(line), "Inject") && span_has(line, "Latency") &&
	       span_has(line, "Bandwidth");
}

bool mlc_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	while (lines_next(&lines, &line))
		if (is_heading(line))
			return true;
	return false;
}

/* "Using Read-only traffic type", "... 3:1 Reads-Writes ..."; NAN: it does not say. */
static double share_in(struct span line)
{
	double reads, writes;
	if (span_has(line, "read-only") || span_has(line, "all reads"))
		return 1;
	for (; line.length; line = span_after(line, 1)) {
		size_t taken = isdigit((unsigned char)*line.start) ? span_number(line, &reads) : 0;
		if (!taken)
			continue;
		struct span rest = span_after(line, taken);
		if (span_starts(rest, ":") && span_number(span_after(rest, 1), &writes) &&
		    reads + writes > 0)
			return reads / (reads + writes);
		line = span_after(line, taken - 1);
	}
	return NAN;
}

/* A delay, a latency and a bandwidth; people quote such lines, and write behind them. */
static bool read_row(struct span line, double values[3])
{
	line = span_trim(line);
	if (span_starts(line, "\""))
		line = span_after(line, 1);
	for (int i = 0; i < 3; i++) {
		size_t taken = span_number(line, &values[i]);
		if (!taken)
			return false;
		line = span_trim(span_after(line, taken));
	}
	return true;
}

static int take_line(struct span line, size_t number, struct mlc *mlc, struct fathom_result *result,
		     struct fathom_error *error)
{
	double values[3];
	if (is_heading(line)) {
		mlc->in_table = true;
		mlc->scale = MEGA;
		return 0;
	}
	if (span_starts(span_trim(line), "Using")) {
		double share = share_in(line);
		mlc->in_table = false;
		mlc->read_share = isnan(share) ? mlc->read_share : share;
		return 0;
	}
	if (!mlc->in_table)
		return 0;
	if (span_has(line, "GB/s"))
		mlc->scale = GIGA;
	if (!read_row(line, values))
		return 0;
	const struct fathom_load load = {.read_share = mlc->read_share,
					 .bandwidth_bytes_per_second = values[2] * mlc->scale,
					 .latency_ns = values[1]};
	return loads_add(result, span_of("MLC"), &load, number, &mlc->skipped, error);
}

int mlc_read(const char *bytes, size_t length, const struct fathom_input *input,
	     struct fathom_result *result, struct fathom_error *error)
{
	struct mlc mlc = {.read_share = NAN};
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	(void)input;
	while (lines_next(&lines, &line))
		if (take_line(line, lines.number, &mlc, result, error))
			return -1;
	return loads_end(result, mlc.skipped, error);
}
