#include "measure/sampling/team.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/stopwatch.h"
#include "kernels/relax.h"
#include "machine/pinning.h"

/* Between the runs of a batch nobody falls asleep: waking takes long, and counts as waiting. */
#define AWAKE_NS 2000000
/* Then whoever waits for others lets them have the CPU, in case that they have none. */
#define PATIENT_TURNS 10000
#define TURNS_A_LOOK  64  /* at the clock */
#define LINE_BYTES    128 /* two lines: some prefetchers fetch pairs */

struct member {
	_Alignas(LINE_BYTES) struct team *team;
	uint32_t number;
	int cpu;
	bool runs; /* a thread: never of member 0 */
	bool pinned;
	struct fathom_error refused; /* why it is not */
	pthread_t thread;
	struct interference_counters *counters; /* NULL: out of memory */
	struct interference interference;
	void *own;
	uint64_t start_ns, end_ns;
	pthread_mutex_t mutex;
	pthread_cond_t called;
	_Alignas(LINE_BYTES) atomic_uint call; /* counts: there is something to do */
};

struct team {
	const struct fathom_machine *machine;
	uint32_t capacity, started;
	struct member *members;
	void **selves; /* the members, as what is their own */
	/* Of the run that is under way. */
	const struct team_task *task;
	uint32_t active;
	bool closing;
	_Alignas(LINE_BYTES) atomic_uint waiting;
	_Alignas(LINE_BYTES) atomic_uint busy;
};

static void take_turn(unsigned *turns)
{
	if (++*turns < PATIENT_TURNS)
		kernel_relax();
	else
		sched_yield();
}

/* The last one to come opens the gate. */
static void meet(struct team *team)
{
	unsigned turns = 0;
	atomic_fetch_add(&team->waiting, 1);
	while (atomic_load(&team->waiting) < team->active)
		take_turn(&turns);
}

static void carry_out(struct member *member)
{
	const struct team_task *task = member->team->task;
	if (task->before)
		task->before(member->own);
	if (task->work) {
		meet(member->team);
		member->start_ns = stopwatch_now_ns();
		task->work(member->own);
		member->end_ns = stopwatch_now_ns();
	}
	if (task->after)
		task->after(member->own);
}

/* ---- threads ---- */

/* Polls for a while, then sleeps. */
static void wait_for_call(struct member *member, unsigned seen)
{
	uint64_t start_ns = stopwatch_now_ns();
	while (stopwatch_now_ns() - start_ns < AWAKE_NS)
		for (int i = 0; i < TURNS_A_LOOK; i++) {
			if (atomic_load(&member->call) != seen)
				return;
			kernel_relax();
		}
	pthread_mutex_lock(&member->mutex);
	while (atomic_load(&member->call) == seen)
		pthread_cond_wait(&member->called, &member->mutex);
	pthread_mutex_unlock(&member->mutex);
}

static void call(struct member *member)
{
	pthread_mutex_lock(&member->mutex);
	atomic_fetch_add(&member->call, 1);
	pthread_cond_signal(&member->called);
	pthread_mutex_unlock(&member->mutex);
}

static void bind(void *own)
{
	struct member *member = own;
	fathom_error_clear(&member->refused);
	member->pinned = !pinning_bind(member->team->machine, member->cpu, &member->refused);
}

static void prepare_thread(struct member *member)
{
	if (member->cpu >= 0)
		bind(member);
	member->counters = interference_open(member->cpu);
}

static void *live(void *context)
{
	struct member *member = context;
	struct team *team = member->team;
	unsigned seen = 0;
	prepare_thread(member);
	atomic_fetch_sub(&team->busy, 1);
	for (;; seen++) {
		wait_for_call(member, seen);
		if (team->closing)
			return NULL;
		carry_out(member);
		atomic_fetch_sub(&team->busy, 1);
	}
}

static void wait_until_idle(struct team *team)
{
	unsigned turns = 0;
	while (atomic_load(&team->busy))
		take_turn(&turns);
}

/* Signals are for the thread that called us. A thread that had not the memory it needs stays idle.
 */
static int start(struct member *member, struct fathom_error *error)
{
	sigset_t all, before;
	if (member->runs)
		return error_no_memory(error);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	atomic_store(&member->team->busy, 1);
	int code = pthread_create(&member->thread, NULL, live, member);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (code)
		return error_set(error, FATHOM_FAILED, "request fewer with --threads",
				 "cannot start thread %u: %s", member->number + 1, strerror(code));
	member->runs = true;
	wait_until_idle(member->team);
	return member->counters ? 0 : error_no_memory(error);
}

/* ---- the team ---- */

int team_open(const struct fathom_machine *machine, const int *cpus, uint32_t count,
	      struct team **team, struct fathom_error *error)
{
	struct team *opened = aligned_alloc(LINE_BYTES, sizeof(*opened));
	struct member *members = aligned_alloc(LINE_BYTES, count * sizeof(*members));
	void **selves = calloc(count, sizeof(*selves));
	struct interference_counters *counters = interference_open(cpus ? cpus[0] : -1);
	if (!opened || !members || !selves || !counters) {
		free(opened);
		free(members);
		free(selves);
		interference_close(counters);
		return error_no_memory(error);
	}
	*opened = (struct team){.machine = machine,
				.capacity = count,
				.started = 1,
				.members = members,
				.selves = selves};
	for (uint32_t i = 0; i < count; i++) {
		members[i] =
			(struct member){.team = opened, .number = i, .cpu = cpus ? cpus[i] : -1};
		pthread_mutex_init(&members[i].mutex, NULL);
		pthread_cond_init(&members[i].called, NULL);
		selves[i] = &members[i];
	}
	members[0].pinned = true; /* or whoever bound it has said that it is not */
	members[0].counters = counters;
	*team = opened;
	return 0;
}

int team_grow(struct team *team, uint32_t members, struct fathom_error *error)
{
	for (; team->started < members; team->started++)
		if (start(&team->members[team->started], error))
			return -1;
	return 0;
}

int team_move(struct team *team, const int *cpus, uint32_t members, int *refused,
	      struct fathom_error *error)
{
	static const struct team_task task = {.before = bind};
	if (team_grow(team, members, error))
		return -1;
	for (uint32_t i = 0; i < members; i++)
		team->members[i].cpu = cpus[i];
	team_run(team, members, &task, team->selves);
	for (uint32_t i = 0; i < members; i++) {
		const struct member *member = &team->members[i];
		if (member->pinned)
			continue;
		if (refused)
			*refused = member->cpu;
		return error_set(error, FATHOM_UNABLE, member->refused.hint, "%s",
				 member->refused.text);
	}
	return 0;
}

bool team_is_pinned(const struct team *team)
{
	for (uint32_t i = 0; i < team->started; i++)
		if (!team->members[i].pinned)
			return false;
	return true;
}

double team_run(struct team *team, uint32_t members, const struct team_task *task, void *const *own)
{
	team->task = task;
	team->active = members;
	atomic_store(&team->waiting, 0);
	atomic_store(&team->busy, members - 1);
	for (uint32_t i = 0; i < members; i++)
		team->members[i].own = own[i];
	for (uint32_t i = 1; i < members; i++)
		call(&team->members[i]);
	carry_out(&team->members[0]);
	wait_until_idle(team);
	if (!task->work)
		return 0;
	uint64_t start_ns = team->members[0].start_ns, end_ns = team->members[0].end_ns;
	for (uint32_t i = 1; i < members; i++) {
		const struct member *member = &team->members[i];
		start_ns = member->start_ns < start_ns ? member->start_ns : start_ns;
		end_ns = member->end_ns > end_ns ? member->end_ns : end_ns;
	}
	return (double)(end_ns - start_ns);
}

static void read_interference(void *own)
{
	struct member *member = own;
	interference_read(member->counters, &member->interference);
}

void team_interference(struct team *team, uint32_t members, struct interference *now)
{
	static const struct team_task task = {.before = read_interference};
	team_run(team, members, &task, team->selves);
	*now = (struct interference){0};
	for (uint32_t i = 0; i < members; i++) {
		const struct interference *one = &team->members[i].interference;
		now->switches += one->switches;
		now->faults += one->faults;
		now->run_delay_ns += one->run_delay_ns;
		now->steal_ticks += one->steal_ticks;
		now->cpu += one->cpu;
		now->astray += one->astray;
	}
}

void team_close(struct team *team)
{
	if (!team)
		return;
	team->closing = true;
	for (uint32_t i = 0; i < team->capacity; i++) {
		struct member *member = &team->members[i];
		if (member->runs) {
			call(member);
			pthread_join(member->thread, NULL);
		}
		interference_close(member->counters);
		fathom_error_clear(&member->refused);
		pthread_cond_destroy(&member->called);
		pthread_mutex_destroy(&member->mutex);
	}
	free(team->members);
	free(team->selves);
	free(team);
}

/* ---- companions ---- */

struct companion {
	struct companions *all;
	int cpu;
	bool runs, pinned;
	struct fathom_error refused;
	pthread_t thread;
	void *own;
};

struct companions {
	const struct fathom_machine *machine;
	void (*prepare)(void *own);
	void (*work)(void *own);
	struct companion *items;
	uint32_t count;
	atomic_uint ready;
	atomic_bool closing, resting;
};

static const struct timespec REST = {.tv_nsec = 1000000};

static void *accompany(void *context)
{
	struct companion *companion = context;
	struct companions *all = companion->all;
	companion->pinned = !pinning_bind(all->machine, companion->cpu, &companion->refused);
	if (companion->pinned && all->prepare)
		all->prepare(companion->own);
	atomic_fetch_add(&all->ready, 1);
	while (companion->pinned && !atomic_load(&all->closing))
		if (atomic_load(&all->resting))
			nanosleep(&REST, NULL);
		else
			all->work(companion->own);
	return NULL;
}

void companions_rest(struct companions *companions, bool rest)
{
	atomic_store(&companions->resting, rest);
}

static int start_companion(struct companion *companion, struct fathom_error *error)
{
	sigset_t every, before;
	sigfillset(&every);
	pthread_sigmask(SIG_SETMASK, &every, &before);
	int code = pthread_create(&companion->thread, NULL, accompany, companion);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	companion->runs = code == 0;
	return code ? error_set(error, FATHOM_FAILED, NULL, "cannot start a thread: %s",
				strerror(code))
		    : 0;
}

int companions_open(const struct fathom_machine *machine, const int *cpus, uint32_t count,
		    void (*prepare)(void *own), void (*work)(void *own), void *const *own,
		    struct companions **companions, struct fathom_error *error)
{
	struct companions *opened = calloc(1, sizeof(*opened));
	struct companion *items = calloc(count, sizeof(*items));
	if (!opened || !items) {
		free(opened);
		free(items);
		return error_no_memory(error);
	}
	*opened = (struct companions){.machine = machine,
				      .prepare = prepare,
				      .work = work,
				      .items = items,
				      .count = count};
	int status = 0;
	for (uint32_t i = 0; i < count && !status; i++) {
		items[i] = (struct companion){.all = opened, .cpu = cpus[i], .own = own[i]};
		status = start_companion(&items[i], error);
	}
	unsigned turns = 0;
	while (!status && atomic_load(&opened->ready) < count)
		take_turn(&turns);
	for (uint32_t i = 0; i < count && !status; i++)
		if (!items[i].pinned)
			status = error_set(error, FATHOM_UNABLE, items[i].refused.hint, "%s",
					   items[i].refused.text);
	if (status)
		companions_close(opened);
	else
		*companions = opened;
	return status;
}

void companions_close(struct companions *companions)
{
	if (!companions)
		return;
	atomic_store(&companions->closing, true);
	for (uint32_t i = 0; i < companions->count; i++) {
		if (companions->items[i].runs)
			pthread_join(companions->items[i].thread, NULL);
		fathom_error_clear(&companions->items[i].refused);
	}
	free(companions->items);
	free(companions);
}
