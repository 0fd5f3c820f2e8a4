/* The same chain on each kind of pages, side by side. */
#include <math.h>
#include <stdio.h>

#include "base/names.h"
#include "views/experiments/pages.h"
#include "views/rounding.h"

#define TRIFLE_SHARE 0.01 /* of an access, the usual target: less of it is no matter */
#define SPREAD_RANK  (FATHOM_PAGE_UNKNOWN + 3)

struct kinds {
	const struct page_curves *curves;
	size_t other; /* the curve whose difference to the first is shown; 0: none is */
};

static const struct fathom_page_difference *find_difference(const struct page_curves *curves,
							    size_t other, uint64_t size_bytes)
{
	const struct fathom_result *result = curves->result;
	for (size_t i = 0; i < result->page_difference_count; i++) {
		const struct fathom_page_difference *difference = &result->page_differences[i];
		if (difference->small < result->curve_count &&
		    difference->large < result->curve_count &&
		    &result->curves[difference->small] == curves->items[0] &&
		    &result->curves[difference->large] == curves->items[other] &&
		    (!size_bytes || difference->size_bytes == size_bytes))
			return difference;
	}
	return NULL;
}

/* The large pages that memory itself was measured on, at the largest size that has some. */
static size_t find_other(const struct page_curves *curves)
{
	const struct fathom_result *result = curves->result;
	const struct fathom_curve *large = NULL;
	for (size_t i = 0; i < result->decomposition_count; i++)
		if (result->decompositions[i].memory_curve < result->curve_count)
			large = &result->curves[result->decompositions[i].memory_curve];
	for (size_t i = 1; large && i < curves->count; i++)
		if (curves->items[i] == large && find_difference(curves, i, 0))
			return i;
	return 0;
}

static struct estimate difference_at(const struct kinds *table, uint64_t size_bytes)
{
	const struct page_curves *curves = table->curves;
	const struct fathom_page_difference *difference =
		find_difference(curves, table->other, size_bytes);
	double factor = pages_factor(curves, curves->items[0], size_bytes);
	if (!difference)
		return ESTIMATE_UNKNOWN;
	return estimate_times(ESTIMATE_PLAIN(difference, ns), factor);
}

static void add_row(struct view *view, const struct kinds *table, uint64_t size_bytes)
{
	const struct page_curves *curves = table->curves;
	view_row(view);
	view_size(view, (double)size_bytes);
	for (size_t i = 0; i < curves->count; i++) {
		const struct fathom_point *point = points_at(curves->items[i], size_bytes);
		struct estimate value = ESTIMATE_UNKNOWN;
		if (point)
			value = points_value(point, curves->y);
		view_estimate(view, value);
		view_mark(view, point ? points_mark(point, value) : 0);
	}
	if (table->other)
		view_difference(view, difference_at(table, size_bytes));
}

/* Spreads go first, then sizes of multi-size THP from the largest on, then the other kinds. */
static unsigned rank_of_value(const struct kinds *table, size_t which)
{
	if (which == 0 || which == table->other)
		return 0;
	int page = (int)table->curves->items[which]->points[0].spec.page;
	return page_is_multi_size(page) ? 3 + (unsigned)which : 2;
}

/* Under its name "4 KiB"; "mixed" where points differ, or have it in part. */
static void add_value_column(struct view *view, const struct kinds *table, size_t which)
{
	const struct fathom_curve *curve = table->curves->items[which];
	view_column(view,
		    COLUMN(points_page(&curve->points[0].spec), .unit = points_obtained(curve).text,
			   .rank = rank_of_value(table, which), .spread_rank = SPREAD_RANK,
			   .counted = true));
}

static struct rounded difference_name(const struct kinds *table)
{
	struct rounded name;
	const struct page_curves *curves = table->curves;
	snprintf(name.text, sizeof(name.text), "%s - %s",
		 points_page(&curves->items[0]->points[0].spec),
		 points_page(&curves->items[table->other]->points[0].spec));
	return name;
}

static void add_columns(struct view *view, const struct kinds *table)
{
	const struct page_curves *curves = table->curves;
	view_table(view);
	view_table_left_out(view, 0, "page kind has", "page kinds have");
	view_column(view, COLUMN("size"));
	for (size_t i = 0; i < curves->count; i++)
		add_value_column(view, table, i);
	if (!table->other)
		return;
	view_column(view, COLUMN(difference_name(table).text, .spread_rank = 1));
}

static void add_table(struct view *view, const struct kinds *table)
{
	const struct page_curves *curves = table->curves;
	view_say(view, VIEW_PLAIN, "latency of the same chain %s, %s:",
		 curves->count > 1 ? "on each page kind" : "against its size", pages_unit(curves));
	add_columns(view, table);
	for (uint64_t last = 0, size; (size = pages_row(curves, &last)) != 0;)
		add_row(view, table, size);
	view_gap(view);
	if (table->other)
		view_say(view, VIEW_NOTE,
			 "%s: median of the differences between blocks measured side by side, not "
			 "the difference of the columns",
			 difference_name(table).text);
	points_exactness(view, curves->result);
}

/* Of the largest size that has one; NULL. */
static const struct fathom_page_difference *last_difference(const struct kinds *table)
{
	const struct fathom_page_difference *last = NULL;
	const struct fathom_curve *base = table->curves->items[0];
	for (size_t i = 0; table->other && i < base->point_count; i++) {
		const struct fathom_page_difference *difference = find_difference(
			table->curves, table->other, base->points[i].spec.size_bytes);
		if (difference && isfinite(difference_at(table, difference->size_bytes).value))
			last = difference;
	}
	return last;
}

/* Sizes at which they surely take longer. */
static void add_slower(struct view *view, const struct kinds *table, const char *large)
{
	const struct fathom_curve *base = table->curves->items[0];
	uint64_t first = 0, last = 0;
	size_t count = 0;
	for (size_t i = 0; i < base->point_count; i++) {
		uint64_t bytes = base->points[i].spec.size_bytes;
		struct estimate saved = difference_at(table, bytes);
		if (!(saved.high < 0) || -saved.value < TRIFLE_SHARE * base->points[i].latency_ns)
			continue;
		first = count++ ? first : bytes;
		last = bytes;
	}
	if (!count)
		return;
	struct text line = {0};
	text_add(&line, "at %zu %s, %s", count, count == 1 ? "size" : "sizes",
		 rounding_size(first).text);
	text_add(&line, count > 1 ? " to %s" : "", rounding_size(last).text);
	text_add(&line,
		 ", an access takes longer on %s pages: they do not slow it down, but lie in other "
		 "memory, which fills the sets of a cache differently or has other neighbours in a "
		 "shared one: what they save cannot be told there",
		 large);
	view_take(view, VIEW_NOTE, &line);
}

/* What the largest pages are worth at the largest size. */
static void add_saving(struct view *view, const struct kinds *table)
{
	struct text line = {0};
	const struct page_curves *curves = table->curves;
	const struct fathom_page_difference *last = last_difference(table);
	if (!last)
		return;
	struct estimate saved = difference_at(table, last->size_bytes);
	const struct fathom_point *base = points_at(curves->items[0], last->size_bytes);
	const char *small = points_page(&curves->items[0]->points[0].spec);
	const char *large = points_page(&curves->items[table->other]->points[0].spec);
	bool has_interval = isfinite(saved.low) && isfinite(saved.high);
	bool differs = !(saved.low <= 0 && saved.high >= 0);
	text_add(&line, "a random access into %s costs ", rounding_size(last->size_bytes).text);
	if (!differs)
		text_add(&line, "the same on %s as on %s pages, within the interval", large, small);
	else
		text_add(&line, "%s %s %s on %s than on %s pages",
			 rounding_number(fabs(saved.value)).text, pages_unit(curves),
			 saved.value < 0 ? "more" : "less", large, small);
	if (differs && base && base->latency_ns > fabs(last->ns))
		text_add(&line, ", %s", rounding_percent(fabs(last->ns) / base->latency_ns).text);
	if (has_interval && differs) {
		double sign = copysign(1, saved.value);
		struct estimate moved = {sign * saved.value,
					 fmin(sign * saved.low, sign * saved.high),
					 fmax(sign * saved.low, sign * saved.high)};
		text_add(&line, "; 95 %%: %s", rounding_difference_interval(moved).text);
	}
	if (last->pairs)
		text_add(&line, " (%zu %s measured side by side%s)", last->pairs,
			 last->pairs == 1 ? "pair of blocks" : "pairs of blocks",
			 has_interval ? "" : ", too few for an interval");
	view_take(view, VIEW_NOTE, &line);
	add_slower(view, table, large);
}

void kinds_view(struct view *view, const struct page_curves *curves)
{
	struct kinds table = {.curves = curves};
	if (curves->count == 0)
		return;
	table.other = find_other(curves);
	view_part(view, "pages", "Page kinds");
	add_table(view, &table);
	add_saving(view, &table);
}
