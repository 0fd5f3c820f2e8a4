#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/quoted.h"
#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "machine/cgroup.h"
#include "machine/conditions.h"
#include "machine/load.h"
#include "machine/private.h"
#include "machine/tree.h"

/* The shares from which something is worth a word. */
#define STEAL_SHARE   0.01
#define BUSY_SHARE    0.25
#define SIBLING_SHARE 0.05

typedef void condition(const struct conditions_context *at);

/* ---- what cannot be seen ---- */

static void no_pmu(const struct conditions_context *at)
{
	if (at->machine->has_pmu || !tree_has(at->root, "/sys/bus"))
		return;
	warnings_add(at->list, "no-pmu", NULL,
		     at->machine->hypervisor
			     ? "on the host: give the guest a PMU (QEMU: -cpu host,pmu=on)"
			     : NULL,
		     "there are no hardware counters: cycles are derived from the time of a chain "
		     "of known length");
}

static void counters_closed(const struct conditions_context *at)
{
	const struct fathom_machine_private *handle = at->machine->handle;
	if (at->machine->has_pmu && handle && handle->counters.reason)
		warnings_add(at->list, "counters-closed", NULL, handle->counters.hint,
			     "hardware counters cannot be used: %s", handle->counters.reason);
}

static void guest(const struct conditions_context *at)
{
	char *hint = text_format("on the host, with libvirt: virsh vcpupin DOMAIN %d CPU",
				 at->machine->default_cpu);
	if (at->machine->hypervisor)
		warnings_add(
			at->list, "guest", NULL, hint,
			"this is a guest of %s: its CPUs may move between cores, other guests "
			"share caches and memory, and the reported cache sizes may be the host's",
			at->machine->hypervisor);
	free(hint);
}

static void cache_report_odd(const struct conditions_context *at)
{
	char size[UNITS_TEXT_BYTES];
	for (size_t i = 0; i < at->machine->cache_count; i++) {
		const struct fathom_cache *cache = &at->machine->caches[i];
		if (quoted_is_credible(at->machine, cache))
			continue;
		warnings_add(at->list, "cache-report-odd", NULL,
			     "on the host: lscpu -C; cat /sys/fs/resctrl/schemata",
			     "the reported %s of L%u for %u CPUs is more than a guest is likely to "
			     "have to itself",
			     units_format_size(cache->size_bytes, size), cache->level,
			     cache->shared_cpus);
	}
}

/* ---- what is not allowed ---- */

static void container(const struct conditions_context *at)
{
	if (at->machine->container)
		warnings_add(at->list, "container", NULL, "run fathom on the host itself",
			     "this is a container (%s): settings of the machine can only be "
			     "changed outside of it",
			     at->machine->container);
}

static void cgroup_memory(const struct conditions_context *at)
{
	struct cgroup_memory memory;
	char size[UNITS_TEXT_BYTES];
	if (!cgroup_find_memory(at->root, &memory))
		return;
	char *hint = text_format("echo %s | sudo tee %s",
				 strstr(memory.file, "limit_in_bytes") ? "-1" : "max", memory.file);
	if (memory.left_bytes < at->machine->available_bytes || !at->machine->available_bytes)
		warnings_add(at->list, "cgroup-memory", NULL, hint,
			     "the control group limits memory to %s more",
			     units_format_size(memory.left_bytes, size));
	free(hint);
	free(memory.file);
}

static void cgroup_cpu(const struct conditions_context *at)
{
	struct cgroup_quota quota;
	char cpus[UNITS_TEXT_BYTES];
	if (!cgroup_find_quota(at->root, &quota))
		return;
	char *hint = text_format("echo %s | sudo tee %s", quota.lift, quota.file);
	if (quota.cpus < at->machine->online_cpus)
		warnings_add(at->list, "cgroup-cpu", NULL, hint,
			     "the control group is limited to %s CPUs: its threads are stopped "
			     "when they exceed that",
			     units_format_number(quota.cpus, cpus));
	free(hint);
	free(quota.file);
}

static void few_cpus(const struct conditions_context *at)
{
	const struct fathom_machine *machine = at->machine;
	uint64_t only;
	if (!machine->allowed_cpus || !tree_parse_number(machine->allowed_cpus, &only))
		return;
	char *hint = text_format("taskset -c 0-%u fathom", machine->online_cpus - 1);
	warnings_add(at->list, "few-cpus", NULL, machine->online_cpus > 1 ? hint : NULL,
		     "only cpu %d may be used: anything else confined to it takes turns with the "
		     "measurement",
		     machine->default_cpu);
	free(hint);
}

/* ---- clock ---- */

static void no_clock_driver(const struct conditions_context *at)
{
	if (!at->machine->clock_driver && tree_has(at->root, "/sys/devices/system/cpu"))
		warnings_add(at->list, "no-cpufreq", NULL,
			     at->machine->hypervisor ? "on the host: cpupower frequency-info"
						     : "cpupower frequency-info",
			     "this kernel does not control the CPU clock: it can neither be read "
			     "nor fixed");
}

static void governor(const struct conditions_context *at)
{
	if (at->machine->governor && !strcmp(at->machine->governor, "performance") == 0)
		warnings_add(at->list, "governor", NULL,
			     "echo performance | sudo tee "
			     "/sys/devices/system/cpu/cpu*/cpufreq/scaling_governor",
			     "the clock changes with the load (governor \"%s\")",
			     at->machine->governor);
}

static void boost_on(const struct conditions_context *at)
{
	static const char *const switches[] = {
		"/sys/devices/system/cpu/intel_pstate/no_turbo",
		"/sys/devices/system/cpu/cpufreq/boost",
	};
	const char *file = tree_has(at->root, "%s", switches[0]) ? switches[0] : switches[1];
	if (at->machine->boost != 1)
		return;
	char *hint = tree_has(at->root, "%s", file)
			     ? text_format("echo %d | sudo tee %s", file == switches[0], file)
			     : text_format("echo 0 | sudo tee "
					   "/sys/devices/system/cpu/cpu%d/cpufreq/boost",
					   at->machine->default_cpu);
	warnings_add(
		at->list, "boost-on", NULL, hint,
		"turbo is on: the clock depends on temperature and on what the other cores do");
	free(hint);
}

/* ---- neighbours ---- */

/* "1,3-4" to a command that takes each of them away. */
static char *offline_command(const char *cpus)
{
	struct text command = {0};
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	text_add(&command, "echo 0 | sudo tee");
	if (set && !hwloc_bitmap_list_sscanf(set, cpus))
		for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu))
			text_add(&command, " /sys/devices/system/cpu/cpu%d/online", cpu);
	hwloc_bitmap_free(set);
	return text_take(&command);
}

static double used_share(const char *root, int cpu)
{
	char *name = text_format("cpu%d", cpu);
	struct load_ticks time = {0};
	if (name)
		time = load_read(root, name);
	free(name);
	return time.used > 0 ? time.used / (time.used + time.idle) : 0;
}

/* Of "1,3-4": the share of the time since boot that the busiest ran something. */
static double busiest_share(const char *root, const char *cpus)
{
	double most = 0;
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	if (set && !hwloc_bitmap_list_sscanf(set, cpus))
		for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu))
			most = fmax(most, used_share(root, cpu));
	hwloc_bitmap_free(set);
	return most;
}

static void smt_sibling(const struct conditions_context *at)
{
	char *siblings = topology_siblings(at->machine, at->machine->default_cpu);
	if (!siblings)
		return;
	char percent[UNITS_TEXT_BYTES];
	char *hint = offline_command(siblings);
	double share = busiest_share(at->root, siblings);
	struct text busy = {0};
	if (share >= SIBLING_SHARE)
		text_add(&busy, ", which was busy for %s of the time since boot",
			 units_format_percent(share, percent));
	warnings_add(at->list, "smt-sibling", NULL, hint,
		     "cpu %d shares its core and inner caches with cpu %s%s",
		     at->machine->default_cpu, siblings, busy.data ? busy.data : "");
	text_free(&busy);
	free(hint);
	free(siblings);
}

static void steal(const struct conditions_context *at)
{
	char percent[UNITS_TEXT_BYTES];
	struct load_ticks time = load_read(at->root, "cpu");
	/* Of the time that was wanted, not of all time: an idle guest loses none. */
	double share = time.stolen > 0 ? time.stolen / (time.used + time.stolen) : 0;
	if (share >= STEAL_SHARE)
		warnings_add(at->list, "steal", NULL, "watch column 'st' of: vmstat 1",
			     "the hypervisor has withheld %s of the requested CPU time since "
			     "boot (steal)",
			     units_format_percent(share, percent));
}

static void busy(const struct conditions_context *at)
{
	char text[UNITS_TEXT_BYTES];
	char *line = tree_read_line(at->root, "/proc/loadavg");
	double load = line ? strtod(line, NULL) : 0;
	if (isfinite(load) && load >= 1 && load >= BUSY_SHARE * at->machine->online_cpus)
		warnings_add(at->list, "busy", NULL, "ps -eo pcpu,pid,comm --sort=-pcpu | head",
			     "the load was %s on %u CPUs in the last minute, by other programs or "
			     "by what ran just before",
			     units_format_number(load, text), at->machine->online_cpus);
	free(line);
}

void conditions_find(const char *root, const struct fathom_machine *machine,
		     struct fathom_warnings *conditions)
{
	static condition *const table[] = {
		guest,
		container,
		cache_report_odd,
		steal,
		busy,
		smt_sibling,
		few_cpus,
		cgroup_cpu,
		cgroup_memory,
		no_pmu,
		counters_closed,
		governor,
		boost_on,
		no_clock_driver,
		conditions_find_memory,
	};
	const struct conditions_context at = {root, machine, conditions};
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++)
		table[i](&at);
}
