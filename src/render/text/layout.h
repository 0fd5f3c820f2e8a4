/* Text for people: lines of a given width, aligned and wrapped by columns, not bytes. */
#ifndef RENDER_TEXT_LAYOUT_H
#define RENDER_TEXT_LAYOUT_H

#include <stdint.h>

#include "base/text.h"
#include "base/units.h"
#include "fathom.h"

struct layout {
	struct text *text;
	unsigned columns; /* of a line, 40 or more */
	bool utf8;
	bool color;
	bool every_point; /* a row for each, not some */
	bool explain;     /* what conclusions rest on, too */
	enum fathom_y y;
};

/* `style` may be NULL. */
struct layout layout_make(struct text *text, const struct fathom_style *style);

/* Adds text from outside to a line under construction, escaped (utf8.h); NULL: "unknown". */
void layout_outside(const struct layout *layout, struct text *line, const char *outside);
const char *layout_plus_minus(const struct layout *layout);

/* Does the 95 % interval reach 0, or over a third of the value to either side? Then it is shown as
 * a range, and the value as about so much. (Not of differences, which may be 0.) */
bool layout_is_wide(double value, double low, double high);
/* "60–440", "0–1030": in two digits, in the value's unit. */
const char *layout_range(const struct layout *layout, double low, double high,
			 char range[static UNITS_TEXT_BYTES]);
/* "390" of 388: in two digits. */
const char *layout_about(double value, char about[static UNITS_TEXT_BYTES]);
/* Behind a value: half its interval, or where that is wide the range; nothing where there is none.
 * free() it; NULL: out of memory. */
char *layout_spread(const struct layout *layout, double value, double low, double high);

/* Adds the mark, coloured for `attention` where the style has colour. */
void layout_mark(const struct layout *layout, const char *mark, bool attention);

/* `words`, after `mark`; the lines that follow are indented by the mark's width. Only blanks are
 * broken, and none between a number and its unit: a word longer than a line stands out.
 * `attention`: the mark is coloured. Takes what `words` holds and leaves it empty. */
void layout_item(const struct layout *layout, const char *mark, bool attention, struct text *words);
/* The same with a label in a column of its own. */
void layout_fact(const struct layout *layout, const char *label, struct text *words);
/* Adds `words` in the which-th of a few colours, where the style has colour; 0: in none. */
void layout_colored(const struct layout *layout, unsigned which, const char *words);
/* "! text" and "  -> hint"; `where` comes first, unless it is left out. */
void layout_warning(const struct layout *layout, const struct fathom_warning *warning, bool where);
/* The same for each. */
void layout_warnings(const struct layout *layout, const struct fathom_warnings *warnings);

/* Adds `cell` and blanks up to `columns`; the blanks come first when `right`. */
void layout_cell(const struct layout *layout, unsigned columns, bool right, const char *cell);

/* The same; takes `cell` over, NULL: memory ran out. */
void layout_take_cell(const struct layout *layout, unsigned columns, bool right, char *cell);
/* Blanks at the end are taken back. */
void layout_end_line(const struct layout *layout);
/* An empty line, where there is none yet. */
void layout_end_part(const struct layout *layout);

/* What all specs of a curve share: "random_cycle, nodes of 64 B, pointer links". */
void layout_spec(struct text *line, const struct fathom_spec *spec);

/* "48 KiB", "1.09 MiB": three digits, no zeros at the end. With `brief` "48K", "1.09M", "64". */
const char *layout_size(uint64_t bytes, bool brief, char size[static UNITS_TEXT_BYTES]);
/* "1.8–2.1 MiB": two digits, the unit that of `high_bytes`. */
const char *layout_size_range(const struct layout *layout, double low_bytes, double high_bytes,
			      char range[static UNITS_TEXT_BYTES]);

#endif
