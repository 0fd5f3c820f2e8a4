/* What limits or disturbs a measurement: each recorded machine has exactly its own. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/warnings.h"
#include "machine/conditions.h"
#include "machine/machine.h"
#include "unit.h"

static struct fathom_machine *find(const char *root, const char *topology)
{
	struct machine_source source = {root, topology};
	struct fathom_machine *machine = NULL;
	assert_int_equal(machine_find(&source, &machine, NULL), 0);
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

static void assert_ids(const char *name, const char *wanted)
{
	struct fathom_machine *machine = recorded(name);
	struct text ids = {0};
	for (size_t i = 0; i < machine->conditions.count; i++)
		text_add(&ids, "%s%s", i ? " " : "", machine->conditions.items[i].id);
	char *found = text_take(&ids);
	assert_string_equal(found, wanted);
	free(found);
	fathom_machine_free(machine);
}

static void assert_hint(const char *name, const char *id, const char *hint)
{
	struct fathom_machine *machine = recorded(name);
	const struct fathom_warning *found = NULL;
	for (size_t i = 0; i < machine->conditions.count; i++)
		if (strcmp(machine->conditions.items[i].id, id) == 0)
			found = &machine->conditions.items[i];
	assert_non_null(found);
	if (hint)
		assert_string_equal(found->hint, hint);
	else
		assert_null(found->hint);
	fathom_machine_free(machine);
}

static void test_ids(void **state)
{
	(void)state;
	assert_ids("intel-metal",
		   "smt-sibling counters-closed governor boost-on thp-off swap-used");
	assert_ids("amd-two-nodes", "busy khugepaged ksm compaction numa-balancing");
	assert_ids("damon-guest", "damon khugepaged");
	assert_ids("arm-hybrid", "governor low-memory");
	assert_ids("guest-container", "guest container cache-report-odd steal cgroup-cpu "
				      "cgroup-memory no-pmu no-cpufreq");
	assert_ids("hybrid-guest", "guest container boost-on damon");
	assert_ids("cgroup-v1", "guest few-cpus cgroup-cpu cgroup-memory");
}

static void test_commands(void **state)
{
	(void)state;
	assert_hint("intel-metal", "smt-sibling",
		    "echo 0 | sudo tee /sys/devices/system/cpu/cpu4/online");
	assert_hint("intel-metal", "counters-closed", "sudo sysctl kernel.perf_event_paranoid=2");
	assert_hint("intel-metal", "boost-on",
		    "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo");
	assert_hint("guest-container", "cgroup-cpu",
		    "echo max | sudo tee /sys/fs/cgroup/kubepods/pod1/box/cpu.max");
	assert_hint("guest-container", "cgroup-memory",
		    "echo max | sudo tee /sys/fs/cgroup/kubepods/pod1/memory.max");
	assert_hint("cgroup-v1", "cgroup-memory",
		    "echo -1 | sudo tee /sys/fs/cgroup/memory/memory.limit_in_bytes");
	assert_hint("cgroup-v1", "cgroup-cpu",
		    "echo -1 | sudo tee /sys/fs/cgroup/cpu/cpu.cfs_quota_us");
	assert_hint("cgroup-v1", "few-cpus", "taskset -c 0-1 fathom");
	assert_hint("hybrid-guest", "boost-on",
		    "echo 0 | sudo tee /sys/devices/system/cpu/cpu2/cpufreq/boost");
	assert_hint("guest-container", "steal", "watch column 'st' of: vmstat 1");
	assert_hint("guest-container", "container", "run fathom on the host itself");
	assert_hint("guest-container", "cache-report-odd",
		    "on the host: lscpu -C; cat /sys/fs/resctrl/schemata");
	assert_hint("guest-container", "no-cpufreq", "on the host: cpupower frequency-info");
	assert_hint("arm-hybrid", "low-memory",
		    "see what holds it: ps -eo rss,pid,comm --sort=-rss | head");
	assert_hint("intel-metal", "swap-used",
		    "when enough memory is free: sudo swapoff -a && sudo swapon -a");
}

static void assert_text(const char *name, const char *id, const char *text, const char *hint)
{
	struct fathom_machine *machine = recorded(name);
	const char *found = NULL;
	for (size_t i = 0; i < machine->conditions.count; i++)
		if (strcmp(machine->conditions.items[i].id, id) == 0)
			found = machine->conditions.items[i].text;
	assert_non_null(found);
	assert_string_equal(found, text);
	fathom_machine_free(machine);
	assert_hint(name, id, hint);
}

static void test_kernel_threads(void **state)
{
	(void)state;
	assert_text("damon-guest", "damon",
		    "kdamond.0 (DAMON) samples which pages are used, every 500 ms (action: "
		    "pageout); it has used 0.47 % of a CPU since it started",
		    "echo off | sudo tee /sys/kernel/mm/damon/admin/kdamonds/1/state");
	assert_text("damon-guest", "khugepaged",
		    "khugepaged may turn small pages into huge ones during a measurement (--page "
		    "thp); it has used 0.5 % of a CPU since it started",
		    "echo 4294967295 | sudo tee "
		    "/sys/kernel/mm/transparent_hugepage/khugepaged/scan_sleep_millisecs");
	assert_text("hybrid-guest", "damon", "kdamond.0 (DAMON) samples which pages are used",
		    "echo N | sudo tee /sys/module/damon_reclaim/parameters/enabled");
	assert_text("amd-two-nodes", "compaction",
		    "kcompactd0 moves pages to make room for huge pages; it has used 0.2 % of a "
		    "CPU since it started",
		    "sudo sysctl vm.compaction_proactiveness=0");
	assert_text("amd-two-nodes", "ksm",
		    "ksmd scans memory for identical pages to merge (KSM), 100 pages every 20 ms",
		    "echo 0 | sudo tee /sys/kernel/mm/ksm/run");
}

static const char *sibling_text(const char *root, struct fathom_machine *machine,
				struct fathom_warnings *conditions)
{
	conditions_find(root, machine, conditions);
	for (size_t i = 0; i < conditions->count; i++)
		if (strcmp(conditions->items[i].id, "smt-sibling") == 0)
			return conditions->items[i].text;
	return "none";
}

static void write_stat(const char *folder, const char *sibling)
{
	char *path = text_format("%s/proc/stat", folder);
	FILE *file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "cpu  9 0 9 9 0 0 0 0\ncpu0 9 0 9 9 0 0 0 0\n%s", sibling);
	fclose(file);
	free(path);
}

static void test_sibling_is_busy_only_where_seen(void **state)
{
	(void)state;
	static const struct {
		const char *stat;
		const char *text;
	} cases[] = {
		{"", "cpu 0 shares its core and inner caches with cpu 4"},
		{"cpu4 30 0 10 900 60 0 0 0\n",
		 "cpu 0 shares its core and inner caches with cpu 4"},
		{"cpu4 100 50 40 700 100 5 5 0\n",
		 "cpu 0 shares its core and inner caches with cpu 4, which was busy for 20 % of "
		 "the time since boot"},
	};
	char folder[] = "/tmp/fathom-conditions-XXXXXX";
	assert_non_null(mkdtemp(folder));
	char *proc = text_format("%s/proc", folder);
	char *stat = text_format("%s/stat", proc);
	assert_int_equal(mkdir(proc, 0700), 0);
	struct fathom_machine *machine = recorded("intel-metal");
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct fathom_warnings conditions = {0};
		write_stat(folder, cases[i].stat);
		assert_string_equal(sibling_text(folder, machine, &conditions), cases[i].text);
		warnings_free(&conditions);
	}
	fathom_machine_free(machine);
	assert_int_equal(unlink(stat) | rmdir(proc) | rmdir(folder), 0);
	free(stat);
	free(proc);
}

/* Facts alone, without any tree or topology handle: a simulated machine's. */
static void test_facts_alone(void **state)
{
	(void)state;
	struct fathom_machine machine = {.default_cpu = 0, .online_cpus = 4, .boost = -1};
	struct fathom_warnings conditions = {0};
	conditions_find(NULL, &machine, &conditions);
	assert_int_equal(conditions.count, 0);
}

static void test_this_machine(void **state)
{
	(void)state;
	struct fathom_machine *machine = find("", NULL);
	const struct fathom_warnings *list = &machine->conditions;
	for (size_t i = 0; i < list->count; i++) {
		assert_true(strlen(list->items[i].id) > 0);
		assert_true(strlen(list->items[i].text) > 0);
		assert_true(list->items[i].text[strlen(list->items[i].text) - 1] != '.');
		assert_true(!list->items[i].hint || *list->items[i].hint);
		assert_null(list->items[i].where);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(list->items[i].id, list->items[j].id);
	}
	fathom_machine_free(machine);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(test_ids),
	cmocka_unit_test(test_commands),
	cmocka_unit_test(test_kernel_threads),
	cmocka_unit_test(test_sibling_is_busy_only_where_seen),
	cmocka_unit_test(test_facts_alone),
	cmocka_unit_test(test_this_machine),
};
UNIT_GROUP();
