/* Reading, writing and copying. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "views/experiments/bandwidth_grid.h"
#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/levels/levels.h"
#include "views/points.h"
#include "views/rounding.h"

#define PLOT_ROWS  16
#define GB         1e9
#define LEAST_GAIN 0.02 /* less could be noise */
/* Where a cache would have to be very large to keep what is written. */
#define TRAFFIC_BYTES (32ull << 20)

static const char *name_of(int stream)
{
	static const char *const names[BANDWIDTH_STREAMS] = {"read", "write",   "write nt",
							     "copy", "copy nt", "update"};
	return names[stream];
}

/* In GB/s. */
static struct estimate value_at(const struct bandwidth_grid *grid, int pattern, uint64_t size_bytes)
{
	const struct fathom_point *point =
		bandwidth_grid_point(grid, pattern - FATHOM_READ, size_bytes);
	return point ? points_bandwidth(point) : ESTIMATE_UNKNOWN;
}

/* ---- tables of sizes ---- */

/* What a table shows of its points. */
enum shown { TOGETHER, PER_THREAD, PER_CYCLE };

static struct estimate bytes_per_cycle(const struct fathom_point *point)
{
	return point ? estimate_times(ESTIMATE(point, bandwidth, _bytes_per_second),
				      1 / point->clock_hz)
		     : ESTIMATE_UNKNOWN;
}

static void add_row(struct view *view, const struct bandwidth_grid *grid, uint64_t size_bytes,
		    enum shown shown)
{
	double share = shown == PER_THREAD ? 1.0 / grid->threads : 1;
	view_row(view);
	view_size(view, (double)size_bytes);
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		const struct fathom_point *point = bandwidth_grid_point(grid, i, size_bytes);
		if (!grid->curves[i])
			continue;
		if (shown == PER_CYCLE) {
			view_number_or_range(view, bytes_per_cycle(point));
			continue;
		}
		view_number_or_range(
			view, estimate_times(value_at(grid, FATHOM_READ + i, size_bytes), share));
		view_mark(view, point ? points_mark(point, points_bandwidth(point)) : 0);
	}
}

static bool has_cycles(const struct bandwidth_grid *grid)
{
	for (uint64_t bytes = 0; (bytes = bandwidth_grid_next_size(grid, bytes));)
		for (int i = 0; i < BANDWIDTH_STREAMS; i++)
			if (isfinite(bytes_per_cycle(bandwidth_grid_point(grid, i, bytes)).value))
				return true;
	return false;
}

/* What else tells the grid from others of as many threads. */
static void add_kind(struct text *title, const struct bandwidth_grid *grid)
{
	if (grid->by_page)
		text_add(title, ", %s pages", page_name((int)grid->page));
	if (grid->by_cpu)
		text_add(title, ", CPU %d", grid->cpu);
	if (grid->sibling != FATHOM_SIBLING_ANY)
		text_add(title, ", sibling %s", sibling_name((int)grid->sibling));
	if (grid->by_width && grid->vector_bytes)
		text_add(title, ", %u bits", 8 * grid->vector_bytes);
}

/* Takes the title. */
static void add_sizes(struct view *view, const struct bandwidth_grid *grid, enum shown shown,
		      struct text *title)
{
	add_kind(title, grid);
	text_add(title, ":");
	view_take(view, VIEW_PLAIN, title);
	VIEW_TABLE(view, COLUMN("size"));
	for (int i = 0; i < BANDWIDTH_STREAMS; i++)
		if (grid->curves[i])
			view_column(view, COLUMN(name_of(i)));
	for (uint64_t bytes = 0; (bytes = bandwidth_grid_next_size(grid, bytes));)
		add_row(view, grid, bytes, shown);
	view_gap(view);
}

static void add_grid(struct view *view, const struct bandwidth_grid *grid)
{
	struct text title = {0};
	if (grid->threads == 1) {
		text_add(&title, "GB/s, one thread");
		add_sizes(view, grid, TOGETHER, &title);
		if (!has_cycles(grid)) /* known of one thread alone: each core has a clock */
			return;
		text_add(&title, "bytes per cycle, one thread");
		add_sizes(view, grid, PER_CYCLE, &title);
		return;
	}
	text_add(&title, "GB/s, %u threads together, each in its own memory of that size",
		 grid->threads);
	add_sizes(view, grid, TOGETHER, &title);
	text_add(&title, "GB/s per thread, average of %u", grid->threads);
	add_sizes(view, grid, PER_THREAD, &title);
}

/* Has one of its operations no value where another has? */
static bool has_gaps(const struct bandwidth_grid *grid)
{
	for (uint64_t bytes = 0; (bytes = bandwidth_grid_next_size(grid, bytes));)
		for (int i = 0; i < BANDWIDTH_STREAMS; i++)
			if (grid->curves[i] &&
			    !isfinite(value_at(grid, FATHOM_READ + i, bytes).value))
				return true;
	return false;
}

/* ---- one size in detail ---- */

/* In GB/s, as well known as the bytes that the program requests. */
static struct estimate traffic_of(const struct fathom_point *point)
{
	return estimate_times(points_bandwidth(point),
			      point->traffic_bytes_per_second / point->bandwidth_bytes_per_second);
}

static void add_detail(struct view *view, const struct bandwidth_grid *grid,
		       const struct fathom_point *point, int stream)
{
	struct estimate bandwidth = points_bandwidth(point);
	struct text name = {0};
	text_add(&name, "%s", name_of(stream));
	add_kind(&name, grid);
	view_row(view);
	view_name_take(view, &name);
	view_count(view, grid->threads);
	view_estimate(view, bandwidth);
	view_mark(view, points_mark(point, bandwidth));
	view_number(view, point->bandwidth_best_bytes_per_second / GB);
	view_number_or_range(view, estimate_times(bandwidth, 1.0 / grid->threads));
	view_number_or_range(view, traffic_of(point));
	view_number_or_range(view, grid->threads == 1 ? bytes_per_cycle(point) : ESTIMATE_UNKNOWN);
}

static void add_details(struct view *view, const struct fathom_result *result, uint64_t size_bytes)
{
	struct bandwidth_grid grid = {0};
	view_say(view, VIEW_PLAIN, "%s per thread, GB/s:", rounding_size(size_bytes).text);
	VIEW_TABLE(view, COLUMN("operation"), COLUMN("threads"), COLUMN("median"), COLUMN("best"),
		   COLUMN("per thread"), COLUMN("traffic"), COLUMN("B/cycle"));
	while (bandwidth_grid_next(result, &grid, &grid))
		for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
			const struct fathom_point *point =
				bandwidth_grid_point(&grid, i, size_bytes);
			if (point)
				add_detail(view, &grid, point, i);
		}
	view_gap(view);
	view_say(view, VIEW_NOTE,
		 "best: the fastest block; per thread: the average; traffic: computed as if every "
		 "store but nt fetched its line first");
}

/* ---- the picture ---- */

/* Of the fewest threads; with view->full also of the others, and of all together. */
static void add_plots(struct view *view, const struct fathom_result *result)
{
	struct figure_wish wish = {
		.kind = FIGURE_BANDWIDTH, .choices = "Threads", .rows = PLOT_ROWS};
	struct bandwidth_grid grid = {0};
	size_t count = 0;
	while ((view->full || !count) && bandwidth_grid_next(result, &grid, &grid)) {
		char choice[32];
		if (grid.threads == wish.threads)
			continue;
		snprintf(choice, sizeof(choice), "%u thread%s", grid.threads,
			 grid.threads == 1 ? "" : "s");
		wish.threads = grid.threads;
		wish.choice = choice;
		figure_add(view, result, wish);
		count++;
	}
	wish.threads = FIGURE_ALL_THREADS;
	wish.choice = "together";
	if (count > 1)
		figure_add(view, result, wish);
	view_gap(view);
}

/* ---- in words ---- */

/* The least and the greatest of a curve; 0: it has none. */
static void find_widths(const struct fathom_curve *curve, uint32_t *least, uint32_t *most)
{
	*least = *most = 0;
	for (size_t i = 0; curve && i < curve->point_count; i++) {
		uint32_t bytes = curve->points[i].spec.vector_bytes;
		if (bytes && (!*least || bytes < *least))
			*least = bytes;
		if (bytes > *most)
			*most = bytes;
	}
}

/* One width for all operations, or those of each. */
static void add_widths(struct view *view, const struct bandwidth_grid *grid)
{
	struct text line = {0};
	uint32_t first = 0, least, most;
	bool same = true, vary = false;
	size_t before;
	text_add(&line, "loads and stores of ");
	before = line.length;
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		find_widths(grid->curves[i], &least, &most);
		if (!most)
			continue;
		first = first ? first : least;
		same &= least == first && most == first;
		vary |= least != most;
		text_add(&line, "%s%u", line.length > before ? ", " : "", 8 * least);
		if (least != most)
			text_add(&line, " to %u", 8 * most);
		text_add(&line, " bits (%s)", name_of(i));
	}
	if (vary)
		text_add(&line, ": at each size what was fastest there");
	if (first && same)
		view_say(view, VIEW_NOTE, "loads and stores of %u bits", 8 * first);
	else if (first)
		view_take(view, VIEW_NOTE, &line);
	text_free(&line);
}

/* Stores past the caches, over ordinary ones: more only where the interval says so. */
static void add_past(struct text *line, const char *what, struct estimate past,
		     struct estimate times)
{
	if (!isfinite(times.value))
		return;
	if (times.value <= 1 + LEAST_GAIN) {
		text_add(line, "; %s no faster, ", what);
	} else if (times.low < 1) {
		text_add(line, "; %s no faster beyond the intervals, ", what);
	} else {
		text_add(line, "; %s ", what);
		points_add_times(line, times);
		text_add(line, " as much, ");
	}
	points_add_estimate(line, past, " GB/s");
}

/* What an ordinary store costs beside its own bytes, and what saving that is worth. */
static void add_allocate(struct view *view, const struct bandwidth_grid *grid, uint64_t size_bytes)
{
	struct text line = {0};
	struct estimate write = value_at(grid, FATHOM_WRITE, size_bytes);
	struct estimate past = value_at(grid, FATHOM_WRITE_NT, size_bytes);
	struct estimate copy = value_at(grid, FATHOM_COPY, size_bytes);
	struct estimate copied = value_at(grid, FATHOM_COPY_NT, size_bytes);
	const struct fathom_point *point =
		bandwidth_grid_point(grid, FATHOM_WRITE - FATHOM_READ, size_bytes);
	if (!point || !isfinite(write.value))
		return;
	text_add(&line, "writing %s per thread reaches ", rounding_size(size_bytes).text);
	points_add_estimate(&line, write, " GB/s");
	if (size_bytes >= TRAFFIC_BYTES && isfinite(point->traffic_bytes_per_second)) {
		text_add(&line, ": ");
		points_add_estimate(&line, traffic_of(point), " GB/s");
		text_add(&line, " of traffic if every store fetches its line");
	}
	add_past(&line, "with non-temporal stores (nt)", past, estimate_over(past, write));
	add_past(&line, "a copy with them", copied, estimate_over(copied, copy));
	view_take(view, VIEW_NOTE, &line);
}

/* How far the most threads come beyond one, at the largest size of both. */
static void add_scaling(struct view *view, const struct bandwidth_grid *one,
			const struct bandwidth_grid *most)
{
	struct text line = {0};
	uint64_t of_one = bandwidth_grid_largest_size(one);
	uint64_t size_bytes = bandwidth_grid_largest_size(most);
	size_t count = 0;
	if (of_one < size_bytes)
		size_bytes = of_one;
	text_add(&line, "%u threads against %s, at %s each: speed-up ", most->threads,
		 one->threads == 1 ? "one" : "the fewest", rounding_size(size_bytes).text);
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		struct estimate times = estimate_over(value_at(most, FATHOM_READ + i, size_bytes),
						      value_at(one, FATHOM_READ + i, size_bytes));
		struct rounded interval = rounding_interval(times);
		if (isfinite(times.value))
			text_add(&line, "%s%s (%s%s%s)", count++ ? ", " : "",
				 rounding_known(times).text, name_of(i), *interval.text ? ", " : "",
				 interval.text);
	}
	if (count)
		view_take(view, VIEW_NOTE, &line);
	text_free(&line);
}

/* What the average of the threads hides. */
static void add_extremes(struct view *view, const struct bandwidth_grid *grid, uint64_t size_bytes)
{
	struct text line = {0};
	size_t count = 0;
	text_add(&line, "slowest and fastest of %u threads at %s each, GB/s: ", grid->threads,
		 rounding_size(size_bytes).text);
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		const struct fathom_point *point = bandwidth_grid_point(grid, i, size_bytes);
		double slow = point ? point->bandwidth_slowest_thread_bytes_per_second : NAN;
		double fast = point ? point->bandwidth_fastest_thread_bytes_per_second : NAN;
		if (isfinite(slow))
			text_add(&line, "%s%s to %s (%s)", count++ ? ", " : "",
				 rounding_number(slow / GB).text, rounding_number(fast / GB).text,
				 name_of(i));
	}
	if (count)
		view_take(view, VIEW_NOTE, &line);
	text_free(&line);
}

void bandwidth_view(struct view *view, const struct fathom_result *result)
{
	struct bandwidth_grid first = {0}, grid = {0}, most;
	if (!bandwidth_grid_next(result, &first, &first))
		return;
	view_part(view, "bandwidth", "Bandwidth");
	bool several = bandwidth_grid_next_size(&first, bandwidth_grid_next_size(&first, 0)) > 0;
	if (several)
		add_plots(view, result);
	most = first;
	bool gaps = false;
	while (bandwidth_grid_next(result, &grid, &grid)) {
		gaps |= several && has_gaps(&grid);
		if (several)
			add_grid(view, &grid);
		if (bandwidth_grid_same_kind(&grid, &first))
			most = grid;
	}
	if (!several)
		add_details(view, result, bandwidth_grid_next_size(&first, 0));
	if (gaps)
		view_say(view, VIEW_NOTE,
			 "-, or an octave left out: not measured in the time (--budget)");
	view_say(view, VIEW_NOTE,
		 "GB are 10^9 bytes as the program requests them; bytes of a copy or an update "
		 "count twice: read and written");
	points_exactness(view, result);
	points_ranges(view, result);
	if (!first.by_width)
		add_widths(view, &first);
	add_allocate(view, &first, bandwidth_grid_largest_size(&first));
	if (most.threads > first.threads)
		add_scaling(view, &first, &most);
	add_extremes(view, &most, bandwidth_grid_largest_size(&most));
	if (view->explain && first.curves[0])
		levels_cliffs(view, result, first.curves[0]);
}
