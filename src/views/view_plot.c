/* Plots and bars of a view. */
#include <stdlib.h>
#include <string.h>

#include "views/view_grow.h"

/* ---- plots ---- */

static struct view_plot *this_plot(struct view *view)
{
	struct view_block *block = view_last_block(view);
	return block ? &block->plot : NULL;
}

void view_plot(struct view *view, const char *title, unsigned linear, unsigned rows)
{
	struct view_block *block = view_new_block(view, VIEW_PLOT);
	if (!block)
		return;
	block->plot.title = view_copy(view, title);
	block->plot.linear = linear;
	block->plot.rows = rows;
}

void view_series(struct view *view)
{
	struct view_plot *plot = this_plot(view);
	if (plot)
		VIEW_GROW(view, plot->series, plot->series_count);
}

void view_point(struct view *view, double x, double y)
{
	struct view_plot *plot = this_plot(view);
	if (!plot || !plot->series_count)
		return;
	struct view_series *series = &plot->series[plot->series_count - 1];
	size_t count = series->count;
	VIEW_GROW(view, series->x, count);
	VIEW_GROW(view, series->y, series->count);
	series->x[series->count - 1] = x;
	series->y[series->count - 1] = y;
}

void view_plot_mark(struct view *view, double x, const char *name)
{
	struct view_plot *plot = this_plot(view);
	if (!plot)
		return;
	VIEW_GROW(view, plot->marks, plot->mark_count);
	plot->marks[plot->mark_count - 1] = (struct view_mark){x, view_copy(view, name)};
}

void view_legend(struct view *view, struct text *legend)
{
	char *taken = view_taken(view, legend);
	struct view_plot *plot = this_plot(view);
	if (plot)
		plot->legend = taken;
	else
		free(taken);
}

/* ---- bars ---- */

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
