#include "views/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/patterns.h"
#include "base/point.h"

#define NS_A_SECOND  1e9
#define DEFAULT_LINE 64.0
#define GIGA         1e9
#define MOST_CURVES  64 /* of one result that are looked at */

const char *figure_name(int kind)
{
	static const char *const names[FIGURE_KIND_COUNT] = {"latency",     "throughput", "speedup",
							     "parallelism", "bandwidth",  "pages",
							     "comparison"};
	return kind >= 0 && kind < FIGURE_KIND_COUNT ? names[kind] : NULL;
}

/* ---- what belongs in it ---- */

static bool is_latency(const struct fathom_curve *curve)
{
	const struct fathom_spec *spec = &curve->points[0].spec;
	return curve->axis == FATHOM_AXIS_SIZE && !fathom_spec_overlaps(spec);
}

/* Beside the sweep there may be curves that other experiments needed. */
static bool has_sweep(const struct fathom_result *result)
{
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count > 1 && is_latency(&result->curves[i]) &&
		    result->curves[i].experiment == FATHOM_LATENCY)
			return true;
	return false;
}

static bool is_aside(const struct fathom_curve *curve)
{
	enum pattern_sweep sweep = pattern_traits(curve->points[0].spec.pattern)->sweep;
	return sweep == PATTERN_SWEPT_CONTROL || sweep == PATTERN_SWEPT_ORDER;
}

static bool is_stream(const struct fathom_curve *curve)
{
	return curve->point_count > 1 && curve->axis == FATHOM_AXIS_SIZE &&
	       fathom_pattern_streams((int)curve->points[0].spec.pattern);
}

/* Of a study of bandwidth its fewest threads: more have no room, and would be told in the same
 * colours. What others read for themselves stands there only where that is all. */
static bool is_told(const struct fathom_result *result, const struct fathom_curve *curve)
{
	uint32_t fewest = 0;
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *own = &result->curves[i];
		if (!is_stream(own) || own->experiment != FATHOM_BANDWIDTH)
			continue;
		if (!fewest || own->points[0].spec.threads < fewest)
			fewest = own->points[0].spec.threads;
	}
	return !fewest ||
	       (curve->experiment == FATHOM_BANDWIDTH && curve->points[0].spec.threads == fewest);
}

static bool takes(const struct fathom_result *result, const struct fathom_curve *curve,
		  enum figure_kind kind)
{
	if (curve->point_count < 2)
		return false;
	enum fathom_pattern pattern = curve->points[0].spec.pattern;
	bool latency =
		is_latency(curve) && (curve->experiment == FATHOM_LATENCY || !has_sweep(result));
	switch (kind) {
	case FIGURE_LATENCY:
		return latency;
	case FIGURE_THROUGHPUT:
		return (latency && pattern != FATHOM_WINDOW && !curve->relative_to_l1) ||
		       (curve->axis == FATHOM_AXIS_SIZE &&
			(pattern == FATHOM_READ || pattern == FATHOM_LINEAR_SUM));
	case FIGURE_SPEEDUP:
	case FIGURE_PARALLELISM:
		return curve->axis == FATHOM_AXIS_LANES;
	case FIGURE_BANDWIDTH:
		return is_stream(curve) && is_told(result, curve);
	case FIGURE_PAGES:
		return curve->axis == FATHOM_AXIS_PAGES;
	default:
		return false;
	}
}

/* The curves of the figure, the main one first. */
static size_t find_curves(const struct fathom_result *result, enum figure_kind kind,
			  size_t curves[static MOST_CURVES])
{
	size_t count = 0;
	for (int aside = 0; aside < 2; aside++)
		for (size_t i = 0; i < result->curve_count && count < MOST_CURVES; i++)
			if (takes(result, &result->curves[i], kind) &&
			    is_aside(&result->curves[i]) == aside)
				curves[count++] = i;
	return count;
}

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

bool figure_is_held(const struct fathom_result *result, enum figure_kind kind)
{
	if (kind == FIGURE_THROUGHPUT) /* reading in order alone is bandwidth */
		return figure_is_held(result, FIGURE_LATENCY);
	for (size_t i = 0; i < result->curve_count; i++)
		if (takes(result, &result->curves[i], kind))
			return true;
	return false;
}

enum figure_kind figure_choose(const struct fathom_run *runs, size_t count)
{
	for (int kind = 0; kind < FIGURE_COMPARISON; kind++) {
		bool all = count > 0;
		for (size_t i = 0; i < count; i++)
			all = all && figure_is_held(runs[i].result, (enum figure_kind)kind);
		if (all)
			return (enum figure_kind)kind;
	}
	return FIGURE_KIND_COUNT;
}

/* ---- values ---- */

struct reading {
	const struct fathom_result *result;
	enum figure_kind kind;
	bool cycles;
	double line_bytes;
};

static double line_of(const struct fathom_result *result)
{
	const struct fathom_machine *machine = result->machine;
	if (result->measured_line_bytes)
		return (double)result->measured_line_bytes;
	if (machine && machine->cache_count && machine->caches[0].line_bytes)
		return machine->caches[0].line_bytes;
	return DEFAULT_LINE;
}

static bool any_ns(const struct fathom_result *result, const size_t *curves, size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < result->curves[curves[i]].point_count; k++)
			if (isfinite(point_ns(&result->curves[curves[i]].points[k])))
				return true;
	return false;
}

/* The time of an access; its interval. */
static struct figure_row time_of(const struct fathom_point *point, bool cycles)
{
	if (fathom_spec_overlaps(&point->spec))
		return cycles ? (struct figure_row){0, point->cycles_per_access,
						    point->low_cycles_per_access,
						    point->high_cycles_per_access}
			      : (struct figure_row){0, point->ns_per_access,
						    point->low_ns_per_access,
						    point->high_ns_per_access};
	return cycles ? (struct figure_row){0, point->latency_cycles, point->latency_low_cycles,
					    point->latency_high_cycles}
		      : (struct figure_row){0, point->latency_ns, point->latency_low_ns,
					    point->latency_high_ns};
}

static struct figure_row turned_over(struct figure_row row, double bytes)
{
	double scale = bytes * NS_A_SECOND / GIGA;
	return (struct figure_row){row.x, scale / row.y, scale / row.high, scale / row.low};
}

/* Of a quotient of two medians that are measured apart: relative half-widths add in squares. */
static struct figure_row speedup(struct figure_row one, struct figure_row row, bool is_one)
{
	double ratio = one.y / row.y;
	if (is_one) /* over itself */
		return (struct figure_row){row.x, ratio, NAN, NAN};
	double below = hypot((one.y - one.low) / one.y, (row.high - row.y) / row.y);
	double above = hypot((one.high - one.y) / one.y, (row.y - row.low) / row.y);
	return (struct figure_row){row.x, ratio, ratio / (1 + below), ratio * (1 + above)};
}

static struct figure_row value_of(const struct reading *reading, const struct fathom_curve *curve,
				  const struct fathom_point *point)
{
	struct figure_row row = time_of(point, reading->cycles);
	switch (reading->kind) {
	case FIGURE_THROUGHPUT:
		if (!fathom_pattern_streams((int)point->spec.pattern))
			return turned_over(row, fathom_spec_overlaps(&point->spec)
							? (double)point->spec.node_bytes
							: reading->line_bytes);
		/* fall through */
	case FIGURE_BANDWIDTH:
		return (struct figure_row){0, point->bandwidth_bytes_per_second / GIGA,
					   point->bandwidth_low_bytes_per_second / GIGA,
					   point->bandwidth_high_bytes_per_second / GIGA};
	case FIGURE_SPEEDUP:
		return speedup(time_of(&curve->points[0], false), row, point == curve->points);
	default:
		return row;
	}
}

static double place_of(const struct fathom_point *point, enum fathom_axis axis)
{
	return axis == FATHOM_AXIS_LANES   ? point->spec.lanes
	       : axis == FATHOM_AXIS_PAGES ? (double)point->nodes
					   : (double)point->spec.size_bytes;
}

static int add_curve(const struct reading *reading, size_t which, struct text *name,
		     struct figure *figure)
{
	const struct fathom_curve *curve = &reading->result->curves[which];
	struct figure_series *series;
	if (figure_add_series(figure, name, curve->point_count, &series))
		return -1;
	series->aside = is_aside(curve);
	for (size_t i = 0; i < curve->point_count; i++) {
		struct figure_row row = value_of(reading, curve, &curve->points[i]);
		figure_add_row(series, place_of(&curve->points[i], curve->axis), row.y, row.low,
			       row.high);
	}
	return 0;
}

/* ---- the figure ---- */

static int refuse(const struct fathom_run *run, enum figure_kind kind, struct fathom_error *error)
{
	struct text held = {0};
	for (int i = 0; i < FIGURE_COMPARISON; i++)
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

static void set_words(struct figure *figure, bool cycles)
{
	static const struct {
		const char *x, *y;
	} labels[FIGURE_KIND_COUNT] = {
		[FIGURE_LATENCY] = {"size", "latency (ns)"},
		[FIGURE_THROUGHPUT] = {"size", "throughput (GB/s)"},
		[FIGURE_SPEEDUP] = {"chains at once (lanes)", "speed-up over one lane"},
		[FIGURE_PARALLELISM] = {"chains at once (lanes)", "time per access (ns)"},
		[FIGURE_BANDWIDTH] = {"size of each thread's memory", "bandwidth (GB/s)"},
		[FIGURE_PAGES] = {"pages visited", "latency (ns)"},
		[FIGURE_COMPARISON] = {"size", "speed-up over the baseline"},
	};
	figure->x_label = labels[figure->kind].x;
	figure->y_label = labels[figure->kind].y;
	if (cycles)
		figure->y_label = figure->kind == FIGURE_PARALLELISM ? "time per access (cycles)"
								     : "latency (cycles)";
	figure->x_is_bytes = figure->kind != FIGURE_SPEEDUP && figure->kind != FIGURE_PARALLELISM &&
			     figure->kind != FIGURE_PAGES;
	figure->y_is_linear = figure->kind == FIGURE_COMPARISON;
	figure->y_even =
		figure->kind == FIGURE_COMPARISON || figure->kind == FIGURE_SPEEDUP ? 1 : NAN;
}

static int add_all(const struct reading *reading, const size_t *curves, size_t count,
		   struct figure *figure)
{
	for (size_t i = 0; i < count; i++) {
		struct text name = {0};
		if (figure->series_count == FIGURE_MOST_SERIES) {
			figure->left_out = count - i;
			break;
		}
		figure_add_curve(&name, reading->result, curves, count, i);
		if (add_curve(reading, curves[i], &name, figure))
			return -1;
	}
	return figure->x_is_bytes && figure->kind != FIGURE_BANDWIDTH
		       ? figure_add_marks(figure, reading->result, curves[0])
		       : 0;
}

static int add_main(const struct reading *reading, const size_t *curves, size_t count,
		    const struct fathom_run *runs, size_t run_count, size_t which,
		    struct figure *figure)
{
	struct text name = {0};
	if (figure->series_count == FIGURE_MOST_SERIES) {
		figure->left_out++;
		return 0;
	}
	figure_add_run(&name, runs, run_count, which);
	return add_curve(reading, main_curve(reading->result, curves, count), &name, figure);
}

static bool wants_cycles(const struct fathom_run *runs, size_t count, enum figure_kind kind,
			 enum fathom_y y)
{
	size_t curves[MOST_CURVES];
	if (kind != FIGURE_LATENCY && kind != FIGURE_PARALLELISM && kind != FIGURE_PAGES)
		return false;
	bool cycles = y == FATHOM_Y_CYCLES;
	for (size_t i = 0; i < count && !cycles; i++)
		cycles = !any_ns(runs[i].result, curves, find_curves(runs[i].result, kind, curves));
	return cycles;
}

static int add_run(const struct fathom_run *runs, size_t count, size_t which, bool cycles,
		   struct figure *figure)
{
	size_t curves[MOST_CURVES];
	const struct fathom_result *result = runs[which].result;
	const struct reading reading = {result, figure->kind, cycles, line_of(result)};
	size_t found = find_curves(result, figure->kind, curves);
	return count == 1 ? add_all(&reading, curves, found, figure)
			  : add_main(&reading, curves, found, runs, count, which, figure);
}

/* What was added may be without a single value. */
static bool is_empty(const struct figure *figure)
{
	for (size_t i = 0; i < figure->series_count; i++)
		if (figure->series[i].count)
			return false;
	return true;
}

int figure_make(const struct fathom_run *runs, size_t count, enum figure_kind kind, enum fathom_y y,
		struct figure *figure, struct fathom_error *error)
{
	struct figure made = {.kind = kind};
	struct text title = {0};
	for (size_t i = 0; i < count; i++)
		if (kind >= FIGURE_COMPARISON || !figure_is_held(runs[i].result, kind))
			return refuse(&runs[i], kind, error);
	bool cycles = wants_cycles(runs, count, kind, y), failed = false;
	set_words(&made, cycles);
	for (size_t i = 0; i < count && !failed; i++)
		failed = add_run(runs, count, i, cycles, &made) != 0;
	if (count == 1)
		figure_add_machine(&title, &runs[0]);
	made.title = text_take(&title);
	int status = failed || !made.title ? error_no_memory(error)
		     : is_empty(&made)     ? refuse(&runs[0], FIGURE_KIND_COUNT, error)
					   : 0;
	if (status)
		figure_free(&made);
	else
		*figure = made;
	return status;
}

void figure_free(struct figure *figure)
{
	for (size_t i = 0; i < figure->series_count; i++) {
		free(figure->series[i].name);
		free(figure->series[i].rows);
	}
	for (size_t i = 0; i < figure->mark_count; i++)
		free(figure->marks[i].name);
	free(figure->series);
	free(figure->marks);
	free(figure->title);
	*figure = (struct figure){0};
}
