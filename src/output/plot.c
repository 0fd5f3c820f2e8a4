#include "output/plot.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/layout.h"
#include "output/utf8.h"

#define LABEL_BYTES        UNITS_TEXT_BYTES
#define CAPTION_ROWS       3 /* title, x axis, its labels */
#define X_TICK_COLUMNS     7 /* the least from one label to the next */
#define MOST_SIZE_EXPONENT 63
#define MOST_BYTES         0x1p63
#define LEAST_VALUE        1e-12 /* beyond these nothing was measured, and labels end */
#define MOST_VALUE         1e18

/* One scale: where the value's logarithm falls among the dots. */
struct scale {
	double low, high; /* log2 of sizes, log10 of values */
	int dots;
};

struct canvas {
	const struct plot *plot;
	unsigned char *dots;   /* braille bits of each cell; 0: blank */
	unsigned char *glyphs; /* an ASCII mark for each cell; 0: blank */
	int columns, rows;
	int dots_x, dots_y; /* in a cell */
	int margin;         /* columns of the y labels */
	struct scale x, y;
};

static void extend(double range[2], double value)
{
	range[0] = fmin(range[0], value);
	range[1] = fmax(range[1], value);
}

static bool is_shown(const struct plot_series *series, size_t i)
{
	return series->y[i] >= LEAST_VALUE && series->y[i] <= MOST_VALUE &&
	       series->x_bytes[i] >= 1 && series->x_bytes[i] <= MOST_BYTES;
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

static int position(const struct scale *scale, double logarithm)
{
	double share = (logarithm - scale->low) / (scale->high - scale->low);
	return (int)lround(share * (scale->dots - 1));
}

static const char *value_label(double value, char label[static LABEL_BYTES])
{
	static const struct {
		double least, unit;
		const char *letter;
	} units[] = {{1e9, 1e9, "G"}, {1e6, 1e6, "M"}, {1e4, 1e3, "k"}, {0, 1, ""}};
	size_t i = 0;
	while (value < units[i].least * (1 - 1e-9))
		i++;
	snprintf(label, LABEL_BYTES, "%.4g%s", value / units[i].unit, units[i].letter);
	return label;
}

/* Scales to the data: nice values at the ends of y; the sizes themselves at the ends of x, or the
 * powers of two around them where too few are inside. */
static bool find_scales(struct canvas *canvas)
{
	double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY};
	for (size_t s = 0; s < canvas->plot->series_count; s++) {
		const struct plot_series *series = &canvas->plot->series[s];
		for (size_t i = 0; i < series->count; i++)
			if (is_shown(series, i)) {
				extend(x, log2(series->x_bytes[i]));
				extend(y, series->y[i]);
			}
	}
	if (x[0] > x[1])
		return false;
	if (floor(x[1]) - ceil(x[0]) < 1) {
		x[0] = floor(x[0]);
		x[1] = fmax(ceil(x[1]), x[0] + 1);
	}
	int low = nice_below(y[0]), high = nice_above(y[1]);
	if (low == high) {
		low--;
		high++;
	}
	canvas->x = (struct scale){x[0], x[1], 0};
	canvas->y = (struct scale){log10(nice_value(low)), log10(nice_value(high)), 0};
	for (int i = low; i <= high; i++) {
		char label[LABEL_BYTES];
		int width = (int)strlen(value_label(nice_value(i), label));
		canvas->margin = width > canvas->margin ? width : canvas->margin;
	}
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
		if (!is_shown(series, i)) {
			joined = false;
			continue;
		}
		int here[2] = {position(&canvas->x, log2(series->x_bytes[i])),
			       position(&canvas->y, log10(series->y[i]))};
		draw_line(canvas, joined ? last : here, here, which);
		memcpy(last, here, sizeof(last));
		joined = true;
	}
}

/* The label of the row, where a nice value falls on it; the first that does, when several do. */
static bool row_label(const struct canvas *canvas, int row, char label[static LABEL_BYTES])
{
	int low = nice_below(pow(10, canvas->y.low)), high = nice_below(pow(10, canvas->y.high));
	for (int i = low; i <= high; i++) {
		int dot = position(&canvas->y, log10(nice_value(i)));
		if ((canvas->y.dots - 1 - dot) / canvas->dots_y != row)
			continue;
		value_label(nice_value(i), label);
		return true;
	}
	return false;
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

/* The least step of exponents of two that leaves room for the labels: 1K 2K, 1K 4K, 1K 32K ... */
static int size_step(const struct canvas *canvas)
{
	static const int steps[] = {1, 2, 5, 10};
	double columns = (canvas->columns - 1) / (canvas->x.high - canvas->x.low);
	size_t i = 0;
	while (i + 1 < sizeof(steps) / sizeof(*steps) && steps[i] * columns < X_TICK_COLUMNS)
		i++;
	return steps[i];
}

static void add_size_axis(const struct canvas *canvas, struct text *text)
{
	struct text labels = {0};
	int step = size_step(canvas), column = 0, label_end = 0;
	int exponent = step * (int)ceil(canvas->x.low / step - 1e-9);
	text_add(text, "%*s %s", canvas->margin, "", canvas->plot->utf8 ? "└" : "+");
	for (; exponent <= canvas->x.high + 1e-9 && exponent <= MOST_SIZE_EXPONENT;
	     exponent += step) {
		char label[LABEL_BYTES];
		int at = position(&canvas->x, exponent) / canvas->dots_x;
		layout_size(UINT64_C(1) << exponent, true, label);
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
	text_add(text, "\n%*s%s\n", canvas->margin + 2, "", line ? line : "");
	free(line);
}

/* "^" or an arrow under the place, and the name after it; before it where it would stand out. */
static void place_mark(const struct canvas *canvas, const struct plot_mark *mark, char *row)
{
	double logarithm = mark->x_bytes > 0 ? log2(mark->x_bytes) : NAN;
	int length = (int)strlen(mark->name) + 1;
	if (!(logarithm >= canvas->x.low && logarithm <= canvas->x.high) ||
	    length > canvas->columns)
		return;
	int at = position(&canvas->x, logarithm) / canvas->dots_x;
	bool before = at + length > canvas->columns;
	int start = before ? at + 1 - length : at;
	for (int i = start - 1; i <= start + length; i++)
		if (i >= 0 && i < canvas->columns && row[i] != ' ')
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
	add_size_axis(&canvas, text);
	if (plot->mark_count)
		add_marks(&canvas, (char *)canvas.dots, text); /* drawn and done with */
	free(canvas.dots);
	return true;
}
