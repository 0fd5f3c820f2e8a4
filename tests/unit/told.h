/* What the text of a result must say, and what not. */
#ifndef TOLD_H
#define TOLD_H

#include "fathom.h"

/* The result for people; takes it over (samples.h). free() it. Numbers that are not known never
 * show as such, and no two lines are empty one after the other. */
char *write_text(struct fathom_result *result, const struct fathom_style *style);

/* Lists end with NULL, and may be NULL. Frees the text. */
void check_lines(char *text, const char *const *wanted, const char *const *unwanted);

#define LINES(...)                                                                                 \
	(const char *const[])                                                                      \
	{                                                                                          \
		__VA_ARGS__, NULL                                                                  \
	}

#endif
