/* gnuplot: the one program that is started, and never through a shell. */
#pragma once

#include "base/text.h"
#include "environment.h"
#include "fathom.h"

/* "svg", "png" or "pdf": by number, from 0, by name or by the extension of a path; NULL: it draws
 * no such thing. */
const char *gnuplot_picture_name(int number);
const char *gnuplot_picture(const char *name);
const char *gnuplot_picture_of(const char *path);

/* Has gnuplot draw `script` (that of fathom_figure_write) as such a picture. `drawn` starts from
 * {0}. Errors: UNABLE (there is no gnuplot), FAILED (it says no, or nothing for long), INTERRUPTED;
 * no process is left behind. */
int gnuplot_draw(const char *script, const char *picture, const struct environment *environment,
		 struct text *drawn, struct fathom_error *error);
