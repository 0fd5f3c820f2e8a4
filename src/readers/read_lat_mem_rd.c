/* lmbench's lat_mem_rd, alone or in the report of a whole lmbench run: `"stride=64`, then rows of
 * "size in MiB" and "ns", to the next line that is none. Each stride is a curve. In which order the
 * nodes were walked (backwards, or at random with -t) is not said. */
#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "document/read_curve.h"
#include "readers/read_units.h"
#include "readers/readers.h"

#define STRIDE_HINT   "lat_mem_rd writes \"stride=64 above the rows"
#define MARK          "\"stride="
#define ROUNDED_BYTES 6 /* five decimals of a MiB say no more */
#define GRAIN_BYTES                                                                                \
	512 /* its sizes are multiples of it, unless the user makes it begin elsewhere */

static bool find_mark(struct lines *lines, struct span *line)
{
	while (lines_next(lines, line))
		if (span_starts(span_trim(*line), MARK))
			return true;
	return false;
}

bool lat_mem_rd_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	return find_mark(&lines, &line);
}

/* 0.00049 is 512 bytes. */
static uint64_t restore_size(uint64_t bytes)
{
	uint64_t nearest = (bytes + GRAIN_BYTES / 2) / GRAIN_BYTES * GRAIN_BYTES;
	uint64_t away = nearest > bytes ? nearest - bytes : bytes - nearest;
	return away <= ROUNDED_BYTES ? nearest : bytes;
}

/* 1: it is no row, and the block ends here. */
static int read_row(struct span line, size_t number, struct curve_rows *rows,
		    struct fathom_error *error)
{
	static const struct value_unit ns = {1, false};
	double ignored, value;
	uint64_t size_bytes;
	line = span_trim(line);
	size_t length = span_number(line, &ignored);
	struct span size = {line.start, length}, rest = span_trim(span_after(line, length));
	if (!length || !rest.length)
		return 1;
	if (units_read_size(size, 1 << 20, number, &size_bytes, error) ||
	    units_read_value(rest, ns, number, &value, error))
		return -1;
	return curve_add(rows, restore_size(size_bytes), value, number, error);
}

static int read_stride(struct span line, size_t number, uint64_t *stride_bytes,
		       struct fathom_error *error)
{
	double value;
	struct span rest = span_after(span_trim(line), sizeof(MARK) - 1);
	if (!span_number(rest, &value) || !(value >= 1 && value <= 1 << 30) ||
	    value != floor(value))
		return span_refuse(line, number, "does not give a stride in bytes", STRIDE_HINT,
				   error);
	*stride_bytes = (uint64_t)value;
	return 0;
}

int lat_mem_rd_read(const char *bytes, size_t length, const struct fathom_input *input,
		    struct fathom_result *result, struct fathom_error *error)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	(void)input;
	while (find_mark(&lines, &line)) {
		char where[sizeof("stride ") + UNITS_TEXT_BYTES], size[UNITS_TEXT_BYTES];
		uint64_t stride_bytes = 0;
		if (read_stride(line, lines.number, &stride_bytes, error))
			return -1;
		snprintf(where, sizeof(where), "stride %s", units_format_size(stride_bytes, size));
		struct curve_rows rows = {.tool = "lat_mem_rd", .where = where};
		rows.like = curve_unknown_point();
		rows.like.spec.node_bytes = stride_bytes;
		if (curve_read_block(&lines, read_row, &rows, result, error))
			return -1;
	}
	return 0;
}
