/* The door: what is shown of a result, a plan, a machine or a comparison. Each adds to a view. */
#pragma once

#include "views/view.h"

void view_result(struct view *view, const struct fathom_result *result);
/* The levels of that name alone, whatever the case of its letters, in words. */
void view_level(struct view *view, const struct fathom_result *result, const char *name);
/* Its predictions alone. */
void view_predictions(struct view *view, const struct fathom_result *result);
void view_plan(struct view *view, const struct fathom_plan *plan);
void view_survey_plan(struct view *view, const struct fathom_survey *survey);
void view_machine(struct view *view, const struct fathom_machine *machine);
void view_comparison(struct view *view, const struct fathom_comparison *comparison);
void view_fleet(struct view *view, const struct fathom_fleet *fleet);
