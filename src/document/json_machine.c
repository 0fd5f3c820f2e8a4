#include "document/json_put.h"

#include "base/names.h"
#include "document/document.h"

#define MACHINE_DIGITS 9

static json_t *cpu_kinds(const struct fathom_machine *machine)
{
	json_t *list = json_array();
	for (size_t i = 0; i < machine->cpu_kind_count; i++) {
		const struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		json_t *item = json_object();
		json_put_text(&item, "name", kind->name);
		json_put_text(&item, "cpus", kind->cpus);
		json_put_number(&item, "relative_speed", kind->relative_speed);
		json_put_next(&list, item);
	}
	return list;
}

static json_t *caches(const struct fathom_machine *machine)
{
	json_t *list = json_array();
	for (size_t i = 0; i < machine->cache_count; i++) {
		const struct fathom_cache *cache = &machine->caches[i];
		json_t *item = json_object();
		json_put_integer(&item, "level", cache->level);
		json_put_text(&item, "kind", cache_kind_name(cache->kind));
		json_put_known(&item, "size_bytes", cache->size_bytes);
		json_put_known(&item, "line_bytes", cache->line_bytes);
		json_put_known(&item, "ways", cache->ways);
		json_put_known(&item, "shared_cpus", cache->shared_cpus);
		json_put_next(&list, item);
	}
	return list;
}

static json_t *nodes(const struct fathom_machine *machine)
{
	json_t *list = json_array();
	for (size_t i = 0; i < machine->node_count; i++) {
		const struct fathom_node *node = &machine->nodes[i];
		json_t *item = json_object();
		json_put_integer(&item, "id", node->id);
		json_put_bytes(&item, "memory_bytes", node->memory_bytes);
		json_put_text(&item, "cpus", node->cpus);
		json_put_next(&list, item);
	}
	return list;
}

static json_t *thp_sizes(const struct fathom_machine *machine)
{
	json_t *list = json_array();
	for (size_t i = 0; i < machine->thp_size_count; i++) {
		json_t *item = json_object();
		json_put_bytes(&item, "page_bytes", machine->thp_sizes[i].page_bytes);
		json_put_text(&item, "state", machine->thp_sizes[i].state);
		json_put_next(&list, item);
	}
	return list;
}

static json_t *pools(const struct fathom_machine *machine)
{
	json_t *list = json_array();
	for (size_t i = 0; i < machine->pool_count; i++) {
		const struct fathom_page_pool *pool = &machine->pools[i];
		json_t *item = json_object();
		json_put_bytes(&item, "page_bytes", pool->page_bytes);
		json_put_bytes(&item, "total_pages", pool->total_pages);
		json_put_bytes(&item, "free_pages", pool->free_pages);
		json_put_next(&list, item);
	}
	return list;
}

json_t *json_machine(const struct fathom_machine *machine)
{
	json_t *object = json_object();
	json_put_text(&object, "description", machine->description);
	json_put_text(&object, "hostname", machine->hostname);
	json_put_text(&object, "cpu_model", machine->cpu_model);
	json_put_text(&object, "architecture", machine->architecture);
	json_put_text(&object, "kernel", machine->kernel);
	json_put_text(&object, "hypervisor", machine->hypervisor);
	json_put_text(&object, "container", machine->container);
	json_put_text(&object, "allowed_cpus", machine->allowed_cpus);
	json_put_known(&object, "online_cpus", machine->online_cpus);
	json_put_known(&object, "smt_threads", machine->smt_threads);
	json_put(&object, "cpu_kinds", cpu_kinds(machine));
	json_put(&object, "caches", caches(machine));
	json_put(&object, "nodes", nodes(machine));
	json_put_integer(&object, "default_cpu", machine->default_cpu);
	json_put_known(&object, "base_page_bytes", machine->base_page_bytes);
	json_put_known(&object, "thp_page_bytes", machine->thp_page_bytes);
	json_put_text(&object, "thp_state", machine->thp_state);
	json_put(&object, "thp_sizes", thp_sizes(machine));
	json_put(&object, "pools", pools(machine));
	json_put_text(&object, "governor", machine->governor);
	json_put_text(&object, "clock_driver", machine->clock_driver);
	json_put(&object, "boost",
		 machine->boost < 0 ? json_null() : json_boolean(machine->boost > 0));
	json_put_known(&object, "memory_bytes", machine->memory_bytes);
	json_put_known(&object, "available_bytes", machine->available_bytes);
	json_put_known(&object, "limit_bytes", machine->limit_bytes);
	json_put_text(&object, "limit_reason", machine->limit_reason);
	json_put_boolean(&object, "has_pmu", machine->has_pmu);
	json_put_text(&object, "counters_missing", machine->counters_missing);
	json_put_warnings(&object, "conditions", &machine->conditions);
	return object;
}

int json_write_machine(const struct fathom_machine *machine, const struct fathom_style *style,
		       struct text *text, struct fathom_error *error)
{
	(void)style;
	json_t *document = json_document("machine");
	json_t *fathom = json_object();
	json_put_text(&fathom, "version", FATHOM_VERSION);
	json_put(&document, "fathom", fathom);
	json_put(&document, "machine", json_machine(machine));
	return json_finish(document, MACHINE_DIGITS, text, error);
}
