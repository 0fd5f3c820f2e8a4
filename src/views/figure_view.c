/* A figure as a plot of a view, and what the page shows in it besides. */
#include <math.h>

#include "views/figure.h"
#include "views/points.h"
#include "views/result.h"
#include "views/view.h"

/* ---- what models say of the curve ---- */

/* In what the model's values are. */
static double measured(const struct fathom_point *point)
{
	return isfinite(point->latency_ns) ? point->latency_ns : point->latency_cycles;
}

/* The clock of the point makes of the one the other. */
static double in_unit(const struct fathom_point *point, double value, bool cycles)
{
	return cycles && isfinite(point->latency_ns)
		       ? value * point->latency_cycles / point->latency_ns
		       : value;
}

static bool is_drawn(const struct fathom_result *result, const struct fathom_reading *reading,
		     size_t curve)
{
	bool any = false;
	for (size_t i = 0; reading->values && i < reading->value_count; i++)
		any |= isfinite(reading->values[i]);
	return any && reading->curve == curve && reading->name &&
	       reading->value_count == result->curves[curve].point_count;
}

static int add_series(struct figure *figure, const struct fathom_reading *reading, bool off,
		      struct figure_series **series)
{
	struct text name = {0};
	text_add(&name, "%s", reading->name);
	if (figure_add_series(figure, &name, reading->value_count, series))
		return -1;
	(*series)->is_law = true;
	(*series)->is_off = off;
	return 0;
}

/* The models of that curve, as series. -1: out of memory. */
static int add_models(struct figure *figure, const struct fathom_result *result, size_t curve,
		      bool cycles)
{
	struct figure_series *series;
	bool any = false;
	for (size_t i = 0; i < result->reading_count; i++) {
		const struct fathom_reading *reading = &result->readings[i];
		if (!is_drawn(result, reading, curve) || figure->series_count == FIGURE_MOST_SERIES)
			continue;
		if (add_series(figure, reading, any, &series))
			return -1;
		any = true;
		for (size_t k = 0; k < reading->value_count; k++) {
			const struct fathom_point *point = &result->curves[curve].points[k];
			figure_add_row(series, (double)point->spec.size_bytes,
				       ESTIMATE_ALONE(in_unit(point, reading->values[k], cycles)));
		}
	}
	return 0;
}

/* How far each is off, as a plot. */
static void add_residuals(struct view *view, const struct fathom_result *result, size_t curve)
{
	struct figure figure = {.kind = FIGURE_LATENCY,
				.x_label = "size",
				.y_label = "of the measured latency (%)",
				.x_is_bytes = true,
				.y_is_linear = true,
				.y_is_signed = true,
				.y_even = NAN};
	struct figure_series *series;
	for (size_t i = 0; i < result->reading_count && !view->failed; i++) {
		const struct fathom_reading *reading = &result->readings[i];
		if (!is_drawn(result, reading, curve) || figure.series_count == FIGURE_MOST_SERIES)
			continue;
		view->failed |= add_series(&figure, reading, figure.series_count > 0, &series) != 0;
		for (size_t k = 0; k < reading->value_count && !view->failed; k++) {
			const struct fathom_point *point = &result->curves[curve].points[k];
			double off = 100 * (reading->values[k] / measured(point) - 1);
			if (isfinite(off))
				series->rows[series->count++] = (struct figure_row){
					(double)point->spec.size_bytes, off, NAN, NAN, false};
		}
	}
	if (figure.series_count && !view->failed)
		view_plot(view, &figure, "Deviation of the models from the measurement",
			  (struct view_plot){0});
	else
		figure_free(&figure);
}

/* ---- the plot ---- */

/* What the page shows besides. */
static int add_more(struct figure *figure, const struct fathom_result *result, enum fathom_y y)
{
	size_t curves[FIGURE_MOST_CURVES];
	if (figure->kind == FIGURE_PAGES)
		return figure_add_tlbs(figure, result);
	if (figure->kind != FIGURE_LATENCY || !figure_find_curves(result, figure->kind, curves))
		return 0;
	return figure_add_marks(figure, result, curves[0], true) ||
	       add_models(figure, result, curves[0], y == FATHOM_Y_CYCLES);
}

void figure_add(struct view *view, const struct fathom_result *result, struct figure_wish wish)
{
	const struct fathom_run run = {"", result};
	struct figure figure = {.kind = wish.kind, .threads = wish.threads};
	struct fathom_error error = {0};
	if (view->failed || !figure_is_held(result, wish.kind))
		return;
	int status = figure_fill(&run, 1, wish.y, &figure, &error);
	view->failed |= error.status == FATHOM_FAILED; /* else there is nothing to draw */
	fathom_error_clear(&error);
	if (status)
		return;
	view->failed |= view->full && add_more(&figure, result, wish.y);
	view_plot(view, &figure,
		  figure.kind == FIGURE_LATENCY && result_overlaps(result)
			  ? "Time per access against size"
			  : figure_traits[wish.kind].title,
		  (struct view_plot){.choices = wish.choices,
				     .choice = (char *)wish.choice,
				     .rows = wish.rows});
}

void figure_add_units(struct view *view, const struct fathom_result *result)
{
	const struct figure_wish wishes[] = {
		{.kind = FIGURE_LATENCY, .choices = "Unit", .choice = "ns"},
		{.kind = FIGURE_LATENCY,
		 .y = FATHOM_Y_CYCLES,
		 .choices = "Unit",
		 .choice = "cycles"},
		{.kind = FIGURE_THROUGHPUT, .choices = "Unit", .choice = "accesses/s"}};
	size_t curves[FIGURE_MOST_CURVES];
	size_t count = figure_find_curves(result, FIGURE_LATENCY, curves);
	for (size_t i = 0; count && i < sizeof(wishes) / sizeof(*wishes); i++)
		if (points_count(&result->curves[curves[0]], wishes[i].y))
			figure_add(view, result, wishes[i]);
	if (count)
		add_residuals(view, result, curves[0]);
}
