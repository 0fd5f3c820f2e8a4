#include "render/text/plot.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "views/rounding.h"
#include "views/view.h"

#define LABEL_BYTES        UNITS_TEXT_BYTES
#define CAPTION_ROWS       3 /* title, x axis, its labels */
#define X_TICK_COLUMNS     7 /* the least from one label to the next */
#define MOST_SIZE_EXPONENT 63
#define MOST_BYTES         0x1p63
#define MOST_NUMBER        (1 << 29) /* linear: twice as much is an int, too */
#define MOST_BOUND         1.25
#define ROWS_A_TICK        2.0
#define ROUNDED            0.01  /* octaves */
#define LEAST_VALUE        1e-12 /* beyond these nothing was measured, and labels end */
#define MOST_VALUE         1e18

/* One scale: where the value, or its logarithm, falls among the dots. */
struct scale {
	double low, high; /* log2 of sizes, log10 of values; or linear */
	int dots;
};

struct canvas {
	const struct plot *plot;
	unsigned char *dots;   /* braille bits of each cell; 0: blank */
	unsigned char *glyphs; /* an ASCII mark for each cell; 0: blank */
	int columns, rows;
	int dots_x, dots_y; /* in a cell */
	int margin;         /* columns of the y labels */
	int ticks[2];       /* of y: the first and the last, see tick_value */
	double tick_step;   /* linear */
	struct scale x, y;
};

static void extend(double range[2], double value)
{
	range[0] = fmin(range[0], value);
	range[1] = fmax(range[1], value);
}

static double y_of(const struct plot_series *series, size_t i)
{
	const struct figure_row *row = &series->rows[i];
	double bound = series->drawn == PLOT_LOW ? row->low : row->high;
	if (series->drawn == PLOT_VALUE)
		return row->y;
	/* The bounds of a few points, in a cliff, would leave no room to see the others. */
	return bound > 1 / MOST_BOUND && bound < MOST_BOUND ? bound : NAN;
}

static bool is_shown(const struct canvas *canvas, const struct plot_series *series, size_t i)
{
	double most_x = canvas->plot->linear_x ? MOST_NUMBER : MOST_BYTES;
	double y = y_of(series, i);
	return y >= LEAST_VALUE && y <= MOST_VALUE && series->rows[i].x >= 1 &&
	       series->rows[i].x <= most_x;
}

/* 1, 2, 5, 10, 20, 50, ... */
static double nice_value(int index)
{
	static const double steps[] = {1, 2, 5};
	int decade = (int)floor(index / 3.0);
	return steps[index - 3 * decade] * pow(10, decade);
}

static int nice_below(double value)
{
	int index = 3 * (int)floor(log10(value));
	while (nice_value(index + 1) <= value * (1 + 1e-9))
		index++;
	return index;
}

static int nice_above(double value)
{
	int index = nice_below(value);
	return nice_value(index) < value * (1 - 1e-9) ? index + 1 : index;
}

static int position(const struct scale *scale, double place)
{
	double share = (place - scale->low) / (scale->high - scale->low);
	return (int)lround(share * (scale->dots - 1));
}

static double place_x(const struct canvas *canvas, double x)
{
	return canvas->plot->linear_x ? x : log2(x);
}

static double place_y(const struct canvas *canvas, double y)
{
	return canvas->plot->linear_y ? y : log10(y);
}

static double tick_value(const struct canvas *canvas, int tick)
{
	return canvas->plot->linear_y ? tick * canvas->tick_step : nice_value(tick);
}

static const char *value_label(double value, char label[static LABEL_BYTES])
{
	static const struct {
		double least, unit;
		const char *letter;
	} units[] = {{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}, {0, 1, ""}};
	size_t i = 0;
	while (i + 1 < sizeof(units) / sizeof(*units) && value < units[i].least * (1 - 1e-9))
		i++;
	snprintf(label, LABEL_BYTES, "%.4g%s", value / units[i].unit, units[i].letter);
	return label;
}

/* Nice values around those of the range; linear from 0 on. */
static void find_ticks(struct canvas *canvas, const double range[2])
{
	int *ticks = canvas->ticks;
	if (canvas->plot->linear_y) {
		canvas->tick_step = nice_value(nice_above(range[1] * ROWS_A_TICK / canvas->rows));
		ticks[1] = (int)ceil(range[1] / canvas->tick_step - 1e-9);
	} else {
		ticks[0] = nice_below(range[0]);
		ticks[1] = nice_above(range[1]);
		if (ticks[0] == ticks[1]) {
			ticks[0]--;
			ticks[1]++;
		}
	}
	canvas->y = (struct scale){place_y(canvas, tick_value(canvas, ticks[0])),
				   place_y(canvas, tick_value(canvas, ticks[1])), 0};
	for (int i = ticks[0]; i <= ticks[1]; i++) {
		char label[LABEL_BYTES];
		int width = (int)strlen(value_label(tick_value(canvas, i), label));
		canvas->margin = width > canvas->margin ? width : canvas->margin;
	}
}

/* Scales to the data: nice values at the ends of y; the sizes themselves at the ends of x, or the
 * powers of two around them where too few are inside. */
static bool find_scales(struct canvas *canvas)
{
	double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
	for (size_t s = 0; s < canvas->plot->series_count; s++) {
		const struct plot_series *series = &canvas->plot->series[s];
		for (size_t i = 0; i < series->count; i++)
			if (is_shown(canvas, series, i)) {
				extend(x, place_x(canvas, series->rows[i].x));
				extend(y, y_of(series, i));
			}
	}
	if (x[0] > x[1])
		return false;
	if (floor(x[1]) - ceil(x[0]) < 1) { /* also where there is one place alone */
		x[0] = floor(x[0]);
		x[1] = fmax(ceil(x[1]), x[0] + 1);
	}
	canvas->x = (struct scale){x[0], x[1], 0};
	find_ticks(canvas, y);
	return true;
}

const char *plot_glyph(bool utf8, size_t series)
{
	static const char *const glyphs[PLOT_GLYPHS] = {"*", "+", "o", "x", "#", "@"};
	return utf8 && series == 0 ? "\u2812" : glyphs[series % PLOT_GLYPHS];
}

static void set_dot(struct canvas *canvas, int x, int y, size_t series)
{
	/* Unicode's numbering of the eight dots of a braille cell, from the top left one. */
	static const unsigned char bits[4][2] = {
		{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
	int down = canvas->y.dots - 1 - y;
	int cell = down / canvas->dots_y * canvas->columns + x / canvas->dots_x;
	if (canvas->plot->utf8 && series == 0)
		canvas->dots[cell] |= bits[down % canvas->dots_y][x % canvas->dots_x];
	else
		canvas->glyphs[cell] = (unsigned char)*plot_glyph(false, series);
}

static void draw_line(struct canvas *canvas, const int from[2], const int to[2], size_t series)
{
	int across = abs(to[0] - from[0]), up = abs(to[1] - from[1]);
	int steps = across > up ? across : up;
	for (int i = 0; i <= steps; i++) {
		double share = steps ? (double)i / steps : 0;
		set_dot(canvas, from[0] + (int)lround(share * (to[0] - from[0])),
			from[1] + (int)lround(share * (to[1] - from[1])), series);
	}
}

static void draw_series(struct canvas *canvas, size_t which)
{
	const struct plot_series *series = &canvas->plot->series[which];
	int last[2];
	bool joined = false;
	for (size_t i = 0; i < series->count; i++) {
		if (!is_shown(canvas, series, i)) {
			joined = false;
			continue;
		}
		int here[2] = {position(&canvas->x, place_x(canvas, series->rows[i].x)),
			       position(&canvas->y, place_y(canvas, y_of(series, i)))};
		if (series->rows[i].apart)
			joined = false;
		if (i && !canvas->plot->linear_x &&
		    log2(series->rows[i].x / series->rows[i - 1].x) > VIEW_WIDEST_OCTAVES + ROUNDED)
			joined = false;
		draw_line(canvas, joined ? last : here, here, which);
		memcpy(last, here, sizeof(last));
		joined = true;
	}
}

/* The label of the row, where a nice value falls on it; when several do, the one nearest to its
 * middle, but an end of the scale at either end. */
static bool row_label(const struct canvas *canvas, int row, char label[static LABEL_BYTES])
{
	double middle = canvas->y.dots - 1 - canvas->dots_y * (row + 0.5) + 0.5, nearest = INFINITY;
	for (int i = canvas->ticks[0]; i <= canvas->ticks[1]; i++) {
		int dot = position(&canvas->y, place_y(canvas, tick_value(canvas, i)));
		bool end = i == canvas->ticks[0] || i == canvas->ticks[1];
		double off = end ? 0 : fabs(dot - middle);
		if ((canvas->y.dots - 1 - dot) / canvas->dots_y != row || off >= nearest)
			continue;
		nearest = off;
		value_label(tick_value(canvas, i), label);
	}
	return isfinite(nearest);
}

static void add_cell(unsigned char dots, unsigned char glyph, struct text *text)
{
	if (dots) /* U+2800 and the bits, in UTF-8 */
		text_add(text, "\xE2%c%c", 0xA0 | dots >> 6, 0x80 | (dots & 0x3F));
	else
		text_add(text, "%c", glyph ? glyph : ' ');
}

static void add_row(const struct canvas *canvas, int row, struct text *text)
{
	const unsigned char *dots = canvas->dots + row * canvas->columns;
	const unsigned char *glyphs = canvas->glyphs + row * canvas->columns;
	char label[LABEL_BYTES] = "";
	bool tick = row_label(canvas, row, label);
	int last = canvas->columns;
	while (last > 0 && !dots[last - 1] && !glyphs[last - 1])
		last--;
	text_add(text, "%*s ", canvas->margin, label);
	if (canvas->plot->utf8)
		text_add(text, tick ? "┤" : "│");
	else
		text_add(text, tick ? "+" : "|");
	for (int i = 0; i < last; i++)
		add_cell(dots[i], glyphs[i], text);
	text_add(text, "\n");
}

/* The least step of exponents of two that leaves room for the labels: 1K 2K, 1K 4K, 1K 32K ...; of
 * plain numbers, a power of two. */
static int x_step(const struct canvas *canvas)
{
	static const int steps[] = {1, 2, 5, 10};
	double columns = (canvas->columns - 1) / (canvas->x.high - canvas->x.low);
	size_t i = 0;
	int power = 1;
	while (canvas->plot->linear_x && power * columns < X_TICK_COLUMNS && power < INT_MAX / 2)
		power *= 2;
	if (canvas->plot->linear_x)
		return power;
	while (i + 1 < sizeof(steps) / sizeof(*steps) && steps[i] * columns < X_TICK_COLUMNS)
		i++;
	return steps[i];
}

static void x_label(const struct canvas *canvas, int tick, char label[static LABEL_BYTES])
{
	if (canvas->plot->linear_x)
		snprintf(label, LABEL_BYTES, "%d", tick);
	else if (canvas->plot->plain_x)
		snprintf(label, LABEL_BYTES, "%" PRIu64, UINT64_C(1) << tick);
	else
		snprintf(label, LABEL_BYTES, "%s", rounding_brief_size(UINT64_C(1) << tick).text);
}

static void add_x_axis(const struct canvas *canvas, struct text *text)
{
	struct text labels = {0};
	int step = x_step(canvas), column = 0, label_end = 0;
	int last = canvas->plot->linear_x ? MOST_NUMBER : MOST_SIZE_EXPONENT;
	int tick = step * (int)ceil(canvas->x.low / step - 1e-9);
	text_add(text, "%*s %s", canvas->margin, "", canvas->plot->utf8 ? "└" : "+");
	for (; tick <= canvas->x.high + 1e-9 && tick <= last; tick += step) {
		char label[LABEL_BYTES];
		int at = position(&canvas->x, tick) / canvas->dots_x;
		x_label(canvas, tick, label);
		for (; column < at; column++)
			text_add(text, canvas->plot->utf8 ? "─" : "-");
		text_add(text, canvas->plot->utf8 ? "┬" : "+");
		column++;
		int width = (int)strlen(label), start = at - width / 2;
		if (start > canvas->columns - width)
			start = canvas->columns - width;
		if (start < label_end)
			start = label_end;
		text_add(&labels, "%*s%s", start - label_end, "", label);
		label_end = start + width;
	}
	for (; column < canvas->columns; column++)
		text_add(text, canvas->plot->utf8 ? "─" : "-");
	char *line = text_take(&labels);
	text->failed |= !line;
	text_add(text, "\n%*s%s\n", canvas->margin + 2, "", line ? line : "");
	free(line);
}

/* "^" or an arrow under the place, and the name after it; before it where it would stand out. */
static bool has_room(const struct canvas *canvas, const char *row, int start, int length)
{
	if (start < 0 || start + length > canvas->columns)
		return false;
	for (int i = start - 1; i <= start + length; i++)
		if (i >= 0 && i < canvas->columns && row[i] != ' ')
			return false;
	return true;
}

/* Its name stands behind the arrow, or before it where there is no room. */
static void place_mark(const struct canvas *canvas, const struct figure_mark *mark, char *row)
{
	double place = mark->x > 0 ? place_x(canvas, mark->x) : NAN;
	int length = (int)strlen(mark->name) + 1;
	if (!(place >= canvas->x.low && place <= canvas->x.high))
		return;
	int at = position(&canvas->x, place) / canvas->dots_x;
	bool before = !has_room(canvas, row, at, length);
	int start = before ? at + 1 - length : at;
	if (!has_room(canvas, row, start, length))
		return;
	row[at] = '^';
	for (int i = 0; i < length - 1; i++)
		row[start + !before + i] =
			mark->name[i] >= ' ' && mark->name[i] <= '~' ? mark->name[i] : '?';
}

static void add_marks(const struct canvas *canvas, char *row, struct text *text)
{
	memset(row, ' ', (size_t)canvas->columns);
	for (size_t i = 0; i < canvas->plot->mark_count; i++)
		place_mark(canvas, &canvas->plot->marks[i], row);
	int last = canvas->columns;
	while (last > 0 && row[last - 1] == ' ')
		last--;
	text_add(text, "%*s", last ? canvas->margin + 2 : 0, "");
	for (int i = 0; i < last; i++)
		if (row[i] == '^' && canvas->plot->utf8)
			text_add(text, "\u2191");
		else
			text_add(text, "%c", row[i]);
	text_add(text, "\n");
}

bool plot_draw(const struct plot *plot, struct text *text)
{
	struct canvas canvas = {.plot = plot,
				.dots_x = plot->utf8 ? 2 : 1,
				.dots_y = plot->utf8 ? 4 : 1,
				.rows = (int)plot->rows - CAPTION_ROWS - (plot->mark_count > 0)};
	if (!find_scales(&canvas))
		return false;
	canvas.columns = (int)plot->columns - canvas.margin - 2;
	canvas.x.dots = canvas.columns * canvas.dots_x;
	canvas.y.dots = canvas.rows * canvas.dots_y;
	size_t cells = (size_t)canvas.rows * (size_t)canvas.columns;
	canvas.dots = calloc(2, cells);
	if (!canvas.dots) {
		text->failed = true;
		return true;
	}
	canvas.glyphs = canvas.dots + cells;
	for (size_t s = plot->series_count; s-- > 0;)
		draw_series(&canvas, s);
	text_add(text, "%*s%s\n", canvas.margin + 2, "", plot->title);
	for (int row = 0; row < canvas.rows; row++)
		add_row(&canvas, row, text);
	add_x_axis(&canvas, text);
	if (plot->mark_count)
		add_marks(&canvas, (char *)canvas.dots, text); /* drawn and done with */
	free(canvas.dots);
	return true;
}
