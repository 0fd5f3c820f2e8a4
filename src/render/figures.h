/* A figure, drawn. */
#pragma once

#include "base/text.h"
#include "views/figure.h"

/* text.c: in characters, with a legend where there are several series. */
int figure_plot(const struct figure *figure, const struct fathom_style *style, struct text *text,
		struct fathom_error *error);
/* gnuplot.c: a script with its data in it. */
int gnuplot_write_figure(const struct figure *figure, struct text *text,
			 struct fathom_error *error);
/* gnuplot_matrix.c: the part of it that draws a matrix. */
void gnuplot_add_matrix(const struct figure *figure, struct text *text);
