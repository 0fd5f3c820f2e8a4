/* RFC 4180: commas, CRLF, the names of the columns in the first line, a row a point, curve after
 * curve; an empty field is a value that was not measured. Levels are not in it: they are rows of
 * another table; JSON holds them. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "output/utf8.h"
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

static void add_quoted(struct row *row, const char *column, const char *outside)
{
	struct text valid = {0};
	if (!field(row, column) || !outside)
		return;
	utf8_add_valid(&valid, outside);
	char *value = text_take(&valid);
	row->text->failed |= !value;
	text_add(row->text, "\"");
	for (const char *c = value; c && *c; c++)
		text_add(row->text, "%s%c", *c == '"' ? "\"" : "", *c);
	text_add(row->text, "\"");
	free(value);
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
	add_known(row, "node_bytes", spec->node_bytes);
	add_known(row, "window_bytes", spec->window_bytes);
	add_known(row, "stride_bytes", spec->stride_bytes);
	add_known(row, "laps", spec->laps);
	add_known(row, "lap", spec->lap);
	add_known(row, "lanes", spec->lanes);
	add_known(row, "threads", spec->threads);
	if (field(row, "seed") && spec->link != FATHOM_LINK_UNKNOWN)
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

static void add_per_access(struct row *row, const struct fathom_point *point)
{
	bool overlaps = fathom_spec_overlaps(&point->spec);
	add_number(row, "ns_per_access", overlaps ? point->ns_per_access : NAN);
	add_number(row, "ns_per_access_low", overlaps ? point->ns_per_access_low : NAN);
	add_number(row, "ns_per_access_high", overlaps ? point->ns_per_access_high : NAN);
	add_number(row, "cycles_per_access", overlaps ? point->cycles_per_access : NAN);
	add_number(row, "cycles_per_access_low", overlaps ? point->cycles_per_access_low : NAN);
	add_number(row, "cycles_per_access_high", overlaps ? point->cycles_per_access_high : NAN);
	add_known(row, "instructions_per_access", point->instructions_per_access);
}

static void add_lanes(struct row *row, const struct fathom_point *point)
{
	bool lanes = point->spec.axis == FATHOM_AXIS_LANES;
	add_number(row, "floor_ns", lanes ? point->floor_ns : NAN);
	add_text(row, "lane_store", lanes ? lane_store_name((int)point->lane_store) : NULL);
}

static void add_bandwidth(struct row *row, const struct fathom_point *point)
{
	bool streams = fathom_pattern_streams(point->spec.pattern);
	add_known(row, "vector_bytes", streams ? point->spec.vector_bytes : 0);
	add_number(row, "bandwidth_bytes_per_second",
		   streams ? point->bandwidth_bytes_per_second : NAN);
	add_number(row, "bandwidth_low", streams ? point->bandwidth_low : NAN);
	add_number(row, "bandwidth_high", streams ? point->bandwidth_high : NAN);
	add_number(row, "bandwidth_best", streams ? point->bandwidth_best : NAN);
	add_number(row, "bandwidth_slowest_thread",
		   streams ? point->bandwidth_slowest_thread : NAN);
	add_number(row, "bandwidth_fastest_thread",
		   streams ? point->bandwidth_fastest_thread : NAN);
	add_number(row, "traffic_bytes_per_second",
		   streams ? point->traffic_bytes_per_second : NAN);
}

/* Those that are known, in one cell: "l1d_misses=0.98;dtlb_misses=0.6". */
static void add_counts(struct row *row, const struct fathom_point *point)
{
	struct text known = {0};
	for (size_t i = 0; i < point->event_count; i++)
		if (isfinite(point->counts[i].per_access))
			text_add(&known, "%s%s=%.6g", known.length ? ";" : "",
				 point->counts[i].event, point->counts[i].per_access);
	row->text->failed |= known.failed;
	add_quoted(row, "counts", known.length ? known.data : NULL);
	text_free(&known);
}

/* `which`: the curve's place in the result. */
static void add_row(struct row *row, size_t which, const struct fathom_curve *curve,
		    const struct fathom_point *point)
{
	row->first = true;
	add_text(row, "experiment", experiment_name(curve->experiment));
	if (field(row, "cpu") && curve->cpu >= 0)
		text_add(row->text, "%d", curve->cpu);
	add_spec(row, &point->spec);
	add_known(row, "nodes", point->nodes);
	add_known(row, "lines_touched", point->lines_touched);
	add_known(row, "page_bytes", point->page_bytes);
	add_number(row, "page_share", point->page_bytes ? point->page_share : NAN);
	add_number(row, "latency_ns", point->latency_ns);
	add_number(row, "latency_low_ns", point->latency_low_ns);
	add_number(row, "latency_high_ns", point->latency_high_ns);
	add_number(row, "latency_cycles", point->latency_cycles);
	add_number(row, "latency_low_cycles", point->latency_low_cycles);
	add_number(row, "latency_high_cycles", point->latency_high_cycles);
	add_per_access(row, point);
	add_number(row, "clock_hz", point->clock_hz);
	add_number(row, "overhead_ns", point->overhead_ns);
	add_whole(row, "blocks", point->block_count);
	add_whole(row, "placements", point->placements);
	add_whole(row, "samples", point->sample_count);
	add_known(row, "accesses", point->accesses);
	add_rejected(row, point);
	bool wanted = point->target > 0;
	add_number(row, "target", wanted ? point->target : NAN);
	add_text(row, "within_target", !wanted ? NULL : point->within_target ? "true" : "false");
	add_text(row, "over_first", curve->over_first ? "true" : "false");
	add_whole(row, "curve", which);
	add_text(row, "axis", axis_name(curve->axis));
	add_lanes(row, point);
	add_bandwidth(row, point);
	add_counts(row, point);
	add_quoted(row, "tool", curve->tool);
	text_add(row->text, "\r\n");
}

int csv_write_result(const struct fathom_result *result, const struct fathom_style *style,
		     struct text *text, struct fathom_error *error)
{
	(void)style;
	struct row row = {.text = text, .header = true};
	static const struct fathom_curve no_curve;
	static const struct fathom_point no_point;
	add_row(&row, 0, &no_curve, &no_point);
	row.header = false;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t j = 0; j < result->curves[i].point_count; j++)
			add_row(&row, i, &result->curves[i], &result->curves[i].points[j]);
	return text->failed ? error_no_memory(error) : 0;
}
