#include "measure/meters/hardware_contenders.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "kernels/contend.h"
#include "machine/pinning.h"

#define BATCH         64   /* operations between two looks at the clock, 20 ns */
#define SPACING_BYTES 1024 /* of lines that nothing shall fetch together */
#define LINE_BYTES    64   /* where the OS reports none */
#define WARM_SHARE    0.1  /* of the time, that is not counted */

static contend_loop *loop_of(const struct contender *member)
{
	switch (member->all->what->operation) {
	case FATHOM_OPERATION_SWAP:
		return contend_swap;
	case FATHOM_OPERATION_EXCHANGE:
		return contend_exchange;
	case FATHOM_OPERATION_READ:
		return member->number ? contend_read : contend_add;
	default:
		return contend_add;
	}
}

static void contend(void *own)
{
	struct contender *member = own;
	contend_loop *loop = loop_of(member);
	uint64_t begin_ns = stopwatch_now_ns(), now_ns = begin_ns;
	uint64_t warm_ns = begin_ns + (uint64_t)(WARM_SHARE * member->all->what->ns);
	uint64_t end_ns = begin_ns + (uint64_t)member->all->what->ns;
	member->grown = member->made = 0;
	for (; now_ns < warm_ns; now_ns = stopwatch_now_ns())
		member->grown += loop(member->word, BATCH);
	uint64_t start_ns = now_ns;
	for (; now_ns < end_ns; now_ns = stopwatch_now_ns()) {
		member->grown += loop(member->word, BATCH);
		member->made += BATCH;
	}
	member->ns = (double)(now_ns - start_ns);
	member->away = pinning_current_cpu() != member->cpu;
}

static uint64_t offset_of(const struct hardware_contenders *all, enum fathom_layout layout,
			  uint32_t member)
{
	uint64_t line_bytes = LINE_BYTES;
	for (size_t i = 0; i < all->machine->cache_count; i++)
		if (all->machine->caches[i].line_bytes)
			line_bytes = all->machine->caches[i].line_bytes;
	switch (layout) {
	case FATHOM_LAYOUT_OWN_LINES:
		return (uint64_t)member * SPACING_BYTES;
	case FATHOM_LAYOUT_LINE_PAIR:
		return member * line_bytes;
	case FATHOM_LAYOUT_OWN_WORDS:
		return (uint64_t)member / CREW_LINE_WORDS * SPACING_BYTES +
		       member % CREW_LINE_WORDS * sizeof(uint64_t);
	default:
		return 0;
	}
}

static int open_memory(struct hardware_contenders *all, int cpu, struct fathom_error *error)
{
	if (all->buffer.memory)
		return 0;
	all->members = calloc(all->most, sizeof(*all->members));
	all->own = calloc(all->most, sizeof(*all->own));
	if (!all->members || !all->own)
		return error_no_memory(error);
	for (uint32_t i = 0; i < all->most; i++)
		all->own[i] = &all->members[i];
	uint64_t bytes = (uint64_t)all->most * SPACING_BYTES;
	const struct pinning_place place = {.cpu = cpu, .node = -1};
	if (buffer_open(&all->buffer, all->machine, FATHOM_PAGE_DEFAULT, bytes, place, error) ||
	    buffer_populate(&all->buffer, bytes, error))
		return -1;
	return 0;
}

/* What all words grew by is what all have added. */
static bool is_proven(const struct hardware_contenders *all, uint32_t count)
{
	uint64_t added = 0, found = 0;
	for (uint32_t i = 0; i < count; i++) {
		const struct contender *member = &all->members[i];
		bool counted = i && member->word == all->members[i - 1].word;
		added += member->grown;
		found += counted ? 0 : atomic_load(member->word);
	}
	return all->what->operation == FATHOM_OPERATION_EXCHANGE || added == found;
}

int hardware_contenders_run(struct hardware_contenders *all, const int *cpus, uint32_t count,
			    const struct crew_contention *what, double *op_ns, bool *steady,
			    struct fathom_error *error)
{
	static const struct team_task task = {.work = contend};
	if (open_memory(all, cpus[0], error))
		return -1;
	all->what = what;
	*steady = true;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t offset = offset_of(all, what->layout, i);
		all->members[i] = (struct contender){
			.all = all,
			.number = i,
			.cpu = cpus[i],
			.word = (_Atomic uint64_t *)(all->buffer.memory + offset),
		};
		atomic_store(all->members[i].word, 0);
	}
	team_run(all->team, count, &task, all->own);
	for (uint32_t i = 0; i < count; i++) {
		const struct contender *member = &all->members[i];
		op_ns[i] = member->made ? member->ns / (double)member->made : NAN;
		*steady &= !member->away;
	}
	if (!is_proven(all, count))
		return error_set(error, FATHOM_FAILED, NULL,
				 "threads that added to words left another sum than they added");
	return 0;
}

void hardware_contenders_close(struct hardware_contenders *all)
{
	buffer_close(&all->buffer);
	free(all->members);
	free(all->own);
}
