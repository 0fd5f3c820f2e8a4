/* What all experiments of a survey together say. */
#pragma once

#include "views/view.h"

/* The table of levels, and findings. */
void survey_view(struct view *view, const struct fathom_result *result);
/* What follows them: the numbers, and beside them, where all is shown, what the OS says. */
void survey_numbers(struct view *view, const struct fathom_result *result);
/* survey_words.c: what a programmer should know of this machine, an item each. */
void survey_words(struct view *view, const struct fathom_result *result);
/* numbers.c: the numbers beside those that are quoted; without `full` those that no row before
 * says. */
void numbers_view(struct view *view, const struct fathom_result *result);
/* How many curves at the beginning are of the sweep. */
size_t survey_sweep(const struct fathom_result *result);
