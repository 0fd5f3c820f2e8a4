/* Patterns at several sizes: a row a size, a column a pattern. */
#include "base/names.h"
#include "views/experiments/experiments.h"
#include "views/points.h"

/* Is the point shown in the row of a larger size, which its nodes do not fill? */
static bool has_row(const struct fathom_result *result, const struct fathom_point *point)
{
	uint64_t own = point->spec.size_bytes;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			uint64_t bytes = result->curves[i].points[k].spec.size_bytes;
			if (bytes > own && bytes - own < point->spec.node_bytes)
				return true;
		}
	return false;
}

/* 0: there is none. */
static uint64_t next_size(const struct fathom_result *result, uint64_t after)
{
	uint64_t next = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			uint64_t bytes = point->spec.size_bytes;
			if (bytes > after && (!next || bytes < next) && !has_row(result, point))
				next = bytes;
		}
	return next;
}

static bool is_column(const struct fathom_curve *curve, enum fathom_warmth warmth)
{
	return curve->point_count && curve->points[0].spec.warmth == warmth;
}

void matrix_view(struct view *view, const struct fathom_result *result, enum fathom_warmth warmth)
{
	struct text name = {0};
	uint64_t size_bytes = next_size(result, 0);
	if (!next_size(result, size_bytes))
		return;
	view_say(view, VIEW_PLAIN, "%s, ns per access:", warmth_name((int)warmth));
	VIEW_TABLE(view, COLUMN("size"));
	for (size_t i = 0; i < result->curve_count; i++) {
		if (!is_column(&result->curves[i], warmth))
			continue;
		points_add_order(&name, &result->curves[i].points[0].spec);
		view_column_take(view, &name, COLUMN(NULL));
	}
	for (; size_bytes; size_bytes = next_size(result, size_bytes)) {
		view_row(view);
		view_size(view, (double)size_bytes);
		for (size_t i = 0; i < result->curve_count; i++)
			if (is_column(&result->curves[i], warmth))
				patterns_time(view, points_at(&result->curves[i], size_bytes),
					      FATHOM_Y_NS);
	}
	view_gap(view);
}
