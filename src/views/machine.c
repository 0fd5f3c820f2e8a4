/* A machine for people: what `fathom info` prints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/names.h"
#include "views/rounding.h"
#include "views/views.h"

static void add_size(struct text *line, uint64_t bytes)
{
	text_add(line, "%s", bytes ? rounding_size(bytes).text : "unknown");
}

/* `missing`: what a text that is not there means. */
static void add_text_fact(struct view *view, const char *label, const char *value,
			  const char *missing)
{
	struct text line = {0};
	view_add_known(&line, value ? value : missing);
	view_fact(view, label, &line);
}

static void add_names(struct view *view, const struct fathom_machine *machine)
{
	struct text line = {0};
	if (machine->description)
		add_text_fact(view, "simulated", machine->description, NULL);
	view_add_known(&line, machine->cpu_model);
	text_add(&line, " (");
	view_add_known(&line, machine->architecture);
	text_add(&line, ")");
	view_fact(view, "CPU", &line);
	if (machine->cpu_signature || machine->microcode) {
		if (machine->cpu_signature)
			text_add(&line, "%s", machine->cpu_signature);
		if (machine->microcode)
			text_add(&line, "%smicrocode %s", line.length ? ", " : "",
				 machine->microcode);
		view_fact(view, "", &line);
	}
	if (machine->memory_modules)
		add_text_fact(view, "modules", machine->memory_modules, NULL);
	add_text_fact(view, "host", machine->hostname, "unknown");
	add_text_fact(view, "kernel", machine->kernel, "unknown");
	add_text_fact(view, "hypervisor", machine->hypervisor, "none detected");
	add_text_fact(view, "container", machine->container, "none detected");
}

static void add_cpus(struct view *view, const struct fathom_machine *machine)
{
	struct text line = {0};
	if (machine->online_cpus)
		text_add(&line, "%u online, ", machine->online_cpus);
	text_add(&line, "allowed ");
	view_add_known(&line, machine->allowed_cpus);
	if (machine->smt_threads)
		text_add(&line, ", %u thread%s per core", machine->smt_threads,
			 machine->smt_threads == 1 ? "" : "s");
	else
		text_add(&line, ", threads per core unknown");
	if (machine->default_cpu >= 0)
		text_add(&line, "; default: CPU %d", machine->default_cpu);
	view_fact(view, "CPUs", &line);
	for (size_t i = 0; i < machine->cpu_kind_count; i++) {
		const struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		view_add_known(&line, kind->name);
		text_add(&line, ": ");
		view_add_known(&line, kind->cpus);
		if (isfinite(kind->relative_speed))
			text_add(&line, " (speed %s)", rounding_number(kind->relative_speed).text);
		view_fact(view, i ? "" : "CPU kinds", &line);
	}
}

static void add_known_size(struct view *view, uint64_t bytes)
{
	if (bytes)
		view_size(view, (double)bytes);
	else
		view_quantity(view, "unknown");
}

static void add_cache(struct view *view, const struct fathom_cache *cache)
{
	const char *kind = cache_kind_name(cache->kind);
	view_row(view);
	view_name(view, "L%u", cache->level);
	view_name(view, "%s", kind ? kind : "unknown");
	add_known_size(view, cache->size_bytes);
	add_known_size(view, cache->line_bytes);
	view_count(view, cache->ways ? cache->ways : NAN);
	if (cache->shared_cpus)
		view_name(view, "%u CPU%s", cache->shared_cpus, cache->shared_cpus == 1 ? "" : "s");
	else
		view_name(view, "unknown");
}

static void add_caches(struct view *view, const struct fathom_machine *machine)
{
	static const char *const headings[] = {"caches", "kind", "size",
					       "line",   "ways", "shared by"};
	if (machine->cache_count == 0) {
		add_text_fact(view, "caches", NULL, "unknown");
		return;
	}
	view_table(view);
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		view_column(view, headings[i], NULL);
	for (size_t i = 0; i < machine->cache_count; i++)
		add_cache(view, &machine->caches[i]);
}

static void add_memory(struct view *view, const struct fathom_machine *machine)
{
	struct text line = {0};
	add_size(&line, machine->memory_bytes);
	text_add(&line, ", available now: ");
	add_size(&line, machine->available_bytes);
	view_fact(view, "memory", &line);
	add_size(&line, machine->limit_bytes == UINT64_MAX ? 0 : machine->limit_bytes);
	if (machine->limit_reason) {
		text_add(&line, ", set by: ");
		view_add_known(&line, machine->limit_reason);
	}
	view_fact(view, "usable at once", &line);
	for (size_t i = 0; i < machine->node_count; i++) {
		const struct fathom_node *node = &machine->nodes[i];
		text_add(&line, "node %u: ", node->id);
		add_size(&line, node->memory_bytes);
		text_add(&line, ", CPUs ");
		view_add_known(&line, node->cpus);
		view_fact(view, i ? "" : "NUMA", &line);
	}
}

/* "16 KiB to 1 MiB: never; 2 MiB: inherit" */
static void add_thp_sizes(struct view *view, const struct fathom_machine *machine)
{
	const struct fathom_thp_size *sizes = machine->thp_sizes;
	struct text line = {0};
	for (size_t first = 0, next; first < machine->thp_size_count; first = next) {
		const char *state = sizes[first].state ? sizes[first].state : "unknown";
		for (next = first + 1; next < machine->thp_size_count && sizes[next].state;)
			if (strcmp(sizes[next].state, state) == 0)
				next++;
			else
				break;
		text_add(&line, "%s", first ? "; " : "");
		add_size(&line, sizes[first].page_bytes);
		if (next > first + 1) {
			text_add(&line, " to ");
			add_size(&line, sizes[next - 1].page_bytes);
		}
		text_add(&line, ": ");
		view_add_known(&line, state);
	}
	if (!machine->thp_size_count)
		text_add(&line, "no others");
	view_fact(view, "THP sizes", &line);
}

static void add_pages(struct view *view, const struct fathom_machine *machine)
{
	struct text line = {0};
	add_size(&line, machine->base_page_bytes);
	view_fact(view, "pages", &line);
	if (machine->thp_page_bytes) {
		add_size(&line, machine->thp_page_bytes);
		text_add(&line, ", state ");
		view_add_known(&line, machine->thp_state);
	} else {
		text_add(&line, "none");
	}
	view_fact(view, "THP", &line);
	add_thp_sizes(view, machine);
	for (size_t i = 0; i < machine->pool_count; i++) {
		const struct fathom_page_pool *pool = &machine->pools[i];
		add_size(&line, pool->page_bytes);
		text_add(&line, ": %llu of %llu free", (unsigned long long)pool->free_pages,
			 (unsigned long long)pool->total_pages);
		view_fact(view, i ? "" : "page pools", &line);
	}
}

static void add_clock(struct view *view, const struct fathom_machine *machine)
{
	struct text line = {0};
	text_add(&line, "driver ");
	view_add_known(&line, machine->clock_driver ? machine->clock_driver : "none");
	text_add(&line, ", governor ");
	view_add_known(&line, machine->governor ? machine->governor : "none");
	text_add(&line, ", boost %s",
		 machine->boost < 0 ? "unknown"
		 : machine->boost   ? "on"
				    : "off");
	view_fact(view, "clock", &line);
	add_text_fact(view, "counters",
		      machine->counters_missing ? machine->counters_missing
		      : machine->has_pmu        ? "available"
						: "none",
		      NULL);
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
