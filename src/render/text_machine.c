/* A machine for people: what `fathom info` prints. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/names.h"
#include "render/text/layout.h"
#include "render/writers.h"

static void add_size(struct text *line, uint64_t bytes)
{
	char size[UNITS_TEXT_BYTES];
	text_add(line, "%s", bytes ? layout_size(bytes, false, size) : "unknown");
}

/* `missing`: what a text that is not there means. */
static void add_text_fact(const struct layout *layout, const char *label, const char *value,
			  const char *missing)
{
	struct text line = {0};
	layout_outside(layout, &line, value ? value : missing);
	layout_fact(layout, label, &line);
}

static void add_names(const struct layout *layout, const struct fathom_machine *machine)
{
	struct text line = {0};
	if (machine->description)
		add_text_fact(layout, "simulated", machine->description, NULL);
	layout_outside(layout, &line, machine->cpu_model);
	text_add(&line, " (");
	layout_outside(layout, &line, machine->architecture);
	text_add(&line, ")");
	layout_fact(layout, "CPU", &line);
	add_text_fact(layout, "host", machine->hostname, "unknown");
	add_text_fact(layout, "kernel", machine->kernel, "unknown");
	add_text_fact(layout, "hypervisor", machine->hypervisor, "none seen");
	add_text_fact(layout, "container", machine->container, "none seen");
}

static void add_cpus(const struct layout *layout, const struct fathom_machine *machine)
{
	struct text line = {0};
	if (machine->online_cpus)
		text_add(&line, "%u online, ", machine->online_cpus);
	text_add(&line, "allowed ");
	layout_outside(layout, &line, machine->allowed_cpus);
	if (machine->smt_threads)
		text_add(&line, ", %u thread%s a core", machine->smt_threads,
			 machine->smt_threads == 1 ? "" : "s");
	else
		text_add(&line, ", threads a core unknown");
	if (machine->default_cpu >= 0)
		text_add(&line, "; measured on %d unless told otherwise", machine->default_cpu);
	layout_fact(layout, "CPUs", &line);
	for (size_t i = 0; i < machine->cpu_kind_count; i++) {
		const struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		layout_outside(layout, &line, kind->name);
		text_add(&line, ": ");
		layout_outside(layout, &line, kind->cpus);
		if (isfinite(kind->relative_speed))
			text_add(&line, " (speed %.2f)", kind->relative_speed);
		layout_fact(layout, i ? "" : "CPU kinds", &line);
	}
}

enum { LEVEL, KIND, SIZE, LINE, WAYS, SHARED, CELLS };

#define CACHE_COLUMNS 68 /* of the table */

/* layout_fact takes runs of blanks for one, so the table is put together here. */
static void add_cache_row(const struct layout *layout, const char *label,
			  const char *const cells[CELLS])
{
	static const unsigned columns[CELLS] = {7, 13, 10, 9, 6, 0};
	layout_cell(layout, 14, false, label);
	for (size_t i = 0; i < CELLS; i++)
		layout_cell(layout, columns[i], false, cells[i]);
	text_add(layout->text, "\n");
}

/* The same in words, where the lines are too short for the table. */
static void add_cache_item(const struct layout *layout, const char *label,
			   const char *const cells[CELLS])
{
	struct text line = {0};
	text_add(&line, "%s %s: %s, line %s, ways %s, shared by %s", cells[LEVEL], cells[KIND],
		 cells[SIZE], cells[LINE], cells[WAYS], cells[SHARED]);
	layout_fact(layout, label, &line);
}

static void add_caches(const struct layout *layout, const struct fathom_machine *machine)
{
	static const char *const heading[CELLS] = {"level", "kind", "size",
						   "line",  "ways", "shared by"};
	bool table = layout->columns >= CACHE_COLUMNS;
	if (machine->cache_count == 0) {
		add_text_fact(layout, "caches", NULL, "unknown");
		return;
	}
	if (table)
		add_cache_row(layout, "caches", heading);
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		const char *kind = cache_kind_name(cache->kind);
		char level[16], ways[16] = "-", shared[32] = "unknown";
		char size[UNITS_TEXT_BYTES] = "unknown", line[UNITS_TEXT_BYTES] = "unknown";
		snprintf(level, sizeof(level), "L%u", cache->level);
		if (cache->size_bytes)
			layout_size(cache->size_bytes, false, size);
		if (cache->line_bytes)
			layout_size(cache->line_bytes, false, line);
		if (cache->ways)
			snprintf(ways, sizeof(ways), "%u", cache->ways);
		if (cache->shared_cpus)
			snprintf(shared, sizeof(shared), "%u CPU%s", cache->shared_cpus,
				 cache->shared_cpus == 1 ? "" : "s");
		const char *const cells[CELLS] = {level, kind ? kind : "unknown", size, line, ways,
						  shared};
		if (table)
			add_cache_row(layout, "", cells);
		else
			add_cache_item(layout, i ? "" : "caches", cells);
	}
}

static void add_memory(const struct layout *layout, const struct fathom_machine *machine)
{
	struct text line = {0};
	add_size(&line, machine->memory_bytes);
	text_add(&line, ", available now: ");
	add_size(&line, machine->available_bytes);
	layout_fact(layout, "memory", &line);
	add_size(&line, machine->limit_bytes == UINT64_MAX ? 0 : machine->limit_bytes);
	if (machine->limit_reason) {
		text_add(&line, ", set by: ");
		layout_outside(layout, &line, machine->limit_reason);
	}
	layout_fact(layout, "most at once", &line);
	for (size_t i = 0; i < machine->node_count; i++) {
		const struct fathom_node *node = &machine->nodes[i];
		text_add(&line, "node %u: ", node->id);
		add_size(&line, node->memory_bytes);
		text_add(&line, ", CPUs ");
		layout_outside(layout, &line, node->cpus);
		layout_fact(layout, i ? "" : "NUMA", &line);
	}
}

/* "16 KiB to 1 MiB: never; 2 MiB: inherit" */
static void add_thp_sizes(const struct layout *layout, const struct fathom_machine *machine)
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
		layout_outside(layout, &line, state);
	}
	if (!machine->thp_size_count)
		text_add(&line, "no others");
	layout_fact(layout, "THP sizes", &line);
}

static void add_pages(const struct layout *layout, const struct fathom_machine *machine)
{
	struct text line = {0};
	add_size(&line, machine->base_page_bytes);
	layout_fact(layout, "pages", &line);
	if (machine->thp_page_bytes) {
		add_size(&line, machine->thp_page_bytes);
		text_add(&line, ", state ");
		layout_outside(layout, &line, machine->thp_state);
	} else {
		text_add(&line, "none");
	}
	layout_fact(layout, "THP", &line);
	add_thp_sizes(layout, machine);
	for (size_t i = 0; i < machine->pool_count; i++) {
		const struct fathom_page_pool *pool = &machine->pools[i];
		add_size(&line, pool->page_bytes);
		text_add(&line, ": %llu of %llu free", (unsigned long long)pool->free_pages,
			 (unsigned long long)pool->total_pages);
		layout_fact(layout, i ? "" : "page pools", &line);
	}
}

static void add_clock(const struct layout *layout, const struct fathom_machine *machine)
{
	struct text line = {0};
	text_add(&line, "driver ");
	layout_outside(layout, &line, machine->clock_driver ? machine->clock_driver : "none");
	text_add(&line, ", governor ");
	layout_outside(layout, &line, machine->governor ? machine->governor : "none");
	text_add(&line, ", boost %s",
		 machine->boost < 0 ? "unknown"
		 : machine->boost   ? "on"
				    : "off");
	layout_fact(layout, "clock", &line);
	add_text_fact(layout, "counters",
		      machine->counters_missing ? machine->counters_missing
		      : machine->has_pmu        ? "available"
						: "none",
		      NULL);
}

int text_write_machine(const struct fathom_machine *machine, const struct fathom_style *style,
		       struct text *text, struct fathom_error *error)
{
	struct layout layout = layout_make(text, style);
	struct text line = {0};
	add_names(&layout, machine);
	add_cpus(&layout, machine);
	add_caches(&layout, machine);
	add_memory(&layout, machine);
	add_pages(&layout, machine);
	add_clock(&layout, machine);
	text_add(text, "\n");
	text_add(&line, machine->conditions.count
				? "What limits or disturbs measuring here:"
				: "Nothing was found that limits or disturbs measuring here.");
	layout_item(&layout, "", false, &line);
	layout_warnings(&layout, &machine->conditions);
	return text->failed ? error_no_memory(error) : 0;
}
