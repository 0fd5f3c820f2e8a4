/* A view as data, for the page. */
#ifndef RENDER_VIEW_JSON_H
#define RENDER_VIEW_JSON_H

#include <jansson.h>

#include "views/view.h"

/* A list of parts: {"id", "title", "blocks": [...]}; of the blocks, each an object:
 *     {"tone": "note", "say": "..."}                          a sentence
 *     {"label": "...", "say": "..."}                          a fact
 *     {"columns": [{"label", "unit", "left"}], "rows": [[cell, ...], ...]}
 * where a cell is its text, or {"text", "spread", "mark"} where it has one of these, with "low" and
 * "high" where they are known. What stands before the first part, and plots, are left out: the page
 * draws its own. NULL: no memory. */
json_t *view_json(const struct view *view);

#endif
