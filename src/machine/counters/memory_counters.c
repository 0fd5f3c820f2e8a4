#include "machine/counters/memory_counters.h"

#include <linux/perf_event.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "machine/counters/counter_access.h"
#include "machine/counters/memory_events.h"
#include "machine/tree.h"

#define NS_A_SECOND 1e9
/* Up to here everybody may count what all programs do on a CPU (perf_allow_cpu in the kernel's
 * include/linux/perf_event.h). */
#define OPEN_PARANOIA 0

struct reading { /* as the kernel tells it (PERF_FORMAT_TOTAL_TIME_ENABLED and _RUNNING) */
	uint64_t value, enabled_ns, running_ns;
};

struct memory_counter {
	int file; /* -1: not open */
	struct reading before;
	bool failed; /* that could not be read */
};

struct memory_counters {
	struct counters_door door;
	struct memory_events events;
	struct memory_counter *items; /* of each event */
	const char **names;
	char *missing;
};

/* ---- opening ---- */

static char *explain(const char *root, int code)
{
	uint64_t level = 0;
	bool paranoid = tree_read_number(&level, root, "/proc/sys/kernel/perf_event_paranoid") &&
			level > OPEN_PARANOIA;
	if (code == EACCES && paranoid)
		return text_format("memory has counters, but kernel.perf_event_paranoid is %llu: "
				   "above %d they take root or CAP_PERFMON",
				   (unsigned long long)level, OPEN_PARANOIA);
	/* What is said of other codes is of the counters of cores. */
	bool refused = code == EACCES || code == EPERM || code == ENOSYS || code == EBUSY;
	struct counter_refusal refusal = counter_access_explain(root, refused ? code : 0);
	char *reason = text_format("memory has counters, but they cannot be opened: %s",
				   refusal.reason ? refusal.reason : strerror(code));
	counter_refusal_free(&refusal);
	return reason;
}

/* What the controllers do has no mode: whoever asks to leave out the kernel is refused. */
static int open_one(const struct counters_door *door, const struct memory_event *event)
{
	const struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->configs[0],
		.config1 = event->configs[1],
		.config2 = event->configs[2],
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	return door->open(door->context, &attr, event->cpu, -1);
}

static void close_files(struct memory_counters *counters)
{
	for (size_t i = 0; counters->items && i < counters->events.count; i++) {
		if (counters->items[i].file >= 0)
			counters->door.close(counters->door.context, counters->items[i].file);
		counters->items[i].file = -1;
	}
}

/* All or none. -1: out of memory. */
static int open_files(struct memory_counters *counters)
{
	for (size_t i = 0; i < counters->events.count; i++)
		counters->items[i].file = -1;
	for (size_t i = 0; i < counters->events.count; i++) {
		int file = open_one(&counters->door, &counters->events.items[i]);
		counters->items[i].file = file;
		if (file >= 0)
			continue;
		counters->missing = explain(counters->door.root, errno);
		close_files(counters);
		return counters->missing ? 0 : -1;
	}
	return 0;
}

/* They stand in the order of their names. */
static void gather_names(struct memory_counters *counters)
{
	size_t count = 0;
	for (size_t i = 0; i < counters->events.count && !counters->missing; i++) {
		const char *name = counters->events.items[i].name;
		if (!count || strcmp(counters->names[count - 1], name) != 0)
			counters->names[count++] = name;
	}
}

static int fill(struct memory_counters *counters, bool guest)
{
	if (memory_events_find(counters->door.root, &counters->events))
		return -1;
	counters->items = calloc(counters->events.count + 1, sizeof(*counters->items));
	counters->names = calloc(counters->events.count + 1, sizeof(*counters->names));
	if (!counters->items || !counters->names)
		return -1;
	const char *reason = counters->events.missing;
	if (!counters->events.count)
		counters->missing =
			reason ? strdup(reason)
			       : text_format("no memory counters: the kernel of this %s "
					     "lists none that fathom knows",
					     guest ? "guest" : "machine");
	if ((!counters->events.count && !counters->missing) || open_files(counters))
		return -1;
	gather_names(counters);
	return 0;
}

int memory_counters_open(const struct counters_door *door, bool guest,
			 struct memory_counters **counters, struct fathom_error *error)
{
	struct memory_counters *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->door = door ? *door : counters_kernel;
	if (fill(made, guest)) {
		memory_counters_close(made);
		return error_no_memory(error);
	}
	*counters = made;
	return 0;
}

const char *memory_counters_missing(const struct memory_counters *counters)
{
	return counters->missing;
}

const char *const *memory_counters_names(const struct memory_counters *counters)
{
	return counters->names;
}

void memory_counters_close(struct memory_counters *counters)
{
	if (!counters)
		return;
	close_files(counters);
	memory_events_free(&counters->events);
	free(counters->items);
	free(counters->names);
	free(counters->missing);
	free(counters);
}

/* ---- counting ---- */

static bool read_one(const struct memory_counters *counters, int file, struct reading *reading)
{
	uint64_t words[3] = {0};
	ssize_t got = counters->door.read(counters->door.context, file, words, sizeof(words));
	*reading = (struct reading){words[0], words[1], words[2]};
	return got == (ssize_t)sizeof(words);
}

void memory_counters_start(struct memory_counters *counters)
{
	for (size_t i = 0; i < counters->events.count && !counters->missing; i++) {
		struct memory_counter *counter = &counters->items[i];
		counter->failed = !read_one(counters, counter->file, &counter->before);
	}
}

/* Each is asked a little later than the one before it, at both ends: its rate is that of its own
 * time, which the kernel tells. NAN: it was never on, or counted backwards. */
static double rate_of(const struct memory_counters *counters, size_t which, double *on_share)
{
	const struct memory_counter *counter = &counters->items[which];
	const struct reading *before = &counter->before;
	struct reading now;
	if (!read_one(counters, counter->file, &now) || counter->failed ||
	    now.value < before->value || now.running_ns <= before->running_ns ||
	    now.enabled_ns <= before->enabled_ns)
		return NAN;
	double on_ns = (double)(now.running_ns - before->running_ns);
	double count = (double)(now.value - before->value);
	*on_share = fmin(*on_share, on_ns / (double)(now.enabled_ns - before->enabled_ns));
	return count * counters->events.items[which].bytes / on_ns * NS_A_SECOND;
}

struct memory_traffic memory_counters_stop(struct memory_counters *counters)
{
	struct memory_traffic traffic = {0, 0, 1};
	for (size_t i = 0; i < counters->events.count && !counters->missing; i++) {
		double rate = rate_of(counters, i, &traffic.on_share);
		if (counters->events.items[i].writes)
			traffic.written += rate;
		else
			traffic.read += rate;
	}
	if (counters->missing || isnan(traffic.read + traffic.written))
		traffic = (struct memory_traffic){NAN, NAN, NAN};
	return traffic;
}
