/* A view as text for people. */
#pragma once

#include "render/text/layout.h"
#include "views/view.h"

/* text_figure.c */
void text_figure(const struct layout *layout, const struct view_plot *plot);
/* Every block in its order. Of a view that has failed the text fails too. */
void text_view(const struct layout *layout, const struct view *view);
