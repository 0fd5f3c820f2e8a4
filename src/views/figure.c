#include "views/figure.h"

#include <math.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/point.h"
#include "views/curve_names.h"
#include "views/levels/levels.h"
#include "views/points.h"
#include "views/result.h"

#define NS_A_SECOND 1e9
#define OCTAVE      2.02 /* of rounded sizes, 1 % more */
#define MEGA        1e6
#define GIGA        1e9

/* Of several results: along the lanes the largest size, else the first. */
static size_t main_curve(const struct fathom_result *result, const size_t *curves, size_t count)
{
	size_t best = 0;
	for (size_t i = 1; i < count; i++) {
		const struct fathom_curve *curve = &result->curves[curves[i]];
		const struct fathom_curve *before = &result->curves[curves[best]];
		if (curve->axis == FATHOM_AXIS_LANES &&
		    curve->points[0].spec.size_bytes > before->points[0].spec.size_bytes)
			best = i;
	}
	return curves[best];
}

/* ---- values ---- */

struct figure_source {
	const struct fathom_result *result;
	enum figure_kind kind;
	enum fathom_y y; /* ns or cycles */
	double line_bytes;
};

static bool any_ns(const struct fathom_result *result, const size_t *curves, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < result->curves[curves[i]].point_count; k++)
			if (isfinite(point_ns(&result->curves[curves[i]].points[k])))
				return true;
	return false;
}

/* How many of `scale` such times go into a second. */
static struct estimate turned_over(struct estimate ns, double scale)
{
	scale *= NS_A_SECOND;
	return (struct estimate){scale / ns.value, scale / ns.high, scale / ns.low};
}

/* Noise alone takes it above. NAN stays: that of a withheld lane is not known. */
static double at_most(double ratio, double lanes)
{
	return ratio > lanes ? lanes : ratio;
}

/* Of a quotient of two medians that are measured apart: relative half-widths add in squares. */
static struct estimate speedup(struct estimate one, struct estimate time, double lanes, bool is_one)
{
	double ratio = at_most(one.value / time.value, lanes);
	if (is_one) /* over itself */
		return (struct estimate){ratio, NAN, NAN};
	double below =
		hypot((one.value - one.low) / one.value, (time.high - time.value) / time.value);
	double above =
		hypot((one.high - one.value) / one.value, (time.value - time.low) / time.value);
	return (struct estimate){ratio, ratio / (1 + below), at_most(ratio * (1 + above), lanes)};
}

static struct estimate value_of(const struct figure_source *source,
				const struct fathom_curve *curve, const struct fathom_point *point)
{
	struct estimate time = points_time(point, source->y);
	struct estimate bandwidth = ESTIMATE(point, bandwidth, _bytes_per_second);
	double line_bytes = source->line_bytes;
	switch (source->kind) {
	case FIGURE_THROUGHPUT: /* of a line each, in millions a second */
		if (pattern_streams((int)point->spec.pattern))
			return estimate_times(bandwidth, 1 / (line_bytes * MEGA));
		if (spec_overlaps(&point->spec))
			return turned_over(time, point->spec.node_bytes / line_bytes / MEGA);
		return turned_over(time, 1 / MEGA);
	case FIGURE_BANDWIDTH:
		return estimate_times(bandwidth, 1 / GIGA);
	case FIGURE_SPEEDUP:
		return speedup(points_time(&curve->points[0], FATHOM_Y_NS), time, point->spec.lanes,
			       point == curve->points);
	case FIGURE_LINES:
		return turned_over(time, line_bytes / GIGA);
	default:
		return time;
	}
}

static double place_of(const struct fathom_point *point, enum fathom_axis axis)
{
	return axis == FATHOM_AXIS_LANES   ? point->spec.lanes
	       : axis == FATHOM_AXIS_LAP   ? point->spec.lap
	       : axis == FATHOM_AXIS_PAGES ? (double)point->nodes
					   : (double)point->spec.size_bytes;
}

/* No line goes over what had no time: fathom plans every number of lanes, and where it has sizes an
 * octave apart every octave. What other tools had in mind is not known. */
static void set_left_out(const struct fathom_curve *curve, struct figure_series *series)
{
	const struct figure_row *rows = series->rows;
	bool lanes = curve->axis == FATHOM_AXIS_LANES, octaves = false;
	if (curve->tool || (!lanes && curve->axis != FATHOM_AXIS_SIZE))
		return;
	for (size_t k = 1; k < series->count; k++)
		octaves |= rows[k].x <= OCTAVE * rows[k - 1].x;
	for (size_t k = 1; k < series->count; k++)
		series->rows[k].apart = lanes ? rows[k].x > rows[k - 1].x + 1
					      : octaves && rows[k].x > OCTAVE * rows[k - 1].x;
}

static int add_curve(const struct figure_source *source, size_t which, struct text *name,
		     struct figure *figure)
{
	const struct fathom_curve *curve = &source->result->curves[which];
	struct figure_series *series;
	if (figure_add_series(figure, name, curve->point_count, &series))
		return -1;
	series->aside = figure_is_aside(source->result, which);
	for (size_t i = 0; i < curve->point_count; i++) {
		struct estimate value = value_of(source, curve, &curve->points[i]);
		figure_add_row(series, place_of(&curve->points[i], curve->axis), value);
	}
	set_left_out(curve, series);
	return 0;
}

/* ---- the figure ---- */

static int refuse(const struct fathom_run *run, enum figure_kind kind, struct fathom_error *error)
{
	struct text held = {0};
	for (int i = 0; i < FIGURE_KIND_COUNT; i++)
		if (figure_is_held(run->result, (enum figure_kind)i))
			text_add(&held, "%s%s", held.length ? ", " : "it has --figure ",
				 figure_name(i));
	error_set(error, FATHOM_BAD_INPUT,
		  held.data ? held.data : "a curve needs at least two points along its axis",
		  "'%s' has no curve for %s%s%s", run->name,
		  kind < FIGURE_KIND_COUNT ? "the figure '" : "a figure",
		  kind < FIGURE_KIND_COUNT ? figure_name((int)kind) : "",
		  kind < FIGURE_KIND_COUNT ? "'" : "");
	text_free(&held);
	return -1;
}

/* What the y axis of a figure of latencies is called where accesses overlap. */
static const struct figure_traits *y_traits(const struct figure *figure,
					    const struct fathom_result *result)
{
	bool overlap = figure->kind == FIGURE_LATENCY && result_overlaps(result);
	return &figure_traits[overlap ? FIGURE_PATTERNS : figure->kind];
}

static void set_words(struct figure *figure, const struct fathom_result *result, bool cycles)
{
	const struct figure_traits *traits = &figure_traits[figure->kind];
	const struct figure_traits *named = y_traits(figure, result);
	figure->x_label = traits->x_label;
	figure->y_label = cycles ? named->y_cycles : named->y_label;
	figure->x_is_bytes = traits->x_is_bytes;
	figure->x_is_linear = traits->x_is_lanes || traits->x_is_rate;
	figure->y_is_linear = traits->y_is_gain;
	figure->y_even = traits->y_is_gain ? 1 : NAN;
}

/* One a level, of the curve that is shown as accesses a second. */
static int add_hyperbolas(const struct figure_source *source, const size_t *curves, size_t count,
			  struct figure *figure)
{
	size_t curve = curves[0];
	const struct fathom_curve *of = &source->result->curves[curve];
	struct figure_series *series;
	struct text name = {0};
	size_t which, before = 0;
	text_add(&name, "hyperbolas of ");
	curve_names_add_among(&name, source->result, curves, count, 0);
	if (figure_add_series(figure, &name, of->point_count, &series))
		return -1;
	series->is_law = true;
	for (size_t i = 0; i < of->point_count; i++) {
		double bytes = (double)of->points[i].spec.size_bytes;
		double ns = readings_hyperbola(source->result, curve, bytes, &which);
		size_t rows = series->count;
		figure_add_row(series, bytes, ESTIMATE_ALONE(NS_A_SECOND / MEGA / ns));
		if (series->count > rows)
			series->rows[rows].apart = rows && which != before;
		before = which;
	}
	return 0;
}

/* Bytes a second of the lines: what others call throughput. */
static void add_beside(const struct figure_source *source, struct figure *figure)
{
	figure->beside = source->line_bytes * MEGA / GIGA;
	figure->beside_label = text_format("GB/s of lines of %.0f B", source->line_bytes);
}

/* What belongs to curves of one result beside them. */
static int add_marks(const struct figure_source *source, const size_t *curves, size_t count,
		     struct figure *figure)
{
	const struct fathom_result *result = source->result;
	if (figure->kind == FIGURE_THROUGHPUT && result->reading_count &&
	    figure->series_count < FIGURE_MOST_SERIES && any_ns(result, curves, count) &&
	    add_hyperbolas(source, curves, count, figure))
		return -1;
	if (figure_traits[figure->kind].x_is_lanes)
		return figure_add_registers(figure, &result->curves[curves[0]]);
	return figure->x_is_bytes && figure->kind != FIGURE_BANDWIDTH
		       ? figure_add_marks(figure, result, curves[0], false)
		       : 0;
}

static int add_all(const struct figure_source *source, const size_t *curves, size_t count,
		   struct figure *figure)
{
	for (size_t i = 0; i < count; i++) {
		struct text name = {0};
		if (figure->series_count == FIGURE_MOST_SERIES) {
			figure->left_out = count - i;
			break;
		}
		curve_names_add_among(&name, source->result, curves, count, i);
		if (add_curve(source, curves[i], &name, figure))
			return -1;
	}
	return add_marks(source, curves, count, figure);
}

static int add_main(const struct figure_source *source, const size_t *curves, size_t count,
		    const struct fathom_run *runs, size_t run_count, size_t which,
		    struct figure *figure)
{
	struct text name = {0};
	if (figure->series_count == FIGURE_MOST_SERIES) {
		figure->left_out++;
		return 0;
	}
	figure_add_run(&name, runs, run_count, which);
	if (figure->kind == FIGURE_THROUGHPUT) { /* reading in order may be among them */
		size_t main = main_curve(source->result, curves, count);
		text_add(&name, ", ");
		curve_names_add_among(&name, source->result, &main, 1, 0);
		if (pattern_streams((int)source->result->curves[main].points[0].spec.pattern))
			text_add(&name, " in order");
	}
	return add_curve(source, main_curve(source->result, curves, count), &name, figure);
}

static bool run_has_ns(const struct fathom_result *result, enum figure_kind kind)
{
	size_t curves[FIGURE_MOST_CURVES], count;
	if (kind != FIGURE_PATTERNS || !figure_is_of_orders(result))
		return any_ns(result, curves, figure_find_curves(result, kind, curves));
	for (count = 0; count < result->curve_count && count < FIGURE_MOST_CURVES; count++)
		curves[count] = count;
	return any_ns(result, curves, count);
}

static bool wants_cycles(const struct fathom_run *runs, size_t count, enum figure_kind kind,
			 enum fathom_y y)
{
	if (!figure_traits[kind].y_cycles)
		return false;
	bool cycles = y == FATHOM_Y_CYCLES;
	for (size_t i = 0; i < count && !cycles; i++)
		cycles = !run_has_ns(runs[i].result, kind);
	return cycles;
}

static int add_run(const struct fathom_run *runs, size_t count, size_t which, bool cycles,
		   struct figure *figure)
{
	size_t curves[FIGURE_MOST_CURVES];
	const struct fathom_result *result = runs[which].result;
	const struct figure_source source = {result, figure->kind,
					     cycles ? FATHOM_Y_CYCLES : FATHOM_Y_NS,
					     line_bytes_likely(result)};
	if (figure->kind == FIGURE_COMPARISON)
		return figure_add_clocks(figure, result);
	if (figure->kind == FIGURE_CORES)
		return figure_add_cores(figure, result);
	if (figure->kind == FIGURE_NODES)
		return figure_add_nodes(figure, result);
	if (figure->kind == FIGURE_CONTENTION)
		return figure_add_contention(figure, result);
	if (figure->kind == FIGURE_LOADED)
		return figure_add_loads(figure, result);
	if (figure->kind == FIGURE_DISTRIBUTION)
		return figure_add_distributions(figure, result);
	if (figure->kind == FIGURE_TAIL)
		return figure_add_tail(figure, result);
	if (figure->kind == FIGURE_SLICES)
		return figure_add_slices(figure, result);
	if (figure->kind == FIGURE_PREDICTIONS)
		return figure_add_predictions(figure, result);
	if (figure->kind == FIGURE_PATTERNS && figure_is_of_orders(result))
		return figure_add_orders(figure, result, cycles);
	if (figure->kind == FIGURE_THROUGHPUT && !figure->beside_label)
		add_beside(&source, figure);
	size_t found = figure_find_threads(result, figure->kind, figure->threads, curves);
	return count == 1 ? add_all(&source, curves, found, figure)
			  : add_main(&source, curves, found, runs, count, which, figure);
}

/* What was added may be without a single value. */
static bool is_empty(const struct figure *figure)
{
	for (size_t i = 0; i < figure->series_count; i++)
		if (figure->series[i].count)
			return false;
	return figure->matrix.count == 0;
}

/* Reading in order goes beside latencies of another run. */
static bool can_show(const struct fathom_run *runs, size_t count, size_t which,
		     enum figure_kind kind)
{
	size_t curves[FIGURE_MOST_CURVES];
	bool latencies = false;
	if (kind != FIGURE_THROUGHPUT || count == 1)
		return kind < FIGURE_KIND_COUNT && (kind < FIGURE_CORES || count == 1) &&
		       figure_is_held(runs[which].result, kind);
	for (size_t i = 0; i < count; i++)
		latencies |= figure_is_held(runs[i].result, kind);
	return latencies && figure_find_curves(runs[which].result, kind, curves);
}

int figure_fill(const struct fathom_run *runs, size_t count, enum fathom_y y, struct figure *figure,
		struct fathom_error *error)
{
	enum figure_kind kind = figure->kind;
	struct figure made = *figure;
	struct text title = {0};
	for (size_t i = 0; i < count; i++)
		if (!can_show(runs, count, i, kind))
			return refuse(&runs[i], kind, error);
	bool cycles = wants_cycles(runs, count, kind, y), failed = false;
	set_words(&made, runs[0].result, cycles);
	for (size_t i = 0; i < count && !failed; i++)
		failed = add_run(runs, count, i, cycles, &made) != 0;
	figure_set_gaps(&made);
	figure_add_title(&title, runs, count);
	made.title = text_take(&title);
	failed |= made.beside > 0 && !made.beside_label;
	int status = failed || !made.title ? error_no_memory(error)
		     : is_empty(&made)     ? refuse(&runs[0], FIGURE_KIND_COUNT, error)
					   : 0;
	if (status)
		figure_free(&made);
	else
		*figure = made;
	return status;
}

int figure_make(const struct fathom_run *runs, size_t count, enum figure_kind kind, enum fathom_y y,
		struct figure *figure, struct fathom_error *error)
{
	struct figure made = {.kind = kind};
	int status = figure_fill(runs, count, y, &made, error);
	if (!status)
		*figure = made;
	return status;
}
