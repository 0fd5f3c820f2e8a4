#include "render/text/text_view.h"

#include <math.h>

#include "base/utf8.h"
#include "render/text/text_table.h"

#define LABEL_COLUMNS 14
/* Of a bar: its name, what stands behind it, and the blanks and lines between. */
#define BAR_NAME    8  /* at least */
#define BAR_NAMED   24 /* at most */
#define BAR_VALUE   12
#define BAR_LINES   4
#define BAR_MOST    100
#define BEYOND_MOST 1.5  /* of the whole */
#define BEYOND      0.03 /* less cannot be seen */

/* ---- words ---- */

static void add_say(const struct layout *layout, const struct view_block *block)
{
	static const char *const marks[] = {
		[VIEW_PLAIN] = "",     [VIEW_NOTE] = "  ",   [VIEW_ITEM] = "- ",
		[VIEW_LEGEND] = "~ ",  [VIEW_UNSURE] = "? ", [VIEW_ATTENTION] = "! ",
		[VIEW_HINT] = "  -> ",
	};
	bool attention = block->tone == VIEW_UNSURE || block->tone == VIEW_ATTENTION;
	layout_words(layout, marks[block->tone], attention, block->text);
}

static void add_fact(const struct layout *layout, const struct view_block *block)
{
	struct text label = {0};
	struct layout inside = *layout;
	inside.text = &label;
	layout_cell(&inside, LABEL_COLUMNS - 1, false, block->label);
	text_add(&label, " ");
	if (label.failed)
		layout->text->failed = true;
	else
		layout_words(layout, label.data, false, block->text);
	text_free(&label);
}

/* ---- bars ---- */

static const char *fill_of(const struct layout *layout, int part)
{
	static const char *const fills[VIEW_BAR_PARTS][2] = {
		{"#", "\u2588"}, {"T", "\u259e"}, {"w", "\u2592"}, {".", "\u00b7"}};
	return fills[part][layout->utf8];
}

static void add_axis(const struct layout *layout)
{
	text_add(layout->text, "%s", layout->utf8 ? "\u2502" : "|");
}

static unsigned name_columns(const struct view_block *block)
{
	size_t most = BAR_NAME;
	for (size_t i = 0; i < block->bar_count; i++) {
		size_t columns = block->bars[i].name ? utf8_columns(block->bars[i].name) : 0;
		most = columns > most ? columns : most;
	}
	return most < BAR_NAMED ? (unsigned)most : BAR_NAMED;
}

/* `whole` columns are 1; before the next stands an axis. */
static void add_bar(const struct layout *layout, const struct view_bar *bar, unsigned named,
		    unsigned whole, unsigned all)
{
	int part = 0;
	layout_cell(layout, named, true, bar->name);
	text_add(layout->text, " ");
	add_axis(layout);
	for (unsigned at = 0; at < all; at++) {
		while (part < VIEW_BAR_PARTS && at >= round(bar->until[part] * whole))
			part++;
		bool cut = all > whole && at + 1 == all &&
			   bar->until[VIEW_BAR_PARTS - 1] * whole > all;
		if (at == whole)
			add_axis(layout);
		layout_colored(layout, part < VIEW_BAR_PARTS ? (unsigned)part : 0,
			       part == VIEW_BAR_PARTS ? " "
			       : cut                  ? ">"
						      : fill_of(layout, part));
	}
	if (all == whole)
		add_axis(layout);
	layout_cell(layout, BAR_VALUE, true, bar->value);
	layout_end_line(layout);
}

static void add_bars(const struct layout *layout, const struct view_block *block)
{
	unsigned named = name_columns(block);
	unsigned room = layout->columns - named - BAR_VALUE - BAR_LINES;
	struct text words = {0};
	double most = 1;
	for (size_t i = 0; i < block->bar_count; i++)
		most = fmax(most, block->bars[i].until[VIEW_BAR_PARTS - 1]);
	most = most < 1 + BEYOND ? 1 : fmin(most, BEYOND_MOST);
	room = room < BAR_MOST ? room : BAR_MOST;
	unsigned whole = (unsigned)(room / most);
	layout_words(layout, "", false, block->text);
	for (size_t i = 0; i < block->bar_count; i++)
		add_bar(layout, &block->bars[i], named, whole, room);
	for (int part = 0; part < VIEW_BAR_PARTS && block->bar_names[part]; part++)
		text_add(&words, "%s%s %s", part ? ", " : "", fill_of(layout, part),
			 block->bar_names[part]);
	if (!words.length)
		return;
	if (room > whole)
		text_add(&words, "; past the line: the parts exceed the total");
	layout_item(layout, "  ", &words);
}

/* ---- all ---- */

void text_view(const struct layout *layout, const struct view *view)
{
	layout->text->failed |= view->failed;
	for (size_t i = 0; i < view->count && !view->failed; i++) {
		const struct view_block *block = &view->blocks[i];
		switch (block->kind) {
		case VIEW_PART:
			break;
		case VIEW_GAP:
			layout_end_part(layout);
			break;
		case VIEW_SAY:
			add_say(layout, block);
			break;
		case VIEW_FACT:
			add_fact(layout, block);
			break;
		case VIEW_TABLE:
			text_table(layout, &block->table);
			break;
		case VIEW_PLOT:
			text_figure(layout, &block->plot);
			break;
		case VIEW_BARS:
			add_bars(layout, block);
			break;
		}
	}
}
