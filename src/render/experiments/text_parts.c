/* Of what a latency is made up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/experiments/text_pages.h"
#include "render/experiments/text_patterns.h"
#include "render/text/text_columns.h"
#include "render/text/text_table.h"

#define SIZE_COLUMNS  8
#define TOTAL_COLUMNS 12 /* right of the picture */
#define AXES          4  /* blanks and lines of the picture */
#define MOST_SHARE    1.5
#define MOST_BAR      100
#define TELLS_APART   0.03 /* of the total */

struct row {
	const struct fathom_decomposition *made;
	double factor; /* of ns, to what is shown */
};

static const struct fathom_decomposition *find_made(const struct page_curves *curves,
						    uint64_t size_bytes)
{
	const struct fathom_result *result = curves->result;
	for (size_t i = 0; i < result->decomposition_count; i++)
		if (result->decompositions[i].size_bytes == size_bytes &&
		    isfinite(result->decompositions[i].total.ns))
			return &result->decompositions[i];
	return NULL;
}

static bool next_row(const struct layout *layout, const struct page_curves *curves, uint64_t *last,
		     struct row *row)
{
	uint64_t size;
	while ((size = text_pages_row(layout, curves, last)) != 0) {
		row->made = find_made(curves, size);
		if (row->made)
			row->factor = text_pages_factor(curves, curves->items[0], size);
		if (row->made && isfinite(row->factor))
			return true;
	}
	return false;
}

/* ---- the table ---- */

#define TOTAL FATHOM_PART_COUNT /* in place of a part */

static struct table_value value_of(const struct row *row, size_t which)
{
	const struct fathom_cost *cost =
		which == TOTAL ? &row->made->total : &row->made->parts[which];
	return (struct table_value){row->factor * cost->ns, row->factor * cost->low_ns,
				    row->factor * cost->high_ns};
}

static char *size_text(const void *layout, const void *row, size_t which)
{
	char size[UNITS_TEXT_BYTES];
	(void)layout;
	(void)which;
	return text_format("%s",
			   layout_size(((const struct row *)row)->made->size_bytes, false, size));
}

static const char *no_more_than(const struct layout *layout)
{
	return layout->utf8 ? "\u2264" : "<=";
}

static char *part_text(const void *layout, const void *row, size_t which)
{
	const struct row *of = row;
	char *number = table_number_text(value_of(of, which).value), *cell = NULL;
	bool bound = which == FATHOM_PART_MEMORY && of->made->memory_is_bound;
	if (number)
		cell = text_format("%s%s", bound ? no_more_than(layout) : "", number);
	free(number);
	return cell;
}

static char *spread_text(const void *layout, const void *row, size_t which)
{
	char *spread = table_signed_text(layout, value_of(row, which));
	char *cell = spread ? text_format(" %s", spread) : NULL;
	free(spread);
	return cell;
}

static struct text_columns find_columns(const struct layout *layout)
{
	static const struct text_column all[] = {
		{"size", NULL, SIZE_COLUMNS, false, 0, size_text, 0},
		{"total", NULL, 7, false, 1, part_text, TOTAL},
		{NULL, NULL, 7, true, 3, spread_text, TOTAL},
		{"memory", NULL, 8, false, 0, part_text, FATHOM_PART_MEMORY},
		{NULL, NULL, 7, true, 5, spread_text, FATHOM_PART_MEMORY},
		{"TLB 2", NULL, 6, false, 0, part_text, FATHOM_PART_TLB},
		{NULL, NULL, 7, true, 6, spread_text, FATHOM_PART_TLB},
		{"walk", NULL, 7, false, 0, part_text, FATHOM_PART_WALK},
		{NULL, NULL, 7, true, 4, spread_text, FATHOM_PART_WALK},
		{"residual", NULL, 9, false, 0, part_text, FATHOM_PART_RESIDUAL},
		{NULL, NULL, 7, true, 2, spread_text, FATHOM_PART_RESIDUAL},
	};
	struct text_columns columns = {0};
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		text_columns_add(&columns, all[i]);
	text_columns_fit(layout, &columns);
	return columns;
}

/* What the marks of the rows mean. */
struct marks {
	bool bound, unknown;
};

static void add_notes(const struct layout *layout, struct marks marks)
{
	struct text line = {0};
	text_add(&line, "memory: the cache or memory itself; TLB 2: looking in the second TLB; "
			"residual: what these, measured each on its own, leave; it may be below 0");
	layout_item(layout, "  ", false, &line);
	if (marks.bound) {
		text_add(&line,
			 "%s: no more than that; it may have some translation in it, which the "
			 "residual then lacks",
			 no_more_than(layout));
		layout_item(layout, "  ", false, &line);
	}
	if (marks.unknown) {
		text_add(&line, "-: not measured, and so in the residual");
		layout_item(layout, "  ", false, &line);
	}
}

/* Of all rows from `first` to `last`, which have the same. */
static void add_evidence(const struct layout *layout, const struct fathom_decomposition *first,
			 const struct fathom_decomposition *last)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	if (!last->evidence)
		return;
	text_add(&line, "%s", layout_size(first->size_bytes, false, size));
	if (last != first)
		text_add(&line, " to %s", layout_size(last->size_bytes, false, size));
	text_add(&line, ": ");
	layout_outside(layout, &line, last->evidence);
	layout_item(layout, "  ", false, &line);
}

static bool same_evidence(const struct fathom_decomposition *a,
			  const struct fathom_decomposition *b)
{
	return a->evidence && b->evidence && strcmp(a->evidence, b->evidence) == 0;
}

static void add_all_evidence(const struct layout *layout, const struct page_curves *curves)
{
	const struct fathom_decomposition *first = NULL, *last = NULL;
	struct row row;
	for (uint64_t size = 0; next_row(layout, curves, &size, &row); last = row.made) {
		if (first && same_evidence(first, row.made))
			continue;
		if (first)
			add_evidence(layout, first, last);
		first = row.made;
	}
	if (first)
		add_evidence(layout, first, last);
}

static void add_table(const struct layout *layout, const struct page_curves *curves)
{
	const struct text_columns columns = find_columns(layout);
	const struct fathom_decomposition *largest = NULL;
	struct marks marks = {0};
	struct row row;
	text_columns_heading(layout, &columns);
	for (uint64_t last = 0; next_row(layout, curves, &last, &row);) {
		text_columns_row(layout, &columns, layout, &row);
		marks.bound |= row.made->memory_is_bound;
		for (int part = 0; part < FATHOM_PART_COUNT; part++)
			marks.unknown |= !isfinite(row.made->parts[part].ns);
		largest = row.made;
	}
	add_notes(layout, marks);
	if (layout->explain)
		add_all_evidence(layout, curves);
	else if (largest)
		add_evidence(layout, largest, largest);
}

/* ---- the picture ---- */

/* A bar a size, as wide as the total; what the parts are more goes beyond its end. */
struct picture {
	unsigned total, beyond; /* columns */
};

static const char *fill_of(const struct layout *layout, int part)
{
	static const char *const fills[][2] = {
		[FATHOM_PART_MEMORY] = {"#", "\u2588"},
		[FATHOM_PART_TLB] = {"T", "\u259e"},
		[FATHOM_PART_WALK] = {"w", "\u2592"},
		[FATHOM_PART_RESIDUAL] = {".", "\u00b7"},
	};
	return fills[part][layout->utf8];
}

/* All the parts up to this one, of the total. */
static double share_until(const struct fathom_decomposition *made, int part)
{
	double sum_ns = 0;
	for (int i = 0; i <= part; i++)
		if (made->parts[i].ns > 0)
			sum_ns += made->parts[i].ns;
	return sum_ns / made->total.ns;
}

static struct picture find_picture(const struct layout *layout, const struct page_curves *curves)
{
	unsigned room = layout->columns - SIZE_COLUMNS - TOTAL_COLUMNS - AXES;
	double most = 1;
	struct row row;
	for (uint64_t last = 0; next_row(layout, curves, &last, &row);)
		most = fmax(most, share_until(row.made, FATHOM_PART_RESIDUAL));
	room = room < MOST_BAR ? room : MOST_BAR;
	if (most < 1 + TELLS_APART)
		most = 1;
	unsigned total = (unsigned)(room / fmin(most, MOST_SHARE));
	return (struct picture){total, room - total};
}

static void add_axis(const struct layout *layout)
{
	text_add(layout->text, "%s", layout->utf8 ? "\u2502" : "|");
}

/* Before the column `at` of the bar stands its end. */
static void add_end(const struct layout *layout, const struct picture *picture, unsigned at)
{
	if (at == picture->total)
		add_axis(layout);
}

static void add_bar(const struct layout *layout, const struct picture *picture,
		    const struct fathom_decomposition *made)
{
	unsigned all = picture->total + picture->beyond, at = 0;
	double end = 0;
	for (int part = 0; part < FATHOM_PART_COUNT; part++) {
		end = round(share_until(made, part) * picture->total);
		for (; at < all && at < end; at++) {
			bool cut = picture->beyond && at + 1 == all && end > all;
			add_end(layout, picture, at);
			layout_colored(layout, (unsigned)part, cut ? ">" : fill_of(layout, part));
		}
	}
	for (; at < all; at++) {
		add_end(layout, picture, at);
		text_add(layout->text, " ");
	}
	add_end(layout, picture, at);
}

static void add_legend(const struct layout *layout, const struct picture *picture)
{
	static const char *const names[] = {
		[FATHOM_PART_MEMORY] = "the cache or memory itself",
		[FATHOM_PART_TLB] = "second TLB",
		[FATHOM_PART_WALK] = "walk",
		[FATHOM_PART_RESIDUAL] = "residual",
	};
	struct text line = {0};
	for (int part = 0; part < FATHOM_PART_COUNT; part++)
		text_add(&line, "%s%s %s", part ? ", " : "", fill_of(layout, part), names[part]);
	if (picture->beyond)
		text_add(&line, "; over the line: the parts are more than the total");
	layout_item(layout, "  ", false, &line);
}

static void add_picture(const struct layout *layout, const struct page_curves *curves)
{
	const struct picture picture = find_picture(layout, curves);
	struct text line = {0};
	struct row row;
	layout_end_part(layout);
	text_add(&line, "the same as shares of the total:");
	layout_item(layout, "", false, &line);
	for (uint64_t last = 0; next_row(layout, curves, &last, &row);) {
		layout_take_cell(layout, SIZE_COLUMNS, true, size_text(layout, &row, 0));
		text_add(layout->text, " ");
		add_axis(layout);
		add_bar(layout, &picture, row.made);
		char *total = table_number_text(value_of(&row, TOTAL).value);
		layout_take_cell(layout, TOTAL_COLUMNS, true,
				 total ? text_format("%s %s", total, text_pages_unit(curves))
				       : NULL);
		free(total);
		layout_end_line(layout);
	}
	add_legend(layout, &picture);
}

/* ---- all ---- */

/* Nothing but a residual says nothing. */
static bool has_parts(const struct fathom_decomposition *made)
{
	for (int part = 0; part < FATHOM_PART_RESIDUAL; part++)
		if (isfinite(made->parts[part].ns))
			return true;
	return false;
}

void text_parts(const struct layout *layout, const struct page_curves *curves)
{
	const struct fathom_decomposition *largest = NULL;
	struct text line = {0};
	struct row row;
	bool any = false;
	for (uint64_t last = 0; curves->count && next_row(layout, curves, &last, &row);) {
		largest = row.made;
		any |= has_parts(row.made);
	}
	if (!largest)
		return;
	layout_end_part(layout);
	if (any) {
		text_add(&line, "parts of a random access on %s pages, %s:",
			 text_pages_name(curves->items[0]), text_pages_unit(curves));
		layout_item(layout, "", false, &line);
		add_table(layout, curves);
		add_picture(layout, curves);
	} else {
		text_add(&line, "no parts of a latency can be told");
		layout_item(layout, "  ", false, &line);
		add_evidence(layout, largest, largest);
	}
}
