#include "machine/counters/counters.h"

#include <linux/perf_event.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/error.h"
#include "machine/counters/counters_private.h"

/* ---- the kernel's door ---- */

static int kernel_open(void *context, const struct perf_event_attr *event, int cpu, int leader)
{
	pid_t whose = cpu < 0 ? 0 : -1;
	(void)context;
	return (int)syscall(SYS_perf_event_open, event, whose, cpu, leader, PERF_FLAG_FD_CLOEXEC);
}

static int kernel_control(void *context, int file, unsigned long request, void *argument)
{
	(void)context;
	return ioctl(file, request, argument);
}

static ssize_t kernel_read(void *context, int file, void *bytes, size_t capacity)
{
	(void)context;
	return read(file, bytes, capacity);
}

static void kernel_close(void *context, int file)
{
	(void)context;
	close(file);
}

const struct counters_door counters_kernel = {
	.open = kernel_open,
	.control = kernel_control,
	.read = kernel_read,
	.close = kernel_close,
	.root = "",
};

/* ---- opening ---- */

/* `kind`: as counter_access_kind gives it. */
static struct perf_event_attr attributes(const struct counter_event *event, uint32_t kind)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = sizeof(attr),
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED |
			       PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	if (kind && (event->type == PERF_TYPE_HARDWARE || event->type == PERF_TYPE_HW_CACHE))
		attr.config |= (uint64_t)kind << PERF_PMU_TYPE_SHIFT;
	else if (kind && event->type == PERF_TYPE_RAW)
		attr.type = kind;
	return attr;
}

int counters_probe(void)
{
	const struct counter_event instructions = {.type = PERF_TYPE_HARDWARE,
						   .config = PERF_COUNT_HW_INSTRUCTIONS};
	struct perf_event_attr attr = attributes(&instructions, 0);
	attr.disabled = 1;
	int file = kernel_open(NULL, &attr, -1, -1);
	if (file < 0)
		return errno;
	close(file);
	return 0;
}

/* The group that an event of that family may join; NULL: none. */
static struct counter_group *find_group(struct counters *counters, unsigned family)
{
	for (size_t i = 0; i < counters->group_count; i++)
		if (counters->groups[i].family == family)
			return &counters->groups[i];
	return NULL;
}

/* The members follow their leader: it alone is switched on and off. */
static int open_in(struct counters *counters, struct perf_event_attr *attr,
		   const struct counter_group *group)
{
	attr->disabled = !group;
	return counters->door.open(counters->door.context, attr, -1, group ? group->leader : -1);
}

/* -1 with errno: refused. */
static int open_file(struct counters *counters, struct perf_event_attr *attr, unsigned family,
		     struct counter_group **group)
{
	*group = find_group(counters, family);
	int file = open_in(counters, attr, *group);
	/* The same errno says that the event is wrong and that the group cannot hold it as well. */
	if (file < 0 && *group && (errno == EINVAL || errno == ENOSPC)) {
		*group = NULL;
		file = open_in(counters, attr, NULL);
	}
	return file;
}

static void join(struct counters *counters, struct counter *counter, unsigned family,
		 struct counter_group *group)
{
	if (!group) {
		group = &counters->groups[counters->group_count++];
		*group = (struct counter_group){
			.leader = counter->file, .family = family, .set = NO_SET};
	}
	counter->group = (size_t)(group - counters->groups);
	group->count++;
	if (counters->door.control(counters->door.context, counter->file, PERF_EVENT_IOC_ID,
				   &counter->id))
		group->failed = true;
}

static int open_event(struct counters *counters, const struct counter_event *event, uint32_t kind,
		      struct fathom_error *error)
{
	struct counter *counter = &counters->items[counters->count++];
	struct perf_event_attr attr = attributes(event, kind);
	struct counter_group *group;
	counter->file = -1;
	counter->name = strdup(event->name);
	if (!counter->name)
		return error_no_memory(error);
	if (event->missing) {
		counter->refusal.state = FATHOM_NOT_SUPPORTED;
		counter->refusal.reason = strdup(event->missing);
		return 0;
	}
	counter->file = open_file(counters, &attr, event->family, &group);
	if (counter->file >= 0) {
		join(counters, counter, event->family, group);
		return 0;
	}
	if (errno == EMFILE || errno == ENFILE || errno == ENOMEM)
		return error_set_errno(error, FATHOM_FAILED, errno == ENOMEM ? NULL : "ulimit -n",
				       "the counter of '%s' cannot be opened", event->name);
	counter->refusal = counter_access_explain(counters->door.root, errno);
	return 0;
}

/* ---- the whole ---- */

int counters_open(const struct counter_events *events, int cpu, const struct counters_door *door,
		  struct counters **counters, struct fathom_error *error)
{
	struct counters *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(error);
	made->door = door ? *door : counters_kernel;
	made->items = calloc(events->count + 1, sizeof(*made->items));
	made->groups = calloc(events->count + 1, sizeof(*made->groups));
	made->bytes = calloc(READ_HEAD + events->count * PAIR, sizeof(*made->bytes));
	if (!made->items || !made->groups || !made->bytes) {
		counters_close(made);
		return error_no_memory(error);
	}
	uint32_t kind = counter_access_kind(made->door.root, cpu);
	for (size_t i = 0; i < events->count; i++) {
		if (open_event(made, &events->items[i], kind, error)) {
			counters_close(made);
			return -1;
		}
	}
	counters_gather_sets(made);
	if (counters_learn_idle(made, error)) {
		counters_close(made);
		return -1;
	}
	*counters = made;
	return 0;
}

/* Members before their leader: the kernel would make them leaders of their own. */
void counters_close(struct counters *counters)
{
	if (!counters)
		return;
	for (size_t i = counters->count; i-- > 0;) {
		struct counter *counter = &counters->items[i];
		if (counter->file >= 0)
			counters->door.close(counters->door.context, counter->file);
		counter_refusal_free(&counter->refusal);
		free(counter->name);
	}
	free(counters->items);
	free(counters->groups);
	free(counters->bytes);
	free(counters);
}
