/* What the kernel does to pages while a program uses them, by its own counters (/proc/vmstat): huge
 * pages split and made, pages moved, unmapped, reclaimed, swapped. The counters are the whole
 * machine's: an event may have been about somebody else's pages. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "fathom.h"

#define VM_EVENT_COUNT 21

/* Running totals, in the order of the table; 0 for ever: this kernel does not count that. */
struct vm_counts {
	uint64_t values[VM_EVENT_COUNT];
};

struct vm_events; /* the open file */

/* `root` as in tree.h. NULL: the file cannot be read, or there is no memory; the others take that
 * for counters that stand still. */
struct vm_events *vm_events_open(const char *root);
/* One pread: 16 us for the 180 lines of a machine with 2 CPUs, which is why blocks are looked at
 * and not batches. */
void vm_events_read(const struct vm_events *events, struct vm_counts *now);
void vm_events_close(struct vm_events *events);

/* "thp_split_page", and what the kernel did: "split huge pages". */
const char *vm_event_name(unsigned event);
const char *vm_event_text(unsigned event);

/* Blocks of a run, and beside how many of them what was counted. Start from {0}. */
struct vm_record {
	uint64_t blocks, disturbed;
	struct {
		uint64_t blocks, count;
	} events[VM_EVENT_COUNT];
};

/* Takes a block over, from the counts before and after it. Was anything done to pages meanwhile? */
bool vm_record_add(struct vm_record *record, const struct vm_counts *before,
		   const struct vm_counts *after);
/* Adds the warning `memory-events`, where there is anything to say: beside how many blocks, and
 * which counters. -1: out of memory. */
int vm_record_warn(const struct vm_record *record, struct fathom_warnings *warnings);
