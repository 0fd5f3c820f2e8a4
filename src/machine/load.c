#include "machine/load.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "machine/tree.h"

/* Of a line of /proc/stat (Documentation/filesystems/proc.rst). */
enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, CPU_COLUMNS };

static bool parse_ticks(const char *line, uint64_t ticks[CPU_COLUMNS])
{
	char *rest = (char *)line;
	for (int i = 0; i < CPU_COLUMNS; i++) {
		const char *at = rest;
		ticks[i] = strtoull(at, &rest, 10);
		if (rest == at)
			return false;
	}
	return true;
}

struct load_ticks load_read(const char *root, const char *name)
{
	uint64_t ticks[CPU_COLUMNS];
	struct load_ticks load = {0};
	char *stat = tree_read(root, "/proc/stat");
	char *line = tree_field_text(stat, name);
	if (line && parse_ticks(line, ticks)) {
		load.used = (double)ticks[USER] + (double)ticks[NICE] + (double)ticks[SYSTEM] +
			    (double)ticks[IRQ] + (double)ticks[SOFTIRQ];
		load.idle = (double)ticks[IDLE] + (double)ticks[IOWAIT];
		load.stolen = (double)ticks[STEAL];
	}
	free(line);
	free(stat);
	return load;
}

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

double load_others_s(const char *root)
{
	struct rusage own = {0};
	double used = load_read(root, "cpu").used;
	getrusage(RUSAGE_SELF, &own);
	if (!(used > 0))
		return NAN;
	return used / (double)sysconf(_SC_CLK_TCK) - seconds(own.ru_utime) - seconds(own.ru_stime);
}
