/* What happens beside a run is told: pages that the kernel worked on, a thread that was moved. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/warnings.h"
#include "measure/meter.h"
#include "measure/plan/plan.h"
#include "measure/schedule/sweep.h"
#include "unit.h"

#define MACHINE "sim:l1=16K/8/lru/5c,l2=off,l3=off,mem=60ns,dtlb=off,noise=0,outliers=0"

struct run {
	struct fathom_machine *machine;
	struct fathom_plan *plan;
	struct meter *meter;
	struct meter_ops ops; /* the simulated meter's, but for what a test replaces */
	struct fathom_result *result;
};

static uint64_t looks;

/* Each second reading finds a page split: beside every block. */
static void split_beside_each(struct meter *meter, struct vm_counts *now)
{
	(void)meter;
	*now = (struct vm_counts){.values = {++looks / 2}};
}

static void open_run(struct run *run)
{
	struct fathom_request request;
	struct fathom_error error = {0};
	*run = (struct run){0};
	looks = 0;
	fathom_request_default(&request);
	request.min_size_bytes = 4096;
	request.max_size_bytes = 65536;
	request.per_octave = 1;
	request.control = false;
	request.budget_s = 0.5;
	assert_int_equal(fathom_machine_find(MACHINE, &run->machine, &error), 0);
	assert_int_equal(fathom_plan_make(&request, run->machine, &run->plan, &error), 0);
	assert_int_equal(
		meter_simulated_open(run->machine, PINNING_ANYWHERE, 65536, &run->meter, &error),
		0);
	run->result = calloc(1, sizeof(*run->result));
	assert_non_null(run->result);
	run->ops = *run->meter->ops;
	run->meter->ops = &run->ops;
}

static const char *measure(struct run *run, const char *warning)
{
	assert_int_equal(sweep_run(run->plan, run->meter, NULL, NULL, run->result, NULL), 0);
	const struct fathom_warning *found = warnings_find(&run->result->warnings, warning);
	return found ? found->text : NULL;
}

static void close_run(struct run *run)
{
	run->meter->ops->close(run->meter);
	fathom_result_free(run->result);
	fathom_plan_free(run->plan);
	fathom_machine_free(run->machine);
}

static void nothing_happens(void **state)
{
	(void)state;
	struct run run;
	open_run(&run);
	assert_null(measure(&run, "memory-events"));
	assert_int_equal(run.meter->memory_events.disturbed, 0);
	assert_true(run.meter->memory_events.blocks >= 5 * 6);
	close_run(&run);
}

static void pages_are_split(void **state)
{
	(void)state;
	struct run run;
	open_run(&run);
	run.ops.vm_counts = split_beside_each;
	const char *text = measure(&run, "memory-events");
	const struct vm_record *record = &run.meter->memory_events;
	assert_non_null(text);
	assert_non_null(strstr(text, vm_event_name(0)));
	assert_true(record->blocks >= 5 * 6);
	assert_int_equal(record->disturbed, record->blocks);
	assert_int_equal(record->events[0].count, record->blocks);
	close_run(&run);
}

static void assert_moved(struct meter_location place, int wanted_cpu, const char *text)
{
	struct run run;
	open_run(&run);
	run.plan->cpu = 3;
	run.meter->place = place;
	const char *told = measure(&run, "moved");
	if (text)
		assert_string_equal(told ? told : "nothing", text);
	else
		assert_null(told);
	assert_int_equal(run.result->curves[0].cpu, wanted_cpu);
	close_run(&run);
}

static void the_cpu_of_a_curve_is_where_most_of_it_ran(void **state)
{
	(void)state;
	assert_moved((struct meter_location){1000, 0, 0}, 3, NULL);
	assert_moved((struct meter_location){1000, 5, 7}, 3, NULL);
	assert_moved((struct meter_location){1000, 200, 7}, 3,
		     "20 % of the run was on cpu 7 although cpu 3 was requested: the batches "
		     "measured there are rejected");
	assert_moved((struct meter_location){1000, 900, 7}, 7,
		     "90 % of the run was on cpu 7 although cpu 3 was requested: the values are "
		     "from there");
	assert_moved((struct meter_location){1000, 1000, -1}, -1,
		     "100 % of the run was on other CPUs although cpu 3 was requested: the values "
		     "are from there");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(nothing_happens),
	cmocka_unit_test(pages_are_split),
	cmocka_unit_test(the_cpu_of_a_curve_is_where_most_of_it_ran),
};
UNIT_GROUP();
