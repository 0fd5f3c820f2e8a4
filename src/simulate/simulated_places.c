/* The values of kind=, node_mem= and its like: what differs from CPU to CPU. */
#include <string.h>

#include "base/list.h"
#include "simulate/simulated_cpus.h"
#include "simulate/simulated_values.h"

bool simulated_key_is_of_core(const struct simulated_key *key)
{
	static const char *const names[] = {
		"l1",         "l2",     "l3",     "l4",     "dtlb",    "stlb",    "dtlb2m",
		"stlb2m",     "dtlb1g", "stlb1g", "clock",  "overlap", "sibling", "issue",
		"mispredict", "lock",   "rob",    "misses", "walkers", "stride",  "adjacent",
		"bandwidth",  "os_l1",  "os_l2",  "os_l3",  "os_l4"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(names[i], key->name) == 0)
			return true;
	return false;
}

const char *simulated_read_kind(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	const char *range = strsep(&value, ":");
	int low, high;
	if (!value || !*value)
		return "it has CPUs and what is different in them";
	if (spec->kind_count == SIMULATED_MOST_KINDS)
		return "there are three already";
	if (!cpu_list_next(&range, &low, &high) || *range)
		return "its first part is no range of CPUs";
	if (low < key->low || high > key->high)
		return "CPUs from 1 on can be of another kind";
	size_t length = strlen(value);
	if (length >= SIMULATED_KIND_BYTES)
		return "it is too long";
	for (int cpu = low; cpu <= high; cpu++)
		if (simulated_kind_of(spec, (uint64_t)cpu))
			return "another kind has these CPUs";
	struct simulated_kind *kind = &spec->kinds[spec->kind_count++];
	*kind = (struct simulated_kind){.first_cpu = (uint64_t)low, .last_cpu = (uint64_t)high};
	memcpy(kind->items, value, length + 1);
	return NULL;
}

/* Rows joined by +, of parts between slashes. */
static const char *read_matrix(const struct simulated_key *key, char *value, simulated_read *read,
			       struct simulated_matrix *matrix, void *cells, size_t each)
{
	for (char *row; (row = strsep(&value, "+")); matrix->rows++) {
		size_t column = 0;
		if (matrix->rows == SIMULATED_MOST_NODES)
			return "it has more than 8 rows";
		for (char *part; (part = strsep(&row, "/")); column++) {
			size_t at = matrix->rows * SIMULATED_MOST_NODES + column;
			if (column == SIMULATED_MOST_NODES)
				return "it has more than 8 columns";
			const char *reason = read(key, part, (char *)cells + at * each);
			if (reason)
				return reason;
		}
		if (matrix->rows && column != matrix->columns)
			return "its rows are not of one length";
		matrix->columns = column;
	}
	return NULL;
}

/* "8G", or 0, which is no size elsewhere. */
static const char *read_bytes(const struct simulated_key *key, char *value, void *field)
{
	if (strcmp(value, "0") != 0)
		return simulated_read_size(key, value, field);
	*(uint64_t *)field = 0;
	return NULL;
}

const char *simulated_read_node_bytes(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	return strchr(value, '+') ? "it has one row"
				  : read_matrix(key, value, read_bytes, &spec->node_bytes_read,
						spec->node_bytes, sizeof(*spec->node_bytes));
}

const char *simulated_read_node_costs(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	return read_matrix(key, value, simulated_read_cost, &spec->node_costs_read,
			   spec->node_costs, sizeof(struct simulated_cost));
}

const char *simulated_read_node_rates(const struct simulated_key *key, char *value, void *field)
{
	struct simulated_spec *spec = field;
	return read_matrix(key, value, simulated_read_rate, &spec->node_rates_read,
			   spec->node_rates, sizeof(struct simulated_rate));
}

/* ---- what follows ---- */

static const char *check_matrix(const struct simulated_spec *spec,
				const struct simulated_matrix *matrix, uint64_t rows)
{
	if (!matrix->rows || (matrix->rows == rows && matrix->columns == spec->all_nodes))
		return NULL;
	return rows > 1 ? "it has not a row for each node with CPUs, and a part for each node"
			: "it has not a part for each node";
}

/* By default they have each as much. */
static void share_memory(struct simulated_spec *spec)
{
	uint64_t bytes = 0;
	for (size_t i = 0; i < spec->all_nodes && i < SIMULATED_MOST_NODES; i++) {
		if (!spec->node_bytes_read.rows)
			spec->node_bytes[i] = spec->memory_bytes / spec->all_nodes;
		bytes += spec->node_bytes[i];
	}
	if (spec->node_bytes_read.rows)
		spec->memory_bytes = bytes;
}

const char *simulated_nodes_finish(struct simulated_spec *spec, bool has_memory, const char **key)
{
	const struct {
		const char *key;
		const struct simulated_matrix *matrix;
		uint64_t rows;
	} given[] = {{"node_memory", &spec->node_bytes_read, 1},
		     {"node_mem", &spec->node_costs_read, spec->nodes},
		     {"node_bandwidth", &spec->node_rates_read, spec->nodes}};
	spec->all_nodes = spec->nodes;
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++)
		if (given[i].matrix->columns > spec->all_nodes)
			spec->all_nodes = given[i].matrix->columns;
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		const char *reason = check_matrix(spec, given[i].matrix, given[i].rows);
		*key = given[i].key;
		if (reason)
			return reason;
	}
	*key = "node_memory";
	if (spec->node_bytes_read.rows && has_memory)
		return "it says how much memory there is, not 'memory'";
	share_memory(spec);
	return spec->memory_bytes ? NULL : "no node has memory";
}

/* The CPU's own; where that has no memory, the nearest that has. */
static size_t own_node(const struct simulated_spec *spec, size_t row)
{
	const struct simulated_cost *costs = spec->node_costs[row];
	size_t best = row;
	for (size_t i = 0; i < spec->all_nodes; i++)
		if (spec->node_bytes[i] &&
		    (!spec->node_bytes[best] || costs[i].ns < costs[best].ns))
			best = i;
	return spec->node_bytes[row] ? row : best;
}

void simulated_nodes_take(struct simulated_spec *spec, unsigned cpu, int node)
{
	size_t row = simulated_cpus_place(spec, simulated_cpus_thread(spec, cpu)).node;
	if (row >= SIMULATED_MOST_NODES || node >= SIMULATED_MOST_NODES)
		return; /* of so many nothing is said */
	size_t column = node < 0 ? own_node(spec, row) : (size_t)node;
	if (spec->node_costs_read.rows)
		spec->memory_cost = spec->node_costs[row][column];
	if (spec->node_rates_read.rows)
		spec->rates[spec->cache_count] = spec->node_rates[row][column];
}

/* ---- siblings ---- */

static void slow_down(struct simulated_rate *rate, double times)
{
	rate->bytes_per_cycle /= times;
	rate->bytes_per_second /= times;
}

/* Half of its ways are taken. */
static void halve(struct simulated_shape *shape)
{
	uint64_t ways = shape->ways > 1 ? shape->ways / 2 : 1;
	shape->size_bytes = shape->size_bytes / shape->ways * ways;
	shape->entries = shape->entries / shape->ways * ways;
	shape->ways = ways;
}

void simulated_spec_disturb(struct simulated_spec *spec, enum fathom_sibling sibling)
{
	bool streams = sibling == FATHOM_SIBLING_STREAMS;
	if (!streams && sibling != FATHOM_SIBLING_COMPUTES)
		return;
	for (size_t i = 0; i < spec->cache_count; i++) {
		spec->caches[i].cost.cycles *= spec->sibling_times;
		slow_down(&spec->rates[i], spec->sibling_times);
		/* The last of several is shared by all cores: a stream through it is but one. */
		if (streams && (i + 1 < spec->cache_count || i == 0))
			halve(&spec->caches[i]);
	}
	if (streams)
		slow_down(&spec->rates[spec->cache_count], 2);
	spec->issued_per_cycle /= spec->sibling_times;
}
