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

void view_table(struct view *view)
{
	view_new_block(view, VIEW_TABLE);
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

void view_column(struct view *view, struct view_column column)
{
	struct view_table *table = this_table(view);
	if (!table)
		return;
	VIEW_GROW(view, table->columns, table->column_count);
	column.top = view_copy(view, column.top);
	column.unit = view_copy(view, column.unit);
	table->columns[table->column_count - 1] = column;
}

void view_column_take(struct view *view, struct text *top, struct view_column column)
{
	char *taken = view_taken(view, top);
	column.top = taken;
	view_column(view, column);
	free(taken);
}

void view_columns(struct view *view, const struct view_column *columns, size_t count)
{
	for (size_t i = 0; i < count; i++)
		view_column(view, columns[i]);
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
		.kind = kind, .low = NAN, .high = NAN, .text = view_copy(view, text)};
}

void view_empty(struct view *view)
{
	add_cell(view, VIEW_EMPTY, "");
}

/* Takes what `words` holds and leaves it empty. */
static void take_cell(struct view *view, enum view_cell_kind kind, struct text *words)
{
	char *taken = view_taken(view, words);
	add_cell(view, kind, taken);
	free(taken);
}

void view_name(struct view *view, const char *format, ...)
{
	struct text words = {0};
	TEXT_ADD_ALL(&words, format);
	take_cell(view, VIEW_NAME, &words);
}

void view_name_take(struct view *view, struct text *words)
{
	take_cell(view, VIEW_NAME, words);
}

void view_quantity(struct view *view, const char *format, ...)
{
	struct text words = {0};
	TEXT_ADD_ALL(&words, format);
	take_cell(view, VIEW_QUANTITY, &words);
}

void view_rounded(struct view *view, struct rounded rounded)
{
	add_cell(view, VIEW_QUANTITY, rounded.text);
}

void view_count(struct view *view, double count)
{
	if (isfinite(count))
		view_quantity(view, "%.0f", count);
	else
		view_quantity(view, "-");
}

void view_size(struct view *view, double bytes)
{
	bool known = bytes > 0 && bytes < 0x1p63;
	view_quantity(view, "%s", known ? rounding_size((uint64_t)llround(bytes)).text : "-");
}

void view_number(struct view *view, double value)
{
	view_rounded(view, rounding_number(value));
}

void view_number_or_range(struct view *view, struct estimate estimate)
{
	view_rounded(view, rounding_or_range(estimate));
}

static void add_estimate(struct view *view, struct estimate estimate, struct rounded spread)
{
	view_number(view, estimate.value);
	struct view_cell *cell = this_cell(view);
	if (!cell)
		return;
	cell->low = estimate.low;
	cell->high = estimate.high;
	view_spread(view, spread.text);
}

void view_estimate(struct view *view, struct estimate estimate)
{
	add_estimate(view, estimate, rounding_spread(estimate));
}

void view_difference(struct view *view, struct estimate estimate)
{
	add_estimate(view, estimate, rounding_difference(estimate));
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
	if (cell && *spread)
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

/* ---- what follows from the cells ---- */

struct rounded view_cell_range(const struct view_cell *cell)
{
	return rounding_range(cell->low, cell->high);
}

/* VIEW_EMPTY: none of them says anything. */
static enum view_cell_kind kind_of(const struct view_table *table, size_t which)
{
	enum view_cell_kind kind = VIEW_EMPTY;
	for (size_t i = 0; i < table->row_count; i++) {
		const struct view_row *row = &table->rows[i];
		if (which >= row->count)
			continue;
		const struct view_cell *cell = &row->cells[which];
		bool says = cell->mark || (is_known(cell) && *cell->text);
		if (says && cell->kind > kind)
			kind = cell->kind;
	}
	return kind;
}

bool view_column_shown(const struct view_table *table, size_t which)
{
	return which == 0 || kind_of(table, which) != VIEW_EMPTY;
}

bool view_column_left(const struct view_table *table, size_t which)
{
	return kind_of(table, which) != VIEW_QUANTITY;
}

const char *view_column_top(const struct view_table *table, size_t which)
{
	const struct view_column *columns = table->columns;
	size_t first = which, end = which + 1;
	while (first > 0 && columns[first].joined)
		first--;
	while (end < table->column_count && columns[end].joined)
		end++;
	const char *top = columns[which].top;
	for (size_t i = first; i < end && !top; i++)
		top = columns[i].top;
	return top;
}
