/* The same chain over each kind of page that the machine grants; and of each kind one line a page
 * against as many lines packed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "machine/pages.h"
#include "measure/experiments/experiments.h"
#include "measure/memory/buffer.h"
#include "measure/spec.h"

#define SMALLEST_BYTES      (4ull << 10)
#define USUAL_LARGEST_BYTES (1ull << 30)
#define FEWEST_PAGES        8
#define USUAL_MOST_PAGES    3072 /* second-level TLBs of large pages end below */
#define FEWER_FROM_PAGES    8192 /* ends of TLBs lie well below, caches of page tables beyond */
#define PAGES_PER_OCTAVE    6
#define FEWER_PER_OCTAVE    2
#define LEAST_SPREAD_PAGES  64 /* fewer show not even a first-level TLB of large pages */
#define CURVES_A_PAIR       3  /* in a guest */
#define CURVES_A_KIND       (1 + CURVES_A_PAIR)
#define MULTI_SIZE          "multi-size THP" /* what a warning concerns */
#define TOUCH_SHARE         0.5  /* of the budget, at most, is for touching memory first */
#define TOUCH_S_PER_BYTE    2e-9 /* 130 ns a line, at the slow end of what guests need */

/* From the smallest on: the base page is what the others are held against. */
static const enum fathom_page all_kinds[] = {FATHOM_PAGE_4K,   FATHOM_PAGE_16K,  FATHOM_PAGE_32K,
					     FATHOM_PAGE_64K,  FATHOM_PAGE_128K, FATHOM_PAGE_256K,
					     FATHOM_PAGE_512K, FATHOM_PAGE_1M,   FATHOM_PAGE_THP,
					     FATHOM_PAGE_2M,   FATHOM_PAGE_1G};
#define KIND_COUNT (sizeof(all_kinds) / sizeof(*all_kinds))

struct kind {
	enum fathom_page page;
	uint64_t page_bytes;
	uint64_t size_bytes;   /* of the same chain, at most */
	uint64_t spread_bytes; /* of one line a page, at most; 0: it has no such curve */
};

struct kinds {
	struct kind items[KIND_COUNT];
	size_t count;
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* ---- which kinds, and how much of each ---- */

static bool is_wanted(const struct fathom_request *request, enum fathom_page page)
{
	for (size_t i = 0; request->pages && i < request->page_count; i++)
		if (request->pages[i] == page)
			return true;
	return !request->pages || request->page_count == 0;
}

/* A kind that was asked for by name must be there; of the others those that are. */
static int find_kinds(const struct fathom_request *request, const struct fathom_machine *machine,
		      struct kinds *kinds, struct fathom_error *error)
{
	uint64_t usual = request->max_size_bytes ? request->max_size_bytes
						 : least(USUAL_LARGEST_BYTES, machine->limit_bytes);
	for (size_t i = 0; i < KIND_COUNT; i++) {
		enum fathom_page page = all_kinds[i];
		uint64_t page_bytes = pages_bytes(machine, page);
		bool named = request->pages && request->page_count;
		if (!is_wanted(request, page))
			continue;
		if (pages_check(machine, page, page_bytes, NULL) == 0)
			kinds->items[kinds->count++] = (struct kind){page, page_bytes, 0, 0};
		else if (named) /* the hint grants what will be of use */
			return pages_check(machine, page, usual, error);
	}
	if (kinds->count == 0)
		return error_set(error, FATHOM_USAGE,
				 "page kinds are 4K, 16K to 1M, thp, 2M and 1G",
				 "no page kind was requested");
	return 0;
}

/* What every kind may have, all at the same time; touching it must leave time to measure. */
static uint64_t share_bytes(const struct fathom_request *request,
			    const struct fathom_machine *machine, const struct kinds *kinds)
{
	double touched_bytes =
		TOUCH_SHARE * request->budget_s / TOUCH_S_PER_BYTE / (double)kinds->count;
	uint64_t share = machine->limit_bytes / kinds->count;
	share -= least(BUFFER_ROOM_BYTES, share / 2); /* to move in */
	if (machine->description || touched_bytes >= (double)share)
		return share;
	return (uint64_t)fmax(touched_bytes, (double)(SMALLEST_BYTES * KIND_COUNT));
}

/* What was asked for is for plan_check to refuse; pools alone cut it short. */
static void find_spans(const struct fathom_request *request, const struct fathom_machine *machine,
		       struct kinds *kinds)
{
	uint64_t share = share_bytes(request, machine, kinds);
	for (size_t i = 0; i < kinds->count; i++) {
		struct kind *kind = &kinds->items[i];
		uint64_t most = page_is_hugetlb(kind->page) ? pages_most_bytes(machine, kind->page)
							    : UINT64_MAX;
		uint64_t spread = USUAL_MOST_PAGES * kind->page_bytes;
		kind->size_bytes = least(least(USUAL_LARGEST_BYTES, share), most);
		kind->spread_bytes = least(
			least(spread > kind->size_bytes ? spread : kind->size_bytes, share), most);
		if (request->max_size_bytes)
			kind->size_bytes = kind->spread_bytes =
				least(request->max_size_bytes, most);
		if (kind->page_bytes > SPEC_LARGEST_NODE_BYTES ||
		    kind->spread_bytes < LEAST_SPREAD_PAGES * kind->page_bytes)
			kind->spread_bytes = 0;
	}
}

/* ---- the curves ---- */

static void add(struct fathom_plan *plan, const struct fathom_spec *spec)
{
	plan->specs[plan->spec_count++] = *spec;
	if (spec->size_bytes > plan->always_bytes)
		plan->always_bytes = spec->size_bytes;
}

/* The sizes that were asked for. */
static void add_asked(const struct fathom_request *request, const struct kind *kind,
		      struct fathom_plan *plan)
{
	struct fathom_spec spec = request->spec;
	spec.page = kind->page;
	for (size_t i = 0; i < request->size_count; i++) {
		spec.size_bytes =
			request->sizes_bytes[i] - request->sizes_bytes[i] % spec.node_bytes;
		if (spec.size_bytes && request->sizes_bytes[i] <= kind->size_bytes)
			add(plan, &spec);
	}
}

/* The sizes of all kinds come from one list, up to `list_bytes`, which a small pool cuts short. */
static void add_same_chain(const struct fathom_request *request, const struct kind *kind,
			   uint64_t list_bytes, struct fathom_plan *plan)
{
	struct fathom_spec spec = request->spec;
	uint64_t bytes = 0, before = 0;
	spec.page = kind->page;
	for (size_t step = 0; bytes < list_bytes; step++) {
		double size = SMALLEST_BYTES * exp2((double)step / request->per_octave);
		bytes = size < (double)list_bytes ? (uint64_t)llround(size) : list_bytes;
		spec.size_bytes = bytes - bytes % spec.node_bytes;
		if (spec.size_bytes > before && bytes <= kind->size_bytes)
			add(plan, &spec);
		before = spec.size_bytes;
	}
}

static double next_pages(double pages)
{
	bool fewer = llround(pages) >= FEWER_FROM_PAGES;
	return pages * exp2(1.0 / (fewer ? FEWER_PER_OCTAVE : PAGES_PER_OCTAVE));
}

static void add_pages(const struct fathom_spec *spec, uint64_t most_pages, struct fathom_plan *plan)
{
	struct fathom_spec next = *spec;
	for (double pages = FEWEST_PAGES; llround(pages) <= (long long)most_pages;
	     pages = next_pages(pages)) {
		next.size_bytes = (uint64_t)llround(pages) * spec->node_bytes;
		add(plan, &next);
	}
}

/* One line in every `node_bytes`, up to so many; 0: no such chain. */
static void add_spread(const struct fathom_request *request, const struct kind *kind,
		       uint64_t node_bytes, uint64_t most_nodes, struct fathom_plan *plan)
{
	struct fathom_spec spec = request->spec;
	spec.page = kind->page;
	spec.axis = FATHOM_AXIS_PAGES;
	spec.pattern = FATHOM_ONE_PER_PAGE;
	spec.node_bytes = node_bytes;
	add_pages(&spec, most_nodes, plan);
}

/* Large pages that a host, or a TLB, may hold in small ones are also visited as if they were such;
 * the same packed lines are for both. */
static void add_pairs(const struct fathom_request *request, const struct fathom_machine *machine,
		      const struct kind *kind, struct fathom_plan *plan)
{
	struct fathom_spec packed = request->spec;
	uint64_t pages = kind->spread_bytes / kind->page_bytes;
	uint64_t pieces = 0;
	if ((machine->hypervisor || page_is_multi_size(kind->page)) &&
	    kind->page_bytes > machine->base_page_bytes)
		pieces = kind->size_bytes / machine->base_page_bytes;
	add_spread(request, kind, kind->page_bytes, pages, plan);
	add_spread(request, kind, machine->base_page_bytes, pieces, plan);
	packed.page = kind->page;
	packed.axis = FATHOM_AXIS_PAGES;
	add_pages(&packed, pages > pieces ? pages : pieces, plan);
}

static size_t most_specs(const struct fathom_request *request, const struct kinds *kinds,
			 uint64_t list_bytes)
{
	double octaves = 2;
	for (size_t i = 0; i < kinds->count; i++)
		octaves += log2(
			1 + (double)(kinds->items[i].spread_bytes + kinds->items[i].size_bytes));
	octaves *= CURVES_A_PAIR * PAGES_PER_OCTAVE;
	octaves += (2 + log2((double)list_bytes)) * request->per_octave * (double)kinds->count;
	return (size_t)octaves + (CURVES_A_KIND + request->size_count) * KIND_COUNT;
}

int pages_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		struct fathom_plan *plan, struct fathom_error *error)
{
	struct kinds kinds = {0};
	plan->placements = request->placements;
	char size[UNITS_TEXT_BYTES];
	uint64_t list_bytes = 0;
	if (find_kinds(request, machine, &kinds, error))
		return -1;
	find_spans(request, machine, &kinds);
	for (size_t i = 0; i < kinds.count; i++)
		if (kinds.items[i].size_bytes > list_bytes)
			list_bytes = kinds.items[i].size_bytes;
	if (list_bytes < SMALLEST_BYTES)
		return error_set(error, FATHOM_USAGE, "see --max-size",
				 "%s is below the smallest size, 4 KiB",
				 units_format_size(list_bytes, size));
	plan->specs = calloc(most_specs(request, &kinds, list_bytes), sizeof(*plan->specs));
	if (!plan->specs)
		return error_no_memory(error);
	bool asked = request->sizes_bytes && request->size_count;
	for (size_t i = 0; i < kinds.count && asked; i++)
		add_asked(request, &kinds.items[i], plan);
	for (size_t i = 0; i < kinds.count && !asked; i++)
		add_same_chain(request, &kinds.items[i], list_bytes, plan);
	for (size_t i = 0; i < (asked ? 1 : kinds.count); i++)
		add_pairs(request, machine, &kinds.items[i], plan);
	return plan->spec_count ? 0
				: error_set(error, FATHOM_UNABLE, "request smaller sizes",
					    "there is not enough memory for the requested sizes");
}

/* ---- what it lacks ---- */

/* The largest of that kind that is no chain of one line a page; 0: the plan has none. */
static uint64_t largest_of(const struct fathom_plan *plan, enum fathom_page page)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].page == page && plan->specs[i].pattern == FATHOM_RANDOM_CYCLE &&
		    plan->specs[i].size_bytes > largest)
			largest = plan->specs[i].size_bytes;
	return largest;
}

static bool is_spread(const struct fathom_plan *plan, enum fathom_page page, uint64_t page_bytes)
{
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].page == page && plan->specs[i].pattern == FATHOM_ONE_PER_PAGE &&
		    plan->specs[i].node_bytes == page_bytes)
			return true;
	return false;
}

static uint64_t longest_chain(const struct fathom_plan *plan)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		uint64_t bytes = largest_of(plan, all_kinds[i]);
		largest = bytes > largest ? bytes : largest;
	}
	return largest;
}

/* Kinds that the machine grants and the plan leaves out were not asked for: nor were the others. */
static bool was_chosen(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	for (size_t i = 0; i < KIND_COUNT; i++)
		if (!largest_of(plan, all_kinds[i]) &&
		    pages_check(machine, all_kinds[i], pages_bytes(machine, all_kinds[i]), NULL) ==
			    0)
			return true;
	return false;
}

static void warn_of_kind(const struct fathom_plan *plan, const struct fathom_machine *machine,
			 enum fathom_page page, struct fathom_warnings *warnings)
{
	struct fathom_error why = {0};
	char size[UNITS_TEXT_BYTES];
	uint64_t largest = largest_of(plan, page);
	bool spreads = pages_bytes(machine, page) <= SPEC_LARGEST_NODE_BYTES;
	uint64_t wanted = spreads ? plan->always_bytes : longest_chain(plan);
	if ((page_is_multi_size(page) && largest == 0) || /* see warn_of_multi_sizes */
	    pages_check(machine, page, wanted, &why) == 0)
		return;
	if (largest == 0)
		warnings_note(warnings, "page-kind-missing", page_name(page), why.hint,
			      "page kind %s is left out: %s", page_name(page), why.text);
	else
		warnings_add(warnings, "page-kind-partial", page_name(page), why.hint,
			     "page kind %s is measured up to %s only: %s", page_name(page),
			     units_format_size(largest, size), why.text);
	fathom_error_clear(&why);
}

/* One warning for all sizes that are off, with the command for the most usual one, or that there
 * are none. */
static void warn_of_multi_sizes(const struct fathom_machine *machine,
				struct fathom_warnings *warnings)
{
	struct fathom_error off = {0};
	struct text names = {0};
	bool any = false;
	for (size_t i = 0; i < KIND_COUNT; i++) {
		enum fathom_page page = all_kinds[i];
		uint64_t page_bytes = pages_bytes(machine, page);
		if (!page_is_multi_size(page) || !pages_has_size(machine, page_bytes))
			continue;
		any = true;
		if (pages_check(machine, page, page_bytes,
				off.text && page != FATHOM_PAGE_64K ? NULL : &off) == 0)
			continue;
		text_add(&names, "%s%s", names.length ? ", " : "", page_name(page));
	}
	if (!any)
		warnings_note(
			warnings, "page-kind-missing", MULTI_SIZE, NULL,
			"page kinds 16k to 1m are left out: this kernel has no multi-size THP");
	else if (names.length)
		warnings_note(warnings, "page-kind-missing", MULTI_SIZE, off.hint,
			      "page kind %s is left out: multi-size THP of %s is off", names.data,
			      strchr(names.data, ',') ? "these sizes" : "this size");
	text_free(&names);
	fathom_error_clear(&off);
}

static void warn_of_spread(const struct fathom_plan *plan, const struct fathom_machine *machine,
			   enum fathom_page page, struct fathom_warnings *warnings)
{
	char size[UNITS_TEXT_BYTES];
	uint64_t page_bytes = pages_bytes(machine, page);
	units_format_size(page_bytes, size);
	if (!largest_of(plan, page) || is_spread(plan, page, page_bytes))
		return;
	if (page_bytes > SPEC_LARGEST_NODE_BYTES)
		warnings_note(
			warnings, "spread-left-out", page_name(page), NULL,
			"TLBs for pages of %s are not measured: nodes can be at most 2 MiB apart",
			size);
	else
		warnings_note(warnings, "spread-left-out", page_name(page),
			      "allow more memory: --max-size; 'fathom info' says what limits it",
			      "TLBs for pages of %s are not measured: at least %d pages are needed",
			      size, LEAST_SPREAD_PAGES);
}

void pages_warn(const struct fathom_plan *plan, const struct fathom_machine *machine,
		struct fathom_warnings *warnings)
{
	bool chosen = was_chosen(plan, machine);
	for (size_t i = 0; i < KIND_COUNT; i++) {
		if (!chosen || largest_of(plan, all_kinds[i]))
			warn_of_kind(plan, machine, all_kinds[i], warnings);
		warn_of_spread(plan, machine, all_kinds[i], warnings);
	}
	if (!chosen)
		warn_of_multi_sizes(machine, warnings);
}
