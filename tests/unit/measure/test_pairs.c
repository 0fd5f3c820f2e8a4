/* Lines between two CPUs: what a crew says of a hand-over is what the simulated machine takes, and
 * on real CPUs it ends. */
#include <math.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "document/table.h"
#include "measure/cores/pairs_run.h"
#include "unit.h"

#define EXACT ",noise=0,outliers=0,slices=0"

struct opened {
	struct fathom_machine *machine;
	struct crew *crew;
};

static struct opened open_crew(const char *description)
{
	struct opened opened;
	assert_int_equal(fathom_machine_find(description, &opened.machine, NULL), 0);
	assert_int_equal(crew_open(opened.machine, 2, &opened.crew, NULL), 0);
	return opened;
}

static void close_crew(struct opened *opened)
{
	opened->crew->ops->close(opened->crew);
	fathom_machine_free(opened->machine);
}

static struct fathom_pair pair_of(int cpu_a, int cpu_b)
{
	struct fathom_pair pair;
	table_unknown(&pair_table, &pair);
	pair.cpu_a = cpu_a;
	pair.cpu_b = cpu_b;
	pair.home = FATHOM_HOME_A;
	pair.handover = FATHOM_HANDOVER_STORE;
	return pair;
}

/* Two visits. */
static struct fathom_pair measure(struct crew *crew, int cpu_a, int cpu_b, int home_cpu,
				  enum fathom_handover how)
{
	struct fathom_pair pair = pair_of(cpu_a, cpu_b);
	int lost;
	pair.handover = how;
	for (uint64_t key = 0; key < 2; key++)
		assert_int_equal(pairs_visit(crew, &pair, home_cpu, key, &lost, NULL), 0);
	assert_int_equal(pairs_conclude(&pair, NULL), 0);
	assert_int_equal(pair.lines, PAIRS_LEAST_LINES);
	assert_int_equal(pair.block_count, PAIRS_LEAST_LINES);
	assert_true(pair.latency_low_ns <= pair.latency_ns &&
		    pair.latency_ns <= pair.latency_high_ns);
	return pair;
}

static void near(double value, double wanted, double share)
{
	if (!(fabs(value - wanted) <= share * wanted))
		fail_msg("%g is not %g", value, wanted);
}

static void a_simulated_pair_takes_what_its_machine_says(void **state)
{
	(void)state;
	struct opened opened = open_crew("sim:cpus=2x2x4x2,numbering=by_core" EXACT
					 ",handover=6ns/20ns/60ns/90ns/160ns");
	static const struct {
		int cpu_a, cpu_b;
		double ns;
	} wanted[] = {{0, 1, 6}, {0, 2, 20}, {2, 8, 60}, {3, 31, 160}};
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		struct fathom_pair pair = measure(opened.crew, wanted[i].cpu_a, wanted[i].cpu_b,
						  wanted[i].cpu_a, FATHOM_HANDOVER_STORE);
		near(pair.latency_ns, wanted[i].ns, 0.005);
		assert_true(pair.line_spread_ns < 1e-6);
		free(pair.blocks_ns);
	}
	struct fathom_pair far = measure(opened.crew, 2, 8, 20, FATHOM_HANDOVER_STORE);
	assert_true(far.latency_ns > 1.2 * 60);
	free(far.blocks_ns);
	close_crew(&opened);
}

static void lines_of_a_sliced_cache_differ(void **state)
{
	(void)state;
	struct opened opened = open_crew("sim:cpus=8,noise=0,outliers=0,slices=50%");
	struct fathom_pair pair = measure(opened.crew, 0, 1, 0, FATHOM_HANDOVER_STORE);
	assert_true(pair.line_spread_ns > 0.005 * pair.latency_ns);
	free(pair.blocks_ns);
	close_crew(&opened);
}

static void one_cpu_alone_shows_the_loop(void **state)
{
	(void)state;
	struct opened opened = open_crew("sim:cpus=2,l1=48K/12/lru/2ns" EXACT);
	double ns;
	int lost;
	assert_int_equal(pairs_loop_ns(opened.crew, 1, FATHOM_HANDOVER_STORE, 1, &ns, &lost, NULL),
			 0);
	near(ns, 4, 0.01); /* a store and a load that hit */
	close_crew(&opened);
}

static void a_cpu_that_is_gone_is_named(void **state)
{
	(void)state;
	struct opened opened = open_crew("sim:cpus=4,lost=2/1ms");
	struct fathom_error error = {0};
	struct fathom_pair pair = pair_of(0, 2);
	int lost;
	while (pairs_visit(opened.crew, &pair, 0, 1, &lost, &error) == 0)
		assert_true(opened.crew->ops->elapsed_s(opened.crew) < 1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_int_equal(lost, 2);
	fathom_error_clear(&error);
	free(pair.blocks_ns);
	close_crew(&opened);
}

static void a_round_visits_all_that_can_be_visited(void **state)
{
	(void)state;
	struct opened opened = open_crew("sim:cpus=4,lost=2/1ms");
	struct fathom_pair pairs[3] = {pair_of(0, 1), pair_of(0, 2), pair_of(1, 3)};
	struct fathom_curve curve = {.pairs = pairs, .pair_count = 3};
	const size_t which[] = {0, 1, 2};
	struct pairs_run run = {.crew = opened.crew, .budget_s = 60, .rng = rng_make(1)};
	for (int i = 0; i < 10; i++)
		assert_int_equal(pairs_run_round(&run, &curve, which, 3, NULL, NULL, NULL), 0);
	assert_int_equal(run.lost_count, 1);
	assert_true(pairs_is_lost(&run, 2));
	assert_int_equal(pairs[0].lines, 10 * PAIRS_VISIT_LINES);
	assert_int_equal(pairs[2].lines, 10 * PAIRS_VISIT_LINES);
	assert_true(pairs[1].lines < 10 * PAIRS_VISIT_LINES);
	for (int i = 0; i < 3; i++)
		free(pairs[i].blocks_ns);
	pairs_run_free(&run);
	close_crew(&opened);
}

/* No time is asserted: another program may have the CPU. */
static void real_cpus_hand_lines_over(void **state)
{
	(void)state;
	cpu_set_t before, after;
	sched_getaffinity(0, sizeof(before), &before);
	struct opened opened = open_crew(NULL);
	if (opened.machine->cpu_count < 2 || CPU_COUNT(&before) < 2) {
		close_crew(&opened);
		skip();
	}
	int cpus[2], count = 0;
	for (int cpu = 0; cpu < CPU_SETSIZE && count < 2; cpu++)
		if (CPU_ISSET(cpu, &before))
			cpus[count++] = cpu;
	for (int how = FATHOM_HANDOVER_STORE; how <= FATHOM_HANDOVER_SWAP; how++) {
		struct fathom_pair pair = pair_of(cpus[0], cpus[1]);
		int lost;
		pair.handover = (enum fathom_handover)how;
		assert_int_equal(pairs_visit(opened.crew, &pair, cpus[1], 5, &lost, NULL), 0);
		assert_true(pair.batches > 0);
		for (size_t i = 0; i < pair.block_count; i++)
			assert_true(pair.blocks_ns[i] > 0);
		free(pair.blocks_ns);
	}
	close_crew(&opened);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(a_simulated_pair_takes_what_its_machine_says),
	cmocka_unit_test(lines_of_a_sliced_cache_differ),
	cmocka_unit_test(one_cpu_alone_shows_the_loop),
	cmocka_unit_test(a_cpu_that_is_gone_is_named),
	cmocka_unit_test(a_round_visits_all_that_can_be_visited),
	cmocka_unit_test(real_cpus_hand_lines_over),
};
UNIT_GROUP();
