#include "render/text/text_table.h"

#include <stdlib.h>

#include "base/utf8.h"

#define INDENT   2 /* which a mark of the row stands in */
#define BETWEEN  2 /* blanks, of columns */
#define WORDS    "      "
#define FEW_ROWS 4 /* of what has no room, all values are told */

/* How a column is laid out, in characters: the widest of what is in it. */
struct column {
	unsigned width, mark, spread; /* 0: nothing has one */
	bool left;
	bool shown, with_spread; /* in this part of the table */
};

struct columns {
	const struct view_table *table;
	struct column *items;
};

/* A line under construction, and where it ends. */
struct line {
	const struct layout *layout;
	size_t at;
};

/* ---- a line ---- */

static size_t width_of(const struct layout *layout, const char *text)
{
	char *safe = utf8_escaped(text, layout->utf8);
	size_t width = safe ? utf8_columns(safe) : 0;
	layout->text->failed |= !safe;
	free(safe);
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

/* ---- how wide ---- */

static void widen(const struct layout *layout, unsigned *width, const char *text)
{
	unsigned own = (unsigned)width_of(layout, text);
	*width = own > *width ? own : *width;
}

/* A heading over columns that are joined reaches over those before its own. */
static bool reaches_over(const struct view_table *table, size_t which)
{
	return table->columns[which].joined && !table->columns[which - 1].top;
}

static void measure(const struct layout *layout, const struct view_table *table, size_t which,
		    struct column *column)
{
	column->left = view_column_left(table, which);
	column->shown = view_column_shown(table, which);
	if (!reaches_over(table, which))
		widen(layout, &column->width, table->columns[which].top);
	widen(layout, &column->width, table->columns[which].unit);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct view_row *row = &table->rows[i];
		if (which >= row->count)
			continue;
		widen(layout, &column->width, row->cells[which].text);
		widen(layout, &column->spread, row->cells[which].spread);
		if (row->cells[which].mark)
			column->mark = 1 + column->left; /* behind a name after a blank */
	}
	if (which == 0 && column->width > layout->columns / 2)
		column->width = layout->columns / 2; /* what is longer has a line of its own */
}

static unsigned start_of(size_t which)
{
	return which ? BETWEEN : INDENT;
}

/* Behind its start. */
static unsigned width_with(const struct column *column, bool spread)
{
	return column->width + column->mark + (spread && column->spread ? 1 + column->spread : 0);
}

/* ---- which columns ---- */

/* Of what is shown up to that rank. */
static size_t width_up_to(const struct columns *columns, unsigned rank)
{
	const struct view_table *table = columns->table;
	size_t width = 0;
	for (size_t i = 0; i < table->column_count; i++)
		if (columns->items[i].shown && table->columns[i].rank <= rank)
			width += start_of(i) + width_with(&columns->items[i],
							  table->columns[i].spread_rank <= rank);
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

static void drop(const struct layout *layout, const struct columns *columns)
{
	const struct view_table *table = columns->table;
	unsigned highest = highest_rank(table), rank = 0;
	while (rank < highest && width_up_to(columns, rank + 1) <= layout->columns)
		rank++;
	for (size_t i = 0; i < table->column_count; i++) {
		columns->items[i].shown &= table->columns[i].rank <= rank;
		columns->items[i].with_spread = table->columns[i].spread_rank <= rank;
	}
}

static size_t end_of_joined(const struct view_table *table, size_t which)
{
	for (which++; which < table->column_count && table->columns[which].joined;)
		which++;
	return which;
}

/* Shows the first column and those of `left` from `from` on that have room beside it, what is
 * joined together; some at least. Returns where the next part begins. */
static size_t fold(const struct layout *layout, const struct columns *columns, const bool *left,
		   size_t from)
{
	const struct view_table *table = columns->table;
	size_t first = INDENT + width_with(&columns->items[0], true), width = first, end, next;
	for (end = from; end < table->column_count; end = next) {
		size_t more = 0;
		next = end_of_joined(table, end);
		for (size_t i = end; i < next; i++)
			more += left[i] ? BETWEEN + width_with(&columns->items[i],
							       columns->items[i].with_spread)
					: 0;
		if (width > first && width + more > layout->columns)
			break;
		width += more;
	}
	for (size_t i = 1; i < table->column_count; i++)
		columns->items[i].shown = left[i] && i >= from && i < end;
	return end;
}

/* ---- headings and rows ---- */

static size_t begin_of(const struct column *column, size_t at, size_t width)
{
	return column->left || width > at + column->width ? at : at + column->width - width;
}

static void put_heading(struct line *line, const struct columns *columns, bool unit)
{
	const struct view_table *table = columns->table;
	size_t at = 0;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &columns->items[i];
		const char *words = unit ? table->columns[i].unit : table->columns[i].top;
		if (!column->shown)
			continue;
		at += start_of(i);
		put(line, begin_of(column, at, width_of(line->layout, words)), words);
		at += width_with(column, column->with_spread);
	}
	layout_end_line(line->layout);
}

static void put_headings(const struct layout *layout, const struct columns *columns)
{
	bool tops = false, units = false;
	for (size_t i = 0; i < columns->table->column_count; i++) {
		tops |= columns->items[i].shown && columns->table->columns[i].top;
		units |= columns->items[i].shown && columns->table->columns[i].unit;
	}
	if (tops || units)
		put_heading(&(struct line){layout, 0}, columns, false);
	if (units)
		put_heading(&(struct line){layout, 0}, columns, true);
}

static void put_cell(struct line *line, const struct column *column, const struct view_cell *cell,
		     size_t at)
{
	size_t begin = begin_of(column, at, width_of(line->layout, cell->text));
	if (cell->attention)
		put_attention(line, begin, cell->text);
	else
		put(line, begin, cell->text);
	if (cell->mark && column->left)
		go_to(line, at + column->width + 1);
	put_mark(line, cell->mark);
	if (column->with_spread)
		put(line, at + column->width + column->mark + 1, cell->spread);
}

/* Behind the row; on a line of its own, after the first column, where it has no room. */
static void put_note(struct line *line, const struct columns *columns, const char *note,
		     size_t width)
{
	if (!note)
		return;
	if (width + BETWEEN + width_of(line->layout, note) > line->layout->columns) {
		layout_end_line(line->layout);
		line->at = 0;
		width = INDENT + columns->items[0].width;
	}
	put(line, width + BETWEEN, note);
}

static void put_row(const struct layout *layout, const struct columns *columns,
		    const struct view_row *row)
{
	struct line line = {layout, 0};
	size_t at = 0;
	put_mark(&line, row->mark);
	for (size_t i = 0; i < row->count; i++) {
		const struct column *column = &columns->items[i];
		if (!column->shown)
			continue;
		at += start_of(i);
		put_cell(&line, column, &row->cells[i], at);
		at += width_with(column, column->with_spread);
		if (i == 0 && line.at > at) { /* a name that is too long */
			layout_end_line(layout);
			line.at = 0;
		}
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

/* ---- all ---- */

/* A column that has no room, and of few rows what is in it: "L1 4.91, 0.04". */
static void add_left_out(const struct view_table *table, size_t which, struct text *words)
{
	const char *top = view_column_top(table, which);
	bool few = table->row_count <= FEW_ROWS;
	text_add(words, "%s%s", words->length ? "; " : "", top ? top : "");
	for (size_t i = 0; few && i < table->row_count; i++)
		text_add(words, "%s%s", i ? ", " : " ",
			 which < table->rows[i].count && table->rows[i].cells[which].text
				 ? table->rows[i].cells[which].text
				 : "-");
}

static void say_left_out(const struct layout *layout, const struct columns *columns)
{
	const struct view_table *table = columns->table;
	size_t count = table->left_out;
	struct text words = {0}, names = {0};
	for (size_t i = 0; i < table->column_count; i++) {
		if (!table->columns[i].counted || columns->items[i].shown)
			continue;
		count++;
		add_left_out(table, i, &names);
	}
	layout->text->failed |= names.failed;
	if (!count || !table->left_out_one) {
		text_free(&names);
		return;
	}
	layout_end_part(layout);
	text_add(&words, "%zu more %s no room here", count,
		 count == 1 ? table->left_out_one : table->left_out_many);
	if (names.length)
		text_add(&words, " (%s%s)", names.data,
			 table->row_count > 1 && table->row_count <= FEW_ROWS
				 ? "; in the order of the rows"
				 : "");
	text_add(&words, ": use --json or --format csv");
	text_free(&names);
	layout_item(layout, "  ", &words);
}

/* In parts, one below the other. */
static void put_folded(const struct layout *layout, const struct columns *columns, bool *left)
{
	size_t count = columns->table->column_count;
	for (size_t i = 0; i < count; i++)
		left[i] = columns->items[i].shown;
	for (size_t from = 1; from < count;) {
		from = fold(layout, columns, left, from);
		put_rows(layout, columns);
		if (from < count)
			layout_end_part(layout);
	}
	for (size_t i = 0; i < count; i++)
		columns->items[i].shown = left[i];
}

static void put_table(const struct layout *layout, const struct columns *columns, bool *left)
{
	for (size_t i = 0; i < columns->table->column_count; i++)
		measure(layout, columns->table, i, &columns->items[i]);
	drop(layout, columns);
	if (width_up_to(columns, 0) > layout->columns)
		put_folded(layout, columns, left);
	else
		put_rows(layout, columns);
	say_left_out(layout, columns);
}

void text_table(const struct layout *layout, const struct view_table *table)
{
	size_t count = table->column_count + 1;
	struct columns columns = {table, calloc(count, sizeof(*columns.items))};
	bool *left = calloc(count, sizeof(*left));
	if (columns.items && left)
		put_table(layout, &columns, left);
	else
		layout->text->failed = true;
	free(columns.items);
	free(left);
}
