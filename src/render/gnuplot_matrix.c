/* A matrix as gnuplot draws it: cells coloured by the logarithm, lines between groups. */
#include <math.h>

#include "render/figures.h"

#define MOST_TICKS 16
/* Rows that are drawn as rectangles, sharp at any size; of more a picture. */
#define MOST_PIXELS 64
#define WIDE        2 /* columns over rows: then cells need not be square */

/* Light to dark also in grey, and told apart by people of every kind of colour vision (viridis). */
#define PALETTE                                                                                    \
	"set palette defined (0 '#fde725', 1 '#5ec962', 2 '#21918c', 3 '#3b528b', 4 '#440154')\n"

static void add_ticks(const struct figure_matrix *matrix, bool columns, struct text *text)
{
	size_t count = columns ? matrix->column_count : matrix->count;
	size_t step = (count + MOST_TICKS - 1) / MOST_TICKS;
	text_add(text, "set %stics (", columns ? "x" : "y");
	for (size_t i = 0; i < count; i += step)
		text_add(text, "%s'%d' %zu", i ? ", " : "",
			 columns ? figure_column(matrix, i) : matrix->cpus[i], i);
	text_add(text, ")\n");
}

static void add_lines(const struct figure_matrix *matrix, struct text *text)
{
	for (size_t i = 1; i < matrix->count; i++) {
		double at = (double)i - 0.5, end = (double)matrix->count - 0.5;
		if (!matrix->begins[i])
			continue;
		text_add(text,
			 "set arrow from %g,-0.5 to %g,%g nohead front lc rgb 'white' lw 1.5\n"
			 "set arrow from -0.5,%g to %g,%g nohead front lc rgb 'white' lw 1.5\n",
			 at, at, end, at, end, at);
	}
}

static void add_rows(const struct figure *figure, struct text *text)
{
	const struct figure_matrix *matrix = &figure->matrix;
	const struct figure_matrix_words *named = &figure_traits[figure->kind].matrix;
	text_add(text, "# %s: rows are %s", figure->y_label, named->row);
	for (size_t i = 0; i < matrix->count; i++)
		text_add(text, "%s%d", i ? "," : " ", matrix->cpus[i]);
	for (size_t i = 0; matrix->columns && i < matrix->column_count; i++)
		if (i)
			text_add(text, ",%d", matrix->columns[i]);
		else
			text_add(text, "; columns are %s %d", named->column, matrix->columns[i]);
	text_add(text, "\n$matrix << EOD\n");
	for (size_t i = 0; i < matrix->count; i++)
		for (size_t k = 0; k < matrix->column_count; k++) {
			double value = matrix->values[i * matrix->column_count + k];
			const char *end = k + 1 < matrix->column_count ? " " : "\n";
			if (isnan(value))
				text_add(text, "NaN%s", end);
			else
				text_add(text, "%.6g%s", value, end);
		}
	text_add(text, "EOD\n");
}

void gnuplot_add_matrix(const struct figure *figure, struct text *text)
{
	const struct figure_matrix *matrix = &figure->matrix;
	text_add(text,
		 "unset key\nunset grid\nset border 15\n%s"
		 "set xrange [-0.5:%g]\nset yrange [%g:-0.5]\nset xlabel '%s'\nset ylabel '%s'\n"
		 "set cblabel '%s'\n" PALETTE,
		 matrix->column_count > WIDE * matrix->count ? "" : "set size ratio -1\n",
		 (double)matrix->column_count - 0.5, (double)matrix->count - 0.5, figure->x_label,
		 figure_traits[figure->kind].matrix.row, figure->y_label);
	if (matrix->greatest > matrix->least)
		text_add(text, "set logscale cb\nset cbrange [%.6g:%.6g]\nset cbtics (",
			 matrix->least, matrix->greatest);
	for (int i = 0; i <= 4 && matrix->greatest > matrix->least; i++) {
		double at = matrix->least * pow(matrix->greatest / matrix->least, i / 4.0);
		text_add(text, "%s'%s' %.6g", i ? ", " : "", rounding_number(at).text, at);
	}
	if (matrix->greatest > matrix->least)
		text_add(text, ")\n");
	add_ticks(matrix, true, text);
	add_ticks(matrix, false, text);
	add_lines(matrix, text);
	text_add(text, "\n");
	add_rows(figure, text);
	text_add(text, "\nplot $matrix matrix with image%s\n",
		 matrix->count <= MOST_PIXELS ? " pixels" : "");
}
