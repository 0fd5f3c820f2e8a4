/* What each format can write: the functions that the table in formats.c lists, beside those of
 * document/document.h. Each appends to
 * `text` and fails only when memory runs out. `style` may be NULL. */
#ifndef RENDER_WRITERS_H
#define RENDER_WRITERS_H

#include "base/text.h"
#include "fathom.h"

int text_write_result(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error);
int text_write_plan(const struct fathom_plan *plan, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error);
int text_write_survey(const struct fathom_survey *survey, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error);
int text_write_machine(const struct fathom_machine *machine, const struct fathom_style *style,
		       struct text *text, struct fathom_error *error);
int text_write_comparison(const struct fathom_comparison *comparison,
			  const struct fathom_style *style, struct text *text,
			  struct fathom_error *error);

int markdown_write_result(const struct fathom_result *result, const struct fathom_style *style,
			  struct text *text, struct fathom_error *error);
int prometheus_write_result(const struct fathom_result *result, const struct fathom_style *style,
			    struct text *text, struct fathom_error *error);
int benchmark_write_result(const struct fathom_result *result, const struct fathom_style *style,
			   struct text *text, struct fathom_error *error);
int gnuplot_write_result(const struct fathom_result *result, const struct fathom_style *style,
			 struct text *text, struct fathom_error *error);

/* One file that shows it and asks the network for nothing. */
int html_write_result(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error);
int html_write_comparison(const struct fathom_comparison *comparison,
			  const struct fathom_style *style, struct text *text,
			  struct fathom_error *error);

#endif
