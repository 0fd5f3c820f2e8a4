/* What stands between a result and quoting it. */
#pragma once

#include "views/view.h"

/* That nothing was measured, an interruption, then the warnings that belong to no other part; of a
 * survey those that count most. */
void trouble_view(struct view *view, const struct fathom_result *result, size_t measured);
/* The first line: may the numbers be quoted? Nothing of other tools' curves. */
void trouble_quality(struct view *view, const struct fathom_result *result);
bool trouble_is_survey(const struct fathom_result *result);
