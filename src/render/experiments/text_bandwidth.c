#include "render/experiments/text_bandwidth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "render/text/plot.h"
#include "render/text/text_table.h"
#include "views/bandwidth_grid.h"

#define SIZE_COLUMNS      10
#define STREAM_COLUMNS    11
#define NAME_COLUMNS      12
#define THREADS_COLUMNS   8
#define VALUE_COLUMNS     10
#define RANGE_COLUMNS     16
#define PLOT_ROWS         16
#define PLOT_MOST_COLUMNS 100
#define GB                1e9
#define LEAST_GAIN        0.02 /* that is told from noise */
/* Where a cache would have to be very large to keep what is written. */
#define TRAFFIC_BYTES (32ull << 20)

static const char *name_of(int stream)
{
	static const char *const names[BANDWIDTH_STREAMS] = {"read", "write",   "write nt",
							     "copy", "copy nt", "update"};
	return names[stream];
}

static double value_at(const struct bandwidth_grid *grid, int pattern, uint64_t size_bytes)
{
	const struct fathom_point *point =
		bandwidth_grid_point(grid, pattern - FATHOM_READ, size_bytes);
	return point ? point->bandwidth_bytes_per_second : NAN;
}

/* As table_mark, of what has no latency. */
static char mark_of(const struct fathom_point *point)
{
	if (!isfinite(point->bandwidth_bytes_per_second) || point->within_target ||
	    !(point->target > 0))
		return ' ';
	return isfinite(point->bandwidth_low) ? '~' : '?';
}

static void add_value(const struct layout *layout, unsigned columns, double bytes_per_second)
{
	double value = bytes_per_second / GB;
	int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
	layout_take_cell(layout, columns, true,
			 isfinite(value) ? text_format("%.*f", decimals, value) : text_format("-"));
}

/* ---- a table of sizes ---- */

static void add_row(const struct layout *layout, const struct bandwidth_grid *grid,
		    uint64_t size_bytes, double share)
{
	char size[UNITS_TEXT_BYTES];
	layout_cell(layout, SIZE_COLUMNS, true, layout_size(size_bytes, false, size));
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		const struct fathom_point *point = bandwidth_grid_point(grid, i, size_bytes);
		const char mark[] = {point ? mark_of(point) : ' ', 0};
		if (!grid->curves[i])
			continue;
		add_value(layout, STREAM_COLUMNS - 1,
			  point ? share * point->bandwidth_bytes_per_second : NAN);
		text_add(layout->text, "%s", mark);
	}
	layout_end_line(layout);
}

/* `share`: of all threads together. */
static void add_sizes(const struct layout *layout, const struct bandwidth_grid *grid, double share,
		      struct text *title)
{
	layout_item(layout, "", false, title);
	layout_cell(layout, SIZE_COLUMNS, true, "size");
	for (int i = 0; i < BANDWIDTH_STREAMS; i++)
		if (grid->curves[i]) {
			layout_cell(layout, STREAM_COLUMNS - 1, true, name_of(i));
			text_add(layout->text, " ");
		}
	layout_end_line(layout);
	for (uint64_t bytes = 0; (bytes = bandwidth_grid_next_size(grid, bytes));)
		add_row(layout, grid, bytes, share);
	text_add(layout->text, "\n");
}

/* What else tells the grid from others of as many threads. */
static void add_kind(struct text *title, const struct bandwidth_grid *grid)
{
	if (grid->by_page)
		text_add(title, ", %s pages", page_name((int)grid->page));
	if (grid->by_width && grid->vector_bytes)
		text_add(title, ", %u bits", 8 * grid->vector_bytes);
}

static void add_grid(const struct layout *layout, const struct bandwidth_grid *grid)
{
	struct text title = {0};
	if (grid->threads == 1)
		text_add(&title, "GB/s, one thread");
	else
		text_add(&title,
			 "GB/s, %u threads together, each through memory of its own of "
			 "that size",
			 grid->threads);
	add_kind(&title, grid);
	text_add(&title, ":");
	add_sizes(layout, grid, 1, &title);
	if (grid->threads == 1)
		return;
	text_add(&title, "GB/s, a thread on average, of %u", grid->threads);
	add_kind(&title, grid);
	text_add(&title, ":");
	add_sizes(layout, grid, 1.0 / grid->threads, &title);
}

/* ---- one size in detail ---- */

static void add_detail(const struct layout *layout, const struct bandwidth_grid *grid,
		       const struct fathom_point *point, int stream)
{
	const char mark[] = {mark_of(point), 0};
	double low = point->bandwidth_low / GB, high = point->bandwidth_high / GB;
	text_add(layout->text, "  ");
	layout_cell(layout, NAME_COLUMNS - 2, false, name_of(stream));
	layout_take_cell(layout, THREADS_COLUMNS, true, text_format("%u", grid->threads));
	add_value(layout, VALUE_COLUMNS, point->bandwidth_bytes_per_second);
	text_add(layout->text, "%s", mark);
	layout_take_cell(layout, RANGE_COLUMNS, true,
			 isfinite(low) ? text_format("%.4g - %.4g", low, high) : text_format("-"));
	add_value(layout, VALUE_COLUMNS, point->bandwidth_best);
	add_value(layout, VALUE_COLUMNS, point->bandwidth_bytes_per_second / grid->threads);
	add_value(layout, VALUE_COLUMNS, point->traffic_bytes_per_second);
	layout_end_line(layout);
}

static void add_grid_details(const struct layout *layout, const struct bandwidth_grid *grid,
			     uint64_t size_bytes)
{
	struct text line = {0};
	add_kind(&line, grid);
	char *kind = text_take(&line);
	layout->text->failed |= !kind;
	if (kind && *kind)
		text_add(layout->text, "  %s:\n", kind + strlen(", "));
	free(kind);
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		const struct fathom_point *point = bandwidth_grid_point(grid, i, size_bytes);
		if (point)
			add_detail(layout, grid, point, i);
	}
}

static void add_details(const struct layout *layout, const struct fathom_result *result,
			uint64_t size_bytes)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	struct bandwidth_grid grid = {0};
	text_add(&line, "%s a thread, GB/s:", layout_size(size_bytes, false, size));
	layout_item(layout, "", false, &line);
	layout_cell(layout, NAME_COLUMNS, false, "  operation");
	layout_cell(layout, THREADS_COLUMNS, true, "threads");
	layout_cell(layout, VALUE_COLUMNS, true, "median");
	layout_cell(layout, RANGE_COLUMNS + 1, true, "95 %");
	layout_cell(layout, VALUE_COLUMNS, true, "best");
	layout_cell(layout, VALUE_COLUMNS, true, "a thread");
	layout_cell(layout, VALUE_COLUMNS, true, "traffic");
	layout_end_line(layout);
	while (bandwidth_grid_next(result, &grid, &grid))
		add_grid_details(layout, &grid, size_bytes);
	text_add(layout->text, "\n");
	text_add(&line, "best is of a block; a thread is the average; traffic is computed: what "
			"moves if every line that is stored is fetched first (nt: not)");
	layout_item(layout, "  ", false, &line);
}

/* ---- the picture ---- */

static void fill_series(const struct fathom_curve *curve, double *values,
			struct plot_series *series)
{
	double *sizes = values + curve->point_count;
	for (size_t i = 0; i < curve->point_count; i++) {
		values[i] = curve->points[i].bandwidth_bytes_per_second;
		sizes[i] = (double)curve->points[i].spec.size_bytes;
	}
	*series = (struct plot_series){sizes, values, curve->point_count};
}

static void add_legend(const struct layout *layout, const struct bandwidth_grid *grid)
{
	struct text line = {0};
	size_t count = 0;
	for (int i = 0; i < BANDWIDTH_STREAMS; i++)
		if (grid->curves[i]) {
			text_add(&line, "%s%s %s", count ? ", " : "",
				 plot_glyph(layout->utf8, count), name_of(i));
			count++;
		}
	layout_item(layout, "", false, &line);
	text_add(layout->text, "\n");
}

static void add_plot(const struct layout *layout, const struct bandwidth_grid *grid)
{
	struct plot_series series[BANDWIDTH_STREAMS];
	size_t points = 0, used = 0, count = 0;
	for (int i = 0; i < BANDWIDTH_STREAMS; i++)
		points += grid->curves[i] ? grid->curves[i]->point_count : 0;
	double *values = calloc(2 * points, sizeof(*values));
	struct text words = {0};
	if (grid->threads == 1)
		text_add(&words, "bytes per second, one thread");
	else
		text_add(&words, "bytes per second, %u threads", grid->threads);
	add_kind(&words, grid);
	char *title = text_take(&words);
	layout->text->failed |= !values || !title;
	for (int i = 0; values && i < BANDWIDTH_STREAMS; i++)
		if (grid->curves[i]) {
			fill_series(grid->curves[i], values + used, &series[count++]);
			used += 2 * grid->curves[i]->point_count;
		}
	const struct plot plot = {
		.columns =
			layout->columns < PLOT_MOST_COLUMNS ? layout->columns : PLOT_MOST_COLUMNS,
		.rows = PLOT_ROWS,
		.utf8 = layout->utf8,
		.title = title,
		.series = series,
		.series_count = count,
	};
	if (values && title && plot_draw(&plot, layout->text))
		add_legend(layout, grid);
	free(values);
	free(title);
}

/* ---- in words ---- */

static void add_widths(const struct layout *layout, const struct bandwidth_grid *grid)
{
	struct text line = {0};
	uint32_t first = 0;
	bool same = true;
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		uint32_t bytes = grid->curves[i] ? grid->curves[i]->points[0].spec.vector_bytes : 0;
		first = first ? first : bytes;
		same &= !bytes || bytes == first;
	}
	if (first == 0)
		return;
	text_add(&line, "loads and stores of ");
	if (same)
		text_add(&line, "%u bits", 8 * first);
	for (int i = 0, count = 0; !same && i < BANDWIDTH_STREAMS; i++) {
		uint32_t bytes = grid->curves[i] ? grid->curves[i]->points[0].spec.vector_bytes : 0;
		if (bytes)
			text_add(&line, "%s%u bits (%s)", count++ ? ", " : "", 8 * bytes,
				 name_of(i));
	}
	layout_item(layout, "  ", false, &line);
}

static void add_quality(const struct layout *layout, const struct fathom_result *result)
{
	struct text line = {0};
	const struct fathom_point *first = NULL;
	size_t points = 0, within = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		for (size_t k = 0; k < result->curves[i].point_count; k++) {
			const struct fathom_point *point = &result->curves[i].points[k];
			first = first ? first : point;
			points++;
			within += point->within_target;
		}
	text_add(&line, "GB are 10^9 bytes that the program asks for; a copy's count twice, read "
			"and written, and so do an update's");
	layout_item(layout, "  ", false, &line);
	if (!first || !(first->target > 0))
		return;
	text_add(&line,
		 "%zu of %zu points are within the wanted %s%.3g %%; ~ marks wider ones, ? those "
		 "without an interval",
		 within, points, layout_plus_minus(layout), 100 * first->target);
	layout_item(layout, "  ", false, &line);
}

/* What an ordinary store costs beside its own bytes, and what saving that is worth. */
static void add_allocate(const struct layout *layout, const struct bandwidth_grid *grid,
			 uint64_t size_bytes)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	double write = value_at(grid, FATHOM_WRITE, size_bytes);
	double past = value_at(grid, FATHOM_WRITE_NT, size_bytes);
	const struct fathom_point *point =
		bandwidth_grid_point(grid, FATHOM_WRITE - FATHOM_READ, size_bytes);
	if (!point || !isfinite(write))
		return;
	text_add(&line, "at %s a thread writes are %.3g GB/s", layout_size(size_bytes, false, size),
		 write / GB);
	if (size_bytes >= TRAFFIC_BYTES && isfinite(point->traffic_bytes_per_second))
		text_add(&line, ": if every store fetches its line, %.3g GB/s of traffic",
			 point->traffic_bytes_per_second / GB);
	if (past > (1 + LEAST_GAIN) * write)
		text_add(&line, "; past the caches (nt) it is %.2f times as much, %.3g GB/s",
			 past / write, past / GB);
	else if (isfinite(past))
		text_add(&line, "; past the caches (nt) it is no more, %.3g GB/s", past / GB);
	layout_item(layout, "  ", false, &line);
}

/* How far the most threads come beyond one. */
static void add_scaling(const struct layout *layout, const struct bandwidth_grid *one,
			const struct bandwidth_grid *most, uint64_t size_bytes)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	size_t count = 0;
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		double times = value_at(most, FATHOM_READ + i, size_bytes) /
			       value_at(one, FATHOM_READ + i, size_bytes);
		if (isfinite(times))
			text_add(&line, "%s%.2f (%s)", count++ ? ", " : "", times, name_of(i));
	}
	char *list = text_take(&line);
	if (count)
		text_add(&line, "%u threads over %s at %s each: %s times as much", most->threads,
			 one->threads == 1 ? "one" : "the fewest",
			 layout_size(size_bytes, false, size), list ? list : "");
	layout->text->failed |= !list;
	free(list);
	if (count)
		layout_item(layout, "  ", false, &line);
}

/* What the average of the threads hides. */
static void add_extremes(const struct layout *layout, const struct bandwidth_grid *grid,
			 uint64_t size_bytes)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	size_t count = 0;
	text_add(&line,
		 "the slowest and the fastest of %u threads at %s each, GB/s: ", grid->threads,
		 layout_size(size_bytes, false, size));
	for (int i = 0; i < BANDWIDTH_STREAMS; i++) {
		const struct fathom_point *point = bandwidth_grid_point(grid, i, size_bytes);
		if (point && isfinite(point->bandwidth_slowest_thread))
			text_add(&line, "%s%.3g to %.3g (%s)", count++ ? ", " : "",
				 point->bandwidth_slowest_thread / GB,
				 point->bandwidth_fastest_thread / GB, name_of(i));
	}
	if (count)
		layout_item(layout, "  ", false, &line);
	text_free(&line);
}

/* Of what both have. */
static uint64_t largest_common(const struct bandwidth_grid *one, const struct bandwidth_grid *most)
{
	uint64_t a = bandwidth_grid_largest_size(one), b = bandwidth_grid_largest_size(most);
	return a < b ? a : b;
}

void text_bandwidth(const struct layout *layout, const struct fathom_result *result)
{
	struct bandwidth_grid first = {0}, grid = {0}, most;
	if (!bandwidth_grid_next(result, &first, &first))
		return;
	bool several = bandwidth_grid_next_size(&first, bandwidth_grid_next_size(&first, 0)) > 0;
	if (several)
		add_plot(layout, &first);
	most = first;
	while (bandwidth_grid_next(result, &grid, &grid)) {
		if (several)
			add_grid(layout, &grid);
		if (bandwidth_grid_same_kind(&grid, &first))
			most = grid;
	}
	if (!several)
		add_details(layout, result, bandwidth_grid_next_size(&first, 0));
	add_quality(layout, result);
	if (!first.by_width)
		add_widths(layout, &first);
	add_allocate(layout, &first, bandwidth_grid_largest_size(&first));
	if (most.threads > first.threads)
		add_scaling(layout, &first, &most, largest_common(&first, &most));
	add_extremes(layout, &most, bandwidth_grid_largest_size(&most));
}
