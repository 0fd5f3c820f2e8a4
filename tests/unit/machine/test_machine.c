/* What is found of a machine: recorded ones exactly, the real one as far as it must be true
 * anywhere. MACHINES is the directory of the recorded ones. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/machine.h"
#include "machine/private.h"
#include "machine/tree.h"
#include "unit.h"

#define MIB             ((uint64_t)1 << 20)
#define OF_GROUP(bytes) ((bytes)-4 * MIB) /* without what fathom itself needs */
#define GIB             ((uint64_t)1 << 30)

static struct fathom_machine *find(const char *root, const char *topology)
{
	struct machine_source source = {root, topology};
	struct fathom_machine *machine = NULL;
	struct fathom_error error = {0};
	int failed = machine_find(&source, &machine, &error);
	if (failed)
		print_message("%s\n", error.text);
	assert_int_equal(failed, 0);
	fathom_error_clear(&error);
	return machine;
}

static struct fathom_machine *recorded(const char *name)
{
	char *root = text_format("%s/%s", MACHINES, name);
	char *topology = text_format("%s/%s/topology.xml", MACHINES, name);
	struct fathom_machine *machine = find(root, topology);
	free(root);
	free(topology);
	return machine;
}

static void assert_cache(const struct fathom_machine *machine, size_t index,
			 struct fathom_cache wanted)
{
	const struct fathom_cache *cache = &machine->caches[index];
	assert_in_range(index, 0, machine->cache_count - 1);
	assert_int_equal(cache->level, wanted.level);
	assert_int_equal(cache->kind, wanted.kind);
	assert_int_equal(cache->size_bytes, wanted.size_bytes);
	assert_int_equal(cache->line_bytes, wanted.line_bytes);
	assert_int_equal(cache->ways, wanted.ways);
	assert_int_equal(cache->shared_cpus, wanted.shared_cpus);
}

static void test_intel_metal(void **state)
{
	(void)state;
	struct fathom_machine *m = recorded("intel-metal");
	assert_null(m->description);
	assert_string_equal(m->hostname, "bench");
	assert_string_equal(m->cpu_model, "Intel(R) Core(TM) i5-1145G7 @ 2.60GHz");
	assert_string_equal(m->architecture, "x86_64");
	assert_string_equal(m->kernel, "Linux 6.1.0-18-amd64");
	assert_null(m->hypervisor);
	assert_null(m->container);
	assert_string_equal(m->allowed_cpus, "0-7");
	assert_int_equal(m->online_cpus, 8);
	assert_int_equal(m->smt_threads, 2);
	assert_int_equal(m->cpu_kind_count, 0);
	assert_int_equal(m->default_cpu, 0);
	assert_int_equal(m->cache_count, 4);
	/* Written as fully associative: as many ways as lines. */
	assert_cache(m, 0, (struct fathom_cache){1, FATHOM_CACHE_DATA, 48 << 10, 64, 768, 2});
	assert_cache(m, 1, (struct fathom_cache){1, FATHOM_CACHE_INSTRUCTION, 32 << 10, 64, 0, 2});
	assert_cache(m, 2, (struct fathom_cache){2, FATHOM_CACHE_UNIFIED, 1280 << 10, 64, 20, 2});
	assert_cache(m, 3, (struct fathom_cache){3, FATHOM_CACHE_UNIFIED, 12 << 20, 64, 0, 8});
	assert_int_equal(m->node_count, 1);
	assert_string_equal(m->nodes[0].cpus, "0-7");
	assert_int_equal(m->nodes[0].memory_bytes, 16 * GIB);
	assert_int_equal(m->base_page_bytes, 4096);
	assert_int_equal(m->thp_page_bytes, 2 * MIB);
	assert_string_equal(m->thp_state, "never");
	assert_int_equal(m->thp_size_count, 0);
	assert_int_equal(m->pool_count, 2);
	assert_int_equal(m->pools[0].page_bytes, 2 * MIB);
	assert_int_equal(m->pools[0].total_pages, 512);
	assert_int_equal(m->pools[0].free_pages, 480); /* 20 of the free ones are promised */
	assert_int_equal(m->pools[1].page_bytes, GIB);
	assert_int_equal(m->pools[1].total_pages, 0);
	assert_string_equal(m->governor, "powersave");
	assert_string_equal(m->clock_driver, "intel_pstate");
	assert_int_equal(m->boost, 1);
	assert_true(m->has_pmu);
	assert_string_equal(m->counters_missing,
			    "kernel.perf_event_paranoid is 3: above 2 only root may use counters");
	assert_int_equal(m->memory_bytes, 16 * GIB);
	assert_int_equal(m->available_bytes, 10 * GIB);
	assert_int_equal(m->limit_bytes, 9 * GIB);
	assert_string_equal(m->limit_reason, "free memory");
	fathom_machine_free(m);
}

static void test_two_nodes(void **state)
{
	(void)state;
	struct fathom_machine *m = recorded("amd-two-nodes");
	assert_int_equal(m->node_count, 2);
	assert_string_equal(m->nodes[1].cpus, "4-7");
	assert_int_equal(m->nodes[1].memory_bytes, 32 * GIB);
	assert_int_equal(m->smt_threads, 1);
	assert_int_equal(m->boost, 0);
	assert_string_equal(m->clock_driver, "acpi-cpufreq");
	assert_string_equal(m->thp_state, "always");
	assert_int_equal(m->pool_count, 0);
	/* 8 GiB free and 2 GiB of file pages that nobody uses, less a tenth. */
	assert_int_equal(m->limit_bytes, 9 * GIB);
	assert_string_equal(m->limit_reason, "free memory of the NUMA node");
	assert_string_equal(m->cpu_signature, "family 23, model 49, stepping 0");
	assert_string_equal(m->microcode, "0x830107a");
	assert_string_equal(m->memory_modules, "3 of 32 GiB, Registered-DDR4");
	fathom_machine_free(m);
}

/* Those whose state can be read, ascending whatever the order of the directory. */
static void assert_sizes(const struct fathom_machine *machine)
{
	static const struct {
		uint64_t page_bytes;
		const char *state;
	} wanted[] = {{64 << 10, "madvise"},
		      {128 << 10, "never"},
		      {1 << 20, "inherit"},
		      {32 << 20, "inherit"}};
	assert_int_equal(machine->thp_size_count, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(machine->thp_sizes[i].page_bytes, wanted[i].page_bytes);
		assert_string_equal(machine->thp_sizes[i].state, wanted[i].state);
	}
}

static void test_kinds_of_cores(void **state)
{
	(void)state;
	struct fathom_machine *m = recorded("arm-hybrid");
	assert_string_equal(m->architecture, "aarch64");
	assert_string_equal(m->cpu_model, "Some Vendor Board");
	assert_null(m->hostname);
	assert_int_equal(m->cpu_kind_count, 3);
	assert_string_equal(m->cpu_kinds[0].name, "performance");
	assert_string_equal(m->cpu_kinds[1].name, "kind 1");
	assert_string_equal(m->cpu_kinds[2].name, "efficiency");
	assert_string_equal(m->cpu_kinds[1].cpus, "4-6");
	assert_float_equal(m->cpu_kinds[0].relative_speed, 1, 1e-9);
	assert_float_equal(m->cpu_kinds[2].relative_speed, 0.25, 1e-9);
	assert_int_equal(m->default_cpu, 7);
	assert_string_equal(m->governor, "schedutil"); /* of cpu 7, not of cpu 0 */
	assert_int_equal(m->base_page_bytes, 16384);
	assert_int_equal(m->thp_page_bytes, 32 * MIB);
	assert_sizes(m);
	assert_int_equal(m->boost, -1);
	assert_null(m->counters_missing);
	assert_true(m->has_pmu);                     /* armv8_cortex_x1; arm_dsu_0 is no core's */
	assert_int_equal(m->limit_bytes, 448 * MIB); /* not of a group outside of the hierarchy */
	fathom_machine_free(m);
}

static void test_guest_in_a_container(void **state)
{
	(void)state;
	struct fathom_machine *m = recorded("guest-container");
	assert_string_equal(m->hypervisor, "Amazon EC2");
	assert_string_equal(m->container, "docker");
	assert_string_equal(m->cpu_model, "Intel(R) Xeon(R) Processor");
	assert_string_equal(m->allowed_cpus, "1,3");
	assert_int_equal(m->online_cpus, 4);
	assert_int_equal(m->default_cpu, 1);
	assert_false(m->has_pmu);
	assert_string_equal(m->counters_missing, "there are no hardware counters here");
	assert_null(m->governor);
	assert_null(m->clock_driver);
	assert_int_equal(m->available_bytes, 7 * GIB);
	/* The parent's 2 GiB, of which 1 GiB is used and half of that is idle file pages. */
	assert_int_equal(m->limit_bytes, OF_GROUP(1536 * MIB) - OF_GROUP(1536 * MIB) / 10);
	assert_string_equal(m->limit_reason, "cgroup memory limit");
	fathom_machine_free(m);
}

static void test_first_version_of_control_groups(void **state)
{
	(void)state;
	struct fathom_machine *m = recorded("cgroup-v1");
	assert_string_equal(m->hypervisor, "xen");
	assert_null(m->container); /* .dockerenv was left over: the first PID namespace */
	assert_string_equal(m->cpu_model, "Old Xeon");
	assert_string_equal(m->allowed_cpus, "1");
	assert_int_equal(m->default_cpu, 1);
	assert_null(m->thp_state);
	assert_int_equal(m->thp_page_bytes, 0);
	/* 100 MiB, 60 MiB used, of which 20 idle; too little to leave 64 to the others: half. */
	assert_int_equal(m->limit_bytes, OF_GROUP(60 * MIB) / 2);
	assert_string_equal(m->limit_reason, "cgroup memory limit");
	fathom_machine_free(m);
}

static void test_slow_cores_only(void **state)
{
	(void)state;
	struct fathom_machine *m = recorded("hybrid-guest");
	assert_string_equal(m->hypervisor, "Hyper-V");
	assert_string_equal(m->container, "podman");
	assert_int_equal(m->cpu_kind_count, 2);
	for (size_t i = 0; i < 2; i++) { /* ranked, and no capacities told */
		bool slow = strcmp(m->cpu_kinds[i].cpus, "2-3") == 0;
		assert_string_equal(m->cpu_kinds[i].name, slow ? "efficiency" : "performance");
		assert_float_equal(m->cpu_kinds[i].relative_speed, slow ? 0.5 : 1, 1e-9);
	}
	assert_string_equal(m->allowed_cpus, "2-3");
	assert_int_equal(m->default_cpu, 2);
	assert_int_equal(m->boost, 1);
	assert_true(m->has_pmu);
	/* Half of the memory is promised already, whoever touched it. */
	assert_int_equal(m->limit_bytes, 1800 * MIB);
	assert_string_equal(m->limit_reason, "vm.overcommit_memory = 2");
	fathom_machine_free(m);
}

/* Whatever is not recorded is unknown: no default, nothing of the machine that runs the test. */
static void assert_nothing_known(const struct fathom_machine *m)
{
	assert_null(m->hostname);
	assert_null(m->cpu_model);
	assert_null(m->architecture);
	assert_null(m->kernel);
	assert_null(m->hypervisor);
	assert_null(m->container);
	assert_null(m->thp_state);
	assert_null(m->governor);
	assert_null(m->clock_driver);
	assert_int_equal(m->thp_page_bytes, 0);
	assert_int_equal(m->pool_count, 0);
	assert_int_equal(m->boost, -1);
	assert_int_equal(m->memory_bytes, 0);
	assert_int_equal(m->available_bytes, 0);
	assert_false(m->has_pmu);
	assert_null(m->counters_missing);
	assert_int_equal(m->conditions.count, 0);
}

static void test_topology_alone(void **state)
{
	(void)state;
	struct fathom_machine *m = find("", "pack:1 l2:2(size=262144) core:2 pu:1");
	assert_nothing_known(m);
	assert_string_equal(m->allowed_cpus, "0-3");
	assert_int_equal(m->smt_threads, 1);
	assert_int_equal(m->cache_count, 1);
	assert_cache(m, 0, (struct fathom_cache){2, FATHOM_CACHE_UNIFIED, 256 << 10, 64, 0, 2});
	fathom_machine_free(m);
	m = find(MACHINES "/no-limits", "pu:2");
	assert_nothing_known(m);
	fathom_machine_free(m);
	m = find(MACHINES "/no-such-tree", "pu:2");
	assert_nothing_known(m);
	assert_int_equal(m->cache_count, 0);
	assert_int_equal(m->smt_threads, 0);
	fathom_machine_free(m);
}

static void test_limit_of_the_nodes_alone(void **state)
{
	(void)state;
	struct fathom_machine *m =
		find("", "[numa(memory=1073741824)] [numa(memory=3221225472)] pack:2 pu:1");
	uint64_t bytes = 0;
	for (size_t i = 0; i < m->node_count; i++)
		bytes += m->nodes[i].memory_bytes;
	assert_true(bytes >= 4 * GIB);
	assert_string_equal(m->limit_reason, "memory of the machine");
	assert_int_equal(m->limit_bytes, bytes - bytes / 10);
	fathom_machine_free(m);
}

static void test_no_limit_known(void **state)
{
	(void)state;
	struct fathom_machine machine = {0};
	limits_find(NULL, &machine);
	assert_null(machine.limit_reason);
	assert_true(machine.limit_bytes == UINT64_MAX);
}

static void assert_refused(const char *root, const char *topology, enum fathom_status status)
{
	struct machine_source source = {root, topology};
	struct fathom_machine *machine = NULL;
	struct fathom_error error = {0};
	assert_int_equal(machine_find(&source, &machine, &error), -1);
	assert_int_equal(error.status, status);
	assert_non_null(error.text);
	assert_null(machine);
	fathom_error_clear(&error);
}

static void test_refused(void **state)
{
	(void)state;
	assert_refused(MACHINES "/intel-metal", NULL, FATHOM_USAGE);
	assert_refused("", MACHINES "/no-such-file.xml", FATHOM_FAILED);
	assert_refused("", "nonsense:", FATHOM_FAILED);
	fathom_machine_free(NULL);
}

static void test_this_machine(void **state)
{
	(void)state;
	struct fathom_machine *m = find("", NULL);
	struct utsname names;
	assert_int_equal(uname(&names), 0);
	assert_null(m->description);
	assert_non_null(m->architecture);
	assert_memory_equal(m->kernel, "Linux ", 6);
	assert_string_equal(m->kernel + 6, names.release);
	assert_string_equal(m->hostname, names.nodename);
	assert_int_equal(m->base_page_bytes, sysconf(_SC_PAGESIZE));
	assert_int_equal(m->online_cpus, sysconf(_SC_NPROCESSORS_ONLN));
	assert_non_null(m->allowed_cpus);
	assert_in_range(m->default_cpu, 0, 1 << 20);
	assert_in_range(m->node_count, 1, m->online_cpus + 1024);
	assert_true(m->memory_bytes > 0);
	assert_true(m->available_bytes <= m->memory_bytes);
	assert_true(m->limit_bytes <= m->available_bytes);
	assert_non_null(m->limit_reason);
	for (size_t i = 1; i < m->cache_count; i++)
		assert_true(m->caches[i - 1].level <= m->caches[i].level);
	for (size_t i = 0; i < m->cache_count; i++)
		assert_true(m->caches[i].size_bytes > 0 && m->caches[i].shared_cpus > 0);
	fathom_machine_free(m);
}

static uint64_t own_bytes(const char *key)
{
	uint64_t bytes = 0;
	char *status = tree_read("", "/proc/self/status");
	assert_true(tree_field(status, key, &bytes));
	free(status);
	return bytes;
}

static void assert_ulimit(int resource, const char *used_key, const char *reason)
{
	struct fathom_machine *before = find("", NULL);
	struct rlimit old;
	assert_int_equal(getrlimit(resource, &old), 0);
	struct rlimit tight = {own_bytes(used_key) + 256 * MIB, old.rlim_max};
	bool is_loose = tight.rlim_cur <= old.rlim_cur && before->limit_bytes >= GIB;
	fathom_machine_free(before);
	if (!is_loose)
		skip();
	assert_int_equal(setrlimit(resource, &tight), 0);
	struct fathom_machine *after = find("", NULL);
	setrlimit(resource, &old);
	assert_string_equal(after->limit_reason, reason);
	/* A quarter of a GiB, less 64 MiB for the rest, less what looking took. */
	assert_in_range(after->limit_bytes, 64 * MIB, 192 * MIB);
	fathom_machine_free(after);
}

static void test_address_ulimit(void **state)
{
	(void)state;
	assert_ulimit(RLIMIT_AS, "VmSize", "ulimit -v");
}

static void test_data_ulimit(void **state)
{
	(void)state;
	assert_ulimit(RLIMIT_DATA, "VmData", "ulimit -d");
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_intel_metal),
	cmocka_unit_test(test_two_nodes),
	cmocka_unit_test(test_kinds_of_cores),
	cmocka_unit_test(test_guest_in_a_container),
	cmocka_unit_test(test_first_version_of_control_groups),
	cmocka_unit_test(test_slow_cores_only),
	cmocka_unit_test(test_topology_alone),
	cmocka_unit_test(test_refused),
	cmocka_unit_test(test_this_machine),
	cmocka_unit_test(test_address_ulimit),
	cmocka_unit_test(test_data_ulimit),
	cmocka_unit_test(test_limit_of_the_nodes_alone),
	cmocka_unit_test(test_no_limit_known),
};
UNIT_GROUP();
