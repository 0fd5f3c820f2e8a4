/* What address translation is like on each kind of pages. */
#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "render/experiments/text_pages.h"
#include "render/text/text_columns.h"
#include "render/text/text_table.h"

#define INDENT       2
#define KIND_COLUMNS 6
#define SURE         0.9 /* what is less sure is marked */
#define SPREAD       7
#define BESIDE       9

struct table {
	const struct layout *layout;
	const struct page_curves *curves;
	struct text_columns columns;
};

/* A TLB, or walks to tables in one place. */
struct row {
	const struct fathom_translation *found;
	size_t which;
};

static const struct fathom_tlb *tlb_of(const struct row *row)
{
	return &row->found->tlbs[row->which];
}

static const struct fathom_walk *walk_of(const struct row *row)
{
	return &row->found->walks[row->which];
}

const char *text_translation_name(const struct fathom_translation *found)
{
	const char *name = page_name((int)found->page);
	return name ? name : "unknown";
}

bool text_tlb_is_unsure(const struct fathom_tlb *tlb)
{
	return tlb->confidence < SURE;
}

/* ---- cells ---- */

static char *kind_text(const void *table, const void *row, size_t which)
{
	(void)table;
	(void)which;
	return text_format("%s", text_translation_name(((const struct row *)row)->found));
}

static char *level_text(const void *table, const void *row, size_t which)
{
	const struct row *tlb = row;
	(void)table;
	(void)which;
	return text_format("TLB %zu%s", tlb->which + 1,
			   text_tlb_is_unsure(tlb_of(tlb)) ? " ?" : "");
}

static char *entries_text(const void *table, const void *row, size_t which)
{
	double entries = tlb_of(row)->entries;
	(void)table;
	(void)which;
	return isfinite(entries) ? text_format("%.0f", entries) : text_format("-");
}

static const char *dash(const struct table *table)
{
	return table->layout->utf8 ? "\u2013" : "-";
}

static char *entries_range_text(const void *items, const void *row, size_t which)
{
	const struct table *table = items;
	const struct fathom_tlb *tlb = tlb_of(row);
	(void)which;
	if (!isfinite(tlb->entries_low) || !isfinite(tlb->entries_high))
		return text_format("%s", "");
	return text_format(" (%.0f%s%.0f)", tlb->entries_low, dash(table), tlb->entries_high);
}

static char *reach_text(const void *table, const void *row, size_t which)
{
	char size[UNITS_TEXT_BYTES];
	double bytes = tlb_of(row)->entries * (double)((const struct row *)row)->found->entry_bytes;
	(void)table;
	(void)which;
	if (!(bytes > 0 && bytes < 0x1p63))
		return text_format("-");
	return text_format("%s", layout_size((uint64_t)llround(bytes), false, size));
}

static struct table_value penalty_of(const struct fathom_tlb *tlb, enum fathom_y y)
{
	if (y == FATHOM_Y_CYCLES)
		return (struct table_value){tlb->penalty_cycles, tlb->penalty_low_cycles,
					    tlb->penalty_high_cycles};
	return (struct table_value){tlb->penalty_ns, tlb->penalty_low_ns, tlb->penalty_high_ns};
}

static struct table_value cost_of(const struct fathom_walk *walk, enum fathom_y y)
{
	if (y == FATHOM_Y_CYCLES)
		return (struct table_value){walk->cycles, walk->low_cycles, walk->high_cycles};
	return (struct table_value){walk->ns, walk->low_ns, walk->high_ns};
}

/* `which`: in what unit. */
static char *penalty_text(const void *table, const void *row, size_t which)
{
	(void)table;
	return table_number_text(penalty_of(tlb_of(row), (enum fathom_y)which).value);
}

static char *cost_text(const void *table, const void *row, size_t which)
{
	(void)table;
	return table_number_text(cost_of(walk_of(row), (enum fathom_y)which).value);
}

static char *spread_text(const struct table *table, struct table_value value)
{
	char *spread = table_spread_text(table->layout, value);
	char *cell = spread ? text_format(" %s", spread) : NULL;
	free(spread);
	return cell;
}

static char *penalty_spread_text(const void *table, const void *row, size_t which)
{
	return spread_text(table, penalty_of(tlb_of(row), (enum fathom_y)which));
}

static char *cost_spread_text(const void *table, const void *row, size_t which)
{
	return spread_text(table, cost_of(walk_of(row), (enum fathom_y)which));
}

static char *place_text(const void *items, const void *row, size_t which)
{
	const struct table *table = items;
	const struct fathom_walk *walk = walk_of(row);
	struct text cell = {0};
	(void)which;
	if (!walk->level)
		return text_format("not known");
	layout_outside(table->layout, &cell, walk->level);
	return text_take(&cell);
}

/* Of no more than three digits: how many pages is not known better. */
static double rounded(double pages)
{
	double unit = pow(10, fmax(0, floor(log10(pages)) - 2));
	return unit * round(pages / unit);
}

static char *visited_text(const void *items, const void *row, size_t which)
{
	const struct table *table = items;
	const struct fathom_walk *walk = walk_of(row);
	(void)which;
	if (!(walk->from_pages >= 1))
		return text_format("-");
	if (!(walk->to_pages >= 1))
		return text_format("> %.0f", rounded(walk->from_pages));
	return text_format("%.0f%s%.0f", rounded(walk->from_pages), dash(table),
			   rounded(walk->to_pages));
}

static char *tables_text(const void *items, const void *row, size_t which)
{
	const struct table *table = items;
	const struct fathom_translation *found = ((const struct row *)row)->found;
	const struct fathom_walk *walk = walk_of(row);
	const struct fathom_machine *machine = table->curves->result->machine;
	double bytes = (double)page_table_bytes((int)found->page, found->entry_bytes,
						machine ? machine->base_page_bytes : 0);
	double low = bytes * walk->from_pages, high = bytes * walk->to_pages;
	char size[UNITS_TEXT_BYTES];
	(void)which;
	if (!(low >= 0 && low < 0x1p63))
		return text_format("-");
	if (!isfinite(high))
		return text_format("> %s", layout_size((uint64_t)low, false, size));
	return text_format("%s", layout_size_range(table->layout, low, high, size));
}

/* ---- the tables ---- */

typedef char *make_cell(const void *table, const void *row, size_t which);

/* The time in the unit that was asked for, its interval, and the other unit. */
static void add_times(struct text_columns *columns, const char *top, make_cell *make,
		      make_cell *make_spread, enum fathom_y y, bool beside)
{
	enum fathom_y other = y == FATHOM_Y_NS ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
	const char *names[] = {[FATHOM_Y_NS] = "ns", [FATHOM_Y_CYCLES] = "cycles"};
	text_columns_add(columns, (struct text_column){top, names[y], BESIDE, false, 0, make, y});
	text_columns_add(columns,
			 (struct text_column){NULL, NULL, SPREAD + 1, true, 1, make_spread, y});
	if (beside)
		text_columns_add(columns, (struct text_column){NULL, names[other], BESIDE, false, 4,
							       make, other});
}

static size_t count_rows(const struct fathom_translation *found, bool walks)
{
	return walks ? found->walk_count : found->tlb_count;
}

/* Is anything known in the other unit as well? */
static bool has_beside(const struct table *table, bool walks)
{
	const struct fathom_result *result = table->curves->result;
	enum fathom_y other = table->curves->y == FATHOM_Y_NS ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
	for (size_t i = 0; i < result->translation_count; i++)
		for (size_t k = 0; k < count_rows(&result->translations[i], walks); k++) {
			const struct row row = {&result->translations[i], k};
			if (isfinite(walks ? cost_of(walk_of(&row), other).value
					   : penalty_of(tlb_of(&row), other).value))
				return true;
		}
	return false;
}

static void add_rows(const struct table *table, bool walks)
{
	const struct fathom_result *result = table->curves->result;
	text_columns_heading(table->layout, &table->columns);
	for (size_t i = 0; i < result->translation_count; i++)
		for (size_t k = 0; k < count_rows(&result->translations[i], walks); k++) {
			const struct row row = {&result->translations[i], k};
			text_columns_row(table->layout, &table->columns, table, &row);
		}
}

static void add_tlb_columns(struct table *table)
{
	struct text_columns *columns = &table->columns;
	columns->indent = INDENT;
	text_columns_add(columns,
			 (struct text_column){"pages", NULL, KIND_COLUMNS, true, 0, kind_text, 0});
	text_columns_add(columns, (struct text_column){"level", NULL, 8, true, 0, level_text, 0});
	text_columns_add(columns,
			 (struct text_column){"entries", NULL, 7, false, 0, entries_text, 0});
	text_columns_add(columns,
			 (struct text_column){NULL, NULL, 13, true, 2, entries_range_text, 0});
	text_columns_add(columns, (struct text_column){"reach", NULL, 10, false, 3, reach_text, 0});
	add_times(columns, "penalty", penalty_text, penalty_spread_text, table->curves->y,
		  has_beside(table, false));
	text_columns_fit(table->layout, columns);
}

static void add_walk_columns(struct table *table)
{
	struct text_columns *columns = &table->columns;
	columns->indent = INDENT;
	text_columns_add(columns,
			 (struct text_column){"pages", NULL, KIND_COLUMNS, true, 0, kind_text, 0});
	text_columns_add(columns,
			 (struct text_column){"tables in", NULL, 10, true, 0, place_text, 0});
	text_columns_add(columns,
			 (struct text_column){"pages", "visited", 15, false, 2, visited_text, 0});
	text_columns_add(columns,
			 (struct text_column){"leaf tables", "take", 16, false, 3, tables_text, 0});
	add_times(columns, "cost", cost_text, cost_spread_text, table->curves->y,
		  has_beside(table, true));
	text_columns_fit(table->layout, columns);
}

/* ---- all ---- */

static void add_tlbs(const struct layout *layout, const struct page_curves *curves, bool any)
{
	const struct fathom_result *result = curves->result;
	struct table table = {.layout = layout, .curves = curves};
	struct text line = {0};
	layout_end_part(layout);
	if (any) {
		text_add(&line, "TLBs, and what missing one adds while the next, or a walk, "
				"answers:");
		layout_item(layout, "", false, &line);
		add_tlb_columns(&table);
		add_rows(&table, false);
	}
	text_tlb_words(layout, result);
}

static void add_walks(const struct layout *layout, const struct page_curves *curves, bool any)
{
	const struct fathom_result *result = curves->result;
	struct table table = {.layout = layout, .curves = curves};
	struct text line = {0};
	layout_end_part(layout);
	if (any) {
		text_add(&line, "walks, by where the leaf page tables are; what an access costs "
				"more than one that hits the first TLB:");
		layout_item(layout, "", false, &line);
		add_walk_columns(&table);
		add_rows(&table, true);
	}
	text_walk_words(layout, result);
}

void text_translation(const struct layout *layout, const struct page_curves *curves)
{
	const struct fathom_result *result = curves->result;
	bool tlbs = false, walks = false;
	for (size_t i = 0; i < result->translation_count; i++) {
		tlbs |= result->translations[i].tlb_count > 0;
		walks |= result->translations[i].walk_count > 0;
	}
	if (text_has_tlb_words(result))
		add_tlbs(layout, curves, tlbs);
	if (result->translation_count)
		add_walks(layout, curves, walks);
}
