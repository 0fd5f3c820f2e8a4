/* What address translation is like on each kind of pages. */
#include <math.h>
#include <stdio.h>

#include "base/names.h"
#include "views/experiments/pages.h"
#include "views/figure.h"
#include "views/levels/levels.h"
#include "views/rounding.h"

static enum fathom_y other_unit(enum fathom_y y)
{
	return y == FATHOM_Y_NS ? FATHOM_Y_CYCLES : FATHOM_Y_NS;
}

static struct estimate penalty_of(const struct fathom_tlb *tlb, enum fathom_y y)
{
	if (y == FATHOM_Y_CYCLES)
		return ESTIMATE(tlb, penalty, _cycles);
	return ESTIMATE(tlb, penalty, _ns);
}

static struct estimate cost_of(const struct fathom_walk *walk, enum fathom_y y)
{
	if (y == FATHOM_Y_CYCLES)
		return ESTIMATE_PLAIN(walk, cycles);
	return ESTIMATE_PLAIN(walk, ns);
}

/* The time in the unit that was asked for, its interval, and the other unit. */
static void add_time_columns(struct view *view, const char *top, enum fathom_y y)
{
	const char *names[] = {[FATHOM_Y_NS] = "ns", [FATHOM_Y_CYCLES] = "cycles"};
	VIEW_COLUMNS(view, COLUMN(top, .unit = names[y], .spread_rank = 1),
		     COLUMN(NULL, .unit = names[other_unit(y)], .rank = 4, .spread_rank = 5));
}

/* ---- TLBs ---- */

static void add_entries(struct view *view, const struct fathom_tlb *tlb)
{
	struct estimate entries = ESTIMATE(tlb, entries, );
	view_rounded(view, rounding_count(entries));
	if (isfinite(entries.high - entries.low)) {
		char range[64];
		snprintf(range, sizeof(range), "(%.31s)", rounding_count_range(entries).text);
		view_spread(view, range);
	}
}

static void add_tlb(struct view *view, const struct page_curves *curves,
		    const struct fathom_translation *found, size_t which)
{
	const struct fathom_tlb *tlb = &found->tlbs[which];
	view_row(view);
	view_name(view, "%s", view_known(page_name((int)found->page)));
	view_name(view, "TLB %zu%s", which + 1, levels_is_unsure(tlb->confidence) ? " ?" : "");
	add_entries(view, tlb);
	view_size(view, tlb->entries * (double)found->entry_bytes);
	view_estimate(view, penalty_of(tlb, curves->y));
	view_estimate(view, penalty_of(tlb, other_unit(curves->y)));
}

static void add_tlbs(struct view *view, const struct page_curves *curves)
{
	const struct fathom_result *result = curves->result;
	view_say(view, VIEW_PLAIN,
		 "TLBs, and the penalty of a miss that the next TLB, or a walk, resolves:");
	VIEW_TABLE(view, COLUMN("pages"), COLUMN("level"), COLUMN("entries", .spread_rank = 2),
		   COLUMN("reach", .rank = 3));
	add_time_columns(view, "penalty", curves->y);
	for (size_t i = 0; i < result->translation_count; i++)
		for (size_t k = 0; k < result->translations[i].tlb_count; k++)
			add_tlb(view, curves, &result->translations[i], k);
}

/* ---- walks ---- */

/* Of no more than three digits: how many pages is not known better. */
static double rounded(double pages)
{
	double unit = pow(10, fmax(0, floor(log10(pages)) - 2));
	return unit * round(pages / unit);
}

static void add_visited(struct view *view, const struct fathom_walk *walk)
{
	if (!(walk->from_pages >= 1))
		view_quantity(view, "-");
	else if (!(walk->to_pages >= 1))
		view_quantity(view, "> %.0f", rounded(walk->from_pages));
	else
		view_quantity(view, "%.0f\u2013%.0f", rounded(walk->from_pages),
			      rounded(walk->to_pages));
}

static void add_tables(struct view *view, const struct fathom_machine *machine,
		       const struct fathom_translation *found, const struct fathom_walk *walk)
{
	double bytes = (double)page_table_bytes((int)found->page, found->entry_bytes,
						machine ? machine->base_page_bytes : 0);
	double low = bytes * walk->from_pages, high = bytes * walk->to_pages;
	if (!(low >= 0 && low < 0x1p63))
		view_quantity(view, "-");
	else if (!isfinite(high))
		view_quantity(view, "> %s", rounding_size((uint64_t)low).text);
	else
		view_rounded(view, rounding_sizes(low, high));
}

/* A row ends where half of the readings miss the cache: its last tables are larger than that. */
static bool leaves_it(const struct fathom_walk *walk)
{
	return walk->level && walk->to_pages >= 1;
}

static void add_walk(struct view *view, const struct page_curves *curves,
		     const struct fathom_translation *found, size_t which)
{
	const struct fathom_walk *walk = &found->walks[which];
	view_row(view);
	view_name(view, "%s", view_known(page_name((int)found->page)));
	view_name(view, "%s%s", leaves_it(walk) ? "mostly " : "",
		  walk->level ? walk->level : "not known");
	add_visited(view, walk);
	add_tables(view, curves->result->machine, found, walk);
	view_estimate(view, cost_of(walk, curves->y));
	view_estimate(view, cost_of(walk, other_unit(curves->y)));
}

static void add_walks(struct view *view, const struct page_curves *curves)
{
	const struct fathom_result *result = curves->result;
	bool mostly = false;
	view_say(view, VIEW_PLAIN,
		 "page-walk cost by the cache that holds the page tables (extra time over a "
		 "first-level TLB hit):");
	VIEW_TABLE(view, COLUMN("pages"), COLUMN("tables in"),
		   COLUMN("visited", .unit = "pages", .rank = 2),
		   COLUMN("leaf tables", .unit = "size", .rank = 3));
	add_time_columns(view, "cost", curves->y);
	for (size_t i = 0; i < result->translation_count; i++)
		for (size_t k = 0; k < result->translations[i].walk_count; k++)
			add_walk(view, curves, &result->translations[i], k);
	for (size_t i = 0; i < result->translation_count; i++)
		for (size_t k = 0; k < result->translations[i].walk_count; k++)
			mostly |= leaves_it(&result->translations[i].walks[k]);
	if (result->decomposition_count)
		view_say(view, VIEW_NOTE,
			 "a cost is that in the middle of its row's pages: the parts of a random "
			 "access tell it size by size");
	if (mostly)
		view_say(view, VIEW_NOTE,
			 "mostly: at the end of the row half of the readings of tables miss that "
			 "cache");
}

/* ---- all ---- */

void translation_view(struct view *view, const struct page_curves *curves)
{
	const struct fathom_result *result = curves->result;
	bool tlbs = false, walks = false;
	for (size_t i = 0; i < result->translation_count; i++) {
		tlbs |= result->translations[i].tlb_count > 0;
		walks |= result->translations[i].walk_count > 0;
	}
	if (translation_has_tlb_words(result)) {
		view_part(view, "tlbs", "TLBs");
		view_gap(view);
		if (view->full)
			figure_add(view, result, (struct figure_wish){.kind = FIGURE_PAGES});
		if (tlbs)
			add_tlbs(view, curves);
		translation_tlb_words(view, result);
	}
	if (result->translation_count) {
		view_part(view, "walks", "Page walks");
		view_gap(view);
		if (walks)
			add_walks(view, curves);
		translation_walk_words(view, result);
	}
}
