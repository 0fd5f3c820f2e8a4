#include "lanes.h"
#include "base/patterns.h"
#include "document/table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "base/stats.h"
#include "base/warnings.h"
#include "model/parallelism/parallelism.h"

#define MOST_BLOCKS 24
#define MOST_CURVES 8

static struct fathom_point points[MOST_CURVES][LANES_DENSE];
static double blocks_ns[MOST_CURVES][LANES_DENSE][MOST_BLOCKS];
static struct fathom_curve curves[MOST_CURVES];
static struct rng rng;
struct fathom_result lanes_result;

int lanes_begin(void **state)
{
	(void)state;
	lanes_result =
		(struct fathom_result){.curves = curves, .seed = 7, .measured_line_bytes = 64};
	rng = rng_make(1);
	return 0;
}

int lanes_end(void **state)
{
	(void)state;
	table_free_items(&parallelism_table, lanes_result.parallelism,
			 lanes_result.parallelism_count);
	warnings_free(&lanes_result.warnings);
	return 0;
}

double lanes_hard(double lanes, double limit)
{
	return fmin(lanes, limit);
}

double lanes_soft(double lanes, double limit)
{
	return lanes / pow(1 + pow(lanes / limit, 4), 0.25);
}

double lanes_falling(double lanes, double limit)
{
	return fmin(lanes, limit) * sqrt(fmin(1, (limit + 4) / lanes));
}

double lanes_hyperbolic(double lanes, double limit)
{
	return lanes * limit / (lanes + limit);
}

struct lanes_made lanes_made(overlapping *shape, double limit)
{
	return (struct lanes_made){shape, limit, LANES_LATENCY_NS, 0.01, 6, NULL, LANES_DENSE};
}

struct fathom_point *lanes_points(size_t curve)
{
	return points[curve];
}

void lanes_summarise(struct fathom_point *point)
{
	double sorted[MOST_BLOCKS];
	memcpy(sorted, point->blocks_ns, point->block_count * sizeof(*sorted));
	double median = stats_median(sorted, point->block_count);
	struct stats_interval interval = stats_median_interval(sorted, point->block_count);
	bool overlaps = spec_overlaps(&point->spec);
	point->latency_ns = overlaps ? NAN : median;
	point->latency_low_ns = overlaps ? NAN : interval.low;
	point->latency_high_ns = overlaps ? NAN : interval.high;
	point->ns_per_access = overlaps ? median : NAN;
}

static void fill(size_t at, size_t i, const struct lanes_made *made, const double *slower)
{
	struct fathom_point *point = &points[at][i];
	unsigned lanes = made->lanes ? made->lanes[i] : (unsigned)i + 1;
	*point = (struct fathom_point){
		.spec = {.size_bytes = LANES_SIZE,
			 .node_bytes = 64,
			 .lanes = lanes,
			 .threads = 1,
			 .axis = FATHOM_AXIS_LANES},
		.floor_ns = NAN,
		.bandwidth_bytes_per_second = NAN,
		.blocks_ns = blocks_ns[at][i],
		.block_count = made->blocks,
	};
	for (size_t k = 0; k < made->blocks; k++)
		point->blocks_ns[k] = made->latency_ns / made->shape(lanes, made->limit) *
				      slower[k] * (1 + made->noise * rng_normal(&rng));
	lanes_summarise(point);
}

size_t lanes_add(struct lanes_made made)
{
	size_t at = lanes_result.curve_count++;
	double slower[MOST_BLOCKS];
	assert_true(at < MOST_CURVES && made.count <= LANES_DENSE && made.blocks <= MOST_BLOCKS);
	for (size_t k = 0; k < made.blocks; k++)
		slower[k] = 1 + 0.1 * rng_unit(&rng);
	for (size_t i = 0; i < made.count; i++)
		fill(at, i, &made, slower);
	curves[at] = (struct fathom_curve){.memory_node = -1,
					   .experiment = FATHOM_PARALLELISM,
					   .axis = FATHOM_AXIS_LANES,
					   .points = points[at],
					   .point_count = made.count};
	return at;
}

size_t lanes_add_point(const struct fathom_point *point)
{
	size_t at = lanes_result.curve_count++;
	assert_true(at < MOST_CURVES);
	points[at][0] = *point;
	curves[at] = (struct fathom_curve){.memory_node = -1,
					   .experiment = FATHOM_PARALLELISM,
					   .points = points[at],
					   .point_count = 1};
	return at;
}

const struct fathom_parallelism *lanes_find(size_t which)
{
	assert_int_equal(parallelism_find(&lanes_result, NULL), 0);
	assert_true(which < lanes_result.parallelism_count);
	return &lanes_result.parallelism[which];
}

const struct fathom_parallelism *lanes_find_made(struct lanes_made made)
{
	lanes_result.curve_count = 0;
	lanes_add(made);
	return lanes_find(0);
}

bool within(double value, double wanted, double share)
{
	return fabs(value / wanted - 1) <= share;
}
