#include "views/experiments/pages.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "views/experiments/experiments.h"
#include "views/levels/levels.h"
#include "views/rounding.h"

/* ---- the curves, and the sizes that have rows ---- */

static bool has_value(const struct fathom_curve *curve)
{
	return points_count(curve, FATHOM_Y_NS) || points_count(curve, FATHOM_Y_CYCLES);
}

static void add_curve(struct page_curves *curves, size_t which)
{
	const struct fathom_curve *curve =
		which < curves->result->curve_count ? &curves->result->curves[which] : NULL;
	bool fits = curve && curve->experiment == FATHOM_PAGES && curve->axis == FATHOM_AXIS_SIZE &&
		    !curve->tool && curve->point_count && has_value(curve);
	for (size_t i = 0; fits && i < curves->count; i++)
		fits = curves->items[i] != curve;
	if (fits && curves->count < FATHOM_PAGE_UNKNOWN)
		curves->items[curves->count++] = curve;
}

/* In the order of what was found out about them; the rest as they were measured. */
static struct page_curves find_curves(const struct view *view, const struct fathom_result *result)
{
	struct page_curves curves = {.result = result, .every_point = view->every_point};
	bool cycles = false;
	for (size_t i = 0; i < result->translation_count; i++)
		add_curve(&curves, result->translations[i].by_size);
	for (size_t i = 0; i < result->curve_count; i++) {
		add_curve(&curves, i);
		cycles |= points_count(&result->curves[i], FATHOM_Y_CYCLES) > 0;
	}
	curves.y = view->y == FATHOM_Y_CYCLES && cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
	return curves;
}

const char *pages_unit(const struct page_curves *curves)
{
	return curves->y == FATHOM_Y_CYCLES ? "cycles" : "ns";
}

double pages_factor(const struct page_curves *curves, const struct fathom_curve *curve,
		    uint64_t size_bytes)
{
	const struct fathom_point *point = points_at(curve, size_bytes);
	if (curves->y == FATHOM_Y_NS)
		return 1;
	return point ? point->latency_cycles / point->latency_ns : NAN;
}

static uint64_t next_size(const struct page_curves *curves, uint64_t after)
{
	uint64_t next = 0;
	for (size_t i = 0; i < curves->count; i++)
		for (size_t k = 0; k < curves->items[i]->point_count; k++) {
			const struct fathom_point *point = &curves->items[i]->points[k];
			uint64_t bytes = point->spec.size_bytes;
			bool known = isfinite(points_value(point, curves->y).value);
			if (known && bytes > after && (!next || bytes < next))
				next = bytes;
		}
	return next;
}

uint64_t pages_row(const struct page_curves *curves, uint64_t *last)
{
	uint64_t size = next_size(curves, *last), nearest = size;
	double octave = round(log2((double)size));
	*last = size;
	while (!curves->every_point && (size = next_size(curves, size)) != 0) {
		double place = log2((double)size);
		if (round(place) != octave)
			break;
		if (fabs(place - octave) < fabs(log2((double)nearest) - octave))
			nearest = size;
		*last = size;
	}
	return nearest;
}

/* ---- what was obtained, and what was not ---- */

/* What was asked for; 0: it is not known what that is here. */
static uint64_t wanted_bytes(const struct fathom_result *result, enum fathom_page page)
{
	switch (page) {
	case FATHOM_PAGE_4K:
		return result->machine ? result->machine->base_page_bytes : 0;
	case FATHOM_PAGE_THP:
		return result->machine ? result->machine->thp_page_bytes : 0;
	default:
		return page_named_bytes(page);
	}
}

/* Of the buffer; what is in smaller ones alone leaves at most the rest. */
static double share_of(const struct fathom_point *point, uint64_t page_bytes)
{
	return point->page_bytes == page_bytes ? point->page_share : 1 - point->page_share;
}

/* Where not all of the memory is on the pages that were asked for. */
static void add_obtained(struct view *view, const struct fathom_result *result,
			 const struct fathom_curve *curve)
{
	struct text line = {0};
	const struct fathom_point *worst = NULL;
	uint64_t page_bytes =
		curve->point_count ? wanted_bytes(result, curve->points[0].spec.page) : 0;
	size_t count = 0;
	for (size_t i = 0; page_bytes && i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		if (!point->page_bytes || share_of(point, page_bytes) >= POINTS_WHOLE_SHARE)
			continue;
		count++;
		if (!worst || share_of(point, page_bytes) < share_of(worst, page_bytes))
			worst = point;
	}
	if (!worst)
		return;
	text_add(&line, "%s: not all of the memory is in pages of %s at %zu of %zu %s",
		 points_page(&curve->points[0].spec), rounding_size(page_bytes).text, count,
		 curve->point_count, curve->point_count == 1 ? "size" : "sizes");
	text_add(&line, "; at %s %s in %s", rounding_size(worst->spec.size_bytes).text,
		 rounding_percent(worst->page_share).text, rounding_size(worst->page_bytes).text);
	view_take(view, VIEW_ATTENTION, &line);
}

bool pages_warns(const struct fathom_warning *warning)
{
	static const char *const shown[] = {"page-kind-missing", "page-kind-partial",
					    "spread-left-out"};
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++)
		if (strcmp(warning->id, shown[i]) == 0)
			return true;
	return false;
}

void pages_view(struct view *view, const struct fathom_result *result)
{
	struct page_curves curves = find_curves(view, result);
	kinds_view(view, &curves);
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->experiment == FATHOM_PAGES && curve->axis == FATHOM_AXIS_SIZE &&
		    !curve->tool)
			add_obtained(view, result, curve);
	}
	view_warnings_of(view, &result->warnings, "page-kind-missing", false);
	view_warnings_of(view, &result->warnings, "page-kind-partial", false);
	translation_view(view, &curves);
	parts_view(view, &curves);
	places_view(view, &curves);
	if (view->full)
		return; /* it has them anyway */
	readings_view(view, result);
	levels_view(view, result, curves.y);
}
