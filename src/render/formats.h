/* Results to bytes: one file for each format, one line of the table in formats.c. */
#ifndef RENDER_FORMATS_H
#define RENDER_FORMATS_H

#include "base/text.h"
#include "fathom.h"

struct format {
	const char *name;      /* "json" */
	const char *extension; /* ".json"; NULL: none */
	bool explained;        /* it shows a result's readings: there are to be some */
	/* Each may be NULL: the format cannot hold that. */
	int (*result)(const struct fathom_result *result, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error);
	int (*plan)(const struct fathom_plan *plan, const struct fathom_style *style,
		    struct text *text, struct fathom_error *error);
	int (*survey)(const struct fathom_survey *survey, const struct fathom_style *style,
		      struct text *text, struct fathom_error *error);
	int (*machine)(const struct fathom_machine *machine, const struct fathom_style *style,
		       struct text *text, struct fathom_error *error);
	int (*comparison)(const struct fathom_comparison *comparison,
			  const struct fathom_style *style, struct text *text,
			  struct fathom_error *error);
};

/* NULL: unknown. */
const struct format *format_find(const char *name);

/* The names of the formats that can hold that, counted from 0; NULL: there are fewer. */
const char *format_of_result(int number);
const char *format_of_plan(int number);
const char *format_of_machine(int number);
const char *format_of_comparison(int number);

#endif
