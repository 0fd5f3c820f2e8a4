/* Latency against throughput. */
#include <math.h>
#include <stdio.h>

#include "base/names.h"
#include "base/point.h"
#include "model/plateau.h"
#include "views/experiments/experiments.h"
#include "views/points.h"
#include "views/rounding.h"

#define GB    1e9
#define AGREE 0.10 /* two ways to the same number differ by no more */
#define DOZEN 12   /* lanes that are enough for most, says the textbook */

struct throughput {
	const struct fathom_result *result;
	bool has_level, has_little;
	uint32_t threads; /* the most; 0: reading was not measured */
};

/* ---- the table ---- */

/* In a word, and after "probably limited by". */
static const char *const limits[FATHOM_LIMIT_COUNT][2] = {
	[FATHOM_LIMIT_UNKNOWN] = {"unknown", "an unknown cause"},
	[FATHOM_LIMIT_LOOP] = {"loop", "the loop"},
	[FATHOM_LIMIT_LANES] = {"lanes", "the number of lanes measured"},
	[FATHOM_LIMIT_BUFFERS] =
		{"buffers", "the misses that can be outstanding (in which queue is not known)"},
	[FATHOM_LIMIT_WALKERS] = {"walkers", "page walks"},
	[FATHOM_LIMIT_BANDWIDTH] = {"bandwidth", "bandwidth"},
};

static const char *limit_of(const struct fathom_parallelism *row, bool brief)
{
	return limits[row->limit < FATHOM_LIMIT_COUNT ? row->limit : 0][!brief];
}

/* Inside L1 no line is on its way. */
static struct estimate little_of(const struct throughput *table,
				 const struct fathom_parallelism *row)
{
	if (plateau_is_in_first_cache(table->result, row->size_bytes))
		return ESTIMATE_UNKNOWN;
	return (struct estimate){row->little_lines, row->little_low_lines, row->little_high_lines};
}

/* What has no room goes, that of the highest rank first. */
static void add_columns(struct view *view, const struct throughput *table)
{
	char all[32];
	snprintf(all, sizeof(all), "all %u", table->threads);
	view_table(view);
	if (table->has_level)
		view_column(view, COLUMN("level"));
	VIEW_COLUMNS(view, COLUMN("size", .rank = 1), COLUMN("pages"),
		     COLUMN("latency", .unit = "ns"), COLUMN("access", .unit = "ns"),
		     COLUMN("MLP", .spread_rank = 4), COLUMN("knee", .unit = "lanes", .rank = 3),
		     COLUMN("Little", .unit = "lines", .rank = 5, .spread_rank = 8),
		     COLUMN("1 core", .unit = "GB/s", .rank = 2),
		     COLUMN(all, .unit = "GB/s", .rank = 6), COLUMN("limit", .rank = 7));
}

static void add_overlap(struct view *view, const struct fathom_parallelism *row)
{
	bool none = isfinite(row->speedup) && !isfinite(row->speedup_high - row->speedup_low);
	struct estimate speedup = ESTIMATE(row, speedup, );
	view_rounded(view, rounding_overlap(row->speedup, !row->saturated));
	view_before(view, row->saturated ? "" : "> ");
	view_spread(view, none ? "?" : rounding_spread(speedup).text);
}

static void add_knee(struct view *view, const struct fathom_parallelism *row)
{
	double low = row->knee_low_lanes, high = row->knee_high_lanes;
	if (row->saturated && isfinite(row->knee_lanes) && isfinite(low) && low < high) {
		view_quantity(view, "%.0f\u2013%.0f", low, high);
		return;
	}
	view_count(view, row->knee_lanes);
	view_before(view, row->saturated ? "" : "\u2265 "); /* where more lanes do more */
}

static void add_row(struct view *view, const struct throughput *table,
		    const struct fathom_parallelism *row)
{
	const char *page = page_name(table->result->curves[row->curve].points[0].spec.page);
	view_row(view);
	if (table->has_level)
		view_name(view, "%s", row->level ? row->level : "-");
	view_size(view, (double)row->size_bytes);
	view_name(view, "%s", page ? page : "-");
	view_number(view, row->latency_ns);
	view_number(view, row->ns_per_access);
	add_overlap(view, row);
	add_knee(view, row);
	view_estimate(view, little_of(table, row));
	view_number(view, row->read_bytes_per_second / GB);
	view_number(view, table->threads > 1 && row->all_threads == table->threads
				  ? row->all_bytes_per_second / GB
				  : NAN);
	view_name(view, "%s", limit_of(row, true));
}

static void add_note(struct view *view, const struct throughput *table)
{
	struct text line = {0};
	text_add(&line,
		 "latency: dependent accesses; access: time per access with enough lanes; MLP: "
		 "latency over that time, block by block, in the median; knee: fewest lanes that "
		 "reach 90 %% of the MLP");
	if (table->has_little)
		text_add(&line, "; Little: lines in flight while one core reads in order (latency "
				"x bandwidth / line size)");
	if (table->threads)
		text_add(&line, "; GB/s: reading in order");
	if (table->threads > 1)
		text_add(&line, ", all %u, where there is room for it: by %u threads together",
			 table->threads, table->threads);
	view_take(view, VIEW_NOTE, &line);
}

/* ---- in words ---- */

static void add_interval(struct text *line, struct estimate estimate)
{
	struct rounded interval = rounding_interval(estimate);
	if (*interval.text)
		text_add(line, " (%s)", interval.text);
}

/* Fewer lines than the lanes have under way means fewer bytes than they bring, as both have the
 * same latency: so it is not bandwidth that limits reading then. */
static void add_fewer(const struct fathom_parallelism *row, struct text *line)
{
	text_add(line,
		 "fewer, but not for want of bandwidth: the lanes bring lines at %s GB/s, "
		 "reading in order at ",
		 rounding_number(row->bytes_per_second / GB).text);
	text_add(line, "%s", rounding_number(row->read_bytes_per_second / GB).text);
}

static void add_little(const struct throughput *table, const struct fathom_parallelism *row,
		       struct text *line)
{
	const struct estimate little = little_of(table, row);
	bool meets = little.low <= row->speedup_high && little.high >= row->speedup_low;
	if (!isfinite(little.value) || !isfinite(row->speedup))
		return;
	text_add(line, ". By Little's law, from the latency of random accesses, %s",
		 rounding_number(little.value).text);
	add_interval(line, little);
	text_add(line, " lines are in flight while one core reads in order: ");
	double more = row->little_lines / row->speedup - 1;
	if (meets)
		text_add(line, "as many");
	else if (fabs(more) <= AGREE)
		text_add(line, "about as many, %s %s", rounding_percent(fabs(more)).text,
			 more > 0 ? "more" : "fewer");
	else if (!row->saturated && row->little_lines > row->speedup)
		text_add(line, "more than the number of lanes measured");
	else if (row->little_lines > row->speedup && row->limit == FATHOM_LIMIT_LOOP)
		text_add(line, "more, because the loop of the lanes is the limit");
	else if (row->little_lines > row->speedup)
		text_add(line, "more, because vector loads and prefetchers fetch lines that no "
			       "chain waits for");
	else
		add_fewer(row, line);
}

/* In whole percent: what the time with all lanes and that with a dozen leave open. */
static void add_dozen_interval(const struct fathom_point *dozen,
			       const struct fathom_parallelism *row, double share,
			       struct text *line)
{
	struct estimate times =
		estimate_over(ESTIMATE_PLAIN(row, ns_per_access), points_time(dozen, FATHOM_Y_NS));
	if (isfinite(times.high - times.low))
		text_add(line, " (%.0f to %.0f)", floor(100 * fmin(fmin(times.low, share), 1)),
			 ceil(100 * fmin(fmax(times.high, share), 1)));
}

/* "a dozen at once is enough for most": what a dozen gets. */
static void add_dozen(const struct fathom_curve *curve, const struct fathom_parallelism *row,
		      struct text *line)
{
	const struct fathom_point *one = curve->points;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		double share = point_ns(one) / point_ns(point) / row->speedup;
		if (point->spec.lanes != DOZEN || one->spec.lanes != 1 || !isfinite(share))
			continue;
		text_add(line, ". A dozen lanes reach %s%s", row->saturated ? "" : "at most ",
			 rounding_percent(fmin(share, 1)).text);
		add_dozen_interval(point, row, share, line);
		text_add(line, " of that MLP");
	}
}

static void add_sentence(struct view *view, const struct throughput *table,
			 const struct fathom_parallelism *row)
{
	const struct fathom_curve *curve = &table->result->curves[row->curve];
	struct text line = {0};
	parallelism_add_name(&line, table->result, curve, true);
	text_add(&line, ": ");
	if (isfinite(row->speedup)) {
		text_add(&line, "MLP %s%s", row->saturated ? "" : "at least ",
			 rounding_overlap(row->speedup, !row->saturated).text);
		add_interval(&line, ESTIMATE(row, speedup, ));
		text_add(&line, ", ");
	}
	if (row->limit == FATHOM_LIMIT_UNKNOWN)
		text_add(&line, "what limits it is not known");
	else
		text_add(&line, "probably limited by %s", limit_of(row, false));
	if (row->evidence) {
		text_add(&line, ": %s", view_known(row->evidence));
	}
	add_dozen(curve, row, &line);
	add_little(table, row, &line);
	view_take(view, VIEW_NOTE, &line);
}

typedef void add_one(struct view *view, const struct throughput *table,
		     const struct fathom_parallelism *row);

/* The kinds of pages of a size one after the other. */
static void for_each(struct view *view, const struct throughput *table, add_one *add)
{
	const struct fathom_parallelism *rows = table->result->parallelism;
	size_t count = table->result->parallelism_count;
	for (size_t i = 0; i < count; i++) {
		size_t first = 0;
		while (rows[first].size_bytes != rows[i].size_bytes)
			first++;
		for (size_t k = i; first == i && k < count; k++)
			if (rows[k].size_bytes == rows[i].size_bytes)
				add(view, table, &rows[k]);
	}
}

void throughput_view(struct view *view, const struct fathom_result *result)
{
	struct throughput table = {.result = result};
	if (!result->parallelism_count)
		return;
	for (size_t i = 0; i < result->parallelism_count; i++) {
		table.has_level |= result->parallelism[i].level != NULL;
		table.has_little |= isfinite(little_of(&table, &result->parallelism[i]).value);
		if (result->parallelism[i].all_threads > table.threads)
			table.threads = result->parallelism[i].all_threads;
	}
	view_part(view, "overlap", "Memory-level parallelism (MLP)");
	view_gap(view);
	view_say(view, VIEW_PLAIN, "memory-level parallelism (MLP):");
	add_columns(view, &table);
	for_each(view, &table, add_row);
	add_note(view, &table);
	view_gap(view);
	for_each(view, &table, add_sentence);
}
