/* Plots and bars of a view. */
#include <stdlib.h>
#include <string.h>

#include "views/figure.h"
#include "views/view_grow.h"

void view_plot(struct view *view, struct figure *figure, const char *title, struct view_plot plot)
{
	struct view_block *block = view_new_block(view, VIEW_PLOT);
	struct figure *taken = malloc(sizeof(*taken));
	view->failed |= !taken;
	if (!block || !taken) {
		figure_free(figure);
		free(taken);
		return;
	}
	*taken = *figure;
	plot.figure = taken;
	plot.title = view_copy(view, title);
	plot.choice = view_copy(view, plot.choice);
	block->plot = plot;
}

void view_bars(struct view *view, const char *title, const char *const names[VIEW_BAR_PARTS])
{
	struct view_block *block = view_new_block(view, VIEW_BARS);
	if (block)
		block->text = view_copy(view, title);
	for (int i = 0; block && i < VIEW_BAR_PARTS; i++)
		block->bar_names[i] = view_copy(view, names[i]);
}

void view_bar(struct view *view, const char *name, const char *value,
	      const double until[VIEW_BAR_PARTS])
{
	struct view_block *block = view_last_block(view);
	if (!block)
		return;
	VIEW_GROW(view, block->bars, block->bar_count);
	struct view_bar *bar = &block->bars[block->bar_count - 1];
	bar->name = view_copy(view, name);
	bar->value = view_copy(view, value);
	memcpy(bar->until, until, sizeof(bar->until));
}
