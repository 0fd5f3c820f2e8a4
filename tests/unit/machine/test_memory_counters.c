/* Counters of memory's controllers: what a tree of /sys says there are, and what they count behind
 * a door that plays the kernel. */
#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <linux/perf_event.h>

#include "base/rng.h"
#include "base/stopwatch.h"
#include "base/text.h"
#include "machine/counters/memory_counters.h"
#include "machine/counters/memory_events.h"
#include "unit.h"

#define DEVICES "/sys/bus/event_source/devices/"
#define CAS     "6.103515625e-5\n" /* MiB of a line */

struct file {
	const char *path, *text;
};

/* ---- a tree of files ---- */

static void make_folders(char *path)
{
	for (char *at = strchr(path + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = 0;
		mkdir(path, 0700);
		*at = '/';
	}
}

static void write_file(const char *root, const char *path, const char *text)
{
	char *whole = text_format("%s%s", root, path);
	make_folders(whole);
	FILE *file = fopen(whole, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	free(whole);
}

static int delete_one(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

static void remove_tree(const char *root)
{
	nftw(root, delete_one, 16, FTW_PHYS | FTW_DEPTH);
}

static void make_tree(char *root, const struct file *files, size_t count)
{
	assert_non_null(mkdtemp(root));
	for (size_t i = 0; i < count; i++)
		write_file(root, files[i].path, files[i].text);
}

#define TREE "/tmp/fathom-memory-XXXXXX"
#define MAKE_TREE(root, files)                                                                     \
	char root[] = TREE;                                                                        \
	make_tree(root, files, sizeof(files) / sizeof(*(files)))

static struct memory_events find(const char *root)
{
	struct memory_events events;
	assert_int_equal(memory_events_find(root, &events), 0);
	return events;
}

/* Two controllers of two sockets. */
static const struct file intel[] = {
	{DEVICES "cpu/type", "4\n"},
	{DEVICES "uncore_imc_10/type", "31\n"},
	{DEVICES "uncore_imc_10/cpumask", "0,32\n"},
	{DEVICES "uncore_imc_10/format/event", "config:0-7\n"},
	{DEVICES "uncore_imc_10/format/umask", "config:8-15\n"},
	{DEVICES "uncore_imc_10/events/clockticks", "event=0x00,umask=0x00\n"},
	{DEVICES "uncore_imc_10/events/cas_count_read", "event=0x04,umask=0x03\n"},
	{DEVICES "uncore_imc_10/events/cas_count_read.scale", CAS},
	{DEVICES "uncore_imc_10/events/cas_count_read.unit", "MiB\n"},
	{DEVICES "uncore_imc_10/events/cas_count_write", "event=0x04,umask=0x0c\n"},
	{DEVICES "uncore_imc_10/events/cas_count_write.scale", CAS},
	{DEVICES "uncore_imc_10/events/cas_count_write.unit", "MiB\n"},
	{DEVICES "uncore_imc_2/type", "30\n"},
	{DEVICES "uncore_imc_2/cpumask", "0,32\n"},
	{DEVICES "uncore_imc_2/format/event", "config:0-7\n"},
	{DEVICES "uncore_imc_2/format/umask", "config:8-15\n"},
	{DEVICES "uncore_imc_2/events/cas_count_read", "event=0x04,umask=0x03\n"},
	{DEVICES "uncore_imc_2/events/cas_count_read.scale", CAS},
	{DEVICES "uncore_imc_2/events/cas_count_read.unit", "MiB\n"},
	{DEVICES "uncore_imc_2/events/cas_count_write", "event=0x04,umask=0x0c\n"},
	{DEVICES "uncore_imc_2/events/cas_count_write.scale", CAS},
	{DEVICES "uncore_imc_2/events/cas_count_write.unit", "MiB\n"},
	/* Counts the same once more. */
	{DEVICES "uncore_imc_free_running_0/type", "40\n"},
	{DEVICES "uncore_imc_free_running_0/cpumask", "0\n"},
	{DEVICES "uncore_imc_free_running_0/format/event", "config:0-7\n"},
	{DEVICES "uncore_imc_free_running_0/format/umask", "config:8-15\n"},
	{DEVICES "uncore_imc_free_running_0/events/read", "event=0xff,umask=0x20\n"},
	{DEVICES "uncore_imc_free_running_0/events/read.scale", CAS},
	{DEVICES "uncore_imc_free_running_0/events/read.unit", "MiB\n"},
	{DEVICES "uncore_imc_free_running_0/events/write", "event=0xff,umask=0x21\n"},
	{DEVICES "uncore_imc_free_running_0/events/write.scale", CAS},
	{DEVICES "uncore_imc_free_running_0/events/write.unit", "MiB\n"},
};

static void assert_event(const struct memory_event *event, const char *name, int cpu, bool writes,
			 uint32_t type, uint64_t config)
{
	assert_string_equal(event->name, name);
	assert_int_equal(event->cpu, cpu);
	assert_int_equal(event->writes, writes);
	assert_true(event->bytes == 64);
	assert_int_equal(event->type, type);
	assert_int_equal(event->configs[0], config);
	assert_int_equal(event->configs[1], 0);
	assert_int_equal(event->configs[2], 0);
}

static void intel_events_are_named_and_scaled(void **state)
{
	(void)state;
	MAKE_TREE(root, intel);
	struct memory_events events = find(root);
	assert_null(events.missing);
	assert_int_equal(events.count, 8);
	const struct memory_event *items = events.items;
	assert_event(&items[0], "uncore_imc_2/cas_count_read/", 0, false, 30, 0x0304);
	assert_event(&items[1], "uncore_imc_2/cas_count_read/", 32, false, 30, 0x0304);
	assert_event(&items[2], "uncore_imc_2/cas_count_write/", 0, true, 30, 0x0c04);
	assert_event(&items[7], "uncore_imc_10/cas_count_write/", 32, true, 31, 0x0c04);
	memory_events_free(&events);
	remove_tree(root);
}

/* A client has counters of events without reads and writes, and others that run freely. */
static void free_running_counters_are_the_second_choice(void **state)
{
	(void)state;
	static const struct file files[] = {
		{DEVICES "uncore_imc_0/type", "20\n"},
		{DEVICES "uncore_imc_0/cpumask", "0\n"},
		{DEVICES "uncore_imc_0/events/clockticks", "event=0x01\n"},
		{DEVICES "uncore_imc_free_running/type", "21\n"},
		{DEVICES "uncore_imc_free_running/cpumask", "0\n"},
		{DEVICES "uncore_imc_free_running/format/event", "config:0-7\n"},
		{DEVICES "uncore_imc_free_running/format/umask", "config:8-15\n"},
		{DEVICES "uncore_imc_free_running/events/data_read", "event=0xff,umask=0x20\n"},
		{DEVICES "uncore_imc_free_running/events/data_read.scale", CAS},
		{DEVICES "uncore_imc_free_running/events/data_read.unit", "MiB\n"},
		{DEVICES "uncore_imc_free_running/events/data_write", "event=0xff,umask=0x30\n"},
		{DEVICES "uncore_imc_free_running/events/data_write.scale", CAS},
		{DEVICES "uncore_imc_free_running/events/data_write.unit", "MiB\n"},
	};
	MAKE_TREE(root, files);
	struct memory_events events = find(root);
	assert_int_equal(events.count, 2);
	assert_event(&events.items[0], "uncore_imc_free_running/data_read/", 0, false, 21, 0x20ff);
	assert_event(&events.items[1], "uncore_imc_free_running/data_write/", 0, true, 21, 0x30ff);
	memory_events_free(&events);
	remove_tree(root);
}

/* Whose events the kernel does not name. */
static void amd_events_are_known_by_their_codes(void **state)
{
	(void)state;
	static const struct file files[] = {
		{DEVICES "amd_df/type", "11\n"},
		{DEVICES "amd_umc_0/type", "12\n"},
		{DEVICES "amd_umc_0/cpumask", "0\n"},
		{DEVICES "amd_umc_0/format/event", "config:0-7\n"},
		{DEVICES "amd_umc_0/format/rdwrmask", "config:8-9\n"},
	};
	MAKE_TREE(root, files);
	struct memory_events events = find(root);
	assert_int_equal(events.count, 2);
	assert_event(&events.items[0], "amd_umc_0/umc_cas_cmd.rd/", 0, false, 12, 0x010a);
	assert_event(&events.items[1], "amd_umc_0/umc_cas_cmd.wr/", 0, true, 12, 0x020a);
	memory_events_free(&events);
	remove_tree(root);
}

/* What a count stands for is known of one kind of HiSilicon's controllers. Its events are named by
 * the whole config (hisi_event_sysfs_show in the kernel's drivers/perf/hisilicon). */
static void hisilicon_counts_are_of_the_kind_that_is_documented(void **state)
{
	(void)state;
	static const struct file files[] = {
		{DEVICES "hisi_sccl1_ddrc0/type", "50\n"},
		{DEVICES "hisi_sccl1_ddrc0/cpumask", "3\n"},
		{DEVICES "hisi_sccl1_ddrc0/identifier", "0x00000030\n"},
		{DEVICES "hisi_sccl1_ddrc0/format/event", "config:0-7\n"},
		{DEVICES "hisi_sccl1_ddrc0/events/flux_wr", "config=0x83\n"},
		{DEVICES "hisi_sccl1_ddrc0/events/flux_rd", "config=0x84\n"},
	};
	MAKE_TREE(root, files);
	struct memory_events events = find(root);
	assert_int_equal(events.count, 2);
	assert_true(events.items[0].bytes == 32 && events.items[1].bytes == 32);
	assert_int_equal(events.items[0].configs[0], 0x84);
	assert_int_equal(events.items[1].configs[0], 0x83);
	memory_events_free(&events);
	write_file(root, DEVICES "hisi_sccl1_ddrc0/events/flux_wr", "config1=7,config=1,event=2\n");
	events = find(root);
	assert_int_equal(events.items[1].configs[0], 3);
	assert_int_equal(events.items[1].configs[1], 7);
	memory_events_free(&events);
	write_file(root, DEVICES "hisi_sccl1_ddrc0/identifier", "0x00000020\n");
	events = find(root);
	assert_int_equal(events.count, 0);
	assert_null(events.missing);
	memory_events_free(&events);
	remove_tree(root);
}

static void assert_config(const char *root, const char *format, uint64_t config)
{
	write_file(root, DEVICES "uncore_imc_2/format/umask", format);
	struct memory_events events = find(root);
	assert_string_equal(events.items[0].name, "uncore_imc_2/cas_count_read/");
	assert_int_equal(events.items[0].configs[0], config);
	memory_events_free(&events);
}

/* As of Sapphire Rapids: "config:8-15,32-55". */
static void bits_of_a_value_may_be_apart(void **state)
{
	(void)state;
	MAKE_TREE(root, intel);
	assert_config(root, "config:8-15,32-55\n", 0x0304);
	assert_config(root, "config:8,32-55\n", (uint64_t)1 << 32 | 0x0104);
	remove_tree(root);
}

static void assert_bytes(const char *root, const char *scale, double bytes)
{
	write_file(root, DEVICES "uncore_imc_2/events/cas_count_read.scale", scale);
	struct memory_events events = find(root);
	assert_string_equal(events.items[0].name, "uncore_imc_2/cas_count_read/");
	assert_true(events.items[0].bytes == bytes);
	memory_events_free(&events);
}

static void a_scale_is_a_decimal_number(void **state)
{
	(void)state;
	MAKE_TREE(root, intel);
	assert_bytes(root, "6.103515625e-05\n", 64);
	assert_bytes(root, "0.00006103515625", 64);
	assert_bytes(root, "2e1\n", 20 * 0x1p20);
	remove_tree(root);
}

static void assert_none(const char *root, const char *reason)
{
	struct memory_events events = find(root);
	assert_int_equal(events.count, 0);
	if (!reason)
		assert_null(events.missing);
	else if (!events.missing || !strstr(events.missing, reason))
		fail_msg("%s", events.missing ? events.missing : "no reason");
	memory_events_free(&events);
}

static void what_is_not_there_is_not_counted(void **state)
{
	(void)state;
	static const struct file none[] = {{DEVICES "cpu/type", "4\n"}};
	static const struct file fabric[] = {{DEVICES "amd_df/type", "11\n"}};
	MAKE_TREE(root, none);
	assert_none(NULL, NULL);
	assert_none("/nowhere", NULL);
	assert_none(root, NULL);
	write_file(root, fabric[0].path, fabric[0].text);
	assert_none(root, "does not list amd_umc, which takes Zen 4 and Linux 6.7");
	remove_tree(root);
}

static const char *text_of(const char *path)
{
	for (size_t i = 0; i < sizeof(intel) / sizeof(*intel); i++)
		if (strcmp(intel[i].path, path) == 0)
			return intel[i].text;
	return NULL;
}

/* One controller of which something is not known: the others would make a sum that is too low. The
 * counters that run freely are taken then. */
static void a_spoilt_file_leaves_the_whole_kind_out(void **state)
{
	(void)state;
	static const struct file spoilt[] = {
		{DEVICES "uncore_imc_2/type", "x\n"},
		{DEVICES "uncore_imc_2/cpumask", ""},
		{DEVICES "uncore_imc_2/cpumask", "0-\n"},
		{DEVICES "uncore_imc_2/format/umask",
		 "config:8-9\n"}, /* too narrow for its value */
		{DEVICES "uncore_imc_2/format/umask", "config:60-70\n"},
		{DEVICES "uncore_imc_2/format/umask", "config9:8-15\n"},
		{DEVICES "uncore_imc_2/format/umask", ""},
		{DEVICES "uncore_imc_2/events/cas_count_read", "event=0x04,mask=1\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read", "event=0x04,umask=\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read", "event=-4,umask=3\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read", "event=0x4g,umask=3\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read", "../format/umask=3\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read", ",,=,\n"},
		{DEVICES "uncore_imc_2/events/cas_count_write", ""}, /* reads alone */
		/* Reads of a sub-channel, without its writes. */
		{DEVICES "uncore_imc_2/events/cas_count_read_sch0", "event=0x05,umask=0xcf\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", ""},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", "1e999\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", "-1\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", "nan\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", "1 x\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", "1e\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", "0x1\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.scale", "0\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.unit", "Joules\n"},
		{DEVICES "uncore_imc_2/events/cas_count_read.unit", ""},
	};
	MAKE_TREE(root, intel);
	for (size_t i = 0; i < sizeof(spoilt) / sizeof(*spoilt); i++) {
		write_file(root, spoilt[i].path, spoilt[i].text);
		struct memory_events events = find(root);
		assert_int_equal(events.count, 2);
		assert_string_equal(events.items[0].name, "uncore_imc_free_running_0/read/");
		memory_events_free(&events);
		const char *text = text_of(spoilt[i].path);
		write_file(root, spoilt[i].path, text ? text : "");
	}
	write_file(root, spoilt[0].path, spoilt[0].text);
	write_file(root, DEVICES "uncore_imc_free_running_0/cpumask", "-\n");
	assert_none(root, "do not say what they count");
	remove_tree(root);
}

/* Every file the same rubbish: nothing breaks. */
static void rubbish_is_not_understood(void **state)
{
	(void)state;
	struct rng rng = rng_make(7);
	MAKE_TREE(root, intel);
	for (int round = 0; round < 6; round++) {
		char text[200];
		size_t length = rng_below(&rng, sizeof(text));
		for (size_t i = 0; i < length; i++)
			text[i] = round % 2 ? "config:0-7,=x\n15"[rng_below(&rng, 16)]
					    : (char)(1 + rng_below(&rng, 255));
		text[length] = 0;
		for (size_t i = 0; i < sizeof(intel) / sizeof(*intel); i++)
			write_file(root, intel[i].path, text);
		struct memory_events events;
		assert_int_equal(memory_events_find(root, &events), 0);
		memory_events_free(&events);
	}
	remove_tree(root);
}

/* ---- counting ---- */

#define MOST_FILES 16

/* A kernel whose counters go on by 100 a microsecond for reads, by 50 for writes; a call takes
 * four. */
struct kernel {
	int refuse; /* errno, from the open of that number on */
	int refuse_from;
	int opened, open_now;
	bool writes[MOST_FILES];
	uint64_t calls[MOST_FILES];
	uint64_t off_of_4; /* of four microseconds so many pass without a counter */
	uint64_t lost;
	bool short_read;
};

static int open_door(void *context, const struct perf_event_attr *attr, int cpu, int leader)
{
	struct kernel *kernel = context;
	assert_true(cpu == 0 || cpu == 32);
	assert_int_equal(leader, -1);
	assert_false(attr->exclude_kernel || attr->exclude_user || attr->exclude_hv);
	assert_false(attr->disabled);
	if (kernel->refuse && kernel->opened >= kernel->refuse_from) {
		errno = kernel->refuse;
		return -1;
	}
	assert_true(kernel->opened < MOST_FILES);
	kernel->writes[kernel->opened] = attr->config == 0x0c04;
	kernel->open_now++;
	return kernel->opened++;
}

static ssize_t read_door(void *context, int file, void *bytes, size_t capacity)
{
	struct kernel *kernel = context;
	uint64_t calls = kernel->calls[file] += 4;
	uint64_t on = calls * (4 - kernel->off_of_4) / 4;
	const uint64_t words[] = {on * (kernel->writes[file] ? 50 : 100) - kernel->lost,
				  calls * 1000, on * 1000};
	assert_int_equal(capacity, sizeof(words));
	memcpy(bytes, words, sizeof(words));
	return kernel->short_read ? 8 : (ssize_t)sizeof(words);
}

static void close_door(void *context, int file)
{
	struct kernel *kernel = context;
	(void)file;
	kernel->open_now--;
}

static struct memory_counters *open_with(struct kernel *kernel, const char *root)
{
	const struct counters_door door = {
		.context = kernel,
		.open = open_door,
		.read = read_door,
		.close = close_door,
		.root = root,
	};
	struct memory_counters *counters = NULL;
	assert_int_equal(memory_counters_open(&door, true, &counters, NULL), 0);
	return counters;
}

static void what_all_controllers_count_is_added(void **state)
{
	(void)state;
	MAKE_TREE(root, intel);
	struct kernel kernel = {0};
	struct memory_counters *counters = open_with(&kernel, root);
	assert_null(memory_counters_missing(counters));
	const char *const *names = memory_counters_names(counters);
	assert_string_equal(names[0], "uncore_imc_2/cas_count_read/");
	assert_string_equal(names[3], "uncore_imc_10/cas_count_write/");
	assert_null(names[4]); /* those of the other socket have the same names */
	memory_counters_start(counters);
	struct memory_traffic traffic = memory_counters_stop(counters);
	/* Four events of each, 64 bytes a count, 100 and 50 in a microsecond. */
	assert_true(fabs(traffic.read / (4 * 100 * 64 * 1e6) - 1) < 1e-9);
	assert_true(fabs(traffic.written / (4 * 50 * 64 * 1e6) - 1) < 1e-9);
	assert_true(traffic.on_share == 1);
	memory_counters_close(counters);
	assert_int_equal(kernel.open_now, 0);
	remove_tree(root);
}

/* Events that take turns on a counter are scaled by the time that they had one. */
static void turns_are_scaled(void **state)
{
	(void)state;
	MAKE_TREE(root, intel);
	struct kernel kernel = {.off_of_4 = 2};
	struct memory_counters *counters = open_with(&kernel, root);
	memory_counters_start(counters);
	struct memory_traffic traffic = memory_counters_stop(counters);
	assert_true(fabs(traffic.read / (4 * 100 * 64 * 1e6) - 1) < 1e-9);
	assert_true(traffic.on_share == 0.5);
	kernel.off_of_4 = 4; /* it is never on again */
	memory_counters_start(counters);
	traffic = memory_counters_stop(counters);
	assert_true(isnan(traffic.read) && isnan(traffic.written) && isnan(traffic.on_share));
	kernel.off_of_4 = 0;
	memory_counters_start(counters);
	kernel.lost = 500; /* counts: less than it was */
	traffic = memory_counters_stop(counters);
	assert_true(isnan(traffic.read) && isnan(traffic.written));
	kernel.short_read = true;
	memory_counters_start(counters);
	traffic = memory_counters_stop(counters);
	assert_true(isnan(traffic.read) && isnan(traffic.written));
	memory_counters_close(counters);
	remove_tree(root);
}

static void assert_missing(const char *root, int code, int from, const char *reason)
{
	struct kernel kernel = {.refuse = code, .refuse_from = from};
	struct memory_counters *counters = open_with(&kernel, root);
	assert_string_equal(memory_counters_missing(counters), reason);
	assert_null(memory_counters_names(counters)[0]);
	memory_counters_start(counters);
	assert_true(isnan(memory_counters_stop(counters).read));
	memory_counters_close(counters);
	assert_int_equal(kernel.open_now, 0);
}

static void a_refusal_has_its_reason(void **state)
{
	(void)state;
	MAKE_TREE(root, intel);
	write_file(root, "/proc/sys/kernel/perf_event_paranoid", "4\n");
	assert_missing(root, EACCES, 0,
		       "memory has counters, but kernel.perf_event_paranoid is 4: above 0 they "
		       "take root or CAP_PERFMON");
	/* All or none. */
	assert_missing(root, EMFILE, 5,
		       "memory has counters, but they cannot be opened: Too many open files");
	assert_missing(root, EBUSY, 7,
		       "memory has counters, but they cannot be opened: another program has "
		       "exclusive use of the counters");
	assert_missing(root, EINVAL, 0,
		       "memory has counters, but they cannot be opened: Invalid argument");
	remove_tree(root);
	assert_missing("/nowhere", 0, 0,
		       "no memory counters: the kernel of this guest lists none that fathom knows");
}

/* The kernel itself, whose clock of a CPU stands in for a controller: a count a nanosecond. */
static void the_kernel_counts_for_a_cpu(void **state)
{
	(void)state;
	static const struct file files[] = {
		{DEVICES "uncore_imc_0/type", "1\n"}, /* PERF_TYPE_SOFTWARE */
		{DEVICES "uncore_imc_0/cpumask", "0\n"},
		{DEVICES "uncore_imc_0/format/event", "config:0-7\n"},
		{DEVICES "uncore_imc_0/events/cas_count_read", "event=0x0\n"},
		{DEVICES "uncore_imc_0/events/cas_count_read.scale", "2\n"},
		{DEVICES "uncore_imc_0/events/cas_count_read.unit", "Bytes\n"},
		{DEVICES "uncore_imc_0/events/cas_count_write", "event=0x0\n"},
		{DEVICES "uncore_imc_0/events/cas_count_write.scale", "3\n"},
		{DEVICES "uncore_imc_0/events/cas_count_write.unit", "Bytes\n"},
	};
	MAKE_TREE(root, files);
	struct counters_door door = counters_kernel;
	struct memory_counters *counters = NULL;
	door.root = root;
	assert_int_equal(memory_counters_open(&door, false, &counters, NULL), 0);
	bool open = !memory_counters_missing(counters);
	memory_counters_start(counters);
	stopwatch_wait(0.01);
	struct memory_traffic traffic = memory_counters_stop(counters);
	memory_counters_close(counters);
	remove_tree(root);
	if (!open)
		skip();
	assert_true(fabs(traffic.read / 2e9 - 1) < 0.2);
	assert_true(fabs(traffic.written / 3e9 - 1) < 0.2);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test(intel_events_are_named_and_scaled),
	cmocka_unit_test(free_running_counters_are_the_second_choice),
	cmocka_unit_test(amd_events_are_known_by_their_codes),
	cmocka_unit_test(hisilicon_counts_are_of_the_kind_that_is_documented),
	cmocka_unit_test(bits_of_a_value_may_be_apart),
	cmocka_unit_test(a_scale_is_a_decimal_number),
	cmocka_unit_test(what_is_not_there_is_not_counted),
	cmocka_unit_test(a_spoilt_file_leaves_the_whole_kind_out),
	cmocka_unit_test(rubbish_is_not_understood),
	cmocka_unit_test(what_all_controllers_count_is_added),
	cmocka_unit_test(turns_are_scaled),
	cmocka_unit_test(a_refusal_has_its_reason),
	cmocka_unit_test(the_kernel_counts_for_a_cpu),
};
UNIT_GROUP();
