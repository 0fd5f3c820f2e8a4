#include <math.h>

#include "base/error.h"
#include "base/utf8.h"
#include "views/figure.h"
#include "views/rounding.h"
#include "views/view.h"

/* Of the curve that comes first: the verdicts on the others are in the comparison itself. */
static bool is_shown(const struct fathom_compared_point *point, size_t curve)
{
	return point->curve == curve && point->spec.axis == FATHOM_AXIS_SIZE;
}

static bool first_curve(const struct fathom_comparison *comparison, size_t *curve)
{
	for (size_t i = 0; i < comparison->run_count; i++)
		for (size_t k = 0; k < comparison->runs[i].point_count; k++)
			if (is_shown(&comparison->runs[i].points[k],
				     comparison->runs[i].points[k].curve)) {
				*curve = comparison->runs[i].points[k].curve;
				return true;
			}
	return false;
}

static int add_run(const struct fathom_compared_run *run, size_t curve, struct figure *figure)
{
	struct text name = {0};
	struct figure_series *series;
	if (figure->series_count == FIGURE_MOST_SERIES) {
		figure->left_out++;
		return 0;
	}
	utf8_add_escaped(&name, run->name, true);
	if (figure_add_series(figure, &name, run->point_count, &series))
		return -1;
	for (size_t i = 0; i < run->point_count; i++) {
		const struct fathom_compared_point *point = &run->points[i];
		if (is_shown(point, curve))
			figure_add_row(series, (double)point->spec.size_bytes,
				       ESTIMATE(point, speedup, ));
	}
	return 0;
}

int figure_compare(const struct fathom_comparison *comparison, struct figure *figure,
		   struct fathom_error *error)
{
	struct figure made = {.kind = FIGURE_COMPARISON,
			      .x_label = "size",
			      .y_label = "speed-up over the baseline",
			      .x_is_bytes = true,
			      .y_is_linear = true,
			      .y_even = 1};
	struct text title = {0};
	size_t curve;
	bool failed = false;
	if (!first_curve(comparison, &curve))
		return error_set(error, FATHOM_BAD_INPUT, "use 'fathom compare' for a table",
				 "the runs have no curve against size in common");
	for (size_t i = 0; i < comparison->run_count && !failed; i++)
		failed = add_run(&comparison->runs[i], curve, &made) != 0;
	text_add(&title, "baseline: ");
	for (size_t i = 0; i < comparison->baseline_count; i++) {
		text_add(&title, "%s", i ? ", " : "");
		utf8_add_escaped(&title, comparison->baselines[i], true);
	}
	made.title = text_take(&title);
	if (failed || !made.title) {
		figure_free(&made);
		return error_no_memory(error);
	}
	*figure = made;
	return 0;
}

#define FEWEST_SIZES 3

void figure_add_run_compared(struct view *view, const struct fathom_comparison *comparison,
			     size_t run, unsigned rows)
{
	struct fathom_comparison one = *comparison;
	struct figure figure = {0};
	one.runs += run;
	one.run_count = 1;
	struct fathom_error error = {0};
	if (view->failed)
		return;
	int status = figure_compare(&one, &figure, &error);
	view->failed |= error.status == FATHOM_FAILED; /* else there is nothing to draw */
	fathom_error_clear(&error);
	if (status)
		return;
	if (figure.series[0].count < FEWEST_SIZES) {
		figure_free(&figure);
		return;
	}
	view_plot(view, &figure, "Speed-up by size", (struct view_plot){.rows = rows});
	view_gap(view);
}

/* ---- one run over its own clocks ---- */

int figure_add_clocks(struct figure *figure, const struct fathom_result *result)
{
	struct text measured = {0}, ratio = {0};
	struct figure_series *series;
	double fastest = result->clocks[result->clock_count - 1].relative;
	text_add(&measured, "speed-up from the slowest to the fastest clock");
	if (figure_add_series(figure, &measured, result->clock_law_count, &series))
		return -1;
	for (size_t i = 0; i < result->clock_law_count; i++) {
		const struct fathom_clock_law *law = &result->clock_laws[i];
		if (!law->level)
			figure_add_row(series, (double)law->from_bytes, ESTIMATE(law, speedup, ));
	}
	size_t count = series->count;
	double ends[] = {count ? series->rows[0].x : NAN, count ? series->rows[count - 1].x : NAN};
	text_add(&ratio, "ratio of the clocks, %s", rounding_number(fastest).text);
	if (figure_add_series(figure, &ratio, 2, &series))
		return -1;
	series->is_law = true;
	for (size_t i = 0; i < 2; i++)
		figure_add_row(series, ends[i], ESTIMATE_ALONE(fastest));
	return 0;
}
