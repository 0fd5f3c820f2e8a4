#include "views/experiments/experiments.h"

#include <math.h>
#include <stdlib.h>

#include "base/patterns.h"
#include "base/plan.h"
#include "base/point.h"
#include "views/figure.h"
#include "views/points.h"
#include "views/rounding.h"

#define WARMTHS      3
#define INT_BYTES    4
#define LEAST_HIDDEN 0.015 /* of a latency; less could be noise */
#define MOST_OPEN    0.3   /* of a latency: a part is told to no better than a tenth or two */

struct orders {
	const struct fathom_result *result;
	bool has[WARMTHS];
	uint64_t largest_bytes; /* of the random cycle, or of what there is */
	struct estimate random; /* ns, warm, at that size */
};

/* In the order of the columns. */
static const enum fathom_warmth shown[WARMTHS] = {FATHOM_COLD_FLUSHED, FATHOM_COLD_MAPPED,
						  FATHOM_WARM};

static bool has_both(const struct orders *table)
{
	return table->has[FATHOM_COLD_FLUSHED] && table->has[FATHOM_COLD_MAPPED];
}

static const char *heading_of(const struct orders *table, enum fathom_warmth warmth)
{
	if (warmth == FATHOM_WARM)
		return "warm";
	if (!has_both(table))
		return "cold";
	return warmth == FATHOM_COLD_FLUSHED ? "flushed" : "mapped";
}

/* The same row in another warmth. */
static const struct fathom_curve *
find_curve(const struct orders *table, const struct fathom_spec *row, enum fathom_warmth warmth)
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

static const struct fathom_point *find_point(const struct orders *table,
					     const struct fathom_spec *row,
					     enum fathom_warmth warmth, uint64_t size_bytes)
{
	const struct fathom_curve *curve = find_curve(table, row, warmth);
	return curve ? points_at(curve, size_bytes) : NULL;
}

/* Of the pattern, in the warmth, at the largest size; NULL: it was not measured. */
static const struct fathom_point *
find_pattern(const struct orders *table, enum fathom_pattern pattern, enum fathom_warmth warmth)
{
	for (size_t i = 0; i < table->result->curve_count; i++) {
		const struct fathom_curve *curve = &table->result->curves[i];
		if (curve->point_count && curve->points[0].spec.pattern == pattern &&
		    curve->points[0].spec.warmth == warmth)
			return points_at(curve, table->largest_bytes);
	}
	return NULL;
}

static struct estimate pattern_ns(const struct orders *table, enum fathom_pattern pattern)
{
	const struct fathom_point *point = find_pattern(table, pattern, FATHOM_WARM);
	return point ? points_time(point, FATHOM_Y_NS) : ESTIMATE_UNKNOWN;
}

static struct orders make_table(const struct fathom_result *result)
{
	struct orders table = {.result = result};
	for (size_t i = 0; i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->point_count == 0 || curve->points[0].spec.warmth >= WARMTHS)
			continue;
		table.has[curve->points[0].spec.warmth] = true;
		uint64_t last = curve->points[curve->point_count - 1].spec.size_bytes;
		if (last > table.largest_bytes)
			table.largest_bytes = last;
	}
	table.random = pattern_ns(&table, FATHOM_RANDOM_CYCLE);
	return table;
}

/* The first curve of its row: the one that names it. */
static bool is_first_of_row(const struct orders *table, size_t which)
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

void patterns_time(struct view *view, const struct fathom_point *point, enum fathom_y y)
{
	struct estimate value = ESTIMATE_UNKNOWN;
	if (point)
		value = points_time(point, y);
	view_number_or_range(view, value);
	view_mark(view, point && y == FATHOM_Y_NS ? points_mark(point, value) : 0);
}

/* Cycles stand beside the warm times, and beside the others where there is room. */
static void add_columns(struct view *view, const struct orders *table)
{
	VIEW_TABLE(view, COLUMN("order"));
	for (int i = 0; i < WARMTHS; i++)
		VIEW_COLUMNS(view, COLUMN(heading_of(table, shown[i]), .unit = "ns"),
			     COLUMN(heading_of(table, shown[i]), .unit = "cycles",
				    .rank = shown[i] == FATHOM_WARM ? 2 : 3));
	VIEW_COLUMNS(view, COLUMN("/random"), COLUMN("instr.", .rank = 1), COLUMN("IPC"));
}

static void add_row(struct view *view, const struct orders *table, const struct fathom_spec *row)
{
	const uint64_t bytes = table->largest_bytes;
	const struct fathom_point *warm = find_point(table, row, FATHOM_WARM, bytes);
	uint32_t instructions = warm ? warm->instructions_per_access : 0;
	view_row(view);
	points_order(view, row);
	for (int i = 0; i < WARMTHS; i++) {
		const struct fathom_point *point = find_point(table, row, shown[i], bytes);
		bool cycles = shown[i] == FATHOM_WARM || !has_both(table);
		patterns_time(view, point, FATHOM_Y_NS);
		patterns_time(view, cycles ? point : NULL, FATHOM_Y_CYCLES);
	}
	view_number_or_range(view,
			     warm ? estimate_over(points_time(warm, FATHOM_Y_NS), table->random)
				  : ESTIMATE_UNKNOWN);
	view_count(view, instructions ? instructions : NAN);
	struct estimate cycles = warm ? points_time(warm, FATHOM_Y_CYCLES) : ESTIMATE_UNKNOWN;
	bool known = instructions && !rounding_is_wide(cycles);
	view_quantity(view, "%s", rounding_small(known ? instructions / cycles.value : NAN).text);
}

static void add_rows(struct view *view, const struct orders *table)
{
	add_columns(view, table);
	for (size_t i = 0; i < table->result->curve_count; i++)
		if (is_first_of_row(table, i))
			add_row(view, table, &table->result->curves[i].points[0].spec);
}

static void add_notes(struct view *view, const struct orders *table)
{
	view_say(view, VIEW_NOTE, "* accesses overlap: time per access, not latency");
	points_exactness(view, table->result);
	points_ranges(view, table->result);
}

/* ---- the gap, in words ---- */

static void add_overlap(struct view *view, const struct orders *table, struct estimate index)
{
	struct text line = {0};
	if (!isfinite(index.value) || !isfinite(table->random.value))
		return;
	text_add(&line, "dependent accesses take ");
	points_add_estimate(&line, table->random, " ns");
	text_add(&line, ", overlapping ones (index array) ");
	points_add_estimate(&line, index, " ns");
	text_add(&line, " each: ");
	struct estimate overlap = estimate_over(table->random, index);
	struct rounded interval = rounding_interval(overlap);
	if (overlap.value > 1)
		text_add(&line, "the core kept %s accesses in flight (MLP%s%s)",
			 rounding_known(overlap).text, *interval.text ? ", " : "", interval.text);
	else
		text_add(&line, "overlapping gains nothing here: reading the index costs more");
	view_take(view, VIEW_NOTE, &line);
}

/* Over accesses that overlap, of which `what` says so many bytes. */
static void add_times(struct view *view, const struct orders *table, enum fathom_pattern pattern,
		      const char *what)
{
	struct text line = {0};
	const struct fathom_point *point = find_pattern(table, pattern, FATHOM_WARM);
	struct estimate times = estimate_over(table->random, pattern_ns(table, pattern));
	if (!isfinite(times.value))
		return;
	uint64_t bytes =
		pattern == FATHOM_STRIDE_LOOP ? point->spec.stride_bytes : point->spec.node_bytes;
	text_add(&line, "a dependent random access takes ");
	points_add_times(&line, times);
	text_add(&line, " as long as %s %s", what, rounding_size(bytes).text);
	if (pattern == FATHOM_LINEAR_SUM && bytes > INT_BYTES) {
		text_add(&line, ", and ");
		points_add_times(&line, estimate_times(times, (double)bytes / INT_BYTES));
		text_add(&line, " as long as for each int of %d B", INT_BYTES);
	}
	view_take(view, VIEW_NOTE, &line);
}

/* Of the pattern in either warmth; are both known? */
static bool find_warmths(const struct orders *table, enum fathom_pattern pattern,
			 struct estimate *cold, struct estimate *warm)
{
	const struct fathom_point *warm_point = find_pattern(table, pattern, FATHOM_WARM);
	const struct fathom_point *cold_point = find_pattern(table, pattern, FATHOM_COLD_FLUSHED);
	if (!cold_point)
		cold_point = find_pattern(table, pattern, FATHOM_COLD_MAPPED);
	if (!warm_point || !cold_point)
		return false;
	*warm = points_time(warm_point, FATHOM_Y_NS);
	*cold = points_time(cold_point, FATHOM_Y_NS);
	return isfinite(warm->value) && isfinite(cold->value);
}

static void add_time(struct text *line, const char *before, struct estimate ns)
{
	struct rounded spread = rounding_spread(ns);
	text_add(line, "%s%s ns", before, rounding_number(ns.value).text);
	if (*spread.text)
		text_add(line, " (%s)", spread.text);
}

/* Does being warm help, or is the working set never warm as a whole? Without intervals nothing is
 * said of it. */
static void add_warmth(struct view *view, const struct orders *table, enum fathom_pattern pattern,
		       const char *what)
{
	struct text line = {0};
	struct estimate cold, warm;
	if (!find_warmths(table, pattern, &cold, &warm))
		return;
	add_time(&line, what, cold);
	add_time(&line, " cold and ", warm);
	text_add(&line, " warm");
	if (warm.high < cold.low)
		text_add(&line, ": %s of that", rounding_percent(warm.value / cold.value).text);
	else if (warm.low > cold.high)
		text_add(&line,
			 ": cold it is faster by %s, for a cause that these rows do not tell",
			 rounding_percent(1 - cold.value / warm.value).text);
	else if (warm.high >= cold.low && warm.low <= cold.high)
		text_add(&line, ": no difference beyond the intervals");
	view_take(view, VIEW_NOTE, &line);
}

/* Its few lines may fit where all lines do not. */
static void add_one_per_page(struct view *view, const struct orders *table)
{
	struct estimate cold, warm;
	const struct fathom_point *point = find_pattern(table, FATHOM_ONE_PER_PAGE, FATHOM_WARM);
	if (!find_warmths(table, FATHOM_ONE_PER_PAGE, &cold, &warm) || !(warm.high < cold.low) ||
	    !point->lines_touched)
		return;
	double bytes = (double)point->lines_touched * line_bytes_likely(table->result);
	view_say(view, VIEW_NOTE,
		 "one per page reads one line of each page, %s in all: caches keep more of that "
		 "than of %s, so that it is faster warm",
		 rounding_size((uint64_t)bytes).text, rounding_size(table->largest_bytes).text);
}

/* Staying in a page may take longer, or its part not be known. */
static void add_steps(struct text *line, double hidden, struct estimate in_page)
{
	if (!(in_page.value >= 0 && in_page.value <= hidden) ||
	    in_page.high - in_page.low > MOST_OPEN)
		return;
	text_add(line, "; staying in a page saves %s, equal steps the other %s",
		 rounding_percent(in_page.value).text,
		 rounding_percent(hidden - in_page.value).text);
}

static void add_prefetch(struct view *view, const struct orders *table)
{
	struct text line = {0};
	struct estimate sequential = pattern_ns(table, FATHOM_SEQUENTIAL);
	struct estimate share = estimate_over(sequential, table->random);
	struct estimate local = estimate_over(pattern_ns(table, FATHOM_PAGE_LOCAL), table->random);
	if (!isfinite(share.value))
		return;
	text_add(&line, "a dependent access in sequence costs ");
	points_add_estimate(&line, sequential, " ns");
	if (share.value > 1 - LEAST_HIDDEN) {
		text_add(&line, ": as much as in random order");
	} else {
		text_add(&line, ": %s of the random latency is hidden",
			 rounding_percent(1 - share.value).text);
		add_steps(&line, 1 - share.value,
			  (struct estimate){1 - local.value, 1 - local.high, 1 - local.low});
	}
	view_take(view, VIEW_NOTE, &line);
}

static void add_sentence(struct view *view, const struct orders *table)
{
	struct text line = {0};
	struct estimate streamed = pattern_ns(table, FATHOM_LINEAR_SUM);
	if (!isfinite(table->random.value))
		return;
	text_add(&line, "a dependent random access into %s costs ",
		 rounding_size(table->largest_bytes).text);
	points_add_estimate(&line, table->random, " ns");
	text_add(&line, " here");
	const struct fathom_point *sum = find_pattern(table, FATHOM_LINEAR_SUM, FATHOM_WARM);
	if (sum && isfinite(streamed.value)) {
		text_add(&line, "; streaming the same data costs ");
		points_add_estimate(&line, streamed, " ns");
		text_add(&line, " for each %s", rounding_size(sum->spec.node_bytes).text);
	}
	view_take(view, VIEW_NOTE, &line);
}

/* Of the stride loop, where the first size is another than the largest. */
static void add_sizes(struct view *view, const struct orders *table)
{
	struct text line = {0};
	const struct fathom_point *first = NULL;
	const struct fathom_point *last = find_pattern(table, FATHOM_STRIDE_LOOP, FATHOM_WARM);
	for (size_t i = 0; i < table->result->curve_count && !first; i++) {
		const struct fathom_point *point = &table->result->curves[i].points[0];
		if (point->spec.pattern == FATHOM_STRIDE_LOOP && point->spec.warmth == FATHOM_WARM)
			first = point;
	}
	if (!first || !last || first->spec.size_bytes >= last->spec.size_bytes)
		return;
	struct estimate times =
		estimate_over(points_time(last, FATHOM_Y_NS), points_time(first, FATHOM_Y_NS));
	if (!isfinite(times.value))
		return;
	text_add(&line, "an access of the stride loop takes ");
	points_add_times(&line, times);
	text_add(&line, " as long in %s as in ", rounding_size(last->spec.size_bytes).text);
	text_add(&line, "%s", rounding_size(first->spec.size_bytes).text);
	view_take(view, VIEW_NOTE, &line);
}

static void add_contrast(struct view *view, const struct orders *table)
{
	const struct fathom_point *random = NULL;
	for (int i = 0; i < WARMTHS && !random; i++)
		random = find_pattern(table, FATHOM_RANDOM_CYCLE, shown[i]);
	contrast_view(view, random, find_pattern(table, FATHOM_SEQUENTIAL, FATHOM_WARM));
}

/* Of memory: all but what costs the same at any size. */
static void add_memory(struct view *view, const struct fathom_result *result)
{
	struct orders table = make_table(result);
	for (int i = 0; i < WARMTHS; i++)
		if (table.has[shown[i]])
			matrix_view(view, result, shown[i]);
	view_say(view, VIEW_PLAIN, "%s:", rounding_size(table.largest_bytes).text);
	add_rows(view, &table);
	view_gap(view);
	add_notes(view, &table);
	counts_view(view, result, table.largest_bytes);
	add_overlap(view, &table, pattern_ns(&table, FATHOM_INDEX_ARRAY));
	add_times(view, &table, FATHOM_STRIDE_LOOP,
		  "an access of the stride loop, which reads independent words every");
	add_times(view, &table, FATHOM_LINEAR_SUM,
		  "the linear sum, which iterates in order, takes for each");
	add_sizes(view, &table);
	add_warmth(view, &table, FATHOM_RANDOM_CYCLE, "a random cycle takes ");
	add_warmth(view, &table, FATHOM_SEQUENTIAL, "in sequence an access takes ");
	add_one_per_page(view, &table);
	add_prefetch(view, &table);
	add_sentence(view, &table);
	add_contrast(view, &table);
	least_mean_view(view, result);
}

void patterns_view(struct view *view, const struct fathom_result *result)
{
	struct fathom_result memory = *result;
	memory.curves = calloc(result->curve_count + 1, sizeof(*memory.curves));
	memory.curve_count = 0;
	view->failed |= !memory.curves;
	for (size_t i = 0; memory.curves && i < result->curve_count; i++) {
		const struct fathom_curve *curve = &result->curves[i];
		if (curve->point_count && !pattern_traits(curve->points[0].spec.pattern)->own_bytes)
			memory.curves[memory.curve_count++] = *curve;
	}
	view_part(view, "patterns", "Orders");
	if (view->full)
		figure_add(view, result, (struct figure_wish){.kind = FIGURE_PATTERNS});
	if (memory.curve_count)
		add_memory(view, &memory);
	operations_view(view, result);
	free(memory.curves);
}
