#include "readings.h"

#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "baselines.h"

/* Added to a curve that is relative to L1: four cycles at 2.7 GHz. Logarithms need it. */
#define L1_NS 1.5

static const char *const names[READER_COUNT] = {"fathom", "slope peaks", "half height",
						"change points"};

/* ---- reading ---- */

static int take(const struct fathom_curve *curve, struct baseline_curve *taken,
		struct fathom_error *error)
{
	taken->count = 0;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		double log_size = log2((double)point->spec.size_bytes);
		double latency = point->latency_ns + (curve->relative_to_l1 ? L1_NS : 0);
		if (taken->count && log_size <= taken->log_size[taken->count - 1])
			continue;
		if (taken->count == BASELINE_POINTS || !(latency > 0))
			return error_set(error, FATHOM_BAD_INPUT, NULL,
					 "a curve has over %d points, or a latency of %g ns",
					 BASELINE_POINTS, latency);
		taken->log_size[taken->count] = log_size;
		taken->log_latency[taken->count++] = log(latency);
	}
	return taken->count ? 0 : error_set(error, FATHOM_BAD_INPUT, NULL, "a curve has no points");
}

static size_t take_caches(const struct fathom_level *levels, size_t level_count,
			  double ends[BASELINE_ENDS])
{
	size_t count = 0;
	for (size_t i = 0; i < level_count && count < BASELINE_ENDS; i++)
		if (levels[i].kind == FATHOM_LEVEL_CACHE && isfinite(levels[i].size_bytes))
			ends[count++] = levels[i].size_bytes;
	return count;
}

/* ---- judging ---- */

/* Within the tolerance; or between the same two measured sizes, of which no more can be known. */
static bool same_end(const struct fathom_curve *curve, double found, double truth)
{
	double below = 0, above = INFINITY;
	for (size_t i = 0; i < curve->point_count; i++) {
		double size = (double)curve->points[i].spec.size_bytes;
		if (size <= truth * 1.001)
			below = fmax(below, size);
		else
			above = fmin(above, size);
	}
	return fabs(found / truth - 1) <= READINGS_TOLERANCE ||
	       (found >= below * 0.999 && found <= above * 1.001);
}

/* Could the curve show it? It needs a size within and sizes beyond. */
static bool in_curve(const struct fathom_curve *curve, double end_bytes)
{
	double first = (double)curve->points[0].spec.size_bytes;
	double last = (double)curve->points[curve->point_count - 1].spec.size_bytes;
	return end_bytes >= first && end_bytes < last / 2;
}

static struct reading judge(const struct fathom_curve *curve, const double *truths, size_t count,
			    const double *ends, size_t end_count)
{
	struct reading reading = {0};
	bool used[BASELINE_ENDS] = {false};
	for (size_t i = 0; i < count; i++) {
		bool hit = false;
		if (!(truths[i] > 0))
			continue;
		for (size_t k = 0; k < end_count && !hit; k++)
			if (!used[k] && same_end(curve, ends[k], truths[i]))
				hit = used[k] = true;
		reading.wanted += in_curve(curve, truths[i]);
		reading.found += in_curve(curve, truths[i]) && hit;
	}
	for (size_t k = 0; k < end_count; k++)
		reading.false_caches += !used[k];
	return reading;
}

int readings_take(const struct fathom_curve *curve, const struct fathom_level *levels,
		  size_t level_count, const double *truths, size_t count,
		  struct reading readings[READER_COUNT], struct fathom_error *error)
{
	struct baseline_curve taken;
	double ends[READER_COUNT][BASELINE_ENDS];
	if (take(curve, &taken, error))
		return -1;
	const size_t end_counts[READER_COUNT] = {
		[READER_FATHOM] = take_caches(levels, level_count, ends[READER_FATHOM]),
		[READER_SLOPE_PEAKS] = baseline_slope_peaks(&taken, ends[READER_SLOPE_PEAKS]),
		[READER_HALF_HEIGHT] = baseline_half_height(&taken, ends[READER_HALF_HEIGHT]),
		[READER_CHANGE_POINTS] = baseline_change_points(&taken, ends[READER_CHANGE_POINTS]),
	};
	for (size_t i = 0; i < READER_COUNT; i++)
		readings[i] = judge(curve, truths, count, ends[i], end_counts[i]);
	return 0;
}

/* ---- the table ---- */

static bool is_right(const struct reading *reading)
{
	return reading->found == reading->wanted && !reading->false_caches;
}

void readings_add(struct readings_row *row, const struct reading readings[READER_COUNT])
{
	const struct reading *fathom = &readings[READER_FATHOM];
	bool any = false;
	row->curves++;
	for (size_t i = 0; i < READER_COUNT; i++) {
		row->sums[i].wanted += readings[i].wanted;
		row->sums[i].found += readings[i].found;
		row->sums[i].false_caches += readings[i].false_caches;
		row->right[i] += is_right(&readings[i]);
		any |= is_right(&readings[i]);
		row->fathom_alone[i] += is_right(fathom) && !is_right(&readings[i]);
		row->reader_alone[i] += !is_right(fathom) && is_right(&readings[i]);
	}
	row->right_by_any += any;
}

void readings_print(const struct readings_row *rows, size_t count)
{
	printf("  %-20s %-14s %14s %13s %17s   right alone: fathom, it\n", "set", "reader",
	       "levels found", "false caches", "curves right");
	for (size_t i = 0; i < count; i++) {
		for (size_t k = 0; k < READER_COUNT && rows[i].curves; k++) {
			const struct reading *sums = &rows[i].sums[k];
			printf("  %-20s %-14s %5zu of %5zu %13zu %4zu of %3zu, %3.0f %%",
			       k ? "" : rows[i].name, names[k], sums->found, sums->wanted,
			       sums->false_caches, rows[i].right[k], rows[i].curves,
			       100 * (double)rows[i].right[k] / (double)rows[i].curves);
			if (k != READER_FATHOM)
				printf("   %19zu, %2zu", rows[i].fathom_alone[k],
				       rows[i].reader_alone[k]);
			printf("\n");
		}
		if (rows[i].curves)
			printf("  %-20s %-14s %46zu of %3zu, %3.0f %%\n", "", "any of these",
			       rows[i].right_by_any, rows[i].curves,
			       100 * (double)rows[i].right_by_any / (double)rows[i].curves);
	}
}
