/* Memory of NUMA nodes: a row for the CPUs of each, a column for the memory of each. */
#include <math.h>

#include "views/experiments/experiments.h"
#include "views/figure.h"
#include "views/points.h"
#include "views/rounding.h"

#define GB 1e9

static const struct quantity {
	const char *title, *unit;
	size_t value, low, high; /* of the doubles in struct fathom_node_access */
	double scale;
} quantities[] = {
#define OF(member) offsetof(struct fathom_node_access, member)
#define BANDWIDTH(member)                                                                          \
	OF(member##_bytes_per_second), OF(member##_low_bytes_per_second),                          \
		OF(member##_high_bytes_per_second), GB
	{"latency", "ns", OF(latency_ns), OF(latency_low_ns), OF(latency_high_ns), 1},
	{"reading", "GB/s", BANDWIDTH(read)},
	{"writing", "GB/s", BANDWIDTH(write)},
	{"copying", "GB/s", BANDWIDTH(copy)},
};

static double value_of(const struct fathom_node_access *access, size_t offset, double scale)
{
	return *(const double *)(const void *)((const char *)access + offset) / scale;
}

static const struct fathom_node_access *find(const struct fathom_result *result, int cpu, int node)
{
	for (size_t i = 0; i < result->node_count; i++)
		if (result->nodes[i].cpu == cpu && result->nodes[i].memory_node == node)
			return &result->nodes[i];
	return NULL;
}

/* Is it the first of its row, or of its column? */
static bool is_first(const struct fathom_result *result, size_t which, bool row)
{
	for (size_t i = 0; i < which; i++)
		if (row ? result->nodes[i].cpu == result->nodes[which].cpu
			: result->nodes[i].memory_node == result->nodes[which].memory_node)
			return false;
	return true;
}

static void add_cell(struct view *view, const struct fathom_node_access *access,
		     const struct quantity *quantity)
{
	if (!access) {
		view_empty(view);
		return;
	}
	view_estimate(view, (struct estimate){
				    .value = value_of(access, quantity->value, quantity->scale),
				    .low = value_of(access, quantity->low, quantity->scale),
				    .high = value_of(access, quantity->high, quantity->scale),
			    });
}

static void add_row(struct view *view, const struct fathom_result *result,
		    const struct fathom_node_access *first, const struct quantity *quantity)
{
	view_row(view);
	if (first->cpu_node >= 0)
		view_name(view, "CPUs of node %d", first->cpu_node);
	else
		view_name(view, "CPU %d", first->cpu);
	for (size_t i = 0; i < result->node_count; i++)
		if (is_first(result, i, false))
			add_cell(view, find(result, first->cpu, result->nodes[i].memory_node),
				 quantity);
}

static void add_matrix(struct view *view, const struct fathom_result *result,
		       const struct quantity *quantity)
{
	struct text name = {0};
	bool any = false;
	for (size_t i = 0; i < result->node_count; i++)
		any |= isfinite(value_of(&result->nodes[i], quantity->value, 1));
	if (!any)
		return;
	view_table(view);
	text_add(&name, "%s, %s", quantity->title, quantity->unit);
	view_column_take(view, &name, COLUMN(NULL));
	for (size_t i = 0; i < result->node_count; i++) {
		if (!is_first(result, i, false))
			continue;
		text_add(&name, "node %d", result->nodes[i].memory_node);
		view_column_take(view, &name, COLUMN(NULL, .counted = true, .spread_rank = 1));
	}
	for (size_t i = 0; i < result->node_count; i++)
		if (is_first(result, i, true))
			add_row(view, result, &result->nodes[i], quantity);
	view_gap(view);
}

/* The least and the greatest of a quantity over that of the own node. */
static bool find_ratios(const struct fathom_result *result, const struct quantity *quantity,
			double *least, double *greatest)
{
	*least = INFINITY;
	*greatest = 0;
	for (size_t i = 0; i < result->node_count; i++) {
		const struct fathom_node_access *access = &result->nodes[i];
		const struct fathom_node_access *own = find(result, access->cpu, access->cpu_node);
		if (!own || own == access)
			continue;
		double ratio =
			value_of(access, quantity->value, 1) / value_of(own, quantity->value, 1);
		if (!isfinite(ratio))
			continue;
		*least = fmin(*least, ratio);
		*greatest = fmax(*greatest, ratio);
	}
	return *greatest > 0;
}

static void add_range(struct text *text, double least, double greatest)
{
	text_add(text, "%s", rounding_about(least).text);
	if (greatest > 1.05 * least)
		text_add(text, " to %s", rounding_about(greatest).text);
}

static void add_ratios(struct view *view, const struct fathom_result *result, bool sentence)
{
	struct text line = {0};
	double least, greatest;
	if (find_ratios(result, &quantities[0], &least, &greatest)) {
		text_add(&line, "%cemory of another node takes ", sentence ? 'M' : 'm');
		add_range(&line, least, greatest);
		text_add(&line, " times the latency of the own");
	}
	if (find_ratios(result, &quantities[1], &least, &greatest)) {
		if (line.length)
			text_add(&line, ", and is read at ");
		else
			text_add(&line, "%cemory of another node is read at ",
				 sentence ? 'M' : 'm');
		add_range(&line, least, greatest);
		text_add(&line, " times the bandwidth");
	}
	if (line.length && sentence)
		text_add(&line, ".");
	if (line.length)
		view_take(view, sentence ? VIEW_ITEM : VIEW_PLAIN, &line);
}

void nodes_say(struct view *view, const struct fathom_result *result)
{
	add_ratios(view, result, true);
}

/* What the numbers are of, and how much of the memory was where it was asked for. */
static void add_terms(struct view *view, const struct fathom_result *result)
{
	const struct fathom_node_access *first = &result->nodes[0];
	double share = 1;
	uint32_t least = first->threads, most = least;
	for (size_t i = 0; i < result->node_count; i++) {
		share = fmin(share, result->nodes[i].node_share);
		least = result->nodes[i].threads < least ? result->nodes[i].threads : least;
		most = result->nodes[i].threads > most ? result->nodes[i].threads : most;
	}
	struct text line = {0};
	text_add(&line, "latency of one core at %s; bandwidth of ",
		 rounding_size(first->size_bytes).text);
	if (least < most)
		text_add(&line, "%u to ", least);
	text_add(&line, "%u thread%s, one on each core of the CPUs' node", most,
		 most == 1 ? "" : "s");
	view_take(view, VIEW_NOTE, &line);
	bool known = false;
	for (size_t i = 0; i < result->node_count; i++)
		known |= isfinite(result->nodes[i].node_share);
	if (!known)
		view_say(view, VIEW_NOTE, "the kernel does not say where the pages are");
	else
		view_say(view, VIEW_NOTE,
			 "pages read back: %s of each on the node that was asked for",
			 rounding_percent(share).text);
	if (result->machine && result->machine->hypervisor)
		view_say(view, VIEW_NOTE,
			 "in a guest: where the host moves its CPUs meanwhile, that is not seen");
}

void nodes_view(struct view *view, const struct fathom_result *result)
{
	if (!result->node_count)
		return;
	view_part(view, "nodes", "Memory of NUMA nodes");
	view_gap(view);
	for (size_t i = 0; i < sizeof(quantities) / sizeof(*quantities); i++)
		add_matrix(view, result, &quantities[i]);
	figure_add(view, result, (struct figure_wish){.kind = FIGURE_NODES});
	view_gap(view);
	add_ratios(view, result, false);
	add_terms(view, result);
	view_gap(view);
}
