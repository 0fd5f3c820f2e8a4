#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "base/warnings.h"
#include "machine/conditions.h"
#include "machine/kernel_threads.h"
#include "machine/pages.h"
#include "machine/tree.h"

#define LOW_MEMORY_SHARE 0.1
/* A thread that exists everywhere is worth a word once it ran so much of the time: it takes turns
 * with what is measured on its CPU, and what it does to pages is seen more often still. */
#define ACTIVE_SHARE 0.001
/* Khugepaged that sleeps so long between two rounds does not scan. */
#define NEVER_MS      3600000
#define KHUGEPAGED    "/sys/kernel/mm/transparent_hugepage/khugepaged"
#define DAMON_ADMIN   "/sys/kernel/mm/damon/admin/kdamonds"
#define MOST_KDAMONDS 64 /* folders that are looked into */

static const char *const prefixes[] = {"kdamond", "kcompactd", "kswapd", "khugepaged", NULL};

static void thp_off(const struct conditions_context *at)
{
	struct fathom_error off = {0};
	if (at->machine->thp_page_bytes && pages_check(at->machine, FATHOM_PAGE_THP, 0, &off))
		warnings_add(at->list, "thp-off", NULL, off.hint,
			     "transparent huge pages are off: --page thp is not available");
	fathom_error_clear(&off);
}

/* ---- the kernel's threads ---- */

/* The one of that kind that ran most; NULL: there is none. */
static const struct kernel_thread *busiest(const struct kernel_threads *threads, const char *prefix)
{
	const struct kernel_thread *most = NULL;
	for (size_t i = 0; i < threads->count; i++) {
		const struct kernel_thread *thread = &threads->items[i];
		if (strncmp(thread->name, prefix, strlen(prefix)) == 0 &&
		    (!most || thread->share > most->share))
			most = thread;
	}
	return most;
}

static bool is_active(const struct kernel_thread *thread)
{
	return thread && thread->share >= ACTIVE_SHARE;
}

/* "; it ran 0.47 % of the time since it began"; nothing where that is not known. */
static void add_share(struct text *line, const struct kernel_thread *thread)
{
	char percent[UNITS_TEXT_BYTES];
	if (thread && isfinite(thread->share))
		text_add(line, "; it has used %s of a CPU since it started",
			 units_format_percent(thread->share, percent));
}

static void add_condition(const struct conditions_context *at, const char *id, const char *hint,
			  struct text *line)
{
	if (line->data && !line->failed)
		warnings_add(at->list, id, NULL, hint, "%s", line->data);
	text_free(line);
}

/* The folder among DAMON's that the thread belongs to, by its number; -1: none that may be read. */
static int damon_folder(const char *root, const struct kernel_thread *thread)
{
	uint64_t pid;
	for (int i = 0; i < MOST_KDAMONDS && tree_has(root, DAMON_ADMIN "/%d", i); i++)
		if (tree_read_number(&pid, root, DAMON_ADMIN "/%d/pid", i) && pid == thread->pid)
			return i;
	return -1;
}

/* Which of the modules that have a thread of their own is switched on; NULL: none that may be
 * read. */
static const char *damon_module(const char *root)
{
	static const char *const modules[] = {"damon_reclaim", "damon_lru_sort", "damon_stat"};
	const char *found = NULL;
	for (size_t i = 0; !found && i < sizeof(modules) / sizeof(*modules); i++) {
		char *on = tree_read_line(root, "/sys/module/%s/parameters/enabled", modules[i]);
		if (on && strcmp(on, "Y") == 0)
			found = modules[i];
		free(on);
	}
	return found;
}

/* What ends the sampling; what only root may read is not known to others. */
static char *damon_hint(int folder, const char *module)
{
	if (folder >= 0)
		return text_format("echo off | sudo tee " DAMON_ADMIN "/%d/state", folder);
	if (module)
		return text_format("echo N | sudo tee /sys/module/%s/parameters/enabled", module);
	return text_format("echo off | sudo tee " DAMON_ADMIN "/*/state");
}

static void add_damon_details(struct text *line, const char *root, int folder)
{
	uint64_t sample_us;
	if (folder < 0)
		return;
	char *context = text_format("%s/%d/contexts/0", DAMON_ADMIN, folder);
	char *action = context ? tree_read_line(root, "%s/schemes/0/action", context) : NULL;
	if (context &&
	    tree_read_number(&sample_us, root, "%s/monitoring_attrs/intervals/sample_us", context))
		text_add(line, ", every %g ms", (double)sample_us / 1000);
	if (action)
		text_add(line, " (action: %s)", action);
	free(action);
	free(context);
}

static void damon(const struct conditions_context *at, const struct kernel_threads *threads)
{
	const struct kernel_thread *thread = busiest(threads, "kdamond");
	struct text line = {0};
	if (!thread)
		return;
	int folder = damon_folder(at->root, thread);
	char *hint = damon_hint(folder, folder < 0 ? damon_module(at->root) : NULL);
	text_add(&line, "%s (DAMON) samples which pages are used", thread->name);
	add_damon_details(&line, at->root, folder);
	add_share(&line, thread);
	add_condition(at, "damon", hint, &line);
	free(hint);
}

/* With THP for who asks only, most machines have nobody who asks. */
static void khugepaged(const struct conditions_context *at, const struct kernel_threads *threads)
{
	const struct kernel_thread *thread = busiest(threads, "khugepaged");
	const char *state = at->machine->thp_state;
	bool always = state && strcmp(state, "always") == 0;
	struct text line = {0};
	uint64_t sleep_ms;
	if (!state || (!always && !(strcmp(state, "madvise") == 0 && is_active(thread))) ||
	    !tree_read_number(&sleep_ms, at->root, KHUGEPAGED "/scan_sleep_millisecs") ||
	    sleep_ms >= NEVER_MS)
		return;
	text_add(&line,
		 "khugepaged may turn small pages into huge ones during a measurement (--page %s)",
		 always ? "default and thp" : "thp");
	add_share(&line, thread);
	add_condition(at, "khugepaged",
		      "echo 4294967295 | sudo tee " KHUGEPAGED "/scan_sleep_millisecs", &line);
}

static void ksm(const struct conditions_context *at)
{
	uint64_t run, pages, sleep_ms;
	struct text line = {0};
	if (!tree_read_number(&run, at->root, "/sys/kernel/mm/ksm/run") || run != 1)
		return;
	text_add(&line, "ksmd scans memory for identical pages to merge (KSM)");
	if (tree_read_number(&pages, at->root, "/sys/kernel/mm/ksm/pages_to_scan") &&
	    tree_read_number(&sleep_ms, at->root, "/sys/kernel/mm/ksm/sleep_millisecs"))
		text_add(&line, ", %llu pages every %llu ms", (unsigned long long)pages,
			 (unsigned long long)sleep_ms);
	add_condition(at, "ksm", "echo 0 | sudo tee /sys/kernel/mm/ksm/run", &line);
}

/* What threads of that kind do, where one is active. */
static void active(const struct conditions_context *at, const struct kernel_threads *threads,
		   const char *prefix, const char *does, const char *id, const char *hint)
{
	const struct kernel_thread *thread = busiest(threads, prefix);
	struct text line = {0};
	if (!is_active(thread))
		return;
	text_add(&line, "%s %s", thread->name, does);
	add_share(&line, thread);
	add_condition(at, id, hint, &line);
}

static void numa_balancing(const struct conditions_context *at)
{
	uint64_t mode;
	if (at->machine->node_count > 1 &&
	    tree_read_number(&mode, at->root, "/proc/sys/kernel/numa_balancing") && mode)
		warnings_add(at->list, "numa-balancing", NULL,
			     "sudo sysctl kernel.numa_balancing=0",
			     "automatic NUMA balancing unmaps pages to see which CPU uses them");
}

/* ---- want of memory ---- */

static void low_memory(const struct conditions_context *at)
{
	char size[UNITS_TEXT_BYTES];
	uint64_t available = at->machine->available_bytes;
	if (available && (double)available < LOW_MEMORY_SHARE * (double)at->machine->memory_bytes)
		warnings_add(at->list, "low-memory", NULL,
			     "see what holds it: ps -eo rss,pid,comm --sort=-rss | head",
			     "only %s of memory is available: the kernel reclaims pages (kswapd)",
			     units_format_size(available, size));
}

static void swap_used(const struct conditions_context *at)
{
	char size[UNITS_TEXT_BYTES];
	uint64_t total;
	uint64_t unused;
	char *meminfo = tree_read(at->root, "/proc/meminfo");
	if (tree_field(meminfo, "SwapTotal", &total) && tree_field(meminfo, "SwapFree", &unused) &&
	    unused < total)
		warnings_add(
			at->list, "swap-used", NULL,
			"when enough memory is free: sudo swapoff -a && sudo swapon -a",
			"%s are swapped out: memory was short, and pages may be moved in and out",
			units_format_size(total - unused, size));
	free(meminfo);
}

void conditions_find_memory(const struct conditions_context *at)
{
	struct kernel_threads threads = kernel_threads_find(at->root, prefixes);
	thp_off(at);
	damon(at, &threads);
	khugepaged(at, &threads);
	ksm(at);
	active(at, &threads, "kcompactd", "moves pages to make room for huge pages", "compaction",
	       "sudo sysctl vm.compaction_proactiveness=0");
	active(at, &threads, "kswapd", "reclaims pages", "reclaim",
	       "see what holds memory: ps -eo rss,pid,comm --sort=-rss | head");
	numa_balancing(at);
	low_memory(at);
	swap_used(at);
	kernel_threads_free(&threads);
}
