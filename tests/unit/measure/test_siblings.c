/* What keeps the other threads of a core busy, on CPUs of this machine that pass for one core's. */
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "base/stopwatch.h"
#include "machine/cores.h"
#include "measure/meters/siblings.h"
#include "measure/sampling/team.h"
#include "unit.h"

static struct fathom_machine *machine;
static cpu_set_t affinity;

/* All of its CPUs are of one core. */
static int open_machine(void **state)
{
	(void)state;
	sched_getaffinity(0, sizeof(affinity), &affinity);
	if (fathom_machine_find(NULL, &machine, NULL))
		return -1;
	for (size_t i = 0; i < machine->cpu_count; i++)
		machine->cpus[i].core = 0;
	return 0;
}

static int close_machine(void **state)
{
	(void)state;
	fathom_machine_free(machine);
	sched_setaffinity(0, sizeof(affinity), &affinity);
	return 0;
}

static void need_two_cpus(void)
{
	int sibling;
	if (cores_siblings(machine, machine->default_cpu, &sibling, 1) == 0) {
		print_message("one CPU alone\n");
		skip();
	}
}

struct own {
	atomic_uint prepared, worked;
};

static void prepare(void *context)
{
	struct own *own = context;
	atomic_fetch_add(&own->prepared, 1);
}

static void work(void *context)
{
	struct own *own = context;
	atomic_fetch_add(&own->worked, 1);
}

static void companions_work_until_they_are_closed(void **state)
{
	(void)state;
	struct own first = {0}, second = {0};
	void *own[] = {&first, &second};
	const int cpus[] = {machine->default_cpu, machine->default_cpu};
	struct companions *companions = NULL;
	assert_int_equal(companions_open(machine, cpus, 2, prepare, work, own, &companions, NULL),
			 0);
	assert_int_equal(atomic_load(&first.prepared) + atomic_load(&second.prepared), 2);
	while (!atomic_load(&first.worked) || !atomic_load(&second.worked))
		stopwatch_wait(0.001);
	companions_close(companions);
	unsigned worked = atomic_load(&first.worked);
	stopwatch_wait(0.01);
	assert_int_equal(atomic_load(&first.worked), worked);
	companions_close(NULL);
}

static void a_companion_that_cannot_be_bound_is_refused(void **state)
{
	(void)state;
	struct own own = {0};
	void *owns[] = {&own};
	const int cpu = 999999;
	struct companions *companions = NULL;
	struct fathom_error error = {0};
	assert_int_equal(
		companions_open(machine, &cpu, 1, prepare, work, owns, &companions, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_null(companions);
	assert_int_equal(atomic_load(&own.worked), 0);
	fathom_error_clear(&error);
}

static double used_s(void)
{
	struct rusage usage;
	getrusage(RUSAGE_SELF, &usage);
	return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6;
}

static void siblings_are_busy_as_asked(void **state)
{
	(void)state;
	need_two_cpus();
	for (int sibling = FATHOM_SIBLING_ANY; sibling <= FATHOM_SIBLING_STREAMS; sibling++) {
		struct pinning_place place = {.cpu = machine->default_cpu,
					      .node = -1,
					      .sibling = (enum fathom_sibling)sibling};
		struct siblings *siblings;
		assert_int_equal(siblings_open(machine, place, 1 << 20, &siblings, NULL), 0);
		bool busy = sibling >= FATHOM_SIBLING_COMPUTES;
		assert_true(busy == (siblings != NULL));
		double before_s = used_s(), waited_s = 0;
		for (; busy && used_s() - before_s < 0.01 && waited_s < 30; waited_s += 0.01)
			stopwatch_wait(0.01);
		assert_true(!busy || waited_s < 30);
		siblings_close(siblings);
	}
}

/* From the request to the curves, on the hardware. */
static void each_state_has_its_curve(void **state)
{
	(void)state;
	need_two_cpus();
	struct fathom_request request;
	struct fathom_plan *plan = NULL;
	struct fathom_result *result = NULL;
	const uint64_t size_bytes = 4096;
	fathom_request_for(&request, FATHOM_LATENCY);
	request.siblings = "all";
	request.sizes_bytes = &size_bytes;
	request.size_count = 1;
	request.control = false;
	request.budget_s = 0.6;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), 0);
	assert_string_equal(plan->siblings, "idle,computes,streams");
	assert_int_equal(fathom_measure(plan, machine, NULL, &result, NULL), 0);
	assert_int_equal(result->curve_count, 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(result->curves[i].sibling, FATHOM_SIBLING_IDLE + (int)i);
		assert_int_equal(result->curves[i].point_count, 1);
	}
	result->machine = NULL; /* is closed with the others' */
	fathom_result_free(result);
	fathom_plan_free(plan);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(companions_work_until_they_are_closed),
	cmocka_unit_test(a_companion_that_cannot_be_bound_is_refused),
	cmocka_unit_test(siblings_are_busy_as_asked),
	cmocka_unit_test(each_state_has_its_curve),
};
UNIT_GROUP(.setup = open_machine, .teardown = close_machine);
