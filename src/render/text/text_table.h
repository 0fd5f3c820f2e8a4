/* A table of a view as lines of text. */
#pragma once

#include "render/text/layout.h"
#include "views/view.h"

/* What has no room is dropped, goes below or is spelled out, as the table wants it. */
void text_table(const struct layout *layout, const struct view_table *table);
