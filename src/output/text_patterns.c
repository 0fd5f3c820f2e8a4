#include "output/text_patterns.h"

#include <math.h>
#include <stdlib.h>

#include "base/names.h"
#include "base/plan.h"
#include "base/text.h"
#include "output/text_table.h"

#define NAME_COLUMNS   19
#define TIME_COLUMNS   10
#define CYCLE_COLUMNS  9
#define RATIO_COLUMNS  8
#define COUNT_COLUMNS  7
#define SIZE_COLUMNS   10
#define MATRIX_COLUMNS 20
#define WARMTHS        3
#define LEAST_HIDDEN   2 /* %, that is told from noise */

struct table {
	const struct fathom_result *result;
	bool has[WARMTHS];
	uint64_t largest_bytes; /* of the random cycle, or of what there is */
	double random_ns;       /* warm, at that size; NAN */
};

/* In the order of the columns. */
static const enum fathom_warmth shown[WARMTHS] = {FATHOM_COLD_FLUSHED, FATHOM_COLD_MAPPED,
						  FATHOM_WARM};

static const char *heading_of(const struct table *table, enum fathom_warmth warmth)
{
	bool both = table->has[FATHOM_COLD_FLUSHED] && table->has[FATHOM_COLD_MAPPED];
	if (warmth == FATHOM_WARM)
		return "warm ns";
	if (!both)
		return "cold ns";
	return warmth == FATHOM_COLD_FLUSHED ? "flushed ns" : "mapped ns";
}

const struct fathom_point *text_point_at(const struct fathom_curve *curve, uint64_t size_bytes)
{
	for (size_t i = curve->point_count; i-- > 0;) {
		uint64_t bytes = curve->points[i].spec.size_bytes;
		/* Nodes of a page leave a rest. */
		if (bytes <= size_bytes && size_bytes - bytes < curve->points[i].spec.node_bytes)
			return &curve->points[i];
	}
	return NULL;
}

/* The same row in another warmth. */
static const struct fathom_curve *
find_curve(const struct table *table, const struct fathom_spec *row, enum fathom_warmth warmth)
{
	struct fathom_spec wanted = *row;
	wanted.warmth = warmth;
	for (size_t i = 0; i < table->result->curve_count; i++) {
		const struct fathom_curve *curve = &table->result->curves[i];
		if (curve->point_count && plan_same_curve(&curve->points[0].spec, &wanted))
			return curve;
	}
	return NULL;
}

static const struct fathom_point *find_point(const struct table *table,
					     const struct fathom_spec *row,
					     enum fathom_warmth warmth, uint64_t size_bytes)
{
	const struct fathom_curve *curve = find_curve(table, row, warmth);
	return curve ? text_point_at(curve, size_bytes) : NULL;
}

/* Of the pattern, in the warmth, at the largest size; NULL: it was not measured. */
static const struct fathom_point *
find_pattern(const struct table *table, enum fathom_pattern pattern, enum fathom_warmth warmth)
{
	for (size_t i = 0; i < table->result->curve_count; i++) {
		const struct fathom_curve *curve = &table->result->curves[i];
		if (curve->point_count && curve->points[0].spec.pattern == pattern &&
		    curve->points[0].spec.warmth == warmth)
			return text_point_at(curve, table->largest_bytes);
	}
	return NULL;
}

static double pattern_ns(const struct table *table, enum fathom_pattern pattern)
{
	const struct fathom_point *point = find_pattern(table, pattern, FATHOM_WARM);
	return point ? text_time_of(point).ns : NAN;
}

static struct table make_table(const struct fathom_result *result)
{
	struct table table = {.result = result};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->point_count == 0)
			continue;
		table.has[curve->points[0].spec.warmth] = true;
		uint64_t last = curve->points[curve->point_count - 1].spec.size_bytes;
		if (last > table.largest_bytes)
			table.largest_bytes = last;
	}
	table.random_ns = pattern_ns(&table, FATHOM_RANDOM_CYCLE);
	return table;
}

/* The first curve of its row: the one that names it. */
static bool is_first_of_row(const struct table *table, size_t which)
{
	const struct fathom_curve *curve = &table->result->curves[which];
	if (curve->point_count == 0)
		return false;
	for (size_t i = 0; i < which; i++) {
		const struct fathom_curve *before = &table->result->curves[i];
		if (before->point_count == 0)
			continue;
		struct fathom_spec spec = before->points[0].spec;
		spec.warmth = curve->points[0].spec.warmth;
		if (plan_same_curve(&spec, &curve->points[0].spec))
			return false;
	}
	return true;
}

/* ---- the table of one size ---- */

static unsigned columns_left(const struct table *table, const struct layout *layout)
{
	unsigned used = NAME_COLUMNS + RATIO_COLUMNS + 2 * COUNT_COLUMNS;
	for (int i = 0; i < WARMTHS; i++)
		used += table->has[i] ? TIME_COLUMNS : 0;
	return used < layout->columns ? layout->columns - used : 0;
}

/* Cycles stand beside the warm times, and beside the others where there is room. */
static bool has_cycles(const struct table *table, const struct layout *layout,
		       enum fathom_warmth warmth)
{
	unsigned left = columns_left(table, layout);
	if (warmth == FATHOM_WARM)
		return left >= CYCLE_COLUMNS;
	bool both = table->has[FATHOM_COLD_FLUSHED] && table->has[FATHOM_COLD_MAPPED];
	return left >= 2 * CYCLE_COLUMNS && !both;
}

static void add_heading(const struct layout *layout, const struct table *table)
{
	layout_cell(layout, NAME_COLUMNS, false, "  order");
	for (int i = 0; i < WARMTHS; i++) {
		if (!table->has[shown[i]])
			continue;
		layout_cell(layout, TIME_COLUMNS - 1, true, heading_of(table, shown[i]));
		text_add(layout->text, " ");
		if (has_cycles(table, layout, shown[i])) {
			layout_cell(layout, CYCLE_COLUMNS - 1, true, "cycles");
			text_add(layout->text, " ");
		}
	}
	layout_cell(layout, RATIO_COLUMNS, true, "/random");
	layout_cell(layout, COUNT_COLUMNS, true, "instr.");
	layout_cell(layout, COUNT_COLUMNS, true, "IPC");
	layout_end_line(layout);
}

static void add_ratio(const struct layout *layout, const struct table *table,
		      const struct fathom_point *warm)
{
	double ratio = warm ? text_time_of(warm).ns / table->random_ns : NAN;
	layout_take_cell(layout, RATIO_COLUMNS, true,
			 isfinite(ratio) ? text_format("%.3f", ratio) : text_format("-"));
}

static void add_instructions(const struct layout *layout, const struct fathom_point *point)
{
	uint32_t instructions = point ? point->instructions_per_access : 0;
	double ipc = point ? instructions / text_time_of(point).cycles : NAN;
	layout_take_cell(layout, COUNT_COLUMNS, true,
			 instructions ? text_format("%u", instructions) : text_format("-"));
	layout_take_cell(layout, COUNT_COLUMNS, true,
			 instructions && isfinite(ipc) ? text_format("%.3f", ipc)
						       : text_format("-"));
}

static void add_row(const struct layout *layout, const struct table *table,
		    const struct fathom_spec *row, uint64_t size_bytes)
{
	text_add(layout->text, "  ");
	layout_take_cell(layout, NAME_COLUMNS - 2, false, text_row_name(row));
	for (int i = 0; i < WARMTHS; i++) {
		if (!table->has[shown[i]])
			continue;
		const struct fathom_point *point = find_point(table, row, shown[i], size_bytes);
		struct text_time time = {NAN, NAN, NAN, NAN};
		if (point)
			time = text_time_of(point);
		bool unknown = point && !isfinite(time.low_ns);
		text_time_cell(layout, TIME_COLUMNS, time.ns,
			       !point                 ? 0
			       : unknown              ? '?'
			       : point->within_target ? 0
						      : '~');
		if (has_cycles(table, layout, shown[i]))
			text_time_cell(layout, CYCLE_COLUMNS, time.cycles, 0);
	}
	const struct fathom_point *warm = find_point(table, row, FATHOM_WARM, size_bytes);
	add_ratio(layout, table, warm);
	add_instructions(layout, warm);
	layout_end_line(layout);
}

static void add_rows(const struct layout *layout, const struct table *table)
{
	add_heading(layout, table);
	for (size_t i = 0; i < table->result->curve_count; i++)
		if (is_first_of_row(table, i))
			add_row(layout, table, &table->result->curves[i].points[0].spec,
				table->largest_bytes);
}

static void add_notes(const struct layout *layout, const struct table *table)
{
	struct text line = {0};
	const struct fathom_point *first = NULL;
	size_t points = 0, within = 0;
	for (size_t i = 0; i < table->result->curve_count; i++)
		for (size_t k = 0; k < table->result->curves[i].point_count; k++) {
			first = first ? first : &table->result->curves[i].points[k];
			points++;
			within += table->result->curves[i].points[k].within_target;
		}
	text_add(&line,
		 "* accesses overlap: the time an access, many under way at once; no latency");
	layout_item(layout, "  ", false, &line);
	if (!first || !(first->target > 0))
		return;
	text_add(&line,
		 "%zu of %zu points are within the wanted %s%.3g %%; ~ marks wider ones, ? those "
		 "without an interval",
		 within, points, layout_plus_minus(layout), 100 * first->target);
	layout_item(layout, "  ", false, &line);
}

/* ---- several sizes ---- */

static size_t count_sizes(const struct fathom_result *result, const struct fathom_curve **longest)
{
	size_t most = 0;
	for (size_t i = 0; i < result->curve_count; i++)
		if (result->curves[i].point_count > most) {
			most = result->curves[i].point_count;
			*longest = &result->curves[i];
		}
	return most;
}

static void add_matrix_part(const struct layout *layout, const struct table *table,
			    const struct fathom_curve *sizes, const size_t *curves, size_t count)
{
	char size[UNITS_TEXT_BYTES];
	layout_cell(layout, SIZE_COLUMNS, true, "size");
	for (size_t i = 0; i < count; i++)
		layout_take_cell(layout, MATRIX_COLUMNS, true,
				 text_row_name(&table->result->curves[curves[i]].points[0].spec));
	layout_end_line(layout);
	for (size_t k = 0; k < sizes->point_count; k++) {
		uint64_t bytes = sizes->points[k].spec.size_bytes;
		layout_cell(layout, SIZE_COLUMNS, true, layout_size(bytes, false, size));
		for (size_t i = 0; i < count; i++) {
			const struct fathom_point *point =
				text_point_at(&table->result->curves[curves[i]], bytes);
			text_time_cell(layout, MATRIX_COLUMNS, point ? text_time_of(point).ns : NAN,
				       0);
		}
		layout_end_line(layout);
	}
	text_add(layout->text, "\n");
}

/* One table a warmth, as wide as the page, and the rest below it. */
static void add_matrix(const struct layout *layout, const struct table *table,
		       const struct fathom_curve *sizes, enum fathom_warmth warmth)
{
	size_t room = (layout->columns - SIZE_COLUMNS) / MATRIX_COLUMNS, count = 0;
	size_t *curves = calloc(table->result->curve_count, sizeof(*curves));
	struct text line = {0};
	if (!curves) {
		layout->text->failed = true;
		return;
	}
	text_add(&line, "%s, ns an access:", warmth_name((int)warmth));
	layout_item(layout, "", false, &line);
	for (size_t i = 0; i < table->result->curve_count; i++) {
		const struct fathom_curve *curve = &table->result->curves[i];
		if (curve->point_count && curve->points[0].spec.warmth == warmth)
			curves[count++] = i;
	}
	for (size_t i = 0; i < count; i += room)
		add_matrix_part(layout, table, sizes, curves + i,
				count - i < room ? count - i : room);
	free(curves);
}

/* ---- the gap, in words ---- */

static void add_overlap(const struct layout *layout, const struct table *table, double index_ns)
{
	struct text line = {0};
	if (!isfinite(index_ns) || !isfinite(table->random_ns))
		return;
	text_add(&line,
		 "one after the other %.3g ns, overlapping %.3g ns an access: ", table->random_ns,
		 index_ns);
	if (table->random_ns > index_ns)
		text_add(&line, "the core had %.1f accesses under way at once",
			 table->random_ns / index_ns);
	else
		text_add(&line, "overlap gains nothing here, the index costs more");
	layout_item(layout, "  ", false, &line);
}

static void add_prefetch(const struct layout *layout, const struct table *table)
{
	struct text line = {0};
	double sequential_ns = pattern_ns(table, FATHOM_SEQUENTIAL);
	double local_ns = pattern_ns(table, FATHOM_PAGE_LOCAL);
	if (!isfinite(sequential_ns) || !isfinite(table->random_ns))
		return;
	double hidden = round(100 * (1 - sequential_ns / table->random_ns));
	double in_page = round(100 * (1 - local_ns / table->random_ns));
	text_add(&line, "in sequence a dependent access costs %.3g ns: ", sequential_ns);
	if (hidden < LEAST_HIDDEN)
		text_add(&line, "as much as in random order");
	else
		text_add(&line, "%.0f %% of the latency is hidden", hidden);
	if (hidden >= LEAST_HIDDEN && in_page >= 0 && in_page <= hidden)
		text_add(&line,
			 "; staying in a page saves %.0f %%, what follows being prefetched the "
			 "other %.0f %%",
			 in_page, hidden - in_page);
	layout_item(layout, "  ", false, &line);
}

static void add_sentence(const struct layout *layout, const struct table *table)
{
	char size[UNITS_TEXT_BYTES];
	struct text line = {0};
	double sum_ns = pattern_ns(table, FATHOM_LINEAR_SUM);
	if (!isfinite(table->random_ns))
		return;
	text_add(&line, "a dependent random access into %s costs %.3g ns here",
		 layout_size(table->largest_bytes, false, size), table->random_ns);
	const struct fathom_point *sum = find_pattern(table, FATHOM_LINEAR_SUM, FATHOM_WARM);
	if (sum && isfinite(sum_ns))
		text_add(&line, "; the same data streamed costs %.3g ns for each %s", sum_ns,
			 layout_size(sum->spec.node_bytes, false, size));
	layout_item(layout, "  ", false, &line);
}

void text_patterns(const struct layout *layout, const struct fathom_result *result)
{
	char size[UNITS_TEXT_BYTES];
	struct table table = make_table(result);
	const struct fathom_curve *sizes = NULL;
	struct text line = {0};
	if (count_sizes(result, &sizes) > 1)
		for (int i = 0; i < WARMTHS; i++)
			if (table.has[shown[i]])
				add_matrix(layout, &table, sizes, shown[i]);
	text_add(&line, "%s:", layout_size(table.largest_bytes, false, size));
	layout_item(layout, "", false, &line);
	add_rows(layout, &table);
	text_add(layout->text, "\n");
	add_notes(layout, &table);
	text_add(layout->text, "\n");
	text_counts(layout, result, table.largest_bytes);
	add_overlap(layout, &table, pattern_ns(&table, FATHOM_INDEX_ARRAY));
	add_prefetch(layout, &table);
	add_sentence(layout, &table);
}
