/* The hardware's meter streams: every operation, on one thread and on all CPUs, and what it does
 * between chains. */
#include <sched.h>
#include <stddef.h>
#include <stdint.h>

#include "base/warnings.h"
#include "machine/cores.h"
#include "measure/memory/stream_variant.h"
#include "measure/meters/meter_streams.h"
#include "unit.h"

#define CAPACITY (1u << 20)

static struct fathom_machine *machine;
static struct meter *meter;
static struct fathom_warnings warnings;
static uint32_t cpus;
static cpu_set_t affinity;

static int open_meter(void **state)
{
	(void)state;
	struct cores cores;
	sched_getaffinity(0, sizeof(affinity), &affinity);
	if (fathom_machine_find(NULL, &machine, NULL) ||
	    cores_find(machine, machine->default_cpu, &cores, NULL))
		return -1;
	cpus = cores.cpu_count < 8 ? cores.cpu_count : 8;
	cores_free(&cores);
	const uint64_t chains_bytes[FATHOM_PAGE_UNKNOWN] = {CAPACITY};
	return meter_hardware_open(machine,
				   (struct pinning_place){.cpu = machine->default_cpu, .node = -1},
				   chains_bytes, &warnings, &meter, NULL);
}

static int close_meter(void **state)
{
	(void)state;
	meter->ops->close(meter);
	warnings_free(&warnings);
	fathom_machine_free(machine);
	sched_setaffinity(0, sizeof(affinity), &affinity);
	return 0;
}

static struct fathom_spec spec_of(int pattern, uint64_t size_bytes, uint32_t threads)
{
	return (struct fathom_spec){.size_bytes = size_bytes,
				    .node_bytes = 64,
				    .lanes = 1,
				    .threads = threads,
				    .pattern = (enum fathom_pattern)pattern};
}

static struct meter_placement prepare(const struct fathom_spec *spec, uint64_t key)
{
	struct meter_placement placement;
	struct fathom_error error = {0};
	if (meter->ops->prepare(meter, spec, key, true, &placement, &error))
		fail_msg("%s", error.text);
	return placement;
}

static double run(uint64_t hops)
{
	double ns;
	bool arrived = false;
	meter->ops->run(meter, hops, &ns, &arrived);
	assert_true(arrived);
	return ns;
}

static void stream(int pattern, uint64_t size_bytes, uint32_t threads)
{
	struct fathom_spec spec = spec_of(pattern, size_bytes, threads);
	struct meter_placement placement = prepare(&spec, size_bytes);
	assert_true(placement.page_bytes && placement.page_share > 0);
	assert_non_null(stream_kernel(spec.pattern, placement.vector_bytes));
	assert_true(meter->ops->warm(meter, 100) > 0);
	assert_true(run(1000) > 0);
	assert_true(run(64) > 0);
	/* The mean is between them, whatever the threads did from run to run. */
	if (threads > 1)
		assert_true(meter->slowest_thread >= 1 - 1e-9 && meter->fastest_thread <= 1 + 1e-9);
}

static void all_operations_run_and_prove_it(void **state)
{
	(void)state;
	static const uint64_t sizes[] = {128, 4096 + 64, 256 << 10, CAPACITY};
	for (int pattern = FATHOM_READ; pattern <= FATHOM_UPDATE; pattern++)
		for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
			if (!stream_kernel((enum fathom_pattern)pattern, 0))
				continue;
			stream(pattern, sizes[i], 1);
			stream(pattern, sizes[i], cpus);
		}
}

static void the_width_asked_for_is_what_one_gets(void **state)
{
	(void)state;
	for (uint32_t bytes = 8; bytes <= 64; bytes *= 2) {
		struct fathom_spec spec = spec_of(FATHOM_UPDATE, 8192, 1);
		struct meter_placement placement;
		spec.vector_bytes = bytes;
		bool there = stream_kernel(spec.pattern, bytes);
		assert_int_equal(meter->ops->prepare(meter, &spec, 1, true, &placement, NULL),
				 there ? 0 : -1);
		if (there)
			assert_int_equal(placement.vector_bytes, bytes);
	}
}

static void chains_and_streams_take_turns(void **state)
{
	(void)state;
	struct fathom_spec chain = spec_of(FATHOM_RANDOM_CYCLE, 65536, 1);
	struct fathom_spec copy = spec_of(FATHOM_COPY, CAPACITY, cpus);
	struct interference before, after;
	for (uint64_t key = 0; key < 3; key++) {
		prepare(&chain, key);
		run(6400);
		prepare(&copy, key);
		meter->ops->interference(meter, &before);
		run(20000);
		meter->ops->interference(meter, &after);
		assert_true(after.switches >= before.switches);
		assert_true(after.faults >= before.faults);
	}
}

/* More than was planned for is mapped anew, once, and what the machine has not is refused. */
static void chains_never_outgrow_their_memory(void **state)
{
	(void)state;
	struct fathom_error error = {0};
	struct meter_placement placement;
	for (uint64_t bytes = CAPACITY / 2; bytes <= 4 * CAPACITY; bytes *= 2) {
		struct fathom_spec chain = spec_of(FATHOM_RANDOM_CYCLE, bytes, 1);
		prepare(&chain, 7);
		run(2 * bytes / 64);
	}
	uint64_t limit_bytes = machine->limit_bytes;
	struct fathom_spec chain = spec_of(FATHOM_RANDOM_CYCLE, 8 * CAPACITY, 1);
	machine->limit_bytes = 8 * CAPACITY - 1;
	assert_int_equal(meter->ops->prepare(meter, &chain, 7, true, &placement, &error), -1);
	assert_int_equal(error.status, FATHOM_UNABLE);
	machine->limit_bytes = limit_bytes;
	chain.size_bytes = 4 * CAPACITY;
	prepare(&chain, 7);
	run(1000 * 64);
	fathom_error_clear(&error);
}

static bool stop_at_once(void *context)
{
	(void)context;
	return true;
}

static void touching_memory_can_be_stopped(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(FATHOM_READ, CAPACITY, 1);
	struct meter_placement placement;
	meter->stop = stop_at_once;
	assert_int_equal(meter->ops->prepare(meter, &spec, 1, true, &placement, NULL), 1);
	meter->stop = NULL;
	stream(FATHOM_READ, CAPACITY, 1);
}

static void more_threads_than_cpus_are_refused(void **state)
{
	(void)state;
	struct fathom_spec spec = spec_of(FATHOM_READ, 4096, 1 << 20);
	struct meter_placement placement;
	struct fathom_error error = {0};
	assert_int_equal(meter->ops->prepare(meter, &spec, 1, true, &placement, &error), -1);
	assert_int_equal(error.status, FATHOM_USAGE);
	fathom_error_clear(&error);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(all_operations_run_and_prove_it),
	cmocka_unit_test(the_width_asked_for_is_what_one_gets),
	cmocka_unit_test(chains_and_streams_take_turns),
	cmocka_unit_test(chains_never_outgrow_their_memory),
	cmocka_unit_test(touching_memory_can_be_stopped),
	cmocka_unit_test(more_threads_than_cpus_are_refused),
};
UNIT_GROUP(.setup = open_meter, .teardown = close_meter);
