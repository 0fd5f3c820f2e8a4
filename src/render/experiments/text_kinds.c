/* The same chain on each kind of pages, side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "render/experiments/text_pages.h"
#include "render/experiments/text_patterns.h"
#include "render/text/text_columns.h"
#include "render/text/text_table.h"

#define SIZE_COLUMNS       8
#define VALUE_COLUMNS      8
#define DIFFERENCE_COLUMNS 9
#define SPREAD_COLUMNS     7
#define SPREAD_RANK        (FATHOM_PAGE_UNKNOWN + 3)

struct table {
	const struct layout *layout;
	const struct page_curves *curves;
	size_t other; /* the curve whose difference to the first is shown; 0: none is */
	struct text_columns columns;
	char names[FATHOM_PAGE_UNKNOWN][UNITS_TEXT_BYTES];
	char obtained[FATHOM_PAGE_UNKNOWN][UNITS_TEXT_BYTES];
	char difference[2 * UNITS_TEXT_BYTES];
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

static char *size_text(const void *table, const void *row, size_t which)
{
	char size[UNITS_TEXT_BYTES];
	(void)table;
	(void)which;
	return text_format("%s", layout_size(*(const uint64_t *)row, false, size));
}

static char *value_text(const void *items, const void *row, size_t which)
{
	const struct table *table = items;
	const struct fathom_point *point =
		text_point_at(table->curves->items[which], *(const uint64_t *)row);
	char mark = point ? table_mark(point, table->curves->y) : 0;
	char *number = table_number_text(point ? table_value(point, table->curves->y).value : NAN);
	char *cell = number ? text_format("%s%c", number, mark ? mark : ' ') : NULL;
	free(number);
	return cell;
}

static char *spread_text(const void *items, const void *row, size_t which)
{
	const struct table *table = items;
	const struct fathom_point *point =
		text_point_at(table->curves->items[which], *(const uint64_t *)row);
	return point ? table_spread_text(table->layout, table_value(point, table->curves->y))
		     : text_format("%s", "");
}

/* Takes `cell`. */
static char *after_blank(char *cell)
{
	char *wider = cell ? text_format(" %s", cell) : NULL;
	free(cell);
	return wider;
}

static struct table_value difference_at(const struct table *table, uint64_t size_bytes)
{
	const struct page_curves *curves = table->curves;
	const struct fathom_page_difference *difference =
		find_difference(curves, table->other, size_bytes);
	double factor = text_pages_factor(curves, curves->items[0], size_bytes);
	if (!difference)
		return (struct table_value){NAN, NAN, NAN};
	return (struct table_value){factor * difference->ns, factor * difference->low_ns,
				    factor * difference->high_ns};
}

static char *difference_text(const void *items, const void *row, size_t which)
{
	(void)which;
	return table_number_text(difference_at(items, *(const uint64_t *)row).value);
}

static char *difference_spread_text(const void *items, const void *row, size_t which)
{
	const struct table *table = items;
	(void)which;
	return after_blank(
		table_signed_text(table->layout, difference_at(table, *(const uint64_t *)row)));
}

/* Over the values: "4 KiB"; "mixed" where points differ, or have it in part. */
static void name_obtained(struct table *table, size_t which)
{
	char size[UNITS_TEXT_BYTES];
	const struct fathom_curve *curve = table->curves->items[which];
	const char *name = "unknown";
	if (!table_same_pages(curve))
		name = "mixed";
	else if (curve->points[0].page_bytes)
		name = layout_size(curve->points[0].page_bytes, false, size);
	snprintf(table->obtained[which], UNITS_TEXT_BYTES, "%s ", name);
	snprintf(table->names[which], UNITS_TEXT_BYTES, "%s ", text_pages_name(curve));
}

/* Spreads go first, then sizes of multi-size THP from the largest on, then the other kinds. */
static unsigned rank_of_value(const struct table *table, size_t which)
{
	if (which == 0 || which == table->other)
		return 0;
	int page = (int)table->curves->items[which]->points[0].spec.page;
	return page_is_multi_size(page) ? 3 + (unsigned)which : 2;
}

static void find_columns(struct table *table)
{
	const struct page_curves *curves = table->curves;
	struct text_columns *columns = &table->columns;
	text_columns_add(columns,
			 (struct text_column){"size", NULL, SIZE_COLUMNS, false, 0, size_text, 0});
	for (size_t i = 0; i < curves->count; i++) {
		name_obtained(table, i);
		text_columns_add(columns,
				 (struct text_column){table->names[i], table->obtained[i],
						      VALUE_COLUMNS, false, rank_of_value(table, i),
						      value_text, i});
		text_columns_add(columns, (struct text_column){NULL, NULL, SPREAD_COLUMNS, true,
							       SPREAD_RANK, spread_text, i});
	}
	if (table->other) {
		snprintf(table->difference, sizeof(table->difference), "%s - %s",
			 text_pages_name(curves->items[0]),
			 text_pages_name(curves->items[table->other]));
		text_columns_add(columns,
				 (struct text_column){table->difference, NULL, DIFFERENCE_COLUMNS,
						      false, 0, difference_text, 0});
		text_columns_add(columns, (struct text_column){NULL, NULL, SPREAD_COLUMNS, true, 1,
							       difference_spread_text, 0});
	}
	text_columns_fit(table->layout, columns);
}

static void add_left_out(const struct table *table)
{
	struct text line = {0};
	size_t left_out = table->curves->count;
	for (size_t i = 0; i < table->columns.count; i++)
		left_out -= table->columns.items[i].make == value_text;
	if (!left_out)
		return;
	text_add(&line, "%zu more %s no room here: --json or --format csv", left_out,
		 left_out == 1 ? "kind of pages has" : "kinds of pages have");
	layout_item(table->layout, "  ", false, &line);
}

static void add_table(struct table *table)
{
	const struct layout *layout = table->layout;
	const struct page_curves *curves = table->curves;
	struct text line = {0};
	text_add(&line, "latency of the same chain %s, %s:",
		 curves->count > 1 ? "on each kind of pages" : "against its size",
		 text_pages_unit(curves));
	layout_item(layout, "", false, &line);
	find_columns(table);
	text_columns_heading(layout, &table->columns);
	for (uint64_t last = 0, size; (size = text_pages_row(layout, curves, &last)) != 0;)
		text_columns_row(layout, &table->columns, table, &size);
	layout_end_part(layout);
	add_left_out(table);
	text_exactness(layout, curves->result);
}

/* Of the largest size that has one; NULL. */
static const struct fathom_page_difference *last_difference(const struct table *table)
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

/* What the largest pages are worth at the largest size. */
static void add_saving(const struct layout *layout, const struct table *table)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	const struct page_curves *curves = table->curves;
	const struct fathom_page_difference *last = last_difference(table);
	if (!last)
		return;
	struct table_value saved = difference_at(table, last->size_bytes);
	const struct fathom_point *base = text_point_at(curves->items[0], last->size_bytes);
	const char *small = text_pages_name(curves->items[0]);
	const char *large = text_pages_name(curves->items[table->other]);
	bool told = isfinite(saved.low) && isfinite(saved.high);
	bool differs = !(saved.low <= 0 && saved.high >= 0);
	text_add(&line, "a random access into %s costs ",
		 layout_size(last->size_bytes, false, size));
	if (!differs)
		text_add(&line, "as much on %s as on %s pages, as far as the interval tells", large,
			 small);
	else
		text_add(&line, "%.3g %s %s on %s than on %s pages", fabs(saved.value),
			 text_pages_unit(curves), saved.value < 0 ? "more" : "less", large, small);
	if (differs && base && base->latency_ns > fabs(last->ns))
		text_add(&line, ", %.0f %%", 100 * fabs(last->ns) / base->latency_ns);
	if (told && differs)
		text_add(&line, "; 95 %%: %.3g to %.3g", copysign(1, saved.value) * saved.low,
			 copysign(1, saved.value) * saved.high);
	if (last->pairs)
		text_add(&line, " (%zu %s measured side by side%s)", last->pairs,
			 last->pairs == 1 ? "pair of blocks" : "pairs of blocks",
			 told ? "" : ", too few for an interval");
	layout_item(layout, "  ", false, &line);
}

void text_kinds(const struct layout *layout, const struct page_curves *curves)
{
	struct table table = {.layout = layout, .curves = curves};
	if (curves->count == 0)
		return;
	table.other = find_other(curves);
	add_table(&table);
	add_saving(layout, &table);
}
