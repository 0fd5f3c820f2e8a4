#include "model/cores/core_levels.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/cores/core_tree.h"

/* How much latencies of one class differ for where their CPUs lie on a ring or mesh: standard
 * deviation of the logarithm. Source: the widest classes in published matrices with known topology,
 * same cache on the EPYC 7773X and the Xeon E5-2680 v4 (corpus/cores). The rings and meshes of
 * other machines may scatter as much, so that no less counts as a difference of classes. */
#define SCATTER 0.1

/* A part of the tree and a cut in it. Its units are the groups at its beginning. */
struct cut {
	const struct core_tree *tree;
	size_t low, at, high;                   /* in joins */
	size_t *of_low, *of_at, *of_high;       /* group of each CPU there */
	size_t *units_at, *units_high, *widest; /* of each group, by its first CPU */
	size_t (*sizes)[2];                     /* of the groups at the cut: whose part, units */
};

/* What the two sides of a cut are like. */
struct sides {
	size_t pairs[2];
	double mean[2], variance[2];
	double weight[2];   /* how many places the latencies of a side speak of */
	bool nests;         /* a group of the near side is joined to others on the far one */
	double description; /* logarithm of how many ways there are to part the units so */
};

/* ---- the pairs ---- */

static void add_pairs(const struct core_tree *tree, size_t low, size_t high, struct sides *sides,
		      int side)
{
	double sum = 0, squares = 0;
	size_t pairs = 0;
	for (size_t i = low; i < high; i++) {
		pairs += tree->joins[i].pairs;
		sum += tree->joins[i].sum;
		squares += tree->joins[i].squares;
	}
	sides->pairs[side] = pairs;
	sides->mean[side] = sum / (double)pairs;
	sides->variance[side] =
		fmax(0, squares / (double)pairs - sides->mean[side] * sides->mean[side]);
}

/* ---- the groups ---- */

static int by_part(const void *left, const void *right)
{
	const size_t *a = left, *b = right;
	if (a[0] != b[0])
		return a[0] < b[0] ? -1 : 1;
	return (a[1] > b[1]) - (a[1] < b[1]);
}

static void count_units(struct cut *cut)
{
	size_t count = cut->tree->cpu_count;
	memset(cut->units_at, 0, count * sizeof(*cut->units_at));
	memset(cut->units_high, 0, count * sizeof(*cut->units_high));
	memset(cut->widest, 0, count * sizeof(*cut->widest));
	for (size_t i = 0; i < count; i++) {
		cut->units_at[cut->of_at[i]] += cut->of_low[i] == i;
		cut->units_high[cut->of_high[i]] += cut->of_low[i] == i;
	}
	for (size_t i = 0; i < count; i++) {
		size_t *widest = &cut->widest[cut->of_high[i]];
		if (*widest < cut->units_at[i])
			*widest = cut->units_at[i];
	}
}

/* Of each part n! / (product of k! over its groups of k units, and of m! over each m of a size):
 * natural logarithms. */
static double describe(struct cut *cut)
{
	size_t count = 0, run = 0;
	double ways = 0;
	for (size_t i = 0; i < cut->tree->cpu_count; i++) {
		if (cut->of_high[i] == i)
			ways += lgamma((double)cut->units_high[i] + 1);
		if (cut->of_at[i] != i)
			continue;
		ways -= lgamma((double)cut->units_at[i] + 1);
		cut->sizes[count][0] = cut->of_high[i];
		cut->sizes[count++][1] = cut->units_at[i];
	}
	qsort(cut->sizes, count, sizeof(*cut->sizes), by_part);
	for (size_t i = 0; i < count; i++) {
		run = i && by_part(cut->sizes[i - 1], cut->sizes[i]) == 0 ? run + 1 : 1;
		ways -= log((double)run);
	}
	return ways;
}

/* On the near side each join says something of one unit more; on the far side each unit outside the
 * largest group does, so that many pairs of few CPUs are few observations. */
static void weigh(const struct cut *cut, struct sides *sides)
{
	sides->weight[0] = (double)(cut->at - cut->low);
	for (size_t i = 0; i < cut->tree->cpu_count; i++) {
		if (cut->of_high[i] != i || cut->units_high[i] == cut->widest[i])
			continue;
		sides->weight[1] += (double)(cut->units_high[i] - cut->widest[i]);
		sides->nests |= cut->widest[i] > 1;
	}
	sides->weight[1] = fmin(sides->weight[1], (double)sides->pairs[1]);
}

static struct sides look(struct cut *cut)
{
	struct sides sides = {0};
	core_tree_cut(cut->tree, cut->at, cut->of_at);
	count_units(cut);
	add_pairs(cut->tree, cut->low, cut->at, &sides, 0);
	add_pairs(cut->tree, cut->at, cut->high, &sides, 1);
	weigh(cut, &sides);
	sides.description = describe(cut);
	return sides;
}

/* ---- the choice ---- */

/* How much likelier two classes are than one, as a logarithm, less what it costs to say which they
 * are: one mean and one cut more, and the groups. Above 0: two. */
static double judge(const struct cut *cut, const struct sides *sides)
{
	double near = sides->weight[0], far = sides->weight[1], all = near + far;
	double step = sides->mean[1] - sides->mean[0];
	if (!sides->nests || !(step > 0))
		return -INFINITY;
	double variance = (near * sides->variance[0] + far * sides->variance[1]) / all;
	double evidence = near * far / all * step * step / (2 * fmax(variance, SCATTER * SCATTER));
	return evidence - sides->description - log(all) - log((double)(cut->high - cut->low));
}

static void begin_part(struct cut *cut, size_t low, size_t high)
{
	cut->low = low;
	cut->high = high;
	core_tree_cut(cut->tree, low, cut->of_low);
	core_tree_cut(cut->tree, high, cut->of_high);
}

/* The best cut between two bounds, if it is better than `best`, which it then sets. */
static bool find_cut(struct cut *cut, size_t low, size_t high, double *best, size_t *found)
{
	bool any = false;
	begin_part(cut, low, high);
	for (cut->at = low + 1; cut->at < high; cut->at++) {
		const struct core_join *next = &cut->tree->joins[cut->at];
		if (!(next->height > next[-1].height))
			continue; /* as near as the one before */
		struct sides sides = look(cut);
		double gain = judge(cut, &sides);
		if (gain > *best) {
			*best = gain;
			*found = cut->at;
			any = true;
		}
	}
	return any;
}

static void remove_bound(size_t *bounds, size_t *count, size_t which)
{
	for (size_t i = which; i + 1 < *count; i++)
		bounds[i] = bounds[i + 1];
	--*count;
}

/* Cuts the part that gains most, again and again. Bounds that groups are not joined across, once
 * all are there, are of one class: two kinds of cores beside each other. */
static size_t cut_all(struct cut *cut, size_t *bounds)
{
	size_t count = 2, which, at = 0;
	bounds[0] = 0;
	bounds[1] = cut->tree->cpu_count - 1;
	do {
		double best = 0;
		which = 0;
		for (size_t i = 1; i < count; i++)
			if (find_cut(cut, bounds[i - 1], bounds[i], &best, &at))
				which = i;
		if (!which)
			break;
		for (size_t i = count++; i > which; i--)
			bounds[i] = bounds[i - 1];
		bounds[which] = at;
	} while (count <= CORE_LEVELS_MOST);
	for (size_t i = 1; i + 1 < count;) {
		begin_part(cut, bounds[i - 1], bounds[i + 1]);
		cut->at = bounds[i];
		if (look(cut).nests)
			i++;
		else
			remove_bound(bounds, &count, i);
	}
	return count;
}

static int find_levels(const struct core_tree *tree, struct core_levels *levels,
		       struct fathom_error *error)
{
	size_t count = tree->cpu_count, bounds[CORE_LEVELS_MOST + 2];
	size_t *room = calloc(6 * count, sizeof(*room));
	struct cut cut = {.tree = tree, .sizes = calloc(count, sizeof(*cut.sizes))};
	size_t *group_of = calloc((CORE_LEVELS_MOST + 1) * count, sizeof(*group_of));
	bool failed = !room || !cut.sizes || !group_of;
	if (!failed) {
		cut.of_low = room;
		cut.of_at = room + count;
		cut.of_high = room + 2 * count;
		cut.units_at = room + 3 * count;
		cut.units_high = room + 4 * count;
		cut.widest = room + 5 * count;
		size_t bound_count = cut_all(&cut, bounds);
		*levels = (struct core_levels){count, bound_count - 1, group_of};
		for (size_t i = 1; i < bound_count; i++)
			core_tree_cut(tree, bounds[i], group_of + (i - 1) * count);
	} else {
		free(group_of);
	}
	free(room);
	free(cut.sizes);
	return failed ? error_no_memory(error) : 0;
}

int core_levels_find(const double *logs, size_t cpu_count, struct core_levels *levels,
		     struct fathom_error *error)
{
	struct core_tree tree;
	if (core_tree_grow(logs, cpu_count, &tree, error))
		return -1;
	int failed = find_levels(&tree, levels, error);
	core_tree_free(&tree);
	return failed;
}

/* ---- what was found ---- */

void core_levels_free(struct core_levels *levels)
{
	free(levels->group_of);
	*levels = (struct core_levels){0};
}

const size_t *core_levels_of(const struct core_levels *levels, size_t class)
{
	return levels->group_of + class * levels->cpu_count;
}

void core_levels_drop(struct core_levels *levels, size_t class)
{
	size_t *group_of = levels->group_of + class * levels->cpu_count;
	size_t after = levels->class_count - class - 1;
	memmove(group_of, group_of + levels->cpu_count,
		after * levels->cpu_count * sizeof(*group_of));
	levels->class_count--;
}

size_t core_levels_class(const struct core_levels *levels, size_t cpu_a, size_t cpu_b)
{
	size_t class = 0;
	while (core_levels_of(levels, class)[cpu_a] != core_levels_of(levels, class)[cpu_b])
		class ++;
	return class;
}

size_t core_levels_groups(const struct core_levels *levels, size_t class)
{
	const size_t *of = core_levels_of(levels, class);
	size_t groups = 0;
	for (size_t i = 0; i < levels->cpu_count; i++)
		groups += of[i] == i;
	return groups;
}
