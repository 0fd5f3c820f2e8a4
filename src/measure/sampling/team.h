/* Threads that begin a piece of work at the same time, each on a CPU of its own. Beyond this file
 * there are none. The calling thread is member 0; the others are started before they are needed,
 * sleep where there is nothing to do for long, and never while something is timed. */
#pragma once

#include "machine/interference.h"

struct team;

/* What each member does with what is its own. `work` alone is timed: all members wait for each
 * other before it. NULL: nothing. */
struct team_task {
	void (*before)(void *own);
	void (*work)(void *own);
	void (*after)(void *own);
};

/* `cpus`: of the members, copied; the calling thread is on the first already. NULL: team_move says,
 * before anything else; what is stolen from a CPU, and who is astray, is not known then.
 * The machine must outlive the team. Errors: FAILED (memory). */
int team_open(const struct fathom_machine *machine, const int *cpus, uint32_t count,
	      struct team **team, struct fathom_error *error);
/* Starts what is missing of the first `members` (1 .. `count`), pinned where that is allowed.
 * Errors: FAILED; the team is as usable as before. */
int team_grow(struct team *team, uint32_t members, struct fathom_error *error);
/* Starts what is missing of the first `members`, and puts each on its CPU. Errors: UNABLE (it could
 * not be bound; *refused, which may be NULL, is the CPU), FAILED; where the others are is open
 * then.
 */
int team_move(struct team *team, const int *cpus, uint32_t members, int *refused,
	      struct fathom_error *error);
/* Could all members be pinned so far? */
bool team_is_pinned(const struct team *team);
/* The first `members`, which are there, carry the task out: member i with own[i]. Returns the ns
 * from when the first began its work to when the last ended it; 0 where there is none. */
double team_run(struct team *team, uint32_t members, const struct team_task *task,
		void *const *own);
/* Running totals of the first `members`, summed: also where they are. */
void team_interference(struct team *team, uint32_t members, struct interference *now);
/* Threads of their own that do one thing again and again, whatever others do meanwhile. */
struct companions;
/* One on each CPU: `prepare` (NULL: nothing) once, from which on they all are under way when it
 * returns, then `work` until they are closed. Errors: UNABLE (one cannot be bound), FAILED. */
int companions_open(const struct fathom_machine *machine, const int *cpus, uint32_t count,
		    void (*prepare)(void *own), void (*work)(void *own), void *const *own,
		    struct companions **companions, struct fathom_error *error);
/* They sleep until it ends; those under way end what they do first. */
void companions_rest(struct companions *companions, bool rest);
/* Accepts NULL. All threads have ended when it returns. */
void companions_close(struct companions *companions);
/* Accepts NULL. All threads have ended when it returns. */
void team_close(struct team *team);
