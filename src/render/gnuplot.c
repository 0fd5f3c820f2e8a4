/* A gnuplot script with its data in it: everything that a figure needs is in one file, and can be
 * changed there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/units.h"
#include "base/utf8.h"
#include "render/figures.h"
#include "render/writers.h"

#define MOST_TICKS 12
#define FROM_ZERO  20   /* times: what an axis from 0 on still tells apart */
#define MOST_BAND  3    /* the bounds of a few points would leave no room to see the others */
#define LANES_BAND 1.25 /* the same, where what matters lies under the ideal line */
#define EDGE       1.15 /* a point at the very end of an axis lies on the frame */
#define LEAST_GAP  0.75 /* octaves between the names of two marks */

/* Okabe and Ito: told apart by people of every kind of colour vision, and in grey by dashes and
 * points. */
static const struct {
	const char *color;
	int dash, point;
} looks[FIGURE_MOST_SERIES] = {
	{"#0072b2", 1, 7},  {"#d55e00", 2, 5},  {"#009e73", 4, 9},  {"#cc79a7", 5, 13},
	{"#e69f00", 3, 6},  {"#56b4e9", 1, 4},  {"#000000", 2, 8},  {"#999999", 4, 12},
	{"#332288", 3, 10}, {"#882255", 5, 14}, {"#44aa99", 4, 11}, {"#ddcc77", 2, 15},
};

struct range {
	double low, high;
	bool is_log;
};

static struct range range_of(const struct figure *figure, bool of_x)
{
	struct range range = {INFINITY, -INFINITY, false};
	double most = figure->kind == FIGURE_SPEEDUP ? LANES_BAND : MOST_BAND;
	for (size_t i = 0; i < figure->series_count; i++)
		for (size_t k = 0; k < figure->series[i].count; k++) {
			const struct figure_row *row = &figure->series[i].rows[k];
			double at = of_x ? row->x : row->y;
			double low = fmax(fmin(at, row->low), at / most);
			double high = fmin(fmax(at, row->high), at * most);
			range.low = fmin(range.low, of_x ? at : low);
			range.high = fmax(range.high, of_x ? at : high);
		}
	return range;
}

/* Single quotes: gnuplot takes nothing between them for a command, an escape or a variable. */
static void add_quoted(struct text *text, const char *words)
{
	text_add(text, "'");
	utf8_add_marked(text, words, "'", '\'');
	text_add(text, "'");
}

/* ---- axes ---- */

/* "65536", "4.19M": millions and more in three digits. */
static const char *plain_number(double value, char label[static UNITS_TEXT_BYTES])
{
	static const char units[] = "MGT";
	size_t unit = 0;
	double millions = value / 1e6;
	for (; millions >= 1000 && units[unit + 1]; unit++)
		millions /= 1000;
	if (value < 1e6)
		snprintf(label, UNITS_TEXT_BYTES, "%.6g", value);
	else
		snprintf(label, UNITS_TEXT_BYTES, "%.3g%c", millions, units[unit]);
	return label;
}

static void add_power_ticks(struct text *text, struct range range, bool bytes)
{
	char label[UNITS_TEXT_BYTES];
	double low = floor(log2(range.low) + 1e-9), high = ceil(log2(range.high) - 1e-9);
	double step = 1;
	if (high <= low)
		high = low + 1;
	while ((high - low) / step >= MOST_TICKS)
		step *= 2;
	text_add(text, "set logscale x 2\nset xrange [%.12g:%.12g]\nset xtics (", exp2(low) / EDGE,
		 exp2(high) * EDGE);
	for (double at = ceil(low / step) * step; at <= high; at += step) {
		const char *words = bytes && at >= 0 ? units_format_size((uint64_t)exp2(at), label)
						     : plain_number(exp2(at), label);
		text_add(text, "%s'%s' %.12g", at > ceil(low / step) * step ? ", " : "", words,
			 exp2(at));
	}
	text_add(text, ")\n");
}

/* 1, 2, 5, 10, ... from `low` to `high`, of each decade the first `steps`, at so many times less.
 * Returns how many. */
static size_t list_ticks(struct text *text, double low, double high, int steps, double times)
{
	static const double nice[] = {1, 2, 5};
	size_t count = 0;
	for (double decade = floor(log10(low)); decade <= log10(high); decade++)
		for (int i = 0; i < steps; i++) {
			double at = nice[i] * pow(10, decade);
			if (at >= low && at <= high)
				text_add(text, "%s'%.6g' %.6g", count++ ? ", " : "", at,
					 at / times);
		}
	return count;
}

/* Of many decades the tens alone. */
static struct range add_decimal_ticks(struct text *text, struct range range)
{
	double low = range.low / 1.15, high = range.high * 1.15;
	struct text ticks = {0};
	bool few = log10(range.high / range.low) < 4;
	size_t count = list_ticks(&ticks, low, high, few ? 3 : 1, 1);
	text_add(text, "set logscale y 10\nset yrange [%.6g:%.6g]\n", low, high);
	if (count > 1)
		text_add(text, "set ytics (%s)\n", ticks.data);
	else /* a flat curve */
		text_add(text, "unset logscale y\nset ytics autofreq\n");
	text->failed |= ticks.failed;
	text_free(&ticks);
	return (struct range){low, high, count > 1};
}

/* From 0 on, but where the place of no gain is in the middle. */
static struct range add_linear_range(struct text *text, const struct figure *figure,
				     struct range range)
{
	bool around = figure->kind == FIGURE_COMPARISON;
	double low = around ? fmin(range.low, figure->y_even) : 0;
	double high = fmax(range.high, figure->y_even);
	double margin = fmax(0.08 * (high - low), 0.02);
	struct range shown = {around ? fmax(low - margin, 0) : 0, high + margin, false};
	text_add(text, "set yrange [%.6g:%.6g]\nset ytics autofreq\n", shown.low, shown.high);
	return shown;
}

/* The axis at the right: the same places, in the other unit. (gnuplot links no logarithmic axes.)
 */
static void add_beside(const struct figure *figure, struct range range, struct text *text)
{
	double high = range.high * figure->beside;
	double least = range.is_log ? 0 : pow(10, floor(log10(high / FROM_ZERO)));
	double low = fmax(range.low * figure->beside, least);
	text_add(text, "set border 11\nset y2label ");
	add_quoted(text, figure->beside_label);
	text_add(text, "\n%sset y2range [%.6g:%.6g]\nset y2tics (",
		 range.is_log ? "set logscale y2 10\n" : "", range.low, range.high);
	list_ticks(text, low, high, 3, figure->beside);
	text_add(text, ")\n");
}

static void add_linear_x(struct range range, struct text *text)
{
	double margin = 0.02 * (range.high - range.low);
	text_add(text, "set xrange [%.6g:%.6g]\nset xtics autofreq\n", range.low - margin,
		 range.high + margin);
}

static void add_places(const struct figure *figure, struct text *text)
{
	text_add(text, "set xrange [0.5:%zu.5]\nset xtics rotate by -30 noenhanced (",
		 figure->place_count);
	for (size_t i = 0; i < figure->place_count; i++) {
		text_add(text, "%s", i ? ", " : "");
		add_quoted(text, figure->places[i]);
		text_add(text, " %zu", i + 1);
	}
	text_add(text, ")\n");
}

static void add_axes(const struct figure *figure, struct text *text)
{
	struct range x = range_of(figure, true), y = range_of(figure, false);
	text_add(text, "set xlabel ");
	add_quoted(text, figure->x_label);
	text_add(text, " offset 0,0.4\nset ylabel ");
	add_quoted(text, figure->y_label);
	text_add(text, "\n");
	if (figure->place_count)
		add_places(figure, text);
	else if (figure->x_is_linear)
		add_linear_x(x, text);
	else
		add_power_ticks(text, x, figure->x_is_bytes);
	if (figure->y_is_linear)
		y = add_linear_range(text, figure, y);
	else
		y = add_decimal_ticks(text, y);
	if (figure->beside > 0)
		add_beside(figure, y, text);
}

/* ---- marks ---- */

static int ascending(const void *a, const void *b)
{
	double of_a = ((const struct figure_mark *)a)->x, of_b = ((const struct figure_mark *)b)->x;
	return (of_a > of_b) - (of_a < of_b);
}

/* On the axis at the top; where two are so near that one name would be over the other, it goes to
 * the right. */
static void add_marks(const struct figure *figure, struct text *text)
{
	double last = 0;
	if (!figure->mark_count)
		return;
	qsort(figure->marks, figure->mark_count, sizeof(*figure->marks), ascending);
	for (size_t i = 0; i < figure->mark_count; i++) {
		const struct figure_mark *mark = &figure->marks[i];
		text_add(text,
			 "set arrow from first %.12g, graph 0 to first %.12g, graph 1 nohead back "
			 "lc rgb '#b0b0b0' dt 3\n",
			 mark->x, mark->x);
		double at = mark->x;
		if (figure->x_is_bytes)
			at = last = fmax(mark->x, last * exp2(LEAST_GAP));
		struct text label = {0};
		text_add(&label, "%s", mark->name);
		if (figure->x_is_bytes)
			text_add(&label, " %s",
				 rounding_size_of((struct estimate){mark->x, mark->low, mark->high})
					 .text);
		text_add(text, "set label ");
		add_quoted(text, label.data ? label.data : "");
		text_add(text,
			 " noenhanced at first %.12g, graph 1.02 left offset 0.4,0 rotate by 45 "
			 "font small "
			 "tc rgb '#505050'\n",
			 at);
		text->failed |= label.failed;
		text_free(&label);
	}
}

/* ---- data ---- */

static void add_value(struct text *text, double value)
{
	if (isfinite(value))
		text_add(text, " %.7g", value);
	else
		text_add(text, " NaN");
}

static bool is_joined(const struct figure_series *series, size_t i)
{
	return i > 0 && i < series->count && !series->rows[i].apart;
}

static bool is_bounded(const struct figure_series *series, size_t i)
{
	return isfinite(series->rows[i].low);
}

/* Has it an interval, and no neighbour to draw a band to? */
static bool stands_alone(const struct figure_series *series, size_t i)
{
	bool before = is_joined(series, i) && is_bounded(series, i - 1);
	bool after = is_joined(series, i + 1) && is_bounded(series, i + 1);
	return is_bounded(series, i) && !before && !after;
}

/* An empty line ends a line of the picture. */
static void add_data(const struct figure *figure, struct text *text)
{
	text_add(text,
		 "# %s, %s, and the 95 %% interval of the latter: low, high; the former again "
		 "where a bar shows it\n",
		 figure->x_label, figure->y_label);
	for (size_t i = 0; i < figure->series_count; i++) {
		const struct figure_series *series = &figure->series[i];
		text_add(text, "$series%zu << EOD\n", i + 1);
		for (size_t k = 0; k < series->count; k++) {
			text_add(text, "%s%.12g", series->rows[k].apart ? "\n" : "",
				 series->rows[k].x);
			add_value(text, series->rows[k].y);
			add_value(text, series->rows[k].low);
			add_value(text, series->rows[k].high);
			add_value(text, stands_alone(series, k) ? series->rows[k].x : NAN);
			text_add(text, "\n");
		}
		text_add(text, "EOD\n");
	}
}

typedef bool row_test(const struct figure_series *series, size_t i);

static bool has_any(const struct figure_series *series, row_test *test)
{
	for (size_t i = 0; i < series->count; i++)
		if (test(series, i))
			return true;
	return false;
}

static void add_plot(const struct figure *figure, struct text *text)
{
	const char *before = "plot";
	if (figure->kind == FIGURE_SPEEDUP) {
		text_add(text, "%s x with lines lc rgb '#b0b0b0' dt 1 title 'ideal'", before);
		before = ", \\\n    ";
	} else if (isfinite(figure->y_even)) {
		text_add(text, "%s %g with lines lc rgb '#808080' dt 2 notitle", before,
			 figure->y_even);
		before = ", \\\n    ";
	}
	for (size_t i = 0; i < figure->series_count; i++) {
		if (!has_any(&figure->series[i], is_bounded))
			continue;
		text_add(text,
			 "%s $series%zu using 1:3:4 with filledcurves fc rgb '%s' "
			 "fs transparent solid 0.2 noborder notitle",
			 before, i + 1, looks[i].color);
		before = ", \\\n    ";
	}
	for (size_t i = 0; i < figure->series_count; i++) {
		if (!figure->series[i].count)
			continue;
		text_add(text, "%s $series%zu using 1:2 with %s ls %zu title ", before, i + 1,
			 figure->place_count        ? "points"
			 : figure->series[i].is_law ? "lines"
						    : "linespoints",
			 i + 1);
		add_quoted(text, figure->series[i].name);
		before = ", \\\n    ";
		if (has_any(&figure->series[i], stands_alone))
			text_add(text,
				 "%s $series%zu using 5:3:(0):($4-$3) with vectors nohead lc rgb "
				 "'%s' lw 1.2 notitle",
				 before, i + 1, looks[i].color);
	}
	text_add(text, "\n");
}

static void add_looks(const struct figure *figure, struct text *text)
{
	size_t most = 0;
	for (size_t i = 0; i < figure->series_count; i++)
		most = figure->series[i].count > most ? figure->series[i].count : most;
	for (size_t i = 0; i < figure->series_count; i++)
		text_add(text, "set style line %zu lc rgb '%s' lw %s dt %d pt %d ps %s\n", i + 1,
			 looks[i].color, figure->series[i].aside ? "1.2" : "1.8", looks[i].dash,
			 looks[i].point, most > 40 ? "0.3" : "0.6");
}

static void add_header(const struct figure *figure, struct text *text)
{
	text_add(text,
		 "# A figure of fathom: %s. Run by\n"
		 "#     gnuplot FILE                                      a PDF\n"
		 "#     gnuplot -e \"format='svg'; output='x.svg'\" FILE    or png\n"
		 "if (!exists('format')) format = 'pdf'\n"
		 "if (!exists('output')) output = 'fathom-%s.'.format\n"
		 "if (format eq 'pdf') set terminal pdfcairo size 16cm,10cm font 'Sans,11'\n"
		 "small = format eq 'png' ? ',18' : format eq 'svg' ? ',11' : ',9'\n"
		 "if (format eq 'png') set terminal pngcairo size 1600,1000 font 'Sans,22' "
		 "linewidth 2 pointscale 2\n"
		 "if (format eq 'svg') set terminal svg size 800,500 dynamic font 'sans-serif,13' "
		 "background rgb 'white'\n"
		 "if (output ne '') set output output\n\n"
		 "set encoding utf8\n",
		 figure_name((int)figure->kind), figure_name((int)figure->kind));
	if (*figure->title) {
		text_add(text, "set title ");
		add_quoted(text, figure->title);
		text_add(text, " noenhanced%s\n", figure->mark_count ? " offset 0,3.4" : "");
	}
	if (figure->mark_count)
		text_add(text, "set tmargin %s\n", *figure->title ? "7.3" : "5");
	text_add(text, "set border 3 lc rgb '#404040'\nset tics nomirror out\n"
		       "set grid y lc rgb '#e4e4e4' lt 1\n"
		       "set key bmargin center horizontal Left reverse noenhanced title ' '\n");
}

int gnuplot_write_figure(const struct figure *figure, struct text *text, struct fathom_error *error)
{
	add_header(figure, text);
	if (figure->matrix.count) {
		gnuplot_add_matrix(figure, text);
		return text->failed ? error_no_memory(error) : 0;
	}
	add_axes(figure, text);
	add_marks(figure, text);
	add_looks(figure, text);
	text_add(text, "\n");
	add_data(figure, text);
	text_add(text, "\n");
	add_plot(figure, text);
	return text->failed ? error_no_memory(error) : 0;
}

int gnuplot_write(const struct content *content, const struct fathom_style *style,
		  struct text *text, struct fathom_error *error)
{
	const struct fathom_result *result = content->result;
	const struct fathom_run run = {"this result", result};
	struct figure figure;
	if (figure_make(&run, 1, figure_choose(&run, 1), style ? style->y : FATHOM_Y_NS, &figure,
			error))
		return -1;
	int status = gnuplot_write_figure(&figure, text, error);
	figure_free(&figure);
	return status;
}
