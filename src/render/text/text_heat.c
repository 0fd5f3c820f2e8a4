/* A heat map in characters: several rows and columns in one where there are many. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "render/text/text_view.h"
#include "views/figure.h"

#define SHADES     5
#define LABEL      8 /* columns before a row */
#define CELL       2 /* columns, so that it is square */
#define MOST_CELLS 48

static const char *shade_of(const struct layout *layout, int shade)
{
	static const char *const shades[SHADES][2] = {{"..", "\u00b7\u00b7"},
						      {"::", "\u2591\u2591"},
						      {"++", "\u2592\u2592"},
						      {"##", "\u2593\u2593"},
						      {"@@", "\u2588\u2588"}};
	return shades[shade][layout->utf8];
}

/* Do cells of so many CPUs end where groups of cores do? */
static bool fits(const struct figure_matrix *matrix, size_t together)
{
	for (size_t i = 1; i < matrix->count; i++)
		if (matrix->begins[i] && i % together)
			return false;
	return true;
}

static size_t find_together(const struct layout *layout, const struct figure_matrix *matrix)
{
	size_t room = (layout->columns - LABEL) / CELL;
	room = room < MOST_CELLS ? room : MOST_CELLS;
	size_t most = matrix->count > matrix->column_count ? matrix->count : matrix->column_count;
	size_t least = (most + room - 1) / room, together = least;
	while (together < 2 * least && !fits(matrix, together))
		together++;
	return together < 2 * least ? together : least;
}

/* Mean of the logarithms in the cell, as a share of the way from the least to the greatest; NAN:
 * there is none. */
static double find_share(const struct figure_matrix *matrix, size_t row, size_t column,
			 size_t together)
{
	double sum = 0, width = log(matrix->greatest / matrix->least);
	size_t count = 0;
	for (size_t i = row; i < row + together && i < matrix->count; i++)
		for (size_t k = column; k < column + together && k < matrix->column_count; k++) {
			double value = matrix->values[i * matrix->column_count + k];
			sum += isnan(value) ? 0 : log(value / matrix->least);
			count += !isnan(value);
		}
	return !count ? NAN : width > 0 ? sum / (double)count / width : 0;
}

static void add_row(const struct layout *layout, const struct figure_matrix *matrix, size_t row,
		    size_t together)
{
	text_add(layout->text, "%*d ", LABEL - 1, matrix->cpus[row]);
	for (size_t column = 0; column < matrix->column_count; column += together) {
		double share = find_share(matrix, row, column, together);
		text_add(layout->text, "%s",
			 isnan(share) ? "  "
				      : shade_of(layout, (int)fmin(share * SHADES, SHADES - 1)));
	}
	layout_end_line(layout);
}

/* Do the ends of all shades read differently? */
static bool are_apart(double least, double times)
{
	for (int i = 0; i < SHADES; i++)
		if (strcmp(rounding_number(least * pow(times, i)).text,
			   rounding_number(least * pow(times, i + 1)).text) == 0)
			return false;
	return true;
}

static void add_legend(const struct layout *layout, const struct figure *figure, size_t together)
{
	const struct figure_matrix *matrix = &figure->matrix;
	const struct figure_matrix_words *named = &figure_traits[figure->kind].matrix;
	struct text words = {0};
	double times = pow(matrix->greatest / matrix->least, 1.0 / SHADES);
	bool apart = are_apart(matrix->least, times);
	for (int i = 0; i < SHADES && apart; i++)
		text_add(&words, "%s%s to %s", i ? ", " : "", shade_of(layout, i),
			 rounding_number(matrix->least * pow(times, i + 1)).text);
	if (apart)
		text_add(&words, " %s; from %s on", named->unit,
			 rounding_number(matrix->least).text);
	else if (times > 1)
		text_add(&words, "%s to %s: all within %s %% of %s %s", shade_of(layout, 0),
			 shade_of(layout, SHADES - 1),
			 rounding_about(100 * (matrix->greatest / matrix->least - 1)).text,
			 rounding_number(matrix->least).text, named->unit);
	else
		text_add(&words, "%s %s %s", shade_of(layout, 0),
			 rounding_number(matrix->least).text, named->unit);
	if (together > 1)
		text_add(&words, "; %zu %s in each row and column, their mean", together,
			 named->several);
	layout_item(layout, "  ", &words);
}

void text_heat(const struct layout *layout, const struct figure *figure)
{
	size_t together = find_together(layout, &figure->matrix);
	struct text caption = {0};
	text_add(&caption, "%s. %s", figure->y_label, figure_traits[figure->kind].matrix.rows);
	layout_item(layout, "", &caption);
	for (size_t row = 0; row < figure->matrix.count; row += together)
		add_row(layout, &figure->matrix, row, together);
	add_legend(layout, figure, together);
}
