#include "measure/meters/simulated_contenders.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "simulate/event_queue.h"

#define WARM_SHARE 0.1 /* of the time, that is not counted */

struct contenders {
	const struct simulated_coherence *coherence;
	const struct crew_contention *what;
	const unsigned *cpus;
	uint32_t count;
	struct simulated_line *lines; /* as many as there are members */
	double *now_ns, *start_ns;
	uint64_t *made;
};

static uint32_t line_of(const struct contenders *all, uint32_t member)
{
	switch (all->what->layout) {
	case FATHOM_LAYOUT_OWN_LINES:
	case FATHOM_LAYOUT_LINE_PAIR:
		return member;
	case FATHOM_LAYOUT_OWN_WORDS:
		return member / CREW_LINE_WORDS;
	default:
		return 0;
	}
}

static double access_line(struct contenders *all, uint32_t member, uint32_t line,
			  enum simulated_access access, double now_ns)
{
	return simulated_coherence_access(all->coherence, &all->lines[line], all->cpus[member],
					  access, now_ns);
}

/* A prefetcher of the other line of a pair comes with each request that leaves the core, and nobody
 * waits for it. */
static double go_once(struct contenders *all, uint32_t member)
{
	uint32_t line = line_of(all, member);
	bool reads = all->what->operation == FATHOM_OPERATION_READ && member > 0;
	double now_ns = all->now_ns[member];
	double asked_ns = all->lines[line].free_ns;
	double done_ns =
		access_line(all, member, line, reads ? SIMULATED_LOAD : SIMULATED_ATOMIC, now_ns);
	bool left = all->lines[line].free_ns > asked_ns;
	if (left && all->what->layout == FATHOM_LAYOUT_LINE_PAIR &&
	    all->coherence->spec->adjacent_prefetch)
		access_line(all, member, line ^ 1, SIMULATED_LOAD, now_ns);
	return done_ns;
}

/* Whose turn it is: the earliest. */
static void run(struct contenders *all, double now_ns)
{
	double warm_ns = now_ns + WARM_SHARE * all->what->ns, end_ns = now_ns + all->what->ns;
	struct event_queue queue = {0};
	unsigned who;
	for (uint32_t i = 0; i < all->count; i++)
		event_queue_put(&queue, all->now_ns[i], i);
	while (event_queue_take(&queue, &who) && all->now_ns[who] < end_ns) {
		bool counts = all->now_ns[who] >= warm_ns;
		if (counts && !all->made[who])
			all->start_ns[who] = all->now_ns[who];
		all->now_ns[who] = go_once(all, who);
		all->made[who] += counts;
		event_queue_put(&queue, all->now_ns[who], who);
	}
}

int simulated_contenders_run(const struct simulated_coherence *coherence, const unsigned *cpus,
			     uint32_t count, const struct crew_contention *what, uint64_t key,
			     double now_ns, double *op_ns, struct fathom_error *error)
{
	struct rng rng = rng_make(key);
	struct contenders all = {coherence,
				 what,
				 cpus,
				 count,
				 calloc(count + 1, sizeof(*all.lines)),
				 calloc(count, sizeof(double)),
				 calloc(count, sizeof(double)),
				 calloc(count, sizeof(uint64_t))};
	bool made = all.lines && all.now_ns && all.start_ns && all.made;
	if (made) {
		for (uint32_t i = 0; i <= count; i++)
			all.lines[i] = simulated_coherence_line(coherence, cpus[0], &rng);
		for (uint32_t i = 0; i < count; i++)
			all.now_ns[i] = now_ns + rng_unit(&rng);
		run(&all, now_ns);
		for (uint32_t i = 0; i < count; i++)
			op_ns[i] = all.made[i]
					   ? (all.now_ns[i] - all.start_ns[i]) / (double)all.made[i]
					   : NAN;
	}
	free(all.lines);
	free(all.now_ns);
	free(all.start_ns);
	free(all.made);
	return made ? 0 : error_no_memory(error);
}
