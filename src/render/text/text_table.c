#include "render/text/text_table.h"

#include <stdlib.h>

#include "base/utf8.h"

#define LEAST_BETWEEN 2 /* blanks before a note */
#define WORDS         "      "

/* The columns that are shown side by side. */
struct columns {
	const struct view_table *table;
	unsigned *widths; /* of each, by what is in it where it has none; none for what is shown
			     elsewhere or not at all */
	bool *shown, *spread;
};

/* A line under construction, and where it ends. */
struct line {
	const struct layout *layout;
	size_t at;
};

/* ---- a line ---- */

static size_t width_of(const struct layout *layout, const char *text)
{
	struct text safe = {0};
	utf8_add_escaped(&safe, text ? text : "", layout->utf8);
	size_t width = safe.data ? utf8_columns(safe.data) : 0;
	layout->text->failed |= safe.failed;
	text_free(&safe);
	return width;
}

static void go_to(struct line *line, size_t column)
{
	struct text *text = line->layout->text;
	for (; line->at < column; line->at++)
		text_add(text, " ");
	/* What is aligned to the right may be wider than its column. */
	for (; line->at > column && text->length > 1 && text->data[text->length - 1] == ' ' &&
	       text->data[text->length - 2] == ' ';
	     line->at--)
		text->data[--text->length] = 0;
}

/* At that column, or after a blank behind what reaches over it. */
static void put(struct line *line, size_t column, const char *text)
{
	struct text *all = line->layout->text;
	if (!text || !*text)
		return;
	go_to(line, column);
	if (line->at > column && all->length && all->data[all->length - 1] != ' ')
		go_to(line, line->at + 1);
	utf8_add_escaped(all, text, line->layout->utf8);
	line->at += width_of(line->layout, text);
}

static void put_attention(struct line *line, size_t column, const char *words)
{
	go_to(line, column);
	layout_mark(line->layout, words, true);
	line->at += width_of(line->layout, words);
}

static void put_mark(struct line *line, char mark)
{
	const char words[] = {mark, 0};
	if (!mark)
		return;
	layout_mark(line->layout, words, mark != '=');
	line->at++;
}

/* ---- which columns ---- */

static size_t widest(const struct layout *layout, const struct view_table *table, size_t which)
{
	size_t width = width_of(layout, table->columns[which].top);
	size_t unit = width_of(layout, table->columns[which].unit);
	width = unit > width ? unit : width;
	for (size_t i = 0; i < table->row_count; i++) {
		size_t cell = which < table->rows[i].count
				      ? width_of(layout, table->rows[i].cells[which].text)
				      : 0;
		width = cell > width ? cell : width;
	}
	return width;
}

/* With `spread` that of the column's interval. */
static unsigned columns_of(const struct columns *columns, size_t which, bool spread)
{
	const struct view_column *column = &columns->table->columns[which];
	return spread ? column->spread : column->before + columns->widths[which];
}

/* Of what is shown up to that rank. */
static size_t width_up_to(const struct columns *columns, unsigned rank)
{
	const struct view_table *table = columns->table;
	size_t width = table->indent;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct view_column *column = &table->columns[i];
		if (column->rank > rank)
			continue;
		width += columns_of(columns, i, false);
		width += column->spread_rank <= rank ? columns_of(columns, i, true) : 0;
	}
	return width;
}

static unsigned highest_rank(const struct view_table *table)
{
	unsigned highest = 0;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct view_column *column = &table->columns[i];
		highest = column->rank > highest ? column->rank : highest;
		highest = column->spread_rank > highest ? column->spread_rank : highest;
	}
	return highest;
}

static void drop(const struct layout *layout, struct columns *columns)
{
	const struct view_table *table = columns->table;
	unsigned highest = highest_rank(table), rank = 0;
	while (rank < highest && width_up_to(columns, rank + 1) <= layout->columns)
		rank++;
	for (size_t i = 0; i < table->column_count; i++) {
		columns->shown[i] = table->columns[i].rank <= rank;
		columns->spread[i] = columns->shown[i] && table->columns[i].spread &&
				     table->columns[i].spread_rank <= rank;
	}
}

/* Those from `from` on that have room beside the first, one at least: the first that has not. */
static size_t fold(const struct layout *layout, struct columns *columns, size_t from)
{
	const struct view_table *table = columns->table;
	size_t width = table->indent + columns_of(columns, 0, false), end = from, next;
	for (; end < table->column_count; end = next) {
		size_t more = columns_of(columns, end, false) + columns_of(columns, end, true);
		for (next = end + 1; next < table->column_count && table->columns[next].joined;
		     next++)
			more += columns_of(columns, next, false) + columns_of(columns, next, true);
		if (end > from && width + more > layout->columns)
			break;
		width += more;
	}
	for (size_t i = 0; i < table->column_count; i++) {
		columns->shown[i] = i == 0 || (i >= from && i < end);
		columns->spread[i] = columns->shown[i] && table->columns[i].spread;
	}
	return end;
}

/* ---- headings and rows ---- */

static void put_heading(struct line *line, const struct columns *columns, bool unit)
{
	const struct view_table *table = columns->table;
	size_t at = table->indent;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct view_column *column = &table->columns[i];
		const char *words = unit ? column->unit : column->top;
		if (!columns->shown[i])
			continue;
		at += column->before;
		size_t end = at + columns->widths[i];
		size_t width = width_of(line->layout, words) + column->marked;
		put(line, column->left ? at : end > width ? end - width : 0, words);
		at = end + (columns->spread[i] ? column->spread : 0);
	}
	layout_end_line(line->layout);
}

static void put_headings(const struct layout *layout, const struct columns *columns)
{
	bool tops = false, units = false;
	for (size_t i = 0; i < columns->table->column_count; i++) {
		tops |= columns->shown[i] && columns->table->columns[i].top;
		units |= columns->shown[i] && columns->table->columns[i].unit;
	}
	if (tops || units)
		put_heading(&(struct line){layout, 0}, columns, false);
	if (units)
		put_heading(&(struct line){layout, 0}, columns, true);
}

static void put_cell(struct line *line, const struct columns *columns, size_t which,
		     const struct view_cell *cell, size_t at)
{
	const struct view_column *column = &columns->table->columns[which];
	size_t end = at + columns->widths[which];
	size_t width = width_of(line->layout, cell->text) + column->marked;
	size_t start = column->left ? at : end > width ? end - width : 0;
	if (cell->attention)
		put_attention(line, start, cell->text);
	else
		put(line, start, cell->text);
	if (cell->mark && column->left)
		go_to(line, line->at < at + column->gap ? at + column->gap : line->at);
	put_mark(line, cell->mark);
	if (columns->spread[which])
		put(line, end + column->gap, cell->spread);
}

/* A name that is too long has a line of its own. */
static void break_after_name(struct line *line, const struct columns *columns, size_t end)
{
	if (line->at <= end || columns->table->column_count == 1)
		return;
	layout_end_line(line->layout);
	line->at = 0;
}

static void put_note(struct line *line, const struct columns *columns, const char *note,
		     size_t width)
{
	if (!note)
		return;
	if (width + LEAST_BETWEEN + width_of(line->layout, note) > line->layout->columns) {
		layout_end_line(line->layout);
		line->at = 0;
		width = columns->table->indent + columns->widths[0];
	}
	put(line, width + LEAST_BETWEEN, note);
}

static void put_row(const struct layout *layout, const struct columns *columns,
		    const struct view_row *row)
{
	struct line line = {layout, 0};
	size_t at = columns->table->indent;
	put_mark(&line, row->mark);
	for (size_t i = 0; i < row->count; i++) {
		const struct view_column *column = &columns->table->columns[i];
		if (!columns->shown[i])
			continue;
		at += column->before;
		put_cell(&line, columns, i, &row->cells[i], at);
		at += columns->widths[i] + (columns->spread[i] ? column->spread : 0);
		if (i == 0 && column->left)
			break_after_name(&line, columns, at);
	}
	put_note(&line, columns, row->note, at);
	layout_end_line(layout);
	if (row->words)
		layout_words(layout, WORDS, false, row->words);
}

static void put_rows(const struct layout *layout, const struct columns *columns)
{
	put_headings(layout, columns);
	for (size_t i = 0; i < columns->table->row_count; i++)
		put_row(layout, columns, &columns->table->rows[i]);
}

/* ---- in words ---- */

/* "name: a, b"; what is empty is left out. */
static void spell(struct text *words, const char *cell, size_t *spelled)
{
	if (cell && *cell)
		text_add(words, "%s%s", !*spelled ? "" : *spelled == 1 ? ": " : ", ", cell);
	*spelled += cell && *cell;
}

static void spell_row(const struct layout *layout, const struct view_row *row)
{
	struct text words = {0};
	size_t spelled = 0;
	for (size_t i = 0; i < row->count; i++)
		spell(&words, row->cells[i].text, &spelled);
	layout_item(layout, "  ", false, &words);
	if (row->words)
		layout_words(layout, WORDS, false, row->words);
}

static void spell_table(const struct layout *layout, const struct view_table *table)
{
	struct text words = {0};
	size_t spelled = 0;
	for (size_t i = 0; i < table->column_count; i++)
		spell(&words, table->columns[i].top, &spelled);
	layout_item(layout, "  ", false, &words);
	for (size_t i = 0; i < table->row_count; i++)
		spell_row(layout, &table->rows[i]);
}

/* ---- all ---- */

static void say_left_out(const struct layout *layout, const struct columns *columns)
{
	const struct view_table *table = columns->table;
	size_t count = table->left_out;
	struct text words = {0};
	for (size_t i = 0; i < table->column_count; i++)
		count += table->columns[i].counted && !columns->shown[i];
	if (!count || !table->left_out_one)
		return;
	layout_end_part(layout);
	text_add(&words, "%zu more %s no room here: use --json or --format csv", count,
		 count == 1 ? table->left_out_one : table->left_out_many);
	layout_item(layout, "  ", false, &words);
}

static void put_table(const struct layout *layout, struct columns *columns)
{
	const struct view_table *table = columns->table;
	for (size_t i = 0; i < table->column_count; i++)
		columns->widths[i] = table->columns[i].width ? table->columns[i].width
							     : (unsigned)widest(layout, table, i);
	if (table->flow == VIEW_SPELL &&
	    width_up_to(columns, highest_rank(table)) > layout->columns) {
		spell_table(layout, table);
		return;
	}
	if (table->flow != VIEW_FOLD) {
		drop(layout, columns);
		put_rows(layout, columns);
		say_left_out(layout, columns);
		return;
	}
	for (size_t from = 1; from < table->column_count;) {
		from = fold(layout, columns, from);
		put_rows(layout, columns);
		layout_end_part(layout);
	}
}

void text_table(const struct layout *layout, const struct view_table *table)
{
	size_t count = table->column_count + 1;
	struct columns columns = {table, calloc(count, sizeof(*columns.widths)),
				  calloc(count, sizeof(*columns.shown)),
				  calloc(count, sizeof(*columns.spread))};
	if (columns.widths && columns.shown && columns.spread)
		put_table(layout, &columns);
	else
		layout->text->failed = true;
	free(columns.widths);
	free(columns.shown);
	free(columns.spread);
}
