/* Threads on real CPUs. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/stopwatch.h"
#include "kernels/exchange.h"
#include "machine/pinning.h"
#include "measure/memory/buffer.h"
#include "measure/meters/crews.h"
#include "measure/meters/hardware_contenders.h"
#include "measure/meters/hardware_walkers.h"
#include "measure/sampling/team.h"

#define SHORTEST_RUN_NS 10000.0
#define STEPS           50 /* of the timer, in a timed run */
#define WARM_ROUNDS     20
#define LINE_BYTES      64   /* lines are placed at multiples of it */
#define WAITED_NS       1000 /* ready to run, and not running: more than reading that takes */

/* What a member does, and what came of it. */
struct seat {
	struct crew_hardware *crew;
	uint32_t number;
	int cpu;
	bool done, away;
	double ns;
};

struct crew_hardware {
	struct crew crew;
	const struct fathom_machine *machine;
	struct team *team;
	struct seat *seats;
	void **own; /* the seats, as the team wants them */
	uint32_t seated;
	struct buffer pages;
	exchange_word *lines[CREW_MOST_LINES];
	/* Of the operation that is under way. */
	enum fathom_handover how;
	exchange_word *word;
	uint64_t rounds;
	int home_cpu;
	int status;
	struct fathom_error *error;
	uint64_t start_ns;
	struct hardware_contenders contenders;
	struct hardware_walkers walkers;
	int *cpus; /* of the members that are seated */
};

static struct crew_hardware *self(struct crew *crew)
{
	return (struct crew_hardware *)crew;
}

/* ---- places ---- */

static int seat(struct crew *crew, const int *cpus, uint32_t count, int *lost,
		struct fathom_error *error)
{
	struct crew_hardware *hardware = self(crew);
	int cpu;
	for (uint32_t i = 0; i < count; i++)
		hardware->seats[i].cpu = hardware->cpus[i] = cpus[i];
	hardware->seated = count;
	if (team_move(hardware->team, cpus, count, &cpu, error) == 0)
		return 0;
	if (lost)
		*lost = cpu;
	return -1;
}

/* By the member that is on the home CPU, of several the first. */
static void touch(void *own)
{
	const struct seat *seat = own;
	struct crew_hardware *hardware = seat->crew;
	if (seat->cpu == hardware->home_cpu)
		hardware->status = buffer_populate(&hardware->pages, hardware->pages.capacity_bytes,
						   hardware->error);
}

static bool is_seated(const struct crew_hardware *hardware, int cpu)
{
	for (uint32_t i = 0; i < hardware->seated; i++)
		if (hardware->seats[i].cpu == cpu)
			return true;
	return false;
}

/* Of a CPU on which no member is the first one goes there and comes back. */
static int touch_at(struct crew_hardware *hardware, int cpu, int *lost, struct fathom_error *error)
{
	static const struct team_task task = {.before = touch};
	int back = hardware->seats[0].cpu;
	bool guest = !is_seated(hardware, cpu);
	hardware->home_cpu = cpu;
	hardware->error = error;
	hardware->status = 0;
	if (guest) {
		if (team_move(hardware->team, &cpu, 1, lost, error))
			return -1;
		hardware->seats[0].cpu = cpu;
	}
	team_run(hardware->team, guest ? 1 : hardware->seated, &task, hardware->own);
	hardware->seats[0].cpu = back;
	if (guest && team_move(hardware->team, &back, 1, lost, error))
		return -1;
	return hardware->status;
}

static int place(struct crew *crew, int home_cpu, uint32_t count, uint64_t key, int *lost,
		 struct fathom_error *error)
{
	struct crew_hardware *hardware = self(crew);
	uint64_t page_bytes = hardware->machine->base_page_bytes;
	struct rng rng = rng_make(key);
	buffer_close(&hardware->pages);
	if (buffer_open(&hardware->pages, hardware->machine, FATHOM_PAGE_4K, count * page_bytes,
			(struct pinning_place){.cpu = home_cpu, .node = -1}, error) ||
	    touch_at(hardware, home_cpu, lost, error))
		return -1;
	for (uint32_t i = 0; i < count; i++) {
		uint64_t offset = rng_below(&rng, page_bytes / LINE_BYTES) * LINE_BYTES;
		hardware->lines[i] =
			(exchange_word *)(hardware->pages.memory + i * page_bytes + offset);
	}
	return 0;
}

/* ---- hand-overs ---- */

static exchange_side *side_of(const struct seat *seat)
{
	const struct crew_hardware *hardware = seat->crew;
	bool swaps = hardware->how == FATHOM_HANDOVER_SWAP;
	if (hardware->seated == 1)
		return swaps ? exchange_swap_alone : exchange_store_alone;
	if (seat->number == 0)
		return swaps ? exchange_swap_lead : exchange_store_lead;
	return swaps ? exchange_swap_follow : exchange_store_follow;
}

static void exchange_part(void *own)
{
	struct seat *seat = own;
	struct crew_hardware *hardware = seat->crew;
	exchange_side *side = side_of(seat);
	uint64_t rounds = hardware->rounds, from = 2 * WARM_ROUNDS;
	seat->done = side(hardware->word, 0, WARM_ROUNDS);
	uint64_t start_ns = stopwatch_now_ns();
	seat->done = seat->done && side(hardware->word, from, rounds);
	seat->ns = (double)(stopwatch_now_ns() - start_ns);
	seat->away = pinning_current_cpu() != seat->cpu;
}

static bool had_to_wait(const struct interference *before, const struct interference *after)
{
	return after->switches != before->switches ||
	       after->run_delay_ns > before->run_delay_ns + WAITED_NS;
}

static bool was_disturbed(const struct crew_hardware *hardware, const struct interference *before,
			  const struct interference *after)
{
	bool disturbed = had_to_wait(before, after);
	for (uint32_t i = 0; i < hardware->seated; i++)
		disturbed |= !hardware->seats[i].done || hardware->seats[i].away;
	return disturbed;
}

static enum crew_outcome exchange(struct crew *crew, enum fathom_handover how, uint32_t line,
				  uint64_t rounds, double *ns)
{
	static const struct team_task task = {.work = exchange_part};
	struct crew_hardware *hardware = self(crew);
	struct interference before, after;
	hardware->how = how;
	hardware->word = hardware->lines[line];
	hardware->rounds = rounds;
	atomic_store(hardware->word, 0);
	team_interference(hardware->team, hardware->seated, &before);
	team_run(hardware->team, hardware->seated, &task, hardware->own);
	team_interference(hardware->team, hardware->seated, &after);
	*ns = hardware->seats[0].ns;
	return was_disturbed(hardware, &before, &after) ? CREW_DISTURBED : CREW_DONE;
}

/* ---- contention, and cycles ---- */

static int contend(struct crew *crew, const struct crew_contention *what, uint64_t key,
		   double *op_ns, enum crew_outcome *outcome, struct fathom_error *error)
{
	struct crew_hardware *hardware = self(crew);
	struct interference before, after;
	bool steady;
	(void)key;
	team_interference(hardware->team, hardware->seated, &before);
	if (hardware_contenders_run(&hardware->contenders, hardware->cpus, hardware->seated, what,
				    op_ns, &steady, error))
		return -1;
	team_interference(hardware->team, hardware->seated, &after);
	*outcome = steady && !had_to_wait(&before, &after) ? CREW_DONE : CREW_DISTURBED;
	return 0;
}

static int lay(struct crew *crew, uint32_t count, uint64_t bytes, uint64_t key,
	       struct fathom_error *error)
{
	struct crew_hardware *hardware = self(crew);
	return hardware_walkers_open(&hardware->walkers, hardware->cpus, count, bytes, key, error);
}

static int walk(struct crew *crew, uint32_t count, uint64_t hops, double *hop_ns,
		enum crew_outcome *outcome, struct fathom_error *error)
{
	struct crew_hardware *hardware = self(crew);
	struct interference before, after;
	bool steady;
	team_interference(hardware->team, count, &before);
	if (hardware_walkers_walk(&hardware->walkers, count, hops, hop_ns, &steady, error))
		return -1;
	team_interference(hardware->team, count, &after);
	*outcome = steady && !had_to_wait(&before, &after) ? CREW_DONE : CREW_DISTURBED;
	return 0;
}

static void clear(struct crew *crew)
{
	hardware_walkers_close(&self(crew)->walkers);
}

/* ---- all ---- */

static double elapsed_s(struct crew *crew)
{
	return (double)(stopwatch_now_ns() - self(crew)->start_ns) * 1e-9;
}

static void close_hardware(struct crew *crew)
{
	struct crew_hardware *hardware = self(crew);
	if (hardware->team)
		pinning_release(hardware->machine);
	team_close(hardware->team);
	buffer_close(&hardware->pages);
	hardware_contenders_close(&hardware->contenders);
	hardware_walkers_close(&hardware->walkers);
	free(hardware->cpus);
	free(hardware->seats);
	free(hardware->own);
	free(hardware);
}

int crew_hardware_open(const struct fathom_machine *machine, uint32_t most, struct crew **crew,
		       struct fathom_error *error)
{
	static const struct crew_ops ops = {
		.seat = seat,
		.place = place,
		.exchange = exchange,
		.contend = contend,
		.lay = lay,
		.walk = walk,
		.clear = clear,
		.elapsed_s = elapsed_s,
		.close = close_hardware,
	};
	struct crew_hardware *hardware = calloc(1, sizeof(*hardware));
	if (!hardware)
		return error_no_memory(error);
	hardware->crew = (struct crew){&ops, fmax(SHORTEST_RUN_NS, STEPS * stopwatch_step_ns())};
	hardware->machine = machine;
	hardware->seats = calloc(most, sizeof(*hardware->seats));
	hardware->own = calloc(most, sizeof(*hardware->own));
	hardware->cpus = calloc(most, sizeof(*hardware->cpus));
	hardware->start_ns = stopwatch_now_ns();
	bool failed = !hardware->seats || !hardware->own || !hardware->cpus;
	if (failed || team_open(machine, NULL, most, &hardware->team, error)) {
		close_hardware(&hardware->crew);
		return failed ? error_no_memory(error) : -1;
	}
	for (uint32_t i = 0; i < most; i++) {
		hardware->seats[i] = (struct seat){.crew = hardware, .number = i, .cpu = -1};
		hardware->own[i] = &hardware->seats[i];
	}
	hardware->walkers = (struct hardware_walkers){.machine = machine, .team = hardware->team};
	hardware->contenders = (struct hardware_contenders){
		.machine = machine, .team = hardware->team, .most = most};
	*crew = &hardware->crew;
	return 0;
}

int crew_open(const struct fathom_machine *machine, uint32_t most, struct crew **crew,
	      struct fathom_error *error)
{
	return machine->description ? crew_simulated_open(machine, crew, error)
				    : crew_hardware_open(machine, most, crew, error);
}
