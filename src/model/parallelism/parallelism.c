#include "model/parallelism/parallelism.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/point.h"
#include "base/rng.h"
#include "document/table.h"
#include "model/checks/withhold.h"
#include "model/parallelism/mlp_limit.h"
#include "model/parallelism/saturation.h"
#include "model/plateau.h"

#define SIZE_REST 0.02 /* of a size, that nodes or vectors leave over */

/* What an access brings; NAN: not known. */
static double line_bytes(const struct fathom_result *result)
{
	uint64_t known = line_bytes_known(result);
	return known ? (double)known : NAN;
}

/* ---- bandwidth ---- */

static bool is_near(double bytes, uint64_t size_bytes)
{
	return fabs(bytes / (double)size_bytes - 1) < SIZE_REST;
}

/* Has each thread memory of that size, in a cache of its own, or all together in what they share?
 */
static bool is_at(const struct fathom_point *point, uint64_t size_bytes)
{
	double bytes = (double)point->spec.size_bytes;
	return isfinite(point->bandwidth_bytes_per_second) &&
	       (is_near(bytes, size_bytes) || is_near(bytes * point->spec.threads, size_bytes));
}

/* The same pages: those that were asked for, or else those that were obtained. */
static bool same_pages(const struct fathom_point *a, const struct fathom_point *b, bool asked)
{
	if (asked)
		return a->spec.page == b->spec.page;
	return a->page_bytes && a->page_bytes == b->page_bytes;
}

/* The curve that reads with one thread, or with the most; NULL: none. */
static const struct fathom_curve *find_reader(const struct fathom_result *result,
					      const struct fathom_point *lane, bool most)
{
	const struct fathom_curve *found = NULL;
	for (int asked = 1; asked >= 0 && !found; asked--)
		for (size_t i = 0; i < result->curve_count; i++) {
			const struct fathom_curve *curve = &result->curves[i];
			const struct fathom_point *first = curve->points;
			if (!curve->point_count || curve->tool ||
			    first->spec.pattern != FATHOM_READ || !same_pages(first, lane, asked) ||
			    (!most && first->spec.threads != 1))
				continue;
			if (!found || first->spec.threads > found->points->spec.threads)
				found = curve;
		}
	return found;
}

/* The curve's point at that size; NULL: none. At `place` it is looked for first: where the curve of
 * one thread has it, and all have the same sizes. */
static const struct fathom_point *read_at(const struct fathom_curve *curve, uint64_t size_bytes,
					  size_t place)
{
	if (!curve)
		return NULL;
	if (place < curve->point_count && is_at(&curve->points[place], size_bytes))
		return &curve->points[place];
	for (size_t i = 0; i < curve->point_count; i++)
		if (is_at(&curve->points[i], size_bytes))
			return &curve->points[i];
	return NULL;
}

static void add_bandwidth(const struct fathom_result *result, const struct fathom_point *lane,
			  struct fathom_parallelism *found)
{
	const struct fathom_curve *reader = find_reader(result, lane, false);
	const struct fathom_point *one = read_at(reader, lane->spec.size_bytes, 0);
	const struct fathom_point *all =
		read_at(find_reader(result, lane, true), lane->spec.size_bytes,
			one ? (size_t)(one - reader->points) : 0);
	double line = line_bytes(result);
	if (one) {
		found->read_bytes_per_second = one->bandwidth_bytes_per_second;
		found->read_low_bytes_per_second = one->bandwidth_low_bytes_per_second;
		found->read_high_bytes_per_second = one->bandwidth_high_bytes_per_second;
	}
	if (all) {
		found->all_bytes_per_second = all->bandwidth_bytes_per_second;
		found->all_low_bytes_per_second = all->bandwidth_low_bytes_per_second;
		found->all_high_bytes_per_second = all->bandwidth_high_bytes_per_second;
		found->all_threads = all->spec.threads;
	}
	double per_line = 1e-9 / line;
	found->little_lines = found->latency_ns * found->read_bytes_per_second * per_line;
	found->little_low_lines =
		found->latency_low_ns * found->read_low_bytes_per_second * per_line;
	found->little_high_lines =
		found->latency_high_ns * found->read_high_bytes_per_second * per_line;
	found->bytes_per_second = line / found->ns_per_access * 1e9;
	found->low_bytes_per_second = line / found->high_ns_per_access * 1e9;
	found->high_bytes_per_second = line / found->low_ns_per_access * 1e9;
}

/* ---- all ---- */

static struct fathom_parallelism describe(const struct fathom_result *result, size_t curve,
					  const struct saturation *saturation)
{
	struct fathom_parallelism found;
	table_unknown(&parallelism_table, &found);
	const struct fathom_point *lane = &result->curves[curve].points[0];
	found.curve = curve;
	found.size_bytes = lane->spec.size_bytes;
	if (lane->spec.lanes == 1) {
		found.latency_ns = lane->latency_ns;
		found.latency_low_ns = lane->latency_low_ns;
		found.latency_high_ns = lane->latency_high_ns;
	}
	found.ns_per_access = saturation->ns;
	found.low_ns_per_access = saturation->low_ns;
	found.high_ns_per_access = saturation->high_ns;
	found.speedup = saturation->speedup;
	found.speedup_low = saturation->speedup_low;
	found.speedup_high = saturation->speedup_high;
	found.knee_lanes = saturation->knee;
	found.knee_low_lanes = saturation->knee_low;
	found.knee_high_lanes = saturation->knee_high;
	found.saturated = saturation->saturated;
	add_bandwidth(result, lane, &found);
	return found;
}

/* Takes over what `found` holds, also when it fails. */
static int append(struct fathom_result *result, struct fathom_parallelism *found,
		  struct fathom_error *error)
{
	if (LIST_APPEND(&result->parallelism, &result->parallelism_count, found) == 0)
		return 0;
	free(found->level);
	return error_no_memory(error);
}

static int add_curve(struct fathom_result *result, size_t which, struct mlp *mlp,
		     struct fathom_error *error)
{
	const struct fathom_curve *curve = &result->curves[which];
	bool enough;
	if (saturation_find(curve, rng_mix(result->seed, which), &mlp->saturation, &enough, error))
		return -1;
	if (!enough)
		return 0;
	const struct fathom_level *level = plateau_level(result, curve->points[0].spec.size_bytes);
	struct fathom_parallelism found = describe(result, which, &mlp->saturation);
	if (level && level->name) {
		found.level = strdup(level->name);
		if (!found.level)
			return error_no_memory(error);
	}
	mlp->in_first_cache = plateau_is_in_first_cache(result, curve->points[0].spec.size_bytes);
	return append(result, &found, error);
}

static bool is_along_lanes(const struct fathom_curve *curve)
{
	return curve->experiment == FATHOM_PARALLELISM && curve->axis == FATHOM_AXIS_LANES;
}

int parallelism_find(struct fathom_result *result, struct fathom_error *error)
{
	table_free_items(&parallelism_table, result->parallelism, result->parallelism_count);
	result->parallelism = NULL;
	result->parallelism_count = 0;
	if (withhold_one_lane(result, error))
		return -1;
	struct mlp *mlps = calloc(result->curve_count + 1, sizeof(*mlps));
	int status = mlps ? 0 : error_no_memory(error);
	for (size_t i = 0; !status && i < result->curve_count; i++)
		if (is_along_lanes(&result->curves[i]))
			status = add_curve(result, i, &mlps[result->parallelism_count], error);
	if (!status)
		status = mlp_limit_find(result, mlps, error);
	free(mlps);
	return status;
}
