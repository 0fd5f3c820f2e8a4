#include "machine/counters/memory_events.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/list.h"
#include "base/text.h"
#include "base/units.h"
#include "machine/tree.h"

#define DEVICES    "/sys/bus/event_source/devices"
#define MOST_NAMES 9
#define WORD_BITS  64

/* An event of a controller, under the names that it has in the folder `events`. */
struct wanted {
	const char *name;
	bool writes;
	const char *terms; /* where the kernel does not name it; NULL: then there is none */
	double bytes;      /* where no .scale and .unit say it; 0: then it is not known */
};

struct family {
	const char *devices;    /* a pattern of fnmatch */
	const char *identifier; /* that the device must have; NULL: any */
	struct wanted wanted[MOST_NAMES];
};

/* In the order in which they are preferred: some machines have two kinds, which count the same. A
 * device with none of these events is another one of that name. Sources, all of the Linux kernel:
 * Intel: arch/x86/events/intel/uncore_snb.c and uncore_snbep.c, which name and scale the events.
 * AMD from Zen 4 on: tools/perf/pmu-events/arch/x86/amdzen4/memory-controller.json, where a command
 * is 64 bytes (umc_mem_read_bandwidth). HiSilicon: pmu-events/arch/arm64/hisilicon/hip09/sys/
 * uncore-ddrc.json, where a count is 32 bytes (ddrc_bw_read), of devices with that identifier. */
static const struct family families[] = {
	{"uncore_imc*",
	 NULL,
	 {{"cas_count_read", false, NULL, 0},
	  {"cas_count_write", true, NULL, 0},
	  {"cas_count_read_sch0", false, NULL, 0},
	  {"cas_count_read_sch1", false, NULL, 0},
	  {"cas_count_write_sch0", true, NULL, 0},
	  {"cas_count_write_sch1", true, NULL, 0}}},
	{"uncore_imc*",
	 NULL,
	 {{"data_reads", false, NULL, 0},
	  {"data_writes", true, NULL, 0},
	  {"data_read", false, NULL, 0},
	  {"data_write", true, NULL, 0},
	  {"read", false, NULL, 0},
	  {"write", true, NULL, 0}}},
	{"amd_umc_*",
	 NULL,
	 {{"umc_cas_cmd.rd", false, "event=0x0a,rdwrmask=0x1", 64},
	  {"umc_cas_cmd.wr", true, "event=0x0a,rdwrmask=0x2", 64}}},
	{"hisi_sccl*_ddrc*",
	 "0x00000030",
	 {{"flux_rd", false, NULL, 32}, {"flux_wr", true, NULL, 32}}},
};
#define FAMILIES (sizeof(families) / sizeof(*families))

/* ---- an event's text ---- */

/* Which of the configs begins the text, up to `end`; NULL: none. */
static uint64_t *config_of(const char *text, char end, uint64_t *configs)
{
	static const char *const words[] = {"config", "config1", "config2"};
	for (size_t i = 0; i < 3; i++)
		if (strncmp(text, words[i], strlen(words[i])) == 0 && text[strlen(words[i])] == end)
			return &configs[i];
	return NULL;
}

/* Puts the value where the format says, like "config:0-7,21" or "config1:0-63". */
static bool place(const char *format, uint64_t value, uint64_t *configs)
{
	uint64_t *config = config_of(format, ':', configs);
	if (!config)
		return false;
	const char *at = strchr(format, ':') + 1;
	for (int low, high; cpu_list_next(&at, &low, &high);)
		for (int bit = low; bit <= high; bit++, value >>= 1) {
			if (bit >= WORD_BITS)
				return false;
			*config |= (value & 1) << bit;
		}
	return !*at && !value;
}

/* "event=0x04", or a whole config ("config=0x83"); without a value it is 1, as for perf. */
static bool add_term(const char *root, const char *device, char *term, uint64_t *configs)
{
	char *number = strchr(term, '='), *end = NULL;
	uint64_t value = 1;
	if (number) {
		*number++ = 0;
		errno = 0;
		value = strtoull(number, &end, 0);
		if (errno || end == number || *end || strchr(number, '-'))
			return false;
	}
	uint64_t *config = config_of(term, 0, configs);
	if (config) {
		*config |= value;
		return true;
	}
	if (!*term || strchr(term, '/'))
		return false;
	char *format = tree_read_line(root, DEVICES "/%s/format/%s", device, term);
	bool placed = format && place(format, value, configs);
	free(format);
	return placed;
}

static bool parse_terms(const char *root, const char *device, const char *terms, uint64_t *configs)
{
	char *copy = strdup(terms), *rest = copy, *term;
	bool parsed = copy;
	memset(configs, 0, 3 * sizeof(*configs));
	while (parsed && (term = strsep(&rest, ",")))
		parsed = add_term(root, device, term, configs);
	free(copy);
	return parsed;
}

static double unit_bytes(const char *unit)
{
	static const struct {
		const char *name;
		double bytes;
	} units[] = {{"MiB", 0x1p20}, {"KiB", 0x1p10}, {"GiB", 0x1p30}, {"Bytes", 1}, {"B", 1}};
	for (size_t i = 0; unit && i < sizeof(units) / sizeof(*units); i++)
		if (strcmp(unit, units[i].name) == 0)
			return units[i].bytes;
	return NAN;
}

/* "6.103515625e-5". strtod would follow the locale. NAN: that is no number. */
static double parse_scale(const char *text)
{
	double value;
	char *end = NULL;
	const char *at = units_parse_decimal(text, &value);
	if (at && *at == 'e') {
		long power = strtol(at + 1, &end, 10);
		value = power < 0 ? value / pow(10, -(double)power)
				  : value * pow(10, (double)power);
		at = end > at + 1 ? end : at;
	}
	return at && !*at ? value : NAN;
}

/* What a count of it stands for; not above 0: not known. */
static double count_bytes(const char *root, const char *device, const struct wanted *wanted)
{
	char *scale = tree_read_line(root, DEVICES "/%s/events/%s.scale", device, wanted->name);
	char *unit = tree_read_line(root, DEVICES "/%s/events/%s.unit", device, wanted->name);
	double bytes = wanted->bytes;
	if (scale || unit)
		bytes = scale ? parse_scale(scale) * unit_bytes(unit) : 0;
	free(scale);
	free(unit);
	return isfinite(bytes) ? bytes : 0;
}

/* ---- a device ---- */

struct device {
	const char *root, *name;
	uint32_t type;
	char *cpus;
	size_t reads, writes; /* events of it */
	bool unclear;         /* an event is named, and what it counts is not */
};

/* -1: out of memory. */
static int add_on_cpu(struct memory_events *events, const struct device *device,
		      const struct memory_event *event, const char *name, int cpu)
{
	struct memory_event made = *event;
	made.cpu = cpu;
	made.name = text_format("%s/%s/", device->name, name);
	if (made.name && LIST_APPEND(&events->items, &events->count, &made) == 0)
		return 0;
	free(made.name);
	return -1;
}

/* -1: out of memory. */
static int add_event(struct memory_events *events, struct device *device,
		     const struct wanted *wanted)
{
	char *terms =
		tree_read_line(device->root, DEVICES "/%s/events/%s", device->name, wanted->name);
	const char *text = terms ? terms : wanted->terms;
	struct memory_event event = {.writes = wanted->writes, .type = device->type};
	int status = 0, low, high;
	if (!text)
		return 0;
	event.bytes = count_bytes(device->root, device->name, wanted);
	bool clear = parse_terms(device->root, device->name, text, event.configs);
	free(terms);
	if (!clear || !(event.bytes > 0) || !device->cpus) {
		device->unclear = true;
		return 0;
	}
	device->reads += !wanted->writes;
	device->writes += wanted->writes;
	const char *at = device->cpus;
	while (cpu_list_next(&at, &low, &high))
		for (int cpu = low; cpu <= high && !status; cpu++)
			status = add_on_cpu(events, device, &event, wanted->name, cpu);
	device->unclear |= *at || at == device->cpus;
	return status;
}

static bool is_of(const char *root, const char *name, const struct family *family)
{
	if (fnmatch(family->devices, name, 0) != 0)
		return false;
	char *found =
		family->identifier ? tree_read_line(root, DEVICES "/%s/identifier", name) : NULL;
	bool is = !family->identifier || (found && strcmp(found, family->identifier) == 0);
	free(found);
	return is;
}

/* -1: out of memory. *partial: what it counts is no sum of reads and writes. */
static int add_device(struct memory_events *events, const char *root, const char *name,
		      const struct family *family, bool *partial)
{
	struct device device = {.root = root, .name = name};
	uint64_t type = 0;
	bool typed = tree_read_number(&type, root, DEVICES "/%s/type", name) && type <= UINT32_MAX;
	int status = 0;
	device.type = (uint32_t)type;
	device.cpus = tree_read_line(root, DEVICES "/%s/cpumask", name);
	for (size_t i = 0; i < MOST_NAMES && family->wanted[i].name && !status; i++)
		status = add_event(events, &device, &family->wanted[i]);
	free(device.cpus);
	*partial |= device.unclear || device.reads != device.writes || (device.reads && !typed);
	return status;
}

/* ---- all ---- */

static int by_name(const void *left, const void *right)
{
	const struct memory_event *a = left, *b = right;
	int order = strverscmp(a->name, b->name);
	return order ? order : (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static void clear(struct memory_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		free(events->items[i].name);
	free(events->items);
	events->items = NULL;
	events->count = 0;
}

static int say(struct memory_events *events, const char *name)
{
	if (events->missing)
		return 0;
	events->missing = text_format("memory has counters (%s), but the kernel's files do not "
				      "say what they count",
				      name);
	return events->missing ? 0 : -1;
}

/* -1: out of memory. */
static int find_family(const char *root, const struct family *family, struct memory_events *events)
{
	DIR *directory = tree_open_directory(root, DEVICES);
	int status = 0;
	for (struct dirent *entry; !status && directory && (entry = readdir(directory));) {
		bool partial = false;
		if (!is_of(root, entry->d_name, family))
			continue;
		status = add_device(events, root, entry->d_name, family, &partial);
		if (!status && partial)
			status = say(events, entry->d_name);
	}
	if (directory)
		closedir(directory);
	return status;
}

/* The data fabric of Zen to Zen 3 counts reads and writes of a channel together, and has 4 counters
 * for 8 channels: pmu-events/arch/x86/amdzen3/data-fabric.json, dram_channel_data_controller_0.
 * That of Zen 4 tells them apart, and so does amd_umc, which Linux has from 6.7 on. */
static int say_of_fabric(const char *root, struct memory_events *events)
{
	if (events->missing || !tree_has(root, DEVICES "/amd_df"))
		return 0;
	events->missing =
		strdup("no memory counters: the kernel does not list amd_umc, which takes "
		       "Zen 4 and Linux 6.7");
	return events->missing ? 0 : -1;
}

int memory_events_find(const char *root, struct memory_events *events)
{
	char *missing = NULL;
	int status = 0;
	*events = (struct memory_events){0};
	for (size_t i = 0; i < FAMILIES && !events->count && !status; i++) {
		status = find_family(root, &families[i], events);
		if (!events->missing)
			continue;
		clear(events);
		free(missing);
		missing = events->missing;
		events->missing = NULL;
	}
	if (events->count)
		free(missing);
	else
		events->missing = missing;
	if (!status && !events->count)
		status = say_of_fabric(root, events);
	if (status)
		memory_events_free(events);
	else if (events->count)
		qsort(events->items, events->count, sizeof(*events->items), by_name);
	return status;
}

void memory_events_free(struct memory_events *events)
{
	clear(events);
	free(events->missing);
	*events = (struct memory_events){0};
}
