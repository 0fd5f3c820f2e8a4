/* A picture of curves in characters: of sizes along x, or where that is linear of numbers from 1
 * on, and anything positive along y. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "views/figure.h"

/* What is drawn of each row: its value, or a bound of its interval. */
enum plot_drawn { PLOT_VALUE, PLOT_LOW, PLOT_HIGH };

struct plot_series {
	/* x ascends, in bytes where it is not linear; what is not finite or not over 0 is a gap (as
	 * is what 1e-12 .. 1e18 leave out). */
	const struct figure_row *rows;
	size_t count;
	enum plot_drawn drawn;
};

struct plot {
	unsigned columns; /* of all of it, labels included; 30 or more */
	unsigned rows;    /* the same; 8 or more */
	bool linear_x; /* else logarithmic, and no line goes over more than VIEW_WIDEST_OCTAVES */
	bool plain_x;  /* x is no size, but a number */
	bool linear_y; /* from 0 on; else logarithmic */
	bool utf8;     /* the first series in braille, else in ASCII; the others always */
	const char *title;
	const struct plot_series *series; /* the first is drawn over the others */
	size_t series_count;
	/* In a row of its own under the axis; what has no room or is outside is left out, the last
	 * first. What is no printable ASCII in their names becomes "?". */
	const struct figure_mark *marks;
	size_t mark_count;
};

#define PLOT_GLYPHS 6 /* series that can be told apart */
/* What the series is drawn with. */
const char *plot_glyph(bool utf8, size_t series);

/* Lines that end in a newline. Without a single value to show: nothing, and false. */
bool plot_draw(const struct plot *plot, struct text *text);
