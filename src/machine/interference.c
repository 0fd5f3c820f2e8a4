#include "machine/interference.h"

#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/text.h"
#include "machine/tree.h"

/* A line of /proc/stat is "cpuN" and ten numbers. */
#define LONGEST_CPU_LINE 224
/* Three numbers. */
#define SCHEDSTAT_BYTES 80
#define STEAL_COLUMN    7

struct interference_counters {
	int schedstat; /* -1: not known */
	int stat;
	int cpu;        /* that it is bound to; -1: to none */
	char *cpu_name; /* "\ncpu3 " */
	char *text;     /* of /proc/stat, up to the line of the CPU */
	size_t text_bytes;
};

/* More than any kernel is built for (CONFIG_NR_CPUS). */
#define MOST_CPUS 16384

static bool is_bound_to(int cpu)
{
	cpu_set_t allowed[MOST_CPUS / CPU_SETSIZE];
	size_t bytes = sizeof(allowed);
	return sched_getaffinity(0, bytes, allowed) == 0 && CPU_COUNT_S(bytes, allowed) == 1 &&
	       CPU_ISSET_S((size_t)cpu, bytes, allowed);
}

struct interference_counters *interference_open(int cpu)
{
	struct interference_counters *counters = calloc(1, sizeof(*counters));
	if (!counters)
		return NULL;
	counters->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
	counters->stat = cpu >= 0 ? open("/proc/stat", O_RDONLY | O_CLOEXEC) : -1;
	counters->cpu = cpu >= 0 && is_bound_to(cpu) ? cpu : -1;
	counters->cpu_name = text_format("\ncpu%d ", cpu);
	counters->text_bytes = ((size_t)(cpu < 0 ? 0 : cpu) + 2) * LONGEST_CPU_LINE;
	counters->text = malloc(counters->text_bytes);
	if (counters->cpu_name && counters->text)
		return counters;
	interference_close(counters);
	return NULL;
}

void interference_close(struct interference_counters *counters)
{
	if (!counters)
		return;
	if (counters->schedstat >= 0)
		close(counters->schedstat);
	if (counters->stat >= 0)
		close(counters->stat);
	free(counters->cpu_name);
	free(counters->text);
	free(counters);
}

/* false: nothing to be read. */
static bool read_again(int file, char *text, size_t capacity)
{
	ssize_t length = file >= 0 ? pread(file, text, capacity - 1, 0) : -1;
	if (length <= 0)
		return false;
	text[length] = 0;
	return true;
}

/* Column `column` of the numbers, counted from 0; 0 where there is none. */
static uint64_t number_in(const char *text, int column)
{
	char *end = (char *)text;
	uint64_t value = 0;
	for (int i = 0; i <= column; i++) {
		const char *at = end;
		value = strtoull(at, &end, 10);
		if (end == at)
			return 0;
	}
	return value;
}

static uint64_t run_delay_ns(const struct interference_counters *counters)
{
	char text[SCHEDSTAT_BYTES];
	return read_again(counters->schedstat, text, sizeof(text)) ? number_in(text, 1) : 0;
}

static uint64_t steal_ticks(const struct interference_counters *counters)
{
	const char *line = read_again(counters->stat, counters->text, counters->text_bytes)
				   ? strstr(counters->text, counters->cpu_name)
				   : NULL;
	return line ? number_in(line + strlen(counters->cpu_name), STEAL_COLUMN) : 0;
}

void interference_read(struct interference_counters *counters, struct interference *now)
{
	struct rusage usage = {0};
	int cpu = sched_getcpu();
	getrusage(RUSAGE_THREAD, &usage);
	*now = (struct interference){
		.switches = (uint64_t)usage.ru_nivcsw,
		.faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt,
		.run_delay_ns = run_delay_ns(counters),
		.steal_ticks = steal_ticks(counters),
		.cpu = cpu,
		.astray = counters->cpu >= 0 && cpu != counters->cpu,
	};
}

/* ---- interrupts ---- */

#define BLANKS " \t"

/* Of the heading "CPU0 CPU1 ..."; -1: it is not there. */
static int column_of(char *heading, int cpu)
{
	char *rest = heading, *wanted = text_format("CPU%d", cpu);
	int column = 0, found = -1;
	for (char *name; wanted && found < 0 && (name = strtok_r(NULL, BLANKS, &rest)); column++)
		if (strcmp(name, wanted) == 0)
			found = column;
	free(wanted);
	return found;
}

/* "  1:   22   0  IO-APIC ...": a number for each CPU, but a few rows have one of all of them. */
static double count_in(const char *line, int column)
{
	const char *at = strchr(line, ':');
	double count = 0;
	if (!at)
		return 0;
	at++;
	for (int i = 0; i <= column; i++) {
		char *end;
		count = (double)strtoull(at, &end, 10);
		if (end == at)
			return 0;
		at = end;
	}
	return count;
}

double interference_interrupts(int cpu)
{
	char *text = tree_read("", "/proc/interrupts");
	char *rest = text, *line = text ? strsep(&rest, "\n") : NULL;
	int column = line ? column_of(line, cpu) : -1;
	double sum = 0;
	while (column >= 0 && (line = strsep(&rest, "\n")))
		sum += count_in(line, column);
	free(text);
	return column < 0 ? NAN : sum;
}
