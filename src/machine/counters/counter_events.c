#include "machine/counters/counter_events.h"

#include <linux/perf_event.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/error.h"
#include "base/list.h"
#include "base/names.h"
#include "base/text.h"
#include "machine/counters/counter_names.h"

#define COUNT(array) (sizeof(array) / sizeof(*(array)))
#define BLANKS       " \t"

/* Of an event of struct perf_event_attr. */
#define READ_OF(cache, result)                                                                     \
	((cache) | PERF_COUNT_HW_CACHE_OP_READ << 8 | PERF_COUNT_HW_CACHE_RESULT_##result << 16)
#define LARGEST_RAW_DIGITS 16

enum { CYCLES = 1, BRANCHES, L1D, LLC, DTLB, WALKS, FAULTS, FIRST_NAMED };
/* Small groups find room where large ones wait. */
#define NAMED_IN_A_FAMILY 2

static const struct generic {
	const char *name;
	uint32_t type;
	uint64_t config;
	unsigned family;
} generics[] = {
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, CYCLES},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, BRANCHES},
	{"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, BRANCHES},
	{"l1d_reads", PERF_TYPE_HW_CACHE, READ_OF(PERF_COUNT_HW_CACHE_L1D, ACCESS), L1D},
	{"l1d_misses", PERF_TYPE_HW_CACHE, READ_OF(PERF_COUNT_HW_CACHE_L1D, MISS), L1D},
	{"llc_reads", PERF_TYPE_HW_CACHE, READ_OF(PERF_COUNT_HW_CACHE_LL, ACCESS), LLC},
	{"llc_misses", PERF_TYPE_HW_CACHE, READ_OF(PERF_COUNT_HW_CACHE_LL, MISS), LLC},
	{"dtlb_reads", PERF_TYPE_HW_CACHE, READ_OF(PERF_COUNT_HW_CACHE_DTLB, ACCESS), DTLB},
	{"dtlb_misses", PERF_TYPE_HW_CACHE, READ_OF(PERF_COUNT_HW_CACHE_DTLB, MISS), DTLB},
	{"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, FAULTS},
};

/* What no generic event counts: the first name that this CPU has. Where several sizes of page are
 * counted apart, all of them. */
static const struct composed {
	const char *name;
	const char *const own[5];
} composed[] = {
	{"page_walks",
	 {"dtlb_load_misses:walk_completed", "dtlb_walk", "page_walks:d_side_walks",
	  "l1_dtlb_miss:tlb_reload_4k_l2_miss:tlb_reload_coalesced_page_miss"
	  ":tlb_reload_2m_l2_miss:tlb_reload_1g_l2_miss"}},
	{"page_walk_cycles",
	 {"dtlb_load_misses:walk_active", "dtlb_load_misses:walk_duration",
	  "dtlb_load_misses:walk_cycles", "page_walks:d_side_cycles"}},
};

/* ---- the nearest names ---- */

struct nearest {
	const char *wanted;
	char *names[3]; /* nearest first */
	size_t distances[3];
};

static void consider(void *context, const char *name)
{
	struct nearest *nearest = context;
	size_t distance = names_distance(nearest->wanted, name);
	size_t last = COUNT(nearest->names) - 1;
	size_t place = 0;
	while (place <= last && nearest->names[place] && nearest->distances[place] <= distance)
		if (strcmp(nearest->names[place++], name) == 0)
			return;
	char *copy = distance == SIZE_MAX || place > last ? NULL : strdup(name);
	if (!copy)
		return;
	free(nearest->names[last]);
	for (size_t i = last; i > place; i--) {
		nearest->names[i] = nearest->names[i - 1];
		nearest->distances[i] = nearest->distances[i - 1];
	}
	nearest->names[place] = copy;
	nearest->distances[place] = distance;
}

static char *hint_for(const char *wanted)
{
	struct nearest nearest = {.wanted = wanted};
	struct text hint = {0};
	for (size_t i = 0; i < COUNT(generics); i++)
		consider(&nearest, generics[i].name);
	for (size_t i = 0; i < COUNT(composed); i++)
		consider(&nearest, composed[i].name);
	counter_name_each(wanted, consider, &nearest);
	for (size_t i = 0; i < COUNT(nearest.names) && nearest.names[i]; i++)
		text_add(&hint, "%s'%s'", i ? ", " : "did you mean ", nearest.names[i]);
	if (hint.length)
		text_add(&hint, "?");
	else
		text_add(&hint, "docs/counters.md lists the names; raw codes look like r01c2%s%s",
			 counter_names_missing() ? "; " : "",
			 counter_names_missing() ? counter_names_missing() : "");
	for (size_t i = 0; i < COUNT(nearest.names); i++)
		free(nearest.names[i]);
	return text_take(&hint);
}

/* ---- one name ---- */

static bool find_generic(const char *name, struct counter_event *event)
{
	for (size_t i = 0; i < COUNT(generics); i++) {
		if (strcasecmp(generics[i].name, name) != 0)
			continue;
		event->type = generics[i].type;
		event->config = generics[i].config;
		event->family = generics[i].family;
		return true;
	}
	return false;
}

static bool find_composed(const char *name, struct counter_event *event)
{
	const struct composed *found = NULL;
	for (size_t i = 0; i < COUNT(composed); i++)
		if (strcasecmp(composed[i].name, name) == 0)
			found = &composed[i];
	if (!found)
		return false;
	event->family = WALKS;
	for (size_t i = 0; found->own[i]; i++)
		if (counter_name_find(found->own[i], event) == COUNTER_NAME_FOUND)
			return true;
	event->missing = counter_names_missing() ? counter_names_missing()
						 : "libpfm4 knows no such event of this CPU";
	return true;
}

/* Whether it is meant as a raw code, right or wrong. */
static bool is_raw(const char *name)
{
	if (tolower((unsigned char)*name) != 'r')
		return false;
	return isdigit((unsigned char)name[1]) ||
	       strspn(name + 1, "0123456789abcdefABCDEF") == strlen(name + 1);
}

static int parse_raw(const char *name, struct counter_event *event, struct fathom_error *error)
{
	char *end;
	event->type = PERF_TYPE_RAW;
	event->config = strtoull(name + 1, &end, 16);
	/* strtoull would take "0x". */
	if (!name[1] || *end || strpbrk(name, "xX") || strlen(name + 1) > LARGEST_RAW_DIGITS)
		return error_set(error, FATHOM_USAGE,
				 "a raw event is 'r' and 1 to 16 hexadecimal digits, like r01c2",
				 "'%s' is not a raw event", name);
	return 0;
}

static int find_named(const char *name, struct counter_event *event, struct fathom_error *error)
{
	char *hint = NULL;
	switch (counter_name_find(name, event)) {
	case COUNTER_NAME_FOUND:
		return 0;
	case COUNTER_NAME_SHARED:
		hint = text_format("count it for the whole machine, as root: perf stat -a -e %s",
				   name);
		error_set(error, FATHOM_USAGE, hint,
			  "event '%s' counts for several CPUs together, not for one thread", name);
		break;
	case COUNTER_NAME_KERNEL:
		return error_set(error, FATHOM_USAGE, NULL,
				 "event '%s' counts kernel code: fathom counts user space only",
				 name);
	case COUNTER_NAME_INCOMPLETE:
		hint = hint_for(name);
		error_set(error, FATHOM_USAGE, hint, "event '%s' has no mask, or an unknown one",
			  name);
		break;
	case COUNTER_NAME_UNKNOWN:
		hint = hint_for(name);
		error_set(error, FATHOM_USAGE, hint, "unknown event '%s'", name);
		break;
	}
	free(hint);
	return -1;
}

/* ---- the list ---- */

static bool same(const struct counter_event *a, const struct counter_event *b)
{
	if (strcasecmp(a->name, b->name) == 0)
		return true;
	return !a->missing && !b->missing && a->type == b->type && a->config == b->config &&
	       a->config1 == b->config1 && a->config2 == b->config2;
}

static int find_event(struct counter_event *event, const struct counter_events *before,
		      struct fathom_error *error)
{
	size_t named = 0;
	for (size_t i = 0; i < before->count; i++)
		named += before->items[i].family >= FIRST_NAMED;
	event->family = FIRST_NAMED + (unsigned)(named / NAMED_IN_A_FAMILY);
	if (is_raw(event->name)
		    ? parse_raw(event->name, event, error)
		    : !find_generic(event->name, event) && !find_composed(event->name, event) &&
			      find_named(event->name, event, error))
		return -1;
	for (size_t i = 0; i < before->count; i++)
		if (same(&before->items[i], event))
			return error_set(
				error, FATHOM_USAGE, "name each event once",
				"event '%s' is the same as '%s', which is already in the list",
				event->name, before->items[i].name);
	return 0;
}

static int append(struct counter_events *events, const char *name, size_t length,
		  struct fathom_error *error)
{
	while (length && strchr(BLANKS, name[length - 1]))
		length--;
	if (!length)
		return error_set(error, FATHOM_USAGE, "separate names by commas",
				 "the list has an empty event name");
	struct counter_event event = {.name = strndup(name, length)};
	if (!event.name)
		return error_no_memory(error);
	if (find_event(&event, events, error) == 0) {
		if (LIST_APPEND(&events->items, &events->count, &event) == 0)
			return 0;
		error_no_memory(error);
	}
	free(event.name);
	return -1;
}

int counter_events_parse(const char *list, struct counter_events *events,
			 struct fathom_error *error)
{
	struct counter_events made = {0};
	for (const char *at = list; at; at += *at == ',') {
		at += strspn(at, BLANKS);
		size_t length = strcspn(at, ",");
		if (append(&made, at, length, error)) {
			counter_events_free(&made);
			return -1;
		}
		at += length;
		if (!*at)
			break;
	}
	*events = made;
	return 0;
}

void counter_events_free(struct counter_events *events)
{
	for (size_t i = 0; i < events->count; i++)
		free(events->items[i].name);
	free(events->items);
	*events = (struct counter_events){0};
}
