#include "fathom_nodes.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/list.h"
#include "base/text.h"
#include "base/warnings.h"
#include "fathom_join.h"
#include "fathom_measure.h"
#include "measure/experiments/experiments.h"
#include "measure/plan/plan.h"
#include "model/checks/quality.h"
#include "model/node_access.h"

/* What is measured cell by cell. */
struct matrix {
	const struct fathom_plan *plan;
	struct fathom_machine *machine;
	const struct fathom_observer *observer;
	size_t cells, done;
	struct fathom_result *whole;     /* NULL: nothing was measured yet */
	struct fathom_warnings warnings; /* to be added to it */
	struct failure *failures;        /* why cells could not be measured */
	size_t failure_count;
};

/* Of one or more cells, the first of which has that name. */
struct failure {
	struct fathom_error why;
	char *name;
	size_t cells;
};

static bool is_column(const struct fathom_plan *plan, const struct fathom_node *node)
{
	return node->memory_bytes && (plan->memory_node < 0 || plan->memory_node == (int)node->id);
}

static int node_of(const struct fathom_machine *machine, int cpu)
{
	for (size_t i = 0; i < machine->node_count; i++)
		if (cpu_list_has(machine->nodes[i].cpus, cpu))
			return (int)machine->nodes[i].id;
	return -1;
}

static int take_cell(struct matrix *matrix, struct fathom_result *part, const char *name,
		     struct fathom_error *error)
{
	for (size_t i = 0; i < part->warnings.count; i++)
		if (warnings_copy(&matrix->warnings, &part->warnings.items[i], name))
			return error_no_memory(error);
	warnings_free(&part->warnings);
	return matrix->whole ? join_curves(matrix->whole, part, error) : 0;
}

/* Takes the reason over. */
static int note_failure(struct matrix *matrix, struct fathom_error *why, const char *name,
			struct fathom_error *error)
{
	for (size_t i = 0; i < matrix->failure_count; i++)
		if (strcmp(matrix->failures[i].why.text, why->text) == 0) {
			matrix->failures[i].cells++;
			fathom_error_clear(why);
			return 0;
		}
	struct failure failure = {.why = *why, .name = strdup(name), .cells = 1};
	if (failure.name && !LIST_APPEND(&matrix->failures, &matrix->failure_count, &failure))
		return 0;
	free(failure.name);
	fathom_error_clear(why);
	return error_no_memory(error);
}

static void drop_cell(struct fathom_result *cell)
{
	if (cell)
		cell->machine = NULL; /* is the caller's, or the whole's */
	fathom_result_free(cell);
}

static int measure_cell(struct matrix *matrix, const struct fathom_plan *own, const char *name,
			struct fathom_error *error)
{
	double before_s = (double)matrix->done * own->budget_s;
	struct part_observer part = {matrix->observer,       name, before_s, own->budget_s,
				     matrix->plan->budget_s, {0}};
	struct fathom_error why = {0};
	struct fathom_result *cell = NULL;
	if (measure_beside(own, matrix->machine, part_observer_make(&part), NULL, &cell, &why) ||
	    join_check_place(cell, own->cpu, &why)) {
		drop_cell(cell);
		return note_failure(matrix, &why, name, error);
	}
	int status = take_cell(matrix, cell, name, error);
	if (!matrix->whole && !status) {
		matrix->whole = cell;
		return 0;
	}
	drop_cell(cell);
	return status;
}

/* With the threads of its own node. */
static int measure_pair(struct matrix *matrix, int cpu, const struct fathom_node *node,
			struct fathom_error *error)
{
	struct fathom_plan own = *matrix->plan;
	own.cpu = cpu;
	own.cpus = NULL;
	own.memory_node = (int)node->id;
	own.budget_s /= (double)matrix->cells;
	own.specs = calloc(own.spec_count, sizeof(*own.specs));
	char *name = text_format("node %d to node %u", node_of(matrix->machine, cpu), node->id);
	int status = own.specs && name ? 0 : error_no_memory(error);
	if (status == 0) {
		memcpy(own.specs, matrix->plan->specs, own.spec_count * sizeof(*own.specs));
		nodes_take_threads(&own, matrix->machine);
		status = measure_cell(matrix, &own, name, error);
	}
	matrix->done++;
	free(own.specs);
	free(name);
	return status;
}

static int measure_all(struct matrix *matrix, struct fathom_error *error)
{
	const struct fathom_machine *machine = matrix->machine;
	int cpu;
	for (size_t row = 0; (cpu = plan_cpu_at(matrix->plan, row)) >= 0; row++)
		for (size_t i = 0; i < machine->node_count; i++) {
			const struct fathom_node *node = &machine->nodes[i];
			bool stopped = matrix->whole && matrix->whole->interrupted;
			if (!stopped && is_column(matrix->plan, node) &&
			    measure_pair(matrix, cpu, node, error))
				return -1;
		}
	return 0;
}

/* Nodes that have no row, or no column. */
static int note_nodes(struct matrix *matrix, struct fathom_error *error)
{
	const struct fathom_machine *machine = matrix->machine;
	int status = 0;
	for (size_t i = 0; i < machine->node_count && !status; i++) {
		const struct fathom_node *node = &machine->nodes[i];
		char *where = text_format("node %u", node->id);
		size_t row = 0;
		while (plan_cpu_at(matrix->plan, row) >= 0 &&
		       !cpu_list_has(node->cpus, plan_cpu_at(matrix->plan, row)))
			row++;
		bool has_row = plan_cpu_at(matrix->plan, row) >= 0;
		if (!where)
			status = -1;
		else if (!node->memory_bytes)
			status = warnings_note(&matrix->warnings, "node-without-memory", where,
					       NULL, "the node has no memory");
		else if (node->cpus && *node->cpus && !has_row)
			status = warnings_note(&matrix->warnings, "node-left-out", where, NULL,
					       "none of its CPUs, %s, was asked for or may be used",
					       node->cpus);
		free(where);
	}
	return status ? error_no_memory(error) : 0;
}

static int warn_of_failures(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->failure_count; i++) {
		const struct failure *one = &matrix->failures[i];
		char *where = one->cells == 1
				      ? strdup(one->name)
				      : text_format("%s, and %zu more", one->name, one->cells - 1);
		int status = !where || warnings_add(&matrix->warnings, "nodes-failed", where,
						    one->why.hint, "%s", one->why.text);
		free(where);
		if (status)
			return -1;
	}
	return 0;
}

static void free_failures(struct matrix *matrix)
{
	for (size_t i = 0; i < matrix->failure_count; i++) {
		fathom_error_clear(&matrix->failures[i].why);
		free(matrix->failures[i].name);
	}
	free(matrix->failures);
}

static int finish(struct matrix *matrix, struct fathom_error *error)
{
	struct fathom_result *whole = matrix->whole;
	const struct failure *first = matrix->failures;
	if (!whole)
		return error_set(error, first->why.status, first->why.hint, "%s", first->why.text);
	if (warn_of_failures(matrix))
		return error_no_memory(error);
	for (size_t i = 0; i < matrix->warnings.count; i++)
		if (warnings_copy(&whole->warnings, &matrix->warnings.items[i], NULL))
			return error_no_memory(error);
	return node_access_find(whole, error) || quality_find(whole, error) ? -1 : 0;
}

int nodes_measure(const struct fathom_plan *plan, struct fathom_machine *machine,
		  const struct fathom_observer *observer, struct fathom_result **result,
		  struct fathom_error *error)
{
	struct matrix matrix = {.plan = plan, .machine = machine, .observer = observer};
	for (size_t i = 0; i < machine->node_count; i++)
		matrix.cells += is_column(plan, &machine->nodes[i]);
	matrix.cells *= plan_cpu_count(plan);
	int status = plan_check(plan, machine, error);
	if (status == 0)
		status = measure_all(&matrix, error);
	if (status == 0)
		status = note_nodes(&matrix, error);
	if (status == 0)
		status = finish(&matrix, error);
	warnings_free(&matrix.warnings);
	free_failures(&matrix);
	if (status) {
		if (matrix.whole)
			matrix.whole->machine = NULL; /* stays the caller's */
		fathom_result_free(matrix.whole);
		return -1;
	}
	*result = matrix.whole;
	return 0;
}
