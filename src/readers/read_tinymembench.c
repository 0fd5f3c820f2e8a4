/* tinymembench's tables of "block size : single random read / dual random read": ns over those of
 * a block of two bytes. The addresses come from a generator, any byte of the block, into which the
 * byte read (a zero) is folded: independent uniform accesses, one after the other. The dual read is
 * two at a time, and no latency. The rest of its output is about bandwidth. */
#include "document/read_curve.h"
#include "readers/read_units.h"
#include "readers/readers.h"

static bool span_has(struct span span, const char *word)
{
	for (; span.length; span = span_after(span, 1))
		if (span_starts(span, word))
			return true;
	return false;
}

static bool find_heading(struct lines *lines, struct span *line)
{
	while (lines_next(lines, line))
		if (span_starts(span_trim(*line), "block size :") &&
		    span_has(*line, "single random read"))
			return true;
	return false;
}

bool tinymembench_detect(const char *bytes, size_t length)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	return find_heading(&lines, &line);
}

/* Up to `end`, which is left out of *part and of what remains in *rest. false: there is none. */
static bool take_until(struct span *rest, char end, struct span *part)
{
	size_t length = 0;
	while (length < rest->length && rest->start[length] != end)
		length++;
	if (length == rest->length)
		return false;
	*part = span_trim((struct span){rest->start, length});
	*rest = span_after(*rest, length + 1);
	return true;
}

/* "  1024 :   0.0 ns  /   0.0 ns". 1: it is no row, and the table ends here. */
static int read_row(struct span line, size_t number, struct curve_rows *rows,
		    struct fathom_error *error)
{
	static const struct value_unit ns = {1, false};
	struct span size, single;
	uint64_t size_bytes;
	double value;
	if (!take_until(&line, ':', &size) || !take_until(&line, '/', &single))
		return 1;
	if (units_read_size(size, 1, number, &size_bytes, error) ||
	    units_read_value(single, ns, number, &value, error))
		return -1;
	return curve_add(rows, size_bytes, value, number, error);
}

int tinymembench_read(const char *bytes, size_t length, const struct fathom_input *input,
		      struct fathom_result *result, struct fathom_error *error)
{
	struct lines lines = {bytes, bytes + length, 0};
	struct span line;
	(void)input;
	while (find_heading(&lines, &line)) {
		bool huge = span_has(line, "MADV_HUGEPAGE"),
		     small = span_has(line, "MADV_NOHUGEPAGE");
		struct curve_rows rows = {
			.tool = "tinymembench",
			.where = huge    ? "MADV_HUGEPAGE"
				 : small ? "MADV_NOHUGEPAGE"
					 : NULL,
			.like = curve_unknown_point(),
			.relative_to_l1 = true,
		};
		rows.like.spec.pattern = FATHOM_INDEPENDENT;
		rows.like.spec.node_bytes = rows.like.spec.lanes = rows.like.spec.threads = 1;
		rows.like.spec.page = huge    ? FATHOM_PAGE_THP
				      : small ? FATHOM_PAGE_4K
					      : FATHOM_PAGE_DEFAULT;
		if (curve_read_block(&lines, read_row, &rows, result, error))
			return -1;
	}
	return 0;
}
