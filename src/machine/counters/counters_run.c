#include "machine/counters/counters_private.h"

#include <linux/perf_event.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/point.h"
#include "base/stats.h"
#include "machine/tree.h"

/* A group that the kernel took in at once has its counters for nearly all of the time it was on;
 * one that waited for others to be switched off, for a part of it. */
#define AT_ONCE 0.9
/* Of nothing, for each set: the median of an odd number. */
#define IDLE_RUNS 17

/* ---- reading ---- */

/* Of a counter, in what was read of its group; false: it is not there. */
static bool find_value(const uint64_t *bytes, size_t count, uint64_t id, uint64_t *value)
{
	for (size_t i = 0; i < count; i++) {
		const uint64_t *pair = bytes + READ_HEAD + i * PAIR;
		if (pair[PAIR_ID] != id)
			continue;
		*value = pair[PAIR_VALUE];
		return true;
	}
	return false;
}

/* Leaves it in counters->bytes. */
static bool read_group(const struct counters *counters, const struct counter_group *group,
		       struct times *times)
{
	size_t length = (READ_HEAD + group->count * PAIR) * sizeof(*counters->bytes);
	if (group->failed)
		return false;
	ssize_t got =
		counters->door.read(counters->door.context, group->leader, counters->bytes, length);
	if (got != (ssize_t)length || counters->bytes[READ_COUNT] != group->count)
		return false;
	times->enabled = counters->bytes[READ_ENABLED];
	times->running = counters->bytes[READ_RUNNING];
	return true;
}

static struct times since(const struct times *before, const struct times *now)
{
	return (struct times){now->enabled - before->enabled, now->running - before->running};
}

void counters_reset(struct counters *counters)
{
	counters->accesses = 0;
	for (size_t i = 0; i < counters->group_count; i++) {
		struct counter_group *group = &counters->groups[i];
		group->accesses = 0;
		group->runs = 0;
		if (!read_group(counters, group, &group->before)) {
			group->failed = true;
			continue;
		}
		for (size_t k = 0; k < counters->count; k++) {
			struct counter *counter = &counters->items[k];
			if (counter->file >= 0 && counter->group == i &&
			    !find_value(counters->bytes, group->count, counter->id,
					&counter->before))
				group->failed = true;
		}
	}
}

/* ---- on and off ---- */

static void switch_group(struct counters *counters, struct counter_group *group,
			 unsigned long request)
{
	if (!group->failed &&
	    counters->door.control(counters->door.context, group->leader, request, NULL) < 0)
		group->failed = true;
}

static void switch_set(struct counters *counters, size_t set, unsigned long request)
{
	for (size_t i = 0; i < counters->group_count; i++)
		if (counters->groups[i].set == set)
			switch_group(counters, &counters->groups[i], request);
}

/* Of the groups without a set: which of them have counters all the time when all are on? */
static size_t gather_set(struct counters *counters, size_t set)
{
	size_t gathered = 0;
	switch_set(counters, NO_SET, PERF_EVENT_IOC_ENABLE);
	for (size_t i = 0; i < counters->group_count; i++) {
		struct counter_group *group = &counters->groups[i];
		struct times now;
		if (group->set != NO_SET || !read_group(counters, group, &now))
			continue;
		struct times on = since(&group->before, &now);
		if (!on.running || (double)on.running < AT_ONCE * (double)on.enabled)
			continue;
		switch_group(counters, group, PERF_EVENT_IOC_DISABLE);
		group->set = set;
		gathered++;
	}
	switch_set(counters, NO_SET, PERF_EVENT_IOC_DISABLE);
	return gathered;
}

/* The kernel shares counters out by turns as well, but every few milliseconds while events are on,
 * and never in runs that are shorter: the last groups would starve. */
void counters_gather_sets(struct counters *counters)
{
	size_t left = counters->group_count;
	while (left) {
		counters_reset(counters);
		size_t gathered = gather_set(counters, counters->set_count);
		if (!gathered)
			break;
		left -= gathered;
		counters->set_count++;
	}
	/* What found no counter even so (another program holds some) gets what the kernel gives. */
	for (size_t i = 0; i < counters->group_count; i++)
		if (counters->groups[i].set == NO_SET)
			counters->groups[i].set = counters->set_count;
	counters->set_count += left > 0;
	counters_reset(counters);
}

void counters_start(struct counters *counters)
{
	switch_set(counters, counters->turn, PERF_EVENT_IOC_ENABLE);
}

void counters_stop(struct counters *counters, double accesses)
{
	switch_set(counters, counters->turn, PERF_EVENT_IOC_DISABLE);
	for (size_t i = 0; i < counters->group_count; i++) {
		struct counter_group *group = &counters->groups[i];
		group->accesses += group->set == counters->turn ? accesses : 0;
		group->runs += group->set == counters->turn;
	}
	counters->accesses += accesses;
	if (counters->set_count)
		counters->turn = (counters->turn + 1) % counters->set_count;
}

/* ---- what was counted ---- */

/* On x86 the watchdog keeps a counter of every CPU for itself. */
static char *free_counter_hint(const char *root)
{
	uint64_t watchdog = 0;
	return tree_read_number(&watchdog, root, "/proc/sys/kernel/nmi_watchdog") && watchdog
		       ? strdup("sudo sysctl kernel.nmi_watchdog=0")
		       : NULL;
}

static const char no_counter[] = "other events or another program used all the counters";

/* NULL, or why nothing is known. */
static const char *tally_event(const struct counters *counters, const struct counter *counter,
			       struct event_total *total)
{
	const struct counter_group *group = &counters->groups[counter->group];
	struct times now;
	uint64_t value;
	if (!read_group(counters, group, &now) ||
	    !find_value(counters->bytes, group->count, counter->id, &value))
		return "the kernel did not report the value of this counter";
	struct times on = since(&group->before, &now);
	if (!(group->runs > 0) || !on.enabled)
		return "its counter was not running during any run";
	if (!on.running)
		return no_counter;
	total->share = (double)on.running / (double)on.enabled;
	total->value = (double)(value - counter->before) / total->share;
	return NULL;
}

/* What each counter counts in a run of nothing, IDLE_RUNS values one after the other for each. */
static void count_nothing(struct counters *counters, double *values, size_t *known)
{
	/* The first of each set was cold. */
	for (size_t i = 0; i < (IDLE_RUNS + 1) * counters->set_count; i++) {
		size_t set = counters->turn;
		counters_reset(counters);
		counters_start(counters);
		counters_stop(counters, 0);
		for (size_t k = 0; i >= counters->set_count && k < counters->count; k++) {
			const struct counter *counter = &counters->items[k];
			struct event_total total;
			if (counter->file >= 0 && counters->groups[counter->group].set == set &&
			    known[k] < IDLE_RUNS && !tally_event(counters, counter, &total))
				values[k * IDLE_RUNS + known[k]++] = total.value;
		}
	}
}

int counters_learn_idle(struct counters *counters, struct fathom_error *error)
{
	double *values = calloc(counters->count * IDLE_RUNS + 1, sizeof(*values));
	size_t *known = calloc(counters->count + 1, sizeof(*known));
	int status = values && known ? 0 : error_no_memory(error);
	if (status == 0)
		count_nothing(counters, values, known);
	for (size_t k = 0; status == 0 && k < counters->count; k++)
		if (known[k])
			counters->items[k].idle = stats_median(values + k * IDLE_RUNS, known[k]);
	counters_reset(counters);
	free(values);
	free(known);
	return status;
}

static void fill_count(const struct counters *counters, const struct counter *counter,
		       struct fathom_count *count)
{
	const struct counter_group *group = &counters->groups[counter->group];
	struct event_total total;
	const char *reason = tally_event(counters, counter, &total);
	if (!reason && !(group->accesses > 0))
		reason = "its counter was not running during any access";
	if (reason) {
		count->state = FATHOM_NOT_COUNTED;
		count->reason = strdup(reason);
		if (reason == no_counter)
			count->hint = free_counter_hint(counters->door.root);
		return;
	}
	double own = fmax(0, total.value - counter->idle * group->runs);
	count->per_access = own / group->accesses;
	count->running_share = total.share * group->accesses / counters->accesses;
	count->state = count->running_share < 1 ? FATHOM_SCALED : FATHOM_COUNTED;
}

static char *copy(const char *text)
{
	return text ? strdup(text) : NULL;
}

struct fathom_count *counters_read(const struct counters *counters)
{
	struct fathom_count *counts = calloc(counters->count + 1, sizeof(*counts));
	bool failed = !counts;
	for (size_t i = 0; !failed && i < counters->count; i++) {
		const struct counter *counter = &counters->items[i];
		struct fathom_count *count = &counts[i];
		*count = (struct fathom_count){
			.event = strdup(counter->name),
			.state = counter->refusal.state,
			.per_access = NAN,
			.running_share = NAN,
			.reason = copy(counter->refusal.reason),
			.hint = copy(counter->refusal.hint),
		};
		if (counter->file >= 0)
			fill_count(counters, counter, count);
		failed = !count->event || (!count->reason && count->state >= FATHOM_NOT_COUNTED);
	}
	if (!failed)
		return counts;
	counts_free(counts, counters->count);
	return NULL;
}
