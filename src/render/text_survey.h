/* What is shown of a survey: the whole picture in a table, in words, and in numbers to remember. */
#ifndef RENDER_TEXT_SURVEY_H
#define RENDER_TEXT_SURVEY_H

#include "render/text/layout.h"

/* The curves of latency that a survey begins with: as many as stand before all others. */
size_t text_survey_sweep(const struct fathom_result *result);
/* A row a level; what a programmer should know of this machine; result->numbers beside what is
 * commonly quoted. */
void text_survey(const struct layout *layout, const struct fathom_result *result);
/* text_survey_words.c: of it what a programmer should know, an item a sentence. */
void text_survey_words(const struct layout *layout, const struct fathom_result *result);

/* text_numbers.c: the last of it. */
void text_numbers(const struct layout *layout, const struct fathom_result *result);

/* "1.39 ns", "62.5 us" (or with the sign, in UTF-8), "2.9 s"; `quoted`: in as many digits as it
 * has. free() it; NULL: out of memory. */
char *text_time(double ns, bool utf8, bool quoted);

#endif
