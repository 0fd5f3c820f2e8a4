#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "machine/private.h"
#include "machine/tree.h"

/* ---- loading ---- */

static bool is_xml(const char *description)
{
	size_t length = strlen(description);
	return length > 4 && strcmp(description + length - 4, ".xml") == 0;
}

static int describe(hwloc_topology_t topology, const char *description)
{
	if (!description)
		return 0;
	return is_xml(description) ? hwloc_topology_set_xml(topology, description)
				   : hwloc_topology_set_synthetic(topology, description);
}

/* Disallowed CPUs are kept: they share caches and cores with ours. Binding is left alone, since
 * looking at a machine must not move its threads. */
static int load(hwloc_topology_t topology, const char *description)
{
	if (describe(topology, description) ||
	    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) ||
	    hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED |
						       HWLOC_TOPOLOGY_FLAG_DONT_CHANGE_BINDING))
		return -1;
	return hwloc_topology_load(topology);
}

/* Allowed by the control groups, and by the affinity that we were started with. */
static int find_allowed(struct fathom_machine_private *handle)
{
	hwloc_topology_t topology = handle->topology;
	handle->allowed = hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology));
	if (!handle->allowed)
		return -1;
	hwloc_bitmap_and(handle->allowed, handle->allowed,
			 hwloc_topology_get_topology_cpuset(topology));
	if (!hwloc_topology_is_thissystem(topology))
		return 0;
	hwloc_bitmap_t affinity = hwloc_bitmap_alloc();
	if (affinity && !hwloc_get_cpubind(topology, affinity, HWLOC_CPUBIND_THREAD))
		hwloc_bitmap_and(handle->allowed, handle->allowed, affinity);
	hwloc_bitmap_free(affinity);
	return 0;
}

static char *list_text(hwloc_const_bitmap_t set)
{
	char *text;
	return hwloc_bitmap_list_asprintf(&text, set) < 0 ? NULL : text;
}

/* ---- kinds of CPUs ---- */

struct kind {
	hwloc_bitmap_t cpus;
	int rank;        /* 0: the slowest; -1: not ranked */
	double capacity; /* as Linux scales them; NAN: not known */
};

static const char *info_named(const struct hwloc_info_s *infos, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; i++)
		if (strcmp(infos[i].name, name) == 0)
			return infos[i].value;
	return NULL;
}

static bool read_kind(hwloc_topology_t topology, unsigned index, struct kind *kind)
{
	struct hwloc_info_s *infos;
	unsigned count;
	uint64_t capacity;
	if (hwloc_cpukinds_get_info(topology, index, kind->cpus, &kind->rank, &count, &infos, 0))
		return false;
	const char *text = info_named(infos, count, "LinuxCapacity");
	kind->capacity = text && tree_parse_number(text, &capacity) ? (double)capacity : NAN;
	return true;
}

static char *kind_name(int rank, unsigned index, unsigned count)
{
	if (count > 1 && rank == (int)count - 1)
		return strdup("performance");
	if (count > 1 && rank == 0)
		return strdup("efficiency");
	return text_format("kind %u", index);
}

/* The capacities are relative speeds already; a mere ranking is spread evenly. */
static double kind_speed(const struct kind *kind, double largest_capacity, unsigned count)
{
	if (kind->rank < 0)
		return NAN;
	if (largest_capacity > 0)
		return kind->capacity / largest_capacity;
	return (kind->rank + 1) / (double)count;
}

/* hwloc does not always rank by what Linux says of each kind. */
static void rank_by_capacity(struct kind *kinds, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (kinds[i].rank >= 0 || isnan(kinds[i].capacity))
			return;
	for (unsigned i = 0; i < count; i++) {
		kinds[i].rank = 0;
		for (unsigned other = 0; other < count; other++)
			kinds[i].rank += kinds[other].capacity < kinds[i].capacity;
	}
}

static double largest_capacity(const struct kind *kinds, unsigned count)
{
	double largest = 0;
	for (unsigned i = 0; i < count; i++) {
		if (isnan(kinds[i].capacity))
			return 0;
		largest = fmax(largest, kinds[i].capacity);
	}
	return largest;
}

static int fill_kinds(struct fathom_machine *machine, const struct kind *kinds, unsigned count)
{
	double largest = largest_capacity(kinds, count);
	machine->cpu_kinds = calloc(count, sizeof(*machine->cpu_kinds));
	if (!machine->cpu_kinds)
		return -1;
	machine->cpu_kind_count = count;
	for (unsigned i = 0; i < count; i++) {
		struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		kind->name = kind_name(kinds[i].rank, i, count);
		kind->cpus = list_text(kinds[i].cpus);
		kind->relative_speed = kind_speed(&kinds[i], largest, count);
		if (!kind->name || !kind->cpus)
			return -1;
	}
	return 0;
}

/* The first allowed CPU of the fastest kind that has one. */
static int choose_cpu(const struct fathom_machine_private *handle, const struct kind *kinds,
		      unsigned count)
{
	int best_rank = -1;
	int best = hwloc_bitmap_first(handle->allowed);
	for (unsigned i = 0; i < count; i++) {
		hwloc_bitmap_and(kinds[i].cpus, kinds[i].cpus, handle->allowed);
		if (kinds[i].rank <= best_rank || hwloc_bitmap_iszero(kinds[i].cpus))
			continue;
		best_rank = kinds[i].rank;
		best = hwloc_bitmap_first(kinds[i].cpus);
	}
	return best;
}

/* -1: out of memory. */
static int find_kinds(struct fathom_machine *machine)
{
	hwloc_topology_t topology = machine->handle->topology;
	int nr = hwloc_cpukinds_get_nr(topology, 0);
	unsigned count = nr > 0 ? (unsigned)nr : 0;
	struct kind *kinds = calloc(count + 1, sizeof(*kinds));
	int failed = kinds ? 0 : -1;
	for (unsigned i = 0; i < count && !failed; i++) {
		kinds[i].cpus = hwloc_bitmap_alloc();
		if (!kinds[i].cpus || !read_kind(topology, i, &kinds[i]))
			failed = -1;
	}
	if (!failed)
		rank_by_capacity(kinds, count);
	if (!failed && count)
		failed = fill_kinds(machine, kinds, count);
	if (!failed)
		machine->default_cpu = choose_cpu(machine->handle, kinds, count);
	for (unsigned i = 0; kinds && i < count; i++)
		hwloc_bitmap_free(kinds[i].cpus);
	free(kinds);
	return failed;
}

/* ---- caches, cores, nodes ---- */

static enum fathom_cache_kind cache_kind(hwloc_obj_cache_type_t type)
{
	if (type == HWLOC_OBJ_CACHE_INSTRUCTION)
		return FATHOM_CACHE_INSTRUCTION;
	return type == HWLOC_OBJ_CACHE_DATA ? FATHOM_CACHE_DATA : FATHOM_CACHE_UNIFIED;
}

static struct fathom_cache cache_of(hwloc_obj_t object)
{
	const struct hwloc_cache_attr_s *attributes = &object->attr->cache;
	uint64_t ways = attributes->associativity > 0 ? (uint64_t)attributes->associativity : 0;
	if (attributes->associativity == -1 && attributes->linesize) /* fully associative */
		ways = attributes->size / attributes->linesize;
	return (struct fathom_cache){
		.level = attributes->depth,
		.kind = cache_kind(attributes->type),
		.size_bytes = attributes->size,
		.line_bytes = attributes->linesize,
		.ways = (uint32_t)ways,
		.shared_cpus = (uint32_t)hwloc_bitmap_weight(object->cpuset),
	};
}

static int compare_caches(const void *left, const void *right)
{
	const struct fathom_cache *a = left;
	const struct fathom_cache *b = right;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (int)a->kind - (int)b->kind;
}

/* A cache of unknown size says nothing and is left out. */
static int find_caches(hwloc_obj_t pu, struct fathom_cache **caches, size_t *count)
{
	size_t depth = 0;
	for (hwloc_obj_t object = pu; object; object = object->parent)
		depth++;
	struct fathom_cache *found = calloc(depth + 1, sizeof(*found));
	if (!found)
		return -1;
	*caches = found;
	for (hwloc_obj_t object = pu; object; object = object->parent)
		if (hwloc_obj_type_is_cache(object->type) && object->attr->cache.size)
			found[(*count)++] = cache_of(object);
	qsort(found, *count, sizeof(*found), compare_caches);
	return 0;
}

static int find_caches_of_kinds(struct fathom_machine *machine)
{
	for (size_t i = 0; machine->cpu_kind_count > 1 && i < machine->cpu_kind_count; i++) {
		struct fathom_cpu_kind *kind = &machine->cpu_kinds[i];
		const char *cpus = kind->cpus;
		int first, last;
		hwloc_obj_t pu = cpu_list_next(&cpus, &first, &last)
					 ? hwloc_get_pu_obj_by_os_index(machine->handle->topology,
									(unsigned)first)
					 : NULL;
		if (find_caches(pu, &kind->caches, &kind->cache_count))
			return -1;
	}
	return 0;
}

static hwloc_obj_t find_above(hwloc_obj_t object, hwloc_obj_type_t type)
{
	while (object && object->type != type)
		object = object->parent;
	return object;
}

static int find_nodes(struct fathom_machine *machine)
{
	hwloc_topology_t topology = machine->handle->topology;
	int nr = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
	size_t count = nr > 0 ? (size_t)nr : 0;
	machine->nodes = calloc(count + 1, sizeof(*machine->nodes));
	if (!machine->nodes)
		return -1;
	for (hwloc_obj_t object = NULL;
	     machine->node_count < count &&
	     (object = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, object));) {
		struct fathom_node *node = &machine->nodes[machine->node_count++];
		node->id = object->os_index;
		node->memory_bytes = object->attr->numanode.local_memory;
		node->cpus = list_text(object->cpuset);
		if (!node->cpus)
			return -1;
	}
	return 0;
}

/* The largest cache that it reaches, which is that of the last level. */
static hwloc_obj_t last_cache(hwloc_obj_t pu)
{
	hwloc_obj_t last = NULL;
	for (hwloc_obj_t object = pu; object; object = object->parent)
		if (hwloc_obj_type_is_dcache(object->type))
			last = object;
	return last;
}

static int number_of(hwloc_obj_t object)
{
	return object ? (int)object->logical_index : -1;
}

static int node_of(const struct fathom_machine *machine, hwloc_obj_t pu)
{
	hwloc_obj_t node = NULL;
	while ((node = hwloc_get_next_obj_by_type(machine->handle->topology, HWLOC_OBJ_NUMANODE,
						  node)))
		if (hwloc_bitmap_isset(node->cpuset, pu->os_index))
			return (int)node->os_index;
	return -1;
}

static int compare_cpus(const void *left, const void *right)
{
	const struct fathom_cpu *a = left, *b = right;
	return (a->cpu > b->cpu) - (a->cpu < b->cpu);
}

static int find_cpus(struct fathom_machine *machine)
{
	hwloc_topology_t topology = machine->handle->topology;
	int count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
	machine->cpus = calloc(count > 0 ? (size_t)count : 1, sizeof(*machine->cpus));
	if (!machine->cpus)
		return -1;
	for (int i = 0; i < count; i++) {
		hwloc_obj_t pu = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, (unsigned)i);
		machine->cpus[machine->cpu_count++] = (struct fathom_cpu){
			.cpu = (int)pu->os_index,
			.core = number_of(find_above(pu, HWLOC_OBJ_CORE)),
			.cache = number_of(last_cache(pu)),
			.die = number_of(find_above(pu, HWLOC_OBJ_DIE)),
			.socket = number_of(find_above(pu, HWLOC_OBJ_PACKAGE)),
			.node = node_of(machine, pu),
		};
	}
	qsort(machine->cpus, machine->cpu_count, sizeof(*machine->cpus), compare_cpus);
	return 0;
}

/* The page types of a node are sorted, the base page first. */
static uint64_t base_page(hwloc_topology_t topology)
{
	hwloc_obj_t node = hwloc_get_obj_by_type(topology, HWLOC_OBJ_NUMANODE, 0);
	return node && node->attr->numanode.page_types_len ? node->attr->numanode.page_types[0].size
							   : 0;
}

static char *info_text(hwloc_obj_t object, const char *name)
{
	const char *value = object ? hwloc_obj_get_info_by_name(object, name) : NULL;
	return value ? tree_clean(value, strlen(value)) : NULL;
}

/* ---- the whole ---- */

static int find_all(struct fathom_machine *machine)
{
	hwloc_topology_t topology = machine->handle->topology;
	hwloc_obj_t root = hwloc_get_root_obj(topology);
	if (find_kinds(machine) || find_nodes(machine) || find_cpus(machine))
		return -1;
	machine->allowed_cpus = list_text(machine->handle->allowed);
	machine->online_cpus = (uint32_t)hwloc_bitmap_weight(root->cpuset);
	machine->base_page_bytes = base_page(topology);
	machine->architecture = info_text(root, "Architecture");
	hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, (unsigned)machine->default_cpu);
	hwloc_obj_t core = find_above(pu, HWLOC_OBJ_CORE);
	machine->smt_threads = core ? (uint32_t)hwloc_bitmap_weight(core->cpuset) : 0;
	machine->cpu_model = info_text(find_above(pu, HWLOC_OBJ_PACKAGE), "CPUModel");
	if (!machine->cpu_model)
		machine->cpu_model = info_text(root, "CPUModel");
	return !machine->allowed_cpus || find_caches(pu, &machine->caches, &machine->cache_count) ||
			       find_caches_of_kinds(machine)
		       ? -1
		       : 0;
}

int topology_open(const char *description, struct fathom_machine *machine,
		  struct fathom_error *error)
{
	struct fathom_machine_private *handle = calloc(1, sizeof(*handle));
	if (!handle || hwloc_topology_init(&handle->topology)) {
		free(handle);
		return error_no_memory(error);
	}
	machine->handle = handle;
	if (load(handle->topology, description))
		return error_set_errno(error, FATHOM_FAILED, NULL, "cannot read the topology of %s",
				       description ? description : "this machine");
	if (find_allowed(handle))
		return error_no_memory(error);
	if (hwloc_bitmap_iszero(handle->allowed))
		return error_set(error, FATHOM_FAILED, NULL, "this process may not use any CPU");
	return find_all(machine) ? error_no_memory(error) : 0;
}

void topology_close(struct fathom_machine_private *handle)
{
	if (!handle)
		return;
	hwloc_bitmap_free(handle->allowed);
	hwloc_topology_destroy(handle->topology);
	free(handle);
}

bool topology_lists(const char *list, int cpu)
{
	hwloc_bitmap_t set = hwloc_bitmap_alloc();
	bool listed = set && !hwloc_bitmap_list_sscanf(set, list) && cpu >= 0 &&
		      hwloc_bitmap_isset(set, (unsigned)cpu);
	hwloc_bitmap_free(set);
	return listed;
}

char *topology_siblings(const struct fathom_machine *machine, int cpu)
{
	hwloc_obj_t pu = machine->handle ? hwloc_get_pu_obj_by_os_index(machine->handle->topology,
									(unsigned)cpu)
					 : NULL;
	hwloc_obj_t core = find_above(pu, HWLOC_OBJ_CORE);
	hwloc_bitmap_t others = core ? hwloc_bitmap_dup(core->cpuset) : NULL;
	if (!others)
		return NULL;
	hwloc_bitmap_clr(others, (unsigned)cpu);
	char *text = hwloc_bitmap_iszero(others) ? NULL : list_text(others);
	hwloc_bitmap_free(others);
	return text;
}
