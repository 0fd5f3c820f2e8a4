/* Single accesses: along a chain inside each cache that the OS reports, one past them, one whose
 * lines are flushed, and first ones to pages; and controls, which tell modes of memory. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/quoted.h"
#include "base/units.h"
#include "base/warnings.h"
#include "kernels/flush.h"
#include "machine/machine.h"
#include "machine/pages.h"
#include "measure/experiments/experiments.h"
#include "measure/experiments/specs.h"
#include "measure/spec.h"

#define LEAST_MEMORY_BYTES (64ull << 20)
#define TIMES_CACHE        4 /* the last one: little of that is still in it */
#define USUAL_ACCESSES     1000000
#define ACCESSES_OVER      4000000 /* spread over a time */
#define MOST_SIZES         8
#define MOST_SERIES        6 /* of the sizes, or of one of its own */
/* More than a row of each bank, as far as servers have these: 12 channels x 2 x 64 banks x 8 KiB
 * are 12 MiB. Of large pages it takes 16, which most first TLBs hold. */
#define ROWS_BYTES    (32ull << 20)
#define WINDOW_BYTES  4096 /* lies in few rows */
#define CONTROLS_S    5.0  /* of the budget, at least: with them it takes half of that */
#define CONTROL_SHARE 4    /* of the memory: at most one in so many */

static bool can_flush(const struct fathom_machine *machine)
{
	return machine->description || flush_instruction();
}

static bool is_data(const struct fathom_machine *machine, const struct fathom_cache *cache)
{
	return cache->kind != FATHOM_CACHE_INSTRUCTION && cache->size_bytes &&
	       quoted_is_credible(machine, cache);
}

/* Half of each cache, and past all of them; over a given time that alone. They ascend. */
static size_t list_sizes(const struct fathom_request *request, const struct fathom_machine *machine,
			 int cpu, uint64_t sizes[MOST_SIZES])
{
	struct cpu_caches caches = cpu_caches_of(machine, cpu);
	uint64_t last = 0;
	size_t count = 0;
	for (size_t i = 0; i < caches.count && count + 1 < MOST_SIZES; i++) {
		const struct fathom_cache *cache = &caches.items[i];
		if (!is_data(machine, cache) || cache->size_bytes <= last)
			continue;
		last = cache->size_bytes;
		sizes[count++] = last / 2;
	}
	uint64_t memory = TIMES_CACHE * last;
	memory = specs_usual_bytes(machine,
				   memory > LEAST_MEMORY_BYTES ? memory : LEAST_MEMORY_BYTES);
	if (request->max_size_bytes && request->max_size_bytes < memory)
		memory = request->max_size_bytes;
	if (request->over_s > 0)
		count = 0;
	while (count && sizes[count - 1] >= memory)
		count--;
	sizes[count++] = memory;
	return count;
}

/* One base page: lines of few banks, whose refresh is then one. */
static void add_flushed(const struct fathom_request *request, const struct fathom_machine *machine,
			struct fathom_plan *plan, struct fathom_spec spec)
{
	spec.warmth = FATHOM_COLD_FLUSHED;
	if (request->size_count)
		specs_add(plan, request, &spec, 0);
	else if (can_flush(machine) && !(request->over_s > 0))
		specs_add(plan, request, &spec, machine->base_page_bytes);
}

/* ---- controls ---- */

static bool is_large(const struct fathom_machine *machine, enum fathom_page page)
{
	bool always = machine->thp_state && strcmp(machine->thp_state, "always") == 0;
	return pages_bytes(machine, page) > machine->base_page_bytes ||
	       (page == FATHOM_PAGE_DEFAULT && always);
}

/* FATHOM_PAGE_UNKNOWN: none can be had. */
static enum fathom_page find_large(const struct fathom_machine *machine, enum fathom_page asked,
				   uint64_t bytes)
{
	const enum fathom_page kinds[] = {asked, FATHOM_PAGE_THP, FATHOM_PAGE_2M};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (is_large(machine, kinds[i]) && pages_check(machine, kinds[i], bytes, NULL) == 0)
			return kinds[i];
	return FATHOM_PAGE_UNKNOWN;
}

/* Memory on large pages, if it is not on such; flushed lines in random order, and the same page
 * after page, where few of them open a row. */
static void add_controls(const struct fathom_request *request, const struct fathom_machine *machine,
			 struct fathom_plan *plan, struct fathom_spec spec, uint64_t memory_bytes)
{
	bool alone = request->size_count || request->over_s > 0;
	uint64_t rows_bytes = memory_bytes < ROWS_BYTES ? memory_bytes : ROWS_BYTES;
	uint64_t bytes = memory_bytes + 2 * rows_bytes;
	bool large = is_large(machine, spec.page);
	spec.page = find_large(machine, spec.page, bytes);
	bool hurried = request->budget_s < CONTROLS_S;
	if (alone || hurried || !can_flush(machine) || spec.page == FATHOM_PAGE_UNKNOWN ||
	    bytes > machine->limit_bytes / CONTROL_SHARE)
		return;
	if (!large)
		specs_add(plan, request, &spec, memory_bytes);
	spec.warmth = FATHOM_COLD_FLUSHED;
	specs_add(plan, request, &spec, rows_bytes);
	spec.pattern = FATHOM_WINDOW;
	spec.window_bytes = WINDOW_BYTES;
	specs_add(plan, request, &spec, rows_bytes);
}

/* One access a page: the kernel gives it then. */
static void add_untouched(const struct fathom_request *request,
			  const struct fathom_machine *machine, struct fathom_plan *plan,
			  struct fathom_spec spec)
{
	spec.warmth = FATHOM_UNTOUCHED;
	spec.node_bytes = machine->base_page_bytes;
	specs_add(plan, request, &spec,
		  request->size_count ? 0 : specs_usual_bytes(machine, LEAST_MEMORY_BYTES));
}

/* Of the sizes that were asked for. */
static int check_pages(const struct fathom_request *request, const struct fathom_machine *machine,
		       struct fathom_error *error)
{
	char size[UNITS_TEXT_BYTES], page[UNITS_TEXT_BYTES];
	for (size_t i = 0; request->untouched && i < request->size_count; i++)
		if (request->sizes_bytes[i] < machine->base_page_bytes)
			return error_set(error, FATHOM_USAGE, "use larger ones with --size",
					 "%s has no page of %s to touch for the first time",
					 units_format_size(request->sizes_bytes[i], size),
					 units_format_size(machine->base_page_bytes, page));
	return 0;
}

int distribution_specs(const struct fathom_request *request, const struct fathom_machine *machine,
		       struct fathom_plan *plan, struct fathom_error *error)
{
	uint64_t sizes[MOST_SIZES];
	size_t count = list_sizes(request, machine, plan->cpu, sizes);
	struct fathom_spec spec = request->spec;
	struct fathom_request asked = *request;
	uint64_t accesses = request->over_s > 0 ? ACCESSES_OVER : USUAL_ACCESSES;
	if (request->cold_flushed && request->size_count && !can_flush(machine))
		return error_set(error, FATHOM_UNABLE, "leave out '--cold'",
				 "this CPU has no user-mode flush instruction");
	if (!request->size_count) {
		asked.sizes_bytes = sizes;
		asked.size_count = count;
	}
	if (check_pages(request, machine, error) || specs_open(plan, &asked, MOST_SERIES, 0, error))
		return -1;
	spec.pattern = FATHOM_RANDOM_CYCLE;
	spec.axis = FATHOM_AXIS_SIZE;
	specs_add(plan, &asked, &spec, 0);
	if (request->cold_flushed)
		add_flushed(request, machine, plan, spec);
	if (request->cold_flushed && request->control)
		add_controls(request, machine, plan, spec, sizes[count - 1]);
	if (request->untouched)
		add_untouched(request, machine, plan, spec);
	plan->steps = request->steps ? request->steps : accesses;
	plan->over_s = request->over_s;
	plan->budget_s = request->budget_s + request->over_s;
	plan->asked = true; /* all of them are wanted */
	return 0;
}
