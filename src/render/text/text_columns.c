#include "render/text/text_columns.h"

void text_columns_add(struct text_columns *columns, struct text_column column)
{
	if (columns->count < TEXT_COLUMNS_MOST)
		columns->items[columns->count++] = column;
}

static unsigned width_of(const struct text_columns *columns, unsigned rank)
{
	unsigned width = columns->indent;
	for (size_t i = 0; i < columns->count; i++)
		if (columns->items[i].rank <= rank)
			width += columns->items[i].columns;
	return width;
}

void text_columns_fit(const struct layout *layout, struct text_columns *columns)
{
	unsigned rank = 0, most = 0;
	size_t kept = 0;
	for (size_t i = 0; i < columns->count; i++)
		most = columns->items[i].rank > most ? columns->items[i].rank : most;
	while (rank < most && width_of(columns, rank + 1) <= layout->columns)
		rank++;
	for (size_t i = 0; i < columns->count; i++)
		if (columns->items[i].rank <= rank)
			columns->items[kept++] = columns->items[i];
	columns->count = kept;
}

static void add_heading(const struct layout *layout, const struct text_columns *columns,
			bool bottom)
{
	text_add(layout->text, "%*s", (int)columns->indent, "");
	for (size_t i = 0; i < columns->count; i++) {
		const struct text_column *column = &columns->items[i];
		const char *words = bottom ? column->bottom : column->top;
		layout_cell(layout, column->columns, !column->left, words ? words : "");
	}
	layout_end_line(layout);
}

void text_columns_heading(const struct layout *layout, const struct text_columns *columns)
{
	bool bottom = false;
	for (size_t i = 0; i < columns->count; i++)
		bottom |= columns->items[i].bottom != NULL;
	add_heading(layout, columns, false);
	if (bottom)
		add_heading(layout, columns, true);
}

void text_columns_row(const struct layout *layout, const struct text_columns *columns,
		      const void *table, const void *row)
{
	text_add(layout->text, "%*s", (int)columns->indent, "");
	for (size_t i = 0; i < columns->count; i++) {
		const struct text_column *column = &columns->items[i];
		layout_take_cell(layout, column->columns, !column->left,
				 column->make(table, row, column->which));
	}
	layout_end_line(layout);
}
