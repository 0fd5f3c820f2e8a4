/* Of what a latency is made up. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/warnings.h"
#include "model/checks/invariants.h"
#include "model/checks/withhold.h"
#include "views/experiments/pages.h"
#include "views/rounding.h"

struct row {
	const struct fathom_decomposition *made;
	double factor; /* of ns, to what is shown */
};

static const struct fathom_decomposition *find_made(const struct page_curves *curves,
						    uint64_t size_bytes)
{
	const struct fathom_result *result = curves->result;
	for (size_t i = 0; i < result->decomposition_count; i++)
		if (result->decompositions[i].size_bytes == size_bytes &&
		    isfinite(result->decompositions[i].total.ns))
			return &result->decompositions[i];
	return NULL;
}

static bool next_row(const struct page_curves *curves, uint64_t *last, struct row *row)
{
	uint64_t size;
	while ((size = pages_row(curves, last)) != 0) {
		row->made = find_made(curves, size);
		if (row->made)
			row->factor = pages_factor(curves, curves->items[0], size);
		if (row->made && isfinite(row->factor))
			return true;
	}
	return false;
}

/* ---- the table ---- */

#define TOTAL FATHOM_PART_COUNT /* in place of a part */

static struct estimate value_of(const struct row *row, size_t which)
{
	const struct fathom_cost *cost =
		which == TOTAL ? &row->made->total : &row->made->parts[which];
	return estimate_times(ESTIMATE_PLAIN(cost, ns), row->factor);
}

/* The columns in their order, and which of the marked has no room first. */
static const struct part {
	const char *top;
	size_t which;
	unsigned rank, spread_rank;
} parts[] = {
	{"total", TOTAL, 1, 3},
	{"memory", FATHOM_PART_MEMORY, 0, 5},
	{"TLB 2", FATHOM_PART_TLB, 0, 6},
	{"walk", FATHOM_PART_WALK, 0, 4},
	{"residual", FATHOM_PART_RESIDUAL, 0, 2},
};
#define PARTS (sizeof(parts) / sizeof(*parts))

static void add_columns(struct view *view)
{
	VIEW_TABLE(view, COLUMN("size"));
	for (size_t i = 0; i < PARTS; i++) {
		view_column(view, COLUMN(parts[i].top, .rank = parts[i].rank,
					 .spread_rank = parts[i].spread_rank));
	}
}

static void add_row(struct view *view, const struct row *row)
{
	view_row(view);
	view_size(view, (double)row->made->size_bytes);
	for (size_t i = 0; i < PARTS; i++) {
		struct estimate value = value_of(row, parts[i].which);
		bool bound = parts[i].which == FATHOM_PART_MEMORY && row->made->memory_is_bound;
		view_difference(view, value);
		view_before(view, bound ? "\u2264" : "");
	}
}

/* What the marks of the rows mean. */
struct marks {
	bool bound, unknown;
	size_t doubtful, at_cliff; /* rows that are withheld, and why */
};

/* What was not measured is in the residual: where there is none either, the parts contradicted the
 * total. */
static bool is_withheld(const struct fathom_decomposition *made)
{
	for (int part = 0; part < FATHOM_PART_COUNT; part++)
		if (isfinite(made->parts[part].ns))
			return false;
	return true;
}

static bool is_at_cliff(const struct fathom_result *result, const struct fathom_decomposition *made)
{
	struct text where = {0};
	text_add(&where, WITHHOLD_PARTS_AT "%s", rounding_size(made->size_bytes).text);
	bool found = where.data &&
		     warnings_find_at(&result->warnings, "parts-at-cliff", where.data) != NULL;
	text_free(&where);
	return found;
}

/* Of the rows whose parts are more than the total. */
struct excess {
	size_t count, sure; /* sure: by more than the interval of what is left */
	double most;        /* in the unit of the table */
	uint64_t at_bytes;
};

static void look_for_excess(struct excess *excess, const struct row *row)
{
	struct estimate left = value_of(row, FATHOM_PART_RESIDUAL);
	if (!(left.value < 0) || *rounding_number(left.value).text != '-')
		return;
	excess->count++;
	excess->sure += left.high < 0;
	if (-left.value < excess->most)
		return;
	excess->most = -left.value;
	excess->at_bytes = row->made->size_bytes;
}

static void add_excess(struct view *view, const struct excess *excess, const char *unit)
{
	struct text line = {0};
	if (!excess->count)
		return;
	text_add(&line, "at %zu %s the parts exceed the total, at most by %s %s (%s), ",
		 excess->count, excess->count == 1 ? "size" : "sizes",
		 rounding_number(excess->most).text, unit, rounding_size(excess->at_bytes).text);
	if (excess->sure && excess->sure < excess->count)
		text_add(&line, "at %zu of them ", excess->sure);
	text_add(&line,
		 "%s the interval: each is measured on its own, at another time and in other "
		 "memory",
		 excess->sure ? "by more than" : "within");
	view_take(view, VIEW_NOTE, &line);
}

static void add_notes(struct view *view, struct marks marks)
{
	view_say(view, VIEW_NOTE,
		 "memory: the cache or memory itself; TLB 2: the second TLB; residual: the total "
		 "less the parts, each measured separately; may be negative");
	if (marks.bound)
		view_say(view, VIEW_NOTE,
			 "\u2264: upper bound: it may include some translation, which the residual "
			 "then lacks");
	if (marks.unknown)
		view_say(view, VIEW_NOTE, "-: not measured, so it is part of the residual");
	if (marks.doubtful)
		view_say(view, VIEW_NOTE,
			 "- in all columns (%zu %s): the parts miss the total by more than %.0f %% "
			 "of it",
			 marks.doubtful, marks.doubtful == 1 ? "size" : "sizes",
			 100 * INVARIANTS_RESIDUAL);
	if (marks.at_cliff)
		view_say(
			view, VIEW_NOTE,
			"- in all columns (%zu %s): a cache ends there, and large pages keep other "
			"lines in it",
			marks.at_cliff, marks.at_cliff == 1 ? "size" : "sizes");
}

/* Of all rows from `first` to `last`, which have the same. */
static void add_evidence(struct view *view, const struct fathom_decomposition *first,
			 const struct fathom_decomposition *last)
{
	struct text line = {0};
	if (!last->evidence)
		return;
	text_add(&line, "%s", rounding_size(first->size_bytes).text);
	if (last != first)
		text_add(&line, " to %s", rounding_size(last->size_bytes).text);
	text_add(&line, ": %s", view_known(last->evidence));
	view_take(view, VIEW_NOTE, &line);
}

static bool same_evidence(const struct fathom_decomposition *a,
			  const struct fathom_decomposition *b)
{
	return a->evidence && b->evidence && strcmp(a->evidence, b->evidence) == 0;
}

/* Without --explain that of the largest size alone, and from where on it holds. */
static void add_all_evidence(struct view *view, const struct page_curves *curves)
{
	const struct fathom_decomposition *first = NULL, *last = NULL;
	struct row row;
	for (uint64_t size = 0; next_row(curves, &size, &row); last = row.made) {
		if (first && same_evidence(first, row.made))
			continue;
		if (first && view->explain)
			add_evidence(view, first, last);
		first = row.made;
	}
	if (first)
		add_evidence(view, first, last);
}

static void add_table(struct view *view, const struct page_curves *curves)
{
	struct marks marks = {0};
	struct excess excess = {0};
	struct row row;
	add_columns(view);
	for (uint64_t last = 0; next_row(curves, &last, &row);) {
		add_row(view, &row);
		look_for_excess(&excess, &row);
		marks.bound |= row.made->memory_is_bound;
		if (is_withheld(row.made) && is_at_cliff(curves->result, row.made))
			marks.at_cliff++;
		else if (is_withheld(row.made))
			marks.doubtful++;
		for (int part = 0; part < FATHOM_PART_COUNT; part++)
			marks.unknown |=
				!is_withheld(row.made) && !isfinite(row.made->parts[part].ns);
	}
	add_notes(view, marks);
	add_excess(view, &excess, pages_unit(curves));
	add_all_evidence(view, curves);
}

/* ---- the picture ---- */

/* All the parts up to this one, of the total. */
static double share_until(const struct fathom_decomposition *made, int part)
{
	double sum_ns = 0;
	for (int i = 0; i <= part; i++)
		if (made->parts[i].ns > 0)
			sum_ns += made->parts[i].ns;
	return sum_ns / made->total.ns;
}

static void add_picture(struct view *view, const struct page_curves *curves)
{
	static const char *const names[VIEW_BAR_PARTS] = {
		[FATHOM_PART_MEMORY] = "the cache or memory itself",
		[FATHOM_PART_TLB] = "second TLB",
		[FATHOM_PART_WALK] = "walk",
		[FATHOM_PART_RESIDUAL] = "residual",
	};
	char total[64];
	double until[VIEW_BAR_PARTS];
	struct row row;
	view_gap(view);
	view_bars(view, "shares of the total:", names);
	for (uint64_t last = 0; next_row(curves, &last, &row);) {
		for (int part = 0; part < VIEW_BAR_PARTS; part++)
			until[part] = share_until(row.made, part);
		snprintf(total, sizeof(total), "%s %s",
			 rounding_number(value_of(&row, TOTAL).value).text, pages_unit(curves));
		if (is_withheld(row.made))
			snprintf(total, sizeof(total), "left out");
		view_bar(view, rounding_size(row.made->size_bytes).text, total, until);
	}
}

/* ---- all ---- */

/* Nothing but a residual says nothing. */
static bool has_parts(const struct fathom_decomposition *made)
{
	for (int part = 0; part < FATHOM_PART_RESIDUAL; part++)
		if (isfinite(made->parts[part].ns))
			return true;
	return false;
}

void parts_view(struct view *view, const struct page_curves *curves)
{
	const struct fathom_decomposition *largest = NULL;
	struct row row;
	bool any = false;
	for (uint64_t last = 0; curves->count && next_row(curves, &last, &row);) {
		largest = row.made;
		any |= has_parts(row.made);
	}
	if (!largest)
		return;
	view_part(view, "parts", "Parts of a random access");
	view_gap(view);
	if (any) {
		view_say(view, VIEW_PLAIN, "parts of a random access on %s pages, %s:",
			 points_page(&curves->items[0]->points[0].spec), pages_unit(curves));
		add_table(view, curves);
		add_picture(view, curves);
	} else {
		view_say(view, VIEW_NOTE, "the parts of a latency are not known");
		add_evidence(view, largest, largest);
	}
}
