/* Threads of a team that go for words again and again. */
#pragma once

#include "measure/crew.h"
#include "measure/memory/buffer.h"
#include "measure/sampling/team.h"

struct contender {
	struct hardware_contenders *all;
	uint32_t number;
	int cpu;
	_Atomic uint64_t *word;
	uint64_t made, grown;
	double ns;
	bool away;
};

struct hardware_contenders {
	const struct fathom_machine *machine;
	struct team *team; /* whose first members are seated */
	struct buffer buffer;
	struct contender *members; /* as many as the team can have */
	void **own;
	uint32_t most;
	const struct crew_contention *what;
};

/* Start from {0} with machine, team and `most`. As crew_ops->contend; *steady: nobody was away from
 * its CPU. */
int hardware_contenders_run(struct hardware_contenders *all, const int *cpus, uint32_t count,
			    const struct crew_contention *what, double *op_ns, bool *steady,
			    struct fathom_error *error);
void hardware_contenders_close(struct hardware_contenders *all);
