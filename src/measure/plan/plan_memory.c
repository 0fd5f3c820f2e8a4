#include "measure/plan/plan_memory.h"

#include "base/names.h"
#include "base/patterns.h"
#include "base/plan.h"
#include "machine/machine.h"
#include "machine/pages.h"
#include "measure/memory/buffer.h"
#include "measure/memory/slice.h"
#include "measure/meters/siblings.h"
#include "measure/plan/plan.h"
#include "measure/sampling/line_size.h"
#include "measure/spec.h"

#define TIMES_OWN_CACHE  4            /* of each thread, in the caches of its core */
#define LEAST_PART_BYTES (4ull << 20) /* of its traffic */

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint64_t plan_largest_bytes(const struct fathom_plan *plan)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (spec_memory_bytes(&plan->specs[i]) > largest)
			largest = spec_memory_bytes(&plan->specs[i]);
	return largest;
}

bool plan_is_shared(const struct fathom_machine *machine, const struct fathom_cache *cache)
{
	return cache->shared_cpus > (machine->smt_threads ? machine->smt_threads : 1);
}

uint64_t plan_private_bytes(const struct fathom_machine *machine)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		if (cache->kind != FATHOM_CACHE_INSTRUCTION && !plan_is_shared(machine, cache) &&
		    cache->size_bytes > largest)
			largest = cache->size_bytes;
	}
	return largest;
}

/* Sizes that are still to be found are no larger than those always measured; several threads share
 * them, but for what each has in a cache of its own. */
static uint64_t span_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine,
			   const struct fathom_spec *spec)
{
	uint64_t own_bytes = plan_private_bytes(machine);
	if (spec->size_bytes)
		return spec_memory_bytes(spec);
	uint64_t bytes = plan->always_bytes / (spec->threads ? spec->threads : 1);
	return spec->threads > 1 && own_bytes > bytes ? own_bytes : bytes;
}

/* The largest span on pages of that kind of a chain, or of the thread of that number, from 0, of a
 * stream; 0: there is none. */
static uint64_t largest_span(const struct fathom_plan *plan, const struct fathom_machine *machine,
			     enum fathom_page page, bool stream, uint32_t thread)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		uint64_t bytes = span_bytes(plan, machine, spec);
		if (spec->page == page && pattern_streams(spec->pattern) == stream &&
		    (!stream || spec->threads > thread) && bytes > largest)
			largest = bytes;
	}
	return largest;
}

/* What streams go through: of each kind of page a part for each thread. All of what is mapped for
 * it is touched. */
static uint64_t stream_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine,
			     uint64_t *mapped_bytes)
{
	uint64_t sum = 0, bytes;
	*mapped_bytes = 0;
	for (int page = 0; page_name(page); page++)
		for (uint32_t thread = 0;
		     (bytes = largest_span(plan, machine, (enum fathom_page)page, true, thread));
		     thread++) {
			sum += bytes;
			*mapped_bytes += slice_capacity(machine, (enum fathom_page)page, bytes);
		}
	return sum;
}

uint64_t plan_traffic_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	uint64_t own_bytes = TIMES_OWN_CACHE * plan_private_bytes(machine);
	uint64_t makers = plan_cpu_count(plan) > 1 ? plan_cpu_count(plan) - 1 : 1;
	uint64_t bytes = plan_largest_bytes(plan) / makers;
	bytes = bytes > own_bytes ? bytes : own_bytes;
	return (bytes + LEAST_PART_BYTES - 1) / LEAST_PART_BYTES * LEAST_PART_BYTES;
}

/* Of all CPUs of a plan of FATHOM_LOADED. */
static uint64_t traffic_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	if (plan->experiment != FATHOM_LOADED)
		return 0;
	uint64_t bytes = plan_traffic_bytes(plan, machine);
	bool large = pages_check(machine, FATHOM_PAGE_THP, bytes, NULL) == 0;
	return plan_cpu_count(plan) *
	       slice_capacity(machine, large ? FATHOM_PAGE_THP : FATHOM_PAGE_DEFAULT, bytes);
}

/* What is mapped anew lies beside the memory that is kept. */
static uint64_t renewed_bytes(const struct fathom_plan *plan)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (plan->specs[i].warmth == FATHOM_COLD_MAPPED &&
		    spec_memory_bytes(&plan->specs[i]) > largest)
			largest = spec_memory_bytes(&plan->specs[i]);
	return largest;
}

/* Where the core's other threads stream: on the CPU where they take most. */
static uint64_t sibling_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	uint64_t most = 0;
	bool streams = false;
	for (size_t i = 0; i < plan_sibling_count(plan); i++)
		streams |= plan_sibling_at(plan, i) == FATHOM_SIBLING_STREAMS;
	for (size_t i = 0; streams && plan_cpu_at(plan, i) >= 0; i++) {
		uint64_t bytes = siblings_streamed_bytes(machine, plan_cpu_at(plan, i),
							 machine_largest_cache_bytes(machine));
		most = bytes > most ? bytes : most;
	}
	return most;
}

/* On pages of the first spec the line is measured. */
static uint64_t line_bytes(const struct fathom_plan *plan, enum fathom_page page)
{
	return plan->spec_count && plan->specs[0].page == page ? LINE_SPAN_BYTES : 0;
}

/* Each kind of page has memory of its own, which is kept: whole pages of the largest span. Returns
 * how many kinds there are. */
static unsigned find_spans(const struct fathom_plan *plan, const struct fathom_machine *machine,
			   struct plan_memory *memory)
{
	unsigned kinds = 0;
	for (int page = 0; page < FATHOM_PAGE_UNKNOWN; page++) {
		uint64_t bytes = largest_span(plan, machine, (enum fathom_page)page, false, 0);
		uint64_t unit = pages_bytes(machine, (enum fathom_page)page);
		uint64_t line = line_bytes(plan, (enum fathom_page)page);
		bytes = bytes > line ? bytes : line;
		if (unit)
			bytes = (bytes + unit - 1) / unit * unit;
		memory->chains_bytes[page] = bytes;
		memory->needed_bytes += bytes;
		kinds += bytes > 0;
	}
	return kinds;
}

/* A pool may have no room; the line's chains alone need little. */
static void share_room(const struct fathom_plan *plan, const struct fathom_machine *machine,
		       unsigned kinds, struct plan_memory *memory)
{
	uint64_t limit = machine->limit_bytes, needed = memory->needed_bytes;
	uint64_t room = kinds && limit > needed ? (limit - needed) / kinds : 0;
	room = least(room, BUFFER_ROOM_BYTES);
	for (int page = 0; page < FATHOM_PAGE_UNKNOWN; page++) {
		uint64_t *bytes = &memory->chains_bytes[page];
		uint64_t unit = pages_bytes(machine, (enum fathom_page)page);
		uint64_t most = pages_most_bytes(machine, (enum fathom_page)page);
		uint64_t own = room;
		if (*bytes == 0 || *bytes >= most)
			continue;
		if (largest_span(plan, machine, (enum fathom_page)page, false, 0) == 0 &&
		    own > *bytes)
			own = *bytes;
		own = least(unit ? own - own % unit : own, most - *bytes);
		*bytes += own;
		memory->mapped_bytes += plan_part_count(plan) * own;
	}
}

struct plan_memory plan_memory(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	struct plan_memory memory = {0};
	memory.streamed_bytes = stream_bytes(plan, machine, &memory.needed_bytes);
	memory.sibling_bytes = sibling_bytes(plan, machine);
	memory.needed_bytes +=
		renewed_bytes(plan) + traffic_bytes(plan, machine) + memory.sibling_bytes;
	unsigned kinds = find_spans(plan, machine, &memory);
	/* What is measured in turns has each its memory. */
	uint64_t parts = plan_part_count(plan),
		 once_bytes = traffic_bytes(plan, machine) + memory.sibling_bytes;
	memory.needed_bytes += (parts - 1) * (memory.needed_bytes - once_bytes);
	memory.streamed_bytes *= parts;
	memory.mapped_bytes = memory.needed_bytes;
	if (plan_cpu_count(plan))
		memory.at_once_bytes = traffic_bytes(plan, machine) / plan_cpu_count(plan) *
				       (plan_cpu_count(plan) - 1);
	share_room(plan, machine, kinds * (unsigned)parts, &memory);
	return memory;
}
