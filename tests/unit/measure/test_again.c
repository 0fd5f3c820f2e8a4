/* What contradicts itself is measured again: a disturbance that has ended leaves no gap, and one
 * that goes on leaves a number that was not measured. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "fathom_again.h"
#include "measure/schedule/rounds.h"
#include "model/parallelism/parallelism.h"
#include "unit.h"

#define MACHINE                                                                                    \
	"sim:noise=0,outliers=0,drift=0,l1=4K/4/lru/4c,l2=off,dtlb=off,mem=60ns,placement=even,"   \
	"memory=64M"
#define SLOWED         3
#define CAPACITY_BYTES (16ull << 20)

static struct meter_ops ops; /* those of the meter, but for the run */
static const struct meter_ops *plain;
static double times; /* as slow: one lane */

static void run(struct meter *meter, uint64_t hops, double *ns, bool *arrived)
{
	plain->run(meter, hops, ns, arrived);
	if (meter->hops_unit == 1)
		*ns *= times;
}

struct trial {
	struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct meter *meter;
	struct fathom_result result;
};

static void open_trial(struct trial *trial, uint64_t second_bytes)
{
	const uint64_t sizes_bytes[] = {65536, second_bytes};
	static const uint32_t threads[] = {1};
	struct fathom_request request;
	*trial = (struct trial){0};
	fathom_request_for(&request, FATHOM_PARALLELISM);
	request.spec.seed = 1;
	request.spec.page = FATHOM_PAGE_4K;
	request.budget_s = 0.4;
	request.sizes_bytes = sizes_bytes;
	request.size_count = 2;
	request.threads = threads;
	request.thread_count = 1;
	request.most_lanes = 4;
	assert_int_equal(fathom_machine_find(MACHINE, &trial->machine, NULL), 0);
	assert_int_equal(fathom_plan_make(&request, trial->machine, &trial->plan, NULL), 0);
	assert_int_equal(meter_simulated_open(trial->machine, PINNING_ANYWHERE, CAPACITY_BYTES,
					      &trial->meter, NULL),
			 0);
	plain = trial->meter->ops;
	ops = *plain;
	ops.run = run;
	trial->meter->ops = &ops;
	trial->result.machine = trial->machine;
}

static void close_trial(struct trial *trial)
{
	struct fathom_result *result = malloc(sizeof(*result));
	assert_non_null(result);
	*result = trial->result;
	trial->meter->ops->close(trial->meter);
	fathom_plan_free(trial->plan);
	fathom_result_free(result);
}

static size_t count_warnings(const struct fathom_result *result, const char *id)
{
	size_t count = 0;
	for (size_t i = 0; i < result->warnings.count; i++)
		count += strcmp(result->warnings.items[i].id, id) == 0;
	return count;
}

/* Disturbed by so much first, and then. */
static void measure(struct trial *trial, uint64_t second_bytes, double first, double then)
{
	open_trial(trial, second_bytes);
	times = first;
	assert_int_equal(rounds_run(trial->plan, trial->meter, NULL, &trial->result, NULL), 0);
	assert_int_equal(parallelism_find(&trial->result, NULL), 0);
	times = then;
	assert_int_equal(again_measure(trial->plan, trial->meter, NULL, &trial->result, NULL), 0);
	assert_int_equal(trial->result.parallelism_count, 2);
}

static void is_right(const struct trial *trial, size_t curve)
{
	const struct fathom_parallelism *found = &trial->result.parallelism[curve];
	assert_true(fabs(trial->result.curves[curve].points[0].latency_ns / 60 - 1) < 0.05);
	assert_true(fabs(found->latency_ns / 60 - 1) < 0.05);
	assert_true(found->speedup > 3.5 && found->speedup <= 4);
}

static void what_has_ended_leaves_no_gap(void **state)
{
	(void)state;
	struct trial trial;
	measure(&trial, 131072, SLOWED, 1);
	is_right(&trial, 0);
	is_right(&trial, 1);
	assert_int_equal(count_warnings(&trial.result, "one-lane-disturbed"), 0);
	close_trial(&trial);
}

static void what_goes_on_is_withheld(void **state)
{
	(void)state;
	struct trial trial;
	measure(&trial, 131072, SLOWED, SLOWED);
	assert_true(isnan(trial.result.curves[0].points[0].latency_ns));
	assert_int_equal(count_warnings(&trial.result, "one-lane-disturbed"), 2);
	close_trial(&trial);
}

static void what_there_was_no_time_for_is_told_of_alone(void **state)
{
	(void)state;
	struct trial trial;
	measure(&trial, 1 << 20, SLOWED, 1);
	is_right(&trial, 0);
	assert_true(isnan(trial.result.curves[1].points[0].latency_ns));
	assert_int_equal(count_warnings(&trial.result, "one-lane-disturbed"), 1);
	for (size_t i = 0; i < trial.result.warnings.count; i++)
		if (strcmp(trial.result.warnings.items[i].id, "one-lane-disturbed") == 0)
			assert_string_equal(trial.result.warnings.items[i].where,
					    "1 MiB, 4k pages");
	close_trial(&trial);
}

static void what_is_right_is_not_measured_again(void **state)
{
	(void)state;
	struct trial trial;
	open_trial(&trial, 131072);
	times = 1;
	assert_int_equal(rounds_run(trial.plan, trial.meter, NULL, &trial.result, NULL), 0);
	assert_int_equal(parallelism_find(&trial.result, NULL), 0);
	double before_s = trial.meter->ops->elapsed_s(trial.meter);
	assert_int_equal(again_measure(trial.plan, trial.meter, NULL, &trial.result, NULL), 0);
	assert_true(trial.meter->ops->elapsed_s(trial.meter) <= before_s);
	close_trial(&trial);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(what_has_ended_leaves_no_gap),
	cmocka_unit_test(what_goes_on_is_withheld),
	cmocka_unit_test(what_there_was_no_time_for_is_told_of_alone),
	cmocka_unit_test(what_is_right_is_not_measured_again),
};
UNIT_GROUP();
