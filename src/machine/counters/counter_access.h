/* Whether hardware counters may be used, and why not. */
#pragma once

#include "fathom.h"

struct counter_refusal {
	enum fathom_count_state state; /* FATHOM_COUNTED: nothing was refused */
	char *reason;                  /* one sentence; NULL: out of memory, or not refused */
	char *hint;                    /* the command that lifts it, or NULL */
};

/* What it means that the kernel refused an event of the calling thread's user space with errno
 * `code`; 0: it did not. `root` as in tree.h: there the settings are looked up that tell one cause
 * from another. Give back with counter_refusal_free. */
struct counter_refusal counter_access_explain(const char *root, int code);
void counter_refusal_free(struct counter_refusal *refusal);
/* The number of the counters that belong to `cpu` where cores of several kinds have their own, for
 * the types of events; 0: one kind, or not known. */
uint32_t counter_access_kind(const char *root, int cpu);

/* Fills has_pmu and counters_missing, and the refusal in the handle: on this machine by opening an
 * event, on a recorded one by what its files say. */
void counter_access_find(const char *root, struct fathom_machine *machine);
