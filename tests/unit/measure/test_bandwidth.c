/* Which streams a request asks for, at which sizes and on how many threads. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/patterns.h"
#include "base/plan.h"
#include "base/warnings.h"
#include "machine/machine.h"
#include "measure/experiments/experiments.h"
#include "measure/plan/plan.h"
#include "measure/sampling/line_size.h"
#include "unit.h"

#define GIB ((uint64_t)1 << 30)

static struct fathom_machine *machine; /* three cores of two CPUs */
static struct fathom_request request;

static int open_machine(void **state)
{
	(void)state;
	const struct machine_source source = {NULL, "core:3 pu:2"};
	fathom_request_for(&request, FATHOM_BANDWIDTH);
	if (machine_find(&source, &machine, NULL))
		return -1;
	machine->limit_bytes = 16 * GIB;
	return 0;
}

static int close_machine(void **state)
{
	(void)state;
	fathom_machine_free(machine);
	return 0;
}

static struct fathom_plan *make(void)
{
	struct fathom_plan *plan = NULL;
	struct fathom_error error = {0};
	if (fathom_plan_make(&request, machine, &plan, &error))
		fail_msg("%s", error.text);
	return plan;
}

static void refused(enum fathom_status status, const char *word, const char *hint)
{
	struct fathom_plan *plan = NULL;
	struct fathom_error error = {0};
	assert_int_equal(fathom_plan_make(&request, machine, &plan, &error), -1);
	assert_int_equal(error.status, status);
	assert_non_null(strstr(error.text, word));
	assert_non_null(strstr(error.hint, hint));
	fathom_error_clear(&error);
}

/* The next curve's first spec; the plan's end after the last. */
static const struct fathom_spec *next_curve(const struct fathom_plan *plan,
					    const struct fathom_spec *first)
{
	return plan->specs + plan_curve_end(plan, (size_t)(first - plan->specs));
}

static void by_default_all_on_one_thread_and_on_one_a_core(void **state)
{
	(void)state;
	struct fathom_plan *plan = make();
	const struct fathom_spec *end = plan->specs + plan->spec_count, *curve = plan->specs;
	size_t curves = 0;
	for (; curve < end; curve = next_curve(plan, curve), curves++) {
		const struct fathom_spec *last = next_curve(plan, curve) - 1;
		assert_true(pattern_streams(curve->pattern));
		assert_int_equal(curve->threads, curves % 2 ? 3 : 1);
		assert_int_equal(curve->node_bytes, 64);
		assert_int_equal(curve->vector_bytes, 0); /* the meter finds the best */
		assert_int_equal(curve->size_bytes, 8192);
		assert_int_equal(last->size_bytes, GIB);
		assert_int_equal(last - curve, 17);
	}
	/* Not every CPU has stores past the caches: two operations. */
	assert_true(curves == 12 || curves == 8);
	/* What is mapped: with 8 MiB for each thread's window to move in; the line, and as much. */
	assert_int_equal(plan->memory_bytes, 3 * (GIB + (8 << 20)) + 2 * LINE_SPAN_BYTES);
	fathom_plan_free(plan);
}

/* All threads together leave three quarters of the memory alone. */
static void where_memory_is_short_sizes_end_sooner(void **state)
{
	(void)state;
	machine->limit_bytes = GIB;
	struct fathom_plan *plan = make();
	const struct fathom_spec *second = next_curve(plan, plan->specs);
	assert_int_equal(second[-1].size_bytes, GIB / 4);
	assert_int_equal(next_curve(plan, second)[-1].size_bytes, GIB / 16);
	fathom_plan_free(plan);
}

/* The memory of each kind of page is kept, and each thread has its own. */
static void each_kind_of_page_and_thread_has_memory_with_room(void **state)
{
	(void)state;
	const uint64_t room = 8 << 20;
	struct fathom_spec specs[] = {
		{.pattern = FATHOM_READ, .size_bytes = GIB, .threads = 1, .page = FATHOM_PAGE_4K},
		{.pattern = FATHOM_READ,
		 .size_bytes = GIB,
		 .threads = 2,
		 .page = FATHOM_PAGE_DEFAULT},
	};
	struct fathom_plan plan = {.experiment = FATHOM_BANDWIDTH,
				   .always_bytes = GIB,
				   .specs = specs,
				   .spec_count = 2};
	struct fathom_error error = {0};
	for (int i = 0; i < 2; i++) {
		specs[i].node_bytes = 64;
		specs[i].lanes = 1;
	}
	machine->limit_bytes = 3 * (GIB + room) + LINE_SPAN_BYTES;
	assert_int_equal(plan_check(&plan, machine, NULL), 0);
	machine->limit_bytes--;
	assert_int_equal(plan_check(&plan, machine, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	assert_non_null(strstr(error.text, "the other memory of the plan"));
	fathom_error_clear(&error);
}

/* Threads are many where memory is short: there is less room to move. */
static void room_is_a_small_share_of_the_memory(void **state)
{
	(void)state;
	machine->limit_bytes = 192 << 20;
	struct fathom_plan *plan = make();
	assert_true(plan->memory_bytes <= machine->limit_bytes / 2);
	fathom_plan_free(plan);
}

static void what_is_asked_for_is_planned(void **state)
{
	(void)state;
	static const uint64_t sizes[] = {1000, 1 << 20};
	static const uint32_t threads[] = {0, 3, 2};
	static const enum fathom_pattern streams[] = {FATHOM_COPY};
	request.sizes_bytes = sizes;
	request.size_count = 2;
	request.threads = threads;
	request.thread_count = 3;
	request.streams = streams;
	request.stream_count = 1;
	request.spec.vector_bytes = 8;
	struct fathom_plan *plan = make();
	assert_int_equal(plan->spec_count, 4); /* three is one a core */
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(plan->specs[i].pattern, FATHOM_COPY);
		assert_int_equal(plan->specs[i].vector_bytes, 8);
		assert_int_equal(plan->specs[i].threads, i < 2 ? 2 : 3);
		assert_int_equal(plan->specs[i].size_bytes, i % 2 ? 1 << 20 : 960);
	}
	fathom_plan_free(plan);
}

static void what_cannot_be_is_refused(void **state)
{
	(void)state;
	static const uint32_t threads[] = {7};
	static const uint64_t small[] = {64}, large[] = {8 * GIB};
	static const enum fathom_pattern copy[] = {FATHOM_COPY}, chain[] = {FATHOM_REVERSE};
	request.threads = threads;
	request.thread_count = 1;
	refused(FATHOM_USAGE, "too few CPUs for 7 threads: each needs its own",
		"6 CPUs are allowed here: 0-5");
	request.threads = NULL;
	request.sizes_bytes = large;
	request.size_count = 1;
	refused(FATHOM_UNABLE, "24 GiB for all threads exceeds the 16 GiB", "--threads");
	request.sizes_bytes = small;
	request.streams = copy;
	request.stream_count = 1;
	refused(FATHOM_USAGE, "a line to read and one to write",
		"or select other operations with --operation");
	request.sizes_bytes = NULL;
	request.spec.vector_bytes = 24;
	refused(FATHOM_USAGE, "vectors of 192 bits", "512");
	request.spec.vector_bytes = 0;
	request.streams = chain;
	struct fathom_plan *plan = NULL;
	assert_int_equal(fathom_plan_make(&request, machine, &plan, NULL), -1);
}

static void threads_that_share_cores_are_told(void **state)
{
	(void)state;
	static const uint32_t threads[] = {1, 5};
	struct fathom_warnings warnings = {0};
	struct fathom_plan *plan = make();
	bandwidth_warn(plan, machine, &warnings);
	assert_int_equal(warnings.count, 0);
	fathom_plan_free(plan);
	request.threads = threads;
	request.thread_count = 2;
	plan = make();
	bandwidth_warn(plan, machine, &warnings);
	assert_int_equal(warnings.count, 1);
	assert_string_equal(warnings.items[0].id, "shared-cores");
	warnings_free(&warnings);
	fathom_plan_free(plan);
}

#define WITH_MACHINE(test) cmocka_unit_test_setup_teardown(test, open_machine, close_machine)

static const struct CMUnitTest tests[] = {
	WITH_MACHINE(by_default_all_on_one_thread_and_on_one_a_core),
	WITH_MACHINE(where_memory_is_short_sizes_end_sooner),
	WITH_MACHINE(each_kind_of_page_and_thread_has_memory_with_room),
	WITH_MACHINE(room_is_a_small_share_of_the_memory),
	WITH_MACHINE(what_is_asked_for_is_planned),
	WITH_MACHINE(what_cannot_be_is_refused),
	WITH_MACHINE(threads_that_share_cores_are_told),
};
UNIT_GROUP();
