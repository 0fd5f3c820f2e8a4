/* One disturbance at each of the first timed calls of a run in turn, and storms of all calls: every
 * number is what it is without them, or absent and said to be. */
#include <stddef.h>
#include <stdint.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/warnings.h"
#include "measure/sampling/calibrate.h"
#include "measure/sampling/line_size.h"
#include "measure/schedule/rounds.h"
#include "measure/schedule/sweep.h"
#include "unit.h"

#define EXACT "sim:noise=0,outliers=0,drift=0,l3=off,dtlb=off,memory=64M,"
/* So slow that a timed run of it is some 50 hops. */
#define SLOW EXACT "clock=100M,l1=4K/8/lru/4c,l2=16K/8/lru/12c,mem=2000ns,timer=2ns"
/* Additions are as short, against the timer, as on real ones. */
#define FAST       EXACT "clock=3.6G,l1=4K/8/lru/4c,l2=16K/8/lru/12c,mem=50ns,timer=2ns"
#define LINE_BYTES 64
#define TOLERANCE  0.005
#define WORKERS    2
#define CALLS      5000
#define LEARNING   400 /* calls until the clock is learnt */
#define SEEDS      2
#define CALL_US    2.0 /* the shortest timed call, about */
#define MOST       8   /* numbers of each kind */

struct trial {
	const char *machine;
	enum fathom_experiment experiment;
	double budget_s;
};

static const struct trial slow_sweep = {SLOW, FATHOM_LATENCY, 1};
static const struct trial fast_sweep = {FAST, FATHOM_LATENCY, 0.02};
static const struct trial slow_lanes = {SLOW, FATHOM_PARALLELISM, 0.1}; /* all of it is taken */

struct outcome {
	size_t count;
	double ns[MOST], cycles[MOST], floors_ns[MOST]; /* NAN: not told */
	double clock_hz;
	uint64_t line_bytes; /* 0: not told */
	bool cost_clear, cost_differs, no_cycles, no_floor;
};

struct setup {
	struct fathom_machine *machine;
	struct meter *meter;
	struct fathom_plan *plan;
	struct fathom_result result;
	struct outcome outcome;
};

/* `slowdown`: how much longer calls take in the mean than they do undisturbed. */
static void open_setup(struct setup *setup, const struct trial *trial, const char *stolen,
		       double slowdown)
{
	static const uint64_t sizes_bytes[] = {2048};
	static const uint32_t threads[] = {1};
	struct fathom_request request;
	char text[300];
	memset(setup, 0, sizeof(*setup));
	snprintf(text, sizeof(text), "%s%s", trial->machine, stolen);
	fathom_request_default(&request);
	request.spec.seed = 1;
	request.spec.page = FATHOM_PAGE_4K;
	request.experiment = trial->experiment;
	request.budget_s = trial->budget_s * slowdown;
	request.control = false;
	request.per_octave = 1;
	request.max_size_bytes = 8192;
	if (trial->experiment == FATHOM_PARALLELISM) {
		request.max_size_bytes = 0;
		request.sizes_bytes = sizes_bytes;
		request.size_count = 1;
		request.threads = threads;
		request.thread_count = 1;
		request.most_lanes = 5;
	}
	assert_int_equal(fathom_machine_find(text, &setup->machine, NULL), 0);
	assert_int_equal(fathom_plan_make(&request, setup->machine, &setup->plan, NULL), 0);
	assert_int_equal(meter_simulated_open(setup->machine, PINNING_ANYWHERE, LINE_SPAN_BYTES,
					      &setup->meter, NULL),
			 0);
}

static void take_outcome(struct setup *setup)
{
	struct outcome *outcome = &setup->outcome;
	struct fathom_result *result = &setup->result;
	const struct fathom_curve *curve = &result->curves[0];
	outcome->count = curve->point_count;
	for (size_t i = 0; i < curve->point_count; i++) {
		const struct fathom_point *point = &curve->points[i];
		bool one = point->spec.lanes == 1;
		outcome->ns[i] = one ? point->latency_ns : point->ns_per_access;
		outcome->cycles[i] = point->latency_cycles;
		outcome->floors_ns[i] = point->floor_ns;
	}
	outcome->clock_hz = result->clock_median_hz;
	outcome->no_cycles = warnings_find(&result->warnings, "no-cycles");
	outcome->no_floor = warnings_find(&result->warnings, "no-floor");
}

/* As fathom_measure does it, but for levels: fitting them takes longer than all the rest. */
static struct outcome measure(const struct trial *trial, const char *stolen, double slowdown)
{
	struct setup setup;
	struct calibrate_cost cost;
	open_setup(&setup, trial, stolen, slowdown);
	struct outcome *outcome = &setup.outcome;
	struct meter *meter = setup.meter;
	assert_int_equal(calibrate_fixed_cost(meter, FATHOM_PAGE_4K, 1, &cost, NULL), 0);
	meter->fixed_cost_ns = cost.ns;
	outcome->cost_clear = cost.clear;
	assert_int_equal(
		line_size_measure(meter, FATHOM_PAGE_4K, 1, LINE_BYTES, &outcome->line_bytes, NULL),
		0);
	int status = trial->experiment == FATHOM_LATENCY
			     ? sweep_run(setup.plan, meter, NULL, NULL, &setup.result, NULL)
			     : rounds_run(setup.plan, meter, NULL, &setup.result, NULL);
	assert_int_equal(status, 0);
	assert_int_equal(calibrate_fixed_cost(meter, FATHOM_PAGE_4K, 1, &cost, NULL), 0);
	outcome->cost_differs = calibrate_cost_differs(meter, &cost);
	take_outcome(&setup);
	meter->ops->close(meter);
	struct fathom_result *result = &setup.result;
	for (size_t i = 0; i < result->curve_count; i++) {
		for (size_t k = 0; k < result->curves[i].point_count; k++)
			free(result->curves[i].points[k].blocks_ns);
		free(result->curves[i].points);
	}
	free(result->curves);
	free(result->clock_missing);
	warnings_free(&result->warnings);
	fathom_plan_free(setup.plan);
	fathom_machine_free(setup.machine);
	return setup.outcome;
}

static bool is_near(double value, double wanted)
{
	return fabs(value / wanted - 1) <= TOLERANCE;
}

/* NULL, or what is wrong and not marked. */
static const char *find_fault(const struct outcome *outcome, const struct outcome *truth)
{
	if (outcome->count != truth->count)
		return "points are missing";
	if (outcome->line_bytes && outcome->line_bytes != LINE_BYTES)
		return "the line";
	if (isnan(outcome->clock_hz) ? !outcome->no_cycles
				     : !is_near(outcome->clock_hz, truth->clock_hz))
		return "the clock";
	bool cost_told = !outcome->cost_clear || outcome->cost_differs;
	for (size_t i = 0; i < truth->count; i++) {
		double floor_ns = outcome->floors_ns[i];
		if (!is_near(outcome->ns[i], truth->ns[i]) && !cost_told)
			return "a latency";
		if (!isnan(truth->cycles[i]) && !isnan(outcome->cycles[i]) &&
		    !is_near(outcome->cycles[i], truth->cycles[i]) && !cost_told)
			return "cycles";
		if (!isnan(truth->cycles[i]) && isnan(outcome->cycles[i]) && !outcome->no_cycles)
			return "cycles that are missing";
		if (isnan(truth->floors_ns[i]) ? !isnan(floor_ns)
		    : isnan(floor_ns)          ? !outcome->no_floor
					       : !is_near(floor_ns, truth->floors_ns[i]))
			return "a floor";
	}
	return NULL;
}

/* In turn the smallest that matters, a timer tick, a slice that another task takes. */
static const char *stolen_time(unsigned call)
{
	static const char *const times[] = {"300ns", "3us", "20us", "4ms"};
	return times[call % 4];
}

/* Every `step`-th call. */
static int disturb_calls(const struct trial *trial, const struct outcome *truth, unsigned first,
			 unsigned last, unsigned step)
{
	char stolen[100];
	int faults = 0;
	for (unsigned call = first; call <= last; call += step) {
		snprintf(stolen, sizeof(stolen), ",disturb=%u:%s", call, stolen_time(call / step));
		struct outcome outcome = measure(trial, stolen, 1);
		const char *fault = find_fault(&outcome, truth);
		if (fault)
			fprintf(stderr, "%s: %s\n", stolen, fault);
		faults += fault != NULL;
	}
	return faults;
}

static void disturb_each(const struct trial *trial, unsigned first, unsigned last, unsigned step)
{
	struct outcome truth = measure(trial, "", 1);
	pid_t workers[WORKERS];
	int faults = 0;
	for (unsigned i = 0; i < WORKERS; i++) {
		workers[i] = fork();
		assert_true(workers[i] >= 0);
		if (workers[i] == 0)
			_exit(disturb_calls(trial, &truth, first + i * step, last,
					    WORKERS * step) != 0);
	}
	for (unsigned i = 0; i < WORKERS; i++) {
		int status;
		assert_int_equal(waitpid(workers[i], &status, 0), workers[i]);
		faults += status != 0;
	}
	assert_int_equal(faults, 0);
}

static void the_undisturbed_is_exact(void **state)
{
	(void)state;
	struct outcome truth = measure(&slow_sweep, "", 1);
	assert_true(truth.count == 4 && truth.cost_clear && !truth.cost_differs);
	assert_true(is_near(truth.ns[0], 40) && is_near(truth.ns[2], 40));
	assert_true(is_near(truth.cycles[0], 4) && is_near(truth.clock_hz, 1e8));
	assert_int_equal(truth.line_bytes, LINE_BYTES);
	assert_null(find_fault(&truth, &truth));
	truth = measure(&slow_lanes, "", 1);
	assert_true(truth.count == 5 && is_near(truth.floors_ns[4], 10));
	assert_null(find_fault(&truth, &truth));
}

static void one_disturbance_changes_no_latency(void **state)
{
	(void)state;
	disturb_each(&slow_sweep, 1, LEARNING, 1);
	disturb_each(&slow_sweep, LEARNING + 1, CALLS, 7);
}

static void one_disturbance_changes_no_fast_clock(void **state)
{
	(void)state;
	disturb_each(&fast_sweep, 1, LEARNING, 1);
}

static void one_disturbance_changes_no_lanes(void **state)
{
	(void)state;
	disturb_each(&slow_lanes, 1, CALLS, 29);
}

static int find_storm_faults(const struct trial *trial, const char *stolen, double slowdown,
			     const struct outcome *truth)
{
	struct outcome outcome = measure(trial, stolen, slowdown);
	const char *fault = find_fault(&outcome, truth);
	if (fault)
		fprintf(stderr, "%s%s: %s\n",
			trial->experiment == FATHOM_LATENCY ? "latency" : "lanes", stolen, fault);
	return fault != NULL;
}

static void storms_change_nothing(void **state)
{
	(void)state;
	static const int percents[] = {1, 3, 10, 20, 30};
	static const int means_us[] = {2, 50, 1000};
	struct outcome latency = measure(&slow_sweep, "", 1);
	struct outcome lanes = measure(&slow_lanes, "", 1);
	int faults = 0;
	for (int i = 0; i < 5 * 3 * SEEDS; i++) {
		char stolen[100];
		int percent = percents[i % 5], mean_us = means_us[i / 5 % 3];
		double slowdown = 1 + 0.01 * percent * mean_us / CALL_US;
		snprintf(stolen, sizeof(stolen), ",seed=%d,disturb=%d%%:%dus", 1 + i / 15, percent,
			 mean_us);
		faults += find_storm_faults(&slow_sweep, stolen, slowdown, &latency);
		faults += find_storm_faults(&slow_lanes, stolen, slowdown, &lanes);
	}
	assert_int_equal(faults, 0);
}

/* A half of L1 is read for most of the time. */
static void a_busy_sibling_changes_nothing(void **state)
{
	(void)state;
	struct outcome truth = measure(&fast_sweep, "", 1);
	int faults = 0;
	for (int seed = 1; seed <= 2 * SEEDS; seed++) {
		char turns[100];
		snprintf(turns, sizeof(turns), ",seed=%d,turns=2K/%dus/%dus", seed,
			 seed % 2 ? 100 : 800, seed % 2 ? 25 : 200);
		faults += find_storm_faults(&fast_sweep, turns, 10, &truth);
	}
	assert_int_equal(faults, 0);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(the_undisturbed_is_exact),
	cmocka_unit_test(one_disturbance_changes_no_latency),
	cmocka_unit_test(one_disturbance_changes_no_fast_clock),
	cmocka_unit_test(one_disturbance_changes_no_lanes),
	cmocka_unit_test(storms_change_nothing),
	cmocka_unit_test(a_busy_sibling_changes_nothing),
};
UNIT_GROUP();
