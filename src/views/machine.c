/* A machine for people: what `fathom info` prints. */
#include <math.h>
#include <string.h>

#include "base/names.h"
#include "views/rounding.h"
#include "views/views.h"

static struct rounded size_of(uint64_t bytes)
{
	return bytes ? rounding_size(bytes) : (struct rounded){"unknown"};
}

static void add_names(struct view *view, const struct fathom_machine *machine)
{
	const char *signature = machine->cpu_signature, *microcode = machine->microcode;
	if (machine->description)
		view_fact(view, "simulated", "%s", machine->description);
	view_fact(view, "CPU", "%s (%s)", view_known(machine->cpu_model),
		  view_known(machine->architecture));
	if (signature || microcode)
		view_fact(view, "", "%s%s%s%s", signature ? signature : "",
			  signature && microcode ? ", " : "", microcode ? "microcode " : "",
			  microcode ? microcode : "");
	if (machine->memory_modules)
		view_fact(view, "modules", "%s", machine->memory_modules);
	view_fact(view, "host", "%s", view_known(machine->hostname));
	view_fact(view, "kernel", "%s", view_known(machine->kernel));
	view_fact(view, "hypervisor", "%s",
		  machine->hypervisor ? machine->hypervisor : "none detected");
	view_fact(view, "container", "%s",
		  machine->container ? machine->container : "none detected");
}

static void add_cpus(struct view *view, const struct fathom_machine *machine)
{
	struct text line = {0};
	if (machine->online_cpus)
		text_add(&line, "%u online, ", machine->online_cpus);
	text_add(&line, "allowed %s", view_known(machine->allowed_cpus));
	if (machine->smt_threads)
		text_add(&line, ", %u thread%s per core", machine->smt_threads,
			 machine->smt_threads == 1 ? "" : "s");
	else
		text_add(&line, ", threads per core unknown");
	if (machine->default_cpu >= 0)
		text_add(&line, "; default: CPU %d", machine->default_cpu);
	view_take_fact(view, "CPUs", &line);
	for (size_t i = 0; i < machine->cpu_kind_count; i++) {
		const struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		text_add(&line, "%s: %s", view_known(kind->name), view_known(kind->cpus));
		if (isfinite(kind->relative_speed))
			text_add(&line, " (speed %s)", rounding_number(kind->relative_speed).text);
		view_take_fact(view, i ? "" : "CPU kinds", &line);
	}
}

static void add_caches(struct view *view, const struct fathom_machine *machine)
{
	if (machine->cache_count == 0) {
		view_fact(view, "caches", "unknown");
		return;
	}
	VIEW_TABLE(view, COLUMN("caches"), COLUMN("kind"), COLUMN("size"), COLUMN("line"),
		   COLUMN("ways"), COLUMN("shared by"));
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		view_row(view);
		view_name(view, "L%u", cache->level);
		view_name(view, "%s", view_known(cache_kind_name(cache->kind)));
		view_rounded(view, size_of(cache->size_bytes));
		view_rounded(view, size_of(cache->line_bytes));
		view_count(view, cache->ways ? cache->ways : NAN);
		if (cache->shared_cpus)
			view_name(view, "%u CPU%s", cache->shared_cpus,
				  cache->shared_cpus == 1 ? "" : "s");
		else
			view_name(view, "unknown");
	}
}

static void add_memory(struct view *view, const struct fathom_machine *machine)
{
	const char *reason = machine->limit_reason;
	uint64_t limit_bytes = machine->limit_bytes == UINT64_MAX ? 0 : machine->limit_bytes;
	view_fact(view, "memory", "%s, available now: %s", size_of(machine->memory_bytes).text,
		  size_of(machine->available_bytes).text);
	view_fact(view, "usable now", "%s%s%s", size_of(limit_bytes).text,
		  reason ? ", set by: " : "", reason ? reason : "");
	for (size_t i = 0; i < machine->node_count; i++) {
		const struct fathom_node *node = &machine->nodes[i];
		bool cpus = !node->cpus || *node->cpus;
		view_fact(view, i ? "" : "NUMA", "node %u: %s, %s%s", node->id,
			  node->memory_bytes ? size_of(node->memory_bytes).text : "no memory",
			  cpus ? "CPUs " : "no CPUs", cpus ? view_known(node->cpus) : "");
	}
}

/* "16 KiB to 1 MiB: never; 2 MiB: inherit" */
static void add_thp_sizes(struct view *view, const struct fathom_machine *machine)
{
	const struct fathom_thp_size *sizes = machine->thp_sizes;
	struct text line = {0};
	for (size_t first = 0, next; first < machine->thp_size_count; first = next) {
		const char *state = view_known(sizes[first].state);
		for (next = first + 1; next < machine->thp_size_count && sizes[next].state; next++)
			if (strcmp(sizes[next].state, state) != 0)
				break;
		text_add(&line, "%s%s", first ? "; " : "", size_of(sizes[first].page_bytes).text);
		if (next > first + 1)
			text_add(&line, " to %s", size_of(sizes[next - 1].page_bytes).text);
		text_add(&line, ": %s", state);
	}
	if (!machine->thp_size_count)
		text_add(&line, "no others");
	view_take_fact(view, "THP sizes", &line);
}

static void add_pages(struct view *view, const struct fathom_machine *machine)
{
	view_fact(view, "pages", "%s", size_of(machine->base_page_bytes).text);
	if (machine->thp_page_bytes)
		view_fact(view, "THP", "%s, state %s", size_of(machine->thp_page_bytes).text,
			  view_known(machine->thp_state));
	else
		view_fact(view, "THP", "none");
	add_thp_sizes(view, machine);
	for (size_t i = 0; i < machine->pool_count; i++) {
		const struct fathom_page_pool *pool = &machine->pools[i];
		view_fact(view, i ? "" : "page pools", "%s: %llu of %llu free",
			  size_of(pool->page_bytes).text, (unsigned long long)pool->free_pages,
			  (unsigned long long)pool->total_pages);
	}
}

static void add_clock(struct view *view, const struct fathom_machine *machine)
{
	view_fact(view, "clock", "driver %s, governor %s, boost %s",
		  machine->clock_driver ? machine->clock_driver : "none",
		  machine->governor ? machine->governor : "none",
		  machine->boost < 0 ? "unknown"
		  : machine->boost   ? "on"
				     : "off");
	view_fact(view, "counters", "%s",
		  machine->counters_missing ? machine->counters_missing
		  : machine->has_pmu        ? "available"
					    : "none");
}

void view_machine(struct view *view, const struct fathom_machine *machine)
{
	view_part(view, "machine", "Machine");
	add_names(view, machine);
	add_cpus(view, machine);
	add_caches(view, machine);
	add_memory(view, machine);
	add_pages(view, machine);
	add_clock(view, machine);
	if (view->full && !machine->conditions.count)
		return;
	view_part(view, "conditions", "What limits measuring on this machine");
	view_gap(view);
	view_say(view, VIEW_PLAIN,
		 machine->conditions.count
			 ? "What limits or disturbs measurements here:"
			 : "Nothing was found that limits or disturbs measurements here.");
	view_warnings(view, &machine->conditions);
}
