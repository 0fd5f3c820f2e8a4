#include "fake_counters.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define FIRST_FILE 100
#define FIRST_ID   7000

static struct fake_event *event_of(struct fake *fake, int file)
{
	assert_in_range(file, FIRST_FILE, FIRST_FILE + (int)fake->opened - 1);
	struct fake_event *event = &fake->events[file - FIRST_FILE];
	assert_true(event->open);
	return event;
}

static unsigned group_size(const struct fake *fake, int leader)
{
	unsigned size = 0;
	for (size_t i = 0; i < fake->opened; i++)
		size += fake->events[i].open && fake->events[i].leader == leader;
	return size;
}

/* Each counter that is on goes on by its config every ns. Groups get counters in the order in which
 * they were opened. */
void fake_pass(struct fake *fake, uint64_t ns)
{
	unsigned free = fake->counters - fake->held;
	fake->steps++;
	for (size_t i = 0; i < fake->opened; i++) {
		struct fake_event *leader = &fake->events[i];
		if (!leader->open || leader->leader != (int)i || !leader->on)
			continue;
		unsigned size = group_size(fake, (int)i);
		bool runs = size <= free && !(fake->multiplexed && fake->steps % 2);
		if (size <= free)
			free -= size;
		for (size_t k = 0; k < fake->opened; k++) {
			struct fake_event *event = &fake->events[k];
			if (event->leader != (int)i || !event->open)
				continue;
			event->enabled_ns += ns;
			event->running_ns += runs ? ns : 0;
			event->value += runs ? event->attr.config * ns : 0;
		}
	}
}

static int refusal_of(const struct fake *fake, const struct perf_event_attr *attr, int leader)
{
	if (fake->refuse && fake->calls > fake->refuse_from &&
	    (!fake->refuse_config || fake->refuse_config == attr->config))
		return fake->refuse;
	unsigned most = fake->most_in_group ? fake->most_in_group : fake->counters;
	unsigned size = leader < 0 ? 0 : group_size(fake, leader - FIRST_FILE);
	return size + 1 > most ? fake->group_error ? fake->group_error : EINVAL : 0;
}

static int fake_open(void *context, const struct perf_event_attr *attr, int cpu, int leader)
{
	struct fake *fake = context;
	fake->calls++;
	assert_int_equal(cpu, -1); /* the thread's own */
	assert_int_equal(attr->exclude_kernel, 1);
	assert_int_equal(attr->exclude_hv, 1);
	assert_int_equal(attr->disabled, leader < 0); /* members follow their leader */
	if (leader >= 0)
		assert_int_equal(event_of(fake, leader)->leader, leader - FIRST_FILE);
	errno = refusal_of(fake, attr, leader);
	if (errno)
		return -1;
	assert_true(fake->opened < MOST_FILES);
	int index = (int)fake->opened++;
	fake->events[index] = (struct fake_event){
		.attr = *attr, .open = true, .leader = leader < 0 ? index : leader - FIRST_FILE};
	return FIRST_FILE + index;
}

static int fake_control(void *context, int file, unsigned long request, void *argument)
{
	struct fake *fake = context;
	struct fake_event *event = event_of(fake, file);
	if (request == PERF_EVENT_IOC_ID) {
		*(uint64_t *)argument = FIRST_ID + (uint64_t)(file - FIRST_FILE);
		return 0;
	}
	assert_true(request == PERF_EVENT_IOC_ENABLE || request == PERF_EVENT_IOC_DISABLE);
	fake->switches++;
	errno = fake->control_error;
	if (errno)
		return -1;
	event->on = request == PERF_EVENT_IOC_ENABLE;
	bool disturbed = fake->disturbed_every && fake->switches % fake->disturbed_every == 0;
	fake_pass(fake, 1 + fake->slow_call_ns + (disturbed ? 1000000 : 0));
	return 0;
}

static ssize_t fake_read(void *context, int file, void *bytes, size_t capacity)
{
	struct fake *fake = context;
	const struct fake_event *leader = event_of(fake, file);
	uint64_t words[3 + 2 * MOST_FILES] = {0, leader->enabled_ns, leader->running_ns};
	size_t length = 3;
	for (size_t i = 0; i < fake->opened; i++) {
		if (!fake->events[i].open || fake->events[i].leader != file - FIRST_FILE)
			continue;
		words[0]++;
		words[length++] = fake->events[i].value;
		words[length++] = fake->wrong_id ? 1 : FIRST_ID + i;
	}
	fake_pass(fake, 1 + fake->slow_call_ns);
	size_t whole = length * sizeof(*words);
	if (capacity < whole) {
		errno = ENOSPC;
		return -1;
	}
	whole -= fake->short_read ? 8 : 0;
	memcpy(bytes, words, whole);
	return (ssize_t)whole;
}

static void fake_close(void *context, int file)
{
	struct fake *fake = context;
	struct fake_event *event = event_of(fake, file);
	/* Its members would be left behind. */
	if (event->leader == file - FIRST_FILE)
		assert_int_equal(group_size(fake, event->leader), 1);
	event->open = false;
}

struct counters_door fake_door(struct fake *fake)
{
	return (struct counters_door){
		fake,      fake_open,  fake_control,
		fake_read, fake_close, fake->root ? fake->root : MACHINES "/intel-metal"};
}

bool fake_all_closed(const struct fake *fake)
{
	for (size_t i = 0; i < fake->opened; i++)
		if (fake->events[i].open)
			return false;
	return true;
}
