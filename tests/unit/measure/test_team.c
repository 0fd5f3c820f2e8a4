/* Threads that begin together, whatever the CPUs that they have. */
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "measure/sampling/team.h"
#include "unit.h"

#define MEMBERS 5 /* more than some machines have CPUs */
#define RUNS    200

struct own {
	atomic_uint *begun; /* of all members */
	unsigned before, worked, after, seen_before;
	bool in_order;
	int cpu;
};

static struct fathom_machine *machine;
static cpu_set_t affinity;

static int open_machine(void **state)
{
	(void)state;
	sched_getaffinity(0, sizeof(affinity), &affinity);
	return fathom_machine_find(NULL, &machine, NULL);
}

static int close_machine(void **state)
{
	(void)state;
	fathom_machine_free(machine);
	sched_setaffinity(0, sizeof(affinity), &affinity);
	return 0;
}

static struct team *make_team(uint32_t members)
{
	struct team *team;
	int cpus[MEMBERS];
	for (int i = 0; i < MEMBERS; i++)
		cpus[i] = machine->default_cpu; /* all of them on one: the hardest case */
	assert_int_equal(team_open(machine, cpus, MEMBERS, &team, NULL), 0);
	assert_int_equal(team_grow(team, members, NULL), 0);
	return team;
}

static void before(void *context)
{
	struct own *own = context;
	own->before++;
	atomic_fetch_add(own->begun, 1);
}

static void work(void *context)
{
	struct own *own = context;
	own->seen_before = atomic_load(own->begun);
	own->in_order = own->before == own->worked + 1;
	own->worked++;
	own->cpu = sched_getcpu();
}

static void after(void *context)
{
	struct own *own = context;
	own->after++;
	own->in_order &= own->after == own->worked;
}

static void all_work_once_a_run_and_begin_together(void **state)
{
	(void)state;
	static const struct team_task task = {before, work, after};
	struct team *team = make_team(MEMBERS);
	struct own owns[MEMBERS] = {0};
	void *contexts[MEMBERS];
	for (unsigned run = 1; run <= RUNS; run++) {
		atomic_uint begun = 0;
		for (int i = 0; i < MEMBERS; i++) {
			owns[i].begun = &begun;
			contexts[i] = &owns[i];
		}
		double ns = team_run(team, MEMBERS, &task, contexts);
		assert_true(ns >= 0);
		for (int i = 0; i < MEMBERS; i++) {
			assert_int_equal(owns[i].worked, run);
			assert_int_equal(owns[i].seen_before, MEMBERS); /* nobody was early */
			assert_true(owns[i].in_order);
		}
	}
	team_close(team);
}

static void those_that_are_not_asked_do_nothing(void **state)
{
	(void)state;
	static const struct team_task task = {before, work, after};
	struct team *team = make_team(2);
	struct own owns[MEMBERS] = {0};
	void *contexts[MEMBERS];
	atomic_uint begun = 0;
	for (int i = 0; i < MEMBERS; i++) {
		owns[i].begun = &begun;
		contexts[i] = &owns[i];
	}
	team_run(team, 1, &task, contexts);
	assert_int_equal(owns[0].worked, 1);
	assert_int_equal(owns[1].worked, 0);
	team_run(team, 2, &task, contexts);
	assert_int_equal(team_grow(team, MEMBERS, NULL), 0);
	team_run(team, MEMBERS, &task, contexts);
	assert_int_equal(owns[0].worked, 3);
	assert_int_equal(owns[1].worked, 2);
	assert_int_equal(owns[MEMBERS - 1].worked, 1);
	if (team_is_pinned(team))
		for (int i = 1; i < MEMBERS; i++)
			assert_int_equal(owns[i].cpu, machine->default_cpu);
	team_close(team);
}

static void spin(void *context)
{
	volatile unsigned *turns = context;
	for (*turns = 0; *turns < 1000000; ++*turns)
		;
}

/* From the first beginning to the last end: at least what the slowest took. */
static void the_time_is_that_of_the_slowest(void **state)
{
	(void)state;
	static const struct team_task task = {.work = spin}, none = {.before = spin};
	struct team *team = make_team(2);
	unsigned turns[2];
	void *contexts[] = {&turns[0], &turns[1]};
	double least_ns = 1e18;
	for (int i = 0; i < 20; i++) {
		double ns = team_run(team, 2, &task, contexts);
		least_ns = ns < least_ns ? ns : least_ns;
	}
	assert_true(least_ns > 100000); /* ten steps a ns would be needed */
	assert_true(team_run(team, 1, &none, contexts) == 0);
	assert_int_equal(turns[1], 1000000);
	team_close(team);
}

static void disturbances_only_grow(void **state)
{
	(void)state;
	struct team *team = make_team(3);
	struct interference first, second;
	team_interference(team, 3, &first);
	team_interference(team, 3, &second);
	assert_true(second.switches >= first.switches);
	assert_true(second.faults >= first.faults);
	assert_true(second.run_delay_ns >= first.run_delay_ns);
	team_close(team);
}

static void a_team_that_never_ran_closes(void **state)
{
	(void)state;
	team_close(make_team(1));
	team_close(make_team(MEMBERS));
	team_close(NULL);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(all_work_once_a_run_and_begin_together),
	cmocka_unit_test(those_that_are_not_asked_do_nothing),
	cmocka_unit_test(the_time_is_that_of_the_slowest),
	cmocka_unit_test(disturbances_only_grow),
	cmocka_unit_test(a_team_that_never_ran_closes),
};
UNIT_GROUP(.setup = open_machine, .teardown = close_machine);
