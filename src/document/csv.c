/* RFC 4180: commas, CRLF, the names of the columns in the first line, a row a point, curve after
 * curve; an empty field is a value that was not measured. Of runs at several clocks a row a level
 * and a size, for what follows the clock. Levels are not in it: they are rows of
 * another table; JSON holds them. */
#include <math.h>

#include "base/error.h"
#include "base/names.h"
#include "document/csv_row.h"
#include "document/document.h"

static void add_spec(struct csv_row *row, const struct fathom_spec *spec)
{
	csv_text(row, "pattern", fathom_pattern_name(spec->pattern));
	csv_text(row, "warmth", warmth_name(spec->warmth));
	csv_text(row, "link", link_name(spec->link));
	csv_text(row, "page_kind", page_name(spec->page));
	csv_whole(row, "size_bytes", spec->size_bytes);
	csv_known(row, "node_bytes", spec->node_bytes);
	csv_known(row, "window_bytes", spec->window_bytes);
	csv_known(row, "stride_bytes", spec->stride_bytes);
	csv_known(row, "laps", spec->laps);
	csv_known(row, "lap", spec->lap);
	csv_known(row, "lanes", spec->lanes);
	csv_known(row, "threads", spec->threads);
	if (csv_field(row, "seed") && spec->link != FATHOM_LINK_UNKNOWN)
		text_add(row->text, "0x%llx", (unsigned long long)spec->seed);
}

static void add_rejected(struct csv_row *row, const struct fathom_point *point)
{
	for (int i = 0; i < FATHOM_REJECTION_COUNT; i++) {
		if (csv_field(row, "rejected_"))
			text_add(row->text, "%llu", (unsigned long long)point->rejected[i]);
		else
			text_add(row->text, "%s", fathom_rejection_name(i));
	}
}

static void add_per_access(struct csv_row *row, const struct fathom_point *point)
{
	bool overlaps = fathom_spec_overlaps(&point->spec);
	csv_number(row, "ns_per_access", overlaps ? point->ns_per_access : NAN);
	csv_number(row, "ns_per_access_low", overlaps ? point->ns_per_access_low : NAN);
	csv_number(row, "ns_per_access_high", overlaps ? point->ns_per_access_high : NAN);
	csv_number(row, "cycles_per_access", overlaps ? point->cycles_per_access : NAN);
	csv_number(row, "cycles_per_access_low", overlaps ? point->cycles_per_access_low : NAN);
	csv_number(row, "cycles_per_access_high", overlaps ? point->cycles_per_access_high : NAN);
	csv_known(row, "instructions_per_access", point->instructions_per_access);
}

static void add_lanes(struct csv_row *row, const struct fathom_point *point)
{
	bool lanes = point->spec.axis == FATHOM_AXIS_LANES;
	csv_number(row, "floor_ns", lanes ? point->floor_ns : NAN);
	csv_text(row, "lane_store", lanes ? lane_store_name((int)point->lane_store) : NULL);
}

static void add_bandwidth(struct csv_row *row, const struct fathom_point *point)
{
	bool streams = fathom_pattern_streams(point->spec.pattern);
	csv_known(row, "vector_bytes", streams ? point->spec.vector_bytes : 0);
	csv_number(row, "bandwidth_bytes_per_second",
		   streams ? point->bandwidth_bytes_per_second : NAN);
	csv_number(row, "bandwidth_low", streams ? point->bandwidth_low : NAN);
	csv_number(row, "bandwidth_high", streams ? point->bandwidth_high : NAN);
	csv_number(row, "bandwidth_best", streams ? point->bandwidth_best : NAN);
	csv_number(row, "bandwidth_slowest_thread",
		   streams ? point->bandwidth_slowest_thread : NAN);
	csv_number(row, "bandwidth_fastest_thread",
		   streams ? point->bandwidth_fastest_thread : NAN);
	csv_number(row, "traffic_bytes_per_second",
		   streams ? point->traffic_bytes_per_second : NAN);
}

/* Those that are known, in one cell: "l1d_misses=0.98;dtlb_misses=0.6". */
static void add_counts(struct csv_row *row, const struct fathom_point *point)
{
	struct text known = {0};
	for (size_t i = 0; i < point->event_count; i++)
		if (isfinite(point->counts[i].per_access))
			text_add(&known, "%s%s=%.6g", known.length ? ";" : "",
				 point->counts[i].event, point->counts[i].per_access);
	row->text->failed |= known.failed;
	csv_quoted(row, "counts", known.length ? known.data : NULL);
	text_free(&known);
}

/* `which`: the curve's place in the result. */
static void add_row(struct csv_row *row, size_t which, const struct fathom_curve *curve,
		    const struct fathom_point *point)
{
	row->first = true;
	csv_text(row, "experiment", experiment_name(curve->experiment));
	if (csv_field(row, "cpu") && curve->cpu >= 0)
		text_add(row->text, "%d", curve->cpu);
	add_spec(row, &point->spec);
	csv_known(row, "nodes", point->nodes);
	csv_known(row, "lines_touched", point->lines_touched);
	csv_known(row, "page_bytes", point->page_bytes);
	csv_number(row, "page_share", point->page_bytes ? point->page_share : NAN);
	csv_number(row, "latency_ns", point->latency_ns);
	csv_number(row, "latency_low_ns", point->latency_low_ns);
	csv_number(row, "latency_high_ns", point->latency_high_ns);
	csv_number(row, "latency_cycles", point->latency_cycles);
	csv_number(row, "latency_low_cycles", point->latency_low_cycles);
	csv_number(row, "latency_high_cycles", point->latency_high_cycles);
	add_per_access(row, point);
	csv_number(row, "clock_hz", point->clock_hz);
	csv_number(row, "overhead_ns", point->overhead_ns);
	csv_whole(row, "blocks", point->block_count);
	csv_whole(row, "placements", point->placements);
	csv_whole(row, "samples", point->sample_count);
	csv_known(row, "accesses", point->accesses);
	add_rejected(row, point);
	bool wanted = point->target > 0;
	csv_number(row, "target", wanted ? point->target : NAN);
	csv_text(row, "within_target", !wanted ? NULL : point->within_target ? "true" : "false");
	csv_text(row, "over_first", curve->over_first ? "true" : "false");
	csv_whole(row, "curve", which);
	csv_text(row, "axis", axis_name(curve->axis));
	add_lanes(row, point);
	add_bandwidth(row, point);
	add_counts(row, point);
	csv_number(row, "placement_spread_ns", point->placement_spread_ns);
	csv_number(row, "noise_spread_ns", point->noise_spread_ns);
	bool known = point->estimator != FATHOM_ESTIMATOR_UNKNOWN;
	csv_text(row, "estimator", known ? estimator_name((int)point->estimator) : NULL);
	csv_number(row, "latency_mean_ns", known ? point->latency_mean_ns : NAN);
	csv_number(row, "ns_per_access_mean", known ? point->ns_per_access_mean : NAN);
	csv_number(row, "disturbed_share", known ? point->disturbed_share : NAN);
	csv_quoted(row, "tool", curve->tool);
	text_add(row->text, "\r\n");
}

static void add_law(struct csv_row *row, const struct fathom_clock_law *law)
{
	row->first = true;
	csv_quoted(row, "level", law->level);
	csv_whole(row, "from_bytes", law->from_bytes);
	csv_whole(row, "to_bytes", law->to_bytes);
	csv_whole(row, "sizes", law->size_count);
	csv_number(row, "core_cycles", law->core_cycles);
	csv_number(row, "core_low_cycles", law->core_low_cycles);
	csv_number(row, "core_high_cycles", law->core_high_cycles);
	csv_number(row, "core_ns", law->core_ns);
	csv_number(row, "core_low_ns", law->core_low_ns);
	csv_number(row, "core_high_ns", law->core_high_ns);
	csv_number(row, "outside_ns", law->outside_ns);
	csv_number(row, "outside_low_ns", law->outside_low_ns);
	csv_number(row, "outside_high_ns", law->outside_high_ns);
	csv_number(row, "slow_ns", law->slow_ns);
	csv_number(row, "fast_ns", law->fast_ns);
	csv_number(row, "speedup", law->speedup);
	csv_number(row, "speedup_low", law->speedup_low);
	csv_number(row, "speedup_high", law->speedup_high);
	text_add(row->text, "\r\n");
}

/* Of runs at several clocks the laws are the answer; JSON holds the points too. */
static void add_laws(struct csv_row *row, const struct fathom_result *result)
{
	static const struct fathom_clock_law none;
	add_law(row, &none);
	row->header = false;
	for (size_t i = 0; i < result->clock_law_count; i++)
		add_law(row, &result->clock_laws[i]);
}

int csv_write_result(const struct fathom_result *result, const struct fathom_style *style,
		     struct text *text, struct fathom_error *error)
{
	(void)style;
	struct csv_row row = {.text = text, .header = true};
	static const struct fathom_curve no_curve;
	static const struct fathom_point no_point;
	if (result->clock_count) {
		add_laws(&row, result);
		return text->failed ? error_no_memory(error) : 0;
	}
	add_row(&row, 0, &no_curve, &no_point);
	row.header = false;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t j = 0; j < result->curves[i].point_count; j++)
			add_row(&row, i, &result->curves[i], &result->curves[i].points[j]);
	return text->failed ? error_no_memory(error) : 0;
}
