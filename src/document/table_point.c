/* What was measured: curves, their points, and how each point was asked for. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "document/json_read.h"
#include "document/read_curve.h"
#include "document/table.h"

/* ---- when there is what ------------------------------------------------------------------ */

/* A chain of ours, which was made from the seed. */
static bool is_own(const void *spec, const void *parent)
{
	(void)parent;
	return ((const struct fathom_spec *)spec)->link != FATHOM_LINK_UNKNOWN;
}

static bool has_vectors(const void *spec, const void *parent)
{
	(void)parent;
	return fathom_pattern_streams(((const struct fathom_spec *)spec)->pattern);
}

static bool has_store(const void *spec, const void *parent)
{
	(void)parent;
	return ((const struct fathom_spec *)spec)->lane_store != FATHOM_STORE_UNKNOWN;
}

static bool has_pages(const void *point, const void *parent)
{
	(void)parent;
	return ((const struct fathom_point *)point)->page_bytes;
}

static bool overlaps(const void *point, const void *parent)
{
	(void)parent;
	return fathom_spec_overlaps(&((const struct fathom_point *)point)->spec);
}

static bool is_along_lanes(const void *point, const void *parent)
{
	(void)parent;
	return ((const struct fathom_point *)point)->spec.axis == FATHOM_AXIS_LANES;
}

static bool streams(const void *point, const void *parent)
{
	(void)parent;
	return fathom_pattern_streams(((const struct fathom_point *)point)->spec.pattern);
}

static bool has_target(const void *point, const void *parent)
{
	(void)parent;
	return ((const struct fathom_point *)point)->target > 0;
}

static bool has_estimator(const void *point, const void *parent)
{
	(void)parent;
	return ((const struct fathom_point *)point)->estimator != FATHOM_ESTIMATOR_UNKNOWN;
}

static bool has_latency_mean(const void *point, const void *parent)
{
	return has_estimator(point, parent) && !overlaps(point, parent);
}

static bool has_access_mean(const void *point, const void *parent)
{
	return has_estimator(point, parent) && overlaps(point, parent);
}

static bool has_placements(const void *point, const void *parent)
{
	(void)parent;
	return isfinite(((const struct fathom_point *)point)->noise_spread_ns);
}

/* ---- what goes with what ----------------------------------------------------------------- */

/* A number, or why there is none. */
static int check_count(const struct place *place, void *object)
{
	const struct fathom_count *count = object;
	if (isnan(count->per_access) == (count->state <= FATHOM_SCALED))
		return place_refuse(place, "per_access", "does not go with 'state'");
	return 0;
}

static int check_point(const struct place *place, void *object)
{
	const struct fathom_point *point = object;
	return point->spec.size_bytes ? 0
				      : place_refuse(place, "size_bytes", "is missing, or is 0");
}

static int check_curve(const struct place *place, void *object)
{
	struct fathom_curve *curve = object;
	const char *name, *what;
	for (size_t i = 0; i < curve->point_count; i++) {
		curve->points[i].spec.axis = curve->axis;
		if (!curve_lanes_ascend(curve, i))
			return place_refuse(place, "points", "do not ascend by 'lanes'");
		if (i && curve->points[i].spec.size_bytes < curve->points[i - 1].spec.size_bytes)
			return place_refuse(place, "points", "do not ascend by 'size_bytes'");
		if (curve_find_wrong(curve, i, &name, &what)) {
			const struct place point = {.up = place, .name = "points", .index = i};
			return place_refuse(&point, name, "%s", what);
		}
	}
	return 0;
}

/* ---- the fields -------------------------------------------------------------------------- */

#define SPEC(member, type, unit, doc, ...) FIELD(spec, member, type, unit, doc, ##__VA_ARGS__)
#define NAMED(list, otherwise)             .name_of = list, .unknown = otherwise
#define NONE_ZERO                          .flags = FIELD_ZERO | FIELD_CSV_NONZERO

static const struct field spec_table_fields[] = {
	SPEC(pattern, NAME, NULL,
	     "unknown: another tool measured it, and what it does not tell of its chain is null",
	     NAMED(fathom_pattern_name, FATHOM_PATTERN_UNKNOWN), .column = 3),
	SPEC(warmth, NAME, NULL, "what the caches held when it was measured",
	     NAMED(warmth_name, FATHOM_WARMTH_UNKNOWN), .column = 4),
	SPEC(link, NAME, NULL, "how a node holds the next one",
	     NAMED(link_name, FATHOM_LINK_UNKNOWN), .column = 5),
	FIELD_AS("page_kind", spec, page, NAME, NULL,
		 "asked for; what was obtained is page_bytes and page_share. 16k to 1m: multi-size "
		 "THP, whose share is that of all the memory of the kind",
		 NAMED(page_name, FATHOM_PAGE_UNKNOWN), .column = 6),
	SPEC(size_bytes, BYTES, "bytes",
	     "span of the chain; of each thread. 0 in a plan: inside each level that the specs "
	     "before it show",
	     .flags = FIELD_ZERO, .column = 7),
	SPEC(node_bytes, BYTES, "bytes", "spacing of the nodes", .range = RANGE_POSITIVE,
	     .column = 8),
	SPEC(window_bytes, BYTES, "bytes", "0: the pattern has none", NONE_ZERO, .column = 9),
	SPEC(stride_bytes, BYTES, "bytes", "0: the pattern has none", NONE_ZERO, .column = 10),
	SPEC(laps, COUNT, NULL, "0: the pattern has none", NONE_ZERO, .column = 11),
	SPEC(lap, COUNT, NULL,
	     "since the memory became cold, from 1; missing: the experiment has none",
	     .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT, .column = 12),
	SPEC(lanes, COUNT, NULL, "chains that are walked at once", .range = RANGE_POSITIVE,
	     .column = 13),
	FIELD_AS("lane_store_asked", spec, lane_store, NAME, NULL,
		 "along the lanes: where the cursors were told to live (--lane-store); missing: "
		 "wherever it is fastest",
		 NAMED(lane_store_name, FATHOM_STORE_UNKNOWN), .when = has_store,
		 .flags = FIELD_LEFT_OUT),
	SPEC(threads, COUNT, NULL, "each in memory of its own", .range = RANGE_POSITIVE,
	     .column = 14),
	SPEC(vector_bytes, COUNT, "bytes",
	     "of a load or store of read to update; missing: another pattern", .when = has_vectors,
	     .flags = FIELD_ZERO | FIELD_CSV_NONZERO | FIELD_LEFT_OUT, .column = 47),
	SPEC(seed, SEED, NULL, "64 bits, too many for some readers' numbers", .when = is_own,
	     .column = 15),
};
TABLE(spec_table, spec, "spec", "one point to measure");

#define COUNT(member, type, unit, doc, ...) FIELD(count, member, type, unit, doc, ##__VA_ARGS__)

static const struct field count_table_fields[] = {
	COUNT(event, TEXT, NULL, "as it was asked for", .flags = FIELD_REQUIRED),
	COUNT(state, NAME, NULL, "whether it was counted, and all the time",
	      NAMED(count_state_name, -1), .flags = FIELD_REQUIRED),
	COUNT(per_access, NUMBER, NULL, "of the event, an access"),
	COUNT(running_share, NUMBER, "share", "of the accesses, during which it was counted",
	      .range = RANGE_SHARE),
	COUNT(reason, TEXT, NULL, "why it was not measured"),
	COUNT(hint, TEXT, NULL, "the command that lifts that"),
};
TABLE(count_table, count, "count", "what a hardware counter said, in user space only",
      .check = check_count);

#define POINT(member, type, unit, doc, ...) FIELD(point, member, type, unit, doc, ##__VA_ARGS__)
#define NS(member, doc, ...)                POINT(member, NUMBER, "ns", doc, ##__VA_ARGS__)
#define CYCLES(member, doc, ...)            POINT(member, NUMBER, "cycles", doc, ##__VA_ARGS__)
#define OVERLAPPING                         .when = overlaps, .flags = FIELD_LEFT_OUT
/* A rate of FATHOM_READ to FATHOM_UPDATE. */
#define RATE(member, doc, ...)                                                                     \
	POINT(member, NUMBER, "bytes/s", doc, .when = streams, .flags = FIELD_LEFT_OUT,            \
	      .range = RANGE_POSITIVE, ##__VA_ARGS__)

static const struct field point_table_fields[] = {
	MEMBERS(point, spec, spec_table, .column = 1),
	POINT(nodes, BYTES, NULL, "of the chain", .range = RANGE_POSITIVE, .column = 16),
	POINT(lines_touched, BYTES, NULL, "cache lines that it visits", .range = RANGE_POSITIVE,
	      .column = 17),
	POINT(page_bytes, BYTES, "bytes", "obtained, read back", .range = RANGE_POSITIVE,
	      .column = 18),
	POINT(page_share, NUMBER, "share", "of the memory, that has pages of page_bytes",
	      .when = has_pages, .range = RANGE_SHARE, .column = 19),
	NS(latency_ns, "one dependent hop; low and high are 95 % bounds", .column = 20),
	NS(latency_low_ns, DOC_LOW, .column = 21),
	NS(latency_high_ns, DOC_HIGH, .column = 22),
	CYCLES(latency_cycles,
	       "latency_ns at clock_hz, within rounding (an older document may have a median of "
	       "its own over the blocks); null: see clock.missing",
	       .column = 23),
	CYCLES(latency_low_cycles, DOC_LOW, .column = 24),
	CYCLES(latency_high_cycles, DOC_HIGH, .column = 25),
	NS(ns_per_access,
	   "where accesses overlap (several lanes; index_array, stride_loop, linear_sum, whose "
	   "access is a node; read to update, whose access is 64 bytes): missing of a dependent "
	   "hop, and latency_ns is null where it is there",
	   OVERLAPPING, .column = 26),
	NS(low_ns_per_access, DOC_LOW, .old = "ns_per_access_low", OVERLAPPING, .column = 27),
	NS(high_ns_per_access, DOC_HIGH, .old = "ns_per_access_high", OVERLAPPING, .column = 28),
	CYCLES(cycles_per_access, "the same, by the core clock", OVERLAPPING, .column = 29),
	CYCLES(low_cycles_per_access, DOC_LOW, .old = "cycles_per_access_low", OVERLAPPING,
	       .column = 30),
	CYCLES(high_cycles_per_access, DOC_HIGH, .old = "cycles_per_access_high", OVERLAPPING,
	       .column = 31),
	POINT(instructions_per_access, COUNT, NULL,
	      "of the timed loop, its own count and branch left out (2 in 64 hops); missing: the "
	      "compiler's choice",
	      .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT, .column = 32),
	NS(floor_ns,
	   "along the lanes: an access where all hit the first cache, which is what the loop alone "
	   "takes",
	   .when = is_along_lanes, .flags = FIELD_LEFT_OUT, .range = RANGE_POSITIVE, .column = 45),
	POINT(lane_store, NAME, NULL, "along the lanes: where the cursors of the loop live",
	      NAMED(lane_store_name, FATHOM_STORE_UNKNOWN), .when = is_along_lanes,
	      .flags = FIELD_LEFT_OUT, .column = 46),
	RATE(bandwidth_bytes_per_second,
	     "of read to update: what the program asked for, all threads together; low and high "
	     "are 95 % bounds",
	     .column = 48),
	RATE(bandwidth_low_bytes_per_second, DOC_LOW, .old = "bandwidth_low", .column = 49),
	RATE(bandwidth_high_bytes_per_second, DOC_HIGH, .old = "bandwidth_high", .column = 50),
	RATE(bandwidth_best, "of a block", .column = 51),
	RATE(bandwidth_slowest_thread,
	     "of several threads: what the slowest of them reaches in the time that it takes "
	     "itself",
	     .column = 52),
	RATE(bandwidth_fastest_thread, "the same of the fastest", .column = 53),
	RATE(traffic_bytes_per_second,
	     "computed, not measured: what would be moved if every line that is stored with an "
	     "ordinary store is fetched first; where a cache has the lines there is no such "
	     "traffic",
	     .column = 54),
	POINT(clock_hz, NUMBER, "Hz", "of the core, meanwhile", .range = RANGE_POSITIVE,
	      .column = 33),
	NS(overhead_ns, "of making addresses, already subtracted (pattern independent)",
	   .column = 34),
	POINT(target, NUMBER, "share", "wanted half-width, as a share", .when = has_target,
	      .range = RANGE_POSITIVE, .column = 40),
	POINT(within_target, BOOLEAN, NULL, "the half-width is no larger", .when = has_target,
	      .column = 41),
	POINT(estimator, NAME, NULL,
	      "what the value of a block is: where its batches lie densest, or the mean of its "
	      "clean batches (docs/method.md)",
	      NAMED(estimator_name, FATHOM_ESTIMATOR_UNKNOWN), .when = has_estimator,
	      .flags = FIELD_LEFT_OUT, .column = 58),
	NS(latency_mean_ns, "over all batches, disturbed ones too: what a program would feel",
	   .when = has_latency_mean, .flags = FIELD_LEFT_OUT, .range = RANGE_POSITIVE,
	   .column = 59),
	NS(ns_per_access_mean, "the same where accesses overlap", .when = has_access_mean,
	   .flags = FIELD_LEFT_OUT, .range = RANGE_POSITIVE, .column = 60),
	POINT(disturbed_share, NUMBER, "share",
	      "of the batches: those 1 % over the mode or more, of a mean those that were rejected",
	      .when = has_estimator, .flags = FIELD_LEFT_OUT, .range = RANGE_SHARE, .column = 61),
	POINT(blocks_ns, NUMBERS, "ns", "a value a block, in the order measured",
	      .count = offsetof(struct fathom_point, block_count)),
	FIELD_AS("blocks", point, block_count, SIZE, NULL, "how many values blocks_ns has",
		 .flags = FIELD_ZERO | FIELD_CSV_ONLY, .column = 35),
	POINT(placements, SIZE, NULL,
	      "in memory that the blocks had; where there are fewer than blocks, these are less "
	      "independent",
	      .flags = FIELD_ZERO, .column = 36),
	NS(placement_spread_ns,
	   "standard deviation of what the place in memory makes, apart from noise; only where "
	   "each "
	   "placement had as many blocks, two or more",
	   .when = has_placements, .flags = FIELD_LEFT_OUT, .range = RANGE_NOT_NEGATIVE,
	   .column = 56),
	NS(noise_spread_ns, "standard deviation of the blocks on one placement",
	   .when = has_placements, .flags = FIELD_LEFT_OUT, .range = RANGE_NOT_NEGATIVE,
	   .column = 57),
	FIELD_AS("samples", point, sample_count, SIZE, NULL, "accepted", .flags = FIELD_ZERO,
		 .column = 37),
	POINT(accesses, BYTES, NULL, "that the accepted samples timed in all; missing: not known",
	      .flags = FIELD_LEFT_OUT, .column = 38),
	POINT(samples_ns, NUMBERS, "ns", "with --samples: every accepted one",
	      .count = offsetof(struct fathom_point, sample_count),
	      .flags = FIELD_LEFT_OUT | FIELD_COUNTED, .text = "samples"),
	POINT(rejected, BY_NAME, NULL, "samples that were thrown away and repeated, by reason",
	      .name_of = fathom_rejection_name, .length = FATHOM_REJECTION_COUNT, .column = 39),
	LIST(point, counts, event_count, count_table,
	     "of hardware counters, in user space only; there where some were asked for",
	     .flags = FIELD_LEFT_OUT, .column = 55),
};
TABLE(point_table, point, "point", "one value of a curve, and how it was measured",
      .check = check_point);

#define CURVE(member, type, unit, doc, ...) FIELD(curve, member, type, unit, doc, ##__VA_ARGS__)

static const struct field curve_table_fields[] = {
	CURVE(experiment, NAME, NULL, "what it was measured for",
	      NAMED(experiment_name, FATHOM_LATENCY), .column = 1),
	CURVE(axis, NAME, NULL, "along which the points ascend", NAMED(axis_name, FATHOM_AXIS_SIZE),
	      .column = 44),
	CURVE(cpu, INTEGER, NULL, "that most of it was measured on; null: not known, or several",
	      .unknown = -1, .column = 2),
	CURVE(tool, TEXT, NULL, "whose numbers these are, where they are not fathom's own",
	      .flags = FIELD_LATER, .column = 62),
	CURVE(relative_to_l1, BOOLEAN, NULL,
	      "the latencies are what is added to that of the first level", .old = "over_first",
	      .flags = FIELD_LATER, .column = 42),
	LIST(curve, points, point_count, point_table, "ascending"),
};
TABLE(curve_table, curve, "curve", "points along one axis", .check = check_curve);

static const struct field curve_place_table_fields[] = {
	FIELD(curve_place, curve, SIZE, NULL, "the place of the row's curve, from 0",
	      .flags = FIELD_ZERO | FIELD_CSV_ONLY, .column = 43),
};
TABLE(curve_place_table, curve_place, "curve_place", "a row of CSV");
