#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"
#include "model/translation/page_kind.h"

/* A step at n pages may be tables that leave a cache of so many times their bytes: beside each line
 * of a table lie the lines of data that it translates, in a guest its host's tables as well, and
 * neither cache nor replacement is ideal. */
#define LEAST_ROOM     0.7
#define MOST_ROOM      6.0
#define ROOM_IN_MIDDLE 2 /* times their bytes: so much room tables need */
#define ROOM_AT_END    0.5
#define MOSTLY         0.5 /* of a step's accesses, at the last point */
#define WIDE           1.25
#define SHAPE_SHARE    0.1 /* of a cost: tables leave a cache bit by bit, and no shape is exact */
#define LEAST_RISE     0.5 /* of what the next cache takes longer: else no table line left one */

struct places {
	const struct fathom_level *levels;
	size_t count;       /* of caches with a known reach, the first ones */
	size_t level_count; /* of all: memory may come next */
	double table_bytes; /* a page */
};

static bool is_usable(const struct fathom_level *level)
{
	return level->kind == FATHOM_LEVEL_CACHE && isfinite(level->size_bytes) && level->name;
}

/* The cache that tables leave at that many pages; `count`: none. Not one before `from`. */
static size_t cache_left(const struct places *places, size_t from, double pages)
{
	double bytes = places->table_bytes * pages, best = INFINITY;
	size_t found = places->count;
	for (size_t i = from; i < places->count; i++) {
		double room = places->levels[i].size_bytes / bytes;
		double off = fabs(log(room / sqrt(LEAST_ROOM * MOST_ROOM)));
		if (room < LEAST_ROOM || room > MOST_ROOM || off >= best)
			continue;
		best = off;
		found = i;
	}
	return found;
}

/* The first cache from `from` on that has room for so many bytes. */
static size_t cache_for(const struct places *places, size_t from, double bytes)
{
	while (from < places->count && places->levels[from].size_bytes < bytes)
		from++;
	return from;
}

/* Is the step so high that accesses to tables are answered by the next cache then? */
static bool leaves(const struct places *places, size_t place, double rise_ns)
{
	const struct fathom_level *levels = places->levels;
	double longer_ns = place + 1 < places->level_count
				   ? levels[place + 1].latency_ns - levels[place].latency_ns
				   : NAN;
	return !(rise_ns < LEAST_RISE * longer_ns);
}

/* Where tables are that cost as much from some number of pages to another. They leave a cache with
 * a step, and had no room in one that would have shown one. Entries of upper tables make steps,
 * too. `from`: the first cache that they may be in, and what that is for more pages. */
static size_t find_place(const struct places *places, const struct fathom_walk *walk,
			 double most_pages, double next_rise_ns, size_t *from)
{
	bool last = isnan(walk->to_pages);
	double end = last ? most_pages : walk->to_pages;
	size_t left = last ? places->count : cache_left(places, *from, end);
	if (left < places->count) {
		*from = left + leaves(places, left, next_rise_ns);
		return left;
	}
	double middle = sqrt(walk->from_pages * end);
	return *from = cache_for(places, *from,
				 places->table_bytes * fmax(ROOM_IN_MIDDLE * middle,
							    last ? ROOM_AT_END * end : 0));
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

/* In the middle: the last steps may still rise where the chains end. */
static void set_cost(struct tlb_fit *fit, struct fathom_walk *walk)
{
	double drawn[TLB_FIT_DRAWS];
	double end = isnan(walk->to_pages) ? tlb_fit_most_pages(fit) : walk->to_pages;
	double clock = tlb_fit_clock(fit, walk->from_pages,
				     isnan(walk->to_pages) ? INFINITY : walk->to_pages);
	double ln_middle =
		fmin(log(end), fmax(log(walk->from_pages * end) / 2, log(WIDE * walk->from_pages)));
	for (size_t d = 0; d < TLB_FIT_DRAWS; d++)
		drawn[d] = tlb_fit_cycle_ns(fit, &fit->draws[d], ln_middle);
	walk->ns = tlb_fit_cycle_ns(fit, &fit->steps, ln_middle);
	struct stats_interval interval = tlb_fit_interval(drawn, walk->ns);
	walk->low_ns = walk->ns - hypot(walk->ns - interval.low, SHAPE_SHARE * walk->ns);
	walk->high_ns = walk->ns + hypot(interval.high - walk->ns, SHAPE_SHARE * walk->ns);
	walk->cycles = walk->ns * clock;
	walk->low_cycles = walk->low_ns * clock;
	walk->high_cycles = walk->high_ns * clock;
}

/* From step `which` on the walk costs what it does until the next step. */
static bool is_seen(const struct tlb_fit *fit, size_t which)
{
	const struct steps *steps = &fit->steps;
	double last = fit->ln_pages[fit->count - 1];
	double end = which + 1 < steps->count ? steps->items[which + 1].ln_reach : last;
	return end > steps->items[which].ln_reach + log(WIDE) &&
	       steps_missed(&fit->problem, steps, which, 0, last) > MOSTLY;
}

/* The place of the one before was the same: there is no telling what the step between them was. */
static struct fathom_walk *join(struct fathom_translation *found, const struct fathom_walk *walk)
{
	struct fathom_walk *before = &found->walks[found->walk_count - 1];
	before->to_pages = walk->to_pages;
	free(before->level);
	free(before->evidence);
	before->level = before->evidence = NULL;
	return before;
}

static int add_walks(struct page_kind *kind, const struct places *places,
		     struct fathom_error *error)
{
	struct tlb_fit *fit = kind->fit;
	struct fathom_translation *found = &kind->found;
	const struct steps *steps = &fit->steps;
	double most_pages = tlb_fit_most_pages(fit);
	size_t from = 0, place_before = SIZE_MAX;
	for (size_t i = fit->tlb_count - 1; i < steps->count; i++) {
		bool last = i + 1 == steps->count;
		struct fathom_walk walk = {
			.from_pages = exp(steps->items[i].ln_reach),
			.to_pages = last ? NAN : exp(steps->items[i + 1].ln_reach),
		};
		size_t place = find_place(places, &walk, most_pages,
					  last ? NAN : steps->items[i + 1].rise[0], &from);
		if (!is_seen(fit, i))
			continue;
		struct fathom_walk *made = &found->walks[found->walk_count];
		if (place == place_before && places->count)
			made = join(found, &walk);
		else
			found->walks[found->walk_count++] = walk;
		place_before = place;
		set_cost(fit, made);
		if (name_place(places, place, most_pages, made, error))
			return -1;
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
	struct places places = {levels, 0, level_count,
				(double)page_table_bytes((int)found->page, found->entry_bytes,
							 machine ? machine->base_page_bytes : 0)};
	while (places.count < level_count && is_usable(&levels[places.count]))
		places.count++;
	if (kind->fit->tlb_count > 0 && !kind->fit->one_level) {
		found->walks = calloc(kind->fit->steps.count, sizeof(*found->walks));
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
