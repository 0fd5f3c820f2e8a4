/* What the place in memory makes of a latency, apart from noise. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "render/experiments/text_pages.h"
#include "render/experiments/text_patterns.h"
#include "render/text/text_columns.h"
#include "render/text/text_table.h"

#define SIZE_COLUMNS   8
#define SPREAD_COLUMNS 10

struct table {
	const struct page_curves *curves;
	char names[FATHOM_PAGE_UNKNOWN][UNITS_TEXT_BYTES];
	struct text_columns columns;
};

static bool is_known(const struct fathom_point *point)
{
	return point && isfinite(point->placement_spread_ns) && isfinite(point->noise_spread_ns);
}

static char *size_text(const void *table, const void *row, size_t which)
{
	char size[UNITS_TEXT_BYTES];
	(void)table;
	(void)which;
	return text_format("%s", layout_size(*(const uint64_t *)row, false, size));
}

static char *spread_text(const struct table *table, uint64_t size_bytes, size_t which, bool noise)
{
	const struct fathom_curve *curve = table->curves->items[which];
	const struct fathom_point *point = text_point_at(curve, size_bytes);
	double factor = text_pages_factor(table->curves, curve, size_bytes);
	if (!is_known(point))
		return text_format("-");
	return table_number_text(factor *
				 (noise ? point->noise_spread_ns : point->placement_spread_ns));
}

static char *place_text(const void *table, const void *row, size_t which)
{
	return spread_text(table, *(const uint64_t *)row, which, false);
}

static char *noise_text(const void *table, const void *row, size_t which)
{
	return spread_text(table, *(const uint64_t *)row, which, true);
}

static bool has_row(const struct page_curves *curves, uint64_t size_bytes)
{
	for (size_t i = 0; i < curves->count; i++)
		if (is_known(text_point_at(curves->items[i], size_bytes)))
			return true;
	return false;
}

static void find_columns(const struct layout *layout, struct table *table)
{
	struct text_columns *columns = &table->columns;
	text_columns_add(columns,
			 (struct text_column){"size", NULL, SIZE_COLUMNS, false, 0, size_text, 0});
	for (size_t i = 0; i < table->curves->count; i++) {
		unsigned rank = (unsigned)i;
		snprintf(table->names[i], UNITS_TEXT_BYTES, "%s",
			 text_pages_name(table->curves->items[i]));
		text_columns_add(columns,
				 (struct text_column){table->names[i], "place", SPREAD_COLUMNS,
						      false, rank, place_text, i});
		text_columns_add(columns, (struct text_column){NULL, "noise", SPREAD_COLUMNS, false,
							       rank, noise_text, i});
	}
	text_columns_fit(layout, columns);
}

/* Where the place makes most. */
static void add_most(const struct layout *layout, const struct fathom_curve *curve)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	const struct fathom_point *most = NULL;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		if (is_known(point) && point->latency_ns > 0 &&
		    (!most || point->placement_spread_ns / point->latency_ns >
				      most->placement_spread_ns / most->latency_ns))
			most = point;
	}
	if (!most)
		return;
	text_add(&line, "%s: ", text_pages_name(curve));
	if (most->placement_spread_ns > 0)
		text_add(&line,
			 "the place makes most at %s, %.2g %% of the latency; noise is %.2g %%",
			 layout_size(most->spec.size_bytes, false, size),
			 100 * most->placement_spread_ns / most->latency_ns,
			 100 * most->noise_spread_ns / most->latency_ns);
	else
		text_add(&line, "what the place makes is lost in the noise at all sizes");
	layout_item(layout, "  ", false, &line);
}

void text_places(const struct layout *layout, const struct page_curves *curves)
{
	struct table table = {.curves = curves};
	struct text line = {0};
	bool any = false;
	for (uint64_t last = 0, size; (size = text_pages_row(layout, curves, &last)) != 0;)
		any |= has_row(curves, size);
	if (!any)
		return;
	layout_end_part(layout);
	text_add(&line,
		 "what the place in memory makes, apart from noise; standard deviations, "
		 "%s:",
		 text_pages_unit(curves));
	layout_item(layout, "", false, &line);
	find_columns(layout, &table);
	text_columns_heading(layout, &table.columns);
	for (uint64_t last = 0, size; (size = text_pages_row(layout, curves, &last)) != 0;)
		if (has_row(curves, size))
			text_columns_row(layout, &table.columns, &table, &size);
	for (size_t i = 0; i < curves->count; i++)
		add_most(layout, curves->items[i]);
}
