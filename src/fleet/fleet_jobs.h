/* Several threads that work through a list: beside the team of a measurement the only threads. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "fathom.h"

struct fleet_jobs {
	size_t count;                             /* pieces of work, from 0 on */
	int (*work)(void *context, size_t piece); /* on any thread; not 0: nothing more is begun */
	bool (*stop)(void *context);              /* on the calling thread, now and then */
	void *context;
	uint32_t threads; /* 0: one a CPU */
};

/* Every piece is done when 0 is returned. Not 0: what a piece returned, or 1 after `stop`. A thread
 * that cannot be had is done without. */
int fleet_jobs_run(const struct fleet_jobs *jobs);
