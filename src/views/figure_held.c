/* Which curves of a result belong in which figure. */
#include <math.h>

#include "base/patterns.h"
#include "document/core_groups.h"
#include "model/plateau.h"
#include "views/figure.h"

#define LATENCY "latency (ns)", "latency (cycles)"
#define TIME    "time per access (ns)", "time per access (cycles)"
#define LANES   "chains at once (lanes)"

const struct figure_traits figure_traits[FIGURE_KIND_COUNT] = {
	[FIGURE_LATENCY] = {"latency", "Latency against size", "size", LATENCY, .x_is_bytes = true},
	[FIGURE_THROUGHPUT] = {"throughput", "Accesses one after the other, against size", "size",
			       "throughput (million accesses/s)", .x_is_bytes = true},
	[FIGURE_SPEEDUP] = {"speedup", "Speed-up by lanes", LANES,
			    "speed-up over one lane (cut off at the number of lanes)",
			    .x_is_lanes = true, .y_is_gain = true},
	[FIGURE_PARALLELISM] = {"parallelism", "Time per access by lanes", LANES, TIME,
				.x_is_lanes = true},
	[FIGURE_LINES] = {"lines", "Bandwidth of the lines touched, by lanes", LANES,
			  "lines touched (GB/s)", .x_is_lanes = true},
	[FIGURE_BANDWIDTH] = {"bandwidth", "Bandwidth by size", "size of each thread's memory",
			      "bandwidth (GB/s)", .x_is_bytes = true},
	[FIGURE_PAGES] = {"pages", "One line per page against as many lines packed",
			  "pages visited", LATENCY},
	[FIGURE_PATTERNS] = {"patterns", "What an access costs in each order", "size", TIME,
			     .x_is_bytes = true},
	[FIGURE_DECAY] = {"decay", "Lap after lap since the memory was cold",
			  "laps since the memory became cold", TIME},
	[FIGURE_SETTLING] = {"settling", "Filled caches, and settled ones", "size", LATENCY,
			     .x_is_bytes = true},
	[FIGURE_CORES] = {"cores", "From CPU to CPU", "CPU", "latency one way (ns)",
			  .matrix = {"CPU", "CPU", "CPUs",
				     "Rows and columns are CPUs in the order of the groups", "ns"}},
	[FIGURE_NODES] = {"nodes", "Latency of the memory of NUMA nodes", "memory of node",
			  "latency (ns)",
			  .matrix = {"CPUs of node", "memory of node", "nodes",
				     "A row is the CPUs of one node, a column the memory of one",
				     "ns"}},
	[FIGURE_CONTENTION] = {"contention", "Words that threads share", "threads",
			       "time per operation (ns)"},
	[FIGURE_LOADED] = {"loaded", "Latency under load", "bandwidth of all traffic (GB/s)",
			   "latency (ns)", .x_is_rate = true},
	[FIGURE_DISTRIBUTION] = {"distribution", "Single accesses that take longer", "latency (ns)",
				 "share of the accesses that take longer"},
	[FIGURE_TAIL] = {"tail", "Single accesses over time", "time (s)", "latency (ns)",
			 .x_is_rate = true},
	[FIGURE_SLICES] = {"slices", "How many accesses take how long, over time", "time (ms)",
			   "share of the accesses (%)",
			   .matrix = {"latency (ns) from", "time (ms) from", "steps",
				      "Rows are latencies from so many ns on, columns times from "
				      "so many ms on",
				      "%"}},
	[FIGURE_PREDICTIONS] = {"predictions", "What an operation costs, predicted", "keys",
				"time per operation (ns)"},
	[FIGURE_COMPARISON] = {"comparison", "What a faster clock brings, by size", "size",
			       "speed-up over the slowest clock", .x_is_bytes = true,
			       .y_is_gain = true},
};

const char *figure_name(int kind)
{
	return kind >= 0 && kind < FIGURE_KIND_COUNT ? figure_traits[kind].name : NULL;
}

static bool is_latency(const struct fathom_curve *curve)
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	return curve->axis == FATHOM_AXIS_SIZE && !spec_overlaps(spec);
}

/* Beside the sweep there may be curves that other experiments needed. */
static bool has_sweep(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count > 1 && is_latency(&result->curves[i]) &&
		    result->curves[i].experiment == FATHOM_LATENCY)
			return true;
	return false;
}

bool figure_is_aside(const struct fathom_result *result, size_t which)
{
	const struct fathom_curve *curve = &result->curves[which];
	for (size_t i = 0; curve->axis == FATHOM_AXIS_LANES && i < which; i++)
		if (result->curves[i].axis == FATHOM_AXIS_LANES && result->curves[i].point_count &&
		    result->curves[i].points[0].spec.size_bytes == curve->points[0].spec.size_bytes)
			return true;
	enum pattern_sweep sweep = pattern_traits(curve->points[0].spec.pattern)->sweep;
	return sweep == PATTERN_SWEPT_CONTROL || sweep == PATTERN_SWEPT_ORDER;
}

static bool is_stream(const struct fathom_curve *curve)
{
	return curve->point_count > 1 && curve->axis == FATHOM_AXIS_SIZE &&
	       pattern_streams((int)curve->points[0].spec.pattern);
}

/* Of a study of bandwidth only its fewest threads are shown: more curves would need the same
 * colours. What others read for themselves stands there only where that is all. */
static bool is_shown_stream(const struct fathom_result *result, const struct fathom_curve *curve,
			    uint32_t threads)
{
	uint32_t fewest = 0;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *own = &result->curves[i];
		if (!is_stream(own) || own->experiment != FATHOM_BANDWIDTH)
			continue;
		if (!fewest || own->points[0].spec.threads < fewest)
			fewest = own->points[0].spec.threads;
	}
	threads = threads ? threads : fewest ? fewest : FIGURE_ALL_THREADS;
	return (!fewest || curve->experiment == FATHOM_BANDWIDTH) &&
	       (threads == FIGURE_ALL_THREADS || curve->points[0].spec.threads == threads);
}

static bool takes(const struct fathom_result *result, const struct fathom_curve *curve,
		  enum figure_kind kind, uint32_t threads)
{
	if (curve->point_count < 2)
		return false;
	enum fathom_pattern pattern = curve->points[0].spec.pattern;
	bool alone = curve->experiment != FATHOM_SETTLING && !has_sweep(result);
	bool latency = is_latency(curve) && (curve->experiment == FATHOM_LATENCY || alone);
	switch (kind) {
	case FIGURE_LATENCY:
		return latency;
	case FIGURE_THROUGHPUT:
		return (latency && pattern != FATHOM_WINDOW && !curve->relative_to_l1) ||
		       (curve->axis == FATHOM_AXIS_SIZE &&
			(pattern == FATHOM_READ || pattern == FATHOM_LINEAR_SUM));
	case FIGURE_SPEEDUP:
	case FIGURE_PARALLELISM:
		return curve->axis == FATHOM_AXIS_LANES;
	case FIGURE_LINES: /* in L1 none moves */
		return curve->axis == FATHOM_AXIS_LANES && curve->point_count &&
		       !plateau_is_in_first_cache(result, curve->points[0].spec.size_bytes);
	case FIGURE_BANDWIDTH:
		return is_stream(curve) && is_shown_stream(result, curve, threads);
	case FIGURE_PAGES:
		return curve->axis == FATHOM_AXIS_PAGES;
	case FIGURE_PATTERNS:
		return curve->axis == FATHOM_AXIS_SIZE && curve->experiment == FATHOM_PATTERNS;
	case FIGURE_SETTLING:
		return curve->experiment == FATHOM_SETTLING;
	case FIGURE_DECAY:
		return curve->axis == FATHOM_AXIS_LAP;
	default:
		return false;
	}
}

size_t figure_find_threads(const struct fathom_result *result, enum figure_kind kind,
			   uint32_t threads, size_t curves[static FIGURE_MOST_CURVES])
{
	size_t count = 0;
	for (int aside = 0; aside < 2; aside++)
		for (size_t i = 0; i < result->curve_count && count < FIGURE_MOST_CURVES; i++)
			if (takes(result, &result->curves[i], kind, threads) &&
			    figure_is_aside(result, i) == aside)
				curves[count++] = i;
	return count;
}

size_t figure_find_curves(const struct fathom_result *result, enum figure_kind kind,
			  size_t curves[static FIGURE_MOST_CURVES])
{
	return figure_find_threads(result, kind, 0, curves);
}

static bool holds_nodes(const struct fathom_result *result)
{
	size_t known = 0;
	for (size_t i = 0; i < result->node_count; i++)
		known += isfinite(result->nodes[i].latency_ns);
	return known > 1;
}

/* Two threads alone are no curve. */
static bool holds_contention(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->contention_count; i++)
		if (result->contention[i].threads > 2)
			return true;
	return false;
}

bool figure_is_held(const struct fathom_result *result, enum figure_kind kind)
{
	if (kind == FIGURE_THROUGHPUT) /* reading in order alone is bandwidth */
		return figure_is_held(result, FIGURE_LATENCY);
	if (kind == FIGURE_COMPARISON)
		return result->clock_law_count > 0;
	if (kind == FIGURE_CORES)
		return core_groups_any(result);
	if (kind == FIGURE_NODES)
		return holds_nodes(result);
	if (kind == FIGURE_CONTENTION)
		return holds_contention(result);
	if (kind == FIGURE_LOADED)
		return result->load_law_count > 0;
	if (kind == FIGURE_DISTRIBUTION)
		return result->distribution_count > 0;
	if (kind == FIGURE_TAIL || kind == FIGURE_SLICES)
		return distribution_sliced(result) != NULL;
	if (kind == FIGURE_PREDICTIONS)
		return figure_has_predictions(result);
	if (kind == FIGURE_PATTERNS && figure_is_of_orders(result))
		return true;
	size_t curves[FIGURE_MOST_CURVES];
	return figure_find_curves(result, kind, curves) > 0;
}

static bool all_hold(const struct fathom_run *runs, size_t count, enum figure_kind kind)
{
	for (size_t i = 0; i < count; i++)
		if (!figure_is_held(runs[i].result, kind))
			return false;
	return count > 0;
}

/* What patterns cost is a latency of some of them alone. */
static bool is_of_patterns(const struct fathom_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (has_sweep(runs[i].result))
			return false;
	return count == 1 && all_hold(runs, count, FIGURE_PATTERNS);
}

enum figure_kind figure_choose(const struct fathom_run *runs, size_t count)
{
	if (is_of_patterns(runs, count))
		return FIGURE_PATTERNS;
	for (int kind = 0; kind < FIGURE_COMPARISON; kind++)
		if (all_hold(runs, count, (enum figure_kind)kind))
			return (enum figure_kind)kind;
	return FIGURE_KIND_COUNT;
}
