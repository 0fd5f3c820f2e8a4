#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"
#include "model/translation/page_kind.h"

/* Any line of the tables is as likely to be read next, and it leaves a cache after as many hops as
 * that has lines: half of the readings miss where the tables are so many times the cache. */
#define HALF_LEFT   1.4427 /* 1 / ln 2 */
#define WIDE        1.25
#define SHAPE_SHARE 0.1 /* of a cost: tables leave a cache bit by bit, and no law is exact */

struct places {
	const struct fathom_level *levels;
	size_t count;       /* of caches with a known reach, the first ones */
	double table_bytes; /* a page */
};

static bool is_usable(const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes) && level->name;
}

/* The pages whose tables leave a cache. */
static double pages_left(const struct places *places, size_t cache)
{
	return HALF_LEFT * places->levels[cache].size_bytes / places->table_bytes;
}

static char *explain(const struct places *places, size_t place, const struct fathom_walk *walk,
		     double most_pages)
{
	char from[UNITS_TEXT_BYTES], to[UNITS_TEXT_BYTES], reach[UNITS_TEXT_BYTES];
	double last = isnan(walk->to_pages) ? most_pages : walk->to_pages;
	units_format_size((uint64_t)(places->table_bytes * walk->from_pages), from);
	units_format_size((uint64_t)(places->table_bytes * last), to);
	if (places->count == 0)
		return text_format("the leaf page tables take %s to %s; no cache is known", from,
				   to);
	if (place == places->count)
		return text_format(
			"the leaf page tables take %s to %s, more than the last cache (%s)", from,
			to,
			units_format_size((uint64_t)places->levels[place - 1].size_bytes, reach));
	return text_format("the leaf page tables take %s to %s; %s holds %s", from, to,
			   places->levels[place].name,
			   units_format_size((uint64_t)places->levels[place].size_bytes, reach));
}

static int name_place(const struct places *places, size_t place, double most_pages,
		      struct fathom_walk *walk, struct fathom_error *error)
{
	walk->evidence = explain(places, place, walk, most_pages);
	if (!walk->evidence)
		return error_no_memory(error);
	if (places->count == 0)
		return 0;
	walk->level = strdup(place < places->count ? places->levels[place].name : "memory");
	return walk->level ? 0 : error_no_memory(error);
}

/* In the middle: tables may be about to leave the cache at either end. */
static void set_cost(const struct tlb_fit *fit, struct fathom_walk *walk)
{
	double drawn[TLB_FIT_DRAWS];
	double end = isnan(walk->to_pages) ? tlb_fit_most_pages(fit) : walk->to_pages;
	double clock = tlb_fit_clock(fit, walk->from_pages,
				     isnan(walk->to_pages) ? INFINITY : walk->to_pages);
	double middle = fmin(end, fmax(sqrt(walk->from_pages * end), WIDE * walk->from_pages));
	for (size_t d = 0; d < TLB_FIT_DRAWS; d++)
		drawn[d] = tlb_fit_cycle_ns(fit, &fit->draws[d], middle);
	walk->ns = tlb_fit_cycle_ns(fit, &fit->group.steps, middle);
	struct stats_interval interval = tlb_fit_interval(drawn, walk->ns);
	walk->low_ns = walk->ns - hypot(walk->ns - interval.low, SHAPE_SHARE * walk->ns);
	walk->high_ns = walk->ns + hypot(interval.high - walk->ns, SHAPE_SHARE * walk->ns);
	walk->cycles = walk->ns * clock;
	walk->low_cycles = walk->low_ns * clock;
	walk->high_cycles = walk->high_ns * clock;
}

/* One after the other, a cache that has the tables. */
static int add_walks(struct page_kind *kind, const struct places *places,
		     struct fathom_error *error)
{
	const struct tlb_fit *fit = kind->fit;
	struct fathom_translation *found = &kind->found;
	double most_pages = tlb_fit_most_pages(fit);
	double from = tlb_fit_entries(fit, &fit->group.steps, fit->tlb_count - 1);
	for (size_t place = fit->group.problem.walks_ask_first ? 0 : 1;
	     place <= places->count && from * WIDE < most_pages; place++) {
		double end = place < places->count ? pages_left(places, place) : INFINITY;
		if (end < from * WIDE)
			continue;
		struct fathom_walk *walk = &found->walks[found->walk_count++];
		walk->from_pages = from;
		walk->to_pages = end < most_pages ? end : NAN;
		set_cost(fit, walk);
		if (name_place(places, place, most_pages, walk, error))
			return -1;
		from = end;
	}
	return 0;
}

static char *why_none(const struct page_kind *kind)
{
	if (kind->fit->tlb_count == 0)
		return text_format("no TLB was found, so no chain is known to miss one");
	if (kind->fit->one_level)
		return text_format("the longest chain has %.0f pages: first-level misses may be "
				   "resolved by a second TLB or by a walk",
				   tlb_fit_most_pages(kind->fit));
	return text_format(
		"the longest chain has %.0f pages, too close to the reach of the last TLB",
		tlb_fit_most_pages(kind->fit));
}

int page_kind_find_walks(struct page_kind *kind, const struct fathom_level *levels,
			 size_t level_count, struct fathom_error *error)
{
	struct fathom_translation *found = &kind->found;
	const struct fathom_machine *machine = kind->result->machine;
	struct places places = {levels, 0,
				(double)page_table_bytes((int)found->page, found->entry_bytes,
							 machine ? machine->base_page_bytes : 0)};
	while (places.count < level_count && is_usable(&levels[places.count]))
		places.count++;
	if (kind->fit->tlb_count > 0 && !kind->fit->one_level) {
		found->walks = calloc(places.count + 1, sizeof(*found->walks));
		if (!found->walks)
			return error_no_memory(error);
		if (add_walks(kind, &places, error))
			return -1;
	}
	if (found->walk_count == 0) {
		found->walks_missing = why_none(kind);
		return found->walks_missing ? 0 : error_no_memory(error);
	}
	return 0;
}
