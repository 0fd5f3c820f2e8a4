#include "render/view_json.h"

#include <math.h>

#include "document/json_put.h"

static json_t *cell_json(const struct view_cell *cell)
{
	const char mark[] = {cell->mark, 0};
	if (!cell->spread && !cell->mark && !cell->attention)
		return json_text(cell->text);
	json_t *object = json_object();
	json_put_text(&object, "text", cell->text);
	if (cell->spread)
		json_put_text(&object, "spread", cell->spread);
	if (isfinite(cell->low) && isfinite(cell->high)) {
		json_put_number(&object, "low", cell->low);
		json_put_number(&object, "high", cell->high);
	}
	if (cell->mark)
		json_put_text(&object, "mark", mark);
	if (cell->attention)
		json_put_boolean(&object, "attention", true);
	return object;
}

static json_t *columns_json(const struct view_table *table)
{
	json_t *list = json_array();
	for (size_t i = 0; i < table->column_count; i++) {
		const char *top = view_column_top(table, i), *unit = table->columns[i].unit;
		if (!view_column_shown(table, i))
			continue;
		json_t *object = json_object();
		json_put_text(&object, "label", top ? top : "");
		if (unit)
			json_put_text(&object, "unit", unit);
		if (view_column_left(table, i))
			json_put_boolean(&object, "left", true);
		json_put_next(&list, object);
	}
	return list;
}

/* A note of the row stands in a last cell, beyond the columns. */
static json_t *rows_json(const struct view_table *table)
{
	json_t *list = json_array();
	for (size_t i = 0; i < table->row_count; i++) {
		const struct view_row *row = &table->rows[i];
		json_t *cells = json_array();
		for (size_t k = 0; k < row->count; k++)
			if (view_column_shown(table, k))
				json_put_next(&cells, cell_json(&row->cells[k]));
		if (row->note || row->words)
			json_put_next(&cells, json_text(row->note ? row->note : row->words));
		json_put_next(&list, cells);
	}
	return list;
}

static json_t *block_json(const struct view_block *block)
{
	static const char *const tones[] = {
		[VIEW_PLAIN] = "plain",   [VIEW_NOTE] = "note",     [VIEW_ITEM] = "item",
		[VIEW_LEGEND] = "legend", [VIEW_UNSURE] = "unsure", [VIEW_ATTENTION] = "attention",
		[VIEW_HINT] = "hint",
	};
	json_t *object = json_object();
	if (block->kind == VIEW_TABLE) {
		json_put(&object, "columns", columns_json(&block->table));
		json_put(&object, "rows", rows_json(&block->table));
		return object;
	}
	if (block->kind == VIEW_FACT)
		json_put_text(&object, "label", block->label);
	else
		json_put_text(&object, "tone", tones[block->tone]);
	json_put_text(&object, "say", block->text);
	return object;
}

static bool is_data(const struct view_block *block)
{
	return block->kind == VIEW_TABLE || block->kind == VIEW_SAY || block->kind == VIEW_FACT;
}

json_t *view_json(const struct view *view)
{
	json_t *parts = view->failed ? NULL : json_array();
	for (size_t i = 0; i < view->count; i++) {
		if (view->blocks[i].kind != VIEW_PART)
			continue;
		json_t *part = json_object(), *blocks = json_array();
		json_put_text(&part, "id", view->blocks[i].id);
		json_put_text(&part, "title", view->blocks[i].text);
		for (size_t k = i + 1; k < view->count && view->blocks[k].kind != VIEW_PART; k++)
			if (is_data(&view->blocks[k]))
				json_put_next(&blocks, block_json(&view->blocks[k]));
		json_put(&part, "blocks", blocks);
		json_put_next(&parts, part);
	}
	return parts;
}
