/* RFC 4180: commas, CRLF, the names of the columns in the first line; an empty field is a value
 * that was not measured. Only numbers and our own names: no field needs quotes. */
#include <math.h>

#include "base/error.h"
#include "base/names.h"
#include "output/writers.h"

/* The same list of calls writes the header and each row, so that they cannot part. */
struct row {
	struct text *text;
	bool header;
	bool first;
};

/* Ends the field before. Is it the value that is wanted now? The header adds the name itself. */
static bool field(struct row *row, const char *column)
{
	if (!row->first)
		text_add(row->text, ",");
	row->first = false;
	if (row->header)
		text_add(row->text, "%s", column);
	return !row->header;
}

static void add_text(struct row *row, const char *column, const char *value)
{
	if (field(row, column) && value)
		text_add(row->text, "%s", value);
}

static void add_whole(struct row *row, const char *column, uint64_t value)
{
	if (field(row, column))
		text_add(row->text, "%llu", (unsigned long long)value);
}

static void add_known(struct row *row, const char *column, uint64_t value)
{
	if (field(row, column) && value)
		text_add(row->text, "%llu", (unsigned long long)value);
}

static void add_number(struct row *row, const char *column, double value)
{
	if (field(row, column) && isfinite(value))
		text_add(row->text, "%.9g", value);
}

static void add_spec(struct row *row, const struct fathom_spec *spec)
{
	add_text(row, "pattern", fathom_pattern_name(spec->pattern));
	add_text(row, "warmth", warmth_name(spec->warmth));
	add_text(row, "link", link_name(spec->link));
	add_text(row, "page_kind", page_name(spec->page));
	add_whole(row, "size_bytes", spec->size_bytes);
	add_whole(row, "node_bytes", spec->node_bytes);
	add_known(row, "window_bytes", spec->window_bytes);
	add_known(row, "stride_bytes", spec->stride_bytes);
	add_known(row, "laps", spec->laps);
	add_whole(row, "lanes", spec->lanes);
	add_whole(row, "threads", spec->threads);
	if (field(row, "seed"))
		text_add(row->text, "0x%llx", (unsigned long long)spec->seed);
}

static void add_rejected(struct row *row, const struct fathom_point *point)
{
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++) {
		if (field(row, "rejected_"))
			text_add(row->text, "%llu", (unsigned long long)point->rejected[i]);
		else
			text_add(row->text, "%s", fathom_rejection_name(i));
	}
}

static void add_row(struct row *row, const struct fathom_curve *curve,
		    const struct fathom_point *point)
{
	row->first = true;
	add_text(row, "experiment", experiment_name(curve->experiment));
	if (field(row, "cpu"))
		text_add(row->text, "%d", curve->cpu);
	add_spec(row, &point->spec);
	add_whole(row, "nodes", point->nodes);
	add_whole(row, "lines_touched", point->lines_touched);
	add_known(row, "page_bytes", point->page_bytes);
	add_number(row, "page_share", point->page_bytes ? point->page_share : NAN);
	add_number(row, "latency_ns", point->latency_ns);
	add_number(row, "latency_low_ns", point->latency_low_ns);
	add_number(row, "latency_high_ns", point->latency_high_ns);
	add_number(row, "latency_cycles", point->latency_cycles);
	add_number(row, "latency_low_cycles", point->latency_low_cycles);
	add_number(row, "latency_high_cycles", point->latency_high_cycles);
	add_number(row, "clock_hz", point->clock_hz);
	add_number(row, "overhead_ns", point->overhead_ns);
	add_whole(row, "blocks", point->block_count);
	add_whole(row, "placements", point->placements);
	add_whole(row, "samples", point->sample_count);
	add_rejected(row, point);
	add_number(row, "target", point->target);
	add_text(row, "within_target", point->within_target ? "true" : "false");
	text_add(row->text, "\r\n");
}

int csv_write_result(const struct fathom_result *result, const struct fathom_style *style,
		     struct text *text, struct fathom_error *error)
{
	(void)style;
	struct row row = {.text = text, .header = true};
	static const struct fathom_curve no_curve;
	static const struct fathom_point no_point;
	add_row(&row, &no_curve, &no_point);
	row.header = false;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t j = 0; j < result->curves[i].point_count; j++)
			add_row(&row, &result->curves[i], &result->curves[i].points[j]);
	return text->failed ? error_no_memory(error) : 0;
}
