/* Threads that contend for words, and CPUs that walk cycles at once: what a crew says is what the
 * simulated machine takes, and on real CPUs both end with a proof. */
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "document/table.h"
#include "measure/cores/contention.h"
#include "measure/cores/sharing.h"
#include "unit.h"

#define MACHINE                                                                                    \
	"sim:cpus=2x1x2x2,numbering=by_core,noise=0,outliers=0,slices=0,drift=0,clock=1G,"         \
	"l1=16K/8/lru/4c,l2=128K/8/lru/14c,l3=1M/16/lru/40c,mem=100ns,"                            \
	"handover=6ns/20ns/60ns/90ns/160ns,dtlb=off,lock=0c"

struct opened {
	struct fathom_machine *machine;
	struct crew *crew;
};

static struct opened open_crew(const char *description)
{
	struct opened opened;
	assert_int_equal(fathom_machine_find(description, &opened.machine, NULL), 0);
	assert_int_equal(crew_open(opened.machine, 8, &opened.crew, NULL), 0);
	return opened;
}

static void close_crew(struct opened *opened)
{
	opened->crew->ops->close(opened->crew);
	fathom_machine_free(opened->machine);
}

static void near(double value, double wanted, double share)
{
	if (!(fabs(value - wanted) <= share * wanted))
		fail_msg("%g is not %g", value, wanted);
}

/* A hop of CPU 0, median. */
static double hop_ns(struct crew *crew, int other, uint64_t bytes)
{
	struct sharing_blocks blocks = {.count = 0};
	int lost;
	assert_int_equal(sharing_walk(crew, 0, other, bytes, 3, 1, &blocks, &lost, NULL), 0);
	assert_int_equal(blocks.count, 3);
	return blocks.ns[1];
}

static void two_cycles_drive_each_other_out_of_what_is_shared(void **state)
{
	(void)state;
	struct opened opened = open_crew(MACHINE);
	near(hop_ns(opened.crew, -1, 96 << 10), 14, 0.01);
	near(hop_ns(opened.crew, 1, 96 << 10), 40, 0.05); /* of one core */
	near(hop_ns(opened.crew, 2, 96 << 10), 14, 0.01); /* of one cache, the third */
	near(hop_ns(opened.crew, -1, 800 << 10), 40, 0.01);
	near(hop_ns(opened.crew, 2, 800 << 10), 100, 0.05);
	near(hop_ns(opened.crew, 4, 800 << 10), 40, 0.01); /* of another socket */
	close_crew(&opened);
}

static void a_cycle_is_found_where_the_size_is_wrong(void **state)
{
	(void)state;
	struct opened opened = open_crew(MACHINE);
	struct pairs_run run = {.crew = opened.crew, .budget_s = INFINITY};
	struct sharing_cycle cycle;
	int lost;
	assert_int_equal(sharing_find_cycle(&run, 0, 0, 16 << 10, 1, &cycle, &lost, NULL), 0);
	assert_true(!cycle.measured && cycle.bytes > 8 << 10 && cycle.bytes <= 16 << 10);
	assert_int_equal(sharing_find_cycle(&run, 0, 128 << 10, 16 << 20, 1, &cycle, &lost, NULL),
			 0);
	assert_true(cycle.measured && cycle.bytes > 512 << 10 && cycle.bytes <= 1 << 20);
	assert_int_equal(sharing_find_cycle(&run, 0, 1 << 20, 4 << 20, 1, &cycle, &lost, NULL), 0);
	assert_int_equal(cycle.bytes, 0); /* there is none */
	run.budget_s = opened.crew->ops->elapsed_s(opened.crew) * 1.001;
	assert_int_equal(sharing_find_cycle(&run, 0, 128 << 10, 16 << 20, 1, &cycle, &lost, NULL),
			 0);
	assert_true(cycle.cut && !cycle.bytes);
	close_crew(&opened);
}

static struct fathom_contention contend(struct crew *crew, const int *cpus, uint32_t threads,
					enum fathom_operation operation, enum fathom_layout layout)
{
	struct fathom_contention one;
	int lost;
	table_unknown(&contention_table, &one);
	one.operation = operation;
	one.layout = layout;
	one.threads = threads;
	assert_int_equal(contention_measure(crew, cpus, 1, &one, &lost, NULL), 0);
	free(one.blocks_ns);
	return one;
}

static void a_word_goes_round_as_fast_as_its_line(void **state)
{
	(void)state;
	static const int near_cpus[] = {0, 2}, far_cpus[] = {0, 4};
	struct opened opened = open_crew(MACHINE);
	double own_ns =
		contend(opened.crew, near_cpus, 2, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_OWN_LINES)
			.op_ns;
	near(contend(opened.crew, near_cpus, 1, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_ONE_WORD).op_ns,
	     own_ns, 0.001);
	struct fathom_contention words =
		contend(opened.crew, near_cpus, 2, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_OWN_WORDS);
	near(words.op_ns, 20, 0.1);
	near(words.fairness, 1, 0.02);
	near(contend(opened.crew, far_cpus, 2, FATHOM_OPERATION_ADD, FATHOM_LAYOUT_ONE_WORD).op_ns,
	     160, 0.1);
	assert_true(isfinite(
		contend(opened.crew, far_cpus, 2, FATHOM_OPERATION_READ, FATHOM_LAYOUT_ONE_WORD)
			.writer_ns));
	close_crew(&opened);
}

/* No time is asserted: another program may have the CPU. What words grew by is checked by the crew.
 */
static void real_cpus_contend_and_walk(void **state)
{
	(void)state;
	cpu_set_t before, after;
	sched_getaffinity(0, sizeof(before), &before);
	struct opened opened = open_crew(NULL);
	int cpus[2], count = 0;
	for (int cpu = 0; cpu < CPU_SETSIZE && count < 2; cpu++)
		if (CPU_ISSET(cpu, &before))
			cpus[count++] = cpu;
	if (count < 2) {
		close_crew(&opened);
		skip();
	}
	for (int operation = FATHOM_OPERATION_ADD; operation <= FATHOM_OPERATION_READ; operation++)
		for (int layout = FATHOM_LAYOUT_OWN_LINES; layout <= FATHOM_LAYOUT_LINE_PAIR;
		     layout++) {
			struct crew_contention what = {(enum fathom_operation)operation,
						       (enum fathom_layout)layout, 20000};
			enum crew_outcome outcome;
			double op_ns[2];
			assert_int_equal(opened.crew->ops->seat(opened.crew, cpus, 2, NULL, NULL),
					 0);
			assert_int_equal(opened.crew->ops->contend(opened.crew, &what, 1, op_ns,
								   &outcome, NULL),
					 0);
		}
	struct sharing_blocks blocks = {.count = 0};
	int lost;
	assert_int_equal(
		sharing_walk(opened.crew, cpus[0], cpus[1], 64 << 10, 2, 1, &blocks, &lost, NULL),
		0);
	for (size_t i = 0; i < blocks.count; i++)
		assert_true(blocks.ns[i] > 0);
	close_crew(&opened);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(two_cycles_drive_each_other_out_of_what_is_shared),
	cmocka_unit_test(a_cycle_is_found_where_the_size_is_wrong),
	cmocka_unit_test(a_word_goes_round_as_fast_as_its_line),
	cmocka_unit_test(real_cpus_contend_and_walk),
};
UNIT_GROUP();
