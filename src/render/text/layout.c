#include "render/text/layout.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

#define DEFAULT_COLUMNS 80
#define FEWEST_COLUMNS  40
#define COLOR_ATTENTION "\033[33m"
#define COLOR_END       "\033[0m"

struct layout layout_make(struct text *text, const struct fathom_style *style)
{
	struct layout layout = {.text = text, .columns = DEFAULT_COLUMNS};
	if (!style)
		return layout;
	layout.utf8 = style->utf8;
	layout.color = style->color;
	if (style->columns)
		layout.columns = style->columns;
	if (layout.columns < FEWEST_COLUMNS)
		layout.columns = FEWEST_COLUMNS;
	return layout;
}

void layout_mark(const struct layout *layout, const char *mark, bool attention)
{
	bool color = attention && layout->color;
	text_add(layout->text, "%s%s%s", color ? COLOR_ATTENTION : "", mark,
		 color ? COLOR_END : "");
}

void layout_colored(const struct layout *layout, unsigned which, const char *words)
{
	static const char *const colors[] = {"", "\033[36m", "\033[33m", "\033[35m"};
	bool color = layout->color && which && which < sizeof(colors) / sizeof(*colors);
	text_add(layout->text, "%s%s%s", color ? colors[which] : "", words, color ? COLOR_END : "");
}

static bool begins_with_unit(const char *text)
{
	static const char *const units[] = {"%",   "B",   "KiB", "MiB",   "GiB",
					    "TiB", "GHz", "ns",  "cycles"};
	size_t length = strcspn(text, " ,.;:)");
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (strlen(units[i]) == length && strncmp(units[i], text, length) == 0)
			return true;
	return false;
}

/* To the next blank; "16 MiB" stays in one piece. */
static size_t word_bytes(const char *text)
{
	size_t length = strcspn(text, " ");
	if (length && text[length] && isdigit((unsigned char)text[length - 1]) &&
	    begins_with_unit(text + length + 1))
		length += 1 + strcspn(text + length + 1, " ");
	return length;
}

/* Takes the words apart. */
static void add_lines(const struct layout *layout, const char *mark, bool attention, char *words)
{
	size_t indent = utf8_columns(mark), column = indent;
	layout_mark(layout, mark, attention);
	for (char *word = words + strspn(words, " "), *end; *word; word = end + strspn(end, " ")) {
		end = word + word_bytes(word);
		if (*end)
			*end++ = 0;
		size_t width = utf8_columns(word);
		if (column > indent && column + 1 + width > layout->columns) {
			text_add(layout->text, "\n%*s", (int)indent, "");
			column = indent;
		} else if (column > indent) {
			text_add(layout->text, " ");
			column++;
		}
		text_add(layout->text, "%s", word);
		column += width;
	}
	text_add(layout->text, "\n");
}

void layout_words(const struct layout *layout, const char *mark, bool attention, const char *words)
{
	char *safe = utf8_escaped(words, layout->utf8);
	if (safe)
		add_lines(layout, mark, attention, safe);
	layout->text->failed |= !safe;
	free(safe);
}

void layout_item(const struct layout *layout, const char *mark, struct text *words)
{
	char *taken = text_take(words);
	if (taken)
		layout_words(layout, mark, false, taken);
	layout->text->failed |= !taken;
	free(taken);
}

void layout_cell(const struct layout *layout, unsigned columns, bool right, const char *cell)
{
	char *safe = utf8_escaped(cell, layout->utf8);
	size_t width = safe ? utf8_columns(safe) : 0;
	int blanks = width < columns ? (int)(columns - width) : 0;
	text_add(layout->text, "%*s%s%*s", right ? blanks : 0, "", safe ? safe : "",
		 right ? 0 : blanks, "");
	layout->text->failed |= !safe;
	free(safe);
}

void layout_end_line(const struct layout *layout)
{
	struct text *text = layout->text;
	while (text->length && text->data[text->length - 1] == ' ')
		text->data[--text->length] = 0;
	text_add(text, "\n");
}

void layout_end_part(const struct layout *layout)
{
	const struct text *text = layout->text;
	if (text->length < 2 || strcmp(text->data + text->length - 2, "\n\n") != 0)
		text_add(layout->text, "\n");
}
