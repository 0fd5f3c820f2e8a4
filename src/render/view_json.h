/* A view as data, for the page. */
#pragma once

#include <jansson.h>

#include "views/view.h"

/* A list of parts: {"id", "title", "blocks": [...]}; of the blocks, each an object:
 *     {"tone": "note", "say": "..."}                          a sentence
 *     {"label": "...", "say": "..."}                          a fact
 *     {"columns": [{"label", "unit", "left"}], "rows": [[cell, ...], ...]}
 *     {"plot": {"title", "choices", "choice", "x", "y", "series", "marks"}}
 *     {"title", "parts": [name, ...], "bars": [{"name", "value", "until": [share, ...]}]}
 * where a cell is its text, or {"text", "spread", "mark"} where it has one of these, with the
 * "range" of its interval where that is known. An axis of a plot is {"label", "unit", "scale"},
 * that of x with the "values" that any series has and their "texts"; a series has columns as long:
 * "y", "low", "high", and the "texts" and "ranges" that are shown of them. What stands before the
 * first part is one of no id. NULL: no memory. */
json_t *view_json(const struct view *view);
