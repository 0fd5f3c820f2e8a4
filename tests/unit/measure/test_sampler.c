/* The sampler against a scripted meter: what it rejects, repeats, cancels and refuses. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "measure/sampling/calibrate.h"
#include "measure/sampling/sampler.h"
#include "unit.h"

#define HOP_NS   2.0
#define FIXED_NS 500.0
#define MISS_NS  4.0
/* That a program on the core's other thread takes: a lap. */
#define LOST_HOPS 6400

struct script {
	struct meter meter;
	struct interference totals;
	double hz;
	unsigned runs;
	uint64_t hops, warmed;
	unsigned bad_run; /* the number of the run that something happens in; 0: none */
	bool every_run;   /* it happens in all of them */
	enum { SWITCH, FAULT, MIGRATION, STEAL, DELAY, GAP, LOST, CLOCK } what;
	bool stop;
	uint64_t lap_hops; /* of which the second half misses; 0: none does */
	/* During these runs a program on the core's other thread takes all lines; 0: none does. */
	unsigned first_shared, last_shared;
	uint64_t lost_hops; /* that have not come back */
	double now_ns;
};

static bool is_shared(struct meter *meter, double hz)
{
	const struct script *script = (struct script *)meter;
	(void)hz;
	return script->last_shared && script->runs + 1 >= script->first_shared &&
	       script->runs <= script->last_shared;
}

static double warm(struct meter *meter, uint64_t hops)
{
	((struct script *)meter)->warmed += hops;
	return (double)hops;
}

static void run(struct meter *meter, uint64_t hops, double *ns, bool *arrived)
{
	struct script *script = (struct script *)meter;
	bool bad = ++script->runs == script->bad_run || script->every_run;
	*ns = FIXED_NS + (double)hops * HOP_NS;
	for (uint64_t k = 0; script->lap_hops && k < hops; k++)
		if ((script->hops + k) % script->lap_hops >= script->lap_hops / 2)
			*ns += MISS_NS;
	uint64_t missed = hops < script->lost_hops ? hops : script->lost_hops;
	*ns += (double)missed * MISS_NS;
	script->lost_hops = is_shared(meter, 0) ? LOST_HOPS : script->lost_hops - missed;
	script->hops += hops;
	script->now_ns += *ns;
	*arrived = !(bad && script->what == LOST);
	if (!bad)
		return;
	script->totals.switches += script->what == SWITCH;
	script->totals.faults += script->what == FAULT;
	script->totals.cpu += script->what == MIGRATION;
	script->totals.steal_ticks += script->what == STEAL;
	script->totals.run_delay_ns += script->what == DELAY;
	if (script->what == GAP)
		*ns *= 3;
	if (script->what == CLOCK)
		script->hz *= 1.02;
}

static double elapsed_s(struct meter *meter)
{
	return ((struct script *)meter)->now_ns * 1e-9;
}

static void clock_now(struct meter *meter, struct meter_clock *clock)
{
	*clock = (struct meter_clock){((struct script *)meter)->hz, 3};
}

static void disturbance(struct meter *meter, struct interference *now)
{
	*now = ((struct script *)meter)->totals;
}

static int prepare(struct meter *meter, const struct fathom_spec *spec, uint64_t key, bool redraw,
		   struct meter_placement *placement, struct fathom_error *error)
{
	(void)meter, (void)key, (void)redraw, (void)error;
	*placement = (struct meter_placement){.page_bytes = spec->size_bytes, .page_share = 1};
	return 0;
}

static struct script make_script(void)
{
	static const struct meter_ops ops = {.prepare = prepare,
					     .elapsed_s = elapsed_s,
					     .warm = warm,
					     .run = run,
					     .clock = clock_now,
					     .is_shared = is_shared,
					     .interference = disturbance};
	return (struct script){.meter = {.ops = &ops,
					 .line_bytes = 64,
					 .shortest_run_ns = 10000,
					 .hops_unit = 64,
					 .fixed_cost_ns = FIXED_NS},
			       .hz = 3e9};
}

/* Of 10 us: two groups of 19. */
#define GROUP   19
#define BATCHES (2 * GROUP)
static const struct sampler_options plain = {.expected_ns = HOP_NS, .alike = true, .patience_s = 1};

static void the_fixed_cost_is_learnt(void **state)
{
	(void)state;
	struct script script = make_script();
	struct calibrate_cost cost;
	assert_int_equal(calibrate_fixed_cost(&script.meter, FATHOM_PAGE_4K, 1, &cost, NULL), 0);
	assert_true(cost.clear && fabs(cost.ns - FIXED_NS) < 1e-6);
}

static void a_short_lap_is_walked_before_each_group(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	struct sampler_options options = {.expected_ns = HOP_NS, .lap_hops = 100};
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
	assert_int_equal(script.runs, BATCHES + 2);
	assert_true(fabs(block.mode.ns - HOP_NS) < 1e-9);
	sampler_block_free(&block);
}

static void fixed_cost_is_taken_off(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	assert_int_equal(sampler_run(&script.meter, &plain, &block, NULL), 0);
	assert_true(fabs(block.mode.ns - HOP_NS) < 1e-9 && fabs(block.mean.ns - HOP_NS) < 1e-9);
	assert_true(fabs(block.mode.cycles - 6) < 1e-9 && block.clock_hz == 3e9);
	assert_true(block.mode_width < 1e-9);
	assert_int_equal(block.count, BATCHES);
	assert_int_equal(script.runs, BATCHES);
	assert_int_equal(script.hops % 64, 0);
	sampler_block_free(&block);
}

static void a_disturbed_group_is_rejected_counted_and_repeated(void **state)
{
	(void)state;
	static const int reasons[] = {
		[SWITCH] = FATHOM_REJECTED_SWITCH,       [FAULT] = FATHOM_REJECTED_FAULT,
		[MIGRATION] = FATHOM_REJECTED_MIGRATION, [STEAL] = FATHOM_REJECTED_STEAL,
		[DELAY] = FATHOM_REJECTED_STEAL,         [GAP] = FATHOM_REJECTED_OUTLIER,
		[CLOCK] = FATHOM_REJECTED_CLOCK};
	for (int what = SWITCH; what <= CLOCK; what++) {
		struct script script = make_script();
		struct sampler_block block;
		unsigned rejected = what == GAP ? 1 : GROUP;
		if (what == LOST)
			continue;
		script.what = what;
		script.bad_run = 3;
		assert_int_equal(sampler_run(&script.meter, &plain, &block, NULL), 0);
		assert_int_equal(block.rejected[reasons[what]], rejected);
		assert_int_equal(block.count + rejected, block.batches);
		assert_in_range(block.count, BATCHES - 1, BATCHES);
		assert_int_equal(block.off_mode, what == GAP);
		assert_false(block.disturbed);
		assert_true(fabs(block.mode.ns - HOP_NS) < 1e-9);
		assert_true(fabs(block.mean.ns - HOP_NS) < 1e-9);
		sampler_block_free(&block);
	}
}

static void what_a_program_feels_is_the_mean_of_all(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	script.what = GAP;
	script.bad_run = 3;
	assert_int_equal(sampler_run(&script.meter, &plain, &block, NULL), 0);
	double excess = 2 * (FIXED_NS / (double)script.hops * BATCHES + HOP_NS) / BATCHES;
	assert_true(fabs(block.all_ns - HOP_NS - excess) < 1e-9);
	sampler_block_free(&block);
}

static void what_runs_on_another_cpu_has_migrated(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	script.totals.astray = 1;
	assert_int_equal(sampler_run(&script.meter, &plain, &block, NULL), 0);
	assert_true(block.disturbed);
	assert_int_equal(block.rejected[FATHOM_REJECTED_MIGRATION], 4 * GROUP);
	sampler_block_free(&block);
}

static void never_clean_is_kept_and_said(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	script.every_run = true;
	script.what = SWITCH;
	assert_int_equal(sampler_run(&script.meter, &plain, &block, NULL), 0);
	assert_true(block.disturbed);
	assert_int_equal(block.count, 4 * GROUP); /* three times 24 are not clean */
	assert_int_equal(block.rejected[FATHOM_REJECTED_SWITCH], 4 * GROUP);
	assert_true(fabs(block.mean.ns - HOP_NS) < 1e-9);
	sampler_block_free(&block);
}

/* A batch is of 5056 hops. */
static void hits_and_misses_that_come_in_runs_count_alike(void **state)
{
	(void)state;
	static const uint64_t laps_hops[] = {20032, 6400, 3200, 1280};
	for (size_t i = 0; i < 4; i++) {
		struct script script = make_script();
		struct sampler_options options = plain;
		struct sampler_block block;
		script.lap_hops = options.lap_hops = laps_hops[i];
		assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
		assert_int_equal(block.rejected[FATHOM_REJECTED_OUTLIER], 0);
		assert_false(block.disturbed);
		assert_true(i < 2 || !block.bimodal);
		assert_true(fabs(block.mean.ns - HOP_NS - MISS_NS / 2) < 0.15);
		sampler_block_free(&block);
	}
}

/* 6400 hops are over one batch, and two halves of it are as many as one has. */
static void a_lap_of_several_batches_is_timed_in_equal_parts(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_options options = plain;
	struct sampler_block block;
	options.lap_hops = 6400;
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
	assert_int_equal(script.hops % 3200, 0);
	sampler_block_free(&block);
}

static void a_block_has_the_hops_that_it_should(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_options options = plain;
	struct sampler_block block;
	options.hops = 10000000; /* batches become longer, since there are 256 at most */
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
	assert_true(block.hops >= options.hops && block.hops < 1.1 * (double)options.hops);
	assert_in_range(block.count, 128, 300);
	sampler_block_free(&block);
}

static void a_lost_chain_is_an_error(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	struct fathom_error error = {0};
	script.bad_run = 4;
	script.what = LOST;
	assert_int_equal(sampler_run(&script.meter, &plain, &block, &error), -1);
	assert_int_equal(error.status, FATHOM_FAILED);
	fathom_error_clear(&error);
}

static void without_a_clock_there_are_no_cycles(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	script.hz = NAN;
	script.meter.clock_missing = "none";
	assert_int_equal(sampler_run(&script.meter, &plain, &block, NULL), 0);
	assert_true(isnan(block.mode.cycles) && isnan(block.clock_hz));
	assert_true(block.mode_width < 1e-9);
	assert_int_equal(block.count, BATCHES);
	assert_false(block.disturbed);
	sampler_block_free(&block);
}

static bool stop(void *context)
{
	struct script *script = context;
	return script->runs >= 4;
}

static void it_stops_when_asked(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	struct sampler_options options = plain;
	options.stop = stop;
	options.stop_context = &script;
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 1);
}

static void it_warms_and_walks_until_steady(void **state)
{
	(void)state;
	struct script cold = make_script(), part = make_script(), whole = make_script();
	struct sampler_block block;
	struct sampler_options options = plain;
	assert_int_equal(sampler_run(&cold.meter, &options, &block, NULL), 0);
	sampler_block_free(&block);
	assert_int_equal(cold.warmed, 0);
	options.warm_hops = 100000;
	options.warm_ns = 1e9;
	options.lap_hops = 1000000;
	assert_int_equal(sampler_run(&part.meter, &options, &block, NULL), 0);
	sampler_block_free(&block);
	assert_int_equal(part.warmed, 100000);
	assert_int_equal(part.runs, cold.runs + 2); /* two stretches that agree */
	options.lap_hops = 100000;
	options.alone_hops = 300000;
	assert_int_equal(sampler_run(&whole.meter, &options, &block, NULL), 0);
	sampler_block_free(&block);
	assert_int_equal(whole.warmed, 300000); /* two laps that are no faster than the first */
	assert_true(whole.hops >= cold.hops + 300000);
}

static void it_walks_no_longer_than_allowed(void **state)
{
	(void)state;
	struct script script = make_script(), cold = make_script();
	struct sampler_block block;
	struct sampler_options options = plain;
	options.lap_hops = 100000;
	assert_int_equal(sampler_run(&cold.meter, &options, &block, NULL), 0);
	sampler_block_free(&block);
	options.warm_hops = 100000;
	options.warm_ns = 5000;
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
	sampler_block_free(&block);
	assert_int_equal(script.runs, cold.runs + 1);
}

static void it_finds_the_cost_of_a_hop(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_block block;
	struct sampler_options options = plain;
	options.expected_ns = NAN;
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
	assert_true(fabs(block.mode.ns - HOP_NS) < 1e-9);
	sampler_block_free(&block);
}

/* A lap is two batches: the two after it still wait for lines that it took. */
static void what_ran_beside_a_program_on_the_other_thread_is_rejected(void **state)
{
	(void)state;
	for (unsigned last = 5; last <= 165; last += 40) {
		struct script script = make_script();
		struct sampler_options options = plain;
		struct sampler_block block;
		options.lap_hops = LOST_HOPS;
		script.first_shared = 5;
		script.last_shared = last;
		assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
		assert_false(block.disturbed);
		assert_in_range(block.rejected[FATHOM_REJECTED_SIBLING], last - 4 + 2,
				last - 4 + 4);
		assert_true(fabs(block.mode.ns - HOP_NS) < 1e-9);
		assert_true(fabs(block.mean.ns - HOP_NS) < 1e-9);
		assert_true(block.all_ns > HOP_NS);
		assert_int_equal(block.off_mode, 0);
		assert_int_equal(block.watched, block.batches);
		sampler_block_free(&block);
	}
}

static void beside_a_lap_longer_than_a_block_nothing_is_watched(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_options options = plain;
	struct sampler_block block;
	options.lap_hops = 100 * 1000 * 1000;
	script.first_shared = 1;
	script.last_shared = UINT32_MAX - 1;
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
	assert_int_equal(block.watched, 0);
	assert_int_equal(block.rejected[FATHOM_REJECTED_SIBLING], 0);
	sampler_block_free(&block);
}

static void it_waits_no_longer_than_it_may(void **state)
{
	(void)state;
	static const double patience_s[] = {0, 0.01, 1}, most_s[] = {0.0012, 0.01, 0.02};
	for (int i = 0; i < 3; i++) {
		struct script script = make_script();
		struct sampler_options options = plain;
		struct sampler_block block;
		options.patience_s = patience_s[i];
		script.first_shared = 1;
		script.last_shared = UINT32_MAX - 1;
		assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
		assert_true(block.disturbed && block.count == block.batches);
		assert_true(fabs(script.now_ns * 1e-9 - most_s[i]) < 0.2 * most_s[i]);
		assert_true(fabs(block.beside_s - script.now_ns * 1e-9) < 0.1 * block.beside_s);
		assert_true(fabs(block.mean.ns - block.all_ns) < 1e-9);
		sampler_block_free(&block);
	}
}

static void what_else_is_rejected_is_repeated_once_that_program_is_gone(void **state)
{
	(void)state;
	struct script script = make_script();
	struct sampler_options options = plain;
	struct sampler_block block;
	options.patience_s = 0;
	script.first_shared = 1;
	script.last_shared = GROUP / 2;
	script.bad_run = GROUP + 3;
	script.what = SWITCH;
	assert_int_equal(sampler_run(&script.meter, &options, &block, NULL), 0);
	assert_in_range(block.rejected[FATHOM_REJECTED_SIBLING], GROUP / 2, GROUP / 2 + 1);
	assert_int_equal(block.rejected[FATHOM_REJECTED_SWITCH], GROUP);
	assert_true(block.count >= 24);
	sampler_block_free(&block);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_fixed_cost_is_learnt),
	cmocka_unit_test(a_short_lap_is_walked_before_each_group),
	cmocka_unit_test(fixed_cost_is_taken_off),
	cmocka_unit_test(a_disturbed_group_is_rejected_counted_and_repeated),
	cmocka_unit_test(what_a_program_feels_is_the_mean_of_all),
	cmocka_unit_test(what_runs_on_another_cpu_has_migrated),
	cmocka_unit_test(never_clean_is_kept_and_said),
	cmocka_unit_test(beside_a_lap_longer_than_a_block_nothing_is_watched),
	cmocka_unit_test(hits_and_misses_that_come_in_runs_count_alike),
	cmocka_unit_test(a_lap_of_several_batches_is_timed_in_equal_parts),
	cmocka_unit_test(a_block_has_the_hops_that_it_should),
	cmocka_unit_test(a_lost_chain_is_an_error),
	cmocka_unit_test(without_a_clock_there_are_no_cycles),
	cmocka_unit_test(it_stops_when_asked),
	cmocka_unit_test(it_warms_and_walks_until_steady),
	cmocka_unit_test(it_walks_no_longer_than_allowed),
	cmocka_unit_test(it_finds_the_cost_of_a_hop),
	cmocka_unit_test(what_ran_beside_a_program_on_the_other_thread_is_rejected),
	cmocka_unit_test(it_waits_no_longer_than_it_may),
	cmocka_unit_test(what_else_is_rejected_is_repeated_once_that_program_is_gone),
};
UNIT_GROUP();
