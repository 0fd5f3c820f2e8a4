/* Tables for a page, a ticket or a paper's notes: a view in GitHub's markdown. */
#include <string.h>

#include "base/error.h"
#include "base/utf8.h"
#include "render/writers.h"
#include "views/views.h"

/* So that it is text and nothing else. */
static void add_outside(struct text *text, const char *outside)
{
	utf8_add_marked(text, outside, "\\`*_{}[]<>|#~&!$", '\\');
}

/* ---- tables ---- */

static void add_heading(struct text *text, const struct view_table *table, size_t which)
{
	const char *top = view_column_top(table, which), *unit = table->columns[which].unit;
	text_add(text, "| ");
	add_outside(text, top);
	if (top && unit)
		text_add(text, table->columns[which].wrapped ? " " : ", ");
	add_outside(text, unit);
	text_add(text, " ");
}

static void add_cell(struct text *text, const struct view_cell *cell)
{
	const char mark[] = {cell->mark, 0};
	add_outside(text, cell->text);
	text_add(text, "%s", cell->mark == '!' ? " " : "");
	add_outside(text, mark);
	if (cell->spread)
		text_add(text, " ");
	add_outside(text, cell->spread);
}

static void add_row(struct text *text, const struct view_table *table, const struct view_row *row)
{
	const char mark[] = {row->mark, ' ', 0};
	for (size_t i = 0; i < row->count; i++) {
		if (!view_column_shown(table, i))
			continue;
		text_add(text, "%s| ", i ? " " : "");
		add_outside(text, !i && row->mark ? mark : "");
		add_cell(text, &row->cells[i]);
	}
	if (row->note)
		text_add(text, " ");
	add_outside(text, row->note);
	text_add(text, " |\n");
}

static void add_table(struct text *text, const struct view_table *table)
{
	text_add(text, "\n");
	for (size_t i = 0; i < table->column_count; i++)
		if (view_column_shown(table, i))
			add_heading(text, table, i);
	text_add(text, "|\n");
	for (size_t i = 0; i < table->column_count; i++)
		if (view_column_shown(table, i))
			text_add(text, "|%s", view_column_left(table, i) ? ":---" : "---:");
	text_add(text, "|\n");
	for (size_t i = 0; i < table->row_count; i++)
		add_row(text, table, &table->rows[i]);
	for (size_t i = 0, words = 0; i < table->row_count; i++)
		if (table->rows[i].words) {
			text_add(text, "%s- ", words++ ? "" : "\n");
			add_outside(text, table->rows[i].cells[0].text);
			text_add(text, ": ");
			add_outside(text, table->rows[i].words);
			text_add(text, "\n");
		}
}

/* ---- words ---- */

static bool is_listed(const struct view_block *block)
{
	return block->kind == VIEW_FACT || (block->kind == VIEW_SAY && block->tone != VIEW_PLAIN);
}

/* A fact without a label belongs to the one above. */
static void add_words(struct text *text, const struct view_block *block)
{
	bool labelled = block->label && *block->label;
	if (block->kind == VIEW_SAY)
		text_add(text, "%s",
			 block->tone == VIEW_PLAIN  ? "\n"
			 : block->tone == VIEW_HINT ? "  - "
						    : "- ");
	else
		text_add(text, labelled ? "- " : "  - ");
	if (block->tone == VIEW_LEGEND)
		text_add(text, "\\~ ");
	add_outside(text, block->label);
	text_add(text, "%s", labelled ? ": " : "");
	add_outside(text, block->text);
	text_add(text, "\n");
}

/* Is it the title of the part that it begins? A terminal shows that line, and no titles. */
static bool repeats_title(const struct view *view, size_t which)
{
	const char *text = view->blocks[which].text;
	size_t before = which;
	while (before > 0 && view->blocks[before - 1].kind == VIEW_GAP)
		before--;
	if (before == 0 || view->blocks[before - 1].kind != VIEW_PART || !text)
		return false;
	const char *title = view->blocks[before - 1].text;
	size_t length = title ? strlen(title) : 0;
	return length && strncasecmp(text, title, length) == 0 && strcmp(text + length, ":") == 0;
}

static void add_view(struct text *text, const struct view *view)
{
	bool listed = false;
	text->failed |= view->failed;
	for (size_t i = 0; i < view->count && !view->failed; i++) {
		const struct view_block *block = &view->blocks[i];
		if (is_listed(block) && !listed)
			text_add(text, "\n");
		listed = is_listed(block);
		if (block->kind == VIEW_PART) {
			text_add(text, "\n## ");
			add_outside(text, block->text);
			text_add(text, "\n");
		} else if (block->kind == VIEW_TABLE) {
			add_table(text, &block->table);
		} else if ((block->kind == VIEW_SAY && !repeats_title(view, i)) ||
			   block->kind == VIEW_FACT) {
			add_words(text, block);
		}
	}
}

/* ---- what it is ---- */

static void add_title(struct text *text, const struct fathom_result *result)
{
	const struct fathom_machine *machine = result->machine;
	const char *tool = result->curve_count ? result->curves[0].tool : NULL;
	const char *title = !machine               ? tool
			    : machine->description ? machine->description
						   : machine->cpu_model;
	text_add(text, "# Memory of ");
	add_outside(text, title ? title : "an unknown machine");
	text_add(text, "\n");
}

static int write_fleet(const struct fathom_fleet *fleet, struct text *text,
		       struct fathom_error *error)
{
	struct view view = {.full = true};
	text_add(text, "# Memory of a fleet\n");
	view_fleet(&view, fleet);
	add_view(text, &view);
	view_free(&view);
	return text->failed ? error_no_memory(error) : 0;
}

int markdown_write(const struct content *content, const struct fathom_style *style,
		   struct text *text, struct fathom_error *error)
{
	const struct fathom_result *result = content->result;
	struct view view = {.full = true, .explain = true};
	if (content->kind == CONTENT_FLEET)
		return write_fleet(content->fleet, text, error);
	if (style) {
		view.y = style->y;
		view.trace = style->trace;
	}
	add_title(text, result);
	if (style && style->level)
		view_level(&view, result, style->level);
	else if (style && style->predictions)
		view_predictions(&view, result);
	else
		view_result(&view, result);
	add_view(text, &view);
	view_free(&view);
	return text->failed ? error_no_memory(error) : 0;
}
