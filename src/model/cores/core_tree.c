#include "model/cores/core_tree.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/error.h"

/* Between two groups, at [a * count + b]. */
struct between {
	double sum, squares;
	size_t pairs;
};

struct growth {
	size_t count;
	struct between *between;
	bool *is_gone;   /* joined to another */
	size_t *nearest; /* of each group; itself: there is none */
};

static const struct between *at(const struct growth *growth, size_t a, size_t b)
{
	return &growth->between[a * growth->count + b];
}

static double height(const struct growth *growth, size_t a, size_t b)
{
	const struct between *it = at(growth, a, b);
	return it->pairs ? it->sum / (double)it->pairs : INFINITY;
}

static void find_nearest(struct growth *growth, size_t a)
{
	growth->nearest[a] = a;
	for (size_t b = 0; b < growth->count; b++) {
		size_t best = growth->nearest[a];
		if (b != a && !growth->is_gone[b] &&
		    (best == a || height(growth, a, b) < height(growth, a, best)))
			growth->nearest[a] = b;
	}
}

static size_t find_next(const struct growth *growth)
{
	size_t best = growth->count;
	for (size_t a = 0; a < growth->count; a++)
		if (!growth->is_gone[a] &&
		    (best == growth->count || height(growth, a, growth->nearest[a]) <
						      height(growth, best, growth->nearest[best])))
			best = a;
	return best;
}

/* b to a. */
static void join(struct growth *growth, size_t a, size_t b)
{
	growth->is_gone[b] = true;
	for (size_t c = 0; c < growth->count; c++) {
		struct between *to_a = &growth->between[a * growth->count + c];
		if (c == a || growth->is_gone[c])
			continue;
		to_a->sum += at(growth, b, c)->sum;
		to_a->squares += at(growth, b, c)->squares;
		to_a->pairs += at(growth, b, c)->pairs;
		growth->between[c * growth->count + a] = *to_a;
	}
	for (size_t c = 0; c < growth->count; c++)
		if (!growth->is_gone[c] &&
		    (c == a || growth->nearest[c] == a || growth->nearest[c] == b))
			find_nearest(growth, c);
}

static void start(struct growth *growth, const double *logs)
{
	for (size_t i = 0; i < growth->count * growth->count; i++)
		if (i / growth->count != i % growth->count && !isnan(logs[i]))
			growth->between[i] = (struct between){logs[i], logs[i] * logs[i], 1};
	for (size_t a = 0; a < growth->count; a++)
		find_nearest(growth, a);
}

static void grow(struct growth *growth, struct core_join *joins)
{
	for (size_t i = 0; i + 1 < growth->count; i++) {
		size_t a = find_next(growth), b = growth->nearest[a];
		const struct between *it = at(growth, a, b);
		double least = i ? joins[i - 1].height : -INFINITY;
		joins[i] = (struct core_join){a,         b,       fmax(height(growth, a, b), least),
					      it->pairs, it->sum, it->squares};
		join(growth, a, b);
	}
}

int core_tree_grow(const double *logs, size_t cpu_count, struct core_tree *tree,
		   struct fathom_error *error)
{
	struct growth growth = {
		.count = cpu_count,
		.between = calloc(cpu_count * cpu_count, sizeof(*growth.between)),
		.is_gone = calloc(cpu_count, sizeof(*growth.is_gone)),
		.nearest = calloc(cpu_count, sizeof(*growth.nearest)),
	};
	struct core_join *joins = calloc(cpu_count, sizeof(*joins));
	bool failed = !growth.between || !growth.is_gone || !growth.nearest || !joins;
	if (!failed) {
		start(&growth, logs);
		grow(&growth, joins);
		*tree = (struct core_tree){cpu_count, joins};
	} else {
		free(joins);
	}
	free(growth.between);
	free(growth.is_gone);
	free(growth.nearest);
	return failed ? error_no_memory(error) : 0;
}

void core_tree_free(struct core_tree *tree)
{
	free(tree->joins);
	*tree = (struct core_tree){0};
}

static size_t find_group(const size_t *group_of, size_t cpu)
{
	while (group_of[cpu] != cpu)
		cpu = group_of[cpu];
	return cpu;
}

void core_tree_cut(const struct core_tree *tree, size_t joins, size_t *group_of)
{
	for (size_t i = 0; i < tree->cpu_count; i++)
		group_of[i] = i;
	for (size_t i = 0; i < joins; i++) {
		size_t a = find_group(group_of, tree->joins[i].a);
		size_t b = find_group(group_of, tree->joins[i].b);
		group_of[a > b ? a : b] = a < b ? a : b;
	}
	for (size_t i = 0; i < tree->cpu_count; i++)
		group_of[i] = group_of[group_of[i]]; /* a group's first CPU comes first */
}
