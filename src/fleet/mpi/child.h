/* fathom in a process of its own, which can be ended whatever it does. */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "fleet/mpi/job.h"

/* Start from {0}. */
struct child {
	pid_t pid;            /* 0: it has ended */
	int document, reason; /* files without a name, of its two outputs */
	uint64_t begun_ns;
	bool ended_by_us;
};

/* Errors are an answer, too. */
void child_start(struct child *child, const struct job *job);
/* Has it ended? Then `answer` (from {0}) is what is to be sent: JOB_DOCUMENT or JOB_REASON and what
 * follows. One that outlives its deadline is ended; `hurry`: at once. */
bool child_poll(struct child *child, const struct job *job, bool hurry, struct text *answer);
