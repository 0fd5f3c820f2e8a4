/* Tables of a view. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "views/rounding.h"
#include "views/view_grow.h"

/* NULL: memory ran out before. */
static struct view_table *this_table(struct view *view)
{
	struct view_block *block = view_last_block(view);
	return block ? &block->table : NULL;
}

static struct view_row *this_row(struct view *view)
{
	struct view_table *table = this_table(view);
	return table && table->row_count ? &table->rows[table->row_count - 1] : NULL;
}

static struct view_cell *this_cell(struct view *view)
{
	struct view_row *row = this_row(view);
	return row && row->count ? &row->cells[row->count - 1] : NULL;
}

void view_table(struct view *view, unsigned indent, enum view_flow flow)
{
	struct view_block *block = view_new_block(view, VIEW_TABLE);
	if (!block)
		return;
	block->table.indent = indent;
	block->table.flow = flow;
}

void view_table_left_out(struct view *view, size_t count, const char *one, const char *many)
{
	struct view_table *table = this_table(view);
	if (!table)
		return;
	table->left_out = count;
	table->left_out_one = one;
	table->left_out_many = many;
}

void view_column(struct view *view, const char *top, const char *unit, struct view_column column)
{
	struct view_table *table = this_table(view);
	if (!table)
		return;
	column.top = NULL;
	column.unit = NULL;
	VIEW_GROW(view, table->columns, table->column_count);
	struct view_column *added = &table->columns[table->column_count - 1];
	*added = column;
	added->top = view_copy(view, top);
	added->unit = view_copy(view, unit);
}

void view_row(struct view *view)
{
	struct view_table *table = this_table(view);
	if (table)
		VIEW_GROW(view, table->rows, table->row_count);
}

static void add_cell(struct view *view, enum view_cell_kind kind, const char *text)
{
	struct view_row *row = this_row(view);
	if (!row)
		return;
	VIEW_GROW(view, row->cells, row->count);
	row->cells[row->count - 1] = (struct view_cell){
		.kind = kind, .value = NAN, .low = NAN, .high = NAN, .text = view_copy(view, text)};
}

void view_empty(struct view *view)
{
	add_cell(view, VIEW_EMPTY, "");
}

void view_name(struct view *view, const char *format, ...)
{
	struct text words = {0};
	va_list arguments;
	va_start(arguments, format);
	text_vadd(&words, format, arguments);
	va_end(arguments);
	char *name = view_taken(view, &words);
	add_cell(view, VIEW_NAME, name);
	free(name);
}

void view_count(struct view *view, double count)
{
	if (isfinite(count))
		view_name(view, "%.0f", count);
	else
		view_name(view, "-");
	struct view_cell *cell = this_cell(view);
	if (!cell)
		return;
	cell->kind = VIEW_COUNT;
	cell->value = count;
}

void view_size(struct view *view, double bytes)
{
	char size[UNITS_TEXT_BYTES] = "-";
	if (bytes > 0 && bytes < 0x1p63)
		rounding_size((uint64_t)llround(bytes), false, size);
	add_cell(view, VIEW_SIZE, size);
}

static void add_number(struct view *view, struct view_cell estimate, int most, const char *spread)
{
	char number[UNITS_TEXT_BYTES];
	add_cell(view, VIEW_ESTIMATE, rounding_number(estimate.value, most, number));
	struct view_cell *cell = this_cell(view);
	if (!cell)
		return;
	cell->value = estimate.value;
	cell->low = estimate.low;
	cell->high = estimate.high;
	cell->spread = view_copy(view, spread);
}

void view_estimate(struct view *view, double value, double low, double high)
{
	char spread[UNITS_TEXT_BYTES];
	add_number(view, (struct view_cell){.value = value, .low = low, .high = high}, 2,
		   rounding_spread(value, low, high, spread));
}

void view_difference(struct view *view, double value, double low, double high)
{
	char spread[UNITS_TEXT_BYTES];
	add_number(view, (struct view_cell){.value = value, .low = low, .high = high}, 2,
		   rounding_difference(value, low, high, spread));
}

void view_number(struct view *view, double value)
{
	add_number(view, (struct view_cell){.value = value, .low = NAN, .high = NAN}, 3, "");
}

/* Takes it. */
static void replace(struct view *view, char **text, char *with)
{
	view->failed |= !with;
	free(*text);
	*text = with;
}

static bool is_known(const struct view_cell *cell)
{
	return cell && cell->text && strcmp(cell->text, "-") != 0;
}

void view_before(struct view *view, const char *before)
{
	struct view_cell *cell = this_cell(view);
	if (is_known(cell) && before && *before)
		replace(view, &cell->text, text_format("%s%s", before, cell->text));
}

void view_after(struct view *view, const char *after)
{
	struct view_cell *cell = this_cell(view);
	if (is_known(cell) && after && *after)
		replace(view, &cell->text, text_format("%s%s", cell->text, after));
}

void view_spread(struct view *view, const char *spread)
{
	struct view_cell *cell = this_cell(view);
	if (cell)
		replace(view, &cell->spread, text_format("%s", spread));
}

void view_mark(struct view *view, char mark)
{
	struct view_cell *cell = this_cell(view);
	if (cell)
		cell->mark = mark;
}

void view_attention(struct view *view, bool attention)
{
	struct view_cell *cell = this_cell(view);
	if (cell)
		cell->attention = attention;
}

void view_row_mark(struct view *view, char mark)
{
	struct view_row *row = this_row(view);
	if (row)
		row->mark = mark;
}

void view_row_note(struct view *view, struct text *note)
{
	struct view_row *row = this_row(view);
	view->failed |= note->failed;
	if (row && note->length)
		row->note = view_taken(view, note);
	text_free(note);
}

void view_row_words(struct view *view, const char *words)
{
	struct view_row *row = this_row(view);
	if (row)
		row->words = view_copy(view, words);
}
