/* A view as text for people. */
#pragma once

#include "render/text/layout.h"
#include "views/view.h"

/* text_figure.c */
void text_figure(const struct layout *layout, const struct view_plot *plot);
/* text_heat.c: of a figure that is a matrix. */
void text_heat(const struct layout *layout, const struct figure *figure);
/* Every block in its order. Of a view that has failed the text fails too. */
void text_view(const struct layout *layout, const struct view *view);
