/* A table of a view as lines of text. */
#ifndef RENDER_TEXT_TEXT_TABLE_H
#define RENDER_TEXT_TEXT_TABLE_H

#include "render/text/layout.h"
#include "views/view.h"

/* What has no room is dropped, goes below or is spelled out, as the table wants it. */
void text_table(const struct layout *layout, const struct view_table *table);

#endif
