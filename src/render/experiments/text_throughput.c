#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/text.h"
#include "render/experiments/text_parallelism.h"
#include "render/text/text_columns.h"

#define INDENT 2
#define GB     1e9
#define AGREE  0.10 /* two ways to the same number differ by no more */

struct table {
	const struct layout *layout;
	const struct fathom_result *result;
	bool has_level;
	uint32_t threads; /* the most; 0: reading was not measured */
	char all_threads[UNITS_TEXT_BYTES];
	struct text_columns columns;
};

/* ---- cells ---- */

typedef char *make_cell(const struct table *table, const struct fathom_parallelism *row);

static char *level_text(const struct table *table, const struct fathom_parallelism *row)
{
	struct text level = {0};
	if (!row->level)
		return text_format("-");
	layout_outside(table->layout, &level, row->level);
	return text_take(&level);
}

static char *size_text(const struct table *table, const struct fathom_parallelism *row)
{
	char size[UNITS_TEXT_BYTES];
	(void)table;
	return text_format("%s", layout_size(row->size_bytes, false, size));
}

static char *page_text(const struct table *table, const struct fathom_parallelism *row)
{
	const char *page = page_name(table->result->curves[row->curve].points[0].spec.page);
	return text_format("%s", page ? page : "-");
}

static char *latency_text(const struct table *table, const struct fathom_parallelism *row)
{
	(void)table;
	return text_three_digits(row->latency_ns);
}

static char *access_text(const struct table *table, const struct fathom_parallelism *row)
{
	(void)table;
	return text_three_digits(row->ns_per_access);
}

static char *overlap_text(const struct table *table, const struct fathom_parallelism *row)
{
	(void)table;
	char speedup[UNITS_TEXT_BYTES];
	units_format_overlap(row->speedup, !row->saturated, speedup);
	return text_format("%s%s", row->saturated || isnan(row->speedup) ? "" : "> ", speedup);
}

static char *spread_text(const struct table *table, const struct fathom_parallelism *row)
{
	char *spread =
		layout_spread(table->layout, row->speedup, row->speedup_low, row->speedup_high);
	bool none = isfinite(row->speedup) && !isfinite(row->speedup_high - row->speedup_low);
	char *cell = spread ? text_format(" %s", none ? "?" : spread) : NULL;
	free(spread);
	return cell;
}

static char *knee_text(const struct table *table, const struct fathom_parallelism *row)
{
	double low = row->knee_low_lanes, high = row->knee_high_lanes;
	if (!isfinite(row->knee_lanes))
		return text_format("-");
	if (!row->saturated)
		return text_format("> %.0f", row->knee_lanes);
	if (!isfinite(low) || low >= high)
		return text_format("%.0f", row->knee_lanes);
	return text_format("%.0f%s%.0f", low, table->layout->utf8 ? "\u2013" : "-", high);
}

static char *little_text(const struct table *table, const struct fathom_parallelism *row)
{
	(void)table;
	return text_three_digits(row->little_lines);
}

static char *one_text(const struct table *table, const struct fathom_parallelism *row)
{
	(void)table;
	return text_three_digits(row->read_bytes_per_second / GB);
}

static char *all_text(const struct table *table, const struct fathom_parallelism *row)
{
	return text_three_digits(row->all_threads == table->threads ? row->all_bytes_per_second / GB
								    : NAN);
}

/* In a word, and after "probably limited by". */
static const char *const limits[FATHOM_LIMIT_COUNT][2] = {
	[FATHOM_LIMIT_UNKNOWN] = {"unknown", "what is not known"},
	[FATHOM_LIMIT_LOOP] = {"loop", "the loop"},
	[FATHOM_LIMIT_LANES] = {"lanes", "the lanes tried"},
	[FATHOM_LIMIT_BUFFERS] = {"buffers", "the misses that a cache can have outstanding"},
	[FATHOM_LIMIT_WALKERS] = {"walkers", "page walks"},
	[FATHOM_LIMIT_BANDWIDTH] = {"bandwidth", "bandwidth"},
};

static const char *limit_of(const struct fathom_parallelism *row, bool brief)
{
	return limits[row->limit < FATHOM_LIMIT_COUNT ? row->limit : 0][!brief];
}

static char *limit_text(const struct table *table, const struct fathom_parallelism *row)
{
	(void)table;
	return text_format("  %s", limit_of(row, true));
}

/* ---- the table ---- */

enum need { ALWAYS, LEVEL, READ, SEVERAL_THREADS };

/* What has no room goes, that of the highest rank first. */
static const struct column {
	const char *top, *bottom; /* top NULL: how many threads */
	unsigned columns;
	bool left;
	enum need need;
	unsigned rank;
	make_cell *make;
} columns[] = {
	{"level", "", 7, true, LEVEL, 0, level_text},
	{"size", "", 8, true, ALWAYS, 1, size_text},
	{"pages", "", 5, true, ALWAYS, 0, page_text},
	{"latency", "ns", 8, false, ALWAYS, 0, latency_text},
	{"access", "ns", 7, false, ALWAYS, 0, access_text},
	{"overlap", "", 8, false, ALWAYS, 0, overlap_text},
	{"", "", 7, true, ALWAYS, 4, spread_text},
	{"knee", "lanes", 6, false, ALWAYS, 3, knee_text},
	{"Little", "lines", 7, false, READ, 5, little_text},
	{"1 core", "GB/s", 7, false, READ, 2, one_text},
	{NULL, "GB/s", 8, false, SEVERAL_THREADS, 6, all_text},
	{"  limit", "", 11, true, ALWAYS, 7, limit_text},
};
#define COLUMNS (sizeof(columns) / sizeof(*columns))

static bool is_there(const struct table *table, const struct column *column)
{
	switch (column->need) {
	case LEVEL:
		return table->has_level;
	case READ:
		return table->threads > 0;
	case SEVERAL_THREADS:
		return table->threads > 1;
	default:
		return true;
	}
}

static char *cell_text(const void *table, const void *row, size_t which)
{
	return columns[which].make(table, row);
}

static void find_columns(struct table *table)
{
	table->columns = (struct text_columns){.indent = INDENT};
	snprintf(table->all_threads, sizeof(table->all_threads), "all %u", table->threads);
	for (size_t i = 0; i < COLUMNS; i++) {
		const struct column *column = &columns[i];
		const char *top = column->top ? column->top : table->all_threads;
		if (is_there(table, column))
			text_columns_add(&table->columns,
					 (struct text_column){top, column->bottom, column->columns,
							      column->left, column->rank, cell_text,
							      i});
	}
	text_columns_fit(table->layout, &table->columns);
}

static void add_row(const struct table *table, const struct fathom_parallelism *row)
{
	text_columns_row(table->layout, &table->columns, table, row);
}

static void add_note(const struct table *table)
{
	struct text line = {0};
	text_add(&line,
		 "latency: of one access after the other; access: of each where more lanes "
		 "gain no more; overlap: the one over the other; knee: the fewest lanes with "
		 "90 %% of it");
	if (table->threads)
		text_add(&line, "; Little: latency x bandwidth / line, the lines under way while "
				"one core reads in order; GB/s: of reading in order");
	layout_item(table->layout, "  ", false, &line);
}

/* ---- in words ---- */

static void add_little(const struct fathom_parallelism *row, struct text *line)
{
	double low = row->little_low_lines, high = row->little_high_lines;
	bool meets = low <= row->speedup_high && high >= row->speedup_low;
	if (!isfinite(row->little_lines) || !isfinite(row->speedup))
		return;
	text_add(line, ". While one core reads in order %.3g lines are under way by Little's law: ",
		 row->little_lines);
	if (meets || fabs(row->little_lines / row->speedup - 1) <= AGREE)
		text_add(line, "as many");
	else if (!row->saturated && row->little_lines > row->speedup)
		text_add(line, "more than the lanes that were tried");
	else if (row->little_lines > row->speedup)
		text_add(line,
			 "more, for loads of whole vectors and prefetchers bring lines that no "
			 "chain waits for");
	else
		text_add(line, "fewer, for reading meets another limit before");
}

static void add_sentence(const struct table *table, const struct fathom_parallelism *row)
{
	const struct fathom_curve *curve = &table->result->curves[row->curve];
	char *name = text_lanes_name(table->layout, table->result, curve, true);
	char speedup[UNITS_TEXT_BYTES];
	struct text line = {0};
	text_add(&line, "%s: ", name ? name : "");
	line.failed |= !name;
	free(name);
	if (isfinite(row->speedup)) {
		text_add(&line, "%s%s accesses overlap", row->saturated ? "" : "at least ",
			 units_format_overlap(row->speedup, !row->saturated, speedup));
		if (isfinite(row->speedup_low) && isfinite(row->speedup_high))
			text_add(&line, " (%.3g to %.3g)", row->speedup_low, row->speedup_high);
		text_add(&line, ", ");
	}
	text_add(&line, "probably limited by %s", limit_of(row, false));
	if (row->evidence) {
		text_add(&line, ": ");
		layout_outside(table->layout, &line, row->evidence);
	}
	add_little(row, &line);
	layout_item(table->layout, "  ", false, &line);
}

/* The kinds of pages of a size one after the other. */
static void for_each(const struct table *table,
		     void (*show)(const struct table *table, const struct fathom_parallelism *row))
{
	const struct fathom_parallelism *rows = table->result->parallelism;
	size_t count = table->result->parallelism_count;
	for (size_t i = 0; i < count; i++) {
		size_t first = 0;
		while (rows[first].size_bytes != rows[i].size_bytes)
			first++;
		for (size_t k = i; first == i && k < count; k++)
			if (rows[k].size_bytes == rows[i].size_bytes)
				show(table, &rows[k]);
	}
}

void text_throughput(const struct layout *layout, const struct fathom_result *result)
{
	struct table table = {.layout = layout, .result = result};
	struct text line = {0};
	if (!result->parallelism_count)
		return;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		table.has_level |= result->parallelism[i].level != NULL;
		if (result->parallelism[i].all_threads > table.threads)
			table.threads = result->parallelism[i].all_threads;
	}
	layout_end_part(layout);
	text_add(&line, "latency against throughput:");
	layout_item(layout, "", false, &line);
	find_columns(&table);
	text_columns_heading(layout, &table.columns);
	for_each(&table, add_row);
	add_note(&table);
	layout_end_part(layout);
	for_each(&table, add_sentence);
}
