#include "measure/plan_memory.h"

#include "base/names.h"
#include "measure/buffer.h"
#include "measure/part.h"
#include "measure/spec.h"

uint64_t plan_largest_bytes(const struct fathom_plan *plan)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++)
		if (spec_memory_bytes(&plan->specs[i]) > largest)
			largest = spec_memory_bytes(&plan->specs[i]);
	return largest;
}

/* Sizes that are still to be found are no larger than those always measured. */
static uint64_t span_bytes(const struct fathom_plan *plan, const struct fathom_spec *spec)
{
	return spec->size_bytes ? spec_memory_bytes(spec) : plan->always_bytes;
}

/* The largest span of a chain that needs pages of that kind; 0: none does. */
static uint64_t largest_of_kind(const struct fathom_plan *plan, enum fathom_page page)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		uint64_t bytes = span_bytes(plan, spec);
		if (spec->page == page && !fathom_pattern_streams(spec->pattern) && bytes > largest)
			largest = bytes;
	}
	return largest;
}

/* Of the thread of that number, from 0. */
static uint64_t part_bytes(const struct fathom_plan *plan, enum fathom_page page, uint32_t thread)
{
	uint64_t largest = 0;
	for (size_t i = 0; i < plan->spec_count; i++) {
		const struct fathom_spec *spec = &plan->specs[i];
		if (spec->page == page && fathom_pattern_streams(spec->pattern) &&
		    spec->threads > thread && span_bytes(plan, spec) > largest)
			largest = span_bytes(plan, spec);
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
		     (bytes = part_bytes(plan, (enum fathom_page)page, thread)); thread++) {
			sum += bytes;
			*mapped_bytes += part_capacity(machine, (enum fathom_page)page, bytes);
		}
	return sum;
}

/* Each kind of page has memory of its own, which is kept, and so has each thread: the spans, and
 * what is mapped for them to have room to move. */
static uint64_t kept_bytes(const struct fathom_plan *plan, const struct fathom_machine *machine,
			   uint64_t *mapped_bytes)
{
	uint64_t bytes;
	stream_bytes(plan, machine, mapped_bytes);
	bytes = *mapped_bytes;
	for (int page = 0; page_name(page); page++) {
		uint64_t largest = largest_of_kind(plan, (enum fathom_page)page);
		bytes += largest;
		*mapped_bytes += largest ? buffer_capacity(machine, largest) : 0;
	}
	return bytes;
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

struct plan_memory plan_memory(const struct fathom_plan *plan, const struct fathom_machine *machine)
{
	struct plan_memory memory;
	uint64_t renewed = renewed_bytes(plan);
	memory.streamed_bytes = stream_bytes(plan, machine, &memory.mapped_bytes);
	memory.needed_bytes = kept_bytes(plan, machine, &memory.mapped_bytes) + renewed;
	memory.mapped_bytes += renewed;
	return memory;
}
