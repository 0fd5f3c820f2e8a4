#include "views/view.h"

#include <stdlib.h>
#include <string.h>

#include "views/figure.h"
#include "views/view_grow.h"

/* ---- what is allocated ---- */

static void row_free(struct view_row *row)
{
	for (size_t i = 0; i < row->count; i++) {
		free(row->cells[i].text);
		free(row->cells[i].spread);
	}
	free(row->cells);
	free(row->note);
	free(row->words);
}

static void table_free(struct view_table *table)
{
	for (size_t i = 0; i < table->column_count; i++) {
		free((char *)table->columns[i].top);
		free((char *)table->columns[i].unit);
	}
	for (size_t i = 0; i < table->row_count; i++)
		row_free(&table->rows[i]);
	free(table->columns);
	free(table->rows);
}

static void plot_free(struct view_plot *plot)
{
	if (plot->figure)
		figure_free(plot->figure);
	free(plot->figure);
	free(plot->title);
	free(plot->choice);
}

static void block_free(struct view_block *block)
{
	free(block->label);
	free(block->text);
	table_free(&block->table);
	plot_free(&block->plot);
	for (size_t i = 0; i < block->bar_count; i++) {
		free(block->bars[i].name);
		free(block->bars[i].value);
	}
	free(block->bars);
	for (int i = 0; i < VIEW_BAR_PARTS; i++)
		free(block->bar_names[i]);
}

void view_free(struct view *view)
{
	for (size_t i = 0; i < view->count; i++)
		block_free(&view->blocks[i]);
	free(view->blocks);
	view->blocks = NULL;
	view->count = 0;
}

void *view_grow(struct view *view, void *list, size_t count, size_t bytes)
{
	void *grown = list;
	if (view->failed)
		return NULL;
	if ((count & (count - 1)) == 0)
		grown = realloc(list, (count ? 2 * count : 1) * bytes);
	if (grown)
		memset((char *)grown + count * bytes, 0, bytes);
	view->failed |= !grown;
	return grown;
}

char *view_copy(struct view *view, const char *text)
{
	char *copied = text ? strdup(text) : NULL;
	view->failed |= text && !copied;
	return copied;
}

char *view_taken(struct view *view, struct text *words)
{
	char *taken = text_take(words);
	view->failed |= !taken;
	return taken;
}

/* ---- blocks ---- */

static void add_block(struct view *view, enum view_block_kind kind)
{
	VIEW_GROW(view, view->blocks, view->count);
	view->blocks[view->count - 1].kind = kind;
}

struct view_block *view_last_block(struct view *view)
{
	return view->failed || !view->count ? NULL : &view->blocks[view->count - 1];
}

struct view_block *view_new_block(struct view *view, enum view_block_kind kind)
{
	add_block(view, kind);
	return view_last_block(view);
}

void view_part(struct view *view, const char *id, const char *title)
{
	struct view_block *block = view_new_block(view, VIEW_PART);
	if (!block)
		return;
	block->id = id;
	block->text = view_copy(view, title);
}

void view_gap(struct view *view)
{
	add_block(view, VIEW_GAP);
}

void view_take(struct view *view, enum view_tone tone, struct text *words)
{
	struct view_block *block = view_new_block(view, VIEW_SAY);
	char *taken = view_taken(view, words);
	if (!block) {
		free(taken);
		return;
	}
	block->tone = tone;
	block->text = taken;
}

void view_say(struct view *view, enum view_tone tone, const char *format, ...)
{
	struct text words = {0};
	TEXT_ADD_ALL(&words, format);
	view_take(view, tone, &words);
}

void view_fact(struct view *view, const char *label, const char *format, ...)
{
	struct text words = {0};
	TEXT_ADD_ALL(&words, format);
	view_take_fact(view, label, &words);
}

void view_take_fact(struct view *view, const char *label, struct text *words)
{
	struct view_block *block;
	view_take(view, VIEW_PLAIN, words);
	block = view_last_block(view);
	if (!block)
		return;
	block->kind = VIEW_FACT;
	block->label = view_copy(view, label);
}

const char *view_known(const char *text)
{
	return text ? text : "unknown";
}

void view_warning(struct view *view, const struct fathom_warning *warning, bool where)
{
	bool first = where && warning->where;
	view_say(view, VIEW_ATTENTION, "%s%s%s", first ? warning->where : "", first ? ": " : "",
		 view_known(warning->text));
	if (warning->hint)
		view_say(view, VIEW_HINT, "%s", warning->hint);
}

void view_warnings(struct view *view, const struct fathom_warnings *warnings)
{
	for (size_t i = 0; i < warnings->count; i++)
		view_warning(view, &warnings->items[i], true);
}

void view_warnings_of(struct view *view, const struct fathom_warnings *warnings, const char *id,
		      bool where)
{
	for (size_t i = 0; i < warnings->count; i++)
		if (strcmp(warnings->items[i].id, id) == 0)
			view_warning(view, &warnings->items[i], where);
}
