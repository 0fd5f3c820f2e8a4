#include "fleet/fleet_jobs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define MOST_THREADS 256

struct run {
	const struct fleet_jobs *jobs;
	atomic_size_t next;
	atomic_int outcome;
};

/* True: something was done. */
static bool do_next(struct run *run)
{
	if (atomic_load(&run->outcome))
		return false;
	size_t piece = atomic_fetch_add(&run->next, 1);
	if (piece >= run->jobs->count)
		return false;
	int outcome = run->jobs->work(run->jobs->context, piece);
	if (outcome)
		atomic_store(&run->outcome, outcome);
	return !outcome;
}

static void *help(void *run)
{
	while (do_next(run)) {
	}
	return NULL;
}

static uint32_t threads_of(const struct fleet_jobs *jobs)
{
	long cpus = jobs->threads ? (long)jobs->threads : sysconf(_SC_NPROCESSORS_ONLN);
	cpus = cpus < 1 ? 1 : cpus > MOST_THREADS ? MOST_THREADS : cpus;
	return (size_t)cpus > jobs->count ? (uint32_t)(jobs->count ? jobs->count : 1)
					  : (uint32_t)cpus;
}

int fleet_jobs_run(const struct fleet_jobs *jobs)
{
	struct run run = {.jobs = jobs};
	pthread_t helpers[MOST_THREADS];
	uint32_t started = 0, wanted = threads_of(jobs) - 1;
	while (started < wanted && pthread_create(&helpers[started], NULL, help, &run) == 0)
		started++;
	while (do_next(&run))
		if (jobs->stop(jobs->context))
			atomic_store(&run.outcome, 1);
	for (uint32_t i = 0; i < started; i++)
		pthread_join(helpers[i], NULL);
	return atomic_load(&run.outcome);
}
