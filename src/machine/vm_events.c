#include "machine/vm_events.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/warnings.h"

/* 190 lines of 6.18 are 4 KiB; a longer file is known as far as this. */
#define CAPACITY  32768
#define MOST_TOLD 3

/* The counters of Linux 6.18 (include/linux/vm_event_item.h) that speak of pages in use. Not in it:
 * what only allocates, what only one process asks for itself, and counts of other counts. */
static const struct {
	const char *name, *text;
} table[] = {
	{"thp_split_page", "split huge pages"},
	{"thp_split_pmd", "mapped huge pages as small ones"},
	{"thp_collapse_alloc", "collapsed small pages into huge ones"},
	{"thp_migration_success", "moved huge pages"},
	{"pgmigrate_success", "moved pages"},
	{"compact_migrate_scanned", "searched for pages to move"},
	{"numa_pte_updates", "unmapped pages to see which CPU uses them"},
	{"numa_hint_faults", "took faults on pages that NUMA balancing had unmapped"},
	{"numa_pages_migrated", "moved pages to another node"},
	{"pgpromote_success", "moved pages to faster memory"},
	{"pgdemote_kswapd", "moved pages to slower memory"},
	{"pgscan_kswapd", "searched for pages to reclaim"},
	{"pgscan_direct", "reclaimed pages for waiting allocations"},
	{"pgscan_khugepaged", "reclaimed pages for huge ones"},
	{"pgscan_proactive", "reclaimed pages on demand"},
	{"pswpin", "read pages from swap"},
	{"pswpout", "wrote pages to swap"},
	{"cow_ksm", "copied merged pages (KSM)"},
	{"balloon_inflate", "gave pages to the host"},
	{"balloon_deflate", "took pages from the host"},
	{"balloon_migrate", "moved balloon pages"},
};
_Static_assert(sizeof(table) / sizeof(*table) == VM_EVENT_COUNT, "the header counts them");

struct vm_events {
	int file;
	char *text;
	short *line_event; /* of each line: which event it counts; -1: of none */
	size_t line_count;
};

const char *vm_event_name(unsigned event)
{
	return table[event].name;
}

const char *vm_event_text(unsigned event)
{
	return table[event].text;
}

static short find_event(const char *line)
{
	size_t length = strcspn(line, " \n");
	for (short i = 0; i < VM_EVENT_COUNT; i++)
		if (strlen(table[i].name) == length && strncmp(line, table[i].name, length) == 0)
			return i;
	return -1;
}

static bool read_text(const struct vm_events *events)
{
	ssize_t length = pread(events->file, events->text, CAPACITY - 1, 0);
	events->text[length > 0 ? length : 0] = 0;
	return length > 0;
}

/* The next line, or NULL. */
static const char *next_line(const char *line)
{
	const char *end = strchr(line, '\n');
	return end && end[1] ? end + 1 : NULL;
}

/* The names are looked up once: a running kernel's lines stay where they are. */
static bool find_lines(struct vm_events *events)
{
	if (!read_text(events))
		return false;
	size_t count = 0;
	for (const char *line = events->text; line; line = next_line(line))
		count++;
	events->line_event = malloc(count * sizeof(*events->line_event));
	if (!events->line_event)
		return false;
	for (const char *line = events->text; line; line = next_line(line))
		events->line_event[events->line_count++] = find_event(line);
	return true;
}

struct vm_events *vm_events_open(const char *root)
{
	struct vm_events *events = calloc(1, sizeof(*events));
	char *path = root ? text_format("%s/proc/vmstat", root) : NULL;
	if (events) {
		events->file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
		events->text = malloc(CAPACITY);
	}
	free(path);
	if (events && events->file >= 0 && events->text && find_lines(events))
		return events;
	vm_events_close(events);
	return NULL;
}

void vm_events_close(struct vm_events *events)
{
	if (!events)
		return;
	if (events->file >= 0)
		close(events->file);
	free(events->text);
	free(events->line_event);
	free(events);
}

void vm_events_read(const struct vm_events *events, struct vm_counts *now)
{
	*now = (struct vm_counts){0};
	if (!events || !read_text(events))
		return;
	const char *line = events->text;
	for (size_t i = 0; line && i < events->line_count; i++, line = next_line(line)) {
		const char *blank = events->line_event[i] < 0 ? NULL : line + strcspn(line, " \n");
		if (blank)
			now->values[events->line_event[i]] = strtoull(blank, NULL, 10);
	}
}

bool vm_record_add(struct vm_record *record, const struct vm_counts *before,
		   const struct vm_counts *after)
{
	bool any = false;
	for (unsigned i = 0; i < VM_EVENT_COUNT; i++) {
		if (after->values[i] <= before->values[i])
			continue;
		any = true;
		record->events[i].blocks++;
		record->events[i].count += after->values[i] - before->values[i];
	}
	record->blocks++;
	record->disturbed += any;
	return any;
}

/* The event that was seen beside most blocks, of those that were not reported yet; VM_EVENT_COUNT:
 * of none. */
static unsigned most_seen(const struct vm_record *record, const bool *reported)
{
	unsigned most = VM_EVENT_COUNT;
	for (unsigned i = 0; i < VM_EVENT_COUNT; i++)
		if (record->events[i].blocks && !reported[i] &&
		    (most == VM_EVENT_COUNT ||
		     record->events[i].blocks > record->events[most].blocks))
			most = i;
	return most;
}

int vm_record_warn(const struct vm_record *record, struct fathom_warnings *warnings)
{
	struct text list = {0};
	bool reported[VM_EVENT_COUNT] = {false};
	unsigned event = most_seen(record, reported);
	if (event == VM_EVENT_COUNT)
		return 0;
	for (unsigned i = 0; i < MOST_TOLD && event < VM_EVENT_COUNT; i++) {
		text_add(&list, "%s %s (%s +%llu)", i ? "," : "", table[event].text,
			 table[event].name, (unsigned long long)record->events[event].count);
		reported[event] = true;
		event = most_seen(record, reported);
	}
	char *what = text_take(&list);
	int status = what ? warnings_add(warnings, "memory-events", NULL,
					 "these counters cover the whole machine; 'fathom info' "
					 "lists what does this and how to stop it",
					 "during %llu of %llu blocks the kernel%s",
					 (unsigned long long)record->disturbed,
					 (unsigned long long)record->blocks, what)
			  : -1;
	free(what);
	return status;
}
