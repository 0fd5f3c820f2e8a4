/* Threads on the CPUs of a simulated machine: their accesses go one by one, in the order of their
 * times, through its coherent lines. */
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/rng.h"
#include "base/text.h"
#include "measure/meters/crews.h"
#include "measure/meters/simulated_contenders.h"
#include "measure/meters/simulated_walkers.h"
#include "simulate/simulated_coherence.h"
#include "simulate/simulated_disturb.h"

#define SHORTEST_RUN_NS 10000.0
#define STEPS           50 /* of the timer, in a timed run */
#define RUN_OVERHEAD_NS 20.0
#define SEAT_NS         15000.0 /* of a member that is put on another CPU */
#define PLACE_NS        500.0   /* of a line */
#define WARM_ROUNDS     5
#define LAY_NS          5.0 /* of a line of a cycle */

struct crew_simulated {
	struct crew crew;
	struct simulated_spec spec;
	struct simulated_coherence coherence;
	struct simulated_disturb disturb;
	struct simulated_line lines[CREW_MOST_LINES];
	unsigned *cpus; /* of the members */
	uint32_t seated;
	double now_ns;
	struct simulated_walkers walkers;
};

static struct crew_simulated *self(struct crew *crew)
{
	return (struct crew_simulated *)crew;
}

/* Returns what the timer makes of it. */
static double pass_time(struct crew_simulated *simulated, double ns)
{
	double step_ns = simulated->spec.timer_ns, start_ns = simulated->now_ns;
	simulated->now_ns += ns;
	simulated_coherence_pass(&simulated->coherence, simulated->now_ns);
	return step_ns > 0
		       ? step_ns * (floor((start_ns + ns) / step_ns) - floor(start_ns / step_ns))
		       : ns;
}

/* ---- places ---- */

static int check_cpu(const struct crew_simulated *simulated, int cpu, int *lost,
		     struct fathom_error *error)
{
	const struct simulated_spec *spec = &simulated->spec;
	bool usable = cpu >= 0 && simulated_cpus_usable(spec, (unsigned)cpu, simulated->now_ns);
	if (usable && !spec->no_affinity)
		return 0;
	if (lost)
		*lost = cpu;
	if (spec->no_affinity)
		return error_set(error, FATHOM_UNABLE,
				 "allow sched_setaffinity (containers: the seccomp profile)",
				 "cannot bind a thread to cpu %d: the simulated machine forbids it",
				 cpu);
	return error_set(error, FATHOM_UNABLE, NULL,
			 "cannot bind a thread to cpu %d: it is not available any more", cpu);
}

static int seat(struct crew *crew, const int *cpus, uint32_t count, int *lost,
		struct fathom_error *error)
{
	struct crew_simulated *simulated = self(crew);
	for (uint32_t i = 0; i < count; i++)
		if (check_cpu(simulated, cpus[i], lost, error))
			return -1;
	for (uint32_t i = 0; i < count; i++)
		simulated->cpus[i] = (unsigned)cpus[i];
	simulated->seated = count;
	pass_time(simulated, SEAT_NS * count);
	return 0;
}

static int place(struct crew *crew, int home_cpu, uint32_t count, uint64_t key, int *lost,
		 struct fathom_error *error)
{
	struct crew_simulated *simulated = self(crew);
	struct rng rng = rng_make(key);
	if (check_cpu(simulated, home_cpu, lost, error))
		return -1;
	for (uint32_t i = 0; i < count; i++)
		simulated->lines[i] =
			simulated_coherence_line(&simulated->coherence, (unsigned)home_cpu, &rng);
	pass_time(simulated, PLACE_NS * count);
	return 0;
}

/* ---- hand-overs ---- */

static double access_at(const struct crew_simulated *simulated, struct simulated_line *line,
			unsigned cpu, enum simulated_access access, double now_ns)
{
	return simulated_coherence_access(&simulated->coherence, line, cpu, access, now_ns);
}

/* There and back. Who waits looks at the line until it has changed: the look that sees it is the
 * one that counts. */
static double round_at(const struct crew_simulated *simulated, enum fathom_handover how,
		       struct simulated_line *line, double now_ns)
{
	const unsigned *cpus = simulated->cpus;
	unsigned other = simulated->seated > 1 ? 1 : 0;
	enum simulated_access gives =
		how == FATHOM_HANDOVER_SWAP ? SIMULATED_ATOMIC : SIMULATED_STORE;
	enum simulated_access looks =
		how == FATHOM_HANDOVER_SWAP ? SIMULATED_ATOMIC : SIMULATED_LOAD;
	now_ns = access_at(simulated, line, cpus[0], gives, now_ns);
	now_ns = access_at(simulated, line, cpus[other], looks, now_ns);
	now_ns = access_at(simulated, line, cpus[other], gives, now_ns);
	return access_at(simulated, line, cpus[0], looks, now_ns);
}

/* Once two rounds take the same time all others do: nothing but the two touches the line. */
static double rounds_ns(struct crew_simulated *simulated, enum fathom_handover how,
			struct simulated_line *line, uint64_t rounds)
{
	double start_ns = simulated->now_ns, now_ns = start_ns, before_ns = NAN;
	for (uint64_t i = 0; i < rounds; i++) {
		double after_ns = round_at(simulated, how, line, now_ns);
		double ns = after_ns - now_ns;
		now_ns = after_ns;
		if (fabs(ns - before_ns) < 1e-6)
			return now_ns - start_ns + ns * (double)(rounds - i - 1);
		before_ns = ns;
	}
	return now_ns - start_ns;
}

static enum crew_outcome exchange(struct crew *crew, enum fathom_handover how, uint32_t line,
				  uint64_t rounds, double *ns)
{
	struct crew_simulated *simulated = self(crew);
	uint64_t switches = simulated->disturb.counted.switches;
	struct simulated_line *of = &simulated->lines[line];
	of->free_ns = 0;
	pass_time(simulated, rounds_ns(simulated, how, of, WARM_ROUNDS));
	of->free_ns = 0;
	double exact_ns = rounds_ns(simulated, how, of, rounds) + RUN_OVERHEAD_NS;
	*ns = pass_time(simulated, simulated_disturb_run(&simulated->disturb, exact_ns,
							 simulated->now_ns, NULL));
	return simulated->disturb.counted.switches != switches ? CREW_DISTURBED : CREW_DONE;
}

/* ---- contention, and cycles ---- */

/* What noise and other guests make of a run that takes so long, as a factor. */
static double disturb(struct crew_simulated *simulated, double ns, enum crew_outcome *outcome)
{
	uint64_t switches = simulated->disturb.counted.switches;
	double longer_ns = pass_time(
		simulated, simulated_disturb_run(&simulated->disturb, ns, simulated->now_ns, NULL));
	*outcome = simulated->disturb.counted.switches != switches ? CREW_DISTURBED : CREW_DONE;
	return longer_ns / ns;
}

static int contend(struct crew *crew, const struct crew_contention *what, uint64_t key,
		   double *op_ns, enum crew_outcome *outcome, struct fathom_error *error)
{
	struct crew_simulated *simulated = self(crew);
	if (simulated_contenders_run(&simulated->coherence, simulated->cpus, simulated->seated,
				     what, key, simulated->now_ns, op_ns, error))
		return -1;
	double times = disturb(simulated, what->ns, outcome);
	for (uint32_t i = 0; i < simulated->seated; i++)
		op_ns[i] *= times;
	return 0;
}

static void clear(struct crew *crew)
{
	simulated_walkers_close(&self(crew)->walkers);
}

static int lay(struct crew *crew, uint32_t count, uint64_t bytes, uint64_t key,
	       struct fathom_error *error)
{
	struct crew_simulated *simulated = self(crew);
	unsigned threads[CREW_MOST_WALKERS];
	clear(crew);
	for (uint32_t i = 0; i < count; i++)
		threads[i] = simulated->coherence.thread_of[simulated->cpus[i]];
	pass_time(simulated, LAY_NS * (double)(count * bytes / simulated->spec.line_bytes));
	return simulated_walkers_open(&simulated->walkers, &simulated->spec, threads, count, bytes,
				      key, error);
}

static int walk(struct crew *crew, uint32_t count, uint64_t hops, double *hop_ns,
		enum crew_outcome *outcome, struct fathom_error *error)
{
	struct crew_simulated *simulated = self(crew);
	double ns;
	(void)error;
	simulated_walkers_walk(&simulated->walkers, count, hops, hop_ns, &ns);
	double times = disturb(simulated, ns, outcome);
	for (uint32_t i = 0; i < count; i++)
		hop_ns[i] *= times;
	return 0;
}

/* ---- all ---- */

static double elapsed_s(struct crew *crew)
{
	return self(crew)->now_ns * 1e-9;
}

static void close_simulated(struct crew *crew)
{
	clear(crew);
	free(self(crew)->cpus);
	free(crew);
}

int crew_simulated_open(const struct fathom_machine *machine, struct crew **crew,
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
		.close = close_simulated,
	};
	struct simulated_spec spec;
	if (simulated_spec_parse(machine->description, &spec, error))
		return -1;
	struct crew_simulated *simulated = calloc(1, sizeof(*simulated));
	unsigned *cpus = calloc(spec.cpus, sizeof(*cpus));
	if (!simulated || !cpus) {
		free(simulated);
		free(cpus);
		return error_no_memory(error);
	}
	simulated->crew = (struct crew){&ops, fmax(SHORTEST_RUN_NS, STEPS * spec.timer_ns)};
	simulated->spec = spec;
	simulated->cpus = cpus;
	simulated->coherence = simulated_coherence_make(&simulated->spec);
	simulated->disturb = simulated_disturb_make(&simulated->spec);
	*crew = &simulated->crew;
	return 0;
}
