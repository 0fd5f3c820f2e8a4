/* What was measured: curves, their points, and how each point was asked for. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/patterns.h"
#include "document/json_read.h"
#include "document/read_curve.h"
#include "document/table.h"

/* ---- when there is what ------------------------------------------------------------------ */

/* A chain of ours, which was made from the seed. */
WHEN(is_own, spec, it->link != FATHOM_LINK_UNKNOWN)
WHEN(has_vectors, spec, pattern_streams(it->pattern))
WHEN(has_store, spec, it->lane_store != FATHOM_STORE_UNKNOWN)
WHEN(has_pages, point, it->page_bytes)
WHEN(overlaps, point, spec_overlaps(&it->spec))
WHEN(is_along_lanes, point, it->spec.axis == FATHOM_AXIS_LANES)
WHEN(streams, point, pattern_streams(it->spec.pattern))
WHEN(has_target, point, it->target > 0)
WHEN(has_estimator, point, it->estimator != FATHOM_ESTIMATOR_UNKNOWN)
WHEN(has_latency_mean, point, has_estimator(it, parent) && !overlaps(it, parent))
WHEN(has_access_mean, point, has_estimator(it, parent) && overlaps(it, parent))
WHEN(is_indexed, point, pattern_traits(it->spec.pattern)->kernel == KERNEL_INDEX_ARRAY)
WHEN(has_placements, point, isfinite(it->noise_spread_ns))
WHEN(has_loop, curve, it->pair_count &&isfinite(it->loop_ns))
WHEN(has_traffic, curve, it->traffic != FATHOM_TRAFFIC_UNKNOWN)
WHEN(has_chain, curve,
     it->traffic != FATHOM_TRAFFIC_UNKNOWN ||
	     (it->experiment == FATHOM_DISTRIBUTION && it->size_bytes))
WHEN(has_windows, curve, it->experiment == FATHOM_DISTRIBUTION && it->window_bytes)
WHEN(has_warmth, curve, it->experiment == FATHOM_DISTRIBUTION && it->size_bytes)
WHEN(has_axis, curve,
     it->experiment != FATHOM_CORE_TO_CORE && it->experiment != FATHOM_DISTRIBUTION)

/* ---- what goes with what ----------------------------------------------------------------- */

/* A number, or why there is none. */
static int check_count(const struct json_path *path, void *object)
{
	const struct fathom_count *count = object;
	if (isnan(count->per_access) == (count->state <= FATHOM_SCALED))
		return json_refuse(path, "per_access", "does not go with 'state'");
	return 0;
}

static int check_point(const struct json_path *path, void *object)
{
	const struct fathom_point *point = object;
	return point->spec.size_bytes ? 0 : json_refuse(path, "size_bytes", "is missing or 0");
}

static int check_curve(const struct json_path *path, void *object)
{
	struct fathom_curve *curve = object;
	const char *name, *what;
	if (curve->pair_count && curve->experiment != FATHOM_CORE_TO_CORE)
		return json_refuse(path, "pairs", "do not go with 'experiment'");
	if (curve->load_count && curve->experiment != FATHOM_LOADED)
		return json_refuse(path, "loads", "do not go with 'experiment'");
	if (curve->point_count &&
	    (curve->experiment == FATHOM_CORE_TO_CORE || curve->experiment == FATHOM_LOADED ||
	     curve->experiment == FATHOM_DISTRIBUTION))
		return json_refuse(path, "points", "do not go with 'experiment'");
	if (curve->access_count && curve->experiment != FATHOM_DISTRIBUTION)
		return json_refuse(path, "accesses", "do not go with 'experiment'");
	if (curve->access_count && (!curve->times_ns || !curve->latencies_ns))
		return json_refuse(path, "accesses", "lack 'times_ns' or 'latencies_ns'");
	for (size_t i = 0; i < curve->access_count; i++)
		if (!(curve->latencies_ns[i] > 0) || isinf(curve->latencies_ns[i]))
			return json_refuse(path, "latencies_ns", "are not all above 0");
	for (size_t i = 0; i < curve->point_count; i++) {
		curve->points[i].spec.axis = curve->axis;
		if (!curve_lanes_ascend(curve, i))
			return json_refuse(path, "points", "do not ascend by 'lanes'");
		if (i && curve->points[i].spec.size_bytes < curve->points[i - 1].spec.size_bytes)
			return json_refuse(path, "points", "do not ascend by 'size_bytes'");
		if (curve_find_wrong(curve, i, &name, &what)) {
			const struct json_path point = {.up = path, .name = "points", .index = i};
			return json_refuse(&point, name, "%s", what);
		}
	}
	return 0;
}

/* ---- the fields -------------------------------------------------------------------------- */

#define SPEC(member, type, unit, doc, ...) FIELD(spec, member, type, unit, doc, ##__VA_ARGS__)
#define NONE_ZERO                          .flags = FIELD_ZERO | FIELD_CSV_NONZERO

static const struct field spec_table_fields[] = {
	SPEC(pattern, NAME, NULL,
	     "order in which the nodes are visited; unknown: another tool measured the curve and "
	     "does not say, and what else it does not say of the chain is null",
	     NAMED(fathom_pattern_name, FATHOM_PATTERN_UNKNOWN), .column = 3),
	SPEC(warmth, NAME, NULL, "what the caches held before the measurement",
	     NAMED(warmth_name, FATHOM_WARMTH_UNKNOWN), .column = 4),
	SPEC(link, NAME, NULL, "how a node names the next one: a pointer or a 32-bit index",
	     NAMED(link_name, FATHOM_LINK_UNKNOWN), .column = 5),
	FIELD_AS("page_kind", spec, page, NAME, NULL,
		 "requested kind of page; page_bytes and page_share say what was obtained. 16k to "
		 "1m are multi-size THP, whose share is over all memory of that kind",
		 NAMED(page_name, FATHOM_PAGE_UNKNOWN), .column = 6),
	SPEC(size_bytes, BYTES, "bytes",
	     "size of the working set: nodes x node_bytes, for each thread. 0 in a plan: a size "
	     "inside each level that the preceding sweep finds",
	     .flags = FIELD_ZERO, .column = 7),
	SPEC(node_bytes, BYTES, "bytes", "distance between neighbouring nodes",
	     .range = RANGE_POSITIVE, .column = 8),
	SPEC(window_bytes, BYTES, "bytes",
	     "size of a window, which is visited completely before the next; 0: the pattern has no "
	     "windows",
	     NONE_ZERO, .column = 9),
	SPEC(stride_bytes, BYTES, "bytes",
	     "distance between consecutive accesses; 0: the pattern has no stride", NONE_ZERO,
	     .column = 10),
	SPEC(laps, COUNT, NULL,
	     "number of different random cycles, walked one after the other; 0: the pattern has no "
	     "laps",
	     NONE_ZERO, .column = 11),
	SPEC(lap, COUNT, NULL,
	     "number of the lap since the memory became cold, from 1; missing: the experiment does "
	     "not measure lap by lap",
	     .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT, .column = 12),
	SPEC(lanes, COUNT, NULL, "number of chains that are followed at once",
	     .range = RANGE_POSITIVE, .column = 13),
	FIELD_AS("lane_store_asked", spec, lane_store, NAME, NULL,
		 "requested storage for the cursors of the lanes (--lane-store); missing: "
		 "whichever is fastest",
		 NAMED(lane_store_name, FATHOM_STORE_UNKNOWN), .when = has_store,
		 .flags = FIELD_LEFT_OUT, .column = 64),
	SPEC(threads, COUNT, NULL, "number of threads, each with its own memory",
	     .range = RANGE_POSITIVE, .column = 14),
	SPEC(vector_bytes, COUNT, "bytes",
	     "size of each load or store of the bandwidth patterns, read to update; missing: any "
	     "other pattern",
	     .when = has_vectors, .flags = FIELD_ZERO | FIELD_CSV_NONZERO | FIELD_LEFT_OUT,
	     .column = 47),
	SPEC(seed, SEED, NULL,
	     "seed of the order of the nodes; a string, because many JSON readers lose digits of "
	     "64-bit numbers",
	     .when = is_own, .column = 15),
};
TABLE(spec_table, spec, "spec", "description of one point");

#define COUNT(member, type, unit, doc, ...) FIELD(count, member, type, unit, doc, ##__VA_ARGS__)

static const struct field count_table_fields[] = {
	COUNT(event, TEXT, NULL, "name of the event, as requested", .flags = FIELD_REQUIRED),
	COUNT(state, NAME, NULL, "whether the event was counted, and whether during all accesses",
	      NAMED(count_state_name, -1), .flags = FIELD_REQUIRED),
	COUNT(per_access, NUMBER, NULL, "number of events per access"),
	COUNT(running_share, NUMBER, "share",
	      "share of the accesses during which the counter was running", .range = RANGE_SHARE),
	COUNT(reason, TEXT, NULL, "why the event was not counted"),
	COUNT(hint, TEXT, NULL, "command that makes it countable"),
};
TABLE(count_table, count, "count", "count of one hardware event, in user space only",
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
	POINT(nodes, BYTES, NULL, "number of nodes in the chain", .range = RANGE_POSITIVE,
	      .column = 16),
	POINT(lines_touched, BYTES, NULL, "number of cache lines that the chain visits",
	      .range = RANGE_POSITIVE, .column = 17),
	POINT(page_bytes, BYTES, "bytes", "page size that the kernel provided",
	      .range = RANGE_POSITIVE, .column = 18),
	POINT(page_share, NUMBER, "share", "share of the memory that is on pages of page_bytes",
	      .when = has_pages, .range = RANGE_SHARE, .column = 19),
	NS(latency_ns, "latency of a dependent access: median over the blocks", .column = 20),
	NS(latency_low_ns, DOC_LOW, .column = 21),
	NS(latency_high_ns, DOC_HIGH, .column = 22),
	CYCLES(latency_cycles,
	       "latency_ns in cycles of clock_hz; null: clock.missing says why (in documents of "
	       "earlier versions a median of its own over the blocks)",
	       .column = 23),
	CYCLES(latency_low_cycles, DOC_LOW, .column = 24),
	CYCLES(latency_high_cycles, DOC_HIGH, .column = 25),
	NS(ns_per_access,
	   "time per access where accesses overlap: with several lanes, in index_array, "
	   "stride_loop and linear_sum (an access is a node), and in read to update (an access is "
	   "64 bytes). It takes the place of latency_ns, which is null then; missing where "
	   "accesses are dependent",
	   OVERLAPPING, .column = 26),
	NS(low_ns_per_access, DOC_LOW, .old = "ns_per_access_low", OVERLAPPING, .column = 27),
	NS(high_ns_per_access, DOC_HIGH, .old = "ns_per_access_high", OVERLAPPING, .column = 28),
	CYCLES(cycles_per_access, "the same in cycles of the core clock", OVERLAPPING,
	       .column = 29),
	CYCLES(low_cycles_per_access, DOC_LOW, .old = "cycles_per_access_low", OVERLAPPING,
	       .column = 30),
	CYCLES(high_cycles_per_access, DOC_HIGH, .old = "cycles_per_access_high", OVERLAPPING,
	       .column = 31),
	POINT(instructions_per_access, COUNT, NULL,
	      "instructions of the timed loop per access, without its counter and branch (2 in 64 "
	      "accesses); missing: the compiler chose them",
	      .range = RANGE_POSITIVE, .flags = FIELD_LEFT_OUT, .column = 32),
	NS(floor_ns,
	   "with several lanes: time per access when every access hits L1, which is what the loop "
	   "alone costs",
	   .when = is_along_lanes, .flags = FIELD_LEFT_OUT, .range = RANGE_POSITIVE, .column = 45),
	POINT(lane_store, NAME, NULL, "with several lanes: where the timed loop keeps its cursors",
	      NAMED(lane_store_name, FATHOM_STORE_UNKNOWN), .when = is_along_lanes,
	      .flags = FIELD_LEFT_OUT, .column = 46),
	RATE(bandwidth_bytes_per_second,
	     "bandwidth of all threads together, in bytes that the program requests (patterns read "
	     "to update)",
	     .column = 48),
	RATE(bandwidth_low_bytes_per_second, DOC_LOW, .old = "bandwidth_low", .column = 49),
	RATE(bandwidth_high_bytes_per_second, DOC_HIGH, .old = "bandwidth_high", .column = 50),
	RATE(bandwidth_best_bytes_per_second, "bandwidth of the fastest block",
	     .old = "bandwidth_best", .column = 51),
	RATE(bandwidth_slowest_thread_bytes_per_second,
	     "with several threads: bandwidth of the slowest thread over its own time",
	     .old = "bandwidth_slowest_thread", .column = 52),
	RATE(bandwidth_fastest_thread_bytes_per_second,
	     "with several threads: bandwidth of the fastest thread over its own time",
	     .old = "bandwidth_fastest_thread", .column = 53),
	RATE(traffic_bytes_per_second,
	     "memory traffic if every ordinary store fetches its line first; computed, not "
	     "measured, and too high where a cache already holds the lines",
	     .column = 54),
	POINT(clock_hz, NUMBER, "Hz", "core clock during the measurement", .range = RANGE_POSITIVE,
	      .column = 33),
	NS(overhead_ns, "time to compute an address, already subtracted (pattern independent)",
	   .column = 34),
	POINT(target, NUMBER, "share",
	      "requested half-width of the interval, as a share of the value", .when = has_target,
	      .range = RANGE_POSITIVE, .column = 40),
	POINT(within_target, BOOLEAN, NULL, "whether the interval meets the target",
	      .when = has_target, .column = 41),
	POINT(estimator, NAME, NULL,
	      "how batches make the value of a block: their mode, or the mean of the undisturbed "
	      "ones (docs/method.md)",
	      NAMED(estimator_name, FATHOM_ESTIMATOR_UNKNOWN), .when = has_estimator,
	      .flags = FIELD_LEFT_OUT, .column = 58),
	NS(latency_mean_ns,
	   "mean over all batches, disturbed ones included: what a program experiences",
	   .when = has_latency_mean, .flags = FIELD_LEFT_OUT, .column = 59),
	NS(mean_ns_per_access, "mean time per access over all batches, disturbed ones included",
	   .old = "ns_per_access_mean", .when = has_access_mean, .flags = FIELD_LEFT_OUT,
	   .column = 60),
	NS(least_mean_ns_per_access,
	   "index_array: the lowest mean of the first ten blocks, disturbed batches included, as "
	   "a simple benchmark states it; null: fewer than ten blocks",
	   .when = is_indexed, .flags = FIELD_LEFT_OUT, .range = RANGE_POSITIVE, .column = 63),
	POINT(disturbed_share, NUMBER, "share",
	      "share of the batches that were disturbed, of those without a program on the core's "
	      "other thread: with estimator mode those at least 1 % above the mode, with mean "
	      "those that were rejected",
	      .when = has_estimator, .flags = FIELD_LEFT_OUT, .range = RANGE_SHARE, .column = 61),
	POINT(blocks_ns, NUMBERS, "ns", "value of each block, in the order of measurement",
	      .count = offsetof(struct fathom_point, block_count)),
	FIELD_AS("blocks", point, block_count, SIZE, NULL, "number of values in blocks_ns",
		 .flags = FIELD_ZERO | FIELD_CSV_ONLY, .column = 35),
	POINT(placements, SIZE, NULL,
	      "number of placements in memory; blocks that share one are less independent",
	      .flags = FIELD_ZERO, .column = 36),
	NS(placement_spread_ns,
	   "standard deviation that the placement in memory causes, apart from noise; only if each "
	   "placement had the same number of blocks, at least two",
	   .when = has_placements, .flags = FIELD_LEFT_OUT, .range = RANGE_NOT_NEGATIVE,
	   .column = 56),
	NS(noise_spread_ns, "standard deviation between blocks on one placement",
	   .when = has_placements, .flags = FIELD_LEFT_OUT, .range = RANGE_NOT_NEGATIVE,
	   .column = 57),
	FIELD_AS("samples", point, sample_count, SIZE, NULL,
		 "number of accepted batches; of a block without one, of all of them",
		 .flags = FIELD_ZERO, .column = 37),
	POINT(accesses, BYTES, NULL, "number of accesses that the accepted batches timed",
	      .flags = FIELD_LEFT_OUT, .column = 38),
	POINT(samples_ns, NUMBERS, "ns", "time per access of each accepted batch (with --samples)",
	      .count = offsetof(struct fathom_point, sample_count),
	      .flags = FIELD_LEFT_OUT | FIELD_COUNTED, .text = "samples"),
	POINT(rejected, BY_NAME, NULL,
	      "number of batches that were discarded and repeated, by reason",
	      .name_of = rejection_name, .length = FATHOM_REJECTION_COUNT, .column = 39),
	POINT(watched, BYTES, NULL,
	      "number of batches during which fathom watched the core's other thread, including "
	      "those rejected for what ran there (sibling)",
	      .flags = FIELD_LEFT_OUT, .column = 68),
	LIST(point, counts, event_count, count_table,
	     "counts of hardware events, in user space only, if any were requested",
	     .flags = FIELD_LEFT_OUT, .column = 55),
};
TABLE(point_table, point, "point", "one measured value of a curve", .check = check_point);

WHEN(has_sibling, curve, it->sibling != FATHOM_SIBLING_ANY)
WHEN(has_node, curve, it->memory_node >= 0)

#define CURVE(member, type, unit, doc, ...) FIELD(curve, member, type, unit, doc, ##__VA_ARGS__)

static const struct field curve_table_fields[] = {
	CURVE(experiment, NAME, NULL, "experiment that the curve belongs to",
	      NAMED(experiment_name, FATHOM_LATENCY), .column = 1),
	CURVE(axis, NAME, NULL, "quantity along which the points ascend; missing: there are pairs",
	      NAMED(axis_name, FATHOM_AXIS_SIZE), .when = has_axis, .flags = FIELD_LEFT_OUT,
	      .column = 44),
	CURVE(cpu, INTEGER, NULL,
	      "CPU that most of the curve was measured on; null: not known, or several threads",
	      .unknown = -1, .column = 2),
	CURVE(memory_node, INTEGER, NULL,
	      "NUMA node that the memory was taken from; missing: that of the CPU", .unknown = -1,
	      .range = RANGE_NOT_NEGATIVE, .when = has_node, .flags = FIELD_LEFT_OUT | FIELD_LATER,
	      .column = 65),
	CURVE(node_share, NUMBER, "share",
	      "share of the pages of that memory that the kernel says are there; null: it does "
	      "not say",
	      .range = RANGE_SHARE, .when = has_node, .flags = FIELD_LEFT_OUT | FIELD_LATER,
	      .column = 66),
	CURVE(sibling, NAME, NULL,
	      "what the other threads of the core did: nothing of fathom's, compute, or stream "
	      "from memory; missing: they were left alone",
	      NAMED(sibling_name, FATHOM_SIBLING_ANY), .when = has_sibling,
	      .flags = FIELD_LEFT_OUT | FIELD_LATER, .column = 67),
	CURVE(tool, TEXT, NULL, "name of the tool that measured the curve, if it was not fathom",
	      .flags = FIELD_LATER, .column = 62),
	CURVE(relative_to_l1, BOOLEAN, NULL,
	      "whether the latencies are differences from the latency of the first level",
	      .old = "over_first", .flags = FIELD_LATER, .column = 42),
	LIST(curve, points, point_count, point_table, "points, ascending along the axis"),
	LIST(curve, pairs, pair_count, pair_table,
	     "experiment core_to_core, in place of points: pairs of CPUs", .flags = FIELD_LEFT_OUT),
	LIST(curve, loads, load_count, load_table,
	     "experiment loaded, in place of points: latency under traffic",
	     .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(traffic, NAME, NULL,
	      "experiment loaded: what the other CPUs do to memory: reads; read and change a third "
	      "or all of what they read (3:1 and 1:1 in reads to writes of memory); or "
	      "non-temporal writes",
	      NAMED(fathom_traffic_name, FATHOM_TRAFFIC_UNKNOWN), .when = has_traffic,
	      .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(warmth, NAME, NULL,
	      "experiment distribution: warm, each line flushed before it is read, or each access "
	      "the first "
	      "to its page",
	      NAMED(warmth_name, FATHOM_WARMTH_UNKNOWN), .when = has_warmth,
	      .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(page, NAME, NULL, "experiments loaded and distribution: kind of pages of the chain",
	      NAMED(page_name, FATHOM_PAGE_UNKNOWN), .when = has_chain,
	      .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(page_bytes, BYTES, "bytes",
	      "experiments loaded and distribution: page size of the chain, read back",
	      .when = has_chain, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	FIELD_AS("chain_bytes", curve, size_bytes, BYTES, "bytes",
		 "experiments loaded and distribution: size of the chain", .when = has_chain,
		 .flags = FIELD_LEFT_OUT | FIELD_LATER),
	FIELD_AS("chain_window_bytes", curve, window_bytes, BYTES, "bytes",
		 "experiment distribution: all lines of a stretch of that size are accessed before "
		 "those of the next; missing: in random order",
		 .when = has_windows, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(traffic_threads, COUNT, NULL,
	      "experiment loaded: number of threads that make traffic", .when = has_traffic,
	      .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(one_bytes_per_second, NUMBER, "bytes/s",
	      "experiment loaded: what the CPU of the chain reads alone, if it does nothing else",
	      .range = RANGE_POSITIVE, .when = has_traffic, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(all_bytes_per_second, NUMBER, "bytes/s",
	      "experiment loaded: what these threads and that of the chain read, if all of them do "
	      "as much as they can",
	      .range = RANGE_POSITIVE, .when = has_traffic, .flags = FIELD_LEFT_OUT | FIELD_LATER),
	FIELD_AS("accesses", curve, access_count, SIZE, NULL,
		 "experiment distribution, in place of points: number of accesses of which each is "
		 "known",
		 .flags = FIELD_LEFT_OUT | FIELD_LATER),
	CURVE(times_ns, NUMBERS, "ns", "when each access began; null: not known",
	      .flags = FIELD_LEFT_OUT | FIELD_COUNTED | FIELD_LATER, .text = "accesses"),
	CURVE(latencies_ns, NUMBERS, "ns", "what each access took", .range = RANGE_POSITIVE,
	      .flags = FIELD_LEFT_OUT | FIELD_COUNTED | FIELD_LATER, .text = "accesses"),
	CURVE(loop_ns, NUMBER, "ns",
	      "experiment core_to_core: the same exchange by one CPU alone, one way: what of the "
	      "latencies is the loop's own",
	      .range = RANGE_POSITIVE, .when = has_loop, .flags = FIELD_LEFT_OUT | FIELD_LATER),
};
TABLE(curve_table, curve, "curve", "points along one axis", .check = check_curve);

static const struct field curve_place_table_fields[] = {
	FIELD(curve_place, curve, SIZE, NULL, "index of the curve that the row belongs to",
	      .flags = FIELD_ZERO | FIELD_CSV_ONLY, .column = 43),
};
TABLE(curve_place_table, curve_place, "curve_place", "a row of CSV");
