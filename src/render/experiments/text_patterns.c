#include "render/experiments/text_patterns.h"

#include <math.h>

#include "base/plan.h"
#include "base/text.h"

#define NAME_COLUMNS  19
#define TIME_COLUMNS  10
#define CYCLE_COLUMNS 9
#define RATIO_COLUMNS 8
#define COUNT_COLUMNS 7
#define WARMTHS       3
#define LEAST_HIDDEN  2 /* %, that is told from noise */

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
		text_time_cell(layout, TIME_COLUMNS, time.ns, point ? text_mark(point) : 0);
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
	text_add(&line,
		 "* accesses overlap: the time an access, many under way at once; no latency");
	layout_item(layout, "  ", false, &line);
	text_exactness(layout, table->result);
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
	struct text line = {0};
	for (int i = 0; i < WARMTHS; i++)
		if (table.has[shown[i]])
			text_matrix(layout, result, shown[i]);
	text_add(&line, "%s:", layout_size(table.largest_bytes, false, size));
	layout_item(layout, "", false, &line);
	add_rows(layout, &table);
	layout_end_part(layout);
	add_notes(layout, &table);
	text_counts(layout, result, table.largest_bytes);
	add_overlap(layout, &table, pattern_ns(&table, FATHOM_INDEX_ARRAY));
	add_prefetch(layout, &table);
	add_sentence(layout, &table);
}
