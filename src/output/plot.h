/* A log-log picture of curves in characters: sizes along x, anything positive along y. */
#ifndef OUTPUT_PLOT_H
#define OUTPUT_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct plot_series {
	const double *x_bytes; /* ascending */
	const double *y; /* what is not finite or not over 0 is a gap (as is what 1e-12 .. 1e18
			    leave out) */
	size_t count;
};

struct plot {
	unsigned columns; /* of all of it, labels included; 30 or more */
	unsigned rows;    /* the same; 8 or more */
	bool utf8;        /* braille; else ASCII, each series with a mark of its own */
	const char *title;
	const struct plot_series *series;
	size_t series_count;
};

/* Lines that end in a newline. Without a single value to show: nothing, and false. */
bool plot_draw(const struct plot *plot, struct text *text);

#endif
