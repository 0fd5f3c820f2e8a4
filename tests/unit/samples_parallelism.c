/* The document of samples.h that has curves along the lanes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "samples.h"

#define KIB    1024.0
#define MIB    (1024 * KIB)
#define LANES  32
#define BLOCKS 6
#define LINE   64
#define SPREAD 0.005

static void *must(void *pointer)
{
	if (!pointer)
		abort();
	return pointer;
}

static char *copy(const char *text)
{
	return must(strdup(text));
}

/* A curve along the lanes, and what is said of it. */
struct row {
	const char *level;
	double size_bytes;
	enum fathom_page page;
	double latency_ns, overlap, knee_lanes, floor_ns;
	bool saturated;
	enum fathom_limit limit;
	const char *evidence;
	double read, all; /* GB/s, NAN: not measured in such pages */
};

static const struct row rows[] = {
	{"L1", 16 * KIB, FATHOM_PAGE_THP, 1.36, 8.4, 9, 0.16, true, FATHOM_LIMIT_LOOP,
	 "an access takes 0.162 ns, and 0.16 ns when all of them hit L1", 212, 419},
	{"L1", 16 * KIB, FATHOM_PAGE_4K, 1.36, 8.4, 9, 0.16, true, FATHOM_LIMIT_LOOP,
	 "an access takes 0.162 ns, and 0.16 ns when all of them hit L1", NAN, NAN},
	{"L2", 512 * KIB, FATHOM_PAGE_THP, 4.46, 13.7, 14, 0.16, true, FATHOM_LIMIT_BUFFERS,
	 "more lanes gain nothing, and no other limit explains that", 96.4, 190},
	{"L2", 512 * KIB, FATHOM_PAGE_4K, 5.2, 11, 10, 0.16, true, FATHOM_LIMIT_WALKERS,
	 "on 2 MiB pages an access takes 0.326 ns instead of 0.473 ns, and a core does few page "
	 "walks at once",
	 NAN, NAN},
	{"memory", 1024 * MIB, FATHOM_PAGE_THP, 265, 15.2, 15, 0.16, true, FATHOM_LIMIT_BUFFERS,
	 "more lanes gain nothing, and no other limit explains that", 12.1, 20.6},
	{"memory", 1024 * MIB, FATHOM_PAGE_4K, 331, 30.7, 28, 0.16, false, FATHOM_LIMIT_LANES,
	 "at 32 more still gain", NAN, NAN},
};
#define ROWS (sizeof(rows) / sizeof(*rows))

static struct fathom_curve *add_curve(struct fathom_result *result, enum fathom_axis axis,
				      size_t count)
{
	result->curves =
		must(realloc(result->curves, (result->curve_count + 1) * sizeof(*result->curves)));
	struct fathom_curve *curve = &result->curves[result->curve_count++];
	*curve = (struct fathom_curve){.memory_node = -1,
				       .experiment = FATHOM_PARALLELISM,
				       .axis = axis,
				       .cpu = 1,
				       .point_count = count};
	curve->points = must(calloc(count, sizeof(*curve->points)));
	return curve;
}

static struct fathom_point sample_point(double size_bytes, enum fathom_page page, double ns)
{
	struct fathom_point point = {
		.spec = {.size_bytes = (uint64_t)size_bytes,
			 .node_bytes = LINE,
			 .seed = 7,
			 .lanes = 1,
			 .threads = 1,
			 .page = page},
		.nodes = (uint64_t)size_bytes / LINE,
		.lines_touched = (uint64_t)size_bytes / LINE,
		.page_bytes = page == FATHOM_PAGE_4K ? 4096 : 2 << 20,
		.page_share = 1,
		.latency_ns = NAN,
		.latency_low_ns = NAN,
		.latency_high_ns = NAN,
		.latency_cycles = NAN,
		.latency_low_cycles = NAN,
		.latency_high_cycles = NAN,
		.ns_per_access = NAN,
		.low_ns_per_access = NAN,
		.high_ns_per_access = NAN,
		.cycles_per_access = NAN,
		.low_cycles_per_access = NAN,
		.high_cycles_per_access = NAN,
		.floor_ns = NAN,
		.bandwidth_bytes_per_second = NAN,
		.bandwidth_low_bytes_per_second = NAN,
		.bandwidth_high_bytes_per_second = NAN,
		.bandwidth_best_bytes_per_second = NAN,
		.bandwidth_slowest_thread_bytes_per_second = NAN,
		.bandwidth_fastest_thread_bytes_per_second = NAN,
		.traffic_bytes_per_second = NAN,
		.clock_hz = 3.65e9,
		.overhead_ns = NAN,
		.target = 0.01,
		.within_target = true,
		.blocks_ns = must(calloc(BLOCKS, sizeof(double))),
		.block_count = BLOCKS,
		.placements = BLOCKS,
		.sample_count = 12,
	};
	for (int block = 0; block < BLOCKS; block++)
		point.blocks_ns[block] = ns * (1 + SPREAD * (block - 2.5) / 2.5);
	return point;
}

static struct fathom_point lane_point(const struct row *row, unsigned lanes)
{
	double ns = row->latency_ns / fmin(lanes, row->overlap);
	struct fathom_point point = sample_point(row->size_bytes, row->page, ns);
	point.spec.axis = FATHOM_AXIS_LANES;
	point.spec.lanes = lanes;
	if (lanes == 1) {
		point.latency_ns = ns;
		point.latency_low_ns = ns * (1 - SPREAD);
		point.latency_high_ns = ns * (1 + SPREAD);
	} else {
		point.ns_per_access = ns;
		point.low_ns_per_access = ns * (1 - SPREAD);
		point.high_ns_per_access = ns * (1 + SPREAD);
	}
	point.floor_ns = lanes > 1 ? row->floor_ns : NAN;
	point.lane_store = lanes <= 14 ? FATHOM_STORE_REGISTERS : FATHOM_STORE_VECTORS;
	return point;
}

static void add_lanes(struct fathom_result *result, const struct row *row)
{
	double ns = row->latency_ns / row->overlap, bytes_per_second = LINE / ns * 1e9;
	double little = row->latency_ns * row->read / LINE;
	result->parallelism =
		must(realloc(result->parallelism,
			     (result->parallelism_count + 1) * sizeof(*result->parallelism)));
	result->parallelism[result->parallelism_count++] = (struct fathom_parallelism){
		.curve = result->curve_count,
		.level = copy(row->level),
		.size_bytes = (uint64_t)row->size_bytes,
		.latency_ns = row->latency_ns,
		.latency_low_ns = row->latency_ns * (1 - SPREAD),
		.latency_high_ns = row->latency_ns * (1 + SPREAD),
		.ns_per_access = ns,
		.low_ns_per_access = ns * (1 - SPREAD),
		.high_ns_per_access = ns * (1 + SPREAD),
		.speedup = row->overlap,
		.speedup_low = row->overlap * (1 - 2 * SPREAD),
		.speedup_high = row->overlap * (1 + 2 * SPREAD),
		.knee_lanes = row->knee_lanes,
		.knee_low_lanes = row->knee_lanes - 1,
		.knee_high_lanes = row->knee_lanes,
		.saturated = row->saturated,
		.bytes_per_second = bytes_per_second,
		.low_bytes_per_second = bytes_per_second * (1 - SPREAD),
		.high_bytes_per_second = bytes_per_second * (1 + SPREAD),
		.read_bytes_per_second = row->read * 1e9,
		.read_low_bytes_per_second = row->read * 0.99e9,
		.read_high_bytes_per_second = row->read * 1.01e9,
		.all_bytes_per_second = row->all * 1e9,
		.all_low_bytes_per_second = row->all * 0.99e9,
		.all_high_bytes_per_second = row->all * 1.01e9,
		.all_threads = isfinite(row->all) ? 2 : 0,
		.little_lines = little,
		.little_low_lines = little * 0.985,
		.little_high_lines = little * 1.015,
		.limit = row->limit,
		.evidence = copy(row->evidence),
	};
	struct fathom_curve *curve = add_curve(result, FATHOM_AXIS_LANES, LANES);
	for (unsigned i = 0; i < LANES; i++)
		curve->points[i] = lane_point(row, i + 1);
}

static void add_reads(struct fathom_result *result, uint32_t threads)
{
	struct fathom_curve *curve = add_curve(result, FATHOM_AXIS_SIZE, 0);
	free(curve->points);
	curve->points = must(calloc(ROWS, sizeof(*curve->points)));
	for (size_t i = 0; i < ROWS; i++) {
		double bytes_per_second = 1e9 * (threads > 1 ? rows[i].all : rows[i].read);
		if (!isfinite(bytes_per_second))
			continue;
		double ns = threads * LINE / bytes_per_second * 1e9;
		struct fathom_point point = sample_point(rows[i].size_bytes, rows[i].page, ns);
		point.spec.pattern = FATHOM_READ;
		point.spec.threads = threads;
		point.spec.vector_bytes = 32;
		point.ns_per_access = ns;
		point.low_ns_per_access = ns * (1 - SPREAD);
		point.high_ns_per_access = ns * (1 + SPREAD);
		point.bandwidth_bytes_per_second = bytes_per_second;
		point.bandwidth_low_bytes_per_second = bytes_per_second * 0.99;
		point.bandwidth_high_bytes_per_second = bytes_per_second * 1.01;
		point.bandwidth_best_bytes_per_second = bytes_per_second * 1.02;
		point.traffic_bytes_per_second = bytes_per_second;
		if (threads > 1) {
			point.bandwidth_slowest_thread_bytes_per_second =
				bytes_per_second / threads * 1.005;
			point.bandwidth_fastest_thread_bytes_per_second =
				bytes_per_second / threads * 1.04;
		}
		curve->points[curve->point_count++] = point;
	}
}

struct fathom_result *sample_parallelism_result(void)
{
	struct fathom_result *result = sample_levels_result();
	for (size_t i = 0; i < ROWS; i++)
		add_lanes(result, &rows[i]);
	add_reads(result, 1);
	add_reads(result, 2);
	return result;
}
