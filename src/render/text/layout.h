/* Lines of text of a given width, aligned and wrapped by columns, not bytes. */
#pragma once

#include "base/text.h"
#include "fathom.h"

struct layout {
	struct text *text;
	unsigned columns; /* of a line, 40 or more */
	bool utf8;
	bool color;
};

/* `style` may be NULL. */
struct layout layout_make(struct text *text, const struct fathom_style *style);

/* Adds the mark, coloured for `attention` where the style has colour. */
void layout_mark(const struct layout *layout, const char *mark, bool attention);
/* `words`, after `mark`; the lines that follow are indented by the mark's width. Only blanks are
 * broken, and none between a number and its unit: a word longer than a line stands out. Escaped.
 * `attention`: the mark is coloured. */
void layout_words(const struct layout *layout, const char *mark, bool attention, const char *words);
/* The same without attention; takes what `words` holds and leaves it empty. */
void layout_item(const struct layout *layout, const char *mark, struct text *words);
/* Adds `words` in the which-th of a few colours, where the style has colour; 0: in none. */
void layout_colored(const struct layout *layout, unsigned which, const char *words);

/* Adds `cell`, escaped, and blanks up to `columns`; the blanks come first when `right`. */
void layout_cell(const struct layout *layout, unsigned columns, bool right, const char *cell);
/* Blanks at the end are taken back. */
void layout_end_line(const struct layout *layout);
/* An empty line, where there is none yet. */
void layout_end_part(const struct layout *layout);
