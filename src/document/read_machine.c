#include <stdlib.h>

#include "base/error.h"
#include "base/names.h"
#include "document/read_parts.h"

#define OF(name, kind) FIELD_OF(fathom_machine, name, kind)

static int read_warning(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_warning, id, FIELD_TEXT),
		FIELD_OF(fathom_warning, text, FIELD_TEXT),
		FIELD_OF(fathom_warning, hint, FIELD_TEXT),
		FIELD_OF(fathom_warning, where, FIELD_TEXT),
		FIELD_OF(fathom_warning, note, FIELD_BOOLEAN),
	};
	static const struct fields fields = FIELDS_OF(table);
	const struct fathom_warning *warning = item;
	if (fields_read(place, &fields, item))
		return -1;
	if (!warning->id || !warning->text)
		return fields_refuse(place, warning->id ? "text" : "id", "is missing");
	return 0;
}

int parts_read_warnings(const struct place *place, const char *name,
			struct fathom_warnings *warnings)
{
	return fields_read_array(place, name, sizeof(*warnings->items), read_warning,
				 (void **)&warnings->items, &warnings->count);
}

static int read_cache(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_cache, level, FIELD_COUNT),
		{"kind", FIELD_NAME, offsetof(struct fathom_cache, kind), FATHOM_CACHE_UNIFIED,
		 cache_kind_parse, RANGE_ANY},
		FIELD_OF(fathom_cache, size_bytes, FIELD_BYTES),
		FIELD_OF(fathom_cache, line_bytes, FIELD_COUNT),
		FIELD_OF(fathom_cache, ways, FIELD_COUNT),
		FIELD_OF(fathom_cache, shared_cpus, FIELD_COUNT),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

static int read_cpu_kind(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_cpu_kind, name, FIELD_TEXT),
		FIELD_OF(fathom_cpu_kind, cpus, FIELD_TEXT),
		FIELD_OF(fathom_cpu_kind, relative_speed, FIELD_NUMBER),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

static int read_node(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_node, id, FIELD_COUNT),
		FIELD_OF(fathom_node, memory_bytes, FIELD_BYTES),
		FIELD_OF(fathom_node, cpus, FIELD_TEXT),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

static int read_pool(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_page_pool, page_bytes, FIELD_BYTES),
		FIELD_OF(fathom_page_pool, total_pages, FIELD_BYTES),
		FIELD_OF(fathom_page_pool, free_pages, FIELD_BYTES),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

static int read_thp_size(const struct place *place, void *item)
{
	static const struct field table[] = {
		FIELD_OF(fathom_thp_size, page_bytes, FIELD_BYTES),
		FIELD_OF(fathom_thp_size, state, FIELD_TEXT),
	};
	static const struct fields fields = FIELDS_OF(table);
	return fields_read(place, &fields, item);
}

static const struct field machine_table[] = {
	OF(description, FIELD_TEXT),
	OF(hostname, FIELD_TEXT),
	OF(cpu_model, FIELD_TEXT),
	OF(architecture, FIELD_TEXT),
	OF(kernel, FIELD_TEXT),
	OF(hypervisor, FIELD_TEXT),
	OF(container, FIELD_TEXT),
	OF(allowed_cpus, FIELD_TEXT),
	OF(online_cpus, FIELD_COUNT),
	OF(smt_threads, FIELD_COUNT),
	{"default_cpu", FIELD_INTEGER, offsetof(struct fathom_machine, default_cpu), -1, NULL,
	 RANGE_ANY},
	OF(base_page_bytes, FIELD_BYTES),
	OF(thp_page_bytes, FIELD_BYTES),
	OF(thp_state, FIELD_TEXT),
	OF(governor, FIELD_TEXT),
	OF(clock_driver, FIELD_TEXT),
	OF(boost, FIELD_SWITCH),
	OF(memory_bytes, FIELD_BYTES),
	OF(available_bytes, FIELD_BYTES),
	OF(limit_bytes, FIELD_BYTES),
	OF(limit_reason, FIELD_TEXT),
	OF(has_pmu, FIELD_BOOLEAN),
	OF(counters_missing, FIELD_TEXT),
};
static const struct fields machine_fields = FIELDS_OF(machine_table);

static int read_machine(const struct place *place, void *target)
{
	struct fathom_machine *machine = target;
	if (fields_read(place, &machine_fields, machine) ||
	    fields_read_array(place, "caches", sizeof(*machine->caches), read_cache,
			      (void **)&machine->caches, &machine->cache_count) ||
	    fields_read_array(place, "cpu_kinds", sizeof(*machine->cpu_kinds), read_cpu_kind,
			      (void **)&machine->cpu_kinds, &machine->cpu_kind_count) ||
	    fields_read_array(place, "nodes", sizeof(*machine->nodes), read_node,
			      (void **)&machine->nodes, &machine->node_count) ||
	    fields_read_array(place, "thp_sizes", sizeof(*machine->thp_sizes), read_thp_size,
			      (void **)&machine->thp_sizes, &machine->thp_size_count) ||
	    fields_read_array(place, "pools", sizeof(*machine->pools), read_pool,
			      (void **)&machine->pools, &machine->pool_count) ||
	    parts_read_warnings(place, "conditions", &machine->conditions))
		return -1;
	if (machine->limit_bytes == 0) /* null: not known */
		machine->limit_bytes = UINT64_MAX;
	return 0;
}

int parts_read_machine(const struct place *place, struct fathom_machine **machine)
{
	const json_t *object = json_object_get(place->object, "machine");
	if (!object || json_is_null(object))
		return 0;
	struct fathom_machine *made = calloc(1, sizeof(*made));
	if (!made)
		return error_no_memory(place->error);
	if (fields_read_object(place, "machine", read_machine, made)) {
		fathom_machine_free(made);
		return -1;
	}
	*machine = made;
	return 0;
}
