#include "views/points.h"

#include <math.h>
#include <string.h>

#include "base/names.h"
#include "base/patterns.h"
#include "views/rounding.h"

#define GB 1e9

const struct points_quantity *points_quantity(enum fathom_y y)
{
	static const struct points_quantity quantities[] = {
		[FATHOM_Y_NS] = {"latency", " ns"},
		[FATHOM_Y_CYCLES] = {"cycles", ""},
		[FATHOM_Y_THROUGHPUT] = {"accesses/s", " M"},
	};
	return &quantities[y];
}

struct estimate points_value(const struct fathom_point *point, enum fathom_y y)
{
	if (y == FATHOM_Y_CYCLES)
		return ESTIMATE(point, latency, _cycles);
	if (y == FATHOM_Y_THROUGHPUT)
		return (struct estimate){1e3 / point->latency_ns, 1e3 / point->latency_high_ns,
					 1e3 / point->latency_low_ns};
	return ESTIMATE(point, latency, _ns);
}

struct estimate points_time(const struct fathom_point *point, enum fathom_y y)
{
	if (!spec_overlaps(&point->spec))
		return points_value(point, y);
	return y == FATHOM_Y_CYCLES ? ESTIMATE_PLAIN(point, cycles_per_access)
				    : ESTIMATE_PLAIN(point, ns_per_access);
}

struct estimate points_bandwidth(const struct fathom_point *point)
{
	return estimate_times(ESTIMATE(point, bandwidth, _bytes_per_second), 1 / GB);
}

char points_mark(const struct fathom_point *point, struct estimate value)
{
	if (!isfinite(value.value) || point->within_target || !(point->target > 0))
		return 0;
	return isfinite(value.low) && isfinite(value.high) ? '~' : '?';
}

void points_exactness(struct view *view, const struct fathom_result *result)
{
	size_t points = 0, within = 0;
	double target = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			target = points++ ? target : result->curves[i].points[k].target;
			within += result->curves[i].points[k].within_target;
		}
	if (target > 0)
		view_say(view, VIEW_NOTE,
			 "%zu of %zu points meet the target of \u00b1%s; ~ marks wider ones, "
			 "? those without an interval",
			 within, points, rounding_percent(target).text);
}

void points_ranges(struct view *view, const struct fathom_result *result)
{
	bool any = false;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			any |= rounding_is_wide(points_time(point, FATHOM_Y_NS)) ||
			       rounding_is_wide(points_bandwidth(point));
		}
	if (any)
		view_say(view, VIEW_NOTE,
			 "a range stands for a value that is known to no better than a third");
}

size_t points_count(const struct fathom_curve *curve, enum fathom_y y)
{
	size_t count = 0;
	for (size_t i = 0; i < curve->point_count; i++)
		count += isfinite(points_value(&curve->points[i], y).value);
	return count;
}

const struct fathom_point *points_exactly(const struct fathom_curve *curve, uint64_t size_bytes)
{
	size_t low = 0, high = curve->point_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (curve->points[middle].spec.size_bytes < size_bytes)
			low = middle + 1;
		else
			high = middle;
	}
	return low < curve->point_count && curve->points[low].spec.size_bytes == size_bytes
		       ? &curve->points[low]
		       : NULL;
}

const struct fathom_point *points_at(const struct fathom_curve *curve, uint64_t size_bytes)
{
	for (size_t i = curve->point_count; i-- > 0;) {
		uint64_t bytes = curve->points[i].spec.size_bytes;
		/* Nodes of a page leave a rest. */
		if (bytes <= size_bytes && size_bytes - bytes < curve->points[i].spec.node_bytes)
			return &curve->points[i];
	}
	return NULL;
}

const struct fathom_point *points_spilled(const struct fathom_curve *curve,
					  const struct fathom_point **before)
{
	for (size_t i = 1; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		*before = point - 1;
		if ((*before)->lane_store == FATHOM_STORE_REGISTERS &&
		    point->lane_store != FATHOM_STORE_REGISTERS &&
		    point->lane_store != FATHOM_STORE_UNKNOWN)
			return point;
	}
	return NULL;
}

size_t points_octave(const struct fathom_curve *curve, size_t first, size_t *end)
{
	double octave = round(log2((double)curve->points[first].spec.size_bytes));
	double least = INFINITY;
	size_t nearest = first;
	for (*end = first; *end < curve->point_count; ++*end) {
		double size = log2((double)curve->points[*end].spec.size_bytes);
		if (*end > first && round(size) != octave)
			break;
		if (fabs(size - octave) < least) {
			least = fabs(size - octave);
			nearest = *end;
		}
	}
	return nearest;
}

bool points_same_pages(const struct fathom_curve *curve)
{
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		if (point->page_bytes != curve->points[0].page_bytes)
			return false;
		if (point->page_bytes && !(point->page_share >= POINTS_WHOLE_SHARE))
			return false;
	}
	return true;
}

struct rounded points_obtained(const struct fathom_curve *curve)
{
	if (!points_same_pages(curve))
		return (struct rounded){"mixed"};
	return curve->points[0].page_bytes ? rounding_size(curve->points[0].page_bytes)
					   : (struct rounded){"unknown"};
}

void points_add_estimate(struct text *words, struct estimate estimate, const char *unit)
{
	if (rounding_is_wide(estimate))
		text_add(words, "about %s%s (%s)", rounding_about(estimate.value).text, unit,
			 rounding_interval(estimate).text);
	else
		text_add(words, "%s%s", rounding_number(estimate.value).text, unit);
}

void points_add_times(struct text *words, struct estimate ratio)
{
	struct rounded interval = rounding_interval(ratio);
	/* In as many digits as the ends have. */
	double value = ratio.value;
	text_add(words, "%s times", rounding_known((struct estimate){value, value, value}).text);
	if (*interval.text)
		text_add(words, " (%s)", interval.text);
}

const char *points_page(const struct fathom_spec *spec)
{
	return view_known(page_name((int)spec->page));
}

void points_add_spec(struct text *words, const struct fathom_spec *spec, bool overlaps)
{
	if (spec->pattern == FATHOM_PATTERN_UNKNOWN) {
		text_add(words, "access order unknown");
		if (spec->node_bytes)
			text_add(words, ", nodes of %s", rounding_size(spec->node_bytes).text);
		return;
	}
	const char *pattern = fathom_pattern_name(spec->pattern),
		   *link = link_words(pattern_overlaps(spec->pattern) ? FATHOM_LINK_BYTE
								      : spec->link);
	if (overlaps)
		text_add(words, "random order, accesses overlap");
	else
		text_add(words, "%s", pattern ? pattern : "unknown pattern");
	if (pattern_streams(spec->pattern)) {
		text_add(words, ", %u %s", spec->threads,
			 spec->threads == 1 ? "thread" : "threads");
		if (spec->vector_bytes)
			text_add(words, ", vectors of %u bits", 8 * spec->vector_bytes);
		return;
	}
	if (spec->window_bytes)
		text_add(words, " of %s", rounding_size(spec->window_bytes).text);
	if (spec->stride_bytes)
		text_add(words, " %s apart", rounding_size(spec->stride_bytes).text);
	if (spec->laps)
		text_add(words, ", %u different laps", spec->laps);
	if (spec->node_bytes) /* other tools may not tell */
		text_add(words, ", nodes of %s", rounding_size(spec->node_bytes).text);
	if (link)
		text_add(words, ", %s", link);
	const char *warmth = warmth_name(spec->warmth);
	if (warmth && spec->warmth != FATHOM_WARM)
		text_add(words, ", %s", warmth);
	if (spec->lap)
		text_add(words, ", lap by lap");
	if (spec->lane_store != FATHOM_STORE_UNKNOWN)
		text_add(words, ", cursors: %s", lane_store_name((int)spec->lane_store));
}

void points_add_order(struct text *words, const struct fathom_spec *spec)
{
	const struct pattern_traits *traits = pattern_traits(spec->pattern);
	const char *label = traits->label ? traits->label : traits->name;
	const char *gap = strstr(label, "{}");
	if (!gap) {
		text_add(words, "%s", label);
		return;
	}
	text_add_bytes(words, label, (size_t)(gap - label));
	uint64_t bytes = traits->has_window ? spec->window_bytes : spec->stride_bytes;
	if (traits->has_laps)
		text_add(words, "%u", spec->laps);
	else if (pattern_overlaps(spec->pattern))
		text_add(words, "%s", rounding_brief_size(bytes).text);
	else
		text_add(words, "%s", rounding_size(bytes).text);
	text_add(words, "%s", gap + strlen("{}"));
}

void points_order(struct view *view, const struct fathom_spec *spec)
{
	struct text words = {0};
	points_add_order(&words, spec);
	view_name_take(view, &words);
}
