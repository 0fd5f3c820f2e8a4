/* A view as text for people. */
#ifndef RENDER_TEXT_TEXT_VIEW_H
#define RENDER_TEXT_TEXT_VIEW_H

#include "render/text/layout.h"
#include "views/view.h"

/* text_figure.c */
void text_figure(const struct layout *layout, const struct view_plot *plot);
/* Every block in its order. Of a view that has failed the text fails too. */
void text_view(const struct layout *layout, const struct view *view);

#endif
