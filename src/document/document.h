/* The documents of fathom, JSON and CSV, out and in. The writers append to `text` and fail only
 * when memory runs out; `style` may be NULL. */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include "base/text.h"
#include "fathom.h"

int json_write_result(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error);
int json_write_plan(const struct fathom_plan *plan, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error);
int json_write_survey(const struct fathom_survey *survey, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error);
int json_write_machine(const struct fathom_machine *machine, const struct fathom_style *style,
		       struct text *text, struct fathom_error *error);
int json_write_comparison(const struct fathom_comparison *comparison,
			  const struct fathom_style *style, struct text *text,
			  struct fathom_error *error);

int csv_write_result(const struct fathom_result *result, const struct fathom_style *style,
		     struct text *text, struct fathom_error *error);
int csv_write_comparison(const struct fathom_comparison *comparison,
			 const struct fathom_style *style, struct text *text,
			 struct fathom_error *error);

/* read_plan.c: the plan that `--dry-run --json` printed. Errors: BAD_INPUT, naming the field. */
int json_read_plan(const char *text, size_t length, struct fathom_plan **plan,
		   struct fathom_error *error);

/* read_document.c: fathom's JSON, as readers/readers.h has it of each format that is read. */
bool document_detect(const char *bytes, size_t length);
int document_read(const char *bytes, size_t length, const struct fathom_input *input,
		  struct fathom_result *result, struct fathom_error *error);

#endif
